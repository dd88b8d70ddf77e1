"""Many questions about one knowledge base, in several processes, and their answers as rows."""

from __future__ import annotations

import hashlib
import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from boxsel.answer.answer import Answer, Outer
from boxsel.answer.ask import DEFAULT_SECONDS, Asker, Estimation, Typically
from boxsel.answer.assumptions import Assumption, assumed
from boxsel.errors import BoxselError
from boxsel.logic.kb import KB, Queries
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, Seconds
from boxsel.machine.spreading import count_jobs, spread
from boxsel.syntax.many_queries import is_table

if TYPE_CHECKING:
    from boxsel.models.model import Model

PARCELS_EACH: Final = 8
"""Each process gets its questions in about so many parcels: the knowledge base comes with each."""
DIED: Final = "the process that worked on it died"
"""Why there is no estimate where nothing is known at all."""


def ask_many(
    source: KB | Model,
    queries: Queries,
    *,
    jobs: int | None = 1,
    budget: Seconds = DEFAULT_SECONDS,
    assume: Iterable[Assumption] = (),
    estimate: Estimation = "never",
    sensitivity: bool = False,
    typical: Typically = "exact",
) -> Iterator[Answer]:
    """The answers to many questions, in their order, each as soon as those before it are there.

    The questions are a list of texts or values, or the rows of a pandas table, `(D | C)` in a
    column `query` or in two, `head` and `body`.

    `jobs` processes work at once; none means one for each core. They are those of joblib: under
    `joblib.parallel_config(backend="dask")` or `"ray"`, questions go to a cluster. Each question
    has a budget of its own. So that thousands of them do not take hours, no process beside the
    proof draws populations or trains an ensemble unless `estimate` is "auto", and no typical share
    is sampled unless `typical` is true. A process that dies, for want of memory say, loses only its
    question: the answer is that nothing is known, and there is a warning.

    Raises:
        BoxselError: A query or an assumption is not about the names of the knowledge base; or
            several processes are to share an ensemble.

    Examples:
        >>> from boxsel import examples
        >>> kb = examples.load("berkeley")
        >>> [str(one.outer.lower) for one in ask_many(kb, ["(Admitted | Woman)", "(DeptA | Man)"])]
        ['81/100', '1/10']
    """
    kb = source if isinstance(source, KB) else source.kb
    options = Options(Budget.of(budget).seconds, estimate, sensitivity, typical)
    asked = kb.queries(queries)
    jobs = count_jobs(jobs)
    if min(jobs, len(asked)) <= 1:
        return _one_by_one(Asker(source, assume=assume, estimate=estimate), asked, options)
    if not isinstance(source, KB):
        raise BoxselError("an ensemble is asked in one process: leave the number of jobs out")
    return _side_by_side(assumed(source, assume), asked, jobs, options)


def answered_table(source: KB | Model, queries: Queries, **options: Any) -> Any:
    """The answers to many questions as a pandas table: that of the questions, if they are one.

    The columns that are added are those of the command line's CSV. Questions and options are those
    of `ask_many`.

    Raises:
        BoxselError: It is a table without the columns; or pandas is not installed.
        ReadError: A query is not about the names of the knowledge base.
    """
    rows = [flat(answer) for answer in ask_many(source, queries, **options)]
    if is_table(queries):
        names = [name for name in COLUMNS if name != "query"]
        return queries.assign(**{name: [row[name] for row in rows] for name in names})
    try:
        from pandas import DataFrame
    except ModuleNotFoundError:
        raise BoxselError("a table of answers needs pandas: pip install pandas") from None
    return DataFrame(rows, columns=list(COLUMNS))


@dataclass(frozen=True)
class Options:
    """What holds for all questions."""

    budget: float | None
    estimate: Estimation
    sensitivity: bool
    typical: Typically = "exact"

    @property
    def each(self) -> dict[str, Any]:
        """What is said with each question."""
        return {"budget": self.budget, "sensitivity": self.sensitivity, "typical": self.typical}


@dataclass(frozen=True)
class Parcel:
    """Some questions, with the knowledge base that they are about."""

    kb: bytes = field(repr=False)
    digest: str
    queries: tuple[Query, ...]
    options: Options


def _one_by_one(asker: Asker, asked: Sequence[Query], options: Options) -> Iterator[Answer]:
    with asker:
        for query in asked:
            yield asker.ask(query, **options.each)


def _side_by_side(
    kb: KB,
    asked: Sequence[Query],
    jobs: int,
    options: Options,
    answer: Callable[[Parcel], list[Answer]] | None = None,
) -> Iterator[Answer]:
    """The answers of other processes; one that dies takes no question with it but its own.

    It does not say at which question it died, so that those of its parcel are asked one by one.
    """
    content = pickle.dumps(kb)
    digest = hashlib.sha256(content).hexdigest()

    def run(queries: Sequence[Query], size: int) -> Iterator[Answer]:
        parcels = [
            Parcel(content, digest, tuple(queries[start : start + size]), options)
            for start in range(0, len(queries), size)
        ]
        for parcel, answers in zip(
            parcels, spread(answer or _answered, parcels, jobs), strict=True
        ):
            if answers is not None:
                yield from answers
            elif len(parcel.queries) > 1:
                yield from run(parcel.queries, 1)
            else:
                yield _unknown(parcel.queries[0])

    return run(asked, max(1, len(asked) // (jobs * PARCELS_EACH)))


def _unknown(query: Query) -> Answer:
    """The answer to a question whose process died twice: that nothing is known."""
    warnings.warn(f"the process that worked on {query} died: it has no answer", stacklevel=4)
    return Answer(query, "budget", Outer(Fraction(0), Fraction(1)), unestimated=DIED)


_known: dict[str, Asker] = {}
"""The last knowledge base that a process was asked about: most parcels are about the same."""


def _answered(parcel: Parcel) -> list[Answer]:
    """What a process does with a parcel."""
    if parcel.digest not in _known:
        for other in _known.values():
            other.close()
        _known.clear()
        kb = pickle.loads(parcel.kb)
        _known[parcel.digest] = Asker(kb, estimate=parcel.options.estimate)
    asker, options = _known[parcel.digest], parcel.options
    return [asker.ask(query, **options.each) for query in parcel.queries]


COLUMNS: Final = (
    "query",
    "status",
    "lower",
    "upper",
    "exact",
    "certified",
    "inner_lower",
    "inner_upper",
    "estimate_lower",
    "estimate_upper",
    "violation",
    "typical",
    "seconds",
)
"""The columns, in their order. Proved ends are rounded outward, those of the inner one inward."""

SHARES: Final = tuple(
    column for column in COLUMNS if column.endswith(("lower", "upper", "typical"))
)
"""Those of the columns that are shares."""


def flat(answer: Answer) -> dict[str, Any]:
    """The numbers of an answer by column; none where there is no number."""
    content = answer.to_json()
    outer, inner, estimate = content["outer"], content["inner"] or {}, content["estimate"] or {}
    typical = content["typical"] or {}
    values = (
        content["query"],
        content["status"],
        outer["lower"],
        outer["upper"],
        outer["exact"],
        outer["certified"],
        inner.get("lower"),
        inner.get("upper"),
        estimate.get("lower"),
        estimate.get("upper"),
        estimate.get("violation"),
        typical.get("value"),
        content["seconds"],
    )
    return dict(zip(COLUMNS, values, strict=True))
