"""Two shares of one body as one share: by coins that are tossed for its members.

Let a and b be the shares of A and B in C. *Difference*: everybody in C who is A and not B gets a
mark, nobody who is B and not A, and of all others one half: then (1 + a - b) / 2 of C are marked.
*Ratio*: who in C is A and B is drawn, and one half of those who are only one of them, so that
everybody counts as often as there are heads that hold; a mark gets who is not B, nobody who is not
A, and one half of those who are both: then a / (a + b) of those drawn are marked.

Coins change nothing else. Put a copy of a model beside it: what was true is true, every share is
the same, and of each pair of copies one can be marked and the other not. So the share of the marked
has the bounds that the comparison has, and its proof is an ordinary one, about the knowledge base
with the coins supposed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Final, Literal

from boxsel.logic.axioms import Supposed
from boxsel.logic.booleans import negation
from boxsel.logic.concepts import TOP, Concept, Name, conjunction, conjuncts
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query

Form = Literal["difference", "ratio", "complement"]
FORMS: Final[tuple[Form, ...]] = ("difference", "ratio", "complement")
"""a - b, a / b, and (1 - a) / (1 - b)."""
MARKED: Final = Name("urn:boxsel:compared:marked")
DRAWN: Final = Name("urn:boxsel:compared:drawn")
NEVER, HALF, ALWAYS = (Interval.point(Fraction(share, 2)) for share in range(3))


@dataclass(frozen=True)
class Coins:
    """What is asked, and what is supposed for that."""

    form: Form
    query: Query
    supposed: tuple[Supposed, ...]

    def value(self, share: Fraction) -> Fraction | float:
        """What a share of the marked says about both shares.

        Examples:
            >>> from boxsel.syntax.parser import parse_query
            >>> one, other = parse_query("(A | C)"), parse_query("(B | C)")
            >>> [str(toss(form, one, other).value(Fraction(3, 4))) for form in FORMS]
            ['1/2', '3', '3']
        """
        if self.form == "difference":
            return 2 * share - 1
        return inf if share == 1 else share / (1 - share)


def toss(form: Form, first: Query, second: Query) -> Coins:
    """The coins for two queries with the same body.

    Examples:
        >>> from boxsel.syntax.parser import parse_query
        >>> coins = toss("difference", parse_query("(A | C)"), parse_query("(B | C)"))
        >>> for one in coins.supposed:
        ...     print(str(one).replace("boxsel:compared:", ""))
        (<urn:marked> | C and A and B)[0.5]
        (<urn:marked> | C and A and not B)[1]
        (<urn:marked> | C and not A and B)[0]
        (<urn:marked> | C and not A and not B)[0.5]
    """
    body, head, other = first.body, first.head, second.head
    if form == "complement":
        head, other = negation(head), negation(other)
    # Each of the four groups of C, by which of the heads hold.
    groups = tuple(
        _meet(body, one, another)
        for one in (head, negation(head))
        for another in (other, negation(other))
    )
    marks = (HALF, ALWAYS, NEVER, HALF)
    if form == "difference":
        return Coins(form, Query(MARKED, body), tuple(_suppose(MARKED, groups, marks)))
    drawn = (ALWAYS, HALF, HALF, NEVER)
    inside = tuple(_meet(DRAWN, group) for group in groups[:3])
    outside = () if body == TOP else (Supposed(DRAWN, negation(body), NEVER),)
    supposed = (*_suppose(DRAWN, groups, drawn), *_suppose(MARKED, inside, marks[:3]), *outside)
    return Coins(form, Query(MARKED, DRAWN), supposed)


def _suppose(
    head: Concept, groups: tuple[Concept, ...], shares: tuple[Interval, ...]
) -> Iterator[Supposed]:
    return (Supposed(head, group, share) for group, share in zip(groups, shares, strict=True))


def _meet(*concepts: Concept) -> Concept:
    """What is in all of them, without ⊤ where that says nothing."""
    return conjunction(
        *(part for concept in concepts for part in conjuncts(concept) if part != TOP)
    )
