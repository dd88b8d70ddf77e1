"""Certificates: an answer with its evidence as JSON, for `boxsel verify` or anybody else.

Axioms and concepts are spelt in `.sel` with full IRIs, numbers are fractions, and everything that
the proofs use is listed, so that a checker needs the knowledge base and nothing of the reasoner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

from flint import fmpq

from boxsel.exact.answers import AssertionProof, End, Multiplier, Outcome, Proof, Step
from boxsel.exact.weighted_model import ModelPart, WeightedModel
from boxsel.logic.axioms import Axiom, Conditional, Supposed
from boxsel.logic.proportions import is_readable
from boxsel.logic.statements import Query

FORMAT = "boxsel certificate"
VERSION = 1
SAME = "lower"
"""What stands for the model of the upper end if it is that of the lower one."""
LONGEST_NUMBER: Final = 13_000
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
        evidence["model"] = model_json(answer.model)
    return {
        "format": FORMAT,
        "version": VERSION,
        "query": answer.query.text(),
        "status": answer.status,
        "axioms": axioms.lines,
        **evidence,
    }


def witness_certificate(query: Query, model: WeightedModel) -> dict[str, Any]:
    """The certificate of a model that has some share, where no bounds were proved in time."""
    share = model.share(query)
    assert share is not None  # it has members of the body
    return {
        "format": FORMAT,
        "version": VERSION,
        "query": query.text(),
        "status": "budget",
        "axioms": [],
        "witness": {"share": spelt(share), "model": model_json(model)},
    }


def spelt(number: Fraction | fmpq) -> str:
    """A fraction as text."""
    above, below = (
        (number.numerator, number.denominator)
        if isinstance(number, Fraction)
        else (number.p, number.q)
    )
    if max(above.bit_length(), below.bit_length()) > LONGEST_NUMBER:
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
        self._model: WeightedModel | None = None
        self._parts: Sequence[ModelPart] = ()

    @property
    def lines(self) -> list[str]:
        """The axioms in order."""
        stated = (number for number in self._numbers if isinstance(number, Conditional))
        if not all(is_readable(conditional.proportion) for conditional in stated):
            raise TooLongError
        return [_line(axiom) for axiom in self._numbers]

    def end(self, end: End) -> dict[str, Any]:
        return {
            "bound": spelt(end.bound),
            "proof": self.proof(end.proof),
            "model": self._model_of(end),
        }

    def _model_of(self, end: End) -> dict[str, Any] | str:
        """The model of an end; one that both ends share is spelt once."""
        parts = end.build_parts()
        if parts is not None:
            known, self._parts = self._parts, parts
            return _changed(known, parts) or {"parts": [*map(_part, parts)]}
        if end.model is self._model:
            return SAME
        self._model = end.model
        return model_json(end.model)

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
            "unless": [existential.text() for existential in step.unless],
            "multipliers": self._multipliers(step.multipliers),
        }

    def _multipliers(self, multipliers: Iterable[Multiplier]) -> list[list[Any]]:
        return [
            [self._number(multiplier.axiom), multiplier.side, spelt(multiplier.number)]
            for multiplier in multipliers
        ]

    def _refer(self, axioms: Iterable[Axiom]) -> list[int]:
        return list(dict.fromkeys(map(self._number, axioms)))

    def _number(self, axiom: Axiom) -> int:
        return self._numbers.setdefault(axiom, len(self._numbers))


def _line(axiom: Axiom) -> str:
    """An axiom as text; what is only supposed is told from what is stated."""
    if isinstance(axiom, Supposed):
        asked, bounds = Query(axiom.head, axiom.body), axiom.bounds
        return f"suppose {asked.text()}[{spelt(bounds.lower)}, {spelt(bounds.upper)}]"
    return axiom.text()


def _part(part: ModelPart) -> dict[str, Any]:
    return {
        "names": [name.iri for name in part.names],
        "before": part.before,
        "shares" if part.relative else "weights": [
            [pattern, spelt(weight)] for pattern, weight in part.weights
        ],
    }


def _changed(known: Sequence[ModelPart], parts: Sequence[ModelPart]) -> dict[str, Any] | None:
    """What differs from a model that was spelt before, if that has the same parts, some as here."""
    if [(part.names, part.before) for part in known] != [(p.names, p.before) for p in parts]:
        return None
    fresh = [n for n, pair in enumerate(zip(known, parts, strict=True)) if pair[0] != pair[1]]
    if len(fresh) == len(parts):
        return None
    return {"like": SAME, "changed": [[place, _part(parts[place])] for place in fresh]}


def model_json(model: WeightedModel) -> dict[str, Any]:
    """A model as a JSON object."""
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
        "individuals": {individual.iri: place for individual, place in model.individuals.items()},
    }
