"""What an ensemble says about a query: an approximation, labelled so."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.statements import Query
from boxsel.models.measuring import Floats


@dataclass(frozen=True, eq=False)
class Estimate:
    """The values of a query in the members of an ensemble.

    `values` has one for each member, NaN where the body is empty in it. `kept` says which members
    satisfy the knowledge base up to the tolerance: the smallest and the largest of their values
    are the estimate. `violation` is the largest of a kept member. It is no bound: small violations
    can move the value of a rare concept a lot, and no member may come near the ends.

    `empty` says that the body is empty by logic: then no member has a value.
    """

    query: Query
    values: Floats
    kept: NDArray[np.bool_]
    violation: float | None
    directed: bool = False
    empty: bool = False
    prefixes: Prefixes = field(default=NO_PREFIXES, repr=False)

    @property
    def kept_ends(self) -> tuple[float, float] | None:
        """The least and the largest value of the kept members; none if none of them has one."""
        return _ends(self.values[self.kept])

    @property
    def lower(self) -> float | None:
        """The least value of the kept members; none if none of them has one."""
        return None if self.kept_ends is None else self.kept_ends[0]

    @property
    def upper(self) -> float | None:
        """The largest value of the kept members; none if none of them has one."""
        return None if self.kept_ends is None else self.kept_ends[1]

    @property
    def all_members(self) -> tuple[float, float] | None:
        """The least and the largest value of all members, however wrong: the paper's interval."""
        return _ends(self.values)

    @property
    def members(self) -> int:
        """How many members there are."""
        return len(self.values)

    @property
    def undefined(self) -> int:
        """In how many kept members the body is empty."""
        return int(np.isnan(self.values[self.kept]).sum())

    @property
    def missing(self) -> str:
        """Why there is no estimate; nothing if there is one."""
        if self.empty:
            return f"{self.query.body.text(self.prefixes)} is empty in every model"
        kept = int(self.kept.sum())
        if not kept:
            return f"none of {self.members} members satisfies the knowledge base"
        return "" if self.kept_ends else f"its body is empty in all {kept} members kept"

    @property
    def text(self) -> str:
        """The answer for people."""
        colon = ":" if self.missing else ""
        first, *others = self.said
        lines = (
            f"{self.query.text(self.prefixes)}{colon} {first}",
            *(f"  {other}" for other in others),
        )
        return "".join(f"{line}\n" for line in lines)

    @property
    def said(self) -> tuple[str, ...]:
        """What is said about the query, in lines."""
        if self.empty:
            return (f"vacuous, since {self.missing}",)
        if self.missing:
            return (f"no estimate, since {self.missing}", *self._seen_anyway)
        how = "directed members" if self.directed else "members"
        undefined = f", undefined in {self.undefined}" if self.undefined else ""
        return (
            f"is estimated between {self.lower:.4g} and {self.upper:.4g} (approximate:"
            f" {self.kept.sum()} of {self.members} {how}, violation at most"
            f" {self.violation:.2g}{undefined})",
        )

    def to_json(self) -> dict[str, Any] | None:
        """The estimate as a JSON object; none if there is no estimate."""
        if self.lower is None:
            return None
        return {
            "lower": self.lower,
            "upper": self.upper,
            "members": self.members,
            "kept": int(self.kept.sum()),
            "undefined": self.undefined,
            "violation": self.violation,
            "directed": self.directed,
        }

    def __repr__(self) -> str:
        return f"<Estimate: {self.text.strip()}>"

    def _repr_html_(self) -> str:
        from boxsel.logic.html import code

        lines = "<br>".join(map(escape, self.said))
        return f"<div>{code(self.query.text(self.prefixes))} {lines}{self._bar}</div>"

    @property
    def _bar(self) -> str:
        """The kept members' interval as a bar, that of all members as a thin line."""
        from boxsel.pictures.shares import draw_estimate

        kept, seen = self.kept_ends, self.all_members
        if seen is None:
            return ""
        said = "" if kept is None else f"bar: members kept, {kept[0]:.4g} to {kept[1]:.4g}; "
        said += f"line: all members, {seen[0]:.4g} to {seen[1]:.4g}; from 0 to 1"
        return f"<br>{draw_estimate(said, kept, seen)}"

    @property
    def _seen_anyway(self) -> tuple[str, ...]:
        seen = None if self.kept.any() else self.all_members
        if seen is None:
            return ()
        return (f"all members together range from {seen[0]:.4g} to {seen[1]:.4g}",)


def _ends(values: Floats) -> tuple[float, float] | None:
    known = values[~np.isnan(values)]
    return (float(known.min()), float(known.max())) if len(known) else None
