"""Minimal conflicts: the statements that leave no model, or that empty a concept.

A conflict is minimal: leave out any one of its statements, and the rest has a model, or leaves
the concept an instance. Several conflicts are found by leaving statements of those that are
known out in every way (a hitting-set tree, breadth first).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from boxsel.exact.diagnosis.parts import NEAR_STATEMENTS, Parts
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, Concept
from boxsel.logic.html import Told
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.statements import Statement
from boxsel.machine.budget import NO_LIMIT, Budget

SEARCHES: Final = 20
"""How many ways of leaving statements out are tried for each conflict that is asked for."""


@dataclass(frozen=True)
class Conflict(Told):
    """A minimal set of statements without a model; with a concept, one that empties it."""

    statements: tuple[Statement, ...]
    concept: Concept | None = None
    prefixes: Prefixes = NO_PREFIXES

    @property
    def direct(self) -> bool:
        """Whether it is two numbers for the same share."""
        axioms = [statement.axiom for statement in self.statements]
        pairs = {(axiom.head, axiom.body) for axiom in axioms if isinstance(axiom, Conditional)}
        return len(axioms) == 2 and len(pairs) == 1 and isinstance(axioms[-1], type(axioms[0]))

    @property
    def summary(self) -> str:
        """What the statements do together."""
        if self.concept is None:
            return "These statements have no model:"
        what = self.concept.text(self.prefixes)
        if not self.statements:
            return f"{what} is empty in every model of anything."
        if self.direct:
            return (
                "These two statements contradict each other directly"
                f" and leave {what} empty in every model:"
            )
        return f"These statements leave {what} empty in every model:"

    @property
    def text(self) -> str:
        """The conflict for people."""
        lines = (f"  {statement.text(self.prefixes)}" for statement in self.statements)
        return "\n".join((self.summary, *lines)) + "\n"

    def to_json(self) -> dict[str, Any]:
        """The conflict as a JSON object; statements are lines of `.sel`."""
        return {
            "concept": None if self.concept is None else self.concept.text(self.prefixes),
            "statements": [statement.text(self.prefixes) for statement in self.statements],
        }


@dataclass(frozen=True)
class Conflicts:
    """Different minimal conflicts about the same; `more` if there may be others."""

    found: tuple[Conflict, ...]
    more: bool = False

    def to_json(self) -> dict[str, Any]:
        """The conflicts as a JSON object."""
        return {"conflicts": [one.to_json() for one in self.found], "more": self.more}


def conflict(
    reasoner: Reasoner, concept: Concept | str | None = None, *, budget: Budget | None = None
) -> Conflict | None:
    r"""A minimal conflict, if there is one.

    In an inconsistent knowledge base, it is about the inconsistency. Otherwise it is about why a
    concept, or without one the first name that is, is empty in every model.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("A SubClassOf C\n(B | A)[0.2]\n(B | A)[0.8]\n(C | B)[0.5]")
        >>> print(conflict(Reasoner(kb)).text, end="")
        These two statements contradict each other directly and leave A empty in every model:
          (B | A)[0.2]
          (B | A)[0.8]
    """
    found = conflicts(reasoner, concept, limit=1, budget=budget).found
    return found[0] if found else None


def conflicts(
    reasoner: Reasoner,
    concept: Concept | str | None = None,
    *,
    limit: int = 10,
    budget: Budget | None = None,
) -> Conflicts:
    r"""Different minimal conflicts about the same, the smallest changes first, up to a limit.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("(B | A)[0.2]\n(B | A)[0.8]\n(B | A)[0.5]")
        >>> found = conflicts(Reasoner(kb))
        >>> [len(one.statements) for one in found.found], found.more
        ([2, 2, 2], False)
    """
    kb = reasoner.kb
    asked = None if concept is None else kb.concept(concept)
    (budget or NO_LIMIT).check()
    parts = Parts(kb, budget)
    about: Concept | None = None
    if reasoner.consistent:
        if asked is None:
            about = next(iter(reasoner.empty_names), None)
        elif _is_empty(reasoner, parts, asked):
            about = asked
        if about is None:
            return Conflicts(())
    proof = parts.axioms(reasoner.behind_empty(TOP if about is None else about))
    found, more = _several(
        lambda left_out: parts.conflict(about, without=left_out, proof=proof), limit
    )
    return Conflicts(
        tuple(Conflict(parts.statements(numbers), about, kb.prefixes) for numbers in found), more
    )


def _is_empty(reasoner: Reasoner, parts: Parts, concept: Concept) -> bool:
    """Whether a concept is empty in every model; a conflict nearby tells it quickly."""
    return parts.conflict(concept, most=NEAR_STATEMENTS) is not None or not reasoner.satisfiable(
        concept
    )


def _several(
    find: Callable[[frozenset[int]], tuple[int, ...] | None], limit: int
) -> tuple[list[tuple[int, ...]], bool]:
    """Minimal conflicts, found by leaving statements out, and whether there may be more."""
    found: list[tuple[int, ...]] = []
    harmless: list[frozenset[int]] = []  # without these statements there is no conflict
    queue = deque([frozenset[int]()])
    seen = {frozenset[int]()}
    searches = 0
    while queue and len(found) < limit and searches < limit * SEARCHES:
        left_out = queue.popleft()
        if any(numbers <= left_out for numbers in harmless):
            continue
        known = next((numbers for numbers in found if left_out.isdisjoint(numbers)), None)
        if known is None:
            searches += 1
            known = find(left_out)
            if known is None:
                harmless.append(left_out)
                continue
            found.append(known)
        for number in known:
            further = left_out | {number}
            if further not in seen:
                seen.add(further)
                queue.append(further)
    return found, bool(queue)
