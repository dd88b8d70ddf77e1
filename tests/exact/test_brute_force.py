"""The reference reasoner itself: known answers, and explicit models on both sides of its bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from boxsel import examples
from boxsel.logic.axioms import Conditional, Disjointness
from boxsel.logic.concepts import Concept, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.syntax.parser import parse_kb, parse_query
from tests.depth import cases
from tests.exact.brute_force import (
    Answer,
    Edges,
    Type,
    Weights,
    answer,
    assignment,
    basic_concepts,
    common_weights,
    empty_names,
    heaviest,
    is_consistent,
    surviving_types,
)
from tests.exact.knowledge_bases import described_populations, random_kb, small_kbs
from tests.exact.simplex import maximise
from tests.interpretations import Interpretation

Populated = tuple[KB, Query, Interpretation]


def ask(kb: KB | str, query: str) -> Answer:
    return answer(parse_kb(kb) if isinstance(kb, str) else kb, parse_query(query))


def bounded(lower: str, upper: str) -> Answer:
    return Answer("bounded", Fraction(lower), Fraction(upper))


VACUOUS, INCONSISTENT = Answer("vacuous"), Answer("inconsistent")


class TestPublishedExamples:
    def test_applicants(self) -> None:
        kb = examples.load("applicant")
        assert ask(kb, "(Admitted and DeptA | Applicant)") == bounded("4/25", "1/5")
        assert ask(kb, "(Admitted | Applicant)") == bounded("4/25", "24/25")

    def test_berkeley(self) -> None:
        kb = examples.load("berkeley")
        assert ask(kb, "(Admitted | Woman)") == bounded("81/100", "81/100")
        assert ask(kb, "(Admitted | Man)") == bounded("21/25", "21/25")

    def test_berkeley_with_people_in_two_departments(self) -> None:
        kb = examples.load("berkeley")
        kb = kb.with_statements(s for s in kb if not isinstance(s.axiom, Disjointness))
        assert ask(kb, "(Admitted | Woman)") == bounded("18/25", "41/50")

    def test_contradictory_conditionals_empty_their_body(self) -> None:
        kb = parse_kb("(B | A)[0.2]\n(B | A)[0.8]")
        assert is_consistent(kb)
        assert empty_names(kb) == {Name("A")}
        assert ask(kb, "(B | A)") == VACUOUS
        assert ask(kb, "(A | B)") == bounded("0", "0")


@pytest.mark.parametrize(
    ("kb", "query", "expected"),
    [
        # Nothing is known; a share of ⊤ in ⊤; a name that only the query mentions.
        ("# nothing", "(B | A)", bounded("0", "1")),
        ("# nothing", "(owl:Thing | A)", bounded("1", "1")),
        ("(B | A)[1/4, 1/2]", "(C | A)", bounded("0", "1")),
        # Modus ponens: at least 1/2 · 1/2; at most all but the half of A that is surely not B.
        ("(A | C)[1/2]\n(B | A and C)[1/2]", "(B | C)", bounded("1/4", "3/4")),
        # Bayes: A is 1/4 of all, A ⊓ B half of that, and a third of B: so B is 3/8.
        (
            "(A | owl:Thing)[1/4]\n(B | A)[1/2]\n(A | B)[1/3]",
            "(B | owl:Thing)",
            bounded("3/8", "3/8"),
        ),
        # Every count is read as its point.
        ("(B | A)[3 of 12]", "(B | A)", bounded("1/4", "1/4")),
        # Three members: all equal, or no two together.
        ("EquivalentClasses: A, B, C\n(D | A)[1/3]", "(D | C)", bounded("1/3", "1/3")),
        ("DisjointClasses: A, B, C\n(B | D)[1/3]\n(C | D)[1/3]", "(A | D)", bounded("0", "1/3")),
        # ⊤ must not be empty, so contradictions about it leave no model.
        ("(A | owl:Thing)[0.2]\n(A | owl:Thing)[0.8]", "(A | B)", INCONSISTENT),
        ("owl:Thing SubClassOf owl:Nothing", "(A | B)", INCONSISTENT),
    ],
)
def test_without_roles(kb: str, query: str, expected: Answer) -> None:
    assert ask(kb, query) == expected


@pytest.mark.parametrize(
    ("kb", "query", "expected"),
    [
        # Existentials are monotone in filler and role, even if nothing else says so.
        ("A SubClassOf B\n(r some A | C)[1/3]", "(r some B | C)", bounded("1/3", "1")),
        ("(r some A | C)[1/3]", "(r some (A and B) | C)", bounded("0", "1/3")),
        ("r SubPropertyOf s\n(r some A | C)[1/3]", "(s some A | C)", bounded("1/3", "1")),
        ("r SubPropertyOf s\n(s some A | C)[1/3]", "(r some A | C)", bounded("0", "1/3")),
        # Role inclusions chain, and a cycle makes roles equal.
        (
            "r SubPropertyOf s\ns SubPropertyOf t\n(t some A | C)[1/3]",
            "(r some A | C)",
            bounded("0", "1/3"),
        ),
        (
            "s SubPropertyOf t\nr SubPropertyOf s\n(t some A | C)[1/3]",
            "(r some A | C)",
            bounded("0", "1/3"),
        ),
        (
            "r SubPropertyOf s\ns SubPropertyOf r\n(s some A | C)[1/3]",
            "(r some A | C)",
            bounded("1/3", "1/3"),
        ),
        # A successor is in the range, of its role and of the roles above.
        ("r Range: B\n(r some A | C)[1/3]", "(r some (A and B) | C)", bounded("1/3", "1/3")),
        (
            "r SubPropertyOf s\ns Range: B\n(r some A | C)[1/3]",
            "(r some (A and B) | C)",
            bounded("1/3", "1/3"),
        ),
        # The range of a role below says nothing.
        (
            "r SubPropertyOf s\nr Range: B\n(s some A | C)[1/3]",
            "(s some (A and B) | C)",
            bounded("0", "1/3"),
        ),
        # What has a successor is in the domain, also by a role below.
        ("s Domain: B\nr SubPropertyOf s\n(r some A | C)[1/4]", "(B | C)", bounded("1/4", "1")),
        # Who has a successor at all, has one that is something.
        ("A SubClassOf r some owl:Nothing", "(B | A)", VACUOUS),
        ("B SubClassOf owl:Nothing\nA SubClassOf r some (s some B)", "(B | A)", VACUOUS),
        ("r Range: owl:Nothing\n(r some A | C)[1/4, 1]", "(A | C)", VACUOUS),
        # A cycle of witnesses is finite: an element can be its own witness.
        ("A SubClassOf r some A", "(B | A)", bounded("0", "1")),
        # B is emptied by its conditionals, hence A, that needs a B, hence D, of which half is A.
        (
            "(C | B)[0.2]\n(C | B)[0.8]\nA SubClassOf r some B\n(A | D)[1/2, 1]",
            "(A | D)",
            VACUOUS,
        ),
        # One B is witness enough for any number of A: the share 1 is approached, not attained.
        ("A SubClassOf r some B\nDisjointClasses: A, B", "(A | owl:Thing)", bounded("0", "1")),
        # Without any B there is no A.
        ("A SubClassOf r some B\n(B | owl:Thing)[0]", "(A | owl:Thing)", bounded("0", "0")),
        # Half of all has an r-successor in A, so A exists, but may be as rare as one likes.
        ("(r some A | owl:Thing)[1/2]", "(A | owl:Thing)", bounded("0", "1")),
        # A successor in A and one in B need not be the same.
        (
            "C SubClassOf r some A\nC SubClassOf r some B\nDisjointClasses: A, B",
            "(r some (A and B) | C)",
            bounded("0", "0"),
        ),
    ],
)
def test_with_roles(kb: str, query: str, expected: Answer) -> None:
    assert ask(kb, query) == expected


@pytest.mark.parametrize(
    ("kb", "expected"),
    [
        ("A(a)\nB(b)\nDisjointClasses: A, B", True),  # a and b may differ
        ("A(a)\nB(a)\nDisjointClasses: A, B", False),
        ("A(a)\n(B | A)[0.2]\n(B | A)[0.8]", False),  # A is empty
        ("A(a)\nA SubClassOf r some B\nB SubClassOf owl:Nothing", False),
        ("r(a, b)\nB(b)\n(r some B | owl:Thing)[0]", False),
        ("r(a, b)\nB(a)\n(r some B | owl:Thing)[0]", True),
        ("r(a, b)\nB(b)\nr SubPropertyOf s\n(s some B | owl:Thing)[0]", False),
        ("r(a, b)\nB(b)\ns SubPropertyOf r\n(s some B | owl:Thing)[0]", True),
        ("r(a, a)\nA(a)\nr Range: B\nDisjointClasses: A, B", False),
        ("r(a, b)\nA(a)\nr Range: B\nDisjointClasses: A, B", True),
        ("r(a, b)\nA(a)\nr Domain: B\nDisjointClasses: A, B", False),
        ("r(a, b)\ns(b, c)\nA(a)\nC(c)\nDisjointClasses: A, r some (s some C)", False),
        ("r(a, b)\nr Range: owl:Nothing", False),
    ],
)
def test_assertions_need_types_that_occur(kb: str, expected: bool) -> None:
    assert is_consistent(parse_kb(kb)) == expected
    assert ask(kb, "(B | owl:Thing)").status == ("bounded" if expected else "inconsistent")


def test_assertions_do_not_move_bounds() -> None:
    kb = "(B | A)[1/4, 1/2]\nA(a)\nB(a)\nr(a, b)\nA(b)"
    assert ask(kb, "(B | A)") == bounded("1/4", "1/2")


def test_without_a_model_every_name_is_empty() -> None:
    assert empty_names(parse_kb("A(a)\nA SubClassOf owl:Nothing\nB SubClassOf C")) == {
        Name(text) for text in "ABC"
    }


small = st.integers(-4, 4)


@st.composite
def linear_programs(draw: st.DrawFn) -> tuple[list[int], list[list[int]], list[int]]:
    columns, rows = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    row = st.lists(small, min_size=columns, max_size=columns)
    return (
        draw(row),
        draw(st.lists(row, min_size=rows, max_size=rows)),
        draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows)),
    )


@settings(max_examples=cases(300))
@given(linear_programs())
def test_simplex_finds_and_proves_the_optimum(
    program: tuple[list[int], list[list[int]], list[int]],
) -> None:
    objective, rows, limits = program
    by_scipy = linprog([-cost for cost in objective], A_ub=rows, b_ub=limits, method="highs")
    if by_scipy.status != 0:
        with pytest.raises(ValueError, match="unbounded"):
            maximise(objective, rows, limits)
        return
    best = maximise(objective, rows, limits)
    assert by_scipy.fun == pytest.approx(-float(best.value), abs=1e-7)
    # Weak duality: a feasible point and feasible multipliers of equal value are both optimal.
    assert min(best.point) >= 0
    assert min(best.multipliers) >= 0
    assert best.value == _dot(objective, best.point) == _dot(limits, best.multipliers)
    for row, limit in zip(rows, limits, strict=True):
        assert _dot(row, best.point) <= limit
    for cost, column in zip(objective, zip(*rows, strict=True), strict=True):
        assert _dot(column, best.multipliers) >= cost


def _dot(one: Sequence[int], other: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


@settings(max_examples=cases(300))
@given(described_populations())
def test_every_model_is_within_the_bounds(populated: Populated) -> None:
    kb, query, population = populated
    assert population.is_model(kb)
    result = answer(kb, query)
    share = population.share(query.head, query.body)
    assert result.status == "bounded" if share is not None else result.status != "inconsistent"
    if share is not None:
        assert result.lower is not None
        assert result.upper is not None
        assert result.lower <= share <= result.upper
    assert all(not population.extension(name) for name in empty_names(kb))


@settings(max_examples=cases(300))
@given(small_kbs())
def test_the_bounds_are_reached_by_models(pair: tuple[KB, Query]) -> None:
    kb, query = pair
    result = answer(kb, query)
    if result.status == "inconsistent":
        return
    basics = basic_concepts(kb, query.head, query.body)
    types = surviving_types(kb, basics)
    model = _canonical(kb, types, basics)

    # The elements are of the types that they stand for, and all axioms on them hold.
    for basic in basics:
        assert model.extension(basic) == {
            place for place, kind in enumerate(types) if basic in kind
        }
    proportions = list(kb.conditionals)
    assert all(model.satisfies(axiom) for axiom in kb.axioms if axiom not in proportions)
    everywhere = common_weights(kb, types)
    assert all(everywhere[kind] > 0 for kind in types)
    assert all(_obeys(model, types, everywhere, axiom) for axiom in proportions)

    # Weights with the extreme shares, unless a share is 0 or 1 in all of them.
    inside = model.extension(query.body) & model.extension(query.head)
    outside = model.extension(query.body) - inside
    for counted, end in ((inside, result.upper), (outside, result.lower and 1 - result.lower)):
        if end:
            weights = heaviest(kb, types, query.body, [types[place] for place in counted])
            assert all(_obeys(model, types, weights, axiom) for axiom in proportions)
            assert _total(types, weights, inside | outside) == 1
            assert _total(types, weights, counted) == end


def _canonical(kb: KB, types: Sequence[Type], basics: Sequence[Concept]) -> Interpretation:
    """One element for each type, every link that is allowed, and the individuals."""
    edges = Edges.of(kb, basics)
    places = range(len(types))
    given = assignment(kb, types, basics)
    assert given is not None
    roles: Iterable[Role] = edges.above
    return Interpretation(
        frozenset(places),
        {
            basic: frozenset(place for place in places if basic in types[place])
            for basic in basics
            if isinstance(basic, Name)
        },
        {
            role: frozenset(
                (source, target)
                for source in places
                for target in places
                if edges.allowed(role, types[source], types[target])
            )
            for role in roles
        },
        {individual: types.index(concepts) for individual, concepts in given.items()},
    )


def _total(types: Sequence[Type], weights: Weights, places: Iterable[int]) -> Fraction:
    return sum((weights[types[place]] for place in places), Fraction(0))


def _obeys(
    model: Interpretation, types: Sequence[Type], weights: Weights, axiom: Conditional
) -> bool:
    """Whether a conditional is true if elements are counted by their weights."""
    body = model.extension(axiom.body)
    whole = _total(types, weights, body)
    part = _total(types, weights, body & model.extension(axiom.head))
    return axiom.bounds.lower * whole <= part <= axiom.bounds.upper * whole


def test_the_generator_covers_every_status() -> None:
    random = Random(0)
    pairs = [random_kb(random) for _ in range(400)]
    assert all(len(basic_concepts(kb, query.head, query.body)) <= 7 for kb, query in pairs)
    answers = [answer(kb, query) for kb, query in pairs]
    proper = [one for one in answers if one.lower != one.upper and one != bounded("0", "1")]
    assert len(proper) > 40
    for status in ("bounded", "vacuous", "inconsistent"):
        assert sum(one.status == status for one in answers) > 40
