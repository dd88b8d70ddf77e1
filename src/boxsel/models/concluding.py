"""Members that satisfy what follows from their rows, by the least change of memberships.

Of a share `(E | C)` = Σ w·c·e / Σ w·c, where C is one basic concept, the memberships e are linear
unknowns, once those of all bodies stay. So heads are taken one by one, with all rows about each.
Of all memberships that give the wanted shares, those with the least relative entropy to what was
trained are the `σ(θ + Σ λ·w·c)` with one multiplier for each row; Newton's method finds these.
Bodies that fit a little badly contradict each other there: then rows that are missed most are given
up, one after the other, so that the others hold.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxsel.models.arrays import Parameters
from boxsel.models.numbering import NO_ROLE
from boxsel.models.representations.populations import levels_of, memberships
from boxsel.models.task import Rows

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[np.int64]

Basic = tuple[int, int]
"""A basic concept: its name and its role."""

SWEEPS: Final = 3
"""How often a head is looked at, if its bodies have changed since."""

STEPS: Final = 60
"""At most so many steps of Newton for a head, each time."""

ROUNDS: Final = 10
"""How often it is looked whether sums that were not asked for are now outside."""

DROPS: Final = 15
"""How often rows that are missed most are given up."""

ALIKE: Final = 0.9
"""Rows that are missed by nearly as much as another are given up with it."""

EXACT: Final = 1e-13
"""Shares that miss an end by less than this satisfy it."""

NEAR: Final = 1e-9
"""A row that is missed by more is lost."""

FARTHEST: Final = 4.0
"""How far the log odds of a membership may move in a step."""

LOOSE: Final = 1e-4
"""How far from 0 and 1 memberships begin if there is no way with those that are there."""

RIDGE: Final = 1e-11
"""What is added to slopes, beside the largest: rows may follow from each other."""


def concluded(parameters: Parameters, rows: Rows) -> Parameters:
    """Members whose shares are within the bounds of rows with one basic concept as body.

    What cannot be had is missed, and nothing else for its sake.
    """
    tables = Tables(parameters)
    body, head = (basics_of(rows, slot) for slot in (0, -1))
    bodies = {one: {body[at] for at in range(len(rows)) if head[at] == one} for one in head}
    stale = set(bodies)
    for _ in range(SWEEPS):
        for one in sorted(stale):
            stale.discard(one)
            some = np.array([at for at in range(len(rows)) if head[at] == one])
            if tables.fit(rows.take(some), one, one in body):
                stale |= {other for other, about in bodies.items() if one in about}
        if not stale:
            break
    return tables.parameters


def made_equal(parameters: Parameters, rows: Rows) -> Parameters:
    """Members in which basic concepts that lie within each other by rows are the same."""
    tables = Tables(parameters)
    sure = rows.take(np.flatnonzero((rows.lower >= 1) & (rows.names[:, 1] == 0)))
    sure = sure.take(np.flatnonzero(sure.roles[:, 1] == NO_ROLE))
    said = set(zip(basics_of(sure, 0), basics_of(sure, -1), strict=True))
    for body, head in sorted(said):
        if body < head and (head, body) in said:
            tables.level(head)[...] = tables.level(body)
    return tables.parameters


def basics_of(rows: Rows, slot: int) -> list[Basic]:
    """The basic concept of every row in a slot."""
    names, roles = rows.names[:, slot].tolist(), rows.roles[:, slot].tolist()
    return list(zip(names, roles, strict=True))


class Tables:
    """The levels of members, which are changed in place, and the weights of their cells."""

    def __init__(self, parameters: Parameters) -> None:
        self._names = np.array(parameters["names"]["level"], float)
        count, members, cells = self._names.shape
        roles = np.array(parameters["roles"]["level"], float)
        self._roles = roles.reshape(-1, members, count, cells)
        weights = np.array(parameters["cells"]["weight"][0], float)
        raised = np.exp(weights - weights.max(axis=-1, keepdims=True))
        self._weights = raised / raised.sum(axis=-1, keepdims=True)
        self._other = parameters

    @property
    def parameters(self) -> Parameters:
        """The tables as they are now."""
        roles = self._roles.reshape(len(self._roles), self._names.shape[1], -1)
        return {**self._other, "names": {"level": self._names}, "roles": {"level": roles}}

    def level(self, basic: Basic) -> Floats:
        """The numbers of a basic concept: a line for each member."""
        name, role = basic
        return self._names[name] if role == NO_ROLE else self._roles[role, :, name]

    def fit(self, rows: Rows, head: Basic, is_body: bool) -> bool:
        """Let rows about a head hold; whether anything was changed.

        What is 0 or 1 in a head that is a body elsewhere stays so.
        """
        level = self.level(head)
        share = np.asarray(memberships(level))
        parts = np.stack(
            [self._weights * memberships(self.level(one)) for one in basics_of(rows, 0)], axis=1
        )
        whole = parts.sum(axis=-1, keepdims=True)
        parts /= np.where(whole > 0, whole, 1.0)
        # Where a body is empty, nothing is said.
        some = whole[..., 0] > 0
        lower, upper = np.where(some, rows.lower, 0.0), np.where(some, rows.upper, 1.0)
        now = _sums(parts, share)
        off = np.flatnonzero(np.abs(now - np.clip(now, lower, upper)).max(axis=1) > EXACT)
        if not len(off):
            return False
        wanted = _Wanted(parts[off], lower[off], upper[off])
        level[off] = levels_of(_fitted(share[off], wanted, not is_body))
        return True


class _Wanted(NamedTuple):
    """Sums of memberships with `parts` [members, rows, cells] that should lie between two ends."""

    parts: Floats
    lower: Floats
    upper: Floats

    def of(self, members: Ints | Truths) -> _Wanted:
        """Those of some members."""
        return _Wanted(self.parts[members], self.lower[members], self.upper[members])

    def missing(self, shares: Floats) -> Floats:
        """By how much every sum should grow."""
        now = _sums(self.parts, shares)
        missing: Floats = np.clip(now, self.lower, self.upper) - now
        return missing


def _fitted(shares: Floats, wanted: _Wanted, loosely: bool) -> Floats:
    """Memberships that miss as few of the wanted sums as can be found."""
    best, kept = shares.copy(), np.ones(wanted.lower.shape, bool)
    fewest = _missed(best, wanted).sum(axis=1)
    some = np.arange(len(shares))
    for trial in range(1 + loosely + DROPS):
        loose = LOOSE if trial and loosely else 0.0
        found = _between(shares[some], wanted.of(some), kept[some], loose)
        missed = _missed(found, wanted.of(some))
        better = missed.sum(axis=1) < fewest[some]
        best[some[better]], fewest[some[better]] = found[better], missed[better].sum(axis=1)
        left = (missed & kept[some]).any(axis=1)
        some = some[left]
        if not len(some):
            break
        if trial >= loosely:
            off = np.abs(wanted.of(some).missing(found[left])) * kept[some]
            kept[some] &= off < off.max(axis=1, keepdims=True) * ALIKE
    return best


def _between(shares: Floats, wanted: _Wanted, kept: Truths, loose: float) -> Floats:
    """Memberships with sums between their ends, of those that are `kept`, if there are some.

    Only sums that would be outside are asked for, at the end that they would pass: who holds all
    others where they are has no room left to move in.
    """
    asked = kept & ((wanted.upper <= 0) | (wanted.lower >= 1))
    ends = np.where(wanted.lower >= 1, 1.0, 0.0)
    found, stale = shares.copy(), np.arange(len(shares))
    for _ in range(ROUNDS):
        off = wanted.of(stale).missing(found[stale])
        outside = kept[stale] & ~asked[stale] & (np.abs(off) > EXACT)
        changed = outside.any(axis=1)
        stale, outside, off = stale[changed], outside[changed], off[changed]
        if not len(stale):
            break
        sides = np.where(off > 0, wanted.lower[stale], wanted.upper[stale])
        ends[stale] = np.where(outside, sides, ends[stale])
        asked[stale] |= outside
        rows = np.flatnonzero(asked[stale].any(axis=0))
        some = np.ix_(stale, rows)
        found[stale] = nearest(shares[stale], wanted.parts[some], ends[some], asked[some], loose)
    return found


def _sums(parts: Floats, shares: Floats) -> Floats:
    """What memberships give, in all rows of each member."""
    found: Floats = (parts @ shares[..., None])[..., 0]
    return found


def _missed(shares: Floats, wanted: _Wanted) -> Truths:
    """Which sums every member misses."""
    return np.asarray(np.abs(wanted.missing(shares)) > NEAR)


def nearest(
    shares: Floats, parts: Floats, wanted: Floats, kept: Truths, loose: float = 0.0
) -> Floats:
    """Memberships that give the wanted sums with these parts, nearest to those given.

    They are [members, cells], the parts [members, rows, cells], the wanted sums [members, rows]; of
    these only those that are `kept` matter. What is 0 or 1 stays so, unless it is to be `loose`;
    what rows want to be 0 or 1 becomes that.

    Examples:
        >>> every = np.ones((1, 1), bool)
        >>> found = nearest(np.full((1, 2), 0.5), np.full((1, 1, 2), 0.5), every * 0.2, every)
        >>> found.round(12).tolist()
        [[0.2, 0.2]]
    """
    parts = parts * kept[..., None]
    wanted = wanted * kept
    never = ((parts > 0) & (wanted <= 0)[..., None]).any(axis=1)
    always = ((parts > 0) & (wanted >= 1)[..., None]).any(axis=1) & ~never
    found = np.where(never, 0.0, np.where(always, 1.0, np.clip(shares, loose, 1 - loose)))
    free = (found > 0) & (found < 1)
    inner = np.where(free, found, 0.5)
    odds = np.log(inner) - np.log1p(-inner)
    damping = np.full(len(shares), RIDGE)
    error = wanted - _sums(parts, found)
    active = np.arange(len(shares))
    for _ in range(STEPS):
        active = active[(np.abs(error[active]).max(axis=1) > EXACT) & (damping[active] < 1.0)]
        if not len(active):
            break
        here, now, moving = parts[active], found[active], free[active]
        matrix = (here * (now * (1 - now) * moving)[:, None]) @ here.transpose(0, 2, 1)
        scale = np.trace(matrix, axis1=1, axis2=2)
        scale = np.where(scale > 0, scale, 1.0)
        matrix += np.eye(matrix.shape[1]) * (damping[active] * scale)[:, None, None]
        prices = np.nan_to_num(np.linalg.solve(matrix, error[active][..., None]))
        move = np.clip((prices.transpose(0, 2, 1) @ here)[:, 0], -FARTHEST, FARTHEST)
        tried = odds[active] + np.where(moving, move, 0.0)
        after = np.where(moving, 1 / (1 + np.exp(-tried)), now)
        missing = wanted[active] - _sums(here, after)
        better = np.linalg.norm(missing, axis=1) < np.linalg.norm(error[active], axis=1)
        good = active[better]
        odds[good], found[good], error[good] = tried[better], after[better], missing[better]
        eased = np.maximum(damping[active] / 30, RIDGE)
        damping[active] = np.where(better, eased, damping[active] * 30)
    return found
