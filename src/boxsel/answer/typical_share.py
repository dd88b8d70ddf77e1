"""The typical share of a query as a value, beside the intervals."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from boxsel.logic.rounding import Words

DIGITS: Final = 12
"""The decimals of a typical share: it has no more that are right."""

ROUNDED: Final = 1e-6
"""How far outside what is proved a share may be computed that is not sampled: small bodies have
fewer digits. It is moved inside."""


@dataclass(frozen=True)
class TypicalShare:
    """The share in the most even population: one number for those who need one, and no bound.

    `exact` if it is that of maximum entropy, to nine digits. If it was sampled, `error` is how far
    it may be off: two standard errors, or more. Otherwise some statements were left out on reading.
    """

    value: float
    exact: bool
    error: float | None = None

    def in_words(self, words: Words) -> str:
        """The share for people.

        Examples:
            >>> TypicalShare(0.31234, exact=False, error=0.0181).in_words(Words())
            'typically about 0.31 ± 0.02 (the most even of all populations, by sampling; no bound)'
        """
        how = "the most even of all populations"
        if self.error is not None:
            how += ", by sampling"
        elif not self.exact:
            how += ", roughly"
        return f"typically {self.number(words)} ({how}; no bound)"

    def number(self, words: Words) -> str:
        """The share alone, with its error if it was sampled."""
        if self.error is None:
            return words.near(self.value)
        return f"about {words.roughly(self.value, self.error)}"

    def to_json(self) -> dict[str, Any]:
        """The share as a JSON object."""
        return asdict(self)

    def within(self, lower: float, upper: float) -> TypicalShare | None:
        """The same between two numbers; none if it is farther from them than it may be off."""
        value = min(max(round(self.value, DIGITS), lower), upper)
        off = abs(value - self.value)
        return None if off > max(ROUNDED, self.error or 0.0) else replace(self, value=value)
