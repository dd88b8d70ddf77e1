"""Small programmes with bounds: optima prove themselves, and nothing feasible is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from boxsel.exact.lp.box import Box
from boxsel.exact.ways.counted.equations import independent
from tests.exact.simplex import maximise

Lines = list[list[int]]


@st.composite
def boxes(draw: st.DrawFn) -> tuple[Lines, list[int], list[int]]:
    """Independent equations, what they are to give, and the bounds of the variables."""
    width = draw(st.integers(1, 6))
    small = st.integers(-2, 2)
    lines = draw(st.lists(st.lists(small, min_size=width, max_size=width), max_size=4))
    chosen = [lines[number] for number in independent([_rational(line) for line in lines])]
    bounds = draw(st.lists(st.integers(0, 3), min_size=width, max_size=width))
    if draw(st.booleans()):
        point = [draw(st.integers(0, bound)) for bound in bounds]
        return chosen, [_dot(line, point) for line in chosen], bounds
    return chosen, [draw(st.integers(-4, 4)) for _ in chosen], bounds


@given(boxes(), st.data())
def test_an_optimum_proves_itself(
    box: tuple[Lines, list[int], list[int]], data: st.DataObject
) -> None:
    lines, rights, bounds = box
    made = Box([_rational(line) for line in lines], _rational(rights), _rational(bounds))
    assert made.feasible == _is_feasible(lines, rights, bounds)
    if not made.feasible:
        return
    for _ in range(3):  # later questions start from earlier answers
        gains = [data.draw(st.integers(-3, 3)) for _ in bounds]
        best = made.maximise(_rational(gains))
        for line, right in zip(lines, rights, strict=True):
            assert sum((a * w for a, w in zip(line, best.values, strict=True)), fmpq(0)) == right
        for place, (value, bound) in enumerate(zip(best.values, bounds, strict=True)):
            assert 0 <= value <= bound
            reduced = gains[place] + sum(
                (y * line[place] for y, line in zip(best.multipliers, lines, strict=True)), fmpq(0)
            )
            assert reduced <= 0 or value == bound
            assert reduced >= 0 or value == 0


def _is_feasible(lines: Lines, rights: list[int], bounds: list[int]) -> bool:
    """Whether some values give the equations what they are to give, by another method.

    With `−h ≤ 0`, the sum of how far all equations get towards h reaches h, or not.
    """
    signs = [1 if right >= 0 else -1 for right in rights]
    rows = [[sign * a for a in line] for sign, line in zip(signs, lines, strict=True)]
    towards = [abs(right) for right in rights]
    width = len(bounds)
    below = [[*row] for row in rows]
    caps = [[int(place == other) for other in range(width)] for place in range(width)]
    total = [sum(column) for column in zip(*rows, strict=True)] if rows else [0] * width
    best = maximise(total, [*below, *caps], [*towards, *bounds])
    return best.value == Fraction(sum(towards))


def test_all_corners_of_a_cube() -> None:
    box = Box([], [], _rational([1, 2, 3]))
    for signs in product((-1, 1), repeat=3):
        best = box.maximise(_rational(signs))
        assert best.values == tuple(
            top if sign > 0 else 0 for sign, top in zip(signs, (1, 2, 3), strict=True)
        )


def _rational(numbers: tuple[int, ...] | list[int]) -> list[fmpq]:
    return [fmpq(number) for number in numbers]


def _dot(line: list[int], point: list[int]) -> int:
    return sum(a * w for a, w in zip(line, point, strict=True))
