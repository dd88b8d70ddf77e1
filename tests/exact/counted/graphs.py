"""Random counted populations: every share of names is known but those that are asked for."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, Concept, Name, Role, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Query

NAMES = tuple(Name(text) for text in "ABCDE")
Members = list[frozenset[Concept]]


def counted_kb(random: Random) -> tuple[KB, tuple[Query, ...]]:
    """Conditionals that are true of a population, some of them spoilt, and queries about it.

    Some names occur in no body. Mostly all other conditionals are known, so that they fix the
    population over the other names.
    """
    names = NAMES[: random.randint(2, 5)]
    groups = [frozenset(name for name in names if random.random() < 0.4) for _ in range(6)]
    members: Members = [random.choice(groups) for _ in range(random.randint(1, 30))]
    asked = random.sample(names, random.randint(0, 2))
    bodies: list[Concept] = [TOP, *names, *(one & other for one, other in combinations(names, 2))]
    kept = random.choice([1.0, 1.0, 0.9, 0.5])
    axioms = [
        _spoilt(axiom, random)
        for body in bodies
        for head in names
        if (axiom := count(head, body, members)) is not None
        and not {*asked} & {*conjuncts(body)}
        and not (head in asked and body in names)
        and random.random() < kept
    ]
    queries = {Query(random.choice(names), random.choice(bodies)) for _ in range(3)}
    queries |= {Query(head, name) for head in asked for name in names if name != head}
    return KB.of(*axioms), tuple(sorted(queries, key=str))


def count(head: Concept, body: Concept, members: Members) -> Conditional | None:
    """The share of a body that has a head, if it has members."""
    inside = [member for member in members if {*conjuncts(body)} - {TOP} <= member]
    if not inside or head in conjuncts(body):
        return None
    return Conditional(head, body, Count(sum(head in concepts for concepts in inside), len(inside)))


def _spoilt(axiom: Conditional, random: Random) -> Conditional:
    if random.random() > 0.01:
        return axiom
    share = Fraction(random.randint(0, 4), 4)
    return Conditional(axiom.head, axiom.body, Interval(share, share))


def counted_graph(random: Random) -> tuple[KB, tuple[Query, ...]]:
    """As `counted_kb`, with few names and with existentials that are counted like names.

    No conditional joins two existentials.
    """
    names = NAMES[: random.randint(2, 3)]
    size = random.randint(1, 12)
    types = [frozenset(name for name in names if random.random() < 0.5) for _ in range(4)]
    plain = [random.choice(types) for _ in range(size)]
    roles = [Role(text) for text in "rs"[: random.randint(1, 2)]]
    edges = {role: _edges(random, size) for role in roles}
    fillers: list[Concept] = [TOP, *names]
    every = [role.some(filler) for role in roles for filler in fillers]
    existentials = random.sample(every, random.randint(1, min(len(every), 6 - len(names))))
    members: Members = [
        plain[one]
        | {
            some
            for some in existentials
            if any(
                {some.filler} - {TOP} <= plain[object_] for object_ in edges[some.role].get(one, ())
            )
        }
        for one in range(size)
    ]
    bodies: list[Concept] = [TOP, *names, *(one & other for one, other in combinations(names, 2))]
    shapes: list[tuple[Concept, Concept]] = [(head, body) for body in bodies for head in names]
    shapes += [(some, body) for body in (TOP, *names) for some in existentials]
    shapes += [(head, some) for head in names for some in existentials]
    asked = random.sample(shapes, min(len(shapes), 3))
    kept = random.choice([1.0, 0.8, 0.5])
    axioms = [
        _spoilt(axiom, random)
        for head, body in shapes
        if (head, body) not in asked
        and (axiom := count(head, body, members)) is not None
        and random.random() < kept
    ]
    return KB.of(*axioms), tuple(Query(head, body) for head, body in asked)


def _edges(random: Random, size: int) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for _ in range(random.randint(0, size)):
        found.setdefault(random.randrange(size), []).append(random.randrange(size))
    return found
