"""A reasoner for Statistical EL: proportions over hierarchies.

Examples:
    >>> import boxsel
    >>> kb = boxsel.parse("(Admitted | DeptA)[0.8]")
    >>> kb
    <KB: 1 conditional>
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from boxsel._version import __version__
from boxsel.errors import BoxselError, InvalidStatementError, ReadError, WriteError
from boxsel.formats.files import read, write
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleAssertion,
    RoleInclusion,
    conditional,
    disjoint,
)
from boxsel.logic.concepts import (
    BOTTOM,
    TOP,
    And,
    Bottom,
    Concept,
    Exists,
    Individual,
    Name,
    Role,
    Top,
    conjunction,
    names,
    roles,
)
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Note, Query, Statement
from boxsel.syntax.parser import parse_concept, parse_query
from boxsel.syntax.parser import parse_kb as parse

if TYPE_CHECKING:
    from boxsel.difference import difference as diff
    from boxsel.normal.normalize import normalize
    from boxsel.normal.saturation import saturate
    from boxsel.sampling import Reading, read_counts
    from boxsel.summary import summarize

# Imported on first use: they are not needed to read and write.
_LATER = {
    "Reading": ("boxsel.sampling", "Reading"),
    "diff": ("boxsel.difference", "difference"),
    "normalize": ("boxsel.normal.normalize", "normalize"),
    "read_counts": ("boxsel.sampling", "read_counts"),
    "saturate": ("boxsel.normal.saturation", "saturate"),
    "summarize": ("boxsel.summary", "summarize"),
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _LATER[name]
    value = globals()[name] = getattr(import_module(module), attribute)
    return value


__all__ = [
    "BOTTOM",
    "KB",
    "TOP",
    "And",
    "Axiom",
    "Bottom",
    "BoxselError",
    "Concept",
    "ConceptAssertion",
    "Conditional",
    "Count",
    "Disjointness",
    "Domain",
    "Dropped",
    "Equivalence",
    "Exists",
    "Inclusion",
    "Individual",
    "Interval",
    "InvalidStatementError",
    "Name",
    "Note",
    "Prefixes",
    "Query",
    "Range",
    "ReadError",
    "Reading",
    "Role",
    "RoleAssertion",
    "RoleInclusion",
    "Statement",
    "Top",
    "WriteError",
    "__version__",
    "conditional",
    "conjunction",
    "diff",
    "disjoint",
    "names",
    "normalize",
    "parse",
    "parse_concept",
    "parse_query",
    "read",
    "read_counts",
    "roles",
    "saturate",
    "summarize",
    "write",
]
