"""Rows read back as shares."""

from __future__ import annotations

from boxsel.logic.concepts import TOP, Concept, Exists, conjunction
from boxsel.logic.proportions import Interval
from boxsel.models.numbering import Numbering
from boxsel.models.shares import Share
from boxsel.models.task import Rows


def decoded(rows: Rows, numbering: Numbering) -> list[Share]:
    """`(H | B1 ⊓ B2)[l, u]` for each row, without ⊤ where the body has another conjunct."""

    def basic(name: int, role: int) -> Concept:
        filler: Concept = numbering.names[name - 1] if name else TOP
        return Exists(numbering.roles[role - 1], filler) if role else filler

    found = []
    for names, roles, lower, upper, apart in zip(
        rows.names, rows.roles, rows.lower, rows.upper, rows.apart, strict=True
    ):
        one, other, head = (basic(name, role) for name, role in zip(names, roles, strict=True))
        body = conjunction(*(part for part in (one, other) if part != TOP))
        found.append(Share(head, body, Interval.of(float(lower), float(upper)), bool(apart)))
    return found
