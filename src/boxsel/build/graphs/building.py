"""A graph as a knowledge base: read, choose, count, and state what is new."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

import numpy as np

from boxsel.build.built import Built, Keeping, Rejected, measured_effort
from boxsel.build.graphs import names, sql
from boxsel.build.graphs.choice import Choice, Chosen, Counts
from boxsel.build.graphs.counting import count_graph, facts_by_role
from boxsel.build.graphs.engine import Engine
from boxsel.build.graphs.inputs import Inputs
from boxsel.build.graphs.keeping import keep_data
from boxsel.build.graphs.report import GraphReport, numbers_left_out
from boxsel.build.graphs.running import Running, opened, staged
from boxsel.build.graphs.selection import Selection, select
from boxsel.build.graphs.shapes import (
    SHAPES,
    Listing,
    Reason,
    Setting,
    Shape,
    Speller,
    listings,
    paper_listings,
)
from boxsel.build.graphs.staging import Staged
from boxsel.build.graphs.taxonomy import Order, Taxonomy
from boxsel.errors import BoxselError
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import TOP, Concept, Entity
from boxsel.logic.kb import KB
from boxsel.logic.names import BARE_NAMESPACE, Prefixes
from boxsel.logic.statements import Statement
from boxsel.machine.collecting import without_cycle_collection
from boxsel.wording import expect_options

Keep = Literal["undefined", "taxonomy", "disjoint", "included"]
"""What may be kept that is otherwise left out: see `shapes`."""

MAX_CONDITIONALS: Final = 5_000_000
"""How many conditionals a knowledge base may get unless more are asked for."""

MOST_PREDICATES: Final = 8
"""So many predicates are told to who has to say which one gives classes."""


@dataclass(frozen=True, slots=True)
class Content:
    """What is stated about the chosen concepts and roles.

    With `paper_counts` it is the paper's enumeration: ordered pairs, no filter, no root, and no
    taxonomy. With `deterministic` what is 0 or 1 becomes disjointness and inclusions. `taxonomy`
    states the inclusions between the chosen concepts. The patterns of the `data` are kept beside
    the statements, as a model of them, unless they are too many.
    """

    shapes: tuple[Shape, ...] = SHAPES
    paper_counts: bool = False
    deterministic: bool = False
    taxonomy: bool = True
    keep: tuple[Keep, ...] = ()
    max_conditionals: int = MAX_CONDITIONALS
    data: bool = True

    def __post_init__(self) -> None:
        expect_options("shape", self.shapes, SHAPES)
        expect_options("keep", self.keep, get_args(Keep))
        object.__setattr__(self, "shapes", tuple(shape for shape in SHAPES if shape in self.shapes))


def build_graph(
    inputs: Inputs | str | os.PathLike[str],
    choice: Choice = Choice(),  # noqa: B008 - frozen
    content: Content = Content(),  # noqa: B008
    running: Running = Running(),  # noqa: B008
) -> Built[GraphReport]:
    r"""Count a knowledge graph into conditionals; one file of triples may be given by its path.

    Examples:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "graph.tsv")
        >>> rows = ["ann rdf:type Cook", "bob rdf:type Cook", "bob rdf:type Pilot", "ann knows bob"]
        >>> _ = file.write_text("\n".join(row.replace(" ", "\t") for row in rows))
        >>> built = build_graph(file)
        >>> for statement in built.kb:
        ...     print(statement)
        (Pilot | Cook)[1 of 2]
        (Cook | Pilot)[1 of 1]
        (Cook | knows some Cook)[1 of 1]
        (Cook | knows some Pilot)[1 of 1]
        (knows some Cook | Cook)[1 of 2]
        (knows some Cook | Pilot)[0 of 1]
        (knows some Pilot | Cook)[1 of 2]
        (knows some Pilot | Pilot)[0 of 1]
    """
    if not isinstance(inputs, Inputs):
        inputs = Inputs(graph=(os.fspath(inputs),))
    with measured_effort() as effort:
        counted = counted_graph(
            inputs,
            choice,
            running,
            lambda selection: _needed(selection, content),
            data=content.data,
        )
        chosen = counted.selection.chosen
        with without_cycle_collection():
            order = _order(counted.taxonomy, chosen, content)
            found = _listings(counted.counts, order, content)
            kb, numbers = _stated(chosen, order, found, content, counted.labels)
            kb = replace(kb, data=counted.keeping.data)
    report = GraphReport(
        counted.read,
        counted.rejected,
        counted.taxonomy.cycles,
        counted.selection,
        counted.counts.members,
        counted.counts.patterns,
        numbers,
        numbers_left_out(found),
        len(kb) - sum(numbers.values()),
        counted.labels,
        counted.keeping,
        counted.engine,
        effort,
    )
    return Built(kb, report)


def _needed(selection: Selection, content: Content) -> Selection:
    """What the wanted shapes speak of, unless it is too much.

    The paper's enumeration is without the root.
    """
    chosen, root = selection.chosen, selection.root
    if content.paper_counts and root is not None:
        chosen, root = replace(chosen, concepts=chosen.concepts[:root], everything=False), None
    if "PNF2" not in content.shapes:
        chosen = replace(chosen, conjoined=())
    if not {"PNF3", "PNF4"} & set(content.shapes):
        chosen = replace(chosen, roles=())
    _check_amount(chosen, content)
    return replace(
        selection,
        chosen=chosen,
        root=root,
        instances={name: selection.instances[name] for name in chosen.concepts},
        facts={name: selection.facts[name] for name in chosen.roles},
    )


def _check_amount(chosen: Chosen, content: Content) -> None:
    size, conjoined, roles = len(chosen.concepts), len(chosen.conjoined), len(chosen.roles)
    each = {
        "PNF1": size * (size - 1),
        "PNF2": conjoined * (conjoined - 1) * (conjoined - 2) // (1 if content.paper_counts else 2),
        "PNF3": roles * size**2,
        "PNF4": roles * size**2,
    }
    total = sum(each[shape] for shape in content.shapes)
    if total > content.max_conditionals:
        raise BoxselError(
            f"{size:,} concepts ({conjoined:,} of them in conjunctions) and {roles:,} roles are up"
            f" to {total:,} conditionals, more than {content.max_conditionals:,}"
            "\n  help: choose fewer (--top, --min-instances, --conjoined, --top-roles, --shape),"
            " or allow more with --max-conditionals"
        )


def _order(taxonomy: Taxonomy, chosen: Chosen, content: Content) -> Order:
    """The order that is stated: what it implies is left out, and only that."""
    stated = taxonomy if content.taxonomy and not content.paper_counts else Taxonomy.of(())
    return Order.of(stated, [*chosen.concepts, *([None] if chosen.everything else [])])


def _listings(counts: Counts, order: Order, content: Content) -> dict[Shape, Listing]:
    setting = Setting(counts, order, content.shapes)
    if content.paper_counts:
        return paper_listings(setting)
    kept = [Reason[name.upper()] for name in content.keep]
    return {
        shape: replace(
            listing,
            codes=np.where(np.isin(listing.codes, kept), Reason.KEPT, listing.codes).astype(
                np.int8
            ),
        )
        for shape, listing in listings(setting).items()
    }


def _stated(
    chosen: Chosen,
    order: Order,
    found: dict[Shape, Listing],
    content: Content,
    labels: dict[str, str],
) -> tuple[KB, dict[Shape, int]]:
    """The knowledge base, and how many conditionals there are of each shape."""
    iris = names.iris((*chosen.concepts, *chosen.roles))
    concepts: list[Concept] = [names.concept(name) for name in chosen.concepts]
    concepts += [TOP] * chosen.everything
    roles = [names.role(name) for name in chosen.roles]
    speller = Speller(concepts, chosen.conjoined, roles)
    axioms: list[Axiom] = list(order.axioms(concepts))
    numbers: dict[Shape, int] = {}
    for shape, listing in found.items():
        axioms.extend(speller.axioms(listing, deterministic=content.deterministic))
        numbers[shape] = listing.number(Reason.KEPT)
    entities = [name for name in (*concepts, *roles) if isinstance(name, Entity)]
    kb = KB(
        tuple(Statement(axiom) for axiom in axioms),
        _prefixes(iris.values()),
        {iris[name]: label for name, label in labels.items()},
        frozenset(entities),
    )
    return kb, numbers


def _prefixes(iris: Iterable[str]) -> Prefixes:
    """A default prefix, if most names share a namespace of their own."""
    spaces = Counter(iri[: max(iri.rfind("/"), iri.rfind("#")) + 1] for iri in iris)
    total = sum(spaces.values())
    space, number = spaces.most_common(1)[0] if spaces else ("", 0)
    if not space or space.startswith(BARE_NAMESPACE) or 2 * number <= total:
        return Prefixes()
    return Prefixes({"": space})


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
    keeping: Keeping
    engine: str


def counted_graph(
    inputs: Inputs,
    choice: Choice = Choice(),  # noqa: B008 - frozen
    running: Running = Running(),  # noqa: B008
    needed: Callable[[Selection], Selection] = lambda selection: selection,
    *,
    data: bool = False,
) -> Counted:
    r"""Count what a choice from a graph asks for; `needed` may take away from what was selected.

    With `data` their patterns are found, too.

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
            raise _classless(engine)
        taxonomy = Taxonomy.of(engine.rows(sql.LINKS))
        selection = needed(
            select(engine, taxonomy, choice, not_roles=inputs.checked().concept_from)
        )
        chosen = selection.chosen
        above = _above(taxonomy, chosen)
        counts = count_graph(engine, chosen, above)
        keeping = keep_data(engine, chosen, above) if data else Keeping()
        labels = _labels(engine, chosen)
        return Counted(read, rejected, taxonomy, selection, counts, labels, keeping, engine.name)


def _classless(engine: Engine) -> BoxselError:
    """Why nothing can be counted, with the predicates of which one may give classes."""
    facts = sorted(facts_by_role(engine).items(), key=lambda role: (-role[1], role[0]))
    shown = [f"{name} ({count:,})" for name, count in facts[:MOST_PREDICATES]]
    more = f" and {len(facts) - len(shown):,} more" if len(facts) > len(shown) else ""
    there = f"; its predicates and their rows: {', '.join(shown)}{more}" if shown else ""
    return BoxselError(
        "no entity has a class: there is nothing to count"
        "\n  help: say which predicate gives classes, with --type-predicate (Wikidata: P31)"
        f" or --concept-from, and which superclasses, with --subclass-predicate{there}"
    )


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
    return {name: text for name, text in engine.rows(sql.LABELS_OF_GIVEN) if text.strip()}
