"""Kinds of individuals that may exist, made from trained cells, and how many there are of each.

A *kind* has some names for sure and others never. Where nothing is broken in it, and the weights of
several kinds give all sizes that are known, these are a model. A cell of a trained member is near
to a few kinds. Those of all members are put together; a linear programme looks for weights; where
there are none, its prices say which of their neighbours are lacking. Every member then gets weights
of its own: as much as can be of what came from its own cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from boxsel.models.known_sizes import KnownSizes, Region

Truths = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DRAWS: Final = 2
"""How often each cell is drawn from, beside the names that are likelier there than not."""

MOST_ROUNDS: Final = 40
"""How often neighbours are looked for."""

WELCOME: Final = 2000
"""How many neighbours are taken at once."""

TOO_MANY: Final = 2
"""If weights that are near need so many times the kinds that a member has room for, none are looked
for: of a dense table with 3,305 sizes, further programmes took minutes and led nowhere."""

MOST_NUMBERS: Final = 10_000_000
"""If kinds are in regions more often than this in all, linear programmes take too long: those of 60
members and 2,650 sizes had not ended after eight minutes."""

EXACT: Final = 1e-9
"""Weights that miss the sizes by less than this, of each size, give them."""

PENALTY: Final = 100.0
"""What it costs to miss a size by all of it, where a cell of a member costs 1 at most."""

MOST_STEPS: Final = 10_000
"""A linear programme that needs more steps than this is given up."""

_STEPS_SPENT: Final = 1
"""The solver's status where it needs more steps; it is 0 where it has found what is best."""

