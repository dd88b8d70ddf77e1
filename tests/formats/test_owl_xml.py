"""OWL/XML: what belongs to XML alone, and mistakes in it."""

from __future__ import annotations

import pytest

from boxsel.errors import ReadError
from boxsel.formats.owl import owlxml
from boxsel.formats.source import Source
from boxsel.logic.kb import KB

HEAD = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE Ontology [ <!ENTITY e "http://e.org/"> ]>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" {}>
<Prefix name="e" IRI="http://e.org/"/>
"""


def read_xml(axioms: str, attributes: str = "") -> KB:
    text = f"{HEAD.format(attributes)}{axioms}</Ontology>"
    return owlxml.read(Source("onto.owx", text.encode()))


def test_owl_xml_has_entities_bases_abbreviations_and_cdata() -> None:
    kb = read_xml(
        '<SubClassOf><Class IRI="&e;A"/><Class IRI="#B"/></SubClassOf>'
        '<SubClassOf><Class IRI="other"/><Class abbreviatedIRI="e:D"/></SubClassOf>'
        '<AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/>'
        "<AbbreviatedIRI>e:A</AbbreviatedIRI><Literal>a <![CDATA[<b>]]> &amp; c</Literal>"
        "</AnnotationAssertion>",
        'xml:base="http://e.org/base/onto"',
    )
    assert [str(axiom) for axiom in kb.axioms] == [
        "<http://e.org/A> SubClassOf <http://e.org/base/onto#B>",
        "<http://e.org/base/other> SubClassOf <http://e.org/D>",
    ]
    assert dict(kb.labels) == {"http://e.org/A": "a <b> & c"}


def test_all_of_owl_xml_is_understood() -> None:
    """Kinds that SEL leaves out still have to be parsed, to be counted."""
    klass, role = '<Class IRI="urn:x:A"/>', '<ObjectProperty IRI="urn:x:r"/>'
    data, one = '<DataProperty IRI="urn:x:p"/>', '<NamedIndividual IRI="urn:x:a"/>'
    kb = read_xml(
        f"<HasKey>{klass}{role}{data}</HasKey>"
        f"<SubClassOf>{klass}<ObjectIntersectionOf>{klass}</ObjectIntersectionOf></SubClassOf>"
        f'<SubClassOf>{klass}<ObjectMinCardinality cardinality="2">{role}'
        "</ObjectMinCardinality></SubClassOf>"
        f"<DataPropertyRange>{data}<DatatypeRestriction><Datatype abbreviatedIRI='xsd:int'/>"
        '<FacetRestriction facet="http://www.w3.org/2001/XMLSchema#minInclusive">'
        '<Literal datatypeIRI="http://www.w3.org/2001/XMLSchema#int">5</Literal>'
        "</FacetRestriction></DatatypeRestriction></DataPropertyRange>"
        f"<ClassAssertion>{klass}<AnonymousIndividual nodeID='_:x'/></ClassAssertion>"
        f"<DataPropertyAssertion>{data}{one}<Literal xml:lang='en'/></DataPropertyAssertion>"
        f"<DLSafeRule><Body><ClassAtom>{klass}<Variable IRI='urn:v:x'/></ClassAtom></Body>"
        f"<Head><ClassAtom>{klass}<Variable IRI='urn:v:x'/></ClassAtom></Head></DLSafeRule>"
        f"<SubObjectPropertyOf><ObjectPropertyChain>{role}{role}</ObjectPropertyChain>{role}"
        "</SubObjectPropertyOf>"
    )
    assert [drop.kind for drop in kb.dropped] == [
        "ClassAssertion",
        "DLSafeRule",
        "DataPropertyAssertion",
        "DataPropertyRange",
        "HasKey",
        "ObjectMinCardinality",
        "SubObjectPropertyOf",
    ]
    assert len(kb) == 2


@pytest.mark.parametrize(
    ("axiom", "complaint"),
    [
        ('<SubClassOf><Class IRI="#B"/></SubClassOf>', "onto.owx:5: <#B> is a relative IRI"),
        ('\n<SubClassOf><Class IRI="a:x y"/></SubClassOf>', "onto.owx:6: 'a:x y' is not an IRI"),
        (
            '<Declaration><Class abbreviatedIRI="q:B"/></Declaration>',
            "'q:' of 'q:B' is not declared",
        ),
        ("<Declaration><Class/></Declaration>", "the element Class has no attribute IRI"),
        (
            '\n\n<SubClassOf><Class IRI="a:b"/></SubClassOf>',
            "onto.owx:7: in SubClassOf: expected a class expression",
        ),
        ("<SubClassOf>", "onto.owx:5:15: this is not well-formed XML: mismatched tag"),
        ("<Nonsense/>", "onto.owx:5: in Nonsense: expected"),
        ('<x xmlns="urn:y"/>', "expected an element of OWL/XML, found x in <urn:y>"),
    ],
)
def test_mistakes_in_owl_xml(axiom: str, complaint: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_xml(axiom)
    assert complaint in str(caught.value)
    assert len(str(caught.value)) < 300
