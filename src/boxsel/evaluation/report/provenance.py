"""What a run was: what the words mean, what failed, its costs, splits, ontologies and settings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final, get_args

from boxsel.evaluation.ontologies.folder import Entry
from boxsel.evaluation.published import RUNTIME, kin_of
from boxsel.evaluation.records import Study
from boxsel.evaluation.report.aggregate import Cost, Line, Summary, grouped, spread
from boxsel.evaluation.report.comparison import cost_column, over_seeds
from boxsel.evaluation.report.names import (
    BASELINES,
    listed,
    method_label,
    natural,
    ontology_order,
    variant_order,
)
from boxsel.evaluation.report.parts import (
    Block,
    Column,
    Compared,
    Points,
    RunInfo,
    SplitSize,
    Table,
    Terms,
    Value,
)

DEEP: Final = 2
"""Settings below so many others are not printed."""

LEGEND: Final = (
    (
        "SA",
        "soundness accuracy: the share of predicted intervals that lie within the true ones, up to"
        " 1e-6. More is better.",
    ),
    (
        "SE",
        "soundness error: how far predicted intervals reach beyond the true ones, both ends added,"
        " on average. Less is better.",
    ),
    (
        "AG",
        "approximation gap: how far predicted ends are from true ends, both ends added, on average."
        " Less is better.",
    ),
    ("width", "upper end less lower end, on average."),
    (
        "MAE",
        "mean absolute error of the embedding: learned shares against those of the members. A"
        " conditional whose body is empty in a member does not count there.",
    ),
    (
        "PMP",
        "probabilistic modus ponens: the interval that two premises alone give. There is one for"
        " each pair of premises of a query.",
    ),
    (
        "exact",
        "the interval that all that was learned gives, one for each query that was drawn for it,"
        " some of each kind. Where the reasoner ran out of time it is an outer one: the share of"
        " proved ones is stated.",
    ),
    (
        "failed",
        "a run that failed counts as having predicted [0, 1] everywhere. It is in every mean.",
    ),
    ("±", "the sample standard deviation over seeds: each seed is a split."),
    ("–", "no number."),
)


def legend_blocks(_summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """How to read the tables."""
    yield Terms(LEGEND)
    yield "Always 2 SE − AG = predicted width − true width, on the same items."


def failures_blocks(summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """Every run that failed, with its reason."""
    lines = [line for study in get_args(Study) for line in summary.lines(study)]
    failed = [effort for line in lines for effort in summary.efforts.get(line, ()) if effort.reason]
    cells = len({effort.cell for effort in summary.results.efforts})
    if not failed:
        yield f"No run of the {cells:,} cells failed." if cells else "No run was recorded."
        return
    names = ("study", "ontology", "variant", "seed", "method", "setting", "reason")
    told = (asdict(effort.cell) | {"reason": effort.reason} for effort in failed)
    rows = ({**content, "method": method_label(content["method"])} for content in told)
    yield Table(
        "failures",
        "Runs that failed",
        tuple(Column(name, name, "count" if name == "seed" else "text") for name in names),
        tuple(tuple(row[name] for name in names) for row in rows),
        f"{len(failed):,} of {cells:,} cells; against either truth they count as [0, 1].",
    )


def runtime_blocks(summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """One table: seconds for an epoch, milliseconds for a query, and the paper's beside them."""
    lines = [
        line
        for line in summary.lines("main")
        if line in summary.efforts and line.method not in BASELINES
    ]
    if not lines:
        return

    def devices(line: Line) -> list[str]:
        efforts = (effort for effort in summary.efforts[line] if not effort.reason)
        return list(dict.fromkeys(effort.device for effort in efforts if effort.device))

    def beside(key: Cost, title: str) -> Column:
        """A cost beside the paper's: less is better."""

        def read(line: Line) -> Compared:
            ours = summary.cost(line, key)
            rows = (row for row in RUNTIME if row.kin == kin_of(line.ontology))
            paper: float | None = getattr(next(rows, None), key, None)
            faster = None if ours is None or paper is None else ours.mean < paper
            return Compared(ours, paper, faster)

        about = "of all members at once"
        return Column(key, title, "amount", about, spread=True, compared=True, read=read)

    every = dict.fromkeys(device for line in lines for device in devices(line))
    yield (
        f"Ours on {listed(list(every)) or 'a device without a name'}; the paper's on an NVIDIA A100"
        " with 40 GB. Our epoch trains all members at once, the paper's one embedding: its 60"
        " embeddings take 60 times as long."
    )
    yield Table.of(
        "runtime",
        "Time to train and to ask",
        (
            Column("split", "split"),
            Column("method", "method", read=lambda line: method_label(line.method)),
            cost_column(summary, "members", "members", "count"),
            cost_column(summary, "epochs", "epochs", "count"),
            beside("seconds_per_epoch", "s / epoch"),
            beside("milliseconds_per_query", "ms / query"),
            cost_column(summary, "seconds", "s in all", "amount", "one run, with its last phase"),
            Column("device", "device", read=lambda line: ", ".join(devices(line)) or None),
            Column("runs", "runs", read=summary.runs),
        ),
        lines,
        f"No truth is involved; {over_seeds(summary.seeds(lines))}",
        notes=(
            "Failed runs have no times. Seconds are with compiling; those of an epoch are without"
            " the last phase of our preset, those in all with it. The paper's times are for"
            " its own ontologies, of other sizes where ours differ. Where several runs were at"
            " once, the device says so: each of them takes longer than it would alone.",
        ),
        grouped=True,
    )


