"""`compare`: how two shares differ in all models: bounds, verdict, and the populations behind."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from typing import Final

from boxsel.checker.compared import FORMAT, VERSION, verify_comparison
from boxsel.comparison.cells import Cells, Point
from boxsel.comparison.comparison import Comparison, Extreme, Range
from boxsel.comparison.heads import compare_heads
from boxsel.comparison.measures import DIFFERENCE, MEASURES, Measure
from boxsel.errors import BoxselError
from boxsel.exact.answers import Outcome, Status
from boxsel.exact.certificate import TooLongError, certificate, model_json, spelt
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, Limit, OutOfTimeError

DEFAULT_SECONDS: Final = 10.0
"""How long a comparison may take, unless it is said."""
NEAR_ENOUGH: Final = Fraction(1, 10_000)
"""Bounds as near as this to what is possible are good enough; relative, where they are above 1."""
SAME_SHARE: Final = Fraction(1, 10**6)
"""The same while it is not known which share is the larger one."""
MOST_CELLS: Final = 40
"""So many more cells may be made for one end of one measure: each comes with a proof."""
CHECKING: Final = 0.6
"""The part of the time that may go to the search: the rest is for the check."""


def compare(
    kb: KB, first: Query | str, second: Query | str, *, budget: Limit = DEFAULT_SECONDS
) -> Comparison:
    """How the share of one query differs from that of another, in all models that have both.

    Difference (risk difference), ratio (relative risk) and odds ratio: each with bounds that are
    proved, and with populations that show what is possible. When the budget is spent, or stopped,
    the comparison is what was found by then.

    Raises:
        BoxselError: A query is not about the names of the knowledge base, or both are the same.

    Examples:
        >>> from boxsel import examples
        >>> gap = compare(examples.load("berkeley"), "(Admitted | Woman)", "(Admitted | Man)")
        >>> gap.verdict, str(gap.difference.lower), str(gap.difference.upper)
        ('always lower', '-3/100', '-3/100')
    """
    start = time.perf_counter()
    one, other = kb.query(first), kb.query(second)
    if one == other:
        raise BoxselError(f"a share is compared with another one: both are {one.text(kb.prefixes)}")
    limit = Budget.of(budget)
    comparison = _compare(kb, one, other, limit)
    return replace(comparison, seconds=time.perf_counter() - start)


def _compare(kb: KB, first: Query, second: Query, budget: Budget) -> Comparison:
    reasoner = Reasoner(kb, budget=budget)
    base = Comparison(first, second, "budget", prefixes=kb.prefixes, ignored=kb.ignored_axioms)
    try:
        known = tuple(reasoner.bounds(query) for query in (first, second))
    except OutOfTimeError:
        return base
    for outcome in known:
        if outcome.lower is None:
            return replace(base, status=outcome.status, empty=outcome.query)
    heads = compare_heads(kb, first, second, budget)
    cells = Cells(kb, first, second, (known[0], known[1]), budget, heads)
    closed = _search(cells, budget)
    return _joined(kb, base, cells, known[1], closed, budget)


def _search(cells: Cells, budget: Budget) -> bool:
    """Refine cells until bounds are near to what is possible; whether the time was enough."""
    closed = True
    try:
        with budget.shortened(CHECKING):
            for measure in MEASURES:
                for side in (1, -1):
                    most = len(cells.cells) + MOST_CELLS
                    while not _is_near(cells, measure, side):
                        if len(cells.cells) > most or not cells.refine(measure, side):
                            closed = False
                            break
    except OutOfTimeError:
        return False
    return closed


def _is_near(cells: Cells, measure: Measure, side: int) -> bool:
    outer, point = cells.outer(measure, side), cells.inner(measure, side)
    if outer is None:
        return True
    if point is None:
        return False
    inner = measure.of(point.first, point.second)
    finest = NEAR_ENOUGH
    if measure is DIFFERENCE and outer * side > 0 >= inner * side:
        finest = SAME_SHARE  # it is open who is ahead
    return measure.is_near(outer, inner, finest)


def _joined(
    kb: KB, base: Comparison, cells: Cells, second: Outcome, closed: bool, budget: Budget
) -> Comparison:
    """The comparison with its bounds, its certificate, and whether that was checked."""
    if all(cell.empty for cell in cells.cells):
        return replace(base, status="vacuous")
    ranges = {measure.name: range_ for measure in MEASURES for range_ in _range(cells, measure)}
    points = [cells.inner(DIFFERENCE, side) for side in (-1, 1)]
    if kb.ignored_axioms:  # the populations that were met may not obey them
        ranges = {name: Range(range_.lower, range_.upper) for name, range_ in ranges.items()}
        points = [None, None]
    status: Status = "bounded" if closed else "budget"
    least, most = map(_extreme, points)
    comparison = replace(base, status=status, ranges=ranges, least=least, most=most)
    try:
        proof = _certificate(cells, second, comparison, points)
        checked = verify_comparison(kb, proof, budget=budget)
    except TooLongError:
        return comparison
    except OutOfTimeError:
        return replace(comparison, status="budget")
    if not checked.valid:
        raise BoxselError(f"a comparison was not proved: {checked.problems[0]}")
    return replace(comparison, certified=True, certificate=proof)


def _range(cells: Cells, measure: Measure) -> list[Range]:
    """The range of a comparison, if it has values."""
    lower, upper = (cells.outer(measure, side) for side in (-1, 1))
    if lower is None or upper is None:
        return []
    inner = [cells.inner(measure, side) for side in (-1, 1)]
    met = [None if point is None else measure.of(point.first, point.second) for point in inner]
    return [Range(lower, upper, met[0], met[1])]


def _extreme(point: Point | None) -> Extreme | None:
    return None if point is None else Extreme(point.first, point.second, point.model)


def _certificate(
    cells: Cells, second: Outcome, comparison: Comparison, points: list[Point | None]
) -> dict[str, object]:
    shared: dict[int, int] = {}
    proofs: list[object] = []
    listed: list[object] = []
    for cell in cells.cells:
        if id(cell.outcome) not in shared:
            shared[id(cell.outcome)] = len(proofs)
            within = [spelt(cell.within.lower), spelt(cell.within.upper)]
            proofs.append({"within": within, "certificate": certificate(cell.outcome)})
        listed.append([spelt(cell.low), spelt(cell.high), shared[id(cell.outcome)]])
    coins = {form: certificate(outcome) for form, (_, outcome) in cells.heads.coins.items()}
    return {
        "format": FORMAT,
        "version": VERSION,
        "first": comparison.first.text(),
        "second": comparison.second.text(),
        **({"coins": coins} if coins else {}),
        "range": certificate(second),
        "proofs": proofs,
        "cells": listed,
        "claims": {name: range_.claim() for name, range_ in comparison.ranges.items()},
        "models": [
            {
                "first": spelt(point.first),
                "second": spelt(point.second),
                "model": model_json(point.model),
            }
            for point in points
            if point is not None
        ],
    }
