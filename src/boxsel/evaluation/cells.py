"""Finished runs on disk: a cell is computed once, and found again by what it is about."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from boxsel.errors import WriteError
from boxsel.evaluation.methods import Method
from boxsel.evaluation.predictions import Prediction
from boxsel.formats.source import write_atomically

VERSION: Final = 3
"""Of what a run does: cells of another version are computed again."""


@dataclass(frozen=True)
class Work:
    """A method on the splits of one seed: what one cell is about.

    `digest` is that of the ontology. `sample` is how many queries of each kind are asked where each
    costs a run of its own; none elsewhere.
    """

    ontology: str
    digest: str
    variant: str
    seed: int
    method: Method
    sample: int | None = None

    def to_json(self) -> dict[str, Any]:
        """All that decides what comes out."""
        return {
            "version": VERSION,
            "ontology": self.ontology,
            "digest": self.digest,
            "variant": self.variant,
            "seed": self.seed,
            "method": self.method.to_json(),
            "sample": self.sample,
        }

    @property
    def key(self) -> str:
        """A name for it that no other work has."""
        text = json.dumps(self.to_json(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def words(self) -> str:
        """The same for people."""
        return f"{self.ontology}, {self.variant}, seed {self.seed}, {self.method.name}"


class Cells:
    """The finished cells of an evaluation's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "cells"

    def path(self, work: Work) -> Path:
        """The file of a cell."""
        name = f"{work.variant}-{work.seed}-{work.method.name}-{work.key}.npz".replace(" ", "-")
        return self.folder / work.ontology / name

    def has(self, work: Work) -> bool:
        """Whether it is finished; what cannot be read, or has failed, is not: it is tried again."""
        found = self.load(work)
        return found is not None and not any(part.reason for part in found[0])

    def save(self, work: Work, parts: Sequence[Prediction], device: str) -> None:
        """Keep what was predicted for each part of a split.

        Raises:
            WriteError: The folder cannot be written.
        """
        arrays = {
            f"{number}.{key}": array
            for number, part in enumerate(parts)
            for key, array in part.arrays().items()
        }
        about = {"work": work.to_json(), "device": device, "parts": len(parts)}
        buffer = io.BytesIO()
        arrays["about"] = np.array(json.dumps(about))
        np.savez_compressed(buffer, allow_pickle=False, **arrays)
        path = self.path(work)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or error
            raise WriteError(f"{path.parent}: cannot be written: {reason}") from None
        write_atomically(path, buffer.getvalue())

    def load(self, work: Work) -> tuple[tuple[Prediction, ...], str] | None:
        """The predictions of a cell and the device that they come from; none if it is not there.

        A file that cannot be read counts as not there: it is computed again.
        """
        try:
            with np.load(io.BytesIO(self.path(work).read_bytes())) as arrays:
                about = json.loads(str(arrays["about"]))
                parts = tuple(
                    Prediction.from_arrays(
                        {
                            key.partition(".")[2]: arrays[key]
                            for key in arrays
                            if key.startswith(f"{number}.")
                        }
                    )
                    for number in range(about["parts"])
                )
                device = str(about["device"])
        except Exception:  # zip, zlib, NumPy and JSON each have their own for damaged bytes
            return None
        return parts, device
