"""Which comparison is asked about: an outcome, two groups, and the strata that part them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from boxsel.errors import BoxselError
from boxsel.logic.concepts import Concept, Name, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.statements import Query

FIRST, SECOND = 0, 1
GROUPS = (FIRST, SECOND)


@dataclass(frozen=True)
class Question:
    """How the rates of an outcome compare between two groups, in total and in each stratum.

    The standard is whose shares of the strata weigh the rates that are standardised: `standard`, or
    without one both groups put together. For them a name stands that holds both groups: `pool`.
    """

    outcome: Concept
    groups: tuple[Concept, Concept]
    strata: tuple[Concept, ...]
    pool: Name
    standard: Concept | None = None

    def total(self, group: int) -> Query:
        """The rate of the outcome in a group."""
        return Query(self.outcome, self.groups[group])

    def rate(self, group: int, stratum: Concept) -> Query:
        """The rate of the outcome in one stratum of a group."""
        return Query(self.outcome, self.within(group, stratum))

    def share(self, group: int, stratum: Concept) -> Query:
        """What part of a group is in a stratum: the mixture of the group."""
        return Query(stratum, self.groups[group])

    def part(self, group: int) -> Query:
        """What part of both groups together is in one of them."""
        return Query(self.groups[group], self.pool)

    def within(self, group: int, stratum: Concept) -> Concept:
        """Those of a group who are in a stratum."""
        return conjunction(self.groups[group], stratum)

    @property
    def rates(self) -> tuple[Query, ...]:
        """The rates of the outcome: both totals, then both groups stratum by stratum."""
        by_stratum = (self.rate(group, stratum) for stratum in self.strata for group in GROUPS)
        return (*map(self.total, GROUPS), *by_stratum)

    @property
    def mixture(self) -> tuple[Query, ...]:
        """The parts of both groups in each stratum."""
        return tuple(self.share(group, stratum) for stratum in self.strata for group in GROUPS)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The question for people: `Admitted: Woman against Man, by DeptA, DeptB`."""
        first, second = (group.text(prefixes) for group in self.groups)
        strata = ", ".join(stratum.text(prefixes) for stratum in self.strata)
        return f"{self.outcome.text(prefixes)}: {first} against {second}, by {strata}"


def ask(
    kb: KB,
    outcome: Concept | str,
    groups: Sequence[Concept | str],
    strata: Sequence[Concept | str],
    standard: Concept | str | None = None,
) -> Question:
    """The question in the names of a knowledge base.

    Examples:
        >>> from boxsel import examples
        >>> asked = ask(examples.load("berkeley"), "Admitted", ("Woman", "Man"), ("DeptA", "DeptB"))
        >>> print(asked.text())
        Admitted: Woman against Man, by DeptA, DeptB
    """

    def concept(said: Concept | str) -> Concept:
        return kb.concept(said)

    compared = tuple(map(concept, groups))
    parts = tuple(map(concept, strata))
    check(compared, parts)
    used = [entity.iri for entity in kb.signature]
    return Question(
        concept(outcome),
        (compared[0], compared[1]),
        parts,
        fresh_name("both", used),
        None if standard is None else concept(standard),
    )


def check(groups: Sequence[object], strata: Sequence[object]) -> None:
    """Refuse what is no comparison of two groups by strata."""
    if len(groups) != 2 or groups[0] == groups[1]:
        raise BoxselError(f"two different groups are compared, not {len(set(groups))}: G1,G2")
    if not strata:
        raise BoxselError("there are no strata: name at least one, such as --strata S1,S2")
    if len(set(strata)) < len(strata):
        raise BoxselError("a stratum is named twice")


def fresh_name(stem: str, used: Sequence[str]) -> Name:
    """A name that occurs nowhere in what is used."""
    known = {*used}
    spelt = chain([stem], (f"{stem}{number}" for number in range(1, len(known) + 2)))
    names = (Name(f"urn:boxsel:simpson:{name}") for name in spelt)
    return next(name for name in names if name.iri not in known)
