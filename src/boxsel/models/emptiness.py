"""Names that no model has an instance of: they are found by logic and left out of training.

No box is ever empty, so a name that must be cannot be learnt. Names that inclusions and
disjointness empty are left out; names that only numbers empty are a mistake in the knowledge base,
and so is a knowledge base without any model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from boxsel.errors import BoxselError
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
)
from boxsel.logic.concepts import BOTTOM, TOP, Concept, Entity, Exists, Name, entities
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import NO_NOTE, Statement
from boxsel.normal.saturation import Saturation, saturate
from boxsel.wording import listed

NO_MODEL: Final = "the knowledge base has no model (`boxsel check` shows the conflict)"


class NoModelError(BoxselError):
    """There is nothing that could be trained: a name, or everything, is contradictory."""


def empty_names(kb: KB) -> frozenset[Name]:
    """The names that are empty by inclusions and disjointness.

    Raises:
        NoModelError: There is no model, or stated proportions contradict each other, which
            empties a name.

    Examples:
        >>> from boxsel.logic.axioms import disjoint
        >>> from boxsel.logic.concepts import names
        >>> A, B, C = names("A B C")
        >>> [str(name) for name in empty_names(KB.of(disjoint(A, B), C <= A, C <= B))]
        ['C']
    """
    told = saturate(kb)
    _require_consistent(kb, told)
    known: set[Concept] = set()
    now = told
    while emptied := set(_emptied_bodies(kb, now.empty_names)) - known:
        known |= emptied
        more = (Statement(Inclusion(body, BOTTOM), NO_NOTE) for body in sorted(known, key=str))
        now = saturate(kb.with_statements((*kb.statements, *more)))
        _require_consistent(kb, now)
    by_numbers = now.empty_names - told.empty_names
    if by_numbers:
        raise contradiction(kb, by_numbers)
    return told.empty_names


def contradiction(kb: KB, names: Collection[Name]) -> NoModelError:
    """The error of proportions that empty some names."""
    return NoModelError(
        f"the proportions contradict each other: {_spelt(kb, names)} must be empty"
        " (`boxsel check` shows why, `boxsel repair` mends it)"
    )


def without_empty(axiom: Axiom, empty: Collection[Name]) -> Iterator[Axiom]:
    """What an axiom says once some names are known to be empty."""
    if not empty or not any(entity in empty for entity in axiom.entities()):
        yield axiom
        return

    def is_empty(concept: Concept) -> bool:
        return concept.mentions_bottom or any(entity in empty for entity in entities(concept))

    match axiom:
        case Conditional():
            if not is_empty(axiom.body) and axiom.bounds.lower > 0:
                yield Inclusion(axiom.body, BOTTOM)
        case Inclusion():
            if not is_empty(axiom.left):
                yield Inclusion(axiom.left, BOTTOM)
        case Equivalence():
            yield from (
                Inclusion(member, BOTTOM) for member in axiom.members if not is_empty(member)
            )
        case Disjointness():
            rest = [member for member in axiom.members if not is_empty(member)]
            if len(rest) > 1:
                yield Disjointness(*rest)
        case Domain() | Range():
            yield Inclusion(Exists(axiom.role, TOP), BOTTOM)
        case ConceptAssertion():
            raise AssertionError(f"{axiom} has no model")


def _emptied_bodies(kb: KB, empty: Collection[Name]) -> Iterator[Concept]:
    """The bodies that conditionals empty: their bounds clash, or their head is empty."""
    met: dict[tuple[Concept, Concept], Interval] = {}
    for axiom in kb.conditionals:
        head, body, bounds = axiom.head, axiom.body, axiom.bounds
        if empty and bounds.lower > 0 and any(entity in empty for entity in entities(head)):
            yield body
        before = met.setdefault((head, body), bounds)
        if before is not bounds:
            lower, upper = max(before.lower, bounds.lower), min(before.upper, bounds.upper)
            if lower > upper:
                yield body
            else:
                met[head, body] = Interval(lower, upper)


def _require_consistent(kb: KB, told: Saturation) -> None:
    if told.consistent:
        return
    wrong = told.contradictory_individuals
    if wrong:
        raise NoModelError(f"{NO_MODEL}: {_spelt(kb, wrong)} would be in an empty concept")
    raise NoModelError(NO_MODEL)


def _spelt(kb: KB, things: Collection[Entity]) -> str:
    return listed(sorted(kb.label(entity) for entity in things))
