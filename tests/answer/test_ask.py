"""Answers from both sides: processes beside the proof, many questions, and how they are shown."""

from __future__ import annotations

import pickle
import xml.etree.ElementTree as Xml
from fractions import Fraction
from itertools import pairwise
from threading import Timer

import jsonschema
import pandas as pd
import pytest
from hypothesis import given, settings

import boxsel
from boxsel import examples
from boxsel.answer.answer import Answer
from boxsel.answer.ask import Asker, ask
from boxsel.answer.many import COLUMNS, answered_table, ask_many, flat
from boxsel.answer.picture import picture
from boxsel.errors import BoxselError
from boxsel.logic.axioms import Inclusion, conditional
from boxsel.logic.concepts import names
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.schemas import schema
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.exact.knowledge_bases import small_kbs
from tests.strategies import kbs

OPEN = """
(B | A)[0.5]
(C | A)[0.5]
Dropped: 2 "ObjectUnionOf" "not in SEL"
"""


def test_a_stop_ends_the_wait_for_an_ensemble() -> None:
    with Asker(examples.load("applicant"), estimate="always") as asker:
        stopping = Timer(1.0, asker.stop)
        stopping.start()
        answer = asker.ask("(Admitted | Applicant)", budget=900)
    assert answer.exact
    assert "within the budget" in answer.unestimated


def test_an_ensemble_is_trained_beside_the_proof() -> None:
    answer = ask(
        examples.load("applicant"), "(Admitted | Applicant)", estimate="always", budget=900
    )
    assert answer.exact
    assert answer.estimate is not None
    assert answer.estimate.directed
    assert answer.outer is not None
    assert abs(answer.estimate.lower - 0.16) < 0.05
    assert abs(answer.estimate.upper - 0.96) < 0.05
    assert "approximate, no bound" in answer.text


def test_a_failed_ensemble_is_told_and_harms_nothing() -> None:
    kb = parse_kb("(B | A)[0.2]\n(B | A)[0.8]\n(D | C)[0.5]")  # A is empty: nothing to train
    with Asker(kb, estimate="always") as asker:
        for _ in range(2):
            answer = asker.ask("(D | C)", budget=60)
            assert answer.exact
            assert answer.estimate is None
            assert "A" in answer.unestimated
            assert answer.to_json()["unestimated"] == answer.unestimated


def test_an_asker_that_is_closed_leaves_no_process() -> None:
    asker = Asker(examples.load("applicant"), estimate="always")
    answer = asker.ask("(Admitted | Applicant)", budget=0.2)
    assert "within the budget" in answer.unestimated
    assert f"no estimate: {answer.unestimated}" in answer.text
    talk = asker._estimator._talk
    assert talk is not None
    assert talk[1].is_alive()
    asker.close()
    assert not talk[1].is_alive()


def test_axioms_that_were_left_out_leave_nothing_exact() -> None:
    answer = ask(parse_kb(OPEN), "(B and C | A)")
    assert answer.outer is not None
    assert (answer.outer.lower, answer.outer.upper) == (Fraction(0), Fraction(1, 2))
    assert answer.outer.certified
    assert not answer.exact
    assert answer.inner is None
    assert "2 axioms were left out" in answer.text
    assert answer.lower.witness is None
    one = ask(parse_kb('(B | A)[0.14]\nDropped: 1 "ObjectUnionOf" "not in SEL"'), "(B | A)")
    assert "1 axiom was left out" in one.text
    assert "exactly 0.14: forced by 1 statement\n" in one.text


@settings(max_examples=cases(60), deadline=None)
@given(small_kbs())
def test_answers_are_shown_in_every_form(case: tuple[KB, Query]) -> None:
    kb, query = case
    answer = ask(kb, query, estimate="never", sensitivity=True)
    jsonschema.validate(answer.to_json(), schema("ask"))
    assert answer.text.startswith(query.text(kb.prefixes))
    assert [*flat(answer)] == [*COLUMNS]
    drawing = Xml.fromstring(picture(answer))
    kinds = [element.get("class") for element in drawing.iter() if element.get("class")]
    shown = [] if answer.outer is None else ["outer", "inner"]
    assert kinds == shown + ["typical"] * (answer.typical is not None)
    assert "<svg" in answer._repr_html_()
    again: Answer = pickle.loads(pickle.dumps(answer))
    assert again == answer


@settings(max_examples=cases(60), deadline=None)
@given(kbs())
def test_a_knowledge_base_travels_to_another_process(kb: KB) -> None:
    again = pickle.loads(pickle.dumps(kb))
    assert again == kb
    assert again.prefixes == kb.prefixes
    assert [*again] == [*kb]


