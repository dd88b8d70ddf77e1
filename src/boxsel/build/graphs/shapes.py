"""The four shapes of conditionals over a graph: which there are, and which of them say nothing new.

`(B | A)`, `(B | A1 ⊓ A2)`, `(B | ∃r.A)` and `(∃r.A | B)`: PNF1 to PNF4. A conditional is left out

- *undefined*: nothing in the graph belongs to its body;
- *taxonomy*: the taxonomy alone implies it, or says that it is the same as another one;
- *disjoint*: it is 0, and so is a more general one, or the same one read the other way round;
- *included*: it is 1, and so is one with a more general body or a more special head.

What is left out follows from what stays: going up (or down) the taxonomy ends, and where it ends
stands a conditional that stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from boxsel.build.graphs.choice import Counts, Integers
from boxsel.build.graphs.taxonomy import Order, Truths
from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import Concept, Exists, Role, conjunction
from boxsel.logic.proportions import Count, Interval, Proportion

Shape = Literal["PNF1", "PNF2", "PNF3", "PNF4"]
SHAPES: Final[tuple[Shape, ...]] = ("PNF1", "PNF2", "PNF3", "PNF4")
Codes = NDArray[np.int8]

NOTHING_KNOWN: Final = Interval(Fraction(0), Fraction(1))
"""What is said of an undefined conditional when it is kept: its body is empty, so anything goes."""


class Reason(IntEnum):
    """Why a conditional is left out; the first that applies counts."""

    KEPT = 0
    UNLISTED = 1
    UNDEFINED = 2
    TAXONOMY = 3
    DISJOINT = 4
    INCLUDED = 5

    @property
    def text(self) -> str:
        """In words."""
        return _WORDS[self]


_WORDS: Final = {
    Reason.KEPT: "kept",
    Reason.UNLISTED: "not listed",
    Reason.UNDEFINED: "undefined: nothing belongs to the body",
    Reason.TAXONOMY: "implied by the taxonomy",
    Reason.DISJOINT: "0, as a more general one or its mirror image",
    Reason.INCLUDED: "1, as a more general one",
}


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """All conditionals of a shape: how many of how many, and why each is kept or not.

    The axes are those of the counts: [A, B], [A1, A2, B], [r, A, B] and again [r, A, B].
    """

    shape: Shape
    counts: Integers
    totals: Integers
    codes: Codes

    def number(self, reason: Reason) -> int:
        """How many conditionals have this reason."""
        return int((self.codes == reason).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What listings are about: counts, the order of the concepts, and the wanted shapes."""

    counts: Counts
    order: Order
    shapes: Collection[Shape]


def listings(setting: Setting) -> dict[Shape, Listing]:
    """The wanted shapes, every conditional with the reason why it is kept or left out."""
    makers = {"PNF1": _names, "PNF2": _conjunctions, "PNF3": _given_links, "PNF4": _links}
    return {shape: makers[shape](setting) for shape in SHAPES if shape in setting.shapes}


def paper_listings(setting: Setting) -> dict[Shape, Listing]:
    """The paper's enumeration: ordered pairs of different concepts, and no filter."""
    found = {}
    for shape, listing in listings(setting).items():
        places = np.indices(listing.codes.shape)
        concepts = places if shape in ("PNF1", "PNF2") else places[1:]
        different = np.ones(listing.codes.shape, dtype=bool)
        for first in range(len(concepts)):
            for second in range(first):
                different &= concepts[first] != concepts[second]
        codes = np.where(different, Reason.KEPT, Reason.UNLISTED).astype(np.int8)
        found[shape] = Listing(shape, listing.counts, listing.totals, codes)
    return found


