"""What methods predict, on disk: a cell that is finished stays, one that is missing is computed."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from boxsel.evaluation.conditionals import Floats, Truths
from boxsel.evaluation.methods import BASELINES, Method
from boxsel.evaluation.ontologies.folder import load_ontology, make, path_of
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.truths.exact import asked_places
from boxsel.formats.source import write_atomically
from boxsel.machine.processes import side_by_side
from boxsel.machine.progress import track

Reading = int | Literal["kept", "outer"]
"""Which members an interval is spanned by: so many of the first, or those that fit.

Of an answer, 0 is what is possible, and the outer interval what is certain.
"""

COUNTS: Final = (10, 20, 40, 60)
"""The numbers of members of which the paper shows the approximation gap."""

VERSION: Final = 4
"""Of what a run does: cells of another version are computed again."""


def counts_for(members: int) -> tuple[int, ...]:
    """The numbers of members that intervals are kept for: the paper's, and all.

    Examples:
        >>> counts_for(60), counts_for(16)
        ((10, 20, 40, 60), (10, 16))
    """
    return (*(count for count in COUNTS if count < members), members)


@dataclass(frozen=True, eq=False)
class Prediction:
    """Intervals for the queries of a split: NaN where there is none.

    `ends[c, q]` is spanned by the first `counts[c]` members, `kept_ends[q]` by those that satisfy
    what was learned up to the tolerance; of an answer, the latter is its outer interval. `asked`
    are the queries that were asked at all. `effort` has what the run took and how well it fits;
    `reason` says why it failed, if it did.
    """

    counts: tuple[int, ...]
    ends: Floats
    kept_ends: Floats
    asked: Truths
    effort: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""

    def interval(self, reading: Reading) -> Floats:
        """The predicted interval of each query."""
        if reading in ("kept", "outer"):
            return self.kept_ends
        end: Floats = self.ends[self.counts.index(reading)]
        return end

    @classmethod
    def of(cls, ends: Floats) -> Self:
        """Intervals without members: those of a baseline."""
        return cls((0,), ends[None], ends, np.ones(len(ends), bool))

    @classmethod
    def failed(cls, queries: int, counts: tuple[int, ...], reason: str) -> Self:
        """No interval for any query."""
        nothing = np.full((len(counts), queries, 2), np.nan)
        return cls(counts, nothing, nothing[0], np.ones(queries, bool), reason=reason)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The prediction as arrays by name, for a file; single precision is enough for shares."""
        words = {"counts": self.counts, "effort": dict(self.effort), "reason": self.reason}
        return {
            "words": np.array(json.dumps(words)),
            "ends": self.ends.astype(np.float32),
            "kept_ends": self.kept_ends.astype(np.float32),
            "asked": self.asked,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """A prediction from what `arrays` gave."""
        words = json.loads(str(arrays["words"]))
        words["counts"] = tuple(words["counts"])
        words |= {key: arrays[key].astype(np.float64) for key in ("ends", "kept_ends")}
        words["asked"] = arrays["asked"]
        return cls(**words)


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
        return {"version": VERSION, **vars(self), "method": self.method.to_json()}

    @property
    def key(self) -> str:
        """A name for it that no other work has."""
        text = json.dumps(self.to_json(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


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
        make(path.parent, "written")
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


class Splits:
    """The splits of ontologies; the last few are kept."""

    def __init__(self, ontologies: Mapping[str, Ontology]) -> None:
        self._of = lru_cache(maxsize=4)(
            lambda name, variant, seed: splits_of(ontologies[name], variant, seed)
        )

    def of(self, work: Work) -> tuple[Split, ...]:
        """The splits that a cell is about."""
        return self._of(work.ontology, work.variant, work.seed)


def run_missing(works: Sequence[Work], folder: Path, device: str, at_once: int = 1) -> int:
    """Compute the cells of a folder that are not finished; gives how many there were.

    They run one after the other; or `at_once` in processes of their own, which is faster where a
    GPU waits for programs to be compiled. Interrupted, it keeps what is finished; the next run goes
    on from there.
    """
    cells = Cells(folder)
    missing = [work for work in dict.fromkeys(works) if not cells.has(work)]
    missing.sort(key=lambda work: work.seed)  # stopped early, it has few splits, but whole ones
    groups: dict[tuple[object, ...], list[Work]] = {}
    for work in missing:
        groups.setdefault(_kin(work) if at_once > 1 else (), []).append(work)
    tasks = [(folder, device, tuple(group), at_once) for group in groups.values()]
    with closing(side_by_side(_work, tasks, at_once)) as done:
        return sum(1 for _ in track(done, "runs", len(missing)))


def _kin(work: Work) -> tuple[object, ...]:
    """What runs must have in common to share compiled programs; nothing, if these are on disk."""
    if os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        return (work.key,)
    settings = work.method.settings
    return work.ontology, work.variant, work.method.name, settings and settings.dim


def _work(folder: Path, device: str, works: Sequence[Work], at_once: int) -> Iterator[str]:
    """Compute cells one after the other, and tell of each that is finished.

    Runs that share a device take longer than one that has it alone: so its name says how many do.
    """
    # Several processes may share a GPU: none of them takes all of its memory.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    cells = Cells(folder)
    ontologies = {
        name: load_ontology(path_of(folder, name)) for name in {work.ontology for work in works}
    }
    splits = Splits(ontologies)
    trained = any(work.method.settings is not None for work in works)
    with _device(device) if trained else nullcontext("cpu") as name:
        told = f"{name}, {at_once} runs at once" if trained and at_once > 1 else name
        for work in works:
            cells.save(work, [_predicted(work, split) for split in splits.of(work)], told)
            yield work.key


def _device(device: str) -> AbstractContextManager[str]:
    # JAX takes a while to load, and baselines do not need it.
    from boxsel.models.devices import on_device

    return on_device(device)


def _predicted(work: Work, split: Split) -> Prediction:
    method = work.method
    sample = None if work.sample is None else asked_places(split, work.sample)
    if method.seconds is not None:
        from boxsel.evaluation.asking import answered

        assert sample is not None
        return answered(split, sample, method.seconds)
    if method.settings is None:
        return Prediction.of(BASELINES[method.name](split, work.seed))
    from boxsel.evaluation.ensembles import predicted

    return predicted(split, method.settings, method.directed, sample)
