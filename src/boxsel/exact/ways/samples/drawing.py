"""Types drawn so that their shares are near what conditionals say.

Many Gibbs chains walk at once. Each conditional pulls on its head within its body, and pulls
harder as long as the share among all chains is off: so the chains come to be drawn from the least
committed distribution whose shares are right (persistent contrastive divergence).
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Final

import numpy as np

from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.types.gibbs import Chains, Floats, Floats32, Literals, State
from boxsel.exact.types.tables import Bools, meet, pack
from boxsel.exact.ways.samples.shares import Shares
from boxsel.machine.budget import Budget

FIRST_STEP: Final = 0.3
SETTLING: Final = 60
"""The first step, in units of logits, and the rounds after which steps are half as long."""
LONGEST_STEP: Final = 0.5
CONVINCING_MEMBERS: Final = 10
"""The longest step, and the number of members in a body that are half convincing."""
AIM: Final = 0.3
"""The part of an interval, at each of its ends, that is not aimed at."""
COOLING: Final = (0.1, 0.03, 0.01, 0.0)
"""Temperatures at which chains climb, where the largest factor is 1."""
MOVES_EACH: Final = 20
FARTHEST: Final = 5.0
"""How often names move by given factors, and the most that each of these adds at a time."""
Pulls = dict[tuple[Mask, Mask], float]
HELD_WEIGHT: Final = 0.05
"""What a chain that is held at a goal weighs in a share, where others weigh 1."""


class Drawing:
    """Chains over names, of which the last are marks of goals that chains are held at.

    The last of the shares is asked about: it can be pushed up or down.
    """

    def __init__(
        self, shares: Shares, clauses: Iterable[Literals], columns: Bools, marks: int
    ) -> None:
        self._shares = shares
        self._names = len(columns) - marks
        self._state = State(columns)
        self._chains = Chains(len(columns), clauses, moving=self._names)
        self._groups = self._chains.group(shares.products)
        self._pulls: Floats = np.zeros(len(shares))
        self._free = pack(np.atleast_2d(~columns[self._names :].any(0)))
        self._followed: Floats | None = None
        self.rounds = 0
        self._aims = shares.shrink(AIM)
        self.share = 0.5
        """The share that is asked about, as it is among the chains."""

    @property
    def columns(self) -> Bools:
        """The types of the chains, and their marks."""
        return self._state.columns

    def copy(self) -> Drawing:
        """The same, to go on in another direction."""
        other = copy(self)
        other._state = State(self._state.columns)
        other._pulls = self._pulls.copy()
        other._followed = None
        return other

    @property
    def pulls(self) -> Pulls:
        """How hard each conditional pulls."""
        return dict(zip((ratio.masks for ratio in self._shares.ratios), self._pulls, strict=True))

    def go_on(self, pulls: Pulls, rounds: int) -> None:
        """Pull as another drawing did, after some rounds."""
        known = (pulls.get(ratio.masks, 0.0) for ratio in self._shares.ratios)
        self._pulls, self.rounds = np.array([*known]), rounds

    def run(self, rounds: int, budget: Budget, push: float = 0.0) -> None:
        """Let all names move so many times."""
        shares, (lower, upper) = self._shares, self._aims
        for _ in range(rounds):
            budget.check()
            factors = self._factors(push)
            self._chains.sweep(self._groups, factors, self._state)
            having = meet(self._state.words, shares.rows)
            free = np.bitwise_count(having & self._free).sum(1, np.int64)
            every = np.bitwise_count(having).sum(1, np.int64)
            masses = HELD_WEIGHT * every + (1 - HELD_WEIGHT) * free
            counts = every[shares.bodies]
            found = masses[shares.boths] / np.maximum(masses[shares.bodies], 1e-9)
            wanted = np.clip(found, lower, upper)
            off = np.where(
                counts > 0, (wanted - found) * counts / (counts + CONVINCING_MEMBERS), 0.0
            )
            near = np.clip(wanted, 0.02, 0.98)
            step = FIRST_STEP / (1 + self.rounds / SETTLING)
            self._pulls += np.clip(step * off / (near * (1 - near)), -LONGEST_STEP, LONGEST_STEP)
            self.rounds += 1
            self.share = float(found[-1])

    def follow(self, factors: Floats, budget: Budget) -> None:
        """Let all names move some times, as conditionals pull and by factors of products.

        Weights were multiplied by these. They add to those that were followed before.
        """
        if self._followed is None:
            self._followed = self._factors(0.0).astype(np.float64)
        self._followed += np.clip(factors, -FARTHEST, FARTHEST)
        firm = self._followed.astype(np.float32)
        for _ in range(MOVES_EACH):
            budget.check()
            self._chains.sweep(self._groups, firm, self._state)

    def climb(self, factors: Floats, chains: Bools | slice = slice(None)) -> Bools:
        """Types with large sums of factors of products, from those of some chains."""
        state = State(self._state.columns[:, chains])
        scaled = (factors / np.abs(factors).max(initial=1e-300)).astype(np.float32)
        for temperature in COOLING:
            self._chains.sweep(self._groups, scaled, state, temperature)
        return state.columns

    def _factors(self, push: float) -> Floats32:
        """A pull raises the head in its body, and leaves the body itself as likely as it is."""
        shares, (lower, upper) = self._shares, self._aims
        pulls, ends = self._pulls.copy(), np.where(self._pulls > 0, lower, upper)
        pulls[-1], ends[-1] = push, self.share
        factors = np.zeros(len(shares.products))
        np.add.at(factors, shares.boths, pulls)
        np.add.at(factors, shares.bodies, -pulls * ends)
        return factors.astype(np.float32)
