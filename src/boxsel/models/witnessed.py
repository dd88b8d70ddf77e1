"""Existentials where nothing is said of them, as far up or down as their witnesses allow.

Whoever has an r-successor in A has one of some kind, which has A, and then `∃r.B` for all names B
of that kind: in a cell, no membership of these is less. Where that is so, it stays so. Members that
go as far as they can here show more of what is possible than those that stay where training ended.
"""

from __future__ import annotations

import numpy as np

from boxsel.models.kinds import Floats, Kinds, Truths
from boxsel.models.known_sizes import KnownSizes
from boxsel.models.numbering import EVERYTHING, NO_ROLE


def pushed(
    known: KnownSizes, kinds: Kinds, shares: Floats, free: dict[int, Truths], wish: Floats
) -> Floats:
    """Memberships of existentials, a line for each basic concept, pushed in cells that are `free`.

    Those that are wished for are pushed up; before that the others are pushed down.
    """
    free = {place: cells for place, cells in free.items() if cells.any()}
    if not free:
        return shares
    push = _Push(known, kinds, shares.copy())
    for place in sorted(free, key=lambda place: bool(wish[place] > 0)):
        if wish[place] > 0:
            push.up(place, free)
        else:
            push.down(place, free[place])
    return push.shares


class _Push:
    """Memberships that are pushed, and what existentials ask of each other."""

    def __init__(self, known: KnownSizes, kinds: Kinds, shares: Floats) -> None:
        self.shares = shares
        self._roles, self._nested = known.roles, known.nested
        at = {
            name: place
            for place, (name, role) in enumerate(
                zip(known.names.tolist(), known.roles.tolist(), strict=True)
            )
            if role == NO_ROLE
        }
        few = kinds.has[np.argsort(kinds.has.sum(axis=1), kind="stable")]  # they ask for less first
        self._has = np.zeros_like(few, shape=(len(few), len(known.names)))
        for place, name in enumerate(known.names.tolist()):
            self._has[:, place] = few[:, at[name]] if name in at else name == EVERYTHING
        self._asked: dict[int, Truths] = {}

    def up(self, place: int, free: dict[int, Truths]) -> None:
        """Push one up, and with it all that a witness asks for, if that is free, too."""
        raised = self.shares.copy()
        for other, cells in free.items():
            raised[other, cells] = 1.0
        asked = self._asked_by(self._roles[place])
        best = self.shares[place].copy()
        chosen = np.full(len(best), -1)
        for kind in np.flatnonzero(self._has[:, place]).tolist():
            limit = raised[asked[kind]].min(axis=0)
            better = free[place] & (limit > best)
            best[better], chosen[better] = limit[better], kind
        for kind in set(chosen.tolist()) - {-1}:
            for other in np.flatnonzero(asked[kind]).tolist():
                here = (chosen == kind) & free.get(other, np.False_)
                self.shares[other, here] = np.maximum(self.shares[other, here], best[here])

    def down(self, place: int, cells: Truths) -> None:
        """Push one down, to where all others still have their witnesses."""
        role, columns = self._roles[place], np.flatnonzero(cells)
        now, least = self.shares[:, columns], np.zeros(len(columns))
        for inner, outer in self._nested:
            if outer == place:
                least = np.maximum(least, now[inner])
        asked = self._asked_by(role)
        without = np.flatnonzero(~self._has[:, place])
        levels = np.array([now[asked[kind]].min(axis=0, initial=1.0) for kind in without])
        for other in np.flatnonzero(self._roles == role).tolist():
            if other != place and (now[other] > least).any():
                witnesses = levels.reshape(-1, len(least))[self._has[without, other]]
                served = witnesses.max(axis=0, initial=0.0) >= now[other]
                least = np.where(served, least, np.maximum(least, now[other]))
        self.shares[place, columns] = np.minimum(now[place], least)

    def _asked_by(self, role: int) -> Truths:
        """The existentials that an r-successor of each kind asks for, and what they lie in."""
        if role not in self._asked:
            asked = self._has & (self._roles == role)
            for _ in self._nested:
                before = asked.copy()
                for inner, outer in self._nested:
                    asked[:, outer] |= asked[:, inner]
                if (asked == before).all():
                    break
            self._asked[role] = asked
        return self._asked[role]
