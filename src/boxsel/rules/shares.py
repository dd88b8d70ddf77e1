"""The shares in play: which part of which body, and what was stated of it.

A share `(D | C)` compares the region of C ⊓ D, its *part*, with that of C. Two spellings with
the same body and part are one share. Its *readings* are heads that leave the same part: as
given, as what the part adds to the body, and as the definition of a name.

Shares that saturation knows to be 0 or 1 are put into the table where they are stated or on
the way to a query, because rules build on them; nothing is to be learned about them.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from fractions import Fraction
from typing import TypeVar

from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept
from boxsel.logic.proportions import ONE, ZERO
from boxsel.logic.statements import Query
from boxsel.rules.knowledge import Knowledge, Region


class Certain(Enum):
    """A share that needs no rule: saturation knows it."""

    ALL = "the body is included in the head"
    NONE = "the body and the head are disjoint"
    VACUOUS = "the body is empty"


class Shares:
    """A growing table: share number `n` has `bodies[n]`, `heads[n]`, `parts[n]`, `queries[n]`."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.regions: list[Region | None] = []
        self.head_regions: list[Region] = []
        self.bodies: list[int] = []
        self.heads: list[int] = []
        self.parts: list[int] = []
        self.queries: list[Query] = []
        self.certain: list[Certain | None] = []
        self.lower: list[Fraction] = []
        self.upper: list[Fraction] = []
        self.lower_axiom: list[Conditional | None] = []
        self.upper_axiom: list[Conditional | None] = []
        self._region_ids: dict[Region | None, int] = {}
        self._head_ids: dict[Region, int] = {}
        self._closures: dict[Region, Region] = {}
        self._numbers: dict[tuple[int, int], int] = {}
        self.readings: dict[tuple[int, int], None] = {}
        self._certain_numbers: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self.bodies)

    def number(self, query: Query) -> int | Certain:
        """The share that a query asks about, put into the table if it is new."""
        body = self.knowledge.region(query.body)
        if body is None:
            return Certain.VACUOUS
        head = self.knowledge.region(query.head)
        return Certain.NONE if head is None else self.between(body, head, query)

    def known(self, query: Query) -> int | Certain | None:
        """The share that a query asks about, or nothing if it is not in the table."""
        try:
            body, head = map(self.knowledge.region, (query.body, query.head))
        except KeyError:
            return None
        if body is None:
            return Certain.VACUOUS
        part = None if head is None else self.knowledge.meet(body, head)
        if part is None:
            return Certain.NONE
        if part == body:
            return Certain.ALL
        key = self._region_ids.get(body, -1), self._region_ids.get(part, -1)
        return self._numbers.get(key)

    def between(self, body: Region, head: Region, query: Query | None = None) -> int | Certain:
        """The share of a head region in a body region, put into the table if it is new."""
        part = self.knowledge.meet(body, head)
        # What the head adds to the body; if that is nothing, all of it tells it from others.
        rest = head - self.closure(body) or head
        key = self._region_id(body), self._region_id(part)
        if part is None or part == body:
            certain = Certain.NONE if part is None else Certain.ALL
            if rest:
                same = key[0], _id(rest, self._head_ids, self.head_regions)
                if same not in self._certain_numbers:
                    self._certain_numbers[same] = len(self.bodies)
                    self._add(key, rest, query, certain)
                self._read(self._certain_numbers[same], (rest, head))
            return certain
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.bodies)
            self._add(key, rest, query, None)
        added = part - self.closure(body)
        # A shorter reading: what was given amounts to a defined name. A longer one tells nothing.
        self._read(number, (rest, head, added) if len(added) <= len(rest) else (rest, head))
        return number

    def is_none(self, body: Region, head: Region) -> bool:
        """Whether saturation knows that two regions are disjoint."""
        return self.knowledge.meet(body, head) is None

    def state(self, axiom: Conditional) -> int | Certain:
        """Take a conditional as stated."""
        number = self.number(Query(axiom.head, axiom.body))
        if isinstance(number, int):
            bounds = axiom.bounds
            if bounds.lower > self.lower[number]:
                self.lower[number], self.lower_axiom[number] = bounds.lower, axiom
            if bounds.upper < self.upper[number]:
                self.upper[number], self.upper_axiom[number] = bounds.upper, axiom
        return number

    def closure(self, region: Region) -> Region:
        """Every atom that includes a region."""
        known = self._closures.get(region)
        if known is None:
            known = self._closures[region] = self.knowledge.closure(region)
        return known

    def _read(self, share: int, heads: Iterable[Region]) -> None:
        """Note the heads under which a share may be found."""
        for head in heads:
            reading = share, _id(head, self._head_ids, self.head_regions)
            self.readings.setdefault(reading)
            made_of = self.knowledge.made_of(head)
            if made_of is not None:
                reading = share, _id(made_of, self._head_ids, self.head_regions)
                self.readings.setdefault(reading)

    def _add(
        self, key: tuple[int, int], head: Region, query: Query | None, certain: Certain | None
    ) -> None:
        body = self.regions[key[0]]
        assert body is not None
        self.bodies.append(key[0])
        self.parts.append(key[1])
        self.heads.append(_id(head, self._head_ids, self.head_regions))
        self.queries.append(query or Query(self._shown(head), self._shown(body)))
        self.certain.append(certain)
        self.lower.append(ONE if certain is Certain.ALL else ZERO)
        self.upper.append(ZERO if certain is Certain.NONE else ONE)
        self.lower_axiom.append(None)
        self.upper_axiom.append(None)

    def _shown(self, region: Region) -> Concept:
        return self.knowledge.concept(region)

    def _region_id(self, region: Region | None) -> int:
        return _id(region, self._region_ids, self.regions)


_AnyRegion = TypeVar("_AnyRegion", Region, Region | None)


def _id(region: _AnyRegion, ids: dict[_AnyRegion, int], regions: list[_AnyRegion]) -> int:
    number = ids.get(region)
    if number is None:
        number = ids[region] = len(regions)
        regions.append(region)
    return number
