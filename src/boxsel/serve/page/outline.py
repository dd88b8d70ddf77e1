"""Which line of a text states what: the bridge between answers and the editor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boxsel.serve.page.premises import ConditionalText
from boxsel.syntax.quoting import DECLARATIONS


@dataclass(frozen=True)
class Outline:
    r"""The statements of a text, each with its line, and the names that it uses.

    Examples:
        >>> text = "# two statements\nA SubClassOf B\n\n(C | A)[0.2]  # so far\n"
        >>> found = Outline.of(text, ["A SubClassOf B", "(C | A)[0.2]"])
        >>> found.line("(C | A)[0.2]")
        4
        >>> print(found.restated({"(C | A)[0.2]": "(C | A)[0.3]"}), end="")
        # two statements
        A SubClassOf B
        <BLANKLINE>
        (C | A)[0.3]  # so far
    """

    text: str = ""
    statements: tuple[tuple[int, str], ...] = ()

    @classmethod
    def of(cls, text: str, statements: Sequence[str]) -> Outline:
        """The outline of a text with these statements, in their order."""
        lines = stating_lines(text)
        if len(lines) != len(statements):  # better no line than a wrong one
            return cls(text)
        return cls(text, tuple(zip(lines, statements, strict=True)))

    def line(self, statement: str) -> int | None:
        """The line of a statement, or else of one about the same share; the first of several."""
        for line, one in self.statements:
            if one == statement:
                return line
        new = ConditionalText.of(statement)
        places = [] if new is None else self._about(new.share)
        return places[0] + 1 if places else None

    def lines(self, statements: Iterable[str]) -> list[int]:
        """The lines of some statements, all of them where several say the same."""
        wanted = {*statements}
        return [line for line, one in self.statements if one in wanted]

    def restated(self, changes: Mapping[str, str]) -> str:
        """The text with other statements in the place of some; comments stay where they are."""
        lines = self.text.split("\n")
        for number, one in self.statements:
            if one in changes:
                lines[number - 1] = _changed(lines[number - 1], changes[one])
        return "\n".join(lines)

    def supposed(self, moves: Iterable[str]) -> str:
        """The text with conditionals in the place of all those about the same share."""
        lines = self.text.split("\n")
        gone: set[int] = set()
        for move in moves:
            new = ConditionalText.of(move)
            places = [] if new is None else self._about(new.share)
            if new is None or not places:
                lines.append(move)
                continue
            lines[places[0]] = _changed(lines[places[0]], move)
            gone.update(places[1:])
        return "\n".join(line for place, line in enumerate(lines) if place not in gone)

    def _about(self, share: str) -> list[int]:
        """The places of the lines about a share."""
        found = ((line - 1, ConditionalText.of(one)) for line, one in self.statements)
        return [place for place, one in found if one is not None and one.share == share]


def stating_lines(text: str) -> list[int]:
    r"""The numbers of the lines that state something, if the text has no mistakes.

    Examples:
        >>> stating_lines("Prefix: : <urn:x:>\n# nothing\n\nA SubClassOf B")
        [4]
    """
    return [number for number, line in enumerate(text.split("\n"), start=1) if _states(line)]


def _states(line: str) -> bool:
    said = line.strip(" \t\r")
    return bool(said) and not said.startswith(("#", *DECLARATIONS))


def _changed(line: str, new: str) -> str:
    """A line that says something else; the comment of a conditional stays."""
    if ConditionalText.of(line) is None or ConditionalText.of(new) is None:
        return new
    return ConditionalText.put_into(line, new)


def summary_of(found: Mapping[str, Any]) -> str:
    """What a text holds, in a few words.

    Examples:
        >>> summary_of({"statements": ["A SubClassOf B"], "concepts": [{}, {}], "roles": []})
        '1 statement, 2 concepts'
    """
    from boxsel.wording import several

    parts = [several(len(found["statements"]), "statement")]
    parts.append(several(len(found["concepts"]), "concept"))
    if found["roles"]:
        parts.append(several(len(found["roles"]), "role"))
    return ", ".join(parts)
