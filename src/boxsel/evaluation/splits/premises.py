"""Every pair of premises that bears on a query by probabilistic modus ponens, and its interval."""

from __future__ import annotations

import numpy as np

from boxsel.evaluation.conditionals import Conditionals, Floats, Ints, Truths
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.split import Pairs


def premises_for(ontology: Ontology, queries: Conditionals, known: Conditionals) -> Pairs:
    """All pairs of premises among what is known.

    `(Q | root)` goes through a concept (PNF1) or through `∃r.A` (PNF3), `(∃r.A | root)` through a
    concept (PNF4): what it goes through must lie within the root. `(Q | B)` goes through a concept
    and a conjunction (PNF2).
    """
    finder = _Finder(ontology, queries, known)
    found = [
        finder.through_names(1),
        finder.through_names(4),
        finder.through_links(),
        finder.through_conjunctions(),
    ]
    return Pairs.joined(found)


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
            _unnumbered(1, root, middle + 1).take(apart),
            _unnumbered(shape, middle + 1, head, head_role=role).take(apart),
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
            _unnumbered(4, root, filler + 1, head_role=role + 1),
            _unnumbered(3, filler + 1, self.queries.names[query, 2], body_role=role + 1),
        )

    def through_conjunctions(self) -> Pairs:
        """`(A | B)` and `(Q | A ⊓ B)`."""
        asked = np.flatnonzero(~self.of_root & (self.queries.shape == 1))
        query, middle = _crossed(asked, np.array(self.ontology.conjoined, np.int64) + 1)
        body, head = self.queries.names[query, 0], self.queries.names[query, 2]
        apart = (middle != body) & (middle != head)
        return self._known(
            query[apart],
            _unnumbered(1, body, middle).take(apart),
            _unnumbered(2, middle, head, second=body).take(apart),
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


def _unnumbered(
    shape: int,
    body: Ints,
    head: Ints,
    *,
    second: Ints | None = None,
    body_role: Ints | None = None,
    head_role: Ints | None = None,
) -> Conditionals:
    """Conditionals to look up by what they say, before their numbers are known."""
    nothing = np.zeros(len(body), np.int64)
    return Conditionals.of(
        shape,
        body=body,
        second=second,
        head=head,
        body_role=body_role,
        head_role=head_role,
        count=nothing,
        total=nothing,
    )


def pmp_intervals(pairs: Pairs) -> tuple[Floats, Floats]:
    """What follows for `(E | C)` from `(D | C)[q1]` and `(E | C ⊓ D)[q2]`.

    It is [q1·q2, min(1, q1·q2 + 1 − q1)], as the proposition has it for l1 = u1 and l2 = u2: for
    points the published upper bound is the tight one. Where the second premise is undefined,
    no C is D, and nothing follows: the interval is [0, 1].

    Examples:
        >>> from boxsel.evaluation.conditionals import Conditionals
        >>> one, two, three, ten = (np.array([number]) for number in (1, 2, 3, 10))
        >>> first = Conditionals.of(1, body=one, head=two, count=two, total=ten)
        >>> second = Conditionals.of(2, body=one, second=two, head=three, count=one, total=two)
        >>> lower, upper = pmp_intervals(Pairs(one - 1, first, second))
        >>> round(float(lower[0]), 6), round(float(upper[0]), 6)
        (0.1, 0.9)
    """
    first, second = pairs.first.share, pairs.second.share
    follows = pairs.first.defined & pairs.second.defined
    lower: Floats = np.where(follows, first * second, 0.0)
    # In this order rounding never puts the upper end below the lower one.
    upper: Floats = np.where(follows, np.minimum(1.0, lower + (1 - first)), 1.0)
    return lower, upper
