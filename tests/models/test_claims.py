"""What the paper claims, as tests."""

from __future__ import annotations

from fractions import Fraction

import jax.numpy as jnp
import numpy as np
import pytest

from boxsel import examples, parse
from boxsel.logic.concepts import Name, names
from boxsel.logic.statements import Query
from boxsel.models.arrays import Array, Parameters
from boxsel.models.fit import fit
from boxsel.models.measuring import Members
from boxsel.models.model import Model
from boxsel.models.objective import Extras, Knobs, Objective
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.representation import Sizes
from boxsel.models.run import Run, begun, completed, planned
from boxsel.models.settings import Schedule
from boxsel.models.task import Task
from boxsel.models.violations import violations
from boxsel.models.witness import BoxModel, ExactBox, exact_member

ADMITTED, APPLICANT, DEPT_A = names("Admitted Applicant DeptA")
BOTH = Query(ADMITTED & DEPT_A, APPLICANT)
ALL = Query(ADMITTED, APPLICANT)
SIDE = 12

Sides = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]


def sides(*corners: str) -> Sides:
    left, right, bottom, top = map(Fraction, corners)
    return (left, right), (bottom, top)


# The paper's figure: two models in a square of side 12, with the volumes of its table.
FIGURE: list[dict[Name, Sides]] = [
    {
        APPLICANT: sides("1", "9", "1", "6"),
        DEPT_A: sides("1", "5", "1", "3"),
        ADMITTED: sides("1.8", "8.6", "1", "3.5"),
    },
    {
        APPLICANT: sides("1", "11", "1", "7"),
        DEPT_A: sides("1", "6", "1", "4"),
        ADMITTED: sides("2", "11", "1", "59/9"),
    },
]
VOLUMES = [("40", "8", "17", "6.4"), ("60", "15", "50", "12")]


def exact_model(figure: dict[Name, Sides]) -> BoxModel:
    return BoxModel(
        2,
        {
            name: ExactBox(
                tuple(low / SIDE for low, _ in box), tuple(high / SIDE for _, high in box)
            )
            for name, box in figure.items()
        },
    )


@pytest.mark.parametrize(("figure", "volumes"), [*zip(FIGURE, VOLUMES, strict=True)])
def test_the_boxes_of_the_figure_have_the_volumes_of_the_table(
    figure: dict[Name, Sides], volumes: tuple[str, ...]
) -> None:
    model = exact_model(figure)
    concepts = (APPLICANT, DEPT_A, ADMITTED, ADMITTED & DEPT_A)
    for concept, stated in zip(concepts, volumes, strict=True):
        box = model.extension(concept)
        assert box is not None
        assert box.volume * SIDE**2 == Fraction(stated)
    assert model.satisfies(examples.load("applicant"))


def test_the_two_models_of_the_figure_give_the_intervals_of_the_paper() -> None:
    found = [[model.share(query) for model in map(exact_model, FIGURE)] for query in (BOTH, ALL)]
    assert found == [
        [Fraction(16, 100), Fraction(2, 10)],
        [Fraction(425, 1000), Fraction(5, 6)],
    ]
    kb = examples.load("applicant")
    for query, shares in zip((BOTH, ALL), found, strict=True):
        bounds = kb.bounds(query)
        for share in shares:
            assert share is not None
            assert bounds.lower is not None
            assert bounds.upper is not None
            assert bounds.lower <= share <= bounds.upper
    # The first interval is the exact one: both models take its ends.
    exact = kb.bounds(BOTH)
    assert [exact.lower, exact.upper] == found[0]


def parameters_of_figure(boxes: Boxes, task: Task) -> Parameters:
    """The two models as members of an ensemble, through the inverse of the parametrisation."""
    start = boxes.initial(np.random.default_rng(0), Sizes(4, 1, 0, 2))
    for member, figure in enumerate(FIGURE):
        for name, box in figure.items():
            lower = np.array([float(low) for low, _ in box]) / SIDE
            width = np.array([float(high) for _, high in box]) / SIDE - lower
            place = lower / (1 - width)
            row = task.numbering.name(name)
            start["names"]["extent"][row, member] = np.log(width / (1 - width))
            start["names"]["position"][row, member] = np.log(place / (1 - place))
    return start


def test_an_ensemble_of_the_two_models_gives_them_too() -> None:
    boxes, task = Boxes(2), Task.of(examples.load("applicant"))
    parameters = parameters_of_figure(boxes, task)
    members = Members(boxes, parameters, task.numbering)
    for query, wanted in ((BOTH, [0.16, 0.2]), (ALL, [0.425, 5 / 6])):
        found = members.share(query.head, query.body)
        np.testing.assert_allclose(found, wanted)
    off = violations(task.kb, members)
    np.testing.assert_allclose(off.largest, 0, atol=1e-12)
    for member, figure in enumerate(FIGURE):
        model = exact_member(boxes, parameters, task.numbering, member)
        for name, box in exact_model(figure).boxes.items():
            np.testing.assert_allclose(
                np.array(model.boxes[name], float), np.array(box, float), atol=1e-12
            )


