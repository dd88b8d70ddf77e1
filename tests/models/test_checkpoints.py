"""A run that was stopped, killed or failed goes on and ends with the same bits."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest

from boxsel import examples
from boxsel.errors import BoxselError, ReadError, WriteError
from boxsel.machine.locking import beside, locked
from boxsel.models import resumable
from boxsel.models.devices import device_name
from boxsel.models.files import BUSY
from boxsel.models.fit import fit, prepared
from boxsel.models.loading import load
from boxsel.models.model import Model
from boxsel.models.resumable import Checkpoint, StoppedError, advancing, fit_into
from boxsel.models.run import Run
from boxsel.models.settings import Settings
from boxsel.models.task import Task
from boxsel.models.tensors import flattened

# Nothing is within a tolerance of zero, so that no member comes to rest early.
SETTINGS = Settings(members=2, dim=2, batch=4, epochs=120, tolerance=0)
CLINIC = examples.load("clinic")


def after(calls: int) -> Callable[[], bool]:
    """Say yes once it has been asked so often."""
    asked = iter(range(calls))
    return lambda: next(asked, None) is None


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def same(one: Model, other: Model) -> bool:
    tables, others = flattened(one.parameters), flattened(other.parameters)
    return np.array_equal(one.history, other.history) and all(
        np.array_equal(tables[name], others[name]) for name in tables.keys() | others.keys()
    )


@pytest.fixture(scope="module")
def straight() -> Model:
    return fit(CLINIC, SETTINGS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "clinic.model"


@pytest.fixture
def checkpoint(folder: Path) -> Checkpoint:
    return Checkpoint.of(folder, "text", SETTINGS, "cpu")


@pytest.fixture(scope="module")
def run() -> Run:
    return prepared(Task.of(CLINIC), SETTINGS)


@pytest.mark.parametrize("calls", [1, 2, 4])
def test_stopped_and_resumed_is_the_same(straight: Model, folder: Path, calls: int) -> None:
    with pytest.raises(StoppedError, match="the same command goes on"):
        fit_into(folder, CLINIC, SETTINGS, stopped=after(calls - 1))
    assert beside(folder, "checkpoint").exists()
    assert not folder.exists()
    resumed = fit_into(folder, CLINIC, SETTINGS)
    assert same(resumed, straight)
    assert same(load(folder), straight)
    assert resumed.provenance["resumed"] > 0
    assert names_in(folder.parent) == [folder.name], "neither checkpoint nor lock is left"


def test_stopped_again_and_again(straight: Model, folder: Path) -> None:
    for _ in range(3):
        with pytest.raises(StoppedError):
            fit_into(folder, CLINIC, SETTINGS, stopped=lambda: True)
    assert same(fit_into(folder, CLINIC, SETTINGS), straight)


def test_without_interruption_it_is_fit(straight: Model, folder: Path) -> None:
    model = fit_into(folder, CLINIC, SETTINGS, every=0)
    assert same(model, straight)
    assert model.provenance["resumed"] == 0
    assert model.provenance["device"] == device_name(jax.devices()[0])
    assert names_in(folder.parent) == [folder.name]


@pytest.mark.deep
def test_double_precision_survives(folder: Path) -> None:
    chosen = replace(SETTINGS, preset="paper")
    with pytest.raises(StoppedError):
        fit_into(folder, CLINIC, chosen, stopped=lambda: True)
    assert same(fit_into(folder, CLINIC, chosen), fit(CLINIC, chosen))


@pytest.mark.parametrize("failure", [KeyboardInterrupt, RuntimeError, MemoryError])
def test_failures_leave_a_checkpoint(
    straight: Model,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    failure: type[BaseException],
) -> None:
    def broken(run: Run, *_: object, **__: object) -> Iterator[Run]:
        yield run.advanced()
        raise failure

    with monkeypatch.context() as patch:
        patch.setattr(resumable, "advancing", broken)
        expected = BoxselError if failure is MemoryError else failure
        with pytest.raises(expected, match="lower" if failure is MemoryError else None):
            fit_into(folder, CLINIC, SETTINGS)
    assert beside(folder, "checkpoint").exists()
    assert same(fit_into(folder, CLINIC, SETTINGS), straight)


def test_a_model_that_cannot_be_saved_is_not_lost(
    straight: Model, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise WriteError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(resumable, "write_folder", full)
        with pytest.raises(WriteError, match="No space"):
            fit_into(folder, CLINIC, SETTINGS)
    resumed = fit_into(folder, CLINIC, SETTINGS)
    assert resumed.provenance["resumed"] >= 120, "there was nothing left to train"
    assert same(resumed, straight)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 1}, "seed was 0, now 1"),
        ({"members": 3, "dim": 4}, "members was 2, now 3; dim was 2, now 4"),
        ({"rate": 0.5}, "rate was None, now 0.5"),
    ],
)
def test_another_run_does_not_go_on(
    run: Run, checkpoint: Checkpoint, folder: Path, change: dict[str, float], said: str
) -> None:
    checkpoint.write(run)
    other = Checkpoint.of(folder, "text", replace(SETTINGS, **change), "cpu")  # type: ignore[arg-type]
    with pytest.raises(BoxselError) as caught:
        other.resumed(run)
    assert said in str(caught.value)
    assert "--restart" in str(caught.value)


def test_another_knowledge_base_or_device_is_another_run(
    run: Run, checkpoint: Checkpoint, folder: Path
) -> None:
    checkpoint.write(run)
    for text, device, said in (
        ("other", "cpu", "the knowledge base differs"),
        ("text", "gpu: X", "the device was cpu, now gpu: X"),
    ):
        with pytest.raises(BoxselError, match=said):
            Checkpoint.of(folder, text, SETTINGS, device).resumed(run)


def test_restart_discards(straight: Model, folder: Path) -> None:
    with pytest.raises(StoppedError):
        fit_into(folder, CLINIC, replace(SETTINGS, seed=1), stopped=lambda: True)
    with pytest.raises(BoxselError, match="seed was 1, now 0"):
        fit_into(folder, CLINIC, SETTINGS)
    model = fit_into(folder, CLINIC, SETTINGS, restart=True)
    assert same(model, straight)
    assert model.provenance["resumed"] == 0


@pytest.mark.parametrize("keep", [0, 7, 100, -1])
def test_a_damaged_checkpoint_is_said(run: Run, checkpoint: Checkpoint, keep: int) -> None:
    checkpoint.write(run)
    checkpoint.path.write_bytes(checkpoint.path.read_bytes()[:keep])
    with pytest.raises(ReadError, match=r"damaged\n  help: .*--restart"):
        checkpoint.resumed(run)


def test_a_checkpoint_that_cannot_be_written_is_noticed(
    run: Run, checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint.write(run)
    before = checkpoint.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    notices: list[str] = []
    runs = advancing(run, checkpoint, every=0, stopped=lambda: False, notice=notices.append)
    assert next(runs).epoch > run.epoch
    assert "No space left" in notices[0]
    with pytest.raises(WriteError, match="No space left"):
        next(advancing(run, checkpoint, stopped=lambda: True, notice=notices.append))
    assert checkpoint.path.read_bytes() == before
    assert names_in(checkpoint.path.parent) == [checkpoint.path.name]


def test_checkpoints_come_at_most_so_often(run: Run, checkpoint: Checkpoint) -> None:
    for _ in advancing(run, checkpoint, every=1e6, stopped=lambda: False, notice=print):
        assert not checkpoint.exists()


def test_what_a_kill_left_is_cleaned_up(run: Run, checkpoint: Checkpoint) -> None:
    left = checkpoint.path.with_name(f".{checkpoint.path.name}.abc")
    left.write_bytes(b"half")
    checkpoint.write(run)
    assert not left.exists()


def test_two_at_once(folder: Path) -> None:
    with locked(folder, BUSY), pytest.raises(BoxselError, match="another process"):
        fit_into(folder, CLINIC, SETTINGS)
    with locked(folder, BUSY):
        pass
    assert names_in(folder.parent) == []


def test_too_much_is_refused_before_it_is_tried(folder: Path) -> None:
    chosen = replace(SETTINGS, members=10**6, dim=10**6)
    with pytest.raises(BoxselError, match="lower --members, --dim or --batch"):
        fit_into(folder, CLINIC, chosen)
