"""Rules as atoms: `head <= body` or `body => head`, in the spellings of AMIE and AnyBURL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from boxsel.build.graphs.names import canonical
from boxsel.errors import BoxselError

REFLEXIVE: Final = "me_myself_i"
"""AnyBURL's word for an object that is the subject itself."""

_VARIABLE = re.compile(r"\?\w+")
_LETTER = re.compile(r"\?\w+|[A-Z]")
_TOKEN = re.compile(r"<[^>]*>\S*|\"(?:[^\"\\]|\\.)*\"\S*|\S+")
_GAP = re.compile(r"\s{2,}")
_NEXT_ATOM = re.compile(r"(?<=\)),\s+")


class UnreadableRuleError(BoxselError, ValueError):
    """A text that is no rule; the message says why."""


@dataclass(frozen=True, slots=True)
class Term:
    """A variable, or a constant by its name."""

    name: str
    variable: bool


@dataclass(frozen=True, slots=True)
class Atom:
    """`relation(subject, object)`."""

    relation: str
    subject: Term
    object: Term


@dataclass(frozen=True, slots=True)
class Rule:
    """If all of the body then the head."""

    head: Atom
    body: tuple[Atom, ...]


def parse_rule(text: str, *, letters: bool) -> Rule:
    """The atoms of a rule; with `letters` single capital letters are variables too (AnyBURL).

    Examples:
        >>> rule = parse_rule("citizen(X,c) <= born(X,A), in(A,c)", letters=True)
        >>> len(rule.body), rule.head.object
        (2, Term(name='c', variable=False))
        >>> rule == parse_rule("?X  born  ?A  ?A  in  c   => ?X  citizen  c", letters=False)
        False
    """
    if "=>" in text and not (letters and "<=" in text):
        before, _, after = text.rpartition("=>")
    elif "<=" in text:
        after, _, before = text.partition("<=")
    else:
        raise UnreadableRuleError("there is no => or <= between head and body")
    variable = _LETTER if letters else _VARIABLE
    heads = _atoms(after.strip(), variable)
    if len(heads) != 1:
        raise UnreadableRuleError(f"the head has {len(heads)} atoms, expected one")
    return Rule(heads[0], tuple(_atoms(before.strip(), variable)))


def _atoms(text: str, variable: re.Pattern[str]) -> list[Atom]:
    if not text:
        return []
    if text.endswith(")") and not _is_triples(text):
        return [_written_atom(piece, variable) for piece in _NEXT_ATOM.split(text)]
    words = _GAP.split(text)  # AMIE writes two spaces, so that one may be inside a name
    if len(words) % 3:
        words = _TOKEN.findall(text)
    if len(words) % 3:
        raise UnreadableRuleError("the atoms are not all of the form subject relation object")
    return [
        Atom(
            name(words[place + 1]), _term(words[place], variable), _term(words[place + 2], variable)
        )
        for place in range(0, len(words), 3)
    ]


def _is_triples(text: str) -> bool:
    """Whether atoms are written as triples: the first word is then a whole term."""
    first = _TOKEN.findall(text)[0]
    return first.startswith("?") or "(" not in first


def _written_atom(text: str, variable: re.Pattern[str]) -> Atom:
    relation, opened, inside = text.strip().partition("(")
    if not opened or not inside.endswith(")") or not relation:
        raise UnreadableRuleError("an atom is not of the form relation(subject, object)")
    subject, target = _arguments(inside[:-1], variable)
    return Atom(name(relation), _term(subject, variable), _term(target, variable))


def _arguments(text: str, variable: re.Pattern[str]) -> Sequence[str]:
    """The two arguments; names may hold commas, but only next to a variable it is clear which."""
    parts = text.split(",")
    if len(parts) == 2:
        return parts
    if len(parts) > 2 and variable.fullmatch(parts[0].strip()):
        return parts[0], text.partition(",")[2]
    if len(parts) > 2 and variable.fullmatch(parts[-1].strip()):
        return text.rpartition(",")[0], parts[-1]
    raise UnreadableRuleError("an atom does not have two arguments")


def _term(text: str, variable: re.Pattern[str]) -> Term:
    text = text.strip()
    if not text:
        raise UnreadableRuleError("an argument of an atom is empty")
    return Term(text if variable.fullmatch(text) else name(text), bool(variable.fullmatch(text)))


def name(text: str) -> str:
    """A name as graphs spell it: without the angle brackets of AMIE.

    Examples:
        >>> name("<hasChild>"), name("rdf:type")
        ('hasChild', 'rdf:type')
    """
    bare = canonical(text)
    if not bare or bare == "<>":
        raise UnreadableRuleError("a name is empty")
    return bare
