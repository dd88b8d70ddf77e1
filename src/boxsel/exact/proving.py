"""Proofs from multipliers: what a ladder says of rows and bits, said of axioms and concepts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from boxsel.exact.answers import Multiplier, Proof, Step
from boxsel.exact.compile.vocabulary import Mask, Vocabulary
from boxsel.exact.ladder import Ladder
from boxsel.exact.lp.optimum import Bound, Elimination, Impossible, Optimum
from boxsel.logic.axioms import Axiom, Supposed
from boxsel.logic.concepts import Exists
from boxsel.logic.kb import KB


class Proving:
    """Writes proofs about a knowledge base; those that rest on the same parts share them."""

    def __init__(self, kb: KB) -> None:
        self._kb = kb
        self._steps: dict[Elimination, Step] = {}
        self._axioms: dict[tuple[int, ...], tuple[Axiom, ...]] = {}

    def proof(self, ladder: Ladder, why: Optimum | Impossible | Bound) -> Proof:
        """The proof that a result of a ladder has."""
        steps = tuple(self._step(ladder, elimination) for elimination in why.steps or ())
        axioms = self._at(ladder.statements if why.statements is None else why.statements)
        multipliers = self.multipliers(ladder, why.multipliers)
        # What is supposed brings the meaning of its combinations along.
        supposed = [
            multiplier.axiom for multiplier in multipliers if isinstance(multiplier.axiom, Supposed)
        ]
        if supposed:  # else thousands of axioms would be hashed for each proof
            axioms = tuple(dict.fromkeys((*axioms, *supposed)))
        return Proof(axioms, steps, multipliers)

    def multipliers(
        self, ladder: Ladder, multipliers: Mapping[int, Fraction]
    ) -> tuple[Multiplier, ...]:
        """Factors for rows of a ladder as factors for bounds of conditionals."""
        rows = ((ladder.problem.rows[row], number) for row, number in multipliers.items())
        return tuple(
            Multiplier(
                self._kb.statements[row.statement].axiom, row.side, number * row.bound.denominator
            )
            for row, number in rows
        )

    def _step(self, ladder: Ladder, elimination: Elimination) -> Step:
        if elimination not in self._steps:
            vocabulary = ladder.problem.vocabulary
            self._steps[elimination] = Step(
                _existentials(vocabulary, elimination.existential.bit)[0],
                _existentials(vocabulary, elimination.clause.heads),
                self.multipliers(ladder, elimination.multipliers),
            )
        return self._steps[elimination]

    def _at(self, statements: tuple[int, ...]) -> tuple[Axiom, ...]:
        """The axioms at some positions, each once."""
        if statements not in self._axioms:
            axioms = (self._kb.statements[number].axiom for number in statements)
            self._axioms[statements] = tuple(dict.fromkeys(axioms))
        return self._axioms[statements]


def _existentials(vocabulary: Vocabulary, mask: Mask) -> tuple[Exists, ...]:
    return tuple(basic for basic in vocabulary.true_in(mask) if isinstance(basic, Exists))
