"""Monotonicity through ∃r, upwards.

From (∃r.E | B)[l, u], E ⊑ D and r ⊑ s follows (∃s.D | B)[l, 1].

Proof. Whoever has an r-successor in E has an s-successor in D, the same one. So ∃r.E ⊑ ∃s.D,
and this is the rule of the wider head. Nothing else is sound: shares count those that have a
successor, not successors, so that no share of D in E says anything about ∃r.D in ∃r.E unless
it is 1.
"""

from __future__ import annotations

from typing import Final

from boxsel.rules.figures import ROLE_INCLUSION
from boxsel.rules.wider_head import conclude

WIDER_FILLER: Final = ROLE_INCLUSION.rule(
    "wider filler",
    "(∃r.E | B)[l, u], E ⊑ D, r ⊑ s ⊢ (∃s.D | B)[l, 1]",
    conclude,
    tight=True,
)
