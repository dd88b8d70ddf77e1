"""The Simpson view: does a comparison of two groups turn round when it is made by stratum?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import Any, Final

from nicegui import ui

from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.serve.page.comparisons import (
    DataTable,
    columns,
    interval,
    labelled,
    no_verdict,
    plain,
    rates_by_row,
    rates_picture,
    searched,
    shown_names,
    table_verdict,
    title,
    verdicts,
)
from boxsel.serve.page.controls import Working, menu, primary, quiet
from boxsel.serve.page.elements.file_field import File, FileField
from boxsel.serve.page.markup import Labels, explained, term
from boxsel.serve.page.session import Session
from boxsel.serve.page.state import TABLES, Comparison
from boxsel.serve.page.words import complaint, without_commands

OPTIONS: Final = 500
"""So many names are offered; others can be typed."""
BUDGET: Final = 10.0
GROUPS: Final = 2
INDIVIDUALS: Final = ""
"""In place of a column of counts: no column has this name."""


class SimpsonView:
    """Compares groups in the knowledge base of the editor, or in a table."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._comparing = session.newest(replacing=True)
        self._table: DataTable | None = None
        self._columns: dict[str, list[str]] = {}
        self._names: dict[str, str] = {}  # by what they are shown as
        self._filling = False
        with ui.element("div").classes("view") as self.element:
            ui.label("Do two groups compare differently in total and within each stratum?").classes(
                "hint"
            )
            with ui.element("div").classes("source-row"):
                self._source = ui.label("In the statements at hand").classes("source-name")
                self._back = quiet("Use the statements", self._leave_table)
                files = FileField(session.pool.limits.request_bytes, self._take)
                with quiet("Use a table"):
                    tables = ((name, "", partial(self._example, name)) for name in TABLES)
                    menu([("Open a file …", "", files.pick), *tables])
                self._counts = ui.select({INDIVIDUALS: "no column"}, label="Counts in")
                self._counts.props("outlined dense").classes("choice counts-choice")
            with ui.element("div").classes("choices"):
                self._outcome = _select("Outcome", multiple=False)
                self._groups = _select("Two groups", multiple=True)
                self._strata = _select("Strata", multiple=True)
                self._button = primary("Compare groups", self.compare)
            self._advice = ui.label(
                "Choose an outcome, two groups and at least one stratum to compare them."
            ).classes("hint")
            self._working = Working(self._comparing.cancel)
            self._result = ui.element("section").classes("rates").props('aria-label="Comparison"')
        self._back.set_visibility(False)
        self._counts.set_visibility(False)
        self._counts.on_value_change(self._counts_chosen)
        session.on_text.append(self._text_changed)
        for field in (self._outcome, self._groups, self._strata):
            field.on_value_change(self._chosen)

    def load(self) -> None:
        """Forget the comparison before; that of the state comes when the text was read."""
        self._use_statements()

    def compare(self) -> None:
        """Compare, and show what comes out."""
        self._comparing.submit(self._compare)

    @property
    def _comparison(self) -> Comparison:
        """What is chosen, by names; whoever types one need not know its label."""
        names = self._names
        return Comparison(
            names.get(self._outcome.value or "", self._outcome.value or ""),
            tuple(names.get(one, one) for one in self._groups.value),
            tuple(names.get(one, one) for one in self._strata.value),
        )

    def _chosen(self) -> None:
        self._show_advice()
        if self._table is None and not self._filling:
            self._session.change(comparison=self._comparison)

    def _show_advice(self) -> None:
        """In a table all that is not chosen is searched; in statements it has to be chosen."""
        chosen = self._comparison
        ready = bool(chosen.outcome and len(chosen.groups) == GROUPS and chosen.strata)
        ready = self._table is not None or (ready and self._session.readable)
        self._button.set_enabled(ready)
        self._advice.set_visibility(not ready)

    def _counts_chosen(self) -> None:
        """Look at the table in another way: what was chosen before may not be there any more."""
        if self._table is not None and not self._filling:
            self._columns = {}
            self._fill([], [], Comparison())
            self.compare()

    def _text_changed(self) -> None:
        if self._table is None and self._session.readable:
            self._offer_names()
        self._show_advice()

    def _offer_names(self) -> None:
        self._names = shown_names(self._session.concepts[:OPTIONS])
        shown = {name: one for one, name in self._names.items()}
        chosen = self._session.state.comparison
        known = Comparison(
            shown.get(chosen.outcome, ""),
            tuple(shown[group] for group in chosen.groups if group in shown),
            tuple(shown[stratum] for stratum in chosen.strata if stratum in shown),
        )
        self._fill([*self._names], [*self._names], known)

    def _take(self, files: Sequence[File]) -> None:
        try:
            self.use_table(DataTable.of(*files[0]))
        except BoxselError as error:
            ui.notify(complaint(error).said, type="negative", close_button="Close")

    def _example(self, name: str) -> None:
        self.use_table(DataTable.of(name, examples.path(name).read_bytes()))

    def use_table(self, table: DataTable) -> None:
        """Compare in a table, and look for reversals in it."""
        self._table = table
        self._columns, self._names = {}, {}
        self._source.text = f"In the table {table.name}"
        self._back.set_visibility(True)
        self._fill([], [], Comparison())
        self._fill_counts([], None)
        self.compare()

    def _leave_table(self) -> None:
        self._use_statements()
        self._offer_names()

    def _use_statements(self) -> None:
        self._comparing.cancel()
        self._working.stop()
        self._table = None
        self._source.text = "In the statements at hand"
        self._back.set_visibility(False)
        self._counts.set_visibility(False)
        self._result.clear()

    def _fill(self, names: Sequence[str], strata: Sequence[str], chosen: Comparison) -> None:
        """Offer names, and choose some; that is nothing that a user chose."""
        self._filling = True
        _fill(self._outcome, names, chosen.outcome or None)
        _fill(self._groups, names, list(chosen.groups))
        _fill(self._strata, strata, list(chosen.strata))
        self._filling = False
        self._show_advice()

    def _fill_counts(self, columns: Sequence[str], chosen: str | None) -> None:
        """Offer columns that may hold counts; without any the worker finds out which does."""
        self._filling = True
        offered = {
            INDIVIDUALS: "no column: a row is one individual",
            **{column: column for column in columns},
        }
        self._counts.set_options(offered, value=chosen)
        self._counts.set_visibility(bool(columns))
        self._filling = False

    async def _compare(self) -> None:
        self._result.clear()
        try:
            with self._working.on("Comparing"):
                content = await self._found()
        except BoxselError as error:
            with self._result:
                ui.label(complaint(error).said).classes("problem")
            return
        with self._result:
            if self._table is None:
                show_kb(content, self._session.labels)
            else:
                show_table(content)

    async def _found(self) -> dict[str, Any]:
        """What is chosen, compared; in a table whatever is not chosen is searched."""
        chosen, table, run = self._comparison, self._table, self._session.run
        asked: dict[str, Any] = {
            "outcome": chosen.outcome or None,
            "groups": list(chosen.groups) or None,
            "strata": list(chosen.strata) or None,
            "budget": BUDGET,
        }
        told = self._working.told
        if table is None:
            return await run("simpson", told=told, **asked)
        data: dict[str, Any] = {"kb": "", "table": table.text, "format": table.format}
        if (counts := self._counts.value) is not None:
            data |= {"count": counts or None, "individuals": counts == INDIVIDUALS}
        if not self._columns:
            read = await run("table_values", told=told, **data)
            self._columns = read["columns"]
            self._fill_counts(read["named"], read["count"] or INDIVIDUALS)
            values = [f"{one}={value}" for one in self._columns for value in self._columns[one]]
            self._fill(values, [*self._columns, *values], chosen)
        return await run("simpson_table", told=told, **data, **asked)


