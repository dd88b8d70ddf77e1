"""`boxsel evaluate`: the paper's experiments, beside exact intervals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from boxsel.cli.command import command, flag, given, option, required
from boxsel.cli.exits import ANSWERED, INTERRUPTED, NO, Interrupted
from boxsel.cli.options import DEVICE, JSON, Device, Texts, only_cpu
from boxsel.cli.output import complain, emit, emit_json, report
from boxsel.wording import several

if TYPE_CHECKING:
    from boxsel.evaluation.evaluate import Evaluated


@dataclass(frozen=True, slots=True)
class Scope:
    """How much of it all; what is left open is `None`."""

    ontologies: Texts = option(
        "An ontology.", "--ontology", metavar="NAME", show_default="all that data is there for"
    )
    variants: Texts = option(
        "A variant of splits.", "--variant", metavar="NAME", show_default="all"
    )
    studies: Texts = option("A study.", "--study", metavar="NAME", show_default="all")
    seeds: int | None = option("How many splits of each kind.", show_default="5")
    study_seeds: int | None = option("How many of them the studies have.", show_default="3")
    members: int | None = option("How many embeddings.", show_default="60")
    budget: str | None = option(
        "Time of the exact reasoner for a query.", metavar="SECONDS", show_default="5s"
    )
    queries: int | None = option(
        "How many queries of a kind get exact intervals.", show_default="10"
    )
    trials: int | None = option("Tune with Optuna, so many trials.", show_default="the whole grid")


@command("boxsel evaluate --quick -o evaluation")
def evaluate(
    *,
    output: str = required("The folder for all of it.", "--output", "-o", metavar="FOLDER"),
    quick: bool = flag("--quick", "A quick look: every step on one small ontology."),
    data: str | None = option("The data sets: yago3-mini, codex-m, hpo.", metavar="FOLDER"),
    scope: Scope,
    step: Texts = option(
        "ontologies, truths, answers, runs or report.", metavar="NAME", show_default="all"
    ),
    device: Device = DEVICE,
    jobs: int | None = option(
        "Processes for exact intervals and answers.", show_default="one a core"
    ),
    runs_at_once: int = option(
        "Runs that train at once, in processes of their own.", default=1, min=1
    ),
    as_json: bool = JSON,
) -> None:
    """Repeat the paper's experiments, and compare with exact intervals; an interrupted run goes on.

    The folder gets report.html, report.md, tables and figures.
    """
    only_cpu(device)

    from boxsel.evaluation.evaluate import STEPS
    from boxsel.evaluation.evaluate import evaluate as run
    from boxsel.evaluation.scopes import Choices
    from boxsel.machine.budget import Budget

    chosen = given(scope)
    if scope.budget is not None:
        chosen["budget"] = Budget.of(scope.budget).seconds
    if "ontologies" not in chosen and not quick and data is None:
        chosen["ontologies"] = Choices.without_data(Path(output))
        left_out = [name for name in Choices().ontologies if name not in chosen["ontologies"]]
        if left_out:
            report(f"without --data these are left out: {', '.join(left_out)}")
    choices = Choices.fast(**chosen) if quick else Choices(**chosen)
    try:
        evaluation = run(
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
        emit_json(_to_json(evaluation))
    else:
        emit(_text(evaluation))
    raise typer.Exit(NO if evaluation.failed else ANSWERED)


def _to_json(evaluation: Evaluated) -> dict[str, Any]:
    return {
        "folder": str(evaluation.folder),
        "ontologies": list(evaluation.ontologies),
        "truths": evaluation.truths,
        "runs": evaluation.runs,
        "missing": evaluation.missing,
        "failed": evaluation.failed,
        "files": [str(path.relative_to(evaluation.folder)) for path in evaluation.files],
        "seconds": dict(evaluation.seconds),
    }


def _text(evaluated: Evaluated) -> str:
    lines = [
        f"ontologies: {', '.join(evaluated.ontologies)}",
        f"computed now: {several(evaluated.truths, 'exact interval')},"
        f" {several(evaluated.runs, 'run')}",
    ]
    if evaluated.missing:
        lines.append(f"{several(evaluated.missing, 'run')} not finished: tables wait for them")
    if evaluated.failed:
        cells = several(evaluated.failed, "cell")
        lines.append(f"{cells} of the tables failed: the report says which, and why")
    if evaluated.files:
        lines.append(f"report: {evaluated.folder / 'report.html'}")
    return "".join(f"{line}\n" for line in lines)
