"""Under a budget: intervals that contain the truth, and more time never loosens them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings

from boxsel import examples
from boxsel.checker.verify import verify
from boxsel.errors import BoxselError
from boxsel.exact.answers import Outcome, Proof
from boxsel.exact.bounds import bounds
from boxsel.exact.certificate import certificate
from boxsel.exact.diagnosis.causes import find_causes
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.schedule import Known, Part, Schedule, Stage, near_parts, within
from boxsel.exact.ways.way import Limits
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.syntax.parser import parse_kb
from tests.depth import cases, some
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb, small_kbs
from tests.ticking import ticking


class Countdown(Budget):
    """A budget of steps instead of seconds, so that stopping is the same every time."""

    def __init__(self, steps: int) -> None:
        super().__init__(1e9)
        self.steps = steps

    @property
    def left(self) -> float:
        return 1e9 if self.steps > 0 else 0.0

    @contextmanager
    def shortened(self, part: float) -> Iterator[None]:
        kept = self.steps - int(self.steps * part)
        self.steps -= kept
        try:
            yield
        finally:
            self.steps += kept

    def check(self) -> None:
        self.steps -= 1
        if self.steps <= 0:
            raise OutOfTimeError


@settings(max_examples=cases(150), deadline=None)
@given(small_kbs())
def test_stopping_any_time_gives_a_true_interval_that_only_tightens(
    case: tuple[KB, Query],
) -> None:
    kb, query = case
    truth = answer(kb, query)
    before: Known | None = None
    for steps in (1, 2, 4, 8, 16, 32, 64, 128):
        found = within(Reasoner(kb, budget=Countdown(steps)), query)
        if isinstance(found, Outcome):
            assert found.status == truth.status
            continue
        assert isinstance(found, Known)
        assert found.lower <= found.upper
        if truth.lower is None or truth.upper is None:
            continue  # the body is empty in every model: any interval is true
        assert found.lower <= truth.lower
        assert truth.upper <= found.upper
        if found.inner is not None:
            assert truth.lower <= found.inner.lower <= found.inner.upper <= truth.upper
        if before is not None:
            assert before.lower <= found.lower
            assert found.upper <= before.upper
        before = found


@pytest.mark.parametrize("seed", [29, 33, *some(range(100, 160))])
def test_time_may_run_out_anywhere_along_a_tree(seed: int) -> None:
    kb, query = random_kb(Random(seed))
    for looks in range(0, 200, 2):  # models are spelt out late, when perhaps nothing is left
        found = within(Reasoner(kb, budget=ticking(looks), ways=("tree", "generated")), query)
        assert isinstance(found, Outcome | Known)


def test_a_spent_budget_is_said() -> None:
    kb = examples.load("berkeley")
    found = bounds(kb, kb.query("(Admitted | Woman)"), budget=Countdown(1))
    assert found.status == "budget"
    assert not found.exact
    assert "the time was over" in found.text
    assert found.to_json()["lower"] is not None


def test_neighbourhoods_grow_and_stay_inside_the_module() -> None:
    kb = examples.load("clinic")
    reasoner = Reasoner(kb)
    query = kb.query("(TakesInsulin | Patient)")
    sizes = [len(part) for part in near_parts(reasoner, query)]
    assert sizes == sorted(set(sizes))
    module = set(reasoner.module(query))
    assert all(set(part) <= module for part in near_parts(reasoner, query))


@pytest.mark.parametrize(("text", "seconds"), [("5", 5), ("5s", 5), ("250ms", 0.25), ("2m", 120)])
def test_budgets_are_read(text: str, seconds: float) -> None:
    assert Budget.of(text).seconds == seconds


@pytest.mark.parametrize("text", ["", "s", "soon", "-3s", "0", "5 parsecs", "nan", "inf"])
def test_other_budgets_are_refused(text: str) -> None:
    with pytest.raises(BoxselError, match="is not a budget"):
        Budget.of(text)


@pytest.mark.parametrize("seed", some(range(30)))
def test_a_schedule_goes_on_where_it_stopped(seed: int) -> None:
    """With a little time again and again, what is known tightens until the answer is there."""
    kb, query = random_kb(Random(seed))
    truth = answer(kb, query)
    budget = Countdown(2)
    reasoner = Reasoner(kb, budget=budget, limits=Limits(large=1))
    schedule, before = Schedule(reasoner, query), Known()
    for steps in range(2, 400):
        found = schedule.run()
        if isinstance(found, Outcome):
            break
        assert before.lower <= found.lower
        assert found.upper <= before.upper
        before = found
        budget.steps = steps
    assert isinstance(found, Outcome)
    assert found.status == truth.status
    for end, expected in ((found.lower, truth.lower), (found.upper, truth.upper)):
        assert (None if end is None else end.bound) == expected


@pytest.mark.parametrize("seed", range(50))
def test_what_is_known_only_tightens(seed: int) -> None:
    random = Random(seed)
    ends = [sorted(Fraction(random.randint(0, 6), 6) for _ in range(2)) for _ in range(2)]
    first, second = (Known(lower, upper) for lower, upper in ends)
    joined = first.joined(second)
    lower, upper = max(first.lower, second.lower), min(first.upper, second.upper)
    if lower > upper:  # the body is empty in every model
        assert joined == first
    else:
        assert (joined.lower, joined.upper) == (lower, upper)
        assert joined == second.joined(first)


class Slow(Reasoner):
    """A reasoner that has no time for the whole."""

    def is_narrow(self, query: Query | str) -> bool:
        raise OutOfTimeError

    def bounds(self, query: Query | str) -> Outcome:
        raise OutOfTimeError


def test_what_is_near_comes_next_where_a_tree_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known_before: list[Known] = []
    monkeypatch.setattr(Schedule, "_chain", lambda self: known_before.append(self.known))
    lines = (f"C{n + 1} SubClassOf C{n}\n(C{n + 1} | C{n})[0.5]\n" for n in range(20))
    kb = parse_kb("".join(lines))
    within(Slow(kb, limits=Limits(large=0)), kb.query("(C2 | C0)"))
    assert known_before[0].pinned
    assert known_before[0].lower == Fraction(1, 4)


def test_a_stage_asks_about_every_part_and_again_about_one_that_was_cut_short() -> None:
    statements = tuple(examples.load("berkeley"))
    heard: list[Known] = []

    def parts() -> Generator[Part, Known, None]:
        for size in (1, 2, 3):
            heard.append((yield statements[:size]))

    asked: list[int] = []

    def ask(part: Part) -> Known:
        asked.append(len(part))
        if asked == [1, 2]:
            raise OutOfTimeError
        return Known(Fraction(len(part), 10))

    stage = Stage(parts)
    with pytest.raises(OutOfTimeError):
        stage.run(ask, lambda: False)
    stage.run(ask, lambda: False)
    assert asked == [1, 2, 2, 3]
    assert [known.lower for known in heard] == [Fraction(n, 10) for n in (1, 2, 3)]
    stage.run(ask, lambda: False)  # nothing is left
    assert asked == [1, 2, 2, 3]
    never = Stage(parts)
    never.run(ask, lambda: True)
    assert asked == [1, 2, 2, 3]


def test_a_clash_beside_the_body_is_told_before_anything_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Shares of three statements exclude each other, which none of them does alone."""
    clash = "(A | C)[0.9]\n(B | C)[0.4]\n(B | A)[0]\n"
    rest = "".join(f"(N{n} | C)[0.{n + 1}]\n(N{n} | N{n + 1})[0.3, 0.4]\n" for n in range(8))
    kb = parse_kb(clash + rest)
    whole = bounds(kb, "(N3 | C)")

    def refuse(self: Schedule) -> Outcome:
        raise AssertionError("all statements were asked")

    monkeypatch.setattr(Schedule, "_whole", refuse)
    answer = bounds(kb, "(N3 | C)")
    assert (answer.status, answer.certified) == (whole.status, True) == ("vacuous", True)
    assert {statement.text() for statement in answer.conflict} == {*clash.split("\n")} - {""}
    with pytest.raises(AssertionError):
        bounds(parse_kb(rest), "(N3 | C)")


