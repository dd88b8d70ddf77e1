"""Which column of a table holds what: by our names, by likely ones, or as its reader was told.

People call columns what they like. A name that is likely to mean one thing is taken for it; what is
guessed, and what is not used, is said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.wording import expect_known, listed

REQUIRED: Final = ("head", "body")
BOUNDS: Final = ("lower", "upper")
SAMPLE: Final = ("count", "total")
SHARES: Final = ("share", "percent")
INTERVAL: Final = "interval"
"""A column with both ends in each cell; it is read as `lower` and `upper`."""
NOTES: Final = ("source", "label", "comment")
USUAL: Final = (*REQUIRED, *BOUNDS, *SAMPLE, "source")
WRITTEN: Final = ("kind", *USUAL, "label", "comment")
"""The columns that are written, in order; those that hold nothing are left out."""
COLUMNS: Final = (*WRITTEN, *SHARES, INTERVAL)
"""All that a column can hold."""

LIKELY: Final[Mapping[str, frozenset[str]]] = {
    column: frozenset(re.split(", ?", words))
    for column, words in {
        "kind": "type of statement, statement, relation",
        "head": "outcome, condition, finding, characteristic, feature, subgroup, disease, disorder,"
        " diagnosis, symptom, phenotype, krankheit, erkrankung, merkmal, diagnose",
        "body": "of, in, among, given, within, population, cohort, whole, base, denominator group,"
        " von, unter, bevölkerung, grundgesamtheit",
        "share": "proportion, fraction, rate, prevalence, probability, share of, value, anteil,"
        " prävalenz",
        "percent": "percentage, pct, in percent, per cent, prozent",
        "lower": "low, lower bound, from, at least, lower limit, lcl, ci low, ci lower, min",
        "upper": "high, upper bound, to, at most, upper limit, ucl, ci high, ci upper, max",
        "interval": "ci, confidence interval, uncertainty interval, credible interval, ki,"
        " konfidenzintervall",
        "count": "n, cases, events, number, affected, positive, anzahl, fälle",
        "total": "N, sample size, size, denominator, out of, n total, participants,"
        " examined, tested, screened, stichprobe",
        "source": "reference, ref, citation, study, doi, pmid, quelle",
        "comment": "note, notes, remark, remarks, comments, anmerkung, bemerkung",
    }.items()
}
MARKERS: Final = (
    *("NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "<NA>"),
    *("k.A.", "k. A.", "keine Angabe", "missing", "?", "."),
)
"""What programs and people write where nothing is known. Not `-`, which may be a test's result."""
EITHER: Final = frozenset(("group", "concept", "category", "class", "name", "gruppe"))
"""What is shared or what it is shared in, whichever no other column says."""
_PER = re.compile(
    r"(?:\b(?:per|pro|je)\b|/)\s*(?:(?P<digits>10+(?:[,.\s]000)*)\b(?![,.]?\d)"
    r"|(?P<thousand>1k|thousand|mille|tausend)\b|(?P<million>million)\b)"
    r"|(?P<sign>‰|\bpromille\b)"
)
_INTERVALS: Final = frozenset(("ci", "ki", "ui", "cri", "confidence"))
_NO_SHARES: Final = frozenset(
    ("ratio", "odds", "difference", "change", "se", "sd", "std", "p", "rr", "hr", "aor", "jahre")
)
"""Words in the names of numbers that are no shares, whatever else they say."""
_RATIOS: Final = frozenset(("or", "aor", "rr", "hr", "irr", "smr"))
"""What a column of ratios is called; an interval beside it may be theirs."""
_NUMBER_OF = re.compile(r"^(?:no|nr|number|anzahl) (?:of |der )?")
HEADER_ADVICE: Final = (
    "one row names the columns, such as group,of,percent,source (boxsel template shows one); which"
    " is which can be said: --columns head=Disease,body=Group. Where each row is a person, boxsel"
    " build table counts them; where each group has a column, give each share a row of its own"
)


