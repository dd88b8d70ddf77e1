"""Humans and countries of CoDEx, a part of Wikidata without a taxonomy.

Concepts are made from facts: everyone with the occupation writer is in one of them. Of each
predicate the most frequent values are taken, so that concepts of all kinds meet. What is counted
are the entities of one type only, so that every concept lies within the root.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.evaluation.ontologies.population import Population
from boxsel.evaluation.ontologies.recipe import Files, Recipe, Sources
from boxsel.evaluation.ontology import Ontology
from boxsel.formats.source import load

FACTS: Final = "facts.tsv"
TYPES: Final = "types.tsv"
LABELS: Final = "labels.tsv"

SOURCES: Final = Sources("CoDEx-M", ("codex-m",), (FACTS, TYPES, LABELS))

TYPE: Final = "type"
"""The types of entities, as if they were a predicate."""


@dataclass(frozen=True)
class Part:
    """A choice: the entities of type `root`, and how many values of each predicate are concepts.

    Between these entities there are some `roles`: the predicates with the most facts.
    """

    root: str
    values: Mapping[str, int]
    roles: int
    conjoined: int


CHOICES: Final[Mapping[str, Part]] = {
    # Humans by occupation, citizenship and language.
    "person": Part("Q5", {"P106": 32, "P27": 8, "P1412": 8}, roles=5, conjoined=30),
    # Countries by what they are members of, official language, continent and kind.
    "country": Part("Q6256", {"P463": 16, "P37": 5, "P30": 4, TYPE: 5}, roles=1, conjoined=30),
}


def _built(which: str, files: Files) -> Ontology:
    choice = CHOICES[which]
    types = list(_rows(files[TYPES], 2))
    population = sorted({entity for entity, kind in types if kind == choice.root})
    if not population:
        raise BoxselError(f"{files[TYPES]}: no entity has the type {choice.root}")
    inside = set(population)
    having: dict[str, dict[str, set[str]]] = {predicate: {} for predicate in choice.values}
    links: dict[str, list[tuple[str, str]]] = {}
    typed = ((one, TYPE, kind) for one, kind in types if TYPE in having)
    for one, predicate, two in chain(_rows(files[FACTS], 3), typed):
        if one not in inside:
            continue
        if predicate in having:
            having[predicate].setdefault(two, set()).add(one)
        elif two in inside:
            links.setdefault(predicate, []).append((one, two))
    having.get(TYPE, {}).pop(choice.root, None)
    members = _frequent(having, choice.values)
    roles = sorted(links, key=lambda role: (-len(links[role]), role))[: choice.roles]
    chosen = Population.of(population, members, {role: links[role] for role in roles})
    named = {name: label for name, _, label in _rows(files[LABELS], 3)}
    return chosen.counted(
        f"codex-{which}",
        root=choice.root,
        conjoined=choice.conjoined,
        origin=f"CoDEx-M, {len(population):,} entities of type {choice.root}",
        labels=_labels(named, (*members, *roles, choice.root)),
    )


def _frequent(
    having: Mapping[str, Mapping[str, set[str]]], most: Mapping[str, int]
) -> dict[str, set[str]]:
    """The most frequent values of each predicate as concepts, the most frequent first."""
    members: dict[str, set[str]] = {}
    for predicate, values in having.items():
        ranked = sorted(values, key=lambda value: (-len(values[value]), value))
        for value in ranked[: most[predicate]]:
            name = value if predicate == TYPE else f"{predicate}_{value}"
            members[name] = values[value]
    return dict(sorted(members.items(), key=lambda item: (-len(item[1]), item[0])))


def _labels(known: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    """The labels of names; of a value the label may be unknown, then it is its identifier."""
    labels = {}
    for name in names:
        predicate, joint, value = name.partition("_")
        if joint:
            labels[name] = f"{known.get(predicate, predicate)}: {known.get(value, value)}"
        elif name in known:
            labels[name] = known[name]
    return labels


def _rows(path: Path, columns: int) -> Iterator[tuple[str, ...]]:
    """The rows of a table without a header."""
    for number, line in enumerate(load(path).text.rstrip("\n").split("\n"), start=1):
        cells = tuple(line.rstrip("\r").split("\t"))
        if len(cells) != columns:
            problem = f"there are {len(cells)} columns, expected {columns}"
            raise ReadError(Diagnostic(problem, file=str(path), line=number))
        yield cells


RECIPES: Final = tuple(
    Recipe(f"codex-{which}", partial(_built, which), SOURCES) for which in CHOICES
)
