"""True intervals as values, and files of them: one for each split, to which lines are added.

The first line says what the truths are of; each further one is the truth of a query, and the last
one for a place counts. A killed run leaves at most one line unfinished, which is ignored and
rewritten. Reading needs no reasoner.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal, get_args
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from boxsel._version import __version__
from boxsel.errors import Diagnostic, ReadError, WriteError
from boxsel.evaluation.conditionals import Aligned, Floats, Ints, Truths
from boxsel.evaluation.splits.split import Split
from boxsel.formats.source import write_atomically
from boxsel.logic.proportions import Interval, exact, float_above, float_below

Status = Literal["exact", "outer", "vacuous"]
Method = Literal["chain", "reasoner"]

EVERYTHING: Final = Interval(Fraction(0), Fraction(1))

LONGEST_FRACTION: Final = 10_000
"""How many bits the numbers of a fraction may have that is spelt out; longer ones are rounded."""

FORMAT: Final = 1
"""The version of the files' form: those of another one are replaced."""

_OF: Final = ("format", "digest", "variant", "seed", "part", "split")
"""The entries of a first line that must be the same."""

_DELETE: Final = "delete the file, and compute the truths again"


@dataclass(frozen=True)
class Truth:
    """What the share of the query at some place can be in models of the learning set.

    *Exact*: the shares in `outer`, and nothing tighter is true. *Outer*: the time was over; the
    share lies in `outer`. *Vacuous*: the body is empty in every model, and any share will do.

    Some models have the shares at the ends of `inner`. `budget` are the seconds that the query had
    at most, none for no limit; `seconds` is what it took.
    """

    place: int
    status: Status
    method: Method
    outer: Interval
    inner: Interval | None = None
    budget: float | None = None
    seconds: float = 0.0

    @classmethod
    def point(cls, place: int, share: Fraction) -> Truth:
        """A share that is determined by ratios of sizes."""
        only = Interval(share, share)
        return cls(place, "exact", "chain", only, only)

    def settled(self, budget: float | None) -> bool:
        """Whether no more can be said within a budget."""
        return self.status != "outer" or _seconds(budget) <= _seconds(self.budget)

    def tightened(self, outer: Interval, inner: Interval | None) -> Truth:
        """With what else is known: the outer interval only shrinks, the inner one only grows.

        Where both meet the truth is exact.

        Examples:
            >>> third, half = Fraction(1, 3), Fraction(1, 2)
            >>> truth = Truth(0, "outer", "reasoner", Interval(third, half))
            >>> truth.tightened(EVERYTHING, Interval(third, half)).status
            'exact'
        """
        if self.status != "outer":
            return self
        lower, upper = max(self.outer.lower, outer.lower), min(self.outer.upper, outer.upper)
        outer, inner = Interval(lower, upper), _around(self.inner, inner)
        status: Status = "exact" if outer == inner else "outer"
        return replace(self, status=status, outer=outer, inner=inner)

    def line(self) -> str:
        """The truth as a line of JSON: floats that are rounded outwards, and exact fractions."""
        values = {
            "place": self.place,
            "status": self.status,
            "method": self.method,
            "lower": float_below(self.outer.lower),
            "upper": float_above(self.outer.upper),
            "lower_exact": _spelt(self.outer.lower),
            "upper_exact": _spelt(self.outer.upper),
            "inner": None if self.inner is None else _both(self.inner),
            "budget": self.budget,
            "seconds": round(self.seconds, 4),
        }
        return f"{json.dumps(values)}\n"

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Truth:
        """A truth from the values of a line.

        Raises:
            KeyError, TypeError, ValueError: It is not such a line.
        """
        if values["status"] not in get_args(Status) or values["method"] not in get_args(Method):
            raise ValueError(values["status"])
        budget = values["budget"]
        return cls(
            int(values["place"]),
            values["status"],
            values["method"],
            Interval(_end(values, "lower"), _end(values, "upper")),
            _interval(values["inner"]),
            None if budget is None else float(budget),
            float(values["seconds"]),
        )


def _seconds(budget: float | None) -> float:
    return math.inf if budget is None else budget


def _around(one: Interval | None, other: Interval | None) -> Interval | None:
    """The least interval around both."""
    if one is None or other is None:
        return one or other
    return Interval(min(one.lower, other.lower), max(one.upper, other.upper))


def _spelt(number: Fraction) -> str | None:
    """A fraction as text, unless it is too long for that."""
    longest = max(number.numerator.bit_length(), number.denominator.bit_length())
    return str(number) if longest <= LONGEST_FRACTION else None


def _both(interval: Interval) -> list[str | None] | None:
    """Both ends as text; nothing if one is too long: no model has a rounded one."""
    ends = [_spelt(interval.lower), _spelt(interval.upper)]
    return None if None in ends else ends


def _interval(ends: Sequence[str] | None) -> Interval | None:
    if ends is None:
        return None
    lower, upper = map(Fraction, ends)
    return Interval(lower, upper)


def _end(values: Mapping[str, Any], end: str) -> Fraction:
    """An end of an interval: the exact one, else the one that was rounded outwards."""
    text = values[f"{end}_exact"]
    return exact(values[end]) if text is None else Fraction(text)


