"""Where our numbers are better than the paper's, and where they are not, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from boxsel.evaluation.report.aggregate import Line, Summary
from boxsel.evaluation.report.judging import WORDS, Judged, beside, better
from boxsel.evaluation.report.names import OURS, listed, method_label
from boxsel.evaluation.report.table import Value, plain


def verdicts(summary: Summary) -> tuple[str, ...]:
    """A sentence or two on our method, for each ontology that the paper has numbers for."""
    lines = (line for line in summary.lines("main") if line.method == OURS)
    return tuple(" ".join(_verdict(summary, line)) for line in lines if beside(line))


def _verdict(summary: Summary, line: Line) -> Iterator[str]:
    found: dict[bool | None, list[Judged]] = {True: [], None: [], False: []}
    for measure in WORDS:
        ours, theirs = summary.quality(line, "pmp", measure), getattr(beside(line), measure)
        if ours is not None:
            found[better(measure, ours.mean, theirs)].append(measure)
    yield f"{line.ontology}, {method_label(line.method)}:"
    if not any(found.values()):
        yield "there is no number against PMP intervals to compare."
        return
    words = {True: "better than the paper in", None: "level with it in", False: "not better in"}
    parts = [
        f"{words[kind]} {_against(summary, line, measures)}"
        for kind, measures in found.items()
        if measures
    ]
    yield f"{'; '.join(parts)}."
    yield from _reasons(summary, line, found[False])


def _against(summary: Summary, line: Line, measures: list[Judged]) -> str:
    words = []
    for measure in measures:
        ours = _said(summary.quality(line, "pmp", measure), measure)
        theirs = _said(getattr(beside(line), measure), measure)
        words.append(f"{WORDS[measure][0]} ({ours}; paper {theirs})")
    return listed(words)


def _said(value: Value, measure: Judged) -> str:
    return plain(value, "share" if measure == "soundness" else "number")


def _reasons(summary: Summary, line: Line, behind: list[Judged]) -> Iterator[str]:
    """What the records say about why a number is behind."""
    failures = summary.runs(line).failures
    if failures:
        yield f"Runs {summary.runs(line).text}; these count as [0, 1]."
    if "gap" in behind:
        wide, exact = (
            summary.quality(line, "pmp", "width"),
            summary.quality(line, "exact", "width"),
        )
        close = summary.quality(line, "exact", "gap")
        if wide and exact and close and exact.mean < wide.mean:
            yield (
                f"The exact intervals are narrower than those of PMP ({plain(exact.mean, 'number')}"
                f" against {plain(wide.mean, 'number')} on average), and no sound prediction"
                f" leaves them; against the exact ones AG is {plain(close, 'number')}."
            )
    if "soundness" in behind or "error" in behind:
        error, kept = summary.cost(line, "mae"), summary.cost(line, "kept")
        members = summary.cost(line, "members")
        if error and kept and members:
            yield (
                f"Of {plain(members.mean, 'count')} members {plain(kept.mean, 'count')} satisfy"
                f" what they learned up to the tolerance; MAE is {plain(error, 'number')}."
            )
