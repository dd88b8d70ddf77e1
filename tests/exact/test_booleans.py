"""Queries with `not`, `or` and `at least`: exact by every way, with certificates that hold."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from boxsel.checker.verify import verify
from boxsel.exact.bounds import bounds
from boxsel.exact.certificate import certificate
from boxsel.exact.ladder import WAYS
from boxsel.exact.nearly import Nearly
from boxsel.exact.possible import find_possible
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.booleans import AtLeast, disjunction, negation
from boxsel.logic.concepts import TOP, Concept, conjunction
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import cases, some
from tests.exact.brute_force import answer, basic_concepts
from tests.exact.knowledge_bases import random_kb
from tests.exact.test_ladder import FAMILIES, LAST, TINY, Case, routes
from tests.exact.test_near import said

EACH = cases(50)


def combination(random: Random, basics: list[Concept], depth: int) -> Concept:
    """A random Boolean combination of basic concepts."""
    if depth == 0 or random.random() < 0.2:
        return random.choice([*basics, *basics, TOP])
    parts = [combination(random, basics, depth - 1) for _ in range(random.choice((2, 2, 3)))]
    distinct = tuple(dict.fromkeys(parts))
    match random.choice(("not", "or", "and", "at least")):
        case "not":
            return negation(parts[0])
        case "or":
            return disjunction(*parts)
        case "and":
            return conjunction(*parts)
    return AtLeast(random.randint(1, len(distinct)), *distinct)


@cache
def truth(family: str, seed: int) -> Case:
    random = Random(1000 + seed)
    kb, plain = FAMILIES[family](random)
    basics = [*basic_concepts(kb, plain.head, plain.body)]
    head = combination(random, basics, random.choice((1, 1, 2)))
    body = random.choice((plain.body, combination(random, basics, random.choice((1, 2)))))
    query = Query(head, body)
    return Case(kb, query, answer(kb, query), frozenset())


def agree(*ways: str) -> Counter[str]:
    seen: Counter[str] = Counter()
    for family in FAMILIES:
        for seed in range(EACH):
            case = truth(family, seed)
            limits = TINY if len(ways) < len(WAYS) else None
            outcome = Reasoner(case.kb, ways=ways, limits=limits).bounds(case.query)
            assert said(outcome) == case.answer, (family, seed, str(case.query))
            checked = verify(case.kb, certificate(outcome))
            assert checked.valid, (family, seed, str(case.query), checked.problems)
            seen.update(routes(outcome))
    return seen


@pytest.mark.parametrize("way", WAYS)
def test_each_way_agrees_with_brute_force(way: str) -> None:
    seen = agree(way, LAST) if way != LAST else agree(LAST)
    assert seen.keys() <= {way, LAST}
    assert seen[way] > 0


def test_the_whole_ladder_agrees_with_brute_force() -> None:
    assert agree(*WAYS).total() > 0


def test_bounds_are_certified() -> None:
    for family in FAMILIES:
        for seed in range(EACH // 4):
            case = truth(family, seed)
            found = bounds(case.kb, case.query)
            assert found.certified, (family, seed, str(case.query))


@pytest.mark.parametrize(
    "query",
    ["(not A9 | A8)", "(not (A9 and A8) | A8)", "(A9 | A8 and not A10)", "(A2 or A9 | A8)"],
)
def test_bounds_along_a_tree_are_certified(query: str) -> None:
    text = (f"(A{n + 1} | A{n})[0.4, 0.6]\n(A{n} | A{n + 1})[0.3, 0.9]" for n in range(20))
    found = bounds(parse_kb("\n".join(text)), query)
    assert {route.way for route in found.routes.values()} == {"tree"}
    assert found.exact


@pytest.mark.parametrize("seed", some(range(60), 15))
def test_populations_show_what_is_so(seed: int) -> None:
    """Those of a question without combinations, too, and for what is lacked the rest."""
    random = Random(seed)
    kb, plain = random_kb(random)
    basics = [*basic_concepts(kb, plain.head, plain.body)]
    head, body = combination(random, basics, 2), random.choice((plain.body, negation(basics[0])))
    query = Query(head, body)
    true = answer(kb, query)
    near: list[Nearly] = []
    found = [*find_possible(Reasoner(kb, budget=Budget()), query, near.append)]
    if true.lower is None or true.upper is None:
        assert not found
        return
    for inner, _ in found:
        assert true.lower <= inner.lower <= inner.upper <= true.upper
    assert all(0 <= one.share <= 1 for one in near)


def test_what_came_near_to_a_share_is_the_rest_of_what_came_near_to_the_others() -> None:
    text = "B SubClassOf A\n(B | A)[0.5]\n(D | B)[0.9]\n(D | A)[0.2]\n(E | A)[0.3]"
    shares = []
    for query in ("(E | A)", "(not E | A)"):
        near: list[Nearly] = []
        kb = parse_kb(text)
        assert not [*find_possible(Reasoner(kb, budget=Budget()), kb.query(query), near.append)]
        shares.append([one.share for one in near])
    assert shares[0]
    assert shares[1] == [1 - share for share in shares[0]]
