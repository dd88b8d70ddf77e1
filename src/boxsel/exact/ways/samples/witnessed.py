"""Which of many types have witnesses among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boxsel.exact.compile.problem import Existential, Problem
from boxsel.exact.types.tables import Bools, Ints
from boxsel.exact.ways.samples.shares import Names
from boxsel.logic.concepts import Role


def find_witnessed(problem: Problem, names: Names, columns: Bools, keep: Bools) -> Bools:
    """The largest part of some columns whose existentials have witnesses in that part."""
    some = [one for one in problem.existentials if not one.bit & ~names.inside]
    if not some:
        return keep
    witnessing = _Witnessing.of(problem, names, columns, some)
    while True:
        lacking = np.zeros(len(keep), bool)
        for number, existential in enumerate(some):
            lacking |= witnessing.find_lacking(number, existential.role, keep)
        if not (lacking & keep).any():
            return keep
        keep = keep & ~lacking


@dataclass(frozen=True)
class _Duties:
    """What a witness of a role obliges its subjects to: who has that, who has its fillers."""

    had: Bools
    obliging: Bools
    counts: Ints


@dataclass(frozen=True)
class _Witnessing:
    """Which columns have which existentials, which can witness each, and the duties of roles."""

    subjects: Bools
    witnesses: Bools
    duties: dict[Role, _Duties]

    @classmethod
    def of(
        cls, problem: Problem, names: Names, columns: Bools, some: list[Existential]
    ) -> _Witnessing:
        ranges = [problem.range(one.role) for one in some]
        duties = {}
        for role in {one.role for one in some}:
            own = [one for one in problem.duties(role) if one.filler is not None]
            had = names.have(columns, [one.bit for one in own])
            obliging = names.have(columns, [one.filler for one in own])
            duties[role] = _Duties(had, obliging, np.count_nonzero(obliging, 0))
        return cls(
            names.have(columns, [one.bit for one in some]),
            names.have(
                columns,
                [
                    None if one.filler is None or objects is None else one.filler | objects
                    for one, objects in zip(some, ranges, strict=True)
                ],
            ),
            duties,
        )

    def find_lacking(self, number: int, role: Role, keep: Bools) -> Bools:
        """The columns that have an existential, and no witness for it among those to keep.

        Those that oblige to little serve most subjects: mostly the first of them serves all.
        """
        lacking: Bools = self.subjects[number] & keep
        witnesses = np.flatnonzero(self.witnesses[number] & keep)
        if not lacking.any() or not len(witnesses):
            return lacking
        duties = self.duties[role]
        least = witnesses[np.argmin(duties.counts[witnesses])]
        lacking &= ~duties.had[duties.obliging[:, least]].all(0)
        if not lacking.any():
            return lacking
        patterns = np.unpackbits(
            np.unique(np.packbits(duties.obliging[:, witnesses], axis=0), axis=1),
            axis=0,
            count=len(duties.had),
        ).astype(bool)
        for place in np.argsort(patterns.sum(0), kind="stable").tolist():
            lacking &= ~duties.had[patterns[:, place]].all(0)
            if not lacking.any():
                break
        return lacking
