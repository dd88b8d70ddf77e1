"""Repairs make knowledge bases coherent, never tighten a bound, and cost what they must."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from heapq import heappop, heappush
from itertools import combinations
from random import Random

import pytest

from boxsel import examples
from boxsel.errors import BoxselError, InvalidStatementError
from boxsel.exact.diagnosis.least_relaxation import LeastRelaxation
from boxsel.exact.diagnosis.repair import Repair, repair
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional, conditional
from boxsel.logic.concepts import Name, conjunction, names
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval
from boxsel.machine.budget import Budget
from boxsel.sampling import Reading
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.brute_force import empty_names, is_consistent
from tests.exact.coherence.test_realising import taxonomy
from tests.exact.knowledge_bases import random_kb
from tests.ticking import ticking

A, B, C = names("A B C")
NEAR = Fraction(1, 10_000)


def check(kb: KB, result: Repair) -> None:
    """What holds for every repair."""
    json.dumps(result.to_json())
    assert result.text
    assert result.least <= result.total
    assert len(result.kb) == len(kb)
    changed = {change.old: change for change in result.changes}
    for old, new in zip(kb, result.kb, strict=True):
        if old == new:
            assert old not in changed
            continue
        change = changed[old]
        assert change.new == new
        assert isinstance(old.axiom, Conditional)
        assert isinstance(new.axiom, Conditional)
        assert (old.axiom.head, old.axiom.body) == (new.axiom.head, new.axiom.body)
        before, after = old.axiom.bounds, new.axiom.bounds
        assert after.lower <= before.lower <= before.upper <= after.upper
        assert change.amount == before.lower - after.lower + after.upper - before.upper > 0


@pytest.mark.parametrize("seed", some(range(200, 260)))
def test_random_knowledge_bases_become_coherent(seed: int) -> None:
    kb, _ = random_kb(Random(seed), 5)
    kb = KB(tuple(dict.fromkeys(kb.statements)))
    result = repair(kb)
    check(kb, result)
    if not empty_names(kb) and is_consistent(kb):
        assert result.kb is kb
        assert result.total == 0
        assert result.optimal
    elif result.possible:
        assert result.total > 0
        assert is_consistent(result.kb)
        assert not empty_names(result.kb)
    else:
        assert result.conflict is not None
        strict = KB(
            tuple(statement for statement in kb if not isinstance(statement.axiom, Conditional))
        )
        assert set(result.conflict.statements) <= set(strict)
        assert empty_names(strict) or not is_consistent(strict)


def relaxations(kb: KB, step: Fraction) -> Iterator[tuple[Fraction, KB]]:
    """Every relaxation of conditionals in steps, the cheapest first."""
    queue = [(Fraction(0), (0,) * 2 * len(kb))]
    seen = set(queue)
    while queue:
        cost, levels = heappop(queue)
        axioms = []
        for number, axiom in enumerate(kb.axioms):
            assert isinstance(axiom, Conditional)
            lower = max(axiom.bounds.lower - step * levels[2 * number], Fraction(0))
            upper = min(axiom.bounds.upper + step * levels[2 * number + 1], Fraction(1))
            axioms.append(Conditional(axiom.head, axiom.body, Interval(lower, upper)))
        yield cost, KB.of(*axioms)
        for place in range(len(levels)):
            more = (cost + step, (*levels[:place], levels[place] + 1, *levels[place + 1 :]))
            if more not in seen:
                seen.add(more)
                heappush(queue, more)


@pytest.mark.parametrize("seed", some(range(12)))
def test_no_relaxation_on_a_grid_is_cheaper(seed: int) -> None:
    random = Random(seed)
    bodies = [A, B, A & B]
    kb = KB.of(
        *(
            conditional(random.choice([B, C]), given=body, exactly=Fraction(random.randrange(5), 4))
            for body in (A, random.choice(bodies), random.choice(bodies))
        ),
    )
    kb = KB(tuple(dict.fromkeys(kb.statements)))
    result = repair(kb)
    check(kb, result)
    assert result.optimal
    cheapest = next(
        cost for cost, relaxed in relaxations(kb, Fraction(1, 4)) if not empty_names(relaxed)
    )
    # The optimum need not lie on the grid of quarters, but no point of the grid beats it.
    assert result.total <= cheapest + NEAR
    assert result.least <= cheapest


def repaired(text: str, **options: object) -> Repair:
    kb = parse_kb(text)
    result = repair(kb, **options)  # type: ignore[arg-type]
    check(kb, result)
    return result


def test_a_contradiction_costs_its_width() -> None:
    result = repaired("(B | A)[0.2]\n(B | A)[0.8]\n(C | A)[0.5]\nA SubClassOf D\n(C | D)[0.1, 0.6]")
    assert result.total == Fraction(6, 10)
    assert result.optimal
    assert Reasoner(result.kb).coherent
    assert [change.old for change in result.changes] == [result.changes[0].old]
    assert str(result.kb.statements[2]) == "(C | A)[0.5]"


def test_weights_choose_what_gives_way() -> None:
    text = "(B | A)[0.2]\n(B | A)[0.8]"
    low, high = parse_kb(text).conditionals
    for heavy, light in ((low, high), (high, low)):
        result = repaired(text, weights={heavy: 3, light: "0.5"})
        assert [change.old.axiom for change in result.changes] == [light]
        assert result.total == Fraction(3, 10)
        assert result.optimal


def test_counts_weigh_by_their_samples() -> None:
    result = repaired("(B | A)[7 of 100]\n(B | A)[2 of 10]  ## source: pilot")
    assert [str(change.new) for change in result.changes] == [
        "(B | A)[0.07, 0.2]  ## source: pilot  ## comment: was 2 of 10"
    ]
    assert result.total == Fraction(13, 10)
    assert result.optimal


def test_several_bodies() -> None:
    # 0.9 of A is B, 0.9 of that is C, so at least 0.81 of A is C.
    result = repaired("(B | A)[0.9, 1]\n(C | A and B)[0.9, 1]\n(C | A)[0, 0.5]")
    assert result.text == (
        "(C | A)[0, 0.5] -> (C | A)[0, 0.81]\ntotal change 0.31 in shares, the least possible\n"
    )


def test_independent_conflicts_add_up() -> None:
    result = repaired("(B | A)[0.2]\n(B | A)[0.8]\n(D | C)[0.5]\n(D | C)[0.6]\n(C | A)[0.1]")
    assert result.total == Fraction(7, 10)
    assert len(result.changes) == 2
    assert result.optimal


def test_a_least_change_that_is_approached_only() -> None:
    result = repaired("N SubClassOf M\n(N | M)[0]")
    assert result.text == (
        "(N | M)[0] -> (N | M)[0, 0.000001]\n"
        "total change 0.000001 in shares, the least possible"
        " (new bounds are rounded outwards to six decimals)\n"
    )
    assert result.least == 0


def test_assertions_and_everything() -> None:
    result = repaired(
        "(A | owl:Thing)[0.2]\n(A | owl:Thing)[0.5]\nr(a, b)\nB(b)\n(r some B | C)[0]\nC(a)"
    )
    assert is_consistent(result.kb)
    assert Fraction(3, 10) <= result.total <= Fraction(3, 10) + NEAR
    assert result.optimal


def test_links_say_what_their_objects_are() -> None:
    text = "r(a, b)\nr Range: C\nD(b)\n(E | C and D)[0.1]\n(E | C and D)[0.2]"
    result = repaired(text, names=[])
    assert result.total == Fraction(1, 10)
    assert result.optimal


def test_conflicts_that_share_a_conditional_do_not_add_up() -> None:
    kb = parse_kb("(B | A)[0.5]\n(B | A)[0.2]\n(B | A)[0.8]")
    search = LeastRelaxation(kb.statements, [A], {}, Budget())
    search.start()
    search.prove()
    assert search.result.total == Fraction(6, 10)
    assert search.result.optimal
    assert Fraction(3, 10) - NEAR <= search.packed() <= Fraction(6, 10)


@pytest.mark.parametrize("seed", some(range(12)))
def test_whatever_is_guessed_the_same_levels_are_found(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    random = Random(seed)
    joined = [statement for _ in range(2) for statement in random_kb(random)[0]]
    bounded = [statement for statement in joined if isinstance(statement.axiom, Conditional)]
    kb = KB(tuple(dict.fromkeys(bounded)))
    found = []
    guesses = (
        LeastRelaxation._needed,
        lambda _, levels, place: random.randrange(-1, levels[place] + 2),
    )
    for guess in guesses:
        monkeypatch.setattr(LeastRelaxation, "_needed", guess)
        search = LeastRelaxation(kb.statements, kb.signature.concepts, {}, Budget())
        search.start()
        found.append(search.best)
    assert found[0] == found[1]


def test_chosen_names() -> None:
    text = "(B | A)[0.2]\n(B | A)[0.8]\n(D | C)[0.5]\n(D | C)[0.6]"
    assert repaired(text, names=[Name("C")]).total == Fraction(1, 10)
    assert repaired(text, names=[]).total == 0
    with pytest.raises(InvalidStatementError, match="does not mention X"):
        repaired(text, names=[Name("X")])


def test_nothing_to_relax() -> None:
    result = repaired("A SubClassOf B\nA SubClassOf C\nDisjointClasses: B, C\n(A | D)[0.5]")
    assert not result.possible
    assert not result.optimal
    assert result.conflict is not None
    assert len(result.conflict.statements) == 3
    assert result.text.startswith("No change of bounds helps. These statements leave A empty")
    assert result.to_json()["total"] is None


def test_repetitions_count_once() -> None:
    result = repaired("(B | A)[0.2]\n(B | A)[0.2]\n(B | A)[0.8]", weights={})
    assert result.total == Fraction(6, 10)
    assert Reasoner(result.kb).coherent


def test_weights_are_above_zero() -> None:
    axiom = conditional(B, given=A, exactly=0.2)
    with pytest.raises(InvalidStatementError, match="a weight is above 0"):
        repair(KB.of(axiom), weights={axiom: 0})


@pytest.mark.parametrize("name", ["applicant", "berkeley", "clinic"])
def test_the_examples_need_no_repair(name: str) -> None:
    kb = examples.load(name)
    assert repair(kb).kb is kb
    assert repair(kb).text == "Nothing has to change.\n"


@pytest.mark.parametrize("ticks", [0, *some(range(1, 400, 7))])
def test_out_of_time_the_best_so_far_is_the_result(ticks: int) -> None:
    text = (
        "(B | A)[0.2]\n(B | A)[0.8]\n(B | A)[0.5]\n(C | A)[0.1]\nD SubClassOf A\n"
        "(E | D)[0.9]\n(D | A)[0.5, 1]\n(E | A)[0, 0.2]\n(G | F)[0.1]\n(G | F)[0.3]"
    )
    least = repaired(text).total
    result = repaired(text, budget=ticking(ticks))
    assert result.least <= least
    if result.finished:
        assert Reasoner(result.kb).coherent
        assert result.total >= least - NEAR
    else:
        assert not result.optimal
        assert "The time was over" in result.text


def crowd(random: Random) -> tuple[KB, Fraction]:
    """Shares of many groups of a few people, one of them wrong; what it costs to put that right."""
    names = tuple(Name(letter) for letter in "ABCDE")
    people = [{name for name in names if random.random() < 0.6} for _ in range(40)]
    pairs: list[tuple[Name, tuple[Name, ...]]] = [
        (head, body)
        for size in (1, 2, 3)
        for body in combinations(names, size)
        for head in names
        if head not in body and any({*body} <= one for one in people)
    ]
    counted = []
    for head, body in random.sample(pairs, 45):
        inside = [one for one in people if {*body} <= one]
        counted.append((head, body, sum(head in one for one in inside), len(inside)))
    head, body, count, total = max(counted, key=lambda one: one[3])
    wrong = total - count if 2 * count != total else 0
    axioms = [
        Conditional(
            one, conjunction(*group), Count(wrong if (one, group) == (head, body) else n, m)
        )
        for one, group, n, m in counted
    ]
    return KB.of(*axioms), Fraction(abs(count - wrong))


@pytest.mark.parametrize("seed", some(range(8), 2))
def test_of_a_crowd_what_one_population_misses_gives_way(seed: int) -> None:
    kb, price = crowd(Random(seed))
    found = repair(kb, budget=ticking(4_000))
    assert found.finished
    assert Reasoner(found.kb).coherent
    assert found.least <= found.total
    # By this much it can be put right, but for rounding; the guess is no worse.
    assert found.least <= price
    assert found.total <= price + found.gap + Fraction(1, 1_000)


def test_trust_chooses_what_gives_way() -> None:
    text = "(B | A)[0.2]  ## source: register\n(B | A)[0.8]  ## source: pilot"
    for source, moved in (("register", 0), ("pilot", 1)):
        result = repaired(text, trust={source: "0.1"})
        assert [change.old for change in result.changes] == [parse_kb(text).statements[moved]]
        assert result.unit == "shares times weights"
        assert result.optimal
    with pytest.raises(BoxselError, match="no statement has the source 'census': there are"):
        repaired(text, trust={"census": 2})
    with pytest.raises(InvalidStatementError, match="above 0"):
        repaired(text, trust={"pilot": 0})


def test_a_comment_says_how_much_a_statement_is_trusted() -> None:
    result = repaired("(B | A)[0.2]  ## comment: trust 3\n(B | A)[0.8]")
    assert [str(change.old) for change in result.changes] == ["(B | A)[0.8]"]
    assert result.unit == "shares"


def test_counts_in_conflicts_are_read_as_intervals_first() -> None:
    text = "(B | A)[7 of 10]\n(B | A)[0.5]\n(B | C)[3 of 10]"
    result = repair(parse_kb(text), reading=Reading())
    assert result.total == 0
    assert result.optimal
    assert [str(change.old) for change in result.readings] == ["(B | A)[7 of 10]"]
    assert Reasoner(result.kb).coherent
    assert str(result.kb.statements[2]) == "(B | C)[3 of 10]"
    further = repair(parse_kb("(B | A)[90 of 100]\n(B | A)[0.5]"), reading=Reading())
    assert 0 < further.total < Fraction(4, 10)
    assert Reasoner(further.kb).coherent


@pytest.mark.parametrize("seed", some(range(3)))
def test_one_typo_in_a_large_taxonomy_is_repaired_at_the_least_cost(seed: int) -> None:
    kb = taxonomy(seed, 200)
    said = next(one for one in kb.conditionals if 0 < one.bounds.lower and one.bounds.upper < 0.9)
    typo = parse_kb(f"({said.head} | {said.body})[0.95]").statements
    result = repair(kb.with_statements((*kb.statements, *typo)))
    assert result.optimal
    assert result.total == Fraction(95, 100) - said.bounds.upper
    assert Reasoner(result.kb).coherent


def test_the_least_repair_is_proved_where_existentials_contradict() -> None:
    kb = parse_kb("T2 SubClassOf T1\n(r some T1 | D)[0.3, 0.79]\n(r some T2 | D)[0.8, 0.99]")
    repair = kb.repair()
    assert repair.optimal
    assert repair.total == Fraction(1, 100)
    assert repair.least > 0
