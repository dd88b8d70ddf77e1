"""A fast reader for the commonest lines; all others are left to the grammar.

Large knowledge bases are mostly lines like `(B | A and C)[0.25]`, `A SubClassOf B` and
`A(x)`, over names without quotes. For these, regular expressions find the parts, and each
distinct part is built once. A line that does not fit, or that the logic refuses, gives
`None` and leaves no trace: the grammar then reads it and says what is wrong. The two agree on
every text, which the tests hold by property.
"""

from __future__ import annotations

import re

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import Axiom, ConceptAssertion, Conditional, Inclusion, RoleAssertion
from boxsel.logic.concepts import And, Bottom, Concept, Exists, Individual, Role
from boxsel.logic.names import BARE_PATTERN, LOCAL_PATTERN, PREFIX_PATTERN, RESERVED
from boxsel.logic.proportions import NUMBER_PATTERN, Count, Interval, Proportion
from boxsel.logic.statements import NO_NOTE, Note, Statement
from boxsel.syntax.nametable import NameProblem, NameTable
from boxsel.syntax.notes import Misplaced, read_note

_SPACE = r"[ \t]*"
_WORDS = r"([\w\-.:%][\w\-.:% \t]*)"
_WORD = r"([\w\-.:%]+)"
_CONDITIONAL = re.compile(
    rf"\({_SPACE}{_WORDS}\|{_SPACE}{_WORDS}\){_SPACE}\[{_SPACE}([^\]#]*)\][ \t\r]*"
)
_INCLUSION = re.compile(rf"{_WORDS}[ \t]SubClassOf[ \t]{_SPACE}{_WORDS}\r?")
_ASSERTION = re.compile(
    rf"{_WORD}{_SPACE}\({_SPACE}{_WORD}{_SPACE}(?:,{_SPACE}{_WORD}{_SPACE})?\)[ \t\r]*"
)
_PLAIN = re.compile(_WORDS)
_NAME = re.compile(rf"{BARE_PATTERN}|(?:{PREFIX_PATTERN})?:{LOCAL_PATTERN}")
_NUMBERS = re.compile(rf"({NUMBER_PATTERN}){_SPACE}(?:,{_SPACE}({NUMBER_PATTERN}){_SPACE})?")
_COUNT = re.compile(rf"([0-9]{{1,300}})[ \t]+of[ \t]+([0-9]{{1,300}}){_SPACE}")
_END = ("", "")  # after the last word, as far as anybody looks ahead: no words
_REMEMBERED = 100_000


class ShapeReader:
    """Reads lines of common shapes, remembering the concepts and proportions already built."""

    def __init__(self, names: NameTable) -> None:
        self._names = names
        self._proportions: dict[str, Proportion | None] = {}
        self._notes: dict[str, Note] = {}

    def statement(self, line: str, number: int) -> Statement | None:
        """The statement of a line, or `None` for the grammar to decide."""
        before = self._names.mark()
        # A line of these shapes holds no quotes and no IRIs: its first # ends the axiom.
        axiom_text, sign, rest = line.partition("#")
        try:
            axiom = self._axiom(axiom_text.rstrip(" \t") if sign else line, number)
            if axiom is not None:
                note = self._note(rest) if rest.startswith("#") else NO_NOTE
                return Statement(axiom, note)
        except (InvalidStatementError, NameProblem, Misplaced):
            pass
        self._names.back(before)
        return None

    def concept(self, text: str) -> Concept | None:
        """The concept of a text, or `None` for the grammar to decide."""
        before = self._names.mark()
        try:
            concept = self._concept(text, None) if _PLAIN.fullmatch(text) else None
        except (InvalidStatementError, NameProblem):
            concept = None
        if concept is None:
            self._names.back(before)
        return concept

    def _axiom(self, line: str, number: int) -> Axiom | None:
        match = _CONDITIONAL.fullmatch(line)
        if match is not None:
            head_text, body_text, proportion_text = match.groups()
            head = self._concept(head_text, number)
            body = self._concept(body_text, number)
            proportion = self._proportion(proportion_text)
            if head is None or body is None or proportion is None:
                return None
            return Conditional(head, body, proportion)
        match = _INCLUSION.fullmatch(line)
        if match is not None:
            left = self._concept(match[1], number)
            right = self._concept(match[2], number)
            return None if left is None or right is None else Inclusion(left, right)
        match = _ASSERTION.fullmatch(line)
        return self._assertion(match[1], match[2], match[3], number) if match is not None else None

    def _assertion(self, name: str, first: str, second: str | None, number: int) -> Axiom | None:
        if second is None:
            concept = self._concept(name, number)
            individual = self._individual(first, number)
            if concept is None or individual is None:
                return None
            return ConceptAssertion(concept, individual)
        role = self._role(name, number)
        subject, target = self._individual(first, number), self._individual(second, number)
        if role is None or subject is None or target is None:
            return None
        return RoleAssertion(role, subject, target)

    def _concept(self, text: str, number: int | None) -> Concept | None:
        known = self._names.concepts
        try:
            return known[text]
        except KeyError:
            concept = self._build(text.split(), number)
            if concept is not None:
                known[text] = concept
            return concept

    def _build(self, words: list[str], number: int | None) -> Concept | None:
        """A conjunction of names and of existentials, nested or not, over names."""
        words += _END
        parts: list[Concept] = []
        position = 0
        while True:
            roles: list[Role] = []
            while words[position + 1] == "some":
                role = self._role(words[position], number)
                if role is None:
                    return None
                roles.append(role)
                position += 2
            part = self._name(words[position], number)
            if part is None:
                return None
            for role in reversed(roles):
                part = Exists(role, part)
            parts.append(part)
            if words[position + 1] != "and":
                break
            position += 2
        if words[position + 1]:
            return None
        operands = tuple(dict.fromkeys(parts))
        return operands[0] if len(operands) == 1 else And(*operands)

    def _name(self, word: str, number: int | None) -> Concept | None:
        if not _is_name(word):
            return None
        concept = self._names.concept(word, number)
        return None if isinstance(concept, Bottom) else concept

    def _role(self, word: str, number: int | None) -> Role | None:
        return self._names.role(word, number) if _is_name(word) else None

    def _individual(self, word: str, number: int | None) -> Individual | None:
        return self._names.individual(word, number) if _is_name(word) else None

    def _note(self, text: str) -> Note:
        note = self._notes.get(text)
        if note is None:
            note = read_note(f"#{text}")
            if len(self._notes) < _REMEMBERED:
                self._notes[text] = note
        return note

    def _proportion(self, text: str) -> Proportion | None:
        try:
            return self._proportions[text]
        except KeyError:
            proportion = _read_proportion(text)
            if len(self._proportions) < _REMEMBERED:
                self._proportions[text] = proportion
            return proportion


def _is_name(word: str) -> bool:
    return _NAME.fullmatch(word) is not None and word not in RESERVED


def _read_proportion(text: str) -> Proportion | None:
    match = _NUMBERS.fullmatch(text)
    if match is not None:
        lower, upper = match.groups()
        return Interval.point(lower) if upper is None else Interval.of(lower, upper)
    match = _COUNT.fullmatch(text)
    return Count(int(match[1]), int(match[2])) if match is not None else None
