"""What a rule is: a conclusion about one share from what is known of others.

A rule has two sides. `conclude` is the rule itself, a pure function from the bounds of the
premises to those of the conclusion. `find` lists where it applies: which shares in play
stand to each other as its statement says. `conditions` spells that out for one application,
as axioms that must follow from the deterministic part; trivial ones may be among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.axioms import Axiom
from boxsel.logic.statements import Query
from boxsel.rules.amounts import Amount, Bounds
from boxsel.rules.index import Index, Numbers

Floats = NDArray[np.float64]
Conclude = Callable[[Sequence[Bounds]], Bounds]
Conditions = Callable[[Sequence[Query], Query], Iterable[Axiom]]


class Places(Protocol):
    """Where a rule applies: any number of applications, each with premises and a conclusion."""

    conclusions: Numbers

    def touched(self, changed: NDArray[np.bool_]) -> Numbers:
        """The applications with a premise that changed."""

    def screen(self, which: Numbers, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """What some applications conclude, about: the lower and the upper ends."""

    def premises(self, application: int) -> tuple[int, ...]:
        """The premises of an application, in the order that `conclude` takes them."""


@dataclass(frozen=True, eq=False)
class Rule:
    """A local inference rule.

    Attributes:
        name: what steps call it.
        statement: premises and conclusion in one line.
        tight: whether no smaller interval follows from the premises alone, if they are
            intervals that some population with a non-empty body obeys.
        conclude: the bounds of the conclusion from those of the premises.
        find: the applications among the shares in play.
        conditions: what else an application rests on.
    """

    name: str
    statement: str
    tight: bool
    conclude: Conclude
    find: Callable[[Index], Places]
    conditions: Conditions

    def __repr__(self) -> str:
        return f"<Rule {self.name}: {self.statement}>"


class Applications:
    """Applications that all have the same number of premises: one row of numbers for each place."""

    def __init__(self, conclude: Conclude, premises: Sequence[Numbers], conclusions: Numbers):
        self.conclusions = conclusions
        self._conclude = conclude
        self._premises = premises

    def touched(self, changed: NDArray[np.bool_]) -> Numbers:
        """The applications with a premise that changed."""
        if not len(self.conclusions):
            return self.conclusions
        return np.flatnonzero(np.logical_or.reduce([changed[row] for row in self._premises]))

    def screen(self, which: Numbers, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """The rule itself, on arrays."""
        rows = [row[which] for row in self._premises]
        low, high = self._conclude([Bounds(lower[row], upper[row]) for row in rows])
        return _as_array(low, which), _as_array(high, which)

    def premises(self, application: int) -> tuple[int, ...]:
        """The premises of an application."""
        return tuple(int(row[application]) for row in self._premises)


def _as_array(end: Amount, which: Numbers) -> Floats:
    return np.broadcast_to(np.asarray(end, np.float64), which.shape)
