"""Workloads for training, as rows of numbers: *Person-sized*, and *GALEN-sized*.

*Person-sized*: 127 concepts, 6 roles, 325,626 point axioms of the four probabilistic normal forms:

- `(B | A)` for all pairs of concepts,
- `(B | A1 and A2)` for all triples of the first 50,
- `(B | r some A)` and `(r some B | A)` for all pairs and roles,

each counted from one random population, so that all of them hold together. *GALEN-sized*: 24,350
concepts, 84,200 random axioms of the four normal forms of EL, without probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count
from boxsel.models.numbering import Numbering
from boxsel.models.task import Rows, Task

CONCEPTS, ROLES, CONJOINED = 127, 6, 50
POPULATION = 8000
NOISE = 0.06
"""The chance of a concept where its parent is missing: it keeps conjunctions from being empty."""

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counted:
    """Axioms as slots (body, second conjunct, head) of names and roles, and as counts."""

    names: Ints
    roles: Ints
    hits: Ints
    total: Ints

    def __len__(self) -> int:
        return len(self.hits)

    def rows(self) -> Rows:
        """The axioms as rows of point proportions."""
        share = self.hits / self.total
        return Rows(self.names.astype(np.int32), self.roles.astype(np.int32), share, share)

    def task(self) -> Task:
        """The rows as something to train; the knowledge base is left out, for it takes long."""
        return Task(KB(), numbering(CONCEPTS, ROLES), self.rows())

    def kb(self) -> KB:
        """The same as a knowledge base of counts."""
        known = numbering(CONCEPTS, ROLES)

        def basic(name: int, role: int) -> Concept:
            concept = known.names[name - 1]
            return known.roles[role - 1].some(concept) if role else concept

        axioms = []
        for name, role, hits, total in zip(
            self.names.tolist(),
            self.roles.tolist(),
            self.hits.tolist(),
            self.total.tolist(),
            strict=True,
        ):
            body = basic(name[0], role[0])
            if name[1]:
                body = body & basic(name[1], role[1])
            axioms.append(Conditional(basic(name[2], role[2]), body, Count(hits, total)))
        return KB.of(*axioms)


def person(seed: int = 0) -> Counted:
    """The axioms of the Person-sized workload."""
    random = np.random.default_rng(seed)
    members = _members(random)
    ones = members.astype(np.float64)
    common = np.rint(ones.T @ ones).astype(np.int64)
    one, other = np.nonzero(~np.eye(CONCEPTS, dtype=bool))
    parts = [_axioms(one, 0, -1, other, 0, common[one, other], common[one, one])]
    few = ones[:, :CONJOINED]
    triples = np.rint((few[:, :, None] * few[:, None]).reshape(POPULATION, -1).T @ few).astype(
        np.int64
    )
    a, b, c = np.nonzero(_all_different(CONJOINED))
    parts.append(_axioms(a, 0, b, c, 0, triples.reshape((CONJOINED,) * 3)[a, b, c], common[a, b]))
    for role in range(1, ROLES + 1):
        has = random.random(POPULATION) < random.uniform(0.3, 0.9)
        to = has[:, None] * ones[random.integers(0, POPULATION, POPULATION)]
        both = np.rint(to.T @ ones).astype(np.int64)
        some = np.rint(to.sum(axis=0)).astype(np.int64)
        parts.append(_axioms(one, role, -1, other, 0, both[one, other], some[one]))
        parts.append(_axioms(other, 0, -1, one, role, both[one, other], common[other, other]))
    names, roles, hits, total = (np.concatenate(column) for column in zip(*parts, strict=True))
    assert total.min() > 0, "a body is empty: the population is too small"
    return Counted(names, roles, hits, total)


def galen(concepts: int = 24_350, axioms: int = 84_200, roles: int = 10, seed: int = 0) -> Task:
    """The GALEN-sized workload: inclusions of each normal form, a quarter each."""
    random = np.random.default_rng(seed)
    names = random.integers(1, concepts + 1, (axioms, 3))
    used = random.integers(1, roles + 1, axioms)
    form = np.arange(axioms) % 4
    names[form != 1, 1] = 0
    slots = np.zeros((axioms, 3), np.int32)
    slots[form == 2, 0] = used[form == 2]
    slots[form == 3, 2] = used[form == 3]
    ones = np.ones(axioms)
    return Task(KB(), numbering(concepts, roles), Rows(names.astype(np.int32), slots, ones, ones))


def numbering(concepts: int, roles: int) -> Numbering:
    """So many concepts and roles."""
    return Numbering(
        tuple(Name(f"C{place}") for place in range(concepts)),
        tuple(Role(f"r{place}") for place in range(roles)),
    )


def _members(random: np.random.Generator) -> NDArray[np.bool_]:
    """Who belongs to what: concepts form a tree, with exceptions."""
    members = np.zeros((POPULATION, CONCEPTS), bool)
    members[:, 0] = random.random(POPULATION) < 0.95
    for concept in range(1, CONCEPTS):
        parent = members[:, random.integers(concept)]
        chance = np.where(parent, random.uniform(0.2, 0.8), NOISE)
        members[:, concept] = random.random(POPULATION) < chance
    return members


def _axioms(
    body: Ints, body_role: int, second: Ints | int, head: Ints, head_role: int, *counts: Ints
) -> tuple[Ints, ...]:
    """Columns of axioms; concepts are counted from 0, and −1 is ⊤."""
    names = np.stack(np.broadcast_arrays(body + 1, np.asarray(second) + 1, head + 1), axis=1)
    roles = np.tile([body_role, 0, head_role], (len(names), 1))
    return names, roles, *counts


def _all_different(size: int) -> NDArray[np.bool_]:
    different = ~np.eye(size, dtype=bool)
    return different[:, :, None] & different[:, None, :] & different[None, :, :]
