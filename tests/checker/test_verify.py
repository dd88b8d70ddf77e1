from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.checker.order import WIDEST
from boxsel.checker.search import Search
from boxsel.checker.types import Basics, UndecidedError, basics
from boxsel.checker.verify import Verification, verify
from boxsel.errors import BoxselError, ReadError
from boxsel.exact.certificate import certificate
from boxsel.exact.ladder import WAYS
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.statements import Query
from boxsel.syntax.parser import parse_kb, parse_query
from tests.depth import cases
from tests.exact.brute_force import Answer, answer
from tests.exact.knowledge_bases import random_kb, small_kbs
from tests.tampering import Certificate, changed, changes, nodes, spoilt, tampered

APPLICANTS = parse_kb(
    "(DeptA | Applicant)[0.2]\n(Admitted | DeptA and Applicant)[0.8]\nDeptA SubClassOf Applicant"
)
# Assertions, steps with and without multipliers, cuts: what random ones have too rarely.
SPECIAL = [
    ("A(a)\n(B | A)[0.2]\n(B | A)[0.8]", "(B | A)"),
    ("A(a)\nA SubClassOf r some B\n(C | B)[0.2]\n(C | B)[0.8]", "(B | A)"),
    ("r(a, b)\nB(b)\nr SubPropertyOf s\n(s some B | owl:Thing)[0]", "(B | A)"),
    ("r(a, b)\ns(b, c)\nA(a)\nC(c)\nDisjointClasses: A, r some (s some C)", "(A | C)"),
    ("r(a, b)\nr Range: B\nA(b)\n(C | A and B)[0.2]\n(C | A and B)[0.8]", "(A | B)"),
    ("r(a, b)\nA(a)\nB(b)\nr Range: C\nr SubPropertyOf s\n(A | C)[1/3, 1/2]", "(A | C)"),
    ("(C | B)[0.2]\n(C | B)[0.8]\nA SubClassOf r some B\n(A | D)[1/2, 1]", "(A | D)"),
    ("(C | B)[0.2]\n(C | B)[0.8]\n(r some (A and B) | D)[1/2]", "(r some A | D)"),
    ("r Range: C\nr SubPropertyOf s\n(r some A | D)[1/3]", "(s some (A and C) | D)"),
    ("A SubClassOf B\n(r some A | D)[1/3]", "(r some B | D)"),
    ("A SubClassOf r some B\nDisjointClasses: A, B", "(A | owl:Thing)"),
    ("owl:Thing SubClassOf A\n(B | A)[0.2]\n(B | A)[0.8]", "(B | A)"),
    ("(B | A)[1/2]\n(C | A and B)[1/3, 1/2]\n(C | A)[1/4, 1]\nr some A SubClassOf B", "(C | A)"),
]


def certified(kb: KB, query: Query, ways: tuple[str, ...] = WAYS) -> Certificate:
    return certificate(Reasoner(kb, ways=ways).bounds(query))


@cache
def applicants() -> Certificate:
    return certified(APPLICANTS, parse_query("(Admitted | Applicant)"))


def special() -> list[tuple[KB, Query]]:
    return [(parse_kb(kb), parse_query(query)) for kb, query in SPECIAL]


def expected(result: Verification) -> Answer:
    return Answer(result.status, result.lower, result.upper)  # type: ignore[arg-type]


@pytest.mark.parametrize("ways", [("sampled", "generated"), WAYS], ids=["searched", "all"])
@settings(max_examples=cases(75))
@given(pair=small_kbs())
def test_what_the_reasoner_certifies_is_proved(
    ways: tuple[str, ...], pair: tuple[KB, Query]
) -> None:
    kb, query = pair
    result = verify(kb, json.dumps(certified(kb, query, ways)))
    assert result.problems == ()
    assert result.exact
    assert result.query == query
    assert expected(result) == answer(kb, query)


