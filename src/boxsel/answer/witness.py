"""Models that show an end: how large they are, and whether they attain it or only come near."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Final

from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import about
from boxsel.logic.statements import Query

LARGE: Final = 10**9
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
        if self.body <= LARGE:
            share = f"{self.head:,} of {self.body:,} {body} are {head}"
        elif self.head in (0, self.body):
            share = f"{'all' if self.head else 'none'} of its {body} are {head}"
        else:
            share = f"{about(Fraction(self.head, self.body), 6)} of its {body} are {head}"
        return f"a model {'attains it' if self.attained else 'comes as near as one likes'}: {share}"

    def to_json(self) -> dict[str, Any]:
        """The witness as a JSON object; counts past all sense are left out."""
        small = self.body <= LARGE
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
    body = members.extension(query.body)
    both = body & members.extension(query.head)

    def weight(places: frozenset[int], further: bool = False) -> Fraction:
        elements = (model.elements[place] for place in places)
        return sum((one.further if further else one.weight for one in elements), Fraction(0))

    whole, part = weight(body), weight(both)
    share = part / whole
    moved = weight(both, further=True) != share * weight(body, further=True)
    scale = lcm(*(one.weight.denominator for one in model.elements if one.weight))
    return Witness(int(whole * scale), int(part * scale), not moved)
