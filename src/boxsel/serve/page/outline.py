"""Which line of a text states what: the bridge between answers and the editor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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

    @classmethod
    def indexed(cls, text: str, statements: Sequence[str]) -> Outline:
        """The same, with all that it looks up found already: for a thread, where texts are long."""
        made = cls.of(text, statements)
        assert len(made._first) >= len(made._shares)
        return made

    def line(self, statement: str) -> int | None:
        """The line of a statement, or else of one about the same share; the first of several."""
        if (line := self._first.get(statement)) is not None:
            return line
        share = ConditionalText.share_of(statement)
        places = self._shares.get(share or "")
        return places[0][0] + 1 if places else None

    def lines(self, statements: Iterable[str]) -> list[int]:
        """The lines of some statements, all of them where several say the same."""
        wanted = {*statements}
        return [line for line, statement in self.statements if statement in wanted]

    def restated(self, changes: Mapping[str, str]) -> str:
        """The text with other statements in the place of some; comments stay where they are."""
        lines = self.text.split("\n")
        for number, statement in self.statements:
            if statement in changes:
                lines[number - 1] = _changed(lines[number - 1], changes[statement])
        return "\n".join(lines)

    def about(self, share: str) -> list[str]:
        """The statements about a share, as they follow each other."""
        return [statement for _, statement in self._shares.get(share, ())]

    def place(self, share: str, nth: int) -> int | None:
        """The line of the nth statement about a share, if it is there."""
        places = self._shares.get(share, ())
        return places[nth][0] + 1 if nth < len(places) else None

    def supposed(self, moves: Iterable[str]) -> str:
        """The text with conditionals in the place of all those about the same shares."""
        lines = self.text.split("\n")
        gone: set[int] = set()
        for share, said in _by_share(moves).items():
            places = [place for place, _ in self._shares.get(share, ())]
            for place, move in zip(places, said, strict=False):
                lines[place] = _changed(lines[place], move)
            lines += said[len(places) :]
            gone.update(places[len(said) :])
        return "\n".join(line for place, line in enumerate(lines) if place not in gone)

    def assuming(self, moves: Iterable[str]) -> tuple[str, list[str]]:
        """The text and the assumptions that say the same as the text with these moves.

        An assumption takes the place of all lines about its share: where several of them stay,
        the text is another one.
        """
        groups = _by_share(moves).values()
        several = [move for said in groups if len(said) > 1 for move in said]
        text = self.supposed(several) if several else self.text
        return text, [said[0] for said in groups if len(said) == 1]

    @cached_property
    def _first(self) -> dict[str, int]:
        """The first line of each statement."""
        return {statement: line for line, statement in reversed(self.statements)}

    @cached_property
    def _shares(self) -> dict[str, list[tuple[int, str]]]:
        """The places of the lines about each share, with what they state."""
        found: dict[str, list[tuple[int, str]]] = {}
        for line, statement in self.statements:
            if (share := ConditionalText.share_of(statement)) is not None:
                found.setdefault(share, []).append((line - 1, statement))
        return found


def _by_share(conditionals: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for conditional in conditionals:
        if (share := ConditionalText.share_of(conditional)) is not None:
            found.setdefault(share, []).append(conditional)
    return found


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
