"""Which existentials follow from which, seen from the types over names.

If every type with X has Y, whoever has `∃r.X` has `∃r.Y`; if no type has X, nobody has `∃r.X`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boxsel.exact.counted.equations import Extents
from boxsel.exact.problem import Clause, Existential, Goal
from boxsel.exact.survivors import Elimination


def implied_existentials(
    existentials: Sequence[Existential], extents: Extents
) -> Iterator[Elimination]:
    """Eliminations that need no numbers, among existentials of one role with fillers.

    What follows from others that are given is left out.
    """
    members = {one: frozenset(extents.of(one.filler or 0)) for one in existentials}
    possible = [one for one in existentials if members[one]]
    for one in existentials:
        if not members[one]:
            yield Elimination(Clause(one.bit, 0), one, Goal(one.filler or 0))
    above = {
        one: [other for other in possible if other is not one and members[one] <= members[other]]
        for one in possible
    }
    for one in possible:
        for other in _nearest(one, above):
            goal = Goal(one.filler or 0, (other.filler or 0,))
            yield Elimination(Clause(one.bit, other.bit), one, goal)


def _nearest(
    one: Existential, above: dict[Existential, list[Existential]]
) -> Iterator[Existential]:
    """Existentials above one from which, by the same choice for them, all above it follow."""
    equal = [other for other in above[one] if one in above[other]]
    if any(other.bit < one.bit for other in equal):
        yield min(equal, key=lambda other: other.bit)
        return
    yield from equal
    reached = set(equal)
    for other in sorted(above[one], key=lambda each: -len(above[each])):
        if other not in reached:
            yield other
            reached.update((other, *above[other]))
