"""Axioms that are single triples or nodes of an RDF graph, by predicate and by type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from boxsel.formats.owl.axioms import Loss
from boxsel.formats.owl.expressions import RoleExpression
from boxsel.formats.owl.rdf.expressions import (
    INVERSE,
    NAMED_DEFINITIONS,
    GraphExpressions,
    Properties,
)
from boxsel.formats.owl.rdf.graph import Annotations, Graph, Node, Resource, is_blank
from boxsel.formats.owl.reading import Collector
from boxsel.formats.owl.vocabulary import OWL, RDFS

UNRECOGNISED: Final = Loss("triple", "no axiom of OWL is written like this")
MEMBERS: Final = (OWL + "members", OWL + "distinctMembers")


@dataclass(frozen=True, slots=True)
class Context:
    """What every axiom of a graph is read with."""

    graph: Graph
    to: Collector
    classes: GraphExpressions
    properties: Properties


Handler = Callable[[Context, Resource, Node, Annotations], None]


def _sub_class_of(on: Context, subject: Resource, value: Node, notes: Annotations) -> None:
    on.to.axiom("SubClassOf", notes, on.classes.build(subject), on.classes.build(value))


def _equivalent_class(on: Context, subject: Resource, value: Node, notes: Annotations) -> None:
    if on.classes.is_datatype(subject) or on.classes.is_datatype(value):
        on.to.leave_out("DatatypeDefinition", notes)
    else:
        members = [on.classes.build(subject), on.classes.build(value)]
        on.to.axiom("EquivalentClasses", notes, members)


def _definition(predicate: str) -> Handler:
    """OWL 1 lets a named class be described as if it were anonymous."""

    def read(on: Context, subject: Resource, value: Node, notes: Annotations) -> None:
        if not is_blank(subject):
            defined = on.classes.definition(predicate, value)
            on.to.axiom("EquivalentClasses", notes, [on.classes.build(subject), defined])

    return read


def _disjoint_with(on: Context, subject: Resource, value: Node, notes: Annotations) -> None:
    members = [on.classes.build(subject), on.classes.build(value)]
    on.to.axiom("DisjointClasses", notes, members)


def _disjoint_union_of(on: Context, subject: Resource, value: Node, notes: Annotations) -> None:
    parts = on.graph.items(value)
    if parts is None:
        on.to.lose(UNRECOGNISED)
        return
    whole, members = on.classes.build(subject), [on.classes.build(part) for part in parts]
    on.to.axiom("DisjointUnion", notes, whole, members)


def _chain(on: Context, subject: Resource, _value: Node, notes: Annotations) -> None:
    roles = RoleExpression(None, "ObjectPropertyChain"), on.classes.role(subject)
    on.to.axiom("SubObjectPropertyOf", notes, *roles)


def _inverse_of(on: Context, subject: Resource, _value: Node, notes: Annotations) -> None:
    if not is_blank(subject):
        on.to.leave_out("InverseObjectProperties", notes)


def _left_out(kind: str) -> Handler:
    return lambda on, _subject, _value, notes: on.to.leave_out(kind, notes)


def _about_role(
    name: str, parts: Callable[[GraphExpressions, Resource, Node], tuple[Any, ...]] | None = None
) -> Handler:
    """An axiom about a property: SEL may have it if that is a role, and has it if it has parts."""

    def read(on: Context, subject: Resource, value: Node, notes: Annotations) -> None:
        property_kind = on.properties.kind(subject)
        kind = name.format(property_kind.capitalize())
        if property_kind != "object" or parts is None:
            on.to.leave_out(kind, notes, logical=property_kind != "annotation")
        else:
            on.to.axiom(kind, notes, *parts(on.classes, subject, value))

    return read


def _role_and_class(of: GraphExpressions, subject: Resource, value: Node) -> tuple[Any, ...]:
    return of.role(subject), of.build(value)


PREDICATES: Final[dict[str, Handler]] = {
    RDFS + "subClassOf": _sub_class_of,
    OWL + "equivalentClass": _equivalent_class,
    OWL + "disjointWith": _disjoint_with,
    OWL + "disjointUnionOf": _disjoint_union_of,
    OWL + "hasKey": _left_out("HasKey"),
    RDFS + "subPropertyOf": _about_role(
        "Sub{}PropertyOf", lambda of, subject, value: (of.role(subject), of.role(value))
    ),
    OWL + "propertyChainAxiom": _chain,
    OWL + "equivalentProperty": _about_role(
        "Equivalent{}Properties", lambda of, subject, value: ([of.role(subject), of.role(value)],)
    ),
    OWL + "propertyDisjointWith": _about_role("Disjoint{}Properties"),
    INVERSE: _inverse_of,
    RDFS + "domain": _about_role("{}PropertyDomain", _role_and_class),
    RDFS + "range": _about_role("{}PropertyRange", _role_and_class),
    OWL + "sameAs": _left_out("SameIndividual"),
    OWL + "differentFrom": _left_out("DifferentIndividuals"),
    **{predicate: _definition(predicate) for predicate in NAMED_DEFINITIONS},
}
"""The axioms that one triple makes, by its predicate."""


def _all_disjoint_classes(on: Context, node: Resource, notes: Annotations) -> None:
    members = [on.classes.build(member) for member in _members(on, node)]
    on.to.axiom("DisjointClasses", notes, members)


def _all_disjoint_properties(on: Context, node: Resource, notes: Annotations) -> None:
    kinds = {on.properties.kind(member) for member in _members(on, node)}
    on.to.leave_out(
        "DisjointDataProperties" if kinds == {"data"} else "DisjointObjectProperties", notes
    )


def _negative_assertion(on: Context, node: Resource, notes: Annotations) -> None:
    is_data = on.graph.value(node, OWL + "targetValue") is not None
    on.to.leave_out(f"Negative{'Data' if is_data else 'Object'}PropertyAssertion", notes)


def _members(on: Context, node: Resource) -> list[Node]:
    """The members of an axiom's node; a broken list is counted and has none."""
    for predicate in MEMBERS:
        head = on.graph.value(node, predicate)
        members = on.graph.items(head) if head is not None else None
        if members is not None:
            return members
    on.to.lose(UNRECOGNISED)
    return []


NODES: Final[dict[Node, Callable[[Context, Resource, Annotations], None]]] = {
    OWL + "AllDisjointClasses": _all_disjoint_classes,
    OWL + "AllDisjointProperties": _all_disjoint_properties,
    OWL + "AllDifferent": lambda on, _node, notes: on.to.leave_out("DifferentIndividuals", notes),
    OWL + "NegativePropertyAssertion": _negative_assertion,
}
"""The axioms that a node makes, by its type."""

NODE_PARTS: Final = frozenset(
    {
        *MEMBERS,
        OWL + "sourceIndividual",
        OWL + "assertionProperty",
        OWL + "targetIndividual",
        OWL + "targetValue",
    }
)
"""Predicates that belong to such nodes; any other there is an annotation of the axiom."""
