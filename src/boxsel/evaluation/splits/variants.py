"""The variants of splits by name: the paper's, strict ones, and ones that keep little."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

import numpy as np

from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Conditionals, Ints, Truths
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.split import Split, premises_for
from boxsel.wording import expect_known

PUBLISHED: Final = {127: 40, 50: 18, 30: 8, 13: 3}
"""How many query concepts there are of how many: what the paper's table of splits implies."""

SHARE: Final = 0.3
"""The part that become query concepts elsewhere; and of the conditionals about the root, and of
those between plain concepts, the part that a strict split asks."""

THIN: Final = (3, 5, 10, 20)
"""How many per cent of the conditionals a thinned knowledge base keeps."""

PUBLISHED_PARTS: Final = (3, 10, 20)
"""How many per cent of them are published."""


def paper_splits(ontology: Ontology, seed: int) -> tuple[Split, ...]:
    """The splits of one seed: `root` for PNF1, PNF3 and PNF4, `names` for PNF2.

    Some concepts are query concepts, and never occur as bodies. Queries about the root and queries
    about conjunctions need each a learning set of their own: a query `(Q | B)` of the second kind
    is a premise of the first.
    """
    random = np.random.default_rng([seed, 1])
    splits = [_paper_split(ontology, seed, "root", _drawn(random, np.arange(ontology.size)))]
    if len(ontology.conjoined) > 2:
        chosen = _drawn(random, np.array(ontology.conjoined))
        splits.append(_paper_split(ontology, seed, "names", chosen))
    return tuple(splits)


def _drawn(random: np.random.Generator, concepts: Ints) -> Ints:
    """The rows of query concepts."""
    number = PUBLISHED.get(len(concepts), max(1, round(SHARE * len(concepts))))
    return np.sort(random.choice(concepts, number, replace=False)) + 1


def _paper_split(ontology: Ontology, seed: int, part: str, chosen: Ints) -> Split:
    about, listed = ontology.about_root(), ontology.listed()
    asked = about.has_body(ontology.root_row) & np.isin(about.names[:, 2], chosen)
    queries = about.take(asked)
    if part == "names":
        others = np.setdiff1d(np.array(ontology.conjoined) + 1, chosen)
        queries = listed.take(
            (listed.shape == 1)
            & np.isin(listed.names[:, 2], chosen)
            & np.isin(listed.names[:, 0], others)
            & listed.defined
        )
    every = Conditionals.joined([listed, about.take(~asked)])
    learning = every.take(~np.isin(every.names[:, 0], chosen) & ~every.within(queries))
    pairs = premises_for(ontology, queries, learning)
    return Split(ontology, "paper", seed, part, learning, queries, pairs)


def strict_split(ontology: Ontology, seed: int) -> Split:
    """All conditionals but the queries: 30 % of `(Q | root)`, of `(∃r.A | root)`, of `(Q | B)`.

    The last are over the conjoined concepts, whose conjunctions give them premises.
    """
    random = np.random.default_rng([seed, 2])
    every = ontology.conditionals()
    asked = np.zeros(len(every), bool)
    for group in _groups(ontology, every):
        places = np.flatnonzero(group)
        number = round(SHARE * len(places))
        asked[random.choice(places, number, replace=False)] = True
    queries, learning = every.take(asked), every.take(~asked)
    pairs = premises_for(ontology, queries, learning)
    return Split(ontology, "strict", seed, "all", learning, queries, pairs)


def thin_split(ontology: Ontology, seed: int, percent: int) -> Split:
    """The same queries, and a random part of what else is known.

    That the concepts lie within a named root is always kept: it is what makes it a root.
    """
    whole = strict_split(ontology, seed)
    random = np.random.default_rng([seed, 3])
    known = whole.learning
    # One number for each conditional: what is kept of a smaller part is kept of a larger one.
    kept = random.random(len(known)) < percent / 100
    kept |= _says_root(ontology, known)
    learning = known.take(kept)
    pairs = premises_for(ontology, whole.queries, learning)
    return replace(whole, variant=f"thin-{percent}", learning=learning, pairs=pairs)


def published_split(ontology: Ontology, seed: int, percent: int) -> Split:
    """The same knowledge as people publish it: whole per cents, half a point off at most.

    That nobody is in both, or everybody, stays: so a thinned split with points has an interior.
    """
    thinned = thin_split(ontology, seed, percent)
    return replace(thinned, variant=f"published-{percent}", rounded=True)


def _groups(ontology: Ontology, every: Conditionals) -> list[Truths]:
    """`(Q | root)`, `(∃r.A | root)`, and `(Q | B)` over the conjoined concepts."""
    of_root = every.has_body(ontology.root_row)
    conjoined = np.array(ontology.conjoined, np.int64) + 1
    plain = (every.shape == 1) & ~of_root
    between = np.isin(every.names[:, 0], conjoined) & np.isin(every.names[:, 2], conjoined)
    return [of_root & (every.shape == 1), of_root & (every.shape == 4), plain & between]


def _says_root(ontology: Ontology, known: Conditionals) -> Truths:
    """`(root | A)` that is 1."""
    if ontology.root is None:
        return np.zeros(len(known), bool)
    certain: Truths = (known.shape == 1) & (known.count == known.total)
    return certain & known.has_head(ontology.root_row)


def _strict(ontology: Ontology, seed: int) -> tuple[Split, ...]:
    return (strict_split(ontology, seed),)


def _thin(percent: int, ontology: Ontology, seed: int) -> tuple[Split, ...]:
    return (thin_split(ontology, seed, percent),)


def _published(percent: int, ontology: Ontology, seed: int) -> tuple[Split, ...]:
    return (published_split(ontology, seed, percent),)


VARIANTS: Final[Mapping[str, Callable[[Ontology, int], tuple[Split, ...]]]] = MappingProxyType(
    {
        "paper": paper_splits,
        "strict": _strict,
        **{f"thin-{percent}": partial(_thin, percent) for percent in THIN},
        **{f"published-{percent}": partial(_published, percent) for percent in PUBLISHED_PARTS},
    }
)


def splits_of(ontology: Ontology, variant: str, seed: int) -> tuple[Split, ...]:
    """The splits of a variant and a seed; each was checked.

    Raises:
        BoxselError: There is no such variant, or the ontology has too little to be split.
    """
    expect_known("variant", variant, VARIANTS)
    splits = VARIANTS[variant](ontology, seed)
    for split in splits:
        problems = split.problems()
        assert not problems, f"{ontology.name}, {variant}, {split.part}: {'; '.join(problems)}"
        if not len(split.queries) or not len(split.learning):
            raise BoxselError(f"{ontology.name} is too small for the variant {variant}")
    return splits
