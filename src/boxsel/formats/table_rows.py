"""From the rows of a table to statements, each mistake with its row and column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from boxsel.errors import MAX_ERRORS, Diagnostic, InvalidStatementError, ReadError
from boxsel.formats.table_columns import (
    BOUNDS,
    COLUMNS,
    INTERVAL,
    MARKERS,
    NOTES,
    SAMPLE,
    SHARES,
    Layout,
)
from boxsel.formats.table_shares import InDoubtError, Scale, decide_scale, ends, number
from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Equivalence, Inclusion
from boxsel.logic.concepts import Concept
from boxsel.logic.kb import KB
from boxsel.logic.names import BARE_PATTERN, RESERVED, quote_name
from boxsel.logic.proportions import Count, Interval, Proportion
from boxsel.logic.statements import NO_NOTE, Note, Statement
from boxsel.syntax.common_lines import ShapeReader
from boxsel.syntax.nametable import NameTable
from boxsel.syntax.parser import parse_concept
from boxsel.wording import listed

FORMULA_START: Final = "=+-@＝＋－＠"
"""How a text starts that spreadsheets take for a formula; the last four are wide forms."""

KINDS: Final[Mapping[str, type[Axiom]]] = {
    "share": Conditional,
    "subclass": Inclusion,
    "equivalent": Equivalence,
    "disjoint": Disjointness,
}
"""What a row states, as the verb between its head and its body: DeptA *subclass of* Applicant."""

_SAID: Final[Mapping[str, str]] = {
    said: kind
    for kind, words in {
        "share": "share, share of, conditional, proportion, percent",
        "subclass": "subclass, subclassof, subclass of, is a, inclusion, part of, included in",
        "equivalent": "equivalent, equivalentto, equivalent to, equivalence, same as",
        "disjoint": "disjoint, disjointness, disjoint with, disjoint from",
    }.items()
    for said in words.split(", ")
}
_GUARDED = re.compile(rf"'+[{re.escape(FORMULA_START)}]")
_WHOLE = re.compile(r"([0-9]{1,300})(?:\.0*)?")  # programs write 7.0 where a column has gaps
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:([,.'’  \N{NO-BREAK SPACE}])[0-9]{3})(?:\1[0-9]{3})*")
_MEMBER = re.compile(r"(?:[^,'<]|'(?:[^'\\]|\\.)*'|<[^>]*>|['<])+")
_SYNTAX = re.compile(r"[|\[\]{}\"\\]|^['<(]|\S:\S")
_BARE = re.compile(BARE_PATTERN)
_WORD = re.compile(r"[^\W\d]\w*")
LONGEST_NAME: Final = 200
"""What has more characters is not taken for a name without its quotes."""
_NUMBERS: Final = frozenset((*SHARES, *BOUNDS, *SAMPLE))
_MEASURED: Final = _NUMBERS | {INTERVAL}
_MARKS: Final = "*†‡§¶#⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉ"
"""What points from a number to a note below a table."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ABOUT = re.compile(r"(?:[~≈]|ca\.?|circa|about|approx\.?)\s*[\d.,]+\s*%?", re.IGNORECASE)
_ROUNDING: Final = Fraction(1, 100)
"""So far may a percentage be from the count beside it: more than that is a slip, not rounding."""


class Mistake(Exception):  # noqa: N818 - it never leaves a reader: it becomes a diagnostic
    """Something wrong in a row, in one column if that is known."""

    def __init__(self, message: str, column: str | None = None, advice: str | None = None) -> None:
        super().__init__(f"column '{column}': {message}" if column else message)
        self.advice = advice


class NoNumber(Mistake):
    """A row about a share that has none: it states nothing."""


@dataclass(frozen=True)
class Tabled:
    """What a table states, and what should be said about how it was read."""

    kb: KB
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manner:
    """How the cells of a table are written.

    With a `decimal_comma`, `1,234` is less than two. In a `guarded` table an apostrophe keeps
    spreadsheets from running notes. A `place` is what stands before mistakes without a line.
    """

    decimal_comma: bool = False
    guarded: bool = False
    place: str = ""


Row = tuple[int, Sequence[str]]
"""The line of a row, and its cells: `""` if there is nothing."""


