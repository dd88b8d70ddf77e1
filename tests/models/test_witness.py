"""Box models in exact arithmetic, against the meaning of axioms in cells of a grid.

Corners lie on a grid, and maps lead cells into cells. So the cells, with their volumes as weights,
are a finite interpretation, and everything can be counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Domain,
    Range,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.concepts import TOP, And, Concept, Exists, Role, names
from boxsel.logic.interpretations import Interpretation, Weights
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.models.witness import BoxModel, ExactBox, ExactMap
from tests.depth import cases
from tests.models.functional import (
    INDIVIDUALS,
    NAMES,
    ROLES,
    assertions,
    concept_axioms,
    concepts,
    read_as_unions,
    role_axioms,
    role_chains,
)

GRID = 4
A, B, C = names("A B C")
r, s = ROLES[:2]
Cell = tuple[int, ...]


def on_grid(places: Cell) -> tuple[Fraction, ...]:
    return tuple(Fraction(place, GRID) for place in places)


@st.composite
def models(draw: st.DrawFn) -> BoxModel:
    """Boxes with corners on the grid; maps that shift or halve; points inside cells."""
    dim = draw(st.integers(1, 2))
    boxes = {}
    for name in NAMES:
        sides = [
            sorted(draw(st.lists(st.integers(0, GRID), min_size=2, max_size=2, unique=True)))
            for _ in range(dim)
        ]
        if draw(st.integers(0, 5)):  # else the name is empty
            lower, upper = zip(*sides, strict=True)
            boxes[name] = ExactBox(on_grid(lower), on_grid(upper))
    maps: dict[Role, ExactMap] = {}
    for place, role in enumerate(ROLES):
        if place and not draw(st.integers(0, 2)):  # the same map twice: so inclusions hold
            maps[role] = maps[ROLES[place - 1]]
            continue
        scales = [draw(st.sampled_from([Fraction(1), Fraction(1, 2)])) for _ in range(dim)]
        shifts = [draw(st.integers(-2, 2)) for _ in range(dim)]
        maps[role] = ExactMap(tuple(scales), on_grid(tuple(shifts)))
    points = {
        individual: tuple(
            Fraction(2 * draw(st.integers(0, GRID - 1)) + 1, 2 * GRID) for _ in range(dim)
        )
        for individual in INDIVIDUALS
    }
    return BoxModel(dim, boxes, maps, points)


def cell_of(point: tuple[Fraction, ...]) -> Cell:
    return tuple(int(place * GRID // 1) for place in point)


def in_cells(model: BoxModel) -> Interpretation:
    """The model as a finite interpretation: a cell in a box is one of its instances."""
    cells = list(product(range(GRID), repeat=model.dim))
    number = {cell: place for place, cell in enumerate(cells)}
    centres = [tuple(Fraction(2 * place + 1, 2 * GRID) for place in cell) for cell in cells]

    def inside(point: tuple[Fraction, ...], box: ExactBox) -> bool:
        return all(low < x < high for low, x, high in zip(box.lower, point, box.upper, strict=True))

    assert model.maps is not None
    assert model.points is not None
    edges = {}
    for role, image in model.maps.items():
        # Not the centre: with scale 1/2 it may lead to a border, and no other point does.
        inner = [tuple(x + Fraction(1, 8 * GRID) for x in centre) for centre in centres]
        targets = [
            tuple(d * x + b for d, x, b in zip(image.scale, point, image.shift, strict=True))
            for point in inner
        ]
        edges[role] = frozenset(
            (place, number[cell_of(target)])
            for place, target in enumerate(targets)
            if cell_of(target) in number
        )
    return Interpretation(
        tuple(
            frozenset(name for name, box in model.boxes.items() if inside(centre, box))
            for centre in centres
        ),
        edges,
        {individual: number[cell_of(point)] for individual, point in model.points.items()},
    )


def mentioned(axioms: list[Axiom]) -> Iterator[Exists]:
    """Every `∃r.C` that axioms are about; a range is about ∃r.⊤ and ∃r.C."""

    def inside(concept: Concept) -> Iterator[Exists]:
        if isinstance(concept, And):
            for operand in concept.operands:
                yield from inside(operand)
        elif isinstance(concept, Exists) and not concept.mentions_bottom:
            yield concept
            yield from inside(concept.filler)

    for axiom in axioms:
        for concept in axiom.concepts():
            yield from inside(concept)
        if isinstance(axiom, Domain | Range):
            yield Exists(axiom.role, TOP)
        if isinstance(axiom, Range):
            yield from inside(Exists(axiom.role, axiom.concept))


def is_model(model: BoxModel, axioms: list[Axiom]) -> bool:
    """Whether axioms hold with roles as unions, and these change no concept that occurs."""
    raw = in_cells(model)
    united = Interpretation(
        raw.names, read_as_unions(raw.edges, raw.individuals, axioms), raw.individuals
    )
    weights = Weights([1] * len(raw.names))
    return all(united.satisfies(axiom, weights) for axiom in axioms) and all(
        raw.extension(concept) == united.extension(concept) for concept in mentioned(axioms)
    )


any_axioms = st.one_of(concept_axioms(), role_axioms, role_axioms, assertions)


@given(models(), concepts(leaves=4), concepts(leaves=4))
def test_shares_are_counted_in_cells(model: BoxModel, head: Concept, body: Concept) -> None:
    cells = in_cells(model)
    weights = Weights([1] * len(cells.names))
    assert model.share(Query(head, body)) == cells.share(head, body, weights)


@given(models(), any_axioms)
def test_one_axiom_is_satisfied_as_in_cells(model: BoxModel, axiom: Axiom) -> None:
    assert model.satisfies(KB.of(axiom)) == is_model(model, [axiom])


@settings(max_examples=cases(200))
@given(models(), st.lists(any_axioms, min_size=1, max_size=6))
def test_knowledge_bases_are_satisfied_as_in_cells(model: BoxModel, axioms: list[Axiom]) -> None:
    # What holds alone often holds together: so that both answers occur.
    kept = [axiom for axiom in axioms if model.satisfies(KB.of(axiom))]
    for some in (axioms, kept):
        assert model.satisfies(KB.of(*some)) == is_model(model, some)


@settings(max_examples=cases(300))
@given(models(), role_chains())
def test_roles_are_read_as_unions(model: BoxModel, axioms: list[Axiom]) -> None:
    assert model.satisfies(KB.of(*axioms)) == is_model(model, axioms)


@given(models(), concepts(), concepts())
def test_bounds_are_exact(model: BoxModel, head: Concept, body: Concept) -> None:
    share = model.share(Query(head, body))
    if share is None:
        return
    assert model.satisfies(KB.of(Conditional(head, body, Interval.point(share))))
    tiny = Fraction(1, 10**30)
    if share + tiny <= 1:
        above = Interval(share + tiny, Fraction(1))
        assert not model.satisfies(KB.of(Conditional(head, body, above)))


ZERO, HALF, FULL = (Fraction(0),), (Fraction(1, 2),), (Fraction(1),)
STAY = ExactMap((Fraction(1),), ZERO)
AWAY = ExactMap((Fraction(1),), (Fraction(2),))


def test_a_query_about_roles_needs_no_more_instances_from_inclusions() -> None:
    model = BoxModel(1, {A: ExactBox(ZERO, HALF)}, {r: STAY, s: AWAY})
    kb = KB.of(RoleInclusion(r, s))
    assert model.satisfies(kb)
    assert not model.satisfies(kb, s.some(A))
    assert model.satisfies(kb, r.some(A))


def test_a_range_holds_for_links_and_for_the_roles_below() -> None:
    a, b = INDIVIDUALS
    half, up = ExactMap(HALF, ZERO), ExactMap(HALF, HALF)
    points = {a: (Fraction(1, 4),), b: (Fraction(3, 4),)}
    model = BoxModel(1, {A: ExactBox(ZERO, HALF)}, {r: up, s: half}, points)
    ranged = Range(s, A)
    assert model.satisfies(KB.of(ranged))
    # r leads out of A, and s has all of its links.
    assert not model.satisfies(KB.of(ranged, RoleInclusion(r, s)))
    assert model.satisfies(KB.of(ranged, RoleAssertion(s, b, a)))
    assert not model.satisfies(KB.of(ranged, RoleAssertion(s, a, b)))


def test_points_on_borders_are_in_no_type() -> None:
    a, b = INDIVIDUALS
    boxes = {A: ExactBox(ZERO, HALF), B: ExactBox(HALF, FULL)}
    model = BoxModel(1, boxes, {r: AWAY}, {a: (Fraction(1, 4),), b: HALF})
    assert model.satisfies(KB.of(ConceptAssertion(A, a)))
    assert not model.satisfies(KB.of(ConceptAssertion(A, b)))
    assert not model.satisfies(KB.of(ConceptAssertion(B, b)))
    # It may be moved into A or into B: so a would have to be in ∃r.A.
    linked = KB.of(RoleAssertion(r, a, b))
    assert model.satisfies(linked)
    assert not model.satisfies(linked, r.some(A))
    assert not model.satisfies(linked, r.some(B))


def test_boxes_without_interior_are_empty() -> None:
    flat = ExactBox((Fraction(0), Fraction(1, 2)), (Fraction(1), Fraction(1, 2)))
    inverted = ExactBox((Fraction(3, 4), Fraction(3, 4)), (Fraction(1, 4), Fraction(1, 4)))
    assert flat.volume == inverted.volume == 0
    model = BoxModel(2, {A: flat, B: inverted})
    assert model.share(Query(A, B)) is None
    assert model.share(Query(A, TOP)) == 0
    assert model.satisfies(KB.of(Conditional(C, A, Interval.point(1))))


def test_floats_are_fractions() -> None:
    tenth = (Fraction(0.1),)
    model = BoxModel(1, {A: ExactBox(ZERO, tenth)})
    assert model.share(Query(A, TOP)) == Fraction(0.1) != Fraction(1, 10)
    assert not model.satisfies(KB.of(Conditional(A, TOP, Interval.point("1/10"))))