WIDE = parse(
    """
    Woman SubClassOf Person
    Man SubClassOf Person
    DisjointClasses: Woman, Man
    (Woman | Person)[0.4, 0.6]
    (Man | Person)[0.35, 0.6]
    (Employed | Woman)[0.5, 0.7]
    (Employed | Man)[0.6, 0.8]
    (Person | owl:Thing)[0.3, 0.9]
    (worksFor some Firm | Employed)[0.6, 0.9]
    (Firm | owl:Thing)[0.05, 0.5]
    """
)
ASKED = [
    "(Employed | Person)",
    "(Woman | Employed)",
    "(Employed and Woman | Person)",
    "(worksFor some Firm | Woman)",
    "(Woman | worksFor some Firm)",
    "(Person | owl:Thing)",
]


@pytest.fixture(scope="module")
def wide() -> Model:
    """Intervals, inclusions, disjointness, ⊤ and a role: what boxes can satisfy exactly."""
    return fit(WIDE, members=24, dim=4, seed=1)


def test_members_without_loss_satisfy_every_axiom_in_hard_volumes(wide: Model) -> None:
    """Embedding soundness; and in fractions, so it proves that there is a model."""
    off = wide.violations
    found = wide.task.numbering, wide.representation
    exactly = [
        exact_member(found[1], wide.parameters, found[0], member)  # type: ignore[arg-type]
        for member in np.flatnonzero(off.largest == 0)
    ]
    assert len(exactly) >= 3
    assert all(model.satisfies(WIDE) for model in exactly)
    assert len(wide.witnesses) >= len(exactly)


@pytest.mark.parametrize("query", ASKED)
def test_witnesses_stay_inside_the_exact_bounds(wide: Model, query: str) -> None:
    """Inference soundness."""
    bounds = WIDE.bounds(query)
    inner = wide.inner(query)
    assert bounds.lower is not None
    assert bounds.upper is not None
    assert inner is not None
    assert inner.witnesses == len(wide.witnesses)
    assert bounds.lower <= inner.lower <= inner.upper <= bounds.upper


@pytest.mark.parametrize("query", ASKED)
def test_an_estimate_is_near_the_exact_bounds_and_no_wider(wide: Model, query: str) -> None:
    bounds, estimate = WIDE.bounds(query), wide.ask(query)
    assert bounds.lower is not None
    assert bounds.upper is not None
    assert estimate.lower is not None
    assert estimate.upper is not None
    assert float(bounds.lower) - 0.03 <= estimate.lower
    assert estimate.upper <= float(bounds.upper) + 0.03


def test_directed_members_reach_both_ends() -> None:
    """The gap that random members leave: the exact answer is [0.16, 0.96]."""
    model = fit(examples.load("applicant"), dim=2, seed=0)
    random, directed = model.ask(ALL), model.ask(ALL, directed=True)
    for estimate in (random, directed):
        assert estimate.members == 60
        assert estimate.violation is not None
        assert estimate.violation <= 0.01
        assert estimate.lower is not None
        assert estimate.upper is not None
        assert 0.16 - 0.005 <= estimate.lower
        assert estimate.upper <= 0.96 + 0.005
    assert directed.directed
    assert directed.lower is not None
    assert directed.upper is not None
    assert directed.lower <= 0.18
    assert directed.upper >= 0.94
    assert random.upper is not None
    assert random.lower is not None
    assert directed.upper - directed.lower > random.upper - random.lower


DETERMINISTIC = parse(
    """
    Cat SubClassOf Animal
    Dog SubClassOf Animal
    DisjointClasses: Cat, Dog
    Owner SubClassOf owns some Animal
    owns some Cat SubClassOf CatLover
    Cat and Wild SubClassOf Predator
    """
)


@pytest.mark.deep
def test_deterministic_axioms_are_learnt_by_our_loss_and_by_the_terms_of_boxel() -> None:
    """Both have the same zeros, so both lead to embeddings that satisfy everything."""
    ours = fit(DETERMINISTIC, members=12, dim=4, seed=0)
    theirs = completed(_boxel(12, 4))
    assert np.median(ours.violations.largest) < 1e-3
    off = violations(
        DETERMINISTIC,
        Members(
            theirs.plan.objective.representation,
            theirs.parameters,
            theirs.plan.task.numbering,
        ),
    )
    assert np.median(off.largest) < 1e-2


def _boxel(members: int, dim: int) -> Run:
    """A run with the paper's terms, on boxes in a universe instead of regularisers."""
    task = Task.of(DETERMINISTIC)
    boxes = FreeBoxes(dim)
    plan = planned(
        task,
        BoxELTerms(boxes),
        Schedule(hot=0.1, cold=1e-4, rate=0.01),
        members=members,
        batch=512,
        epochs=1,
        least_steps=1500,
        seed=0,
        target=0.0,
        dtype=np.float64,
    )
    sizes = Sizes(len(task.numbering.names) + 1, len(task.numbering.roles) + 1, 0, members)
    return begun(plan, boxes.initial(np.random.default_rng(0), sizes))


class BoxELTerms(Objective):
    """The paper's objective without its two regularisers."""

    def extra(self, parameters: Parameters, knobs: Knobs, extras: Extras) -> Array:
        return jnp.zeros(parameters["names"]["position"].shape[1])
