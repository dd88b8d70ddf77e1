"""A file's format is told from its content before its name."""

from __future__ import annotations

import pytest

from boxsel.errors import BoxselError, WriteError
from boxsel.formats.registry import (
    FORMATS,
    Format,
    format_named,
    format_of_path,
    output_format,
    recognise,
)
from boxsel.formats.source import Source
from boxsel.formats.table_columns import WRITTEN as COLUMNS
from boxsel.syntax.parser import parse_kb

OPENINGS = {
    "owl": '<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF [\n <!ENTITY a "b>" >\n]>\n<rdf:RDF a="x">',
    "owx": '<?xml version="1.0"?>\n<!-- <rdf:RDF -->\n<Ontology xmlns="x">',
    "ofn": "# comment\nPrefix(:=<http://x/>)\nOntology(<http://x>)",
    "ttl": "# comment\n@prefix owl: <http://www.w3.org/2002/07/owl#> .",
    "obo": "! comment\nformat-version: 1.2\n",
    "json": '\n {"boxsel": 1}',
    "csv": "\ufeffbody;head;lower;upper\n",
    "sel": "Prefix: ex: <http://x/>\nA SubClassOf B",
}


@pytest.mark.parametrize(("name", "text"), OPENINGS.items())
def test_content_decides_whatever_the_extension(name: str, text: str) -> None:
    assert recognise(Source("-", text.encode())).name == name
    if name != "sel":
        assert recognise(Source("kb.sel", text.encode())).name == name
        assert recognise(Source("kb.owl.gz", text.encode())).name == name


def test_without_telling_content_the_extension_decides() -> None:
    for entry in FORMATS:
        for extension in entry.extensions:
            assert recognise(Source(f"kb{extension.upper()}.gz", b"...")) == entry
    assert recognise(Source("<stdin>", b"A SubClassOf B")).name == "sel"


def test_a_table_is_recognised_whatever_its_first_column() -> None:
    for column in COLUMNS:
        assert recognise(Source("-", f"{column};head;body\n".encode())).name == "csv"
        assert recognise(Source("-", f"{column}\thead\tbody\n".encode())).name == "tsv"


def test_every_format_is_named_and_can_be_loaded() -> None:
    for entry in FORMATS:
        assert format_named(entry.name) is entry
        assert callable(entry.codec.read)
        assert not entry.written or callable(entry.codec.write)


@pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.name)
def test_restrictions_nested_without_parentheses_survive_every_format(entry: Format) -> None:
    stated = "(q some s some r some B | A)[0.25]"
    rest = "D SubClassOf s some r some B and A\nr some B SubClassOf D"
    kb = parse_kb(f"{stated}\n{rest}")
    try:
        written = entry.encode(kb)
    except WriteError:
        assert entry.name == "obo" or not entry.written  # OBO cannot say it, and says so
        return
    assert entry.codec.read(Source("kb", written)) == kb


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(BoxselError, match="choose one of sel, owl"):
        format_named("docx")
    with pytest.raises(BoxselError, match="the extension names no format"):
        output_format("kb.docx", None)
    with pytest.raises(BoxselError, match="--to"):
        output_format(None, None)
    assert format_of_path("kb") is None
