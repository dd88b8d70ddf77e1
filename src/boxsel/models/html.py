"""How models and estimates show themselves in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from boxsel.logic.html import code, table

if TYPE_CHECKING:
    from boxsel.models.estimate import Estimate
    from boxsel.models.model import Model

WIDTH: Final = 240
HEIGHT: Final = 24
EDGE: Final = 6
"""What is left free at both sides, so that a value of 0 or 1 can be seen."""

BLUE: Final = "#0072B2"
# The reader's page may be light or dark, and its own colour of letters is fit for it.
INK: Final = "currentColor"


def model_html(model: Model) -> str:
    """A model as a small table."""
    from boxsel.models.files import metrics

    found, settings, kb = metrics(model), model.settings, model.kb
    violation, kept = found["violation"], found["kept"]
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in kb.counts_by_kind().items())
    rows: list[tuple[object, object]] = [
        ("knowledge base", kinds),
        ("names, roles", f"{len(kb.signature.concepts):,}, {len(kb.signature.roles):,}"),
        ("members", f"{found['members']:,}, of which {kept:,} are kept"),
        (
            "violation",
            f"least {violation['least']:.2g}, median {violation['median']:.2g},"
            f" largest {violation['largest']:.2g}; kept up to {settings.tolerance:g}",
        ),
        ("mean absolute error", f"{found['error']:.2g}"),
        (
            "settings",
            f"{settings.representation} of dimension {settings.dim}, {settings.roles} roles,"
            f" preset {settings.preset}, seed {settings.seed}",
        ),
    ]
    if model.directed is not None:
        rows.append(("pushed by", model.directed.text(kb.prefixes)))
    if model.task.empty:
        rows.append(("names left out, since empty", f"{len(model.task.empty):,}"))
    if kb.ignored_axioms:
        rows.append(("axioms left out on reading", f"{kb.ignored_axioms:,}"))
    return table(("model", ""), rows)


def estimate_html(estimate: Estimate) -> str:
    """An estimate as its sentence, with a bar from 0 to 1."""
    lines = "<br>".join(map(escape, estimate.said))
    return f"<div>{code(estimate.query.text(estimate.prefixes))} {lines}{_bar(estimate)}</div>"


def _bar(estimate: Estimate) -> str:
    """The kept members' interval as a bar, that of all members as a thin line."""
    seen = estimate.all_members
    if seen is None:
        return ""
    middle = HEIGHT / 2
    drawn = [_line(0, 1, middle, 1, INK, 0.25), _tick(0), _tick(1)]
    if estimate.lower is not None and estimate.upper is not None:
        drawn.append(_line(estimate.lower, estimate.upper, middle, 10, BLUE, 0.5))
    drawn.append(_line(*seen, middle, 2, INK, 0.8))
    return (
        f"<br><svg role='img' width='{WIDTH}' height='{HEIGHT}'"
        f" viewBox='0 0 {WIDTH} {HEIGHT}'><title>{escape(_title(estimate))}</title>"
        f"{''.join(drawn)}</svg>"
    )


def _title(estimate: Estimate) -> str:
    lower, upper, seen = estimate.lower, estimate.upper, estimate.all_members
    assert seen is not None
    kept = "" if lower is None else f"bar: members kept, {lower:.4g} to {upper:.4g}; "
    return f"{kept}line: all members, {seen[0]:.4g} to {seen[1]:.4g}; from 0 to 1"


def _line(low: float, high: float, y: float, width: int, colour: str, opacity: float) -> str:
    # A point must be seen as well: no line is shorter than two pixels.
    left, right = _place(low), max(_place(high), _place(low) + 2)
    return (
        f"<line x1='{left:.1f}' x2='{right:.1f}' y1='{y:g}' y2='{y:g}'"
        f" stroke='{colour}' stroke-width='{width}' stroke-opacity='{opacity}'/>"
    )


def _tick(value: float) -> str:
    x = _place(value)
    return (
        f"<line x1='{x:g}' x2='{x:g}' y1='4' y2='{HEIGHT - 4}' stroke='{INK}'"
        " stroke-opacity='0.25'/>"
    )


def _place(value: float) -> float:
    return EDGE + value * (WIDTH - 2 * EDGE)
