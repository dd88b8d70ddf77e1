"""The search for hyperparameters: what was best, and how much each of them matters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from boxsel.evaluation.published import HYPERPARAMETERS, SENSITIVITY, kin_of
from boxsel.evaluation.report.aggregate import Line, Spread, Summary, grouped, spread
from boxsel.evaluation.report.comparison import cost_column, over_seeds
from boxsel.evaluation.report.names import setting_order
from boxsel.evaluation.report.parts import Block, Column, Points, RunInfo, Table, Value
from boxsel.evaluation.report.spelling import plain


def hyperparameters(setting: str) -> Mapping[str, str]:
    """The hyperparameters that a setting names.

    Examples:
        >>> hyperparameters("dim=8, rate=0.01")
        {'dim': '8', 'rate': '0.01'}
    """
    return dict(re.findall(r"([A-Za-z_]\w*)\s*=\s*([^\s,;]+)", setting))


def tuning_blocks(summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """All configurations, and the spread over each hyperparameter around the best one."""
    lines = summary.lines("tuning")
    if not lines:
        return
    costs = {line: summary.cost(line, "mae") for line in lines}
    scores = {line: cost for line, cost in costs.items() if cost}
    measured = f"MAE; {over_seeds(summary.seeds(lines))}"
    groups = grouped(lines, lambda line: (line.ontology, line.variant, line.method)).values()
    searches = [_Search(tuple(members), scores) for members in groups]
    yield (
        "Configurations were compared on splits of their own: no query of the other tables was"
        " used to choose them. Less is better."
    )
    yield Points(
        tuple(
            f"{best.split}: best of {len(search.lines):,} is {best.setting}, with"
            f" MAE {plain(scores[best], 'number')}."
            for search in searches
            if (best := search.best) is not None
        )
    )
    yield _sensitivity(searches, measured)
    chosen = {search.best for search in searches}
    yield Table.of(
        "tuning",
        "All configurations",
        (
            Column("ontology", "ontology", read=lambda line: line.split),
            Column("configuration", "configuration", read=lambda line: line.setting),
            Column(
                "score",
                "score",
                "number",
                "what the search makes small",
                spread=True,
                read=scores.get,
            ),
            cost_column(summary, "mae", "MAE", "number", "of the embedding"),
            cost_column(summary, "counted", "counted", "share", "conditionals with a body"),
            Column("chosen", "chosen", read=lambda line: "best" if line in chosen else ""),
            Column("runs", "runs", read=summary.runs),
        ),
        (line for search in searches for line in search.lines),
        f"The score is {measured}",
        grouped=True,
        long=True,
    )


@dataclass(frozen=True)
class _Search:
    """The configurations of a method on a variant of an ontology, and the scores of those known."""

    lines: tuple[Line, ...]
    scores: Mapping[Line, Spread]

    @cached_property
    def best(self) -> Line | None:
        """The one with the least score."""
        known = (line for line in self.lines if line in self.scores)
        return min(known, key=self._rank, default=None)

    def _rank(self, line: Line) -> tuple[object, ...]:
        return self.scores[line].mean, setting_order(line.setting)

    def rows(self) -> Iterator[tuple[Value, ...]]:
        """For each hyperparameter, what it does alone around the best configuration."""
        best = self.best
        if best is None:
            return
        kin = kin_of(best.ontology)
        chosen = next(
            (hyperparameter for hyperparameter in HYPERPARAMETERS if hyperparameter.kin == kin),
            None,
        )
        for name, value in hyperparameters(best.setting).items():
            around = [
                line
                for line in self.lines
                if line in self.scores and _others(line, name) == _others(best, name)
            ]
            found = spread(self.scores[line].mean for line in around)
            tried = [hyperparameters(line.setting)[name] for line in around]
            paper = next(
                (
                    sensitivity
                    for sensitivity in SENSITIVITY
                    if (sensitivity.kin, sensitivity.hyperparameter) == (kin, name)
                ),
                None,
            )
            theirs = getattr(chosen, name, None)
            yield (
                best.split,
                name,
                ", ".join(tried),
                value,
                found.mean if found else None,
                found.deviation if found else None,
                paper.mean if paper else None,
                paper.deviation if paper else None,
                None if theirs is None else f"{theirs:g}",
            )


def _sensitivity(searches: list[_Search], measured: str) -> Table:
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
        tuple(row for search in searches for row in search.rows()),
        f"{measured} Mean and standard deviation here are over the values that were tried.",
        (
            "The paper does not say which measure its table shows: its numbers are no target.",
            "A search may have tried few configurations that differ in one hyperparameter alone.",
        ),
        True,
    )


def _others(line: Line, name: str) -> dict[str, str]:
    return {key: value for key, value in hyperparameters(line.setting).items() if key != name}
