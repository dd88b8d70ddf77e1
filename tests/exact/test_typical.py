"""The typical population: what it must be, and that it is found."""

from __future__ import annotations

import doctest
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import log, sqrt
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from boxsel.errors import BoxselError
from boxsel.exact.compile.problem import Problem
from boxsel.exact.compile.vocabulary import Basic, Mask
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.typical import Typical, find_typical
from boxsel.exact.ways.trees.bags import compile_bags
from boxsel.exact.ways.trees.entropy import maximise_entropy
from boxsel.exact.ways.trees.population import Population
from boxsel.exact.ways.trees.sweeps import Sweeps
from boxsel.exact.ways.way import Limits
from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import TOP, Concept, Name, conjunction, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_concept, parse_kb
from tests.depth import cases, some
from tests.exact.knowledge_bases import random_kb

Floats = NDArray[np.float64]
Row = np.ndarray[tuple[int], np.dtype[np.float64]]

ROOT = Path(__file__).parents[2]
CLOSE = 1e-9
"""What the search promises of shares; rounding adds about 1e-15 for each bag."""
TRIALS = 200
STRUCTURAL = 491
"""A share that is stated, and is 1 by clauses that no bag has together."""
NAMES = tuple(Name(letter) for letter in "ABCDEF")


def point(head: Concept, body: Concept, share: Fraction) -> Conditional:
    return Conditional(head, body, Interval(share, share))


def known(*names: Name) -> list[Axiom]:
    """Statements that have some names and say nothing."""
    return [Inclusion(name, name) for name in names]


def share(typical: Typical, head: Concept, body: Concept = TOP) -> float:
    found = typical.share(Query(head, body))
    assert found is not None
    return found


# Where the statements are silent


def test_without_statements_all_types_are_as_frequent() -> None:
    typical = find_typical(KB.of(*known(*NAMES)))
    for size in range(1, len(NAMES) + 1):
        together = conjunction(*NAMES[:size])
        assert share(typical, together) == pytest.approx(0.5**size, rel=1e-12)
    assert share(typical, NAMES[0], conjunction(*NAMES[1:])) == pytest.approx(0.5, rel=1e-12)
    assert typical.entropy == pytest.approx(len(NAMES) * log(2), rel=1e-12)
    assert typical.violation == 0


def test_shares_of_everybody_are_independent() -> None:
    shares = [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)]
    names = NAMES[: len(shares)]
    typical = find_typical(
        KB.of(*(point(name, TOP, one) for name, one in zip(names, shares, strict=True)))
    )
    for size in range(1, len(names) + 1):
        for chosen in combinations(range(len(names)), size):
            expected = np.prod([float(shares[place]) for place in chosen])
            found = share(typical, conjunction(*(names[place] for place in chosen)))
            assert found == pytest.approx(expected, abs=CLOSE)


def test_an_interval_holds_the_even_share_or_the_nearest_end() -> None:
    typical = find_typical(
        parse_kb(
            "(A | owl:Thing)[0.2, 0.3]\n(B | owl:Thing)[0.6, 1]\n(C | owl:Thing)[0.4, 0.9]\n"
            "(D | owl:Thing)[0, 0.5]"
        )
    )
    found = [share(typical, name) for name in NAMES[:4]]
    assert found == pytest.approx([0.3, 0.6, 0.5, 0.5], abs=CLOSE)


# Against others


@dataclass(frozen=True)
class Case:
    """A knowledge base about a few names, and the types that obey its clauses."""

    kb: KB
    names: Sequence[Name]
    types: Sequence[frozenset[Name]]


def random_case(random: Random) -> Case:
    """Clauses, and conditionals that hold in some population with everybody who is possible."""
    names = NAMES[: random.randint(3, 6)]
    clauses = [_random_clause(random, names) for _ in range(random.randint(0, 3))]
    every = [
        frozenset(name for name, there in zip(names, kind, strict=True) if there)
        for kind in product((False, True), repeat=len(names))
    ]
    types = [kind for kind in every if all(_obeys(kind, clause) for clause in clauses)]
    weights = {kind: random.randint(1, 20) for kind in types}
    stated: list[Axiom] = []
    for _ in range(random.randint(2, 6)):
        head, *bodies = random.sample(names, random.randint(1, 3))
        inside = [kind for kind in types if kind.issuperset(bodies)]
        having = sum(weights[kind] for kind in inside if head in kind)
        total = sum(weights[kind] for kind in inside)
        if total:
            real = Fraction(having, total)
            stated.append(Conditional(head, conjunction(*bodies), _around(random, real)))
    return Case(KB.of(*known(*names), *clauses, *stated), names, types)