@dataclass(frozen=True)
class Choice:
    """What a reader is told about a table: its sheet, and its columns by what they hold.

    `columns` says which column holds what: `{"head": "Disease", "percent": "Prevalence 2020"}`;
    `{"interval": ""}` says that none holds one.
    """

    sheet: str | int | None = None
    columns: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for column in self.columns:
            expect_known("column", column, COLUMNS)

    @classmethod
    def of(cls, sheet: str | int | None, columns: Iterable[str]) -> Choice:
        """The same as the command line has it: `head=Disease,body=Group`.

        Examples:
            >>> dict(Choice.of(None, ["head=Disease, body=Age, in years"]).columns)
            {'head': 'Disease', 'body': 'Age, in years'}
        """
        said: dict[str, str] = {}
        for text in columns:
            # A comma may belong to the name of a column: it parts what begins like NAME=.
            for part in re.split(r",\s*(?=\w+=)", text):
                column, equals, name = part.partition("=")
                if not equals:
                    raise BoxselError(f"--columns {text}: write it as head=Disease,body=Group")
                said[column.strip().lower()] = name.strip()
        return cls(sheet, said)


NO_CHOICE: Final = Choice()


@dataclass(frozen=True, slots=True)
class Layout:
    """What each column holds (`""`: nothing that is used), and what should be said about it."""

    columns: tuple[str, ...]
    told: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()

    def place(self, column: str) -> int | None:
        """Where something is held, if it is."""
        return self.columns.index(column) if column in self.columns else None


def find_layout(header: Sequence[str], choice: Choice = NO_CHOICE) -> Layout | str:
    """What the columns of a table hold, by its header; or what is wrong with it.

    Examples:
        >>> find_layout(["Group", "Of", "Percent", "n", "N"]).columns
        ('head', 'body', 'percent', 'count', 'total')
        >>> print(*find_layout(["group", "outcome", "rate", "year"]).remarks, sep="; ")
        columns: outcome is head, group is body, rate is share; columns that are not used: year
        >>> find_layout(["Age", "Sex"])
        'there is no column for head (what has a share) and none for body (of what)'
    """
    header = [cell.strip() for cell in header]
    found: dict[int, str] = {}
    for column, name in choice.columns.items():
        if not name:
            continue
        alike = [place for place, cell in enumerate(header) if cell.casefold() == name.casefold()]
        if not alike:
            named = listed([*filter(None, header)], 20)
            return f"there is no column {name!r}: the columns are {named}"
        found[alike[0]] = column
    told = frozenset(choice.columns)
    own = {cell.casefold() for cell in header}
    for place, cell in enumerate(header):
        column = _held(cell, own)
        first = column not in NOTES or column not in found.values()
        if place not in found and column and column not in told and first:
            found[place] = column
    _place_groups(header, found)
    _place_described(header, found, told)
    found = _without_strange_intervals(header, found, told)
    problem = _problem(header, found)
    if problem:
        return problem
    if not {*SAMPLE} <= {*found.values()}:  # how many were asked is no share
        found = {place: column for place, column in found.items() if column not in SAMPLE}
    columns = tuple(found.get(place, "") for place in range(len(header)))
    return Layout(columns, told, tuple(_remarks(header, columns, told)))


def expect_layout(header: Sequence[str], choice: Choice, file: str | None) -> Layout:
    """The layout of a table that must have one; `ReadError` says what is wrong."""
    layout = find_layout(header, choice)
    if isinstance(layout, str):
        raise ReadError(Diagnostic(layout, file, help=HEADER_ADVICE))
    return layout


def holds(name: str) -> bool:
    """Whether the name of a column says what it holds."""
    return bool(_held(name, ()))


def _held(cell: str, own: Collection[str]) -> str:
    """What a column of this name holds, beside those that have our `own` names."""
    plain = cell.casefold()
    if plain in COLUMNS:
        return plain
    # n is how many of them there are, N of how many.
    words = cell if cell == "N" else " ".join(re.findall(r"\w+|%", plain.replace("_", " ")))
    words = _NUMBER_OF.sub("", words)
    for column, likely in LIKELY.items():
        if words in likely:
            return "" if column in own else column
    return _described(plain, set(words.split()))


def per_so_many(name: str) -> int:
    """What the name of a column says that its numbers are counted per; 0 if it says nothing.

    Examples:
        >>> per_so_many("Cases per 100,000"), per_so_many("Anteil (‰)"), per_so_many("percent")
        (100000, 1000, 0)
    """
    found = _PER.search(name.casefold())
    if found is None:
        return 0
    if found["digits"]:
        return int(re.sub(r"\D", "", found["digits"]))
    return 1_000_000 if found["million"] else 1000


def _is_share(words: Collection[str]) -> bool:
    """Whether words may name shares: not of person-years, and not a p value."""
    return not _NO_SHARES & set(words) and not {"person", "years"} <= set(words)


