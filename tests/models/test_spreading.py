"""Members that keep all that is known, and differ as far as they can in what is not."""

from __future__ import annotations

import numpy as np
import pytest

from boxsel import fit, parse
from boxsel.logic.kb import KB
from boxsel.models.existential_sizes import Existentials
from boxsel.models.kinds import Kinds, Laws, cheapest
from boxsel.models.kinds import Sizes as NameSizes
from boxsel.models.known_sizes import KnownSizes, known_sizes
from boxsel.models.model import Model
from boxsel.models.spreading import Open, corner, wanted
from boxsel.models.task import Rows
from boxsel.models.witnessed import pushed

EXACT = 1e-9


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("statements", "query"),
    [
        ("(A | owl:Thing)[0.4]\n(B | A)[0.3]", "(B | owl:Thing)"),
        ("(A | owl:Thing)[0.4]\n(B | owl:Thing)[0.7]", "(B | A)"),
        ("(A | owl:Thing)[0.5]\n(B | owl:Thing)[0.5]\n(C | A)[0.2]\n(C | B)[0.6]", "(A | B)"),
        ("(A | owl:Thing)[0.5]\n(B | A)[0.2]\n(C | A)[0.7]\n(B | C)[0]", "(C | owl:Thing)"),
    ],
)
def test_members_span_the_exact_interval(statements: str, query: str, seed: int) -> None:
    kb = parse(statements)
    model = fit(kb, members=6, dim=16, representation="populations", seed=seed, epochs=100)
    assert model.violations.largest.max() < EXACT
    assert spanned(model, query) == pytest.approx(exact_ends(kb, query), abs=1e-6)


def test_what_is_open_spreads_and_existentials_are_possible_for_all_weights() -> None:
    """Only 0.3 have a B or an A as successor: so weights cannot be anything."""
    said = "(A | owl:Thing)[0.3]\n(B | A)[0.5]\n(r some A | owl:Thing)[0.25]\n(B | r some A)[0.8]"
    kb = parse(said)
    model = fit(kb, members=8, dim=16, representation="populations", seed=0, epochs=100)
    assert model.violations.largest.max() < EXACT
    for query in ("(B | owl:Thing)", "(r some A | A)"):
        (low, high), (least, most) = spanned(model, query), exact_ends(kb, query)
        assert least - 1e-6 <= low
        assert high <= most + 1e-6
    low, high = spanned(model, "(B | owl:Thing)")
    assert high - low > 0.1


def test_one_member_wants_the_contrary_of_another() -> None:
    known = known_of([([0, 0, 1], 0.5), ([1, 0, 2], 0.5)])
    unknown = Open(known, NameSizes(known), Laws(known))
    assert unknown
    for member in (0, 2, 4):
        np.testing.assert_array_equal(unknown.direction(member), -unknown.direction(member + 1))
    everything = np.ones((1, len(known.names)), bool)
    assert wanted(unknown.direction(1), everything) > 0


def test_nothing_is_open_where_all_is_known() -> None:
    known = known_of([([0, 0, 1], 0.5), ([0, 0, 2], 0.4), ([1, 0, 2], 0.5)])
    assert not Open(known, NameSizes(known), Laws(known))


def test_a_corner_has_all_sizes_and_lies_farther_than_other_weights() -> None:
    known = known_of([([0, 0, 1], 0.5), ([0, 0, 2], 0.4), ([0, 0, 3], 0.3)])
    sizes, laws = NameSizes(known), Laws(known)
    unknown = Open(known, sizes, laws)
    kinds = kinds_with(np.eye(3, dtype=bool), np.zeros((1, 3), bool), np.ones((1, 3), bool))
    columns = sizes.columns(kinds)
    for member in range(6):
        direction = unknown.direction(member)
        near = cheapest(columns, np.ones(len(kinds)))
        found = corner(
            kinds, columns, sizes, laws, direction, lambda some: np.zeros((0, len(some)))
        )
        assert found is not None
        np.testing.assert_allclose(found.columns @ found.weights, 1, atol=1e-8)
        before = near.numbers @ wanted(direction, kinds.has)
        assert found.weights @ wanted(direction, found.kinds.has) >= before - EXACT


