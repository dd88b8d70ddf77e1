"""Tasks: the rows of a knowledge base are the knowledge base."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxsel import parse
from boxsel.errors import BoxselError
from boxsel.logic.axioms import Axiom, Conditional, RoleAssertion, RoleInclusion
from boxsel.logic.concepts import TOP, Concept, Exists, Name, conjunction, names
from boxsel.logic.kb import KB
from boxsel.models.emptiness import NoModelError
from boxsel.models.task import Task
from tests.depth import cases
from tests.interpretations import Interpretation
from tests.models.decoding import decoded
from tests.models.functional import (
    assertions,
    concept_axioms,
    interpretations,
    intervals,
    role_axioms,
    role_chains,
    roles,
    with_unions,
)
from tests.models.functional import names as some_names

A, B, C = names("A B C")
axiom_lists = st.one_of(
    st.lists(
        st.one_of(concept_axioms(), concept_axioms(), role_axioms, assertions),
        min_size=1,
        max_size=5,
    ),
    role_chains(),
)
atoms: st.SearchStrategy[Concept] = some_names
existentials: st.SearchStrategy[Concept] = st.builds(Exists, roles, some_names)
in_pnf = st.one_of(
    st.builds(Conditional, atoms, atoms, intervals),
    st.builds(
        Conditional,
        atoms,
        st.tuples(atoms, atoms).map(lambda pair: conjunction(*pair)),
        intervals,
    ),
    st.builds(Conditional, atoms, existentials, intervals),
    st.builds(Conditional, existentials, atoms, intervals),
)


def task_of(axioms: list[Axiom]) -> Task:
    try:
        return Task.of(KB.of(*axioms))
    except NoModelError:
        assume(False)
        raise


def extended(interpretation: Interpretation, task: Task) -> Interpretation:
    """The interpretation with fresh names read as their concepts, and empty names empty."""
    emptied = interpretation.extended(dict.fromkeys(task.empty, frozenset()))
    fresh = {
        name: emptied.extension(concept)
        for concept, name in task.numbering.atoms.items()
        if isinstance(name, Name)
    }
    return emptied.extended(fresh)


def holds(task: Task, interpretation: Interpretation) -> bool:
    """Whether all rows and points are true."""
    numbering = task.numbering
    places = [interpretation.individuals[individual] for individual in numbering.individuals]
    for head, body, bounds, _ in decoded(task.rows, numbering):
        share = interpretation.share(head, body)
        if share is not None and share not in bounds:
            return False
    for one, name in task.points.instances:
        concept = numbering.names[name - 1] if name else TOP
        if places[one] not in interpretation.extension(concept):
            return False
    return all(
        (places[one], places[other]) in interpretation.roles[numbering.roles[role - 1]]
        for one, role, other in task.points.links
    )


@given(st.lists(in_pnf, min_size=1, max_size=5))
def test_rows_in_probabilistic_normal_form_are_the_knowledge_base(axioms: list[Axiom]) -> None:
    task = task_of(axioms)
    assume(not task.empty)
    assert not task.numbering.atoms
    said = [
        (axiom.head, axiom.body, axiom.bounds) for axiom in axioms if isinstance(axiom, Conditional)
    ]
    assert [share[:3] for share in decoded(task.rows, task.numbering)] == said


@given(axiom_lists, interpretations())
def test_a_model_satisfies_the_rows(axioms: list[Axiom], interpretation: Interpretation) -> None:
    true = [axiom for axiom in axioms if interpretation.satisfies(axiom)]
    assume(true)
    task = task_of(true)
    assert holds(task, extended(interpretation, task))


@given(axiom_lists, interpretations())
def test_rows_say_no_less_than_the_knowledge_base(
    axioms: list[Axiom], interpretation: Interpretation
) -> None:
    task = task_of(axioms)
    found = extended(interpretation, task)
    united = with_unions(found, axioms)
    if holds(task, found) and not any(isinstance(axiom, RoleAssertion) for axiom in axioms):
        assert united.is_model(task.kb)
    if not any(isinstance(axiom, RoleInclusion) for axiom in axioms):
        assert holds(task, found) == found.is_model(task.kb)


@settings(max_examples=cases(50))
@given(st.lists(concept_axioms(), min_size=1, max_size=2), interpretations(max_size=2))
def test_whatever_fresh_names_mean_the_rows_say_no_less(
    axioms: list[Axiom], interpretation: Interpretation
) -> None:
    task = task_of(axioms)
    found = extended(interpretation, task)
    fresh = tuple(name for name in task.numbering.names if name not in task.kb.signature.concepts)
    assume(len(fresh) <= 3)
    if any(holds(task, other) for other in found.extensions_by(fresh)):
        assert found.is_model(task.kb)


@pytest.mark.parametrize(
    "text",
    ["(A | B)[0.2]", "A SubClassOf r some B", "A EquivalentTo B and r some C", "r Domain: A"],
)
def test_short_axioms_need_no_fresh_names(text: str) -> None:
    assert not Task.of(parse(text)).numbering.atoms


def test_names_that_are_empty_have_no_row() -> None:
    task = Task.of(
        parse("DisjointClasses: A, B\nE SubClassOf A\nE SubClassOf B\n(E | A)[0, 0.5]\nA(x)")
    )
    assert task.empty == {Name("E")}
    assert task.numbering.names == (A, B)
    assert task.points.instances.tolist() == [[0, 1]]
    assert len(task.points) == 1
    # What is left is the disjointness: the others hold because E is empty.
    assert [share.bounds.upper for share in decoded(task.rows, task.numbering)] == [0]


def test_nothing_to_train() -> None:
    with pytest.raises(BoxselError, match="no statements"):
        Task.of(KB())
