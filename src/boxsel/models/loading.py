"""Reading model folders: nothing is trusted, hashes, names, shapes and values are all checked."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.formats import sel
from boxsel.formats.source import Source
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.models.arrays import Parameters
from boxsel.models.files import FORMAT, KB_FILE, MODEL_FILE, VERSION, WEIGHTS_FILE
from boxsel.models.model import Model
from boxsel.models.representations.representation import Sizes
from boxsel.models.settings import Settings
from boxsel.models.task import Task
from boxsel.models.tensors import TensorFile, flattened, read_bytes, sha256
from boxsel.models.violations import Scores

SCORES: Final = ("violation", "mean", "error", "breach")
"""What the weights say of each member."""


def load(folder: str | os.PathLike[str]) -> Model:
    """The model in a folder.

    Raises:
        ReadError: A file is missing, cut short, altered, of something else or of a newer boxsel.
    """
    place = Path(folder)
    about = _about(place)
    file = str(place / MODEL_FILE)
    try:
        settings = Settings.from_json(about["settings"])
    except (TypeError, BoxselError) as error:
        raise _damaged(f"the settings are not those of this version ({error})", file) from None
    data = _read(place / KB_FILE)
    if sha256(data) != about["kb_sha256"]:
        raise _damaged("the text is not the one that was trained", str(place / KB_FILE))
    kb = sel.read(Source(str(place / KB_FILE), data))
    task = _task(kb, about, file)
    weights = _weights(place / WEIGHTS_FILE, about)
    parameters = _parameters(weights, task, settings)
    scores = _scores(weights, about, kb, settings, file)
    history = weights.tensors.get("history", np.zeros(0))
    steps = history.shape[0] if history.ndim else 0
    history = weights.taken("history", (steps, settings.members), np.float64)
    weights.only({*flattened(parameters), "history", *SCORES})
    return Model(
        task,
        settings,
        parameters,
        history,
        _directed(kb, about["directed"], file),
        about["provenance"],
        scores,
    )


def _about(place: Path) -> dict[str, Any]:
    """What `model.json` says, with every entry that reading needs."""
    advice = f"train one: boxsel fit {place} -o MODEL"
    try:
        if place.is_file() or str(place) == "-":
            problem = "this is a file, not a model folder"
            advice += "; boxsel bounds answers from a knowledge base alone"
            raise ReadError(Diagnostic(problem, str(place), help=advice))
        if not place.exists():
            advice = "train one: boxsel fit KB -o MODEL"
            raise ReadError(Diagnostic("there is no such model folder", str(place), help=advice))
        if not (place / MODEL_FILE).exists():
            advice = "a model folder is what `boxsel fit KB -o MODEL` writes"
            problem = f"this folder holds no model: {MODEL_FILE} is missing"
            raise ReadError(Diagnostic(problem, str(place), help=advice))
    except (OSError, ValueError) as error:
        raise ReadError(
            Diagnostic(f"cannot be read: {getattr(error, 'strerror', None) or error}", str(place))
        ) from None
    file = str(place / MODEL_FILE)
    try:
        content = json.loads(read_bytes(place / MODEL_FILE))
    except (ValueError, RecursionError):
        raise _damaged("this is not JSON, or it is cut short", file) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        advice = "a model folder is what `boxsel fit KB -o MODEL` writes"
        raise ReadError(Diagnostic("this does not describe a boxsel model", file, help=advice))
    version = content.get("version")
    if isinstance(version, int) and version > VERSION:
        problem = f"this model has the format {version}, and this boxsel reads up to {VERSION}"
        raise ReadError(Diagnostic(problem, file, help="install a newer boxsel"))
    kinds = {
        "version": int,
        "settings": dict,
        "kb_sha256": str,
        "weights_sha256": str,
        "names": list,
        "roles": list,
        "individuals": list,
        "directed": str | None,
        "provenance": dict,
        "worst": list,
    }
    for name, kind in kinds.items():
        if name not in content or not isinstance(content[name], kind):
            raise _damaged(f"the entry {name!r} is missing or not of its type", file)
    return content


def _task(kb: KB, about: Mapping[str, Any], file: str) -> Task:
    try:
        task = Task.of(kb)
    except BoxselError as error:
        raise _damaged(f"the knowledge base cannot be numbered: {error}", file) from None
    numbering = task.numbering
    for kind, things in (
        ("names", numbering.names),
        ("roles", numbering.roles),
        ("individuals", numbering.individuals),
    ):
        if about[kind] != [entity.iri for entity in things]:
            raise _damaged(f"the {kind} are not those of the knowledge base", file)
    return task


def _weights(path: Path, about: Mapping[str, Any]) -> TensorFile:
    data = _read(path)
    if sha256(data) != about["weights_sha256"]:
        raise _damaged("these are not the weights that were saved, or not all of them", str(path))
    weights = TensorFile.of(data, str(path))
    for name in ("settings", "kb_sha256"):
        if weights.about.get(name) != about[name]:
            raise _damaged(f"the {name} differ from those in {MODEL_FILE}", str(path))
    return weights


def _parameters(weights: TensorFile, task: Task, settings: Settings) -> Parameters:
    """All tables that the representation has, in the shapes that it gives them."""
    # One member shows which tables there are.
    pattern = settings.chosen_representation().initial(
        np.random.default_rng(0), Sizes.of(task.numbering, 1)
    )
    return {
        kind: {
            name: weights.taken(
                f"{kind}/{name}",
                (table.shape[0], settings.members, *table.shape[2:]),
                np.float32,
                np.float64,
            ).astype(np.float64)
            for name, table in tables.items()
        }
        for kind, tables in pattern.items()
    }


def _scores(
    weights: TensorFile, about: Mapping[str, Any], kb: KB, settings: Settings, file: str
) -> Scores:
    worst: list[tuple[Statement, float]] = []
    for one in about["worst"]:
        try:
            place, violation = int(one["place"]), float(one["violation"])
        except (TypeError, KeyError, ValueError, OverflowError):
            place, violation = -1, 0.0
        if not 0 <= place < len(kb):
            raise _damaged("the entry 'worst' names statements that there are not", file)
        worst.append((kb.statements[place], violation))
    largest, mean, errors, breaches = (
        weights.taken(name, (settings.members,), np.float64) for name in SCORES
    )
    return Scores(largest, mean, errors, breaches, tuple(worst))


def _directed(kb: KB, text: str | None, file: str) -> Query | None:
    if text is None:
        return None
    try:
        return kb.query(text)
    except ReadError as error:
        problem = error.diagnostics[0].message
        raise _damaged(f"the entry 'directed' is no query: {problem}", file) from None


def _read(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except ReadError as error:
        raise _damaged(error.diagnostics[0].message, str(path)) from None


def _damaged(problem: str, file: str) -> ReadError:
    advice = "the model was altered or damaged: train it again (boxsel fit), or restore the folder"
    return ReadError(Diagnostic(problem, file, help=advice))
