"""Reading by the grammar: any text that the language allows, and what is wrong with any other.

This is where Lark is imported. `parser.py` comes here only for lines that the fast reader
leaves, so that much of boxsel works where Lark is not installed.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from lark import Lark
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError
from lark.parsers.lalr_interactive_parser import InteractiveParser

from boxsel.errors import Diagnostic
from boxsel.logic.names import BARE_PATTERN, IRI_PATTERN, LOCAL_PATTERN, PREFIX_PATTERN, RESERVED
from boxsel.logic.proportions import NUMBER_PATTERN
from boxsel.syntax.builder import Builder
from boxsel.syntax.nametable import NameTable
from boxsel.syntax.notes import Misplaced
from boxsel.syntax.query_advice import query_advice
from boxsel.syntax.quoting import DIRECTIVES, known_name, quoted_name
from boxsel.syntax.statement_advice import statement_advice

# A word ends where no bare name could go on: `android` is not the keyword `and`.
WORD_END = r"(?![\w\-]|\.[\w\-])"

_PLACEHOLDERS = {
    "%RESERVED%": "|".join(sorted(RESERVED)),
    "%BARE%": BARE_PATTERN,
    "%PREFIX%": PREFIX_PATTERN,
    "%LOCAL%": LOCAL_PATTERN,
    "%IRI%": IRI_PATTERN,
    "%NUMBER%": NUMBER_PATTERN.replace("/", r"\/"),
    "%END%": WORD_END,
}

INFIXES = ("SubClassOf", "EquivalentTo", "SubPropertyOf", "Domain:", "Range:", "and", "or", "some")

_WORDS = {
    "BARE": "a name",
    "PREFIXED": "a name",
    "IRI": "a name",
    "QUOTED": "a name",
    "NAMESPACE": "a prefix such as 'ex:'",
    "STRING": "text in double quotes",
    "NUMBER": "a number",
    "NOTE": "",
    "DECLARE": "",
    "DROPPED": "",
    "DATA": "",
    "_PREFIX": "",
    "_LABEL": "",
    "_DISJOINTCLASSES": "",
    "_EQUIVALENTCLASSES": "",
    "_SUBCLASSOF": "'SubClassOf'",
    "_EQUIVALENTTO": "'EquivalentTo'",
    "_SUBPROPERTYOF": "'SubPropertyOf'",
    "_DOMAIN": "'Domain:'",
    "_RANGE": "'Range:'",
    "_AND": "'and'",
    "_OR": "",  # in queries only: 'and' shows what is missing
    "_NOT": "",
    "_ATLEAST": "",
    "_SOME": "'some'",
    "_OF": "'of'",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "COMMA": "','",
    "VBAR": "'|'",
    "$END": "the end of the line",
}


@cache
def parser() -> Lark:
    """The parser of lines, concepts and queries."""
    grammar = files(__package__).joinpath("sel.lark").read_text("utf-8")
    for placeholder, pattern in _PLACEHOLDERS.items():
        grammar = grammar.replace(placeholder, pattern)
    return Lark(
        grammar, parser="lalr", start=["line", "concept", "query"], maybe_placeholders=False
    )


def expected_words(terminals: set[str]) -> str:
    """The terminals that could have come next, in words."""
    words = [word for terminal, word in _WORDS.items() if terminal in terminals and word]
    distinct = list(dict.fromkeys(words))
    if len(distinct) <= 1:
        return "".join(distinct)
    return f"{', '.join(distinct[:-1])} or {distinct[-1]}"


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
            return self._unexpected(error, text, line, start)
        except VisitError as error:
            names.back(before)
            if isinstance(error.orig_exc, Misplaced):
                return self._misplaced(error.orig_exc, text, line)
            raise

    def _unexpected(
        self, error: UnexpectedInput, text: str, line: int | None, start: str
    ) -> Diagnostic:
        """The diagnostic for text that the grammar does not allow."""
        if isinstance(error, UnexpectedToken) and error.token.type == "$END":
            column, token, width = error.token.end_column or 1, "the end of the line", 1
        else:
            column = error.column if error.column and error.column > 0 else 1
            match = _WORD.match(text, column - 1)
            piece = match.group() if match else text[column - 1 : column]
            token, width = repr(piece), len(piece)
        possible, names = _terminals(error), self.builder.names
        wanted = expected_words(possible)
        message = f"expected {wanted}, found {token}" if wanted else f"did not expect {token}"
        begins, ends = "BARE" in possible, "_SUBCLASSOF" not in possible
        advice = (
            _in_quotes(known_name(text, column, names))
            or (query_advice(text, column) if start == "query" else None)
            or (statement_advice(text) if start == "line" else None)
            or _keyword_advice(text, column, width, possible)
            or _in_quotes(quoted_name(text, column, names, begins=begins, ends=ends))
        )
        return Diagnostic(message, self._file, line, column, text, width, help=advice)

    def _misplaced(self, problem: Misplaced, text: str, line: int | None) -> Diagnostic:
        """The diagnostic for text that is well formed but that the logic does not allow."""
        column, width, advice = problem.column, problem.width, problem.advice
        if column is None:
            column, width = len(text) - len(text.lstrip()) + 1, len(text.strip())
        if problem.unknown:
            advice = _in_quotes(known_name(text, column, self.builder.names)) or advice
        return Diagnostic(problem.message, self._file, line, column, text, width, advice)


_WORD = re.compile(r"[\w:.\-]+")

# Manchester syntax that OWL has and SEL has not, each with what to do instead.
_NOMINAL = "individuals occur only in assertions such as Woman(alice), never inside a concept"
_UNSUPPORTED = {
    "only": "SEL has no universal restriction: use r Range: C if it holds everywhere",
    "value": _NOMINAL,
    "{": _NOMINAL,
    "min": "SEL has no number restriction: use 'some' for at least one",
    "max": "SEL has no number restriction",
    "exactly": "SEL has no number restriction",
    "that": "write 'and' instead of 'that'",
    "Self": "SEL has no self restriction",
    "inverse": "SEL has no inverse roles: give the inverse a name of its own",
    "DisjointWith": "write DisjointClasses: A, B",
}


def _terminals(error: UnexpectedInput) -> set[str]:
    """What could really have come next, by trying; a parser state alone knows only a superset."""
    state = getattr(error, "interactive_parser", None)
    return set(state.accepts()) if isinstance(state, InteractiveParser) else set()  # type: ignore[no-untyped-call]


def _in_quotes(name: str | None) -> str | None:
    return None if name is None else f"quote names with other characters: {name}"


def _keyword_advice(text: str, column: int, width: int, possible: set[str]) -> str | None:
    piece = text[column - 1 : column - 1 + width]
    for word in (piece, piece[:1]):
        if word in _UNSUPPORTED:
            return _UNSUPPORTED[word]
    if piece == "[" and "VBAR" in possible:
        return "a conditional is written (head | body)[bounds]"
    return _spelling(text, column)


def _spelling(text: str, column: int) -> str | None:
    """A keyword that a word near the mistake may have been meant to be."""
    words = list(_WORD.finditer(text))
    near = [word for word in words if word.start() <= column <= word.end() + 1]
    first = [words[0]] if words else []
    for word, keywords in [(w, INFIXES) for w in near] + [(w, DIRECTIVES) for w in first]:
        spelt = word.group()
        lowered = {keyword.lower(): keyword for keyword in keywords}
        close = get_close_matches(spelt.lower(), lowered, n=1, cutoff=0.8)
        if close and lowered[close[0]] != spelt:
            return f"did you mean {lowered[close[0]]!r}?"
    return None
