"""Weights of types that were drawn, with which all shares are inside their bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Goal, Problem
from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.calibrating import MOST_STEPS, Calibrated, calibrate
from boxsel.exact.ways.samples.drawing import HELD_WEIGHT
from boxsel.exact.ways.samples.lacking import find_lacking
from boxsel.exact.ways.samples.optimising import Helping, centre
from boxsel.exact.ways.samples.raking import rake
from boxsel.exact.ways.samples.sample import Sample, means_of, merge, pad, rarest
from boxsel.exact.ways.samples.shares import Names, Shares
from boxsel.exact.ways.samples.staircase import list_steps
from boxsel.exact.ways.samples.thinning import KEPT, thin
from boxsel.exact.ways.samples.totals import find_left_over, find_totals
from boxsel.exact.ways.samples.witnessed import find_witnessed
from boxsel.machine.budget import Budget

RARE: Final = 2
DROPS: Final = 4
SMALL: Final = 0.02
"""A body that fewer types have had better be empty; so had one whose share is off and that at most
this part of all types have, so many times."""
BINDING: Final = 40
"""How many conditionals that pull hard are worth looking at."""
NEW_PART: Final = 0.02
"""What a type that joins weighs, beside what others weigh in its rarest product on average."""
MOST_CHOSEN: Final = 1_000_000
"""Types that are chosen have at most so many products, all together."""
EACH: Final = 2
MOST_EACH: Final = 6
"""About how many types there are for each share, where they become too many; and how many of them
are kept where further ones join."""


@dataclass(frozen=True)
class Missed:
    """Types whose weights miss some shares, factors to go on by, and which types would help."""

    columns: Bools
    factors: Floats
    helping: Helping
    off: float = 0.0
    """How far shares are outside on average, if weights were found."""

    @property
    def weights(self) -> Floats:
        """What the types weigh."""
        return self.helping.weights


class Weighing:
    """Weighs types over some names, so that shares are inside: the last is asked about.

    Types of the first `wanted` marks are not given up. `binding` are the bodies and heads of the
    conditionals that pulled hardest the last time, `lacking` the goals whose types would have
    helped, `missed` what came of all types; `tell` is told what was not enough.
    """

    def __init__(
        self, problem: Problem, names: Names, shares: Shares, wanted: int, budget: Budget
    ) -> None:
        self._problem, self._names, self._budget = problem, names, budget
        self.shares, self._wanted = shares, wanted
        clauses = [clause for _, clause in problem.clauses]
        self._totals = find_totals(clauses, shares.ratios[:-1])
        self.binding: list[tuple[Mask, Mask]] = []
        self.lacking: list[Goal] = []
        self.missed: Missed
        self.tell: Callable[[Bools, Floats], None] = lambda *_: None

    @property
    def is_loose(self) -> bool:
        """Whether most shares have room: then few steps tell whether weights are found."""
        return 2 * self.shares.points < len(self.shares)

    @contextmanager
    def hold(self, values: Mapping[tuple[Mask, Mask], Fraction]) -> Iterator[None]:
        """For a while some shares have one value."""
        shares = self.shares
        self.shares = shares.hold(values) if values else shares
        try:
            yield
        finally:
            self.shares = shares

    def thin(self, columns: Bools, weights: Floats) -> tuple[Bools, Floats]:
        """Fewer types, with which shares are about the same, and can be made exact by steps."""
        having = self.shares.having(columns)
        groups = np.vstack([*self.shares.sides(having), columns[len(self._names) :]])
        steps = [column for _, column in list_steps(self.shares, having, weights)]
        places, weights = thin(groups, weights, EACH * len(self.shares), steps)
        return columns[:, places], weights

    def choose(self, missed: Missed, count: int) -> tuple[Bools, Floats]:
        """About so many types by weight, and the heaviest in heads, and in the rest of bodies.

        Where there are very many products, it is only as many as there is room for.
        """
        groups = np.vstack(self.shares.sides(self.shares.having(missed.columns)))
        places, weights = thin(groups, missed.weights, count, kept=1)
        most = MOST_CHOSEN // len(self.shares.products)
        if len(places) > most:
            places, weights = thin(groups[:0], missed.weights, most)
        return missed.columns[:, places], weights

    def keep_witnessed(self, columns: Bools, base: Floats) -> tuple[Bools, Floats]:
        """Those types whose existentials have witnesses among them."""
        keep = self._witnessed(columns)
        return columns[:, keep], base[keep]

    def are_witnessed(self, columns: Bools) -> bool:
        """Whether the existentials of all types have witnesses among them."""
        return bool(self._witnessed(columns).all())

    def _witnessed(self, columns: Bools) -> Bools:
        return self._possible(columns, np.ones(columns.shape[1], bool))

    def _possible(self, columns: Bools, keep: Bools) -> Bools:
        """Those of some types that may have weight, and whose existentials have witnesses."""
        keep = keep & ~find_left_over(self._totals, self._names, columns)
        return find_witnessed(self._problem, self._names, columns, keep)

    def find_hardest(self, pulls: Floats) -> list[tuple[Mask, Mask]]:
        """The bodies and heads of the conditionals that pull hardest."""
        hard = np.argsort(-np.abs(pulls[:-1]))[:BINDING].tolist()
        return [self.shares.ratios[n].masks for n in hard if pulls[n]]

    def weigh(
        self, columns: Bools, base: Floats, lower: float, upper: float, steps: int = MOST_STEPS
    ) -> Sample | None:
        """Weights with which all shares are inside, and the one that is asked about is, too.

        Bodies that few types have, and whose shares are off, had better be empty.
        """
        shares = self.shares.bound(len(self.shares) - 1, lower, upper)
        columns, base = merge(columns, base)
        self.missed = self._miss(shares, columns, base)
        for drops in range(DROPS):
            marked = np.asarray(columns[len(self._names) :][: self._wanted].any(0))
            bodies = shares.having(columns)[shares.bodies]
            rare = np.count_nonzero(bodies, 1) < RARE
            keep = np.asarray(marked | ~bodies[rare].any(0))
            keep = self._possible(columns, keep)
            columns, base, marked = columns[:, keep], base[keep], marked[keep]
            having = shares.having(columns)
            if not having[shares.bodies[-1]].any():
                return None
            found = calibrate(shares, having, base / base.sum(), self._budget, steps)
            if found.is_met:
                whole, part = (
                    float(found.weights[having[product]].sum())
                    for product in (shares.bodies[-1], shares.boths[-1])
                )
                return Sample(columns, found.weights, part / whole)
            self.tell(having, found.weights)
            if not drops:
                self.missed = self._miss(shares, columns, found.weights, found)
            self.lacking = list(find_lacking(shares, having, found))
            self.binding = self.find_hardest(found.pulls)
            bodies = having[shares.bodies[np.flatnonzero(found.off)]]
            drop = bodies.any(0) & ~marked
            if not drop.any() or np.count_nonzero(bodies, 1).max() >= SMALL * len(marked):
                return None
            columns, base = columns[:, ~drop], found.weights[~drop]
        return None

    def _miss(
        self, shares: Shares, columns: Bools, weights: Floats, found: Calibrated | None = None
    ) -> Missed:
        """What weights miss that were found, or that others are to be found from."""
        nothing = np.zeros(len(shares.products))
        factors, lacking = (found.factors, found.lacking) if found else (nothing, nothing)
        having = shares.having(columns)
        means, mean = means_of(having, weights), float(weights.sum()) / max(1, len(weights))
        order = np.argsort(-weights / rarest(having, means, mean))
        helping = Helping(lacking, 0.0, means, mean, weights, order)
        return Missed(columns, factors, helping, float(found.off.mean()) if found else 0.0)

    def rake(self, columns: Bools, base: Floats) -> Floats:
        """Weights with which shares are nearer to their bounds."""
        return rake(self.shares, self.shares.having(columns), base, self._budget)[0]

    def centre(self, columns: Bools, base: Floats) -> Sample | Missed | None:
        """Weights amid all that types allow, which may leave some shares no room."""
        keep = np.ones(len(base), bool)
        for _ in range(DROPS):
            columns, base = self.keep_witnessed(columns[:, keep], base[keep])
            having = self.shares.having(columns)
            body, both = (having[some[-1]] for some in (self.shares.bodies, self.shares.boths))
            found = None
            if body.any():
                found = centre(self.shares, having, base / base.sum(), self._budget)
            if isinstance(found, Helping):
                return Missed(columns, found.factors, found)
            if found is None:
                return None
            base, keep = found.weights, found.weights > 0
            if np.array_equal(self._possible(columns, keep), keep):
                share = float(base[both].sum() / base[body].sum())
                return Sample(columns[:, keep], base[keep], share, found.held)
        return None

    def join(self, columns: Bools, weights: Floats, further: Bools) -> tuple[Bools, Floats]:
        """Types with further ones, which weigh little beside those that have the same products."""
        whole = np.hstack([columns, further])
        having = self.shares.having(whole)
        means = means_of(having[:, : len(weights)], weights)
        fresh = NEW_PART * rarest(having[:, len(weights) :], means, float(weights.mean()))
        return merge(whole, np.concatenate([weights, fresh]))

    def renew(self, missed: Missed, further: Bools) -> tuple[Bools, Floats]:
        """The types that matter most beside those with the same products, and further ones."""
        helping, shares = missed.helping, self.shares
        having = shares.having(missed.columns)[:, helping.order]
        few = np.zeros(len(helping.order), bool)
        few[: MOST_EACH * len(shares)] = True
        for groups in shares.sides(having):  # what is rare keeps some
            few |= (groups & (np.cumsum(groups, 1, np.int32) <= KEPT)).any(0)
        most = np.sort(helping.order[few])
        columns = pad(missed.columns[:, most], len(further))
        return self.join(columns, helping.weights[most], further)

    def base(self, columns: Bools) -> Floats:
        """What drawn types weigh before they are weighed: little, if they were held at a goal."""
        marked = columns[len(self._names) :].any(0)
        base = np.where(marked, HELD_WEIGHT, 1.0)
        return np.asarray(base / max(1.0, base.sum()))
