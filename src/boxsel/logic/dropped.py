"""What was left out on reading: a knowledge base says so, since answers may depend on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from boxsel.errors import InvalidStatementError
from boxsel.logic.names import plain_text


@dataclass(frozen=True, slots=True, order=True)
class Dropped:
    """A kind of axiom that was left out on reading, how often, and why.

    A `logical` one could have changed answers: bounds computed without it stay sound, but
    are not called exact. Others (annotations, tautologies) change nothing.
    """

    kind: str
    count: int
    reason: str
    logical: bool = True

    def __post_init__(self) -> None:
        for name in ("kind", "reason"):
            text = plain_text(getattr(self, name), "a dropped axiom")
            object.__setattr__(self, name, " ".join(text.split()))
        if self.count < 1 or not self.kind:
            raise InvalidStatementError("a dropped axiom has a kind and a count of at least 1")


def merge_dropped(dropped: Iterable[Dropped]) -> tuple[Dropped, ...]:
    """One entry for each kind and reason, in order."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for drop in dropped:
        counts[drop.kind, drop.reason, drop.logical] += drop.count
    return tuple(
        sorted(Dropped(kind, count, why, logical) for (kind, why, logical), count in counts.items())
    )
