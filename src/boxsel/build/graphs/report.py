"""How a knowledge base came out of a graph: what was read, chosen, counted and left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from boxsel.build.built import Effort, Keeping, Rejected, rejected_text
from boxsel.build.graphs.choice import EVERYTHING
from boxsel.build.graphs.selection import Selection
from boxsel.build.graphs.shapes import Listing, Reason, Shape
from boxsel.build.graphs.staging import Staged
from boxsel.logic.names import TOP_IRI
from boxsel.wording import listed, several

LEFT_OUT: Final = (Reason.UNDEFINED, Reason.TAXONOMY, Reason.DISJOINT, Reason.INCLUDED)
_SHOWN: Final = 5


@dataclass(frozen=True)
class GraphReport:
    """The report of a counted graph.

    `conditionals` and `left_out` are numbers by shape, the latter by reason too; `axioms` is how
    many statements of the taxonomy there are beside.
    """

    staged: Staged
    rejected: tuple[Rejected, ...]
    cycles: tuple[tuple[str, ...], ...]
    selection: Selection
    members: int
    patterns: tuple[int, ...]
    conditionals: Mapping[Shape, int]
    left_out: Mapping[Shape, Mapping[Reason, int]]
    axioms: int
    labels: Mapping[str, str]
    keeping: Keeping
    engine: str
    effort: Effort

    @property
    def text(self) -> str:
        """The report for people, in lines."""
        lines = [*self.staged.text, *rejected_text(self.rejected)]
        if self.cycles:
            shown = listed([" = ".join(cycle[:3]) for cycle in self.cycles], most=3)
            cycles = several(len(self.cycles), "cycle")
            lines.append(f"the taxonomy has {cycles}, whose classes are the same: {shown}")
        lines.extend(f"note: {shortfall}" for shortfall in self.selection.shortfalls)
        lines.extend(self._chosen_text())
        patterns = f"{self.patterns[0]:,} patterns of concepts"
        if len(self.patterns) > 1:
            patterns += f", {sum(self.patterns[1:]):,} of roles"
        lines.append(f"{self.members:,} entities have a chosen concept; {patterns}")
        made = ", ".join(f"{shape} {number:,}" for shape, number in self.conditionals.items())
        total = sum(self.conditionals.values())
        axioms = several(self.axioms, "axiom")
        lines.append(f"{several(total, 'conditional')} ({made}), {axioms} of the taxonomy")
        for reason in LEFT_OUT:
            number = sum(shape[reason] for shape in self.left_out.values())
            if number:
                lines.append(f"left out {number:,} ({reason.text})")
        lines += self.keeping.text
        lines.append(f"{self.effort.text}, with {self.engine}")
        return "\n".join(lines) + "\n"

    def _chosen_text(self) -> list[str]:
        chosen, selection = self.selection.chosen, self.selection
        roots = int(selection.root is not None and not chosen.everything)
        concepts = [
            f"{self._shown(name)} ({selection.instances[name]:,})"
            for name in chosen.concepts[: len(chosen.concepts) - roots]
        ]
        roles = [f"{self._shown(name)} ({selection.facts[name]:,})" for name in chosen.roles]
        lines = [
            f"{len(concepts):,} of {selection.candidates:,} concepts, by instances:"
            f" {listed(concepts, _SHOWN)}"
        ]
        if roles:
            lines.append(
                f"{len(roles):,} of {selection.candidate_roles:,} roles, by facts:"
                f" {listed(roles, _SHOWN)}"
            )
        if self.root is not None:
            shown = EVERYTHING if self.root == TOP_IRI else self._shown(self.root)
            lines.append(f"the root is {shown}")
        if 0 < len(chosen.conjoined) < len(concepts):
            lines.append(f"conjunctions are over the first {len(chosen.conjoined):,} concepts")
        return lines

    def _shown(self, name: str) -> str:
        return " ".join(self.labels.get(name, name).split())

    @property
    def root(self) -> str | None:
        """The concept that stands for the population, if there is one."""
        if self.selection.root is None:
            return None
        if self.selection.chosen.everything:
            return TOP_IRI
        return self.selection.chosen.concepts[self.selection.root]

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        selection = self.selection
        return {
            "read": self.staged.to_json(),
            "rejected": [rejection.to_json() for rejection in self.rejected],
            "cycles": [list(cycle) for cycle in self.cycles],
            "shortfalls": list(selection.shortfalls),
            "concepts": dict(selection.instances),
            "roles": dict(selection.facts),
            "candidates": {
                "concepts": selection.candidates,
                "roles": selection.candidate_roles,
            },
            "root": self.root,
            "conjoined": len(selection.chosen.conjoined),
            "entities": self.members,
            "patterns": {"concepts": self.patterns[0], "roles": list(self.patterns[1:])},
            "conditionals": dict(self.conditionals),
            "left_out": {
                shape: {reason.name.lower(): number for reason, number in reasons.items()}
                for shape, reasons in self.left_out.items()
            },
            "axioms": self.axioms,
            **self.keeping.to_json(),
            "engine": self.engine,
            **asdict(self.effort),
        }


def numbers_left_out(listings: Mapping[Shape, Listing]) -> dict[Shape, dict[Reason, int]]:
    """How many conditionals of each shape are left out, by reason."""
    return {
        shape: {reason: listing.number(reason) for reason in LEFT_OUT}
        for shape, listing in listings.items()
    }
