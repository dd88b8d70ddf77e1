"""How ontologies, variants, methods and settings are called, and in which order they come."""

from __future__ import annotations

import re
from typing import Final

from boxsel.evaluation.published import KINDS, kin_of
from boxsel.evaluation.records import Truth

METHODS: Final = {
    "fixed": "Fixed [0, 1]",
    "random": "Random",
    "kde": "KDE",
    "paper": "BoxSEL, paper preset",
    "paper step": "BoxSEL, paper preset, by step",
    "boxsel": "BoxSEL (ours)",
    "boxsel kept": "BoxSEL (ours), kept",
    "boxsel directed": "BoxSEL (ours), directed",
    "populations": "Populations (ours)",
    "populations kept": "Populations (ours), kept",
}
"""Methods in the order of rows: baselines first, as in the paper."""

BASELINES: Final = ("fixed", "random", "kde")

OURS: Final = "boxsel"
"""The method that sentences compare with the paper's."""

TRUTHS: Final[dict[Truth, str]] = {"pmp": "PMP", "exact": "exact"}

_IN_THE_PAPER: Final = {"location": "loc", "volume": "vol"}

Order = tuple[tuple[int, float, str], ...]


def method_label(method: str) -> str:
    """A method as readers know it."""
    return METHODS.get(method, method)


def canonical(setting: str) -> str:
    """A setting as the paper's tables are asked for it."""
    return _IN_THE_PAPER.get(setting, setting)


def natural(text: str) -> Order:
    """A key that puts numbers within words in the order of their values.

    Examples:
        >>> sorted(["thin-20", "thin-3", "paper"], key=natural)
        ['paper', 'thin-3', 'thin-20']
    """
    parts = re.findall(r"[0-9]+(?:\.[0-9]+)?|[^0-9]+", text)
    return tuple((0, float(part), "") if part[0].isdecimal() else (1, 0.0, part) for part in parts)


def ontology_order(ontology: str) -> tuple[int, Order, int]:
    """Those like the paper's first, by graph, in its order: person, country, hybrid."""
    kin = kin_of(ontology)
    if kin is None:
        return 1, natural(ontology), 0
    return 0, natural(ontology.rpartition("-")[0]), KINDS.index(kin)


def variant_order(variant: str) -> tuple[int, Order]:
    """The paper's variant first, then the strict one, then the others."""
    return {"paper": 0, "strict": 1}.get(variant, 2), natural(variant)


def method_order(method: str) -> tuple[int, Order]:
    """Baselines, then the paper's preset, then ours, then what is not known."""
    known = list(METHODS)
    return known.index(method) if method in known else len(known), natural(method)


SETTINGS: Final = ("none", "loc", "vol", "both", "translation", "affine", "dual-boxes")


def setting_order(setting: str) -> tuple[int, Order]:
    """From the simplest to the richest where that is known, otherwise by numbers and letters."""
    plain = canonical(setting)
    return SETTINGS.index(plain) if plain in SETTINGS else -1, natural(setting)


def slug(text: str) -> str:
    """A word for the name of a file.

    Examples:
        >>> slug("thin-3"), slug("a/b c")
        ('thin-3', 'a-b-c')
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "-", text)


def listed(words: list[str]) -> str:
    """Words as a list in a sentence.

    Examples:
        >>> listed(["SA", "SE", "AG"])
        'SA, SE and AG'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
