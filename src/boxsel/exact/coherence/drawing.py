"""Who has the heads: groups of equal elements, some of which are given the heads that are lacking.

It begins with a group for each body, the larger the more general. Then share after share: if too
few of a body have the head, groups get it, the largest first, and the last one is divided; if too
many have it, some lose it. What is drawn for one share may disturb others, so that this is repeated
for a while. The weights are floats and decide nothing: what matters is which elements there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from boxsel.exact.coherence.elements import Elements
from boxsel.machine.budget import Budget

SWEEPS: Final = 12
ROOM_WITHIN_BOUNDS: Final = 0.25
"""How far inside its bounds a share is drawn to be, as a part of their distance."""
SMALLER: Final = 4.0
"""How much smaller a group is for each body that its element has."""
SHARE_ERROR: Final = 1e-9
ELEMENTS_EACH: Final = 10
"""So many elements for each share are tried. Where drawing is the way it takes 1 to 6."""
MOST, FEW = 0.2, 50
"""If a larger part of the shares, and not only few, stay off, drawing is not the way."""


class Draw:
    """Groups of elements with weights, drawn so that most shares are met."""

    def __init__(self, elements: Elements, budget: Budget) -> None:
        self._elements, self._budget = elements, budget
        self._bodies = frozenset(elements.bodies)
        self._shown = self._bodies | {share.head for share in elements.shares}
        self._element: list[int] = []
        self.weights: list[float] = []
        self._having: dict[int, set[int]] = {concept: set() for concept in self._shown}
        depth: dict[int, int] = {}
        for body in self._bodies:
            element = elements.having([body])
            if element is not None:
                depth[body] = len(elements.members(element) & self._bodies)
                self._add(element, SMALLER ** -depth[body])
        live = (n for n, share in enumerate(elements.shares) if share.body in depth)
        # General bodies first: what is drawn for them has more special ones, too.
        self._order = sorted(live, key=lambda n: depth[elements.shares[n].body])

    @property
    def groups(self) -> Iterable[tuple[int, float]]:
        """The elements, with the weight of each group."""
        return zip(self._element, self.weights, strict=True)

    def mass(self, concept: int) -> float:
        """The weight of all that have a concept."""
        return sum(self.weights[group] for group in self._having[concept])

    def sweep(self) -> bool:
        """Draw for all shares until most are met; whether that came about."""
        off = len(self._order) + 1
        most = len(self._elements) + ELEMENTS_EACH * max(FEW, len(self._order))
        for _ in range(SWEEPS):
            before, off = off, 0
            for number in self._budget.watched(self._order, 16):
                off += self._meet(number)
                if len(self._elements) > most:
                    return False
            if not off or off >= before:
                break
        return off <= max(FEW, MOST * len(self._order))

    def _meet(self, number: int) -> bool:
        """Draw for one share; whether it was off."""
        share = self._elements.shares[number]
        inside, having = self._having[share.body], self._having[share.head]
        both = inside & having
        total = sum(self.weights[group] for group in inside)
        part = sum(self.weights[group] for group in both)
        lower, upper = float(share.lower), float(share.upper)
        room = ROOM_WITHIN_BOUNDS * (upper - lower)
        low = lower + room if lower > 0 else 0.0
        high = upper - room if upper < 1 else 1.0
        if low - SHARE_ERROR <= (part / total if total else low) <= high + SHARE_ERROR:
            return False
        missing = total * (low + high) / 2 - part
        head = frozenset((share.head,))
        for group in sorted(
            (inside - both) if missing > 0 else both, key=self.weights.__getitem__, reverse=True
        ):
            before = self._elements.start(self._element[group])
            start = before | head if missing > 0 else before - head
            if start == before:
                continue
            element = self._elements.having(start)
            if element is None or not self._serves(element, share.body, share.head, missing > 0):
                continue
            weight = self.weights[group]
            if weight > abs(missing):
                self.weights[group] = weight - abs(missing)
                self._add(element, abs(missing))
                break
            self._change(group, element)
            missing += weight if missing < 0 else -weight
            if abs(missing) <= SHARE_ERROR * total:
                break
        return True

    def _serves(self, element: int, body: int, head: int, wanted: bool) -> bool:
        """Whether an element is still in a body, and in a head or not as wanted."""
        members = self._elements.members(element)
        return body in members and (head in members) == wanted

    def _add(self, element: int, weight: float) -> None:
        self._element.append(element)
        self.weights.append(weight)
        self._enter(len(self.weights) - 1)

    def _change(self, group: int, element: int) -> None:
        for concept in self._elements.members(self._element[group]) & self._shown:
            self._having[concept].discard(group)
        self._element[group] = element
        self._enter(group)

    def _enter(self, group: int) -> None:
        for concept in self._elements.members(self._element[group]) & self._shown:
            self._having[concept].add(group)
