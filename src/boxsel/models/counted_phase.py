"""The last phase of populations whose sizes are known: members have them to the last digits.

Counted knowledge bases say so much that few populations satisfy all of it, and small changes, such
as those of Gauss and Newton, lead to none of them. But sizes are linear in the weights of cells, if
it is fixed what is in each; and then, with these weights, linear in every existential. So cells
become kinds of individuals (`kinds`), their weights are solved for all names together, and then the
memberships of existentials. Where sizes were left open, every member goes as far as it can in a
direction of its own (`spreading`, `witnessed`), so that together they span what is possible; else
it stays as near as can be to what it was.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from boxsel.models.arrays import Parameters
from boxsel.models.existential_sizes import NEAR, Existentials
from boxsel.models.kinds import Kinds, Laws, Sizes, cheapest, enough, kinds_of, refined
from boxsel.models.known_sizes import KnownSizes, known_sizes
from boxsel.models.numbering import NO_ROLE
from boxsel.models.representations.boxes import WHOLE
from boxsel.models.representations.populations import levels_of, memberships
from boxsel.models.spreading import MANY, Open, corner
from boxsel.models.task import Rows
from boxsel.models.witnessed import pushed

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[np.int64]

MOST_SIZES: Final = 4_000
"""With more known sizes of names, the linear programmes take too long."""

STRANGE: Final = ((0.0, 10.0), (0.1, 0.0), (0.3, 0.0))
"""What part of the kinds of others a member may have, and what one costs, beside a random cost of
at most 1. If there are no existentials for the weights that are found, others are looked for."""

ATTEMPTS: Final = 8
"""How often weights are looked for in a direction: each time, more of what existentials need is
known."""

PARTS: Final = (0.5, 0.25)
"""How far a member goes in its direction if that was not enough."""

MOST_TRIED: Final = 3
"""How many weights of others are tried for a member that has none."""

MEMBERS_TRIED: Final = 3
"""If none of so many members can have all sizes in its cells, no other is tried."""

NOBODY: Final = -1e4
"""The level of a weight that is 0."""


def counted(parameters: Parameters, rows: Rows) -> Parameters | None:
    """Members that have all known sizes, as near as can be to those that were trained.

    None if not all sizes are known, or too many, or some member cannot have them.
    """
    known = known_sizes(rows)
    if known is None:
        return None
    sizes = Sizes(known)
    if not 0 < len(sizes) <= MOST_SIZES:
        return None
    tables = _Tables(parameters, known)
    laws = Laws(known)
    names = np.where(known.is_existential[:, None, None], 0.0, tables.shares)
    found = enough(kinds_of(names, tables.weights, known, laws), sizes, laws, tables.cells)
    if found is None:
        return None
    search = _Search(tables, known, sizes, laws, *found)
    for member in range(tables.members):
        search.solve(member)
        if not search.good and member + 1 >= MEMBERS_TRIED:
            return None
    return tables.parameters if search.all_solved() else None


class _Search:
    """Looks for weights of kinds, member by member; kinds that are found serve all that follow."""

    def __init__(
        self,
        tables: _Tables,
        known: KnownSizes,
        sizes: Sizes,
        laws: Laws,
        kinds: Kinds,
        needed: Truths,
    ) -> None:
        self._tables, self._known, self._sizes, self._laws = tables, known, sizes, laws
        self._kinds, self._columns = kinds, sizes.columns(kinds)
        self._near = len(kinds)
        self._needed = needed
        self._open = Open(known, sizes, laws) if len(sizes) <= MANY else None
        self._existentials = Existentials(known)
        self._demands = np.zeros((0, self._existentials.count))
        self._solved = np.zeros(tables.members, bool)
        self._lost = 0
        self.good: list[Floats] = []
        """Weights that some member has: as many as there were kinds then."""

    def solve(self, member: int) -> None:
        """Give a member weights in a direction of its own if there is one, else near ones."""
        found = not self.good and self._nearest(member)
        if self._open and self.good and self._lost < MEMBERS_TRIED:
            found = self._far(member, self._open.direction(member)) or found
        self._solved[member] = found or self._nearest(member)

    def all_solved(self) -> bool:
        """Whether all members have weights; who has none gets those of others."""
        for member in np.flatnonzero(~self._solved).tolist():
            self._solved[member] = any(self._take(member, one) for one in self.good[:MOST_TRIED])
        return bool(self._solved.all())

    def _take(self, member: int, weights: Floats) -> bool:
        """Let a member have these weights, if it has room and there are existentials for them."""
        used = np.flatnonzero(weights > 0)
        columns = self._columns[:, used]
        if len(used) > self._tables.cells or np.abs(columns @ weights[used] - 1).max() > NEAR:
            return False
        few = self._kinds.at(used)
        found = self._existentials.fitted(few, weights[used], self._tables.shares_at(few))
        if found.missing > NEAR:
            self._demands = np.concatenate([self._demands, found.demands])
            return False
        free = self._existentials.free(few)
        shares = pushed(self._known, few, found.shares, free, _wish(member, len(found.shares)))
        self._tables.put(member, few, weights[used], shares)
        self.good.append(weights)
        return True

    def _lacking(self, kinds: Kinds) -> Floats:
        """What kinds lack of what existentials were seen to need."""
        whole = kinds.has[:, sorted(self._sizes.regions[0])].all(axis=1) / self._sizes.sizes[0]
        return self._existentials.lacking(self._demands, kinds, whole)

    def _nearest(self, member: int) -> bool:
        """Weights that use as much as can be of what came from the member's own cells."""
        random = np.random.default_rng(member)
        own = self._kinds.owners[: self._near, member]
        for others, strange in STRANGE:
            some = np.flatnonzero(self._needed | own | (random.random(self._near) < others))
            costs = np.where(own[some], 0.0, strange) + random.random(len(some))
            columns = self._columns[:, some]
            for _ in range(ATTEMPTS):
                within = self._lacking(self._kinds.at(some))
                met = sparse.csc_array(within) if len(within) else None
                best = cheapest(columns, costs, within=met)
                known, weights = len(self._demands), np.zeros(len(self._kinds))
                weights[some] = refined(columns, best.numbers)
                if self._take(member, weights):
                    return True
                if best.missing > NEAR or len(self._demands) == known:
                    break
        return False

    def _far(self, member: int, direction: Floats) -> bool:
        """Weights that lie far in a member's direction, and leave room for existentials.

        What is found that these need holds for all members after it, too.
        """
        own, random = self._kinds.owners[:, member], np.random.default_rng(member)
        some = own | (random.random(len(self._kinds)) < STRANGE[0][0])
        some |= np.pad(self._needed, (0, len(some) - self._near), constant_values=True)
        places = np.flatnonzero(some)
        for _ in range(ATTEMPTS):
            kinds, columns = self._kinds.at(places), self._columns[:, places]
            found = corner(kinds, columns, self._sizes, self._laws, direction, self._lacking)
            if found is None:
                self._lost += 1
                return False
            places = self._added(found.kinds)
            far, known = np.zeros(len(self._kinds)), len(self._demands)
            far[places] = refined(found.columns, found.weights)
            if self._take(member, far):
                return True
            if len(self._demands) == known:
                break
        start = np.pad(self.good[0], (0, len(far) - len(self.good[0])))
        return any(self._take(member, part * far + (1 - part) * start) for part in PARTS)

    def _added(self, kinds: Kinds) -> Ints:
        """The places of kinds among all, with new ones at the end."""
        before = len(self._kinds)
        self._kinds = self._kinds.with_others(kinds)
        if len(self._kinds) > before:
            new = self._kinds.at(np.arange(before, len(self._kinds)))
            both = [self._columns, self._sizes.columns(new)]
            self._columns = sparse.csc_array(sparse.hstack(both))
        return self._kinds.places(kinds)


