"""The exact reasoner against brute force, and the laws that its answers obey."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel import examples
from boxsel.checker.verify import verify
from boxsel.exact.answers import Outcome
from boxsel.exact.certificate import certificate
from boxsel.exact.ladder import WAYS
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.way import Limits
from boxsel.logic.axioms import Conditional, Inclusion
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.normal.normalize import normalize
from boxsel.syntax.parser import parse_concept, parse_kb, parse_query
from tests.depth import cases
from tests.exact.brute_force import Answer, answer, empty_names, is_consistent
from tests.exact.knowledge_bases import random_kb, small_kbs

# Random knowledge bases for each of the two ways to look at types, in parts that run side by side.
PARTS = 8
SEARCHED = tuple(way for way in WAYS if way not in ("separated", "decomposed", "listed"))
LISTED_EACH, SEARCHED_EACH = cases(220), cases(60)

applicant, berkeley = examples.load("applicant"), examples.load("berkeley")


def said(bounds: Outcome) -> Answer:
    """An answer without its evidence."""
    lower = None if bounds.lower is None else bounds.lower.bound
    upper = None if bounds.upper is None else bounds.upper.bound
    assert bounds.status != "budget"
    return Answer(bounds.status, lower, upper)


def ask(kb: KB, query: str | Query) -> Answer:
    asked = parse_query(query) if isinstance(query, str) else query
    return said(Reasoner(kb).bounds(asked))


def between(lower: str, upper: str) -> Answer:
    return Answer("bounded", Fraction(lower), Fraction(upper))


@pytest.mark.parametrize(
    ("kb", "query", "expected"),
    [
        (applicant, "(Admitted and DeptA | Applicant)", between("4/25", "1/5")),
        (applicant, "(Admitted | Applicant)", between("4/25", "24/25")),
        (berkeley, "(Admitted | Woman)", between("81/100", "81/100")),
        (berkeley, "(Admitted | Man)", between("21/25", "21/25")),
        (
            KB(tuple(statement for statement in berkeley if "Disjoint" not in str(statement))),
            "(Admitted | Woman)",
            between("18/25", "41/50"),
        ),
    ],
    ids=["both", "admitted", "women", "men", "overlapping departments"],
)
def test_the_papers_examples(kb: KB, query: str, expected: Answer) -> None:
    assert ask(kb, query) == expected


def test_contradictory_conditionals_empty_their_body() -> None:
    reasoner = Reasoner(parse_kb("(B | A)[0.2]\n(B | A)[0.8]"))
    assert reasoner.consistent
    assert not reasoner.coherent
    assert reasoner.empty_names == (Name("A"),)
    assert reasoner.bounds(parse_query("(B | A)")).status == "vacuous"
    assert not Reasoner(parse_kb("(B | owl:Thing)[0.2]\n(B | owl:Thing)[0.8]")).consistent


@pytest.mark.parametrize("part", range(PARTS))
def test_random_knowledge_bases_with_listed_types(part: int) -> None:
    for seed in range(part * LISTED_EACH, (part + 1) * LISTED_EACH):
        kb, query = random_kb(Random(seed))
        reasoner = Reasoner(kb)
        outcome = reasoner.bounds(query)
        assert said(outcome) == answer(kb, query), seed
        assert verify(kb, certificate(outcome)).exact, seed
        assert frozenset(reasoner.empty_names) == empty_names(kb), seed
        assert reasoner.consistent == is_consistent(kb), seed


@pytest.mark.parametrize("part", range(PARTS))
def test_random_knowledge_bases_with_searched_types(part: int) -> None:
    for seed in range(part * SEARCHED_EACH, (part + 1) * SEARCHED_EACH):
        kb, query = random_kb(Random(-1 - seed))
        outcome = Reasoner(kb, ways=SEARCHED).bounds(query)
        assert said(outcome) == answer(kb, query), seed
        assert verify(kb, certificate(outcome)).exact, seed


@settings(max_examples=cases(150), deadline=None)
@given(small_kbs())
def test_found_knowledge_bases(case: tuple[KB, Query]) -> None:
    kb, query = case
    assert said(Reasoner(kb).bounds(query)) == answer(kb, query)


@settings(max_examples=cases(60), deadline=None)
@given(small_kbs(), st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(case: tuple[KB, Query], random: Random) -> None:
    kb, query = case
    shuffled = list(kb.statements)
    random.shuffle(shuffled)
    renamed = (
        parse_kb("\n".join(_renamed(str(statement)) for statement in shuffled)) if shuffled else kb
    )
    assert ask(renamed, _renamed(str(query))) == ask(kb, query)


@settings(max_examples=cases(60), deadline=None)
@given(small_kbs())
def test_normalisation_changes_no_answer(case: tuple[KB, Query]) -> None:
    kb, query = case
    assert ask(normalize(kb).kb, query) == ask(kb, query)


@settings(max_examples=cases(60), deadline=None)
@given(small_kbs())
def test_what_is_entailed_adds_nothing(case: tuple[KB, Query]) -> None:
    kb, query = case
    found = ask(kb, query)
    if found.lower is None or found.upper is None:  # then every share is as good as any other
        known = Conditional(query.head, query.body, Interval.of("1/3", "1/2"))
    else:
        known = Conditional(query.head, query.body, Interval(found.lower, found.upper))
    assert Reasoner(kb).entails(known)
    assert ask(KB((*kb.statements, Statement(known))), query) == found


@settings(max_examples=cases(60), deadline=None)
@given(small_kbs(), st.data())
def test_an_axiom_more_never_widens(case: tuple[KB, Query], data: st.DataObject) -> None:
    kb, query = case
    whole = ask(kb, query)
    if not kb.statements:
        return
    left_out = data.draw(st.sampled_from(kb.statements))
    part = ask(
        KB(tuple(statement for statement in kb.statements if statement is not left_out)), query
    )
    order = ("bounded", "vacuous", "inconsistent")
    assert order.index(part.status) <= order.index(whole.status)
    if whole.lower is not None and whole.upper is not None:
        assert part.lower is not None
        assert part.upper is not None
        assert part.lower <= whole.lower <= whole.upper <= part.upper


@settings(max_examples=cases(60), deadline=None)
@given(small_kbs())
def test_one_reasoner_answers_many_questions(case: tuple[KB, Query]) -> None:
    kb, query = case
    reasoner = Reasoner(kb)
    both = Query(query.body, query.head)
    for asked in (query, both, query):
        assert said(reasoner.bounds(asked)) == answer(kb, asked)


def test_entailment_of_axioms() -> None:
    reasoner = Reasoner(applicant)
    assert reasoner.subsumes(Name("Applicant"), Name("DeptA") & Name("Admitted"))
    assert not reasoner.subsumes(Name("DeptA"), Name("Applicant"))
    assert reasoner.satisfiable(parse_concept("Applicant and knows some DeptA"))
    share = Conditional(Name("Admitted"), Name("Applicant"), Interval.of("0.1", "0.97"))
    assert reasoner.entails(share)
    narrow = Conditional(Name("Admitted"), Name("Applicant"), Interval.of("0.2", "0.97"))
    assert not reasoner.entails(narrow)
    impossible = parse_kb("A and B SubClassOf owl:Nothing")
    assert Reasoner(impossible).entails(Inclusion(Name("A") & Name("B"), parse_concept("C")))
    assert not Reasoner(impossible).satisfiable(Name("A") & Name("B"))


def _renamed(text: str) -> str:
    """The same text with every name of the random knowledge bases spelt differently."""
    return re.sub(
        r"\b([A-E]|[rst]|[abc])\b", lambda found: f"{'ZYXWV'[ord(found[0]) % 5]}_{found[0]}", text
    )


@pytest.mark.parametrize("way", ["sampled", "generated"])
def test_where_nobody_is_possible_nobody_is_drawn(way: str) -> None:
    kb = parse_kb("(A | owl:Thing)[0.2]\n(A | owl:Thing)[0.8]\n(B | A)[0.2, 0.3]")
    reasoner = Reasoner(kb, ways=(way, "generated"), limits=Limits(few=0, listed=0))
    assert not reasoner.consistent
    assert {*reasoner.empty_names} == {*kb.signature.concepts}
