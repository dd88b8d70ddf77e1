"""The ontologies in the folder of an evaluation: counted once, and the same ones ever after."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from boxsel.errors import BoxselError, WriteError
from boxsel.evaluation.ontologies.manifest import Entry, read_manifest, write_manifest
from boxsel.evaluation.ontologies.recipe import Recipe
from boxsel.evaluation.ontologies.registry import recipe_of
from boxsel.evaluation.ontologies.sources import hashes
from boxsel.evaluation.ontology import Ontology
from boxsel.formats.source import write_atomically
from boxsel.machine.progress import track

ONTOLOGIES: Final = "ontologies"

_AGAIN: Final = "remove it, and it is counted anew"


def prepared(folder: Path, names: Sequence[str], data: Path | None = None) -> dict[str, Ontology]:
    """The ontologies of some names, from the folder; what is missing there is counted first.

    `data` is the folder of the data sets. All names and files are looked up before any work.

    Examples:
        >>> import tempfile
        >>> found = prepared(Path(tempfile.mkdtemp()), ["small"])
        >>> found["small"].size
        12

    Raises:
        BoxselError: A name is unknown, data is missing, or a file was changed since.
    """
    recipes = {name: recipe_of(name) for name in names}
    known = read_manifest(folder)
    missing = {
        name: recipe
        for name, recipe in recipes.items()
        if name not in known or not path_of(folder, name).exists()
    }
    files = {name: _files(recipe, data) for name, recipe in missing.items()}
    make(folder / ONTOLOGIES)
    for name, recipe in track(missing.items(), "counting ontologies", len(missing)):
        ontology = recipe.build(files[name])
        entry = Entry.of(ontology, hashes(files[name]))
        if name in known and known[name].digest != entry.digest:
            raise BoxselError(
                f"{path_of(folder, name)}: this file is gone, and counting anew gives another"
                f" ontology than the manifest says\n  help: {_different(known[name], entry)}"
            )
        save(path_of(folder, name), ontology)
        known[name] = entry
        write_manifest(folder, known)
    return {name: load_checked(folder, known[name]) for name in recipes}


def path_of(folder: Path, name: str) -> Path:
    """The file of an ontology."""
    return folder / ONTOLOGIES / f"{name}.npz"


def save(path: Path, ontology: Ontology) -> None:
    """Write an ontology whole or not at all."""
    stream = io.BytesIO()
    np.savez_compressed(stream, **ontology.arrays())  # type: ignore[arg-type]
    write_atomically(path, stream.getvalue())


def load_ontology(path: Path) -> Ontology:
    """Read an ontology that `save` wrote.

    Raises:
        BoxselError: There is no such file, or it is not one of an ontology.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BoxselError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return Ontology.from_arrays(arrays)
    except Exception:  # zip, zlib, NumPy and JSON each have their own for damaged bytes
        raise BoxselError(
            f"{path}: this is not the file of an ontology, or it is damaged\n  help: {_AGAIN}"
        ) from None


def load_checked(folder: Path, entry: Entry) -> Ontology:
    """The ontology that an entry of the manifest is about.

    Raises:
        BoxselError: The file is not what the manifest says.
    """
    path = path_of(folder, entry.name)
    ontology = load_ontology(path)
    if ontology.digest() != entry.digest:
        raise BoxselError(
            f"{path}: this file was changed: its digest is not that of the manifest"
            f"\n  help: {_AGAIN}"
        )
    return ontology


def _files(recipe: Recipe, data: Path | None) -> dict[str, Path]:
    return recipe.sources.find(data) if recipe.sources is not None else {}


def _different(known: Entry, entry: Entry) -> str:
    if dict(known.sources) != dict(entry.sources):
        return "the data files are others than before: use those, or another folder"
    return f"boxsel {known.version} counted it, this is {entry.version}: use another folder"


def make(folder: Path) -> None:
    """Make a folder, and those that it is in.

    Raises:
        WriteError: That is not possible.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder}: cannot be made: {error.strerror or error}") from None