def _random_clause(random: Random, names: Sequence[Name]) -> Inclusion | Disjointness:
    one, two, three = random.sample(names, 3)
    made = (Inclusion(one, two), Inclusion(one & two, three), Disjointness(one, two))
    return random.choice(made)


def _obeys(kind: frozenset[Name], clause: Inclusion | Disjointness) -> bool:
    if isinstance(clause, Disjointness):
        return not kind.issuperset(clause.members)
    return not kind.issuperset(_parts(clause.left)) or kind.issuperset(_parts(clause.right))


def _parts(concept: Concept) -> set[Name]:
    return {part for part in conjuncts(concept) if isinstance(part, Name)}


def _around(random: Random, real: Fraction) -> Interval:
    """A point, or an interval that holds a share somewhere, sometimes at an end."""
    below, above = (random.choice((0, 0, 1, 5, 50)) for _ in range(2))
    lower = max(Fraction(0), real - Fraction(below, 100))
    return Interval(lower, min(Fraction(1), real + Fraction(above, 100)))


def weigh_types(case: Case) -> Floats:
    """The weights of maximum entropy, by SciPy over all types: two multipliers a conditional."""
    rows: list[list[float]] = []
    free: list[bool] = []
    for axiom in case.kb.axioms:
        if isinstance(axiom, Conditional):
            body, both = _parts(axiom.body), _parts(axiom.body & axiom.head)
            lower, upper = axiom.bounds.lower, axiom.bounds.upper
            bounds = [(lower, 1)] if lower == upper else [(lower, 1), (upper, -1)]
            for bound, sign in bounds:
                values = (
                    sign * (kind.issuperset(both) - float(bound) * kind.issuperset(body))
                    for kind in case.types
                )
                rows.append([*values])
                free.append(lower == upper)
    if not rows:
        return np.full(len(case.types), 1 / len(case.types))
    table = np.array(rows)

    def height(multipliers: Row) -> tuple[float, Floats]:
        heights = multipliers @ table
        top = float(logsumexp(heights))
        return top, table @ np.exp(heights - top)

    limits = [(None, None) if one else (0.0, None) for one in free]
    multipliers = np.zeros(len(table))
    for _ in range(TRIALS):  # a search from where one ended goes on
        optimum = minimize(
            height,
            multipliers,
            jac=True,
            method="L-BFGS-B",
            bounds=limits,
            options={"ftol": 1e-16, "gtol": 1e-12, "maxiter": 20_000, "maxcor": 30},
        )
        multipliers = optimum.x
        slopes = height(multipliers)[1]
        slopes = np.where(np.array(free) | (multipliers > 0), slopes, np.minimum(slopes, 0.0))
        if np.abs(slopes).max() < 1e-9:
            break
    heights = multipliers @ table
    weights: Floats = np.exp(heights - logsumexp(heights))
    return weights


@pytest.mark.parametrize("seed", [*range(80), STRUCTURAL])
def test_shares_are_those_of_a_search_over_all_types(seed: int) -> None:
    """SciPy's search ends where heights differ in the last digit: its weights are right to 1e-8."""
    case = random_case(Random(seed))
    typical, weights = find_typical(case.kb), weigh_types(case)
    assert typical.violation <= CLOSE
    for size in range(1, len(case.names) + 1):
        for chosen in combinations(case.names, size):
            expected = weights[[kind.issuperset(chosen) for kind in case.types]].sum()
            assert share(typical, conjunction(*chosen)) == pytest.approx(expected, abs=1e-6)
    entropy = -sum(weight * log(weight) for weight in weights if weight > 0)
    assert typical.entropy == pytest.approx(entropy, abs=1e-6)


