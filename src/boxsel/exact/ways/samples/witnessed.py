"""Which of many types have witnesses among them."""

from __future__ import annotations

import numpy as np

from boxsel.exact.compile.problem import Existential, Problem
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.shares import Names


def find_witnessed(problem: Problem, names: Names, columns: Bools, keep: Bools) -> Bools:
    """The largest part of some columns whose existentials have witnesses in that part."""
    while True:
        lacking = np.zeros(len(keep), bool)
        for existential in problem.existentials:
            if not existential.bit & ~names.inside:
                lacking |= _find_lacking(problem, names, existential, columns, keep)
        if not (lacking & keep).any():
            return keep
        keep = keep & ~lacking


def _find_lacking(
    problem: Problem, names: Names, existential: Existential, columns: Bools, keep: Bools
) -> Bools:
    """The columns that have an existential, and no witness for it among those to keep.

    A witness obliges its subject to every existential whose filler it has.
    """
    subjects = names.has(columns, existential.bit) & keep
    objects = problem.range(existential.role)
    if existential.filler is None or objects is None or not subjects.any():
        return subjects
    witnesses = columns[:, keep & names.has(columns, existential.filler | objects)]
    duties = [
        (duty.bit, duty.filler)
        for duty in problem.duties(existential.role)
        if duty.filler is not None
    ]
    places = np.flatnonzero(subjects)
    obliged = np.array([names.has(witnesses, filler) for _, filler in duties])
    had = np.array([names.has(columns[:, places], bit) for bit, _ in duties])
    served = np.zeros(len(places), bool)
    patterns = np.unpackbits(
        np.unique(np.packbits(obliged, axis=0), axis=1), axis=0, count=len(duties)
    ).astype(bool)
    # Those that oblige to little serve most subjects.
    for place in np.argsort(patterns.sum(0), kind="stable").tolist():
        served |= had[patterns[:, place]].all(0)
        if served.all():
            break
    subjects[places[served]] = False
    return subjects
