"""The exact interval of each query, from all that is in the learning set, into a folder."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Ints
from boxsel.evaluation.ontologies.folder import make
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.truths.store import EVERYTHING, Truth, append, opened, path_of
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.machine.locking import locked
from boxsel.machine.processes import side_by_side
from boxsel.machine.progress import track

if TYPE_CHECKING:
    from boxsel.exact.answers import Outcome
    from boxsel.exact.schedule import Known

BUSY: Final = "computing truths into this folder: wait for it"

Task = tuple[Split, tuple[int, ...], float | None, Mapping[int, Truth], Path]


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
    ratios = split.learning.take(split.learning.certain) if split.rounded else split.learning
    known = determined(ratios, asked) & asked.defined
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
    reasoner = Reasoner(split.kb(), budget=limit)
    queries = split.ontology.queries(split.queries.take(np.array(places, np.int64)))
    for place, query in zip(places, queries, strict=True):
        limit.renew()
        start = time.perf_counter()
        found = within(reasoner, query)
        answer = replace(_answer(place, found), budget=budget, seconds=time.perf_counter() - start)
        yield _with_counted(split, query, answer, earlier.get(place))


def _answer(place: int, answer: Outcome | Known) -> Truth:
    """What the reasoner says, as a truth."""
    from boxsel.exact.schedule import Known

    if isinstance(answer, Known):
        outer = Interval(answer.lower, answer.upper)
        return Truth(place, "outer", "reasoner", outer, answer.inner)
    if answer.lower is None or answer.upper is None:
        return Truth(place, "vacuous", "reasoner", EVERYTHING)
    outer = Interval(answer.lower.bound, answer.upper.bound)
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


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def compute_truths(
    splits: Sequence[Split],
    folder: str | os.PathLike[str],
    *,
    budget: float | None = 10.0,
    per_shape: int | None = None,
    jobs: int | None = None,
    notice: Callable[[str], None] = _warn,
) -> int:
    """Find the exact intervals of queries and keep them in a folder; how many were computed.

    Each query has a `budget` of seconds; `per_shape` queries of each kind are drawn, or all. What
    is in the folder already is not computed again, unless the time was over and there is more of it
    now. Splits are computed side by side in so many processes: without a number, one for each core.
    Whenever it is stopped, what was found is kept.

    Raises:
        BoxselError: A number makes no sense; another process is at it; a truth contradicts what was
            counted.
        ReadError: A file is damaged.
        WriteError: The folder cannot be written.
    """
    _check(budget, per_shape, jobs)
    target = Path(folder)
    make(target, "written")
    with locked(target, BUSY):
        tasks = [
            task for split in splits if (task := _task(split, target, budget, per_shape, notice))
        ]
        # The longest first, so that none of them is left alone at the end.
        tasks.sort(key=lambda task: len(task[1]) * len(task[0].learning), reverse=True)
        total = sum(len(places) for _, places, *_ in tasks)
        with closing(side_by_side(_work, tasks, jobs or os.cpu_count() or 1)) as computed:
            return sum(1 for _ in track(computed, "exact intervals", total))


def _check(budget: float | None, per_shape: int | None, jobs: int | None) -> None:
    if budget is not None and not 0 < budget < float("inf"):
        raise BoxselError(f"a budget is a number of seconds above 0, not {budget}")
    for words, number in (("queries of each kind", per_shape), ("processes", jobs)):
        if number is not None and number < 1:
            raise BoxselError(f"the number of {words} must be at least 1, not {number}")


def _task(
    split: Split,
    folder: Path,
    budget: float | None,
    per_shape: int | None,
    notice: Callable[[str], None],
) -> Task | None:
    """What is left to do for a split, if there is anything."""
    known = opened(split, folder, per_shape, notice)
    places = tuple(
        place
        for place in asked_places(split, per_shape).tolist()
        if place not in known or not known[place].settled(budget)
    )
    earlier = {place: known[place] for place in places if place in known}
    return (split, places, budget, earlier, path_of(split, folder)) if places else None


def _work(
    split: Split,
    places: tuple[int, ...],
    budget: float | None,
    earlier: Mapping[int, Truth],
    path: Path,
) -> Iterator[int]:
    """Compute the truths of a split and write each of them; tell its place."""
    for truth in exact_truths(split, places, budget=budget, earlier=earlier):
        append(path, truth)
        yield truth.place
