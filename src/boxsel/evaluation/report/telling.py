"""Where soundness can tell methods apart: what baselines reach that know nothing of a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from boxsel.evaluation.records import INFORMATIVE
from boxsel.evaluation.report.aggregate import Line, Spread, Summary, grouped, spread
from boxsel.evaluation.report.comparison import basis
from boxsel.evaluation.report.names import METHODS, method_label
from boxsel.evaluation.report.parts import Block, Column, RunInfo, Table

ABOUT: Final = (
    "A pair of premises whose interval is [0, 1] is predicted soundly by whatever is said, and one"
    " whose interval is wide by nearly everything. Where such pairs are most of a split, SA hardly"
    " tells methods apart: look at what two random numbers reach, and then at SE and AG."
)


def telling_blocks(summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """One table: the share of pairs that say nothing, and the SA of every method."""
    splits = grouped(summary.lines("main"), lambda line: line.split)
    lines = [line for some in splits.values() for line in some if summary.items(line, "pmp")]
    if not lines:
        return
    known = {line.method for line in lines}
    # Where no member is kept there is no prediction, and that says nothing about pairs.
    methods = [name for name in METHODS if name in known and not name.endswith(" kept")]
    yield ABOUT
    yield Table.of(
        "telling",
        "Pairs whose interval says nothing, and the soundness of every method",
        (
            Column("split", "split", read=lambda some: some[0].split),
            Column(
                "open",
                "are [0, 1]",
                "share",
                "the share of pairs whose interval is [0, 1]",
                spread=True,
                read=partial(_open, summary),
            ),
            Column(
                "width",
                "PMP width",
                "number",
                "mean width of the true intervals",
                spread=True,
                read=partial(_width, summary),
            ),
            *(
                Column(
                    f"sa_{name.replace(' ', '_')}",
                    method_label(name),
                    "share",
                    "",
                    "SA against PMP",
                    spread=True,
                    read=partial(_soundness, summary, name),
                )
                for name in methods
            ),
        ),
        [some for some in splits.values() if any(line in lines for line in some)],
        basis(summary, lines, ("pmp",)),
    )


def _open(summary: Summary, lines: Sequence[Line]) -> Spread | None:
    """The share of pairs whose interval is [0, 1]: the others are informative."""
    line = next(one for one in lines if summary.items(one, "pmp"))
    known = {
        quality.cell.seed: quality.items for quality in summary.items(line, "pmp", INFORMATIVE)
    }
    records = [quality for quality in summary.items(line, "pmp") if quality.items]
    return spread(1 - known.get(record.cell.seed, 0) / record.items for record in records)


def _width(summary: Summary, lines: Sequence[Line]) -> Spread | None:
    line = next(one for one in lines if summary.items(one, "pmp"))
    return summary.quality(line, "pmp", "width")


def _soundness(summary: Summary, method: str, lines: Sequence[Line]) -> Spread | None:
    line = next((one for one in lines if one.method == method), None)
    return None if line is None else summary.quality(line, "pmp", "soundness")
