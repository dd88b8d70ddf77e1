"""The most even population by sampling: multipliers of conditionals, and shares with their errors.

A type weighs exp(Σ θ·value), with one multiplier for each conditional: it pulls the share of its
body up to the lower bound or down to the upper one, and is 0 where the share is inside by itself.
In each round all chains move once, and every multiplier by what the share among the chains is off,
in units of logits, less and less far (stochastic approximation with persistent chains).

Only conditionals count whose bodies the chains of a question meet. So words of chains are held in
the body that is asked about first, then in the bodies that these meet and that few chains are in,
then in those that these meet, as far as there are words. A share is the mean over rounds; its error
comes from how far means over long stretches of rounds differ, and those over words.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, nan
from typing import ClassVar, Final, NamedTuple

import numpy as np

from boxsel.exact.compile.problem import Clause, Row
from boxsel.exact.compile.vocabulary import Mask, bits
from boxsel.exact.types.gibbs import Floats, Floats32
from boxsel.exact.types.tables import WORD, Bools, Ints, pad_rows
from boxsel.exact.ways.held.crowd import MOST_WORDS, Crowd
from boxsel.exact.ways.samples.shares import Names, Shares, group
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.machine.threads import one_thread

ASKED_WORDS: Final = 8
FREE_WORDS: Final = 4
"""How many words are held in the body that is asked about, and how many nowhere."""
FIRST_STEP: Final = 0.5
SETTLING: Final = 100
LONGEST_STEP: Final = 0.5
CONVINCING: Final = 10
"""The first step in logits; the rounds after which it is half as long; the longest one; and the
number of those in a body that are half convincing."""
GROWING: Final = (4, 8, 12, 16)
GROWTH: Final = 32
"""The rounds after which words are held in further bodies, and in how many."""
RELEVANT: Final = 0.02
FAINTER: Final = 0.5
"""The part of a crowd that has to meet a body, so that words are held there; and how much less
relevant that is than where the crowd is held."""
ROUGH: Final = 60
FEWEST: Final = 100
MOST: Final = 1_000
CHECKED: Final = 20
TURNS: Final = 3
"""Rounds: the fewest of a question if its time is over, and if it is not; the most; and after how
many it is looked how large the error is. If its time is not over, every class comes and goes so
many times."""
LATELY: Final = 0.02
"""What the last round counts in means of what was lately."""
SKIPPED: Final = 0.4
STRETCHES: Final = (2, 4, 8)
"""The part of the rounds that counts for no share, and into how many stretches the others are
divided: the largest error counts, since what drifts slowly shows in long stretches only."""
SURE: Final = 2.0
REMEMBERED: Final = 30
ENOUGH: Final = 0.005
LEAST: Final = 1e-3
"""How many standard errors are said to be the error, and for how many rounds multipliers remember
where they were: so few rounds tell too little of how far shares drift. Without that, the shares of
five runs of 40 to 100 rounds were 0.6 to 2.4 errors apart (two standard deviations) in six large
knowledge bases. Where classes come and go seldom, in deep taxonomies, it is so many turns of them
that are remembered: else 7 in 134 shares were more than 1.5 errors off, and one was 6. And at which
error a share is known well enough, and below which none is said."""


class Near(NamedTuple):
    """A share that is known roughly, and two standard errors of it."""

    value: float
    error: float


class EvenCrowd:
    """The population of maximum entropy of some rows and clauses, as far as chains show it."""

    lightest: ClassVar[float] = 0.0

    def __init__(
        self, width: int, clauses: Sequence[Clause], rows: Sequence[Row], seed: int = 0
    ) -> None:
        ratios = group(rows)
        self._names = Names((1 << width) - 1)
        # Where one conditional demands more than another one allows, clauses say that nobody is.
        sound = [ratio for ratio in ratios if ratio.lower <= ratio.upper]
        self._shares = Shares(sound, self._names)
        self._points = self._shares.lower == self._shares.upper
        self._crowd = Crowd(self._shares, self._names, clauses, seed)
        self._multipliers: Floats = np.zeros(len(sound))
        self._age = 0
        self._means: Floats = np.zeros((3, len(sound)))

    @property
    def violation(self) -> float:
        """How far weights are from obeying a row, at the most, as far as chains showed lately."""
        shares, (whole, part, size) = self._shares, self._means
        found = part / np.maximum(whole, 1e-9)
        off = np.maximum(shares.lower - found, found - shares.upper)
        return float((off * size).max(initial=0.0))

    @property
    def entropy(self) -> float:
        """Their entropy, which chains do not show."""
        return nan

    @property
    def error(self) -> float:
        """How far a share may be from where it should be: there is no telling for all of them."""
        return inf

    def weigh(self, positions: Iterable[int]) -> float:
        """The weight of those who have all of some basic concepts."""
        mask = sum(1 << position for position in positions)
        near = self.share(0, {0: 1.0}, {mask: 1.0}, Budget())
        return 0.0 if near is None else near.value

    def listed(self, most: int) -> None:
        """The weights of all types: there are too many."""

    def share(
        self,
        body: Mask,
        whole: Mapping[Mask, float],
        part: Mapping[Mask, float],
        budget: Budget,
        patience: float = inf,
    ) -> Near | None:
        """A part of a whole, as sums of masks that only those have who have a body.

        None if nobody has it, or none was met. After so many seconds as is the `patience`, what is
        roughly known is enough.

        Raises:
            OutOfTimeError: There is no time for so much as a rough share.
        """
        asked = self._crowd.close(body)
        if not self._crowd.has(asked):
            return None
        if whole == part:
            return Near(1.0, 0.0)
        masks = [*dict.fromkeys((*whole, *part))]
        terms = pad_rows([[*bits(mask)] for mask in masks])
        factors = np.array([[form.get(mask, 0.0) for mask in masks] for form in (whole, part)])
        found, end = [], time.monotonic() + patience
        with one_thread():
            self._age = min(self._age, SETTLING)
            self._hold(asked)
            for number in range(MOST):
                late = number >= ROUGH and time.monotonic() > end
                if late or budget.spent:
                    break
                bodies = self._round()
                if number in GROWING:
                    self._widen(bodies)
                found.append(self._crowd.weigh(terms, factors, ASKED_WORDS))
                done = number + 1
                if done >= max(FEWEST, TURNS * self._crowd.turn) and done % CHECKED == 0:
                    near = estimate(found, self._crowd.turn)
                    if near is not None and near.error <= ENOUGH:
                        return near
        if len(found) < ROUGH:
            raise OutOfTimeError
        return estimate(found, self._crowd.turn)

    def draw(self, count: int, random: np.random.Generator) -> Iterator[Bools]:
        """Some people: a line for each, with what they have."""
        if not self._crowd.holds:
            self._hold(self._crowd.close(0))
            for number in range(FEWEST):
                bodies = self._round()
                if number in GROWING:
                    self._widen(bodies)
        free = self._crowd.close(0)
        words = [number for number, mask in enumerate(self._crowd.holds) if mask == free]
        lines: list[Floats32] = []
        while len(lines) < count:
            self._round()
            places = [number * WORD + place for number in words for place in range(WORD)]
            chosen = random.permutation(places)[: count - len(lines)]
            lines += (self._crowd.column(place) for place in chosen.tolist())
        yield np.array(lines, bool).reshape(count, len(self._names))

    def _hold(self, asked: Mask) -> None:
        """Hold chains in the body that is asked about, and free ones."""
        self._relevance = {asked: 1.0}
        self._crowd.hold([asked] * ASKED_WORDS + [self._crowd.close(0)] * FREE_WORDS)

    def _round(self) -> Floats:
        """Let all chains and multipliers move once; who is in each body, word by word."""
        crowd = self._crowd
        crowd.sweep(self._factors())
        whole, part, bodies = crowd.count()
        self._learn(whole, part)
        free = bodies[:, ASKED_WORDS : ASKED_WORDS + FREE_WORDS].mean(1) / WORD
        self._means += LATELY * (np.array([whole, part, free]) - self._means)
        self._age += 1
        return np.asarray(bodies / WORD)

    def _learn(self, whole: Ints, part: Ints) -> None:
        """Let multipliers move by what shares are off."""
        shares, before = self._shares, self._multipliers
        found = part / np.maximum(whole, 1)
        wanted = np.clip(found, shares.lower, shares.upper)
        wanted = np.where(before > 0, shares.lower, np.where(before < 0, shares.upper, wanted))
        off = (wanted - found) * whole / (whole + CONVINCING)
        near = np.clip(wanted, 0.02, 0.98)
        step = FIRST_STEP / (1 + self._age / SETTLING)
        steps = np.clip(step * off / (near * (1 - near)), -LONGEST_STEP, LONGEST_STEP)
        after = before + steps
        self._multipliers = np.where(~self._points & (after * before < 0), 0.0, after)

    def _widen(self, bodies: Floats) -> None:
        """Hold words in further bodies: those that matter most of those that few chains are in."""
        crowd, holds = self._crowd, self._crowd.holds
        relevance = np.array([self._relevance.get(mask, 0.0) for mask in holds])
        matters = (bodies * relevance).max(1, initial=0.0)
        met, _, _ = crowd.count()
        fresh: dict[Mask, float] = {}
        for number in np.argsort(-matters, kind="stable").tolist():
            mask = crowd.body(number)
            if matters[number] < RELEVANT or len(fresh) == min(GROWTH, MOST_WORDS - len(holds)):
                break
            if met[number] < WORD and mask not in self._relevance:
                fresh.setdefault(mask, FAINTER * float(matters[number]))
        if fresh:
            self._relevance |= fresh
            crowd.hold([*holds, *fresh])

    def _factors(self) -> Floats32:
        """A pull raises the head in its body, and leaves the body itself as likely as it is."""
        shares, pulls = self._shares, self._multipliers
        factors = np.zeros(len(shares.products))
        np.add.at(factors, shares.boths, pulls)
        bounds = np.where(pulls > 0, shares.lower, shares.upper)
        np.add.at(factors, shares.bodies, -pulls * bounds)
        return factors.astype(np.float32)


def estimate(found: Sequence[Floats], turn: float) -> Near | None:
    """A share from wholes and parts, by round and word, where classes come and go once in a turn.

    Chains are no better than as many people who are drawn once in a turn: of a head that none of
    them has, that is all they tell.
    """
    whole, part = np.array(found[int(SKIPPED * len(found)) :]).transpose(1, 0, 2)
    total = float(whole.sum())
    if not total:
        return None
    value = float(part.sum()) / total
    off = part - value * whole
    samples = [off.sum(0)]  # words walk by themselves
    samples += ([some.sum() for some in np.array_split(off.sum(1), count)] for count in STRETCHES)
    errors = (np.linalg.norm(some) * (len(some) / (len(some) - 1)) ** 0.5 for some in samples)
    rounds = len(whole)
    sure = SURE * (1 + max(REMEMBERED, TURNS * min(turn, rounds)) / rounds)
    drawn = total / rounds * max(1.0, rounds / turn)
    least = SURE * ((value * (1 - value) + 1 / drawn) / drawn) ** 0.5
    error = max(LEAST, least, sure * float(max(errors)) / total)
    return Near(value, min(error, max(value, 1 - value)))
