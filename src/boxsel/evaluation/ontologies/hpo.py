"""Diseases by their phenotypes: the annotations of the Human Phenotype Ontology.

A disease is in the concept of every phenotype that it is annotated with, unless as absent, and in
those of all its ancestors. There are no roles.

Terms are ranked by how many diseases have them. The children of "Phenotypic abnormality" are left
out, for they only name the organ systems; and of each of these branches a few terms are taken
at most, for otherwise the nervous system would be most of the ontology.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from boxsel.errors import BoxselError
from boxsel.evaluation.ontologies.population import Population
from boxsel.evaluation.ontologies.recipe import Files, Recipe, Sources
from boxsel.evaluation.ontology import Ontology
from boxsel.formats.source import load

if TYPE_CHECKING:
    from boxsel.build.phenotypes.annotations import Annotations
    from boxsel.build.phenotypes.ontology import Ontology as Terms

LINKS: Final = "hp_isa.tsv"
LABELS: Final = "hp_labels.tsv"
ANNOTATIONS: Final = "hpoa_frequencies.tsv"

SOURCES: Final = Sources("HPO", ("hpo",), (LINKS, LABELS, ANNOTATIONS))

ABNORMALITY: Final = "HP:0000118"
ROOT: Final = "Disease"
CONCEPTS: Final = 36
PER_BRANCH: Final = 3
CONJOINED: Final = 24


def _built(files: Files) -> Ontology:
    from boxsel.build.built import Rejects
    from boxsel.build.phenotypes.annotations import read_annotations
    from boxsel.build.phenotypes.ontology import iri, read_ontology

    rejects = Rejects(strict=True)
    terms = read_ontology(load(files[LINKS]), load(files[LABELS]), rejects)
    annotations = read_annotations([load(files[ANNOTATIONS])], terms, rejects)
    diseases: dict[str, set[str]] = {name: set() for name in annotations.diseases}
    for disease, term in _present(annotations):
        diseases[disease].update((term, *terms.ancestors(term)))
    frequent = Counter(term for found in diseases.values() for term in found)
    chosen = _chosen(terms, frequent)
    members = {
        iri(term): {name for name, found in diseases.items() if term in found} for term in chosen
    }
    return Population.of(tuple(diseases), members).counted(
        "hpo",
        root=ROOT,
        conjoined=CONJOINED,
        origin=f"HPO, {len(diseases):,} annotated diseases by phenotype",
        labels={iri(term): terms.labels[term] for term in chosen if term in terms.labels},
    )


def _present(annotations: Annotations) -> Iterable[tuple[str, str]]:
    """Which disease has which phenotype, in some patient at least."""
    from boxsel.build.phenotypes.frequencies import proportion

    for row in annotations.rows:
        if proportion(row.frequency).bounds.upper > 0:
            yield row.disease, row.term
    yield from annotations.unquantified


def _chosen(terms: Terms, frequent: Counter[str]) -> list[str]:
    """The most frequent terms below the organ systems, a few of each."""
    systems = {term for term, above in terms.parents.items() if ABNORMALITY in above}
    taken: dict[str, int] = defaultdict(int)
    chosen: list[str] = []
    for term in sorted(frequent, key=lambda term: (-frequent[term], term)):
        branches = terms.ancestors(term) & systems
        if term in systems or not branches or any(taken[one] >= PER_BRANCH for one in branches):
            continue
        chosen.append(term)
        for branch in branches:
            taken[branch] += 1
        if len(chosen) == CONCEPTS:
            return chosen
    raise BoxselError(f"the annotations give {len(chosen)} concepts, expected {CONCEPTS}")


RECIPES: Final = (Recipe("hpo", _built, SOURCES),)
