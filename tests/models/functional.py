"""Random axioms, and interpretations in which every role is a partial function.

These are the interpretations that a geometric model stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

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
)
from boxsel.logic.concepts import (
    BOTTOM,
    TOP,
    Concept,
    Exists,
    Individual,
    Name,
    Role,
    conjunction,
)
from boxsel.logic.proportions import Interval, Proportion
from tests.interpretations import Interpretation, Pairs

NAMES = tuple(Name(text) for text in "ABC")
ROLES = tuple(Role(text) for text in "rst")
INDIVIDUALS = tuple(Individual(text) for text in "ab")

names = st.sampled_from(NAMES)
roles = st.sampled_from(ROLES)
individuals = st.sampled_from(INDIVIDUALS)
ends = st.sampled_from([Fraction(part, 4) for part in range(5)])
points: st.SearchStrategy[Proportion] = ends.map(Interval.point)
intervals: st.SearchStrategy[Proportion] = st.builds(
    lambda pair: Interval(min(pair), max(pair)), st.tuples(ends, ends)
)
certain: st.SearchStrategy[Proportion] = st.sampled_from([Interval.point(0), Interval.point(1)])


def concepts(*, bottom: bool = False, leaves: int = 3) -> st.SearchStrategy[Concept]:
    """Concepts, with ⊤ and, if asked, ⊥."""
    atoms = st.one_of(names, names, st.sampled_from([TOP, BOTTOM] if bottom else [TOP]))
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.builds(conjunction, inner, inner), st.builds(Exists, roles, inner)
        ),
        max_leaves=leaves,
    )


plain = concepts()
members = st.lists(plain, min_size=2, max_size=3, unique=True)
role_axioms: st.SearchStrategy[Axiom] = st.one_of(
    st.builds(RoleInclusion, roles, roles),
    st.builds(RoleInclusion, roles, roles),
    st.builds(Domain, roles, concepts(bottom=True)),
    st.builds(Range, roles, concepts(bottom=True)),
)
assertions: st.SearchStrategy[Axiom] = st.one_of(
    st.builds(ConceptAssertion, plain, individuals),
    st.builds(RoleAssertion, roles, individuals, individuals),
)


@st.composite
def role_chains(draw: st.DrawFn) -> list[Axiom]:
    """A role included in a second and that in a third, and what is said of the larger ones."""
    low, middle, high = draw(st.permutations(ROLES))
    top = draw(st.sampled_from([middle, high]))
    about: st.SearchStrategy[Axiom] = st.one_of(
        st.builds(Range, st.just(top), names),
        st.builds(Domain, st.just(top), names),
        st.builds(Inclusion, st.builds(Exists, st.just(top), names), names | st.just(TOP)),
    )
    said = draw(st.lists(about, min_size=1, max_size=2))
    if draw(st.booleans()):
        said.append(RoleAssertion(draw(st.sampled_from([low, middle])), *INDIVIDUALS))
    return [RoleInclusion(low, middle), RoleInclusion(middle, high), *said]


def concept_axioms(
    proportions: st.SearchStrategy[Proportion] = intervals,
) -> st.SearchStrategy[Axiom]:
    """Axioms about concepts."""
    return st.one_of(
        st.builds(Conditional, plain, plain, proportions),
        st.builds(Inclusion, plain, concepts(bottom=True)),
        st.builds(lambda parts: Equivalence(*parts), members),
        st.builds(lambda parts: Disjointness(*parts), members),
    )


@st.composite
def interpretations(draw: st.DrawFn, max_size: int = 3) -> Interpretation:
    """Names as sets, roles as partial functions; a role is often a part of another one."""
    size = draw(st.integers(1, max_size))
    domain = frozenset(range(size))
    sets = st.frozensets(st.sampled_from(range(size)))
    graphs: dict[Role, Pairs] = {}
    for place, role in enumerate(ROLES):
        if place and draw(st.booleans()):
            whole = sorted(graphs[ROLES[place - 1]])
            graphs[role] = frozenset(pair for pair in whole if draw(st.booleans()))
        else:
            targets = draw(
                st.lists(st.none() | st.integers(0, size - 1), min_size=size, max_size=size)
            )
            graphs[role] = frozenset((x, y) for x, y in enumerate(targets) if y is not None)
    return Interpretation(
        domain,
        {name: draw(sets) for name in NAMES},
        graphs,
        {individual: draw(st.integers(0, size - 1)) for individual in INDIVIDUALS},
    )


def read_as_unions(
    graphs: Mapping[Role, Pairs], places: Mapping[Individual, int], axioms: Iterable[Axiom]
) -> dict[Role, Pairs]:
    """Every role with the links that are asserted and those of the roles included in it."""
    told = list(axioms)
    found = {role: set(graphs.get(role, ())) for role in ROLES}
    for axiom in told:
        if isinstance(axiom, RoleAssertion):
            found[axiom.role].add((places[axiom.subject], places[axiom.object]))
    for _ in ROLES:  # as often as the longest chain is
        for axiom in told:
            if isinstance(axiom, RoleInclusion):
                found[axiom.sup] |= found[axiom.sub]
    return {role: frozenset(pairs) for role, pairs in found.items()}


def with_unions(interpretation: Interpretation, axioms: Iterable[Axiom]) -> Interpretation:
    """The interpretation with its roles read as unions."""
    return replace(
        interpretation,
        roles=read_as_unions(interpretation.roles, interpretation.individuals, axioms),
    )
