"""What there is to train: a knowledge base as tables of numbers, its axioms as rows.

A row says `(H | B1 ⊓ B2)[l, u]`, where each of the three is a *basic concept*: a name, ⊤, or `∃r.A`
for a name or ⊤. A conditional that has this shape becomes a row as it is; every other axiom goes
through the normal form first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

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
from boxsel.logic.concepts import Concept, Exists, Name, Top, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.statements import NO_NOTE, Statement
from boxsel.models.emptiness import empty_names, without_empty
from boxsel.models.numbering import EVERYTHING, NO_ROLE, Numbering
from boxsel.models.shares import RoleBox, Share, shares_of
from boxsel.normal.normalize import normalize

SLOTS: Final = 3
"""Two conjuncts of the body, and the head."""

ROUNDING_ROOM: Final = 1e-4
"""How far inside an interval the share should end, so that rounding cannot put it outside."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows for a table of names and one of roles; unused slots hold ⊤.

    `names` and `roles` have a column for each slot; `lower` and `upper` are the bounds. `apart` are
    the rows of axioms with ⊥; without it, none.
    """

    names: Ints
    roles: Ints
    lower: Floats
    upper: Floats
    apart: Truths = field(default_factory=lambda: np.zeros(0, bool))

    def __post_init__(self) -> None:
        if not len(self.apart):
            object.__setattr__(self, "apart", np.zeros(len(self.lower), bool))
        assert self.apart.shape == self.lower.shape
        assert self.names.shape == self.roles.shape == (len(self.lower), SLOTS)
        assert self.lower.shape == self.upper.shape

    def __len__(self) -> int:
        return len(self.lower)

    @classmethod
    def of(cls, shares: Iterable[Share], numbering: Numbering) -> Rows:
        """The rows of shares that have the shape of a row."""
        slots: list[tuple[int, ...]] = []
        bounds: list[tuple[float, float]] = []
        apart: list[bool] = []
        name, role = numbering.name, numbering.role

        @cache  # the same few concepts come again and again
        def basic(concept: Concept) -> tuple[int, int]:
            if isinstance(concept, Exists):
                return name(concept.filler), role(concept.role)
            return name(concept), NO_ROLE

        @cache
        def both(concept: Concept) -> tuple[int, ...]:
            one, *more = conjuncts(concept)
            return (*basic(one), *(basic(more[0]) if more else (EVERYTHING, NO_ROLE)))

        for head, body, interval, is_apart in shares:
            slots.append(both(body) + basic(head))
            bounds.append((float(interval.lower), float(interval.upper)))
            apart.append(is_apart)
        table = np.array(slots, np.int32).reshape(-1, SLOTS, 2)
        ends = np.array(bounds, np.float64).reshape(-1, 2)
        return cls(
            table[:, :, 0].copy(),
            table[:, :, 1].copy(),
            ends[:, 0],
            ends[:, 1],
            np.array(apart, bool),
        )

    def take(self, places: NDArray[np.int64]) -> Rows:
        """The rows at some places, in that order."""
        return Rows(*(getattr(self, one.name)[places] for one in fields(self)))


def tightened(rows: Rows) -> Rows:
    """Rows with intervals a little narrower, where they are intervals."""
    room = np.minimum(ROUNDING_ROOM, (rows.upper - rows.lower) / 4)
    return replace(
        rows,
        lower=np.where(rows.lower > 0, rows.lower + room, rows.lower),
        upper=np.where(rows.upper < 1, rows.upper - room, rows.upper),
    )


def has_row(share: Share) -> bool:
    """Whether a share has the shape of a row.

    Examples:
        >>> from boxsel.logic.concepts import Role, names
        >>> from boxsel.models.shares import ONE
        >>> A, B, C = names("A B C")
        >>> r = Role("r")
        >>> has_row(Share(r.some(A), B & C, ONE)), has_row(Share(A & B, C, ONE))
        (True, False)
    """
    return is_basic(share.head) and fits_body(share.body)


def fits_body(concept: Concept) -> bool:
    """Whether a concept is a conjunction of at most two basic ones."""
    parts = conjuncts(concept)
    return len(parts) < SLOTS and all(map(is_basic, parts))


def is_basic(concept: Concept) -> bool:
    """Whether a concept is a name, ⊤, or an existential of one."""
    if isinstance(concept, Exists):
        concept = concept.filler
    return isinstance(concept, Name | Top)


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
    individual, name, role = numbering.individual, numbering.name, numbering.role
    instances = [
        (individual(axiom.individual), name(axiom.concept))
        for axiom in axioms
        if isinstance(axiom, ConceptAssertion)
    ]
    links = [
        (individual(axiom.subject), role(axiom.role), individual(axiom.object))
        for axiom in axioms
        if isinstance(axiom, RoleAssertion)
    ]
    return Points(
        np.array(instances, np.int32).reshape(-1, 2), np.array(links, np.int32).reshape(-1, 3)
    )
