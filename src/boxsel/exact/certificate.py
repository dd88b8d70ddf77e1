"""Certificates: an answer with its evidence as JSON, for `boxsel verify` or anybody else.

Axioms and concepts are spelt in `.sel` with full IRIs, numbers are fractions, and everything that
the proofs use is listed, so that a checker needs the knowledge base and nothing of the reasoner.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

from flint import fmpq

from boxsel.exact.answers import AssertionProof, End, Multiplier, Outcome, Proof, Step
from boxsel.exact.weighted_model import ModelPart, WeightedModel
from boxsel.logic.axioms import Axiom, Conditional
from boxsel.logic.proportions import is_readable

FORMAT = "boxsel certificate"
VERSION = 1
LONGEST: Final = 13_000
"""The bits of the longest number that is written: about 3,900 decimal digits."""


class TooLongError(ArithmeticError):
    """A number that is too long to be written down."""


def certificate(answer: Outcome) -> dict[str, Any]:
    """The certificate of an answer; `TooLongError` if its numbers cannot be written."""
    axioms = _AxiomTable()
    evidence: dict[str, Any] = {}
    for name, end in (("lower", answer.lower), ("upper", answer.upper)):
        if end is not None:
            evidence[name] = axioms.end(end)
    if isinstance(answer.empty, AssertionProof):
        evidence["assertions"] = axioms.assertions(answer.empty)
    elif answer.empty is not None:
        evidence["empty"] = axioms.proof(answer.empty)
    if answer.model is not None:
        evidence["model"] = _model(answer.model)
    return {
        "format": FORMAT,
        "version": VERSION,
        "query": answer.query.text(),
        "status": answer.status,
        "axioms": axioms.lines,
        **evidence,
    }


def spelt(number: Fraction | fmpq) -> str:
    """A fraction as text."""
    above, below = (
        (number.numerator, number.denominator)
        if isinstance(number, Fraction)
        else (number.p, number.q)
    )
    if max(above.bit_length(), below.bit_length()) > LONGEST:
        raise TooLongError
    return str(number)


def written(number: Fraction | None) -> str | None:
    """A fraction as text, unless there is none, or it is too long to be written."""
    try:
        return None if number is None else spelt(number)
    except TooLongError:
        return None


class _AxiomTable:
    """Numbers axioms, so that each is spelt once."""

    def __init__(self) -> None:
        self._numbers: dict[Axiom, int] = {}

    @property
    def lines(self) -> list[str]:
        """The axioms in order."""
        stated = (one for one in self._numbers if isinstance(one, Conditional))
        if not all(is_readable(one.proportion) for one in stated):
            raise TooLongError
        return [axiom.text() for axiom in self._numbers]

    def end(self, end: End) -> dict[str, Any]:
        parts = end.build_parts()
        return {
            "bound": spelt(end.bound),
            "proof": self.proof(end.proof),
            "model": _model(end.model) if parts is None else _parts(parts),
        }

    def proof(self, proof: Proof) -> dict[str, Any]:
        return {
            "axioms": self._refer(proof.axioms),
            "steps": [self._step(step) for step in proof.steps],
            "multipliers": self._multipliers(proof.multipliers),
        }

    def assertions(self, proof: AssertionProof) -> dict[str, Any]:
        return {
            "axioms": self._refer(proof.axioms),
            "steps": [self._step(step) for step in proof.steps],
            "cuts": [self._multipliers(cut) for cut in proof.cuts],
        }

    def _step(self, step: Step) -> dict[str, Any]:
        return {
            "exists": step.exists.text(),
            "unless": [one.text() for one in step.unless],
            "multipliers": self._multipliers(step.multipliers),
        }

    def _multipliers(self, multipliers: Iterable[Multiplier]) -> list[list[Any]]:
        return [[self._number(one.axiom), one.side, spelt(one.number)] for one in multipliers]

    def _refer(self, axioms: Iterable[Axiom]) -> list[int]:
        return list(dict.fromkeys(map(self._number, axioms)))

    def _number(self, axiom: Axiom) -> int:
        return self._numbers.setdefault(axiom, len(self._numbers))


def _parts(parts: Iterable[ModelPart]) -> dict[str, Any]:
    return {
        "parts": [
            {
                "names": [name.iri for name in part.names],
                "before": part.before,
                "weights": [[pattern, spelt(weight)] for pattern, weight in part.weights],
            }
            for part in parts
        ]
    }


def _model(model: WeightedModel) -> dict[str, Any]:
    return {
        "elements": [
            {
                "names": [name.iri for name in element.names],
                "weight": spelt(element.weight),
                "further": spelt(element.further),
            }
            for element in model.elements
        ],
        "edges": [[edge.role.iri, edge.subject, edge.object] for edge in model.edges],
        "individuals": {one.iri: place for one, place in model.individuals.items()},
    }
