"""Real ontologies: the counts that others found in them, in every serialisation."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import pyhornedowl
import pyoxigraph as ox
import pytest

from boxsel.formats.owl.iris import OWL, RDF, RDFS
from boxsel.formats.registry import format_named, recognise
from boxsel.formats.source import Source, load
from boxsel.logic.axioms import Equivalence, Inclusion
from boxsel.logic.concepts import And, Concept, Exists, Name
from boxsel.logic.kb import KB
from tests.conftest import DataFile

GALEN = ["galen2.owl.gz", "galen2.ofn.gz", "galen2.owx.gz"]
FAMILY = "family-benchmark_rich_background"
SERIALISATIONS = ["owl", "owx", "ofn", "ttl", "obo"]


def read(data: DataFile, name: str) -> KB:
    source = load(data(f"owl/{name}"))
    return recognise(source).codec.read(source)


def existentials(kb: KB) -> int:
    """How often ∃ occurs in a knowledge base."""
    found, stack = 0, [concept for axiom in kb.axioms for concept in axiom.concepts()]
    while stack:
        concept: Concept = stack.pop()
        if isinstance(concept, And):
            stack.extend(concept.operands)
        elif isinstance(concept, Exists):
            found += 1
            stack.append(concept.filler)
    return found


def dropped(kb: KB) -> dict[str, int]:
    return {drop.kind: drop.count for drop in kb.dropped if drop.logical}


@pytest.mark.parametrize("name", GALEN)
def test_galen(data: DataFile, name: str) -> None:
    kb = read(data, name)
    assert len(kb.signature.concepts) == 2748
    assert len(kb.signature.roles) == 413
    assert kb.counts_by_kind() == {"inclusion": 3238, "equivalence": 699, "role inclusion": 416}
    assert existentials(kb) == 3449
    assert dropped(kb) == {"TransitiveObjectProperty": 26, "FunctionalObjectProperty": 150}
    plain = [axiom for axiom in kb.axioms_of(Inclusion) if isinstance(axiom.left, Name)]
    assert sum(isinstance(axiom.right, Name) for axiom in plain) == 1978
    assert sum(isinstance(axiom.right, Exists) for axiom in plain) == 828
    assert sum(isinstance(axiom.right, And) for axiom in plain) == 75


def test_galen_is_the_same_in_every_serialisation(data: DataFile) -> None:
    first, *others = (read(data, name) for name in GALEN)
    assert all(other == first for other in others)
    assert all(other.statements == first.statements for other in others)
    for name in SERIALISATIONS:
        codec = format_named(name).codec
        assert codec.read(Source(name, codec.write(first).encode())) == first


def test_mouse_phenotypes(data: DataFile) -> None:
    kb = read(data, "mp.owl.gz")
    assert kb.counts_by_kind() == {"inclusion": 10_672, "equivalence": 1}
    assert len(kb.signature.concepts) == 9051
    assert dropped(kb) == {"TransitiveObjectProperty": 1}
    (equivalence,) = kb.axioms_of(Equivalence)
    assert all(isinstance(member, Name) for member in equivalence.members)


def test_dbpedia(data: DataFile) -> None:
    kb = read(data, "dbpedia_3.9.owl.gz")
    assert kb.counts_by_kind() == {
        "inclusion": 541,
        "equivalence": 50,
        "disjointness": 17,
        "role inclusion": 4,
        "domain": 760,
        "range": 680,
    }
    assert len(kb.signature.roles) == 927
    assert dropped(kb) == {
        "DataPropertyDomain": 1230,
        "DataPropertyRange": 1407,
        "FunctionalDataProperty": 26,
        "EquivalentDataProperties": 2,
    }


@pytest.mark.parametrize("name", [f"{FAMILY}.owl", f"{FAMILY}.ofn", f"{FAMILY}.owx.gz"])
def test_family(data: DataFile, name: str) -> None:
    kb = read(data, name)
    assert kb.counts_by_kind() == {
        "inclusion": 27,
        "concept assertion": 1052,
        "role assertion": 728,
    }
    assert len(kb.signature.individuals) == 202
    assert not kb.dropped
    assert kb == read(data, f"{FAMILY}.owl")


def test_degrees_of_belief(data: DataFile) -> None:
    """An OWL/XML file that calls itself `.owl`, with probabilities that are not proportions."""
    kb = read(data, "prob_father.owl")
    assert kb.counts_by_kind() == {"inclusion": 1, "concept assertion": 9, "role assertion": 4}
    assert not list(kb.conditionals)
    assert dropped(kb) == {
        "SubClassOf": 4,
        "DisjointClasses": 1,
        "ObjectPropertyDomain": 1,
        "ObjectPropertyRange": 1,
    }
    assert all("degree of belief (DISPONTE)" in drop.reason for drop in kb.dropped if drop.logical)


COMPONENTS = {
    "SubClassOf": "inclusion",
    "EquivalentClasses": "equivalence",
    "DisjointClasses": "disjointness",
    "SubObjectPropertyOf": "role inclusion",
    "ObjectPropertyDomain": "domain",
    "ObjectPropertyRange": "range",
    "ClassAssertion": "concept assertion",
    "ObjectPropertyAssertion": "role assertion",
}


@pytest.mark.parametrize("name", ["galen2.owl.gz", "mp.owl.gz", f"{FAMILY}.owl"])
def test_rdf_is_read_as_py_horned_owl_reads_it(data: DataFile, name: str) -> None:
    """RDF/XML goes through our own mapping: another one finds the same axioms."""
    source = load(data(f"owl/{name}"))
    theirs = pyhornedowl.open_ontology_from_string(source.text, "rdf")
    counts = Counter(type(component.component).__name__ for component in theirs.get_components())
    expected = {kind: counts[tag] for tag, kind in COMPONENTS.items() if counts[tag]}
    assert read(data, name).counts_by_kind() == expected
    # Their axioms, through functional syntax, give the very same knowledge base.
    functional = Source("kb", theirs.save_to_string("ofn").encode())
    if "mp" not in name:  # it has an intersection of one, which functional syntax forbids
        assert format_named("ofn").codec.read(functional) == read(data, name)


def test_rdf_has_as_many_axioms_as_triples(data: DataFile) -> None:
    triples = [
        quad.predicate.value
        for quad in ox.parse(load(data("owl/galen2.owl.gz")).data, format=ox.RdfFormat.RDF_XML)
    ]
    counts, kb = Counter(triples), read(data, "galen2.owl.gz")
    assert counts[f"{RDFS}subClassOf"] == kb.counts_by_kind()["inclusion"]
    assert counts[f"{OWL}equivalentClass"] == kb.counts_by_kind()["equivalence"]
    assert counts[f"{RDFS}subPropertyOf"] == kb.counts_by_kind()["role inclusion"]
    assert counts[f"{RDF}type"] > 0


@pytest.mark.parametrize("name", ["ofn", "owx", "owl"])
def test_py_horned_owl_reads_what_we_write(
    data: DataFile, name: Literal["ofn", "owx", "owl"]
) -> None:
    kb = read(data, "galen2.ofn.gz")
    text = format_named(name).codec.write(kb)
    components = pyhornedowl.open_ontology_from_string(text, name).get_components()
    counts = Counter(type(component.component).__name__ for component in components)
    assert {
        kind: counts[tag] for tag, kind in COMPONENTS.items() if counts[tag]
    } == kb.counts_by_kind()
    assert counts["DeclareClass"] == 2748
