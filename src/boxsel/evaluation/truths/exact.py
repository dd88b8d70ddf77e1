"""The exact interval of each query, from all that is in the learning set."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Ints
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.truths.truth import EVERYTHING, Truth
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query

if TYPE_CHECKING:
    from boxsel.exact.answers import Outcome
    from boxsel.exact.schedule import Known


def asked_places(split: Split, per_shape: int | None = None) -> Ints:
    """The places of the queries whose exact interval is wanted: some of each kind, or all.

    The kinds are `(Q | root)`, `(Q | B)` and `(∃r.A | root)`. The queries are drawn by the seed of
    the split, so that they are the same everywhere, and those of a smaller number are among those
    of a larger one. They come in turns, one of each kind, so that a part has some of each.
    """
    queries, of_root = split.queries, split.queries.has_body(split.ontology.root_row)
    kinds = (of_root & (queries.shape == 1), ~of_root, of_root & (queries.shape == 4))
    random = np.random.default_rng([split.seed, 4])
    drawn = [random.permutation(np.flatnonzero(kind))[:per_shape].tolist() for kind in kinds]
    turns = chain.from_iterable(zip_longest(*drawn))
    return np.array([place for place in turns if place is not None], np.int64)


def exact_truths(
    split: Split,
    places: Sequence[int],
    *,
    budget: float | None,
    earlier: Mapping[int, Truth] | None = None,
) -> Iterator[Truth]:
    """The truth of queries at some places, one after the other; each has the same time.

    What ratios of sizes determine comes first. One reasoner answers the rest, and what it learns
    from one query it knows for the next. `earlier` truths are tightened.

    Raises:
        BoxselError: The share that was counted is not among those that the reasoner finds
            possible. Then one of them is wrong.
    """
    from boxsel.evaluation.truths.chains import determined

    wanted = np.array(places, np.int64)
    asked = split.queries.take(wanted)
    known = determined(split.learning, asked) & asked.defined
    for place in wanted[known].tolist():
        count, total = int(split.queries.count[place]), int(split.queries.total[place])
        yield Truth.point(place, Fraction(count, total))
    yield from _reasoned(split, wanted[~known].tolist(), budget, earlier or {})


def _reasoned(
    split: Split, places: Sequence[int], budget: float | None, earlier: Mapping[int, Truth]
) -> Iterator[Truth]:
    """What the reasoner says."""
    if not places:
        return
    from boxsel.exact.reasoner import Reasoner
    from boxsel.exact.schedule import within
    from boxsel.machine.budget import Budget

    limit = Budget(budget)
    reasoner = Reasoner(split.ontology.kb(split.learning), budget=limit)
    queries = split.ontology.queries(split.queries.take(np.array(places, np.int64)))
    for place, query in zip(places, queries, strict=True):
        limit.renew()
        start = time.perf_counter()
        found = within(reasoner, query)
        answer = replace(_answer(place, found), budget=budget, seconds=time.perf_counter() - start)
        yield _with_counted(split, query, answer, earlier.get(place))


def _answer(place: int, found: Outcome | Known) -> Truth:
    """What the reasoner says, as a truth."""
    from boxsel.exact.schedule import Known

    if isinstance(found, Known):
        outer = Interval(found.lower, found.upper)
        return Truth(place, "outer", "reasoner", outer, found.inner)
    if found.lower is None or found.upper is None:
        return Truth(place, "vacuous", "reasoner", EVERYTHING)
    outer = Interval(found.lower.bound, found.upper.bound)
    return Truth(place, "exact", "reasoner", outer, outer)


def _with_counted(split: Split, query: Query, answer: Truth, earlier: Truth | None) -> Truth:
    """An answer, beside an earlier one and beside what was counted.

    The counted population is a model. So where the body has members in it, no answer is vacuous,
    the share that was counted is possible, and an outer interval that is a point is exact.
    """
    count, total = int(split.queries.count[answer.place]), int(split.queries.total[answer.place])
    if not total:
        return answer
    share = Fraction(count, total)
    if answer.status == "vacuous" or share not in answer.outer:
        said = "vacuous" if answer.status == "vacuous" else f"in {answer.outer}"
        raise BoxselError(
            f"{split.ontology.name}, {split.variant}, seed {split.seed}, {split.part}:"
            f" {query.text()} was counted as {count} of {total}, but is {said}: the counts are not"
            " those of a population, or the reasoner is wrong"
        )
    if earlier is not None:
        answer = answer.tightened(earlier.outer, earlier.inner)
    return answer.tightened(EVERYTHING, Interval(share, share))
