"""Rows of data that could not be used: counted by reason, the first of each kept as examples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Final

from boxsel.errors import Diagnostic, ReadError
from boxsel.wording import several

EXAMPLES: Final = 3
"""How many rows are shown for each reason."""

SHOWN: Final = 120
"""How many characters of a row are shown."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A reason, how many rows were rejected for it, and the first few as `file:line: text`."""

    reason: str
    count: int
    examples: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """As a JSON object."""
        return {**asdict(self), "examples": list(self.examples)}


@dataclass
class Rejects:
    """Collects rejected rows; with `strict` the first one is an error.

    Examples:
        >>> rejects = Rejects()
        >>> rejects.add("there are 2 columns, expected 3", "facts.tsv", 7, "alice,knows")
        >>> for line in rejected_text(rejects.listed()):
        ...     print(line)
        left out 1 row:
          1: there are 2 columns, expected 3
            facts.tsv:7: alice,knows
    """

    strict: bool = False
    _counts: dict[str, int] = field(default_factory=dict)
    _examples: dict[str, list[str]] = field(default_factory=dict)

    def add(
        self,
        reason: str,
        file: str | None = None,
        line: int | None = None,
        row: str = "",
        *,
        count: int = 1,
    ) -> None:
        """Count a row that cannot be used, or several of which this is the first."""
        if self.strict:
            raise ReadError(
                Diagnostic(
                    f"{reason}: {_cut(row)}" if row else reason,
                    file=file,
                    line=line,
                    help="without --strict such rows are counted and left out",
                )
            )
        self._counts[reason] = self._counts.get(reason, 0) + count
        shown = self._examples.setdefault(reason, [])
        if len(shown) < EXAMPLES and (file or row):
            place = ":".join(str(part) for part in (file, line) if part)
            shown.append(f"{place}: {_cut(row)}" if row else place)

    @property
    def total(self) -> int:
        """How many rows were rejected."""
        return sum(self._counts.values())

    def listed(self) -> tuple[Rejected, ...]:
        """Every reason, the most frequent first."""
        return tuple(
            Rejected(reason, count, tuple(self._examples[reason]))
            for reason, count in sorted(self._counts.items(), key=lambda pair: -pair[1])
        )


def rejected_text(rejected: Iterable[Rejected]) -> list[str]:
    """The rejected rows for people, in lines; nothing if there are none."""
    reasons = list(rejected)
    if not reasons:
        return []
    lines = [f"left out {several(sum(one.count for one in reasons), 'row')}:"]
    for one in reasons:
        lines.append(f"  {one.count:,}: {one.reason}")
        lines.extend(f"    {example}" for example in one.examples)
    return lines


def _cut(row: str) -> str:
    shown = row[:SHOWN] + ("…" if len(row) > SHOWN else "")
    return "".join(
        ch if ch.isprintable() or ch == "\t" else "\N{REPLACEMENT CHARACTER}" for ch in shown
    )
