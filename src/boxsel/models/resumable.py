"""Training into a folder: interrupted or killed, the same call goes on where it was.

A checkpoint is one file beside the model folder that the run is for. It holds all that changes
while training, to the last bit, and says which run it is of: a run goes on only from its own.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import Any, Final

import jax
import numpy as np

from boxsel.errors import BoxselError, ReadError, WriteError
from boxsel.formats.registry import format_named
from boxsel.formats.source import write_atomically
from boxsel.logic.kb import KB
from boxsel.machine.locking import beside, locked
from boxsel.machine.progress import note, track
from boxsel.models.choosing import settings_for
from boxsel.models.devices import enough_memory, on_device
from boxsel.models.files import BUSY, check_place, provenance, versions, write_folder
from boxsel.models.fit import finished, prepared, require_coherent, told
from boxsel.models.model import Model
from boxsel.models.run import Run
from boxsel.models.settings import Settings
from boxsel.models.task import Task
from boxsel.models.tensors import AnyArray, TensorFile, read_bytes, sha256, to_bytes
from boxsel.models.training import State

CHECKPOINT_SECONDS: Final = 30.0
"""Seconds between checkpoints, unless asked otherwise."""

VERSION: Final = 1
"""Changes whenever a checkpoint of before would not lead to the same numbers."""

_ADVICE: Final = "go on with the same, or discard it with --restart"


@dataclass(frozen=True)
class Checkpoint:
    """Where the checkpoint of a run is, and which run it is of."""

    path: Path
    identity: Mapping[str, Any]

    @classmethod
    def of(cls, folder: Path, text: str, settings: Settings, device: str) -> Checkpoint:
        """The checkpoint of a run: `text` is its knowledge base in `.sel`."""
        found = versions()
        return cls(
            beside(folder, "checkpoint"),
            {
                "checkpoint": VERSION,
                "the knowledge base": sha256(text.encode()),
                "boxsel": found["boxsel"],
                "jax": found["jax"],
                "the device": device,
                **settings.to_json(),
            },
        )

    def write(self, run: Run, seconds: float = 0.0) -> None:
        """Write a run, whole or not at all; `seconds` is how long it has taken so far.

        Raises:
            WriteError: It cannot be written.
        """
        tensors = {**_named(run.state), "history": run.losses}
        about = {"identity": self.identity, "epoch": run.epoch, "seconds": seconds}
        self._forget_unfinished()
        write_atomically(self.path, to_bytes(tensors, about))

    def exists(self) -> bool:
        """Whether there is a file."""
        return self.path.exists()

    def remove(self) -> None:
        """Forget the run."""
        self._forget_unfinished()
        self.path.unlink(missing_ok=True)

    def _forget_unfinished(self) -> None:
        """Remove what was left when a process was killed while it wrote a checkpoint."""
        for left in self.path.parent.glob(f".{escape(self.path.name)}.*"):
            left.unlink(missing_ok=True)

    def resumed(self, run: Run) -> tuple[Run, float]:
        """A run that was just prepared, as far as the checkpoint is, and the seconds that took.

        Without a checkpoint it is the run itself.

        Raises:
            BoxselError: The checkpoint is of another run.
            ReadError: It is damaged.
        """
        if not self.exists():
            return run, 0.0
        try:
            file = TensorFile.of(read_bytes(self.path), str(self.path))
            self._require_own(file.about.get("identity"))
            return self._restored(run, file)
        except ReadError as error:
            (problem,) = error.diagnostics
            advice = "discard it with --restart: training starts again"
            raise ReadError(replace(problem, help=advice)) from None

    def _require_own(self, identity: object) -> None:
        """Say what differs, if the checkpoint is not of this run."""
        theirs = identity if isinstance(identity, dict) else {}
        ours = dict(self.identity)
        differences = [
            f"{name} {'differs' if len(str(ours.get(name))) == 64 else _change(theirs, ours, name)}"
            for name in {**ours, **theirs}
            if theirs.get(name) != ours.get(name)
        ]
        if differences:
            raise BoxselError(
                f"{self.path}: the checkpoint is of another run: {'; '.join(differences)}\n"
                f"  help: {_ADVICE}"
            )

    def _restored(self, run: Run, file: TensorFile) -> tuple[Run, float]:
        try:
            epoch, seconds = int(file.about["epoch"]), float(file.about["seconds"])
        except (KeyError, TypeError, ValueError):
            raise file.wrong("the header does not say how far the run is") from None
        before = run.state
        named = _named(before)
        restored = [file.taken(name, leaf.shape, leaf.dtype.type) for name, leaf in named.items()]
        calls = epoch // run.plan.stride
        history = file.taken("history", (calls, run.members), np.float64)
        file.only({*named, "history"})
        state = jax.tree.unflatten(jax.tree.structure(before), restored)
        after = replace(run, epoch=epoch, history=tuple(history))
        return after.with_state(state), seconds


def advancing(
    run: Run,
    checkpoint: Checkpoint,
    *,
    every: float = CHECKPOINT_SECONDS,
    spent: float = 0.0,
    stopped: Callable[[], bool],
    notice: Callable[[str], None],
) -> Iterator[Run]:
    """The run, step after step, with a checkpoint whenever `every` seconds have passed.

    It ends when the run is done; or when it is `stopped`, and then with a checkpoint. Only what was
    done since the last one is ever lost. If one cannot be written, there is a `notice`, and it is
    tried again later: what is trained may yet find its place.

    Raises:
        WriteError: The checkpoint of a run that was stopped cannot be written.
    """
    begun = last = time.monotonic()
    said = ""
    while not run.done:
        run = run.advanced()
        now = time.monotonic()
        ends = stopped() and not run.done
        # What follows the last epoch takes its time too: a long run is not trained twice for it.
        if ends or now - (begun if run.done else last) >= every:
            try:
                checkpoint.write(run, spent + now - begun)
            except WriteError as error:
                if ends:
                    raise
                if str(error) != said:  # once is enough
                    notice(f"no checkpoint, training goes on: {error}")
                said = str(error)
            last = time.monotonic()
        yield run
        if ends:
            return


def _named(state: State) -> dict[str, AnyArray]:
    """The arrays of a state by their path in it."""
    found, _ = jax.tree_util.tree_flatten_with_path(state)
    return {
        jax.tree_util.keystr(path, simple=True, separator="/"): np.asarray(leaf)
        for path, leaf in found
    }


def _change(theirs: Mapping[str, Any], ours: Mapping[str, Any], name: str) -> str:
    return f"was {theirs.get(name)}, now {ours.get(name)}"


class StoppedError(BoxselError):
    """Training was stopped before its end; a checkpoint has what was done."""


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def fit_into(
    folder: str | os.PathLike[str],
    kb: KB,
    settings: Settings | Mapping[str, Any] | None = None,
    *,
    device: str = "auto",
    every: float = CHECKPOINT_SECONDS,
    restart: bool = False,
    stopped: Callable[[], bool] = lambda: False,
    notice: Callable[[str], None] = _warn,
    text: str | None = None,
) -> Model:
    """Train an ensemble and save it in a folder; go on from a checkpoint, if there is one.

    Settings are one value, or a mapping of those that are chosen by name: if that leaves open what
    the members are, the shape of the knowledge base decides, in the same way whenever it goes on.

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
    target = Path(folder)
    chosen, choice = (
        (settings, None) if isinstance(settings, Settings) else settings_for(kb, settings or {})
    )
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
                calls = -(-(run.plan.epochs - run.epoch) // run.plan.stride)
                for run in track(runs, "training", calls):
                    note(_progress(run))
                _require_done(run, checkpoint)
                about = provenance(chosen, device_name, time.monotonic() - begun, resumed)
                about |= {"coherence": coherence, **told(choice)}
                model = replace(finished(task, chosen, run), provenance=about)
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
