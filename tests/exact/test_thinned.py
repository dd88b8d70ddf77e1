"""Counted knowledge bases of which few conditionals are kept: all ways give the same bounds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

import pytest

from boxsel.checker.verify import verify
from boxsel.exact.answers import Outcome
from boxsel.exact.certificate import certificate
from boxsel.exact.compile.nearness import Nearness
from boxsel.exact.compile.problem import Goal, Problem, value
from boxsel.exact.compile.vocabulary import has
from boxsel.exact.ladder import Ladder
from boxsel.exact.lp.optimum import Optimum
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.schedule import Known, within
from boxsel.exact.ways.way import Limits
from boxsel.logic.axioms import Axiom, Conditional
from boxsel.logic.concepts import TOP, Concept, Exists, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.population import Pattern, Population
from boxsel.logic.proportions import Count
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb, parse_query
from tests.depth import some
from tests.exact.brute_force import answer


class Graph:
    """A population with names and roles, as a graph that is counted."""

    def __init__(self, random: Random, names: int, roles: int, size: int = 12) -> None:
        self.random = random
        self.names = [Name(f"A{n}") for n in range(names)]
        self.roles = [Role(f"r{n}") for n in range(roles)]
        self.members = range(size)
        self.has: dict[Concept, set[int]] = {
            name: {m for m in self.members if random.random() < 0.45} | {random.randrange(size)}
            for name in self.names
        }
        self.objects = {
            (role, m): random.sample(range(size), random.choice((0, 0, 1, 2)))
            for role in self.roles
            for m in self.members
        }

    def extent(self, concept: Concept) -> set[int]:
        if concept in self.has:
            return self.has[concept]
        for role in self.roles:
            for name in self.names:
                if role.some(name) == concept:
                    return {m for m in self.members if self.has[name] & {*self.objects[role, m]}}
        return {*self.members}

    @property
    def existentials(self) -> list[Exists]:
        return [role.some(name) for role in self.roles for name in self.names]

    def conditionals(self) -> list[Axiom]:
        """The four shapes, where their bodies are not empty."""
        shapes: list[tuple[Concept, Concept, set[int]]] = []
        for head, body in permutations(self.names, 2):
            shapes.append((head, body, self.extent(body)))
        for basic in (*self.names, *self.existentials):
            shapes.append((basic, TOP, {*self.members}))
        for first, second in combinations(self.names, 2):
            both = self.extent(first) & self.extent(second)
            shapes += [
                (one, first & second, both) for one in self.names if one not in {first, second}
            ]
        for existential in self.existentials:
            for name in self.names:
                shapes.append((name, existential, self.extent(existential)))
                shapes.append((existential, name, self.extent(name)))
        return [
            Conditional(head, body, Count(len(self.extent(head) & inside), len(inside)))
            for head, body, inside in shapes
            if inside
        ]

    def thinned(self, share: float) -> KB:
        return KB.of(
            *(conditional for conditional in self.conditionals() if self.random.random() < share)
        )

    def data(self) -> Population:
        """Everybody as a pattern of their own."""
        return Population(
            tuple(self.names),
            tuple(self.roles),
            tuple(
                Pattern(
                    1,
                    tuple(n for n, name in enumerate(self.names) if m in self.has[name]),
                    tuple(tuple(self.objects[role, m]) for role in self.roles),
                )
                for m in self.members
            ),
        )

    def query(self) -> Query:
        pool: list[Concept] = [*self.names, *self.existentials]
        return Query(self.random.choice(pool), self.random.choice([TOP, *self.names]))


TREE, GENERATED = ("tree", "generated"), ("generated",)
TINY = Limits(few=0)
"""With this, whatever is small is treated as if it were large."""


def thinned_graph(random: Random) -> tuple[KB, Query]:
    """A knowledge base of few conditionals that were counted, and a question to it."""
    graph = Graph(random, names=3, roles=1)
    return graph.thinned(random.choice((0.15, 0.3, 0.6))), graph.query()


def ends(found: Outcome) -> tuple[Fraction | None, Fraction | None]:
    lower, upper = found.lower, found.upper
    return None if lower is None else lower.bound, None if upper is None else upper.bound


def check(kb: KB, query: Query, found: Outcome) -> None:
    truth = answer(kb, query)
    assert found.status == truth.status
    assert ends(found) == (truth.lower, truth.upper)
    checked = verify(kb, certificate(found))
    assert checked.valid
    assert checked.exact


@pytest.mark.parametrize("seed", some(range(14)))
@pytest.mark.parametrize("ways", [TREE, GENERATED], ids=["tree", "generated"])
def test_names_and_roles_as_brute_force_has_it(seed: int, ways: tuple[str, ...]) -> None:
    random = Random(seed)
    graph = Graph(random, names=3, roles=1)
    kb = graph.thinned(random.choice((0.15, 0.3, 0.6)))
    reasoner = Reasoner(kb, ways=ways, limits=TINY)
    for _ in range(3):
        query = graph.query()
        check(kb, query, reasoner.bounds(query))


@pytest.mark.parametrize("seed", some(range(12)))
@pytest.mark.parametrize("told", [False, True])
def test_names_alone_as_lists_have_it(seed: int, told: bool) -> None:
    random = Random(seed)
    graph = Graph(random, names=6, roles=0, size=30)
    kb = graph.thinned(0.3)
    data = graph.data() if told else None
    reasoner = Reasoner(replace(kb, data=data), ways=GENERATED, limits=TINY)
    listed = Reasoner(kb, ways=("listed",))
    for _ in range(2):
        query = graph.query()
        outcome, expected = reasoner.bounds(query), listed.bounds(query)
        assert outcome.status == expected.status
        assert ends(outcome) == ends(expected)
        assert verify(kb, certificate(outcome)).exact


def test_two_roles_as_lists_have_it() -> None:
    for seed in range(8):
        random = Random(seed)
        graph = Graph(random, names=4, roles=2)
        kb, query = graph.thinned(0.2), graph.query()
        expected = Reasoner(kb).bounds(query)
        outcome = Reasoner(kb, ways=TREE, limits=TINY).bounds(query)
        assert ends(outcome) == ends(expected)
        assert verify(kb, certificate(outcome)).exact


@pytest.mark.parametrize("seed", range(5))
def test_data_are_types_that_obey_everything_and_witness_each_other(seed: int) -> None:
    graph = Graph(Random(seed), names=3, roles=2)
    kb = replace(KB.of(*graph.conditionals()), data=graph.data())
    assert kb.witness is not None
    ladder = Ladder([*enumerate(kb.axioms)], (), Budget(), data=kb.witness)
    problem = ladder.problem
    weights = problem.vocabulary.weigh(kb.witness)
    assert sum(weights.values()) == len(graph.members)
    assert all(clause.holds(kind) for kind in weights for _, clause in problem.clauses)
    for row in problem.rows:
        assert sum(weight * value(row.form, kind) for kind, weight in weights.items()) >= 0
    assert ladder.survivors.weightings == (weights,), "nothing else was needed"


LARGE = Limits(large=1)
CHAIN = "(A | C)[0.5]\n(D | A)[0.2]\n(A | D)[0.25]\nD SubClassOf C\nA SubClassOf C\n"


def test_a_chain_in_a_large_knowledge_base_is_found_first() -> None:
    others = "".join(f"(X{n} | X{n + 1})[0.3]\n(D | X{n})[0.4]\n" for n in range(20))
    kb, query = parse_kb(CHAIN + others), parse_query("(D | C)")
    found = within(Reasoner(kb, budget=Budget(60), limits=LARGE), query)
    assert isinstance(found, Outcome)
    assert ends(found) == (Fraction(2, 5), Fraction(2, 5))
    assert found.lower is not None
    assert found.lower.proof.premises <= {*list(kb.axioms)[:5]}
    assert verify(kb, certificate(found)).exact


def test_an_empty_body_is_not_pinned() -> None:
    kb, query = parse_kb(CHAIN + "(Z | C)[0.2]\n(Z | C)[0.4]"), parse_query("(D | C)")
    found = within(Reasoner(kb, budget=Budget(60), limits=LARGE), query)
    assert not isinstance(found, Known)
    assert found.status == "vacuous"


def test_a_way_of_known_ratios() -> None:
    text = "(B | A)[0.5]\n(A | B)[0.5]\n(C | B)[0.1]\n(B | C)[0.2]\n(D | A)[0.1]\n(C | D)[0.1]\n"
    near = Nearness(parse_kb(text))
    way = near.path(parse_query("(A | C)"))
    assert way is not None
    assert near.around(parse_query("(A | C)"), way) == (0, 1, 2, 3)
    assert near.path(parse_query("(A | D)")) is None


def test_a_goal_with_an_existential_may_exclude_names() -> None:
    kb = parse_kb("(A | B)[0.5]\n(B | A)[0.5]\n(C | A)[0.25]\n(s some B | A)[0.5]")
    problem = Problem(tuple(enumerate(kb.axioms)), ())
    vocabulary = problem.vocabulary
    ladder = Ladder([*enumerate(kb.axioms)], (), Budget(), ways=TREE, limits=TINY)
    wanted, other = (vocabulary.bit(concept) for concept in (Role("s").some(Name("B")), Name("C")))
    goal = Goal(wanted, (other,))
    found = ladder.realise(goal)
    assert isinstance(found, Optimum), "someone has an s that is B, and is no C"
    assert any(has(kind, wanted) and not has(kind, other) for kind in found.weights)
