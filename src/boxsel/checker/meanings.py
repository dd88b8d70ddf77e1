"""What the Boolean combinations of a query mean, as clauses over types.

`not`, `or` and `at least` count as basic concepts. An `or`, or an `at least k of`, goes through its
operands and counts: after each of them it is known whether at least 1, 2, … k so far are true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from boxsel.checker.types import Basics, Clause, basics
from boxsel.logic.booleans import AtLeast, Not, Or
from boxsel.logic.concepts import BOTTOM, Boolean, Concept
from boxsel.logic.names import NO_PREFIXES, Prefixes


def meanings(concepts: Iterable[Concept]) -> Iterator[Clause]:
    """The clauses that say what the combinations in some concepts mean.

    Examples:
        >>> from boxsel.syntax.parser import parse_concept
        >>> for body, heads in meanings([parse_concept("not A")]):
        ...     print(sorted(map(str, body)), "->", sorted(map(str, heads)))
        ['A', 'not A'] -> []
        [] -> ['A', 'not A']
    """
    queue = [part for concept in concepts for part in basics(concept)]
    known: set[Concept] = set()
    while queue:
        part = queue.pop()
        if part in known or not isinstance(part, Not | Or | AtLeast):
            continue
        known.add(part)
        queue += (basic for operand in part.operands for basic in basics(operand))
        if isinstance(part, Not):
            yield basics(part, part.operand), Basics()
            yield from ((Basics(), Basics({part, basic})) for basic in basics(part.operand))
        else:
            yield from _counters(part, part.least if isinstance(part, AtLeast) else 1)


def _counters(whole: Or | AtLeast, least: int) -> Iterator[Clause]:
    """The clauses of a combination that is true where so many of its operands are."""
    operands = whole.operands
    # At least 0 is always true, and has no counter.
    before: list[Concept | None] = [None] + [BOTTOM] * least
    for place, operand in enumerate(operands, 1):
        now: list[Concept | None] = [None]
        for count in range(1, least + 1):
            last = place == len(operands)
            own = whole if last and count == least else _Counter(whole, place, count)
            more, fewer = before[count], before[count - 1]
            assert more is not None
            had = Basics() if fewer is None else Basics({fewer})
            yield Basics({more}), Basics({own})
            yield basics(operand) | had, Basics({own})
            yield from ((Basics({own}), Basics({basic, more})) for basic in basics(operand))
            if fewer is not None:
                yield Basics({own}), Basics({fewer, more})
            now.append(own)
        before = now


class _Counter(Boolean):
    """Whether at least so many of the first operands of a combination are true."""

    __slots__ = ("_key",)
    _key: tuple[Concept, int, int]

    def __init__(self, whole: Concept, place: int, count: int) -> None:
        object.__setattr__(self, "_key", (whole, place, count))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Counter) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """What it counts."""
        whole, place, count = self._key
        return f"at least {count} of the first {place} of {whole.text(prefixes)}"