@pytest.mark.parametrize(("kb", "query"), special(), ids=[query for _, query in SPECIAL])
@pytest.mark.parametrize("ways", [("sampled", "generated"), WAYS], ids=["searched", "all"])
def test_every_kind_of_evidence_is_proved(kb: KB, query: Query, ways: tuple[str, ...]) -> None:
    result = verify(kb, certified(kb, query, ways))
    assert result.problems == ()
    assert expected(result) == answer(kb, query)


def test_the_applicants() -> None:
    result = verify(APPLICANTS, applicants())
    assert (result.lower, result.upper) == (Fraction(4, 25), Fraction(24, 25))
    assert result.valid
    assert result.exact


class Auditor:
    """Says what the checker says, after making sure that it proves nothing false."""

    def __init__(self, kb: KB) -> None:
        self._kb = kb
        self._answer = cache(lambda query: answer(kb, query))

    def verdict(self, claim: Certificate) -> str:
        try:
            result = verify(self._kb, claim)
        except ReadError as error:
            assert str(error).startswith("certificate: ")
            return "malformed"
        truth: Answer = self._answer(result.query)
        if truth.lower is not None and truth.upper is not None:
            assert result.lower is None or result.lower <= truth.lower
            assert result.upper is None or result.upper >= truth.upper
        if not result.valid:
            assert not result.exact
            return "rejected"
        if result.exact:
            assert expected(result) == truth
        assert result.status in ("bounded", "budget", truth.status)
        return "proved"


def test_nothing_false_is_ever_proved() -> None:
    random = Random(7)
    rejected: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    pairs = [(*pair, 8) for pair in special()]
    pairs += [(*random_kb(random, 6), 2) for _ in range(40)]
    for kb, query, most in pairs:
        auditor = Auditor(kb)
        for where, claim in tampered(random, certified(kb, query), most):
            verdict = auditor.verdict(claim)
            verdicts[verdict] += 1
            rejected[where] += verdict == "rejected"
    # Which changes are drawn depends on the certificates, so these leave some room.
    assert verdicts["rejected"] > 500
    assert verdicts["malformed"] > 500
    assert verdicts["proved"] > 200
    for end in ("lower", "upper"):
        for name in ("bound", "model.elements.weight", "model.elements.further"):
            assert rejected[f"{end}.{name}"] > 20
        for name in ("model.elements.names", "model.elements", "proof.multipliers"):
            assert rejected[f"{end}.{name}"] > 5
        for name in ("model.edges", "model.individuals", "proof.steps", "proof.steps.unless"):
            assert rejected[f"{end}.{name}"]
    for name in ("axioms", "query", "empty.multipliers"):
        assert rejected[name] > 5
    for name in ("empty.axioms", "empty.steps", "assertions.axioms", "assertions.cuts"):
        assert rejected[name]


def test_two_changes_prove_nothing_false_either() -> None:
    random = Random(8)
    verdicts: Counter[str] = Counter()
    for kb, query in special() + [random_kb(random, 6) for _ in range(30)]:
        auditor = Auditor(kb)
        claim = certified(kb, query)
        # Missing and unknown keys are malformed: changes inside are of more interest here.
        for first in random.choices(
            [change for change in changes(claim) if len(change[0]) > 1], k=8
        ):
            once = changed(claim, *first)
            second = random.choice([change for change in changes(once) if len(change[0]) > 1])
            verdicts[auditor.verdict(changed(once, *second))] += 1
    assert verdicts["rejected"] > 80


def tree_shaped(levels: int) -> KB:
    """Classes below classes, each with a part; P has none of the last, for want of a witness."""
    lines = ["(D | E0)[0.2]", "(D | E0)[0.8]", "P SubClassOf C0", f"P and C{levels} SubClassOf F"]
    lines += [f"E{level + 1} SubClassOf r some E{level}" for level in range(4)]
    lines.append("F SubClassOf r some E4")
    for level in range(levels):
        upper, lower = f"C{level}", f"C{level + 1}"
        lines += [f"{lower} SubClassOf {upper}", f"B{level} SubClassOf {upper}"]
        lines += [f"({lower} | {upper})[{level % 3 + 3}/11, {level % 4 + 6}/11]"]
        lines += [f"(B{level} | {upper})[1/{level + 3}, 2/3]"]
    return parse_kb("\n".join(lines))