def _described(name: str, words: set[str]) -> str:
    """What a name of several words is about: an end of an interval, or percentages."""
    if words & {*_INTERVALS, "cl", "bound", "limit"}:
        ends = {"lower": {"lower", "low", "lo", "min"}, "upper": {"upper", "high", "hi", "max"}}
        both = INTERVAL if words & _INTERVALS else ""
        return next((end for end, said in ends.items() if words & said), both)
    if not _is_share(words):
        return ""
    if per_so_many(name):
        return "share"
    return "percent" if words & {"%", "percent", "percentage", "pct"} else ""


def _place_groups(header: Sequence[str], found: dict[int, str]) -> None:
    """Let columns that say *group* be what is missing: the head beside an *of*, else the body."""
    for place, cell in enumerate(header):
        if place not in found and cell.casefold() in EITHER:
            missing = [one for one in REQUIRED if one not in found.values()]
            if missing:
                found[place] = missing[0]


def _place_described(header: Sequence[str], found: dict[int, str], told: frozenset[str]) -> None:
    """Let the only column whose name has a likely word in it be what is missing.

    So *Study population* is the body, and *Prevalence 2019* the share, if nothing else is.
    """
    numbers = {*SHARES, *BOUNDS, *SAMPLE, INTERVAL}
    for column in (*REQUIRED, "share", "source"):
        held = set(found.values())
        if column in told | held or (column == "share" and numbers & held - {"total"}):
            continue
        likely = {word for word in (column, *LIKELY[column]) if len(word) > 3} - {"value"}
        words = [set(re.findall(r"\w+", cell.casefold())) for cell in header]
        alike = [
            place
            for place, said in enumerate(words)
            if place not in found and likely & said and (column != "share" or _is_share(said))
        ]
        if len(alike) == 1:
            found[alike[0]] = column


def _without_strange_intervals(
    header: Sequence[str], found: dict[int, str], told: frozenset[str]
) -> dict[int, str]:
    """Without a guessed interval beside columns of its ends, or beside a ratio that may have it."""
    ratio = any(
        cell.casefold() in _RATIOS or "ratio" in re.findall(r"\w+", cell.casefold())
        for cell in header
    )
    if INTERVAL in told or not (ratio or {*BOUNDS} & {*found.values()}):
        return found
    return {place: column for place, column in found.items() if column != INTERVAL}


def _problem(header: Sequence[str], found: Mapping[int, str]) -> str | None:
    """What is wrong with the columns of a table, if anything."""
    held = list(found.values())
    for place, column in found.items():
        if held.count(column) > 1:
            names = [header[other] for other, one in found.items() if one == column]
            if len({name.casefold() for name in names}) == 1:
                return f"the column '{column}' occurs twice"
            return (
                f"{listed([repr(name) for name in names])} could each be the {column}: say which,"
                f" with --columns {column}={header[place]}"
            )
    if INTERVAL in held and set(BOUNDS) & set(held):
        return "an interval has both bounds: say where they are, without lower and upper beside it"
    missing = {"head": "what has a share", "body": "of what"}
    lacking = [f"{one} ({means})" for one, means in missing.items() if one not in held]
    if lacking:
        return f"there is no column for {' and none for '.join(lacking)}"
    if len(set(BOUNDS) & set(held)) == 1:
        one = next(iter(set(BOUNDS) - set(held)))
        return f"the column '{one}' is missing: {' and '.join(BOUNDS)} belong together"
    if "kind" in held or {*SHARES, *BOUNDS, INTERVAL} & set(held) or set(SAMPLE) <= set(held):
        return None
    one = next(iter(set(SAMPLE) - set(held)))
    if set(SAMPLE) & set(held):
        return f"the column '{one}' is missing: {' and '.join(SAMPLE)} belong together"
    return "there is no column of numbers: share or percent, lower and upper, or count and total"


def _remarks(header: Sequence[str], columns: Sequence[str], told: frozenset[str]) -> list[str]:
    """Which names were taken for something else, and which for nothing."""
    pairs = list(zip(header, columns, strict=True))
    guessed = sorted(
        ((column, name) for name, column in pairs if column and name.casefold() != column),
        key=lambda pair: COLUMNS.index(pair[0]),
    )
    guessed = [pair for pair in guessed if pair[0] not in told]
    said = []
    if guessed:
        said.append("columns: " + ", ".join(f"{name} is {column}" for column, name in guessed))
    unused = [name for name, column in pairs if name and not column]
    return [*said, f"columns that are not used: {listed(unused, 20)}"] if unused else said
