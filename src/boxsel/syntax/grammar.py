"""The grammar, compiled once, and the words for what it expects."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from lark import Lark

from boxsel.logic.names import (
    BARE_PATTERN,
    IRI_PATTERN,
    LOCAL_PATTERN,
    PREFIX_PATTERN,
    RESERVED,
)
from boxsel.logic.proportions import NUMBER_PATTERN

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

INFIXES = ("SubClassOf", "EquivalentTo", "SubPropertyOf", "Domain:", "Range:", "and", "some")

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
