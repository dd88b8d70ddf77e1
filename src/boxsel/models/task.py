"""What there is to train: a knowledge base as tables of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from boxsel.errors import BoxselError
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    RoleAssertion,
)
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import NO_NOTE, Statement
from boxsel.models.emptiness import empty_names, without_empty
from boxsel.models.numbering import Numbering
from boxsel.models.rows import Ints, Rows, fits_body, has_row, is_basic
from boxsel.models.shares import RoleBox, shares_of
from boxsel.normal.normalize import normalize

_NO_ROLES = RoleBox.of(())


@dataclass(frozen=True, eq=False)
class Points:
    """Assertions about individuals: `A(a)` as pairs (a, A), `r(a, b)` as triples (a, r, b)."""

    instances: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int32))
    links: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int32))

    def __len__(self) -> int:
        return len(self.instances) + len(self.links)


@dataclass(frozen=True, eq=False)
class Task:
    """A knowledge base, its numbering, and its axioms as rows.

    `empty` are the names that no model has an instance of: they have no row, and neither have the
    axioms that are true because of that.
    """

    kb: KB
    numbering: Numbering
    rows: Rows
    points: Points = field(default_factory=Points)
    empty: frozenset[Name] = frozenset()

    @classmethod
    def of(cls, kb: KB) -> Task:
        """Number a knowledge base.

        Raises:
            BoxselError: It has no statements, or no model, or its proportions empty a name.

        Examples:
            >>> from boxsel import examples
            >>> task = Task.of(examples.load("applicant"))
            >>> [str(name) for name in task.numbering.names]
            ['Admitted', 'Applicant', 'DeptA']
            >>> task.rows.names.tolist()
            [[1, 0, 2], [3, 0, 2], [2, 0, 3], [3, 0, 1]]
        """
        if not kb.statements:
            raise BoxselError("there is nothing to train: the knowledge base has no statements")
        empty = empty_names(kb)
        direct: list[Axiom] = []
        others: list[Statement] = []
        is_body, is_head = cache(fits_body), cache(is_basic)  # the same few come again and again
        for given in kb.axioms:
            for axiom in without_empty(given, empty) if empty else (given,):
                if (
                    is_head(axiom.head) and is_body(axiom.body)
                    if isinstance(axiom, Conditional)
                    else _is_direct(axiom)
                ):
                    direct.append(axiom)
                else:
                    others.append(Statement(axiom, NO_NOTE))
        normal = normalize(kb.with_statements(others))
        axioms = (*direct, *normal.kb.axioms)
        numbering = Numbering(
            (*(name for name in kb.signature.concepts if name not in empty), *normal.origin),
            kb.signature.roles,
            kb.signature.individuals,
            {concept: name for name, concept in normal.origin.items()},
        )
        roles = RoleBox.of(axioms)
        shares = (share for axiom in axioms for share in shares_of(axiom, roles))
        return cls(kb, numbering, Rows.of(shares, numbering), _points(axioms, numbering), empty)


def _is_direct(axiom: Axiom) -> bool:
    """Whether an axiom that is no conditional becomes rows as it is."""
    if not isinstance(axiom, Inclusion | Equivalence | Disjointness | Domain):
        return False
    return all(map(has_row, shares_of(axiom, _NO_ROLES)))


def _points(axioms: Sequence[Axiom], numbering: Numbering) -> Points:
    one, name, role = numbering.individual, numbering.name, numbering.role
    instances = [
        (one(axiom.individual), name(axiom.concept))
        for axiom in axioms
        if isinstance(axiom, ConceptAssertion)
    ]
    links = [
        (one(axiom.subject), role(axiom.role), one(axiom.object))
        for axiom in axioms
        if isinstance(axiom, RoleAssertion)
    ]
    return Points(
        np.array(instances, np.int32).reshape(-1, 2), np.array(links, np.int32).reshape(-1, 3)
    )
