"""`boxsel ask`: what a trained ensemble says about queries."""

from __future__ import annotations

import time
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boxsel.cli.exits import ANSWERED
from boxsel.cli.options import JsonOption, QueriesArgument, QueriesOption, read_queries
from boxsel.cli.output import emit, emit_json, report
from boxsel.logic.proportions import float_above, float_below, number_text
from boxsel.progress import track

if TYPE_CHECKING:
    from boxsel.models.estimate import Estimate
    from boxsel.models.model import Inner, Model


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog='Example: boxsel ask clinic.model "(Smoker | Patient)"')(ask)


def ask(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A folder that `boxsel fit` has written.")
    ],
    queries: QueriesArgument = None,
    queries_file: QueriesOption = None,
    directed: Annotated[
        bool,
        typer.Option("--directed", help="Push members to both ends of each query first."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Estimate the share of D in C by the members of a trained ensemble."""
    from boxsel.models.files import load

    found = load(model)
    asked = read_queries(found.kb, queries, queries_file)
    if not as_json:
        _warn(found, model)
    for query in track(asked, "asking", len(asked)) if len(asked) > 1 else asked:
        begun = time.perf_counter()
        chosen = found.refine(query) if directed else found
        estimate, inner = chosen.ask(query), chosen.inner(query)
        seconds = time.perf_counter() - begun
        if as_json:
            emit_json(_to_json(estimate, inner, seconds))
        else:
            emit(estimate.text)
            if inner is not None:
                ends = dict.fromkeys((_inward(inner.lower, up=True), _inward(inner.upper)))
                emit(f"  certified: there are models with {' and with '.join(ends)}\n")
    raise typer.Exit(ANSWERED)


def _warn(model: Model, folder: str) -> None:
    """Say what one should know about a model before one believes it."""
    if model.kb.ignored_axioms:
        report(
            f"{folder}: ignores {model.kb.ignored_axioms:,} axioms that were left out on reading"
        )


def _inward(number: Fraction, *, up: bool = False) -> str:
    """A number for people, rounded so that what is said stays true of the interval."""
    digits = 10**6
    rounded = ceil(number * digits) if up else floor(number * digits)
    return number_text(Fraction(rounded, digits))


def _to_json(estimate: Estimate, inner: Inner | None, seconds: float) -> dict[str, Any]:
    """The answer of a model alone: nothing is proved, so the outer interval is all there is.

    There is an inner interval only where there are certified witnesses.
    """
    vacuous = estimate.empty
    return {
        "query": estimate.query.text(estimate.prefixes),
        "status": "vacuous" if vacuous else "bounded",
        "outer": {
            "lower": None if vacuous else 0,
            "upper": None if vacuous else 1,
            "exact": False,
        },
        "inner": inner
        and {
            "lower": float_above(inner.lower),
            "upper": float_below(inner.upper),
            "witnesses": inner.witnesses,
        },
        "estimate": estimate.to_json(),
        "evidence": {"lower": [], "upper": []},
        "seconds": seconds,
    }
