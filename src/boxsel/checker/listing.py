"""Listing types where there are few: no solver is needed to look at a thousand of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.checker.clauses import Basics, Clauses
from boxsel.checker.forms import Form, whole
from boxsel.logic.concepts import Concept

FEW: Final = 10
"""Types of more basic concepts than this are not listed."""


def listed_type(
    obeyed: Clauses,
    form: Form,
    least: int,
    has: Basics = frozenset(),
    lacks: Sequence[Basics] = (),
) -> bool | None:
    """Whether a form is at least so large at a type that obeys clauses; none if they are many.

    The form is in whole numbers, scaled as much as that takes: at least 1 is above 0. The type
    has some basic concepts, and of each of some sets it lacks one. A concept that nothing leads to
    may be false in it.

    Examples:
        >>> from fractions import Fraction
        >>> from boxsel.logic.concepts import names
        >>> a, b = (frozenset({name}) for name in names("A B"))
        >>> sizes = {a: Fraction(-1, 2), b: Fraction(1, 2)}
        >>> [listed_type(Clauses([(b, a)]), sizes, least) for least in (0, 1)]
        [True, False]
    """
    known = frozenset().union(has, *lacks, *form)
    relevant = obeyed.around(known)
    known = known.union(*(heads for _, heads in relevant))
    if len(known) > FEW:
        return None
    place = {concept: 1 << number for number, concept in enumerate(known)}

    def mask(concepts: frozenset[Concept]) -> int:
        return sum(place[one] for one in concepts)

    rules = [(mask(body), mask(heads)) for body, heads in relevant]
    terms = list(zip(map(mask, form), whole(form.values()), strict=True))
    needed, excluded = mask(has), [mask(one) for one in lacks]
    return any(
        all(kind & body != body or kind & heads for body, heads in rules)
        and not any(kind & one == one for one in excluded)
        and sum(number for key, number in terms if kind & key == key) >= least
        for kind in range(1 << len(known))
        if kind & needed == needed
    )
