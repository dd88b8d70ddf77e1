"""Sets of concepts as rows of words, and what the counted rows add up to.

A pattern table has one row for each different set, and how many entities have it. All counts are
sums over its rows: matrix products, over a part of the rows at a time. They are done in floating
point, which is fast, and are exact: no partial sum is larger than the number of entities in these
rows, and the format is one that holds every whole number up to that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from boxsel.build.graphs.choice import Integers
from boxsel.build.graphs.engine import Column, Engine, Words
from boxsel.build.graphs.sql import BITS, CLASS_BITS, word_names, words_for

Ones = NDArray[np.uint8]
"""Zeros and ones: [rows, concepts]."""

MIXING: Final = np.int64(0x5851F42D4C957F2D)
"""An odd number with bits all over: products with it wrap around, and spread."""

WHOLE: Final = ((np.dtype(np.float32), 1 << 24), (np.dtype(np.float64), 1 << 53))
"""Up to which number a format holds every whole number."""


def packed(places: Collection[int], words: int) -> list[int]:
    """A set of places as words.

    Examples:
        >>> packed([0, 2, 63], words=2)
        [5, 1]
    """
    row = [0] * words
    for place in places:
        row[place // BITS] |= 1 << place % BITS
    return row


def unpacked(rows: Words, concepts: int) -> Ones:
    """Rows of words as rows of zeros and ones, one column for each concept.

    Examples:
        >>> unpacked(np.array([[5], [2]]), 3).tolist()
        [[1, 0, 1], [0, 1, 0]]
    """
    words = words_for(concepts)
    little = np.ascontiguousarray(rows[:, :words], dtype="<i8")
    bits = np.unpackbits(little.view(np.uint8), axis=1, bitorder="little")
    return bits.reshape(len(rows), words, 64)[:, :, :BITS].reshape(len(rows), -1)[:, :concepts]


def totals(rows: Words, concepts: int) -> Integers:
    """How many entities have each concept; the last column of the rows counts entities."""
    everyone = np.ones((len(rows), 1), np.uint8)
    return pairs(everyone, rows[:, -1], unpacked(rows, concepts)).ravel()


def pairs(left: Ones, counts: Integers, right: Ones) -> Integers:
    """How many entities have a concept on the left and one on the right: [left, right].

    Examples:
        >>> ones = np.array([[1, 1], [0, 1]], np.uint8)
        >>> pairs(ones, np.array([10, 5]), ones).tolist()
        [[10, 10], [10, 15]]
    """
    kind = _precision(counts)
    weighted = right * counts.astype(kind)[:, None]
    sums: Integers = (left.astype(kind).T @ weighted).astype(np.int64)
    return sums


def linked(rows: Words, concepts: int) -> Integers:
    """How many subjects reach a concept and have one themselves: [concepts + 1, concepts + 1].

    The rows are a subject's words, then those of what it reaches, then the count. The last place on
    either side is for all subjects: whatever they reach, whatever they are.

    Examples:
        >>> linked(np.array([[1, 1, 10], [1, 0, 5], [0, 1, 2]]), 1).tolist()
        [[10, 12], [15, 17]]
    """
    words = words_for(concepts)
    order, starts = _runs(rows[:, :words])
    rows = rows[order]
    counts, own = rows[:, -1], rows[starts]
    kind = _precision(counts)
    # Many rows have the same subject words: add up what those reach before multiplying.
    reached = _with_everyone(unpacked(rows[:, words:], concepts)) * counts.astype(kind)[:, None]
    sums = np.add.reduceat(reached, starts, axis=0)
    subjects = _with_everyone(unpacked(own, concepts)).astype(kind)
    both: Integers = (sums.T @ subjects).astype(np.int64)
    return both


def add_triples(triples: Integers, ones: Ones, counts: Integers) -> None:
    """Add how many entities have three concepts at once, for places in ascending order only.

    Of each first concept only the rows that have it matter: few, for most concepts.
    """
    for first in range(ones.shape[1]):
        having = np.flatnonzero(ones[:, first])
        rest = ones[having, first:]
        triples[first, first:, first:] += pairs(rest, counts[having], rest)


def mirrored(triples: Integers) -> Integers:
    """The triples in every order, from those in ascending order."""
    whole = triples.copy()
    for first in range(len(triples)):
        block = triples[first, first:, first:]
        whole[first:, first, first:] = block
        whole[first:, first:, first] = block
    return whole


def load_class_bits(engine: Engine, above: Mapping[str, Collection[int]], words: int) -> None:
    """Load the words of every class: the places of the concepts that it is at or below."""
    names = [name for name, places in above.items() if places]
    rows = np.array([packed(above[name], words) for name in names], np.int64).reshape(-1, words)
    kinds: dict[str, Column] = {"class": "VARCHAR"}
    kinds.update(dict.fromkeys(word_names(words), "BIGINT"))
    engine.load(CLASS_BITS, kinds, [names, *rows.T.tolist()])


def _with_everyone(ones: Ones) -> Ones:
    return np.hstack([ones, np.ones((len(ones), 1), np.uint8)])


def _runs(words: Words) -> tuple[Integers, Integers]:
    """An order in which equal rows of words are neighbours, and where each run starts in it."""
    # Sorted by a mixture of the words: should two be mixed alike, a run is split, no more.
    mixed = (words * MIXING ** np.arange(words.shape[1])).sum(axis=1)
    order = np.argsort(mixed)
    changes = (words[order[1:]] != words[order[:-1]]).any(axis=1)
    return order, np.flatnonzero(np.concatenate([[True], changes]))


def _precision(counts: Integers) -> np.dtype[Any]:
    """The fastest format in which sums over these rows are exact."""
    total = int(counts.sum())
    return next((kind for kind, limit in WHOLE if total <= limit), np.dtype(np.int64))
