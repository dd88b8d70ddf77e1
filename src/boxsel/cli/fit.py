"""`boxsel fit`: train an ensemble, and keep it in a folder."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any, Literal

import typer

from boxsel.cli.command import command, flag, given, option, required
from boxsel.cli.exits import ANSWERED, INTERRUPTED, NO, OUT_OF_BUDGET, stopped_by_interrupt
from boxsel.cli.options import DEVICE, JSON, KB_FILES, Device, Input, only_cpu
from boxsel.cli.output import (
    complain,
    emit,
    emit_json,
    reading_json,
    report,
    report_reading,
    shortened,
)
from boxsel.errors import BoxselError
from boxsel.formats.registry import input_format
from boxsel.formats.source import load
from boxsel.wording import several

if TYPE_CHECKING:
    from boxsel.models.model import Model


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings that the command line chooses; those that it leaves open are `None`."""

    members: int | None = option("How many embeddings.", show_default="60")
    dim: int | None = option("The dimension of each.", show_default="32")
    epochs: int | None = option("Passes over the axioms.", show_default="20, more for few axioms")
    batch: int | None = option("Axioms in one step.", show_default="512")
    seed: int | None = option("The same seed gives the same model.", show_default="0")
    preset: str | None = option("What to minimise.", show_default="default")
    representation: str | None = option(
        "What concepts are: auto, boxes, balls, populations.", show_default="auto"
    )
    roles: str | None = option("What roles are.", show_default="affine")
    rate: float | None = option("The learning rate.", show_default="the preset's")
    tolerance: float | None = option(
        "The largest violation of members that count.", show_default="0.01"
    )
    side: float | None = option("β of the preset `paper`.", show_default="1")
    margin: float | None = option("ε of the preset `paper`.", show_default="0.001")
    regularisers: Literal["none", "location", "volume", "both"] | None = option(
        "Those of the preset `paper`.", show_default="both"
    )
    weighting: Literal["epoch", "step"] | None = option(
        "How often they are paid in full.", show_default="epoch"
    )
    polish: Literal["never", "near", "always"] | None = option(
        "When there is a last phase of training.", show_default="near"
    )


@command("boxsel fit clinic.sel -o clinic.model")
def fit(
    *,
    kb: list[str] = KB_FILES,
    output: str = required("The folder for the model.", "--output", "-o", metavar="MODEL"),
    chosen: Chosen,
    device: Device = DEVICE,
    checkpoint_every: float | None = option(
        "Time between checkpoints.", metavar="SECONDS", show_default="30"
    ),
    restart: bool = flag("--restart", "Start again: discard the checkpoint, if any."),
    budget: str | None = option(
        "Time, such as 10m; then a checkpoint, from which the same command goes on.", metavar="TIME"
    ),
    reading: Input,
    as_json: bool = JSON,
) -> None:
    """Train an ensemble of embeddings; an interrupted run goes on where it was."""
    if checkpoint_every is not None and not checkpoint_every >= 0:
        raise BoxselError(f"--checkpoint-every must be at least 0, not {checkpoint_every}")
    only_cpu(device)

    from boxsel.machine.budget import Budget
    from boxsel.models.choosing import stated_settings
    from boxsel.models.emptiness import NoModelError
    from boxsel.models.files import check_place
    from boxsel.models.resumable import CHECKPOINT_SECONDS, StoppedError, fit_into

    settings = given(chosen)
    stated_settings(settings)  # what is wrong is said before anything is read
    limit = Budget.of(budget)
    check_place(output)
    sources = [load(path) for path in kb]
    base, coverage = reading.of(sources)
    as_written = len(sources) == 1 and coverage is None
    is_text = as_written and input_format(sources[0], reading.from_format).name == "sel"
    if not as_json:
        report_reading(base, coverage, *kb)
    stop = _Stop()
    try:
        with stopped_by_interrupt(stop.ask, signal.SIGINT, signal.SIGTERM):
            model = fit_into(
                output,
                base,
                settings,
                device=device,
                every=CHECKPOINT_SECONDS if checkpoint_every is None else checkpoint_every,
                restart=restart,
                stopped=lambda: stop.is_asked() or limit.spent,
                notice=report,
                text=sources[0].text if is_text else None,
            )
    except StoppedError as error:
        complain(str(error))
        raise typer.Exit(INTERRUPTED if stop.is_asked() else OUT_OF_BUDGET) from None
    except NoModelError as error:
        complain(str(error))
        raise typer.Exit(NO) from None
    if as_json:
        emit_json({**_to_json(model, output), **reading_json(base, coverage)})
    else:
        emit(_text(model, output))
    if not model.kept.any():
        report(
            f"no member is kept, so there will be no estimates: try more --epochs{_other(model)}"
            " or a higher --dim, and `boxsel check` to see whether the statements can be true"
            " together; `boxsel ask` on the knowledge base itself needs no members: it draws"
            " populations of its own"
        )
    raise typer.Exit(ANSWERED if model.kept.any() else NO)


