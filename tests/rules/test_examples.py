"""What people expect to follow does follow, rule by rule."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest

from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.logic.concepts import BOTTOM, Name
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.machine.progress import watched_by
from boxsel.rules.derivation import propagate
from boxsel.rules.modus_ponens import MODUS_PONENS
from boxsel.rules.propagation import MOST_ROUNDS
from boxsel.rules.published_modus_ponens import PUBLISHED_MODUS_PONENS
from boxsel.syntax.parser import parse_kb, parse_query

UNKNOWN = "0, 1"


def bounds(kb: KB | str, query: str, **options: Any) -> str:
    asked = parse_query(query)
    known = parse_kb(kb) if isinstance(kb, str) else kb
    return propagate(known, [asked], **options).interval(asked).text()


def last_rules(kb: str, query: str) -> list[str]:
    asked = parse_query(query)
    chains = propagate(parse_kb(kb), [asked]).steps(asked)
    return [chain[-1].rule for chain in chains if chain]


@pytest.mark.parametrize(
    ("example", "query", "interval"),
    [
        ("applicant", "(Admitted and DeptA | Applicant)", "0.16, 0.2"),
        ("applicant", "(Admitted | Applicant)", "0.16, 0.96"),
        ("berkeley", "(Admitted | Woman)", "0.81"),
        ("berkeley", "(Admitted | Man)", "0.84"),
    ],
)
def test_bundled_examples(example: str, query: str, interval: str) -> None:
    assert bounds(examples.load(example), query) == interval


def test_berkeley_without_disjoint_departments() -> None:
    kb = examples.load("berkeley")
    overlapping = KB.of(*kb.conditionals)
    assert bounds(overlapping, "(Admitted | Woman)") == "0.72, 0.82"


@pytest.mark.parametrize(
    ("kb", "query", "interval", "rules"),
    [
        ("(A | B)[0.5, 0.6]\n(Q | A and B)[0.5]", "(Q | B)", "0.25, 0.75", ["modus ponens"] * 2),
        ("(A | B)[0.5, 0.6]\n(Q | A and B)[0.5]", "(A and Q | B)", "0.25, 0.3", ["product"] * 2),
        ("(A | B)[0.5]\n(Q | B)[0.9, 1]", "(Q | A and B)", "0.8, 1", ["narrowing"]),
        ("(A | B)[0.5]\n(Q | B)[0.1, 0.2]", "(Q | A and B)", "0, 0.4", ["narrowing"]),
        (
            "(A | B)[0.01]\n(Q | A and B)[0.9]\n(Q | B)[0.05]",
            "(A | Q and B)",
            "0.18",
            ["Bayes"] * 2,
        ),
        (
            "(A | B)[0.01]\n(Q | A and B)[0.9]\n(A | Q and B)[0.18]",
            "(Q | B)",
            "0.05",
            ["inversion"] * 2,
        ),
        ("(A | B)[0.5]\n(A and Q | B)[0.1]", "(Q | A and B)", "0.2", ["conditioning"] * 2),
        ("(Q | A and B)[0.5]\n(A and Q | B)[0.1]", "(A | B)", "0.2", ["scaling"] * 2),
        (
            "(A | B)[0.8]\n(Q | B)[0.7]",
            "(A and Q | B)",
            "0.5, 0.7",
            ["conjunction", "narrower head"],
        ),
        ("(A | B)[0.8]\n(A and Q | B)[0.5]", "(Q | B)", "0.5, 0.7", ["wider head", "conjunct"]),
        ("(E | B)[0.3]\nE SubClassOf D", "(D | B)", "0.3, 1", ["wider head"]),
        ("(D | B)[0.3]\nE SubClassOf D", "(E | B)", "0, 0.3", ["narrower head"]),
        (
            "(r some E | B)[0.3]\nE SubClassOf D\nr SubPropertyOf s",
            "(s some D | B)",
            "0.3, 1",
            ["wider filler"],
        ),
        (
            "(s some D | B)[0.3]\nE SubClassOf D\nr SubPropertyOf s",
            "(r some E | B)",
            "0, 0.3",
            ["narrower filler"],
        ),
        (
            "(D1 | B)[0.3, 0.4]\n(D2 | B)[0.5]\nDisjointClasses: D, D1, D2",
            "(D | B)",
            "0, 0.2",
            ["disjoint heads"],
        ),
    ],
)
def test_each_rule_does_its_work(kb: str, query: str, interval: str, rules: list[str]) -> None:
    assert bounds(kb, query) == interval
    assert last_rules(kb, query) == rules


def test_disjointness_told_in_pairs_adds_up() -> None:
    kb = "(D1 | B)[0.3]\n(D2 | B)[0.5]\n(D1 | D2)[0]\n(D | D1)[0]\n(D2 | D)[0]"
    assert bounds(kb, "(D | B)") == "0, 0.2"


def test_what_excludes_the_same_need_not_exclude_each_other() -> None:
    shares = "(D1 | B)[0.1]\n(D2 | B)[0.1]\n(D3 | B)[0.7]\n(D4 | B)[0.7]\n"
    pairs = ["D1, D2", "D1, D3", "D1, D4", "D2, D3", "D2, D4"]
    kb = parse_kb(shares + "\n".join(f"DisjointClasses: {pair}" for pair in pairs))
    assert propagate(kb).empty == frozenset()
    together = parse_kb(f"{kb.statements[0]}\nDisjointClasses: D3, D4, D5\n(D3 | D1 and D4)[0.5]")
    assert propagate(together).empty == {parse_query("(D3 | D1 and D4)").body}


def test_a_case_counts_once() -> None:
    kb = """
    E EquivalentTo Q and R
    DisjointClasses: A1, A2, A3
    (A1 | B)[0.5]
    (A2 | B)[0.25]
    (Q and R | A1 and B)[0.5]
    (E | A1 and B)[0.5]
    (E | A2 and B)[1]
    (Q and R | A2 and B)[1]
    """
    assert bounds(kb, "(E | B)") == "0.5, 0.75"


def test_only_ends_that_matter_are_explained() -> None:
    kb = """
    (A | B)[0.5, 0.6]
    (E | B)[0, 0.55]
    A SubClassOf E
    (P | A and B)[0.5]
    P SubClassOf Q
    """
    asked = parse_query("(Q | B)")
    chain = propagate(parse_kb(kb), [asked]).steps(asked).lower
    assert [step.rule for step in chain][-1] == "modus ponens"
    assert all("E" not in step.conclusion.text() for step in chain)


def test_emptiness_passes_through_roles_from_above() -> None:
    kb = "(B | A)[0.2]\n(B | A)[0.8]\nA2 SubClassOf A\n(Q | A2)[0.5]\n(r some A2 | C)[0.1, 0.5]"
    assert Name("C") in propagate(parse_kb(kb)).empty


def test_statistics_about_parts_of_parts_reach_the_whole() -> None:
    kb = """
    Child SubClassOf Person
    Pupil SubClassOf Child
    (Child | Person)[0.5]
    (Pupil | Child)[0.8]
    (Glasses | Pupil)[0.5]
    """
    assert bounds(kb, "(Glasses | Person)") == "0.2, 0.8"


def test_a_definition_is_what_it_defines() -> None:
    kb = "E EquivalentTo A and B\n(Q | E)[0.5]\n(E | A)[0.4]"
    assert bounds(kb, "(Q | A)") == "0.2, 0.8"
    assert bounds(kb, "(B | A)") == "0.4"
    assert bounds(kb, "(Q | B and A)") == "0.5"


def test_what_is_certainly_outside_counts() -> None:
    kb = "(B | D)[0.25, 0.5]\n(C | B and D)[0]"
    assert bounds(kb, "(C | D)") == "0, 0.75"


def test_proportions_say_nothing_about_successors() -> None:
    kb = "(D | E)[0.9]\n(r some E | B)[1/2]"
    assert bounds(kb, "(r some D | B)") == UNKNOWN
    assert bounds(kb, "(r some D | r some E)") == UNKNOWN


def test_unknown_names_are_unknown() -> None:
    asked = parse_query("(New | Newer)")
    kb = parse_kb("(A | B)[0.5]")
    assert propagate(kb, [asked]).interval(asked).text() == UNKNOWN
    assert propagate(kb).interval(asked).text() == UNKNOWN
    assert propagate(kb).interval(parse_query("(A | B)")).text() == "0.5"
    assert propagate(kb).steps(asked) == ((), ())


def test_contradicting_conditionals_empty_their_body() -> None:
    kb = parse_kb("(B | A)[0.2]\n(B | A)[0.8]\n(r some A | C)[0.1, 0.5]\n(A | D)[0, 0.5]")
    derivation = propagate(kb)
    assert not derivation.inconsistent
    assert {Name("A"), Name("C")} <= derivation.empty
    assert Name("D") not in derivation.empty
    assert Name("B") not in derivation.empty
    assert derivation.interval(parse_query("(A | D)")).text() == "0"
    steps = derivation.why_empty(Name("A"))
    assert steps[-1].conclusion == (Name("A") <= BOTTOM)
    assert len([step for step in steps if step.rule == "stated"]) == 2
    assert "empty" in derivation.explain(parse_query("(B | A)"))


@pytest.mark.parametrize(
    "kb",
    [
        "(B | owl:Thing)[0.2]\n(B | owl:Thing)[0.8]",
        "(B | A)[0.2]\n(B | A)[0.8]\nA(alice)",
        "(B | A)[0.2]\n(B | A)[0.8]\nr(alice, bob)\nr Range: A",
        "(D1 | owl:Thing)[0.6]\n(D2 | owl:Thing)[0.6]\nDisjointClasses: D1, D2",
        "A SubClassOf B\n(B | A)[0.5]\nA(alice)",
        "A SubClassOf owl:Nothing\nA(alice)",
    ],
)
def test_inconsistency_is_found_where_something_must_exist(kb: str) -> None:
    derivation = propagate(parse_kb(kb))
    assert derivation.inconsistent
    assert derivation.interval(parse_query("(B | A)")) == Interval.of(0, 1)


def test_circles_come_to_an_end_close_to_their_limit() -> None:
    kb = "(A | owl:Thing)[0.5]\n(A | C)[0.1875, 0.4375]\n(C and A | owl:Thing)[0.125, 0.5]"
    asked = parse_query("(C and A | owl:Thing)")
    derivation = propagate(parse_kb(kb), [asked])
    assert derivation.complete
    assert derivation.rounds < MOST_ROUNDS
    limit = Fraction(7, 18)
    assert 0 <= derivation.interval(asked).upper - limit < Fraction(1, 10**6)


def test_rules_can_be_chosen() -> None:
    kb = "(A | B)[0.4, 0.8]\n(Q | A and B)[0.5, 0.6]"
    assert bounds(kb, "(Q | B)", rules=[MODUS_PONENS]) == "0.2, 0.84"
    assert bounds(kb, "(Q | B)", rules=[PUBLISHED_MODUS_PONENS]) == "0.2, 1"
    assert bounds(kb, "(Q | B)", rules=[]) == UNKNOWN


@pytest.mark.parametrize("budget", [-1.0, float("nan")])
def test_a_budget_is_a_number_of_seconds(budget: float) -> None:
    with pytest.raises(BoxselError, match="is not a budget"):
        propagate(KB(), budget=budget)


def halves(whole: str, one: str, other: str) -> str:
    parts = f"{one} SubClassOf {whole}\n{other} SubClassOf {whole}\nDisjointClasses: {one}, {other}"
    return f"{parts}\n({one} | {whole})[0.5]\n({other} | {whole})[0.5]\n"


@pytest.mark.parametrize(
    "first", ["(Q | Y1)[0.2]", halves("Y1", "V1", "V2") + "(Q | V1)[0.1]\n(Q | V2)[0.3]"]
)
@pytest.mark.parametrize(("share", "is_empty"), [("0.6", False), ("0.61", True)])
def test_parts_that_disagree_about_a_total_empty_what_they_divide(
    first: str, share: str, is_empty: bool
) -> None:
    """The total is stated nowhere."""
    parts = halves("X", "Y1", "Y2") + halves("X", "Z1", "Z2")
    kb = f"{parts}\n{first}\n(Q | Y2)[0.6]\n(Q | Z1)[0.2]\n(Q | Z2)[{share}]"
    derivation = propagate(parse_kb(kb))
    assert derivation.is_empty("X") is is_empty


def test_an_empty_knowledge_base_says_nothing() -> None:
    derivation = propagate(KB())
    assert derivation.complete
    assert not derivation.inconsistent
    assert derivation.empty == frozenset()


def test_somebody_may_watch() -> None:
    seen: list[str] = []

    def watch(items: Iterable[Any], task: str, total: int) -> Iterable[Any]:
        seen.append(task)
        return items

    with watched_by(watch):
        propagate(parse_kb("(A | B)[0.5]"))
    assert "propagating" in seen


def test_numbers_stay_short_and_exact_where_they_can() -> None:
    links = "\n".join(f"(A{n + 1} | A{n})[1/3]\nA{n + 1} SubClassOf A{n}" for n in range(40))
    assert bounds(links, "(A20 | A0)") == f"1/{3**20}"
    asked = parse_query("(A40 | A0)")
    interval = propagate(parse_kb(links), [asked]).interval(asked)
    assert interval == Interval(Fraction(0), Fraction(1, 10**12))
