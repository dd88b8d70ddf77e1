"""What follows from basic concepts without numbers."""

from __future__ import annotations

from collections.abc import Iterable

from boxsel.exact.compile.problem import Clause
from boxsel.exact.compile.vocabulary import Mask, bits


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
        closed = start | self._always
        fresh = closed
        while fresh:
            new = 0
            for bit in bits(fresh):
                for clause in self._users.get(bit, ()):
                    if not clause.body & ~closed:
                        new |= clause.heads
            fresh = new & ~closed
            closed |= fresh
        return closed
