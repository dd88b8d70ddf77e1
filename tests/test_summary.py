"""Summaries agree with plain counting, and chains are found in graphs of any shape and size."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.logic.axioms import Equivalence, conditional
from boxsel.logic.concepts import BOTTOM, TOP, Role, names
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.proportions import Count
from boxsel.summary import longest_chain, summarize
from tests.strategies import kbs

A, B, C, D = names("A B C D")
r = Role("r")


@given(kbs())
def test_numbers_are_those_of_plain_counting(kb: KB) -> None:
    summary = summarize(kb)
    conditionals = list(kb.conditionals)
    assert summary.concepts + summary.roles + summary.individuals == len(kb.signature)
    assert summary.statements == len(kb) == sum(dict(summary.kinds).values())
    assert dict(summary.kinds) == kb.counts_by_kind()
    assert (summary.size, summary.depth) == (kb.size, kb.depth)
    assert summary.conditionals == len(conditionals)
    assert summary.points == sum(one.bounds.lower == one.bounds.upper for one in conditionals)
    assert summary.deterministic == sum(
        one.bounds.upper == 0 or one.bounds.lower == 1 for one in conditionals
    )
    assert summary.counts == sum(isinstance(one.proportion, Count) for one in conditionals)
    assert summary.sources == sum(statement.note.source != "" for statement in kb.statements)
    assert summary.ignored_axioms == kb.ignored_axioms


def chain_by_reachability(edges: set[tuple[str, str]]) -> int:
    """The longest chain, from the definition: names that reach each other are one."""
    nodes = {node for edge in edges for node in edge}
    reach = {(a, b) for a, b in edges}
    for middle in nodes:
        reach |= {(a, b) for a in nodes for b in nodes if {(a, middle), (middle, b)} <= reach}

    @cache
    def height(node: str) -> int:
        above = [b for a, b in reach if a == node and (b, node) not in reach]
        return max((height(b) + 1 for b in above), default=0)

    return max(map(height, nodes), default=0)


nodes = st.sampled_from("abcdefg")


@given(st.sets(st.tuples(nodes, nodes), max_size=14))
def test_the_longest_chain_condenses_cycles(edges: set[tuple[str, str]]) -> None:
    graph: dict[str, list[str]] = {}
    for below, above in edges:
        graph.setdefault(below, []).append(above)
    assert longest_chain(graph) == chain_by_reachability(edges)


@pytest.mark.parametrize(
    ("kb", "depth"),
    [
        (KB(), 0),
        (KB.of(A <= B, B <= C, A <= C), 2),
        (KB.of(B & r.some(C) >= A, B <= C & D), 2),
        (KB.of(A <= B, B <= A, B <= C), 1),
        (KB.of(A <= A), 0),
        (KB.of(A <= TOP, B <= BOTTOM), 0),
        (KB.of(A & B <= C, r.some(A) <= B), 0),
        (KB.of(A.equivalent_to(B & r.some(C)), B <= C), 2),
        (KB.of(Equivalence(A, B, C & r.some(TOP)), C <= D), 2),
        (KB.of(A.equivalent_to(B), C <= B, A <= D), 2),
        (KB.of(Equivalence(r.some(A), B & C)), 0),
        (KB.of(conditional(B, given=A, exactly=1)), 0),
    ],
    ids=str,
)
def test_the_hierarchy_is_what_is_stated_between_names(kb: KB, depth: int) -> None:
    assert summarize(kb).hierarchy_depth == depth


@pytest.mark.parametrize("closed", [False, True])
def test_a_hundred_thousand_names_in_a_row_or_a_circle(closed: bool) -> None:
    size = 100_000
    graph = {str(i): [str(i + 1)] for i in range(size)}
    if closed:
        graph[str(size)] = ["0"]
    assert longest_chain(graph) == (0 if closed else size)


def test_a_table_for_people() -> None:
    kb = KB.of(
        A <= B,
        conditional(A, given=C, count=(7, 12)).annotate(source="PMID:1"),
        conditional(A, given=D, between=(0, 1)),
        conditional(A, given=B, exactly=0),
    )
    rows = dict(summarize(kb).rows())
    assert rows["statements"] == "4"
    assert rows["  conditional"] == "3"
    assert rows["point conditionals"] == "2 of 3 (66.7%)"
    assert rows["conditionals of 0 or 1"] == "1 of 3 (33.3%)"
    assert rows["sample counts"] == "1 of 3 (33.3%)"
    assert rows["statements with a source"] == "1"


def test_what_was_left_out_is_listed_by_kind() -> None:
    drops = (Dropped("ObjectUnionOf", 1200, "not in SEL"), Dropped("Annotation", 3, "", False))
    summary = summarize(KB(dropped=drops))
    rows = dict(summary.rows())
    assert rows["axioms left out on reading"] == "1,200"
    assert rows["  ObjectUnionOf"] == "1,200 (not in SEL)"
    assert rows["  Annotation"] == "3 (changes no answer)"
    assert summary.to_json()["ignored_axioms"] == 1200


def test_shares_need_conditionals() -> None:
    summary = summarize(KB.of(A <= B))
    assert (summary.point_share, summary.deterministic_share) == (None, None)
    assert "point conditionals" not in dict(summary.rows())
