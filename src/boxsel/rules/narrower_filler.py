"""Monotonicity through ∃r, downwards.

From (∃s.D | B)[l, u], E ⊑ D and r ⊑ s follows (∃r.E | B)[0, u].

Proof. As for the wider filler, ∃r.E ⊑ ∃s.D; this is the rule of the narrower head.
"""

from __future__ import annotations

from typing import Final

from boxsel.rules.figures import ROLE_INCLUSION
from boxsel.rules.narrower_head import conclude

NARROWER_FILLER: Final = ROLE_INCLUSION.rule(
    "narrower filler",
    "(∃s.D | B)[l, u], E ⊑ D, r ⊑ s ⊢ (∃r.E | B)[0, u]",
    conclude,
    tight=True,
)
