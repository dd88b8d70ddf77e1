"""Ontologies that py-horned-owl parses, safely, and their components for the collector.

What the parser says about bad input is a debug string of Rust: it is turned into one clear
message. What it would die of is refused before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import pyhornedowl
import pyhornedowl.model as model

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl import expressions
from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.expressions import Expression, RoleExpression
from boxsel.formats.owl.reading import Collector
from boxsel.formats.owl.wellformed import FUNCTIONAL, check_nesting
from boxsel.formats.source import Source
from boxsel.logic.concepts import Individual
from boxsel.machine.progress import track

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


_KIND_NAMES = {"Rule": "DLSafeRule"}
_HEADERS = (model.OntologyID, model.DocIRI)


def collect(components: Sequence[Any], to: Collector) -> None:
    """Give every component of an ontology to the collector."""
    for annotated in track(components, "reading axioms", len(components)):
        component = annotated.component
        kind = type(component)
        name = _KIND_NAMES.get(kind.__name__, kind.__name__)
        if kind in _PARTS:
            notes = [_annotation(annotation) for annotation in annotated.ann]
            to.axiom(name, notes, *_PARTS[kind](to, component))
        elif kind is model.AnnotationAssertion:
            is_named = isinstance(component.subject, model.IRI)
            subject = str(component.subject) if is_named else None
            to.annotation_assertion(subject, _annotation(component.ann))
        elif kind is model.OntologyAnnotation:
            to.ontology_annotation(_annotation(component.first))
        elif name.startswith("Declare"):
            to.declare(name, str(component.first.first))
        elif kind not in _HEADERS:
            to.leave_out(name, [_annotation(annotation) for annotation in annotated.ann])


def _annotation(annotation: Any) -> Annotation:
    value, name = annotation.av, str(annotation.ap.first)
    if isinstance(value, model.IRI):
        return Annotation(name, str(value))
    if isinstance(value, model.AnonymousIndividual):
        return Annotation(name, f"_:{value.first}")
    return Annotation(name, value.literal, getattr(value, "lang", ""))


def _class(collector: Collector, expression: Any) -> Expression:
    """A class expression; recursion is bounded by the nesting that loading allows."""
    kind = type(expression)
    if kind is model.Class:
        return collector.names.concept(str(expression.first))
    if kind is model.ObjectIntersectionOf:
        members = []
        for member in expression.first:  # no comprehension: it would double the stack
            members.append(_class(collector, member))
        return expressions.intersection(members)
    if kind is model.ObjectSomeValuesFrom:
        role = _role(collector, expression.ope)
        return expressions.existential(role, _class(collector, expression.bce))
    if kind in (model.ObjectMinCardinality, model.ObjectExactCardinality):
        read = expressions.at_least if kind is model.ObjectMinCardinality else expressions.exactly
        role = _role(collector, expression.ope)
        return read(expression.n, role, _class(collector, expression.bce))
    if kind is model.ObjectHasValue:
        target = _individual(collector, expression.i)
        return expressions.has_value(_role(collector, expression.ope), target)
    if kind is model.ObjectHasSelf:
        return expressions.has_self(_role(collector, expression.first))
    return expressions.foreign(kind.__name__)


def _classes(collector: Collector, members: Iterable[Any]) -> list[Expression]:
    return [_class(collector, member) for member in members]


def _role(collector: Collector, expression: Any) -> RoleExpression:
    if isinstance(expression, model.ObjectProperty):
        return collector.names.role(str(expression.first))
    is_chain = isinstance(expression, list)
    return RoleExpression(None, "ObjectPropertyChain" if is_chain else "ObjectInverseOf")


def _individual(collector: Collector, individual: Any) -> Individual | None:
    if isinstance(individual, model.NamedIndividual):
        return collector.names.individual(str(individual.first))
    return None


_PARTS: dict[type, Callable[[Collector, Any], tuple[Any, ...]]] = {
    model.SubClassOf: lambda to, axiom: (_class(to, axiom.sub), _class(to, axiom.sup)),
    model.EquivalentClasses: lambda to, axiom: (_classes(to, axiom.first),),
    model.DisjointClasses: lambda to, axiom: (_classes(to, axiom.first),),
    model.DisjointUnion: lambda to, axiom: (_class(to, axiom.first), _classes(to, axiom.second)),
    model.SubObjectPropertyOf: lambda to, axiom: (_role(to, axiom.sub), _role(to, axiom.sup)),
    model.EquivalentObjectProperties: lambda to, axiom: ([_role(to, one) for one in axiom.first],),
    model.ObjectPropertyDomain: lambda to, axiom: (_role(to, axiom.ope), _class(to, axiom.ce)),
    model.ObjectPropertyRange: lambda to, axiom: (_role(to, axiom.ope), _class(to, axiom.ce)),
    model.ClassAssertion: lambda to, axiom: (_class(to, axiom.ce), _individual(to, axiom.i)),
    model.ObjectPropertyAssertion: lambda to, axiom: (
        _role(to, axiom.ope),
        _individual(to, axiom.source),
        _individual(to, axiom.target),
    ),
}
"""The parts of an axiom of each kind that SEL has, as the collector takes them."""
