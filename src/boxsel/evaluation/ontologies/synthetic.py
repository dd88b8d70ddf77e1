"""Random ontologies of the paper's sizes, for whoever has no data; and a small one.

A population is drawn: its entities belong to groups, which differ in how common each concept is
in them. Concepts form a taxonomy, the shares of a concept's members that its children hold are
drawn, and siblings overlap. Links lead more often than not to the group that a role prefers for the
group of the subject. So there are inclusions, disjoint pairs and dependencies, as in a graph.

The numbers and seeds below were searched for, so that the intervals of probabilistic modus ponens
are, on average over all pairs of the first split, about as wide as in the paper: that they agree is
by construction, and no finding. There the distance of [0, 1] from
them, 1 - width, is 0.301, 0.105 and 0.734; and 4.5 %, 29.1 % and 1.5 % of them are [0, 1].

Only sums, products and comparisons of random numbers are used: the same on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from boxsel.build.graphs.patterns import Ones
from boxsel.evaluation.conditionals import Floats, Ints
from boxsel.evaluation.ontologies.population import Population
from boxsel.evaluation.ontologies.recipe import Files, Recipe
from boxsel.evaluation.ontology import Ontology


@dataclass(frozen=True)
class Drawing:
    """What a population is drawn from.

    `tops` of the concepts have no other above them. A concept holds between `least` and `most` of
    its parent's members, on average over the groups, or with the probability `whole` all of them;
    but with the probability `absent` none in a group. A role links a part `linked` of the
    entities, each to up to `objects` others.
    `root` names the whole population, or nothing does: then it is ⊤.
    """

    concepts: int
    conjoined: int
    roles: int
    root: str | None
    entities: int
    groups: int
    tops: int
    least: float
    most: float
    absent: float
    whole: float
    linked: float
    objects: int
    seed: int


DRAWINGS: Final = {
    "synthetic-person": Drawing(
        127, 50, 6, "Person", entities=4000, groups=6, tops=64, least=0.3, most=0.8,
        absent=0.6, whole=0.35, linked=0.8, objects=3, seed=1,
    ),
    "synthetic-country": Drawing(
        30, 30, 1, "Country", entities=2000, groups=16, tops=19, least=0.1, most=0.5,
        absent=0.7, whole=0.1, linked=0.6, objects=4, seed=2,
    ),
    "synthetic-hybrid": Drawing(
        13, 13, 18, None, entities=4000, groups=16, tops=10, least=0.4, most=0.95,
        absent=0.02, whole=0.4, linked=0.8, objects=3, seed=5,
    ),
    "small": Drawing(
        12, 12, 2, "Thing", entities=600, groups=10, tops=9, least=0.3, most=0.8,
        absent=0.6, whole=0.3, linked=0.7, objects=2, seed=9,
    ),
}  # fmt: skip


def drawn(name: str, drawing: Drawing) -> Ontology:
    """Draw a population, and count it; the most frequent concepts come first.

    Examples:
        >>> found = drawn("small", DRAWINGS["small"])
        >>> found.size, found.roles
        (12, ('r1', 'r2'))
    """
    random = np.random.default_rng(drawing.seed)
    group = random.integers(drawing.groups, size=drawing.entities)
    members = _members(random, drawing, group)
    members = members[:, np.argsort(-members.sum(axis=0, dtype=np.int64), kind="stable")]
    links = {f"r{role + 1}": _links(random, drawing, group) for role in range(drawing.roles)}
    width = len(str(drawing.concepts))
    names = tuple(f"C{place:0{width}}" for place in range(1, drawing.concepts + 1))
    return Population(names, members, links).counted(
        name,
        root=drawing.root,
        conjoined=drawing.conjoined,
        origin=f"a random population of {drawing.entities:,}, seed {drawing.seed}",
    )


def _members(random: np.random.Generator, drawing: Drawing, group: Ints) -> Ones:
    """Who has which concept."""
    members = np.zeros((drawing.entities, drawing.concepts), np.uint8)
    for concept in range(drawing.concepts):
        inside = np.ones(drawing.entities, np.uint8)
        if concept >= drawing.tops:
            inside = members[:, int(random.integers(concept))]
        mean = drawing.least + (drawing.most - drawing.least) * random.random()
        chance = _tilted(random, mean, drawing.groups)
        chance[random.random(drawing.groups) < drawing.absent] = 0
        chosen = random.random(drawing.entities) < chance[group]
        if random.random() < drawing.whole:
            chosen = chance[group] > 0
        if not (inside & chosen).any():
            chosen[:] = True  # no concept is empty: this one is all of its parent
        members[:, concept] = inside & chosen
    return members


def _tilted(random: np.random.Generator, mean: float, groups: int) -> Floats:
    """Shares in the groups, up to half as far from the mean as 0 or 1 is."""
    spread = min(mean, 1 - mean) / 2
    found: Floats = mean + spread * (2 * random.random(groups) - 1)
    return found


def _links(random: np.random.Generator, drawing: Drawing, group: Ints) -> Ints:
    """The subjects and objects of a role."""
    preferred = random.integers(drawing.groups, size=drawing.groups)
    subjects = np.flatnonzero(random.random(drawing.entities) < drawing.linked)
    number = random.integers(1, drawing.objects + 1, size=len(subjects))
    one = np.repeat(subjects, number)
    other = random.integers(drawing.entities, size=len(one))
    # Entities in the order of their groups: those of one group are a range.
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(drawing.groups + 1))
    wanted = preferred[group[one]]
    sizes = starts[wanted + 1] - starts[wanted]
    place = starts[wanted] + random.integers(1 << 30, size=len(one)) % np.maximum(sizes, 1)
    by_group = (random.random(len(one)) < 0.5) & (sizes > 0)
    other = np.where(by_group, order[np.minimum(place, drawing.entities - 1)], other)
    found: Ints = np.stack([one, other])
    return found


def _built(name: str, files: Files) -> Ontology:
    assert not files
    return drawn(name, DRAWINGS[name])


RECIPES: Final = tuple(Recipe(name, partial(_built, name)) for name in DRAWINGS)
