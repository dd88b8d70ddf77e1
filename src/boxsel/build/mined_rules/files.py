"""Files of rules: which columns hold the rule and its numbers.

- AMIE: the rule, then its measures, tab-separated; a header says which, and there may be messages
  of the program around them. Its standard confidence is the positive examples over the body size.
- AnyBURL: predictions, correct ones, confidence and the rule, without a header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal

from boxsel.build.built import Rejects
from boxsel.build.delimited import numbered_lines
from boxsel.errors import Diagnostic, InvalidStatementError, ReadError
from boxsel.formats.source import Source
from boxsel.logic.proportions import Count, Interval, Proportion, exact

DOUBLE: Final = Fraction(1, 2**52)
"""How far a printed floating-point number may be off, relative to itself."""

_WHOLE = re.compile(r"([0-9]{1,300})(?:[.,]0*)?")
_DECIMAL = re.compile(r"[0-9]*[.,]?([0-9]*)(?:[eE]([+-]?[0-9]{1,2}))?")

Kind = Literal["amie", "anyburl"]

_ARROW = re.compile(r"=>|<=")
_ANYBURL = re.compile(r"[0-9]+\t[0-9]+\t[0-9.eE+-]+\t[^\t]*<=")
_LETTERS = re.compile(r"[^a-z]+")

_COLUMNS: Final = {  # AMIE 1 also has a "Support", which is a ratio: the later name wins
    "rule": "rule",
    "stdconfidence": "confidence",
    "standardconfidence": "confidence",
    "confidence": "confidence",
    "support": "hits",
    "positiveexamples": "hits",
    "bodysize": "total",
}
_USUAL: Final = {"rule": 0, "confidence": 2, "hits": 4, "total": 5}


@dataclass(frozen=True, slots=True)
class Numbers:
    """Hits of a rule, the total that they are a part of, and the confidence as it was printed.

    They `agree` if the count gives the confidence, as far as it was printed.
    """

    hits: int | None = None
    total: int | None = None
    confidence: str | None = None
    agree: bool = field(init=False, default=True)

    def __post_init__(self) -> None:
        count = self.count
        if self.confidence is not None:
            interval = rounded(self.confidence)
            object.__setattr__(self, "agree", count is None or count.bounds.lower in interval)

    @property
    def count(self) -> Count | None:
        """The count, if both of its numbers are there."""
        if self.hits is None or self.total is None:
            return None
        return Count(self.hits, self.total)

    def proportion(self, *, prefer_count: bool) -> Proportion | None:
        """What they say: the count, or if it does not give the confidence the preferred one."""
        if self.count is not None and (self.agree or prefer_count):
            return self.count
        return None if self.confidence is None else rounded(self.confidence)


def rounded(text: str) -> Interval:
    """All proportions that are printed as this number, up to half a unit of its last digit.

    Examples:
        >>> print(rounded("0.123"))
        [0.1225, 0.1235]
    """
    text = text.replace(",", ".")
    value = exact(text)
    match = _DECIMAL.fullmatch(text)
    if match is None or not 0 <= value <= 1:
        raise InvalidStatementError(f"the confidence {text!r:.40} is not between 0 and 1")
    unit = Fraction(1, 10 ** len(match[1])) * Fraction(10) ** int(match[2] or 0)
    around = max(unit / 2, value * DOUBLE)
    return Interval(max(value - around, Fraction(0)), min(value + around, Fraction(1)))


def whole(text: str) -> int | None:
    """A whole number that is not negative; `None` for anything else."""
    match = _WHOLE.fullmatch(text.strip())
    return int(match[1]) if match else None


def decimal(text: str) -> str | None:
    """The text of a number that is not negative; `None` for anything else, such as -1 or NaN."""
    text = text.strip()
    return text if any(map(str.isdecimal, text)) and _DECIMAL.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A line that holds a rule."""

    number: int
    rule: str
    numbers: Numbers


@dataclass
class RuleLines:
    """Reads the lines of a file; `other` counts those that are no rules, such as messages."""

    source: Source
    kind: Kind
    rejects: Rejects
    other: int = 0

    def __iter__(self) -> Iterator[RuleLine]:
        columns: Mapping[str, int] = _USUAL
        for number, line in numbered_lines(self.source):
            header = _header(line) if self.kind == "amie" else None
            if header is not None:
                columns = header
            elif line.startswith("#") or (self.kind == "amie" and not _ARROW.search(line)):
                self.other += 1
            else:
                cells = line.split("\t")
                try:
                    if self.kind == "anyburl":
                        found = _anyburl(number, cells)
                    else:
                        found = _amie(number, cells, columns)
                except InvalidStatementError as error:
                    self.rejects.add(str(error), self.source.file, number, line)
                else:
                    yield found


def recognise_kind(source: Source) -> Kind:
    """Which program wrote the rules, by the first line that tells."""
    for line in source.text.split("\n"):
        if _ANYBURL.match(line):
            return "anyburl"
        if _header(line) is not None or _ARROW.search(line.partition("\t")[0]):
            return "amie"
    raise ReadError(
        Diagnostic(
            "there are no rules of AMIE or AnyBURL in this file",
            source.file,
            help="AMIE writes '?a  <r>  ?b   => ?a  <s>  ?b' and its measures, AnyBURL"
            " '12<tab>9<tab>0.75<tab>r(X,c) <= s(X,d)'; --kind says which it is",
        )
    )


def _anyburl(number: int, cells: Sequence[str]) -> RuleLine:
    if len(cells) != 4:
        raise InvalidStatementError(f"there are {len(cells)} columns, expected 4")
    predicted, correct = whole(cells[0]), whole(cells[1])
    if predicted is None or correct is None:
        raise InvalidStatementError("the first two columns are not whole numbers")
    numbers = Numbers(correct, predicted, decimal(cells[2]))
    return RuleLine(number, cells[3].strip(), numbers)


def _amie(number: int, cells: Sequence[str], columns: Mapping[str, int]) -> RuleLine:
    def cell(column: str) -> str:
        place = columns.get(column, len(cells))
        return cells[place] if place < len(cells) else ""

    if not _ARROW.search(cell("rule")):
        raise InvalidStatementError("there is no rule in the column of the rule")
    hits, total = whole(cell("hits")), whole(cell("total"))
    if not total:  # AMIE writes 0 or -1 if it did not count the body
        hits, total = None, None
    numbers = Numbers(hits, total, decimal(cell("confidence")))
    return RuleLine(number, cell("rule").strip(), numbers)


def _header(line: str) -> dict[str, int] | None:
    names = [_LETTERS.sub("", name.lower()) for name in line.split("\t")]
    if names[0] != "rule":
        return None
    places = {name: place for place, name in enumerate(names)}
    return {column: places[name] for name, column in _COLUMNS.items() if name in places}
