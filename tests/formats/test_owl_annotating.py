"""Statements inside an ontology: it reads back with them, and nothing else in it has changed."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import boxsel
from boxsel.errors import BoxselError, WriteError
from boxsel.formats.owl.annotating import annotated
from boxsel.formats.registry import format_named
from boxsel.formats.source import Source
from boxsel.logic.axioms import conditional
from boxsel.logic.concepts import Name, names
from boxsel.logic.kb import KB
from tests.conftest import DataFile
from tests.depth import cases
from tests.strategies import kbs

A, B = names("A B")
SHARES = KB.of(conditional(A, given=B, count=(7, 12)).annotate(source="PMID:1 & <2>, \u00e4"))
SYNTAXES = {"owl": ox.RdfFormat.RDF_XML, "ttl": ox.RdfFormat.TURTLE}


def canonical(data: bytes, syntax: ox.RdfFormat) -> set[str]:
    """The triples of a file without its blank nodes' names, which mean nothing."""
    dataset = ox.Dataset(ox.parse(data, format=syntax, base_iri="urn:base:", lenient=True))
    return {re.sub(r"_:\\w+", "_:", str(quad)) for quad in dataset}


@given(kbs(), kbs(), st.sampled_from(["owl", "ttl", "ofn"]))
@settings(max_examples=cases(60))
def test_reading_back_gives_both_and_every_byte_is_there(kb: KB, more: KB, name: str) -> None:
    codec = format_named(name)
    try:
        data = codec.encode(kb)
    except WriteError:
        assume(False)
    try:
        found = annotated(Source(f"kb.{name}", data), more, new=True)
    except BoxselError:  # a name of one is another kind of thing in the other
        return
    assert set(kb.statements) <= set(found.kb.statements)
    assert found.kb.labels.items() >= kb.labels.items()
    assert found.kb.dropped == kb.dropped
    written = found.data
    for line in data.rstrip().removesuffix(b")").splitlines():
        assert line in written
    if name in SYNTAXES:
        assert canonical(data, SYNTAXES[name]) <= canonical(written, SYNTAXES[name])


ONTOLOGY = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [<!ENTITY owl "http://www.w3.org/2002/07/owl#">]>
<!-- a comment that stays -->
<x:RDF xmlns:x="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xml:base="http://e.org/o"
  xmlns:owl="&owl;" xmlns:s="http://www.w3.org/2000/01/rdf-schema#" xml:lang="de">
  <owl:Ontology x:about=""><owl:imports x:resource="http://e.org/other"/></owl:Ontology>
  <owl:Class x:about="#A"><s:label>Gr\u00f6\u00dfe</s:label></owl:Class>
  <owl:Class x:about="http://e.org/o#B"/>
  <owl:TransitiveProperty x:about="#part"/>
</x:RDF>
<!-- the end -->
"""


def test_whatever_a_file_is_like_it_stays() -> None:
    data = ONTOLOGY.encode()
    found = annotated(Source("o.owl", data), SHARES)
    start, end = data.split(b"</x:RDF>")
    assert found.data.startswith(start)
    assert found.data.endswith(b"</x:RDF>" + end)
    assert set(found.kb.conditionals) == {
        conditional(Name("http://e.org/o#A"), given=Name("http://e.org/o#B"), count=(7, 12))
    }
    (statement,) = (one for one in found.kb if one.note.source)
    assert statement.note.source == "PMID:1 & <2>, \u00e4"
    assert [str(entity) for entity in found.matched] == ["A", "B"]


def test_names_are_found_by_local_name_label_or_not_at_all() -> None:
    source = Source("o.owl", ONTOLOGY.encode())
    (found,) = annotated(
        source, KB.of(conditional(Name("Gr\u00f6\u00dfe"), given=B, exactly=1))
    ).kb.conditionals
    assert str(found.head) == "<http://e.org/o#A>"
    (found,) = annotated(source, KB.of(conditional(Name("a"), given=B, exactly=1))).kb.conditionals
    assert str(found.head) == "<http://e.org/o#A>"
    other = KB.of(conditional(Name("Gr\u00f6se"), given=B, exactly=1))
    with pytest.raises(BoxselError, match="did you mean Gr\u00f6\u00dfe"):
        annotated(source, other)
    assert [str(entity) for entity in annotated(source, other, new=True).new] == ["Gr\u00f6se"]
    twice = Source(
        "o.owl", source.data.replace(b"#part", b"other#A").replace(b"Transitive", b"Object")
    )
    assert annotated(twice, KB.of(conditional(A, given=B, exactly=1)))  # a role is no concept
    twice = Source("o.owl", twice.data.replace(b"owl:ObjectProperty", b"owl:Class"))
    with pytest.raises(BoxselError, match="could be several names of o"):
        annotated(twice, KB.of(conditional(A, given=B, exactly=1)))


def test_what_statements_cannot_be_written_into_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"added to \.owl, \.ttl, \.ofn, not to SEL text"):
        annotated(Source("kb.sel", b"A SubClassOf B"), SHARES)
    file = tmp_path / "o.owl"
    file.write_bytes(ONTOLOGY.encode())
    with pytest.raises(WriteError, match="also its syntax: OWL 2 in RDF/XML, so name the file"):
        boxsel.annotate(file, SHARES, tmp_path / "o.ttl")
    boxsel.annotate(file, SHARES, file)
    assert boxsel.read(file).bounds("(A | B)").lower == next(SHARES.conditionals).bounds.lower


@pytest.mark.parametrize(
    "file",
    [
        "family-benchmark_rich_background.owl",
        "family-benchmark_rich_background.ofn",
        pytest.param("dbpedia_3.9.owl.gz", marks=pytest.mark.deep),
    ],
)
def test_real_ontologies_keep_all_that_they_have(file: str, data: DataFile) -> None:
    raw = data(f"owl/{file}").read_bytes()
    raw = gzip.decompress(raw) if file.endswith(".gz") else raw
    before = boxsel.read(data(f"owl/{file}"))
    head, body = before.signature.concepts[:2]
    found = annotated(Source(file, raw), KB.of(conditional(head, given=body, exactly="0.3")))
    assert set(found.kb.statements) - set(before.statements) == set(
        KB.of(conditional(head, given=body, exactly="0.3"))
    )
    assert found.kb.dropped == before.dropped
    if ".owl" in file:
        assert canonical(raw, SYNTAXES["owl"]) <= canonical(found.data, SYNTAXES["owl"])


@pytest.mark.parametrize("name", ["owl", "ttl", "ofn"])
def test_an_ontology_in_another_encoding_is_refused_whole(name: str) -> None:
    text = format_named(name).codec.write(KB.of(A <= B))
    with pytest.raises(WriteError, match="statements are added to text in UTF-8"):
        annotated(Source(f"kb.{name}", text.encode("utf-16")), SHARES)
