"""Files of rules: which columns hold the rule and its numbers.

- AMIE: the rule, then its measures, tab-separated; a header says which, and there may be messages
  of the program around them. Its standard confidence is the positive examples over the body size.
- AnyBURL: predictions, correct ones, confidence and the rule, without a header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from boxsel.build.rejects import Rejects
from boxsel.build.rules.numbers import Numbers, decimal, whole
from boxsel.errors import Diagnostic, InvalidStatementError, ReadError
from boxsel.formats.source import Source

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
        for number, line in enumerate(self.source.text.split("\n"), start=1):
            line = line.rstrip("\r")
            if not line.strip():
                continue
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
