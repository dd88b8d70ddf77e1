"""What the way along trees is made of: populations, their parts, and what lies beyond a region."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from operator import or_
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from boxsel import examples
from boxsel.checker.verify import verify
from boxsel.errors import ReadError
from boxsel.exact.certificate import certificate
from boxsel.exact.compile.problem import Problem, value
from boxsel.exact.compile.vocabulary import LONG, MANY, bits, has, mask_at
from boxsel.exact.ladder import WAYS, Ladder
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.shape import find_shape
from boxsel.exact.typical import find_typical
from boxsel.exact.ways.trees.bags import Bags, TooWideError, compile_bags
from boxsel.exact.ways.trees.base import fit
from boxsel.exact.ways.trees.beyond import Beyond
from boxsel.exact.ways.trees.joining import Part, TreeWeights
from boxsel.exact.ways.way import Limits
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb, parse_query
from tests.depth import cases, some
from tests.exact.brute_force import empty_names
from tests.exact.knowledge_bases import random_kb
from tests.tampering import Certificate, changed, changes

ZERO = fmpq(0)


def compiled(kb: KB) -> tuple[Problem, Bags]:
    problem = Problem(enumerate(kb.axioms))
    clauses = [clause for _, clause in problem.clauses]
    return problem, compile_bags(clauses, problem.rows, len(problem.vocabulary), 1000, Budget())


def said(reasoner: Reasoner, query: Any) -> tuple[object, ...]:
    outcome = reasoner.bounds(query)
    lower, upper = outcome.lower, outcome.upper
    return outcome.status, lower and lower.bound, upper and upper.bound


@pytest.mark.parametrize("seed", some(range(60)))
def test_small_regions_have_the_answers_of_other_ways(generators: ModuleType, seed: int) -> None:
    made = generators.hierarchy(4 + seed % 9, 2 + seed % 3, seed)
    limits = Limits(region=1 + seed % 7)
    along, others = (
        Reasoner(made.kb, ways=ways, limits=limits) for ways in (("tree",), ("generated",))
    )
    for query in made.queries:
        assert said(along, query) == said(others, query)
        outcome = along.bounds(query)
        assert verify(made.kb, certificate(outcome)).exact
        for end in (outcome.lower, outcome.upper):
            assert end is None or end.model.share(outcome.query) == end.bound


@pytest.mark.parametrize(("classes", "width"), [(200, 2), (200, 4), (500, 3)])
def test_the_base_obeys_what_is_stated_nearly(
    generators: ModuleType, classes: int, width: int
) -> None:
    _, bags = compiled(generators.hierarchy(classes, width, 1).kb)
    weights = fit(bags, Budget()).weights
    for place, bag in enumerate(bags.bags):
        own = weights[place]
        for line in bag.lines:
            whole, having = (own[bag.have(mask)].sum() for mask in (line.body, line.both))
            lower = 0 if line.lower is None else line.lower[1]
            upper = 1 if line.upper is None else line.upper[1]
            assert float(lower) - 1e-6 <= having / whole <= float(upper) + 1e-6
        border = bags.border(place, bags.above[place])
        count = len(border.patterns)
        above = np.bincount(border.other, weights[bags.above[place]], count)
        assert np.allclose(np.bincount(border.own, own, count), above, rtol=1e-6, atol=0)


STAR = "".join(
    f"(A | B{n})[0.9]\n(B{n} | A)[0.3, 0.4]\n(B{n} | owl:Thing)[0.1]\n" for n in range(20)
)


@pytest.mark.parametrize("ways", [WAYS, ("tree",)])
def test_a_base_that_is_far_off_shows_nobody(ways: tuple[str, ...]) -> None:
    """Sweeps go too far where many say much about one name: all of them change the same share."""
    kb = parse_kb(STAR)
    names = kb.signature.concepts
    reasoner = Reasoner(kb, ways=ways)
    ladder = Ladder(enumerate(kb.axioms), names, Budget(), ways=ways)
    assert ladder.is_narrow
    assert not ladder.is_near
    assert ladder.grow() is None
    assert reasoner.empty_names == ()
    assert reasoner.entails("(A | B3 and B5)[0, 1]")


@pytest.mark.parametrize("width", [2, 5])
def test_a_tree_asked_as_a_whole_has_the_answers_of_its_regions(
    generators: ModuleType, width: int
) -> None:
    made = generators.hierarchy(40, width, 5, queries=4)
    whole, parts = (
        Reasoner(made.kb, ways=("tree",), limits=Limits(few=0, region=first))
        for first in (10_000, 9)
    )
    for query in made.queries:
        assert said(whole, query) == said(parts, query)


def test_a_bag_may_be_wide_where_its_members_exclude_each_other() -> None:
    """Types over 70 groups and what they have do not fit into 64 bits."""
    groups = [f"G{n}" for n in range(70)]
    lines = [f"DisjointClasses: {', '.join(groups)}", "(X and G0 | G1)[0, 1]"]
    for n, group in enumerate(groups):
        lines += [f"({group} | owl:Thing)[1/70]", f"(X | {group})[{n % 5}/10, {n % 5 + 1}/10]"]
    kb = parse_kb("\n".join(lines))
    reasoner = Reasoner(kb, ways=("tree",))
    outcome = reasoner.bounds("(X | owl:Thing)")
    assert said(reasoner, "(X | owl:Thing)") == ("bounded", Fraction(1, 5), Fraction(3, 10))
    assert verify(kb, certificate(outcome)).exact
    assert find_shape(kb, Budget()).treewidth == 70
    typical = find_typical(kb)
    share = typical.share("(X | owl:Thing)")
    assert share is not None
    assert 0.2 < share <= 0.3 + 1e-9
    assert len(typical.sample(10, seed=1)) == 10


def test_thousands_of_groups_below_one_do_not_empty_it() -> None:
    """Each wants fewer in the population that is most even: together they would leave nobody."""
    lines = [f"(D{n} | Root)[0.00{n % 9 + 1}, 0.01]\n(S{n} | D{n})[0.2, 0.3]" for n in range(1500)]
    kb = parse_kb("\n".join([*lines, "(S7 | Root)[0.002, 1]"]))
    _, bags = compiled(kb)
    assert min(weights.sum() for weights in fit(bags, Budget()).weights) > 0.99
    reasoner = Reasoner(kb, ways=("tree",))
    assert said(reasoner, "(S7 | Root)") == ("bounded", Fraction(1, 500), Fraction(1))


def test_weights_that_meet_every_need_extend_to_a_population_of_everything() -> None:
    """The lemma that the way rests on, with whatever weights inside."""
    met = 0
    for seed in range(cases(400)):
        random = Random(seed)
        problem, bags = compiled(random_kb(random, 7)[0])
        beyond = Beyond(bags, fit(bags, Budget()).weights, Budget())
        home = random.randrange(len(bags))
        kinds = bags.bags[home].kinds.tolist()
        inside = {kind: fmpq(random.randint(0, 3)) for kind in kinds}
        if not _obeys(bags, home, inside) or not any(inside.values()):
            continue
        parts = [Part(bags.bags[home].members, 0, {k: w for k, w in inside.items() if w})]
        if not _extend(bags, beyond, home, home, parts, place=0):
            continue
        met += 1
        weights = TreeWeights(lambda parts=parts: parts)  # type: ignore[misc]
        for kind in weights:
            assert all(clause.holds(kind) for _, clause in problem.clauses), seed
        for row in problem.rows:
            total = sum(weight * value(row.form, kind) for kind, weight in weights.items())
            assert total >= 0, seed
    assert met > cases(400) / 20


def _obeys(bags: Bags, place: int, weights: dict[int, fmpq]) -> bool:
    """Whether weights of one bag obey its own lines."""
    for line in bags.bags[place].lines:
        whole, having = (
            sum((w for kind, w in weights.items() if has(kind, mask)), ZERO)
            for mask in (line.body, line.both)
        )
        for side, sign in ((line.lower, 1), (line.upper, -1)):
            if side is not None:
                bound = side[1]
                if sign * (having * bound.denominator - whole * bound.numerator) < 0:
                    return False
    return True


def _extend(
    bags: Bags, beyond: Beyond, here: int, before: int, parts: list[Part], place: int
) -> bool:
    """Whether weights meet all needs of the branches beyond; then with the parts there."""
    for other in bags.beside[here]:
        if other == before:
            continue
        border = bags.border(here, other)
        numbers = {kind: n for n, kind in enumerate(bags.bags[here].kinds.tolist())}
        shared: dict[int, fmpq] = {}
        for kind, weight in parts[place].weights.items():
            pattern = int(border.patterns[border.own[numbers[kind]]])
            shared[pattern] = shared.get(pattern, ZERO) + weight
        message = beyond.message(other, here)
        if here == before and not (
            shared.keys() <= message.known and all(need.met(shared) for need in message.needs)
        ):
            return False
        divided = zip(border.other.tolist(), beyond.parts(other, here), strict=True)
        kinds = bags.bags[other].kinds.tolist()
        own = {
            kinds[n]: shared.get(int(border.patterns[pattern]), ZERO) * part
            for n, (pattern, part) in enumerate(divided)
        }
        weighed = {kind: weight for kind, weight in own.items() if weight}
        parts.append(Part(bags.bags[other].members, place, weighed))
        if not _extend(bags, beyond, other, here, parts, len(parts) - 1):
            return False
    return True


def test_whole_types_have_the_weights_of_every_part() -> None:
    joined = 0
    for seed in range(cases(300)):
        random = Random(seed)
        _, bags = compiled(random_kb(random, 7)[0])
        kinds = bags.bags[0].kinds.tolist()
        parts = [Part(bags.bags[0].members, 0, {one: fmpq(random.randint(1, 4)) for one in kinds})]
        if not _extend_freely(bags, 0, 0, parts):
            continue
        joined += 1
        weights = TreeWeights(lambda parts=parts: parts)  # type: ignore[misc]
        assert len(weights) <= sum(len(part.weights) for part in parts)
        for part in parts:
            seen: dict[int, Fraction] = {}
            for kind, weight in weights.items():
                own = sum(1 << n for n, member in enumerate(part.members) if kind >> member & 1)
                seen[own] = seen.get(own, Fraction(0)) + weight
            told = {k: Fraction(int(w.p), int(w.q)) for k, w in part.weights.items()}
            assert seen == told, seed
    assert joined > cases(300) / 2


def test_who_is_present_is_known_from_the_parts_alone() -> None:
    for seed in range(cases(40)):
        made_of = Random(seed)
        members = [tuple(range(n, n + 2)) for n in range(6)]
        parts = [Part(members[0], 0, {kind: fmpq(1) for kind in made_of.sample(range(4), 2)})]
        for n in range(1, 6):
            chosen = {0: made_of.choice((0, 2)), 1: made_of.choice((1, 3))}
            shares = {kind: fmpq(1) for kind in chosen.values()}
            parts.append(Part(members[n], n - 1, shares, relative=True))
        weights = TreeWeights(lambda parts=parts: parts)  # type: ignore[misc]
        assert weights.present == reduce(or_, weights, 0)
        assert weights.weighed[0] is parts[0]
        assert sum(weights.values()) == 2


def test_the_ones_of_long_masks_are_found_at_once() -> None:
    made_of = Random(1)
    for ones in (0, 1, MANY, MANY + 1, 1000):
        mask = sum(1 << place for place in made_of.sample(range(2 * LONG), ones))
        assert [*bits(mask)] == [place for place in range(2 * LONG) if mask >> place & 1]
        assert mask_at(bits(mask)) == mask


def _extend_freely(bags: Bags, here: int, before: int, parts: list[Part]) -> bool:
    """Divide every pattern evenly, unless clauses leave no type for one."""
    place = len(parts) - 1
    for other in bags.beside[here]:
        if other == before:
            continue
        border = bags.border(here, other)
        numbers = {kind: n for n, kind in enumerate(bags.bags[here].kinds.tolist())}
        totals: dict[int, fmpq] = {}
        for kind, weight in parts[place].weights.items():
            pattern = int(border.own[numbers[kind]])
            totals[pattern] = totals.get(pattern, ZERO) + weight
        kinds, own = bags.bags[other].kinds.tolist(), border.other.tolist()
        counts = {pattern: own.count(pattern) for pattern in totals}
        if not all(counts.values()):
            return False
        weighed = {
            kinds[n]: totals[pattern] / counts[pattern]
            for n, pattern in enumerate(own)
            if pattern in totals
        }
        parts.append(Part(bags.bags[other].members, place, weighed))
        if not _extend_freely(bags, other, here, parts):
            return False
    return True


def chain() -> tuple[KB, Certificate]:
    """A knowledge base and its certificate, with models in parts."""
    kb = parse_kb(
        "B SubClassOf A\n(B | A)[0.3, 0.4]\n(C | B)[0.5, 0.6]\n(D | C)[0.2, 0.7]\n(D | B)[0.4]"
    )
    return kb, certificate(Reasoner(kb, ways=("tree",)).bounds("(D | A)"))


def long_chain() -> tuple[KB, Certificate]:
    """The same of more than what is looked at, so that there are shares, the same for both ends."""
    lines = ["(N1 | N0)[0.3, 0.4]", "(M | N1)[0.1, 0.2]"]
    lines += [f"(N{n + 1} | N{n})[0.{n + 2}, 0.{n + 3}]" for n in range(1, 5)]
    kb = parse_kb("\n".join([*lines, "N5 SubClassOf N4", "(M | N4)[0.5]"]))
    limits = Limits(region=4)
    return kb, certificate(Reasoner(kb, ways=("tree",), limits=limits).bounds("(N1 | N0)"))


def in_weights(model: Certificate) -> Certificate:
    """A model in parts as it was written before there were shares."""
    told: list[dict[str, Any]] = []
    for part in model["parts"]:
        amounts = dict(part.get("weights", ()))
        if "shares" in part:
            before = told[part["before"]]
            common = [name for name in part["names"] if name in before["names"]]

            def seen(text: str, names: list[str], common: list[str] = common) -> tuple[str, ...]:
                return tuple(text[names.index(name)] for name in common)

            amounts = {
                text: sum(
                    (
                        Fraction(share) * Fraction(weight)
                        for there, weight in before["weights"]
                        if seen(there, before["names"]) == seen(text, part["names"])
                    ),
                    Fraction(0),
                )
                for text, share in part["shares"]
            }
        weights = [[text, str(weight)] for text, weight in amounts.items()]
        told.append({"names": part["names"], "before": part["before"], "weights": weights})
    return {"parts": told}


@pytest.mark.parametrize("make", [chain, long_chain])
def test_a_model_in_parts_is_accepted_and_no_changed_one_is(
    make: Callable[[], tuple[KB, Certificate]],
) -> None:
    kb, original = make()
    assert verify(kb, original).exact
    assert ("like" in original["upper"]["model"]) == (make is long_chain)
    truth = verify(kb, original)
    refused = 0
    for path, new in changes(original):
        if "model" not in path:
            continue
        found = _verified(kb, changed(original, path, new))
        if found is None or not found.exact:
            refused += 1
            continue
        assert (found.lower, found.upper) == (truth.lower, truth.upper), path
    assert refused > 100


def _verified(kb: KB, changed_one: Certificate) -> Any:
    try:
        return verify(kb, changed_one)
    except Exception as error:
        assert type(error).__name__ == "ReadError"
        return None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda parts: parts[0].__setitem__("weights", []), "has no weight"),
        (lambda parts: parts[1].__setitem__("before", 5), "comes after it"),
        (lambda parts: parts[1]["weights"][0].__setitem__(1, "7/3"), "does not agree"),
        (lambda parts: parts[1]["weights"][0].__setitem__(1, "-1"), "negative"),
        (lambda parts: parts.pop(), "no part has|is not true|the query's share"),
    ],
)
def test_what_is_wrong_with_parts_is_told(change: Any, said: str) -> None:
    kb, original = chain()
    change(original["lower"]["model"]["parts"])
    problems = verify(kb, original).problems
    assert len(problems) == 1
    assert any(word in problems[0] for word in said.split("|"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda part: part["shares"][0].__setitem__(1, "7/8"), "does not agree"),
        (lambda part: part["shares"].pop(), "does not agree"),
        (lambda part: part.__setitem__("weights", part.pop("shares")), "does not agree"),
        (lambda part: part["shares"][0].__setitem__(1, "-1"), "negative"),
    ],
)
def test_what_is_wrong_with_shares_is_told(change: Any, said: str) -> None:
    kb, original = long_chain()
    change(next(part for part in original["lower"]["model"]["parts"] if "shares" in part))
    problems = verify(kb, original).problems
    assert [said in problem for problem in problems] == [True] * 2  # the upper end's is like it


def test_shares_continue_something() -> None:
    kb, original = long_chain()
    first = original["lower"]["model"]["parts"][0]
    first["shares"] = first.pop("weights")
    assert any("continues nothing" in problem for problem in verify(kb, original).problems)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda upper: upper.__setitem__("like", "upper"), "like"),
        (lambda upper: upper["changed"][0].__setitem__(0, 99), "none of them"),
        (lambda upper: upper["changed"][0][1]["names"].reverse(), "other names"),
        (lambda upper: upper["changed"][0][1].__setitem__("before", 3), "another part before"),
        (lambda upper: upper["changed"][0][1].__setitem__("shares", []), "either"),
    ],
)
def test_a_model_that_is_like_another_has_the_same_parts(change: Any, said: str) -> None:
    kb, original = long_chain()
    change(original["upper"]["model"])
    with pytest.raises(ReadError, match=said):
        verify(kb, original)


def test_only_an_upper_end_is_like_a_model_in_parts() -> None:
    kb, original = long_chain()
    del original["lower"]["model"]
    with pytest.raises(ReadError, match="no model in parts"):
        verify(kb, original)


def test_models_that_tell_weights_alone_are_still_accepted() -> None:
    kb, original = long_chain()
    lower, upper = original["lower"]["model"], original["upper"]["model"]
    other = {"parts": [*lower["parts"]]}
    for place, part in upper["changed"]:
        other["parts"][place] = part
    original["lower"]["model"], original["upper"]["model"] = in_weights(lower), in_weights(other)
    assert "shares" not in json.dumps(original)
    assert verify(kb, original).exact


def test_the_picture_of_the_clinic_shows_its_bags() -> None:
    picture = (Path(__file__).parents[2] / "docs/assets/clinic-tree.svg").read_text("utf-8")
    _, bags = compiled(examples.load("clinic"))
    counts = sorted(map(int, re.findall(r">(\d+) types<", picture)))
    assert counts == sorted(len(bag.kinds) for bag in bags.bags)
    assert picture.count("<line ") == len(bags) - 1


def test_names_that_nothing_empties_have_members_in_one_population(generators: ModuleType) -> None:
    reasoner = Reasoner(generators.hierarchy(60, 3, 1).kb, limits=Limits(large=1))
    assert reasoner.realise_along_tree()
    assert not reasoner.empty_names


@pytest.mark.parametrize("seed", some(range(60)))
def test_a_population_along_a_tree_empties_no_name_that_can_have_members(seed: int) -> None:
    kb, _ = random_kb(Random(seed))
    reasoner = Reasoner(kb, limits=Limits(large=1, listed=0))
    empty = empty_names(kb)
    if reasoner.consistent:
        reasoner.realise_along_tree()
        assert reasoner.realised.isdisjoint(empty)
    assert {*reasoner.empty_names} == {*empty}


@pytest.mark.parametrize(
    ("text", "width", "types"),
    [
        ("(B | A)[0.2]", 1, 4),
        ("(B | A)[0.2]\n(C | B)[0.3]", 1, 8),
        ("(C | A and B)[0.2]\nA SubClassOf B", 2, 6),
        ("r some A SubClassOf B", 1, 5),
    ],
)
def test_the_shape_of_a_knowledge_base(text: str, width: int, types: int) -> None:
    shape = find_shape(parse_kb(text))
    assert (shape.treewidth, shape.types) == (width, types)


def test_what_is_too_wide_is_said_to_be() -> None:
    text = "\n".join(f"(A{n} | A{m})[0.5, 0.6]" for n in range(20) for m in range(n))
    shape = find_shape(parse_kb(text))
    assert shape.to_json() == {"treewidth": None, "types": None}
    assert "too wide" in shape.text
    with pytest.raises(TooWideError):
        compiled(parse_kb(text))


def test_one_bag_of_all_types_is_left_to_a_table() -> None:
    names = "ABCDE"
    lines = [f"({one} | {other})[0.2, 0.9]" for one in names for other in names if one != other]
    kb, limits = parse_kb("\n".join(lines)), Limits(large=10)
    query = parse_query("(A | B)")
    table = Reasoner(kb, limits=limits).bounds(query)
    tree = Reasoner(kb, ways=("tree",), limits=limits).bounds(query)
    assert table.lower is not None
    assert table.lower.route is not None
    assert table.lower.route.way == "generated"
    assert "one bag" in dict(table.lower.route.passed)["tree"]
    assert (table.lower.bound, table.upper and table.upper.bound) == (
        tree.lower and tree.lower.bound,
        tree.upper and tree.upper.bound,
    )
