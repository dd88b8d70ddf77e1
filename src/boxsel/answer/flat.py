"""An answer as one row of a table: for CSV files and data frames."""

from __future__ import annotations

from typing import Any, Final

from boxsel.answer.answer import Answer

COLUMNS: Final = (
    "query",
    "status",
    "lower",
    "upper",
    "exact",
    "certified",
    "inner_lower",
    "inner_upper",
    "estimate_lower",
    "estimate_upper",
    "violation",
    "seconds",
)
"""The columns, in their order. Proved ends are rounded outward, those of the inner one inward."""


def flat(answer: Answer) -> dict[str, Any]:
    """The numbers of an answer by column; none where there is no number."""
    found = answer.to_json()
    outer, inner, estimate = found["outer"], found["inner"] or {}, found["estimate"] or {}
    values = (
        found["query"],
        found["status"],
        outer["lower"],
        outer["upper"],
        outer["exact"],
        outer["certified"],
        inner.get("lower"),
        inner.get("upper"),
        estimate.get("lower"),
        estimate.get("upper"),
        estimate.get("violation"),
        found["seconds"],
    )
    return dict(zip(COLUMNS, values, strict=True))
