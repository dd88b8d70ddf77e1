"""Statements that may be missing: groups that are nested, or apart, and nobody said so.

Published shares rarely say that the diabetics among adults are all diabetics that are meant. Where
a head of one conditional is a body of another, as X in `(X | Y)` and `(Z | X)`, X may be meant to
be a part of Y, and if it has shares in several groups, a part of what all of these are parts of;
where the shares of several heads in one body add up to 1, no two may overlap.
Where a body has several such heads, as ages of adults, all of that may be meant at once.
Whether it is so, only people know: what would follow is computed exactly, and told as a hint, but
not if a group could then have no members any more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import Concept, Name, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import Interval, float_above, float_below
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.normal.saturation import saturate

MOST_TRIED: Final = 8
"""So many statements are tried at the most."""
FAMILIES: Final = 3
"""And so many times those about the parts of one group together."""
LARGEST_MODULE: Final = 60
"""Larger modules are not asked again and again for the sake of a hint."""
LEAST_GAIN: Final = Fraction(9, 10)
"""A hint leaves at most so much of the answer's width: else it is not worth a line."""
NARROW: Final = Fraction(1, 100)
"""Answers that are not wider need no hint."""
WIDEST: Final = 10
"""Of more shares in one body no partition is looked for."""
SAME_SHARE: Final = Fraction(1, 100)
"""Shares add up to 1 if they are as near to it."""


Missing = Inclusion | Disjointness
"""A statement that may be missing."""


