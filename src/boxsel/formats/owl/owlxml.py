"""OWL 2 in OWL/XML, which is read by rewriting it as functional syntax.

The two are the same tree in different brackets. Rewriting leaves one grammar to parse, and
takes care of what belongs to XML alone: entities, CDATA, bases of relative IRIs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, NoReturn
from urllib.parse import urljoin

from boxsel.errors import Diagnostic, InvalidStatementError, ReadError
from boxsel.formats.owl.functional import quoted
from boxsel.formats.owl.horned import collect, parse_functional
from boxsel.formats.owl.iris import OWL, readable_prefixes, required_absolute, strict
from boxsel.formats.owl.reading import Collector, problems_named
from boxsel.formats.owl.wellformed import (
    MAX_NESTING,
    SEPARATOR,
    Root,
    expect_root,
    new_parser,
    parse_all,
    too_deep,
    xml_text,
)
from boxsel.formats.owl.writing import (
    Node,
    OwlOntology,
    annotation_node,
    owl_ontology,
    statement_nodes,
)
from boxsel.formats.source import Source
from boxsel.logic.kb import KB
from boxsel.logic.names import BUILTIN_PREFIXES, Prefixes


def read(source: Source) -> KB:
    """The knowledge base in an OWL/XML file."""
    with problems_named(source):
        rewritten = rewrite(source)
        try:
            ontology = parse_functional(rewritten.text, source)
        except ReadError as error:
            raise ReadError(*map(rewritten.traced, error.diagnostics)) from None
        collector = Collector()
        collect(ontology.get_components(), collector)
        return collector.finish(readable_prefixes(rewritten.prefixes.items()))


def write(kb: KB) -> str:
    """The knowledge base as an OWL/XML document.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> print(write(KB.of(A <= B)))
        <?xml version="1.0" encoding="UTF-8"?>
        <Ontology xmlns="http://www.w3.org/2002/07/owl#">
          <Declaration><Class IRI="urn:boxsel:A"/></Declaration>
          <Declaration><Class IRI="urn:boxsel:B"/></Declaration>
          <SubClassOf>
            <Class IRI="urn:boxsel:A"/>
            <Class IRI="urn:boxsel:B"/>
          </SubClassOf>
        </Ontology>
        <BLANKLINE>
    """
    return "".join(f"{line}\n" for line in _lines(owl_ontology(kb), kb.prefixes))


def _lines(ontology: OwlOntology, prefixes: Prefixes) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<Ontology xmlns="{OWL}">'
    for prefix, namespace in prefixes.items():
        yield f'  <Prefix name="{xml_text(prefix)}" IRI="{xml_text(namespace)}"/>'
    for node in chain(map(annotation_node, ontology.annotations), statement_nodes(ontology)):
        yield _element(node, "  ")
    yield "</Ontology>"


def _element(node: Node, indent: str) -> str:
    tag, inside = node
    if isinstance(inside, str):
        said = xml_text(inside)
        is_text = tag in ("IRI", "Literal")
        return f"{indent}<{tag}>{said}</{tag}>" if is_text else f'{indent}<{tag} IRI="{said}"/>'
    if tag == "Declaration":
        return f"{indent}<{tag}>{_element(inside[0], '')}</{tag}>"
    parts = "\n".join([_element(part, f"{indent}  ") for part in inside])
    return f"{indent}<{tag}>\n{parts}\n{indent}</{tag}>"


_ROOT: Final = f"{OWL}{SEPARATOR}Ontology"
_XML: Final = f"http://www.w3.org/XML/1998/namespace{SEPARATOR}"
_ENTITIES: Final = frozenset(
    {
        "Class",
        "ObjectProperty",
        "DataProperty",
        "AnnotationProperty",
        "NamedIndividual",
        "Datatype",
    }
)
_OBJECT_PROPERTIES: Final = frozenset({"ObjectProperty", "ObjectInverseOf"})
_JUNCTIONS: Final = frozenset({"ObjectIntersectionOf", "ObjectUnionOf"})


@dataclass(slots=True)
class _Element:
    tag: str
    attributes: dict[str, str]
    base: str
    line: int
    children: list[tuple[str, str]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Rewritten:
    """An ontology in functional syntax, and where its axioms stand in the OWL/XML file."""

    text: str
    prefixes: dict[str, str]
    starts: list[int]
    origins: list[tuple[int, str]]

    def traced(self, problem: Diagnostic) -> Diagnostic:
        """A problem in the rewritten text as one of the OWL/XML file: its line and element."""
        place = bisect_right(self.starts, problem.line or 0) - 1
        if place < 0:
            return replace(problem, line=None, column=None, text=None)
        line, tag = self.origins[place]
        message = f"in {tag}: {problem.message}"
        return replace(problem, message=message, line=line, column=None, text=None)


def rewrite(source: Source) -> Rewritten:
    """The ontology of an OWL/XML file in functional syntax."""
    rewriter = _Rewriter(source)
    parse_all(rewriter.parser, source)
    return rewriter.result()


class _Rewriter:
    """Takes the events of an XML parser; every finished element becomes text."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._stack: list[_Element] = []
        self._pieces: list[str] = []
        self._origins: list[tuple[int, str]] = []
        self._prefixes: dict[str, str] = {}
        self._iris: dict[tuple[str, str], str] = {}
        self.parser = new_parser()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def result(self) -> Rewritten:
        starts, line = [], 2
        for piece in self._pieces:
            starts.append(line)
            line += piece.count("\n") + 1
        text = "\n".join(["Ontology(", *self._pieces, ")"])
        return Rewritten(text, self._prefixes, starts, self._origins)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, tag = name.rpartition(SEPARATOR)
        if not self._stack:
            expect_root(Root(name, self.parser.CurrentLineNumber), _ROOT, "OWL/XML", self._source)
        if namespace != OWL:
            self._fail(f"expected an element of OWL/XML, found {tag} in <{namespace}>")
        if len(self._stack) > MAX_NESTING:
            too_deep(self._source, self.parser.CurrentLineNumber)
        outer = self._stack[-1].base if self._stack else ""
        base = urljoin(outer, attributes.get(f"{_XML}base", ""))
        self._stack.append(_Element(tag, attributes, base, self.parser.CurrentLineNumber))

    def _characters(self, text: str) -> None:
        self._stack[-1].text.append(text)

    def _end(self, _name: str) -> None:
        element = self._stack.pop()
        if not self._stack:
            return
        if element.tag == "Prefix":
            self._prefixes[element.attributes.get("name", "")] = self._attribute(element, "IRI")
            return
        written = self._write(element)
        if len(self._stack) == 1:
            self._pieces.append(written)
            self._origins.append((element.line, element.tag))
        else:
            self._stack[-1].children.append((element.tag, written))

    def _write(self, element: _Element) -> str:
        tag = element.tag
        children = [text for _, text in element.children]
        if tag in _ENTITIES:
            iri = self._iri(element)
            return f"{tag}({iri})" if self._stack[-1].tag == "Declaration" else iri
        if tag in ("IRI", "AbbreviatedIRI", "Import"):
            text = "".join(element.text).strip()
            iri = self._expanded(text) if tag == "AbbreviatedIRI" else self._absolute(text, element)
            return f"Import({iri})" if tag == "Import" else iri
        if tag == "Literal":
            return self._literal(element)
        if tag == "AnonymousIndividual":
            return "_:" + self._attribute(element, "nodeID").removeprefix("_:")
        if tag == "FacetRestriction":
            return f"<{self._attribute(element, 'facet')}> {' '.join(children)}"
        if tag == "HasKey":
            return _has_key(element)
        if tag in _JUNCTIONS and len(children) == 1:
            return children[0]  # invalid, yet some tools write it: a junction of one is that one
        if tag in ("Variable", "BuiltInAtom"):
            children.insert(0, self._iri(element))
        if "cardinality" in element.attributes:
            children.insert(0, element.attributes["cardinality"])
        return f"{tag}({' '.join(children)})"

    def _literal(self, element: _Element) -> str:
        literal = quoted("".join(element.text))
        if language := element.attributes.get(f"{_XML}lang"):
            return f"{literal}@{language}"
        if datatype := element.attributes.get("datatypeIRI"):
            return f"{literal}^^{self._absolute(datatype, element)}"
        return literal

    def _iri(self, element: _Element) -> str:
        if "abbreviatedIRI" in element.attributes:
            return self._expanded(element.attributes["abbreviatedIRI"])
        return self._absolute(self._attribute(element, "IRI"), element)

    def _expanded(self, text: str) -> str:
        prefix, _, local = text.partition(":")
        namespace = self._prefixes.get(prefix) or BUILTIN_PREFIXES.get(prefix)
        if namespace is None:
            self._fail(f"the prefix '{prefix}:' of {text!r:.80} is not declared")
        return self._absolute(namespace + local, self._stack[-1])

    def _absolute(self, iri: str, element: _Element) -> str:
        known = self._iris.get((element.base, iri))
        if known is None:
            # Fragments first: urljoin does not know bases without a path, such as urn:x.
            if iri.startswith("#"):
                joined = element.base.partition("#")[0] + iri
            else:
                joined = urljoin(element.base, iri)
            try:
                known = f"<{strict(required_absolute(joined))}>"
            except InvalidStatementError as error:
                self._fail(str(error))
            self._iris[element.base, iri] = known
        return known

    def _attribute(self, element: _Element, name: str) -> str:
        if name not in element.attributes:
            self._fail(f"the element {element.tag} has no attribute {name}")
        return element.attributes[name]

    def _fail(self, message: str) -> NoReturn:
        line = self.parser.CurrentLineNumber
        raise ReadError(Diagnostic(message, file=self._source.file, line=line))


def _has_key(element: _Element) -> str:
    (_, first), *keys = element.children or [("", "")]
    objects = [text for tag, text in keys if tag in _OBJECT_PROPERTIES]
    data = [text for tag, text in keys if tag not in _OBJECT_PROPERTIES]
    return f"HasKey({first} ({' '.join(objects)}) ({' '.join(data)}))"
