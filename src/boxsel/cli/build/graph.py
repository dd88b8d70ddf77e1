"""`boxsel build graph`: a knowledge graph counted into conditionals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

from boxsel.cli.command import argument, command, flag, given, option
from boxsel.cli.options import JSON, Output, Sampling, Texts
from boxsel.cli.writing import NO_DATA, STRICT, Delivery
from boxsel.errors import BoxselError

if TYPE_CHECKING:
    from boxsel.build.graphs.building import Content
    from boxsel.build.graphs.choice import Choice
    from boxsel.build.graphs.inputs import Inputs
    from boxsel.build.graphs.running import Running

_UNITS: Final = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_BINARY: Final = {unit: 2 ** (10 * power) for power, unit in enumerate(_UNITS)}


@dataclass(frozen=True, slots=True)
class Files:
    """What is read, and how its triples are to be understood."""

    graph: Texts = argument(
        "Triples of all kinds: RDF, TSV, CSV, Parquet, a DuckDB database.", "[FILE]...", None
    )
    types: Texts = option("Types only: entity and class, or triples.", metavar="FILE")
    taxonomy: Texts = option("Subclass links only: class and superclass.", metavar="FILE")
    facts: Texts = option("Facts only: subject, role and object.", metavar="FILE")
    labels: Texts = option("Labels only: the name first, the label last.", metavar="FILE")
    columns: str | None = option("The columns of triples, by name or from 1.", metavar="S,P,O")
    concept_from: Texts = option("Every value of this role becomes a concept.", metavar="ROLE")
    type_predicates: Texts = option(
        "What links entity and class, beside rdf:type.", "--type-predicate", metavar="ROLE"
    )
    subclass_predicates: Texts = option(
        "What links subclass and class.", "--subclass-predicate", metavar="ROLE"
    )
    label_predicates: Texts = option(
        "What links a name and its label.", "--label-predicate", metavar="ROLE"
    )
    language: str = option("Which labels to take.", default="en")

    def inputs(self) -> Inputs:
        """The files of the graph."""
        from boxsel.build.graphs.inputs import PREDICATES, Inputs

        chosen = given(self)
        for use, usual in PREDICATES.items():
            chosen[use] = usual + chosen.get(use, ())
        if self.columns is not None:
            chosen["columns"] = tuple(map(str.strip, self.columns.split(",")))
        return Inputs(**chosen)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which concepts and roles."""

    recipe: str | None = option("The paper's choice from YAGO3: person, country or hybrid.")
    concepts: Texts = option(
        "A concept, by name or label; may be repeated.", "--concept", metavar="NAME"
    )
    under: str | None = option("Only concepts at or below this one.", metavar="NAME")
    top: int | None = option("The so many most frequent concepts.", show_default="50")
    min_instances: int | None = option("Only concepts with so many instances.")
    without: Texts = option("Leave out this concept or role.", metavar="NAME")
    root: str | None = option("One more concept: the population, or owl:Thing.", metavar="NAME")
    roles: Texts = option("A role, by name or label; may be repeated.", "--role", metavar="NAME")
    top_roles: int | None = option("The so many roles with the most facts.", show_default="5")
    min_facts: int | None = option("Only roles with so many facts.")
    roles_from: str | None = option(
        "Rank roles by their facts about its instances.", metavar="NAME"
    )
    roles_to: str | None = option("The same, for the objects of facts.", metavar="NAME")
    conjoined: int | None = option(
        "Conjunctions over the so many first concepts.", show_default="50"
    )

    def choice(self) -> Choice:
        """The choice of concepts and roles."""
        from boxsel.build.graphs.choice import Choice, recipe

        chosen = given(self)
        named = chosen.pop("recipe", None)
        choice = Choice(**chosen)
        return choice if named is None else choice.over(recipe(named))


@dataclass(frozen=True, slots=True)
class Stated:
    """What is stated about them."""

    shapes: Texts = option(
        "Only these shapes.", "--shape", metavar="PNF1|…|PNF4", show_default="all"
    )
    paper_counts: bool = flag("--paper-counts", "The paper's enumeration: no filter.")
    deterministic: bool = flag("--deterministic", "State 0 as disjointness and 1 as inclusion.")
    no_taxonomy: bool = flag("--no-taxonomy", "Do not state which concepts are subconcepts.")
    keep: Texts = option(
        "Keep what is left out: undefined, taxonomy, disjoint, included or all.", metavar="REASON"
    )
    max_conditionals: int | None = option("Refuse to make more.", show_default="5000000")
    no_data: bool = NO_DATA

    def content(self, sampling: Sampling) -> Content:
        """What the knowledge base is to hold."""
        from boxsel.build.graphs.building import Content, Keep

        kept = set(self.keep or ())
        if "all" in kept:
            kept = {*get_args(Keep), *kept} - {"all"}
        if sampling.confidence is not None:
            # 0 of 10 and 0 of 1,000 are different intervals: neither follows from the other.
            kept |= {"disjoint", "included"}
        chosen = given(self) | {"keep": tuple(sorted(kept))}
        taxonomy, data = (not chosen.pop(f"no_{one}") for one in ("taxonomy", "data"))
        return Content(taxonomy=taxonomy, data=data, **chosen)


@dataclass(frozen=True, slots=True)
class Run:
    """Where the counting runs."""

    engine: Literal["duckdb", "spark"] = option("What counts.", default="duckdb")
    master: str | None = option("Where Spark runs, such as local[2].", metavar="URL")
    memory: str | None = option("What to hold at most, such as 8GB.", metavar="SIZE")
    threads: int | None = option("How many cores to use.")
    work: str | None = option(
        "Keep the work here: a stopped run goes on from it.", metavar="FOLDER"
    )
    strict: bool = STRICT

    def running(self) -> Running:
        """How to run."""
        from boxsel.build.graphs.running import Running

        chosen = given(self)
        if self.memory is not None:
            chosen["memory"] = size_in_bytes(self.memory)
        if self.work is not None:
            chosen["work"] = Path(self.work)
        return Running(**chosen)


@command("boxsel build graph graph.nt.gz --under Person --top 30 -o persons.sel")
def graph(
    *,
    files: Files,
    chosen: Chosen,
    stated: Stated,
    run: Run,
    output: Output,
    sampling: Sampling,
    as_json: bool = JSON,
) -> None:
    """Count a knowledge graph into conditionals over its most frequent concepts and roles."""
    delivery = Delivery.of("graph", output, sampling, as_json=as_json)

    from boxsel.build.graphs.building import build_graph

    inputs, choice, content = files.inputs(), chosen.choice(), stated.content(sampling)
    delivery.deliver(build_graph(inputs, choice, content, run.running()))


def size_in_bytes(text: str) -> int:
    """An amount of memory as people write it.

    Examples:
        >>> size_in_bytes("8GB"), size_in_bytes("512 MiB")
        (8000000000, 536870912)
    """
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(i?)B?\s*", text, re.IGNORECASE)
    if match is None:
        raise BoxselError(f"{text!r} is not an amount of memory: write 8GB or 512MiB")
    number, unit, binary = match.groups()
    units = _BINARY if binary else _UNITS
    return int(float(number) * units[unit.upper()])