@dataclass(frozen=True)
class Hint:
    """Statements about the parts of one group that are not there, and the exact answer with them.

    Mostly it is one.
    """

    axioms: tuple[Missing, ...]
    lower: Fraction
    upper: Fraction

    def in_words(self, words: Words, prefixes: Prefixes) -> str:
        """The hint for people."""
        ends = dict.fromkeys(words.outward(self.lower, self.upper))
        answer = f"[{', '.join(ends)}]" if len(ends) > 1 else next(iter(ends))
        said = []
        nested = [axiom for axiom in self.axioms if isinstance(axiom, Inclusion)]
        if nested:
            parts, whole = [axiom.left for axiom in nested], nested[0].right.text(prefixes)
            verb = "is part" if len(parts) == 1 else "are parts"
            said.append(f"{_joined(parts, prefixes)} {verb} of {whole}")
        for axiom in self.axioms:
            if isinstance(axiom, Disjointness):
                same = set(axiom.members) == {other.left for other in nested}
                who = "" if same else f"{_joined(axiom.members, prefixes)} "
                said.append(f"{who}do not overlap")
        told = " and ".join(said)
        return f"nothing says that {told}: with it the answer would be {answer}"

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The hint as a JSON object."""
        return {
            "statement": "\n".join(axiom.text(prefixes) for axiom in self.axioms),
            "lower": float_below(self.lower),
            "upper": float_above(self.upper),
        }


def find_hint(
    reasoner: Reasoner, query: Query, lower: Fraction, upper: Fraction, budget: Budget
) -> Hint | None:
    r"""The plausible statements that would narrow an answer most, if any would narrow it much.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("(Diabetes | Adult)[0.095]\n(Obese | Diabetes)[0.3]")
        >>> reasoner, query = Reasoner(kb), kb.query("(Obese and Diabetes | Adult)")
        >>> hint = find_hint(reasoner, query, Fraction(0), Fraction("0.095"), Budget())
        >>> print(*hint.axioms, float(hint.lower), float(hint.upper))
        Diabetes SubClassOf Adult 0.0285 0.0285
    """
    best: Hint | None = None
    if upper - lower <= NARROW:
        return None
    module = reasoner.module(query)
    if len(module) > LARGEST_MODULE:
        return None
    try:
        around = KB(module)
        empty = Reasoner(around, budget=budget).empty_names
        for axioms in _plausible(module, query):
            found = _with(reasoner, query, axioms, budget)
            if (
                found is not None
                and found.upper - found.lower
                < (LEAST_GAIN * (upper - lower) if best is None else best.upper - best.lower)
                and Reasoner(_stating(around, axioms), budget=budget).empty_names == empty
            ):
                best = found
    except OutOfTimeError:
        return None  # a hint is not worth waiting for
    return best  # what follows already would not narrow anything


def _joined(parts: Iterable[Concept], prefixes: Prefixes) -> str:
    *firsts, last = (part.text(prefixes) for part in parts)
    return f"{', '.join(firsts)} and {last}" if firsts else last


def _plausible(module: tuple[Statement, ...], query: Query) -> Iterator[tuple[Missing, ...]]:
    """What people may have taken for granted: statements one by one, then those about one body."""
    shares = [statement.axiom for statement in module if isinstance(statement.axiom, Conditional)]
    stated = {statement.axiom for statement in module}
    found: dict[Missing, Concept] = {}
    for part, whole in _nested(module, shares, query):
        found[Inclusion(part, whole)] = whole
    for body in dict.fromkeys(conditional.body for conditional in shares):
        own = (
            conditional
            for conditional in shares
            if conditional.body == body and isinstance(conditional.head, Name)
        )
        for parts in _partitions({conditional.head: conditional.bounds for conditional in own}):
            found[Disjointness(*parts)] = body
    missing = {axiom: body for axiom, body in found.items() if axiom not in stated}
    yield from [(axiom,) for axiom in missing][:MOST_TRIED]
    together = (
        [one for one in missing if missing[one] == body] for body in dict.fromkeys(missing.values())
    )
    yield from [tuple(own) for own in together if 1 < len(own) <= WIDEST][:FAMILIES]


def _nested(
    module: tuple[Statement, ...], shares: Collection[Conditional], query: Query
) -> Iterator[tuple[Name, Name]]:
    """Groups in their own right, and the least that all groups in which they have shares are in.

    Those who were only asked about are hardly all in the one group that they have a share in.
    """
    told = saturate(KB(module), also=[share.body for share in shares])
    bodies = {share.body for share in shares}
    for part in dict.fromkeys(share.head for share in shares):
        within = {share.body for share in shares if share.head == part and share.bounds.upper > 0}
        if not within or not isinstance(part, Name):
            continue
        wholes = frozenset.intersection(*map(told.subsumers, within)) - told.subsumers(part)
        if part not in bodies:
            if part not in conjuncts(query.body):
                continue
            if len(within) == 1:
                wholes -= within
        for whole in sorted(wholes, key=str):
            below = (other for other in wholes if whole in told.subsumers(other))
            if all(other in told.subsumers(whole) for other in below):
                yield part, whole


def _partitions(parts: Mapping[Concept, Interval]) -> Iterator[tuple[Concept, ...]]:
    """Heads whose shares add up to 1: all of a body, or a few of them."""
    if _adds_up(parts.values()):
        yield tuple(parts)
    elif len(parts) <= WIDEST:
        for size in range(2, len(parts)):
            for some in combinations(parts, size):
                if (
                    all(parts[concept].is_point for concept in some)
                    and sum(parts[concept].lower for concept in some) == 1
                ):
                    yield some


def _adds_up(shares: Collection[Interval]) -> bool:
    total = sum(((share.lower + share.upper) / 2 for share in shares), Fraction(0))
    return len(shares) > 1 and abs(total - 1) <= SAME_SHARE


def _stating(kb: KB, axioms: Iterable[Missing]) -> KB:
    return KB((*kb.statements, *map(Statement, axioms)), data=kb.data)


def _with(
    reasoner: Reasoner, query: Query, axioms: tuple[Missing, ...], budget: Budget
) -> Hint | None:
    """The answer with statements more; none if there is none."""
    outcome = Reasoner(_stating(reasoner.kb, axioms), budget=budget).bounds(query)
    if outcome.lower is None or outcome.upper is None:
        return None
    return Hint(axioms, outcome.lower.bound, outcome.upper.bound)
