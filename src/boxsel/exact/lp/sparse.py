"""Systems of linear equations with few entries, solved exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from flint import fmpq

Line = Mapping[int, int | fmpq]
ZERO = fmpq(0)


def solve(
    lines: Sequence[Line],
    rights: Sequence[fmpq],
    check: Callable[[], object] = bool,
    sizes: Mapping[int, float] | None = None,
) -> dict[int, fmpq] | None:
    """Values with `Σ line[j]·value[j] = right` for every line; none if there are none.

    The shortest line comes first, and of its unknowns the one that the fewest lines have: so that
    little is filled in. Unknowns that nothing determines are zero and left out. `check` is called
    at every step: it may stop the work. Where unknowns are small changes of something that has a
    size, it is the largest one of a line that is determined by it.

    Examples:
        >>> solve([{0: 1, 1: 1}, {1: 2}], [fmpq(3), fmpq(4)])
        {0: 1, 1: 2}
    """
    left = [{place: fmpq(entry) for place, entry in line.items() if entry} for line in lines]
    totals = list(rights)
    users: dict[int, set[int]] = {}
    for number, line in enumerate(left):
        for place in line:
            users.setdefault(place, set()).add(number)
    queue = _Shortest(map(len, left))
    pivots: list[tuple[int, int]] = []
    while queue:
        check()
        number = queue.pop()
        line = left[number]
        if not line:
            if totals[number]:
                return None
            continue
        if sizes is None:
            pivot = min(line, key=lambda place: len(users[place]))
        else:
            pivot = max(line, key=sizes.__getitem__)
        pivots.append((number, pivot))
        for place in line:
            users[place].discard(number)
        for other in tuple(users.pop(pivot)):
            factor = left[other].pop(pivot) / line[pivot]
            totals[other] -= factor * totals[number]
            for place, entry in line.items():
                if place == pivot:
                    continue
                changed = left[other].get(place, ZERO) - factor * entry
                if changed:
                    left[other][place] = changed
                    users[place].add(other)
                elif place in left[other]:
                    del left[other][place]
                    users[place].discard(other)
            queue.change(other, len(left[other]))
    values: dict[int, fmpq] = {}
    for row, pivot in reversed(pivots):
        line = left[row]
        total = totals[row]
        for place, entry in line.items():
            if place in values:
                total -= entry * values[place]
        values[pivot] = total / line[pivot]
    return values


class _Shortest:
    """Which line is shortest, while lengths change."""

    def __init__(self, lengths: Iterable[int]) -> None:
        self._length = dict(enumerate(lengths))
        self._by_length: dict[int, set[int]] = {}
        for number, length in self._length.items():
            self._by_length.setdefault(length, set()).add(number)

    def __len__(self) -> int:
        return len(self._length)

    def pop(self) -> int:
        """Take the shortest line out."""
        least = min(length for length, numbers in self._by_length.items() if numbers)
        number = self._by_length[least].pop()
        del self._length[number]
        return number

    def change(self, number: int, length: int) -> None:
        """Note a line's new length."""
        self._by_length[self._length[number]].discard(number)
        self._by_length.setdefault(length, set()).add(number)
        self._length[number] = length
