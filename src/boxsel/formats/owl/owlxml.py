"""OWL 2 in OWL/XML."""

from __future__ import annotations

from collections.abc import Iterator

from boxsel.errors import ReadError
from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.components import collect
from boxsel.formats.owl.iris import readable_prefixes, spelling
from boxsel.formats.owl.loading import parse_functional
from boxsel.formats.owl.owlxml_text import rewrite
from boxsel.formats.owl.reading import Collector, problems_named
from boxsel.formats.owl.vocabulary import LABEL, OWL
from boxsel.formats.owl.writing import (
    ENTITY_TAGS,
    Both,
    OwlAxiom,
    OwlOntology,
    Part,
    conjoined,
    owl_ontology,
)
from boxsel.formats.owl.xml import xml_text
from boxsel.formats.source import Source
from boxsel.logic.concepts import And, Bottom, Entity, Exists
from boxsel.logic.kb import KB
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI, Prefixes


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
    for annotation in ontology.annotations:
        yield from _annotation(annotation, "  ")
    for entity in ontology.entities:
        yield f"  <Declaration>{_entity(entity)}</Declaration>"
    for iri in ontology.annotation_properties:
        yield f"  <Declaration>{_leaf('AnnotationProperty', iri)}</Declaration>"
    for iri, label in ontology.labels:
        yield "  <AnnotationAssertion>"
        yield f"    {_leaf('AnnotationProperty', LABEL)}"
        yield f"    <IRI>{xml_text(spelling(iri))}</IRI>"
        yield f"    {_literal(label)}"
        yield "  </AnnotationAssertion>"
    for axiom in ontology.axioms:
        yield from _axiom(axiom)
    yield "</Ontology>"


def _axiom(axiom: OwlAxiom) -> Iterator[str]:
    yield f"  <{axiom.tag}>"
    for annotation in axiom.annotations:
        yield from _annotation(annotation, "    ")
    for part in axiom.parts:
        yield from _part(part, "    ")
    yield f"  </{axiom.tag}>"


def _annotation(annotation: Annotation, indent: str) -> Iterator[str]:
    yield f"{indent}<Annotation>"
    yield f"{indent}  {_leaf('AnnotationProperty', annotation.property)}"
    yield f"{indent}  {_literal(annotation)}"
    yield f"{indent}</Annotation>"


def _part(part: Part, indent: str) -> Iterator[str]:
    if isinstance(part, Entity):
        yield indent + _entity(part)
    elif isinstance(part, And | Both):
        yield f"{indent}<ObjectIntersectionOf>"
        for operand in conjoined(part):
            yield from _part(operand, indent + "  ")
        yield f"{indent}</ObjectIntersectionOf>"
    elif isinstance(part, Exists):
        yield f"{indent}<ObjectSomeValuesFrom>"
        yield f"{indent}  {_entity(part.role)}"
        yield from _part(part.filler, indent + "  ")
        yield f"{indent}</ObjectSomeValuesFrom>"
    else:
        yield indent + _leaf("Class", BOTTOM_IRI if isinstance(part, Bottom) else TOP_IRI)


def _entity(entity: Entity) -> str:
    return _leaf(ENTITY_TAGS[type(entity)], spelling(entity.iri))


def _leaf(tag: str, iri: str) -> str:
    return f'<{tag} IRI="{xml_text(iri)}"/>'


def _literal(annotation: Annotation) -> str:
    return f"<Literal>{xml_text(annotation.text)}</Literal>"
