"""What there is to say about a knowledge base from a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from boxsel.build.built import Effort
from boxsel.build.rejects import Rejected, rejected_text
from boxsel.wording import listed


@dataclass(frozen=True, slots=True)
class Column:
    """A column that was used: its values, those of no individual, and who has none of them."""

    name: str
    values: int
    unseen: tuple[str, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class TableReport:
    """How a table became a knowledge base.

    `conditionals` are by the number of columns in their body; `undefined` ones are left out because
    nobody belongs to the body; `dropped` individuals because a value is missing. `count` is the
    column that says how many individuals a row stands for, if it is not one.
    """

    file: str | None
    rows: int
    individuals: int
    dropped: int
    count: str | None
    columns: tuple[Column, ...]
    unnamed: int
    conditionals: Mapping[int, int]
    undefined: int
    rejected: tuple[Rejected, ...]
    remarks: tuple[str, ...]
    effort: Effort

    @property
    def text(self) -> str:
        """The report for people, in lines."""
        lines = [f"{self.rows:,} rows, {self.individuals:,} individuals"]
        lines.extend(f"note: {remark}" for remark in self.remarks)
        if self.dropped:
            lines.append(f"left out {self.dropped:,} individuals with a missing value")
        lines.extend(rejected_text(self.rejected))
        for column in self.columns:
            lines.append(f"{column.name}: {column.values:,} values{_remarks(column)}")
        if self.unnamed:
            lines.append(f"left out {self.unnamed} columns without a name")
        for size, count in self.conditionals.items():
            body = {0: "given everything", 1: "given one value"}.get(size, f"given {size} values")
            lines.append(f"{count:,} conditionals {body}")
        if self.undefined:
            lines.append(f"left out {self.undefined:,} conditionals whose body is nobody")
        return "\n".join([*lines, self.effort.text])

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        return {
            "file": self.file,
            "rows": self.rows,
            "individuals": self.individuals,
            "incomplete": self.dropped,
            "count": self.count,
            "columns": [{**asdict(one), "unseen": list(one.unseen)} for one in self.columns],
            "unnamed": self.unnamed,
            "conditionals": {str(size): count for size, count in self.conditionals.items()},
            "undefined": self.undefined,
            "rejected": [one.to_json() for one in self.rejected],
            "remarks": list(self.remarks),
            **self.effort.to_json(),
        }


def _remarks(column: Column) -> str:
    remarks = []
    if column.missing:
        remarks.append(f"without a value: {column.missing:,}, so no shares of everybody")
    if column.unseen:
        remarks.append(f"left out, as nobody has them: {listed(column.unseen)}")
    return "; " + "; ".join(remarks) if remarks else ""