def _wish(member: int, count: int) -> Floats:
    """Which of so many things a member wants more of: those above 0. The next wants the others."""
    random = np.random.default_rng(member // 2)
    wish = random.standard_normal(count) if member > 1 else np.ones(count)
    return wish if member % 2 else -wish


class _Tables:
    """The tables of an ensemble, by basic concepts; members are replaced one by one."""

    def __init__(self, parameters: Parameters, known: KnownSizes) -> None:
        self._names = np.array(parameters["names"]["level"], float)
        rows, self.members, self.cells = self._names.shape
        self._roles = np.array(parameters["roles"]["level"], float).reshape(
            -1, self.members, rows, self.cells
        )
        self._weights = np.array(parameters["cells"]["weight"], float)
        self._before = self._names.copy(), self._roles.copy()
        self._other, self._known = parameters, known
        self.shares = np.stack(
            [
                memberships(self._level(name, role))
                for name, role in zip(known.names.tolist(), known.roles.tolist(), strict=True)
            ]
        )
        raised = np.exp(self._weights[0] - self._weights[0].max(axis=-1, keepdims=True))
        self.weights = raised / raised.sum(axis=-1, keepdims=True)

    @property
    def parameters(self) -> Parameters:
        """The tables as they are now."""
        roles = self._roles.reshape(len(self._roles), self.members, -1)
        return {
            **self._other,
            "names": {"level": self._names},
            "roles": {"level": roles},
            "cells": {"weight": self._weights},
        }

    def shares_at(self, kinds: Kinds) -> Floats:
        """The memberships in the cells that kinds come from: [basics, kinds]."""
        return self.shares.reshape(len(self.shares), -1)[:, kinds.cells]

    def put(self, member: int, kinds: Kinds, weights: Floats, shares: Floats) -> None:
        """Replace the cells of a member; what nothing is said about is as where they come from."""
        names, roles = self._before
        count, source = len(kinds), np.unravel_index(kinds.cells, (self.members, self.cells))
        self._names[:, member, :count] = names[:, source[0], source[1]]
        self._roles[:, member, :, :count] = np.moveaxis(roles[:, source[0], :, source[1]], 0, 2)
        self._weights[0, member] = NOBODY
        self._weights[0, member, :count] = np.log(weights)
        known = self._known
        for place, (name, role) in enumerate(
            zip(known.names.tolist(), known.roles.tolist(), strict=True)
        ):
            level = self._level(name, role)[member]
            if role == NO_ROLE:
                level[:count] = np.where(kinds.has[:, place], WHOLE, -WHOLE)
            else:
                level[:count] = levels_of(shares[place])

    def _level(self, name: int, role: int) -> Floats:
        return self._names[name] if role == NO_ROLE else self._roles[role, :, name]
