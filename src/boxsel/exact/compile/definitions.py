"""What Boolean combinations mean, as clauses over types.

A combination has a bit of its own in every type, and clauses tie it to its operands. `or` and `at
least k of` are taken apart operand by operand: G, at least k of C and others, holds of whoever has
at least k of the others, or has C and at least k − 1 of them. So clauses stay short and few however
many operands there are, and what is asked hangs together like a chain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boxsel.logic.booleans import AtLeast, Not, Or, disjunction
from boxsel.logic.concepts import BOTTOM, TOP, Boolean, Concept, conjunction, conjuncts

Mask = int
Bodies = tuple[Mask, Mask]
"""The body and the heads of a clause."""


def stages(gate: Boolean) -> list[Concept]:
    """The combinations that one is taken apart into, larger ones first.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> print(*stages(AtLeast(2, *names("A B C D"))), sep=", ")
        B or C or D, at least 2 of (B, C, D), C or D, C and D, D
    """
    parts: dict[Concept, None] = {}
    stack: list[Concept] = [gate]
    while stack:
        part = stack.pop()
        if isinstance(part, Or | AtLeast):
            for smaller in _split(part)[1:]:
                if smaller not in (TOP, BOTTOM) and smaller not in parts:
                    parts[smaller] = None
                    stack.extend(conjuncts(smaller))
    return [*parts]


def definition(gate: Boolean, mask: Callable[[Concept], Mask | None]) -> Iterator[Bodies]:
    """The clauses that say what a combination means; `mask` has the bits of a concept."""
    own = mask(gate)
    assert own is not None
    if isinstance(gate, Not):
        operand = mask(gate.operand)
        assert operand is not None  # ⊥ is kept out of queries
        yield own | operand, 0
        yield from ((0, own | bit) for bit in _bits(operand))
        return
    assert isinstance(gate, Or | AtLeast)
    first, rest, others = (mask(concept) for concept in _split(gate))
    assert first is not None
    assert rest is not None
    yield first | rest, own
    yield from ((own, bit) for bit in _bits(rest))  # who has more of the others has fewer, too
    if others is None:
        yield from ((own, bit) for bit in _bits(first))
        return
    yield others, own
    yield from ((own, one | other) for one in _bits(first) for other in _bits(others))


def _split(gate: Or | AtLeast) -> tuple[Concept, Concept, Concept]:
    """An operand, what else is needed of who has it, and what of who has it not."""
    least = gate.least if isinstance(gate, AtLeast) else 1
    first, *others = gate.operands
    return first, _at_least(least - 1, others), _at_least(least, others)


def _at_least(least: int, operands: list[Concept]) -> Concept:
    if least == 0:
        return TOP
    if least >= len(operands):
        return BOTTOM if least > len(operands) else conjunction(*operands)
    return disjunction(*operands) if least == 1 else AtLeast(least, *operands)


def _bits(mask: Mask) -> Iterator[Mask]:
    while mask:
        low = mask & -mask
        yield low
        mask ^= low
