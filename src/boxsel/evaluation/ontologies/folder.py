"""The ontologies in the folder of an evaluation: counted once, and the same ones ever after.

The manifest says of each what was counted, and from which files.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from boxsel._version import __version__
from boxsel.errors import BoxselError, Diagnostic, ReadError, WriteError
from boxsel.evaluation.conditionals import SHAPES
from boxsel.evaluation.ontologies.recipe import Recipe, hashes
from boxsel.evaluation.ontologies.registry import recipe_of
from boxsel.evaluation.ontology import Ontology
from boxsel.formats.source import load, write_atomically
from boxsel.machine.progress import track

MANIFEST: Final = "manifest.json"

_VERSION: Final = 1

ONTOLOGIES: Final = "ontologies"

_AGAIN: Final = "remove it, and it is counted anew"


@dataclass(frozen=True)
class Entry:
    """One ontology of a manifest.

    `listed` and `defined` are numbers of conditionals by shape: in the paper's enumeration, and of
    those the ones whose body is not empty. `sources` are the SHA-256 of the files it is from, and
    `version` is that of the boxsel that counted it.
    """

    name: str
    origin: str
    digest: str
    concepts: int
    conjoined: int
    roles: int
    root: str | None
    population: int
    listed: Mapping[str, int]
    defined: Mapping[str, int]
    sources: Mapping[str, str]
    version: str = __version__

    @classmethod
    def of(cls, ontology: Ontology, sources: Mapping[str, str]) -> Entry:
        """The entry of an ontology.

        Examples:
            >>> from boxsel.evaluation.ontologies.registry import recipe_of
            >>> Entry.of(recipe_of("small").build({}), {}).listed
            {'PNF1': 132, 'PNF2': 1320, 'PNF3': 264, 'PNF4': 264}
        """
        every = ontology.listed()
        of_shape = {f"PNF{shape}": every.shape == shape for shape in SHAPES}
        return cls(
            ontology.name,
            ontology.origin,
            ontology.digest(),
            ontology.size,
            len(ontology.conjoined),
            len(ontology.roles),
            ontology.root,
            int(ontology.pairs[-1, -1]),
            {shape: int(which.sum()) for shape, which in of_shape.items()},
            {shape: int((which & every.defined).sum()) for shape, which in of_shape.items()},
            dict(sources),
        )


def read_manifest(folder: Path) -> dict[str, Entry]:
    """The entries by name; none if there is no manifest yet.

    Raises:
        ReadError: The file is not a manifest, or cannot be read.
    """
    path = folder / MANIFEST
    try:
        if not path.exists():
            return {}
    except OSError as error:
        problem = f"this file cannot be read: {error.strerror or error}"
        raise ReadError(Diagnostic(problem, str(path))) from None
    try:
        content: Any = json.loads(load(path).text)
        if content["manifest"] != _VERSION:
            raise BoxselError(f"{path}: another version of boxsel wrote this manifest")
        return {name: _entry(values) for name, values in content["ontologies"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        advice = "remove it and the folder of ontologies: they are counted anew"
        raise ReadError(
            Diagnostic("this is not a manifest of ontologies", str(path), help=advice)
        ) from None


def _entry(values: Any) -> Entry:
    """An entry from what a manifest says; a TypeError if it is not one."""
    entry = Entry(**values)
    numbers = (entry.concepts, entry.conjoined, entry.roles, entry.population)
    words = (entry.name, entry.origin, entry.digest, entry.version, *entry.sources.values())
    counts = (*numbers, *entry.listed.values(), *entry.defined.values())
    if not all(isinstance(count, int) for count in counts):
        raise TypeError
    if not all(isinstance(word, str) for word in words):
        raise TypeError
    return entry


def write_manifest(folder: Path, entries: Mapping[str, Entry]) -> None:
    """Write the entries, in the order of their names."""
    content = {
        "manifest": _VERSION,
        "ontologies": {name: asdict(entries[name]) for name in sorted(entries)},
    }
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    write_atomically(folder / MANIFEST, text.encode())


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


def make(folder: Path, what: str = "made") -> None:
    """Make a folder, and those that it is in; `what` is said to be impossible where it is.

    Raises:
        WriteError: That is not possible.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder}: cannot be {what}: {error.strerror or error}") from None
