"""The report as one page that needs nothing else: styles and drawings are in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from itertools import groupby

from boxsel.evaluation.report.parts import Block, Column, Points, Report, Table, Terms, Value
from boxsel.evaluation.report.spelling import BETTER, named, shown
from boxsel.pictures.chart import Chart, inline_svg


def page(report: Report, drawings: Mapping[str, str]) -> str:
    """The whole page; `drawings` are the charts as SVG by their keys."""
    style = files("boxsel.evaluation.report").joinpath("style.css").read_text("utf-8")
    warning = f'<p class="warning">{escape(report.warning)}</p>\n' if report.warning else ""
    links, sections = "", ""
    for section in report.sections:
        key, title = escape(section.key), escape(section.title)
        blocks = "".join(_block(block, drawings) for block in section.blocks)
        links += f'<li><a href="#{key}">{title}</a></li>\n'
        sections += f'<section id="{key}">\n<h2>{title}</h2>\n{blocks}</section>\n'
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


def _places(table: Table) -> tuple[int, ...]:
    """The places of the columns that the rows have: the group stands above them."""
    return table.visible[1:] if table.grouped else table.visible


def _head(table: Table) -> str:
    columns = [table.columns[place] for place in _places(table)]
    groups = ""
    if any(column.group for column in columns):
        for group, members in groupby(columns, key=lambda column: column.group):
            kind = ' class="group"' if group else ""
            groups += f'<th colspan="{len(list(members))}"{kind}>{escape(group)}</th>'
        groups = f"<tr>{groups}</tr>\n"
    return f"<thead>\n{groups}<tr>{''.join(map(_title, columns))}</tr>\n</thead>\n"


def _title(column: Column) -> str:
    title = escape(column.title)
    if column.help:
        title = f'<abbr title="{escape(column.help)}">{title}</abbr>'
    return f'<th scope="col" class="{_kind(column)}">{title}</th>'


def _bodies(table: Table) -> str:
    if not table.grouped:
        return _body(table, table.rows)
    bodies = ""
    for group, rows in groupby(table.rows, key=lambda row: str(row[0])):
        about = table.about_groups.get(group, "")
        told = f"<span>{escape(about)}</span>" if about else ""
        bodies += _body(
            table,
            rows,
            f'<tr class="group"><th colspan="{len(_places(table))}" scope="rowgroup">'
            f"<div>{escape(group)}{told}</div></th></tr>\n",
        )
    return bodies


def _body(table: Table, rows: Iterable[tuple[Value, ...]], head: str = "") -> str:
    text = ""
    for row in rows:
        first, *others = (_cell(row[place], table.columns[place]) for place in _places(table))
        first = first.replace("<td", '<th scope="row"', 1).removesuffix("</td>") + "</th>"
        text += f"<tr>{first}{''.join(others)}</tr>\n"
    return f"<tbody>\n{head}{text}</tbody>\n"


def _cell(value: Value, column: Column) -> str:
    found = shown(value, column)
    marks = f"{' best' if found.best else ''}{' failed' if found.failed else ''}"
    cut = column.kind == "digest" and isinstance(value, str)
    hint = f' title="{escape(str(value))}"' if cut else ""
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
