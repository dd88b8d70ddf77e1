"""Base and satellites: basic concepts that only meet through others.

Two basic concepts *meet* if some clause or row is about both. A set of basic concepts of which no
two meet are *satellites* of the rest, the *base*: within each type over the base they vary
independently, since whatever shares of it two satellites have, no axiom looks at what they have
in common. In a counted graph, whatever occurs in no body is a satellite.
"""

from __future__ import annotations

from collections.abc import Iterable

from boxsel.exact.vocabulary import Mask, bits


def satellites(about: Iterable[Mask], among: Mask) -> Mask:
    """Some of the given basic concepts, of which no two occur together in a statement.

    Those that meet the fewest others are taken first.

    Examples:
        >>> f"{satellites([0b0111, 0b1011], 0b1111):b}"
        '1100'
    """
    meets = dict.fromkeys(bits(among), 0)
    for mask in about:
        for position in bits(mask & among):
            meets[position] |= mask
    chosen = 0
    for position in sorted(meets, key=lambda one: ((meets[one] & among).bit_count(), -one)):
        if not meets[position] & chosen:
            chosen |= 1 << position
    return chosen