def splits_blocks(_summary: Summary, info: RunInfo) -> Iterator[Block]:
    """How much is learned and how much is asked, beside the paper's numbers."""
    if not info.splits:
        return

    def mean(key: str, title: str, about: str) -> Column:
        def read(sizes: list[SplitSize]) -> Value:
            return spread(getattr(size, key) for size in sizes)

        return Column(key, title, "count", about, spread=True, read=read)

    def paper(key: str, attribute: str, about: str) -> Column:
        def read(sizes: list[SplitSize]) -> Value:
            return next(
                (getattr(size.published, attribute) for size in sizes if size.published), None
            )

        return Column(f"{key}_published", "paper", "count", about, read=read)

    ordered = sorted(
        info.splits,
        key=lambda split: (
            variant_order(split.variant),
            ontology_order(split.ontology),
            split.part,
            natural(split.shape),
        ),
    )
    sizes = grouped(ordered, lambda split: (split.ontology, split.variant, split.part, split.shape))
    yield Table.of(
        "splits",
        "Conditionals to learn, and pairs of premises",
        (
            Column("split", "split", read=lambda one: f"{one[0].ontology} · {one[0].variant}"),
            Column("part", "part", read=lambda split: split[0].part),
            Column("shape", "shape", read=lambda split: split[0].shape),
            mean("learned", "learned", "without those about the root"),
            paper("learned", "learned", "the paper's knowledge base"),
            mean("root", "about the root", "learned besides"),
            mean("pairs", "pairs", "pairs of premises for queries"),
            paper("pairs", "asked", "the paper's queries"),
        ),
        sizes.values(),
        f"No truth is involved; {over_seeds(sorted({split.seed for split in info.splits}))}",
        notes=(
            "The paper's counts of PNF1 and PNF2 follow from its numbers of concepts and of query"
            " concepts. Its counts of PNF3 and PNF4 fit no such formula.",
        ),
        grouped=True,
    )


def provenance_blocks(_summary: Summary, info: RunInfo) -> Iterator[Block]:
    """What one needs to repeat the run."""
    if info.notes:
        yield Points(info.notes)
    if info.ontologies:
        yield Table.of(
            "ontologies",
            "Ontologies",
            (
                Column("name", "name"),
                Column("origin", "origin"),
                Column("sizes", "sizes", read=_sizes),
                Column("digest", "digest", "digest", "a hash of all that was counted"),
            ),
            info.ontologies,
            "Equal digests mean equal ontologies. No truth and no seed is involved.",
        )
    yield from _settings(info)


def _settings(info: RunInfo) -> Iterator[Table]:
    """What was chosen; what is nested deeply is in a file alone."""
    rows = [
        ("date", info.date),
        ("device", info.device),
        ("seeds", ", ".join(map(str, info.seeds))),
        ("quick", "yes" if info.quick else "no"),
        *((f"version of {name}", version) for name, version in sorted(info.versions.items())),
        *_flat("", info.settings),
    ]
    columns = (Column("what", "what"), Column("value", "value"))
    basis = "No truth is involved."
    brief = tuple(row for row in rows if row[0].count(".") < DEEP)
    yield Table("settings", "Settings and versions", columns, brief, basis)
    if len(brief) < len(rows):
        title = "All settings, with those of every method on every ontology"
        yield Table("all-settings", title, columns, tuple(rows), basis, long=True)


def _flat(prefix: str, settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Nested settings as one level, with dots."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", value if isinstance(value, str) else json.dumps(value)


def _sizes(entry: Entry) -> str:
    sizes = {
        "concepts": entry.concepts,
        "conjoined": entry.conjoined,
        "roles": entry.roles,
        "population": entry.population,
        "listed": sum(entry.listed.values()),
        "defined": sum(entry.defined.values()),
    }
    return ", ".join(f"{name} {size:,}" for name, size in sizes.items())
