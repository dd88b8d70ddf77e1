"""The least relaxation of bounds after which no disease contradicts itself.

All statements of one body have the same denominator, so the least sum of changes is a linear
programme: a descendant's lower bound falls by a, an ancestor's upper bound rises by b, and
together they close the gap. Every new bound is one that another statement gives, or 0 or 1.

A change weighs as in `boxsel repair`: a count by the size of its sample, anything else by 1.

The programme is solved in exact arithmetic. Each gap (i, j) needs `a[i] + b[j] ≥ g[i, j]` with
`a, b ≥ 0`, at the least `Σ u·a + Σ v·b`. The dual programme is a transport: ship along gaps, at
most u[i] out of i and v[j] into j, at the greatest gain `Σ g·y`; what its lines are worth are the
movements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from operator import mul
from typing import Final

from flint import fmpq

from boxsel.build.phenotypes.annotations import Sex
from boxsel.build.phenotypes.contradictions import Terms, between_sexes, by_disease, clashes
from boxsel.build.phenotypes.ontology import Ontology
from boxsel.build.phenotypes.stating import Stated
from boxsel.exact.lp.equalities import Equalities
from boxsel.exact.lp.floats import as_fraction
from boxsel.logic.axioms import Conditional
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Statement
from boxsel.machine.budget import Budget
from boxsel.machine.progress import track

LEAST_STEP: Final = Fraction(1, 10**6)
"""How far a bound moves off 0 or 1 where any distance will do."""

FINE: Final = 10**6
"""So many parts a weight has: one of them decides between movements that cost the same."""

Gaps = Mapping[tuple[int, int], Fraction]
Weights = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Change:
    """A statement before and after."""

    old: Stated
    new: Stated

    @property
    def amount(self) -> Fraction:
        """By how much its ends gave way."""
        return self.old.lower - self.new.lower + self.new.upper - self.old.upper

    @property
    def weight(self) -> int:
        """What one unit of that costs."""
        return _weight(self.old)


@dataclass(frozen=True, slots=True)
class Relaxed:
    """All changes; no others that help cost less than `least`, which `total` meets up to `slack`.

    The slack is one `LEAST_STEP` for each bound that only has to leave 0 or 1, however little.
    """

    changes: tuple[Change, ...]
    least: Fraction = Fraction(0)
    slack: Fraction = Fraction(0)

    @property
    def total(self) -> Fraction:
        """What all changes cost."""
        return sum((change.amount * change.weight for change in self.changes), Fraction(0))

    @property
    def optimal(self) -> bool:
        """Whether it is proved that nothing cheaper helps, but for the slack."""
        return self.total - self.least <= self.slack


def relax(stated: Iterable[Stated], ontology: Ontology) -> Relaxed:
    """The least relaxation of some statements after which none of their diseases is empty."""
    diseases = by_disease(stated)
    changes, least, slack = list[Change](), Fraction(0), Fraction(0)
    for bodies in track(diseases, "relaxing diseases", len(diseases)):
        new: dict[Stated, Stated] = {}
        for terms in bodies.values():
            found, cost = _relax_body(terms, ontology)
            new |= found
            least += cost
        slack += _leave_extremes(bodies, new, ontology)
        changes.extend(Change(old, moved) for old, moved in new.items())
    changes.sort(key=lambda change: (change.old.disease, change.old.sex, change.old.term))
    return Relaxed(tuple(changes), least, slack)


def _relax_body(terms: Terms, ontology: Ontology) -> tuple[dict[Stated, Stated], Fraction]:
    pairs = list(clashes(terms, ontology))
    if not pairs:
        return {}, Fraction(0)
    numbers = {one: place for place, one in enumerate(dict.fromkeys(chain.from_iterable(pairs)))}
    cover = cheapest_cover(
        {(numbers[low], numbers[high]): low.lower - high.upper for low, high in pairs},
        {numbers[low]: _weight(low) for low, _ in pairs},
        {numbers[high]: _weight(high) for _, high in pairs},
    )
    moved = {}
    for one, number in numbers.items():
        down, up = cover.left.get(number, 0), cover.right.get(number, 0)
        if down or up:
            moved[one] = _moved(one, Interval(one.lower - down, one.upper + up))
    return moved, cover.least


def _leave_extremes(
    bodies: Mapping[Sex, Terms], new: dict[Stated, Stated], ontology: Ontology
) -> Fraction:
    """Let the whole disease leave 0 or 1 where one sex needs it; what that costs."""
    cost = Fraction(0)
    while True:
        now = {
            sex: {term: [new.get(one, one) for one in group] for term, group in terms.items()}
            for sex, terms in bodies.items()
        }
        first = next(between_sexes(now, ontology), None)
        if first is None:
            return cost
        low, high = first.descendant, first.ancestor
        current = high if low.sex else low
        bounds = current.bounds
        wider = (
            Interval(bounds.lower, LEAST_STEP)
            if current is high
            else Interval(1 - LEAST_STEP, bounds.upper)
        )
        old = next((old for old, moved in new.items() if moved is current), current)
        new[old] = _moved(old, wider)
        cost += LEAST_STEP * _weight(old)


def _weight(stated: Stated) -> int:
    axiom = stated.statement.axiom
    assert isinstance(axiom, Conditional)
    return axiom.proportion.total if isinstance(axiom.proportion, Count) else 1


def _moved(stated: Stated, bounds: Interval) -> Stated:
    """The same statement with wider bounds; its comment says what they were."""
    axiom, note = stated.statement.axiom, stated.statement.note
    assert isinstance(axiom, Conditional)
    moved = Conditional(axiom.head, axiom.body, bounds)
    statement = Statement(moved, note.remarked(f"was {axiom.proportion.text()}"))
    return replace(stated, statement=statement)


@dataclass(frozen=True, slots=True)
class Cover:
    """How far each end gives way, and what no cover can cost less than."""

    left: Mapping[int, Fraction]
    right: Mapping[int, Fraction]
    least: Fraction


def cheapest_cover(gaps: Gaps, left: Weights, right: Weights) -> Cover:
    """The least weighted sum of movements that closes all gaps; of equals, the left ends move.

    Examples:
        >>> gaps = {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 3)}
        >>> cover = cheapest_cover(gaps, {0: 3}, {0: 1, 1: 1})
        >>> {end: str(moved) for end, moved in cover.right.items()}, str(cover.least)
        ({0: '1/2', 1: '1/3'}, '5/6')
    """
    weights = [*left.values(), *right.values()]
    least, *moved = _solved(gaps, weights, left, right)
    if any(moved[len(left) :]):
        # That left ends cost a little less decides between equals, and seldom more than that.
        finer = [FINE * weight - (n < len(left)) for n, weight in enumerate(weights)]
        _, *others = _solved(gaps, finer, left, right)
        if sum(map(mul, weights, others)) == least:
            moved = others
    return Cover(
        dict(zip(left, moved, strict=False)),
        dict(zip(right, moved[len(left) :], strict=True)),
        least,
    )


def _solved(gaps: Gaps, weights: Sequence[int], left: Weights, right: Weights) -> list[Fraction]:
    """What the movements cost that close all gaps at the least cost, and how far each end moves."""
    gains = {n: gap.numerator for n, gap in enumerate(gaps.values())}
    whole = len(gains)  # the column that weighs 1; those after it are what each end has left
    ends: list[tuple[int | None, int | None]] = [*((i, None) for i in left)]
    ends += [(None, j) for j in right]
    lines: list[dict[int, int]] = []
    for rest, ((low, high), weight) in enumerate(zip(ends, weights, strict=True), whole + 1):
        shipped = {
            n: gap.denominator
            for n, ((i, j), gap) in enumerate(gaps.items())
            if i == low or j == high
        }
        lines.append({**shipped, rest: 1, whole: -weight})
    best = Equalities(lines, whole + 1 + len(ends), Budget()).maximise({whole: 1}, gains)
    if best is None:
        raise ArithmeticError("floats led to no least relaxation")
    worth = [best.worth.get(line, fmpq(0)) for line in range(len(lines))]
    return list(map(as_fraction, (best.value, *worth)))
