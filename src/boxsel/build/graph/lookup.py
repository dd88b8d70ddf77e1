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
            str(row[0]) for row in self.engine.rows(sql.given_as_label()) if row[0] in self.known
        ]
        if len(labelled) == 1:
            return labelled[0]
        if labelled:
            raise BoxselError(
                f"several names are labelled {said!r}: write one of {listed(sorted(labelled))}"
            )
        raise BoxselError(f"the graph has no {kind} {said}{suggestion(name, self.known)}")


def suggestion(name: str, known: Collection[str]) -> str:
    """What may be meant, as the last line of a message: names that share the most letters.

    Examples:
        >>> print("no class Pupils" + suggestion("Pupils", ["Pupil", "Teacher"]))
        no class Pupils
          help: did you mean Pupil?
    """
    letters = set(pairwise(name))
    likely = nlargest(
        LIKELY, known, key=lambda one: (len(letters.intersection(pairwise(one))), one)
    )
    near = get_close_matches(name, likely, n=3, cutoff=0.6)
    return f"\n  help: did you mean {listed(near)}?" if near else ""
