"""Which population people are taken from: that of an end, the typical one, the data, or any.

Each is a model with weights. Those of a typical population are floats, and nearly obey what is
stated; all others are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from boxsel.errors import BoxselError
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.typical import find_typical
from boxsel.exact.weighted_model import Element, WeightedModel
from boxsel.logic.concepts import TOP, Concept, Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.machine.progress import during, track
from boxsel.people.ends import End

Origin = Literal["lower", "upper", "typical", "data", "found"]

MOST_TYPES: Final = 4_096
"""A typical population of more types is not listed: people would nearly all be different."""

TRUE: Final = 1e-9
"""How far the weights of a typical population may be from what is stated."""


@dataclass(frozen=True)
class Chosen:
    """A population, where it comes from, and the share that the query has in it, if it is exact."""

    origin: Origin
    model: WeightedModel
    share: Fraction | None = None

    @property
    def is_exact(self) -> bool:
        """Whether its weights obey what is stated as they are."""
        return self.origin != "typical"


def choose_populations(kb: KB, query: Query | None, end: End, budget: Budget) -> Iterator[Chosen]:
    """The population at an end of a query; without one, the typical one and the data, else any.

    Raises:
        BoxselError: There is none, or none of this kind, or none was found in time.
    """
    reasoner = Reasoner(kb, budget=budget)
    try:
        if query is not None and end != "typical":
            yield _at_end(kb, reasoner, query, end)
            return
        typical = _typical(kb, budget)
        if isinstance(typical, Chosen):
            yield typical
        elif query is not None:
            raise BoxselError(f"there is no typical population to take people from: {typical}")
        if query is None and reasoner.witness is not None:
            yield Chosen("data", reasoner.witness)
        elif not isinstance(typical, Chosen):
            yield Chosen("found", _any(kb, reasoner))
    except OutOfTimeError:
        raise BoxselError(
            "no population was found in time: give more with --budget, or fewer statements"
        ) from None


def _at_end(kb: KB, reasoner: Reasoner, query: Query, end: End) -> Chosen:
    outcome = reasoner.bounds(query)
    said = query.text(kb.prefixes)
    if outcome.lower is None or outcome.upper is None:
        why = {
            "vacuous": f"{query.body.text(kb.prefixes)} is empty in every model",
            "inconsistent": "there is no model at all",
        }.get(outcome.status, "no bounds were found")
        raise BoxselError(
            f"{said}: {why}, so that there are no people to take\n  help: see boxsel check"
        )
    side = outcome.lower if end == "lower" else outcome.upper
    return Chosen("lower" if end == "lower" else "upper", side.model, side.bound)


def _typical(kb: KB, budget: Budget) -> Chosen | str:
    """The typical population in a list, or why there is none."""
    if kb.signature.roles or kb.signature.individuals:
        return "the knowledge base has roles or individuals"
    try:
        typical = find_typical(kb, budget=budget)
    except BoxselError as error:
        return str(error)
    kinds = typical.kinds(MOST_TYPES)
    if kinds is None:
        return f"it has more than {MOST_TYPES:,} different people"
    if typical.violation > TRUE:
        return f"its weights are {typical.violation:.1e} away from what is stated"
    elements = (Element(_names(kind), Fraction(weight), Fraction(0)) for kind, weight in kinds)
    return Chosen("typical", WeightedModel(tuple(elements)))


def _names(basics: frozenset[Concept]) -> tuple[Name, ...]:
    return tuple(
        sorted((basic for basic in basics if isinstance(basic, Name)), key=lambda name: name.iri)
    )


def _any(kb: KB, reasoner: Reasoner) -> WeightedModel:
    """Models side by side, until every name that can has members.

    One that is drawn has most of them; of the others each may need a proof.
    """
    model = WeightedModel()
    if not during(lambda: reasoner.consistent, "looking for people"):
        raise BoxselError("there is no model at all\n  help: boxsel check finds the conflict")
    concepts = kb.signature.concepts
    during(lambda: reasoner.realise_together(*concepts), "looking for people")
    for crowd in reasoner.crowds:
        model += crowd
    for concept in track((*concepts, TOP), "looking for people of every name", len(concepts) + 1):
        if not model.interpretation.places(concept):
            outcome = reasoner.bounds(Query(TOP, concept))
            if outcome.lower is not None:
                model += outcome.lower.model
    return model