def _names(setting: Setting) -> Listing:
    """`(B | A)`, as [A, B]."""
    pairs, order = setting.counts.pairs, setting.order
    totals = np.broadcast_to(setting.counts.sizes[:, None], pairs.shape)
    place = np.arange(len(pairs))
    zero, one = pairs == 0, pairs == totals
    mirrored = zero & zero.T & (totals > 0) & (totals.T > 0) & (place[:, None] > place[None, :])
    return Listing(
        "PNF1",
        pairs,
        totals,
        _codes(
            {
                Reason.UNLISTED: place[:, None] == place[None, :],
                Reason.UNDEFINED: totals == 0,
                Reason.TAXONOMY: order.below | _followers(order, 2),
                Reason.DISJOINT: zero
                & (mirrored | _above(zero, order, 0) | _above(zero, order, 1)),
                Reason.INCLUDED: one & (_above(one, order, 0) | _beneath(one, order, 1)),
            }
        ),
    )


def _conjunctions(setting: Setting) -> Listing:
    """`(B | A1 ⊓ A2)`, as [A1, A2, B] with A1 before A2."""
    triples = setting.counts.triples
    chosen = np.ix_(setting.counts.chosen.conjoined, setting.counts.chosen.conjoined)
    pairs = setting.counts.pairs[chosen]
    order = Order(setting.order.below[chosen])
    totals = np.broadcast_to(pairs[:, :, None], triples.shape)
    place = np.arange(len(pairs))
    first, second, head = place[:, None, None], place[None, :, None], place[None, None, :]
    below = order.below
    implied = below[:, None, :] | below[None, :, :]
    different = (first != second) & (head != first) & (head != second)
    zero, one = different & (triples == 0), different & (triples == totals)
    # The three ways to say that three concepts share nothing: the one with the last as head stays.
    disjoint = (head < second) & (pairs > 0)[:, None, :]
    for axis in range(3):
        disjoint = disjoint | _above(zero, order, axis)
    included = _above(one, order, 0) | _above(one, order, 1) | _beneath(one, order, 2)
    if "PNF1" in setting.shapes:
        implied = implied | (below | below.T)[:, :, None]  # the body is one concept
        apart = pairs == 0
        disjoint = disjoint | apart[:, None, :] | apart[None, :, :]
        inside = pairs == np.diagonal(pairs)[:, None]
        included = included | inside[:, None, :] | inside[None, :, :]
    return Listing(
        "PNF2",
        triples,
        totals,
        _codes(
            {
                Reason.UNLISTED: ~different | (first > second),
                Reason.UNDEFINED: totals == 0,
                Reason.TAXONOMY: implied | _followers(order, 3),
                Reason.DISJOINT: zero & disjoint,
                Reason.INCLUDED: one & included,
            }
        ),
    )


def _given_links(setting: Setting) -> Listing:
    """`(B | ∃r.A)`, as [r, A, B]."""
    linked, order = setting.counts.linked, setting.order
    totals = np.broadcast_to(setting.counts.reached[:, :, None], linked.shape)
    zero, one = linked == 0, linked == totals
    # (∃r.A | B) is 0 where this is, and defined unless B is empty.
    mirrored = (setting.counts.sizes > 0) & ("PNF4" in setting.shapes)
    included = _above(one, order, 1) | _beneath(one, order, 2)
    if setting.counts.chosen.everything and "PNF1" in setting.shapes:
        included |= setting.counts.sizes == setting.counts.sizes[-1]  # (B | ⊤) is 1
    tautology = np.zeros(linked.shape, dtype=bool)
    tautology[:, :, -1:] = setting.counts.chosen.everything
    return Listing(
        "PNF3",
        linked,
        totals,
        _codes(
            {
                Reason.UNDEFINED: totals == 0,
                Reason.TAXONOMY: tautology | _followers(order, 2),
                Reason.DISJOINT: zero
                & (mirrored | _above(zero, order, 1) | _above(zero, order, 2)),
                Reason.INCLUDED: one & included,
            }
        ),
    )


