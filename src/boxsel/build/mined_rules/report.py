"""What there is to say about a knowledge base from mined rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boxsel.build.built import Effort
from boxsel.build.rejects import Rejected, Rejects, rejected_text

PROGRAMS: Final = {"amie": "AMIE", "anyburl": "AnyBURL"}
"""What the programs are called that write rules."""


@dataclass(frozen=True, slots=True)
class UnusedRule:
    """A rule that is no conditional of Statistical EL, and why."""

    line: int
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class RulesReport:
    """How rules became a knowledge base; see the fields of the published schema."""

    file: str
    kind: str
    rules: int
    other: int
    conditionals: int
    counts: int
    filtered: int
    repeated: int
    contested: int
    disagreeing: int
    unused: tuple[UnusedRule, ...]
    rejected: tuple[Rejected, ...]
    effort: Effort

    @property
    def unused_by_reason(self) -> tuple[Rejected, ...]:
        """The reasons for unused rules, the most frequent first, with a few examples."""
        reasons = Rejects()
        for one in self.unused:
            reasons.add(one.reason, self.file, one.line, one.rule)
        return reasons.listed()

    @property
    def text(self) -> str:
        """The report for people, in lines."""
        lines = [f"{self.rules:,} rules of {PROGRAMS[self.kind]}"]
        if self.other:
            lines.append(f"{self.other:,} other lines, such as messages of the program")
        lines.extend(rejected_text(self.rejected))
        lines.append(f"{self.conditionals:,} conditionals, {self.counts:,} of them with counts")
        remarks = (
            (self.filtered, "rules left out for their confidence or support"),
            (self.repeated, "rules say what an earlier one has said"),
            (self.contested, "pairs of head and body are stated with different numbers"),
            (
                self.disagreeing,
                "rules have a confidence that their counts do not give: the"
                f" {'confidence is' if self.kind == 'amie' else 'counts are'} used",
            ),
        )
        lines.extend(f"{count:,} {remark}" for count, remark in remarks if count)
        reasons = self.unused_by_reason
        if reasons:
            lines.append(f"{len(self.unused):,} rules are no conditionals of Statistical EL:")
            lines.extend(rejected_text(reasons)[1:])
        return "\n".join([*lines, self.effort.text])

    def unused_table(self) -> str:
        """Every unused rule as a line of a tab-separated table: line, reason, rule."""
        rows = (f"{one.line}\t{one.reason}\t{one.rule}\n" for one in self.unused)
        return "".join(["line\treason\trule\n", *rows])

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        return {
            "file": self.file,
            "kind": self.kind,
            "rules": self.rules,
            "other": self.other,
            "conditionals": self.conditionals,
            "counts": self.counts,
            "filtered": self.filtered,
            "repeated": self.repeated,
            "contested": self.contested,
            "disagreeing": self.disagreeing,
            "unused": [one.to_json() for one in self.unused_by_reason],
            "rejected": [one.to_json() for one in self.rejected],
            **self.effort.to_json(),
        }
