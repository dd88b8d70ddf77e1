"""The report as one page that needs nothing else: styles and drawings are in it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib.resources import files
from itertools import groupby

from boxsel.evaluation.report.markdown import BETTER, named
from boxsel.evaluation.report.section import Block, Points, Report, Section, Terms
from boxsel.evaluation.report.table import Column, Table, Value, shown
from boxsel.pictures.chart import Chart
from boxsel.pictures.svg import inline_svg


def page(report: Report, drawings: Mapping[str, str]) -> str:
    """The whole page; `drawings` are the charts as SVG by their keys."""
    style = files("boxsel.evaluation.report").joinpath("style.css").read_text("utf-8")
    links = "".join(
        f'<li><a href="#{escape(one.key)}">{escape(one.title)}</a></li>\n'
        for one in report.sections
    )
    warning = f'<p class="warning">{escape(report.warning)}</p>\n' if report.warning else ""
    sections = "".join(_section(one, drawings) for one in report.sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        '<meta name="color-scheme" content="light dark"/>\n'
        f"<title>{escape(report.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(report.title)}</h1>\n<p>{escape(report.subtitle)}</p>\n{warning}"
        f'</header>\n<nav aria-label="Sections"><ul>\n{links}</ul></nav>\n'
        f"<main>\n{sections}</main>\n</body>\n</html>\n"
    )


def html_table(table: Table) -> str:
    """A table with its title, its basis and its notes."""
    notes = "".join(f"<li>{escape(note)}</li>" for note in table.notes)
    return (
        f'<figure class="table" id="table-{escape(table.key)}">'
        f"<figcaption><b>{escape(table.title)}</b> {escape(table.basis)}</figcaption>\n"
        f'<div class="scroll" tabindex="0"><table>\n{_head(table)}{_bodies(table)}</table></div>\n'
        + (f"<ul class='notes'>{notes}</ul>\n" if notes else "")
        + f'<p class="file">tables/{escape(table.key)}.csv</p></figure>\n'
    )


def _section(section: Section, drawings: Mapping[str, str]) -> str:
    blocks = "".join(_block(block, drawings) for block in section.blocks)
    key, title = escape(section.key), escape(section.title)
    return f'<section id="{key}">\n<h2>{title}</h2>\n{blocks}</section>\n'


def _block(block: Block, drawings: Mapping[str, str]) -> str:
    match block:
        case str():
            return f"<p>{escape(block)}</p>\n"
        case Points():
            items = "".join(f"<li>{escape(item)}</li>\n" for item in block.items)
            return f"<ul>\n{items}</ul>\n"
        case Terms():
            items = "".join(
                f"<dt>{escape(word)}</dt><dd>{escape(text)}</dd>\n" for word, text in block.items
            )
            return f"<dl>\n{items}</dl>\n"
        case Table() if block.long:
            where = f'<span class="file">tables/{escape(block.key)}.csv</span>'
            return f"<p>{escape(named(block))} {where}</p>\n"
        case Table():
            return html_table(block)
        case Chart():
            drawing = inline_svg(drawings[block.key], block.key, block.title)
            return (
                f'<figure class="chart" id="figure-{escape(block.key)}">'
                f'<div class="scroll" tabindex="0">{drawing}</div>\n'
                f"<figcaption><b>{escape(block.title)}.</b> {escape(block.caption)}</figcaption>"
                f'<p class="file">figures/{escape(block.key)}.svg, .png</p></figure>\n'
            )


def _head(table: Table) -> str:
    columns = _columns(table)
    lines = []
    if any(column.group for column in columns):
        cells = []
        for group, members in groupby(columns, key=lambda column: column.group):
            span = len(list(members))
            kind = ' class="group"' if group else ""
            cells.append(f'<th colspan="{span}"{kind}>{escape(group)}</th>')
        lines.append(f"<tr>{''.join(cells)}</tr>\n")
    lines.append(f"<tr>{''.join(map(_title, columns))}</tr>\n")
    return f"<thead>\n{''.join(lines)}</thead>\n"


def _title(column: Column) -> str:
    title = escape(column.title)
    if column.help:
        title = f'<abbr title="{escape(column.help, quote=True)}">{title}</abbr>'
    return f'<th scope="col" class="{_kind(column)}">{title}</th>'


def _columns(table: Table) -> list[Column]:
    """The columns that the rows have: the group stands above them."""
    places = table.visible[1:] if table.grouped else table.visible
    return [table.columns[place] for place in places]


def _bodies(table: Table) -> str:
    if not table.grouped:
        return f"<tbody>\n{''.join(_row(table, row) for row in table.rows)}</tbody>\n"
    parts = []
    width = len(_columns(table))
    for group, rows in groupby(table.rows, key=lambda row: str(row[0])):
        about = table.about_groups.get(group, "")
        told = f"<span>{escape(about)}</span>" if about else ""
        parts.append(
            f'<tbody>\n<tr class="group"><th colspan="{width}" scope="rowgroup">'
            f"<div>{escape(group)}{told}</div></th></tr>\n"
            f"{''.join(_row(table, row) for row in rows)}</tbody>\n"
        )
    return "".join(parts)


def _row(table: Table, row: tuple[Value, ...]) -> str:
    places = table.visible[1:] if table.grouped else table.visible
    first, *others = (_cell(row[place], table.columns[place]) for place in places)
    first = first.replace("<td", '<th scope="row"', 1).removesuffix("</td>") + "</th>"
    return f"<tr>{first}{''.join(others)}</tr>\n"


def _cell(value: Value, column: Column) -> str:
    found = shown(value, column)
    marks = " best" if found.best else ""
    if found.failed:
        marks += " failed"
    cut = column.kind == "digest" and isinstance(value, str)
    hint = f' title="{escape(str(value), quote=True)}"' if cut else ""
    text = f"<span>{escape(found.text)}</span>"
    if found.deviation:
        text += f" <small>± {escape(found.deviation)}</small>"
    if found.published:
        mark = f' <b title="better than the paper">{BETTER}</b>' if found.better else ""
        text += f"<i>paper {escape(found.published)}{mark}</i>"
    return f'<td class="{_kind(column)}{marks}"{hint}>{text}</td>'


def _kind(column: Column) -> str:
    if column.key == "runs":
        return "text runs"
    return column.kind if column.kind in ("text", "digest") else "number"
