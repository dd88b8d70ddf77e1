"""Shares read as numbers that were rounded.

A table that says 12 % means some number that rounds to it. Read plainly `[0.12]` is 12/100 and
nothing else, and from many such numbers follow contradictions that are nobody's mistake.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import Conditional
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval, Number, exact, number_text
from boxsel.logic.statements import Statement

WHOLE_PERCENT: Final = 2
FINEST: Final = 6
"""Published shares have at least so many decimals, and at most."""


def read_rounded(kb: KB, unit: Number) -> tuple[KB, int]:
    r"""The knowledge base with an interval for every rounded share, and how many shares those are.

    A share that is a whole multiple of the unit stands for all that round to it. Shares of 0 and
    1 stay as they are, for they mostly say how groups are nested, and so do counts, intervals,
    and numbers with more digits. The comment of each statement says what was done.

    Raises:
        InvalidStatementError: The unit is no share.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("(B | A)[12%]\n(C | A)[0.125]\n(D | A)[1]")
        >>> read, count = read_rounded(kb, "1%")
        >>> print(*read.statements, count, sep="; ")
        (B | A)[0.115, 0.125]  ## comment: rounded to 1%; (C | A)[0.125]; (D | A)[1]; 1
    """
    step = exact(unit)
    if not 0 < step < 1:
        raise InvalidStatementError(
            f"shares cannot be rounded to {number_text(step)}: write 1% for whole per cents, 0.1%"
            " for one decimal more"
        )
    read = tuple(_read(statement, step) for statement in kb.statements)
    changed = sum(one is not other for one, other in zip(read, kb.statements, strict=True))
    return replace(kb, statements=read), changed


def guess_unit(statements: Iterable[Statement]) -> Fraction | None:
    r"""What shares seem to be rounded to: whole per cents, or as many decimals as the longest has.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> print(guess_unit(parse_kb("(B | A)[0.12]\n(C | A)[0.125]").statements))
        1/1000
    """
    shares = {share for one in statements if (share := _share(one)) is not None}
    for decimals in range(WHOLE_PERCENT, FINEST + 1):
        unit = Fraction(1, 10**decimals)
        if shares and all(share % unit == 0 for share in shares):
            return unit
    return None


def unit_text(unit: Fraction) -> str:
    """A unit as people say it."""
    return f"{number_text(100 * unit)}%"


def _share(statement: Statement) -> Fraction | None:
    """The share that a statement says without an interval or a count, if others round to it."""
    axiom = statement.axiom
    if not isinstance(axiom, Conditional) or not isinstance(axiom.proportion, Interval):
        return None
    bounds = axiom.proportion
    return bounds.lower if bounds.is_point and 0 < bounds.lower < 1 else None


def _read(statement: Statement, unit: Fraction) -> Statement:
    share = _share(statement)
    if share is None or share % unit:
        return statement
    assert isinstance(statement.axiom, Conditional)
    around = Interval(max(share - unit / 2, Fraction(0)), min(share + unit / 2, Fraction(1)))
    axiom = replace(statement.axiom, proportion=around)
    return Statement(axiom, statement.note.remarked(f"rounded to {unit_text(unit)}"))
