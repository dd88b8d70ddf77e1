"""Statements: axioms with what stands beside them; queries; and what was left out on reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import Axiom, forbid_bottom
from boxsel.logic.concepts import Concept
from boxsel.logic.expecting import expect
from boxsel.logic.html import code
from boxsel.logic.names import NO_PREFIXES, Prefixes, plain_text

NOTE_FIELDS: Final = ("label", "source", "comment")
"""What a note may hold, in the order in which it is written."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a statement carries beside its meaning; shown with it in evidence."""

    label: str = ""
    source: str = ""
    comment: str = ""

    def __post_init__(self) -> None:
        for field in NOTE_FIELDS:
            object.__setattr__(self, field, plain_text(getattr(self, field), f"a {field}"))

    def __bool__(self) -> bool:
        return bool(self.label or self.source or self.comment)

    def text(self) -> str:
        """The note as it stands after a statement in `.sel`."""
        fields = ((field, getattr(self, field)) for field in NOTE_FIELDS)
        return "  ".join(f"## {field}: {_escape(value)}" for field, value in fields if value)

    def remarked(self, remark: str) -> Note:
        """The same with one more remark in its comment."""
        return replace(self, comment="; ".join(filter(None, (self.comment, remark))))


NO_NOTE = Note()


@dataclass(frozen=True, slots=True)
class Statement:
    """An axiom and the note beside it."""

    axiom: Axiom
    note: Note = NO_NOTE

    def __post_init__(self) -> None:
        expect(Axiom, "a statement takes an axiom (boxsel.parse reads text)", self.axiom)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The statement as a line of `.sel`."""
        line = self.axiom.text(prefixes)
        return f"{line}  {self.note.text()}" if self.note else line

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return code(self.text())


@dataclass(frozen=True, slots=True)
class Query:
    """`(head | body)`: what share of the body belongs to the head?

    Both may be Boolean combinations, with `not`, `or` and `at least`.
    """

    head: Concept
    body: Concept

    def __post_init__(self) -> None:
        forbid_bottom("in a query", self.head, self.body)

    @property
    def is_boolean(self) -> bool:
        """Whether `not`, `or` or `at least` occur."""
        return self.head.is_boolean or self.body.is_boolean

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`(D | C)`."""
        return f"({self.head.text(prefixes)} | {self.body.text(prefixes)})"

    def __str__(self) -> str:
        return self.text()


def _escape(text: str) -> str:
    r"""Text on one line, free of `##`: the reader undoes `\n`, `\r`, `\#` and `\\`."""
    escaped = text.replace("\\", "\\\\").replace("##", "#\\#")
    return escaped.replace("##", "#\\#").replace("\n", "\\n").replace("\r", "\\r")


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