class _Stop:
    """Whether somebody has asked to stop; whoever asks twice does not want to wait."""

    def __init__(self) -> None:
        self._asked = Event()

    def ask(self) -> None:
        if self._asked.is_set():
            complain("stopped at once; what was done since the last checkpoint is lost")
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        self._asked.set()
        report("stopping at the end of this epoch (Ctrl-C again: at once) ...")

    def is_asked(self) -> bool:
        return self._asked.is_set()


def _other(model: Model) -> str:
    """What may do better where a representation does not; a preset may be for this one only."""
    if model.settings.preset != "default":
        return ""
    boxes = model.settings.representation == "boxes"
    return f", --representation {'populations' if boxes else 'boxes'}"


def _to_json(model: Model, output: str) -> dict[str, Any]:
    from boxsel.models.files import metrics, parameter_counts, worst

    numbering = model.task.numbering
    return {
        "output": output,
        "statements": len(model.kb),
        "names": len(numbering.names),
        "roles": len(numbering.roles),
        "individuals": len(numbering.individuals),
        "empty": sorted(name.text(model.kb.prefixes) for name in model.task.empty),
        **metrics(model),
        "worst": worst(model),
        "parameters": parameter_counts(model),
        "settings": model.settings.to_json(),
        "provenance": dict(model.provenance),
        "ignored_axioms": model.kb.ignored_axioms,
        "ignored_assertions": len(model.ignored),
    }


def _text(model: Model, output: str) -> str:
    from boxsel.models.files import metrics, parameter_counts, worst

    content, about, kb = metrics(model), model.provenance, model.kb
    violation, counts = content["violation"], parameter_counts(model)
    resumed = f", resumed after epoch {about['resumed']}" if about["resumed"] else ""
    lines = [
        f"{output}: {content['kept']} of {content['members']} members kept"
        f" (violation at most {model.settings.tolerance:g})",
        f"  violation   least {violation['least']:.2g}, median {violation['median']:.2g},"
        f" largest {violation['largest']:.2g}",
        f"  mean error  {content['error']:.2g}",
        f"  parameters  {sum(counts.values()):,} a member, {counts['roles']:,} of roles",
        f"  time        {about['seconds']:.1f} s on {about['device']}{resumed}",
    ]
    if "chosen" in about:
        lines.append(f"  chosen      {model.settings.representation}: {about['chosen']}")
    if model.task.empty:
        names = shortened(sorted(map(kb.label, model.task.empty)), len(model.task.empty), ", ")
        lines.append(f"  left out, since they must be empty: {names}")
    if kb.ignored_axioms:
        lines.append(f"  ignores {several(kb.ignored_axioms, 'axiom')} left out on reading")
    if len(model.ignored):
        lines.append(
            f"  ignores {several(len(model.ignored), 'role assertion')}:"
            f" {model.settings.roles} cannot link individuals"
        )
    if content["breached"]:
        lines.append(
            f"  not kept    {content['breached']} members within the tolerance, since they put more"
            " than that of some name where it breaks an inclusion or a disjointness"
        )
    wrong = [one for one in worst(model) if one["violation"] > model.settings.tolerance]
    if wrong:
        lines.append("  violated most:")
        lines += [f"    {one['statement']}  by {one['violation']:.2g}" for one in wrong]
    return "".join(f"{line}\n" for line in lines)
