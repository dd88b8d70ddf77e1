"""Moves that turn a name and all names below it on or off at once.

Whoever lacks a class lacks its subclasses, and has many ways to have some: so chains that move one
name at a time hardly ever leave a class that has many. Here a chain that lacks the class first gets
names below it by a draft q, one name after the other, each free or forced by what was decided
before; a chain that has it keeps its own, of which the draft knows how likely it was. Whether the
class is there is then drawn by the odds w(with) / (w(without) · q(names below)). That is Gibbs
sampling from w times the draft of whoever lacks the class, where drafts are new each time: so what
chains have is drawn from w, whatever the draft is. It only has to be near for many moves to happen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from boxsel.exact.types.gibbs import Floats, Floats32, Forced, Literals, State, some_noise
from boxsel.exact.types.tables import Ints, Words, meet, pack, pad_rows, unpack

NONE = np.uint64(0)
ALL = ~NONE


@dataclass(frozen=True)
class _Stage:
    """Names that are decided at once, and where what was decided before forces them."""

    names: Ints
    lowers: Forced
    raises: Forced


class Subtree:
    """A name, the top, and all names below it: `clauses` are by the literals in them.

    `order` has the names below such that whatever follows from one comes before it. `touching` are
    the numbers of the products in which one of the names is.
    """

    def __init__(
        self,
        top: int,
        order: Sequence[int],
        size: int,
        clauses: Mapping[int, Sequence[Literals]],
        products: Sequence[Sequence[int]],
        touching: Sequence[int],
    ) -> None:
        self.names: Ints = np.array([top, *order], np.intp)
        self._top, self._size = top, size
        place = {name: number for number, name in enumerate((top, *order))}
        own: dict[int, tuple[list[Literals], list[Literals]]] = {}
        stages: dict[int, list[int]] = {}
        stage = {top: 0}
        for name in (top, *order):
            own[name] = [], []
            stage[name] = min(1, place[name])
            for sign, some in zip((-1, 1), own[name], strict=True):
                for clause in clauses.get(sign * (name + 1), ()):
                    others = [abs(one) - 1 for one in clause if abs(one) - 1 in place]
                    if max(place[other] for other in others) == place[name]:
                        some.append(clause)
                        later = (stage[other] + 1 for other in others if other != name)
                        stage[name] = max(stage[name], *later, 0)
            stages.setdefault(stage[name], []).append(name)

        def forced(names: Sequence[int], sign: int) -> Forced:
            return Forced([own[name][sign > 0] for name in names], names, size, sign)

        (self._first, *self._stages) = (
            _Stage(np.array(names, np.intp), forced(names, -1), forced(names, 1))
            for _, names in sorted(stages.items())
        )
        # A clause with some of the names as heads, and none of them in its body, may need one.
        needing = {
            clause
            for name in place
            for clause in clauses.get(name + 1, ())
            if not any(one < 0 and -one - 1 in place for one in clause)
        }
        outside = ([one for one in clause if abs(one) - 1 not in place] for clause in needing)
        self._needs = pad_rows(
            [[size + one - 1 if one > 0 else -one - 1 for one in some] for some in outside]
        )
        self._touching: Ints = np.array(touching, np.intp)
        self._products = pad_rows([products[number] for number in touching])

    @property
    def stages(self) -> int:
        """How many steps a draft has: so long it takes."""
        return len(self._stages) + 1

    def move(
        self,
        factors: Floats32,
        draft: Floats,
        held: Words,
        state: State,
        random: np.random.Generator,
    ) -> None:
        """Draw anew who has the top, but not where chains are held; `draft` has a chance a name."""
        words, count = state.words, state.count
        before = words[self.names]
        having = before[0]
        free = ~held & ~self._is_forced(words)
        if not free.any():
            return
        self._set(words, np.array([self._top]), np.full((1, words.shape[1]), ALL))
        impossible = np.zeros_like(having)
        likelihood = np.zeros(count, np.float32)
        for stage in self._stages:
            lowers, raises = (_spread(some, len(stage.names), words) for some in _both(stage))
            impossible |= np.bitwise_or.reduce(lowers & raises, axis=0)
            chance = draft[stage.names].astype(np.float32)
            drawn = pack(random.random((len(chance), count), np.float32) < chance[:, None])
            decided = (words[stage.names] & having) | (((drawn | raises) & ~lowers) & ~having)
            open_ = ~(lowers | raises)
            likelihood += np.log(chance) @ unpack(decided & open_, count).astype(np.float32)
            likelihood += np.log1p(-chance) @ unpack(~decided & open_, count).astype(np.float32)
            self._set(words, stage.names, decided)
        field = -likelihood
        if len(self._touching):
            true = unpack(meet(words, self._products), count)
            field += factors[self._touching] @ true.astype(np.float32)
        (chosen,) = pack(field > some_noise((1, count), random))
        chosen = (chosen & ~(impossible & ~having)) & free
        after = (words[self.names] & chosen) | (before & ~free)
        self._set(words, self.names, after)
        state.values[self.names] = unpack(after, count)

    def _is_forced(self, words: Words) -> Words:
        """Where the top can only be as it is, or some name below is needed."""
        found = np.zeros(words.shape[1], np.uint64)
        for some in _both(self._first):
            if len(some.rows):
                found |= some.where(words)[0]
        if len(self._needs):
            found |= np.bitwise_or.reduce(meet(words, self._needs), axis=0)
        return found

    def _set(self, words: Words, names: Ints, values: Words) -> None:
        words[names] = values
        words[names + self._size] = ~values


def _both(stage: _Stage) -> tuple[Forced, Forced]:
    return stage.lowers, stage.raises


def _spread(forced: Forced, count: int, words: Words) -> Words:
    """Where each of some names is forced."""
    found = np.zeros((count, words.shape[1]), np.uint64)
    if len(forced.rows):
        found[forced.rows] = forced.where(words)
    return found
