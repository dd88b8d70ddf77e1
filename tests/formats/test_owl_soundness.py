"""What is kept of an OWL axiom never says more than the axiom, and all of it if nothing is lost.

Random OWL axioms, of SROIQ and not only of EL, are read, and their meaning is compared with
the meaning of what was kept in small interpretations.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.formats.owl import functional, rdfxml, turtle
from boxsel.formats.source import Source
from boxsel.logic.concepts import Individual, Name, Role
from boxsel.logic.kb import KB, Signature
from tests.depth import cases
from tests.interpretations import Elements, Interpretation, Pairs, interpretations

CONCEPTS = (Name("A"), Name("B"))
ROLES = (Role("r"), Role("s"))
INDIVIDUALS = (Individual("a"), Individual("b"))
SIGNATURE = Signature(CONCEPTS, ROLES, INDIVIDUALS)

Meaning = Callable[[Interpretation], Elements]
RoleMeaning = Callable[[Interpretation], Pairs]
Truth = Callable[[Interpretation], bool]
Expression = tuple[str, Meaning]
RoleExpression = tuple[str, RoleMeaning]


def _name(name: Name) -> Expression:
    return f"<{name.iri}>", lambda world: world.extension(name)


def _individual(individual: Individual) -> tuple[str, Callable[[Interpretation], int]]:
    return f"<{individual.iri}>", lambda world: world.individuals[individual]


def _role(role: Role, inverse: bool) -> RoleExpression:
    text = f"<{role.iri}>"
    if not inverse:
        return text, lambda world: world.roles[role]
    return f"ObjectInverseOf({text})", lambda world: frozenset((y, x) for x, y in world.roles[role])


names = st.sampled_from(CONCEPTS).map(_name)
roles = st.builds(_role, st.sampled_from(ROLES), st.sampled_from([False, False, False, True]))
individuals = st.sampled_from(INDIVIDUALS).map(_individual)
atoms = st.one_of(
    names,
    names,
    st.just(("<http://www.w3.org/2002/07/owl#Thing>", lambda world: world.domain)),
    st.just(("<http://www.w3.org/2002/07/owl#Nothing>", lambda _: frozenset())),
)


def _and(members: list[Expression]) -> Expression:
    text = f"ObjectIntersectionOf({' '.join(text for text, _ in members)})"
    return text, lambda world: frozenset.intersection(*(meaning(world) for _, meaning in members))


def _or(members: list[Expression]) -> Expression:
    text = f"ObjectUnionOf({' '.join(text for text, _ in members)})"
    return text, lambda world: frozenset.union(*(meaning(world) for _, meaning in members))


def _not(member: Expression) -> Expression:
    return f"ObjectComplementOf({member[0]})", lambda world: world.domain - member[1](world)


def _counted(tag: str, number: int, role: RoleExpression, filler: Expression) -> Expression:
    """A restriction on how many fillers there are."""
    tests: dict[str, Callable[[int, int], bool]] = {
        "ObjectSomeValuesFrom": lambda found, _: found >= 1,
        "ObjectAllValuesFrom": lambda found, all_: found == all_,
        "ObjectMinCardinality": lambda found, _: found >= number,
        "ObjectMaxCardinality": lambda found, _: found <= number,
        "ObjectExactCardinality": lambda found, _: found == number,
    }
    quantity = f"{number} " if "Cardinality" in tag else ""

    def meaning(world: Interpretation) -> Elements:
        pairs, inside = role[1](world), filler[1](world)
        return frozenset(
            x
            for x in world.domain
            if tests[tag](
                sum(1 for one, y in pairs if one == x and y in inside),
                sum(1 for one, _ in pairs if one == x),
            )
        )

    return f"{tag}({quantity}{role[0]} {filler[0]})", meaning


def _value(role: RoleExpression, one: tuple[str, Callable[[Interpretation], int]]) -> Expression:
    return f"ObjectHasValue({role[0]} {one[0]})", lambda world: frozenset(
        x for x, y in role[1](world) if y == one[1](world)
    )


def _self(role: RoleExpression) -> Expression:
    return f"ObjectHasSelf({role[0]})", lambda world: frozenset(
        x for x, y in role[1](world) if x == y
    )


def _one_of(one: tuple[str, Callable[[Interpretation], int]]) -> Expression:
    return f"ObjectOneOf({one[0]})", lambda world: frozenset({one[1](world)})


def _wider(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=3)
    tags = ["Some", "Some", "Some", "All", "Min", "Max", "Exact"]
    return st.one_of(
        several.map(_and),
        several.map(_and),
        several.map(_or),
        inner.map(_not),
        st.builds(
            _counted,
            st.sampled_from(tags).map(
                lambda tag: (
                    f"Object{tag}{'ValuesFrom' if tag in ('Some', 'All') else 'Cardinality'}"
                )
            ),
            st.integers(0, 2),
            roles,
            inner,
        ),
        st.builds(_value, roles, individuals),
        roles.map(_self),
        individuals.map(_one_of),
    )


expressions = st.recursive(atoms, _wider, max_leaves=5)


def _sub(left: Expression, right: Expression) -> tuple[str, Truth]:
    return f"SubClassOf({left[0]} {right[0]})", lambda world: left[1](world) <= right[1](world)


def _equivalent(members: list[Expression]) -> tuple[str, Truth]:
    text = f"EquivalentClasses({' '.join(text for text, _ in members)})"
    return text, lambda world: len({meaning(world) for _, meaning in members}) == 1


def _disjoint(members: list[Expression]) -> tuple[str, Truth]:
    text = f"DisjointClasses({' '.join(text for text, _ in members)})"
    return text, lambda world: _are_disjoint(members, world)


def _are_disjoint(members: list[Expression], world: Interpretation) -> bool:
    return all(not one(world) & other(world) for (_, one), (_, other) in combinations(members, 2))


def _union(whole: Expression, members: list[Expression]) -> tuple[str, Truth]:
    text = f"DisjointUnion({whole[0]} {' '.join(text for text, _ in members)})"
    return (
        text,
        lambda world: (
            _are_disjoint(members, world)
            and frozenset.union(*(meaning(world) for _, meaning in members)) == whole[1](world)
        ),
    )


def _sub_role(sub: RoleExpression, sup: RoleExpression) -> tuple[str, Truth]:
    text = f"SubObjectPropertyOf({sub[0]} {sup[0]})"
    return text, lambda world: sub[1](world) <= sup[1](world)


def _equivalent_roles(members: list[RoleExpression]) -> tuple[str, Truth]:
    text = f"EquivalentObjectProperties({' '.join(text for text, _ in members)})"
    return text, lambda world: len({meaning(world) for _, meaning in members}) == 1


def _end(tag: str, side: int, role: RoleExpression, concept: Expression) -> tuple[str, Truth]:
    return f"ObjectProperty{tag}({role[0]} {concept[0]})", lambda world: all(
        pair[side] in concept[1](world) for pair in role[1](world)
    )


def _instance(
    concept: Expression, one: tuple[str, Callable[[Interpretation], int]]
) -> tuple[str, Truth]:
    text = f"ClassAssertion({concept[0]} {one[0]})"
    return text, lambda world: one[1](world) in concept[1](world)


several = st.lists(expressions, min_size=2, max_size=3)
owl_axioms: st.SearchStrategy[tuple[str, Truth]] = st.one_of(
    st.builds(_sub, expressions, expressions),
    st.builds(_sub, names, expressions),
    several.map(_equivalent),
    st.builds(lambda name, other: _equivalent([name, other]), names, expressions),
    several.map(_disjoint),
    st.builds(_union, names, several),
    st.builds(_sub_role, roles, roles),
    st.lists(roles, min_size=2, max_size=3).map(_equivalent_roles),
    st.builds(_end, st.just("Domain"), st.just(0), roles, expressions),
    st.builds(_end, st.just("Range"), st.just(1), roles, expressions),
    st.builds(_instance, expressions, individuals),
)
DECLARATIONS = "".join(
    f"Declaration({tag}(<{entity.iri}>))"
    for tag, kind in (
        ("Class", CONCEPTS),
        ("ObjectProperty", ROLES),
        ("NamedIndividual", INDIVIDUALS),
    )
    for entity in kind
)


def read(text: str) -> KB:
    return functional.read(Source("axiom", f"Ontology({DECLARATIONS}{text})".encode()))


@settings(max_examples=cases(400))
@given(axiom=owl_axioms, worlds=st.lists(interpretations(SIGNATURE), min_size=5, max_size=5))
def test_kept_axioms_follow_from_the_file(
    axiom: tuple[str, Truth], worlds: list[Interpretation]
) -> None:
    text, holds = axiom
    kb = read(text)
    for world in worlds:
        if holds(world):
            assert world.is_model(kb), text
        elif not kb.ignored_axioms:
            assert not world.is_model(kb), text


@settings(max_examples=cases(200))
@given(axiom=owl_axioms, others=st.lists(owl_axioms, max_size=2))
def test_nothing_is_left_out_without_a_word(
    axiom: tuple[str, Truth], others: list[tuple[str, Truth]]
) -> None:
    kb = read("".join(text for text, _ in (axiom, *others)))
    assert kb.statements or kb.dropped


@settings(max_examples=cases(100))
@given(axioms=st.lists(owl_axioms, min_size=1, max_size=3))
def test_another_parser_sees_the_same(axioms: list[tuple[str, Truth]]) -> None:
    """The same axioms, written as RDF by py-horned-owl, give the same knowledge base."""
    import pyhornedowl

    text = f"Ontology({DECLARATIONS}{''.join(text for text, _ in axioms)})"
    if _lost_in_rdf(text):
        return
    written = pyhornedowl.open_ontology_from_string(text, "ofn").save_to_string("rdf")
    ours, theirs = (
        read("".join(text for text, _ in axioms)),
        rdfxml.read(Source("axioms", written.encode())),
    )
    assert set(theirs.axioms) == set(ours.axioms)
    again = turtle.read(Source("again", turtle.write(ours).encode()))
    assert again == ours


def _lost_in_rdf(text: str) -> bool:
    """py-horned-owl splits axioms of three or more members, and weakens disjointness so."""
    return "DisjointClasses" in text or "Equivalent" in text or "DisjointUnion" in text
