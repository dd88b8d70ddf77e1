"""How often a phenotype occurs in a disease: a frequency term, a percentage, or n of m patients."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.logic.proportions import ZERO, Count, Interval, Proportion, exact

EXCLUDED: Final = "HP:0040285"


@dataclass(frozen=True, slots=True)
class FrequencyTerm:
    """One of the six frequency terms, with its official interval.

    The official intervals are in whole per cents, so that nothing lies between 79% and 80%. The
    `closed` ones touch instead, and together cover everything from 0 to 1.
    """

    id: str
    name: str
    official: Interval
    closed: Interval


Frequency = FrequencyTerm | Interval | Count
"""A percentage is an interval of one point."""

FREQUENCY_TERMS: Final[Mapping[str, FrequencyTerm]] = MappingProxyType(
    {
        number: FrequencyTerm(number, name, Interval.of(*official), Interval.of(*closed))
        for number, name, official, closed in (
            ("HP:0040280", "Obligate", (1, 1), (1, 1)),
            ("HP:0040281", "Very frequent", ("0.80", "0.99"), ("0.80", 1)),
            ("HP:0040282", "Frequent", ("0.30", "0.79"), ("0.30", "0.80")),
            ("HP:0040283", "Occasional", ("0.05", "0.29"), ("0.05", "0.30")),
            ("HP:0040284", "Very rare", ("0.01", "0.04"), (0, "0.05")),
            (EXCLUDED, "Excluded", (0, 0), (0, 0)),
        )
    }
)
"""The six terms below HP:0040279 (Frequency)."""

ABSENT: Final = Interval(ZERO, ZERO)
"""What a NOT row says."""

_COUNT = re.compile(r"([0-9]{1,15})\s*/\s*([0-9]{1,15})")
_PERCENTAGE = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?\s*%")


@lru_cache(maxsize=100_000)
def read_frequency(text: str) -> Frequency:
    """The frequency that an annotation gives; an error says what is wrong with it.

    Examples:
        >>> read_frequency("3/7"), read_frequency("12.5%")
        (Count(count=3, total=7), Interval(lower=Fraction(1, 8), upper=Fraction(1, 8)))
        >>> read_frequency("HP:0040282").name
        'Frequent'
    """
    term = FREQUENCY_TERMS.get(text)
    if term is not None:
        return term
    if match := _COUNT.fullmatch(text):
        count, total = int(match[1]), int(match[2])
        if total == 0:
            raise InvalidStatementError("the frequency is a share of 0 patients")
        if count > total:
            raise InvalidStatementError("the frequency's numerator is above its denominator")
        return Count(count, total)
    if _PERCENTAGE.fullmatch(text):
        share = exact(text.replace(" ", ""))
        if share > 1:
            raise InvalidStatementError("the frequency is above 100%")
        return Interval(share, share)
    raise InvalidStatementError(
        "the frequency is neither one of the six frequency terms, nor a percentage, nor n/m"
    )


def proportion(frequency: Frequency, *, close_gaps: bool = False) -> Proportion:
    """What a frequency states: an interval, or a count.

    Examples:
        >>> print(proportion(read_frequency("HP:0040282")))
        [0.3, 0.79]
        >>> print(proportion(read_frequency("HP:0040282"), close_gaps=True))
        [0.3, 0.8]
    """
    if isinstance(frequency, FrequencyTerm):
        return frequency.closed if close_gaps else frequency.official
    return frequency


def frequency_text(given: str) -> str:
    """A frequency for people: a term by its name too.

    Examples:
        >>> frequency_text("HP:0040282")
        'Frequent (HP:0040282)'
    """
    term = FREQUENCY_TERMS.get(given)
    return given if term is None else f"{term.name} ({term.id})"
