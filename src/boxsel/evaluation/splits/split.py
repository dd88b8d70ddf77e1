"""A split of an ontology: what is learned, what is asked, and the premises that bear on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.evaluation.conditionals import Aligned, Conditionals, Floats, Ints, Truths
from boxsel.evaluation.ontology import Ontology
from boxsel.logic.kb import KB
from boxsel.models.task import Rows

ROOT: Final = "urn:boxsel:everything"
"""The name of the root where ⊤ has none: some representations have no box for everything."""


@dataclass(frozen=True, eq=False)
class Pairs(Aligned):
    """Premises for queries `(E | C)`: `first` is `(D | C)`, and `second` is `(E | C ⊓ D)`.

    `query` is the place of the query that they are for. A pair has the shape of its second premise.
    Where D lies within C, the second premise is written `(E | D)`.
    """

    query: Ints
    first: Conditionals
    second: Conditionals

    def __post_init__(self) -> None:
        assert len(self.query) == len(self.first) == len(self.second)

    @property
    def shape(self) -> NDArray[np.int8]:
        """The shape that each pair belongs to."""
        return self.second.shape


@dataclass(frozen=True, eq=False)
class Split:
    """What is learned, what is asked, and the pairs of premises that bear on what is asked.

    `part` names the split among those that one seed gives: most variants have one, `all`.
    The queries are conditionals with their true shares, which nobody who learns may see. Where it
    is `rounded`, what is learned is stated as people publish it, in whole per cents.
    """

    ontology: Ontology
    variant: str
    seed: int
    part: str
    learning: Conditionals
    queries: Conditionals
    pairs: Pairs
    rounded: bool = False

    def rows(self) -> Rows:
        """What there is to train."""
        return self.learning.rows(self.rounded)

    def kb(self) -> KB:
        """What is learned, for a reasoner."""
        return self.ontology.kb(self.learning, self.rounded)

    def problems(self) -> list[str]:
        """What is wrong with it, in words: nothing, if it is a split as it should be."""
        found = []
        known = self.queries.within(self.learning)
        if known.any():
            found.append(f"{int(known.sum()):,} queries are in the learning set")
        if len(self.queries.unique()) < len(self.queries):
            found.append("a query is asked twice")
        for words, premises in (("first", self.pairs.first), ("second", self.pairs.second)):
            missing = ~premises.within(self.learning)
            if missing.any():
                found.append(f"{int(missing.sum()):,} {words} premises are not in the learning set")
        if len(self.pairs) and not (self.pairs.query < len(self.queries)).all():
            found.append("a pair is for no query")
        return found

    def numbers(self) -> dict[str, dict[str, int]]:
        """By shape: how many conditionals are learned, without the root's, and how many pairs."""
        root = self.ontology.root_row
        learned = self.learning
        about_root = learned.has_body(root) | learned.has_head(root)
        return {
            f"PNF{shape}": {
                "learned": int(((learned.shape == shape) & ~about_root).sum()),
                "root": int(((learned.shape == shape) & about_root).sum()),
                "pairs": int((self.pairs.shape == shape).sum()),
            }
            for shape in (1, 2, 3, 4)
        }


def with_named_root(split: Split) -> Split:
    """The same split with a named root in the place of ⊤, and all concepts within it.

    The queries and the pairs stay in their order, so that answers to the one are answers to the
    other.
    """
    ontology = split.ontology
    if ontology.root is not None:
        return split
    named = replace(ontology, root=ROOT)
    row = named.root_row

    def renamed(given: Conditionals) -> Conditionals:
        names = given.names.copy()
        names[given.has_body(0), 0] = row
        return replace(given, names=names)

    every = np.arange(1, named.size + 1)
    sizes = np.diagonal(ontology.pairs)[:-1]
    within = Conditionals.of(1, body=every, head=np.full(named.size, row), count=sizes, total=sizes)
    return replace(
        split,
        ontology=named,
        learning=Conditionals.joined([renamed(split.learning), within]),
        queries=renamed(split.queries),
        pairs=Pairs(split.pairs.query, renamed(split.pairs.first), renamed(split.pairs.second)),
    )


def premises_for(ontology: Ontology, queries: Conditionals, known: Conditionals) -> Pairs:
    """All pairs of premises among what is known.

    `(Q | root)` goes through a concept (PNF1) or through `∃r.A` (PNF3), `(∃r.A | root)` through a
    concept (PNF4): what it goes through must lie within the root. `(Q | B)` goes through a concept
    and a conjunction (PNF2).
    """
    finder = _Finder(ontology, queries, known)
    pairs = [
        finder.through_names(1),
        finder.through_names(4),
        finder.through_links(),
        finder.through_conjunctions(),
    ]
    return Pairs.joined(pairs)


