"""Input that breaks parsers: an error, never a crash, a hang or a silent empty answer."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.errors import ReadError
from boxsel.formats.owl import turtle
from boxsel.formats.owl.iris import OWL, RDF, RDFS
from boxsel.formats.registry import FORMATS, Format, format_named
from boxsel.formats.source import Source
from boxsel.logic.axioms import Disjointness, Inclusion, conditional
from boxsel.logic.concepts import MAX_DEPTH, Name, names
from boxsel.logic.kb import KB
from tests.depth import cases

SERIALISATIONS = [form for form in FORMATS if form.module.startswith("owl.")]
A, B = names("A B")

RDF_HEAD = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:rdfs="{RDFS}" xmlns:owl="{OWL}">'
OWX_HEAD = f'<Ontology xmlns="{OWL}">'

# Runs in a process of its own: a stack overflow must fail the test, not end the tests.
DEEP = f"""
import sys
from boxsel.errors import ReadError
from boxsel.formats.registry import format_named
from boxsel.formats.source import Source

n = int(sys.argv[1])
R, S = "<urn:x:r>", "<urn:x:A>"
some = f"ObjectSomeValuesFrom({{R}} "
ofn = f"Ontology(SubClassOf({{S}} {{some * n}}{{S}}{{')' * n}}))"
both = f"Ontology(SubClassOf({{S}} {{f'ObjectIntersectionOf({{S}} ' * n}}{{S}}{{')' * n}}))"
notes = f"Ontology(SubClassOf({{'Annotation(' * n}}{{'<urn:x:p> 1)' * n}} {{S}} {{S}}))"
open_only = "Ontology(" * n
A, r = 'IRI="urn:x:A"/>', '<ObjectProperty IRI="urn:x:r"/>'
owx = '{OWX_HEAD}<SubClassOf><Class ' + A + f"<ObjectSomeValuesFrom>{{r}}" * n + "<Class " + A
owx += "</ObjectSomeValuesFrom>" * n + "</SubClassOf></Ontology>"
step = '<owl:Restriction><owl:onProperty rdf:resource="urn:x:r"/><owl:someValuesFrom>'
back = "</owl:someValuesFrom></owl:Restriction>"
rdf = '{RDF_HEAD}<owl:Class rdf:about="urn:x:A"><rdfs:subClassOf>' + step * n
rdf += '<owl:Class rdf:about="urn:x:A"/>' + back * n + "</rdfs:subClassOf></owl:Class></rdf:RDF>"
link = '<owl:Restriction rdf:nodeID="n{{}}"><owl:onProperty rdf:resource="urn:x:r"/>'
link += '<owl:someValuesFrom rdf:nodeID="n{{}}"/></owl:Restriction>'
chain = '{RDF_HEAD}<owl:Class rdf:about="urn:x:A"><rdfs:subClassOf rdf:nodeID="n0"/></owl:Class>'
chain += "".join(link.format(i, i + 1) for i in range(n)) + "</rdf:RDF>"
nested = "<urn:x:A> <{RDFS}subClassOf> " + f"[ <{OWL}onProperty> {{R}} ; <{OWL}someValuesFrom> " * n
nested += S + " ]" * n + " ."
parts = "".join(f"_:n{{i}} <{OWL}intersectionOf> (<urn:x:{{i}}> _:n{{i + 1}}) . " for i in range(n))
parts += "<urn:x:A> <{RDFS}subClassOf> _:n0 ."
header = "format-version: 1.4\\nowl-axioms: " + ofn + "\\n"
for name, text in [
    ("ofn", ofn), ("ofn", both), ("ofn", notes), ("ofn", open_only), ("owx", owx), ("owl", rdf),
    ("owl", chain), ("ttl", nested), ("ttl", parts),
    ("obo", header),
]:
    try:
        kb = format_named(name).codec.read(Source("deep", text.encode()))
        print(name, "read", kb.depth)
    except ReadError as error:
        print(name, "refused", str(error)[:70])
