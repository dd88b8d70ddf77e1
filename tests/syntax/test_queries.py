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
from boxsel.syntax.queries import concept_about, query_about
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
        query_about(kb, text)
    return str(caught.value)


def test_names_are_spelt_as_in_the_knowledge_base() -> None:
    query = query_about(clinic, "(hasDisease some 'Type 1 diabetes' | Patient)")
    assert query.body == Name("http://example.org/clinic#Patient")
    assert query_about(clinic, query.text()) == query


def test_names_may_be_spelt_by_their_labels() -> None:
    expected = query_about(labelled, "(hp:1250 | hp:118)")
    assert query_about(labelled, "(seizure | 'phenotypic abnormality')") == expected
    assert concept_about(labelled, "part some 'Twin'") == concept_about(labelled, "part some hp:2")


def test_an_ambiguous_label_is_refused() -> None:
    kb = parse_kb('A SubClassOf B\nLabel: A "same"\nLabel: B "same"')
    assert "several names are labelled 'same'" in problem(kb, "(same | B)")


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
    both = query_about(clinic, "(Smoker | Patient)"), query_about(clinic, "(Disease | Diabetes)")
    plain = "# what we ask\n(Smoker | Patient)\n\nDisease | Diabetes\n"
    table = 'body,note,head\nPatient,"x, y",Smoker\n\nDiabetes,,Disease\n'
    assert queries_in_text(clinic, plain) == both
    assert queries_in_text(clinic, table) == both


def test_all_tables_of_queries_have_the_same_columns() -> None:
    asked = ("(Smoker | Patient)", "(Disease | Diabetes)")
    both = tuple(query_about(clinic, text) for text in asked)
    heads, bodies = ("Smoker", "Disease"), ("Patient", "Diabetes")
    for columns in (
        {"query": asked},
        {"head": heads, "body": bodies},
        {"Body": bodies, "note": ("x, y", ""), " HEAD ": heads},
        {"head": ("?", "?"), "body": ("?", "?"), "Query": asked},
        {"query": both},
        {"head": [one.head for one in both], "body": [one.body for one in both]},
    ):
        table = DataFrame(columns)
        assert queries_about(clinic, table) == both
        assert queries_in_text(clinic, table.to_csv(index=False)) == both
    assert queries_about(clinic, asked) == queries_about(clinic, iter(both)) == both
    assert queries_about(clinic, []) == ()


def test_a_first_line_with_commas_is_not_taken_for_titles() -> None:
    kb = parse_kb("('a, query, b' | C)[0.5]")
    text = "('a, query, b' | C)\n(C | C)\n"
    assert queries_in_text(kb, text) == queries_about(kb, text.splitlines())


def test_mistakes_in_lists_and_tables_are_located() -> None:
    with pytest.raises(ReadError, match=r"query 1 of the list: \(Smok \| Patient\)(?s:.*)Smoker"):
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
        queries_in_text(clinic, "(Smoker | Patient)\n(Smok | Patient)\n(Smoker Patient)", "q.txt")
    assert [(one.file, one.line) for one in caught.value.diagnostics] == [
        ("q.txt", 2),
        ("q.txt", 3),
    ]
    with pytest.raises(ReadError, match="there are no queries"):
        queries_in_text(clinic, "# nothing\n", "q.txt")


@given(kbs(with_notes=False))
def test_every_name_can_be_asked_about_by_its_spelling(kb: KB) -> None:
    for name in kb.signature.concepts:
        query = Query(name, name)
        assert query_about(kb, query.text(kb.prefixes)) == query
