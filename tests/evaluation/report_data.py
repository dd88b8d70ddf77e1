"""Results that look like those of an evaluation, made up from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from boxsel.evaluation.metrics import EDGES
from boxsel.evaluation.ontologies.folder import Entry
from boxsel.evaluation.published import PublishedSplit
from boxsel.evaluation.records import Band, Cell, Effort, Quality, Results, Study, Truth
from boxsel.evaluation.report import RunInfo, SplitSize

ONTOLOGIES = ("yago3-person", "yago3-country", "yago3-hybrid", "hpo")
VARIANTS = ("strict", "paper", "thin-20", "thin-3")
SHAPES = ("total", "informative", "PNF1", "PNF2", "PNF3", "PNF4")
TRUTHS: tuple[Truth, ...] = ("pmp", "exact")
# How wide predicted intervals are, how far they overshoot.
METHODS = {
    "fixed": (1.0, 1.0),
    "random": (0.35, 0.2),
    "kde": (0.3, 0.3),
    "paper": (0.35, 0.02),
    "boxsel": (0.4, 0.004),
}
STUDIES: dict[Study, tuple[str, ...]] = {
    "answers": ("fixed", "boxsel, random members", "ask, 1 s", "ask, 1 s, outer"),
    "members": ("10", "20", "40", "60"),
    "epochs": ("1", "2", "5", "10", "20", "40"),
    "concepts": ("boxes", "balls"),
    "roles": ("translation", "affine", "dual-boxes"),
    "regularisers": ("none", "loc", "vol", "both"),
    "presets": ("default, random", "default, directed", "paper, random"),
    "tuning": tuple(
        f"dim={dim} rate={rate} side={side}"
        for dim in (8, 16, 32)
        for rate in (0.01, 0.05)
        for side in (1, 10)
    ),
}
REASON = "the loss is not a number"
PERSON = PublishedSplit("Person", "PNF1", 16_002, 10_962, 3_480)


def made_up(
    seed: int = 0,
    seeds: int = 5,
    ontologies: tuple[str, ...] = ONTOLOGIES,
    variants: tuple[str, ...] = VARIANTS,
    studies: tuple[Study, ...] = tuple(STUDIES),
    failing: float = 0.03,
) -> Results:
    """Results of all methods, with all studies, some of which failed."""
    random = np.random.default_rng(seed)
    qualities: list[Quality] = []
    efforts: list[Effort] = []
    bands: list[Band] = []
    for cell in _cells(seeds, ontologies, variants, studies):
        trained = cell.method in ("boxsel", "paper")
        failed = trained and random.random() < failing
        progress = _progress(cell)
        for truth in TRUTHS:
            for shape in SHAPES if cell.study == "main" else SHAPES[:1]:
                qualities.append(_quality(random, cell, shape, truth, failed, progress))
        if trained:
            efforts.append(_effort(random, cell, failed, progress))
        if cell.study == "main":
            bands += _bands(random, cell, failed)
    return Results(tuple(qualities), tuple(efforts), tuple(bands))


def _cells(
    seeds: int, ontologies: tuple[str, ...], variants: tuple[str, ...], studies: tuple[Study, ...]
) -> Iterator[Cell]:
    for ontology in ontologies:
        for seed in range(seeds):
            for variant in variants:
                for method in METHODS:
                    yield Cell("main", ontology, variant, seed, method)
            for study in studies:
                if study != "main":
                    for setting in STUDIES[study]:
                        yield Cell(study, ontology, variants[-1], seed, "boxsel", setting)


def _progress(cell: Cell) -> float:
    """From 0 (nothing was learned) to 1."""
    if cell.study == "epochs":
        return 1 - 1 / float(cell.setting)
    if cell.study == "members":
        return 1 - 1 / float(cell.setting)
    return {"balls": 0.7, "none": 0.4, "loc": 0.8}.get(cell.setting, 1.0)


def _quality(
    random: np.random.Generator,
    cell: Cell,
    shape: str,
    truth: Truth,
    failed: bool,
    progress: float,
) -> Quality:
    """Numbers that obey 2 SE − AG = predicted width − true width."""
    width = (0.7 if truth == "pmp" else 0.35) + random.uniform(-0.05, 0.05)
    ratio, over = (1.0, 1.0) if failed else METHODS[cell.method]
    whole = ratio == 1.0
    error = 1 - width if whole else (over + 0.2 * (1 - progress)) * random.uniform(0.7, 1.3)
    guessed = 1.0 if whole else ratio * progress * random.uniform(0.8, 1.1) * width / 0.5
    gap = max(error, 2 * error - guessed + width)
    items = 0 if cell.variant == "thin-3" and shape == "PNF4" else _items(cell, shape, truth)
    return Quality(
        cell,
        shape,
        truth,
        items,
        items if failed else 0,
        items if truth == "pmp" else int(0.9 * items),
        float("nan") if not items else 0.03 if whole else float(np.clip(1 - 4 * error, 0, 1)),
        error if items else float("nan"),
        gap if items else float("nan"),
        width if items else float("nan"),
        2 * error - gap + width if items else float("nan"),
    )


def _effort(random: np.random.Generator, cell: Cell, failed: bool, progress: float) -> Effort:
    members = int(cell.setting) if cell.study == "members" else 60
    if failed:
        return Effort(cell, None, None, members, 0, 0, None, 0, 0.0, 0.0, 0.0, "CPU", REASON)
    mae = (0.004 + 0.1 * (1 - progress)) * random.uniform(0.8, 1.2)
    seconds = random.uniform(0.02, 0.05)
    settled = int(random.integers(5, 20))
    return Effort(
        cell, mae, 0.97, members, int(0.9 * members), 20, settled, 9000, 20 * seconds, seconds,
        0.003, "NVIDIA H200",
    )  # fmt: skip


def _bands(random: np.random.Generator, cell: Cell, failed: bool) -> Iterator[Band]:
    edges = EDGES[:2] if cell.variant == "strict" else EDGES
    for least, most in pairwise(edges):
        middle = (least + most) / 2
        ratio, over = (1.0, 1.0) if failed else METHODS[cell.method]
        gap = 1 - middle if ratio == 1.0 else middle * (1 - ratio) + over
        gap *= random.uniform(0.9, 1.1)
        yield Band(cell, least, most, int(random.integers(5, 90)), gap, ratio * middle)


def info(results: Results, *, quick: bool = False) -> RunInfo:
    """A run that may have given the results."""
    ontologies = dict.fromkeys(quality.cell.ontology for quality in results.qualities)
    seeds = tuple(sorted({quality.cell.seed for quality in results.qualities}))
    return RunInfo(
        title="Evaluation of boxsel",
        date="2026-11-15",
        versions={"boxsel": "0.1.0", "jax": "0.8.0", "numpy": "2.4.6"},
        device="NVIDIA H200",
        seeds=seeds,
        ontologies=tuple(
            Entry(
                name,
                "counted from a graph of 12,000 entities",
                f"{place:x}" * 64,
                concepts=127,
                conjoined=50,
                roles=6,
                root="Person",
                population=12_000,
                listed={"PNF1": 325_626},
                defined={"PNF1": 325_626},
                sources={},
            )
            for place, name in enumerate(ontologies)
        ),
        settings={"choices": {"members": 60}, "methods": {"hpo": {"boxsel": {"dim": 32}}}},
        notes=("Made up: no method was run.",),
        splits=tuple(
            SplitSize(name, "paper", seed, part, shape, 10962 + seed, 40, 3480, PERSON)
            for name in ontologies
            for seed in seeds
            for part, shape in (("root", "PNF1"), ("names", "PNF2"))
        ),
        quick=quick,
    )


def _items(cell: Cell, shape: str, truth: Truth) -> int:
    """As many for every method; directed members are asked less."""
    number = 40 * SHAPES.index(shape) + 7 * cell.seed + (900 if truth == "pmp" else 60)
    return number // 10 if cell.setting.endswith("directed") else number