@pytest.mark.parametrize(
    ("query", "ends"), [("(C20 | C0)", ("lower", "upper")), ("(P | C0)", ("upper",))]
)
def test_where_all_is_needed_every_change_is_refused(query: str, ends: tuple[str, ...]) -> None:
    kb = tree_shaped(20)
    claim = certified(kb, parse_query(query))
    claim = {key: one for key, one in claim.items() if key in ends or key not in ("lower", "upper")}
    claim["status"] = "budget"
    if "lower" not in ends:  # the model may be like that of the lower end
        del claim["upper"]["model"]
    assert verify(kb, claim).valid
    refused = Counter[str]()
    for where, other in spoilt(claim):
        result = verify(kb, other)
        assert any(one.startswith(f"{where.split('.')[0]}.proof") for one in result.problems), where
        refused[where] += 1
    for end in ends:
        assert refused[f"{end}.bound"] == 1
        assert refused[f"{end}.proof.multipliers"] == 3 * 20
    assert refused["upper.proof.steps"] == (5 if query == "(P | C0)" else 0)


def test_moved_weight_moves_the_share() -> None:
    claim = applicants()
    elements = claim["lower"]["model"]["elements"]
    for one, other in product(range(len(elements)), repeat=2):
        if one != other:
            moved = deepcopy(claim)
            inside = moved["lower"]["model"]["elements"]
            for place, sign in ((one, 1), (other, -1)):
                weight = Fraction(inside[place]["weight"]) + sign * Fraction(1, 100)
                inside[place]["weight"] = str(weight)
            result = verify(APPLICANTS, moved)
            assert [problem.split(":")[0] for problem in result.problems] == ["lower.model"]
            assert result.lower == Fraction(4, 25)  # the proof does not need the model


@pytest.mark.parametrize("weights", [("0", "0"), ("-1", "2"), ("2", "-1")])
def test_every_element_needs_members(weights: tuple[str, str]) -> None:
    element = {"names": [], "weight": weights[0], "further": weights[1]}
    elements = [*applicants()["upper"]["model"]["elements"], element]
    claim = changed(applicants(), ("upper", "model", "elements"), elements)
    assert [problem.split(":")[0] for problem in verify(APPLICANTS, claim).problems] == [
        "upper.model"
    ]


def test_only_bounds_can_be_multiplied_and_not_turned_round() -> None:
    kb = parse_kb("(B | A)[0.2, 0.5]\nA SubClassOf C")
    claim = certified(kb, parse_query("(B | A)"))
    for multiplier in ([0, "upper", "-1"], [1, "lower", "1"]):
        turned = changed(claim, ("lower", "bound"), "1/2")
        turned["axioms"] = [str(axiom) for axiom in kb.axioms]
        turned = changed(turned, ("lower", "proof", "multipliers"), [multiplier])
        result = verify(kb, turned)
        assert result.lower is None
        assert "cannot be multiplied" in result.problems[0]


def test_cuts_must_cut() -> None:
    kb = parse_kb("A(a)\n(B | A)[0.2, 0.5]")
    cuts = [[[1, "lower", "1"]], [[1, "upper", "1"]]]  # who is in A is in B, and is not in B
    claim = applicants() | {"query": "(B | A)", "status": "inconsistent"}
    claim |= {"axioms": [str(axiom) for axiom in kb.axioms]}
    claim |= {"assertions": {"axioms": [0, 1], "steps": [], "cuts": cuts}}
    result = verify(kb, {key: claim[key] for key in claim if key not in ("lower", "upper")})
    assert result.problems == ("assertions: the multipliers of a cut are above 0 somewhere",)


