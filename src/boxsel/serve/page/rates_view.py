"""What a comparison came to: a picture of the rates, their numbers, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from nicegui import ui

from boxsel.serve.page.comparisons import (
    columns,
    interval,
    no_verdict,
    plain,
    rates_by_row,
    rates_picture,
    searched,
    table_verdict,
    title,
    verdicts,
)

MOST: Final = 20
"""So many comparisons of a table are shown."""


def show_table(found: Mapping[str, Any]) -> None:
    """What was found in a table: rates and verdicts."""
    if found["searched"]:
        ui.label(f"Looked at {searched(found)}").classes("message-text")
    for comparison in found["comparisons"][:MOST]:
        with ui.element("article").classes("comparison"):
            ui.label(title(comparison)).classes("section-title")
            _show_rates(comparison)
            ui.label(table_verdict(comparison)).classes("verdict")
    _remarks(found["remarks"])


def show_kb(found: Mapping[str, Any]) -> None:
    """What was found in a knowledge base: rates, and verdicts about all models."""
    if found["comparison"] is not None:
        ui.label(title(found["comparison"])).classes("section-title")
        _show_rates(found["comparison"])
    if said := no_verdict(found):
        ui.label(said).classes("problem")
    for name, answer, sentence in verdicts(found):
        kind = {"entailed": "if", "possible": "plain", "excluded": "good"}.get(answer, "plain")
        ui.html(
            f'<strong>{name}</strong> <span class="chip chip-{kind}">{answer}</span>'
            f"<div>{escape(sentence)}</div>",
            sanitize=False,
        ).classes("verdict")
    _remarks(found["remarks"])


def _show_rates(comparison: Mapping[str, Any]) -> None:
    first, second = (escape(plain(one)) for one in comparison["groups"])
    ui.html(
        f'<span><span class="swatch group-first"></span>{first}</span>'
        f'<span><span class="swatch group-second"></span>{second}</span>',
        sanitize=False,
    ).classes("groups-legend")
    ui.html(rates_picture(comparison), sanitize=False).classes("answer-picture")
    cells = [
        [label, *map(interval, rates), *("" if one is None else interval(one) for one in mixture)]
        for label, rates, mixture in rates_by_row(comparison)
    ]
    ui.html(_table(columns(comparison), cells), sanitize=False).classes("table-scroll")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "<td></td>" + "".join(f'<th scope="col">{escape(one)}</th>' for one in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(one)}</td>" for one in row[1:])
        + "</tr>"
        for row in rows
    )
    return f'<table class="numbers"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _remarks(remarks: Sequence[str]) -> None:
    for remark in remarks:
        ui.label(f"Note: {remark}.").classes("hint")