class _Finder:
    def __init__(self, ontology: Ontology, queries: Conditionals, known: Conditionals) -> None:
        self.ontology, self.queries, self.known = ontology, queries, known
        self.order = np.argsort(known.keys, kind="stable")
        self.keys = known.keys[self.order]
        self.of_root = queries.has_body(ontology.root_row)

    def through_names(self, shape: int) -> Pairs:
        """`(A | root)` and `(Q | A)`, or `(∃r.Q | A)`."""
        ontology = self.ontology
        inside = ontology.pairs[:-1, -1] == np.diagonal(ontology.pairs)[:-1]
        asked = np.flatnonzero(self.of_root & (self.queries.shape == shape))
        query, middle = _crossed(asked, np.flatnonzero(inside & (ontology.pairs[:-1, -1] > 0)))
        head, role = self.queries.names[query, 2], self.queries.roles[query, 2]
        root = np.full(len(query), ontology.root_row)
        apart = (middle + 1 != head) | (role > 0)
        return self._known(
            query[apart],
            Conditionals.of(1, root, middle + 1).take(apart),
            Conditionals.of(shape, middle + 1, head, head_role=role).take(apart),
        )

    def through_links(self) -> Pairs:
        """`(∃r.A | root)` and `(Q | ∃r.A)`."""
        ontology = self.ontology
        inside = (ontology.linked[:, :, -1] == ontology.reached) & (ontology.reached > 0)
        asked = np.flatnonzero(self.of_root & (self.queries.shape == 1))
        query, link = _crossed(asked, np.flatnonzero(inside))
        role, filler = np.divmod(link, max(1, ontology.size))
        root = np.full(len(query), ontology.root_row)
        return self._known(
            query,
            Conditionals.of(4, root, filler + 1, head_role=role + 1),
            Conditionals.of(3, filler + 1, self.queries.names[query, 2], body_role=role + 1),
        )

    def through_conjunctions(self) -> Pairs:
        """`(A | B)` and `(Q | A ⊓ B)`."""
        asked = np.flatnonzero(~self.of_root & (self.queries.shape == 1))
        query, middle = _crossed(asked, np.array(self.ontology.conjoined, np.int64) + 1)
        body, head = self.queries.names[query, 0], self.queries.names[query, 2]
        apart = (middle != body) & (middle != head)
        return self._known(
            query[apart],
            Conditionals.of(1, body, middle).take(apart),
            Conditionals.of(2, middle, head, second=body).take(apart),
        )

    def _known(self, query: Ints, first: Conditionals, second: Conditionals) -> Pairs:
        """The pairs of which both premises are known, with their numbers."""
        (one, is_one), (two, is_two) = self._found(first), self._found(second)
        both = is_one & is_two
        return Pairs(query[both], self.known.take(one[both]), self.known.take(two[both]))

    def _found(self, wanted: Conditionals) -> tuple[Ints, Truths]:
        """The places of conditionals among the known ones, and which of them are there."""
        if not len(self.keys):
            return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), bool)
        near = np.minimum(np.searchsorted(self.keys, wanted.keys), len(self.keys) - 1)
        return self.order[near], self.keys[near] == wanted.keys


def _crossed(one: Ints, other: Ints) -> tuple[Ints, Ints]:
    """Each of the one with each of the other."""
    return np.repeat(one, len(other)), np.tile(other, len(one))


def pmp_intervals(pairs: Pairs, rounded: bool = False) -> tuple[Floats, Floats]:
    """What follows for `(E | C)` from `(D | C)[l1, u1]` and `(E | C ⊓ D)[l2, u2]`.

    It is [l1·l2, 1 − l1·(1 − u2)]. For points that is the proposition, [q1·q2, q1·q2 + 1 − q1]; for
    intervals, such as those of `rounded` premises, the published upper bound is sound and this one
    tight. Where the second premise is undefined, no C is D, and nothing follows: the interval is
    [0, 1].

    Examples:
        >>> from boxsel.evaluation.conditionals import Conditionals
        >>> one, two, three, ten = (np.array([number]) for number in (1, 2, 3, 10))
        >>> first = Conditionals.of(1, body=one, head=two, count=two, total=ten)
        >>> second = Conditionals.of(2, body=one, second=two, head=three, count=one, total=two)
        >>> lower, upper = pmp_intervals(Pairs(one - 1, first, second))
        >>> round(float(lower[0]), 6), round(float(upper[0]), 6)
        (0.1, 0.9)
    """
    first, (least, most) = pairs.first.bounds(rounded)[0], pairs.second.bounds(rounded)
    follows = pairs.first.defined & pairs.second.defined
    lower: Floats = np.where(follows, first * least, 0.0)
    # In this order rounding never puts the upper end below the lower one.
    upper: Floats = np.where(follows, np.minimum(1.0, first * most + (1 - first)), 1.0)
    return lower, upper