def test_bounds_by_axioms_that_are_not_there_are_not_proved() -> None:
    kb, stronger_kb = parse_kb("(B | A)[0.2, 0.5]"), parse_kb("(B | A)[0.4, 0.5]")
    claim = certified(stronger_kb, parse_query("(B | A)"))
    assert verify(stronger_kb, claim).lower == Fraction(2, 5)
    result = verify(kb, claim)
    assert not result.valid
    assert result.lower is None
    assert result.upper is None


def without(claim: Certificate, number: int) -> Certificate:
    """A certificate that makes no use of an axiom."""
    numbers = [*range(number), -1, *range(number, len(claim["axioms"]) - 1)]

    def renumbered(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: renumbered(member, name) for name, member in value.items()}
        if not isinstance(value, list) or key in ("elements", "edges", "names", "unless"):
            return value
        if key == "axioms":
            return [numbers[one] for one in value if one != number]
        if key in ("multipliers", "cut"):
            return [[numbers[one], *rest] for one, *rest in value if one != number]
        return [renumbered(one, "cut" if key == "cuts" else "") for one in value]

    lines = [line for place, line in enumerate(claim["axioms"]) if place != number]
    return {**renumbered({**claim, "axioms": []}), "axioms": lines}


def test_a_weaker_knowledge_base_does_not_do() -> None:
    random = Random(3)
    verdicts: Counter[str] = Counter()
    for kb, query in special() + [random_kb(random, 6) for _ in range(40)]:
        claim = certified(kb, query)
        for number, line in enumerate(claim["axioms"]):
            removed = next(parse_kb(line).axioms)
            weaker = KB.of(*(axiom for axiom in kb.axioms if axiom != removed))
            problems = verify(weaker, claim).problems
            assert problems[0] == f"axioms: the knowledge base does not state {removed}"
            verdicts[Auditor(weaker).verdict(without(claim, number))] += 1
    assert verdicts["rejected"] > 30
    assert verdicts["proved"] > 30  # not every axiom of a module is needed
    assert not verdicts["malformed"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: "", "expected an object, found null"),
        (lambda one: "{", "this is not JSON"),
        (lambda one: "[" * 100_000, "nested too deeply"),
        (lambda one: "[1]", "expected an object, found a list"),
        (lambda one: "{}", "the key 'format' is missing"),
        (lambda one: json.dumps(one)[:-1] + ', "version": 1}', "'version' occurs twice"),
        (lambda one: one | {"query": {1, 2}}, "this cannot be written as JSON"),
        (lambda one: one | {"format": "certificate"}, "format: there is no 'certificate' here"),
        (lambda one: one | {"version": 2}, "only certificates of version 1 can be read"),
        (lambda one: one | {"version": True}, "version: expected a whole number, found true"),
        (lambda one: one | {"status": "sure"}, "status: there is no 'sure' here"),
        (lambda one: one | {"status": "vacuous"}, "unknown key 'lower'"),
        (lambda one: one | {"query": "(A | owl:Nothing)"}, "owl:Nothing cannot stand in a query"),
        (lambda one: one | {"query": "(A | "}, "query: "),
        (lambda one: one | {"axioms": "A SubClassOf B"}, "axioms: expected a list"),
        (lambda one: one | {"axioms": ["# nothing"]}, "axioms[0]: expected one axiom"),
        (lambda one: one | {"axioms": ["A SubClassOf"]}, "axioms[0]: "),
        (lambda one: one | {"axioms": ["A(a)\nA(b)"]}, "axioms[0]: expected one axiom"),
        (lambda one: one | {"lower": {"bound": "1"}}, "lower: the key 'proof' is missing"),
        (lambda one: one | {"lower": one["lower"] | {"bound": 0.5}}, "lower.bound: expected text"),
        (lambda one: one | {"lower": one["lower"] | {"bound": "1/0"}}, "lower.bound: expected a f"),
        (lambda one: one | {"lower": one["lower"] | {"bound": "9" * 9999}}, "at most 4,000 digits"),
        (lambda one: changed(one, ("lower", "proof", "axioms"), [3]), "there are 3 axioms"),
        (lambda one: changed(one, ("lower", "proof", "axioms"), [-1]), "-1 is none of them"),
        (
            lambda one: changed(one, ("lower", "proof", "axioms"), [10**500]),
            "lower.proof.axioms[0]",
        ),
        (lambda one: changed(one, ("lower", "proof", "multipliers"), [[0, "up", "1"]]), "'up'"),
        (lambda one: changed(one, ("lower", "proof", "multipliers"), [[0]]), "a list of 3"),
        (
            lambda one: changed(
                one, ("lower", "proof", "steps"), [{"exists": "A", "unless": [], "multipliers": []}]
            ),
            "lower.proof.steps[0].exists: expected a concept such as r some A",
        ),
        (lambda one: changed(one, ("upper", "model", "edges"), [["r", 0, 9]]), "there are 3 elem"),
        (
            lambda one: changed(one, ("upper", "model", "edges"), [["", 0, 0]]),
            "edges[0][0]: a name",
        ),
        (lambda one: changed(one, ("upper", "model", "individuals"), {"": 0}), "individuals"),
        (
            lambda one: changed(one, ("upper", "model", "elements", 0, "names"), ["x:<>"]),
            "upper.model.elements[0].names[0]: 'x:<>' is not an IRI",
        ),
    ],
)
def test_malformed_certificates_are_refused_in_words(
    change: Callable[[Certificate], Certificate | str], message: str
) -> None:
    claim = applicants()
    with pytest.raises(ReadError) as error:
        verify(APPLICANTS, change(claim))
    assert message in str(error.value)


