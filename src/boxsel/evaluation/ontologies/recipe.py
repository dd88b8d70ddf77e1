"""How an ontology comes about: from which files, and by which choice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.evaluation.ontology import Ontology

Files = Mapping[str, Path]
"""The source files by the names that `Sources` gives them."""

ENDINGS: Final = ("", ".gz", ".bz2")
"""How the name of a file may end: it is read whether or not it is compressed."""


@dataclass(frozen=True)
class Recipe:
    """A named ontology; `build` gets the files of its sources, and none where it needs none."""

    name: str
    build: Callable[[Files], Ontology]
    sources: Sources | None = None


@dataclass(frozen=True)
class Sources:
    """The files of a data set: those it must have and those it may have.

    They are looked for in the data folder's `folders`, in this order, and then in itself: it may
    hold several data sets, or be one. The first that has a file of the data set is the one.

    Examples:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "facts.tsv.gz").write_bytes(b"")
        >>> found = Sources("a graph", ("graph",), ("facts.tsv",), ("labels.tsv",)).find(folder)
        >>> [(key, path.name) for key, path in found.items()]
        [('facts.tsv', 'facts.tsv.gz')]
    """

    title: str
    folders: tuple[str, ...]
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()

    def find(self, data: Path | None) -> dict[str, Path]:
        """The files that are there, by their names without compression.

        Raises:
            BoxselError: There is no data folder, or it lacks a required file.
        """
        if data is None:
            raise BoxselError(f"{self.title} is counted from files: say in which folder they are")
        if not data.is_dir():
            raise BoxselError(f"{data}: there is no such folder, and {self.title} should be in it")
        candidates = [data / name for name in self.folders] + [data]
        for folder in candidates:
            found = {name: path for name in self._names if (path := _located(folder, name))}
            missing = [name for name in self.required if name not in found]
            if found and missing:
                raise BoxselError(f"{folder}: {self.title} is incomplete: {self._help(missing)}")
            if found:
                return found
        raise BoxselError(
            f"{data}: {self.title} is not here"
            f"\n  help: expected {self._help(self.required)}, in this folder or in"
            f" {' or '.join(str(folder) for folder in candidates[:-1])}"
        )

    @property
    def _names(self) -> tuple[str, ...]:
        return self.required + self.optional

    def _help(self, names: Sequence[str]) -> str:
        return ", ".join(f"{name}[.gz]" for name in names)


def hashes(files: dict[str, Path]) -> dict[str, str]:
    """The SHA-256 of each file's bytes, by its name as it is on disk."""
    digests = {}
    for path in files.values():
        try:
            with path.open("rb") as stream:
                digests[path.name] = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            problem = f"this file cannot be read: {error.strerror or error}"
            raise ReadError(Diagnostic(problem, file=str(path))) from None
    return dict(sorted(digests.items()))


def _located(folder: Path, name: str) -> Path | None:
    """A file in a folder, whether or not it is compressed."""
    paths = (folder / f"{name}{ending}" for ending in ENDINGS)
    return next((path for path in paths if path.is_file()), None)
