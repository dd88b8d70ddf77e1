"""Bodies, heads and weights that change together, until rows hold that heads cannot have alone.

Head by head (`concluding`), a share is linear in memberships, but bodies that fit a little badly
contradict each other there. Bodies, heads and weights together have many more numbers than there
are rows. So here are steps of Gauss, Newton and Marquardt, and what is least in them is not how far
numbers move but the relative entropy: a membership x in a cell of weight w has log odds whose
information is w·x·(1 − x), and the logarithm of a weight has w. With the slopes J of all rows and
the information I, the least move of log odds that gives the errors e is `I⁻¹ Jᵀ y` with
`(J I⁻¹ Jᵀ + λ) y = e`. What must come near to 0 or 1 then gets there by a constant factor in every
step: statements that leave hardly any room have solutions nowhere else. (Where moves of the numbers
themselves are least, steps become smaller and smaller there, and end short of it.)

A row reads one body, one head and the weights; so J I⁻¹ Jᵀ is a product for the weights, and one
for each basic concept and the few rows that read it. It is solved directly: steps by conjugate
gradients hardly come nearer, since rows nearly follow from each other.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from boxsel.models.arrays import Parameters
from boxsel.models.concluding import Tables, basics_of
from boxsel.models.groups import each_member
from boxsel.models.representations.populations import levels_of, memberships
from boxsel.models.task import Rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]

STEPS: Final = 60
"""At most so many steps; ten to thirty are enough where there is a solution."""

EXACT: Final = 1e-10
"""Shares that miss an end by less than this satisfy it."""

RIDGE: Final = 1e-14
"""The least of what is added to the matrix, beside its mean: rows may follow from each other."""

NOTHING: Final = 1e-300
"""What is added in any case: a row whose body is empty has no slope."""

FARTHEST: Final = 1.0
"""How far log odds may move in a step. With 3, rows that are not asked for fared worse."""

LOOSE: Final = 1e-5
"""How far from 0 and 1 memberships begin if there is no way with those that are there."""

FIRST_DAMPING: Final = 1e-4
LAST_DAMPING: Final = 10.0
"""What is added to the matrix, beside its mean: at first, and when nothing helps any more."""


class Member(NamedTuple):
    """The numbers of a member that rows read.

    Memberships of basic concepts, a line each, and the weights of cells, whose sum is 1.
    """

    shares: Floats
    weights: Floats


class Said(NamedTuple):
    """Rows `(head | body)`: lines of memberships, with the ends that shares should lie between."""

    bodies: Ints
    heads: Ints
    lower: Floats
    upper: Floats


def reconciled(parameters: Parameters, rows: Rows) -> Parameters:
    """Members whose shares are nearer to the bounds of rows with one basic concept as body.

    What is 0 or 1 stays so, unless some row cannot be had without it.
    """
    tables = Tables(parameters)
    weights = np.array(parameters["cells"]["weight"], float)
    body, head = basics_of(rows, 0), basics_of(rows, -1)
    basics = sorted({*body, *head})
    at = {one: line for line, one in enumerate(basics)}
    said = Said(
        np.array([at[one] for one in body]),
        np.array([at[one] for one in head]),
        rows.lower,
        rows.upper,
    )

    def solve(place: int) -> Member:
        levels = np.stack([tables.level(one)[place] for one in basics])
        return nearer(Member(memberships(levels), _normal(weights[0, place])), said)

    for place, (found, moved) in enumerate(each_member(solve, weights.shape[1])):
        for one, share in zip(basics, found, strict=True):
            level = tables.level(one)[place]
            level[...] = np.where(share == memberships(level), level, levels_of(share))
        weights[0, place] = np.log(np.maximum(moved, NOTHING))
    return {**tables.parameters, "cells": {"weight": weights}}


def nearer(member: Member, said: Said) -> Member:
    """A member whose shares are between their ends, or nearer to that.

    Examples:
        >>> half = Member(np.full((2, 4), 0.5), np.full(4, 0.25))  # all shares are a half
        >>> said = Said(np.array([0]), np.array([1]), np.array([0.2]), np.array([0.2]))
        >>> found = nearer(half, said)
        >>> _shares(found, said).round(9).tolist()
        [0.2]
    """
    found = _descended(_loosened(member, said, _cramped(member, said)), said)
    missed = np.abs(_missing(found, said)) > EXACT
    if missed.any():
        loose = _descended(_loosened(found, said, missed), said)
        if _size(loose, said) < _size(found, said):
            return loose
    return found


def _descended(member: Member, said: Said) -> Member:
    """The member after steps that bring it nearer, each of them."""
    missing = _missing(member, said)
    size, damping = np.linalg.norm(missing), FIRST_DAMPING
    for _ in range(STEPS):
        if _is_met(missing) or damping > LAST_DAMPING:
            break
        tried = _moved(member, said, missing, damping)
        after = missing if tried is None else _missing(tried, said)
        if tried is not None and np.linalg.norm(after) < size:
            member, missing, damping = tried, after, max(damping / 10, RIDGE)
            size = np.linalg.norm(missing)
        else:
            damping *= 10
    return member


def _cramped(member: Member, said: Said) -> Truths:
    """Which rows are missed and have heads that are 0 or 1 in all of their bodies."""
    missed = np.abs(_missing(member, said)) > EXACT
    head, inside = member.shares[said.heads[missed]], member.shares[said.bodies[missed]] > 0
    missed[missed] = ~(inside & (head > 0) & (head < 1)).any(axis=1)
    return missed


def _loosened(member: Member, said: Said, which: Truths) -> Member:
    """The member with heads of some rows a little inside 0 and 1: they had no room.

    Where a row says that nobody of a body, or everybody, has a head, who is not in the body stays
    out, and the head stays what it is in it.
    """
    lines = np.unique(said.heads[which])
    shares, kept = member.shares, np.zeros(member.shares.shape, bool)
    strict = (said.upper <= 0) | (said.lower >= 1)
    bodies, heads = said.bodies[strict], said.heads[strict]
    np.logical_or.at(kept, bodies, shares[bodies] == 0)
    np.logical_or.at(kept, heads, shares[bodies] > 0)
    kept |= (shares == 1).all(axis=1, keepdims=True)  # such as ⊤
    loose = shares.copy()
    loose[lines] = np.where(kept[lines], shares[lines], np.clip(shares[lines], LOOSE, 1 - LOOSE))
    return Member(loose, member.weights)


def _is_met(missing: Floats) -> bool:
    """Whether all shares are between their ends."""
    return bool(np.abs(missing).max(initial=0.0) <= EXACT)


def _size(member: Member, said: Said) -> float:
    return float(np.linalg.norm(_missing(member, said)))


def _normal(logarithms: Floats) -> Floats:
    """Weights that sum to 1."""
    raised = np.exp(logarithms - logarithms.max())
    found: Floats = raised / raised.sum()
    return found


def _inverse(sums: Floats) -> Floats:
    """One over what is something, and nothing else."""
    found: Floats = np.where(sums > 0, 1 / np.where(sums > 0, sums, 1.0), 0.0)
    return found


def _shares(member: Member, said: Said) -> Floats:
    """The share of each row; where a body is empty, its lower end."""
    parts = member.shares[said.bodies] * member.weights
    whole = parts.sum(axis=1)
    both = np.einsum("rk,rk->r", parts, member.shares[said.heads])
    found: Floats = np.where(whole > 0, both * _inverse(whole), said.lower)
    return found


def _missing(member: Member, said: Said) -> Floats:
    """By how much every share should grow."""
    shares = _shares(member, said)
    found: Floats = np.clip(shares, said.lower, said.upper) - shares
    return found


def _moved(member: Member, said: Said, missing: Floats, damping: float) -> Member | None:
    """The member after a step; None if its equations have no solution in floats.

    Rows inside their ends are left out: they have room to move.
    """
    asked = (missing != 0) | (said.lower == said.upper)
    bodies, heads = said.bodies[asked], said.heads[asked]
    shares, weights = member
    body, head = shares[bodies], shares[heads]
    scale = _inverse(body @ weights)[:, None]
    # What a share grows with the membership of its head, and of its body, over the weight.
    of_heads = body * scale
    part = np.einsum("rk,rk,k->r", of_heads, head, weights)[:, None]
    of_bodies = (head - part) * scale
    of_weights = body * of_bodies
    both, count = np.concatenate([of_bodies, of_heads]), len(bodies)
    readers = _readers(np.concatenate([bodies, heads]))
    rooted = of_weights * np.sqrt(weights)
    matrix = rooted @ rooted.T
    room = np.sqrt(weights * shares * (1 - shares))
    for line, some in readers.items():
        rows, moving = some % count, both[some] * room[line]
        matrix[np.ix_(rows, rows)] += moving @ moving.T
    matrix[np.diag_indices(count)] += damping * matrix.trace() / max(1, count) + NOTHING
    try:
        factor = linalg.cho_factor(matrix, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return None
    prices = linalg.cho_solve(factor, missing[asked], check_finite=False)
    if not np.isfinite(prices).all():
        return None
    after, twice = shares.copy(), np.concatenate([prices, prices])
    for line, some in readers.items():
        odds = np.exp(np.clip(twice[some] @ both[some], -FARTHEST, FARTHEST))
        after[line] = _at_odds(shares[line], odds)
    raised = weights * np.exp(np.clip(prices @ of_weights, -FARTHEST, FARTHEST))
    return Member(after, raised / raised.sum())


def _at_odds(shares: Floats, factor: Floats) -> Floats:
    """Memberships whose odds are so many times what they were; 0 and 1 stay exactly so."""
    found: Floats = np.where(shares < 1, shares * factor / (1 - shares + shares * factor), 1.0)
    return found


def _readers(lines: Ints) -> dict[int, Ints]:
    """Where each line of memberships is read."""
    order = np.argsort(lines, kind="stable")
    found, starts = np.unique(lines[order], return_index=True)
    return dict(zip(found.tolist(), np.split(order, starts[1:]), strict=True))
