"""SA, SE and AG: their columns, what is better, and the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, Literal

from boxsel.evaluation.published import PublishedQuality, kin_of, published_quality
from boxsel.evaluation.records import Truth
from boxsel.evaluation.report.aggregate import Line, Summary
from boxsel.evaluation.report.names import BASELINES, TRUTHS, canonical, listed
from boxsel.evaluation.report.table import DIGITS, Column, Compared

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


def judged_column(truth: Truth, measure: Judged, visible: bool) -> Column:
    """The column of a measure against a truth."""
    word, key, text = WORDS[measure]
    kind: Literal["share", "number"] = "share" if measure == "soundness" else "number"
    return Column(
        f"{key}_{truth}",
        word,
        kind,
        text,
        f"against {TRUTHS[truth]}",
        spread=True,
        compared=truth == "pmp",
        shown=visible,
    )


Best = dict[tuple[Truth, Judged], float]


def best_of(summary: Summary, lines: Sequence[Line]) -> Best:
    """The best mean of each measure among several lines; nothing if there is but one."""
    found: Best = {}
    for truth in TRUTHS:
        for measure in WORDS:
            known = [summary.quality(line, truth, measure) for line in lines]
            means = [one.mean for one in known if one is not None]
            if len(means) > 1:
                found[truth, measure] = max(means) if measure == "soundness" else min(means)
    return found


def compared(summary: Summary, line: Line, truth: Truth, measure: Judged, best: Best) -> Compared:
    """A measure of a line, beside the paper's number where there is one."""
    ours = summary.quality(line, truth, measure)
    theirs = beside(line) if truth == "pmp" else None
    published = getattr(theirs, measure) if theirs else None
    found = Compared(ours, published)
    if ours is None:
        return found
    # Being better than the paper's baselines is no merit.
    if published is not None and line.method not in BASELINES:
        found = replace(found, better=better(measure, ours.mean, published))
    return replace(found, best=best.get((truth, measure)) == ours.mean)
