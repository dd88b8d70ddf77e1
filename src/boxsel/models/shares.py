"""One formula for every axiom: the share of a body that belongs to a head lies in an interval.

`C ⊑ D` is `(D | C)[1]`, disjointness is `(D | C)[0]`, a domain is `(C | ∃r.⊤)[1]`. In a geometric
model a role is a function, so a range is `(∃r.C | ∃r.⊤)[1]`, and `r ⊑ s` is `(∃s.C | ∃r.C)[1]` for
every `∃s.C` that matters: then s may be read as the union of both graphs, and no extension changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple

from boxsel.logic.axioms import (
    Axiom,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.concepts import TOP, And, Concept, Exists, Role, conjuncts
from boxsel.logic.proportions import Interval, exact

ONE = Interval(exact(1), exact(1))
ZERO = Interval(exact(0), exact(0))


_ABOUT_ROLES = (RoleInclusion, Domain, Range, RoleAssertion)


class Share(NamedTuple):
    """`(head | body)` within an interval; `apart` if that comes from an axiom with ⊥.

    `C ⊓ D ⊑ ⊥` and `(D | C)[0]` mean the same, but the paper has a loss of its own for each.
    """

    head: Concept
    body: Concept
    bounds: Interval
    apart: bool = False


@dataclass(frozen=True)
class RoleBox:
    """What role inclusions and ranges mean for the axioms of a knowledge base.

    `below` gives the roles included in each role, itself not among them; `fillers` the concepts C
    for which `∃s.C` occurs; `ranges` the stated ranges.
    """

    below: Mapping[Role, frozenset[Role]]
    fillers: Mapping[Role, tuple[Concept, ...]]
    ranges: Mapping[Role, tuple[Concept, ...]]

    @classmethod
    def of(cls, axioms: Iterable[Axiom], also: Iterable[Concept] = ()) -> RoleBox:
        """What some axioms say about roles; `also` are further concepts that matter."""
        if not isinstance(axioms, tuple):
            axioms = tuple(axioms)
        if not any(isinstance(axiom, _ABOUT_ROLES) for axiom in axioms):
            return cls({}, {}, {})  # then nobody asks what existentials there are
        told: dict[Role, set[Role]] = {}
        fillers: dict[Role, dict[Concept, None]] = {}
        ranges: dict[Role, dict[Concept, None]] = {}

        def mention(concept: Concept) -> None:
            for part in _existentials(concept):
                fillers.setdefault(part.role, {})[part.filler] = None

        for axiom in axioms:
            for concept in axiom.concepts():
                mention(concept)
            match axiom:
                case RoleInclusion(sub, sup):
                    told.setdefault(sup, set()).add(sub)
                case Domain(role, _):
                    fillers.setdefault(role, {})[TOP] = None
                case Range(role, concept):
                    mention(Exists(role, TOP))
                    mention(Exists(role, concept))
                    ranges.setdefault(role, {})[concept] = None
        for concept in also:
            mention(concept)
        return cls(
            {role: frozenset(_reached(role, told)) for role in told},
            {role: tuple(found) for role, found in fillers.items()},
            {role: tuple(found) for role, found in ranges.items()},
        )

    def at_or_above(self, role: Role) -> tuple[Role, ...]:
        """The role and all that include it."""
        return (role, *(other for other, below in self.below.items() if role in below))


def shares_of(axiom: Axiom, roles: RoleBox, *, split: bool = True) -> Iterator[Share]:
    """What an axiom says about shares; assertions say nothing.

    An inclusion in a conjunction is `split` into one share for each conjunct, or stays whole.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> for share in shares_of(A.equivalent_to(B), RoleBox.of(())):
        ...     print(share.head, share.body, share.bounds)
        B A [1]
        A B [1]
    """
    match axiom:
        case Conditional():
            yield Share(axiom.head, axiom.body, axiom.bounds)
        case Inclusion():
            yield from _inclusion(axiom.left, axiom.right, split)
        case Equivalence():
            for one, other in pairwise((*axiom.members, axiom.members[0])):
                yield from _inclusion(one, other, split)
        case Disjointness():
            for one, other in combinations(axiom.members, 2):
                yield Share(other, one, ZERO, apart=True)
        case Domain():
            yield from _inclusion(Exists(axiom.role, TOP), axiom.concept, split)
        case Range():
            for role in (axiom.role, *sorted(roles.below.get(axiom.role, ()), key=str)):
                yield from _inclusion(Exists(role, TOP), Exists(role, axiom.concept), split)
        case RoleInclusion():
            # All that include the role above: with r ⊑ s ⊑ t, ∃t.C may occur where ∃s.C does not.
            for above in roles.at_or_above(axiom.sup):
                for filler in roles.fillers.get(above, ()):
                    yield Share(Exists(above, filler), Exists(axiom.sub, filler), ONE)


def _inclusion(left: Concept, right: Concept, split: bool) -> Iterator[Share]:
    parts = conjuncts(left)
    if not right.mentions_bottom:
        for part in conjuncts(right) if split else (right,):
            yield Share(part, left, ONE)
    elif len(parts) > 1:
        body = And(*parts[:-1]) if len(parts) > 2 else parts[0]
        yield Share(parts[-1], body, ZERO, apart=True)
    else:
        yield Share(left, TOP, ZERO, apart=True)


def _existentials(concept: Concept) -> Iterator[Exists]:
    stack = [concept]
    while stack:
        part = stack.pop()
        if isinstance(part, And):
            stack.extend(part.operands)
        elif isinstance(part, Exists) and not part.mentions_bottom:
            yield part
            stack.append(part.filler)


def _reached(role: Role, told: Mapping[Role, set[Role]]) -> set[Role]:
    roles: set[Role] = set()
    stack = [role]
    while stack:
        for below in told.get(stack.pop(), set()) - roles:
            roles.add(below)
            stack.append(below)
    return roles - {role}
