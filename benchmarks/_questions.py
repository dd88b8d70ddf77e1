"""Groups of questions to knowledge bases that are coherent because something satisfies them.

A group is a family of generated ones in one size, a folder of files whose lines `#? (D | C)` are
questions, or what an evaluation's thinned split asks. Knowledge bases of a group are told apart by
a seed, and are made when they are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from _generators import Generated, dense, directed, hierarchy, taxonomy
from _shapes import SHAPES
from _survey import survey

import boxsel
from boxsel.evaluation.ontologies.folder import prepared
from boxsel.evaluation.splits.variants import THIN, splits_of
from boxsel.evaluation.truths.chains import determined
from boxsel.evaluation.truths.exact import asked_places
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query

FAMILIES: Final[Mapping[str, Callable[..., Generated]]] = {
    "taxonomy": taxonomy,
    "dense": dense,
    "directed": directed,
    "roles": partial(directed, roles=0.1),
    "points": partial(directed, points=0.2),
    "all points": partial(directed, points=1.0),
    "survey": survey,
}
SIZES: Final = ((100, 250), (200, 500), (500, 1000))
ASIDE: Final[Mapping[str, Callable[..., Generated]]] = {
    "hierarchy": lambda names, _, *rest: hierarchy(names // 2, 4, *rest),
    "points and roles": partial(directed, points=0.3, roles=0.2),
    **SHAPES,
}
"""Families that are only for looking, never for tuning."""
THINNED: Final = ("hpo", "yago-country", "codex-country", "synthetic-person", "synthetic-hybrid")
PER_SHAPE: Final = 20


@dataclass(frozen=True)
class Question:
    """A question, the group that it belongs to, and the seed of its knowledge base."""

    group: str
    seed: int
    kb: KB
    query: Query

    @property
    def name(self) -> str:
        """It in words."""
        return f"{self.group} {self.seed} {self.query.text(self.kb.prefixes)}"


@dataclass(frozen=True)
class Group:
    """Questions of a kind: knowledge bases by seed, so many of them."""

    name: str
    seeds: range
    make: Callable[[int], tuple[KB, tuple[Query, ...]]]

    def questions(self, each: int) -> Iterator[Question]:
        """So many of the questions to each knowledge base."""
        for seed in self.seeds:
            kb, queries = self.make(seed)
            yield from (Question(self.name, seed, kb, query) for query in queries[:each])

    def draw(self, random: Random) -> Question:
        """A question of them."""
        seed = random.choice(self.seeds)
        kb, queries = self.make(seed)
        return Question(self.name, seed, kb, random.choice(queries))


def generated_groups(sizes: list[str], seeds: range, *, aside: bool = False) -> Iterator[Group]:
    """The families in each size; those that are kept aside, if asked for."""
    for family, make in (ASIDE if aside else FAMILIES).items():
        for size in sizes:
            names, conditionals = map(int, size.split("/"))
            yield Group(f"{family} {size}", seeds, partial(_generate, make, names, conditionals))


def _generate(
    make: Callable[..., Generated], names: int, conditionals: int, seed: int
) -> tuple[KB, tuple[Query, ...]]:
    made = make(names, conditionals, seed, 10)
    return made.kb, made.queries


def file_groups(folder: Path) -> Iterator[Group]:
    """The files of a folder, each with the questions in its comments."""
    files = sorted(folder.glob("*.sel"))
    if files:
        yield Group(folder.name, range(len(files)), partial(_read, files))


def _read(files: list[Path], number: int) -> tuple[KB, tuple[Query, ...]]:
    kb = boxsel.read(files[number])
    lines = files[number].read_text("utf-8").splitlines()
    return kb, tuple(kb.query(line[2:].strip()) for line in lines if line.startswith("#?"))


def thin_groups(folder: Path, data: Path, seeds: range) -> Iterator[Group]:
    """Ontologies of which little is kept, with the questions that ratios of sizes do not settle."""
    for name in THINNED:
        for percent in THIN:
            make = partial(_thin, folder, data, name, percent)
            yield Group(f"{name} thin-{percent}", seeds, cache(make))


def _thin(
    folder: Path, data: Path, name: str, percent: int, seed: int
) -> tuple[KB, tuple[Query, ...]]:
    split = splits_of(prepared(folder, [name], data)[name], f"thin-{percent}", seed)[0]
    places = asked_places(split, PER_SHAPE)
    asked = split.queries.take(places)
    left = asked.take(~determined(split.learning, asked))
    return split.kb(), tuple(split.ontology.queries(left))


def draw_questions(groups: list[Group], count: int, seed: int) -> Iterator[Question]:
    """Questions at random, from one group after the other in a random order, and again."""
    random = Random(seed)
    order = random.sample(groups, len(groups))
    return islice((group.draw(random) for _ in iter(int, 1) for group in order), count)