_EXACTLY: Final = {
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-9,
    "maxiter": MOST_STEPS,
}
_TRIALS: Final = (_EXACTLY, {**_EXACTLY, "presolve": False})
"""How the solver is asked, one after the other if it gives up."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """Which names each kind has, a line each, and from which cell (of all members) it comes.

    `owners` are the members in which such cells are.
    """

    has: Truths
    cells: Ints
    owners: Truths

    def __len__(self) -> int:
        return len(self.has)

    def with_all(self, names: list[int]) -> Truths:
        """Which kinds have some names."""
        if not names:
            return np.ones(len(self), bool)
        return np.asarray(np.logical_and.reduce(self._by_name[names]))

    @cached_property
    def _by_name(self) -> Truths:
        """A line for each name: quicker to read."""
        return np.ascontiguousarray(self.has.T)

    def with_others(self, other: Kinds) -> Kinds:
        """These, and those of others that are not among them."""
        has = np.concatenate([self.has, other.has])
        cells = np.concatenate([self.cells, other.cells])
        owners = np.concatenate([self.owners, other.owners])
        _, first, same = np.unique(
            np.packbits(has, axis=1), axis=0, return_index=True, return_inverse=True
        )
        together = np.zeros((len(first), owners.shape[1]), bool)
        np.logical_or.at(together, same.reshape(-1), owners)
        order = np.argsort(first)  # these come first, in their order
        return Kinds(has[first], cells[first], together).at(order)

    def places(self, other: Kinds) -> Ints:
        """Where each of some kinds is among these; all of them are."""
        at = {one.tobytes(): place for place, one in enumerate(np.packbits(self.has, axis=1))}
        return np.array([at[one.tobytes()] for one in np.packbits(other.has, axis=1)], np.int64)

    def at(self, places: Ints | Truths) -> Kinds:
        """Those at some places."""
        return Kinds(self.has[places], self.cells[places], self.owners[places])


class Laws:
    """What no kind may break: regions that are empty, and heads that bodies need."""

    def __init__(self, known: KnownSizes) -> None:
        count = len(known.names)
        is_name = ~known.is_existential
        self._names = np.flatnonzero(is_name)
        empty = [region for region in known.empty if is_name[list(region)].all()]
        sure = [(one.body, one.head) for one in known.sure if is_name[[*one.body, one.head]].all()]
        self.above = np.eye(count, dtype=bool)
        for body, head in sure:
            if len(body) == 1:
                self.above[next(iter(body)), head] = True
        for middle in range(count):
            self.above |= np.outer(self.above[:, middle], self.above[middle])
        self.always = np.zeros(count, bool)
        for body, head in sure:
            if not body:
                self.always |= self.above[head]
        self._joint = [(sorted(body), head) for body, head in sure if len(body) > 1]
        self.never = np.zeros(count, bool)
        apart = np.zeros((count, count), bool)
        self._larger = []
        for region in empty:
            places = sorted(region)
            if len(places) == 1:
                self.never[places] = True
            elif len(places) == 2:
                apart[places[0], places[1]] = apart[places[1], places[0]] = True
            else:
                self._larger.append(places)
        reached = self.above.astype(np.int32)
        self.never |= (reached @ self.never.astype(np.int32)) > 0
        self.apart = (reached @ apart.astype(np.int32) @ reached.T) > 0
        self.never |= np.diag(self.apart)

    def kept(self, wanted: Truths, matters: Floats) -> Truths:
        """Of what each kind should have, as much as it may: what matters most comes first."""
        # Bits of a kind in a few bytes; and only what is wanted is looked at.
        order = np.argsort(np.where(wanted, -matters, np.inf), axis=1, kind="stable")
        many = wanted.sum(axis=1)
        bits = np.packbits(np.tile(self.always, (len(wanted), 1)), axis=1)
        above, apart = np.packbits(self.above, axis=1), np.packbits(self.apart, axis=1)
        for rank in range(int(many.max(initial=0))):
            lines = np.flatnonzero(many > rank)
            name = order[lines, rank]
            free = ~self.never[name] & ~(apart[name] & bits[lines]).any(axis=1)
            bits[lines[free]] |= above[name[free]]
        has = np.unpackbits(bits, axis=1, count=wanted.shape[1]).astype(bool)
        together = _Together(has)
        for region in self._larger:
            broken = together.lines(region)
            if len(broken):
                least = np.array(region)[matters[broken][:, region].argmin(axis=1)]
                has[broken] &= ~self.above[:, least].T
                together.changed(np.asarray(self.above[:, least].any(axis=1)))
        return has

    def completed(self, has: Truths) -> tuple[Truths, Truths]:
        """Kinds with what several of their names need, and which of them break nothing."""
        has = has | self.always
        together = _Together(has)
        for _ in range(3):
            for body, head in self._joint:
                needed = together.lines(body, head)
                if len(needed):
                    has[needed] |= self.above[head]
                    together.changed(self.above[head])
        fine: Truths = np.asarray(~has[:, self.never].any(axis=1))
        ints = has.astype(np.float32)
        fine &= ~(((ints @ self.apart.astype(np.float32)) > 0) & has).any(axis=1)
        for region in self._larger:
            fine[together.lines(region)] = False
        for body, head in self._joint:
            fine[together.lines(body, head)] = False
        return has, fine

    def neighbours(self, kinds: Kinds) -> Kinds:
        """Kinds that differ in one name, and what follows from that."""
        found = []
        for name in self._names.tolist():
            with_it = kinds.has[:, name]
            has = np.where(
                with_it[:, None], kinds.has & ~self.above[:, name], kinds.has | self.above[name]
            )
            found.append(has)
        has, fine = self.completed(np.concatenate(found))
        cells = np.tile(kinds.cells, len(self._names))
        return Kinds(has, cells, np.zeros((len(has), kinds.owners.shape[1]), bool)).at(fine)


class _Together:
    """Which of many kinds have several names: a bit for each kind, name by name."""

    def __init__(self, has: Truths) -> None:
        self._has = has
        self._bits = np.packbits(has.T, axis=1)

    def lines(self, names: list[int], without: int | None = None) -> Ints:
        """The kinds that have all of these names, and not another one."""
        bits = self._bits[names[0]]
        for name in names[1:]:
            bits = bits & self._bits[name]
        if without is not None:
            bits = bits & ~self._bits[without]
        if not bits.any():
            return np.zeros(0, np.int64)
        return np.flatnonzero(np.unpackbits(bits, count=len(self._has)))

    def changed(self, names: Truths) -> None:
        """Look again at some names of all kinds."""
        self._bits[names] = np.packbits(self._has[:, names].T, axis=1)


class Sizes:
    """The known sizes of regions of names, and ⊤: what weights of kinds should give."""

    def __init__(self, known: KnownSizes) -> None:
        is_name = ~known.is_existential
        chosen = [
            (region, size)
            for region, size in zip(known.regions, known.sizes.tolist(), strict=True)
            if is_name[list(region)].all()
        ]
        self.regions: list[Region] = [region for region, _ in chosen]
        self.sizes = np.array([size for _, size in chosen])

    def __len__(self) -> int:
        return len(self.regions)

    def columns(self, kinds: Kinds) -> sparse.csc_array:
        """For each kind, which regions it is in, over their sizes."""
        lines = [
            sparse.csr_array(np.atleast_2d(kinds.has[:, sorted(region)].all(axis=1)) / size)
            for region, size in zip(self.regions, self.sizes, strict=True)
        ]
        return sparse.csc_array(sparse.vstack(lines))


def kinds_of(memberships: Floats, weights: Floats, known: KnownSizes, laws: Laws) -> Kinds:
    """Kinds near the cells of all members.

    The memberships of names are [names, members, cells], the weights [members, cells].
    """
    count = len(memberships)
    shares = memberships.reshape(count, -1).T
    matters = _matters(memberships, weights, known).reshape(count, -1).T
    random = np.random.default_rng(0)
    cells = np.arange(len(shares))
    owners = np.repeat(np.eye(len(weights), dtype=bool), weights.shape[1], axis=0)
    wanted = [shares >= 0.5, *(random.random(shares.shape) < shares for _ in range(DRAWS))]
    kinds: Kinds | None = None
    for some in wanted:
        has, fine = laws.completed(laws.kept(some, matters))
        drawn = Kinds(has, cells, owners).at(fine)
        kinds = drawn if kinds is None else kinds.with_others(drawn)
    assert kinds is not None
    return kinds


def _matters(memberships: Floats, weights: Floats, known: KnownSizes) -> Floats:
    """How much of some region is lost if a name is taken out of a cell: at most all of it."""
    found = np.zeros_like(memberships)
    is_existential = known.is_existential
    for region, size in zip(known.regions, known.sizes, strict=True):
        places = sorted(region)
        if is_existential[places].any():
            continue
        share = weights / size
        for place in places:
            share = share * memberships[place]
        for place in places:
            np.maximum(found[place], share, out=found[place])
    return found


def enough(kinds: Kinds, sizes: Sizes, laws: Laws, most: int) -> tuple[Kinds, Truths] | None:
    """Kinds of which some weights give all sizes: these, and neighbours where they are lacking.

    With them, which are needed for these weights. None if so many are needed that weights in `most`
    cells will not do: those that come near to all sizes tell that before any gives them. None, too,
    if there are so many that looking for weights takes too long.
    """
    columns = sizes.columns(kinds)
    for _ in range(MOST_ROUNDS):
        if columns.nnz > MOST_NUMBERS:
            return None
        weights, missing, prices, _ = cheapest(columns, np.zeros(len(kinds)))
        if missing <= EXACT:
            return kinds, weights > 0
        if np.count_nonzero(weights) > TOO_MANY * most:
            return None
        more = laws.neighbours(kinds.at(weights > 0))
        gains = prices @ sizes.columns(more)
        order = np.argsort(-gains, kind="stable")[:WELCOME]
        before = len(kinds)
        kinds = kinds.with_others(more.at(order[gains[order] > EXACT]))
        if len(kinds) == before:
            return None
        new = kinds.at(np.arange(before, len(kinds)))
        columns = sparse.csc_array(sparse.hstack([columns, sizes.columns(new)]))
    return None


class Cheapest(NamedTuple):
    """Numbers, how much they miss in all, what rows are worth, and what those `within` are.

    What a row is worth is by how much the costs grow with it: those within never let them grow.
    """

    numbers: Floats
    missing: float
    prices: Floats
    limits: Floats


def cheapest(
    columns: sparse.csc_array,
    costs: Floats,
    least: Floats | float = 0.0,
    most: Floats | float = np.inf,
    within: sparse.csc_array | None = None,
) -> Cheapest:
    """Numbers that give 1 in every row as nearly as they can, and then cost least.

    They are between `least` and `most`, and rows `within` give nothing positive.
    """
    rows, count = columns.shape
    some = sparse.eye_array(rows)
    ends = np.empty((count + 2 * rows, 2))
    ends[:, 0], ends[:, 1] = 0.0, np.inf
    ends[:count, 0], ends[:count, 1] = least, most
    solver: Any = linprog  # its types know no sparse arrays
    problem: dict[str, Any] = {
        "c": np.concatenate([costs, np.full(2 * rows, PENALTY)]),
        "A_eq": sparse.csc_array(sparse.hstack([columns, some, -some])),
        "b_eq": np.ones(rows),
        "bounds": ends,
    }
    lines = 0 if within is None else within.shape[0]
    if within is not None:
        nothing = sparse.csc_array((lines, 2 * rows))
        problem["A_ub"] = sparse.csc_array(sparse.hstack([within, nothing]))
        problem["b_ub"] = np.zeros(lines)
    for options in _TRIALS:
        found = solver(**problem, method="highs", options=options)
        if found.status <= _STEPS_SPENT:
            break
    if found.status:
        return Cheapest(np.zeros(count), np.inf, np.zeros(rows), np.zeros(lines))
    missing = float(found.x[count:].sum())
    prices, limits = np.asarray(found.eqlin.marginals), np.asarray(found.ineqlin.marginals)
    return Cheapest(found.x[:count], missing, prices, limits)


def refined(columns: sparse.csc_array, numbers: Floats) -> Floats:
    """The numbers with what a solver left made up for, by the least change of what is not 0."""
    moving = np.flatnonzero(numbers > 0)
    if not len(moving):
        return numbers
    chosen = columns[:, moving].toarray()
    start = numbers[moving]
    rest = np.ones(columns.shape[0]) - columns @ numbers
    change = np.linalg.lstsq(chosen * start, rest, rcond=None)[0] * start
    after = numbers.copy()
    after[moving] = np.maximum(start + change, 0.0)
    worse = np.abs(columns @ after - 1).max() > np.abs(rest).max()
    return numbers if worse else after
