"""What can go wrong, as values: every error says what, where and what to do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

MAX_ERRORS: Final = 20
"""How many mistakes a reader reports in one run before it stops."""


class BoxselError(Exception):
    """The base of every error that boxsel raises on purpose."""


class InvalidStatementError(BoxselError, ValueError):
    """A concept, a number or a statement that the logic does not allow."""


class WrongKindError(BoxselError, TypeError):
    """A value of a kind that is not taken here, such as a number in the place of a concept."""


class WriteError(BoxselError):
    """A knowledge base could not be written; the old file, if any, is untouched."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem in one place.

    Lines and columns count from 1; `None` means that the problem has no such place (a
    directory, an empty file, a binary format). A query has columns and no line. The text that is
    shown is the line, or what stands in a cell of it: then the column of the line is not known, and
    the `caret` is the column of the text.
    """

    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    text: str | None = None
    width: int = 1
    help: str | None = None
    caret: int | None = None

    @property
    def place(self) -> str:
        """The place as editors understand it: `file:line:column`."""
        column = None if self.line is None else self.column
        return ":".join(str(part) for part in (self.file, self.line, column) if part)

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.message}" if self.place else self.message]
        caret = self.caret or self.column
        if self.text is not None and caret is not None:
            excerpt, start = _excerpt(self.text, caret)
            gutter = f"{self.line or '':>5} | "
            width = max(1, min(self.width, len(excerpt) - start))
            lines.append(gutter + excerpt)
            lines.append(" " * (len(gutter) - 2) + "| " + " " * start + "^" * width)
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


class ReadError(BoxselError):
    """Input that could not be read, with one diagnostic for each problem found."""

    def __init__(self, *diagnostics: Diagnostic, more: bool = False) -> None:
        self.diagnostics = diagnostics
        self.more = more
        super().__init__(str(self))

    def at(self, file: str | None, line: int | None) -> tuple[Diagnostic, ...]:
        """The same problems, in a line of a file."""
        return tuple(replace(diagnostic, file=file, line=line) for diagnostic in self.diagnostics)

    def __str__(self) -> str:
        parts = [str(diagnostic) for diagnostic in self.diagnostics]
        if self.more:
            parts.append(f"stopped after {len(self.diagnostics)} errors")
        return "\n".join(parts)


def _excerpt(text: str, column: int, span: int = 100) -> tuple[str, int]:
    """The part of a long line around a column, and where the column is in it."""
    start = max(0, column - 1 - span // 2) if len(text) > span else 0
    shown = text[start : start + span]
    shown = "".join(ch if ch.isprintable() else "\N{REPLACEMENT CHARACTER}" for ch in shown)
    before = "…" if start else ""
    after = "…" if start + span < len(text) else ""
    return before + shown + after, column - 1 - start + len(before)
