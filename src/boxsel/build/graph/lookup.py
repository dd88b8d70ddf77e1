"""Names as people give them, found among those of a graph: by name, or by label."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches

from boxsel.build.graph.duckdb_engine import quoted
from boxsel.build.graph.engine import Engine
from boxsel.build.graph.names import canonical
from boxsel.errors import BoxselError
from boxsel.wording import listed


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
        labelled = [
            str(row[0])
            for row in self.engine.rows(
                f"SELECT DISTINCT name FROM labels WHERE lower(label) = {quoted(said.lower())}"
            )
            if row[0] in self.known
        ]
        if len(labelled) == 1:
            return labelled[0]
        if labelled:
            raise BoxselError(
                f"several names are labelled {said!r}: write one of {listed(sorted(labelled))}"
            )
        near = get_close_matches(name, self.known, n=3, cutoff=0.6)
        advice = f"\n  help: did you mean {listed(near)}?" if near else ""
        raise BoxselError(f"the graph has no {kind} {said}{advice}")
