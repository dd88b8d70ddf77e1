"""Checks models: in sets and weights, statement by statement."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from boxsel.checker.certificates import Model
from boxsel.checker.parts import PartedModel
from boxsel.checker.wrong import WrongError, shown
from boxsel.logic.interpretations import Interpretation, Weights
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import NO_LIMIT, Budget


class Models:
    """Checks models of one knowledge base; one that both ends share is checked once."""

    def __init__(self, kb: KB, budget: Budget) -> None:
        self._kb, self._budget = kb, budget
        self._true: set[int] = set()

    def check(
        self, model: Model | PartedModel, query: Query | None = None, bound: object = None
    ) -> None:
        """There is a model with the share of a bound, or as near to it as one likes."""
        if id(model) not in self._true:
            if isinstance(model, PartedModel):
                self._check_parts(model)
            else:
                self._check_elements(model)
            self._true.add(id(model))
        share = None if query is None else _share(model, query)
        if query is not None and share != bound:
            raise WrongError(f"the query's share is {shown(share)}")

    def _check_parts(self, model: PartedModel) -> None:
        """Every axiom is true in a population that is given in parts."""
        if model.fault is not None:
            raise WrongError(model.fault)
        try:
            broken = model.find_broken(self._budget.watched(self._kb.axioms))
        except LookupError as error:
            raise WrongError(str(error)) from None
        if broken is not None:
            raise WrongError(f"{broken} is not true")

    def _check_elements(self, model: Model) -> None:
        """Every axiom is true; any little of the further weights has to be mixed in."""
        mixed = list(zip(model.weights, model.further, strict=True))
        if not mixed or min(map(min, mixed)) < 0 or min(map(sum, mixed)) == 0:
            raise WrongError("there are no elements, or some without weight or with a negative one")
        main, further = Weights(model.weights), Weights(model.further)
        for axiom in self._budget.watched(self._kb.axioms):
            if not model.interpretation.satisfies(axiom, main, further):
                raise WrongError(f"{axiom} is not true")


def _share(model: Model | PartedModel, query: Query) -> Fraction | None:
    """The share of a query in the main weights."""
    if isinstance(model, Model):
        return model.interpretation.share(query.head, query.body, Weights(model.weights))
    try:
        return model.share(query.head, query.body)
    except LookupError as error:
        raise WrongError(str(error)) from None


def share_in(
    kb: KB,
    model: Interpretation,
    weights: Sequence[Fraction],
    further: Sequence[Fraction],
    query: Query,
) -> Fraction | None:
    """The share of a query in a population that satisfies a knowledge base.

    None if the body is empty in it.

    Raises:
        WrongError: Some statement is not true, or some weights are not weights.
    """
    population = Model(model, list(weights), list(further))
    check_model(kb, population)
    return _share(population, query)


def check_model(kb: KB, model: Model, budget: Budget = NO_LIMIT) -> None:
    """Every statement is true in a population; else `WrongError`."""
    Models(kb, budget).check(model)
