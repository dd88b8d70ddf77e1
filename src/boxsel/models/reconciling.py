"""Bodies and heads that change together, until rows that heads cannot have alone hold.

Head by head (`concluding`), a share is linear in memberships, but bodies that fit a little badly
contradict each other there. Bodies, heads and weights together have many more numbers than there
are rows. So here are steps of Levenberg and Marquardt: with the slopes J of all rows, the least
move that gives the errors e is `Jᵀ y` with `(J Jᵀ + λ) y = e`. A row reads one body, one head and
the weights; so J Jᵀ is a product for the weights, and one for each basic concept and the few rows
that read it. It is solved directly: steps by conjugate gradients hardly come nearer, since rows
nearly follow from each other.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from boxsel.models.arrays import Parameters
from boxsel.models.concluding import Tables, basics_of
from boxsel.models.numbering import EVERYTHING, NO_ROLE
from boxsel.models.representations.populations import EDGE, memberships
from boxsel.models.task import Rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STEPS: Final = 20
"""At most so many steps; near to a solution, four or five are enough."""

EXACT: Final = 1e-12
"""Shares that miss an end by less than this satisfy it."""

RIDGE: Final = 1e-10
"""The least of what is added to J Jᵀ: rows may follow from each other."""

FARTHEST: Final = 3.0
"""How far a number may move in a step."""

FIRST_DAMPING: Final = 1e-6
LAST_DAMPING: Final = 1.0
"""What is added to J Jᵀ, beside its largest: at first, and when nothing helps any more."""

STRETCH: Final = 1 + 2 * EDGE
"""How much the curve of memberships is stretched before it is cut at 0 and 1."""

EVERYTHING_ITSELF: Final = (EVERYTHING, NO_ROLE)
"""⊤, whose membership is 1 and stays so."""


class Member(NamedTuple):
    """The numbers of a member that rows read: levels of basic concepts, a line each; of weights."""

    levels: Floats
    weights: Floats


class Said(NamedTuple):
    """Rows `(head | body)`: lines of levels, with the ends that shares should lie between."""

    bodies: Ints
    heads: Ints
    lower: Floats
    upper: Floats


def reconciled(parameters: Parameters, rows: Rows) -> Parameters:
    """Members whose shares are nearer to the bounds of rows with one basic concept as body."""
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
    for place in range(weights.shape[1]):
        levels = np.stack([tables.level(one)[place] for one in basics])
        found = nearer(Member(levels, weights[0, place]), said)
        for one, level in zip(basics, found.levels, strict=True):
            if one != EVERYTHING_ITSELF:
                tables.level(one)[place] = level
        weights[0, place] = found.weights
    return {**tables.parameters, "cells": {"weight": weights}}


def nearer(member: Member, said: Said) -> Member:
    """A member whose shares are between their ends, or nearer to that.

    Examples:
        >>> half = Member(np.zeros((2, 4)), np.zeros(4))  # all shares are a half
        >>> said = Said(np.array([0]), np.array([1]), np.array([0.2]), np.array([0.2]))
        >>> found = nearer(half, said)
        >>> _shares(found, said).round(9).tolist()
        [0.2]
    """
    missing = _missing(member, said)
    damping = FIRST_DAMPING
    for _ in range(STEPS):
        if np.abs(missing).max(initial=0.0) <= EXACT or damping > LAST_DAMPING:
            break
        tried = _moved(member, said, missing, damping)
        after = _missing(tried, said)
        if np.linalg.norm(after) < np.linalg.norm(missing):
            member, missing, damping = tried, after, max(damping / 10, RIDGE)
        else:
            damping *= 10
    return member


def _slopes(levels: Floats) -> Floats:
    """How fast memberships grow with levels; where they are cut, they do not."""
    curve = 1 / (1 + np.exp(-levels))
    shares = memberships(levels)
    found: Floats = STRETCH * curve * (1 - curve) * ((shares > 0) & (shares < 1))
    return found


def _weights(member: Member) -> Floats:
    raised = np.exp(member.weights - member.weights.max())
    found: Floats = raised / raised.sum()
    return found


def _shares(member: Member, said: Said) -> Floats:
    """The share of each row; where a body is empty, its lower end."""
    shares = memberships(member.levels)
    parts = shares[said.bodies] * _weights(member)
    whole = parts.sum(axis=1)
    both = (parts * shares[said.heads]).sum(axis=1)
    found: Floats = np.where(whole > 0, both / np.where(whole > 0, whole, 1.0), said.lower)
    return found


def _missing(member: Member, said: Said) -> Floats:
    """By how much every share should grow."""
    shares = _shares(member, said)
    found: Floats = np.clip(shares, said.lower, said.upper) - shares
    return found


def _moved(member: Member, said: Said, missing: Floats, damping: float) -> Member:
    """The member after a step. Rows inside their ends are left out: they have room to move."""
    asked = (missing != 0) | (said.lower == said.upper)
    bodies, heads = said.bodies[asked], said.heads[asked]
    shares, slopes = memberships(member.levels), _slopes(member.levels)
    body, head = shares[bodies], shares[heads]
    parts = body * _weights(member)
    whole = parts.sum(axis=1, keepdims=True)
    parts *= np.where(whole > 0, 1 / np.where(whole > 0, whole, 1.0), 0.0)
    of_weights = parts * (head - (parts * head).sum(axis=1, keepdims=True))
    scale = np.where(body > 0, 1 / np.where(body > 0, body, 1.0), 0.0)
    both = np.concatenate([of_weights * scale * slopes[bodies], parts * slopes[heads]])
    readers, count = _readers(np.concatenate([bodies, heads])), len(bodies)
    matrix = of_weights @ of_weights.T
    for some in readers.values():
        rows = some % count
        matrix[np.ix_(rows, rows)] += both[some] @ both[some].T
    size = matrix.trace() / max(1, count)
    matrix[np.diag_indices(count)] += damping * size + EXACT
    prices = linalg.solve(matrix, missing[asked], assume_a="pos", check_finite=False)
    levels, twice = member.levels.copy(), np.concatenate([prices, prices])
    for line, some in readers.items():
        levels[line] += np.clip(twice[some] @ both[some], -FARTHEST, FARTHEST)
    return Member(levels, member.weights + np.clip(prices @ of_weights, -FARTHEST, FARTHEST))


def _readers(lines: Ints) -> dict[int, Ints]:
    """Where each line of levels is read."""
    order = np.argsort(lines, kind="stable")
    found, starts = np.unique(lines[order], return_index=True)
    return dict(zip(found.tolist(), np.split(order, starts[1:]), strict=True))
