"""Queries whose share is determined by ratios of sizes: no reasoner is needed for them.

A conditional `(D | C)[q]` says |C ⊓ D| = q·|C|. If q > 0 it ties two sizes by a factor: one is
known if the other is. So sizes that are connected through conditionals have the same ratios in all
models, and `(D | C)` is determined if |C ⊓ D| and |C| are connected. Bayes' rule is such a chain:
|C| – |C ⊓ A| – |A| – |A ⊓ D| – |D| = |C ⊓ D|, the last because `(C | D)` is 1. If q = 0, nothing is
both C and D.

Only the connections matter here. The population that was counted is a model, and has members of
each body: what is determined is what was counted in it.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from boxsel.evaluation.conditionals import NOTHING, Conditionals, Ints, Truths
from boxsel.models.conjunctions import composed, reduced


def determined(known: Conditionals, asked: Conditionals) -> Truths:
    """Which queries have one share in all models of what is known, by the ratios of sizes alone.

    It is sound and not complete: ⊤, names and `∃r.A` are told apart, what one includes of
    another is closed under transitivity and under roles, and no sizes are added up.

    Examples:
        >>> def pair(body, head, count, total):
        ...     return Conditionals.of(1, **{
        ...         key: np.array([value])
        ...         for key, value in dict(body=body, head=head, count=count, total=total).items()
        ...     })
        >>> A, B = 1, 2
        >>> asked = pair(A, B, 2, 5)
        >>> determined(pair(B, A, 2, 3), asked).tolist()  # (A | B): how large is B?
        [False]
        >>> sizes = Conditionals.joined([pair(B, A, 2, 3), pair(0, A, 5, 9), pair(0, B, 3, 9)])
        >>> determined(sizes, asked).tolist()
        [True]
    """
    width = 1 + max(int(conditionals.names.max(initial=NOTHING)) for conditionals in (known, asked))
    said = known.take(known.defined)
    sets = _Sets(said, asked, width)
    whole, body = sets.nodes(_basics(asked, width)), sets.nodes(_bodies(asked, width))
    positive = said.take(said.count > 0)
    wider, narrower = (sets.nodes(basics(positive, width)) for basics in (_bodies, _basics))
    nodes, places = np.unique(np.concatenate([wider, narrower, body, whole]), return_inverse=True)
    one, other, of_body, of_whole = np.split(
        places, np.cumsum([len(wider), len(narrower), len(body)])
    )
    ties = coo_array((np.ones(len(one), bool), (one, other)), shape=(len(nodes),) * 2)
    component = connected_components(ties, directed=False)[1]
    rows: Truths = component[of_body] == component[of_whole]
    return rows | sets.empty(asked)


def _basics(given: Conditionals, width: int) -> Ints:
    """A number for each basic concept of each conditional: 0 is ⊤, and fills unused slots."""
    return given.roles * width + given.names


def _bodies(given: Conditionals, width: int) -> Ints:
    """The same, without the heads."""
    return _basics(given, width) * (1, 1, 0)


class _Sets:
    """Conjunctions of basic concepts, by what is known to be included in what."""

    def __init__(self, said: Conditionals, asked: Conditionals, width: int) -> None:
        roles = 1 + max(
            int(conditionals.roles.max(initial=NOTHING)) for conditionals in (said, asked)
        )
        self._width, self._size = width, width * roles
        self._within = self._inclusions(said.take(said.count == said.total))
        # The first of those that are included in each other stands for all of them.
        self._same = np.argmax(self._within & self._within.T, axis=1)
        self._apart = self._disjoint(said.take(said.count == 0))

    def nodes(self, basics: Ints) -> Ints:
        """A number for each conjunction: the same for those that are known to be equal."""
        nodes: Ints = np.zeros(len(basics), np.int64)
        for column in self._reduced(basics).T:
            nodes = nodes * self._size + column
        return nodes

    def empty(self, asked: Conditionals) -> Truths:
        """Whether a body and a head are known to be disjoint."""
        first, second, head = _basics(asked, self._width).T
        apart = self._apart
        rows: Truths = apart[first, head] | apart[second, head] | apart[first, second]
        return rows

    def _reduced(self, basics: Ints) -> Ints:
        """Conjunctions without the conjuncts that include another one."""
        return reduced(basics, self._same, self._within)

    def _inclusions(self, certain: Conditionals) -> Truths:
        """Which basic concepts are within which: `(B | A)` that are 1, closed."""
        within = np.eye(self._size, dtype=bool)
        within[:, 0] = True
        first, second, head = _basics(certain, self._width).T
        plain = second == 0
        within[first[plain], head[plain]] = True
        while True:
            closed = composed(within, within)
            for start in range(self._width, self._size, self._width):
                block = slice(start, start + self._width)
                closed[block, block] |= closed[: self._width, : self._width]
            if (closed == within).all():
                return within
            within = closed

    def _disjoint(self, zero: Conditionals) -> Truths:
        """Which basic concepts have nothing in common: zeros, and whatever lies within them."""
        one, two, three = self._reduced(_basics(zero, self._width)).T
        apart = np.zeros((self._size, self._size), bool)
        pair = one == 0
        apart[two[pair], three[pair]] = apart[three[pair], two[pair]] = True
        return composed(composed(self._within, apart), self._within.T)
