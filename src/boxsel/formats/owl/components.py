"""From the components of py-horned-owl to the collector."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pyhornedowl.model as model

from boxsel.formats.owl import expressions
from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.expressions import Expression, RoleExpression
from boxsel.formats.owl.reading import Collector
from boxsel.logic.concepts import Individual
from boxsel.machine.progress import track

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