@settings(max_examples=cases(100))
@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists), st.randoms())
def test_whatever_is_put_anywhere_is_no_crash(junk: object, random: Random) -> None:
    claim = applicants()
    path, _ = random.choice(list(nodes(claim))[1:])
    try:
        result = verify(APPLICANTS, changed(claim, path, junk))
    except BoxselError:
        return
    assert result.valid or result.problems


def test_an_end_without_a_model_is_a_bound_that_may_not_be_tight() -> None:
    claim = deepcopy(applicants())
    del claim["upper"]["model"]
    claim["upper"]["bound"] = "97/100"
    result = verify(APPLICANTS, claim)
    assert result.valid
    assert not result.exact
    assert result.upper == Fraction(97, 100)
    assert result.notes == ("upper: without a model, the true bound may be tighter",)


def test_axioms_that_were_left_out_leave_nothing_exact() -> None:
    kb = replace(APPLICANTS, dropped=(Dropped("ObjectUnionOf", 3, "not part of the logic"),))
    result = verify(kb, applicants())
    assert result.valid
    assert not result.exact
    assert result.notes == ("the knowledge base was read without 3 of its axioms",)
    assert (result.lower, result.upper) == (Fraction(4, 25), Fraction(24, 25))


def test_the_words_for_what_was_found() -> None:
    good = verify(APPLICANTS, applicants())
    assert good.text() == "(Admitted | Applicant) is between 4/25 and 24/25: proved, exact\n"
    assert good.to_json()["lower_exact"] == "4/25"
    bad = verify(APPLICANTS, changed(applicants(), ("upper", "bound"), "1/2"))
    first, *problems = bad.text().splitlines()
    assert first == "(Admitted | Applicant): the certificate does not prove what it claims"
    assert problems == [
        "  problem: upper.proof: the multipliers do not prove 1/2",
        "  problem: upper.model: the query's share is 24/25",
    ]
    assert bad.to_json() | {"problems": []} == {
        "query": "(Admitted | Applicant)",
        "status": "bounded",
        "valid": False,
        "exact": False,
        "lower_exact": "4/25",
        "upper_exact": None,
        "possible_exact": None,
        "problems": [],
        "notes": [],
    }


