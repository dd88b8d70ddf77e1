"""What the check of a certificate found, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.statements import Query


@dataclass(frozen=True)
class Verification:
    """What a certificate proves; `exact` if its proofs and models leave nothing open.

    Examples:
        >>> from boxsel.syntax.parser import parse_query
        >>> found = Verification(parse_query("(B | A)"), "bounded", Fraction(0), Fraction(1), True)
        >>> print(found.text(), end="")
        (B | A) is between 0 and 1: proved, exact
    """

    query: Query
    status: str
    lower: Fraction | None
    upper: Fraction | None
    exact: bool
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether all that the certificate claims is proved."""
        return not self.problems

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """What was found, for people."""
        if self.valid:
            lines = [f"{self._claim(prefixes)}: proved, {'exact' if self.exact else 'not exact'}"]
        else:
            lines = [f"{self.query.text(prefixes)}: the certificate does not prove what it claims"]
        lines += (f"  problem: {problem}" for problem in self.problems)
        lines += (f"  note: {note}" for note in self.notes)
        return "".join(f"{line}\n" for line in lines)

    def to_json(self, prefixes: Prefixes = NO_PREFIXES) -> dict[str, Any]:
        """What was found as a JSON object; the bounds that are proved are fractions in text."""
        return {
            "query": self.query.text(prefixes),
            "status": self.status,
            "valid": self.valid,
            "exact": self.exact,
            "lower_exact": None if self.lower is None else str(self.lower),
            "upper_exact": None if self.upper is None else str(self.upper),
            "problems": list(self.problems),
            "notes": list(self.notes),
        }

    def _claim(self, prefixes: Prefixes) -> str:
        query = self.query.text(prefixes)
        if self.lower is not None and self.upper is not None:
            if self.lower == self.upper:
                return f"{query} = {self.lower}"
            return f"{query} is between {self.lower} and {self.upper}"
        if self.lower is not None:
            return f"{query} is at least {self.lower}"
        if self.upper is not None:
            return f"{query} is at most {self.upper}"
        said = {"vacuous": "is vacuous", "inconsistent": "has no answer, since there is no model"}
        return f"{query} {said.get(self.status, 'has bounds')}"
