"""Values and tables in words, as CSV and as Markdown."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from boxsel.evaluation.report.aggregate import Runs, Spread
from boxsel.evaluation.report.parts import (
    Block,
    Column,
    Compared,
    Kind,
    Points,
    Report,
    Table,
    Terms,
    Value,
)
from boxsel.pictures.chart import Chart

NOTHING: Final = "–"
"""What is shown where there is no number."""

BETTER: Final = "✓"
JOINED: Final = "\N{NO-BREAK SPACE}"
DIGITS: Final = 3
DIGEST: Final = 12
_SPECIAL: Final = re.compile(r"([\\`*_<>|\[\]#&])")


@dataclass(frozen=True, slots=True)
class Shown:
    """A value in words."""

    text: str
    deviation: str = ""
    published: str = ""
    better: bool | None = None
    best: bool = False
    failed: bool = False


def shown(value: Value, column: Column) -> Shown:
    r"""A value as a reader sees it.

    Examples:
        >>> found = shown(Spread(0.8931, 0.0042, 5), Column("sa", "SA", "share"))
        >>> found.text, found.deviation
        ('89.3\xa0%', '0.4')
        >>> shown(float("nan"), Column("ag", "AG", "number")).text
        '–'
    """
    kind = column.kind
    match value:
        case Compared(ours, published, better, best):
            other = "" if published is None else _published(published, kind)
            return replace(shown(ours, column), published=other, better=better, best=best)
        case Spread():
            return _spread(value, kind)
        case Runs():
            return Shown(value.text, failed=bool(value.failures))
        case None:
            return Shown(NOTHING)
        case str():
            cut = kind == "digest" and len(value) > DIGEST
            return Shown(f"{value[:DIGEST]}…" if cut else value)
        case _:
            return Shown(number(value, kind))


def number(value: float, kind: Kind) -> str:
    r"""A number as its kind is shown; a small one does not look like zero.

    Examples:
        >>> [number(0.00001, kind) for kind in ("number", "amount")]
        ['<\xa00.001', '1e-05']
    """
    if math.isnan(value):
        return NOTHING
    if kind == "share":
        return f"{_fixed(100 * value, 1)}{JOINED}%"
    if kind == "number":
        return _fixed(value, DIGITS)
    if kind == "amount":
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}".removesuffix(".0")


def plain(value: Value, kind: Kind) -> str:
    """A value in one line of text, for sentences."""
    found = shown(value, Column("", "", kind))
    return JOINED.join((found.text, "±", found.deviation)) if found.deviation else found.text


def _spread(value: Spread, kind: Kind) -> Shown:
    mean, deviation = value.mean, value.deviation
    # A count that is the same for all seeds is no mean to its reader.
    if kind == "count" and deviation:
        return Shown(f"{mean:,.1f}", f"{deviation:,.1f}")
    if deviation is None or kind == "count":
        return Shown(number(mean, kind))
    if kind == "share":
        return Shown(number(mean, kind), f"{100 * deviation:.1f}")
    off = f"{deviation:.{DIGITS}f}" if kind == "number" else f"{deviation:.2g}"
    return Shown(number(mean, kind), off)


def _published(value: float, kind: Kind) -> str:
    """A number of the paper: amounts as they were printed."""
    return f"{value:g}" if kind == "amount" else number(value, kind)


def _fixed(value: float, digits: int) -> str:
    # Adding 0 makes a negative zero, the trace of a rounding error, positive.
    text = f"{round(value, digits) + 0.0:.{digits}f}"
    if 0 < value and float(text) == 0:
        return f"<{JOINED}{10**-digits:.{digits}f}"
    return text


def csv_text(table: Table) -> str:
    """A table as CSV with a header, every number in full.

    A column of means over seeds has two more, `_std` and `_seeds`; one beside the paper's numbers
    also `_published` and `_better`. What is not known is empty.

    Examples:
        >>> column = Column("gap", "AG", "number", spread=True)
        >>> print(csv_text(Table("t", "T", (column,), ((Spread(0.1, None, 1),),), "one seed")))
        gap,gap_std,gap_seeds
        0.1,,1
        <BLANKLINE>
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([f"{one.key}{end}" for one in table.columns for end in ("", *_further(one))])
    for row in table.rows:
        pairs = zip(row, table.columns, strict=True)
        writer.writerow([_exact(one) for pair in pairs for one in _numbers(*pair)])
    return stream.getvalue()


