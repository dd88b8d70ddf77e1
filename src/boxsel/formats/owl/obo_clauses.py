"""The clauses of an OBO file that the parser would lose or misread.

py-horned-owl reads the common clauses. Some logical ones it passes over, and it takes a
universal or a cardinality for an existential: what SEL cannot say is taken out and counted
before parsing, and `owl-axioms`, which carries axioms in functional syntax, is kept apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl.axioms import Loss, unsaid_reason
from boxsel.formats.owl.iris import OBO
from boxsel.formats.source import Source

OWL_AXIOMS: Final = "owl-axioms"

_STANZA = re.compile(r"\[(\w+)\]")
_CLAUSE = re.compile(r"([\w-]+)\s*:(.*)", re.DOTALL)
_END_OF_VALUE = re.compile(r"(?<!\\)[!{]")
_QUALIFIER = re.compile(
    r"\b(all_only|cardinality|minCardinality|maxCardinality|gci_relation|gci_filler)"
    r'\s*=\s*"?(\w*)'
)
_CLASS_LEVEL = re.compile(
    r"^\[Typedef\]\s*^id:[ \t]*(\S+)(?:(?!^\[).)*?^is_class_level:[ \t]*true",
    re.MULTILINE | re.DOTALL,
)
_OBO_HEADERS: Final = ("format-version", "ontology", "data-version")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "W": " "}
_OBO_PREFIX = re.compile(r"([A-Z][A-Za-z0-9]*):[A-Za-z0-9]")

_IDENTIFIERS: Final = {
    "is_a": 1,
    "relationship": 2,
    "intersection_of": 1,
    "union_of": 1,
    "disjoint_from": 1,
    "equivalent_to": 1,
    "instance_of": 1,
    "domain": 1,
    "range": 1,
}
"""How many identifiers a clause needs at least: the parser passes over one that has fewer."""

_CHAIN: Final = Loss("SubObjectPropertyOf", unsaid_reason(["ObjectPropertyChain"]))
_DISJOINT: Final = Loss("DisjointObjectProperties", "not part of SEL")
_LOST_OF_RELATIONS: Final = {
    "holds_over_chain": _CHAIN,
    "equivalent_to_chain": _CHAIN,
    "transitive_over": _CHAIN,
    "disjoint_from": _DISJOINT,
    "disjoint_over": _DISJOINT,
    **{
        tag: Loss(tag, "not read as a clause of a relation")
        for tag in ("equivalent_to", "intersection_of", "union_of")
    },
}


@dataclass(slots=True)
class Clauses:
    """An OBO file, sorted."""

    text: str = ""
    owl_axioms: list[tuple[int, str]] = field(default_factory=list)
    prefixes: dict[str, str] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    is_obo: bool = False


def sort_clauses(source: Source) -> Clauses:
    """The part of a file that the parser reads, line by line, and all that it does not."""
    return _Sorter(source).sort()


class _Sorter:
    """Goes through the lines once; what is taken out leaves an empty line behind."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines = source.text.split("\n")
        self._class_level = frozenset(_CLASS_LEVEL.findall(source.text))
        self._sorted = Clauses()

    def sort(self) -> Clauses:
        stanza, start = "", 0
        for place, line in enumerate(self._lines):
            if match := _STANZA.match(line):
                stanza, start = match[1], place
                self._sorted.is_obo = True
            elif match := _CLAUSE.match(line):
                tag, value = match[1], match[2].strip()
                if stanza:
                    self._clause(stanza, tag, value, place, start)
                else:
                    self._header(tag, value, place)
        self._sorted.text = "\n".join(self._lines)
        return self._sorted

    def _header(self, tag: str, value: str, place: int) -> None:
        if tag in _OBO_HEADERS:
            self._sorted.is_obo = True
        if tag.startswith("treat-xrefs-as-"):
            self._lose(Loss(tag, "cross-references are not read as axioms"), place)
        elif tag == OWL_AXIOMS:
            self._sorted.owl_axioms.append((place + 1, unescaped(value)))
            self._lines[place] = ""
        elif tag == "idspace":
            prefix, _, rest = value.partition(" ")
            self._sorted.prefixes[prefix] = rest.strip().partition(" ")[0]

    def _clause(self, stanza: str, tag: str, value: str, place: int, start: int) -> None:
        identifiers = _END_OF_VALUE.split(value, maxsplit=1)[0].split()
        needed = _IDENTIFIERS.get(tag, 0)
        if len(identifiers) < needed:
            message = (
                f"expected {'two identifiers' if needed > 1 else 'an identifier'} after {tag}:"
            )
            raise ReadError(Diagnostic(message, file=self._source.file, line=place + 1))
        if tag == "id" and (known := _OBO_PREFIX.match(value)):
            self._sorted.prefixes.setdefault(known[1], f"{OBO}{known[1]}_")
        elif stanza == "Typedef" and tag in _LOST_OF_RELATIONS:
            self._lose(_LOST_OF_RELATIONS[tag], place)
        elif needed and (misread := _misread(stanza, tag, value)):
            self._lose(Loss(tag, unsaid_reason(misread)), place)
            if tag == "intersection_of":
                self._remove_definition(start)
        elif tag == "relationship" and identifiers[0] in self._class_level:
            self._lose(Loss(tag, unsaid_reason(["is_class_level"])), place)

    def _lose(self, loss: Loss, place: int) -> None:
        self._sorted.losses.append(loss)
        self._lines[place] = ""

    def _remove_definition(self, start: int) -> None:
        """Take a whole definition out: without one part it would mean something else."""
        for place in range(start + 1, len(self._lines)):
            if _STANZA.match(self._lines[place]):
                return
            if self._lines[place].startswith("intersection_of"):
                self._lines[place] = ""


def unescaped(text: str) -> str:
    r"""Text without the escapes of OBO.

    Examples:
        >>> unescaped("a\\nb")
        'a\nb'
    """
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text)


def escaped(text: str) -> str:
    """Text on one line, safe from the marks of comments and qualifiers."""
    text = re.sub(r'[\\"{}!]', r"\\\g<0>", text)
    return text.replace("\n", "\\n")


def _misread(stanza: str, tag: str, value: str) -> set[str]:
    """The qualifiers that change what a clause says, and that the parser would pass over."""
    found = dict(_QUALIFIER.findall(value))
    context = {name for name in found if name.startswith("gci_")}
    if stanza == "Term" and tag in ("is_a", "relationship") and len(context) == 2:
        context = set()  # the parser reads this one: an axiom about a part of the term
    counted = found.keys() - {"gci_relation", "gci_filler"}
    if counted == {"minCardinality"} and found["minCardinality"] == "1":
        counted = set()
    return context | counted