@pytest.mark.parametrize("seed", range(cases(600)))
def test_shares_are_within_their_bounds(seed: int) -> None:
    """There is a typical population of whatever is consistent, and it obeys what is stated."""
    kb, query = random_kb(Random(seed))
    reasoner = Reasoner(kb)
    try:
        typical = find_typical(kb)
    except BoxselError:
        assert not reasoner.consistent
        return
    assert typical.violation <= CLOSE
    if kb.signature.roles or kb.signature.individuals:
        return  # bounds look at witnesses, too
    outcome = reasoner.bounds(query)
    assert outcome.status != "inconsistent"
    try:
        found = typical.share(query)
    except BoxselError:
        return  # about a name that no statement has
    if outcome.lower is None or outcome.upper is None:
        assert found is None
    else:
        assert found is not None
        # A share of a body that weighs a thousandth is as near as 1e-9 / 1e-3.
        assert outcome.lower.bound - 1e-6 <= found <= outcome.upper.bound + 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_a_table_without_a_term_of_all_three_is_proportionally_fitted(seed: int) -> None:
    random = Random(seed)
    counts = np.array([random.randint(1, 30) for _ in range(8)]).reshape(2, 2, 2)
    total = int(counts.sum())
    axioms: list[Axiom] = []
    for size in (1, 2):
        for chosen in combinations(range(3), size):
            having = counts[tuple(1 if n in chosen else slice(None) for n in range(3))]
            concept = conjunction(*(NAMES[n] for n in chosen))
            axioms.append(point(concept, TOP, Fraction(int(having.sum()), total)))
    fitted = np.ones((2, 2, 2)) / 8
    for _ in range(3000):
        for axis in range(3):
            fitted *= (counts / total).sum(axis, keepdims=True) / fitted.sum(axis, keepdims=True)
    typical = find_typical(KB.of(*axioms))
    found = share(typical, conjunction(*NAMES[:3]))
    assert found == pytest.approx(fitted[1, 1, 1], abs=1e-9)
    assert abs(fitted[1, 1, 1] - counts[1, 1, 1] / total) > 1e-6  # the table has such a term


# What the numbers leave empty


def test_who_cannot_be_there_by_the_numbers_is_not_there() -> None:
    stated = "(A | owl:Thing)[0.6]\n(B | owl:Thing)[0.4]\n(A and B | owl:Thing)[0.4]"
    typical = find_typical(parse_kb(stated))
    assert typical.violation <= CLOSE
    assert typical.share("(A | B)") == pytest.approx(1, abs=1e-8)


@pytest.mark.parametrize(
    "stated",
    [
        "(D | C)[0.3]\n(D | C)[0.5]",
        "(D | C)[0.3]\n(D and E | C)[0.5]",
        "(D | F)[0.3]\n(D and E | F)[0.5]\n(F | C)[0.1, 0.2]",
    ],
)
def test_a_body_that_must_be_empty_has_no_share(stated: str) -> None:
    typical = find_typical(parse_kb(stated + "\n(G | owl:Thing)[0.25]"))
    assert typical.violation <= CLOSE
    assert typical.share("(D | C)") is None
    assert typical.share("(G | D)") == pytest.approx(0.25, abs=CLOSE)


# A list of types, and a tree of them


def along_tree(kb: KB) -> Typical:
    problem = Problem(enumerate(kb.axioms))
    clauses = [clause for _, clause in problem.clauses]
    width = len(problem.vocabulary)
    bags = compile_bags(clauses, problem.rows, width, Limits().bags, Budget())
    sweeps = Sweeps(bags)
    state = maximise_entropy(bags, sweeps, Budget())
    population = Population(bags, sweeps, state.weighting, width)
    return Typical(kb, problem.vocabulary, population, state)


@pytest.mark.parametrize("seed", range(cases(100)))
def test_sweeps_along_the_tree_and_a_list_of_types_find_the_same(seed: int) -> None:
    case = random_case(Random(seed))
    listed, tree = find_typical(case.kb), along_tree(case.kb)
    assert listed.exact
    assert listed.entropy == pytest.approx(tree.entropy, abs=1e-7)
    for one, other in combinations(case.names, 2):
        expected = share(tree, one & other)
        assert share(listed, one & other) == pytest.approx(expected, abs=1e-7)


def counted_densely(seed: int, *, width: Fraction) -> KB:
    """Most shares of a population that has few of all types: many have to be empty."""
    random = Random(seed)
    names = [Name(f"N{place}") for place in range(8)]
    people = [
        (random.randint(1, 20), {name for name in names if random.random() < 0.5})
        for _ in range(12)
    ]
    stated = []
    for size in (0, 1, 2):
        for body in combinations(names, size):
            total = sum(count for count, kind in people if kind.issuperset(body))
            for head in set(names).difference(body) if total else ():
                part = sum(count for count, kind in people if kind.issuperset((*body, head)))
                real, below = Fraction(part, total), width * random.choice((0, 1, 2)) / 2
                interval = Interval(
                    max(Fraction(0), real - below), min(Fraction(1), real - below + width)
                )
                stated.append(Conditional(head, conjunction(*body) if body else TOP, interval))
    return KB.of(*random.sample(sorted(stated, key=str), 60))


