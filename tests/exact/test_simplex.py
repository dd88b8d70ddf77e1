"""The exact simplex method: its result is optimal by duality, wherever it starts."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxsel.exact.compile.problem import Goal, Row, Side, value
from boxsel.exact.lp.master import Basis, Master
from boxsel.exact.lp.simplex import Vertex, optimal_vertex
from tests.depth import cases

BITS = 4
masks = st.integers(0, 2**BITS - 1)
shares = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


@st.composite
def rows(draw: st.DrawFn) -> Row:
    body, both = draw(masks), draw(masks)
    side: Side = draw(st.sampled_from(("lower", "upper")))
    return Row(0, side, body, body | both, draw(shares))


@st.composite
def masters(draw: st.DrawFn) -> Master:
    """A programme over some types, at least one of which is of the goal."""
    goal = Goal(draw(masks))
    objective = ((goal.require | draw(masks), 1),)
    kinds = draw(st.lists(masks, min_size=1, max_size=12, unique=True))
    master = Master(draw(st.lists(rows(), max_size=6)), goal, objective)
    for kind in {*kinds, 2**BITS - 1}:
        master.add(kind)
    return master


def check(master: Master, vertex: Vertex, *, violations: bool) -> None:
    """The weights obey the rows, the multipliers bound the gains, and both values are the same."""
    total = sum(w for kind, w in vertex.weights.items() if master.goal.has(kind))
    assert total == 1
    assert all(weight > 0 for weight in vertex.weights.values())
    violation = Fraction(0)
    for row in master.rows:
        left = sum(weight * value(row.form, kind) for kind, weight in vertex.weights.items())
        violation += max(Fraction(0), Fraction(-left, row.bound.denominator))
    for number, multiplier in vertex.multipliers.items():
        most = Fraction(1, master.rows[number].bound.denominator)
        assert 0 <= multiplier
        assert not violations or multiplier <= most
    for kind, gain in zip(master.kinds, master.gains, strict=True):
        reduced = Fraction(0 if violations else gain)
        for number, multiplier in vertex.multipliers.items():
            reduced += multiplier * value(master.rows[number].form, kind)
        assert reduced <= vertex.price * master.goal.has(kind)
    if violations:
        assert vertex.price == -violation
    else:
        assert violation == 0
        gained = sum(w * value(master.objective, kind) for kind, w in vertex.weights.items())
        assert gained == vertex.price


@settings(max_examples=cases(300), deadline=None)
@given(masters())
def test_the_least_violation(master: Master) -> None:
    point = master.solve()
    cold = optimal_vertex(master, None, violations=True)
    check(master, cold, violations=True)
    if point is not None:
        warm = optimal_vertex(master, point.basis, violations=True)
        check(master, warm, violations=True)
        assert warm.price == cold.price


@settings(max_examples=cases(300), deadline=None)
@given(masters(), st.data())
def test_the_largest_gain_from_any_start(master: Master, data: st.DataObject) -> None:
    least = optimal_vertex(master, None, violations=True)
    assume(least.price == 0)
    best = optimal_vertex(master, None, violations=False, feasible=least.basis)
    check(master, best, violations=False)
    # Even from something that is no basis, or not a feasible one.
    everything = range(len(master.kinds))
    columns = tuple(data.draw(st.lists(st.sampled_from(everything), max_size=4, unique=True)))
    slack = frozenset(data.draw(st.sets(st.integers(0, max(0, len(master.rows) - 1)))))
    slack &= frozenset(range(len(master.rows)))
    odd = Basis(columns, slack, frozenset())
    again = optimal_vertex(master, odd, violations=False, feasible=least.basis)
    check(master, again, violations=False)
    assert again.price == best.price