def _further(column: Column) -> Iterator[str]:
    if column.spread:
        yield from ("_std", "_seeds")
    if column.compared:
        yield from ("_published", "_better")


def _numbers(value: Value, column: Column) -> Iterator[Value]:
    """What stands in the columns of a CSV file for a value."""
    given = value if isinstance(value, Compared) else Compared(None)
    ours = given.ours if isinstance(value, Compared) else value
    assert ours is None or isinstance(ours, Spread) == column.spread, column.key
    if isinstance(ours, Spread):
        yield from (ours.mean, ours.deviation, ours.seeds)
    else:
        yield from (ours, None, None) if column.spread else (ours,)
    if column.compared:
        yield given.published
        yield None if given.better is None else str(given.better).lower()


def _exact(value: Value) -> str:
    if isinstance(value, Runs):
        return value.text
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value if isinstance(value, str) else repr(value)


def markdown(report: Report) -> str:
    """The whole report as Markdown; tables and figures are linked to their files."""
    lines = [f"# {escaped(report.title)}", "", escaped(report.subtitle), ""]
    if report.warning:
        lines += [f"> **{escaped(report.warning)}**", ""]
    for section in report.sections:
        lines += [f"## {escaped(section.title)}", ""]
        for block in section.blocks:
            lines += [*_block(block), ""]
    return "\n".join(lines).rstrip() + "\n"


def escaped(text: str) -> str:
    r"""Text that means nothing but itself, in one line of Markdown.

    Examples:
        >>> escaped("a|b *c*")
        'a\\|b \\*c\\*'
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def named(table: Table) -> str:
    """A long table in a sentence."""
    return f"{table.title}, {len(table.rows):,} rows, in a file. {table.basis}"


def _block(block: Block) -> Iterator[str]:
    match block:
        case str():
            yield escaped(block)
        case Points():
            yield from (f"- {escaped(item)}" for item in block.items)
        case Terms():
            yield from (f"- **{escaped(word)}**: {escaped(text)}" for word, text in block.items)
        case Table() if block.long:
            yield f"{escaped(named(block))} [CSV](tables/{block.key}.csv)"
        case Table():
            yield markdown_table(block)
        case Chart():
            title, file = escaped(block.title), f"figures/{block.key}"
            yield f"![{title}]({file}.svg)\n"
            yield f"*{title}.* {escaped(block.caption)} ([PNG]({file}.png))"


def markdown_table(table: Table) -> str:
    """A table with its title, its basis and its notes."""
    columns = [table.columns[place] for place in table.visible]
    lines = [f"**{escaped(table.title)}** ([CSV](tables/{table.key}.csv))", ""]
    lines.append(_row(map(_title, columns)))
    lines.append(_row("---" if column.kind in ("text", "digest") else "--:" for column in columns))
    for row in table.rows:
        values = (row[place] for place in table.visible)
        lines.append(_row(map(_cell, map(shown, values, columns))))
    lines += ["", escaped(table.basis)]
    notes = [f"{name}: {text}" for name, text in table.about_groups.items()] + [*table.notes]
    lines += ["", *(f"- {escaped(note)}" for note in notes)] if notes else []
    return "\n".join(lines)


def _title(column: Column) -> str:
    title = escaped(column.title)
    return f"{escaped(column.group)}: {title}" if column.group else title


def _cell(found: Shown) -> str:
    text = escaped(found.text)
    if found.deviation:
        text += f" ± {escaped(found.deviation)}"
    if found.best:
        text = f"**{text}**"
    if found.published:
        mark = f" {BETTER}" if found.better else ""
        text += f" (paper {escaped(found.published)}){mark}"
    return text


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