def test_numbers_of_thousands_of_bits() -> None:
    random = Random(1)
    lines = []
    for step in range(6):
        body = " and ".join(f"A{place}" for place in range(step + 1))
        total = random.randrange(10**189, 10**190)
        lines.append(f"(A{step + 1} | {body})[{random.randrange(total // 2, total)}/{total}]")
    kb = parse_kb("\n".join(lines))
    claim = certified(kb, parse_query("(A6 | A0)"))
    result = verify(kb, claim)
    assert result.exact
    assert result.upper is not None
    assert result.upper.denominator.bit_length() > 3000
    little = Fraction(1, 10**1200)
    tighter, looser = (str(result.upper + sign * little) for sign in (-1, 1))
    assert verify(kb, changed(claim, ("upper", "bound"), tighter)).upper is None
    assert verify(kb, changed(claim, ("upper", "bound"), looser)).upper == Fraction(looser)


PRIMES = [2**4423 - 1, 2**9689 - 1, 2**9941 - 1]
"""Their fractions have no common denominator of less than 24,000 bits."""


def test_numbers_of_tens_of_thousands_of_bits() -> None:
    claim = changed(applicants(), ("upper", "bound"), "97/100")
    multipliers = claim["upper"]["proof"]["multipliers"]
    number = next(place for place, side, _ in multipliers if side == "upper")
    more = [[number, "upper", f"1/{prime}"] for prime in PRIMES]
    longer = changed(claim, ("upper", "proof", "multipliers"), multipliers + more)
    assert verify(APPLICANTS, longer).upper == Fraction(97, 100)
    tight = changed(longer, ("upper", "bound"), "24/25")
    assert (
        verify(APPLICANTS, tight).problems[0] == "upper.proof: the multipliers do not prove 24/25"
    )


def test_numbers_that_are_too_long_are_not_called_checked() -> None:
    body = " and ".join(f"N{number}" for number in range(WIDEST + 1))
    kb = parse_kb(f"(A | {body})[1/3]")
    long = [[0, "lower", f"1/{prime}"] for prime in PRIMES]
    proof = {"axioms": [0], "steps": [], "multipliers": long}
    claim = applicants() | {"query": "(A | N0)", "status": "budget"}
    claim |= {"axioms": [str(axiom) for axiom in kb.axioms]}
    claim |= {"upper": {"bound": "1/2", "proof": proof}}
    del claim["lower"]
    result = verify(kb, claim)
    assert result.problems == ("upper.proof: the numbers are too long to be checked",)


A, B, C = (Name(text) for text in "ABC")
huge = st.integers(-(2**200), 2**200) | st.integers(-3, 3)
forms = st.dictionaries(
    st.frozensets(st.sampled_from([A, B, C])), huge.map(Fraction), min_size=1, max_size=6
)


@settings(max_examples=cases(200))
@given(forms, st.integers(-1, 1), st.sampled_from([(), ((A, B),), ((A, B), (B, C))]))
def test_long_sums_are_exact(
    form: dict[Basics, Fraction], least: int, implications: Sequence[tuple[Name, Name]]
) -> None:
    # Make ties likely: some type gives exactly the least value.
    form[frozenset()] = Fraction(least - sum(number for key, number in form.items() if key))
    clauses = [(basics(one), basics(other)) for one, other in implications]
    types = [
        frozenset(name for name, there in zip((A, B, C), bits, strict=True) if there)
        for bits in product((False, True), repeat=3)
    ]
    allowed = [
        kind
        for kind in types
        if all(left not in kind or right in kind for left, right in implications)
    ]
    for wanted in (least, least + 1):
        search = Search(clauses)
        search.demand(form, wanted)
        assert search.succeeds() == any(
            sum(number for key, number in form.items() if key <= names) >= wanted
            for names in allowed
        )


def test_the_search_says_when_it_cannot_decide() -> None:
    with pytest.raises(UndecidedError, match="too long"):
        Search([]).demand({basics(A): Fraction(2**20_001)}, 1)
