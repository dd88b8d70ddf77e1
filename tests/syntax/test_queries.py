"""Queries are read in the names of a knowledge base, and mistakes in them are located."""

from __future__ import annotations

import pytest
from hypothesis import given
from pandas import DataFrame

from boxsel import examples
from boxsel.errors import BoxselError, ReadError
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.syntax.many_queries import queries_about, queries_in_text
from boxsel.syntax.parser import parse_kb
from boxsel.syntax.queries import Reader
from tests.strategies import kbs

clinic = examples.load("clinic")
labelled = parse_kb(
    """\
Prefix: hp: <http://purl.obolibrary.org/obo/HP_>
(hp:1250 | hp:118)[0.3]
hp:1250 SubClassOf part some hp:2
Label: hp:1250 "Seizure"
Label: hp:118 "Phenotypic abnormality"
Label: hp:2 "Twin"
"""
)


def problem(kb: KB, text: str) -> str:
    with pytest.raises(ReadError) as caught:
        kb.query(text)
    return str(caught.value)


def test_names_are_spelt_as_in_the_knowledge_base() -> None:
    query = clinic.query("(hasDisease some 'Type 1 diabetes' | Patient)")
    assert query.body == Name("http://example.org/clinic#Patient")
    assert clinic.query(query.text()) == query


def test_names_may_be_spelt_by_their_labels() -> None:
    expected = labelled.query("(hp:1250 | hp:118)")
    assert labelled.query("(seizure | 'phenotypic abnormality')") == expected
    assert labelled.concept("part some 'Twin'") == labelled.concept("part some hp:2")


def test_an_ambiguous_label_is_refused() -> None:
    kb = parse_kb('A SubClassOf B\nLabel: A "same"\nLabel: B "same"')
    assert "several names are labelled 'same'" in problem(kb, "(same | B)")


wikidata = parse_kb(
    """\
p106 some q28640 SubClassOf q5
q12737077 SubClassOf q28640
occupied some q5 SubClassOf profession
Label: p106 "occupation"
Label: q12737077 "Occupation"
Label: q28640 "profession"
Label: q5 "human"
Label: p1 "occupied"
Class: p1
"""
)


def test_the_position_tells_a_role_from_a_concept_of_the_same_label() -> None:
    asked = wikidata.query("(occupation some q28640 | human)")
    assert asked == wikidata.query("(p106 some q28640 | q5)")
    assert wikidata.query("(occupation | human)").head == Name("q12737077")
    assert wikidata.query("(occupied | human)").head == Name("p1")
    said = problem(wikidata, "(human some q5 | q5)")
    assert "human is used as a role here, but as a concept in the knowledge base" in said


def test_suggestions_are_of_the_kind_that_fits() -> None:
    kb = parse_kb("hasPart SubPropertyOf hasPiece\nHasParts SubClassOf hasPiece some B")
    assert "did you mean hasPart?" in problem(kb, "(hasParts some B | B)")
    assert "did you mean HasParts?" in problem(kb, "(hasPart_ | B)")
    assert "did you mean" not in problem(kb, "(hasPiecee | B)")


unquoted = parse_kb(
    """\
Prefix: hp: <http://example.org/HP_>
'Type 2 diabetes' SubClassOf 'Head and neck'
'Survived=Yes' SubClassOf 'C# developer'
hp:1 SubClassOf 'r s' some A
hp:2 SubClassOf hp:3
Label: hp:1 "Asthma, severe (acute)"
Label: hp:2 "Two words"
Label: hp:3 "Two words"
"""
)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("(Survived=Yes | A)", "'Survived=Yes'"),
        ("(A | survived=yes)", "'Survived=Yes'"),
        ("(Type 2 diabetes | A)", "'Type 2 diabetes'"),
        ("A | type  2 DIABETES", "'Type 2 diabetes'"),
        ("(A and Head and neck | A)", "'Head and neck'"),
        ("(asthma, severe (acute) | A)", "'Asthma, severe (acute)'"),
        ("(C# developer | A)", "'C# developer'"),
        ("(r s some A | A)", "'r s'"),
        ("(Two words | A)", "'Two words'"),
        ("(Type 3 diabetes | A)", "'Type 3 diabetes'"),
        ("(2nd stage | A)", "'2nd stage'"),
        ("(A | Parkinson's disease)", "'Parkinson\\'s disease'"),
        ("(A A | A)", None),
        ("(A | A", None),
        ("(A | A) A", None),
        ("('Type 2 diabetes | A)", None),
    ],
)
def test_names_without_their_quotes_are_recognised(text: str, quoted: str | None) -> None:
    with pytest.raises(ReadError) as caught:
        unquoted.query(text)
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic).splitlines()[1] == f"      | {text}"
    if quoted is None:
        assert "quote names" not in (diagnostic.help or "")
        return
    assert diagnostic.help == f"quote names with other characters: {quoted}"
    if quoted in ("'Type 2 diabetes'", "'Asthma, severe (acute)'"):
        assert unquoted.query(f"({quoted} | A)")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(Smokr | Patient)", "did you mean Smoker?"),
        ("(Smoker | Patient", "expected"),
        ("(hasDiseas some Disease | Patient)", "did you mean hasDisease?"),
        ("(Qqqqqqqq | Patient)", "does not mention Qqqqqqqq"),
        ("(x:Smoker | Patient)", "the prefix 'x:' is not declared"),
        ("(Patient some Disease | Patient)", "Patient is used as a role here, but as a concept"),
        ("(alice | Patient)", "individuals occur only in assertions"),
    ],
)
def test_mistakes_are_explained(text: str, expected: str) -> None:
    assert expected in problem(clinic, text)


