"""Populations that show something: weighted elements, in which shares are exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.interpretations import Interpretation
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Query

LITTLE: Final = Fraction(1, 1000)
"""How much of the further weights of a model is mixed in."""


@dataclass(frozen=True)
class Population:
    """Elements with weights: how many members they stand for, up to a common factor."""

    interpretation: Interpretation
    weights: tuple[Fraction, ...]

    @classmethod
    def of(cls, models: Sequence[WeightedModel]) -> Population:
        """Models side by side, each with the same weight."""
        together, weights = WeightedModel(), list[Fraction]()
        for model in models:
            whole = sum((one.weight for one in model.elements), Fraction(0)) or Fraction(1)
            weights += (one.weight / whole + LITTLE * one.further for one in model.elements)
            together += model
        return cls(together.interpretation, tuple(weights))

    def share(self, query: Query) -> Fraction | None:
        """The share of a query; none if its body is empty."""
        return self.interpretation.share(query.head, query.body, self.weights)

    def size(self, concept: Concept) -> Fraction:
        """The weight of a concept."""
        places = self.interpretation.extension(concept)
        return sum((self.weights[place] for place in places), Fraction(0))

    def is_model(self, kb: KB) -> bool:
        """Whether every axiom is true, and every element is there."""
        return min(self.weights, default=Fraction(0)) > 0 and all(
            self.interpretation.satisfies(axiom, self.weights) for axiom in kb.axioms
        )

    def to_json(self, prefixes: Prefixes, hidden: Name) -> dict[str, Any]:
        """The population as a JSON object; one name is left out."""
        shown = self.interpretation
        return {
            "elements": [
                {
                    "names": sorted(name.text(prefixes) for name in names if name != hidden),
                    "weight": str(weight),
                }
                for names, weight in zip(shown.names, self.weights, strict=True)
            ],
            "edges": [
                [role.text(prefixes), *pair]
                for role, pairs in shown.edges.items()
                for pair in sorted(pairs)
            ],
            "individuals": {one.text(prefixes): place for one, place in shown.individuals.items()},
        }
