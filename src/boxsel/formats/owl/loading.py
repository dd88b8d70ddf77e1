"""Parsing with py-horned-owl, safely.

What the parser says about bad input is a debug string of Rust: it is turned into one clear
message. What it would die of is refused before.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import pyhornedowl

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl.nesting import FUNCTIONAL, check_nesting
from boxsel.formats.source import Source

_HUGE_CARDINALITY = re.compile(r"Cardinality\s*\(\s*(?=\d{10})")

_LINE_AND_COLUMN = re.compile(r"line_col: (?:Pos|Span)\(\((\d+), (\d+)\)")
_BYTES = re.compile(r"Byte(?:Position|Span)\((\d+)(?:\.\.(\d+))?")
_EXPECTED = re.compile(r"positives: \[([^\]]*)\]")
_VALIDITY = re.compile(r'ValidityError\("((?:[^"\\]|\\.)*)"')
_WORDS = {
    "OntologyDocument": "an ontology in functional syntax: Ontology( … )",
    "OntologyAxiom": "an axiom or the end of the ontology",
    "IRI": "an IRI",
    "OboDoc": "an OBO header, such as format-version: 1.4",
    "SPARQL_PnameNs": "a prefix such as ex:",
    "EOI": "the end of the file",
    "EOL": "the end of the line",
}
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def parse_functional(text: str, source: Source) -> Any:
    """The ontology in a text in functional syntax."""
    check_nesting(text, FUNCTIONAL, source)
    if match := _HUGE_CARDINALITY.search(text):
        line = text.count("\n", 0, match.end()) + 1
        raise ReadError(Diagnostic("a cardinality is too large", file=source.file, line=line))
    return parse(text, "ofn", source)


def parse(text: str, serialisation: Literal["ofn", "obo"], source: Source) -> Any:
    """The ontology in a text that is nested no deeper than the parser can bear."""
    try:
        return pyhornedowl.open_ontology_from_string(text, serialisation)
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # a panic in Rust is not an Exception
        raise ReadError(_diagnosis(str(error), text, source)) from None


def _diagnosis(problem: str, text: str, source: Source) -> Diagnostic:
    """What matters in a debug string of the parser."""
    line = column = shown = None
    found = ""
    if match := _LINE_AND_COLUMN.search(problem):
        line, column = int(match[1]), int(match[2])
        shown = text.split("\n")[line - 1].rstrip("\r")
    elif match := _BYTES.search(problem):
        data, start = text.encode(), int(match[1])
        line = data.count(b"\n", 0, start) + 1
        found = data[start : int(match[2] or start)].decode(errors="replace")
    if match := _EXPECTED.search(problem):
        message = f"expected {_alternatives(match[1].split(', '))}"
    elif match := _VALIDITY.search(problem):
        message = f"this is not valid: {match[1]} {found}".rstrip()
    else:
        message = f"the parser gave up: {problem[:200]}"
    return Diagnostic(message, file=source.file, line=line, column=column, text=shown)


def _alternatives(rules: list[str]) -> str:
    """The parser's rules in words."""
    words = dict.fromkeys(
        "an absolute IRI" if rule.startswith("RFC3987") else _WORDS.get(rule) or _spelt(rule)
        for rule in rules
        if rule
    )
    return " or ".join(words) or "something else"


def _spelt(rule: str) -> str:
    """`ClassExpression` as a class expression."""
    words = _CAPITAL.sub(" ", rule).lower()
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"
