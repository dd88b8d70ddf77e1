"""How well members satisfy a knowledge base: the violation of each axiom in hard measures.

As a share of its own body, a tiny overlap of two disjoint concepts is a tiny violation. But a
small concept may lie in just that overlap, and then all that is said about it is wrong. So what
must hold for everything is also measured in every name: the part of it that is a *breach*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.axioms import ConceptAssertion, Conditional, RoleAssertion
from boxsel.logic.concepts import Concept, Exists, Individual, Name, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement
from boxsel.models.arrays import Array
from boxsel.models.emptiness import without_empty
from boxsel.models.measuring import Floats, Members
from boxsel.models.shares import RoleBox, Share, shares_of


@dataclass(frozen=True, eq=False)
class Violations:
    """[l − p]⁺ + [p − u]⁺ for each statement (a row) in each member (a column).

    A statement about an empty body is satisfied. One that says several things (an equivalence) has
    the largest violation of them. An assertion's is how far its individual is outside, as a part
    of the universe; a link's, how far its subject is outside the `∃r.C` that it must be in because
    its object is in C. `errors` are distances |p − v| of conditionals alone, averaged: the paper's
    mean absolute error.
    """

    statements: tuple[Statement, ...]
    values: Floats
    errors: Floats

    @cached_property
    def largest(self) -> Floats:
        """The violation of each member: the largest over all statements."""
        return np.asarray(np.max(self.values, axis=0, initial=0.0))

    @cached_property
    def mean(self) -> Floats:
        """The mean over all statements, for each member."""
        return self.values.mean(axis=0) if len(self.values) else np.zeros(self.values.shape[1])

    def worst(self, members: NDArray[np.bool_], most: int = 5) -> list[tuple[Statement, float]]:
        """The statements that some members violate most, by the mean over these members."""
        if not members.any() or not len(self.values):
            return []
        mean = self.values[:, members].mean(axis=1)
        order = np.argsort(-mean, kind="stable")[:most]
        return [(self.statements[place], float(mean[place])) for place in order if mean[place] > 0]


def violations(kb: KB, members: Members, empty: frozenset[Name] = frozenset()) -> Violations:
    """Measure every statement of a knowledge base in every member."""
    found_shares, roles = stated(kb, empty)
    owners = [place for place, _ in found_shares]
    said = [share for _, share in found_shares]
    pairs = [(share.head, share.body) for share in said]
    shares = members.shares(pairs)
    lower = np.array([float(share.bounds.lower) for share in said])[:, None]
    upper = np.array([float(share.bounds.upper) for share in said])[:, None]
    off = np.maximum(lower - shares, 0.0) + np.maximum(shares - upper, 0.0)
    undefined = np.isnan(shares)
    off[undefined] = 0.0
    values = np.zeros((len(kb), len(members)))
    np.maximum.at(values, np.array(owners, int), off)
    for place, distances in _assertions(kb, members, roles):
        values[place] = distances
    is_conditional = np.array(
        [isinstance(kb.statements[owner].axiom, Conditional) for owner in owners], bool
    )
    counted = ~undefined[is_conditional]
    total = off[is_conditional].sum(axis=0)
    errors = total / np.maximum(counted.sum(axis=0), 1)
    return Violations(tuple(kb.statements), values, errors)


def stated(kb: KB, empty: frozenset[Name]) -> tuple[list[tuple[int, Share]], RoleBox]:
    """What the statements of a knowledge base say about shares, each with the statement's place."""
    axioms = [
        (place, axiom)
        for place, given in enumerate(kb.axioms)
        for axiom in without_empty(given, empty)
    ]
    roles = RoleBox.of(axiom for _, axiom in axioms)
    said = [
        (place, share) for place, axiom in axioms for share in shares_of(axiom, roles, split=False)
    ]
    return said, roles


def _assertions(kb: KB, members: Members, roles: RoleBox) -> Iterator[tuple[int, Floats]]:
    how = members.representation

    def place_of(individual: Individual) -> Array:
        return how.points(members.parameters, members.numbering.individual(individual))

    def distance(concept: Concept, point: Array) -> Floats:
        return np.asarray(how.distance(members.region(concept), point))

    for place, statement in enumerate(kb.statements):
        match statement.axiom:
            case ConceptAssertion(concept, individual):
                yield place, distance(concept, place_of(individual))
            case RoleAssertion(role, subject, target) if how.links:
                one, other = place_of(subject), place_of(target)
                off = [np.zeros(one.shape[0])]
                for above in roles.at_or_above(role):
                    off += [distance(concept, other) for concept in roles.ranges.get(above, ())]
                    off += [
                        np.where(
                            distance(filler, other) > 0, 0.0, distance(Exists(above, filler), one)
                        )
                        for filler in roles.fillers.get(above, ())
                    ]
                yield place, np.max(off, axis=0)


MOST_PAIRS: Final = 100_000
"""With more pairs of a deterministic share and a name, breaches are not looked for."""


def largest_breaches(kb: KB, members: Members, empty: frozenset[Name] = frozenset()) -> Floats:
    """For each member, the largest part of a name that breaks a deterministic statement.

    Zero if there are too many statements and names to look at all.
    """
    fillers = members.representation.complex_fillers
    said = [
        share
        for _, share in stated(kb, empty)[0]
        if share.bounds.lower == 1 or share.bounds.upper == 0
    ]
    names = [name for name in kb.signature.concepts if name not in empty]
    if not said or len(said) * len(names) > MOST_PAIRS or not fillers:
        return np.zeros(len(members))
    # In each name: the body, and the body with the head.
    pairs = [
        (concept, name)
        for head, body, *_ in said
        for name in names
        for concept in (body, conjunction(body, head))
    ]
    found = np.nan_to_num(members.shares(pairs))
    whole, both = found.reshape(len(said), len(names), 2, len(members)).swapaxes(0, 2)
    included = np.array([share.bounds.lower == 1 for share in said])[None, :, None]
    broken = np.where(included, whole - both, both)
    return np.asarray(np.max(broken, axis=(0, 1), initial=0.0))


@dataclass(frozen=True, eq=False)
class Scores:
    """The largest and the mean violation, and the mean absolute error, of each member.

    `breaches` are the largest parts of names that break an inclusion or a disjointness.
    `worst` are the statements that the members kept violate most, on average, with their violation;
    if none is kept, those of all members. It is what a model file remembers of `Violations`, whose
    table has a number for each statement in each member.
    """

    largest: Floats
    mean: Floats
    errors: Floats
    breaches: Floats
    worst: tuple[tuple[Statement, float], ...] = ()

    @classmethod
    def of(cls, violations: Violations, breaches: Floats, tolerance: float) -> Scores:
        """The scores of members by their violations and breaches."""
        scores = cls(violations.largest, violations.mean, violations.errors, breaches)
        kept = scores.kept(tolerance)
        chosen = kept if kept.any() else ~kept
        return replace(scores, worst=tuple(violations.worst(chosen)))

    def kept(self, tolerance: float) -> NDArray[np.bool_]:
        """Which members satisfy the knowledge base up to a tolerance."""
        return (self.largest <= tolerance) & (self.breaches <= tolerance)
