"""The paper's own tables, and what does not fit in them."""

from __future__ import annotations

from typing import Final

from boxsel.evaluation import published as p
from boxsel.evaluation.report.aggregate import Summary
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.section import LeftOut, Section
from boxsel.evaluation.report.slips import SLIPS
from boxsel.evaluation.report.table import Column, Table

_BASIS: Final = "Against PMP intervals, over five splits, as published."
_NO_TRUTH: Final = "As published; no truth is involved."
_KIN: Final = Column("ontology", "ontology")


def paper_section(_summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """Slips first, then the numbers."""
    slips = Table(
        "slips",
        "What does not fit in the paper",
        (Column("about", "about"), Column("sentence", "what"), Column("tables", "tables")),
        tuple((slip.about, slip.sentence, "; ".join(slip.tables)) for slip in SLIPS),
        "About the paper's tables and pseudocode, not about ours.",
    )
    tables = (_qualities(), _datasets(), _splits(), _costs(), _sensitivity())
    return Section("paper", "The paper's numbers, and slips in them", (slips, *tables))


def _qualities() -> Table:
    rows = tuple(
        (
            f"{row.kin} · {row.table}",
            row.setting,
            row.soundness,
            row.error,
            row.gap,
            p.true_width(row.kin),
            p.implied_width(row),
        )
        for row in sorted(
            (*p.MAIN, *p.CONCEPTS, *p.ROLES, *p.REGULARISERS),
            key=lambda row: p.KINDS.index(row.kin),
        )
    )
    return Table(
        "published-quality",
        "SA, SE and AG in the paper",
        (
            _KIN,
            Column("setting", "method or setting"),
            Column("sa", "SA", "share"),
            Column("se", "SE", "number"),
            Column("ag", "AG", "number"),
            Column("width", "true width", "number", "1 less the SE of the estimator [0, 1]"),
            Column(
                "implied_width",
                "implied width",
                "number",
                "the mean width of predicted intervals, from 2 SE − AG",
            ),
        ),
        rows,
        _BASIS,
        ("An implied width below 0 or above 1, or an SE above AG, cannot be.",),
        True,
    )


def _datasets() -> Table:
    return Table(
        "published-ontologies",
        p.DATASET_TABLE,
        (
            _KIN,
            Column("concepts", "concepts", "count"),
            Column("roles", "roles", "count"),
            Column("axioms", "axioms", "count"),
            Column("summed", "axioms in the table of splits", "count"),
            Column("ratios", "PNF1/2/3/4"),
        ),
        tuple(
            (
                row.kin,
                row.concepts,
                row.roles,
                row.axioms,
                sum(one.total for one in p.SPLITS if one.kin == row.kin),
                "/".join(f"{ratio:g}" for ratio in row.ratios),
            )
            for row in p.DATASETS
        ),
        _NO_TRUTH,
    )


def _splits() -> Table:
    return Table(
        "published-splits",
        p.SPLIT_TABLE,
        (
            _KIN,
            Column("shape", "shape"),
            Column("total", "total", "count"),
            Column("learned", "knowledge base", "count"),
            Column("asked", "queries", "count"),
        ),
        tuple((row.kin, row.shape, row.total, row.learned, row.asked) for row in p.SPLITS),
        _NO_TRUTH,
        grouped=True,
    )


def _costs() -> Table:
    rows = []
    for time, chosen in zip(p.RUNTIME, p.HYPERPARAMETERS, strict=True):
        assert time.kin == chosen.kin
        rows.append(
            (
                time.kin,
                time.seconds_per_epoch,
                time.milliseconds_per_query,
                time.minutes,
                time.seconds_per_epoch * chosen.epochs / 60,
                chosen.epochs,
                chosen.dim,
                chosen.batch,
                chosen.rate,
                chosen.side,
            )
        )
    return Table(
        "published-runtime",
        "Runtime and hyperparameters",
        (
            _KIN,
            Column("seconds_per_epoch", "s / epoch", "amount"),
            Column("milliseconds_per_query", "ms / query", "amount"),
            Column("minutes", "min as stated", "amount", "minutes for one embedding"),
            Column("product", "min computed", "amount", "seconds per epoch times epochs"),
            Column("epochs", "epochs", "count"),
            Column("dim", "dimension", "count"),
            Column("batch", "batch", "count"),
            Column("rate", "rate", "amount"),
            Column("side", "side β", "amount"),
        ),
        tuple(rows),
        _NO_TRUTH,
    )


def _sensitivity() -> Table:
    return Table(
        "published-sensitivity",
        p.SENSITIVITY_TABLE,
        (
            _KIN,
            Column("hyperparameter", "hyperparameter"),
            Column("mean", "mean", "number"),
            Column("deviation", "std", "number"),
        ),
        tuple(
            (row.kin, row.hyperparameter, row.mean, row.deviation)
            for row in sorted(p.SENSITIVITY, key=lambda row: p.KINDS.index(row.kin))
        ),
        "As published; the paper does not say of which measure.",
        grouped=True,
    )
