"""How much a statement is trusted: by its source, or by what its own comment says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from boxsel.errors import BoxselError, InvalidStatementError
from boxsel.exact.diagnosis.relaxation import default_weight
from boxsel.logic.axioms import Conditional
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Number, exact, number_text
from boxsel.logic.statements import Statement
from boxsel.wording import listed

_SAID = re.compile(r"\btrust[ :=]+([0-9][0-9./]*%?)")


def weigh(
    kb: KB, weights: Mapping[Conditional, Fraction], trust: Mapping[str, Number]
) -> dict[Conditional, Fraction]:
    r"""What one unit of change of each conditional costs: its weight, times the trust in it.

    Of statements that say the same, the one that is trusted most counts.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("(B | A)[0.2]  ## source: pilot\n(B | A)[0.3]  ## comment: trust 3")
        >>> [str(one) for one in weigh(kb, {}, {"pilot": "0.5"}).values()]
        ['1/2', '3']

    Raises:
        BoxselError: There is no statement with a source, or a trust is not above 0.
    """
    sources = {one.note.source for one in kb.statements if one.note.source}
    unknown = [source for source in trust if source not in sources]
    if unknown:
        known = listed(sorted(sources)) if sources else "none"
        raise BoxselError(f"no statement has the source {unknown[0]!r}: there are {known}")
    found: dict[Conditional, Fraction] = {}
    for statement in kb.statements:
        axiom = statement.axiom
        if isinstance(axiom, Conditional):
            weight = weights.get(axiom) or default_weight(axiom) * _trust(statement, trust)
            found[axiom] = max(weight, found.get(axiom, weight))
    return found


def _trust(statement: Statement, trust: Mapping[str, Number]) -> Fraction:
    said = _SAID.search(statement.note.comment)
    level = exact(said[1]) if said else exact(trust.get(statement.note.source, 1))
    if level <= 0:
        raise InvalidStatementError(
            f"the trust in {statement.note.source or statement} is {number_text(level)}:"
            " it is above 0"
        )
    return level
