"""Surveys as they are published: margins, and shares of traits in groups and where groups cross."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from _generators import Generated
from numpy.typing import NDArray

from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import Concept, Name, conjunction, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Query

PEOPLE = 20_000
GROUPS = 0.75
"""The part of the names that are groups: ages, regions; the others are traits."""
PERCENT = Fraction(1, 100)

Members = NDArray[np.bool_]


def survey(
    names: int, conditionals: int, seed: int = 0, queries: int = 5, *, rounded: bool = False
) -> Generated:
    """Partitions of everybody with their counts, and shares of traits to within half a per cent.

    With `rounded` shares are points, whole per cents: from them mostly follows a contradiction.
    """
    random = np.random.default_rng(seed)
    person = Name("Person")
    members: dict[Concept, Members] = {}
    axioms: list[Axiom] = []
    partitions: list[list[Name]] = []
    while len(members) < GROUPS * names:
        partition = [Name(f"G{len(partitions)}x{n}") for n in range(int(random.integers(2, 9)))]
        of = random.choice(len(partition), PEOPLE, p=random.dirichlet(np.full(len(partition), 5.0)))
        members |= {name: of == place for place, name in enumerate(partition)}
        partitions.append(partition)
        axioms.append(Disjointness(*partition))
    for name in members:
        axioms.append(Inclusion(name, person))
        axioms.append(Conditional(name, person, Count(int(members[name].sum()), PEOPLE)))
    groups = list[Concept](members)
    traits = [Name(f"T{n}") for n in range(max(2, names - len(groups)))]
    for name in traits:
        chance = np.full(PEOPLE, random.uniform(0.1, 0.5))
        causes = [groups[int(n)] for n in random.integers(len(groups), size=4)]
        for cause in (*causes, *traits[: traits.index(name)][-2:]):
            chance[members[cause]] *= random.uniform(0.5, 1.8)
        members[name] = random.random(PEOPLE) < np.minimum(chance, 0.95)
        axioms.append(Inclusion(name, person))
    stated: dict[tuple[Name, Concept], None] = {}
    for _ in range(conditionals):  # small surveys have fewer
        if len(stated) + len(groups) >= conditionals:
            break
        trait = traits[int(random.integers(len(traits)))]
        one, other = (partitions[int(n)] for n in random.integers(len(partitions), size=2))
        kind = random.random()
        if kind < 0.1:
            stated[trait, person] = None
        elif kind < 0.2:
            second = traits[int(random.integers(len(traits)))]
            if second != trait:
                stated[trait, second] = None
        elif kind < 0.6 or one == other:
            stated |= {(trait, group): None for group in one}
        else:
            stated |= {(trait, conjunction(a, b)): None for a in one for b in other}
    everybody = np.ones(PEOPLE, bool)
    for trait, body in stated:
        inside = everybody.copy()
        for part in conjuncts(body):
            inside &= everybody if part == person else members[part]
        if inside.sum() >= 20:
            axioms.append(_about(trait, body, members[trait][inside].mean(), rounded=rounded))
    asked: list[Query] = []
    while len(asked) < queries:
        trait, second = (traits[int(n)] for n in random.integers(len(traits), size=2))
        group = groups[int(random.integers(len(groups)))]
        if trait != second:
            asked.append(Query(trait, conjunction(second, group)))
    return Generated(KB.of(*axioms), tuple(asked))


def _about(trait: Name, body: Concept, share: float, *, rounded: bool) -> Conditional:
    percents = round(100 * share)
    if rounded:
        return Conditional(trait, body, Interval(percents * PERCENT, percents * PERCENT))
    lower, upper = (2 * percents - 1) * PERCENT / 2, (2 * percents + 1) * PERCENT / 2
    return Conditional(trait, body, Interval(max(lower, Fraction(0)), min(upper, Fraction(1))))
