"""Local search among types: many annealed Gibbs chains at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.problem import Clause
from boxsel.exact.compile.vocabulary import Mask, bits
from boxsel.exact.types.tables import Bools

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.intp]
Literals = tuple[int, ...]
"""A clause over numbered names: v + 1 for "has v", −(v + 1) for "lacks v"; one must be true."""

WARM: Final = (0.3, 0.1, 0.03, 0.0, 0.0)
COOL: Final = (0.05, 0.01, 0.0, 0.0)
"""Temperatures, one sweep each, for a form whose largest coefficient is 1."""


def literals(clause: Clause, place: Mapping[int, int]) -> Literals:
    """A clause whose bits are at given places.

    Examples:
        >>> literals(Clause(0b001, 0b100), {0: 0, 2: 1})
        (-1, 2)
    """
    lacking = (-(place[bit] + 1) for bit in bits(clause.body))
    return (*lacking, *(place[bit] + 1 for bit in bits(clause.heads)))


class Chains:
    """Gibbs moves on columns of truth values that obey clauses.

    A name that the clauses force, given all others, takes the forced value: a chain that starts
    at a type stays at types.
    """

    def __init__(self, size: int, clauses: Iterable[Literals], seed: int = 0) -> None:
        self._size = size
        self._random = np.random.default_rng(seed)
        with_literal: dict[int, list[Literals]] = {}
        for clause in clauses:
            for literal in clause:
                with_literal.setdefault(literal, []).append(clause)
        self._raises = [_Forcing(v + 1, with_literal.get(v + 1, ())) for v in range(size)]
        self._lowers = [_Forcing(-v - 1, with_literal.get(-v - 1, ())) for v in range(size)]

    def run(
        self, terms: Mapping[tuple[int, ...], float], columns: Bools, temperatures: Iterable[float]
    ) -> Bools:
        """One sweep over all names for each temperature, towards large sums of the true terms.

        Temperature 0 is greedy ascent.
        """
        products = Products(self._size, tuple(terms))
        factors = np.array([*terms.values()], np.float32)
        state = State(columns)
        for temperature in temperatures:
            self.sweep(products, factors, state, temperature)
        return state.columns

    def sweep(
        self,
        products: Products,
        factors: Floats32,
        state: State,
        temperature: float = 1.0,
        size: int | None = None,
    ) -> None:
        """Move every name once, or only the first ones, in any order."""
        size = self._size if size is None else size
        columns, values = state.columns, state.values
        shape = (size, columns.shape[1])
        thresholds = np.full(shape, 1e-12, np.float32)
        if temperature > 0:
            noise = self._random.random(shape, np.float32).clip(1e-7, 1 - 1e-7)
            thresholds = np.float32(temperature) * np.log(noise / (1 - noise))
        for v in self._random.permutation(size):
            new = products.field(v, factors, values) > thresholds[v]
            if self._lowers[v].any:
                new &= ~self._lowers[v].where(columns)
            if self._raises[v].any:
                new |= self._raises[v].where(columns)
            columns[v] = new
            values[v] = new


class State:
    """Columns of truth values, and the same as numbers."""

    def __init__(self, columns: Bools) -> None:
        self.columns = columns.copy()
        self.values: Floats32 = columns.astype(np.float32)


class Products:
    """Products of names with factors: what a name adds to their sum, given the other names."""

    def __init__(self, size: int, products: Sequence[tuple[int, ...]]) -> None:
        self._alone: list[list[int]] = [[] for _ in range(size)]
        self._pairs: list[tuple[list[int], list[int]]] = [([], []) for _ in range(size)]
        self._longer: list[list[tuple[int, list[int]]]] = [[] for _ in range(size)]
        for number, names in enumerate(products):
            for v in names:
                others = [u for u in names if u != v]
                if not others:
                    self._alone[v].append(number)
                elif len(others) == 1:
                    self._pairs[v][0].append(number)
                    self._pairs[v][1].append(others[0])
                else:
                    self._longer[v].append((number, others))

    def field(self, v: int, factors: Floats32, values: Floats32) -> Floats32:
        """What a name adds in each column."""
        alone = factors[self._alone[v]].sum()
        numbers, others = self._pairs[v]
        if numbers:
            field = factors[numbers] @ values[others] + alone
        else:
            field = np.full(values.shape[1], alone, np.float32)
        for number, rest in self._longer[v]:
            if factors[number]:
                field += factors[number] * values[rest].prod(0)
        return np.asarray(field, np.float32)


class _Forcing:
    """Where clauses force a literal to be true."""

    def __init__(self, literal: int, clauses: Sequence[Literals]) -> None:
        rest = [tuple(one for one in clause if one != literal) for clause in clauses]
        self.any = bool(rest)
        self._always = any(not one for one in rest)
        self._lacked = [one[0] - 1 for one in rest if len(one) == 1 and one[0] > 0]
        self._had = [-one[0] - 1 for one in rest if len(one) == 1 and one[0] < 0]
        self._longer = [one for one in rest if len(one) > 1]

    def where(self, state: Bools) -> Bools:
        forced = np.full(state.shape[1], self._always)
        if self._lacked:
            forced |= ~state[self._lacked].all(0)
        if self._had:
            forced |= state[self._had].any(0)
        for rest in self._longer:
            forced |= violated(rest, state)
        return forced


def violated(clause: Literals, state: Bools) -> Bools:
    """The columns in which no literal of a clause is true."""
    columns = np.ones(state.shape[1], bool)
    for literal in clause:
        columns &= ~state[literal - 1] if literal > 0 else state[-literal - 1]
    return columns


def placed(masks: Mapping[Mask, float], place: Mapping[int, int]) -> dict[tuple[int, ...], float]:
    """The terms of a form, with bits at given places; a constant has no influence."""
    return {
        tuple(place[bit] for bit in bits(mask)): number for mask, number in masks.items() if mask
    }
