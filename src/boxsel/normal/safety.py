"""Safe knowledge bases: no proportion is stated of, or within, everything.

⊤ has no finite box of its own. A representation without a universe can therefore only serve
knowledge bases in which no conditional that is not deterministic has a head or a body that is
equivalent to ⊤.
"""

from __future__ import annotations

from boxsel.logic.axioms import Conditional
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement
from boxsel.normal.rewriting import is_deterministic
from boxsel.normal.saturation import Saturation, saturate_top


def unsafe(kb: KB, saturation: Saturation | None = None) -> tuple[Statement, ...]:
    """The conditionals whose head or body must be everything by the deterministic part.

    Who has the saturation of the knowledge base gives it, so that it is not computed again.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import TOP, names
        >>> Person, Woman = names("Person Woman")
        >>> kb = KB.of(TOP <= Person, conditional(Woman, given=Person, exactly=0.5))
        >>> [str(statement) for statement in unsafe(kb)]
        ['(Woman | Person)[0.5]']
    """
    uncertain = [
        statement
        for statement in kb.statements
        if isinstance(statement.axiom, Conditional)
        and not is_deterministic(statement.axiom.proportion)
    ]
    sides = {side for statement in uncertain for side in statement.axiom.concepts()}
    if saturation is None:
        saturation = saturate_top(kb)
    everything = set(filter(saturation.is_top, sides))
    return tuple(
        statement
        for statement in uncertain
        if everything and not everything.isdisjoint(statement.axiom.concepts())
    )


def is_safe(kb: KB) -> bool:
    """Whether no conditional is unsafe."""
    return not unsafe(kb)
