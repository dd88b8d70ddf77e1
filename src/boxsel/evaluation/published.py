"""The paper's numbers as data, each with the caption of the table that it comes from.

Zhu et al., "Approximating Probabilistic Inference in Statistical EL with Knowledge Graph
Embeddings". Shares are from 0 to 1 here; the paper prints per cent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

Kin = Literal["Person", "Country", "Hybrid"]
"""The three ontologies of the paper."""

KINDS: Final[tuple[Kin, ...]] = get_args(Kin)

MAIN_TABLE: Final = "Approximation quality of baselines and BoxSEL"
DATASET_TABLE: Final = "Statistics of our benchmark ontologies"
RUNTIME_TABLE: Final = "Evaluation of runtime"
ROLES_TABLE: Final = "Ablation study of the role representation"
CONCEPTS_TABLE: Final = "Ablation study of the concept representation"
REGULARISERS_TABLE: Final = "Ablation study of the regularization terms"
SHAPES_TABLE: Final = "Approximation gap evaluated on 60 embeddings"
SPLIT_TABLE: Final = "Statistics of the knowledge base/query set split for the PMP evaluation"
HYPERPARAMETERS_TABLE: Final = "Best hyperparameters used for different ontologies"
SENSITIVITY_TABLE: Final = "Hyperparameter search ranges and corresponding results across datasets"


def kin_of(ontology: str) -> Kin | None:
    """The ontology of the paper that another is made like.

    Examples:
        >>> kin_of("yago3-person")
        'Person'
        >>> kin_of("hpo") is None
        True
    """
    last = ontology.rpartition("-")[2].lower()
    return next((kin for kin in KINDS if kin.lower() == last), None)


@dataclass(frozen=True, slots=True)
class PublishedQuality:
    """One row of a table about SA, SE and AG."""

    table: str
    kin: Kin
    setting: str
    soundness: float
    error: float
    gap: float


@dataclass(frozen=True, slots=True)
class PublishedDataset:
    """The sizes of an ontology; `ratios` are those of PNF1 to PNF4."""

    kin: Kin
    concepts: int
    roles: int
    axioms: int
    ratios: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PublishedSplit:
    """One row of the table of splits."""

    kin: Kin
    shape: str
    total: int
    learned: int
    asked: int


@dataclass(frozen=True, slots=True)
class PublishedRuntime:
    """Times of one embedding; the minutes are given in the text."""

    kin: Kin
    seconds_per_epoch: float
    milliseconds_per_query: float
    minutes: int


@dataclass(frozen=True, slots=True)
class PublishedHyperparameters:
    """What the paper chose for an ontology; `side` bounds the regularisers."""

    kin: Kin
    dim: int
    epochs: int
    batch: int
    rate: float
    side: float


@dataclass(frozen=True, slots=True)
class PublishedSensitivity:
    """Mean and standard deviation of a performance while one hyperparameter varies."""

    kin: Kin
    hyperparameter: str
    mean: float
    deviation: float


def _qualities(table: str, printed: str) -> tuple[PublishedQuality, ...]:
    """Rows from a table with SA in per cent, SE and AG of each ontology, in one line a setting."""
    lines = [line.split() for line in printed.strip().splitlines()]
    return tuple(
        PublishedQuality(table, kin, setting, round(percent / 100, 4), error, gap)
        for place, kin in enumerate(KINDS)
        for setting, *cells in lines
        for percent, error, gap in (map(float, cells[3 * place : 3 * place + 3]),)
    )


MAIN: Final = _qualities(
    MAIN_TABLE,
    """
    fixed        4.50 0.301 0.301   29.10 0.105 0.105    1.50 0.734 0.734
    random      52.70 0.262 0.572   61.30 0.048 0.603   27.80 0.537 0.533
    kde          9.19 0.241 0.275    3.10 0.086 0.329    1.10 0.661 0.353
    boxsel      89.30 0.013 0.233   95.60 0.004 0.241   89.70 0.020 0.293
    """,
)
ROLES: Final = _qualities(
    ROLES_TABLE,
    """
    translation 87.30 0.017 0.232   94.70 0.005 0.245   79.80 0.039 0.293
    affine      89.30 0.013 0.233   95.60 0.004 0.241   89.70 0.020 0.293
    dual-boxes  85.70 0.109 0.279   93.20 0.013 0.261   89.80 0.031 0.287
    """,
)
CONCEPTS: Final = _qualities(
    CONCEPTS_TABLE,
    """
    balls       85.70 0.022 0.324   90.30 0.018 0.359   82.90 0.052 0.344
    boxes       89.30 0.013 0.233   95.60 0.004 0.241   89.70 0.020 0.293
    """,
)
REGULARISERS: Final = _qualities(
    REGULARISERS_TABLE,
    """
    none        45.10 0.220 0.202   82.10 0.090 0.243   86.20 0.035 0.297
    loc         85.70 0.150 0.276   90.20 0.110 0.255   87.30 0.018 0.319
    vol         87.30 0.015 0.235   95.10 0.080 0.253   88.20 0.002 0.301
    both        89.30 0.013 0.233   95.60 0.004 0.241   89.70 0.002 0.293
    """,
)

SHAPES: Final[Mapping[Kin, Mapping[str, float]]] = MappingProxyType(
    {
        "Person": {"total": 0.23, "PNF1": 0.22, "PNF2": 0.21, "PNF3": 0.30, "PNF4": 0.22},
        "Country": {"total": 0.25, "PNF1": 0.24, "PNF2": 0.24, "PNF3": 0.28, "PNF4": 0.24},
        "Hybrid": {"total": 0.29, "PNF1": 0.29, "PNF2": 0.27, "PNF3": 0.33, "PNF4": 0.27},
    }
)
"""AG in total and for each shape."""

DATASETS: Final = (
    PublishedDataset("Person", 135, 6, 325_600, (0.21, 0.31, 0.24, 0.24)),
    PublishedDataset("Country", 30, 1, 26_974, (0.24, 0.50, 0.13, 0.13)),
    PublishedDataset("Hybrid", 12, 18, 7_492, (0.02, 0.22, 0.38, 0.38)),
)

SPLITS: Final = (
    PublishedSplit("Person", "PNF1", 16_002, 10_962, 3_480),
    PublishedSplit("Person", "PNF2", 117_600, 75_264, 17_856),
    PublishedSplit("Person", "PNF3", 96_012, 65_772, 9_054),
    PublishedSplit("Person", "PNF4", 96_012, 67_284, 8_316),
    PublishedSplit("Country", "PNF1", 870, 638, 176),
    PublishedSplit("Country", "PNF2", 24_360, 17_864, 3_696),
    PublishedSplit("Country", "PNF3", 870, 638, 70),
    PublishedSplit("Country", "PNF4", 870, 609, 58),
    PublishedSplit("Hybrid", "PNF1", 156, 120, 30),
    PublishedSplit("Hybrid", "PNF2", 1_716, 1_320, 270),
    PublishedSplit("Hybrid", "PNF3", 2_808, 2_160, 194),
    PublishedSplit("Hybrid", "PNF4", 2_808, 1_968, 192),
)

RUNTIME: Final = (
    PublishedRuntime("Person", 117.66, 0.09, 39),
    PublishedRuntime("Country", 8.96, 0.23, 3),
    PublishedRuntime("Hybrid", 12.15, 0.41, 6),
)

HYPERPARAMETERS: Final = (
    PublishedHyperparameters("Person", 32, 20, 512, 0.01, 10),
    PublishedHyperparameters("Country", 16, 30, 256, 0.05, 10),
    PublishedHyperparameters("Hybrid", 8, 20, 256, 0.01, 1),
)

SENSITIVITY: Final = (
    PublishedSensitivity("Person", "dim", 0.088, 0.052),
    PublishedSensitivity("Country", "dim", 0.042, 0.032),
    PublishedSensitivity("Hybrid", "dim", 0.065, 0.025),
    PublishedSensitivity("Person", "rate", 0.080, 0.025),
    PublishedSensitivity("Country", "rate", 0.048, 0.021),
    PublishedSensitivity("Hybrid", "rate", 0.075, 0.027),
    PublishedSensitivity("Person", "side", 0.120, 0.070),
    PublishedSensitivity("Country", "side", 0.030, 0.010),
    PublishedSensitivity("Hybrid", "side", 0.065, 0.025),
)

_BY_TABLE: Final = {
    "main": MAIN,
    "presets": tuple(row for row in MAIN if row.setting == "boxsel"),
    "concepts": CONCEPTS,
    "roles": ROLES,
    "regularisers": REGULARISERS,
}


def published_quality(study: str, kin: Kin | None, setting: str) -> PublishedQuality | None:
    """What the paper's table about a study says, if it says something.

    All our ways to train and to read an ensemble stand beside the paper's one method.

    Examples:
        >>> published_quality("main", "Person", "boxsel").gap
        0.233
        >>> published_quality("main", "Person", "paper").gap
        0.233
        >>> published_quality("roles", None, "affine") is None
        True
    """
    ours = setting.startswith(("paper", "boxsel", "populations"))
    wanted = "boxsel" if study == "presets" or ours else setting
    rows = _BY_TABLE.get(study, ())
    return next((row for row in rows if row.kin == kin and row.setting == wanted), None)


def true_width(kin: Kin) -> float:
    """The mean width of the paper's true intervals: what the estimator [0, 1] lacks of 1.

    Examples:
        >>> round(true_width("Country"), 3)
        0.895
    """
    fixed = next(row for row in MAIN if row.kin == kin and row.setting == "fixed")
    return 1 - fixed.error


def implied_width(row: PublishedQuality) -> float:
    """The mean width of predicted intervals that a row implies.

    At each end, what is too much less what is too little is the difference of the ends; so
    2 SE - AG is the predicted width less the true one, whatever the method.
    """
    return 2 * row.error - row.gap + true_width(row.kin)