def _links(setting: Setting) -> Listing:
    """`(∃r.A | B)`, as [r, A, B]."""
    linked, order = setting.counts.linked, setting.order
    totals = np.broadcast_to(setting.counts.sizes[None, None, :], linked.shape)
    zero, one = linked == 0, linked == totals
    return Listing(
        "PNF4",
        linked,
        totals,
        _codes(
            {
                Reason.UNDEFINED: totals == 0,
                Reason.TAXONOMY: np.broadcast_to(_followers(order, 2), linked.shape),
                Reason.DISJOINT: zero & (_above(zero, order, 1) | _above(zero, order, 2)),
                Reason.INCLUDED: one & (_beneath(one, order, 1) | _above(one, order, 2)),
            }
        ),
    )


def _codes(reasons: dict[Reason, Truths]) -> Codes:
    """The first reason that applies to each conditional."""
    shape = np.broadcast_shapes(*(truths.shape for truths in reasons.values()))
    codes = np.zeros(shape, dtype=np.int8)
    for reason in sorted(reasons, reverse=True):
        codes[np.broadcast_to(reasons[reason], shape)] = reason
    return codes


def _followers(order: Order, axes: int) -> Truths:
    """Whether one of the concepts is the same as an earlier one, which speaks for it."""
    follows = ~order.leaders
    found = np.zeros((len(follows),) * axes, dtype=bool)
    for axis in range(axes):
        shape = [1] * axes
        shape[axis] = -1
        found |= follows.reshape(shape)
    return found


def _above(truths: Truths, order: Order, axis: int) -> Truths:
    """Whether it is true of something strictly above along an axis."""
    return _reached(truths, order.strictly, axis)


def _beneath(truths: Truths, order: Order, axis: int) -> Truths:
    """Whether it is true of something strictly below along an axis."""
    return _reached(truths, order.strictly.T, axis)


def _reached(truths: Truths, links: Truths, axis: int) -> Truths:
    moved = np.moveaxis(truths, axis, 0).astype(np.float32)
    found = np.tensordot(links.astype(np.float32), moved, axes=1) > 0
    return np.moveaxis(found, 0, axis)


@dataclass(frozen=True)
class Speller:
    """Makes the conditionals of a listing: their concepts are made once and shared."""

    concepts: Sequence[Concept]
    conjoined: Sequence[int]
    roles: Sequence[Role]

    @cached_property
    def _restrictions(self) -> list[list[Exists]]:
        return [[Exists(role, concept) for concept in self.concepts] for role in self.roles]

    @cached_property
    def _conjunctions(self) -> dict[tuple[int, int], Concept]:
        chosen = [self.concepts[place] for place in self.conjoined]
        return {
            (first, second): conjunction(chosen[first], chosen[second])
            for first in range(len(chosen))
            for second in range(len(chosen))
            if first != second
        }

    def axioms(self, listing: Listing, *, deterministic: bool = False) -> Iterator[Axiom]:
        """The conditionals that are kept; those that are 0 or 1 as axioms, if so wanted."""
        places = np.argwhere(listing.codes == Reason.KEPT)
        counts = listing.counts[tuple(places.T)].tolist()
        totals = listing.totals[tuple(places.T)].tolist()
        for place, count, total in zip(places.tolist(), counts, totals, strict=True):
            head, body = self._sides(listing.shape, place)
            if deterministic and total and count in (0, total):
                yield Inclusion(body, head) if count else Disjointness(head, body)
                continue
            known: Proportion = Count(count, total) if total else NOTHING_KNOWN
            yield Conditional(head, body, known)

    def _sides(self, shape: Shape, place: list[int]) -> tuple[Concept, Concept]:
        match shape:
            case "PNF1":
                return self.concepts[place[1]], self.concepts[place[0]]
            case "PNF2":
                head = self.concepts[self.conjoined[place[2]]]
                return head, self._conjunctions[place[0], place[1]]
            case "PNF3":
                return self.concepts[place[2]], self._restrictions[place[0]][place[1]]
            case "PNF4":
                return self._restrictions[place[0]][place[1]], self.concepts[place[2]]