@pytest.mark.parametrize("seed", range(20))
def test_demands_say_which_weights_leave_room(seed: int) -> None:
    """Weights with existentials meet every demand, and those that gave rise to one do not."""
    random = np.random.default_rng(seed)
    rows = [([0, 0, 1], 0.5), ([0, 0, 2], 0.5), ([1, 0, 2], 0.4)]
    parts = random.uniform(0.1, 0.9, 3)
    known = known_of(rows, [(0, parts[0]), (1, parts[1]), (2, parts[2])])
    existentials = Existentials(known)
    kinds = kinds_with(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], bool))
    whole = np.ones(len(kinds))
    before = np.full((len(known.names), len(kinds)), 0.5)
    demands = np.zeros((0, existentials.count))
    draws = random.dirichlet(np.ones(len(kinds)), 40)
    found = [existentials.fitted(kinds, weights, before) for weights in draws]
    for one in found:
        demands = np.concatenate([demands, one.demands])
    lacking = existentials.lacking(demands, kinds, whole)
    at = 0
    for weights, one in zip(draws, found, strict=True):
        if one.missing > 1e-6:
            own = lacking[at : at + len(one.demands)] @ weights
            assert own.max() > 0
        elif len(demands):
            assert (lacking @ weights).max() < 1e-6
        at += len(one.demands)
    assert {one.missing > 1e-6 for one in found} >= {True}


def test_nested_existentials_are_pushed_within_each_other() -> None:
    """∃r.A in ∃r.B in ∃r.⊤; there is a witness with A and B, and one with B alone."""
    known = KnownSizes(
        names=np.array([1, 2, 1, 2]),
        roles=np.array([0, 0, 1, 1]),
        regions=(),
        sizes=np.zeros(0),
        empty=(),
        sure=(),
        nested=((2, 3),),
    )
    kinds = kinds_with(np.array([[1, 1, 0, 0], [0, 1, 0, 0]], bool))
    shares = np.array([[1.0, 0.0], [1.0, 1.0], [0.2, 0.3], [0.4, 0.6]])
    free = {2: np.array([True, True]), 3: np.array([False, True])}
    up = pushed(known, kinds, shares, free, np.ones(4))
    np.testing.assert_allclose(up[2], [0.4, 1.0])
    np.testing.assert_allclose(up[3], [0.4, 1.0])
    down = pushed(known, kinds, shares, free, -np.ones(4))
    np.testing.assert_allclose(down[2], 0.0)
    np.testing.assert_allclose(down[3], [0.4, 0.0])


def test_an_existential_that_others_need_as_a_witness_stays() -> None:
    """All that have A have B: ∃r.B cannot be less than ∃r.A, though no row says so."""
    known = KnownSizes(
        names=np.array([1, 2, 1, 2]),
        roles=np.array([0, 0, 1, 1]),
        regions=(),
        sizes=np.zeros(0),
        empty=(),
        sure=(),
        nested=(),
    )
    kinds = kinds_with(np.array([[1, 1, 0, 0], [0, 0, 0, 0]], bool))
    shares = np.array([[1.0, 0.0], [1.0, 0.0], [0.5, 0.5], [0.9, 0.9]])
    free = {3: np.array([True, True])}
    down = pushed(known, kinds, shares, free, -np.ones(4))
    np.testing.assert_allclose(down[3], 0.5)


def spanned(model: Model, query: str) -> tuple[float, float]:
    estimate = model.ask(query)
    assert estimate.lower is not None
    assert estimate.upper is not None
    return estimate.lower, estimate.upper


def exact_ends(kb: KB, query: str) -> tuple[float, float]:
    found = kb.bounds(query)
    assert found.exact
    assert found.lower is not None
    assert found.upper is not None
    return float(found.lower), float(found.upper)


def known_of(
    said: list[tuple[list[int], float]], existentials: list[tuple[int, float]] | None = None
) -> KnownSizes:
    """Sizes from shares of a head in two others, and of one existential in names."""
    some = [(names, [0, 0, 0], share) for names, share in said]
    some += [([body, 0, 3], [0, 0, 1], share) for body, share in existentials or []]
    names, roles, shares = (np.array(column) for column in zip(*some, strict=True))
    known = known_sizes(Rows(names.astype(np.int32), roles.astype(np.int32), shares, shares))
    assert known is not None
    return known


def kinds_with(*has: np.ndarray) -> Kinds:
    together = np.concatenate(has)
    return Kinds(together, np.arange(len(together)), np.ones((len(together), 1), bool))