def test_files_of_queries() -> None:
    both = clinic.query("(Smoker | Patient)"), clinic.query("(Disease | Diabetes)")
    plain = "# what we ask\n(Smoker | Patient)\n\nDisease | Diabetes\n"
    table = 'body,note,head\nPatient,"x, y",Smoker\n\nDiabetes,,Disease\n'
    assert queries_in_text(Reader(clinic), plain) == both
    assert queries_in_text(Reader(clinic), table) == both


def test_all_tables_of_queries_have_the_same_columns() -> None:
    asked = ("(Smoker | Patient)", "(Disease | Diabetes)")
    both = tuple(clinic.query(text) for text in asked)
    heads, bodies = ("Smoker", "Disease"), ("Patient", "Diabetes")
    for columns in (
        {"query": asked},
        {"head": heads, "body": bodies},
        {"Body": bodies, "note": ("x, y", ""), " HEAD ": heads},
        {"head": ("?", "?"), "body": ("?", "?"), "Query": asked},
        {"query": both},
        {"head": [query.head for query in both], "body": [query.body for query in both]},
    ):
        table = DataFrame(columns)
        assert queries_about(clinic, table) == both
        assert queries_in_text(Reader(clinic), table.to_csv(index=False)) == both
    assert queries_about(clinic, asked) == queries_about(clinic, iter(both)) == both
    assert queries_about(clinic, []) == ()


def test_a_first_line_with_commas_is_not_taken_for_titles() -> None:
    kb = parse_kb("('a, query, b' | C)[0.5]")
    text = "('a, query, b' | C)\n(C | C)\n"
    assert queries_in_text(Reader(kb), text) == queries_about(kb, text.splitlines())


def test_mistakes_in_lists_and_tables_are_located() -> None:
    with pytest.raises(ReadError, match=r"query 1 of the list: .*not mention Smok\n(?s:.*)Smoker"):
        queries_about(clinic, ["(Smoker | Patient)", "(Smok | Patient)"])
    table = DataFrame({"head": ["Smoker", "owl:Nothing"], "body": ["Patient", "Patient"]})
    with pytest.raises(ReadError, match=r"row 1 of the table(?s:.*)owl:Nothing cannot stand"):
        queries_about(clinic, table)
    with pytest.raises(TypeError, match="row 0 of the table: a query is a text"):
        queries_about(clinic, DataFrame({"query": [None]}))
    with pytest.raises(BoxselError, match="head and body, or query"):
        queries_about(clinic, DataFrame({"question": ["(Smoker | Patient)"]}))


def test_mistakes_in_files_are_located_and_all_are_told() -> None:
    with pytest.raises(ReadError) as caught:
        queries_in_text(
            Reader(clinic), "(Smoker | Patient)\n(Smok | Patient)\n(Smoker Patient)", "q.txt"
        )
    assert [(diagnostic.file, diagnostic.line) for diagnostic in caught.value.diagnostics] == [
        ("q.txt", 2),
        ("q.txt", 3),
    ]
    with pytest.raises(ReadError, match="there are no queries"):
        queries_in_text(Reader(clinic), "# nothing\n", "q.txt")


@given(kbs(with_notes=False))
def test_every_name_can_be_asked_about_by_its_spelling(kb: KB) -> None:
    for name in kb.signature.concepts:
        query = Query(name, name)
        assert kb.query(query.text(kb.prefixes)) == query