def read_rows(
    header: Sequence[str],
    layout: Layout,
    rows: Iterable[Row],
    file: str | None,
    manner: Manner,
    mistakes: Sequence[Diagnostic] = (),
) -> Tabled:
    """The knowledge base that rows state; `ReadError` with up to twenty mistakes.

    Rows that could not be read at all are `mistakes` already. Rows without a number state nothing:
    they are left out, and named, unless all are so.
    """
    own, start = _words(header), header[0] if header else ""
    given = [
        (line, cells)
        for line, cells in rows
        if any(map(str.strip, cells))
        # A header may be said again, on the next page.
        and not (cells[0].strip().casefold() == start.casefold() and _words(cells) == own)
    ]
    given, marked = _without_marks(layout, given)
    try:
        header, layout, given = _parted(header, layout, given)
        cells = [row for _, row in given]
        scale = decide_scale(layout, header, cells, decimal_comma=manner.decimal_comma)
    except InDoubtError as error:
        raise ReadError(Diagnostic(str(error), file, help=error.advice)) from None
    reader = RowReader(header, layout, scale, manner)
    statements: list[Statement] = []
    diagnostics: list[Diagnostic] = []
    without, numbers = list[Diagnostic](), list[str]()
    for line, row in given:
        try:
            statements.append(reader.statement(row))
        except (Mistake, InvalidStatementError) as error:
            advice = error.advice if isinstance(error, Mistake) else None
            placed = f"{manner.place.format(line)}{error}"
            problem = Diagnostic(placed, file, None if manner.place else line, help=advice)
            if isinstance(error, NoNumber):
                without.append(problem)
                numbers.append(f"{line:,}")
                continue
            diagnostics.append(problem)
            if len(diagnostics) == MAX_ERRORS:
                raise ReadError(*diagnostics, more=True) from None
    if without and not statements and not diagnostics:
        raise ReadError(*without[:MAX_ERRORS], more=len(without) > MAX_ERRORS)
    if diagnostics or mistakes:
        raise ReadError(*diagnostics, *mistakes)
    remarks = [*layout.remarks, *scale.remarks]
    if numbers:
        which = f"row{'s' if len(numbers) > 1 else ''} {listed(numbers)}"
        remarks.append(f"{which} left out: no number is stated")
    if marked:
        remarks.append(f"marks of footnotes behind numbers are left out: {listed(marked)}")
    return Tabled(KB(tuple(statements)), tuple(remarks))


def _words(cells: Sequence[str]) -> list[str]:
    return [" ".join(cell.split()).casefold() for cell in cells if cell]


def _without_marks(layout: Layout, rows: list[Row]) -> tuple[list[Row], list[str]]:
    """The rows without what marks footnotes behind numbers, and the cells that had marks."""
    places = [place for place, column in enumerate(layout.columns) if column in _MEASURED]
    found: list[str] = []
    for index, (line, row) in enumerate(rows):
        marked = [
            place
            for place in places
            if place < len(row) and (cell := row[place].rstrip()) and cell[-1] in _MARKS
        ]
        if marked:
            cells = list(row)
            for place in marked:
                found.append(row[place].strip())
                cells[place] = row[place].rstrip().rstrip(_MARKS)
            rows[index] = line, cells
    return rows, [cell for cell in found if cell.rstrip(_MARKS)]


def _parted(
    header: Sequence[str], layout: Layout, rows: list[Row]
) -> tuple[Sequence[str], Layout, list[Row]]:
    """A table with an interval in each cell of a column as one with a column for each end.

    What is no interval stands in both, where it is told.
    """
    place = layout.place(INTERVAL)
    if place is None:
        return header, layout, rows

    def parted(row: Sequence[str], pair: Sequence[str] | None = None) -> Sequence[str]:
        if len(row) <= place:
            return row
        return [*row[:place], *(pair or ends(row[place]) or [row[place]] * 2), *row[place + 1 :]]

    columns = tuple(parted(layout.columns, BOUNDS))
    both = [(line, parted(row)) for line, row in rows]
    return parted(header), replace(layout, columns=columns), both


