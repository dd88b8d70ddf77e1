"""What a programme over types and their choices is about: both are numbered in one row."""

from __future__ import annotations

from abc import ABC, abstractmethod

from boxsel.exact.counted.equations import Extents
from boxsel.exact.problem import Form, Goal
from boxsel.exact.vocabulary import Mask


class Numbered(ABC):
    """Types over a base, numbered first, and what is chosen beyond it, numbered after them."""

    extents: Extents

    @abstractmethod
    def having(self, mask: Mask) -> list[int]:
        """The numbers of what has a mask."""

    def values(self, form: Form) -> dict[int, int]:
        """The values of a form, where they are not zero."""
        found: dict[int, int] = {}
        for mask, coefficient in form:
            for number in self.having(mask):
                found[number] = found.get(number, 0) + coefficient
        return {number: value for number, value in found.items() if value}

    def members(self, goal: Goal) -> dict[int, int]:
        """One for each that is in a goal; exclusions are about the base."""
        excluded = {place for mask in goal.exclude for place in self.extents.of(mask)}
        if not excluded:
            return dict.fromkeys(self.having(goal.require), 1)
        return {place: 1 for place in self.extents.of(goal.require) if place not in excluded}
