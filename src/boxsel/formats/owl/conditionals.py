"""A conditional as OWL carries it: an annotated tautology, in both directions.

`(D | C)[l, u]` travels as `SubClassOf(ObjectIntersectionOf(C D) C)`. Every OWL tool may
believe that axiom, which `C SubClassOf D` would not be safe for; its annotations hold the
bounds or the count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.expressions import Expression
from boxsel.formats.owl.vocabulary import COUNT, LOWER, TOTAL, UPPER
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, Concept, conjunction, conjuncts
from boxsel.logic.names import BARE_NAMESPACE
from boxsel.logic.proportions import MAX_DIGITS, Count, Interval, Proportion, number_text

_INTEGER = re.compile(r"[0-9]+")
_PAIRS: Final = ((LOWER, UPPER), (COUNT, TOTAL))


def proportion_annotations(proportion: Proportion) -> list[Annotation]:
    """The annotations that carry a proportion: two exact numbers.

    Examples:
        >>> [annotation.text for annotation in proportion_annotations(Count(7, 12))]
        ['7', '12']
    """
    if isinstance(proportion, Count):
        return [
            Annotation(COUNT, str(proportion.count)),
            Annotation(TOTAL, str(proportion.total)),
        ]
    return [
        Annotation(LOWER, number_text(proportion.lower)),
        Annotation(UPPER, number_text(proportion.upper)),
    ]


def conditional_of(
    left: Expression, right: Expression, annotated: Mapping[str, Sequence[str]]
) -> Conditional:
    """The conditional that an annotated tautology `C ⊓ D ⊑ C` stands for."""
    return Conditional(_head(left, right.concept), right.concept, _proportion(annotated))


def _head(left: Expression, body: Concept) -> Concept:
    """What stands beside the body on the left.

    As written, the left is `(C, D)`. Other tools may flatten it, change its order, or remove
    repetitions and ⊤: then the head is what the body leaves over, which means the same.
    """
    if len(left.operands) == 2 and body in left.operands:
        first, second = left.operands
        return second if first == body else first
    given, found = set(conjuncts(body)), conjuncts(left.concept)
    if not given - {TOP} <= set(found):
        raise InvalidStatementError(
            "a conditional (D | C) needs the form ObjectIntersectionOf(C D) SubClassOf C"
        )
    rest = [concept for concept in found if concept not in given]
    return conjunction(*rest) if rest else body


def _proportion(annotated: Mapping[str, Sequence[str]]) -> Proportion:
    for first, second in _PAIRS:
        if set(annotated) == {first, second}:
            texts = [*annotated[first], *annotated[second]]
            if len(texts) != 2:
                raise InvalidStatementError(
                    f"there are several values for {_names((first, second))}"
                )
            if first == COUNT:
                return Count(_integer(texts[0]), _integer(texts[1]))
            return Interval.of(*texts)
    raise InvalidStatementError(
        f"found {_names(sorted(annotated))}, expected lower and upper, or count and total"
    )


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text.strip()) or len(text) > MAX_DIGITS:
        raise InvalidStatementError(f"{text!r:.80} is not a whole number")
    return int(text)


def _names(properties: Sequence[str]) -> str:
    return " and ".join(name.removeprefix(BARE_NAMESPACE) for name in properties)