@dataclass(frozen=True, eq=False)
class Items(Aligned):
    """The true intervals of the queries at some places, each of a shape, and which are exact."""

    places: Ints
    shape: NDArray[np.int8]
    lower: Floats
    upper: Floats
    exact: Truths


def load_truths(split: Split, folder: Path) -> Items:
    """The truths of a split that were computed so far: none, if there is no file.

    Vacuous queries have no interval and are not among them.

    Raises:
        ReadError: The file is damaged, or of another split.
    """
    path = path_of(split, folder)
    held = _held(path, header_of(split, None))
    if held is not None and not held.ours:
        problem = "these truths are of another ontology or another split"
        raise _damaged(path, 1, problem, "compute the truths again")
    every = {} if held is None else held.truths
    truths = [truth for truth in every.values() if truth.status != "vacuous"]
    truths.sort(key=lambda truth: truth.place)
    places = np.array([truth.place for truth in truths], np.int64)
    queries = split.queries.take(places)
    of_root = queries.has_body(split.ontology.root_row)
    return Items(
        places,
        # A plain query has its premises in conjunctions.
        np.where(of_root, queries.shape, 2).astype(np.int8),
        np.array([float(truth.outer.lower) for truth in truths], np.float64),
        np.array([float(truth.outer.upper) for truth in truths], np.float64),
        np.array([truth.status == "exact" for truth in truths], bool),
    )


def path_of(split: Split, folder: Path) -> Path:
    """The file for the truths of a split.

    Names that are no file names are spelt as in an IRI.
    """
    parts = (split.ontology.name, split.variant, str(split.seed), split.part)
    return folder / f"{'.'.join(quote(part, safe=' ') for part in parts)}.ndjson"


def header_of(split: Split, per_shape: int | None) -> dict[str, Any]:
    """What the first line says: which ontology and split it is, and how many were drawn."""
    ontology = split.ontology
    digest = hashlib.sha256()
    for part in (split.learning, split.queries):
        digest.update(np.ascontiguousarray(part.keys, dtype="<i8").tobytes())
    return {
        "format": FORMAT,
        "version": __version__,
        "ontology": ontology.name,
        "digest": ontology.digest(),
        "variant": split.variant,
        "seed": split.seed,
        "part": split.part,
        "split": digest.hexdigest(),
        "learning": len(split.learning),
        "queries": len(split.queries),
        "per_shape": per_shape,
    }


def opened(
    split: Split, folder: Path, per_shape: int | None, notice: Callable[[str], None]
) -> dict[int, Truth]:
    """Make the file of a split ready for more lines, and give what it holds already, by place.

    A file of another ontology is replaced, and so are an unfinished line and lines that later ones
    outdate.
    """
    path, header = path_of(split, folder), header_of(split, per_shape)
    held = _held(path, header)
    if held is not None and not held.ours:
        notice(f"{path}: these truths are of another ontology or another split: computed again")
        held = None
    truths = {} if held is None else held.truths
    if held is not None:
        header["per_shape"] = _larger(per_shape, held.header.get("per_shape"))
    lines = [f"{json.dumps(header)}\n", *(truth.line() for truth in truths.values())]
    text = "".join(lines).encode()
    if held is None or held.data != text:
        write_atomically(path, text)
    return truths


def append(path: Path, truth: Truth) -> None:
    """Add a line to a file."""
    try:
        with path.open("ab", buffering=0) as stream:
            line = truth.line().encode()
            written = stream.write(line)
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from None
    if written != len(line):
        raise WriteError(f"{path}: a line could not be written whole: is there space left?")


@dataclass(frozen=True)
class _Held:
    """What is in a file; of another ontology or split, only that it is not `ours`."""

    data: bytes
    header: Mapping[str, Any]
    ours: bool
    truths: dict[int, Truth]


def _held(path: Path, wanted: Mapping[str, Any]) -> _Held | None:
    """What is in a file, if there is one with at least a first line."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = f"this file cannot be read: {error.strerror or error}"
        raise ReadError(Diagnostic(reason, file=str(path))) from None
    # What follows the last line break is a line that was not finished.
    first, *others = data.split(b"\n")[:-1] or (b"",)
    if not first:
        return None
    header = _values(path, 1, first)
    ours = all(header.get(key) == wanted[key] for key in _OF)
    truths = [_truth(path, *one, wanted) for one in enumerate(others, start=2)] if ours else []
    return _Held(data, header, ours, {truth.place: truth for truth in truths})


def _truth(path: Path, number: int, line: bytes, header: Mapping[str, Any]) -> Truth:
    try:
        truth = Truth.read(_values(path, number, line))
        if 0 <= truth.place < header["queries"]:
            return truth
    except (KeyError, TypeError, ValueError, ArithmeticError):
        pass
    raise _damaged(path, number, "this line is not the truth of a query", _DELETE)


def _values(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except ValueError:
        values = None
    if not isinstance(values, dict):
        raise _damaged(path, number, "this line is not a JSON object", _DELETE)
    return values


def _damaged(path: Path, line: int, problem: str, advice: str) -> ReadError:
    return ReadError(Diagnostic(problem, file=str(path), line=line, help=advice))


def _larger(one: int | None, held: object) -> int | None:
    """The larger of two numbers of queries, where none is all of them."""
    if one is None or held is None:
        return None
    return max(one, held) if isinstance(held, int) else one