@pytest.mark.parametrize("width", [Fraction(0), Fraction(1, 100), Fraction(1, 10)], ids=str)
@pytest.mark.parametrize("seed", some(range(6)))
def test_nine_digits_are_reached_where_numbers_leave_types_empty(
    seed: int, width: Fraction
) -> None:
    kb = counted_densely(seed, width=width)
    typical = find_typical(kb)
    assert typical.exact
    assert typical.violation <= CLOSE
    for axiom in kb.axioms:
        assert isinstance(axiom, Conditional)
        found = share(typical, axiom.head, axiom.body)
        assert axiom.bounds.lower - CLOSE <= found <= axiom.bounds.upper + CLOSE


# What pulls together


@pytest.mark.parametrize(
    "stated",
    [
        # Many bags beside each other pull the same name.
        [f"(P | A{n})[0.9]\n(A{n} | owl:Thing)[0.3, 0.6]" for n in range(60)],
        ["(P | owl:Thing)[0.2]", *(f"(P | A{n})[0.9]\n(A{n} | P)[0.3, 0.6]" for n in range(60))],
        # Everything is connected with everything in circles.
        [
            f"(G{n} | F{n})[0.7]\n(F{n + 1} | F{n})[0.2, 0.4]\n(F{n} | F{n + 1})[0.5, 0.8]\n"
            f"(G{n + 1} | G{n})[0.2, 0.4]\n(G{n} | G{n + 1})[0.5, 0.8]"
            for n in range(8)
        ],
        # A share at its bound, where nothing pulls it, beside multipliers without end.
        [
            "B EquivalentTo A and C\n(S and B | C)[0.375, 0.5]\nS and T SubClassOf C and B",
            "(S and A | B)[0.5]\n(S | owl:Thing)[0.2]\n(T and C and A | C and A)[0.25, 0.6875]",
            "(S | C)[0.5]\n(T | B)[0.5]\nT and B SubClassOf S and A\nS SubClassOf T",
        ],
    ],
)
def test_conditionals_that_pull_together_hold(stated: list[str]) -> None:
    kb = parse_kb("\n".join(stated))
    typical = find_typical(kb)
    assert typical.violation <= CLOSE
    for axiom in kb.axioms:
        if isinstance(axiom, Conditional):
            lower, upper = float(axiom.bounds.lower), float(axiom.bounds.upper)
            found = share(typical, axiom.head, axiom.body)
            assert lower - 1e-8 <= found <= upper + 1e-8, axiom


# Existentials, and errors


def test_existentials_have_what_follows_without_numbers() -> None:
    kb = parse_kb(
        "B SubClassOf C\n(r some B | A)[0.3]\n(r some C | A)[0.1, 0.9]\nA SubClassOf r some D"
    )
    typical = find_typical(kb)
    narrow, wide = (parse_concept(f"r some {filler}") for filler in "BC")
    assert share(typical, narrow, Name("A")) == pytest.approx(0.3, abs=CLOSE)
    assert share(typical, wide, narrow) == 1
    assert share(typical, parse_concept("r some D"), Name("A")) == 1


def test_a_name_that_no_statement_has_is_independent() -> None:
    typical = find_typical(parse_kb("(B | A)[0.2]"))
    free, other = Name("Z"), Name("Y")
    assert share(typical, free) == 0.5
    assert share(typical, Name("B") & free & other, Name("A")) == pytest.approx(0.05, abs=CLOSE)
    assert share(typical, Name("B") & free, Name("A") & free) == pytest.approx(0.2, abs=CLOSE)


def test_what_the_statements_do_not_have_is_refused() -> None:
    typical = find_typical(parse_kb("(B | A)[0.5]"))
    with pytest.raises(BoxselError, match="do not have all of its existentials"):
        typical.share(Query(parse_concept("r some A"), TOP))
    with pytest.raises(BoxselError, match="cannot be drawn"):
        typical.sample(-1, seed=0)


