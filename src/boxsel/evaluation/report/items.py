"""How many true intervals there are behind a row, how wide, and how many of them are proved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from boxsel.evaluation.records import INFORMATIVE, Quality, Truth
from boxsel.evaluation.report.aggregate import Line, Summary, spread
from boxsel.evaluation.report.names import TRUTHS
from boxsel.evaluation.report.table import Column, Value, plain

THINGS: Final[dict[Truth, tuple[str, str]]] = {
    "pmp": ("pairs", "pairs of premises"),
    "exact": ("queries", "queries"),
}


def differing(summary: Summary, lines: Sequence[Line]) -> bool:
    """Whether some lines are about other items than others: then their numbers are not alike."""
    counts = {
        tuple(one.items for truth in TRUTHS for one in summary.items(line, truth))
        for line in lines
        if any(summary.items(line, truth) for truth in TRUTHS)
    }
    return len(counts) > 1


def about_items(summary: Summary, lines: Sequence[Line]) -> str:
    """The true intervals that lines are compared with, if they are the same for all."""
    if differing(summary, lines):
        return "rows differ in what they were asked: see their numbers of items"
    parts = []
    for truth, (_, things) in THINGS.items():
        line = next((one for one in lines if summary.items(one, truth)), None)
        if line is None:
            continue
        records = summary.items(line, truth)
        width = plain(summary.quality(line, truth, "width"), "number")
        text = f"{_range(one.items for one in records)} {things}, {TRUTHS[truth]} width {width}"
        total = sum(one.items for one in records)
        if truth == "exact" and total:
            share = sum(one.proved for one in records) / total
            text += f", {plain(share, 'share')} proved exact"
        informative = sum(one.items for one in summary.items(line, truth, INFORMATIVE))
        if total and summary.items(line, truth, INFORMATIVE):
            text += f", {plain(informative / total, 'share')} not [0, 1]"
        parts.append(text)
    return "; ".join(parts)


def item_columns(summary: Summary, lines: Sequence[Line], visible: bool) -> list[Column]:
    """Columns of numbers of items; those without a prediction are shown where there are any."""
    lacking = any(
        one.missing for line in lines for truth in TRUTHS for one in summary.items(line, truth)
    )
    found = []
    for truth, (things, _) in THINGS.items():
        shown = visible and any(summary.items(line, truth) for line in lines)
        about = f"mean width of the true intervals, {TRUTHS[truth]}"
        found += [
            Column(things, things, "count", spread=True, shown=shown),
            Column(f"width_{truth}", "true width", "number", about, spread=True, shown=shown),
        ]
    return [
        *found,
        Column("proved", "proved", "share", spread=True, shown=False),
        Column(
            "unanswered",
            "unanswered",
            "share",
            "the share of items without a prediction: they count as [0, 1]",
            spread=True,
            shown=lacking,
        ),
    ]


def item_cells(summary: Summary, line: Line) -> list[Value]:
    """What stands in these columns for a line."""
    found: list[Value] = []
    for truth in THINGS:
        found += [
            spread(one.items for one in summary.items(line, truth)),
            summary.quality(line, truth, "width"),
        ]
    exact = summary.items(line, "exact")
    last = exact or summary.items(line, "pmp")
    found.append(spread(_share(one, one.proved) for one in exact))
    found.append(spread(_share(one, one.missing) for one in last))
    return found


def _share(record: Quality, number: int) -> float | None:
    return number / record.items if record.items else None


def _range(numbers: Iterable[int]) -> str:
    known = sorted(numbers)
    least, most = known[0], known[-1]
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
