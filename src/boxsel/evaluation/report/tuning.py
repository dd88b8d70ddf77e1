"""The search for hyperparameters: what was best, and how much each of them matters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from boxsel.evaluation.published import HYPERPARAMETERS, SENSITIVITY, kin_of
from boxsel.evaluation.records import Truth
from boxsel.evaluation.report.aggregate import Line, Spread, Summary, spread
from boxsel.evaluation.report.info import Objective, RunInfo
from boxsel.evaluation.report.judging import over_seeds
from boxsel.evaluation.report.names import setting_order
from boxsel.evaluation.report.section import LeftOut, Points, Section
from boxsel.evaluation.report.table import Column, Table, Value, plain

OBJECTIVES: Final[dict[Objective, str]] = {"gap": "AG", "error": "SE", "mae": "MAE"}

Group = tuple[str, str, str]
"""An ontology, a variant and a method: what hyperparameters are chosen for."""


def tuning_section(summary: Summary, info: RunInfo) -> Section | LeftOut:
    """All configurations, and the spread over each hyperparameter around the best one."""
    lines = summary.lines("tuning")
    if not lines:
        return LeftOut("Tuning", "the search for hyperparameters was not run")
    truth: Truth | None = _truth(summary, lines, info.objective)
    word = OBJECTIVES[info.objective]
    against = f"{word} against {'exact' if truth == 'exact' else 'PMP'} intervals"
    measured = f"{against if truth else word}; {over_seeds(summary.seeds(lines))}"
    scores = {line: _score(summary, line, info.objective, truth) for line in lines}
    groups: dict[Group, list[Line]] = {}
    for line in lines:
        groups.setdefault((line.ontology, line.variant, line.method), []).append(line)
    best = {
        group: min(
            (line for line in members if scores[line]),
            key=lambda line: (_mean(scores[line]), setting_order(line.setting)),
            default=None,
        )
        for group, members in groups.items()
    }
    return Section(
        "tuning",
        "Tuning",
        (
            "Configurations were compared on splits of their own: no query of the other tables was"
            " used to choose them. Less is better.",
            Points(
                tuple(
                    f"{_name(group)}: best of {len(groups[group]):,} is {line.setting}, with"
                    f" {word} {plain(scores[line], 'number')}."
                    for group, line in best.items()
                    if line is not None
                )
            ),
            _sensitivity(groups, best, scores, measured),
            _configurations(summary, groups, best, scores, measured),
        ),
    )


def hyperparameters(setting: str) -> Mapping[str, str]:
    """The hyperparameters that a setting names.

    Examples:
        >>> hyperparameters("dim=8, rate=0.01")
        {'dim': '8', 'rate': '0.01'}
    """
    return dict(re.findall(r"([A-Za-z_]\w*)\s*=\s*([^\s,;]+)", setting))


def _truth(summary: Summary, lines: tuple[Line, ...], objective: Objective) -> Truth | None:
    if objective == "mae":
        return None
    return "exact" if any(summary.items(line, "exact") for line in lines) else "pmp"


def _score(
    summary: Summary, line: Line, objective: Objective, truth: Truth | None
) -> Spread | None:
    if objective == "mae" or truth is None:
        return summary.cost(line, "mae")
    return summary.quality(line, truth, objective)


def _mean(score: Spread | None) -> float:
    assert score is not None
    return score.mean


def _sensitivity(
    groups: Mapping[Group, list[Line]],
    best: Mapping[Group, Line | None],
    scores: Mapping[Line, Spread | None],
    measured: str,
) -> Table:
    rows: list[tuple[Value, ...]] = []
    for group, members in groups.items():
        chosen = best[group]
        if chosen is None:
            continue
        start = hyperparameters(chosen.setting)
        for name, value in start.items():
            around = [
                line
                for line in members
                if scores[line] and _others(line, name) == _others(chosen, name)
            ]
            found = spread(_mean(scores[line]) for line in around)
            tried = [hyperparameters(line.setting)[name] for line in around]
            paper = next(
                (
                    one
                    for one in SENSITIVITY
                    if one.kin == kin_of(group[0]) and one.hyperparameter == name
                ),
                None,
            )
            rows.append(
                (
                    _name(group),
                    name,
                    ", ".join(tried),
                    value,
                    found.mean if found else None,
                    found.deviation if found else None,
                    paper.mean if paper else None,
                    paper.deviation if paper else None,
                    _chosen_by_paper(group, name),
                )
            )
    return Table(
        "tuning-sensitivity",
        "Sensitivity: one hyperparameter varied around the best configuration",
        (
            Column("ontology", "ontology"),
            Column("hyperparameter", "hyperparameter"),
            Column("tried", "values"),
            Column("best", "best"),
            Column("mean", "mean", "number", "over the values", "ours"),
            Column("deviation", "std", "number", "over the values", "ours"),
            Column("mean_published", "mean", "number", "of a measure not named", "paper"),
            Column("deviation_published", "std", "number", "of a measure not named", "paper"),
            Column("best_published", "best", "text", "what the paper chose", "paper"),
        ),
        tuple(rows),
        f"{measured} Mean and standard deviation here are over the values that were tried.",
        (
            "The paper does not say which measure its table shows: its numbers are no target.",
            "A search may have tried few configurations that differ in one hyperparameter alone.",
        ),
        True,
    )


def _configurations(
    summary: Summary,
    groups: Mapping[Group, list[Line]],
    best: Mapping[Group, Line | None],
    scores: Mapping[Line, Spread | None],
    measured: str,
) -> Table:
    rows = [
        (
            _name(group),
            line.setting,
            scores[line],
            summary.cost(line, "mae"),
            summary.cost(line, "counted"),
            "best" if best[group] == line else "",
            summary.runs(line),
        )
        for group, members in groups.items()
        for line in members
    ]
    return Table(
        "tuning",
        "All configurations",
        (
            Column("ontology", "ontology"),
            Column("configuration", "configuration"),
            Column("score", "score", "number", "what the search makes small", spread=True),
            Column("mae", "MAE", "number", "of the embedding", spread=True),
            Column("counted", "counted", "share", "conditionals with a body", spread=True),
            Column("chosen", "chosen"),
            Column("runs", "runs"),
        ),
        tuple(rows),
        f"The score is {measured}",
        grouped=True,
        long=True,
    )


def _others(line: Line, name: str) -> dict[str, str]:
    found = dict(hyperparameters(line.setting))
    found.pop(name, None)
    return found


def _name(group: Group) -> str:
    ontology, variant, _ = group
    return f"{ontology} · {variant}"


def _chosen_by_paper(group: Group, name: str) -> str | None:
    row = next((one for one in HYPERPARAMETERS if one.kin == kin_of(group[0])), None)
    value = getattr(row, name, None)
    return None if value is None else f"{value:g}"
