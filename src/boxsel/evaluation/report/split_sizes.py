"""How much is learned and how much is asked, beside the paper's numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from boxsel.evaluation.report.aggregate import Summary, spread
from boxsel.evaluation.report.info import RunInfo, SplitSize
from boxsel.evaluation.report.judging import over_seeds
from boxsel.evaluation.report.names import natural, ontology_order, variant_order
from boxsel.evaluation.report.section import LeftOut, Section
from boxsel.evaluation.report.table import Column, Table, Value


def splits_section(_summary: Summary, info: RunInfo) -> Section | LeftOut:
    """One table of all splits."""
    if not info.splits:
        return LeftOut("Splits", "the sizes of the splits were not given")
    return Section("splits", "Splits", (_table(info.splits),))


def _table(sizes: tuple[SplitSize, ...]) -> Table:
    found: dict[tuple[str, str, str, str], list[SplitSize]] = defaultdict(list)
    for one in sizes:
        found[one.ontology, one.variant, one.part, one.shape].append(one)
    rows: list[tuple[Value, ...]] = []
    for (ontology, variant, part, shape), seeds in sorted(
        found.items(),
        key=lambda item: (
            variant_order(item[0][1]),
            ontology_order(item[0][0]),
            item[0][2],
            natural(item[0][3]),
        ),
    ):
        rows.append(
            (
                f"{ontology} · {variant}",
                part,
                shape,
                spread(one.learned for one in seeds),
                _first(one.published_learned for one in seeds),
                spread(one.root for one in seeds),
                spread(one.pairs for one in seeds),
                _first(one.published_pairs for one in seeds),
            )
        )
    seeds_known = sorted({one.seed for one in sizes})
    return Table(
        "splits",
        "Conditionals to learn, and pairs of premises",
        (
            Column("split", "split"),
            Column("part", "part"),
            Column("shape", "shape"),
            Column("learned", "learned", "count", "without those about the root", spread=True),
            Column("learned_published", "paper", "count", "the paper's knowledge base"),
            Column("root", "about the root", "count", "learned besides", spread=True),
            Column("pairs", "pairs", "count", "pairs of premises for queries", spread=True),
            Column("pairs_published", "paper", "count", "the paper's queries"),
        ),
        tuple(rows),
        f"No truth is involved; {over_seeds(seeds_known)}",
        (
            "The paper's counts of PNF1 and PNF2 follow from its numbers of concepts and of query"
            " concepts. Its counts of PNF3 and PNF4 fit no such formula.",
        ),
        True,
    )


def _first(values: Iterable[int | None]) -> int | None:
    return next((one for one in values if one is not None), None)