"""


def run_deep(levels: int) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", DEEP, str(levels)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_deep_nesting_is_refused_not_a_crash() -> None:
    lines = run_deep(20_000)
    assert len(lines) == 10
    assert all("refused deep" in line and "nested" in line for line in lines)


def test_nesting_just_above_the_limit_of_the_logic() -> None:
    lines = run_deep(MAX_DEPTH + 1)
    assert sum(f"nested more than {MAX_DEPTH} deep" in line for line in lines) == 6


def test_the_deepest_nesting_is_read() -> None:
    lines = [line for line in run_deep(MAX_DEPTH) if line.endswith(f"read {MAX_DEPTH}")]
    assert [line.split()[0] for line in lines] == ["ofn", "owx", "owl", "owl", "ttl", "obo"]


@pytest.mark.parametrize("form", SERIALISATIONS, ids=lambda form: form.name)
def test_long_lists_are_read(form: Format) -> None:
    """As nested as RDF writes them: without recursion."""
    kb = KB.of(Disjointness(*(Name(f"N{number}") for number in range(20_000))))
    assert form.codec.read(Source("kb", form.codec.write(kb).encode())) == kb


@pytest.mark.parametrize("form", SERIALISATIONS, ids=lambda form: form.name)
@pytest.mark.parametrize("text", ["", " \n ", "hello: world", "A SubClassOf B", "<a/>", "{}"])
def test_what_is_not_the_serialisation_is_refused(form: Format, text: str) -> None:
    with pytest.raises(ReadError) as caught:
        form.codec.read(Source("file.x", text.encode()))
    assert str(caught.value).startswith("file.x")


@pytest.mark.parametrize("name", ["owl", "owx"])
def test_an_empty_file_is_not_taken_for_broken_xml(name: str) -> None:
    with pytest.raises(ReadError, match=r"^empty\.owl: the file is empty$"):
        format_named(name).codec.read(Source("empty.owl", b" \n"))


@pytest.mark.parametrize("form", SERIALISATIONS, ids=lambda form: form.name)
@pytest.mark.parametrize("other", SERIALISATIONS, ids=lambda form: form.name)
def test_another_serialisation_is_refused(form: Format, other: Format) -> None:
    """py-horned-owl gives an empty ontology for some of these."""
    if form is not other:
        text = other.codec.write(KB.of(conditional(A, given=B, exactly="1/3"), A <= B))
        with pytest.raises(ReadError, match=r"expected|not a valid|not well-formed|like|declared"):
            form.codec.read(Source("kb", text.encode()))


@pytest.mark.parametrize("name", ["owl", "owx", "ofn"])
def test_a_file_that_is_cut_short_anywhere_is_refused(name: str) -> None:
    codec = format_named(name).codec
    text = codec.write(KB.of(conditional(A, given=B, exactly="1/3"), A <= B)).rstrip()
    for length in range(0, len(text), 7):
        with pytest.raises(ReadError):
            codec.read(Source("cut", text[:length].encode()))


@pytest.mark.parametrize("form", SERIALISATIONS, ids=lambda form: form.name)
@settings(max_examples=cases(60))
@given(data=st.data())
def test_damaged_files_give_errors_or_knowledge_bases(form: Format, data: st.DataObject) -> None:
    text = form.codec.write(KB.of(conditional(A, given=B & A, exactly="1/3"), A <= B))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 40)))
        junk = data.draw(st.one_of(st.text(max_size=4), st.sampled_from(list('()<>[]{}"&#:;.,!'))))
        text = text[:start] + junk + text[end:]
    try:
        form.codec.read(Source("damaged", text.encode(errors="replace")))
    except ReadError as error:
        first = str(error).splitlines()[0]
        assert first.startswith("damaged")
        assert "Error {" not in first
        assert len(first) < 400


@pytest.mark.parametrize("form", SERIALISATIONS, ids=lambda form: form.name)
@settings(max_examples=cases(30))
@given(data=st.binary(max_size=200))
def test_random_bytes(form: Format, data: bytes) -> None:
    with pytest.raises(ReadError):
        form.codec.read(Source("random", data))


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize("name", ["owl", "owx"])
def test_entities_that_explode_are_refused(name: str) -> None:
    document = {
        "owl": f"{RDF_HEAD}<owl:Class rdf:about='urn:x:A'><rdfs:label>&e11;</rdfs:label>"
        "</owl:Class></rdf:RDF>",
        "owx": f"{OWX_HEAD}<Annotation><AnnotationProperty IRI='urn:x:p'/><Literal>&e11;</Literal>"
        "</Annotation></Ontology>",
    }[name]
    text = f'<!DOCTYPE x [<!ENTITY e0 "{"x" * 100}">{BOMB}]>{document}'
    with pytest.raises(ReadError, match="amplification"):
        format_named(name).codec.read(Source("bomb", text.encode()))


OWL_WORDS = """
owl:Class owl:Restriction owl:Ontology owl:Axiom owl:ObjectProperty owl:DatatypeProperty
owl:NamedIndividual owl:AnnotationProperty owl:AllDisjointClasses owl:AllDifferent owl:Thing
owl:TransitiveProperty owl:Nothing owl:equivalentClass owl:disjointWith owl:disjointUnionOf
owl:intersectionOf owl:unionOf owl:complementOf owl:oneOf owl:onProperty owl:someValuesFrom
owl:allValuesFrom owl:hasValue owl:hasSelf owl:minCardinality owl:onClass owl:cardinality
owl:members owl:inverseOf owl:imports owl:annotatedSource owl:annotatedProperty
owl:annotatedTarget owl:propertyChainAxiom owl:equivalentProperty owl:sameAs owl:versionIRI
owl:unheardOf rdf:type rdf:first rdf:rest rdf:nil rdfs:subClassOf rdfs:subPropertyOf rdfs:domain
rdfs:range rdfs:label rdfs:Datatype rdfs:Class xsd:string :A :B :r :s :a _:x _:y _:z
"""
resources = st.sampled_from(OWL_WORDS.split())
values = st.one_of(resources, st.sampled_from(['"1"', '"x"@en', '"0.5"']))


@settings(max_examples=cases(300))
@given(triples=st.lists(st.tuples(resources, resources, values), min_size=1, max_size=25))
def test_any_graph_of_owl_words_is_read_or_refused(triples: list[tuple[str, str, str]]) -> None:
    """Broken lists, cycles, axioms about nothing: no shape of a graph surprises the reader."""
    head = f"@prefix : <urn:boxsel:>. @prefix owl: <{OWL}>. @prefix rdf: <{RDF}>. "
    head += f"@prefix rdfs: <{RDFS}>. @prefix xsd: <http://www.w3.org/2001/XMLSchema#>.\n"
    lines = [f"{s} {p} {o} ." for s, p, o in triples if not p.startswith("_")]
    try:
        kb = turtle.read(Source("graph", (head + "\n".join(lines)).encode()))
    except ReadError:
        return
    assert turtle.read(Source("again", turtle.write(kb).encode())) == kb


def test_few_nodes_that_stand_for_a_huge_expression_are_refused() -> None:
    """Each class mentions the next one twice: spelt out, it doubles at every step."""
    some = "[ owl:onProperty :{} ; owl:someValuesFrom _:n{} ]"
    lines = [
        f"_:n{n} owl:intersectionOf ({some.format('r', n + 1)} {some.format('s', n + 1)}) ."
        for n in range(60)
    ]
    head = f"@prefix : <urn:boxsel:> . @prefix owl: <{OWL}> . "
    text = (
        f"{head}{' '.join(lines)} :A <{RDFS}subClassOf> _:n0 . _:n60 owl:intersectionOf (:A :B) ."
    )
    with pytest.raises(ReadError, match=r"more than 1,000,000 parts"):
        turtle.read(Source("huge", text.encode()))


def test_classes_described_by_themselves_are_left_out() -> None:
    text = f"""@prefix : <urn:boxsel:>. @prefix owl: <{OWL}>. @prefix rdfs: <{RDFS}>.
        :r a owl:ObjectProperty.
        :A rdfs:subClassOf _:x. _:x owl:onProperty :r; owl:someValuesFrom _:x.
        _:y owl:intersectionOf (:B _:z). _:z owl:intersectionOf (:B _:y). _:y rdfs:subClassOf :A.
        _:l <{RDF}first> :A; <{RDF}rest> _:l. :B rdfs:subClassOf [ owl:intersectionOf _:l ]."""
    kb = turtle.read(Source("cycles", text.encode()))
    assert not any(axiom.left == B for axiom in kb.axioms_of(Inclusion))
    assert sum(drop.count for drop in kb.dropped if drop.logical) == 3
