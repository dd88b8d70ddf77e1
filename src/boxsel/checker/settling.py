"""Settling what clauses say: what must be true or false, and what may as well be.

Concepts are numbers here. A *literal* says that one is false (2n) or true (2n + 1), so that
`literal ^ 1` says the opposite. A clause is a set of literals: at least one of them holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

Literals = set[int]


def settle(
    clauses: Iterable[Literals], kept: Collection[int]
) -> tuple[Literals, list[Literals]] | None:
    """Literals that can be taken to hold, and the clauses that are left; none if all cannot hold.

    A clause with one literal says that it holds. A literal whose opposite no clause has does no
    harm, unless its concept is to be kept: so all is settled in a hierarchy above what is asked.

    Examples:
        >>> settle([{3}, {2, 5, 8}], kept=[2, 4])  # 1 is true; if 1 and 4 are, so is 2
        ({3}, [{8, 5}])
        >>> settle([{2, 5}, {4, 7}], kept=[1])  # if 1 is true, so is 2, and if that is, so is 3
        ({5, 7}, [])
        >>> settle([{3}, {2}], kept=[])
    """
    settling = _Settling(clauses, kept)
    if not settling.succeeds():
        return None
    return settling.true, list(settling.open.values())


class _Settling:
    """Clauses that nothing makes true yet, and the literals that hold."""

    def __init__(self, clauses: Iterable[Literals], kept: Collection[int]) -> None:
        self.true: Literals = set()
        self.open = {place: {*clause} for place, clause in enumerate(clauses)}
        self._kept, self._queue = kept, list[int]()
        self._users: defaultdict[int, set[int]] = defaultdict(set)
        for place, clause in self.open.items():
            for literal in clause:
                self._users[literal].add(place)

    def succeeds(self) -> bool:
        """Whether no two clauses are found to contradict each other."""
        if not all(self.open.values()):
            return False
        for clause in self.open.values():
            self._force(clause)
        for literal in list(self._users):
            self._spare(literal ^ 1)
        while self._queue:
            literal = self._queue.pop()
            if literal ^ 1 in self.true:
                return False
            for place in self._users.pop(literal, ()):
                self._close(place, literal)
            for place in self._users.pop(literal ^ 1, ()):
                self.open[place].discard(literal ^ 1)
                self._force(self.open[place])
        return True

    def _close(self, place: int, why: int) -> None:
        """A clause holds: what only it has is not needed elsewhere."""
        for clause in self.open.pop(place) - {why}:
            self._users[clause].discard(place)
            self._spare(clause)

    def _force(self, clause: Literals) -> None:
        """The last literal of a clause holds."""
        if len(clause) == 1:
            self._hold(*clause)

    def _spare(self, literal: int) -> None:
        """The opposite of a literal that no clause has does no harm."""
        if (
            not self._users.get(literal)
            and literal not in self.true
            and literal >> 1 not in self._kept
        ):
            self._hold(literal ^ 1)

    def _hold(self, literal: int) -> None:
        if literal not in self.true:
            self.true.add(literal)
            self._queue.append(literal)