def crosstab(random: Random, parts: int, heads: int) -> tuple[list[str], list[str]]:
    """Shares in two partitions and in pairs of their parts, rounded, and those in all."""
    people = [
        (random.randrange(parts), random.randrange(parts), random.random(), random.random())
        for _ in range(500)
    ]
    lines = []
    for side, name in enumerate("AB"):
        lines.append(f"DisjointClasses: {', '.join(f'{name}{n}' for n in range(parts))}")
        for n in range(parts):
            count = sum(person[side] == n for person in people)
            lines += [f"{name}{n} SubClassOf All", f"({name}{n} | All)[{count} of 500]"]
    totals = []
    for head in range(heads):
        level = 0.2 + 0.5 * head / heads

        def has(person: tuple[int, int, float, float], level: float = level) -> bool:
            return person[2] < level + 0.05 * person[0] - 0.05 * person[1]

        totals.append(f"(X{head} | All)[{sum(map(has, people)) / 500:.3f}]")
        lines.append(f"X{head} SubClassOf All")
        for n in range(parts):
            some = [person for person in people if person[0] == n]
            lines.append(f"(X{head} | A{n})[{sum(map(has, some)) / len(some):.1f}]")
    return lines, totals


@pytest.mark.parametrize("seed", some(range(6), 2))
def test_what_rules_find_empty_is_proved_from_the_statements_that_they_used(seed: int) -> None:
    lines, totals = crosstab(Random(seed), 4, 5)
    kb = parse_kb("\n".join(lines + totals))
    query = kb.query("(X0 | X1 and B2)")
    found = Reasoner(kb).refuted(query)
    assert found is not None
    assert found.status == "vacuous"
    assert verify(kb, certificate(found)).valid
    assert isinstance(found.empty, Proof)
    assert len(found.empty.premises) < len(kb) / 2
    (cause,) = find_causes(Reasoner(kb))
    assert len(cause.names) == len(kb.signature.concepts)


