"""Every way of the ladder gives what brute force gives, alone and with its neighbours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from boxsel.checker.verify import verify
from boxsel.errors import BoxselError
from boxsel.exact.answers import Outcome
from boxsel.exact.certificate import certificate
from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.ladder import LADDER, WAYS, Ladder, NoWayError, Rung
from boxsel.exact.lp.optimum import Optimum, Result
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways import way
from boxsel.exact.ways.way import Limits, Passed, Way
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.exact.brute_force import Answer, answer, empty_names
from tests.exact.counted.graphs import counted_graph, counted_kb
from tests.exact.knowledge_bases import random_kb
from tests.exact.test_near import said
from tests.exact.test_nested import small as nested_kb
from tests.exact.test_thinned import thinned_graph

EACH = cases(40)
LAST = "generated"
"""The way that always answers: what another one passes goes to it."""
TINY = Limits(few=0, region=2)
"""With these, small knowledge bases are treated like large ones."""
PAIRS = [pair for pair in pairwise(WAYS) if LAST not in pair]


def counted(random: Random) -> tuple[KB, Query]:
    kb, queries = random.choice((counted_kb, counted_graph))(random)
    return kb, random.choice(queries)


FAMILIES: dict[str, Callable[[Random], tuple[KB, Query]]] = {
    "any": random_kb,
    "nested": nested_kb,
    "counted": counted,
    "thinned": thinned_graph,
}


class Case(NamedTuple):
    """A knowledge base and a question, with what brute force says."""

    kb: KB
    query: Query
    answer: Answer
    empty: frozenset[Name]


@cache
def truth(family: str, seed: int) -> Case:
    """A case of a family: brute force takes longer than most ways, and is asked once."""
    kb, query = FAMILIES[family](Random(seed))
    return Case(kb, query, answer(kb, query), frozenset(empty_names(kb)))


def routes(outcome: Outcome) -> Iterator[str]:
    for end in (outcome.lower, outcome.upper, outcome):
        if end is not None and end.route is not None:
            yield end.route.way


def agree(ways: tuple[str, ...], limits: Limits | None = None) -> Counter[str]:
    """Compare with brute force, over all families; how often each way has answered."""
    seen: Counter[str] = Counter()
    for family in FAMILIES:
        for seed in range(EACH):
            case = truth(family, seed)
            reasoner = Reasoner(case.kb, ways=ways, limits=limits)
            outcome = reasoner.bounds(case.query)
            assert said(outcome) == case.answer, (family, seed)
            assert verify(case.kb, certificate(outcome)).valid, (family, seed)
            assert {*reasoner.empty_names} == case.empty, (family, seed)
            seen.update(routes(outcome))
    return seen


@pytest.mark.parametrize("name", WAYS)
def test_each_way_agrees_with_brute_force(name: str) -> None:
    seen = agree((name, LAST), TINY if name in ("tree", "sampled") else None)
    assert seen.keys() <= {name, LAST}
    assert seen[name] > EACH / 4


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_neighbours_agree_with_brute_force(pair: tuple[str, str]) -> None:
    agree((*pair, LAST), TINY)


def test_the_whole_ladder_agrees_with_brute_force() -> None:
    seen = agree(WAYS)
    assert {"separated", "decomposed", "listed"} <= seen.keys()


class Mistaken(Way):
    """A way that takes a population of nobody in particular for one of any goal."""

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        return Optimum(Fraction(0), {}, {0: Fraction(1), 0b11: Fraction(0)})


@pytest.mark.parametrize("rung", [rung for rung in LADDER if rung.on_types], ids=lambda r: r.name)
def test_populations_without_members_of_the_goal_are_not_taken(
    rung: Rung, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [one for one in LADDER if one.name == LAST != rung.name]
    mistaken = replace(rung, offer=lambda _: Mistaken())
    monkeypatch.setattr("boxsel.exact.ladder.LADDER", (mistaken, *others))
    ladder = Ladder(enumerate(parse_kb("(B | A)[0.2]").axioms), (), Budget())
    goal = Goal(ladder.mask(Name("A")))
    if others:
        result = ladder.realise(goal)
        assert isinstance(result, Optimum)
        assert any(map(goal.has, result.weights))
    else:
        with pytest.raises(NoWayError, match="nobody in its population"):
            ladder.realise(goal)


def test_the_way_of_an_answer_is_told_and_why_others_passed() -> None:
    kb = parse_kb("(B | A)[0.2, 0.4]\n(C | B)[0.5]")
    upper = Reasoner(kb).bounds("(C | A)").upper
    assert upper is not None
    assert upper.route is not None
    assert upper.route.way == "listed"
    assert upper.route.passed == (
        ("separated", "some conditionals are intervals"),
        ("decomposed", "some conditionals are intervals"),
    )


class Waiting(Way):
    """A way that lets the next one go first, and has no answer itself."""

    waits = True

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        return Passed("it waited")


@pytest.mark.parametrize(
    ("ways", "asked"),
    [
        (("lean", "tree", "sampled", LAST), ["lean", "sampled", "tree"]),
        (("tree", LAST), ["tree"]),
        (("tree", "sampled"), ["tree"]),
        (("lean", "tree", LAST), ["lean", "tree"]),
    ],
)
def test_a_way_that_waits_is_asked_after_the_next_unless_that_is_the_last(
    ways: tuple[str, ...], asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rungs = [
        replace(
            rung,
            offer=(lambda _: Waiting())
            if rung.name == "tree"
            else rung.offer
            if rung.name == LAST or ways[-1] == rung.name
            else (lambda _: Passed("it is not asked")),
        )
        for rung in LADDER
    ]
    monkeypatch.setattr("boxsel.exact.ladder.LADDER", tuple(rungs))
    upper = Reasoner(parse_kb("(B | A)[0.2, 0.4]"), ways=ways, limits=Limits(listed=1)).bounds(
        "(B | A)"
    )
    assert upper.upper is not None
    assert upper.upper.bound == Fraction(2, 5)
    assert upper.upper.route is not None
    assert [name for name, _ in upper.upper.route.passed] == asked


def test_trees_of_heavy_bags_wait_until_populations_were_drawn() -> None:
    names = [f"A{n}" for n in range(9)]
    crowd = "".join(f"({x} | {y})[0.1, 0.9]\n" for x in names for y in names if x != y)
    limits = Limits(listed=1, region=10)
    heavy = Reasoner(parse_kb(crowd), limits=limits).bounds("(A1 | A0)").upper
    assert heavy is not None
    assert heavy.route is not None
    assert heavy.route.way == "sampled"
    assert "tree" not in dict(heavy.route.passed)
    alone = Reasoner(parse_kb(crowd), limits=limits, ways=("tree",)).bounds("(A1 | A0)").upper
    assert alone is not None
    assert alone.bound == heavy.bound == Fraction(9, 10)


def test_a_way_that_is_asked_for_alone_says_why_it_does_not_answer() -> None:
    kb = parse_kb("(B | A)[0.2, 0.4]")
    with pytest.raises(NoWayError, match="lean: there are few existentials"):
        Reasoner(kb, ways=("lean",)).bounds("(B | A)")
    with pytest.raises(NoWayError, match="listed: there are more than 2 types"):
        Reasoner(kb, ways=("listed",), limits=Limits(listed=2)).bounds("(B | A)")


@pytest.mark.parametrize("ways", [("quick",), (), "listed"])
def test_there_are_no_other_ways(ways: tuple[str, ...]) -> None:
    with pytest.raises(BoxselError, match="there are separated, decomposed, listed"):
        Reasoner(parse_kb("(B | A)[0.2]"), ways=ways)


def test_there_are_no_more_limits_than_ways() -> None:
    assert len(Limits.__dataclass_fields__) <= len(LADDER)
    assert LADDER[-1].name == LAST


def test_each_way_is_a_file() -> None:
    files = {path.stem for path in Path(way.__file__).parent.glob("*.py")}
    # Types are listed for column generation, and `near` is what several ways share.
    assert files - {"__init__", "way", "near"} | {"listed"} == {*WAYS}


def test_the_page_has_the_ways_in_their_order() -> None:
    page = (Path(__file__).parents[2] / "docs" / "exact.md").read_text("utf-8")
    table = page[page.index("| way | when it is offered | how |") :].split("\n\n")[0]
    assert re.findall(r"^\| (\w+) \|", table, re.MULTILINE)[1:] == [*WAYS]
