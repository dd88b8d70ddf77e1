"""What should be known about groups and strata before their rates are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Disjointness, Inclusion
from boxsel.logic.concepts import conjunction
from boxsel.logic.kb import KB
from boxsel.machine.budget import OutOfTimeError
from boxsel.reversals.question import GROUPS, Question, fresh_name
from boxsel.reversals.search import extended

OVERLAP = (
    "strata are not known to be disjoint: with somebody in two of them, the total is no average of"
    " the rates by stratum weighted by the shares"
)
GAPS = (
    "strata are not known to cover both groups: the rate of those in none of them can be anything"
)
SHARED = "the groups are not known to be disjoint: who is in both counts in both"


@dataclass(frozen=True)
class Partition:
    """What is known about groups and strata in all models."""

    disjoint: bool
    covering: bool
    apart: bool

    @property
    def parted(self) -> bool:
        """Whether everybody of both groups is in exactly one stratum."""
        return self.disjoint and self.covering

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is not known, in sentences."""
        known = ((self.disjoint, OVERLAP), (self.covering, GAPS), (self.apart, SHARED))
        return tuple(remark for yes, remark in known if not yes)


def partition(kb: KB, question: Question, reasoner: Reasoner) -> Partition:
    """Whether strata are disjoint and cover both groups, and whether these are disjoint.

    What there is no time to know is not known.
    """
    return Partition(
        _known(lambda: disjoint_strata(reasoner, question)),
        _known(lambda: covering_strata(kb, question, reasoner)),
        _known(lambda: not reasoner.satisfiable(conjunction(*question.groups))),
    )


def disjoint_strata(reasoner: Reasoner, question: Question) -> bool:
    """Whether in every model nobody of the groups is in two strata."""
    return not any(
        reasoner.satisfiable(conjunction(question.groups[group], *two))
        for group in GROUPS
        for two in combinations(question.strata, 2)
    )


def covering_strata(kb: KB, question: Question, reasoner: Reasoner) -> bool:
    """Whether in every model all of both groups are in strata.

    A new name for somebody outside is empty in every model only then.
    """
    outside = fresh_name("outside", [one.iri for one in kb.signature])
    for group in GROUPS:
        axioms = [
            Inclusion(outside, question.groups[group]),
            *(Disjointness(outside, one) for one in question.strata),
        ]
        if Reasoner(extended(kb, axioms), budget=reasoner.budget).satisfiable(outside):
            return False
    return True


def _known(fact: Callable[[], bool]) -> bool:
    try:
        return fact()
    except OutOfTimeError:
        return False
