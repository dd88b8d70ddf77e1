"""Optima from few conditionals: the same answers as brute force and as the general path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from types import ModuleType

import numpy as np
import pytest

from boxsel.checker.verify import verify
from boxsel.exact.answers import Outcome
from boxsel.exact.certificate import certificate
from boxsel.exact.compile.problem import Clause, Existential, Goal, Problem
from boxsel.exact.compile.vocabulary import Type, has
from boxsel.exact.lp.optimum import Elimination, Impossible, Optimum
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.types.gibbs import COOL, WARM, Chains, Literals, State
from boxsel.exact.types.tables import Bools
from boxsel.exact.types.witnesses import Witnesses
from boxsel.exact.ways import sampled
from boxsel.exact.ways.near import Useful
from boxsel.exact.ways.way import Limits, Passed, Task
from boxsel.logic.concepts import Role
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.syntax.parser import parse_kb, parse_query
from tests.depth import cases, some
from tests.exact.brute_force import Answer, answer, empty_names
from tests.exact.knowledge_bases import random_kb

PARTS, EACH = 4, cases(60)


NEAR = ("sampled",)
"""The ways from few conditionals."""


def said(outcome: Outcome) -> Answer:
    assert outcome.status != "budget"
    lower = None if outcome.lower is None else outcome.lower.bound
    upper = None if outcome.upper is None else outcome.upper.bound
    return Answer(outcome.status, lower, upper)


def settled(outcome: Outcome) -> list[bool]:
    """Whether each end was settled from few conditionals."""
    ends = (outcome.lower, outcome.upper, outcome)
    routes = (end.route for end in ends if end is not None)
    return [route.way in NEAR for route in routes if route is not None]


@pytest.mark.parametrize("part", range(PARTS))
def test_small_ones_agree_with_brute_force(part: int) -> None:
    done: list[bool] = []
    for seed in range(part * EACH, (part + 1) * EACH):
        kb, query = random_kb(Random(seed))
        reasoner = Reasoner(kb, ways=(*NEAR, "generated"), limits=Limits(few=0))
        outcome = reasoner.bounds(query)
        assert said(outcome) == answer(kb, query), seed
        assert set(reasoner.empty_names) == set(empty_names(kb)), seed
        assert verify(kb, certificate(outcome)).exact, seed
        done += settled(outcome)
    assert len(done) > EACH
    # With no rows to spare, those that are all equations are taken to be counted: few here.
    assert done.count(False) < done.count(True) / 2


def test_where_many_rows_touch_a_question_those_about_nothing_else_come_first() -> None:
    done: list[bool] = []
    for seed in range(EACH):
        kb, query = random_kb(Random(seed))
        limits = Limits(few=0, large=3)
        outcome = Reasoner(kb, ways=(*NEAR, "generated"), limits=limits).bounds(query)
        assert said(outcome) == answer(kb, query), seed
        assert verify(kb, certificate(outcome)).exact, seed
        done += settled(outcome)
    assert any(done)
    assert not all(done)


def test_types_that_were_met_attain_what_weights_that_are_calibrated_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sampled.Sampled, "_attain", lambda *_: None)
    attained: list[bool] = []
    attain = Useful.attain

    def noted(
        useful: Useful, kinds: Iterable[Type], value: Fraction
    ) -> Mapping[Type, Fraction] | None:
        found = attain(useful, kinds, value)
        attained.append(found is not None)
        return found

    monkeypatch.setattr(Useful, "attain", noted)
    for seed in range(EACH):
        kb, query = random_kb(Random(seed))
        reasoner = Reasoner(kb, ways=(*NEAR, "generated"), limits=Limits(few=0))
        outcome = reasoner.bounds(query)
        assert said(outcome) == answer(kb, query), seed
        assert verify(kb, certificate(outcome)).exact, seed
    assert sum(attained) > EACH / 4


@pytest.mark.parametrize("kind", ["taxonomy", "dense"])
@pytest.mark.parametrize(("names", "conditionals"), [(15, 30), (25, 45)])
def test_middle_sizes_agree_with_the_general_path(
    generators: ModuleType,
    kind: str,
    names: int,
    conditionals: int,
) -> None:
    made = getattr(generators, kind)(names, conditionals, 1, 2)
    fast = []
    for query in made.queries:
        outcome = Reasoner(made.kb, ways=NEAR).bounds(query)
        assert verify(made.kb, certificate(outcome)).exact
        fast.append(said(outcome))
    for query, expected in zip(made.queries, fast, strict=True):
        outcome = Reasoner(made.kb, ways=("generated",)).bounds(query)
        assert said(outcome) == expected
        assert verify(made.kb, certificate(outcome)).exact


def test_conditionals_far_from_the_query_can_bind() -> None:
    lines = ["(C1 | C0)[0.9]", "(C0 | C1)[0.9]", "(D | C1)[0.95]"]
    lines += [f"(E{n} | F{n})[0.4, 0.6]" for n in range(20)]
    lines += [f"(F{n} | C0)[0.3, 0.5]" for n in range(20)]
    kb, query = parse_kb("\n".join(lines)), parse_query("(D | C0)")
    outcome = Reasoner(kb, ways=NEAR).bounds(query)
    assert settled(outcome) == [True, True]
    assert said(outcome) == said(Reasoner(kb).bounds(query))
    assert said(outcome) == said(Reasoner(parse_kb("\n".join(lines[:3]))).bounds(query))
    proofs = [end.proof for end in (outcome.lower, outcome.upper) if end is not None]
    assert all(len(proof.axioms) <= 3 for proof in proofs)  # only what the proof needs
    assert verify(kb, certificate(outcome)).exact


def test_the_same_input_gives_the_same_certificate(generators: ModuleType) -> None:
    made = generators.taxonomy(40, 90, 2, 1)
    first, second = (certificate(Reasoner(made.kb).bounds(made.queries[0])) for _ in range(2))
    assert first == second


def test_it_stops_when_the_time_is_over(generators: ModuleType) -> None:
    made = generators.taxonomy(100, 250, 0, 1)
    with pytest.raises(OutOfTimeError):
        Reasoner(made.kb, budget=Budget(0.05)).bounds(made.queries[0])


@pytest.mark.parametrize("seed", range(5))
def test_chains_stay_at_types(seed: int) -> None:
    random = Random(seed)
    size = 8
    clauses = []
    for _ in range(12):
        names = random.sample(range(1, size + 1), random.choice([1, 2, 2, 3]))
        first, *others = names  # whoever has nothing obeys every clause
        clauses.append((-first, *(random.choice([-1, 1]) * name for name in others)))
    every = (np.arange(1 << size) >> np.arange(size)[:, None] & 1).astype(bool)
    types = every[:, ~np.any([violated(clause, every) for clause in clauses], axis=0)]
    terms = {(0,): 1.0, (1, 2): -0.5, (3, 4, 5): 0.7}
    found = Chains(size, clauses, seed).run(terms, types, (*WARM, *COOL))
    assert not np.any([violated(clause, found) for clause in clauses])


def violated(clause: Literals, columns: Bools) -> Bools:
    """The columns in which no literal of a clause is true."""
    lacking = [~columns[one - 1] if one > 0 else columns[-one - 1] for one in clause]
    return np.asarray(np.all(lacking, axis=0))


@pytest.mark.parametrize("temperature", [0.0, 0.5])
@pytest.mark.parametrize("seed", some(range(10)))
def test_names_that_move_together_do_what_they_would_one_by_one(
    seed: int, temperature: float
) -> None:
    """Of each group, a name after the other, with the same noise: which is its own field."""
    random = Random(seed)
    size, count = 12, 70
    sides = [(random.sample(range(size), 3), random.choice([2, 2, 3])) for _ in range(14)]
    clauses = [(-some[0] - 1, *(some[n] + 1 for n in range(1, k))) for some, k in sides]
    terms: dict[tuple[int, ...], float] = {(n,): random.uniform(-1, 1) for n in range(size)}
    for _ in range(16):
        terms[tuple(random.sample(range(size), random.choice([2, 3, 4])))] = random.uniform(-2, 2)
    chains = Chains(size, clauses, seed, moving=size - 2)
    columns = np.zeros((size, count), bool)
    state, slow = State(columns), columns.copy()
    groups = chains.group([*terms])
    factors = np.array([*terms.values()], np.float32)
    assert sorted(v for group in groups for v in group.names) == [*range(size - 2)]
    noise = np.random.default_rng(seed)
    for _ in range(5):
        for group in groups:
            field = group.field(factors, state)
            least = temperature * noise.normal(size=field.shape)
            group.move(field > least, state)
            for row, v in enumerate(group.names):
                # Its two values, all others as they are: what each gains, and whether it may be.
                with_it, without = slow.copy(), slow.copy()
                with_it[v], without[v] = True, False
                gain = sum(
                    number * (with_it[list(term)].all(0) * 1.0 - without[list(term)].all(0))
                    for term, number in terms.items()
                )
                assert np.allclose(gain, field[row], atol=1e-4)
                barred, forced = (
                    np.any([violated(clause, one) for clause in clauses], axis=0)
                    for one in (with_it, without)
                )
                slow[v] = ((field[row] > least[row]) & ~barred) | forced
        assert np.array_equal(state.columns, slow)
        assert np.array_equal(state.values.astype(bool), slow)


@pytest.mark.parametrize("seed", some(range(20)))
def test_witnesses_are_the_types_that_roles_allow(seed: int) -> None:
    kb, query = random_kb(Random(seed))
    problem = Problem(enumerate(kb.axioms), (query.head, query.body))
    width, random = len(problem.vocabulary), Random(seed)
    kinds: list[Type] = [random.randrange(1 << width) for _ in range(12)]
    witnesses = Witnesses(problem)
    for known in (6, 12):
        witnesses.add(kinds[:known])
        for existential in problem.existentials:
            for subject in kinds:
                allowed = {
                    kind
                    for kind in kinds[:known]
                    if existential.filler is not None
                    and kind & existential.filler == existential.filler
                    and allows(problem, existential.role, subject, kind)
                }
                found = witnesses.find(existential, subject)
                assert found in allowed if allowed else found is None


def test_impossible_goals_are_proved_from_few_rows() -> None:
    lines = ["(B | A)[0.2]", "(B | A)[0.8]"] + [f"(D{n} | A)[0.4, 0.6]" for n in range(20)]
    kb = parse_kb("\n".join(lines))
    problem = Problem(enumerate(kb.axioms))
    mask = problem.vocabulary.mask(parse_query("(B | A)").body)
    assert mask is not None
    way = sampled.offer(Task(problem, Budget(), listing=False))
    assert not isinstance(way, Passed)
    found = way.maximise(Goal(mask), ())
    assert isinstance(found, Impossible)
    assert found.statements == (0, 1)


def test_clauses_that_come_later_are_obeyed() -> None:
    problem = Problem(enumerate(parse_kb("(B | A)[0.4, 0.6]\n(C | A)[0.4, 0.6]").axioms))
    task = Task(problem, Budget(), listing=False)
    way = sampled.offer(task)
    assert not isinstance(way, Passed)
    head, body = (problem.vocabulary.mask(parse_query(f"({one} | A)").head) for one in "BC")
    first = problem.vocabulary.mask(parse_query("(B | A)").body)
    assert head is not None
    assert body is not None
    assert first is not None
    for expected in ("3/5", "0"):
        found = way.maximise(Goal(first), ((first | head | body, 1),))
        assert isinstance(found, Optimum)
        assert str(found.value) == expected
        clause = Clause(head | body, 0)
        task.restrict(Elimination(clause, Existential(head, Role("r"), None), None))


def test_a_query_about_top(generators: ModuleType) -> None:
    made = generators.dense(30, 60, 3, 1)
    query: Query = parse_query("(N1 | owl:Thing)")
    outcome = Reasoner(KB.of(*made.kb.axioms)).bounds(query)
    assert verify(made.kb, certificate(outcome)).exact


def allows(problem: Problem, role: Role, subject: Type, target: Type) -> bool:
    """Whether an element of one type may have another as an object of a role."""
    objects = problem.range(role)
    return (
        objects is not None
        and has(target, objects)
        and all(
            subject & duty.bit
            for duty in problem.duties(role)
            if duty.filler is not None and has(target, duty.filler)
        )
    )
