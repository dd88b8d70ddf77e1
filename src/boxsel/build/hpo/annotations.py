"""Rows that say how often a disease has a phenotype."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from boxsel.build.hpo.frequencies import Frequency

Sex = Literal["", "Female", "Male"]
"""Whom a row is about; empty for everybody with the disease."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One row: how often a disease (in one sex) has a phenotype, as given, and who says so."""

    disease: str
    sex: Sex
    term: str
    frequency: Frequency
    given: str
    reference: str


@dataclass(slots=True)
class Annotations:
    """All usable rows, what diseases are called, and a tally of the other rows.

    `unquantified` are the phenotypes that a disease is said to have without a frequency. That
    some patient has it gives no lower bound above 0, so such a row states nothing; but the
    phenotype can be asked about.
    """

    rows: list[Annotation] = field(default_factory=list)
    unquantified: list[tuple[str, str]] = field(default_factory=list)
    names: dict[str, Counter[str]] = field(default_factory=dict)
    read: int = 0
    negated: int = 0
    other_aspects: int = 0
    replaced: Counter[tuple[str, str]] = field(default_factory=Counter)

    def name(self, disease: str) -> str:
        """What most rows call a disease; the earliest in the alphabet of several."""
        names = self.names.get(disease)
        if not names:
            return ""
        return min(names, key=lambda name: (-names[name], name))

    @property
    def diseases(self) -> tuple[str, ...]:
        """Every disease of which a row was read, in order."""
        return tuple(sorted(self.names))

    @property
    def renamed(self) -> int:
        """How many diseases have more than one name."""
        return sum(len(names) > 1 for names in self.names.values())