class RowReader:
    """Reads the rows of one table: text cells, `""` if there is nothing."""

    def __init__(self, header: Sequence[str], layout: Layout, scale: Scale, manner: Manner) -> None:
        self._header = [name.strip() for name in header]
        self._columns = layout.columns
        self._called = {
            column: name for name, column in zip(self._header, layout.columns, strict=True)
        }
        self._is_interval = layout.place("lower") is not None and (
            self._called["lower"] == self._called["upper"]
        )
        self._scale = scale
        self._manner = manner
        self._names = NameTable()
        self._shapes = ShapeReader(self._names)

    def statement(self, row: Sequence[str]) -> Statement:
        """What a row states; a row that is refused names nothing."""
        before = self._names.mark()
        try:
            cells = self._cells(row)
            return Statement(self._axiom(cells), self._note(cells))
        except (Mistake, InvalidStatementError):
            self._names.back(before)
            raise

    def _cells(self, row: Sequence[str]) -> Mapping[str, str]:
        cells = dict.fromkeys(COLUMNS, "")
        for index, cell in enumerate(map(str.strip, row)):
            column = self._columns[index] if index < len(self._columns) else ""
            if column:
                cells[column] = "" if column in _NUMBERS and cell in MARKERS else cell
            elif cell and (index >= len(self._header) or not self._header[index]):
                raise Mistake(
                    f"the cell {cell!r:.60} stands under no column",
                    advice="put a cell that holds the separator in double quotes",
                )
        return cells

    def _axiom(self, cells: Mapping[str, str]) -> Axiom:
        said = cells["kind"].casefold()
        kind = _SAID.get(said, "share" if not said else None)
        if kind is None:
            raise Mistake(f"expected {', '.join(KINDS)} or nothing, found {said!r:.40}", "kind")
        if kind == "share" and not any(cells[column] for column in _NUMBERS):
            raise self._without_number()  # also where its text is no concept, but a footnote
        head = self._concept("head", cells["head"])
        if kind == "share":
            body = self._concept("body", cells["body"])
            return Conditional(head, body, self._proportion(cells))
        numbers = [column for column in (*SHARES, *BOUNDS, *SAMPLE) if cells[column]]
        if numbers:
            raise Mistake("only a share has numbers", self._called[numbers[0]])
        if kind == "subclass":
            return Inclusion(head, self._concept("body", cells["body"]))
        members = map(str.strip, _MEMBER.findall(cells["body"]) or [""])
        others = [self._concept("body", member) for member in members]
        return Equivalence(head, *others) if kind == "equivalent" else Disjointness(head, *others)

    def _concept(self, column: str, text: str) -> Concept:
        called = self._called[column]
        if not text:
            raise Mistake("the cell is empty", called, "write owl:Thing for everything")
        try:
            return self._shapes.concept(text) or parse_concept(text, self._names)
        except ReadError as error:
            words = plain_words(text)
            if words is None:
                raise _concept_mistake(error.diagnostics[0], called, text) from None
            return parse_concept(words, self._names)

    def _proportion(self, cells: Mapping[str, str]) -> Proportion:
        """The count, else the bounds, else the share: what says most, if the others agree."""
        bounds, sample = (any(cells[column] for column in pair) for pair in (BOUNDS, SAMPLE))
        if bounds and sample and not self._is_interval:
            problem = "the row states both bounds and a count"
            raise Mistake(problem, None, "fill lower and upper, or count and total")
        said = [self._share(column, cells[column]) for column in SHARES if cells[column]]
        if bounds:
            between = Interval(*(self._number(column, cells[column]) for column in BOUNDS))
            for share in said:
                if share.upper < between.lower or between.upper < share.lower:
                    raise self._outside(share)
            said = [between]
        if sample:
            count = Count(*(self._whole(column, cells[column]) for column in SAMPLE))
            for share in said:
                if _far_apart(share, count.bounds):
                    problem = f"{share.text()} is far from {count.text()}, beside it"
                    raise Mistake(problem, None, "--columns count=,total= leaves counts out")
            return count
        if _far_apart(said[0], said[-1]):
            raise Mistake(f"{said[0].text()} is far from {said[-1].text()}, beside it")
        return said[0]

    def _outside(self, share: Interval) -> Mistake:
        problem = f"{share.text()} is not between"
        if self._is_interval:
            advice = "--columns interval= leaves the intervals out"
            return Mistake(f"{problem} the ends of '{self._called['lower']}'", None, advice)
        return Mistake(f"{problem} lower and upper")

    def _share(self, column: str, text: str) -> Interval:
        """What a cell says that may be one number or two."""
        found = [self._number(column, end) for end in ends(text) or (text,)]
        return Interval(found[0], found[-1])

    def _without_number(self) -> NoNumber:
        problem, advice = "the row states neither bounds nor a count", "lower and upper"
        if set(SHARES) & set(self._columns):
            problem, advice = "the row states no number", "a share, or lower and upper"
        return NoNumber(problem, None, f"fill {advice}, or count and total")

    def _number(self, column: str, text: str) -> Fraction:
        called = self._called[column]
        if not text:
            advice = "for a point, write the same number in lower and upper"
            raise Mistake("the cell is empty", called, advice)
        per = self._scale.per.get(column, 1)
        try:
            share = number(text, per=per, decimal_comma=self._manner.decimal_comma)
        except InvalidStatementError as error:
            raise Mistake(str(error), called, _advice(text)) from None
        if share < 0:
            raise Mistake(f"{text!r} is below 0, which no share is", called)
        if share > 1 and (per != 1 or "%" in text or "‰" in text):
            problem = f"{text!r} is above {'100 %' if per in (1, 100) else f'{per:,}'}"
            raise Mistake(f"{problem}: no group has more of itself", called)
        return share

    def _whole(self, column: str, text: str) -> int:
        point = "," if self._manner.decimal_comma else "."
        parted = _THOUSANDS.fullmatch(text)
        if parted and parted[1] != point:  # a count is whole: this stands between thousands
            return int(re.sub(r"\D", "", text))
        match = _WHOLE.fullmatch(text)
        if match is None or (parted and text[-4] == "."):
            problem = f"found {text!r:.40}" if text else "the cell is empty"
            raise Mistake(f"expected a whole number, {problem}", self._called[column])
        return int(match[1])

    def _note(self, cells: Mapping[str, str]) -> Note:
        if not any(cells[column] for column in NOTES):
            return NO_NOTE
        texts = {column: cells[column] for column in NOTES}
        if self._manner.guarded:
            texts = {column: _unguarded(text) for column, text in texts.items()}
        return Note(**texts)


