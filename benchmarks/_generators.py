"""Generators of knowledge bases that are coherent because a random population satisfies them.

*taxonomy*: a tree of classes of branching 4, the children of a third of its nodes disjoint, and
attributes. Conditionals `(child | parent)` and `(attribute | class)`, a fifth of the latter with
a conjunction as body, a tenth of all with an existential as head.

*dense*: conditionals between random names, which depend on five hidden traits.

*directed*: classes with one or two parents, some with disjoint siblings; conditionals between any
names, with conjunctions as bodies and existentials as heads or bodies; intervals of width 0.01 to
0.3, and points.

Bounds have a width of about 0.05 around the population's own share.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import Concept, Exists, Name, Role, conjunction, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query

POPULATION = 4000
BRANCHING = 4
WIDTH = 0.05
ROLES = tuple(Role(f"r{number}") for number in range(3))

Members = NDArray[np.bool_]


@dataclass(frozen=True)
class Generated:
    """A knowledge base, and queries about names whose bodies are not empty in the population."""

    kb: KB
    queries: tuple[Query, ...]


def taxonomy(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """A tree of classes with attributes."""
    random = np.random.default_rng(seed)
    count = max(2, names * 6 // 10)
    parents = [(place - 1) // BRANCHING for place in range(1, count)]
    inner = sorted(set(parents))
    disjoint = {place for place in inner if random.random() < 1 / 3}
    classes = _classes(random, count, disjoint)
    attributes = _attributes(random, classes, names - count)
    concepts: list[Concept] = [Name(f"C{place}") for place in range(count)]
    concepts += [Name(f"A{place}") for place in range(names - count)]
    members = np.concatenate([classes, attributes])
    population = _Population(concepts, members)
    axioms: list[Axiom] = [
        Inclusion(concepts[place + 1], concepts[parent]) for place, parent in enumerate(parents)
    ]
    for node in sorted(disjoint):
        if len(_children(node, count)) > 1:
            axioms.append(Disjointness(*(concepts[child] for child in _children(node, count))))
    stated: dict[tuple[Concept, Concept], None] = {}
    for place, parent in enumerate(parents):
        if len(stated) < conditionals * 4 // 10:
            stated[concepts[place + 1], concepts[parent]] = None
    objects = {role: random.integers(0, POPULATION, size=(2, POPULATION)) for role in ROLES}
    while len(stated) < conditionals:
        body = int(random.integers(count))
        head = int(random.integers(count, names))
        narrower = int(random.integers(count, names))
        if random.random() < 0.17:
            role = ROLES[int(random.integers(len(ROLES)))]
            filler = int(random.integers(1, count))
            exists = Exists(role, concepts[filler])
            population.add(exists, members[filler][objects[role]].any(axis=0))
            stated[exists, concepts[body]] = None
        elif random.random() < 0.2 and narrower != head:
            both = conjunction(concepts[body], concepts[narrower])
            population.add(both, members[body] & members[narrower])
            if population.members(both).any():
                stated[concepts[head], both] = None
        else:
            stated[concepts[head], concepts[body]] = None
    axioms += [population.conditional(head, body) for head, body in stated]
    asked = tuple(
        Query(concepts[int(random.integers(count, names))], concepts[int(random.integers(count))])
        for _ in range(queries)
    )
    return Generated(KB.of(*axioms), asked)


def dense(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Conditionals between random names."""
    random = np.random.default_rng(seed)
    traits = random.random((POPULATION, 5)) - 0.5
    tilt, shift = random.normal(size=(5, names)), random.normal(size=names)
    chance = 1 / (1 + np.exp(-2 * traits @ tilt - shift))
    concepts: list[Concept] = [Name(f"N{place}") for place in range(names)]
    population = _Population(concepts, (random.random((POPULATION, names)) < chance).T)
    stated: dict[tuple[Concept, Concept], None] = {}
    while len(stated) < conditionals:
        head, body = random.choice(names, 2, replace=False)
        stated[concepts[head], concepts[body]] = None
    asked: list[Query] = []
    while len(asked) < queries:
        head, body = random.choice(names, 2, replace=False)
        if (concepts[head], concepts[body]) not in stated:
            asked.append(Query(concepts[head], concepts[body]))
    return Generated(KB.of(*(population.conditional(*pair) for pair in stated)), tuple(asked))


