"""Why an end of an answer is where it is: what forces it, and models that show it, or come near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from boxsel.answer.population import AttainingPopulation
from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Query, Statement
from boxsel.wording import several

LARGEST_COUNT: Final = 10**9
"""Populations that are larger are not spelt out."""


@dataclass(frozen=True)
class Witness:
    """A model in which a query has some share.

    So many of its members have the body, `head` of them the head too. `attained`: the share is the
    end itself. Otherwise models of this kind come as near to it as one likes.
    """

    body: int
    head: int
    attained: bool

    def text(self, query: Query, prefixes: Prefixes) -> str:
        """The witness for people."""
        body, head = query.body.text(prefixes), query.head.text(prefixes)
        said = f"a model {'attains it' if self.attained else 'comes as near as one likes'}"
        if self.body <= LARGEST_COUNT:
            return f"{said}: {self.head:,} of {self.body:,} {body} are {head}"
        if self.head in (0, self.body):
            return f"{said}: {'all' if self.head else 'none'} of its {body} are {head}"
        return said  # its share is the end, which has been told

    def to_json(self) -> dict[str, Any]:
        """The witness as a JSON object; counts past all sense are left out."""
        small = self.body <= LARGEST_COUNT
        return {
            "body": self.body if small else None,
            "head": self.head if small else None,
            "attained": self.attained,
        }


def witness_of(model: WeightedModel, query: Query) -> Witness:
    """What a model says about a query.

    The share is that in the main weights. Where further ones have to be mixed in, and move it, it
    is approached only.
    """
    members = model.interpretation
    body = members.places(query.body)
    both = body & members.places(query.head)
    whole, part = model.weights.whole(body), model.weights.whole(both)
    moved = model.further.whole(both) * whole != part * model.further.whole(body)
    return Witness(whole, part, not moved)


How = Literal["proved", "trivial", "always", "parts", "open", ""]
"""What an end rests on: some statements; nothing, since it is 0 or 1, or always so; parts of the
whole, since the time was over; or nothing yet."""


@dataclass(frozen=True)
class Evidence:
    """The evidence for one end.

    `statements` force it: they are minimal if there was time for that. `witness` is a model that
    attains it, or comes near, `population` who is in it, if that was asked for. Where the time was
    over, it was found from parts of the knowledge base, and there is neither.
    """

    how: How
    statements: tuple[Statement, ...] = ()
    witness: Witness | None = None
    population: AttainingPopulation | None = None

    def text(self, query: Query, prefixes: Prefixes) -> str:
        """One sentence."""
        forced = {
            "trivial": "nothing stated says more",
            "always": "so it is whatever is stated",
            "proved": f"forced by {several(len(self.statements), 'statement')}",
            "parts": "proved from parts of the knowledge base",
            "open": "nothing more was proved in time",
            "": "",
        }[self.how]
        if self.witness is None:
            return forced
        return f"{forced}; {self.witness.text(query, prefixes)}"

    def to_json(self, query: Query, prefixes: Prefixes) -> dict[str, Any]:
        """The evidence as a JSON object."""
        content: dict[str, Any] = {
            "text": self.text(query, prefixes),
            "how": self.how or None,
            "axioms": [statement.text(prefixes) for statement in self.statements],
            "witness": self.witness and self.witness.to_json(),
        }
        if self.population is not None:
            content["population"] = self.population.to_json(prefixes)
        return content


NO_EVIDENCE = Evidence("")
