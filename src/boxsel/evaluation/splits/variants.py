"""The variants of splits by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from boxsel.errors import BoxselError
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.paper import paper_splits
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.strict import strict_split, thin_split

Maker = Callable[[Ontology, int], tuple[Split, ...]]

THIN: Final = (3, 5, 10, 20)
"""How many per cent of the conditionals a thinned knowledge base keeps."""


def _paper(ontology: Ontology, seed: int) -> tuple[Split, ...]:
    return tuple(paper_splits(ontology, seed))


def _strict(ontology: Ontology, seed: int) -> tuple[Split, ...]:
    return (strict_split(ontology, seed),)


def _thin(percent: int, ontology: Ontology, seed: int) -> tuple[Split, ...]:
    return (thin_split(ontology, seed, percent),)


VARIANTS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        "paper": _paper,
        "strict": _strict,
        **{f"thin-{percent}": partial(_thin, percent) for percent in THIN},
    }
)


def splits_of(ontology: Ontology, variant: str, seed: int) -> tuple[Split, ...]:
    """The splits of a variant and a seed; each was checked.

    Raises:
        BoxselError: There is no such variant, or the ontology has too little to be split.
    """
    try:
        maker = VARIANTS[variant]
    except KeyError:
        known = ", ".join(VARIANTS)
        raise BoxselError(f"there is no variant {variant!r}: choose one of {known}") from None
    found = maker(ontology, seed)
    for split in found:
        problems = split.problems()
        assert not problems, f"{ontology.name}, {variant}, {split.part}: {'; '.join(problems)}"
        if not len(split.queries) or not len(split.learning):
            raise BoxselError(f"{ontology.name} is too small for the variant {variant}")
    return found
