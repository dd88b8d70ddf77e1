"""Statements that may be missing: groups that are nested, or apart, and nobody said so.

Published shares rarely say that the diabetics among adults are all diabetics that are meant. Where
a head of one conditional is a body of another, as X in `(X | Y)` and `(Z | X)`, X may be meant to
be a part of Y; where the shares of several heads in one body add up to 1, no two may overlap.
Whether that is so, only people know: what would follow is computed exactly, and told as a hint.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import Interval, float_above, float_below
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, OutOfTimeError

MOST: Final = 8
"""So many statements are tried at the most."""
LARGEST: Final = 60
"""Larger modules are not asked again and again for the sake of a hint."""
MUCH: Final = Fraction(9, 10)
"""A hint leaves at most so much of the answer's width: else it is not worth a line."""
NARROW: Final = Fraction(1, 100)
"""Answers that are not wider need no hint."""
WIDEST: Final = 10
"""Of more shares in one body no partition is looked for."""
NEAR: Final = Fraction(1, 100)
"""Shares add up to 1 if they are as near to it."""


@dataclass(frozen=True)
class Hint:
    """A statement that is not there, and the exact answer with it."""

    axiom: Inclusion | Disjointness
    lower: Fraction
    upper: Fraction

    def in_words(self, words: Words, prefixes: Prefixes) -> str:
        """The hint for people."""
        ends = dict.fromkeys(words.outward(self.lower, self.upper))
        answer = f"[{', '.join(ends)}]" if len(ends) > 1 else next(iter(ends))
        if isinstance(self.axiom, Inclusion):
            left, right = self.axiom.left.text(prefixes), self.axiom.right.text(prefixes)
            said = f"{left} is part of {right}"
        else:
            *firsts, last = (one.text(prefixes) for one in self.axiom.members)
            said = f"{', '.join(firsts)} and {last} do not overlap"
        return f"nothing says that {said}: with it the answer would be {answer}"

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The hint as a JSON object."""
        return {
            "statement": self.axiom.text(prefixes),
            "lower": float_below(self.lower),
            "upper": float_above(self.upper),
        }


def find_hint(
    reasoner: Reasoner, query: Query, lower: Fraction, upper: Fraction, budget: Budget
) -> Hint | None:
    r"""The plausible statement that would narrow an answer most, if one would narrow it much.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("(Diabetes | Adult)[0.095]\n(Obese | Diabetes)[0.3]")
        >>> reasoner, query = Reasoner(kb), kb.query("(Obese and Diabetes | Adult)")
        >>> hint = find_hint(reasoner, query, Fraction(0), Fraction("0.095"), Budget())
        >>> print(hint.axiom, float(hint.lower), float(hint.upper))
        Diabetes SubClassOf Adult 0.0285 0.0285
    """
    best: Hint | None = None
    if upper - lower <= NARROW:
        return None
    module = reasoner.module(query)
    if len(module) > LARGEST:
        return None
    try:
        for axiom in _plausible(module):
            found = _with(reasoner, query, axiom, budget)
            if found is not None and (
                found.upper - found.lower
                < (MUCH * (upper - lower) if best is None else best.upper - best.lower)
            ):
                best = found
    except OutOfTimeError:
        return None  # a hint is not worth waiting for
    return best  # what follows already would not narrow anything


def _plausible(module: tuple[Statement, ...]) -> Iterator[Inclusion | Disjointness]:
    """Statements that people may have taken for granted, at most so many."""
    shares = [one.axiom for one in module if isinstance(one.axiom, Conditional)]
    stated = {one.axiom for one in module}
    bodies = {one.body for one in shares}
    found: dict[Inclusion | Disjointness, None] = {}
    for one in shares:
        if isinstance(one.head, Name) and isinstance(one.body, Name) and one.head in bodies:
            found[Inclusion(one.head, one.body)] = None
    for body in dict.fromkeys(one.body for one in shares):
        own = (one for one in shares if one.body == body and isinstance(one.head, Name))
        for parts in _partitions({one.head: one.bounds for one in own}):
            found[Disjointness(*parts)] = None
    yield from [axiom for axiom in found if axiom not in stated][:MOST]


def _partitions(parts: Mapping[Concept, Interval]) -> Iterator[tuple[Concept, ...]]:
    """Heads whose shares add up to 1: all of a body, or a few of them."""
    if _adds_up(parts.values()):
        yield tuple(parts)
    elif len(parts) <= WIDEST:
        for size in range(2, len(parts)):
            for some in combinations(parts, size):
                if (
                    all(parts[one].is_point for one in some)
                    and sum(parts[one].lower for one in some) == 1
                ):
                    yield some


def _adds_up(shares: Collection[Interval]) -> bool:
    total = sum(((one.lower + one.upper) / 2 for one in shares), Fraction(0))
    return len(shares) > 1 and abs(total - 1) <= NEAR


def _with(
    reasoner: Reasoner, query: Query, axiom: Inclusion | Disjointness, budget: Budget
) -> Hint | None:
    """The answer with a statement more; none if there is none."""
    kb = KB((*reasoner.kb.statements, Statement(axiom)), data=reasoner.kb.data)
    outcome = Reasoner(kb, budget=budget).bounds(query)
    if outcome.lower is None or outcome.upper is None:
        return None
    return Hint(axiom, outcome.lower.bound, outcome.upper.bound)
