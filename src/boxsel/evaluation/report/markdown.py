"""The report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from boxsel.evaluation.report.section import Block, Points, Report, Terms
from boxsel.evaluation.report.table import Column, Shown, Table, shown
from boxsel.pictures.chart import Chart

BETTER: Final = "✓"
_SPECIAL: Final = re.compile(r"([\\`*_<>|\[\]#&])")


def markdown(report: Report) -> str:
    """The whole report; tables and figures are linked to their files."""
    lines = [f"# {escaped(report.title)}", "", escaped(report.subtitle), ""]
    if report.warning:
        lines += [f"> **{escaped(report.warning)}**", ""]
    for section in report.sections:
        lines += [f"## {escaped(section.title)}", ""]
        for block in section.blocks:
            lines += [*_block(block), ""]
    return "\n".join(lines).rstrip() + "\n"


def escaped(text: str) -> str:
    r"""Text that means nothing but itself, in one line.

    Examples:
        >>> escaped("a|b *c*")
        'a\\|b \\*c\\*'
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def markdown_table(table: Table) -> str:
    """A table with its title, its basis and its notes."""
    return "\n".join(_table(table))


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
            yield from _table(block)
        case Chart():
            yield f"![{escaped(block.title)}](figures/{block.key}.svg)"
            yield ""
            yield (
                f"*{escaped(block.title)}.* {escaped(block.caption)}"
                f" ([PNG](figures/{block.key}.png))"
            )


def _table(table: Table) -> Iterator[str]:
    columns = [table.columns[place] for place in table.visible]
    yield f"**{escaped(table.title)}** ([CSV](tables/{table.key}.csv))"
    yield ""
    yield _row(_title(column) for column in columns)
    yield _row("---" if column.kind in ("text", "digest") else "--:" for column in columns)
    for row in table.rows:
        yield _row(_cell(shown(row[place], table.columns[place])) for place in table.visible)
    yield ""
    yield escaped(table.basis)
    notes = [f"{name}: {text}" for name, text in table.about_groups.items()]
    if notes or table.notes:
        yield ""
    yield from (f"- {escaped(note)}" for note in (*notes, *table.notes))


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


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"
