"""What training and asking cost."""

from __future__ import annotations

from boxsel.evaluation.published import RUNTIME, kin_of
from boxsel.evaluation.report.aggregate import Line, Spread, Summary
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.judging import over_seeds
from boxsel.evaluation.report.names import BASELINES, listed, method_label
from boxsel.evaluation.report.section import LeftOut, Section
from boxsel.evaluation.report.table import Column, Compared, Table, Value


def runtime_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """One table: seconds for an epoch, milliseconds for a query, and the paper's beside them."""
    lines = [
        line
        for line in summary.lines("main")
        if line in summary.efforts and line.method not in BASELINES
    ]
    if not lines:
        return LeftOut("Runtime", "no run of the main comparison has told its time")
    devices = dict.fromkeys(device for line in lines for device in _devices(summary, line))
    named = listed(list(devices)) or "a device without a name"
    text = (
        f"Ours on {named}; the paper's on an NVIDIA A100 with 40 GB. Our epoch trains all members"
        " at once, the paper's one embedding: its 60 embeddings take 60 times as long."
    )
    return Section("runtime", "Runtime", (text, _table(summary, lines)))


def _table(summary: Summary, lines: list[Line]) -> Table:
    columns = (
        Column("split", "split"),
        Column("method", "method"),
        Column("members", "members", "count", spread=True),
        Column("epochs", "epochs", "count", spread=True),
        Column(
            "seconds_per_epoch",
            "s / epoch",
            "amount",
            "of all members at once",
            spread=True,
            compared=True,
        ),
        Column(
            "milliseconds_per_query",
            "ms / query",
            "amount",
            "of all members at once",
            spread=True,
            compared=True,
        ),
        Column("seconds", "s in all", "amount", "one run, with its last phase", spread=True),
        Column("device", "device"),
        Column("runs", "runs"),
    )
    rows: list[tuple[Value, ...]] = []
    for line in lines:
        paper = next((row for row in RUNTIME if row.kin == kin_of(line.ontology)), None)
        rows.append(
            (
                f"{line.ontology} · {line.variant}",
                method_label(line.method),
                summary.cost(line, "members"),
                summary.cost(line, "epochs"),
                _faster(
                    summary.cost(line, "seconds_per_epoch"),
                    paper.seconds_per_epoch if paper else None,
                ),
                _faster(
                    summary.cost(line, "milliseconds_per_query"),
                    paper.milliseconds_per_query if paper else None,
                ),
                summary.cost(line, "seconds"),
                ", ".join(_devices(summary, line)) or None,
                summary.runs(line),
            )
        )
    return Table(
        "runtime",
        "Time to train and to ask",
        columns,
        tuple(rows),
        f"No truth is involved; {over_seeds(summary.seeds(lines))}",
        (
            "Failed runs have no times. Seconds are with compiling; those of an epoch are without"
            " the last phase of our preset, those in all with it. The paper's times are for"
            " its own ontologies, of other sizes where ours differ.",
        ),
        True,
    )


def _devices(summary: Summary, line: Line) -> list[str]:
    efforts = (one for one in summary.efforts[line] if not one.reason)
    return list(dict.fromkeys(one.device for one in efforts if one.device))


def _faster(ours: Spread | None, paper: float | None) -> Compared:
    return Compared(ours, paper, None if ours is None or paper is None else ours.mean < paper)
