"""A problem as populations see it: numbered names, clauses in literals, and ratios.

Names are the basic concepts, by their bits, and after them *defined* names: one for each
conjunction that is the head of a conditional, and one for each goal that is to be realised.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from boxsel.exact.compile.problem import Clause, Goal, Row
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.types.gibbs import Literals, literals
from boxsel.exact.types.space import relevant
from boxsel.exact.types.tables import Bools, kinds_of, table


@dataclass(frozen=True)
class Ratio:
    """A conditional: the share of `body` that has `head` is between two bounds."""

    body: tuple[int, ...]
    head: int
    mask: Mask
    """The basic concepts in it."""
    lower: Fraction
    upper: Fraction
    rows: tuple[int, ...]
    """The numbers of its rows in the problem."""

    @property
    def names(self) -> tuple[int, ...]:
        """The names in it."""
        return (*self.body, self.head)


class Layout:
    """The names, clauses and ratios of some clauses, rows and goals."""

    def __init__(self, width: int, clauses: Sequence[Clause], rows: Sequence[Row]) -> None:
        self.width = self.size = width
        self.source = clauses
        self._same = {bit: bit for bit in range(width)}
        self.clauses: list[Literals] = list(
            dict.fromkeys(literals(clause, self._same) for clause in clauses)
        )
        self.shown: set[int] = set()
        """The names in ratios and goals. All others are had only where clauses force it."""
        self.marks: set[int] = set()
        """The names of goals."""
        self.meaning: dict[int, Mask] = {}
        """What the names of conjunctions stand for."""
        self.ratios = self._ratios(rows)
        self.shown.update(name for ratio in self.ratios for name in ratio.names)
        self.of_row = {row: n for n, ratio in enumerate(self.ratios) for row in ratio.rows}

    def _ratios(self, rows: Sequence[Row]) -> list[Ratio]:
        grouped: dict[tuple[int, Mask, Mask], dict[str, int]] = {}
        for number, row in enumerate(rows):
            grouped.setdefault((row.statement, row.body, row.both), {})[row.side] = number
        heads: dict[Mask, int] = {}
        found = []
        for (_, body, both), sides in grouped.items():
            head = both & ~body
            if head not in heads:
                single = head.bit_count() == 1
                heads[head] = head.bit_length() - 1 if single else self._conjunction(head)
            lower = rows[sides["lower"]].bound if "lower" in sides else Fraction(0)
            upper = rows[sides["upper"]].bound if "upper" in sides else Fraction(1)
            numbers = tuple(sides.values())
            found.append(Ratio(tuple(bits(body)), heads[head], both, lower, upper, numbers))
        return found

    def _conjunction(self, mask: Mask) -> int:
        """A name for a conjunction of basic concepts."""
        name = self._implying(Goal(mask))
        self.meaning[name] = mask
        self.clauses.append((*(-(bit + 1) for bit in bits(mask)), name + 1))
        return name

    def goal(self, goal: Goal) -> int:
        """A new name that implies a goal."""
        name = self._implying(goal)
        self.marks.add(name)
        return name

    def _implying(self, goal: Goal) -> int:
        name = self.size
        self.size += 1
        self.shown.add(name)
        no = -(name + 1)
        self.clauses += ((no, bit + 1) for bit in bits(goal.require))
        self.clauses += ((no, *(-(bit + 1) for bit in bits(mask))) for mask in goal.exclude)
        return name

    def columns(self, kinds: Sequence[Type]) -> Bools:
        """Types as columns over all names; goals are false."""
        whole = np.zeros((self.size, len(kinds)), bool)
        whole[: self.width] = table(kinds, self.width)
        for name, mask in self.meaning.items():
            whole[name] = whole[list(bits(mask))].all(0)
        return whole

    def kinds(self, columns: Bools) -> list[Type]:
        """Columns as types."""
        return kinds_of(columns[: self.width])

    def reach(self, seeds: Mask) -> Mask:
        """The basic concepts that a population with some others may need.

        All others can be empty: a conditional outside has an empty body, or a lower bound 0 and
        an empty head.
        """
        inside, _ = relevant(self.source, seeds)
        while True:
            new = 0
            for ratio in self.ratios:
                if ratio.lower > 0 and ratio.mask & ~inside:
                    body = sum(1 << bit for bit in ratio.body)
                    if not body & ~inside:
                        new |= ratio.mask
            if not new & ~inside:
                return inside
            inside, _ = relevant(self.source, inside | new)

    def names(self, mask: Mask) -> set[int]:
        """Basic concepts, and the conjunctions of them that have a name."""
        meant = (name for name, meaning in self.meaning.items() if not meaning & ~mask)
        return {*bits(mask), *meant}

    def touching(self, mask: Mask) -> set[int]:
        """The ratios that share a basic concept with a mask."""
        return {n for n, ratio in enumerate(self.ratios) if ratio.mask & mask}

    def inside(self, mask: Mask) -> set[int]:
        """The ratios that speak about a mask only."""
        return {n for n, ratio in enumerate(self.ratios) if not ratio.mask & ~mask}

    def rows(self, ratios: Iterable[int]) -> set[int]:
        """The rows of some ratios."""
        return {row for n in ratios for row in self.ratios[n].rows}


class Consequences:
    """What follows from basic concepts by the clauses with one head.

    Examples:
        >>> found = Consequences([Clause(0b001, 0b010), Clause(0b011, 0b100)])
        >>> bin(found.of(0b001)), bin(found.of(0b010))
        ('0b111', '0b10')
    """

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self._users: dict[int, list[Clause]] = {}
        self._always = 0
        facts = []
        for clause in clauses:
            if clause.heads.bit_count() == 1:
                if not clause.body:
                    facts.append(clause.heads)
                for bit in bits(clause.body):
                    self._users.setdefault(bit, []).append(clause)
        for fact in facts:
            self._always = self.of(fact)

    def of(self, start: Mask) -> Mask:
        """What follows from some basic concepts."""
        found = start | self._always
        fresh = found
        while fresh:
            new = 0
            for bit in bits(fresh):
                for clause in self._users.get(bit, ()):
                    if not clause.body & ~found:
                        new |= clause.heads
            fresh = new & ~found
            found |= fresh
        return found
