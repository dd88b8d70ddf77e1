"""Violations in hard volumes, against shares in exact arithmetic."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxsel import parse
from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Equivalence, Inclusion
from boxsel.logic.concepts import TOP, Concept, Exists, Role, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.statements import NO_NOTE, Query, Statement
from boxsel.models.arrays import Parameters
from boxsel.models.emptiness import NoModelError
from boxsel.models.measuring import Members
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.representation import Sizes
from boxsel.models.task import Task
from boxsel.models.violations import Violations, violations
from boxsel.models.witness import BoxModel, exact_member
from tests.depth import cases
from tests.models.functional import assertions, concept_axioms, role_axioms

BOXES = Boxes(2)
MEMBERS = 3


def started(task: Task, seed: int = 0) -> Parameters:
    numbering = task.numbering
    sizes = Sizes(
        len(numbering.names) + 1, len(numbering.roles) + 1, len(numbering.individuals), MEMBERS
    )
    return BOXES.initial(np.random.default_rng(seed), sizes)


def measured(task: Task, parameters: Parameters) -> Violations:
    return violations(task.kb, Members(BOXES, parameters, task.numbering), task.empty)


def task_of(axioms: list[Axiom]) -> Task:
    try:
        return Task.of(KB.of(*axioms))
    except NoModelError:
        assume(False)
        raise


def set_box(
    parameters: Parameters, row: int, lower: tuple[float, ...], upper: tuple[float, ...]
) -> None:
    """Give a name the same box in every member."""
    width = np.subtract(upper, lower)
    place = np.asarray(lower) / (1 - width)
    parameters["names"]["extent"][row] = np.log(width / (1 - width))
    parameters["names"]["position"][row] = np.log(place / (1 - place))


def off(model: BoxModel, head: Concept, body: Concept, lower: float, upper: float) -> float:
    share = model.share(Query(head, body))
    return 0.0 if share is None else max(lower - float(share), 0) + max(float(share) - upper, 0)


def direct(model: BoxModel, axiom: Axiom) -> float:
    """What an axiom is off, by its definition."""

    def included(left: Concept, right: Concept) -> float:
        return off(model, right, left, 1, 1)

    match axiom:
        case Conditional():
            bounds = axiom.bounds
            return off(model, axiom.head, axiom.body, float(bounds.lower), float(bounds.upper))
        case Equivalence(members=members):
            return max(included(*pair) for pair in pairwise((*members, members[0])))
        case Disjointness(members=members):
            return max(off(model, other, one, 0, 0) for one, other in combinations(members, 2))
        case Inclusion() if not axiom.right.mentions_bottom:
            return included(axiom.left, axiom.right)
        case Inclusion():
            first, *rest = conjuncts(axiom.left)
            if not rest:
                return off(model, first, TOP, 0, 0)
            body = first
            for part in rest[:-1]:
                body = body & part
            return off(model, rest[-1], body, 0, 0)
    raise TypeError(axiom)


@settings(max_examples=cases(60))
@given(st.lists(concept_axioms(), min_size=1, max_size=4), st.integers(0, 3))
def test_violations_are_those_of_exact_shares(axioms: list[Axiom], seed: int) -> None:
    task = task_of(axioms)
    assume(not task.empty)
    parameters = started(task, seed)
    found = measured(task, parameters)
    assert found.values.shape == (len(axioms), MEMBERS)
    models = [exact_member(BOXES, parameters, task.numbering, member) for member in range(MEMBERS)]
    wanted = [[direct(model, axiom) for model in models] for axiom in axioms]
    np.testing.assert_allclose(found.values, wanted, atol=1e-9)
    np.testing.assert_allclose(found.largest, np.max(wanted, axis=0), atol=1e-9)
    np.testing.assert_allclose(found.mean, np.mean(wanted, axis=0), atol=1e-9)
    stated = [axiom for axiom in axioms if isinstance(axiom, Conditional)]
    for member, model in enumerate(models):
        defined = [
            conditional
            for conditional in stated
            if model.share(Query(conditional.head, conditional.body)) is not None
        ]
        errors = [direct(model, conditional) for conditional in defined]
        assert found.errors[member] == pytest.approx(np.mean(errors) if errors else 0, abs=1e-9)


@settings(max_examples=cases(60))
@given(
    st.lists(concept_axioms() | role_axioms | role_axioms | assertions, min_size=1, max_size=5),
    st.integers(0, 3),
)
def test_a_witness_has_no_violation(axioms: list[Axiom], seed: int) -> None:
    """And a member without violations is a witness, up to points on borders."""
    task = task_of(axioms)
    parameters = started(task, seed)
    values = measured(task, parameters).values
    assert np.isfinite(values).all()
    for member in range(MEMBERS):
        model = exact_member(BOXES, parameters, task.numbering, member)
        assert model.satisfies(task.kb) == bool((values[:, member] < 1e-9).all())


@pytest.mark.parametrize(
    "text",
    [
        "A(a)",
        "r(a, b)",
        "r Domain: owl:Nothing\nA SubClassOf B",
        "r Range: owl:Nothing\ns SubPropertyOf r\nA SubClassOf B",
        "E SubClassOf owl:Nothing\nr some E SubClassOf A\ns SubPropertyOf r\nA(a)\nr(a, b)",
        "E SubClassOf r some (A and owl:Nothing)\ns SubPropertyOf r\nA SubClassOf B",
        "E SubClassOf owl:Nothing",
    ],
)
def test_what_mentions_nothing_or_no_concept_is_measured(text: str) -> None:
    task = Task.of(parse(text))
    found = measured(task, started(task))
    assert found.values.shape == (len(task.kb), MEMBERS)
    assert np.isfinite(found.values).all()
    assert (found.errors == 0).all()


def test_an_equivalence_counts_its_worst_direction() -> None:
    task = Task.of(parse("A EquivalentTo B"))
    parameters = started(task)
    set_box(parameters, 1, (0.1, 0.1), (0.9, 0.9))
    set_box(parameters, 2, (0.1, 0.1), (0.9, 0.3))
    np.testing.assert_allclose(measured(task, parameters).values, 0.75)


def test_an_empty_body_is_satisfied_and_not_counted() -> None:
    task = Task.of(parse("(C | A and B)[1]\n(A | C)[0.5]\n(B | C)[0.7]"))
    parameters = started(task)
    row = task.numbering.name
    kb = list(task.kb.conditionals)
    a, b = conjuncts(kb[0].body)
    set_box(parameters, row(a), (0.1, 0.1), (0.4, 0.9))
    set_box(parameters, row(b), (0.6, 0.1), (0.9, 0.9))
    set_box(parameters, row(kb[0].head), (0.2, 0.2), (0.8, 0.8))
    found = measured(task, parameters)
    third = 1 / 3
    np.testing.assert_allclose(found.values[:, 0], [0, 0.5 - third, 0.7 - third], atol=1e-9)
    np.testing.assert_allclose(found.errors, 0.6 - third)
    np.testing.assert_allclose(found.mean, (1.2 - 2 * third) / 3)


def test_the_distance_of_points() -> None:
    task = Task.of(parse("A(a)\n(A and r some B)(b)\nr(a, b)\nr some B SubClassOf A"))
    parameters = started(task)
    names = {str(name): task.numbering.name(name) for name in task.kb.signature.concepts}
    set_box(parameters, names["A"], (0.1, 0.1), (0.4, 0.4))
    set_box(parameters, names["B"], (0.5, 0.5), (0.9, 0.9))
    parameters["roles"]["shift"][1], parameters["roles"]["scale"][1] = 0.25, 0.0
    places = np.array([[0.6, 0.5], [0.8, 0.7]])
    parameters["individuals"]["place"][:] = np.log(places / (1 - places))[:, None]
    values = measured(task, parameters).values
    # ∃r.B is [0.25, 0.65]²: with A it is [0.25, 0.4]².
    np.testing.assert_allclose(values[:3, 0], [0.2, 0.4, 0.0], atol=1e-9)
    # b is in B, so a must be in ∃r.B: its first coordinate is 0.05 beyond.
    parameters["roles"]["shift"][1] = 0.35
    np.testing.assert_allclose(measured(task, parameters).values[2, 0], 0.05, atol=1e-9)
    # If b is not in B, the link says nothing.
    set_box(parameters, names["B"], (0.5, 0.5), (0.75, 0.9))
    np.testing.assert_allclose(measured(task, parameters).values[2, 0], 0.0, atol=1e-9)


def test_the_object_of_a_link_is_in_the_range() -> None:
    task = Task.of(parse("s(a, b)\nr Range: A\ns SubPropertyOf r"))
    parameters = started(task)
    set_box(parameters, 1, (0.1, 0.1), (0.4, 0.4))
    place = np.array([0.5, 0.2])
    parameters["individuals"]["place"][:] = np.log(place / (1 - place))
    parameters["roles"]["shift"][:] = 0.0
    parameters["roles"]["scale"][:] = 0.0
    np.testing.assert_allclose(measured(task, parameters).values[0], 0.1, atol=1e-9)


def test_the_worst_come_first() -> None:
    statements = tuple(
        Statement(axiom, NO_NOTE)
        for axiom in parse("A SubClassOf B\nB SubClassOf C\nC SubClassOf D\nD SubClassOf E").axioms
    )
    values = np.array([[0.1, 0.9], [0.3, 0.0], [0.0, 0.0], [0.3, 0.4]])
    found = Violations(statements, values, np.zeros(2))
    everyone, first = np.array([True, True]), np.array([True, False])
    assert found.worst(everyone) == [
        (statements[0], 0.5),
        (statements[3], pytest.approx(0.35)),
        (statements[1], 0.15),
    ]
    assert [statement for statement, _ in found.worst(first, most=2)] == [
        statements[1],
        statements[3],
    ]
    assert found.worst(~everyone) == []
    assert found.largest.tolist() == [0.3, 0.9]
    assert found.mean.tolist() == pytest.approx([0.175, 0.325])


def test_existentials_are_measured_inside_the_universe() -> None:
    task = Task.of(parse("(A | r some owl:Thing)[1]"))
    parameters = started(task)
    set_box(parameters, 1, (0.5, 0.25), (0.75, 0.75))
    parameters["roles"]["scale"][1], parameters["roles"]["shift"][1] = 0.0, -0.5
    # ∃r.⊤ is [0.5, 1]², of which A has a half in each dimension: [0.5, 0.75] × [0.5, 0.75].
    np.testing.assert_allclose(measured(task, parameters).values, 0.75)
    assert Exists(Role("r"), TOP) in [axiom.body for axiom in task.kb.conditionals]