def directed(
    names: int,
    conditionals: int,
    seed: int = 0,
    queries: int = 5,
    *,
    points: float = 0.0,
    roles: float = 0.0,
) -> Generated:
    """A directed graph of classes, with statements between any of them.

    A part of the statements are points, and a part of the heads existentials.
    """
    random = np.random.default_rng(seed)
    members = np.zeros((names, POPULATION), bool)
    axioms: list[Axiom] = []
    concepts: list[Concept] = [Name(f"D{place}") for place in range(names)]
    roots = max(1, names // 20)
    for place in range(names):
        inside = np.ones(POPULATION, bool)
        if place >= roots:
            parents = random.choice(
                place, size=min(place, 1 + (random.random() < 0.3)), replace=False
            )
            for parent in parents.tolist():
                if (inside & members[parent]).sum() > 40:
                    inside &= members[parent]
                    axioms.append(Inclusion(concepts[place], concepts[parent]))
        members[place] = inside & (random.random(POPULATION) < random.uniform(0.15, 0.9))
        members[place, np.flatnonzero(inside)[0]] = True
    for _ in range(names // 10):
        one, other = random.choice(names, 2, replace=False)
        if not (members[one] & members[other]).any():
            axioms.append(Disjointness(concepts[one], concepts[other]))
    population = _Population(concepts, members)
    heads = list(concepts)
    for role in ROLES[:2] if roles else ():
        objects = random.integers(0, POPULATION, size=(2, POPULATION))
        for filler in random.choice(names, max(1, int(roles * names / 2)), replace=False).tolist():
            exists = Exists(role, concepts[filler])
            population.add(exists, members[filler][objects].any(axis=0))
            heads.append(exists)
    stated: dict[tuple[Concept, Concept], None] = {}
    while len(stated) < conditionals:
        chosen = random.choice(len(heads), 3, replace=False)
        head, body, narrower = (heads[one] for one in chosen)
        if random.random() < 0.25:
            both = conjunction(body, narrower)
            population.add(both, population.members(body) & population.members(narrower))
            body = both
        if population.members(body).sum() > 20:
            stated[head, body] = None
    axioms += [_about(random, population, *pair, points) for pair in stated]
    asked: list[Query] = []
    while len(asked) < queries:
        head, body = (heads[one] for one in random.choice(len(heads), 2, replace=False))
        if population.members(body).any() and (head, body) not in stated:
            asked.append(Query(head, body))
    return Generated(KB.of(*axioms), tuple(asked))


def _about(
    random: np.random.Generator,
    population: _Population,
    head: Concept,
    body: Concept,
    points: float,
) -> Conditional:
    """The conditional that holds, as a point or with room of any width."""
    inside = population.members(body)
    share = Fraction(int(population.members(head)[inside].sum()), int(inside.sum()))
    if random.random() < points:
        return Conditional(head, body, Interval(share, share))
    below, above = random.uniform(0.005, 0.15, 2)
    lower = max(Fraction(0), Fraction(int(1000 * (share - Fraction(below))), 1000))
    upper = min(Fraction(1), Fraction(int(1000 * (share + Fraction(above))) + 1, 1000))
    return Conditional(head, body, Interval(lower, upper))


def hierarchy(classes: int, width: int = 2, seed: int = 0, queries: int = 5) -> Generated:
    """A tree-shaped knowledge base: classes inside classes, attributes of a class and what is near.

    Each name depends on up to `width` names that stand together, which bounds the treewidth. The
    shares are those of the distribution in which it depends on nothing else.
    """
    random = np.random.default_rng(seed)
    local = [_Local((Name("C0"),), np.array([0.0, 1.0]))]
    axioms: list[Axiom] = []
    asked: list[tuple[Concept, Concept]] = []
    for place in range(1, classes):
        above = local[int(random.integers(len(local)))]
        kept = [0, *random.permutation(np.arange(1, len(above.names)))[: width - 1]]
        joint = above.narrowed(sorted(int(one) for one in kept))
        parent, child = joint.names[0], Name(f"C{place}")
        point = None if random.random() < 0.9 else Fraction(int(random.integers(15, 70)), 100)
        rates = random.uniform(0.15, 0.7, joint.size) if point is None else float(point)
        joint = joint.extended(child, rates, inside=parent)
        stated = joint.conditional(child, parent)
        if point is not None:
            stated = Conditional(child, parent, Interval(point, point))
        axioms += [Inclusion(child, parent), stated]
        others = joint.names[1:-1]
        axioms += (joint.conditional(child, one) for one in others if random.random() < 0.5)
        # The class comes first: its own children and attributes are about it.
        joint = joint.narrowed([len(joint.names) - 1, *range(len(joint.names) - 1)])
        attribute = Name(f"A{place}")
        around = joint.narrowed(list(range(min(len(joint.names), width))))
        around = around.extended(attribute, random.uniform(0.1, 0.9, around.size))
        body: Concept = around.names[int(random.integers(min(2, len(around.names) - 1)))]
        if len(around.names) > 2 and random.random() < 0.2:
            body = conjunction(around.names[0], around.names[-2])
        axioms.append(around.conditional(attribute, body))
        asked.append((attribute, around.names[int(random.integers(len(around.names) - 1))]))
        local.append(joint if random.random() < 0.7 else around)
    chosen = random.permutation(len(asked))[: queries - queries // 2]
    pairs = [asked[int(one)] for one in chosen]
    far = random.integers(1, classes, size=(queries // 2, 2))
    pairs += [(Name(f"A{one}"), Name(f"C{other}")) for one, other in far.tolist()]
    return Generated(KB.of(*axioms), tuple(Query(head, body) for head, body in pairs))


@dataclass(frozen=True)
class _Local:
    """Some names, and how frequent each pattern of them is: bit i of a pattern is the i-th name."""

    names: tuple[Name, ...]
    shares: NDArray[np.float64]

    @property
    def size(self) -> int:
        return len(self.shares)

    def narrowed(self, kept: list[int]) -> _Local:
        """The same about some of the names, in another order."""
        patterns = np.arange(self.size)
        places = sum((patterns >> one & 1) << new for new, one in enumerate(kept))
        shares = np.bincount(places, self.shares, 1 << len(kept))
        return _Local(tuple(self.names[one] for one in kept), shares / shares.sum())

    def extended(
        self, name: Name, rates: NDArray[np.float64] | float, inside: Name | None = None
    ) -> _Local:
        """The same with one more name, which each pattern has at its own rate."""
        own = np.full(self.size, 1.0) * rates
        if inside is not None:
            own[np.arange(self.size) >> self.names.index(inside) & 1 == 0] = 0.0
        shares = np.concatenate([self.shares * (1 - own), self.shares * own])
        return _Local((*self.names, name), shares)

    def conditional(self, head: Name, body: Concept) -> Conditional:
        """The conditional that holds, with some room."""
        patterns = np.arange(self.size)
        having = np.ones(self.size, bool)
        for one in conjuncts(body):
            having &= (patterns >> self.names.index(one) & 1).astype(bool)
        both = having & (patterns >> self.names.index(head) & 1).astype(bool)
        return _around(head, body, self.shares[both].sum() / self.shares[having].sum())


class _Population:
    """Which individuals belong to which concepts."""

    def __init__(self, concepts: list[Concept], members: Members) -> None:
        self._members = dict(zip(concepts, members, strict=True))

    def add(self, concept: Concept, members: Members) -> None:
        self._members[concept] = members

    def members(self, concept: Concept) -> Members:
        found: Members = self._members[concept]
        return found

    def conditional(self, head: Concept, body: Concept) -> Conditional:
        """The conditional that holds, with some room."""
        inside = self.members(body)
        return _around(head, body, self.members(head)[inside].mean())


def _around(head: Concept, body: Concept, share: float) -> Conditional:
    lower = Fraction(int(1000 * max(0.0, share - WIDTH / 2)), 1000)
    upper = Fraction(min(1000, int(1000 * min(1.0, share + WIDTH / 2)) + 1), 1000)
    return Conditional(head, body, Interval(lower, upper))


def _children(node: int, count: int) -> range:
    return range(BRANCHING * node + 1, min(count, BRANCHING * node + 1 + BRANCHING))


def _classes(random: np.random.Generator, count: int, disjoint: set[int]) -> Members:
    """Members of the classes, down the tree; every class keeps a few."""
    members = np.zeros((count, POPULATION), bool)
    members[0] = True
    for node in range(count):
        children = _children(node, count)
        inside = np.flatnonzero(members[node])
        if not len(children):
            continue
        if node in disjoint:
            shares = random.dirichlet(np.full(len(children) + 1, 3.0))
            chosen = random.choice(len(children) + 1, size=len(inside), p=shares)
            chosen[: len(children)] = np.arange(len(children))[: len(inside)]
            for number, child in enumerate(children):
                members[child, inside[chosen == number]] = True
        else:
            for child in children:
                members[child, inside[random.random(len(inside)) < random.uniform(0.2, 0.7)]] = True
                members[child, inside[:1]] = True
    for place in range(count):
        if not members[place].any():  # too small a parent: everybody is in it
            members[place] = members[(place - 1) // BRANCHING]
    return members


def _attributes(random: np.random.Generator, classes: Members, count: int) -> Members:
    """Attributes, whose frequency depends on three random classes each."""
    members = np.zeros((count, POPULATION), bool)
    for place in range(count):
        chance = np.full(POPULATION, random.uniform(0.1, 0.9))
        for _ in range(3):
            chance[classes[int(random.integers(len(classes)))]] = random.uniform()
        members[place] = random.random(POPULATION) < chance
    return members
