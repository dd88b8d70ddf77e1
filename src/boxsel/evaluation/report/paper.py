"""The paper's own tables, and what does not fit in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from types import SimpleNamespace
from typing import Any, Final

from boxsel.evaluation import published as p
from boxsel.evaluation.report.aggregate import Summary
from boxsel.evaluation.report.parts import Block, Column, RunInfo, Table

_NO_TRUTH: Final = "As published; no truth is involved."
_KIN: Final = Column("ontology", "ontology", read=lambda row: row.kin)


@dataclass(frozen=True, slots=True)
class Slip:
    """Something in the paper that contradicts itself, and where."""

    key: str
    about: str
    sentence: str
    tables: tuple[str, ...] = ()


SLIPS: Final = (
    Slip(
        "hybrid-soundness-error",
        "SE for Hybrid",
        "The main table has SE 0.020, the table of regularisers 0.002 for the same method. With AG"
        " 0.293 and true intervals of mean width 0.266 (1 less the SE of the estimator [0, 1]), an"
        " SE of 0.002 would give predicted intervals a mean width of −0.023: 0.020 is the number"
        " that can be right.",
        (p.MAIN_TABLE, p.REGULARISERS_TABLE),
    ),
    Slip(
        "country-gap",
        "AG for Country",
        "The main table has AG 0.241, the table by shape 0.25 in total; 0.241 rounds to 0.24.",
        (p.MAIN_TABLE, p.SHAPES_TABLE),
    ),
    Slip(
        "error-above-gap",
        "SE above AG",
        "By their definitions SE is never larger than AG, but it is for the random estimator on"
        " Hybrid (0.537 and 0.533), for KDE on Hybrid (0.661 and 0.353), and without regularisers"
        " on Person (0.220 and 0.202).",
        (p.MAIN_TABLE, p.REGULARISERS_TABLE),
    ),
    Slip(
        "negative-widths",
        "widths below 0",
        "2 SE − AG is always the predicted width less the true one. For Hybrid with the location"
        " regulariser alone, and with the volume regulariser alone, the predicted mean width would"
        " be −0.017 and −0.031.",
        (p.MAIN_TABLE, p.REGULARISERS_TABLE),
    ),
    Slip(
        "random-widths",
        "the random estimator",
        "Two ordered uniform numbers are 1/3 apart on average, and with the lower drawn first 1/4;"
        " the table's SE and AG imply mean widths of 0.651, 0.388 and 0.807 for Person, Country and"
        " Hybrid.",
        (p.MAIN_TABLE,),
    ),
    Slip(
        "kde-widths",
        "the KDE estimator",
        "Counted conditionals are points, so intervals drawn from their density are narrow. SE and"
        " AG imply mean widths of 0.906, 0.738 and 1.235 for Person, Country and Hybrid; the last"
        " is no width of intervals within [0, 1].",
        (p.MAIN_TABLE,),
    ),
    Slip(
        "hybrid-widths",
        "BoxSEL's intervals on Hybrid",
        "SE 0.020 and AG 0.293 imply that 60 embeddings give intervals of mean width 0.013, where"
        " the true ones have 0.266: there they say little more than one embedding does.",
        (p.MAIN_TABLE,),
    ),
    Slip(
        "precision-and-width",
        "soundness and width",
        "The text sees SA and SE improve with narrower true intervals. It is the other way round:"
        " Country, whose intervals are the widest (0.895), has the best SA and SE.",
        (p.MAIN_TABLE,),
    ),
    Slip(
        "concepts",
        "numbers of concepts",
        "The table of ontologies has 135 concepts for Person and 12 for Hybrid. The totals of the"
        " table of splits need 127 (127 · 126 = 16,002 for PNF1; PNF2 over 50 of them) and 13"
        " (13 · 12 = 156). Country's 30 fit.",
        (p.DATASET_TABLE, p.SPLIT_TABLE),
    ),
    Slip(
        "axioms",
        "numbers of axioms",
        "The table of ontologies has 325,600, 26,974 and 7,492 axioms; the totals of the table of"
        " splits add up to 325,626, 26,970 and 7,488.",
        (p.DATASET_TABLE, p.SPLIT_TABLE),
    ),
    Slip(
        "ratios",
        "ratios of the shapes",
        "The table of ontologies gives 0.21/0.31/0.24/0.24 (Person), 0.24/0.5/0.13/0.13 (Country)"
        " and 0.02/0.22/0.38/0.38 (Hybrid). From the table of splits they are 0.05/0.36/0.29/0.29,"
        " 0.03/0.90/0.03/0.03 and 0.02/0.23/0.38/0.38.",
        (p.DATASET_TABLE, p.SPLIT_TABLE),
    ),
    Slip(
        "minutes",
        "minutes for one embedding",
        "Seconds per epoch times epochs are 117.66 s · 20 = 39.2 min for Person, as the text says"
        " (39). For Country 8.96 s · 30 = 4.5 min, not 3, and for Hybrid 12.15 s · 20 = 4.1 min,"
        " not 6. Both fit if the epochs of these two are exchanged: 8.96 s · 20 = 3.0 min and"
        " 12.15 s · 30 = 6.1 min.",
        (p.RUNTIME_TABLE, p.HYPERPARAMETERS_TABLE),
    ),
    Slip(
        "upper-bound",
        "the pseudocode's upper bound",
        "Probabilistic modus ponens gives the upper bound q1·q2 + 1 − q1, as the proposition says;"
        " the pseudocode writes 1 − q2.",
    ),
    Slip(
        "denominator",
        "the pseudocode's denominator",
        "It counts every axiom of the ontology as evaluated, and divides by that; the definitions"
        " divide by the number of queries.",
    ),
    Slip(
        "single-value",
        "what the pseudocode tests",
        "It asks whether one value lies between the bounds. By definition SA asks that the whole"
        " interval over all embeddings does, which is harder.",
    ),
    Slip(
        "simpson",
        "the knowledge base of Simpson's paradox",
        "As printed it does not say that the departments are disjoint, and the 90 % and the 10 %"
        " may overlap: (Admitted | Woman) is then between 0.72 and 0.82, (Admitted | Man) between"
        " 0.765 and 0.865. Only for the partition that the text speaks of are they 0.81 and 0.84.",
    ),
    Slip(
        "sensitivity",
        "the measure of sensitivity",
        "The table does not say which measure it shows. Its means, 0.030 to 0.120, cannot be AG:"
        " the chosen configurations alone have 0.233 to 0.293.",
        (p.SENSITIVITY_TABLE, p.MAIN_TABLE),
    ),
)


def paper_blocks(_summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """Slips first, then the numbers."""
    yield Table.of(
        "slips",
        "What does not fit in the paper",
        (
            Column("about", "about"),
            Column("sentence", "what"),
            Column("tables", "tables", read=lambda slip: "; ".join(slip.tables)),
        ),
        SLIPS,
        "About the paper's tables and pseudocode, not about ours.",
    )
    implied = "the mean width of predicted intervals, from 2 SE − AG"
    yield Table.of(
        "published-quality",
        "SA, SE and AG in the paper",
        (
            Column("ontology", "ontology", read=lambda row: f"{row.kin} · {row.table}"),
            Column("setting", "method or setting"),
            Column("sa", "SA", "share", read=lambda row: row.soundness),
            Column("se", "SE", "number", read=lambda row: row.error),
            Column("ag", "AG", "number", read=lambda row: row.gap),
            Column(
                "width",
                "true width",
                "number",
                "1 less the SE of the estimator [0, 1]",
                read=lambda row: p.true_width(row.kin),
            ),
            Column("implied_width", "implied width", "number", implied, read=p.implied_width),
        ),
        _by_kin((*p.MAIN, *p.CONCEPTS, *p.ROLES, *p.REGULARISERS)),
        "Against PMP intervals, over five splits, as published.",
        notes=("An implied width below 0 or above 1, or an SE above AG, cannot be.",),
        grouped=True,
    )
    yield Table.of(
        "published-ontologies",
        p.DATASET_TABLE,
        (
            _KIN,
            Column("concepts", "concepts", "count"),
            Column("roles", "roles", "count"),
            Column("axioms", "axioms", "count"),
            Column(
                "summed",
                "axioms in the table of splits",
                "count",
                read=lambda row: sum(split.total for split in p.SPLITS if split.kin == row.kin),
            ),
            Column(
                "ratios", "PNF1/2/3/4", read=lambda row: "/".join(f"{one:g}" for one in row.ratios)
            ),
        ),
        p.DATASETS,
        _NO_TRUTH,
    )
    yield Table.of(
        "published-splits",
        p.SPLIT_TABLE,
        (
            _KIN,
            Column("shape", "shape"),
            Column("total", "total", "count"),
            Column("learned", "knowledge base", "count"),
            Column("asked", "queries", "count"),
        ),
        p.SPLITS,
        _NO_TRUTH,
        grouped=True,
    )
    both = zip(p.RUNTIME, p.HYPERPARAMETERS, strict=True)
    costs = [SimpleNamespace(**asdict(chosen) | asdict(time)) for time, chosen in both]
    yield Table.of(
        "published-runtime",
        "Runtime and hyperparameters",
        (
            _KIN,
            Column("seconds_per_epoch", "s / epoch", "amount"),
            Column("milliseconds_per_query", "ms / query", "amount"),
            Column("minutes", "min as stated", "amount", "minutes for one embedding"),
            Column(
                "product",
                "min computed",
                "amount",
                "seconds per epoch times epochs",
                read=lambda row: row.seconds_per_epoch * row.epochs / 60,
            ),
            Column("epochs", "epochs", "count"),
            Column("dim", "dimension", "count"),
            Column("batch", "batch", "count"),
            Column("rate", "rate", "amount"),
            Column("side", "side β", "amount"),
        ),
        costs,
        _NO_TRUTH,
    )
    yield Table.of(
        "published-sensitivity",
        p.SENSITIVITY_TABLE,
        (
            _KIN,
            Column("hyperparameter", "hyperparameter"),
            Column("mean", "mean", "number"),
            Column("deviation", "std", "number"),
        ),
        _by_kin(p.SENSITIVITY),
        "As published; the paper does not say of which measure.",
        grouped=True,
    )


def _by_kin(rows: Iterable[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: p.KINDS.index(row.kin))
