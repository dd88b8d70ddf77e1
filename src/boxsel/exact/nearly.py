"""A population that obeys nearly all statements: what is left to say where none was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from boxsel.exact.compile.problem import Row
from boxsel.exact.ways.samples.nearest import Missed, Nearest
from boxsel.logic.names import Prefixes
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Statement
from boxsel.wording import several

TOLD: Final = 3
"""So many of the statements that are missed are told in text; JSON and Python have all of them."""


@dataclass(frozen=True)
class Violated:
    """A statement, the share that it has in the population, and how far that is outside."""

    statement: Statement
    share: float
    violation: float


@dataclass(frozen=True)
class Nearly:
    """The share of a query in a population that misses some statements, the worst first.

    It is no witness: that a share is nearly possible does not mean that it is possible.
    """

    share: float
    violated: tuple[Violated, ...]

    @property
    def violation(self) -> float:
        """How far the share of the worst statement is outside its bounds."""
        return max((violation.violation for violation in self.violated), default=0.0)

    def lines(self, words: Words, prefixes: Prefixes) -> Iterator[str]:
        """For people."""
        count = several(len(self.violated), "statement")
        yield (
            f"nearly possible: {words.near(self.share)} (no witness: the population misses {count},"
            f" by at most {self.violation:.2g})"
        )
        for violation in self.violated[:TOLD]:
            yield f"  {violation.statement.text(prefixes)}: there {words.near(violation.share)}"
        if len(self.violated) > TOLD:
            yield f"  … and {len(self.violated) - TOLD:,} more (all are in --json)"

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """As a JSON object."""
        return {
            "value": self.share,
            "violation": self.violation,
            "violated": [
                {
                    "statement": violation.statement.text(prefixes),
                    "share": violation.share,
                    "violation": violation.violation,
                }
                for violation in self.violated
            ],
        }


def name_missed(nearest: Nearest, rows: Sequence[Row], statements: Sequence[Statement]) -> Nearly:
    """What drawn types came to, with the statements that they miss."""
    wanted = {missed.ratio.masks: missed for missed in nearest.missed}
    violated: dict[int, Violated] = {}
    for row in rows:
        missed = wanted.get((row.body, row.both))
        if missed is not None and _misses(row, missed):
            violation = abs(missed.share - float(row.bound))
            violated[row.statement] = Violated(statements[row.statement], missed.share, violation)
    return Nearly(nearest.share, tuple(sorted(violated.values(), key=lambda one: -one.violation)))


def _misses(row: Row, missed: Missed) -> bool:
    below = missed.share < float(row.bound)
    return below if row.side == "lower" else missed.share > float(row.bound)
