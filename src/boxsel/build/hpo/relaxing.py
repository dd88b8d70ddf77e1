"""The least relaxation of bounds after which no disease contradicts itself.

All statements of one body have the same denominator, so the least sum of changes is a linear
programme: a descendant's lower bound falls by a, an ancestor's upper bound rises by b, and
together they close the gap. Every new bound is one that another statement gives, or 0 or 1.

A change weighs as in `boxsel repair`: a count by the size of its sample, anything else by 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Final

from boxsel.build.hpo.annotations import Sex
from boxsel.build.hpo.cheapest_cover import cheapest_cover
from boxsel.build.hpo.contradictions import Terms, between_sexes, by_disease, clashes
from boxsel.build.hpo.ontology import Ontology
from boxsel.build.hpo.stating import Stated
from boxsel.logic.axioms import Conditional
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Statement
from boxsel.machine.progress import track

STEP: Final = Fraction(1, 10**6)
"""How far a bound moves off 0 or 1 where any distance will do."""


@dataclass(frozen=True, slots=True)
class Change:
    """A statement before and after."""

    old: Stated
    new: Stated

    @property
    def amount(self) -> Fraction:
        """By how much its ends gave way."""
        return self.old.lower - self.new.lower + self.new.upper - self.old.upper

    @property
    def weight(self) -> int:
        """What one unit of that costs."""
        return _weight(self.old)


@dataclass(frozen=True, slots=True)
class Relaxed:
    """All changes; no others that help cost less than `least`, which `total` meets up to `slack`.

    The slack is one `STEP` for each bound that only has to leave 0 or 1, however little.
    """

    changes: tuple[Change, ...]
    least: Fraction = Fraction(0)
    slack: Fraction = Fraction(0)

    @property
    def total(self) -> Fraction:
        """What all changes cost."""
        return sum((one.amount * one.weight for one in self.changes), Fraction(0))

    @property
    def optimal(self) -> bool:
        """Whether it is proved that nothing cheaper helps, but for the slack."""
        return self.total - self.least <= self.slack


def relax(stated: Iterable[Stated], ontology: Ontology) -> Relaxed:
    """The least relaxation of some statements after which none of their diseases is empty."""
    diseases = by_disease(stated)
    changes, least, slack = list[Change](), Fraction(0), Fraction(0)
    for bodies in track(diseases, "relaxing diseases", len(diseases)):
        new: dict[Stated, Stated] = {}
        for terms in bodies.values():
            found, cost = _relax_body(terms, ontology)
            new |= found
            least += cost
        slack += _leave_extremes(bodies, new, ontology)
        changes.extend(Change(old, moved) for old, moved in new.items())
    changes.sort(key=lambda one: (one.old.disease, one.old.sex, one.old.term))
    return Relaxed(tuple(changes), least, slack)


def _relax_body(terms: Terms, ontology: Ontology) -> tuple[dict[Stated, Stated], Fraction]:
    pairs = list(clashes(terms, ontology))
    if not pairs:
        return {}, Fraction(0)
    numbers = {one: place for place, one in enumerate(dict.fromkeys(chain.from_iterable(pairs)))}
    cover = cheapest_cover(
        {(numbers[low], numbers[high]): low.lower - high.upper for low, high in pairs},
        {numbers[low]: _weight(low) for low, _ in pairs},
        {numbers[high]: _weight(high) for _, high in pairs},
    )
    moved = {}
    for one, number in numbers.items():
        down, up = cover.left.get(number, 0), cover.right.get(number, 0)
        if down or up:
            moved[one] = _moved(one, Interval(one.lower - down, one.upper + up))
    return moved, cover.least


def _leave_extremes(
    bodies: Mapping[Sex, Terms], new: dict[Stated, Stated], ontology: Ontology
) -> Fraction:
    """Let the whole disease leave 0 or 1 where one sex needs it; what that costs."""
    cost = Fraction(0)
    while True:
        now = {
            sex: {term: [new.get(one, one) for one in group] for term, group in terms.items()}
            for sex, terms in bodies.items()
        }
        first = next(between_sexes(now, ontology), None)
        if first is None:
            return cost
        low, high = first.descendant, first.ancestor
        current = high if low.sex else low
        bounds = current.bounds
        wider = (
            Interval(bounds.lower, STEP) if current is high else Interval(1 - STEP, bounds.upper)
        )
        old = next((old for old, moved in new.items() if moved is current), current)
        new[old] = _moved(old, wider)
        cost += STEP * _weight(old)


def _weight(stated: Stated) -> int:
    axiom = stated.statement.axiom
    assert isinstance(axiom, Conditional)
    return axiom.proportion.total if isinstance(axiom.proportion, Count) else 1


def _moved(stated: Stated, bounds: Interval) -> Stated:
    """The same statement with wider bounds; its comment says what they were."""
    axiom, note = stated.statement.axiom, stated.statement.note
    assert isinstance(axiom, Conditional)
    was = f"was {axiom.proportion.text()}"
    comment = f"{note.comment}; {was}" if note.comment else was
    statement = Statement(
        Conditional(axiom.head, axiom.body, bounds), replace(note, comment=comment)
    )
    return replace(stated, statement=statement)
