"""A reasoner for Statistical EL: proportions over hierarchies.

Examples:
    >>> import boxsel
    >>> kb = boxsel.parse("(Admitted | DeptA)[0.8]")
    >>> kb
    <KB: 1 conditional>
"""

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
    "Role",
    "RoleAssertion",
    "RoleInclusion",
    "Statement",
    "Top",
    "WriteError",
    "__version__",
    "conditional",
    "conjunction",
    "disjoint",
    "names",
    "parse",
    "parse_concept",
    "parse_query",
    "read",
    "roles",
    "write",
]
