"""What the ontologies of an evaluation are: where each is from, its size and its hashes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from boxsel._version import __version__
from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.evaluation.conditionals import SHAPES
from boxsel.evaluation.ontology import Ontology
from boxsel.formats.source import load, write_atomically

MANIFEST: Final = "manifest.json"

_VERSION: Final = 1


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
    if not all(isinstance(one, int) for one in counts):
        raise TypeError
    if not all(isinstance(one, str) for one in words):
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
