"""Counts as statements: the conditionals that are kept, and the taxonomy of their concepts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np

from boxsel.build.graph.shapes import Listing, Reason, Shape
from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import Concept, Exists, Role, conjunction
from boxsel.logic.proportions import Count, Interval, Proportion

NOTHING_KNOWN: Final = Interval(Fraction(0), Fraction(1))
"""What is said of an undefined conditional when it is kept: its body is empty, so anything goes."""


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
