"""Training into a folder: interrupted or killed, the same call goes on where it was."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from boxsel.errors import BoxselError
from boxsel.formats.registry import format_named
from boxsel.logic.kb import KB
from boxsel.machine.locking import locked
from boxsel.machine.progress import note, track
from boxsel.models.checkpoints import EVERY, Checkpoint, advancing
from boxsel.models.description import provenance
from boxsel.models.devices import enough_memory, on_device
from boxsel.models.files import BUSY, check_place, write_folder
from boxsel.models.fit import finished, prepared, require_coherent
from boxsel.models.model import Model
from boxsel.models.run import Run
from boxsel.models.settings import Settings
from boxsel.models.task import Task


class StoppedError(BoxselError):
    """Training was stopped before its end; a checkpoint has what was done."""


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def _never() -> bool:
    return False


def fit_into(
    folder: str | os.PathLike[str],
    kb: KB,
    settings: Settings | None = None,
    *,
    device: str = "auto",
    every: float = EVERY,
    restart: bool = False,
    stopped: Callable[[], bool] = _never,
    notice: Callable[[str], None] = _warn,
    text: str | None = None,
) -> Model:
    """Train an ensemble and save it in a folder; go on from a checkpoint, if there is one.

    A checkpoint is written every so many seconds and whenever training is `stopped` or fails.
    `restart` discards the one that is there. A `notice` is what one should know but can live with.
    `text` is the knowledge base in `.sel`, if it was read from there: large ones take a while to
    write.

    Raises:
        StoppedError: Training was stopped.
        NoModelError: There is nothing that could be trained.
        WriteError: The model cannot be written; the old one, if any, is untouched.
        BoxselError: The checkpoint is of another run; another process is at it; there is not
            enough memory.
    """
    target, chosen = Path(folder), settings or Settings()
    check_place(target)
    with locked(target, BUSY), on_device(device) as device_name:
        task = Task.of(kb)
        coherence = require_coherent(task)
        written = format_named("sel").write(kb) if text is None else text
        checkpoint = Checkpoint.of(target, written, chosen, device_name)
        if restart:
            checkpoint.remove()
        with enough_memory(task, chosen):
            run, spent = checkpoint.resumed(prepared(task, chosen))
            resumed, begun = run.epoch, time.monotonic() - spent
            runs = advancing(
                run, checkpoint, every=every, spent=spent, stopped=stopped, notice=notice
            )
            try:
                for run in track(runs, "training", _calls_left(run)):  # noqa: B020
                    note(_progress(run))
                _require_done(run, checkpoint)
                about = provenance(chosen, device_name, time.monotonic() - begun, resumed)
                model = replace(
                    finished(task, chosen, run), provenance={**about, "coherence": coherence}
                )
                write_folder(model, target, written)
            except StoppedError:
                raise
            except BaseException:
                if run.epoch > resumed:
                    with suppress(BoxselError, MemoryError):
                        checkpoint.write(run, time.monotonic() - begun)
                raise
        checkpoint.remove()
    return model


def _calls_left(run: Run) -> int:
    return -(-(run.plan.epochs - run.epoch) // run.plan.stride)


def _progress(run: Run) -> str:
    said = f"epoch {run.epoch} of {run.plan.epochs}, loss {run.history[-1].mean():.2g}"
    if run.largest is None:
        return said
    # The loss of a row is about what it is violated by, while lengths are soft.
    return f"{said}, violation about {np.median(run.largest):.2g} (least {run.largest.min():.2g})"


def _require_done(run: Run, checkpoint: Checkpoint) -> None:
    if not run.done:
        raise StoppedError(
            f"stopped after epoch {run.epoch} of {run.plan.epochs}: the same command goes on from"
            f" there ({checkpoint.path.name} has what was done; --restart discards it)"
        )
