"""Local search among types: many annealed Gibbs chains at once.

Names that no clause and no product joins move together: given all others, none of them depends on
what another one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.problem import Clause
from boxsel.exact.compile.vocabulary import Mask, bits
from boxsel.exact.types.tables import Bools, Words, meet, pack, pad_rows, unpack

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Literals = tuple[int, ...]
"""A clause over numbered names: v + 1 for "has v", −(v + 1) for "lacks v"; one must be true."""

WARM: Final = (0.3, 0.1, 0.03, 0.0, 0.0)
COOL: Final = (0.05, 0.01, 0.0, 0.0)
"""Temperatures, one sweep each, for a form whose largest coefficient is 1."""
TOGETHER: Final = 32
"""How many names move together at the most: their neighbours are copied side by side."""


def literals(clause: Clause, place: Mapping[int, int]) -> Literals:
    """A clause whose bits are at given places.

    Examples:
        >>> literals(Clause(0b001, 0b100), {0: 0, 2: 1})
        (-1, 2)
    """
    lacking = (-(place[bit] + 1) for bit in bits(clause.body))
    return (*lacking, *(place[bit] + 1 for bit in bits(clause.heads)))


def find_broken(columns: Bools, clauses: Sequence[Literals]) -> Bools:
    """The columns that break some clause.

    Examples:
        >>> find_broken(np.array([[True, True], [False, True]]), [(-1, 2)]).tolist()
        [True, False]
    """
    broken = np.zeros(columns.shape[1], bool)
    for clause in clauses:
        lacks = [literal - 1 for literal in clause if literal > 0]
        has = [-literal - 1 for literal in clause if literal < 0]
        broken |= columns[has].all(0) & ~columns[lacks].any(0)
    return broken


class Chains:
    """Gibbs moves on columns of truth values that obey clauses.

    A name that the clauses force, given all others, takes the forced value: a chain that starts
    at a type stays at types. Only the first names move, if that is said.
    """

    def __init__(
        self, size: int, clauses: Iterable[Literals], seed: int = 0, moving: int | None = None
    ) -> None:
        self._size, self._moving = size, size if moving is None else moving
        self._random = np.random.default_rng(seed)
        self._with: dict[int, list[Literals]] = {}
        self._near: list[set[int]] = [set() for _ in range(size)]
        for clause in clauses:
            names = {abs(literal) - 1 for literal in clause}
            for literal in clause:
                self._with.setdefault(literal, []).append(clause)
                self._near[abs(literal) - 1] |= names

    def run(
        self, terms: Mapping[tuple[int, ...], float], columns: Bools, temperatures: Iterable[float]
    ) -> Bools:
        """One sweep over all names for each temperature, towards large sums of the true terms.

        Temperature 0 is greedy ascent.
        """
        groups = self.group([*terms])
        factors = np.array([*terms.values()], np.float32)
        state = State(columns)
        for temperature in temperatures:
            self.sweep(groups, factors, state, temperature)
        return state.columns

    def group(self, products: Sequence[Sequence[int]]) -> list[Group]:
        """All names that move, those together that neither clauses nor products join."""
        near = [set(names) for names in self._near]
        where: list[list[int]] = [[] for _ in near]
        for number, product in enumerate(products):
            for v in product:
                near[v].update(product)
                where[v].append(number)
        colours: dict[int, int] = {}
        kinds: list[list[int]] = []
        for v in sorted(range(self._moving), key=lambda v: -len(near[v])):
            taken = {colours[u] for u in near[v] if u in colours}
            colours[v] = next(n for n in range(len(kinds) + 1) if n not in taken)
            if colours[v] == len(kinds):
                kinds.append([])
            kinds[colours[v]].append(v)
        return [
            Group(names[start : start + TOGETHER], self._size, self._with, products, where)
            for names in kinds
            for start in range(0, len(names), TOGETHER)
        ]

    def sweep(
        self,
        groups: Sequence[Group],
        factors: Floats32,
        state: State,
        temperature: float = 1.0,
    ) -> None:
        """Move every name once, in any order."""
        scaled = factors / np.float32(temperature) if temperature > 0 else factors
        for number in self._random.permutation(len(groups)):
            field = groups[number].field(scaled, state)
            if temperature > 0:
                new = field > some_noise(field.shape, self._random)
            else:
                new = field > 1e-12
            groups[number].move(new, state)


class State:
    """Columns of truth values, as numbers and in bits: having each name, lacking it, and ones."""

    def __init__(self, columns: Bools) -> None:
        self.size, self.count = columns.shape
        self.values: Floats32 = columns.astype(np.float32)
        every = pack(np.ones((1, self.count), bool))
        having = pack(columns)
        self.words: Words = np.vstack([having, ~having, every])

    @property
    def columns(self) -> Bools:
        """The truth values."""
        return unpack(self.words[: self.size], self.count)


class Group:
    """Names that move together, given all others: `where` has the products that each is in."""

    def __init__(
        self,
        names: Sequence[int],
        size: int,
        clauses: Mapping[int, Sequence[Literals]],
        products: Sequence[Sequence[int]],
        where: Sequence[Sequence[int]],
    ) -> None:
        self.names = np.array(names, np.intp)
        near: dict[tuple[int, ...], int] = {}
        alone: list[tuple[int, int]] = []
        rest: list[tuple[int, int, tuple[int, ...]]] = []
        for row, v in enumerate(names):
            for number in where[v]:
                others = tuple(u for u in products[number] if u != v)
                if others:
                    rest.append((row, number, others))
                else:
                    alone.append((row, number))
        # Single names before products of them, which have to be made.
        for _, _, others in sorted(rest, key=lambda entry: len(entry[2])):
            near.setdefault(others, len(near))
        singles = [others[0] for others in near if len(others) == 1]
        self._singles = np.array(singles, np.intp)
        self._products = pad_rows([others for others in near if len(others) > 1])
        self._alone = np.array(alone, np.intp).reshape(-1, 2).T
        entries = [(row, near[others], number) for row, number, others in rest]
        self._entries = np.array(entries, np.intp).reshape(-1, 3).T
        self._matrix = np.zeros((len(names), len(near)), np.float32)
        self._size = size
        self._lowers = Forced([clauses.get(-v - 1, ()) for v in names], names, size, -1)
        self._raises = Forced([clauses.get(v + 1, ()) for v in names], names, size, 1)

    def field(self, factors: Floats32, state: State) -> Floats32:
        """What each name adds to the sum of the true products, in each column."""
        rows, places, numbers = self._entries
        self._matrix[rows, places] = factors[numbers]
        near = state.values[self._singles]
        if len(self._products):
            products = unpack(meet(state.words, self._products), state.count)
            near = np.concatenate([near, products.astype(np.float32)])
        field = self._matrix @ near
        rows, numbers = self._alone
        field[rows] += factors[numbers, None]
        return field

    def move(self, new: Bools, state: State) -> None:
        """Let the names have new values, or those that clauses force."""
        words = pack(new)
        for forced, lowers in ((self._lowers, True), (self._raises, False)):
            if len(forced.rows):
                where = forced.where(state.words)
                words[forced.rows] = (
                    words[forced.rows] & ~where if lowers else words[forced.rows] | where
                )
        state.words[self.names] = words
        state.words[self.names + self._size] = ~words
        state.values[self.names] = unpack(words, state.count)


class Forced:
    """Where clauses force a literal of some names to be true: `rows` are the names that have any.

    A clause does if all its other literals are false. The literal is "has" or "lacks", by `sign`.
    """

    def __init__(
        self,
        clauses: Sequence[Sequence[Literals]],
        names: Sequence[int],
        size: int,
        sign: int,
    ) -> None:
        rows, starts, rest = [], [], list[list[int]]()
        for row, (v, some) in enumerate(zip(names, clauses, strict=True)):
            if some:
                rows.append(row)
                starts.append(len(rest))
            for clause in some:
                others = [literal for literal in clause if literal != sign * (v + 1)]
                rest.append([size + one - 1 if one > 0 else -one - 1 for one in others])
        self.rows, self._starts = np.array(rows, np.intp), np.array(starts, np.intp)
        self._rest = pad_rows(rest)

    def where(self, words: Words) -> Words:
        """In which columns, for each of the `rows`."""
        return np.asarray(np.bitwise_or.reduceat(meet(words, self._rest), self._starts, axis=0))


@cache
def _noise() -> Floats32:
    """Numbers drawn from the logistic distribution, once: chains take them from anywhere on."""
    chance = np.random.default_rng(0).random(1 << 18, np.float32).clip(1e-7, 1 - 1e-7)
    return np.asarray(np.log(chance / (1 - chance)), np.float32)


def some_noise(shape: tuple[int, ...], random: np.random.Generator) -> Floats32:
    """Numbers from the logistic distribution: a name is there if its field is above one."""
    known, count = _noise(), shape[0] * shape[1]
    if count > len(known):  # as they are they would be the same each time, and chains stand still
        return np.resize(np.roll(known, int(random.integers(len(known)))), shape)
    start = int(random.integers(len(known) - count + 1))
    return known[start : start + count].reshape(shape)


def placed(masks: Mapping[Mask, float], place: Mapping[int, int]) -> dict[tuple[int, ...], float]:
    """The terms of a form, with bits at given places; a constant has no influence."""
    return {
        tuple(place[bit] for bit in bits(mask)): number for mask, number in masks.items() if mask
    }
