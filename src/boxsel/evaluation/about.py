"""What a report says about the run itself: versions, settings, ontologies, sizes of splits."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from boxsel._version import __version__
from boxsel.evaluation.methods import ours, papers
from boxsel.evaluation.ontologies.folder import Entry
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.published import SPLITS, kin_of
from boxsel.evaluation.report.parts import RunInfo, SplitSize
from boxsel.evaluation.scopes import Choices
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.studies import Scope

TITLE: Final = "Statistical EL by embeddings: the paper's experiments, and exact intervals"

NOTES: Final = (
    "A query without a prediction counts as [0, 1]: that is what is known without one.",
    "Directed members count only if they fit what was learned as well as the worst random member,"
    " or up to the tolerance.",
    "Hyperparameters are compared by the mean absolute error on what was learned, on a split of"
    " their own: no true interval is looked at.",
    "The synthetic ontologies were drawn so that their sizes, and the widths of PMP intervals in"
    " the first split, are near the paper's: that these agree is no result.",
)

PACKAGES: Final = ("jax", "jaxlib", "numpy", "scipy", "optax", "ortools", "python-flint")
"""What numbers may depend on."""


def about(
    choices: Choices,
    scope: Scope,
    ontologies: Sequence[tuple[Ontology, Entry]],
    *,
    devices: Sequence[str],
    date: str,
    unfinished: int,
) -> RunInfo:
    """All that a reader needs to repeat a run."""
    notes = list(NOTES)
    if unfinished:
        notes.append(f"{unfinished:,} runs are not finished: their cells are missing.")
    sizes = [
        size
        for ontology, _ in ontologies
        for variant in choices.variants
        for split in splits_of(ontology, variant, scope.seeds[0])
        for size in split_sizes(split)
    ]
    return RunInfo(
        TITLE,
        date,
        versions(),
        ", ".join(devices),
        scope.seeds,
        tuple(entry for _, entry in ontologies),
        {
            "choices": choices.to_json(),
            "methods": {
                ontology.name: _methods(ontology.name, scope) for ontology, _ in ontologies
            },
        },
        tuple(notes),
        tuple(sizes),
        choices.quick,
    )


def versions() -> dict[str, str]:
    """The versions of what numbers depend on."""
    found = {"boxsel": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def split_sizes(split: Split) -> Iterator[SplitSize]:
    """How much a split has to learn and to ask, beside the paper's numbers where they compare."""
    name = split.ontology.name
    published = {one.shape: one for one in SPLITS if one.kin == kin_of(name)}
    for shape, numbers in split.numbers().items():
        compares = split.variant == "paper" and numbers["pairs"] > 0
        if numbers["learned"] or numbers["pairs"]:
            yield SplitSize(
                name,
                split.variant,
                split.seed,
                split.part,
                shape,
                **numbers,
                published=published.get(shape) if compares else None,
            )


def _methods(ontology: str, scope: Scope) -> dict[str, Any]:
    """The exact settings of the presets, as they are run."""
    presets = (ours(ontology, scope.members), papers(ontology, scope.members))
    return {
        method.name: method.settings.to_json()
        for method in map(scope.eased, presets)
        if method.settings is not None
    }
