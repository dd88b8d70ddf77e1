"""Every rule, in the order in which the first to reach a bound is the one to explain it."""

from __future__ import annotations

from typing import Final

from boxsel.rules.bayes import BAYES
from boxsel.rules.cases import CASES
from boxsel.rules.conditioning import CONDITIONING
from boxsel.rules.conjunct import CONJUNCT
from boxsel.rules.conjunction import CONJUNCTION
from boxsel.rules.disjoint_heads import DISJOINT_HEADS
from boxsel.rules.figures import Rule
from boxsel.rules.inversion import INVERSION
from boxsel.rules.modus_ponens import MODUS_PONENS
from boxsel.rules.narrower_filler import NARROWER_FILLER
from boxsel.rules.narrower_head import NARROWER_HEAD
from boxsel.rules.narrowing import NARROWING
from boxsel.rules.product import PRODUCT
from boxsel.rules.published_modus_ponens import PUBLISHED_MODUS_PONENS
from boxsel.rules.scaling import SCALING
from boxsel.rules.wider_filler import WIDER_FILLER
from boxsel.rules.wider_head import WIDER_HEAD

RULES: Final[tuple[Rule, ...]] = (
    WIDER_HEAD,
    NARROWER_HEAD,
    WIDER_FILLER,
    NARROWER_FILLER,
    PRODUCT,
    CONDITIONING,
    SCALING,
    CONJUNCTION,
    CONJUNCT,
    MODUS_PONENS,
    PUBLISHED_MODUS_PONENS,
    NARROWING,
    BAYES,
    INVERSION,
    DISJOINT_HEADS,
    CASES,
)
"""The rules that `propagate` uses unless told otherwise."""
