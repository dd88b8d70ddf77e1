"""Names as people give them, found among those of a graph: by name, or by label."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from heapq import nlargest
from itertools import pairwise
from typing import Final

from boxsel.build.graph import sql
from boxsel.build.graph.engine import Engine
from boxsel.build.graph.names import canonical
from boxsel.errors import BoxselError
from boxsel.wording import listed

LIKELY: Final = 1000
"""Of how many names it is seen how near they are: a graph may have half a million."""


@dataclass(frozen=True)
class Lookup:
    """Finds a name among the classes or the roles of a graph."""

    engine: Engine
    known: Collection[str]

    def find(self, said: str, kind: str) -> str:
        """The one that is meant; an error says what is near, or how many have the label."""
        name = canonical(said)
        if name in self.known:
            return name
        self.engine.load(sql.GIVEN, {"name": "VARCHAR"}, [[said]])
        labelled = [
            str(row[0])
            for row in self.engine.rows(
                f"SELECT DISTINCT labels.name FROM labels JOIN {sql.GIVEN} AS given"
                " ON lower(labels.label) = lower(given.name)"
            )
            if row[0] in self.known
        ]
        if len(labelled) == 1:
            return labelled[0]
        if labelled:
            raise BoxselError(
                f"several names are labelled {said!r}: write one of {listed(sorted(labelled))}"
            )
        near = _near(name, self.known)
        advice = f"\n  help: did you mean {listed(near)}?" if near else ""
        raise BoxselError(f"the graph has no {kind} {said}{advice}")


def _near(name: str, known: Collection[str]) -> list[str]:
    """The names that may be meant, among those that share the most neighbouring letters."""
    letters = set(pairwise(name))
    likely = nlargest(
        LIKELY, known, key=lambda one: (len(letters.intersection(pairwise(one))), one)
    )
    return get_close_matches(name, likely, n=3, cutoff=0.6)
