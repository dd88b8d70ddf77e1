"""A corpus of knowledge bases for the tail: families, their parameters, and cases by number.

A case is a family and a seed: its parameters are drawn from the seed, or were found by the fuzzer
to be slow and are written down here. Nothing is stored; the same case is the same knowledge base
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from random import Random
from typing import Final

from _generators import Generated, dense, directed, hierarchy, taxonomy
from _survey import survey

from boxsel.logic.axioms import Axiom, Conditional, Equivalence, Inclusion
from boxsel.logic.concepts import Concept, Exists, Name, Role, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query

Parameters = Mapping[str, float]
EACH: Final = 40
"""How many knowledge bases of each family the corpus has."""


@dataclass(frozen=True)
class Span:
    """Between which numbers a parameter is drawn: evenly in its logarithm, if it is a size."""

    low: float
    high: float
    size: bool = True

    def draw(self, random: Random) -> float:
        """A number of the span."""
        if not self.size:
            return round(random.uniform(self.low, self.high), 2)
        return float(round(exp(random.uniform(log(self.low), log(self.high)))))

    def move(self, value: float, random: Random) -> float:
        """A number nearby."""
        if not self.size:
            moved = value + random.uniform(-0.3, 0.3) * (self.high - self.low)
            return round(min(self.high, max(self.low, moved)), 2)
        return float(round(min(self.high, max(self.low, value * exp(random.uniform(-0.6, 0.6))))))


@dataclass(frozen=True)
class Family:
    """Knowledge bases of one kind."""

    make: Callable[[Parameters, int], Generated]
    spans: Mapping[str, Span]

    def draw(self, random: Random) -> dict[str, float]:
        """Parameters at random."""
        return {name: span.draw(random) for name, span in self.spans.items()}

    def move(self, parameters: Parameters, random: Random) -> dict[str, float]:
        """Parameters nearby: one or two of them are others."""
        moved = {**parameters}
        for name in random.sample(sorted(self.spans), min(2, len(self.spans))):
            moved[name] = self.spans[name].move(moved[name], random)
        return moved


@dataclass(frozen=True)
class Case:
    """One knowledge base of the corpus."""

    family: str
    seed: int
    parameters: Parameters

    @property
    def name(self) -> str:
        """What it is called in tables."""
        told = ", ".join(f"{name} {value:g}" for name, value in self.parameters.items())
        return f"{self.family} {self.seed} ({told})"

    def make(self) -> Generated:
        """The knowledge base and its queries."""
        return FAMILIES[self.family].make(self.parameters, self.seed)


def case(family: str, seed: int) -> Case:
    """The case of a family with a seed: a slow one that is known, or one at random."""
    known = SLOW.get(family, ())
    if seed < len(known):
        return Case(family, seed, known[seed])
    return Case(family, seed, FAMILIES[family].draw(Random(f"{family} {seed}")))


def corpus() -> list[Case]:
    """All cases, the families in turn, so that a part of them has some of each."""
    return [case(family, seed) for seed in range(EACH) for family in FAMILIES]


def existential(classes: int, conditionals: int, seed: int, definitions: float) -> Generated:
    """An ontology with definitions, and shares of existentials and of classes in their parents.

    The shares are made up, as in a draft: bodies with several of them may contradict each other.
    """
    random = Random(seed)
    names = [Name(f"E{place}") for place in range(classes)]
    roles = [Role(f"r{place}") for place in range(4)]
    axioms: list[Axiom] = []
    stated: dict[tuple[Concept, Concept], None] = {}
    for place in range(1, classes):
        parent, filler = names[random.randrange(place)], random.choice(names)
        if random.random() < definitions:
            differs = Exists(random.choice(roles), filler)
            axioms.append(Equivalence(names[place], conjunction(parent, differs)))
        else:
            axioms.append(Inclusion(names[place], parent))
        if random.random() < definitions:
            axioms.append(Inclusion(names[place], Exists(random.choice(roles), parent)))
        if len(stated) < conditionals // 2:
            stated[names[place], parent] = None
    while len(stated) < conditionals:
        stated[Exists(random.choice(roles), random.choice(names)), random.choice(names)] = None
    for head, body in stated:
        low = random.randrange(5, 500)
        bounds = Interval(Fraction(low, 1000), Fraction(low + random.randrange(10, 200), 1000))
        axioms.append(Conditional(head, body, bounds))
    asked = tuple(Query(*random.sample(names, 2)) for _ in range(5))
    return Generated(KB.of(*axioms), asked)


def spoilt(made: Generated, typos: int, seed: int) -> Generated:
    """The same with other numbers for some shares: each empties its body."""
    random = Random(seed)
    axioms = list(made.kb.axioms)
    said = [one for one in axioms if isinstance(one, Conditional)]
    for one in random.sample(said, min(typos, len(said))):
        share = Fraction(random.randrange(1, 50) if one.bounds.lower > Fraction(1, 2) else 97, 100)
        axioms.append(Conditional(one.head, one.body, Interval(share, share)))
    return Generated(KB.of(*axioms), made.queries)


def _taxonomy(given: Parameters, seed: int) -> Generated:
    names = int(given["names"])
    return taxonomy(names, int(given["each"] * names), seed)


def _dense(given: Parameters, seed: int) -> Generated:
    names = int(given["names"])
    return dense(names, min(int(given["each"] * names), names * (names - 1) // 2), seed)


def _directed(given: Parameters, seed: int) -> Generated:
    names = int(given["names"])
    count, points, roles = int(given["each"] * names), given["points"], given["roles"]
    return directed(names, count, seed, points=points, roles=roles)


def _hierarchy(given: Parameters, seed: int) -> Generated:
    return hierarchy(int(given["names"]), int(given["width"]), seed)


def _existential(given: Parameters, seed: int) -> Generated:
    names = int(given["names"])
    return existential(names, int(given["each"] * names), seed, given["definitions"])


def _survey(given: Parameters, seed: int) -> Generated:
    names = int(given["names"])
    return survey(names, int(given["each"] * names), seed, rounded=seed % 4 == 3)


def _spoilt(given: Parameters, seed: int) -> Generated:
    make = (_taxonomy, _directed)[seed % 2]
    return spoilt(make({"points": 0.1, "roles": 0.1, **given}, seed), int(given["typos"]), seed)


NAMES: Final = Span(20, 200)
PER_NAME: Final = Span(1.0, 3.0, size=False)
PART: Final = Span(0.0, 0.5, size=False)

FAMILIES: Final[Mapping[str, Family]] = {
    "taxonomy": Family(_taxonomy, {"names": NAMES, "each": PER_NAME}),
    "dense": Family(_dense, {"names": NAMES, "each": PER_NAME}),
    "directed": Family(
        _directed, {"names": NAMES, "each": PER_NAME, "points": PART, "roles": PART}
    ),
    "hierarchy": Family(_hierarchy, {"names": Span(20, 500), "width": Span(2, 6)}),
    "existential": Family(
        _existential,
        {"names": Span(50, 1000), "each": Span(0.3, 1.0, size=False), "definitions": PART},
    ),
    "survey": Family(_survey, {"names": Span(12, 60), "each": Span(4.0, 14.0, size=False)}),
    "spoilt": Family(_spoilt, {"names": NAMES, "each": PER_NAME, "typos": Span(1, 4)}),
}

SLOW: Final[Mapping[str, tuple[Parameters, ...]]] = {}
"""What the fuzzer found: the first cases of a family."""
