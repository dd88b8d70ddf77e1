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
            for one in clause:
                with_literal.setdefault(one, []).append(clause)
        self._raises = [_Forcing(v + 1, with_literal.get(v + 1, ())) for v in range(size)]
        self._lowers = [_Forcing(-v - 1, with_literal.get(-v - 1, ())) for v in range(size)]

    def run(
        self, terms: Mapping[tuple[int, ...], float], columns: Bools, temperatures: Iterable[float]
    ) -> Bools:
        """One sweep over all names for each temperature, towards large sums of the true terms.

        Temperature 0 is greedy ascent.
        """
        fields = _fields(self._size, terms)
        values = columns.astype(float)
        state = columns.copy()
        count = columns.shape[1]
        for temperature in temperatures:
            thresholds = np.full((self._size, count), 1e-12)
            if temperature > 0:
                noise = self._random.random((self._size, count))
                thresholds = temperature * np.log(noise / (1 - noise))
            for v in self._random.permutation(self._size):
                new = fields[v].at(values) > thresholds[v]
                if self._lowers[v].any:
                    new &= ~self._lowers[v].where(state)
                if self._raises[v].any:
                    new |= self._raises[v].where(state)
                state[v] = new
                values[v] = new
        return state


class _Field:
    """What a name adds to the sum of the terms that are true, given the other names."""

    def __init__(self) -> None:
        self.alone = 0.0
        self.others: list[int] = []
        self.factors: list[float] = []
        self.longer: list[tuple[float, list[int]]] = []

    def at(self, values: Floats) -> Floats:
        field = np.full(values.shape[1], self.alone)
        if self.others:
            field += np.array(self.factors) @ values[self.others]
        for factor, others in self.longer:
            field += factor * values[others].prod(0)
        return field


def _fields(size: int, terms: Mapping[tuple[int, ...], float]) -> list[_Field]:
    fields = [_Field() for _ in range(size)]
    for names, factor in terms.items():
        for v in names:
            others = [u for u in names if u != v]
            if not others:
                fields[v].alone += factor
            elif len(others) == 1:
                fields[v].others.append(others[0])
                fields[v].factors.append(factor)
            else:
                fields[v].longer.append((factor, others))
    return fields


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
    found = np.ones(state.shape[1], bool)
    for one in clause:
        found &= ~state[one - 1] if one > 0 else state[-one - 1]
    return found


def obedient(clauses: Iterable[Literals], state: Bools) -> Bools:
    """The columns that obey all clauses."""
    found = np.ones(state.shape[1], bool)
    for clause in clauses:
        found &= ~violated(clause, state)
    return found


def placed(masks: Mapping[Mask, float], place: Mapping[int, int]) -> dict[tuple[int, ...], float]:
    """The terms of a form, with bits at given places; a constant has no influence."""
    return {
        tuple(place[bit] for bit in bits(mask)): number for mask, number in masks.items() if mask
    }
