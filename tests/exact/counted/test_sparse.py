"""Sparse systems and equations between totals, against dense linear algebra."""

from __future__ import annotations

from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from boxsel.exact.lp import sparse
from boxsel.exact.ways.counted.equations import Equation, keep_spanning

entries = st.sampled_from([0, 0, 0, 1, -1, 2, 3])


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_solutions_are_found_if_there_are_any(count: int, width: int, data: st.DataObject) -> None:
    lines = [[data.draw(entries) for _ in range(width)] for _ in range(count)]
    rights = [data.draw(entries) for _ in range(count)]
    found = sparse.solve(
        [{place: entry for place, entry in enumerate(line) if entry} for line in lines],
        [fmpq(right) for right in rights],
    )
    solvable = _rank(lines) == _rank(
        [[*line, right] for line, right in zip(lines, rights, strict=True)]
    )
    assert (found is not None) == solvable
    if found is not None:
        for line, right in zip(lines, rights, strict=True):
            total = sum((entry * found.get(n, fmpq(0)) for n, entry in enumerate(line)), fmpq(0))
            assert total == right


@st.composite
def equations(draw: st.DrawFn) -> tuple[list[Equation], bool]:
    """Ratios between the totals of five sets, and whether all agree."""
    sizes = [draw(st.integers(1, 5)) for _ in range(5)]
    found = []
    agree = True
    for number in range(draw(st.integers(0, 12))):
        one, other = draw(st.permutations(range(5)))[:2]
        wrong = draw(st.integers(1, 12)) == 1
        form = ((one, sizes[other]), (other, -sizes[one] - int(wrong)))
        agree &= not wrong
        found.append(Equation(2 * number, 2 * number + 1, form))
    return found, agree


@given(equations())
def test_a_forest_of_ratios_spans_all(case: tuple[list[Equation], bool]) -> None:
    known, agree = case
    kept = keep_spanning(known, lambda mask: mask)
    assert set(kept) <= set(known)
    lines = [_line(equation) for equation in known]
    assert _rank([_line(equation) for equation in kept]) == _rank(lines)
    if agree:
        assert len(kept) == _rank(lines)


def _line(equation: Equation) -> list[int]:
    return [dict(equation.form).get(place, 0) for place in range(5)]


def _rank(lines: list[list[int]]) -> int:
    if not lines:
        return 0
    flat = [fmpq(entry) for line in lines for entry in line]
    return int(fmpq_mat(len(lines), len(lines[0]), flat).rref()[1])
