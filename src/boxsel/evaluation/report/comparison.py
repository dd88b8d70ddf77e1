"""Tables that compare methods or settings: SA, SE and AG against both truths, by ontology."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from boxsel.evaluation.report.aggregate import Line, Summary
from boxsel.evaluation.report.items import about_items, differing, item_cells, item_columns
from boxsel.evaluation.report.judging import (
    WORDS,
    basis,
    beside,
    best_of,
    compared,
    judged_column,
    truths_of,
)
from boxsel.evaluation.report.names import TRUTHS, method_label
from boxsel.evaluation.report.table import Column, Table, Value

GUESSED: Final = "mean width of the predicted intervals"


@dataclass(frozen=True)
class Extra:
    """One more column, and what stands in it for a line."""

    column: Column
    value: Callable[[Line], Value]


def comparison(
    summary: Summary,
    key: str,
    title: str,
    lines: Sequence[Line],
    extras: Sequence[Extra] = (),
    notes: tuple[str, ...] = (),
    varied: str = "method",
) -> Table:
    """A table with a row for each line, under their ontologies; `varied` is what rows differ in."""
    truths = truths_of(summary, lines)
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(_group(line, lines), []).append(line)
    uneven = [name for name, members in groups.items() if differing(summary, members)]
    columns = [
        Column("ontology", "ontology"),
        Column("method", varied),
        Column("runs", "runs", help="how many runs there were, one for each seed"),
        Column("failed", "failed", "count", shown=False),
        Column("setting", "setting", shown=False),
        Column("variant", "variant", shown=False),
        *(judged_column(truth, measure, truth in truths) for truth in TRUTHS for measure in WORDS),
        Column("predicted_width", "width", "number", GUESSED, "predicted", spread=True),
        *(extra.column for extra in extras),
        *item_columns(summary, lines, bool(uneven)),
    ]
    rows: list[tuple[Value, ...]] = []
    for name, members in groups.items():
        # What was asked other things cannot be ranked.
        best = {} if name in uneven else best_of(summary, members)
        for line in members:
            runs = summary.runs(line)
            rows.append(
                (
                    name,
                    _label(line, lines),
                    runs,
                    len(runs.failures),
                    line.setting,
                    line.variant,
                    *(
                        compared(summary, line, truth, measure, best)
                        for truth in TRUTHS
                        for measure in WORDS
                    ),
                    summary.quality(line, "exact", "guessed")
                    or summary.quality(line, "pmp", "guessed"),
                    *(extra.value(line) for extra in extras),
                    *item_cells(summary, line),
                )
            )
    return Table(
        key,
        title,
        tuple(columns),
        tuple(rows),
        basis(summary, lines, truths),
        (*notes, *_marks(len(uneven) < len(groups), any(map(beside, lines)))),
        True,
        {name: about_items(summary, members) for name, members in groups.items()},
    )


def _group(line: Line, lines: Sequence[Line]) -> str:
    """What a line stands under: its ontology, and the variant if there are several."""
    several = len({other.variant for other in lines}) > 1
    return f"{line.ontology} · {line.variant}" if several else line.ontology


def _label(line: Line, lines: Sequence[Line]) -> str:
    """What a row is called: its setting or its method, or both where methods share settings."""
    if not line.setting:
        return method_label(line.method)
    alike = [other for other in lines if replace(other, method=line.method) == line]
    return f"{method_label(line.method)}: {line.setting}" if len(alike) > 1 else line.setting


def _marks(ranked: bool, published: bool) -> Iterator[str]:
    if ranked:
        yield "Bold: the best of its group."
    if published:
        yield "Small print: the paper's number; ✓ where ours is better."
