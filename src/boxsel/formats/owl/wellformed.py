"""Texts before they are parsed: how deep they are nested, and whether XML is well-formed.

Parsers recurse without a limit and overflow the stack on deep nesting, or take very long. RDF/XML
and OWL/XML also share what is XML: the root, and what text may hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape

from boxsel.errors import Diagnostic, ReadError, WriteError
from boxsel.formats.source import Source
from boxsel.logic.concepts import MAX_DEPTH

MAX_NESTING: Final = 2 * MAX_DEPTH + 50
"""How deep brackets or elements may be nested: existentials with a conjunction in each."""

# Strings, IRIs and comments hold brackets that do not count. Each alternative also matches up
# to the end of the text: an unclosed string must not be tried again from every quote in it.
_IRI_OR_COMMENT: Final = r"<[^<>\s]*>?|#[^\n]*"
_DOUBLE: Final = r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)'
_SINGLE: Final = _DOUBLE.replace('"', "'")
_LONG: Final = r'"""(?:[^"\\]|\\.|"(?!""))*(?:"""|\\?\Z)'
_LONG_SINGLE: Final = _LONG.replace('"', "'")

FUNCTIONAL: Final = re.compile(rf"{_DOUBLE}|{_IRI_OR_COMMENT}|[()]", re.DOTALL)
"""What matters for nesting in functional syntax."""

TURTLE: Final = re.compile(
    rf"{_LONG}|{_LONG_SINGLE}|{_DOUBLE}|{_SINGLE}|{_IRI_OR_COMMENT}|\\.|[()\[\]]", re.DOTALL
)
"""What matters for nesting in Turtle."""


def check_nesting(text: str, tokens: re.Pattern[str], source: Source) -> None:
    """Refuse a text whose brackets are nested too deep."""
    depth = 0
    for match in tokens.finditer(text):
        token = match[0]
        if token in "([":
            depth += 1
            if depth > MAX_NESTING:
                too_deep(source, text.count("\n", 0, match.start()) + 1)
        elif token in ")]":
            depth -= 1


def too_deep(source: Source, line: int | None = None) -> NoReturn:
    """Raise the error that an expression is nested too deep."""
    message = f"a class expression is nested too deep: boxsel takes {MAX_DEPTH} levels"
    raise ReadError(Diagnostic(message, file=source.file, line=line))


SEPARATOR: Final = " "
"""Between the namespace and the local name of an element: no IRI holds a space."""

_MAX_ELEMENTS: Final = 2 * MAX_NESTING
"""How deep elements may be nested: RDF/XML takes two for each level of an expression."""

_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class Root:
    """The root element of a document and the prefixes that it declares."""

    name: str = ""
    line: int = 1
    prefixes: dict[str, str] = field(default_factory=dict)


def new_parser() -> expat.XMLParserType:
    """A parser of UTF-8, whatever the document says of itself: it was decoded before."""
    parser = expat.ParserCreate("UTF-8", SEPARATOR)
    parser.buffer_text = True
    return parser


def parse_all(parser: expat.XMLParserType, source: Source) -> None:
    """Run a parser over a whole document; an error says where the document is broken."""
    if not source.text.strip():
        raise ReadError(Diagnostic("the file is empty", source.file))
    try:
        parser.Parse(source.text.encode(), True)
    except expat.ExpatError as error:
        problem = expat.ErrorString(error.code)
        advice = "the file may be cut short" if error.code in _CUT_SHORT else None
        raise ReadError(
            Diagnostic(
                f"this is not well-formed XML: {problem}",
                file=source.file,
                line=error.lineno,
                column=error.offset + 1,
                help=advice,
            )
        ) from None


def root_of(source: Source) -> Root:
    """The root of a document, all of which is checked to be well-formed and not too deep."""
    root = Root()
    parser = new_parser()

    depth = 0

    def started(name: str, _attributes: dict[str, str]) -> None:
        nonlocal depth
        if not root.name:
            root.name, root.line = name, parser.CurrentLineNumber
            parser.StartNamespaceDeclHandler = None
        depth += 1
        if depth > _MAX_ELEMENTS:
            too_deep(source, parser.CurrentLineNumber)

    def ended(_name: str) -> None:
        nonlocal depth
        depth -= 1

    def declared(prefix: str | None, namespace: str | None) -> None:
        root.prefixes[prefix or ""] = namespace or ""

    parser.StartElementHandler = started
    parser.EndElementHandler = ended
    parser.StartNamespaceDeclHandler = declared
    parse_all(parser, source)
    return root


def expect_root(root: Root, expected: str, title: str, source: Source) -> None:
    """Refuse a document of another kind."""
    if root.name != expected:
        found, wanted = (name.rpartition(SEPARATOR)[2] for name in (root.name, expected))
        message = f"expected {title} with the root element {wanted}, found {found}"
        raise ReadError(Diagnostic(message, file=source.file, line=root.line))


def xml_text(text: str) -> str:
    """Text as XML holds it between tags or in double quotes."""
    if match := _FORBIDDEN.search(text):
        raise WriteError(
            f"XML cannot hold the character U+{ord(match[0]):04X} in {text!r:.80}: "
            "write .sel, .json, .ofn or .ttl instead"
        )
    return escape(text, {'"': "&quot;", "\r": "&#13;"})


_CUT_SHORT = frozenset(
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)
