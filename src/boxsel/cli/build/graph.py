"""`boxsel build graph`: a knowledge graph counted into conditionals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final, Literal, cast, get_args

import typer

from boxsel.cli.build.delivery import Delivery, StrictOption
from boxsel.cli.options import (
    ConfidenceOption,
    IntervalOption,
    JsonOption,
    OutputOption,
    Sampling,
    SimultaneousOption,
    ToOption,
)
from boxsel.errors import BoxselError

Files = list[str] | None
_UNITS: Final = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_BINARY: Final = {unit: 2 ** (10 * power) for power, unit in enumerate(_UNITS)}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="Example: boxsel build graph graph.nt.gz --under Person --top 30 -o persons.sel"
    )(graph)


def graph(
    files: Annotated[
        Files,
        typer.Argument(
            metavar="[FILE]...",
            help="Triples of all kinds: RDF, TSV, CSV, Parquet, a DuckDB database.",
        ),
    ] = None,
    types: Annotated[
        Files, typer.Option(metavar="FILE", help="Types only: entity and class, or triples.")
    ] = None,
    taxonomy: Annotated[
        Files, typer.Option(metavar="FILE", help="Subclass links only: class and superclass.")
    ] = None,
    facts: Annotated[
        Files, typer.Option(metavar="FILE", help="Facts only: subject, role and object.")
    ] = None,
    labels: Annotated[
        Files, typer.Option(metavar="FILE", help="Labels only: the name first, the label last.")
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="S,P,O", help="The columns of triples, by name or from 1."),
    ] = None,
    concept_from: Annotated[
        Files,
        typer.Option(metavar="ROLE", help="Every value of this role becomes a concept."),
    ] = None,
    type_predicate: Annotated[
        Files, typer.Option(metavar="ROLE", help="What links entity and class, beside rdf:type.")
    ] = None,
    subclass_predicate: Annotated[
        Files, typer.Option(metavar="ROLE", help="What links subclass and class.")
    ] = None,
    label_predicate: Annotated[
        Files, typer.Option(metavar="ROLE", help="What links a name and its label.")
    ] = None,
    language: Annotated[str, typer.Option(help="Which labels to take.")] = "en",
    recipe: Annotated[
        str | None,
        typer.Option(help="The paper's choice from YAGO3: person, country or hybrid."),
    ] = None,
    concept: Annotated[
        Files, typer.Option(metavar="NAME", help="A concept, by name or label; may be repeated.")
    ] = None,
    under: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only concepts at or below this one.")
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(help="The so many most frequent concepts.", show_default="50"),
    ] = None,
    min_instances: Annotated[
        int | None, typer.Option(help="Only concepts with so many instances.")
    ] = None,
    without: Annotated[
        Files, typer.Option(metavar="NAME", help="Leave out this concept or role.")
    ] = None,
    root: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="One more concept: the population, or owl:Thing."),
    ] = None,
    role: Annotated[
        Files, typer.Option(metavar="NAME", help="A role, by name or label; may be repeated.")
    ] = None,
    top_roles: Annotated[
        int | None,
        typer.Option(help="The so many roles with the most facts.", show_default="5"),
    ] = None,
    min_facts: Annotated[int | None, typer.Option(help="Only roles with so many facts.")] = None,
    roles_from: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Rank roles by their facts about its instances."),
    ] = None,
    roles_to: Annotated[
        str | None, typer.Option(metavar="NAME", help="The same, for the objects of facts.")
    ] = None,
    conjoined: Annotated[
        int | None,
        typer.Option(help="Conjunctions over the so many first concepts.", show_default="50"),
    ] = None,
    shape: Annotated[
        Files,
        typer.Option(metavar="PNF1|…|PNF4", help="Only these shapes.", show_default="all"),
    ] = None,
    paper_counts: Annotated[
        bool, typer.Option("--paper-counts", help="The paper's enumeration: no filter.")
    ] = False,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="State 0 as disjointness and 1 as inclusion.")
    ] = False,
    no_taxonomy: Annotated[
        bool, typer.Option("--no-taxonomy", help="Do not state which concepts are subconcepts.")
    ] = False,
    keep: Annotated[
        Files,
        typer.Option(
            metavar="REASON",
            help="Keep what is left out: undefined, taxonomy, disjoint, included or all.",
        ),
    ] = None,
    max_conditionals: Annotated[
        int | None, typer.Option(help="Refuse to make more.", show_default="5000000")
    ] = None,
    engine: Annotated[Literal["duckdb", "spark"], typer.Option(help="What counts.")] = "duckdb",
    master: Annotated[
        str | None, typer.Option(metavar="URL", help="Where Spark runs, such as local[2].")
    ] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="What to hold at most, such as 8GB.")
    ] = None,
    threads: Annotated[int | None, typer.Option(help="How many cores to use.")] = None,
    work: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Keep the work here: a stopped run goes on from it."),
    ] = None,
    strict: StrictOption = False,
    output: OutputOption = None,
    to_format: ToOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Count a knowledge graph into conditionals over its most frequent concepts and roles."""
    sampling = Sampling(confidence, interval, simultaneous)
    delivery = Delivery.of("graph", output, to_format, sampling, as_json=as_json)

    from boxsel.build.graph.building import MAX_CONDITIONALS, Content, Keep, build_graph
    from boxsel.build.graph.choice import Choice
    from boxsel.build.graph.inputs import (
        LABEL_PREDICATES,
        SUBCLASS_PREDICATES,
        TYPE_PREDICATES,
        Inputs,
    )
    from boxsel.build.graph.recipes import recipe as recipe_named
    from boxsel.build.graph.running import Running
    from boxsel.build.graph.shapes import SHAPES, Shape

    inputs = Inputs(
        graph=tuple(files or ()),
        types=tuple(types or ()),
        taxonomy=tuple(taxonomy or ()),
        facts=tuple(facts or ()),
        labels=tuple(labels or ()),
        columns=None if columns is None else tuple(one.strip() for one in columns.split(",")),
        concept_from=tuple(concept_from or ()),
        type_predicates=TYPE_PREDICATES + tuple(type_predicate or ()),
        subclass_predicates=SUBCLASS_PREDICATES + tuple(subclass_predicate or ()),
        label_predicates=LABEL_PREDICATES + tuple(label_predicate or ()),
        language=language,
    )
    choice = Choice(
        concepts=tuple(concept or ()),
        under=under,
        top=top,
        min_instances=min_instances,
        without=tuple(without or ()),
        root=root,
        roles=tuple(role or ()),
        top_roles=top_roles,
        min_facts=min_facts,
        roles_from=roles_from,
        roles_to=roles_to,
        conjoined=conjoined,
    )
    if recipe is not None:
        choice = choice.over(recipe_named(recipe))
    kept = set(keep or ())
    if "all" in kept:
        kept = {*get_args(Keep), *kept} - {"all"}
    if confidence is not None:
        # 0 of 10 and 0 of 1,000 are different intervals: neither follows from the other.
        kept |= {"disjoint", "included"}
    content = Content(
        shapes=tuple(cast(Shape, one) for one in shape or SHAPES),
        paper_counts=paper_counts,
        deterministic=deterministic,
        taxonomy=not no_taxonomy,
        keep=tuple(cast(Keep, one) for one in sorted(kept)),
        max_conditionals=MAX_CONDITIONALS if max_conditionals is None else max_conditionals,
    )
    running = Running(
        engine=engine,
        master=master,
        memory=None if memory is None else size_in_bytes(memory),
        threads=threads,
        work=None if work is None else Path(work),
        strict=strict,
    )
    delivery.deliver(build_graph(inputs, choice, content, running))


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
