"""How models and estimates show themselves in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from boxsel.logic.html import code, table
from boxsel.pictures.shares import draw_estimate

if TYPE_CHECKING:
    from boxsel.models.estimate import Estimate
    from boxsel.models.model import Model


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
    lower, upper, seen = estimate.lower, estimate.upper, estimate.all_members
    if seen is None:
        return ""
    kept = None if lower is None or upper is None else (lower, upper)
    said = "" if kept is None else f"bar: members kept, {kept[0]:.4g} to {kept[1]:.4g}; "
    said += f"line: all members, {seen[0]:.4g} to {seen[1]:.4g}; from 0 to 1"
    return f"<br>{draw_estimate(said, kept, seen)}"
