"""Listing the types that obey clauses.

Bit by bit, every type so far is tried without and with the next basic concept, and the clauses
that this decides are checked for all of them at once. Where axioms say much, as in counted graphs,
few types are left at every step.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.problem import Clause
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.machine.budget import NO_LIMIT, Budget

WORD: Final = 64
TYPES_CHECKED: Final = 4_000_000
"""How many pairs of a type and a clause are checked at once."""
CLAUSES_BETWEEN_LOOKS: Final = 64
"""How many clauses are looked at between two looks at the clock."""
LONGEST_BODY: Final = 8
"""Bodies of more basic concepts are not searched for smaller bodies."""
Words = NDArray[np.uint64]


def enumerate_types(
    clauses: Iterable[Clause], over: Mask, limit: int, budget: Budget = NO_LIMIT
) -> list[Type] | None:
    """Every type over some bits that obeys the clauses about them; none if beyond a limit.

    Clauses that have another bit are left out.

    Examples:
        >>> enumerate_types([Clause(0b001, 0b100)], 0b101, 100)
        [0, 4, 5]
    """
    by_last: dict[int, list[Clause]] = {}
    for clause in clauses:
        if not clause.about & ~over:
            by_last.setdefault(clause.about.bit_length() - 1, []).append(clause)
    if -1 in by_last:
        return []
    kinds = np.zeros((1, 1), np.uint64)
    for position in budget.watched(bits(over)):
        fresh = position // WORD + 1 - kinds.shape[1]
        if fresh > 0:  # no more words than are needed so far: mostly the limit is reached soon
            kinds = np.pad(kinds, ((0, 0), (0, fresh)))
        more = kinds.copy()
        more[:, position // WORD] |= np.uint64(1 << position % WORD)
        kinds = _obedient(np.concatenate([kinds, more]), by_last.get(position, ()))
        if len(kinds) > limit:
            return None
    return [sum(word << WORD * place for place, word in enumerate(kind)) for kind in kinds.tolist()]


def without_subsumed(clauses: Sequence[Clause], budget: Budget = NO_LIMIT) -> list[int]:
    """The positions of clauses that no other clause says with a smaller body or fewer heads.

    Examples:
        >>> without_subsumed([Clause(0b011, 0b100), Clause(0b001, 0b100), Clause(0b001, 0b100)])
        [1]
    """
    first: dict[tuple[Mask, Mask], int] = {}
    for position, clause in enumerate(clauses):
        first.setdefault((clause.body, clause.heads), position)
    return [
        place
        for (body, heads), place in budget.watched(first.items(), CLAUSES_BETWEEN_LOOKS)
        if not _is_subsumed(body, heads, first)
    ]


def _is_subsumed(body: Mask, heads: Mask, known: Container[tuple[Mask, Mask]]) -> bool:
    if heads and (body, 0) in known:
        return True
    if body.bit_count() > LONGEST_BODY:
        return False
    smaller = body
    while smaller:
        smaller = (smaller - 1) & body
        if (smaller, heads) in known or (smaller, 0) in known:
            return True
    return False


def _obedient(kinds: Words, clauses: Sequence[Clause]) -> Words:
    """The types that obey every clause."""
    if not clauses or not len(kinds):
        return kinds
    count = kinds.shape[1]
    bodies = _words([clause.body for clause in clauses], count)
    heads = _words([clause.heads for clause in clauses], count)
    step = max(1, TYPES_CHECKED // len(clauses))
    kept = [
        part[~_violates(part, bodies, heads)]
        for part in (kinds[start : start + step] for start in range(0, len(kinds), step))
    ]
    return np.concatenate(kept)


def _violates(kinds: Words, bodies: Words, heads: Words) -> NDArray[np.bool_]:
    violating = np.ones((len(kinds), len(bodies)), bool)
    for word in range(kinds.shape[1]):
        column = kinds[:, word, None]
        violating &= (column & bodies[:, word]) == bodies[:, word]
        violating &= (column & heads[:, word]) == 0
    return np.asarray(violating.any(axis=1))


def _words(masks: Iterable[Mask], count: int) -> Words:
    whole = b"".join(mask.to_bytes(8 * count, "little") for mask in masks)
    return np.frombuffer(whole, "<u8").reshape(-1, count).astype(np.uint64)
