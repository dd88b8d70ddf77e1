"""Optima over types that have nothing but what they must: few rows mind them.

The optimum under some rows is proved for all. Its types are made *lean*: they keep what the
question and these rows look at, and what follows from that; so its value and these rows stay as
they are. Whoever has less is in fewer bodies. If all other rows are obeyed as well, the optimum is
attained; else those that are not join, and it is looked for again. Where concepts follow from each
other, as in an ontology with definitions, that ends after few of its rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Final

from boxsel.exact.compile.problem import Clause, Form, Goal, Row, value
from boxsel.exact.compile.vocabulary import Mask, Type, has
from boxsel.exact.lp.optimum import Impossible, Result
from boxsel.exact.ways.near import Near, Useful, why_not
from boxsel.exact.ways.way import Passed, Task, Way

ZERO: Final = Fraction(0)
JOINED: Final = 3
"""How many times the rows of a large problem may join: it often takes one round more than one."""


class Lean(Way):
    """Looks for lean types that obey the rows, those around the question first."""

    def __init__(self, task: Task) -> None:
        self._task, self._near = task, task.share(Near)
        self._choices: tuple[int, list[Clause]] = (-1, [])

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        near, rows = self._near, self._task.problem.rows
        about = reduce(or_, (mask for mask, _ in objective), goal.require)
        chosen: set[int] = set()
        useful = Useful(self._task, goal, objective)
        while len(chosen) <= JOINED * self._task.limits.large:
            result = near.solve(sorted(chosen), goal, objective)
            if isinstance(result, Impossible):
                return near.prove(goal, objective, result)
            kept = reduce(or_, (rows[number].both for number in chosen), about)
            weights = self._thin(result.weights, kept)
            near.remember(weights)
            broken = broken_rows(rows, weights)
            if not broken:
                return near.prove(goal, objective, replace(result, weights=weights))
            attaining = useful.attain(near.pool, result.value)
            if attaining is not None:
                return near.prove(goal, objective, replace(result, weights=attaining))
            chosen |= broken  # those that were chosen are obeyed, so that there are ever more
        return Passed(f"{len(chosen)} of {len(rows)} rows joined, and were not enough")

    def _thin(self, weights: Mapping[Type, Fraction], kept: Mask) -> dict[Type, Fraction]:
        """The same weights of types without what nothing asks for."""
        thin: dict[Type, Fraction] = {}
        for kind, weight in weights.items():
            lean = self._lean(kind, kept)
            thin[lean] = thin.get(lean, ZERO) + weight
        return thin

    def _lean(self, kind: Type, kept: Mask) -> Type:
        """What a type has of some concepts, and what it has to have with these.

        All of it is in the type, since that obeys the clauses. Where they leave a choice, it is
        the type's own.
        """
        following, lean = self._near.following, self._near.consequences(kind & kept)
        while True:
            open_ones = (
                choice
                for choice in self._open
                if has(lean, choice.body) and not lean & choice.heads
            )
            clause = next(open_ones, None)
            if clause is None:
                return lean
            own = clause.heads & kind
            lean = following.of(lean | own & -own)

    @property
    def _open(self) -> list[Clause]:
        """The clauses that leave a choice."""
        clauses = self._task.clauses
        if self._choices[0] != len(clauses):
            several = [clause for clause in clauses if clause.heads.bit_count() > 1]
            self._choices = len(clauses), several
        return self._choices[1]


def broken_rows(rows: Sequence[Row], weights: Mapping[Type, Fraction]) -> set[int]:
    """The numbers of the rows that weights do not obey."""
    broken = set()
    for number, row in enumerate(rows):
        counted = ((kind, weight) for kind, weight in weights.items() if has(kind, row.body))
        if sum((weight * value(row.form, kind) for kind, weight in counted), ZERO) < 0:
            broken.add(number)
    return broken


def offer(task: Task) -> Lean | Passed:
    """Where types are searched, and have to have much."""
    if not task.is_ontology:
        return Passed("there are few existentials beside the rows")
    return why_not(task) or task.share(Lean)
