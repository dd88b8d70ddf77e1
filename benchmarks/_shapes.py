"""Knowledge bases of other shapes than those of `_generators`, coherent for the same reason.

*forest*: uneven trees of classes, siblings always disjoint, and features that cut across them.
*conjunctions*: names under or equivalent to conjunctions of others, and bodies of up to three.
*overlap*: names of very unequal frequency, mixed by twelve hidden groups; hardly an inclusion.
*kinds*: things of four kinds, linked by roles with domains and ranges. *rare*: shares over eight
powers of ten. *anchored*: the same, with shares of everybody and defined names. *pointed*: points
only. *parts*: partitions of partitions, to whole per cents. *network*: each name depends on two
before it. *links*: existentials inside existentials, and of conjunctions. *crowd*: few names, many
narrow shares. *regions*: regions inside regions with their shares, and traits of their people.
*prevalence*: risks, diseases that one in ten thousand has, and signs, with shares of everybody.

Individuals satisfy all that is stated, and every name has some. Questions are open among them: two
of three go along two statements, from the body of one to the head of another that is about its
head. The others are about any concepts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
from _generators import Generated
from _individuals import Individuals, any_room, part_of_it, percent, relative_room

from boxsel.logic.axioms import Disjointness, Domain, Range
from boxsel.logic.concepts import TOP, Concept, Exists, Role, conjunction


def forest(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Classes in uneven trees, and features that depend on five classes each."""
    shape = Individuals((1, seed), size=8000)
    random = shape.random
    inside = shape.divide("T", max(4, names // 2), 6, rest=1)
    classes = list(shape.concepts)
    for place in range(max(2, names - len(classes))):
        shape.depend(f"F{place}", random.random() / 2, shape.pick(5, classes))
    features = shape.concepts[len(classes) :]

    def pick() -> Sequence[Concept]:
        kind = random.random()
        if kind < 0.35:
            return inside[int(random.integers(len(inside)))]
        (one,), (feature, other) = shape.pick(1, classes), shape.pick(2, features)
        if kind < 0.5:
            return feature, one, other
        return (one, feature) if kind < 0.6 else (feature, one)

    return shape.generated(conditionals, queries, pick)


def conjunctions(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """An eighth of the names equivalent to a conjunction, a half under one or two others."""
    shape = Individuals((2, seed))
    random = shape.random
    for place in range(names):
        kind = random.random()
        if place > 6 and kind < 0.12:
            shape.define(f"E{place}")
        elif place > 4 and kind < 0.6:
            above = shape.common(int(random.integers(1, 3)), shape.concepts[-25:])
            shape.name(f"K{place}", shape.some(0.2, 0.9), *above)
        else:
            shape.depend(f"K{place}", random.uniform(0.05, 0.9), shape.pick(1))
    lengths = [2, 3, 3, 4]
    return shape.generated(conditionals, queries, lambda: shape.pick(random.choice(lengths)))


def overlap(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Names that each of twelve hidden groups has at its own rate, from seldom to mostly."""
    shape = Individuals((3, seed))
    random = shape.random
    group = random.integers(0, 12, shape.size)
    for place in range(names):
        rates = 10 ** random.uniform(-2.2, -0.2) * random.lognormal(0, 1, 12)
        shape.name(f"W{place}", random.random(shape.size) < np.minimum(rates, 0.97)[group])
    for _ in range(names // 4):
        pair = shape.pick(2)
        if not shape.members(conjunction(*pair)).any():
            shape.axioms.append(Disjointness(*pair))
    return shape.generated(
        conditionals, queries, lambda: shape.pick(2), partial(any_room, points=0.05)
    )


def kinds(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Four kinds with names inside each; a role links the things of one to those of the next."""
    shape = Individuals((4, seed))
    random = shape.random
    tops = shape.split("Kind", 4, np.arange(shape.size) % 4)
    inside: list[list[Concept]] = [[top] for top in tops]
    for place in range(names - 4):
        own = inside[int(random.integers(4))]
        own.append(shape.name(f"S{place}", shape.some(0.25, 0.9), *shape.pick(1, own)))
    named = list(shape.concepts)
    for number, top in enumerate(tops):
        role, fillers = Role(f"r{number}"), inside[(number + 1) % 4]
        shape.axioms += [Domain(role, top), Range(role, fillers[0])]
        among = np.flatnonzero(shape.members(fillers[0]))
        objects = random.choice(among, (2, shape.size))
        linked = shape.members(top) & (random.random(shape.size) < 0.7)
        shape.link(role, objects, np.stack([linked, linked]))
        chosen = shape.pick(max(2, names // 25), fillers)
        shape.concepts += [Exists(role, filler) for filler in chosen]
    existing = shape.concepts[len(named) :]

    def pick() -> Sequence[Concept]:
        kind = random.random()
        if kind < 0.4:
            return shape.pick(2, named)
        if kind < 0.55:
            return *shape.pick(1, named), *shape.pick(1, existing)
        return *shape.pick(1, existing), *shape.pick(1 + (kind < 0.7), named)

    return shape.generated(conditionals, queries, pick)


def rare(
    names: int, conditionals: int, seed: int = 0, queries: int = 5, *, anchored: bool = False
) -> Generated:
    """Names between all and 1e-8 of everybody, inside each other.

    If they are `anchored`, half of the statements are shares of everybody, and a tenth of the names
    are equivalent to a conjunction.
    """
    shape = Individuals((5 + 6 * anchored, seed), rare=True)
    shape.nest("R", names, 0.35, defined=0.1 if anchored else 0.0)
    left = list(shape.concepts) if anchored else []

    def pick() -> Sequence[Concept]:
        if left and shape.random.random() < 0.5:
            return left.pop(), TOP
        return shape.pick(2 + (shape.random.random() < 0.2))

    return shape.generated(conditionals, queries, pick, relative_room)


def pointed(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Names inside each other; every statement is a point."""
    shape = Individuals((6, seed), size=500)
    shape.nest("P", names, 0.5, recent=30)
    return shape.generated(conditionals, queries, shape.any_of(0.3), partial(any_room, points=1.0))


def parts(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Everybody, and parts, divided again and again; shares of a part where others cross."""
    shape = Individuals((7, seed))
    random = shape.random
    divisions: list[list[Concept]] = []
    while len(shape.concepts) < names:
        large = [one for one in shape.concepts if shape.members(one).sum() >= 60]
        above = shape.pick(1, large) if random.random() < 0.5 else []
        count = int(random.integers(3, 7))
        kind = random.choice(count, shape.size, p=random.dirichlet(np.full(count, 2.0)))
        if divisions and random.random() < 0.5:  # it depends on another
            for one in divisions[int(random.integers(len(divisions)))]:
                kind[shape.members(one) & shape.some(0.6, 0.6)] = random.integers(count)
        divisions.append(shape.split(f"G{len(divisions)}x", count, kind, above))

    def pick() -> Sequence[Concept]:
        chosen = random.integers(len(divisions), size=2 + (random.random() < 0.3))
        return [one for n in chosen for one in shape.pick(1, divisions[n])]

    return shape.generated(conditionals, queries, pick, percent)


def network(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Each name depends on two of the twelve before it; bodies are up to three of them."""
    shape = Individuals((8, seed), size=2000)
    random = shape.random
    for place in range(names):
        shape.depend(f"B{place}", random.random(), shape.pick(2, shape.concepts[-12:]))

    def pick() -> Sequence[Concept]:
        place = int(random.integers(1, names))
        before = shape.concepts[max(0, place - 12) : place]
        return shape.concepts[place], *shape.pick(int(random.integers(1, 4)), before)

    return shape.generated(conditionals, queries, pick, partial(any_room, points=0.3))


def links(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Half names, half existentials, whose fillers are of either kind, or two of them."""
    shape = Individuals((9, seed), size=1500)
    random = shape.random
    shape.nest("L", max(5, names // 2), 0.5)
    named = list(shape.concepts)
    roles = [Role(f"q{number}") for number in range(5)]
    for role in roles:
        linked = random.random((2, shape.size)) < [[0.6], [0.3]]
        shape.link(role, random.integers(0, shape.size, (2, shape.size)), linked)
    for _ in named:
        filler = conjunction(*shape.pick(1), *shape.pick(int(random.random() < 0.2), named))
        found = Exists(roles[int(random.integers(len(roles)))], filler)
        if found not in shape.concepts:
            shape.concepts.append(found)
    return shape.generated(conditionals, queries, shape.any_of(0.3))


def crowd(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """A fifth of the names, which depend on four hidden traits, and shares to whole per cents."""
    shape = Individuals((10, seed), size=2500)
    random = shape.random
    traits = random.normal(size=(shape.size, 4))
    for place in range(max(12, names // 5)):
        tilted = traits @ random.normal(size=4) + random.normal(size=shape.size)
        shape.name(f"Q{place}", tilted > random.normal() + 0.3)
    return shape.generated(conditionals, queries, shape.any_of(0.5), percent)


def regions(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Regions inside regions, and traits, in regions and beside others."""
    shape = Individuals((12, seed), size=4000)
    random = shape.random
    around = shape.divide("Region", max(5, names // 6), 5)
    places = list(shape.concepts)
    hidden = random.normal(size=(shape.size, 5))
    for place in range(max(2, names - len(places))):
        tilted = hidden @ random.normal(size=5) * 0.6 + random.normal(size=shape.size)
        tilted += sum(random.normal() / 2 * shape.members(one) for one in shape.pick(5, places))
        shape.name(f"Trait{place}", tilted > random.normal() * 0.8)
    traits = shape.concepts[len(places) :]

    def pick() -> Sequence[Concept]:
        kind = random.random()
        if around and kind < 0.3:
            return around.pop()
        one, other = shape.pick(2, traits)
        (place,) = shape.pick(1, places)
        if kind < 0.7:
            return one, place if random.random() < 0.6 else TOP
        return (one, other, place) if kind < 0.85 else (one, other)

    return shape.generated(conditionals, queries, pick, partial(any_room, points=0.15))


def prevalence(names: int, conditionals: int, seed: int = 0, queries: int = 5) -> Generated:
    """Risks, rare diseases and their signs: shares of everybody, and of each other both ways."""
    shape = Individuals((13, seed), size=100_000)
    random = shape.random
    for place in range(names // 5):
        shape.depend(f"Risk{place}", random.uniform(0.05, 0.6), [])
    risks = list(shape.concepts)
    for place in range(2 * names // 5):
        rates = np.full(shape.size, 10 ** random.uniform(-4, -1))
        for risk in shape.pick(2, risks):
            rates[shape.members(risk)] *= random.uniform(1.5, 4)
        shape.name(f"Disease{place}", random.random(shape.size) < np.minimum(rates, 0.9))
    diseases = shape.concepts[len(risks) :]
    for place in range(names - len(shape.concepts)):
        having = random.random(shape.size) < 10 ** random.uniform(-3, -0.5)
        for disease in shape.pick(3, diseases):
            having |= shape.members(disease) & shape.some(0.1, 0.9)
        shape.name(f"Sign{place}", having)
    signs, left = shape.concepts[len(risks) + len(diseases) :], list(shape.concepts)

    def pick() -> Sequence[Concept]:
        if left:
            return left.pop(), TOP
        kind = random.random()
        (risk,), (disease,), (sign,) = (shape.pick(1, some) for some in (risks, diseases, signs))
        if kind < 0.4:
            return sign, disease
        if kind < 0.8:
            return (disease, risk) if kind < 0.6 else (risk, disease)
        return (sign, disease, risk) if kind < 0.9 else (disease, sign)

    return shape.generated(conditionals, queries, pick, part_of_it)


SHAPES: Final[Mapping[str, Callable[..., Generated]]] = {
    **{make.__name__: make for make in (forest, conjunctions, overlap, kinds, rare, pointed)},
    **{make.__name__: make for make in (parts, network, links, crowd, regions, prevalence)},
    "anchored": partial(rare, anchored=True),
}
