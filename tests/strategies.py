"""Random concepts, axioms and knowledge bases for property tests."""

from __future__ import annotations

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
from boxsel.logic.booleans import AtLeast, disjunction, negation
from boxsel.logic.concepts import (
    BOTTOM,
    TOP,
    Concept,
    Entity,
    Exists,
    Individual,
    Name,
    Role,
    conjunction,
)
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.names import Prefixes
from boxsel.logic.population import Pattern, Population
from boxsel.logic.proportions import Count, Interval, Proportion
from boxsel.logic.statements import Note, Statement

# Few names, so that statements share them; odd spellings, so that printing is put to the test.
# Concepts, roles and individuals never share a name.
PLAIN_CONCEPTS = [Name(text) for text in ("A", "B", "C", "D")]
ODD_CONCEPTS = [
    Name(text)
    for text in (
        "Heart attack",
        "and",
        "Parkinson's (late|early) #1",
        "naïve",
        "http://example.org/onto#Woman",
        "http://example.org/onto#0001",
        "http://purl.obolibrary.org/obo/HP_0001250",
        "urn:other:with%20escape",
        "urn:boxsel:broken%2",
        "日本",
    )
]
ROLES = [Role(text) for text in ("r", "s", "has child", "http://example.org/onto#part_of")]
INDIVIDUALS = [Individual(text) for text in ("alice", "bob", "http://example.org/onto#carol")]
PREFIX_TABLES = [
    {},
    {"ex": "http://example.org/onto#"},
    {"": "http://example.org/onto#", "HP": "http://purl.obolibrary.org/obo/HP_"},
]

plain_names = st.sampled_from(PLAIN_CONCEPTS)
any_names = st.sampled_from(PLAIN_CONCEPTS + ODD_CONCEPTS)
roles = st.sampled_from(ROLES)
individuals = st.sampled_from(INDIVIDUALS)


def concepts(
    names: st.SearchStrategy[Name] = any_names, *, bottom: bool = False, leaves: int = 5
) -> st.SearchStrategy[Concept]:
    """Concepts over some names, with ⊤ and, if asked, ⊥."""
    atoms: st.SearchStrategy[Concept] = st.one_of(
        names, names, names, st.just(TOP), *([st.just(BOTTOM)] if bottom else [])
    )
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.builds(lambda parts: conjunction(*parts), st.lists(inner, min_size=2, max_size=3)),
            st.builds(Exists, roles, inner),
        ),
        max_leaves=leaves,
    )


def combinations(names: st.SearchStrategy[Name] = any_names) -> st.SearchStrategy[Concept]:
    """Boolean combinations of concepts, as queries may have them."""

    def extend(inner: st.SearchStrategy[Concept]) -> st.SearchStrategy[Concept]:
        several = st.lists(inner, min_size=1, max_size=3, unique=True)
        return st.one_of(
            st.builds(negation, inner),
            several.map(lambda parts: disjunction(*parts)),
            several.map(lambda parts: conjunction(*parts)),
            st.builds(lambda parts, n: AtLeast(1 + n % len(parts), *parts), several, st.integers()),
        )

    return st.recursive(concepts(names, leaves=3), extend, max_leaves=6)


fractions = st.one_of(
    st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(1, 8)]),
    st.fractions(min_value=0, max_value=1, max_denominator=1000),
)
intervals: st.SearchStrategy[Proportion] = st.builds(
    lambda ends: Interval(min(ends), max(ends)), st.tuples(fractions, fractions)
)
counts: st.SearchStrategy[Proportion] = st.builds(
    lambda pair: Count(min(pair), max(pair)),
    st.tuples(st.integers(0, 500), st.integers(1, 500)),
)
proportions = st.one_of(intervals, intervals.map(lambda i: Interval.point(i.bounds.lower)), counts)


def axioms(names: st.SearchStrategy[Name] = any_names) -> st.SearchStrategy[Axiom]:
    """Axioms of every kind over some names."""
    plain = concepts(names)
    members = st.lists(plain, min_size=2, max_size=4, unique=True)
    return st.one_of(
        st.builds(Conditional, plain, plain, proportions),
        st.builds(Conditional, plain, plain, proportions),
        st.builds(Inclusion, plain, concepts(names, bottom=True)),
        st.builds(lambda parts: Equivalence(*parts), members),
        st.builds(lambda parts: Disjointness(*parts), members),
        st.builds(RoleInclusion, roles, roles),
        st.builds(Domain, roles, concepts(names, bottom=True)),
        st.builds(Range, roles, concepts(names, bottom=True)),
        st.builds(ConceptAssertion, plain, individuals),
        st.builds(RoleAssertion, roles, individuals, individuals),
    )


# Text that XML can hold too: no control characters, no surrogates, no non-characters.
texts = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Cn"], include_characters="\n#\\"), max_size=12
)
notes = st.one_of(st.just(Note()), st.builds(Note, label=texts, source=texts, comment=texts))


def kbs(
    names: st.SearchStrategy[Name] = any_names,
    *,
    with_notes: bool = True,
    with_dropped: bool = True,
    with_data: bool = True,
    max_size: int = 6,
) -> st.SearchStrategy[KB]:
    """Knowledge bases over some names."""
    statements = st.builds(Statement, axioms(names), notes if with_notes else st.just(Note()))
    named: list[Entity] = [*PLAIN_CONCEPTS, *ODD_CONCEPTS, *ROLES, *INDIVIDUALS]
    dropped = st.lists(
        st.builds(
            Dropped,
            st.sampled_from(["TransitiveObjectProperty", "ObjectUnionOf", "AnnotationAssertion"]),
            st.integers(1, 99),
            st.sampled_from(["", "not in SEL"]),
            st.booleans(),
        ),
        max_size=2,
        unique=True,
    )
    return st.builds(
        KB,
        statements=st.lists(statements, max_size=max_size).map(tuple),
        prefixes=st.sampled_from(PREFIX_TABLES).map(Prefixes),
        labels=st.dictionaries(
            st.sampled_from([entity.iri for entity in named]), texts, max_size=3
        ),
        declared=st.frozensets(st.sampled_from(named), max_size=3),
        dropped=dropped.map(tuple) if with_dropped else st.just(()),
        data=st.none() | populations() if with_data else st.none(),
    )


@st.composite
def populations(draw: st.DrawFn) -> Population:
    """Populations of a few patterns, over any names and two roles."""
    concepts = draw(st.lists(any_names, max_size=4, unique=True))
    size, width = draw(st.integers(1, 4)), len(concepts)
    names = st.lists(st.integers(0, width - 1), unique=True) if width else st.just([])
    objects = st.lists(st.integers(0, size - 1), max_size=size, unique=True)
    patterns = (
        Pattern(
            draw(st.integers(1, 10**6)),
            tuple(draw(names)),
            tuple(tuple(draw(objects)) for _ in ROLES[:2]),
        )
        for _ in range(size)
    )
    return Population(tuple(concepts), tuple(ROLES[:2]), tuple(patterns))
