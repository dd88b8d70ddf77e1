"""Quality for each shape of conditionals."""

from __future__ import annotations

from typing import Final

from boxsel.evaluation.published import SHAPES as PUBLISHED
from boxsel.evaluation.published import kin_of
from boxsel.evaluation.records import INFORMATIVE, TOTAL, Truth
from boxsel.evaluation.report.aggregate import SHAPES, Line, Summary
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.judging import WORDS, Judged, basis, better, truths_of
from boxsel.evaluation.report.names import BASELINES, TRUTHS, method_label, slug
from boxsel.evaluation.report.section import LeftOut, Section
from boxsel.evaluation.report.table import Column, Compared, Table, Value

KINDS: Final = (TOTAL, INFORMATIVE, *SHAPES)

PRINTED: Final = 2
"""How many digits the paper's table by shape has."""

FORMS: Final = {
    "PNF1": "(B | A)",
    "PNF2": "(B | A ⊓ C)",
    "PNF3": "(B | ∃r.A)",
    "PNF4": "(∃r.A | B)",
    TOTAL: "all shapes",
    INFORMATIVE: "those of all shapes whose true interval is not [0, 1]",
}


def shapes_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """A table for each variant: methods, measures, shapes."""
    shaped = {line for line, shape, _ in summary.qualities if shape != TOTAL}
    lines = [line for line in summary.lines("main") if line in shaped]
    if not lines:
        return LeftOut("Results by shape", "there are no records for single shapes")
    variants = dict.fromkeys(line.variant for line in lines)
    tables = (
        _table(summary, variant, measure, [line for line in lines if line.variant == variant])
        for measure in reversed(WORDS)
        for variant in variants
    )
    return Section(
        "shapes",
        "Results by shape",
        (
            "A pair of premises belongs to the shape of its second premise, a query to its own."
            " Shapes that a split does not ask for are empty. What is informative is not true of"
            " everything: its interval is not [0, 1].",
            *tables,
        ),
    )


def _table(summary: Summary, variant: str, measure: Judged, lines: list[Line]) -> Table:
    """One measure for each shape; AG is printed, the others are files."""
    truths = truths_of(summary, lines)
    known = {shape for line, shape, _ in summary.qualities if line in lines}
    word, key, _ = WORDS[measure]
    columns = [
        Column("ontology", "ontology"),
        Column("method", "method"),
        *(
            Column(
                f"{shape.lower()}_{truth}",
                shape,
                "share" if measure == "soundness" else "number",
                FORMS[shape],
                f"{word} against {TRUTHS[truth]}",
                spread=True,
                compared=truth == "pmp",
                shown=truth in truths and shape in known,
            )
            for truth in TRUTHS
            for shape in KINDS
        ),
    ]
    rows: list[tuple[Value, ...]] = [
        (
            line.ontology,
            method_label(line.method),
            *(_cell(summary, line, truth, measure, shape) for truth in TRUTHS for shape in KINDS),
        )
        for line in lines
    ]
    return Table(
        f"shapes-{key}-{slug(variant)}",
        f"{word} by shape, variant {variant}",
        tuple(columns),
        tuple(rows),
        basis(summary, lines, truths),
        grouped=True,
        long=measure != "gap",
    )


def _cell(summary: Summary, line: Line, truth: Truth, measure: Judged, shape: str) -> Compared:
    ours = summary.quality(line, truth, measure, shape)
    kin = kin_of(line.ontology)
    comparable = truth == "pmp" and measure == "gap" and line.variant == "paper"
    if kin is None or ours is None or not comparable or line.method in BASELINES:
        return Compared(ours)
    published = PUBLISHED[kin].get(shape)
    if published is None:
        return Compared(ours)
    return Compared(ours, published, better(measure, ours.mean, published, PRINTED))
