"""Reading by the grammar: any text that the language allows, and what is wrong with any other.

This is where Lark is imported. `parser.py` comes here only for lines that the fast reader
leaves, so that much of boxsel works where Lark is not installed.
"""

from __future__ import annotations

from lark.exceptions import UnexpectedInput, VisitError

from boxsel.errors import Diagnostic
from boxsel.syntax.builder import Builder
from boxsel.syntax.grammar import parser
from boxsel.syntax.mistakes import misplaced, unexpected
from boxsel.syntax.nametable import NameTable
from boxsel.syntax.notes import Misplaced


class GrammarReader:
    """Reads the lines of one text, or one concept or query."""

    def __init__(self, names: NameTable, file: str | None = None) -> None:
        self.builder = Builder(names)
        self._file = file

    def read(self, text: str, start: str, line: int | None = None) -> object | Diagnostic:
        """What a text states, or what is wrong with it."""
        self.builder.line_number = line
        text = text.rstrip("\r")
        names = self.builder.names
        before = names.mark()
        try:
            return self.builder.transform(parser().parse(text, start=start))
        except UnexpectedInput as error:
            return unexpected(error, text, names, self._file, line)
        except VisitError as error:
            names.back(before)
            if isinstance(error.orig_exc, Misplaced):
                return misplaced(error.orig_exc, text, names, self._file, line)
            raise
