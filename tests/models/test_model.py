"""What a trained ensemble answers, and when it has no answer."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from boxsel import BoxselError, ReadError, examples, parse
from boxsel.logic import Dropped
from boxsel.logic.statements import Query
from boxsel.models import measuring
from boxsel.models.fit import fit
from boxsel.models.measuring import Members
from boxsel.models.model import Model
from tests.depth import some

NESTED = [
    "(Smoker | Patient)",
    "(Patient | hasDisease some Diabetes)",
    "(hasDisease some Diabetes | Patient)",
    "(Smoker | Patient and hasDisease some (Diabetes and Retinopathy))",
    "(Smoker and TakesInsulin | Patient and hasComplication some Retinopathy)",
    "(hasDisease some (hasComplication some Disease) | owl:Thing)",
]


@pytest.fixture(scope="module")
def clinic() -> Model:
    return fit(examples.load("clinic"), members=6, dim=3, epochs=40)


def values(model: Model, query: str | Query) -> np.ndarray:
    return model.ask(query).values


@pytest.mark.parametrize("query", NESTED)
def test_one_query_and_many_agree(clinic: Model, query: str) -> None:
    many = clinic.ask_many(NESTED)
    estimate = clinic.ask(query)
    found = many[NESTED.index(query)]
    np.testing.assert_allclose(found.values, estimate.values, rtol=1e-12)
    assert (found.lower, found.upper, found.violation) == (
        estimate.lower,
        estimate.upper,
        estimate.violation,
    )


def test_a_compiled_program_gives_the_same_values(
    clinic: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = [clinic.kb.query(text) for text in NESTED]
    plain = clinic.values(queries)
    kept = np.array([True, False, True, True, False, True])
    pairs = [(query.head, query.body) for query in queries]
    monkeypatch.setattr(measuring, "FEW_NUMBERS", 0)
    np.testing.assert_allclose(clinic.values(queries), plain, rtol=1e-9)
    assert kept.any()
    np.testing.assert_allclose(
        clinic.intervals(queries), measuring.ends(plain[:, clinic.kept]), rtol=1e-9
    )
    members = Members(clinic.representation, clinic.parameters, clinic.task.numbering)
    for batch in measuring.batches(pairs, clinic.task.numbering):
        ends = members.measured(batch, kept)
        np.testing.assert_allclose(ends, measuring.ends(plain[batch.places][:, kept]), rtol=1e-9)


@pytest.mark.parametrize("kind", ["boxes", "balls"])
def test_settled_regions_are_the_regions(kind: str) -> None:
    model = fit(examples.load("applicant"), members=3, dim=2, epochs=1, representation=kind)
    query = model.kb.query("(Admitted and DeptA | Applicant)")
    members = Members(model.representation, model.parameters, model.task.numbering)
    settled = members.settled()
    assert settled.representation is not members.representation
    np.testing.assert_array_equal(
        settled.share(query.head, query.body), members.share(query.head, query.body)
    )


def test_a_table_of_queries_comes_back_with_answers(clinic: Model) -> None:
    table = pd.DataFrame({"head": ["Smoker", "Diabetes"], "body": ["Patient", "Disease"], "n": 1})
    found = clinic.ask_many(table)
    assert list(found.columns) == [
        *("head", "body", "n"),
        *("lower", "upper", "all_lower", "all_upper", "undefined"),
    ]
    for place, query in enumerate(("(Smoker | Patient)", "(Diabetes | Disease)")):
        ends = found["all_lower"][place], found["all_upper"][place]
        assert ends == pytest.approx(clinic.ask(query).all_members)
    again = clinic.ask_many(pd.DataFrame({"query": ["(Smoker | Patient)"]}))
    assert again["all_upper"][0] == found["all_upper"][0]
    assert "lower" not in table.columns


def test_a_table_that_is_not_one_of_queries(clinic: Model) -> None:
    with pytest.raises(BoxselError, match="columns head and body, or query"):
        clinic.ask_many(pd.DataFrame({"question": ["?"]}))
    with pytest.raises(ReadError, match=r"row 1 of the table: the .* not mention Smokr"):
        clinic.ask_many(pd.DataFrame({"query": ["(Smoker | Patient)", "(Smokr | Patient)"]}))


def test_an_unknown_name_gets_a_suggestion(clinic: Model) -> None:
    with pytest.raises(ReadError, match="did you mean Smoker"):
        clinic.ask("(Smokr | Patient)")


def test_without_a_member_below_the_tolerance_there_is_no_estimate(clinic: Model) -> None:
    strict = replace(clinic, settings=replace(clinic.settings, tolerance=0.0))
    estimate = strict.ask("(Smoker | Patient)")
    assert not estimate.kept.any()
    assert estimate.to_json() is None
    assert (estimate.lower, estimate.upper, estimate.violation) == (None, None, None)
    assert estimate.all_members == clinic.ask("(Smoker | Patient)").all_members
    assert "none of 6 members satisfies" in estimate.text
    table = strict.ask_many(pd.DataFrame({"query": ["(Smoker | Patient)"]}))
    assert np.isnan(table["lower"][0])
    assert not np.isnan(table["all_lower"][0])


def test_a_body_that_is_empty_in_a_member_is_undefined_there() -> None:
    model = fit(parse("DisjointClasses: A, B\n(C | A)[0.2, 0.8]"), members=8, dim=2)
    estimate = model.ask("(C | A and B)")
    empty = np.isnan(estimate.values)
    assert model.kept.all()
    assert estimate.undefined == empty.sum() > 4
    assert f"undefined in {estimate.undefined}" in estimate.text or empty.all()
    none = replace(estimate, values=np.full(8, np.nan))
    assert none.to_json() is None
    assert (none.lower, none.upper, none.all_members) == (None, None, None)
    assert "its body is empty in all 8 members" in none.text


def test_names_that_must_be_empty_are_left_out() -> None:
    kb = parse("E SubClassOf A\nE SubClassOf B\nDisjointClasses: A, B\n(C | A)[0.5]")
    model = fit(kb, members=3, dim=2, epochs=5)
    assert [str(name) for name in model.task.empty] == ["E"]
    vacuous = model.ask("(A | E)")
    assert vacuous.empty
    assert "vacuous, since E is empty in every model" in vacuous.text
    assert model.ask("(E | A)").values.tolist() == [0.0] * 3
    assert model.values([Query(*model.task.kb.signature.concepts[:2])]).shape == (1, 3)
    assert model.refine("(A | E)").ask("(A | E)").empty


def test_axioms_left_out_on_reading_make_no_witness() -> None:
    model = fit(parse("(B | A)[0.2, 0.8]"), members=4, dim=2)
    assert len(model.witnesses) == 4
    inner = model.inner("(B | A)")
    assert inner is not None
    assert inner.witnesses == 4
    left_out = replace(model.kb, dropped=(Dropped("universal restriction", 3, "not in EL"),))
    assert fit(left_out, members=4, dim=2).witnesses == ()


KINDS = product(("boxes", "balls"), ("affine", "translation", "dual-boxes"), (1e-6, 0.05, 100.0))


@pytest.mark.parametrize(("representation", "roles", "rate"), some([*KINDS], 2))
def test_no_number_is_ever_nan(representation: str, roles: str, rate: float) -> None:
    """Whatever the rate does to the parameters, they and their measures stay numbers."""
    choices: dict[str, Any] = {"representation": representation, "roles": roles, "rate": rate}
    if (representation, roles) == ("balls", "dual-boxes"):
        with pytest.raises(BoxselError, match="balls do not go with dual-boxes"):
            fit(examples.load("clinic"), **choices)
        return
    model = fit(examples.load("clinic"), members=4, dim=3, epochs=30, **choices)
    for tables in model.parameters.values():
        assert all(np.isfinite(table).all() for table in tables.values())
    assert np.isfinite(model.history).all()
    assert np.isfinite(model.violations.values).all()
    assert (model.violations.values >= 0).all()


def test_the_paper_preset_refuses_proportions_of_everything() -> None:
    with pytest.raises(BoxselError, match=r"has no box for everything, but \(A \| owl:Thing\)"):
        fit(parse("(A | owl:Thing)[0.5]"), preset="paper", members=2, dim=2)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("A SubClassOf B\n(B | A)[0.2]", "A must be empty"),
        ("(B | A)[0.2]\n(B | A)[0.8]", "A must be empty"),
        ("(B | A)[0.2]\n(C | A)[0.8]\nC SubClassOf B", "A must be empty"),
        ("A SubClassOf owl:Nothing\nA(a)", "a would be in an empty concept"),
        ("owl:Thing SubClassOf A\n(A | owl:Thing)[0.3]", "no model"),
    ],
)
def test_contradictions_are_refused(text: str, what: str) -> None:
    with pytest.raises(BoxselError, match=what):
        fit(parse(text), members=2, dim=2, epochs=1)


def test_combinations_are_answered_by_inclusion_and_exclusion(clinic: Model) -> None:
    plain, rest, either, both, other = clinic.values(
        [
            "(Smoker | Patient)",
            "(not Smoker | Patient)",
            "(Smoker or TakesInsulin | Patient)",
            "(Smoker and TakesInsulin | Patient)",
            "(TakesInsulin | Patient)",
        ]
    )
    np.testing.assert_allclose(rest, 1 - plain, atol=1e-4)
    np.testing.assert_allclose(either, plain + other - both, atol=1e-4)
    np.testing.assert_allclose(values(clinic, "(not Smoker | Patient)"), rest)
    with pytest.raises(BoxselError, match="members are pushed to the ends of a query of names"):
        clinic.refine("(not Smoker | Patient)")
