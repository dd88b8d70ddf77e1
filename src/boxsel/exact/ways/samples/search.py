"""Populations that show how small and how large a share can be, found by drawing types.

Types are drawn until weights of those drawn so far can be calibrated to every conditional and made
exact. Then the share that is asked about is pushed, down and up, as far as weights are found. What
is found is exact; that nothing is found says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, repeat
from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Existential, Goal
from boxsel.exact.compile.vocabulary import Mask, Type
from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools, kinds_of
from boxsel.exact.ways.samples.completing import Completing
from boxsel.exact.ways.samples.drawing import Drawing
from boxsel.exact.ways.samples.nearest import Nearest, nearest_of
from boxsel.exact.ways.samples.opening import Opening
from boxsel.exact.ways.samples.optimising import is_costly, optimise
from boxsel.exact.ways.samples.rounding import round_weights
from boxsel.exact.ways.samples.sample import Face, Sample, means_of, merge, pad, rarest
from boxsel.exact.ways.samples.shares import Ratio
from boxsel.exact.ways.samples.starting import Starting
from boxsel.exact.ways.samples.weighing import Weighing
from boxsel.exact.ways.way import Task
from boxsel.machine.threads import one_thread

PUSHES: Final = (2.0, 4.0, 8.0, 16.0, 32.0)
AGAIN: Final = 20
IDLE: Final = 3
MOVES_EACH_PUSH: Final = 40
"""How hard a share is pushed, one after the other and then again; how often in vain; and how often
names move for each."""
FAR_OFF: Final = (0.15, 0.03, 0.01)
"""How far from a face a share may be after each push."""
NEAR_EDGE: Final = 0.05
EDGE_COST: Final = 1.2e9
"""A share so near 0 or 1 may be that; where others may be, a step takes at most so many products: a
programme takes a second."""
MOVES: Final = 12
LEAST_GAIN: Final = 1e-3
FEW_STEPS: Final = 12
"""How often weights are moved to push a share, how little is not worth it, and how many steps there
are for each."""
BACK: Final = 1e-4
LIGHT: Final = 1e-9
"""What the first weights come to in the body beside the best ones, which leave most types empty;
and what is left out of the best ones, beside the mean in the rarest product."""
HELPS: Final = 2
"""How often types are looked for that would help a share to be 0 or 1."""
DRAWN: Final = 2
"""How often chains are pushed towards a face before the share itself is: that takes longer."""


NOTHING: Final = Ratio(0, 0, Fraction(0), Fraction(1))
"""The share of all that is there."""


@dataclass
class _End:
    """How far a share was brought, the chains that are pushed farther, how often, and in vain."""

    sample: Sample
    drawing: Drawing
    pushes: int = 0
    idle: int = 0
    binding: list[tuple[Mask, Mask]] = field(default_factory=list)


class Search:
    """Looks for populations in which some goals have members, and `also` others may.

    A query, if there is one, is about the share of one goal that has something.
    """

    def __init__(
        self,
        task: Task,
        goals: Sequence[Goal],
        query: Ratio = NOTHING,
        also: Mask = 0,
    ) -> None:
        self._problem, self._budget = task.problem, task.budget
        self._goals, self._query = goals, query
        self._starting = Starting(task, goals, query, also)
        self._names, shares = self._starting.names, self._starting.shares
        self._weighing = Weighing(task.problem, self._names, shares, len(goals), task.budget)
        self._weighing.tell = self._tell
        self._completing = Completing(self._weighing, self._names, query)
        self._opening = Opening(self._starting, self._weighing, self._completing, task.budget)
        self.tell: Callable[[Nearest], None] = lambda _: None
        """Whom to tell what came nearer to a population than all before it, while there is none."""
        self._violation = np.inf
        self._ends: dict[int, _End] = {}

    @property
    def existentials(self) -> Set[Existential]:
        """The existentials for whose witnesses there are goals, too."""
        return self._starting.existentials

    @cached_property
    def first(self) -> Sample | None:
        """Weights of drawn types with which all shares are inside."""
        if not self._starting.is_possible:
            return None
        with one_thread():
            drawing, sample = self._opening.find()
        if sample is not None:
            self._ends = {sign: _End(sample, drawing.copy()) for sign in (1, -1)}
        return sample

    @cached_property
    def _few(self) -> Sample:
        """The first weights, of few types if these suffice."""
        assert self.first is not None
        return self._thin(self.first, 0.0, 1.0) or self.first

    @property
    def kinds(self) -> Iterator[Type]:
        """The types that are enough for the first weights, and for those farthest out."""
        if self.first is None:
            return
        for sample in (self._few, *(end.sample for end in self._ends.values())):
            columns, _ = self._weighing.thin(sample.columns, sample.weights)
            yield from kinds_of(self._spread(columns))

    def run(self) -> Iterator[Mapping[Type, Fraction]]:
        """Exact populations, each with a share beyond all before it, until nothing more is found.

        Raises:
            OutOfTimeError: The budget is spent.
        """
        if self.first is None:
            return
        yield from self._spell_out(self.first)
        if self._query is NOTHING:
            return
        for sign in sorted(
            self._ends, key=lambda sign: abs((sign > 0) - self._ends[sign].sample.share)
        ):
            end = self._ends[sign]
            with one_thread():
                edge = self._edge(self.first, end.drawing, sign, is_near=False)
            for weights in () if edge is None else self._spell_out(edge):
                end.sample = edge or end.sample
                yield weights
        for sign in chain.from_iterable(repeat((1, -1), len(PUSHES) + AGAIN)):
            end = self._ends[sign]
            if end.sample.share != (sign > 0) and end.idle <= IDLE:
                self._draw_on(sign)
                before = end.sample
                if self._extend(sign):
                    exact = [*self._spell_out(end.sample, sign)]
                    yield from exact
                    if not exact:  # floats only seemed to be there
                        end.sample, end.idle = before, end.idle + 1

    def attain(self, face: Face, sign: int) -> Mapping[Type, Fraction] | None:
        """An exact population on a face, if one is found.

        Types that were drawn and are on it are weighed. If they do not suffice, chains are pushed
        towards it, and what they draw joins. Then the share itself is pushed, and all that is done
        again, unless it stays far away.
        """
        if self.first is None:
            return None
        end = self._ends[sign]
        for far in FAR_OFF:
            sample = self._on(face, end.sample)
            columns, base = end.sample.columns, end.sample.weights
            for _ in range(DRAWN):
                if sample is None:
                    drawing = self._draw_on(sign)
                    columns, base = self._weighing.join(columns, base, drawing.columns)
                    sample = self._on(face, Sample(columns, base, end.sample.share))
            if sample is not None:
                return next(self._spell_out(sample), None)
            self._extend(sign)
            if abs(end.sample.share - face.share) > far:
                return None
        last = self._on(face, end.sample)
        return None if last is None else next(self._spell_out(last), None)

    def _on(self, face: Face, sample: Sample) -> Sample | None:
        """Weights of those types of a sample that are on a face, if some do."""
        on = face.has(self._names, sample.columns)
        if sample.share == face.share and not face.held and on.all():
            return sample
        with one_thread(), self._weighing.hold(face.held):
            found = self._weighing.weigh(sample.columns[:, on], sample.weights[on], 0.0, 1.0)
        return None if found is None else replace(found, held=face.held)

    def find_binding(self, sign: int) -> list[tuple[Mask, Mask]]:
        """The bodies and heads of the conditionals that pull hardest against a push."""
        return self._ends[sign].binding if sign in self._ends else []

    def _draw_on(self, sign: int) -> Drawing:
        """Chains that are pushed harder than before."""
        end = self._ends[sign]
        push = PUSHES[min(end.pushes, len(PUSHES) - 1)]
        with one_thread():
            end.drawing.run(MOVES_EACH_PUSH, self._budget, sign * push)
        end.pushes += 1
        return end.drawing

    def _extend(self, sign: int) -> bool:
        """Push a share as far as chains have come; whether weights are found that are beyond."""
        end = self._ends[sign]
        with one_thread():
            better = self._push(end.sample, end.drawing, sign)
        end.binding = self._weighing.binding or end.binding
        end.idle = 0 if better is not None else end.idle + 1
        end.sample = better or end.sample
        return better is not None

    def _edge(
        self, known: Sample, drawing: Drawing, sign: int, *, is_near: bool = True
    ) -> Sample | None:
        """Weights with which the share is 1, or 0, if types that allow nothing else have some.

        If they have none, types are looked for that would help; where programmes are large, or most
        shares have one value, that takes long, and is for shares that are near.
        """
        on, weighing = self._completing.at_edge(known.columns, sign), self._weighing
        columns, base = known.columns[:, on], known.weights[on]
        if weighing.is_loose:  # else it takes longer to see that none fit
            edge = weighing.weigh(columns, base, 0.0, 1.0, steps=FEW_STEPS)
            if edge is not None:
                return edge
        columns, base = weighing.thin(columns, base)
        if not is_near and is_costly(weighing.shares, len(base), EDGE_COST):
            return None
        helps = HELPS if is_near or weighing.is_loose else 1
        return self._completing.complete(columns, base, drawing, sign, helps)

    def _push(self, known: Sample, drawing: Drawing, sign: int) -> Sample | None:
        """Weights with which the share is farther out, if chains that were pushed have some."""
        weighing = self._weighing
        columns, base = weighing.thin(known.columns, known.weights)
        columns, base = weighing.join(columns, base, drawing.columns)
        weighing.binding, is_tried = [], False
        for is_last in (False, True):
            columns, base = weighing.keep_witnessed(columns, base)
            having, base = weighing.shares.having(columns), base / base.sum()
            best = optimise(weighing.shares, having, base, sign, self._budget)
            if best is None:
                return self._move(Sample(columns, base, known.share), drawing, sign)
            weighing.binding = weighing.find_hardest(best.pulls)
            if not is_tried and abs((sign > 0) - best.share) < LEAST_GAIN:
                is_tried = True
                edge = self._edge(Sample(columns, base, known.share), drawing, sign)
                if edge is not None:
                    return edge
            further = self._completing.find_helping(drawing, best.helping, 0)
            if is_last or not further.shape[1]:
                is_farther = sign * (best.share - known.share) >= LEAST_GAIN
                return self._mix(columns, best.weights) if is_farther else None
            columns, base = weighing.join(columns, (best.weights + base) / 2, further)
        return None

    def _mix(self, columns: Bools, weights: Floats) -> Sample:
        """Weights and a little of the first ones, which leave all shares some room."""
        shares = self._weighing.shares
        having = shares.having(columns)
        means = means_of(having, weights)
        heavy = weights > LIGHT * rarest(having, means, float(weights.mean()))
        first = pad(self._few.columns, len(columns))
        columns = np.hstack([columns[:, heavy], first])
        base = np.concatenate([weights[heavy], self._few.weights])
        body, both = shares.having(columns)[[shares.bodies[-1], shares.boths[-1]]]
        is_first = np.arange(len(base)) >= np.count_nonzero(heavy)
        base[is_first] *= BACK * base[body & ~is_first].sum() / base[body & is_first].sum()
        share = float(base[both].sum() / base[body].sum())
        return Sample(*merge(columns, base), share)

    def _move(self, known: Sample, drawing: Drawing, sign: int) -> Sample | None:
        """Weights with which the share is farther out, little by little, if some are found."""
        share = drawing.share
        if abs((sign > 0) - share) < NEAR_EDGE:
            edge = self._edge(known, drawing, sign)
            if edge is not None:
                return edge
        best, now = None, known
        gap = max(LEAST_GAIN, abs(share - known.share))
        for _ in range(MOVES):
            target = now.share + sign * gap
            if gap < LEAST_GAIN:
                break
            found = None
            if 0 < target < 1:
                bounds = (target, 1.0) if sign > 0 else (0.0, target)
                found = self._weighing.weigh(now.columns, now.weights, *bounds, steps=FEW_STEPS)
            if found is None:
                gap /= 3
            else:
                best = now = found
                gap *= 1.5
        return best

    def _tell(self, having: Bools, weights: Floats) -> None:
        """Tell what misses less than all before it, while there is no population."""
        if self._ends:
            return
        near = nearest_of(self._weighing.shares, having, weights)
        if near is not None and near.violation < self._violation:
            self._violation = near.violation
            self.tell(near)

    def _spell_out(self, sample: Sample, sign: int = 0) -> Iterator[Mapping[Type, Fraction]]:
        """The weights in exact numbers, if that can be done: of few types, if these suffice.

        With a sign, the share is not to be less far out.
        """
        exact = None
        with one_thread(), self._weighing.hold(sample.held):
            shares = self._weighing.shares
            for one in self._list_candidates(sample, sign):
                sample, having = one, shares.having(one.columns)
                exact = round_weights(shares, having, one.weights)
                if exact is not None:
                    break
        if exact is not None:
            # What floats take for a witness, or a member of a goal, may come to nothing.
            columns = sample.columns[:, np.array(exact, bool)]
            weights: dict[Type, Fraction] = {}
            kinds = kinds_of(self._spread(columns))
            for kind, weight in zip(kinds, filter(None, exact), strict=True):
                weights[kind] = weights.get(kind, Fraction(0)) + weight
            are_met = all(any(map(goal.has, weights)) for goal in self._goals)
            if are_met and self._weighing.are_witnessed(columns):
                yield weights

    def _spread(self, columns: Bools) -> Bools:
        """Types over all basic concepts, of which names outside have none."""
        spread = np.zeros((len(self._problem.vocabulary), columns.shape[1]), bool)
        spread[self._names.bits] = columns[: len(self._names)]
        return spread

    def _list_candidates(self, sample: Sample, sign: int) -> Iterator[Sample]:
        """Weights to be made exact: of few types, of all, and of all calibrated once more."""
        ends = (sample.share if sign > 0 else 0.0, sample.share if sign < 0 else 1.0)
        few = self._few if sample is self.first else self._thin(sample, *ends)
        if few is not None:
            yield few
        yield sample
        again = self._weighing.weigh(sample.columns, sample.weights, *ends)
        if again is not None:
            yield again

    def _thin(self, sample: Sample, lower: float, upper: float) -> Sample | None:
        """Weights of few types of a sample with which the share is there, if these suffice."""
        with one_thread(), self._weighing.hold(sample.held):
            thinned = self._weighing.thin(sample.columns, sample.weights)
            return self._weighing.weigh(*thinned, lower, upper, steps=FEW_STEPS)
