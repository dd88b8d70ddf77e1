"""Monotonicity through ∃r, downwards.

From (∃s.D | B)[l, u], E ⊑ D and r ⊑ s follows (∃r.E | B)[0, u].

Proof. As for the wider filler, ∃r.E ⊑ ∃s.D; this is the rule of the narrower head.
"""

from __future__ import annotations

from typing import Final

from boxsel.rules.narrower_head import applications, conclude, rests_on
from boxsel.rules.rule import Rule

NARROWER_FILLER: Final = Rule(
    name="narrower filler",
    statement="(∃s.D | B)[l, u], E ⊑ D, r ⊑ s ⊢ (∃r.E | B)[0, u]",
    tight=True,
    conclude=conclude,
    find=lambda index: applications(index, through_role=True),
    conditions=rests_on,
)