def _advice(text: str) -> str | None:
    """What to do about a cell that is no number, where that can be told."""
    if _DATE.match(text):
        return "spreadsheets make dates of fractions: format the column as text, or write 33.3%"
    return "say how far it may be off: 18–22" if _ABOUT.fullmatch(text) else None


def _far_apart(share: Interval, other: Interval) -> bool:
    return share.upper + _ROUNDING < other.lower or other.upper + _ROUNDING < share.lower


def plain_words(text: str) -> str | None:
    """A concept of names without their quotes, as people write them in tables; if it is one.

    Examples:
        >>> plain_words("Type 2 diabetes and Smoker"), plain_words("Stroke (ischaemic)")
        ("'Type 2 diabetes' and Smoker", "'Stroke (ischaemic)'")
        >>> plain_words("B or C") is None
        True
    """
    if _SYNTAX.search(text) or _BARE.fullmatch(text) or len(text) > LONGEST_NAME:
        return None
    parts = [part.strip() for part in re.split(r"\band\b", text)]
    if not all(parts) or any(set(_WORD.findall(part)) & RESERVED for part in parts):
        return None
    if len(parts) > 1 and any(set(part) & set("()") for part in parts):
        return None
    return " and ".join(
        part if _BARE.fullmatch(part) else quote_name(" ".join(part.split())) for part in parts
    )


def _unguarded(text: str) -> str:
    """Text without the apostrophe that keeps spreadsheets from running it."""
    return text[1:] if _GUARDED.match(text) else text


def _concept_mistake(problem: Diagnostic, column: str, text: str) -> Mistake:
    place = f" (character {problem.column} of {text!r:.80})" if len(text) > 1 else ""
    advice = problem.help
    if advice is not None and "Prefix:" in advice:
        advice = "a table declares no prefixes: write the IRI in full, as <http://example.org/A>"
    return Mistake(problem.message + place, column, advice)