def test_many_questions_are_answered_in_order_by_several_processes() -> None:
    kb = examples.load("berkeley")
    groups = ("Woman", "Man", "DeptA", "DeptB", "Admitted")
    queries = [f"({one} | {two})" for one in groups for two in groups]
    alone = [*ask_many(kb, queries)]
    together = [*ask_many(kb, queries, jobs=2)]
    # Which of several proofs is found depends on what was asked before.
    assert [(answer.status, answer.outer, answer.inner) for answer in alone] == [
        (answer.status, answer.outer, answer.inner) for answer in together
    ]
    assert [answer.query.text(kb.prefixes) for answer in alone] == queries


def test_answers_stream() -> None:
    answers = ask_many(examples.load("berkeley"), ["(Admitted | Woman)"] * 1000)
    assert next(answers).exact  # and the other 999 are not waited for


def test_assumptions_hold_for_many() -> None:
    kb = examples.load("applicant")
    queries = ["(Admitted | Applicant)", "(DeptA | Applicant)"]
    for jobs in (1, 2):
        first, _ = ask_many(kb, queries, assume=["(Admitted | DeptA)[0.5]"], jobs=jobs)
        assert first.outer is not None
        assert first.outer.lower == Fraction(1, 10)


def test_a_table_comes_back_with_answers() -> None:
    table = pd.DataFrame({"head": ["Admitted", "DeptA"], "body": ["Woman", "Man"], "note": [1, 2]})
    kb = examples.load("berkeley")
    found = answered_table(kb, table)
    assert list(found.columns) == ["head", "body", "note", *COLUMNS[1:]]
    assert list(found["lower"]) == [0.81, 0.1]
    assert list(found["note"]) == [1, 2]
    with pytest.raises(BoxselError, match="columns head and body"):
        answered_table(kb, pd.DataFrame({"x": [1]}))
    with pytest.raises(BoxselError, match="row 0"):
        answered_table(kb, pd.DataFrame({"query": ["(Nobody | Woman)"]}))
    nothing = answered_table(kb, pd.DataFrame({"query": []}))
    assert list(nothing.columns) == list(COLUMNS)


def test_it_is_one_call_from_the_package() -> None:
    kb = examples.load("applicant")
    assert boxsel.ask(kb, "(Admitted | Applicant)", budget=10).exact
    assert boxsel.assumed(kb, ["(Admitted | DeptA)[0.5]"]) != kb


def test_numbers_that_are_no_floats_are_told_as_fractions() -> None:
    kb = parse_kb("(B | A)[557/1835]\n(C | A)[1/3, 2/3]")
    answer = ask(kb, "(B | A)")
    assert "= 557/1835 (about 0.303542) (exact)" in answer.text
    inner = answer.to_json()["inner"]
    assert inner["lower"] == inner["upper"] == 557 / 1835


def test_what_is_always_so_is_not_said_to_be_all_that_is_known() -> None:
    answer = ask(parse_kb("(B | A)[0.2]"), "(A and B | B and A)", estimate="never")
    assert (answer.lower.how, answer.upper.how) == ("always", "trivial")
    assert "whatever is stated" in answer.text
    jsonschema.validate(answer.to_json(), schema("ask"))


def test_what_was_not_proved_in_time_is_not_said_to_be_all() -> None:
    kb = examples.load("applicant")
    with Asker(kb, estimate="never") as asker:
        asker.stop()
        answer = asker.ask("(Applicant | Admitted and DeptA)")
    assert answer.status == "budget"
    assert answer.outer is not None
    assert "nothing stated says more" not in answer.text
    jsonschema.validate(answer.to_json(), schema("ask"))


def test_numbers_too_long_for_a_certificate_are_proved_but_not_called_exact() -> None:
    chain = names(" ".join(f"A{number}" for number in range(17)))
    share = Fraction(9 * 10**290 + 7, 10**291)
    axioms: list[boxsel.logic.Axiom] = []
    for one, other in pairwise(chain):
        axioms += (conditional(other, given=one, exactly=share), Inclusion(other, one))
    answer = ask(KB.of(*axioms), Query(chain[-1], chain[0]), estimate="never", budget=60)
    assert answer.status == "bounded"
    assert answer.outer is not None
    assert answer.outer.lower == answer.outer.upper == share**16
    assert not answer.exact
    assert answer.inner is None
    assert "proved, but too large to be certified" in answer.text
    jsonschema.validate(answer.to_json(), schema("ask"))
