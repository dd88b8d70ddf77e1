"""Many conditionals about one body, over a taxonomy: as brute force and formulas have it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from boxsel.checker.verify import verify
from boxsel.exact.certificate import certificate
from boxsel.exact.diagnosis.check import check
from boxsel.exact.diagnosis.parts import Numbers, Parts
from boxsel.exact.ladder import Ladder
from boxsel.exact.lp.equalities import Values
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.counted.parts_programme import PartsOptimum, PartsProgramme
from boxsel.exact.ways.way import Limits
from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import Concept, Name, Role, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.syntax.parser import parse_kb, parse_query
from tests.depth import cases
from tests.exact.brute_force import answer, empty_names

BODY, MALE, ROLE = Name("Disease"), Name("Male"), Role("has")
PARTS, EACH = 3, cases(60)


@dataclass(frozen=True)
class Diseased:
    """A disease: the terms with their ancestors and themselves, and the bounds that are stated."""

    kb: KB
    above: dict[Name, frozenset[Name]]
    stated: dict[Name, Interval]

    def lower(self, *terms: Name) -> Fraction:
        """The largest lower bound of a term that implies all of some."""
        below = (name for name in self.stated if self.above[name].issuperset(terms))
        return max((self.stated[name].lower for name in below), default=Fraction(0))

    def upper(self, term: Name) -> Fraction:
        """The smallest upper bound of a term that is implied."""
        above = (name for name in self.above[term] if name in self.stated)
        return min((self.stated[name].upper for name in above), default=Fraction(1))

    def both(self, one: Name, other: Name) -> Interval:
        """What patients can have in common: by hand, with what both are kinds of."""
        common = self.above[one] & self.above[other]
        most = min((self.upper(term) for term in common), default=Fraction(1))
        least = max(self.lower(one) + self.lower(other) - most, self.lower(one, other), Fraction(0))
        return Interval(least, min(self.upper(one), self.upper(other)))


def diseased(random: Random, terms: int, stated: int) -> Diseased:
    """A disease whose annotations describe some patients, as points or with room."""
    names = [Name(f"T{number}") for number in range(terms)]
    above: dict[Name, frozenset[Name]] = {}
    axioms: list[Axiom] = []
    for number, name in enumerate(names):
        parents = random.sample(names[:number], min(number, random.choice((1, 1, 2))))
        axioms += (Inclusion(name, parent) for parent in parents)
        above[name] = frozenset({name}).union(*(above[parent] for parent in parents))
    count = random.randint(5, 13)
    leaves = [
        {term for name in random.sample(names, 3) for term in above[name]} for _ in range(count)
    ]
    found = {}
    for name in random.sample(names, stated):
        share = Fraction(sum(name in patient for patient in leaves), count)
        room = random.choice((0, 0, Fraction(1, 10)))
        found[name] = Interval(max(share - room, Fraction(0)), min(share + room, Fraction(1)))
        axioms.append(Conditional(ROLE.some(name), BODY, found[name]))
    return Diseased(KB.of(*axioms), above, found)


def small(random: Random) -> tuple[KB, Query]:
    """Names, or existentials of a role, under one body or two, with at most 7 basic concepts."""
    with_role = random.random() < 0.4
    names = [Name(text) for text in ("ABC" if with_role else "ABCD")]
    heads: list[Concept] = [ROLE.some(name) if with_role else name for name in names]
    bodies: list[Concept] = [BODY] if with_role else [BODY, conjunction(BODY, MALE)]
    axioms: list[Axiom] = [
        Inclusion(names[second], names[first])
        for first, second in combinations(range(len(names)), 2)
        if random.random() < 0.35
    ]
    if random.random() < 0.3:
        axioms.append(Disjointness(heads[-1], heads[-2]))
    for _ in range(random.randint(2, 6)):
        ends = sorted(Fraction(random.randint(0, 6), 6) for _ in range(2))
        bounds = Interval(ends[0], random.choice(ends))
        head = conjunction(*random.sample(heads, random.choice((1, 1, 1, 2))))
        axioms.append(Conditional(head, random.choice(bodies), bounds))
    asked = conjunction(*random.sample(heads, random.choice((1, 2))))
    return KB.of(*axioms), Query(asked, random.choice(bodies))


@pytest.mark.parametrize("part", range(PARTS))
def test_small_ones_agree_with_brute_force(part: int) -> None:
    for seed in range(part * EACH, (part + 1) * EACH):
        kb, query = small(Random(seed))
        reasoner = Reasoner(kb, ways=("sampled", "generated"), limits=Limits(few=0))
        outcome, expected = reasoner.bounds(query), answer(kb, query)
        ends = tuple(end and end.bound for end in (outcome.lower, outcome.upper))
        assert (outcome.status, *ends) == (expected.status, expected.lower, expected.upper), seed
        checked = verify(kb, certificate(outcome))
        assert (checked.valid, checked.exact) == (True, True), seed
        assert frozenset(reasoner.empty_names) == empty_names(kb), seed


@pytest.mark.parametrize("seed", range(4))
def test_large_ones_have_the_intervals_that_are_found_by_hand(seed: int) -> None:
    random = Random(seed)
    case = diseased(random, 90, 50)
    reasoner = Reasoner(case.kb, ways=("sampled", "generated"))
    for _ in range(5):
        one, other = random.sample(sorted(case.above, key=str), 2)
        outcome = reasoner.bounds(Query(ROLE.some(one), BODY))
        assert outcome.lower is not None
        assert outcome.upper is not None
        ends = (outcome.lower.bound, outcome.upper.bound)
        assert ends == (case.lower(one), case.upper(one))
        together = conjunction(ROLE.some(one), ROLE.some(other))
        outcome = reasoner.bounds(Query(together, BODY))
        assert outcome.lower is not None
        assert outcome.upper is not None
        assert Interval(outcome.lower.bound, outcome.upper.bound) == case.both(one, other)
        checked = verify(case.kb, certificate(outcome))
        assert checked.exact
    assert check(case.kb).coherent


def test_witnesses_that_no_number_concerns_need_no_programme(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []
    solve = PartsProgramme.maximise

    def counted(self: PartsProgramme, members: Values, gains: Values) -> PartsOptimum | None:
        calls.append(1)
        return solve(self, members, gains)

    monkeypatch.setattr(PartsProgramme, "maximise", counted)
    lines = [f"(has some T{n} | Disease)[{n + 1} of 20]" for n in range(8)]
    kb = parse_kb("\n".join([*lines, *(f"T{n} SubClassOf T{n + 1}" for n in range(7))]))
    query = parse_query("(has some T3 | Disease)")
    outcome = Reasoner(kb).bounds(query)
    assert outcome.lower is not None
    assert outcome.lower.bound == Fraction(1, 5)
    assert verify(kb, certificate(outcome)).exact
    assert 0 < len(calls) <= 4


def test_the_premises_of_a_proof_are_tried_before_larger_parts() -> None:
    others = [f"(B{n} | A)[0.5]" for n in range(30)]
    kb = parse_kb("\n".join([*others, "(B | A)[0.2]", "B SubClassOf C", "D SubClassOf C"]))
    query = parse_query("(C | A)")
    asked: list[tuple[int, ...]] = []

    class Watched(Parts):
        def ladder(
            self, numbers: Numbers, *concepts: Concept, roles: Iterable[Role] = ()
        ) -> Ladder:
            asked.append(tuple(numbers))
            return super().ladder(numbers, *concepts, roles=roles)

    bound, axioms = Fraction(1, 5), tuple(kb.axioms)
    assert Watched(kb).premises(query, -1, bound, {axioms[30], axioms[31]}) == (30, 31)
    assert max(map(len, asked)) == 2
    assert Watched(kb).premises(query, -1, bound, {axioms[0], axioms[32]}) == (30, 31)
    assert Watched(kb).premises(query, -1, bound) == (30, 31)
