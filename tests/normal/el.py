"""Random knowledge bases of short axioms over few names, so that much follows from them."""

from __future__ import annotations

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
from boxsel.logic.concepts import BOTTOM, TOP, Concept, Exists, Individual, Name, Role, conjunction
from boxsel.logic.kb import KB

names = st.sampled_from([Name(f"A{n}") for n in range(6)])
roles = st.sampled_from([Role(f"r{n}") for n in range(3)])
individuals = st.sampled_from([Individual(f"a{n}") for n in range(3)])


def el_kbs(*, ranges: bool = True) -> st.SearchStrategy[KB]:
    """Knowledge bases in which all statements are deterministic, with or without ranges."""
    atoms: st.SearchStrategy[Concept] = st.one_of(names, names, st.just(TOP))
    exists = st.builds(Exists, roles, atoms)
    sides = st.one_of(names, names, exists, st.builds(conjunction, names, st.one_of(names, exists)))
    rights = st.one_of(sides, sides, sides, st.just(BOTTOM))
    lefts = st.one_of(sides, sides, sides, st.just(TOP))
    pairs = st.lists(sides, min_size=2, max_size=3, unique=True)
    inclusions: st.SearchStrategy[Axiom] = st.builds(Inclusion, lefts, rights)
    axioms = st.one_of(
        inclusions,
        inclusions,
        inclusions,
        inclusions,
        st.builds(Inclusion, sides, exists),
        st.builds(Inclusion, exists, names),
        st.builds(lambda members: Equivalence(*members), pairs),
        st.builds(lambda members: Disjointness(*members), pairs),
        st.builds(RoleInclusion, roles, roles),
        st.builds(Domain, roles, names),
        *([st.builds(Range, roles, sides)] if ranges else []),
        st.builds(ConceptAssertion, sides, individuals),
        st.builds(RoleAssertion, roles, individuals, individuals),
    )
    return st.lists(axioms, min_size=5, max_size=25).map(lambda some: KB.of(*some))


def deterministic(kb: KB) -> KB:
    """A knowledge base without the conditionals that say neither all nor none."""
    return kb.with_statements(
        statement
        for statement in kb
        if not isinstance(statement.axiom, Conditional)
        or statement.axiom.bounds.lower == 1
        or statement.axiom.bounds.upper == 0
    )