def test_where_rules_find_everything_empty_there_is_no_model_whatever_else_is_stated() -> None:
    """The body of the question is emptied by others, which say nothing about everything."""
    lines, totals = crosstab(Random(0), 4, 5)
    clash = parse_kb("(E | owl:Thing)[0.4, 0.5]\n(F | E)[0.1, 0.2]\n(F | E)[0.7, 0.8]")
    kb = KB.of(*parse_kb("\n".join(lines + totals)).axioms, *clash.axioms)
    for body in ("X1 and B2", "E", "owl:Thing"):
        found = Reasoner(kb).refuted(f"(X0 | {body})")
        assert found is not None
        assert found.status == "inconsistent"
        assert isinstance(found.empty, Proof)
        assert found.empty.premises == {*clash.axioms}


def test_who_had_no_time_for_rules_asks_them_again() -> None:
    kb = parse_kb(
        "DisjointClasses: A, B\nA SubClassOf X\nB SubClassOf X\n(A | X)[0.5]\n(B | X)[0.5]"
        "\n(Y | A)[0.1]\n(Y | B)[0.1]\n(Y | X)[0.5]"
    )
    now = [0.0]
    reasoner = Reasoner(kb, budget=Budget(10, lambda: now[0]))
    now[0] = 11.0
    assert not reasoner.behind_empty("X")
    now[0] = 0.0
    assert not reasoner.behind_empty("X")
    reasoner.try_again()
    assert len(reasoner.behind_empty("X")) == len(kb)


def test_what_is_near_is_not_indexed_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Reasoner) -> None:
        raise AssertionError("an index was made")

    kb = parse_kb("\n".join(f"(N{n % 7} | N{n})[0.5]" for n in range(7, 400)))
    reasoner = Reasoner(kb, budget=Budget(0.0))
    monkeypatch.setattr(Reasoner, "nearness", property(refuse))
    assert isinstance(within(reasoner, kb.query("(N1 | N2)")), Known)
