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
from datetime import UTC, datetime
from glob import escape
from importlib.metadata import version
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np

from boxsel._version import __version__
from boxsel.errors import WriteError
from boxsel.formats.registry import format_named
from boxsel.machine.locking import locked
from boxsel.models.model import Model
from boxsel.models.settings import Settings
from boxsel.models.tensors import AnyArray, flattened, sha256, to_bytes

FORMAT: Final = "boxsel-model"
VERSION: Final = 1

KB_FILE: Final = "kb.sel"
MODEL_FILE: Final = "model.json"
WEIGHTS_FILE: Final = "weights.safetensors"


def versions() -> dict[str, str]:
    """The versions of what a training run rests on."""
    return {"boxsel": __version__, "jax": version("jax"), "numpy": version("numpy")}


def provenance(settings: Settings, device: str, seconds: float, resumed: int = 0) -> dict[str, Any]:
    """How a model came about; `resumed` is the epoch from which a later run went on."""
    return {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": settings.seed,
        "device": device,
        "seconds": round(seconds, 3),
        "resumed": resumed,
    }


def described(model: Model) -> dict[str, Any]:
    """What is to be known about a model beside its settings and hashes."""
    numbering, kb = model.task.numbering, model.kb
    fresh = {name: concept for concept, name in numbering.atoms.items()}
    return {
        "format": FORMAT,
        "version": VERSION,
        "versions": versions(),
        "provenance": dict(model.provenance),
        "metrics": metrics(model),
        "worst": worst(model),
        "parameters": parameter_counts(model),
        "statements": len(kb),
        "ignored_axioms": kb.ignored_axioms,
        "names": [name.iri for name in numbering.names],
        "fresh": {
            name.iri: fresh[name].text(kb.prefixes) for name in numbering.names if name in fresh
        },
        "roles": [role.iri for role in numbering.roles],
        "individuals": [individual.iri for individual in numbering.individuals],
        "empty": sorted(name.iri for name in model.task.empty),
        "directed": None if model.directed is None else model.directed.text(kb.prefixes),
    }


def metrics(model: Model) -> dict[str, Any]:
    """How well the members satisfy the knowledge base.

    The error is the paper's mean absolute error, averaged over the members kept (over all, if none
    is).
    """
    scores, kept = model.scores, model.kept
    chosen = kept if kept.any() else ~kept
    return {
        "members": model.settings.members,
        "kept": int(kept.sum()),
        "breached": int((scores.largest <= model.settings.tolerance).sum() - kept.sum()),
        "violation": {
            "least": float(scores.largest.min()),
            "median": float(np.median(scores.largest)),
            "mean": float(scores.largest.mean()),
            "largest": float(scores.largest.max()),
        },
        "error": float(scores.errors[chosen].mean()),
        "loss": float(model.history[-1].mean()) if len(model.history) else None,
    }


def worst(model: Model) -> list[dict[str, Any]]:
    """The statements that are violated most: where they stand, what they say, how much."""
    places = {id(statement): place for place, statement in enumerate(model.kb.statements)}
    return [
        {
            "place": places[id(statement)],
            "statement": statement.axiom.text(model.kb.prefixes),
            "violation": violation,
        }
        for statement, violation in model.scores.worst
    ]


def parameter_counts(model: Model) -> dict[str, int]:
    """How many numbers one member has, by what they are about; ⊤ and the identity have none."""
    numbering = model.task.numbering
    rows = {
        "names": len(numbering.names),
        "roles": len(numbering.roles),
        "individuals": len(numbering.individuals),
        "cells": 1,
    }
    counts = {
        kind: rows[kind] * sum(prod(table.shape[2:]) for table in tables.values())
        for kind, tables in model.parameters.items()
    }
    # What roles keep beside names (the bumps of dual boxes) is about roles.
    both = counts["names"] + counts["roles"]
    about_roles = model.representation.roles.size(rows["roles"], rows["names"], model.settings.dim)
    return counts | {"names": both - about_roles, "roles": about_roles}


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