def _select(label: str, *, multiple: bool) -> ui.select:
    field = ui.select(
        [],
        label=label,
        multiple=multiple,
        value=[] if multiple else None,
        with_input=True,
        new_value_mode="add-unique",
        clearable=not multiple,
    )
    return field.props("outlined dense" + (" use-chips" if multiple else "")).classes("choice")


def _fill(field: ui.select, options: Sequence[str], value: str | list[str] | None) -> None:
    """Offer options, and choose some; what is chosen is offered, too."""
    chosen = value if isinstance(value, list) else [value] if value else []
    field.set_options([*dict.fromkeys((*options, *chosen))], value=value)


MOST_COMPARISONS: Final = 20
"""So many comparisons of a table are shown."""


def show_table(found: Mapping[str, Any]) -> None:
    """What was found in a table: rates and verdicts."""
    if found["searched"]:
        ui.label(f"Looked at {searched(found)}").classes("message-text")
    for comparison in found["comparisons"][:MOST_COMPARISONS]:
        with ui.element("article").classes("comparison"):
            ui.label(title(comparison)).classes("section-title")
            _show_rates(comparison)
            ui.label(table_verdict(comparison)).classes("verdict")
    _remarks(found["remarks"])


def show_kb(found: Mapping[str, Any], labels: Labels) -> None:
    """What was found in a knowledge base: rates, and verdicts about all models."""
    if found["comparison"] is not None:
        comparison = labelled(found["comparison"], labels)
        ui.label(title(comparison)).classes("section-title")
        _show_rates(comparison)
    if said := no_verdict(found):
        ui.label(labels.plain(said)).classes("problem")
    for name, answer, sentence in verdicts(found):
        kind = {"entailed": "if", "possible": "plain", "excluded": "good"}.get(answer, "plain")
        ui.html(
            f"<strong>{name}</strong> {term(answer, f'chip chip-{kind}')}"
            f"<div>{explained(sentence)}</div>",
            sanitize=False,
        ).classes("verdict")
    _remarks(found["remarks"])


def _show_rates(comparison: Mapping[str, Any]) -> None:
    first, second = (escape(plain(group)) for group in comparison["groups"])
    ui.html(
        f'<span><span class="swatch group-first"></span>{first}</span>'
        f'<span><span class="swatch group-second"></span>{second}</span>',
        sanitize=False,
    ).classes("groups-legend")
    ui.html(rates_picture(comparison), sanitize=False).classes("answer-picture")
    cells = [
        [
            label,
            *map(interval, rates),
            *("" if share is None else interval(share) for share in mixture),
        ]
        for label, rates, mixture in rates_by_row(comparison)
    ]
    ui.html(_table(columns(comparison), cells), sanitize=False).classes("table-scroll").props(
        'tabindex=0 role=region aria-label="Rates"'
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "<td></td>" + "".join(f'<th scope="col">{_broken(cell)}</th>' for cell in heads)
    body = "".join(
        f'<tr><th scope="row">{_broken(row[0])}</th>'
        + "".join(f"<td>{_counted(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f'<table class="numbers"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _counted(rate: str) -> str:
    """A rate as HTML whose counts stay together."""
    return escape(rate).replace(" (", ' <span class="counts">(').replace(")", ")</span>")


def _broken(name: str) -> str:
    """A name as HTML that may go on in another line where its value begins."""
    return escape(name).replace("=", "=<wbr>")


def _remarks(remarks: Sequence[str]) -> None:
    for remark in remarks:
        ui.label(f"Note: {without_commands(remark)}.").classes("hint")
