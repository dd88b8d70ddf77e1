"""Who has members in a model that was met: one population along a tree, surveyed, or drawn.

Each shows many names at once; what none of them shows has to be asked about by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from boxsel.exact.coherence.survey import Survey
from boxsel.exact.compile.problem import Goal
from boxsel.exact.compile.vocabulary import Basic, Type
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.ladder import Ladder
from boxsel.exact.ladders import Ladders
from boxsel.exact.ways.trees.joining import present
from boxsel.logic.concepts import Concept

CROWD: Final = 30
"""More rows than so many for each name are a crowd: of 2,000 about 12 names a population is drawn
in 2 s; one along the tree, of one bag, takes ten times as long."""


class Members:
    """The basic concepts that were seen to have members, and those that can have none."""

    def __init__(self, ladders: Ladders) -> None:
        self._ladders = ladders
        self._drawn = False  # whether one population of all names was looked for
        self._grown = False  # whether one along a tree was
        self.crowds: list[tuple[Ladder, Mapping[Type, Fraction]]] = []
        """The populations in which many names at once have members."""
        self.realised: set[Basic] = set()
        self.emptied: set[Concept] = set()

    def note(self, ladder: Ladder, weights: Mapping[Type, Fraction] | None) -> None:
        """Note who has members in a population, if there is one."""
        if weights is not None:
            self.realised.update(ladder.problem.vocabulary.true_in(present(weights)))

    def grow(self) -> bool:
        """Whether one population has members of all names, if all hang together like a tree.

        Few statements, and those about roles, are surveyed sooner. Of a crowd of rows about few
        names a population is drawn sooner.
        """
        names = self._ladders.kb.signature.concepts
        if len(self._ladders.kb) >= self._ladders.limits.large:
            ladder = self._ladders.around(*names)
            if len(ladder.problem.rows) > CROWD * len(names):
                self._draw(ladder)
            if not self.realised.issuperset(names):
                self._grow(ladder)
        return self.realised.issuperset(names)

    def survey(self) -> None:
        """Find the names that are easily seen to be empty, and one population that has others."""
        kb, budget = self._ladders.kb, self._ladders.budget
        survey = Survey(kb, budget, Parts(kb, budget))
        survey.run()
        self.emptied.update({*survey.elements.named}.difference(survey.possible))
        self.realised.update(survey.realised)

    def draw(self, *wanted: Basic) -> None:
        """Draw one population in which all names have members that can, nearly.

        If it leaves names empty that are wanted, it is drawn once more, with members of all of
        them. Where one grows along a tree that shows all of these, none is drawn; it may show
        nobody, where bags are so few that any population of them will do. It may be looked for in
        vain: then names are asked about one by one.
        """
        ladder = self._ladders.around(*self._ladders.kb.signature.concepts)
        if len(ladder.problem.rows) <= self._ladders.limits.few:
            return
        self._grow(ladder)
        if self.realised and self.realised.issuperset(wanted):
            return
        self._draw(ladder)
        left = [basic for basic in wanted if basic not in self.realised]
        if self.realised and len(left) > 1:
            masks = map(ladder.problem.vocabulary.mask, left)
            goals = [Goal(mask) for mask in masks if mask is not None]
            self._note_crowd(ladder, ladder.draw(goals))

    def _grow(self, ladder: Ladder) -> None:
        """Look for one population along the tree, once."""
        if not self._grown:
            self._grown = True
            self._note_crowd(ladder, ladder.grow())

    def _draw(self, ladder: Ladder) -> None:
        """Draw one population, if none was drawn yet."""
        if not self._drawn:
            self._drawn = True
            self._note_crowd(ladder, ladder.draw())

    def _note_crowd(self, ladder: Ladder, weights: Mapping[Type, Fraction] | None) -> None:
        if weights is not None:
            self.crowds.append((ladder, weights))
            self.note(ladder, weights)
