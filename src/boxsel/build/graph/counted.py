"""A graph read, chosen from and counted, before anything is stated about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boxsel.build.graph import sql
from boxsel.build.graph.choice import Choice
from boxsel.build.graph.counting import count_graph
from boxsel.build.graph.counts import Chosen, Counts
from boxsel.build.graph.engine import Engine
from boxsel.build.graph.inputs import Inputs
from boxsel.build.graph.running import Running, opened, staged
from boxsel.build.graph.selection import Selection, select
from boxsel.build.graph.staging import Staged
from boxsel.build.graph.taxonomy import Taxonomy
from boxsel.build.rejects import Rejected
from boxsel.errors import BoxselError


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What was read, what of it was chosen, and the counts; `engine` is the name of what counted.

    `labels` are those of the chosen concepts and roles that have one.
    """

    read: Staged
    rejected: tuple[Rejected, ...]
    taxonomy: Taxonomy
    selection: Selection
    counts: Counts
    labels: dict[str, str]
    engine: str


def counted_graph(
    inputs: Inputs,
    choice: Choice = Choice(),  # noqa: B008 - frozen
    running: Running = Running(),  # noqa: B008
    needed: Callable[[Selection], Selection] = lambda selection: selection,
) -> Counted:
    r"""Count what a choice from a graph asks for; `needed` may take away from what was selected.

    Examples:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "graph.tsv")
        >>> rows = ["ann rdf:type Cook", "bob rdf:type Cook", "bob rdf:type Pilot"]
        >>> _ = file.write_text("\n".join(row.replace(" ", "\t") for row in rows))
        >>> found = counted_graph(Inputs(graph=(str(file),)))
        >>> found.selection.chosen.concepts, found.counts.pairs.tolist()
        (('Cook', 'Pilot'), [[2, 1], [1, 1]])
    """
    with opened(running) as (engine, folder):
        read, rejected = staged(engine, inputs, running, folder)
        if not read.tables["types"]:
            raise BoxselError(
                "no entity has a class: there is nothing to count"
                "\n  help: say which predicate gives classes, with --type-predicate (Wikidata: P31)"
                " or --concept-from"
            )
        taxonomy = Taxonomy.of((str(low), str(high)) for low, high in engine.rows(sql.links()))
        selection = needed(
            select(engine, taxonomy, choice, not_roles=inputs.checked().concept_from)
        )
        counts = count_graph(engine, selection.chosen, _above(taxonomy, selection.chosen))
        labels = _labels(engine, selection.chosen)
        return Counted(read, rejected, taxonomy, selection, counts, labels, engine.name)


def _above(taxonomy: Taxonomy, chosen: Chosen) -> dict[str, list[int]]:
    """For every class with a chosen superclass, the places of those."""
    above: dict[str, list[int]] = {}
    for place, concept in enumerate(chosen.concepts):
        for name in taxonomy.below(concept):
            above.setdefault(name, []).append(place)
    return above


def _labels(engine: Engine, chosen: Chosen) -> dict[str, str]:
    """The label of each name: of several, the first in the alphabet."""
    wanted: Sequence[str] = (*chosen.concepts, *chosen.roles)
    engine.load(sql.GIVEN, {"name": "VARCHAR"}, [wanted])
    return {
        str(name): str(label)
        for name, label in engine.rows(sql.labels_of_given())
        if str(label).strip()
    }
