"""Choosing concepts and roles: by name, by label, by rank, and what the graph does not have."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.build.graphs.choice import EVERYTHING, RECIPES, Choice, recipe
from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.build.graphs.selection import Selection, select
from boxsel.build.graphs.taxonomy import Taxonomy
from boxsel.errors import BoxselError
from tests.build.graphs.reference import Graph, load_graph
from tests.depth import cases

CLASSES = ("A", "B", "C", "D", "E")
ROLES = ("r", "s", "t")
ENTITIES = tuple("uvwxyz")

graphs = st.builds(
    Graph,
    st.lists(
        st.tuples(st.sampled_from(ENTITIES), st.sampled_from(CLASSES)), min_size=1, max_size=14
    ).map(tuple),
    st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES)), max_size=4).map(tuple),
    st.lists(
        st.tuples(*(st.sampled_from(names) for names in (ENTITIES, ROLES, ENTITIES))), max_size=12
    ).map(tuple),
)

SCHOOL = Graph(
    types=(
        ("ann", "Pupil"),
        ("bob", "Pupil"),
        ("bob", "Singer"),
        ("eve", "Teacher"),
        ("maths", "Course"),
        ("maths", "http://www.w3.org/2002/07/owl#Thing"),
        ("maths", "owl:Thing"),
        ("art", "_:b1"),
    ),
    taxonomy=(("Pupil", "Person"), ("Teacher", "Person"), ("Robot", "Person")),
    facts=(
        ("eve", "teaches", "maths"),
        ("ann", "attends", "maths"),
        ("bob", "attends", "maths"),
        ("bob", "knows", "ann"),
        ("maths", "Course", "art"),
    ),
)
LABELS = (("Pupil", "pupil"), ("Person", "human being"), ("Teacher", "same"), ("Course", "same"))


def selected(graph: Graph, choice: Choice, not_roles: tuple[str, ...] = ()) -> Selection:
    engine = DuckDBEngine(threads=1)
    try:
        load_graph(engine, graph)
        names, labels = zip(*LABELS, strict=True)
        engine.load("labels", {"name": "VARCHAR", "label": "VARCHAR"}, [names, labels])
        return select(engine, Taxonomy.of(graph.taxonomy), choice, not_roles=not_roles)
    finally:
        engine.close()


@given(graphs, st.integers(1, 6), st.integers(0, 4), st.integers(1, 3), st.integers(0, 6))
@settings(max_examples=cases(40))
def test_the_most_frequent_are_chosen_in_order(
    graph: Graph, top: int, top_roles: int, least: int, conjoined: int
) -> None:
    sizes = {name: len(found) for name, found in graph.instances().items()}
    eligible = [name for name in sizes if sizes[name] >= least]
    choice = Choice(top=top, min_instances=least, top_roles=top_roles, conjoined=conjoined)
    if not eligible:
        with pytest.raises(BoxselError, match="no concept is left"):
            selected(graph, choice)
        return
    selection = selected(graph, choice)
    expected = sorted(eligible, key=lambda name: (-sizes[name], name))[:top]
    assert selection.chosen.concepts == tuple(expected)
    assert selection.instances == {name: sizes[name] for name in expected}
    assert selection.candidates == len(eligible)
    facts = Counter(role for _, role, _ in graph.facts)
    ranked = sorted(facts, key=lambda name: (-facts[name], name))
    assert selection.chosen.roles == tuple(ranked[:top_roles])
    assert selection.chosen.conjoined == tuple(range(min(conjoined, len(expected))))
    assert bool(selection.shortfalls) == (top > len(eligible) or top_roles > len(facts))


@given(graphs, st.sampled_from(CLASSES), st.sampled_from(CLASSES))
@settings(max_examples=cases(40))
def test_under_a_root_and_from_a_class_only_its_own_count(
    graph: Graph, root: str, start: str
) -> None:
    instances = graph.instances()
    # A link from a class to itself says nothing, and is left out on reading.
    linked = {name for low, high in graph.taxonomy if low != high for name in (low, high)}
    known = {name for _, name in graph.types} | linked
    choice = Choice(under=root, root=root, roles_from=start)
    if not {root, start} <= known or root not in instances:
        with pytest.raises(BoxselError):
            selected(graph, choice)
        return
    below = {name for name in instances if root in graph.superclasses(name)} - {root}
    if not below:
        with pytest.raises(BoxselError, match="no concept is left"):
            selected(graph, choice)
        return
    selection = selected(graph, choice)
    assert selection.chosen.concepts[-1] == root
    assert selection.root == len(selection.chosen.concepts) - 1
    assert set(selection.chosen.concepts[:-1]) == below
    starts = instances.get(start, set())
    facts = Counter(role for subject, role, _ in graph.facts if subject in starts)
    assert set(selection.chosen.roles) == set(facts)
    assert selection.facts == facts


@given(graphs)
@settings(max_examples=cases(30))
def test_at_the_ends_of_roles_only_what_they_link(graph: Graph) -> None:
    top_role = Counter(role for _, role, _ in graph.facts).most_common()
    choice = Choice(at_ends=True, root=EVERYTHING, top=9, top_roles=1)
    ends = set()
    if top_role:
        most = min(role for role, n in top_role if n == top_role[0][1])
        ends = {end for s, role, o in graph.facts if role == most for end in (s, o)}
    expected = {name for name, found in graph.instances().items() if found & ends}
    if not expected:
        with pytest.raises(BoxselError, match="no concept is left"):
            selected(graph, choice)
        return
    selection = selected(graph, choice)
    assert set(selection.chosen.concepts) == expected
    assert selection.chosen.everything
    assert selection.root == len(expected)


def test_names_may_be_labels_in_any_case_and_stay_in_their_order() -> None:
    selection = selected(
        SCHOOL, Choice(concepts=("Teacher", "PUPIL", "<Singer>"), roles=("knows",))
    )
    assert selection.chosen.concepts == ("Teacher", "Pupil", "Singer")
    assert selection.chosen.roles == ("knows",)


def test_names_and_ranks_go_together() -> None:
    selection = selected(SCHOOL, Choice(concepts=("Singer",), top=2, without=("Course",)))
    assert selection.chosen.concepts == ("Person", "Pupil", "Singer")


def test_what_has_no_name_of_its_own_is_not_chosen() -> None:
    selection = selected(SCHOOL, Choice(top=50, without=("Course",)))
    assert set(selection.chosen.concepts) == {"Person", "Pupil", "Teacher", "Singer"}


def test_a_role_that_makes_concepts_is_no_role_unless_it_is_named() -> None:
    plain = Choice(without=("Course",))
    assert "knows" not in selected(SCHOOL, plain, ("knows",)).chosen.roles
    named = Choice(without=("Course",), roles=("knows",))
    assert selected(SCHOOL, named, ("knows",)).chosen.roles == ("knows",)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (Choice(concepts=("Pupils",)), "the graph has no class Pupils\n  help: did you mean Pupil"),
        (Choice(roles=("attend",)), "the graph has no role attend\n  help: did you mean attends"),
        (
            Choice(concepts=("same",)),
            "several names are labelled 'same': write one of Course, Teach",
        ),
        (Choice(without=("Coarse",)), "no class or role Coarse\n  help: did you mean Course"),
        (Choice(concepts=("owl:Thing",)), "ask for it with --root owl:Thing"),
        (Choice(concepts=("Pupil",), root="Pupil"), "no concept is left to count"),
        (Choice(concepts=("Robot",)), "no entity of the graph is an instance of Robot"),
        (Choice(root="Robot"), "no entity of the graph is an instance of Robot"),
        (Choice(under="Robot"), "no concept is left to count"),
        (Choice(), "Course: used as a class and as a role"),
        (Choice(min_instances=10), "no concept is left to count"),
    ],
)
def test_what_cannot_be_chosen_is_said(choice: Choice, message: str) -> None:
    with pytest.raises(BoxselError) as caught:
        selected(SCHOOL, choice)
    assert message in str(caught.value)


def test_a_negative_number_is_refused_with_its_option() -> None:
    with pytest.raises(BoxselError, match="--min-instances cannot be negative: -1"):
        Choice(min_instances=-1)


def test_recipes_are_the_papers_sizes_and_may_be_changed() -> None:
    sizes = {
        name: (choice.top, choice.top_roles, choice.conjoined) for name, choice in RECIPES.items()
    }
    assert sizes == {"person": (127, 6, 50), "country": (30, 1, 30), "hybrid": (13, 18, 13)}
    smaller = Choice(top=3).over(recipe("person"))
    assert (smaller.top, smaller.root) == (3, recipe("person").root)
    with pytest.raises(BoxselError, match="choose one of person, country, hybrid"):
        recipe("city")
