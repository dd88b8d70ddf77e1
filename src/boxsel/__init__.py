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
    from boxsel.answer.answer import Answer
    from boxsel.answer.ask import Asker, ask
    from boxsel.answer.assumptions import assumed
    from boxsel.answer.many import answered_table, ask_many
    from boxsel.answer.sensitivity import Sensitivity, sensitivity
    from boxsel.build.graph.building import build_graph
    from boxsel.build.hpo.building import build_hpo
    from boxsel.build.rules.building import build_rules
    from boxsel.build.table.building import build_table
    from boxsel.checker.verify import verify
    from boxsel.difference import difference as diff
    from boxsel.evaluation.evaluate import evaluate
    from boxsel.evaluation.scopes import Choices
    from boxsel.exact.bounds import Bounds
    from boxsel.exact.diagnosis.check import Check
    from boxsel.exact.diagnosis.explanation import Explanation
    from boxsel.exact.diagnosis.repair import Repair
    from boxsel.exact.reasoner import Reasoner
    from boxsel.models.estimate import Estimate
    from boxsel.models.fit import fit
    from boxsel.models.loading import load as load_model
    from boxsel.models.model import Model
    from boxsel.models.resumable import fit_into
    from boxsel.models.settings import Settings
    from boxsel.normal.normalize import normalize
    from boxsel.normal.saturation import saturate
    from boxsel.reversals.kb_result import KBReversal
    from boxsel.reversals.simpson import simpson
    from boxsel.reversals.table_result import TableReversals
    from boxsel.reversals.tabulation import TableOptions
    from boxsel.rules.derivation import propagate
    from boxsel.sampling import Reading, read_counts
    from boxsel.summary import summarize

# Imported on first use: they are not needed to read and write.
_LATER = {
    "Answer": ("boxsel.answer.answer", "Answer"),
    "Asker": ("boxsel.answer.ask", "Asker"),
    "Bounds": ("boxsel.exact.bounds", "Bounds"),
    "Choices": ("boxsel.evaluation.scopes", "Choices"),
    "Check": ("boxsel.exact.diagnosis.check", "Check"),
    "Estimate": ("boxsel.models.estimate", "Estimate"),
    "Explanation": ("boxsel.exact.diagnosis.explanation", "Explanation"),
    "KBReversal": ("boxsel.reversals.kb_result", "KBReversal"),
    "Model": ("boxsel.models.model", "Model"),
    "Reading": ("boxsel.sampling", "Reading"),
    "Reasoner": ("boxsel.exact.reasoner", "Reasoner"),
    "Repair": ("boxsel.exact.diagnosis.repair", "Repair"),
    "Sensitivity": ("boxsel.answer.sensitivity", "Sensitivity"),
    "Settings": ("boxsel.models.settings", "Settings"),
    "TableOptions": ("boxsel.reversals.tabulation", "TableOptions"),
    "TableReversals": ("boxsel.reversals.table_result", "TableReversals"),
    "answered_table": ("boxsel.answer.many", "answered_table"),
    "ask": ("boxsel.answer.ask", "ask"),
    "ask_many": ("boxsel.answer.many", "ask_many"),
    "assumed": ("boxsel.answer.assumptions", "assumed"),
    "build_graph": ("boxsel.build.graph.building", "build_graph"),
    "build_hpo": ("boxsel.build.hpo.building", "build_hpo"),
    "build_rules": ("boxsel.build.rules.building", "build_rules"),
    "build_table": ("boxsel.build.table.building", "build_table"),
    "diff": ("boxsel.difference", "difference"),
    "evaluate": ("boxsel.evaluation.evaluate", "evaluate"),
    "fit": ("boxsel.models.fit", "fit"),
    "fit_into": ("boxsel.models.resumable", "fit_into"),
    "load_model": ("boxsel.models.loading", "load"),
    "normalize": ("boxsel.normal.normalize", "normalize"),
    "propagate": ("boxsel.rules.derivation", "propagate"),
    "read_counts": ("boxsel.sampling", "read_counts"),
    "saturate": ("boxsel.normal.saturation", "saturate"),
    "sensitivity": ("boxsel.answer.sensitivity", "sensitivity"),
    "simpson": ("boxsel.reversals.simpson", "simpson"),
    "summarize": ("boxsel.summary", "summarize"),
    "verify": ("boxsel.checker.verify", "verify"),
}


_ROOMS = ("examples", "schemas")
"""Packages for users that are opened by their names."""


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _LATER[name]
    value = globals()[name] = getattr(import_module(module), attribute)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, *_ROOMS})


__all__ = [
    "BOTTOM",
    "KB",
    "TOP",
    "And",
    "Answer",
    "Asker",
    "Axiom",
    "Bottom",
    "Bounds",
    "BoxselError",
    "Check",
    "Choices",
    "Concept",
    "ConceptAssertion",
    "Conditional",
    "Count",
    "Disjointness",
    "Domain",
    "Dropped",
    "Equivalence",
    "Estimate",
    "Exists",
    "Explanation",
    "Inclusion",
    "Individual",
    "Interval",
    "InvalidStatementError",
    "KBReversal",
    "Model",
    "Name",
    "Note",
    "Prefixes",
    "Query",
    "Range",
    "ReadError",
    "Reading",
    "Reasoner",
    "Repair",
    "Role",
    "RoleAssertion",
    "RoleInclusion",
    "Sensitivity",
    "Settings",
    "Statement",
    "TableOptions",
    "TableReversals",
    "Top",
    "WriteError",
    "__version__",
    "answered_table",
    "ask",
    "ask_many",
    "assumed",
    "build_graph",
    "build_hpo",
    "build_rules",
    "build_table",
    "conditional",
    "conjunction",
    "diff",
    "disjoint",
    "evaluate",
    "fit",
    "fit_into",
    "load_model",
    "names",
    "normalize",
    "parse",
    "parse_concept",
    "parse_query",
    "propagate",
    "read",
    "read_counts",
    "roles",
    "saturate",
    "sensitivity",
    "simpson",
    "summarize",
    "verify",
    "write",
]
