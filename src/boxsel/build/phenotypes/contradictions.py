"""Contradictions between what is stated about the phenotypes of one disease.

Whoever has a phenotype has every phenotype of which it is a kind. So a descendant's lower bound
above an ancestor's upper bound leaves the disease without patients, and so do two statements
about one phenotype without a common point. Nothing else can go wrong: if no pair contradicts, let
the patients be the points of (0, 1], and give a phenotype to those up to the largest lower bound
of its descendants (itself included). These sets grow along is-a, reach every lower bound, and stay
within every upper bound, since some descendant's lower bound would exceed it otherwise.

Statements about one sex are about other patients, and are compared with one another. They can
disagree with a statement about everybody too, but hardly: a share of women is compatible with any
share of all patients except 0 and 1, as long as women may be few. Those two cases are checked.
Not checked is a sex in which two phenotypes would have to be equally frequent, since the bounds of
the whole disease leave no room between them: ask `boxsel check --concept "D and Female"` for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final, Literal

from boxsel.build.phenotypes.annotations import Sex
from boxsel.build.phenotypes.ontology import Ontology
from boxsel.build.phenotypes.stating import Stated
from boxsel.machine.progress import track

Kind = Literal["hierarchy", "rows", "sex"]
KINDS: Final[Mapping[Kind, str]] = {
    "hierarchy": "between a phenotype and one that it is a kind of",
    "rows": "between statements about the same phenotype",
    "sex": "between one sex and the whole disease",
}
Terms = Mapping[str, Sequence[Stated]]
"""What is stated about each phenotype of one body."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A phenotype that is stated to be more frequent than one that it is a kind of (or itself).

    Where there are several statements about a phenotype, these are the ones furthest apart.
    """

    kind: Kind
    descendant: Stated
    ancestor: Stated

    @property
    def disease(self) -> str:
        """The disease that both are about."""
        return self.descendant.disease

    def holds_for(self, lower: Fraction, upper: Fraction) -> bool:
        """Whether it is one for these bounds of the descendant and the ancestor."""
        return clash(self.descendant.sex, lower, self.ancestor.sex, upper)

    @property
    def gap(self) -> Fraction:
        """By how much the descendant's lower bound is above the ancestor's upper bound."""
        return self.descendant.lower - self.ancestor.upper


@dataclass(frozen=True, slots=True)
class Checked:
    """How many pairs of a phenotype and an ancestor were compared, and all contradictions."""

    pairs: int
    contradictions: tuple[Contradiction, ...]

    @property
    def diseases(self) -> tuple[str, ...]:
        """The diseases with a contradiction, in order."""
        return tuple(dict.fromkeys(contradiction.disease for contradiction in self.contradictions))

    def count(self, kind: Kind) -> int:
        """How many contradictions there are of one kind."""
        return sum(contradiction.kind == kind for contradiction in self.contradictions)


def find_contradictions(stated: Iterable[Stated], ontology: Ontology) -> Checked:
    """Every contradiction between two statements about the same disease."""
    pairs, contradictions = 0, list[Contradiction]()
    diseases = by_disease(stated)
    for bodies in track(diseases, "checking diseases", len(diseases)):
        for terms in bodies.values():
            for phenotype, above in _comparable(terms, ontology):
                pairs += phenotype != above
                kind: Kind = "rows" if phenotype == above else "hierarchy"
                low, high = _highest(terms[phenotype]), _lowest(terms[above])
                if low.lower > high.upper:
                    contradictions.append(Contradiction(kind, low, high))
        contradictions.extend(between_sexes(bodies, ontology))
    return Checked(pairs, tuple(contradictions))


def clash(low_sex: Sex, lower: Fraction, high_sex: Sex, upper: Fraction) -> bool:
    """Whether a descendant's lower bound and an ancestor's upper bound contradict each other."""
    if lower <= upper:
        return False
    if low_sex == high_sex:
        return True
    return upper == 0 if low_sex else lower == 1


def by_disease(stated: Iterable[Stated]) -> list[dict[Sex, dict[str, list[Stated]]]]:
    """Statements in order of disease, by sex and phenotype."""
    ordered = sorted(stated, key=lambda one: one.disease)
    diseases = []
    for _, group in groupby(ordered, key=lambda one: one.disease):
        bodies: dict[Sex, dict[str, list[Stated]]] = {}
        for one in group:
            bodies.setdefault(one.sex, {}).setdefault(one.term, []).append(one)
        diseases.append(bodies)
    return diseases


def clashes(terms: Terms, ontology: Ontology) -> Iterator[tuple[Stated, Stated]]:
    """Every two statements of one body of which the first has to give way, or the second."""
    for phenotype, above in _comparable(terms, ontology):
        for low in terms[phenotype]:
            for high in terms[above]:
                if low.lower > high.upper:
                    yield low, high


def _comparable(terms: Terms, ontology: Ontology) -> Iterator[tuple[str, str]]:
    """The phenotypes with those above them; with themselves where several statements differ."""
    for phenotype, statements in terms.items():
        if len(statements) > 1:
            yield phenotype, phenotype
        for above in sorted(ontology.ancestors(phenotype) & terms.keys()):
            yield phenotype, above


def between_sexes(bodies: Mapping[Sex, Terms], ontology: Ontology) -> Iterator[Contradiction]:
    """Nobody has it, but some of one sex do; or everybody has it, but not all of one sex."""
    everybody = bodies.get("", {})
    for sex, terms in bodies.items():
        if sex and everybody:
            for low, high in _in_either_order(terms, everybody, ontology):
                if clash(low.sex, low.lower, high.sex, high.upper):
                    yield Contradiction("sex", low, high)


def _in_either_order(
    first: Terms, second: Terms, ontology: Ontology
) -> Iterator[tuple[Stated, Stated]]:
    for below, above in ((first, second), (second, first)):
        for phenotype, statements in below.items():
            for other in sorted({phenotype, *ontology.ancestors(phenotype)} & above.keys()):
                yield _highest(statements), _lowest(above[other])


def _highest(statements: Sequence[Stated]) -> Stated:
    return max(statements, key=lambda statement: statement.lower)


def _lowest(statements: Sequence[Stated]) -> Stated:
    return min(statements, key=lambda statement: statement.upper)
