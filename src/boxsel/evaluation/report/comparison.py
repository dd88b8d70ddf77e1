"""Tables that compare methods or settings: SA, SE and AG against both truths, by ontology."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Literal

from boxsel.evaluation.published import PublishedQuality, kin_of, published_quality
from boxsel.evaluation.records import INFORMATIVE, Quality, Truth
from boxsel.evaluation.report.aggregate import Cost, Line, Spread, Summary, grouped, spread
from boxsel.evaluation.report.names import BASELINES, TRUTHS, canonical, listed, method_label
from boxsel.evaluation.report.parts import Column, Compared, Kind, Table
from boxsel.evaluation.report.spelling import DIGITS, plain

Judged = Literal["soundness", "error", "gap"]

WORDS: Final[dict[Judged, tuple[str, str, str]]] = {
    "soundness": (
        "SA",
        "sa",
        "soundness accuracy: the share of predicted intervals that lie within"
        " the true ones, up to 1e-6; more is better",
    ),
    "error": (
        "SE",
        "se",
        "soundness error: how far predicted intervals reach beyond the true ones; less is better",
    ),
    "gap": (
        "AG",
        "ag",
        "approximation gap: how far the ends of predicted intervals are from the"
        " true ends, both added; less is better",
    ),
}
THINGS: Final[dict[Truth, tuple[str, str]]] = {
    "pmp": ("pairs", "pairs of premises"),
    "exact": ("queries", "queries"),
}
GUESSED: Final = "mean width of the predicted intervals"
HOW_MANY: Final = "how many runs there were, one for each seed"

Best = dict[tuple[Truth, Judged], float]


def comparison(
    summary: Summary,
    key: str,
    title: str,
    lines: Sequence[Line],
    extras: Sequence[Column] = (),
    notes: tuple[str, ...] = (),
    varied: str = "method",
) -> Table:
    """A table with a row for each line, under their ontologies; `varied` is what rows differ in."""
    truths = truths_of(summary, lines)
    several = len({line.variant for line in lines}) > 1

    def group(line: Line) -> str:
        """What a line stands under: its ontology, and the variant if there are several."""
        return line.split if several else line.ontology

    groups = grouped(lines, group)
    uneven = [name for name, members in groups.items() if _differing(summary, members)]
    # What was asked other things cannot be ranked.
    best = {
        name: {} if name in uneven else _best_of(summary, members)
        for name, members in groups.items()
    }

    def judged(truth: Truth, measure: Judged) -> Column:
        column = judged_column(measure, WORDS[measure][0], truth, f"against {TRUTHS[truth]}")
        return replace(
            column,
            shown=truth in truths,
            read=lambda line: _compared(summary, line, truth, measure, best[group(line)]),
        )

    def failed(line: Line) -> int:
        return len(summary.runs(line).failures)

    def guessed(line: Line) -> Spread | None:
        spreads = (summary.quality(line, truth, "guessed") for truth in ("exact", "pmp"))
        return next((mean for mean in spreads if mean), None)

    columns = (
        Column("ontology", "ontology", read=group),
        Column("method", varied, read=lambda line: _label(line, lines)),
        Column("runs", "runs", "text", HOW_MANY, read=summary.runs),
        Column("failed", "failed", "count", shown=False, read=failed),
        Column("setting", "setting", shown=False),
        Column("variant", "variant", shown=False),
        *(judged(truth, measure) for truth in TRUTHS for measure in WORDS),
        Column("predicted_width", "width", "number", GUESSED, "predicted", True, read=guessed),
        *extras,
        *_item_columns(summary, lines, bool(uneven)),
    )
    return Table.of(
        key,
        title,
        columns,
        lines,
        basis(summary, lines, truths),
        notes=(*notes, *_marks(len(uneven) < len(groups), any(map(beside, lines)))),
        grouped=True,
        about_groups={name: _about_items(summary, members) for name, members in groups.items()},
    )


def cost_column(
    summary: Summary, key: Cost, title: str, kind: Kind, about: str = "", group: str = ""
) -> Column:
    """A column of what runs took that did not fail."""
    return Column(
        key, title, kind, about, group, spread=True, read=lambda line: summary.cost(line, key)
    )


def judged_column(
    measure: Judged, title: str, truth: Truth, group: str, about: str = "", key: str = ""
) -> Column:
    """The column of a measure against a truth; the paper's numbers are against PMP."""
    _, short, meaning = WORDS[measure]
    return Column(
        f"{key or short}_{truth}",
        title,
        "share" if measure == "soundness" else "number",
        about or meaning,
        group,
        spread=True,
        compared=truth == "pmp",
    )


def better(measure: Judged, ours: float, published: float, digits: int = DIGITS) -> bool | None:
    """Whether a number is better than a published one: none if they agree in what was printed.

    Examples:
        >>> better("gap", 0.2321, 0.233), better("gap", 0.2326, 0.233), better("gap", 0.24, 0.233)
        (True, None, False)
    """
    difference = round(round(ours, digits) - published, digits)
    if difference == 0:
        return None
    return (difference > 0) == (measure == "soundness")