@pytest.mark.parametrize(
    "stated",
    [
        "(A | owl:Thing)[0.7]\n(B | owl:Thing)[0.4]\n(A and B | owl:Thing)[0, 0.05]",
        "(A | owl:Thing)[0.7]\n(A | owl:Thing)[0.4]",
        "(A | owl:Thing)[0.7]\nA SubClassOf owl:Nothing",
    ],
)
def test_a_contradiction_is_an_error(stated: str) -> None:
    with pytest.raises(BoxselError, match="no population"):
        find_typical(parse_kb(stated))


def test_what_hangs_together_too_closely_is_sampled() -> None:
    names = [Name(f"N{place}") for place in range(20)]
    typical = find_typical(KB.of(point(names[0], conjunction(*names[1:]), Fraction(1, 2))))
    assert not typical.exact
    assert typical.kinds(1_000_000) is None


def test_a_spent_budget_is_an_error() -> None:
    with pytest.raises(BoxselError, match="time"):
        find_typical(parse_kb("(B | A)[0.5]"), budget=Budget(0.0))


# Samples


@pytest.mark.parametrize("seed", range(4))
def test_people_are_drawn_as_often_as_they_are_typical(seed: int) -> None:
    """Each frequency is within five standard errors: all of about 160 are, but once in 10⁴ runs.

    The seeds are fixed: what holds once holds always, up to the last digits of the weights.
    """
    count = 20_000
    case = random_case(Random(seed))
    typical = find_typical(case.kb)
    people = typical.sample(count, seed=seed)
    assert len(people) == count
    assert all(_is_obeyed(case.kb, person) for person in set(people))
    for size in (1, 2, 3):
        for chosen in combinations(case.names, size):
            expected = share(typical, conjunction(*chosen))
            drawn = sum(person.issuperset(chosen) for person in people) / count
            error = sqrt(max(0.0, expected * (1 - expected)) / count)
            assert abs(drawn - expected) <= 5 * error + 1e-9, chosen


def test_the_same_seed_draws_the_same_people() -> None:
    typical = find_typical(random_case(Random(1)).kb)
    assert typical.sample(50, seed=3) == typical.sample(50, seed=3)
    assert typical.sample(50, seed=3) != typical.sample(50, seed=4)
    assert typical.sample(0, seed=3) == []


def _is_obeyed(kb: KB, person: frozenset[Basic]) -> bool:
    problem = Problem(enumerate(kb.axioms))
    kind: Mask = sum(problem.vocabulary.bit(basic) for basic in person)
    return all(clause.holds(kind) for _, clause in problem.clauses)


# Hierarchies


@pytest.mark.parametrize(("width", "far"), [(2, CLOSE), (6, 1e-2)])
def test_a_hierarchy_of_500_classes_has_a_typical_population(
    generators: ModuleType, width: int, far: float
) -> None:
    """Where many statements meet in a bag it is not reached in full, and says how far it is."""
    kb: KB = generators.hierarchy(500, width).kb
    typical = find_typical(kb)
    assert typical.violation <= far
    away = max(typical.violation, CLOSE) * 10
    for axiom in kb.axioms:
        if isinstance(axiom, Conditional):
            found = share(typical, axiom.head, axiom.body)
            lower, upper = axiom.bounds.lower, axiom.bounds.upper
            assert float(lower) - away <= found <= float(upper) + away, axiom
    problem = Problem(enumerate(kb.axioms))
    for person in typical.sample(50, seed=0):
        kind = sum(problem.vocabulary.bit(basic) for basic in person)
        assert all(clause.holds(kind) for _, clause in problem.clauses)


def test_names_that_share_no_bag_are_asked_along_the_tree() -> None:
    """In a chain of shares of everybody in one another, what is far apart multiplies."""
    names = [Name(f"N{place}") for place in range(12)]
    axioms: list[Axiom] = []
    for above, below in pairwise(names):
        axioms += [Inclusion(below, above), point(below, above, Fraction(2, 3))]
    typical = find_typical(KB.of(*axioms))
    for place in range(1, len(names)):
        expected = (2 / 3) ** place
        assert share(typical, names[place], names[0]) == pytest.approx(expected, abs=1e-8)


def test_the_page_shows_what_python_prints() -> None:
    page = ROOT / "docs" / "typical.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert blocks
    session = doctest.DocTestParser().get_doctest("".join(blocks), {}, page.name, None, 0)
    report: list[str] = []
    doctest.DocTestRunner().run(session, out=report.append)
    assert not report, "".join(report)
