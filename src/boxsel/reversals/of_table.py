"""Reversals in a table: all rates are known, so that each comparison is decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.reversals.layout import Rate
from boxsel.reversals.question import FIRST, GROUPS, SECOND, Question, fresh_name
from boxsel.reversals.standard import Weighing, full, partial
from boxsel.reversals.tabulation import Tabulation, Value, concept_of
from boxsel.reversals.words import TableVerdict
from boxsel.wording import several

FALLEN_SHORT: Final = "in {stratum} one of the groups has nobody, so that nothing is compared there"


@dataclass(frozen=True)
class Combination:
    """What is compared in a table: the share of a value between two others of one column."""

    outcome: Value
    groups: tuple[Value, Value]
    strata: tuple[Value, ...]
    standard: Value | None = None

    @property
    def columns(self) -> tuple[str, str, str]:
        """The columns of outcome, groups and strata."""
        return self.outcome[0], self.groups[0][0], self.strata[0][0]

    @property
    def text(self) -> str:
        """For people: `Admit=Admitted: Gender=Female against Gender=Male, by Dept`."""
        first, second = map("=".join, self.groups)
        return f"{'='.join(self.outcome)}: {first} against {second}, by {self.strata[0][0]}"

    @property
    def question(self) -> Question:
        """The same in concepts."""
        first, second = map(concept_of, self.groups)
        strata = tuple(map(concept_of, self.strata))
        standard = None if self.standard is None else concept_of(self.standard)
        pool = fresh_name("both", ())
        return Question(concept_of(self.outcome), (first, second), strata, pool, standard)


@dataclass(frozen=True)
class Comparison:
    """A comparison with its rates.

    *Full*: every stratum goes strictly against the total. *Partial*: not every one, but the
    standardised rates do. *None*: neither. *Undefined*: some stratum has nobody of one group.
    """

    combination: Combination
    question: Question
    rates: Mapping[Query, Rate]
    answer: TableVerdict
    standardised: tuple[Fraction, Fraction] | None
    remarks: tuple[str, ...] = ()


def compare(table: Tabulation, combination: Combination) -> Comparison:
    """The rates of a comparison, and whether they reverse."""
    question = combination.question
    rates, shares = dict[Query, Rate](), dict[Query, Fraction]()

    def count(query: Query, part: int, whole: int) -> None:
        if not whole:
            rates[query] = Rate(query, None, "vacuous")
            return
        shares[query] = Fraction(part, whole)
        rates[query] = Rate(query, Interval.point(shares[query]), count=(part, whole))

    outcome, sizes = combination.outcome, [table.number(one) for one in combination.groups]
    for group, value in zip(GROUPS, combination.groups, strict=True):
        count(question.total(group), table.number(value, outcome), sizes[group])
        shares[question.part(group)] = Fraction(sizes[group], sum(sizes))
        for stratum, one in zip(question.strata, combination.strata, strict=True):
            inside = table.number(value, one)
            count(question.rate(group, stratum), table.number(value, one, outcome), inside)
            count(question.share(group, stratum), inside, sizes[group])
    if question.standard is not None and combination.standard is not None:
        standard = combination.standard
        for stratum, one in zip(question.strata, combination.strata, strict=True):
            part, whole = _within(table, standard, one), table.number(standard)
            shares[Query(stratum, question.standard)] = Fraction(part, whole)
    missing = [rate.query for rate in rates.values() if rate.interval is None]
    remarks = _remarks(table, combination)
    if missing:
        bare = next(
            one
            for stratum, one in zip(question.strata, combination.strata, strict=True)
            if any(question.rate(group, stratum) in missing for group in GROUPS)
        )
        remarks = (FALLEN_SHORT.format(stratum="=".join(bare)), *remarks)
        return Comparison(combination, question, rates, "undefined", None, remarks)
    answer: TableVerdict = "none"
    if any(full(question, above).holds(shares) for above in (FIRST, SECOND)):
        answer = "full"
    elif any(partial(question, above).holds(shares) for above in (FIRST, SECOND)):
        answer = "partial"
    standardised = Weighing(question).rates(shares)
    return Comparison(combination, question, rates, answer, standardised, remarks)


def _within(table: Tabulation, standard: Value, stratum: Value) -> int:
    """How many of the standard are in a stratum; the standard may be a stratum itself."""
    if standard[0] == stratum[0]:
        return table.number(stratum) if standard == stratum else 0
    return table.number(standard, stratum)


def _remarks(table: Tabulation, combination: Combination) -> tuple[str, ...]:
    """Who is in the totals, but in no stratum, and who has no value that could be the outcome."""
    column = combination.outcome[0]
    outside = unknown = 0
    for group in combination.groups:
        whole = table.number(group)
        outside += whole - sum(table.number(group, stratum) for stratum in combination.strata)
        values = ((column, value) for value in table.values(column))
        unknown += whole - sum(table.number(group, value) for value in values)
    said = (
        (outside, "in none of the strata"),
        (unknown, f"without a value of {column}, counted as without the outcome"),
    )
    return tuple(
        f"{several(number, 'individual')} of both groups {what}" for number, what in said if number
    )