def beside(line: Line) -> PublishedQuality | None:
    """The paper's numbers for a line: there are some under the paper's own protocol alone."""
    if line.variant != "paper":
        return None
    varied = line.method if line.study == "main" else canonical(line.setting)
    return published_quality(line.study, kin_of(line.ontology), varied)


def basis(summary: Summary, lines: Sequence[Line], truths: Iterable[Truth]) -> str:
    """Against which truth numbers are, and over how many seeds."""
    words = listed([f"{TRUTHS[truth]} intervals" for truth in truths])
    return f"Against {words}; {over_seeds(summary.seeds(lines))}"


def over_seeds(seeds: Sequence[int]) -> str:
    """How many seeds means are over.

    Examples:
        >>> over_seeds((0, 1))
        'mean ± standard deviation over 2 seeds (0, 1).'
    """
    if len(seeds) == 1:
        return f"one seed ({seeds[0]}), so without standard deviation."
    given = ", ".join(map(str, seeds))
    return f"mean ± standard deviation over {len(seeds)} seeds ({given})."


def truths_of(summary: Summary, lines: Iterable[Line]) -> tuple[Truth, ...]:
    """The truths that there are records against."""
    every = list(lines)
    return tuple(truth for truth in TRUTHS if any(summary.items(line, truth) for line in every))


def _best_of(summary: Summary, lines: Sequence[Line]) -> Best:
    """The best mean of each measure among several lines; nothing if there is but one."""
    found: Best = {}
    for truth in TRUTHS:
        for measure in WORDS:
            known = [summary.quality(line, truth, measure) for line in lines]
            means = [one.mean for one in known if one is not None]
            if len(means) > 1:
                found[truth, measure] = max(means) if measure == "soundness" else min(means)
    return found


def _compared(summary: Summary, line: Line, truth: Truth, measure: Judged, best: Best) -> Compared:
    """A measure of a line, beside the paper's number where there is one."""
    ours = summary.quality(line, truth, measure)
    theirs = beside(line) if truth == "pmp" else None
    published: float | None = getattr(theirs, measure) if theirs else None
    if ours is None:
        return Compared(None, published)
    ahead = None
    # Being better than the paper's baselines is no merit.
    if published is not None and line.method not in BASELINES:
        ahead = better(measure, ours.mean, published)
    return Compared(ours, published, ahead, best.get((truth, measure)) == ours.mean)


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


def _differing(summary: Summary, lines: Sequence[Line]) -> bool:
    """Whether some lines are about other items than others: then their numbers are not alike."""
    counts = {
        tuple(quality.items for truth in TRUTHS for quality in summary.items(line, truth))
        for line in lines
        if any(summary.items(line, truth) for truth in TRUTHS)
    }
    return len(counts) > 1


def _about_items(summary: Summary, lines: Sequence[Line]) -> str:
    """The true intervals that lines are compared with, if they are the same for all."""
    if _differing(summary, lines):
        return "rows differ in what they were asked: see their numbers of items"
    parts = []
    for truth, (_, things) in THINGS.items():
        line = next((one for one in lines if summary.items(one, truth)), None)
        if line is None:
            continue
        records = summary.items(line, truth)
        numbers = [record.items for record in records]
        width = plain(summary.quality(line, truth, "width"), "number")
        text = f"{_range(numbers)} {things}, {TRUTHS[truth]} width {width}"
        total = sum(numbers)
        if truth == "exact" and total:
            share = sum(record.proved for record in records) / total
            text += f", {plain(share, 'share')} proved exact"
        informative = summary.items(line, truth, INFORMATIVE)
        if total and informative:
            share = sum(quality.items for quality in informative) / total
            text += f", {plain(share, 'share')} not [0, 1]"
        parts.append(text)
    return "; ".join(parts)


def _item_columns(summary: Summary, lines: Sequence[Line], visible: bool) -> Iterator[Column]:
    """How many items there are and how wide; those without a prediction where there are any."""
    for truth, (things, _) in THINGS.items():
        shown = visible and any(summary.items(line, truth) for line in lines)
        about = f"mean width of the true intervals, {TRUTHS[truth]}"
        numbers = Column(things, things, "count", spread=True, shown=shown)
        width = Column(f"width_{truth}", "true width", "number", about, spread=True, shown=shown)
        yield replace(numbers, read=partial(_items, summary, truth))
        yield replace(width, read=partial(summary.quality, truth=truth, measure="width"))

    def proved(line: Line) -> Spread | None:
        return spread(_share(quality, quality.proved) for quality in summary.items(line, "exact"))

    def unanswered(line: Line) -> Spread | None:
        records = summary.items(line, "exact") or summary.items(line, "pmp")
        return spread(_share(record, record.missing) for record in records)

    lacking = any(
        quality.missing
        for line in lines
        for truth in TRUTHS
        for quality in summary.items(line, truth)
    )
    about = "the share of items without a prediction: they count as [0, 1]"
    yield Column("proved", "proved", "share", spread=True, shown=False, read=proved)
    yield Column(
        "unanswered", "unanswered", "share", about, spread=True, shown=lacking, read=unanswered
    )


def _items(summary: Summary, truth: Truth, line: Line) -> Spread | None:
    return spread(quality.items for quality in summary.items(line, truth))


def _share(record: Quality, number: int) -> float | None:
    return number / record.items if record.items else None


def _range(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
