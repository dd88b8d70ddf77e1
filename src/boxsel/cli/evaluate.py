"""`boxsel evaluate`: the paper's experiments, beside exact intervals."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from boxsel.cli.exits import ANSWERED, INTERRUPTED, NO
from boxsel.cli.interrupts import Interrupted
from boxsel.cli.options import JsonOption
from boxsel.cli.output import complain, emit, emit_json, report
from boxsel.wording import several

if TYPE_CHECKING:
    from boxsel.evaluation.evaluate import Evaluated


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boxsel evaluate --quick -o evaluation")(evaluate)


def evaluate(
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FOLDER", help="The folder for all of it."),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="A quick look: every step on one small ontology.")
    ] = False,
    data: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="The data sets: yago3-mini, codex-m, hpo."),
    ] = None,
    ontology: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="An ontology.", show_default="all that data is there for"
        ),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A variant of splits.", show_default="all"),
    ] = None,
    study: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A study.", show_default="all")
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(help="How many splits of each kind.", show_default="5")
    ] = None,
    study_seeds: Annotated[
        int | None, typer.Option(help="How many of them the studies have.", show_default="3")
    ] = None,
    members: Annotated[
        int | None, typer.Option(help="How many embeddings.", show_default="60")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS", help="Time of the exact reasoner for a query.", show_default="5s"
        ),
    ] = None,
    queries: Annotated[
        int | None,
        typer.Option(help="How many queries of a kind get exact intervals.", show_default="10"),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(help="Tune with Optuna, so many trials.", show_default="the whole grid"),
    ] = None,
    step: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="ontologies, truths, runs or report.", show_default="all"
        ),
    ] = None,
    device: Annotated[Literal["auto", "cpu", "gpu"], typer.Option(help="Where to train.")] = "auto",
    jobs: Annotated[
        int | None,
        typer.Option(help="Processes for exact intervals.", show_default="one a core"),
    ] = None,
    runs_at_once: Annotated[
        int,
        typer.Option(help="Runs that train at once, in processes of their own.", min=1),
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Repeat the paper's experiments, and compare with exact intervals; an interrupted run goes on.

    The folder gets report.html, report.md, tables and figures.
    """
    if device == "cpu":
        # Before JAX is loaded: it would take hold of the other devices too.
        os.environ["JAX_PLATFORMS"] = "cpu"

    from boxsel.evaluation.evaluate import STEPS
    from boxsel.evaluation.evaluate import evaluate as run
    from boxsel.evaluation.scopes import Choices
    from boxsel.machine.budget import Budget

    given = {
        "ontologies": tuple(ontology) if ontology else None,
        "variants": tuple(variant) if variant else None,
        "studies": tuple(study) if study else None,
        "seeds": seeds,
        "study_seeds": study_seeds,
        "members": members,
        "budget": None if budget is None else Budget.of(budget).seconds,
        "queries": queries,
        "trials": trials,
    }
    chosen: dict[str, Any] = {name: one for name, one in given.items() if one is not None}
    if "ontologies" not in chosen and not quick and data is None:
        chosen["ontologies"] = Choices.without_data(Path(output))
        left_out = [name for name in Choices().ontologies if name not in chosen["ontologies"]]
        if left_out:
            report(f"without --data these are left out: {', '.join(left_out)}")
    choices = Choices.fast(**chosen) if quick else Choices(**chosen)
    try:
        found = run(
            output,
            choices,
            data=data,
            device=device,
            jobs=jobs,
            at_once=runs_at_once,
            steps=step or STEPS,
            notice=report,
        )
    except Interrupted:
        complain("interrupted; what is finished is kept, and the same command goes on from there")
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        emit_json(_to_json(found))
    else:
        emit(_text(found))
    raise typer.Exit(NO if found.failed else ANSWERED)


def _to_json(found: Evaluated) -> dict[str, Any]:
    return {
        "folder": str(found.folder),
        "ontologies": list(found.ontologies),
        "truths": found.truths,
        "runs": found.runs,
        "missing": found.missing,
        "failed": found.failed,
        "files": [str(path.relative_to(found.folder)) for path in found.files],
        "seconds": dict(found.seconds),
    }


def _text(found: Evaluated) -> str:
    lines = [
        f"ontologies: {', '.join(found.ontologies)}",
        f"computed now: {several(found.truths, 'exact interval')}, {several(found.runs, 'run')}",
    ]
    if found.missing:
        lines.append(f"{several(found.missing, 'run')} not finished: tables wait for them")
    if found.failed:
        cells = several(found.failed, "cell")
        lines.append(f"{cells} of the tables failed: the report says which, and why")
    if found.files:
        lines.append(f"report: {found.folder / 'report.html'}")
    return "".join(f"{line}\n" for line in lines)
