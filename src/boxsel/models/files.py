"""Model folders: a knowledge base, the weights of an ensemble trained on it, and what it is.

`kb.sel` is the knowledge base as text, `weights.safetensors` has all tables and the scores of each
member, `model.json` tells how they came about. Nothing in it is code. `loading` reads them.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Final

import numpy as np

from boxsel.errors import WriteError
from boxsel.formats.registry import format_named
from boxsel.machine.locking import locked
from boxsel.models.description import KB_FILE, MODEL_FILE, WEIGHTS_FILE, described
from boxsel.models.loading import load
from boxsel.models.model import Model
from boxsel.models.tensors import AnyArray, flattened, sha256, to_bytes

__all__ = ["BUSY", "FILES", "SAVING", "check_place", "load", "save", "write_folder"]

FILES: Final = frozenset({KB_FILE, MODEL_FILE, WEIGHTS_FILE})

SAVING: Final = ".saving"
"""How the name of a folder ends that is not yet whole."""

BUSY: Final = "training or saving this model: wait for it, or choose another folder with -o"
"""What is said of a model folder that another process holds."""


def save(model: Model, folder: str | os.PathLike[str]) -> None:
    """Write a model to a folder, whole or not at all.

    A model that is there already is replaced; anything else is left alone.

    Raises:
        WriteError: There is something else at this place, or it cannot be written.
    """
    target = Path(folder)
    check_place(target)
    with locked(target, BUSY):
        write_folder(model, target)


def check_place(folder: str | os.PathLike[str]) -> None:
    """Refuse a place where no model can go, before the work whose result should go there.

    Raises:
        WriteError: There is no such place, or it is taken by something that is not a model.
    """
    target = Path(folder)
    try:
        if not target.resolve().parent.is_dir():
            raise WriteError(f"{target}: the folder that it should be in does not exist")
        if not target.exists():
            return
        if not target.is_dir():
            raise WriteError(f"{target}: this is not a folder: give the name of a new one")
        held = {entry.name for entry in target.iterdir()}
    except (OSError, ValueError) as error:
        raise WriteError(f"{target}: cannot be written: {_reason(error)}") from None
    if held and not (MODEL_FILE in held and held <= FILES):
        raise WriteError(
            f"{target}: this folder holds other things than a model: give the name of a new one"
        )


def write_folder(model: Model, folder: Path, text: str | None = None) -> None:
    """Write a model to a place that is checked and locked; `text` is its knowledge base in `.sel`.

    A kill between the last two steps leaves the old model under another name beside the new one.
    """
    target = folder.resolve()
    contents = _contents(model, format_named("sel").write(model.kb) if text is None else text)
    temporary = None
    try:
        _forget_unfinished(target)
        temporary = Path(
            tempfile.mkdtemp(prefix=f".{target.name}.", suffix=SAVING, dir=target.parent)
        )
        fresh = temporary / "new"
        fresh.mkdir()
        for name, data in contents.items():
            with (fresh / name).open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        if target.exists():
            target.rename(temporary / "old")
        fresh.rename(target)
    except OSError as error:
        raise WriteError(f"{folder}: cannot be written: {_reason(error)}") from None
    finally:
        if temporary is not None:
            _put_back(temporary / "old", target)
            shutil.rmtree(temporary, ignore_errors=True)


def _contents(model: Model, text: str) -> dict[str, bytes]:
    """The files of a model, by name."""
    tables = {name: _narrowed(table) for name, table in flattened(model.parameters).items()}
    scores = model.scores
    tensors: dict[str, AnyArray] = {
        **tables,
        "history": np.asarray(model.history, np.float64),
        "violation": np.asarray(scores.largest, np.float64),
        "mean": np.asarray(scores.mean, np.float64),
        "error": np.asarray(scores.errors, np.float64),
        "breach": np.asarray(scores.breaches, np.float64),
    }
    for name, table in tensors.items():
        if not np.isfinite(table).all():
            raise WriteError(
                f"the training diverged: {name} holds numbers that are not finite;"
                " train again with a lower --rate"
            )
    data = text.encode()
    identity = {"settings": model.settings.to_json(), "kb_sha256": sha256(data)}
    weights = to_bytes(tensors, identity)
    about = described(model) | identity | {"weights_sha256": sha256(weights)}
    written = json.dumps(about, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    return {KB_FILE: data, WEIGHTS_FILE: weights, MODEL_FILE: written.encode()}


def _narrowed(table: AnyArray) -> AnyArray:
    """Single precision where that loses nothing: what was trained in it takes half the place."""
    with np.errstate(over="ignore"):
        single = table.astype(np.float32)
    return single if np.array_equal(single, table) else np.asarray(table, np.float64)


def _forget_unfinished(target: Path) -> None:
    """Remove what a killed process left: whoever writes has the lock, so nobody uses it."""
    for left in target.parent.glob(f".{escape(target.name)}.*{SAVING}"):
        _put_back(left / "old", target)
        shutil.rmtree(left, ignore_errors=True)


def _put_back(old: Path, target: Path) -> None:
    """Undo the first half of a replacement that did not come to its second."""
    if not target.exists():
        with suppress(OSError):
            old.rename(target)


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error
