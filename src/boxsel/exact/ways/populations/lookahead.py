"""What follows if particles get a name: by clauses, before it is too late."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boxsel.exact.types.gibbs import Literals
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.populations.layout import Layout


class Lookahead:
    """The clauses of a layout, by the names in their bodies.

    In the columns of a population, a name that is not placed yet is true where it follows from
    what is placed.
    """

    def __init__(self, layout: Layout) -> None:
        split = [_split(clause) for clause in layout.clauses]
        self._facts = [heads for body, heads in split if not body]
        self._users: list[list[tuple[list[int], list[int]]]] = [[] for _ in range(layout.size)]
        for body, heads in split:
            for name in body:
                self._users[name].append((body, heads))

    def suppose(
        self, columns: Bools, placed: Bools, names: Sequence[int], where: Bools
    ) -> tuple[dict[int, Bools], Bools]:
        """Where else names become true if some do somewhere, and where that is impossible."""
        truth = {name: columns[name] | where for name in names}
        impossible = np.zeros(columns.shape[1], bool)
        queue = list(names)
        while queue:
            for body, heads in self._users[queue.pop()]:
                fires = where & ~impossible
                for one in body:
                    fires &= truth[one] if one in truth else columns[one]
                for one in heads:
                    fires &= ~(truth[one] if one in truth else columns[one])
                if not fires.any():
                    continue
                open_ = [one for one in heads if not placed[one] and one not in names]
                if not open_:
                    impossible |= fires
                elif len(open_) == 1:
                    head = open_[0]
                    truth[head] = (truth[head] if head in truth else columns[head]) | fires
                    queue.append(head)
        return truth, impossible

    def close(self, columns: Bools, placed: Bools) -> Bools:
        """Make true, in place, what follows; the columns that are impossible."""
        facts = sorted({heads[0] for heads in self._facts if len(heads) == 1})
        for name in facts:
            if not placed[name]:
                columns[name] = True
        count = columns.shape[1]
        lacking = np.zeros(count, bool)
        for heads in self._facts:
            if all(placed[one] for one in heads):
                lacking |= ~columns[heads].any(0)
        names = [name for name in range(len(columns)) if columns[name].any()]
        impossible = lacking
        for name in names:
            truth, wrong = self.suppose(columns, placed, [name], columns[name])
            impossible |= wrong
            for one, where in truth.items():
                if not placed[one]:
                    columns[one] |= where
        return impossible


def _split(clause: Literals) -> tuple[list[int], list[int]]:
    return [-one - 1 for one in clause if one < 0], [one - 1 for one in clause if one > 0]
