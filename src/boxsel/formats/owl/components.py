"""From the components of py-horned-owl to the collector: one entry for each kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyhornedowl.model as model

from boxsel.formats.owl import axioms, expressions
from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.expressions import Expression, RoleExpression
from boxsel.formats.owl.reading import Collector
from boxsel.logic.concepts import Individual
from boxsel.machine.progress import track

_KIND_NAMES = {"Rule": "DLSafeRule"}
_HEADERS = (model.OntologyID, model.DocIRI)


def collect(components: Sequence[Any], collector: Collector) -> None:
    """Give every component of an ontology to the collector."""
    for annotated in track(components, "reading axioms", len(components)):
        component = annotated.component
        annotations = [_annotation(annotation) for annotation in annotated.ann]
        handler = _HANDLERS.get(type(component))
        if handler is not None:
            handler(collector, component, annotations)
        elif not isinstance(component, _HEADERS):
            kind = type(component).__name__
            collector.leave_out(_KIND_NAMES.get(kind, kind), annotations)


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


def _role(collector: Collector, expression: Any) -> RoleExpression:
    if isinstance(expression, model.ObjectProperty):
        return collector.names.role(str(expression.first))
    is_chain = isinstance(expression, list)
    return RoleExpression(None, "ObjectPropertyChain" if is_chain else "ObjectInverseOf")


def _individual(collector: Collector, individual: Any) -> Individual | None:
    if isinstance(individual, model.NamedIndividual):
        return collector.names.individual(str(individual.first))
    return None


Handler = Callable[[Collector, Any, list[Annotation]], None]


def _sub_class_of(to: Collector, one: Any, notes: list[Annotation]) -> None:
    to.sub_class_of(notes, _class(to, one.sub), _class(to, one.sup))


def _equivalent_classes(to: Collector, one: Any, notes: list[Annotation]) -> None:
    to.equivalent_classes(notes, [_class(to, member) for member in one.first])


def _disjoint_classes(to: Collector, one: Any, notes: list[Annotation]) -> None:
    members = [_class(to, member) for member in one.first]
    to.axiom("DisjointClasses", notes, axioms.disjoint_classes, members)


def _disjoint_union(to: Collector, one: Any, notes: list[Annotation]) -> None:
    parts = [_class(to, part) for part in one.second]
    to.axiom("DisjointUnion", notes, axioms.disjoint_union, _class(to, one.first), parts)


def _sub_property_of(to: Collector, one: Any, notes: list[Annotation]) -> None:
    sub, sup = _role(to, one.sub), _role(to, one.sup)
    to.axiom("SubObjectPropertyOf", notes, axioms.sub_property_of, sub, sup)


def _equivalent_properties(to: Collector, one: Any, notes: list[Annotation]) -> None:
    roles = [_role(to, role) for role in one.first]
    to.axiom("EquivalentObjectProperties", notes, axioms.equivalent_properties, roles)


def _domain(to: Collector, one: Any, notes: list[Annotation]) -> None:
    role, concept = _role(to, one.ope), _class(to, one.ce)
    to.axiom("ObjectPropertyDomain", notes, axioms.property_domain, role, concept)


def _range(to: Collector, one: Any, notes: list[Annotation]) -> None:
    role, concept = _role(to, one.ope), _class(to, one.ce)
    to.axiom("ObjectPropertyRange", notes, axioms.property_range, role, concept)


def _class_assertion(to: Collector, one: Any, notes: list[Annotation]) -> None:
    concept, individual = _class(to, one.ce), _individual(to, one.i)
    to.axiom("ClassAssertion", notes, axioms.class_assertion, concept, individual)


def _property_assertion(to: Collector, one: Any, notes: list[Annotation]) -> None:
    ends = _individual(to, one.source), _individual(to, one.target)
    role = _role(to, one.ope)
    to.axiom("ObjectPropertyAssertion", notes, axioms.property_assertion, role, *ends)


def _annotation_assertion(to: Collector, one: Any, _notes: list[Annotation]) -> None:
    subject = str(one.subject) if isinstance(one.subject, model.IRI) else None
    to.annotation_assertion(subject, _annotation(one.ann))


def _foreign_declaration(to: Collector, one: Any, _notes: list[Annotation]) -> None:
    to.declare_foreign(type(one).__name__, str(one.first.first))


_HANDLERS: dict[type, Handler] = {
    model.SubClassOf: _sub_class_of,
    model.EquivalentClasses: _equivalent_classes,
    model.DisjointClasses: _disjoint_classes,
    model.DisjointUnion: _disjoint_union,
    model.SubObjectPropertyOf: _sub_property_of,
    model.EquivalentObjectProperties: _equivalent_properties,
    model.ObjectPropertyDomain: _domain,
    model.ObjectPropertyRange: _range,
    model.ClassAssertion: _class_assertion,
    model.ObjectPropertyAssertion: _property_assertion,
    model.AnnotationAssertion: _annotation_assertion,
    model.OntologyAnnotation: lambda to, one, _: to.ontology_annotation(_annotation(one.first)),
    model.DeclareClass: lambda to, one, _: to.declare_concept(str(one.first.first)),
    model.DeclareObjectProperty: lambda to, one, _: to.declare_role(str(one.first.first)),
    model.DeclareNamedIndividual: lambda to, one, _: to.declare(
        to.names.individual(str(one.first.first))
    ),
    model.DeclareAnnotationProperty: _foreign_declaration,
    model.DeclareDataProperty: _foreign_declaration,
    model.DeclareDatatype: _foreign_declaration,
}
