"""Whether a knowledge base has a model, and which names it leaves empty."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from boxsel.exact.diagnosis.conflicts import Conflict, Conflicts, conflicts
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.kb import KB
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.machine.budget import Budget


@dataclass(frozen=True)
class Check:
    """Consistent: there is a model. Coherent: moreover every name can be non-empty.

    `conflict` is a minimal conflict, about the inconsistency or about an empty name;
    `conflicts` are several, if they were asked for.
    """

    consistent: bool
    empty: tuple[Name, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    more: bool = False
    ignored_axioms: int = 0
    prefixes: Prefixes = field(default=NO_PREFIXES, repr=False, compare=False)

    @property
    def coherent(self) -> bool:
        """Whether there is a model, and every name can be non-empty."""
        return self.consistent and not self.empty

    @property
    def conflict(self) -> Conflict | None:
        """A minimal conflict, if there is one."""
        return self.conflicts[0] if self.conflicts else None

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object; names and statements as in `.sel`."""
        spelt = self.prefixes
        return {
            "consistent": self.consistent,
            "coherent": self.coherent,
            "empty": [name.text(spelt) for name in self.empty],
            "conflict": [one.text(spelt) for one in self.conflict.statements]
            if self.conflict
            else [],
            "conflicts": [one.to_json() for one in self.conflicts],
            "more": self.more,
            "ignored_axioms": self.ignored_axioms,
        }


def check(
    kb: KB, *, concept: Concept | str | None = None, limit: int = 1, budget: Budget | None = None
) -> Check:
    r"""Whether there is a model, which names are empty in all, and minimal conflicts if there are.

    The conflicts are about the inconsistency, or about why a concept is empty: the first empty
    name, unless one is given.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> found = check(parse_kb("(B | A)[0.2]\n(B | A)[0.8]"))
        >>> found.consistent, found.coherent, [str(name) for name in found.empty]
        (True, False, ['A'])
        >>> [str(one) for one in found.conflict.statements]
        ['(B | A)[0.2]', '(B | A)[0.8]']
    """
    asked = None if concept is None else kb.concept(concept)
    reasoner = Reasoner(kb, budget=budget)
    consistent = reasoner.consistent
    empty = reasoner.empty_names
    if asked is None and consistent:
        asked = next(iter(empty), None)
    coherent = asked is None and consistent
    found = (
        Conflicts(())
        if coherent
        else conflicts(reasoner, asked, limit=limit, budget=reasoner.budget)
    )
    return Check(consistent, empty, found.found, found.more, kb.ignored_axioms, kb.prefixes)
