"""From rows to statements: what is said about one phenotype of one disease, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from boxsel.build.phenotypes.annotations import Annotation, Sex
from boxsel.build.phenotypes.frequencies import Frequency, frequency_text, proportion
from boxsel.build.phenotypes.ontology import iri
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept, Name, Role, conjunction
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Note, Statement

HAS_PHENOTYPE: Final = Role("hasPhenotype")
SEXES: Final[Mapping[Sex, Name]] = {"Female": Name("Female"), "Male": Name("Male")}


@dataclass(frozen=True, slots=True)
class Stated:
    """What is stated about a phenotype of a disease (in one sex), as given and as a statement."""

    disease: str
    sex: Sex
    term: str
    frequency: Frequency
    given: str
    source: str
    statement: Statement

    @property
    def bounds(self) -> Interval:
        """The bounds of the statement; of a count, the point."""
        axiom = self.statement.axiom
        assert isinstance(axiom, Conditional)
        return axiom.bounds

    @property
    def lower(self) -> Fraction:
        """The least that the share can be."""
        return self.bounds.lower

    @property
    def upper(self) -> Fraction:
        """The most that the share can be."""
        return self.bounds.upper


@dataclass(frozen=True, slots=True)
class Several:
    """How often there was more than one row for a phenotype of a disease (in one sex).

    `apart` is how many of these have no proportion in common, `pooled` how many were counts only
    and were added up, and in how many `kept` different frequencies stand side by side. `repeated`
    are rows that say what another says, with the same reference: they count once.
    """

    pairs: int = 0
    apart: int = 0
    pooled: int = 0
    kept: int = 0
    repeated: int = 0


def state(
    rows: Iterable[Annotation], *, close_gaps: bool = False, pool: bool = True
) -> tuple[list[Stated], Several]:
    """One statement for each phenotype of each disease; several if its rows cannot be joined.

    Counts are added up, as if no patient were in two samples. Equal frequencies become one
    statement with all references. Anything else is kept side by side.
    """
    grouped: dict[tuple[str, Sex, str], list[Annotation]] = {}
    for row in rows:
        grouped.setdefault((row.disease, row.sex, row.term), []).append(row)
    stated: list[Stated] = []
    pairs = apart = pooled = kept = repeated = 0
    for key in sorted(grouped):
        group = grouped[key]
        if len(group) > 1:
            pairs += 1
            group = list(dict.fromkeys(group))
            repeated += len(grouped[key]) - len(group)
        if len(group) > 1:
            apart += not _have_common_point(group, close_gaps)
            counts = [
                annotation.frequency
                for annotation in group
                if isinstance(annotation.frequency, Count)
            ]
            if pool and len(counts) == len(group):
                pooled += 1
                stated.append(_pooled(group, counts))
                continue
        before = len(stated)
        stated.extend(_kept(group, close_gaps))
        kept += len(stated) - before > 1
    return stated, Several(pairs, apart, pooled, kept, repeated)


def _have_common_point(group: Sequence[Annotation], close_gaps: bool) -> bool:
    bounds = [
        proportion(annotation.frequency, close_gaps=close_gaps).bounds for annotation in group
    ]
    return max(bound.lower for bound in bounds) <= min(bound.upper for bound in bounds)


def _pooled(group: Sequence[Annotation], counts: Sequence[Count]) -> Stated:
    total = Count(sum(count.count for count in counts), sum(count.total for count in counts))
    given = " + ".join(annotation.given for annotation in group)
    references = len({annotation.reference for annotation in group})
    origin = f"{references} references" if references > 1 else "one reference"
    comment = f"pooled from {given}, {len(group)} rows of {origin}"
    return _stated(group, total, given, comment, close_gaps=False)


def _kept(group: Sequence[Annotation], close_gaps: bool) -> Iterable[Stated]:
    alike: dict[str, list[Annotation]] = {}
    for row in group:
        alike.setdefault(row.given, []).append(row)
    for given, rows in alike.items():
        term = frequency_text(given)
        comment = "" if term == given and isinstance(rows[0].frequency, Count) else term
        yield _stated(rows, rows[0].frequency, given, comment, close_gaps=close_gaps)


def _stated(
    rows: Sequence[Annotation], frequency: Frequency, given: str, comment: str, *, close_gaps: bool
) -> Stated:
    first = rows[0]
    source = "; ".join(dict.fromkeys(row.reference for row in rows if row.reference))
    axiom = Conditional(
        _head(first.term),
        _body(first.disease, first.sex),
        proportion(frequency, close_gaps=close_gaps),
    )
    statement = Statement(axiom, _note(source, comment))
    return Stated(first.disease, first.sex, first.term, frequency, given, source, statement)


@lru_cache(maxsize=10_000)
def _note(source: str, comment: str) -> Note:
    return Note(source=source, comment=comment)


@lru_cache(maxsize=100_000)
def _head(term: str) -> Concept:
    return HAS_PHENOTYPE.some(Name(iri(term)))


@lru_cache(maxsize=10_000)
def _body(disease: str, sex: Sex) -> Concept:
    name = Name(iri(disease))
    return conjunction(name, SEXES[sex]) if sex else name
