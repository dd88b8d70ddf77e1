"""What rules start from: what saturation says, and what is stated about shares.

Both depend on the knowledge base alone, but for the concepts of a question that it does not have.
So they are made once, and a question takes a copy. Where its concepts would add to what is known of
regions, shares are counted anew: then it has the same answer, whatever was asked before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept
from boxsel.logic.kb import KB
from boxsel.logic.proportions import ONE, ZERO
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.machine.progress import track
from boxsel.normal.completion import STEPS_BETWEEN_LOOKS
from boxsel.normal.saturation import Saturation
from boxsel.rules.figures import part
from boxsel.rules.knowledge import Knowledge, Region
from boxsel.rules.shares import Certain, Shares
from boxsel.rules.trail import Cause, Refuted


@dataclass(frozen=True, eq=False)
class Start:
    """Knowledge, what is stated about shares, and bodies that cannot have what is stated.

    It is `complete` unless time ended the reading. There are no shares where there is no model.
    """

    knowledge: Knowledge
    shares: Shares | None
    refuted: tuple[tuple[Region, Cause], ...] = ()
    complete: bool = True


class Grounds:
    """What rules start from for many questions about one knowledge base.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> grounds = Grounds(parse_kb("(B | A)[0.5]"))
        >>> start = grounds.start([grounds.kb.query("(B | A)")], Budget())
        >>> len(start.shares), start.knowledge is grounds.start([], Budget()).knowledge
        (1, True)
    """

    def __init__(self, kb: KB) -> None:
        self.kb = kb
        self._saturation: Saturation | None = None
        self._base: Start | None = None

    def start(self, queries: Sequence[Query], budget: Budget) -> Start:
        """What rules start from for some queries, which are not Boolean.

        Raises:
            OutOfTimeError: There was no time for saturation, or for all that is stated.
        """
        if self._base is None:
            knowledge = Knowledge(self.kb, (), budget, self._saturation)
            self._saturation = knowledge.saturation
            base = read(self.kb, knowledge, budget)
            if not base.complete:
                raise OutOfTimeError
            self._base = base
        base, concepts = self._base, list(concepts_of(queries))
        if base.shares is None:
            return base
        if all(base.knowledge.covers(concept, budget) for concept in concepts):
            return replace(base, shares=base.shares.copy())
        return read(self.kb, Knowledge(self.kb, concepts, budget, self._saturation), budget)


def concepts_of(queries: Sequence[Query]) -> Iterator[Concept]:
    """The concepts that saturation is asked about on behalf of queries."""
    return (side for query in queries for side in (query.head, query.body, part(query)))


def read(kb: KB, knowledge: Knowledge, budget: Budget) -> Start:
    """The shares that are stated, as far as there is time."""
    if not knowledge.consistent:
        return Start(knowledge, None)
    shares = Shares(knowledge)
    refuted: list[tuple[Region, Cause]] = []
    conditionals = list(kb.conditionals)
    for place, axiom in enumerate(track(conditionals, "reading shares", len(conditionals))):
        if place % STEPS_BETWEEN_LOOKS == 0 and budget.spent:
            return Start(knowledge, shares, tuple(refuted), complete=False)
        refuted.extend(_state(shares, axiom))
    return Start(knowledge, shares, tuple(refuted))


def _state(shares: Shares, axiom: Conditional) -> Iterator[tuple[Region, Cause]]:
    """Take a conditional as stated; its body is empty if it cannot be true otherwise."""
    share = shares.state(axiom)
    if isinstance(share, Certain) and share is not Certain.VACUOUS:
        value = ONE if share is Certain.ALL else ZERO
        body = shares.knowledge.region(axiom.body)
        if body is not None and value not in axiom.bounds:
            yield body, Refuted(axiom, share)
