"""The possible side without proofs: populations that show which shares a query can have."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boxsel.checker.models import share_in
from boxsel.exact.nearly import Nearly
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.proportions import Inner
from boxsel.logic.statements import Query


def find_possible(
    reasoner: Reasoner, query: Query, tell: Callable[[Nearly], None] = lambda _: None
) -> Iterator[tuple[Inner, WeightedModel]]:
    """Wider and wider intervals of shares that are possible, each with the last model found.

    Every model is checked, statement by statement, by the checker of certificates. As long as there
    is none, whoever wants to know is told what came nearest.
    """
    inner: Inner | None = None
    for model in reasoner.populations(query, tell):
        weights = [element.weight for element in model.elements]
        further = [element.further for element in model.elements]
        share = share_in(reasoner.kb, model.interpretation, weights, further, query)
        if share is not None:
            inner = Inner(share, share, 1).joined(inner)
            yield inner, model
