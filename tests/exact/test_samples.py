"""Populations that are drawn: exact, inside what is proved, and found where there are some."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from random import Random
from types import ModuleType

import numpy as np
import pytest
from scipy.optimize import linprog

from boxsel.exact.compile.problem import Clause, Goal, Problem, Row
from boxsel.exact.ladder import NoWayError
from boxsel.exact.nearly import Nearly
from boxsel.exact.possible import find_possible
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.types.tables import kinds_of, table
from boxsel.exact.types.witnesses import Witnesses
from boxsel.exact.ways.samples.calibrating import Calibrated, calibrate
from boxsel.exact.ways.samples.lacking import find_lacking
from boxsel.exact.ways.samples.nearest import nearest_of
from boxsel.exact.ways.samples.optimising import Centred, Helping, centre, optimise
from boxsel.exact.ways.samples.raking import rake
from boxsel.exact.ways.samples.rounding import round_weights
from boxsel.exact.ways.samples.sample import Face
from boxsel.exact.ways.samples.shares import Names, Ratio, Shares, group, reach
from boxsel.exact.ways.samples.starting import Starting
from boxsel.exact.ways.samples.thinning import KEPT, thin
from boxsel.exact.ways.samples.witnessed import find_witnessed
from boxsel.exact.ways.way import Task
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Inner
from boxsel.logic.statements import Query
from boxsel.machine.budget import NO_LIMIT, Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import cases, some
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb


def shown(kb: KB, query: Query | str) -> Inner | None:
    """All that is shown to be possible."""
    found = [inner for inner, _ in find_possible(Reasoner(kb, budget=Budget()), kb.query(query))]
    return found[-1] if found else None


def some_shares(random: Random, points: bool) -> tuple[Shares, np.ndarray]:
    """Ratios that a random population of random types obeys, and its types."""
    columns = np.array([[random.random() < 0.5 for _ in range(200)] for _ in range(6)])
    ratios = []
    for _ in range(8):
        body, head = random.sample(range(6), 2)
        inside = columns[body]
        share = Fraction(int((columns[head] & inside).sum()), int(inside.sum()))
        room = Fraction(0) if points else Fraction(1, 50)
        lower, upper = max(Fraction(0), share - room), min(Fraction(1), share + room)
        ratios.append(Ratio(1 << body, 1 << body | 1 << head, lower, upper))
    return Shares(ratios, Names(0b111111)), columns


@pytest.mark.parametrize("seed", some(range(40)))
def test_types_are_kept_if_others_that_are_kept_witness_them(seed: int) -> None:
    """Type by type it is the same, with those left out that lack a witness until all have one."""
    kb, query = random_kb(Random(seed))
    problem = Problem(enumerate(kb.axioms), (query.head, query.body))
    width, random = len(problem.vocabulary), np.random.default_rng(seed)
    columns = random.random((width, 30)) < 0.4
    keep = random.random(30) < 0.9
    kinds, kept = kinds_of(columns), keep.copy()
    while True:
        witnesses = Witnesses(problem)
        witnesses.add(kind for kind, is_kept in zip(kinds, kept, strict=True) if is_kept)
        served = [
            all(
                witnesses.find(one, kind) is not None
                for one in problem.existentials
                if kind & one.bit
            )
            for kind in kinds
        ]
        if not (kept & ~np.array(served)).any():
            break
        kept &= served
    found = find_witnessed(problem, Names((1 << width) - 1), columns, keep)
    assert found.tolist() == kept.tolist()


@pytest.mark.parametrize("count", [1, 40, 300, 1000])
@pytest.mark.parametrize("seed", range(5))
def test_thinned_types_weigh_together_what_all_of_them_do(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    weights = random.exponential(size=600) ** 2
    weights /= weights.sum()
    groups = random.random((4, 600)) < [[0.5], [0.1], [0.01], [0.0]]
    places, kept = thin(groups, weights, count)
    assert len(places) <= count + 1 + KEPT * len(groups)
    assert ((kept >= weights[places] * (1 - 1e-9)) & (kept > 0)).all()
    heaviest = [
        np.argsort(-np.where(some, weights, -1.0))[: min(KEPT, some.sum())] for some in groups
    ]
    assert {*np.concatenate(heaviest).tolist()} <= {*places.tolist()}
    # Whoever is as heavy as what is drawn stands for the others: together they weigh the same.
    assert kept.sum() == pytest.approx(1.0, abs=1 / count + KEPT * len(groups) * weights.max())
    if count >= len(weights):
        assert (places == np.arange(600)).all()
        assert (kept == weights).all()


@pytest.mark.parametrize("number", [1, 2**40, 2**70, -(3**90)])
def test_faces_have_the_types_at_which_forms_of_any_length_are_zero(number: int) -> None:
    face = Face(((0b01, number), (0b10, -number), (0b11, 1)), {}, 0.5)
    assert face.has(Names(0b11), table([0b00, 0b01, 0b10, 0b11], 2)).tolist() == [
        True,
        False,
        False,
        False,
    ]


def inside(shares: Shares, having: np.ndarray, weights: Sequence[int | Fraction]) -> bool:
    """Whether weights obey every ratio, in fractions."""
    for number, ratio in enumerate(shares.ratios):
        whole, part = (
            sum(weight for weight, has in zip(weights, having[product], strict=True) if has)
            for product in (shares.bodies[number], shares.boths[number])
        )
        if not ratio.lower * whole <= part <= ratio.upper * whole:
            return False
    return True


@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_weights_are_calibrated_from_any_start_and_made_exact(seed: int, points: bool) -> None:
    shares, columns = some_shares(Random(seed), points)
    having = shares.having(columns)
    base = np.random.default_rng(seed).dirichlet(np.ones(200) * 3)
    found = calibrate(shares, having, base, NO_LIMIT)
    assert found.is_met
    assert not inside(shares, having, [int(weight * 2**60) for weight in base])
    whole = round_weights(shares, having, found.weights)
    assert whole is not None
    assert min(whole) >= 0
    assert inside(shares, having, whole)


@pytest.mark.parametrize("seed", some(range(6)))
def test_factors_of_products_say_what_weights_are_multiplied_by(seed: int) -> None:
    random = Random(seed)
    shares, columns = some_shares(random, points=False)
    having = shares.having(columns)
    base = np.array([random.uniform(0.1, 10) for _ in range(columns.shape[1])])
    found = calibrate(shares, having, base / base.sum(), NO_LIMIT)
    assert found.is_met
    assert found.factors.any(), "nothing would be tested"
    multiplied = np.log(found.weights / base) - found.factors @ having
    assert multiplied == pytest.approx(multiplied.mean() * np.ones(len(base)), abs=0.01)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize("seed", some(range(6)))
def test_shares_are_pushed_as_far_as_types_allow(seed: int, points: bool, sign: int) -> None:
    """As far as a linear programme over the same types says, and the other shares are inside."""
    shares, columns = some_shares(Random(seed), points)
    shares = shares.bound(len(shares) - 1, 0.0, 1.0)
    having = shares.having(columns)
    best = optimise(shares, having, np.ones(200) / 200, sign, NO_LIMIT)
    assert best is not None
    bodies, boths = having[shares.bodies].astype(float), having[shares.boths].astype(float)
    above, below = (boths - bound[:, None] * bodies for bound in (shares.lower, shares.upper))
    sides = np.vstack([-above[:-1], below[:-1]])
    expected = linprog(
        -sign * boths[-1], A_ub=sides, b_ub=np.zeros(len(sides)), A_eq=bodies[-1:], b_eq=[1.0]
    )
    assert expected.fun is not None
    assert best.share == pytest.approx(-sign * expected.fun, abs=1e-3)
    assert best.weights.min() > 0
    assert (sides @ best.weights).max() < 1e-5


@pytest.mark.parametrize("points", [False, True])
@pytest.mark.parametrize("seed", some(range(6)))
def test_types_without_weight_and_shares_without_room_are_told(seed: int, points: bool) -> None:
    """What has none according to linear programmes over the same types, one for each of them."""
    shares, columns = some_shares(Random(seed), points)
    asked = replace(shares.ratios[-1], lower=Fraction(0), upper=Fraction(1))
    shares = Shares([*shares.ratios[:-1], asked], Names(0b111111))
    having = shares.having(columns)
    kept = ~having[shares.boths[-1]] | (np.arange(200) < 3)  # the share is at an edge, or nearly
    having = having[:, kept]
    found = centre(shares, having, np.ones(kept.sum()) / kept.sum(), NO_LIMIT)
    bodies, boths = having[shares.bodies].astype(float), having[shares.boths].astype(float)
    above, below = (boths - bound[:, None] * bodies for bound in (shares.lower, shares.upper))
    sides = np.vstack([-above[:-1], below[:-1]])

    def most(costs: np.ndarray) -> float | None:
        result = linprog(
            -costs,
            A_ub=sides,
            b_ub=np.zeros(len(sides)),
            A_eq=bodies[-1:],
            b_eq=[1.0],
            bounds=(0, 100),
        )
        return None if result.fun is None else -float(result.fun)

    if isinstance(found, Helping):
        assert most(np.zeros(kept.sum())) is None
        assert found.gains(having).max() <= 0.01, "none of the types would help"
        return
    assert isinstance(found, Centred)
    for place in range(0, int(kept.sum()), 7):
        largest = most(np.eye(kept.sum())[place])
        assert largest is not None
        assert (largest < 1e-7) == (found.weights[place] == 0)
    some = found.weights > 0
    whole = round_weights(shares.hold(found.held), having[:, some], found.weights[some])
    assert whole is not None
    assert inside(shares, having[:, some], whole)


def test_types_that_would_help_are_found_by_multiples() -> None:
    """Half of A is B, and everybody who is B is C: only types with C help against too few C."""
    half, most = Fraction(1, 2), Fraction(1)
    ratios = [Ratio(0b001, 0b011, half, half), Ratio(0b001, 0b101, Fraction(3, 4), most)]
    shares = Shares([*ratios, Ratio(0b001, 0b101, Fraction(0), most)], Names(0b111))
    columns = table([0b001, 0b011], 3)
    found = centre(shares, shares.having(columns), np.ones(2) / 2, NO_LIMIT)
    assert isinstance(found, Helping)
    every = table([*range(8)], 3)
    helping = found.gains(shares.having(every)) > 0.01
    assert helping[0b101] or helping[0b111]
    assert not helping[[0b001, 0b011]].any()
    enough = shares.having(table([0b001, 0b011, 0b101, 0b111], 3))
    assert isinstance(centre(shares, enough, np.ones(4) / 4, NO_LIMIT), Centred)


def test_the_best_share_is_not_looked_for_where_that_takes_too_long() -> None:
    shares, columns = some_shares(Random(0), points=True)
    many = np.broadcast_to(1.0, 10**9)
    assert optimise(shares, shares.having(columns), many, 1, NO_LIMIT) is None
    assert centre(shares, shares.having(columns), many, NO_LIMIT) is None


def test_types_that_points_leave_empty_get_no_weight() -> None:
    """Half of A is B, half is C, half is both: nobody is one of them alone, however little."""
    half, masks = Fraction(1, 2), (0b011, 0b101, 0b111)
    shares = Shares([Ratio(0b001, both, half, half) for both in masks], Names(0b111))
    columns = table([*range(8)], 3)
    alone = np.array([kind in (0b011, 0b101) for kind in range(8)])
    weights = np.where(alone, [1e-11, 3e-11, 2e-11, 4e-11, 1e-11, 5e-11, 2e-11, 1e-11], 0.25)
    whole = round_weights(shares, shares.having(columns), weights)
    assert whole is not None
    assert inside(shares, shares.having(columns), whole)
    assert sum(whole) > 0
    assert not any(np.array(whole)[alone])


@pytest.mark.parametrize("seed", some(range(6)))
def test_what_is_rare_gets_weights_like_what_is_frequent(seed: int) -> None:
    """Shares over ten powers of ten, from weights that are all the same."""
    random = np.random.default_rng(seed)
    columns = table([*range(64)], 6)
    truth = [Fraction(int(weight)) for weight in 10 ** random.uniform(0, 10, 64)]
    ratios = []
    for body, head in zip(
        random.integers(0, 64, 12).tolist(), [1, 2, 4, 8, 16, 32] * 2, strict=True
    ):
        whole, both = (
            sum(weight for kind, weight in enumerate(truth) if not mask & ~kind)
            for mask in (body, body | head)
        )
        share = Fraction(both, whole)
        if share not in (0, 1):
            lower, upper = share * Fraction(9, 10), 1 - (1 - share) * Fraction(9, 10)
            ratios.append(Ratio(body, body | head, lower, min(upper, share * Fraction(11, 10))))
    shares = Shares([*ratios, Ratio(0, 1, Fraction(0), Fraction(1))], Names(0b111111))
    having = shares.having(columns)
    base = np.ones(64) / 64
    assert calibrate(shares, having, base, NO_LIMIT).is_met
    found = centre(shares, having, base, NO_LIMIT)
    assert isinstance(found, Centred)
    for weights in (found.weights, calibrate(shares, having, base, NO_LIMIT).weights):
        exact = round_weights(shares.hold(found.held), having, weights)
        assert exact is not None
        assert inside(shares, having, exact)


@pytest.mark.parametrize("seed", some(range(6)))
def test_one_raked_share_after_the_other_is_inside(seed: int) -> None:
    """Of two shares in disjoint bodies both are as they should be, and bodies are as large."""
    random = np.random.default_rng(seed)
    lower = Fraction(1, int(random.integers(2, 10**6)))
    apart = [Ratio(0b01, 0b101, lower, lower * 2), Ratio(0b10, 0b110, 1 - lower, Fraction(1))]
    shares = Shares(apart, Names(0b111))
    having = shares.having(table([0b001, 0b101, 0b010, 0b110, 0b000], 3))
    base = random.dirichlet(np.ones(5))
    found, _ = rake(shares, having, base, NO_LIMIT)
    assert inside(shares, having, [int(weight * 10**15) for weight in found])
    assert (having @ found)[shares.bodies] == pytest.approx((having @ base)[shares.bodies])


def test_shares_are_raked_that_are_one_but_for_rounding() -> None:
    ratio = Ratio(0b01, 0b11, Fraction(1, 2), Fraction(3, 4))
    shares = Shares([ratio, Ratio(0b00, 0b01, Fraction(0), Fraction(1))], Names(0b11))
    having = shares.having(table([0b01, 0b11], 2))
    found, _ = rake(shares, having, np.array([1e-18, 1.0]), NO_LIMIT)
    assert inside(shares, having, [int(weight * 10**15) for weight in found])


def test_what_types_do_not_allow_is_told() -> None:
    ratio = Ratio(0b01, 0b11, Fraction(1, 2), Fraction(3, 4))
    shares = Shares([ratio, Ratio(0b00, 0b01, Fraction(0), Fraction(1))], Names(0b11))
    columns = np.array([[True, True, False], [False, False, True]])
    found = calibrate(shares, shares.having(columns), np.ones(3) / 3, NO_LIMIT)
    assert not found.is_met
    assert found.off.tolist() == [pytest.approx(0.5, abs=0.01), 0]


def test_types_that_would_help_have_what_is_rare_and_lack_what_is_frequent() -> None:
    """Everybody in A is B or C and nobody D: somebody is missing who is D and neither."""
    some, few = (Fraction(1, 5), Fraction(2, 5)), (Fraction(1, 10), Fraction(2, 10))
    bounds = {0b0011: some, 0b0101: some, 0b1001: few}
    shares = Shares([Ratio(0b1, both, *ends) for both, ends in bounds.items()], Names(0b1111))
    columns = table([0b0011, 0b0101], 4)
    having = shares.having(columns)
    none = np.zeros(len(shares.products))
    found = Calibrated(np.ones(2) / 2, np.array([0.1, 0.1, 0.1]), np.zeros(3), none, none)
    goals = list(find_lacking(shares, having, found))
    assert goals[0] == Goal(0b1001, (0b0011, 0b0101))
    assert {*goals[1:]} == {Goal(0b1, (0b0011,)), Goal(0b1, (0b0101,))}


def test_more_chains_are_held_at_goals_that_have_types() -> None:
    kb = parse_kb("DisjointClasses: B, C\n(B | A)[0.2, 0.4]\n(C | A)[0.2, 0.4]")
    problem = Problem(enumerate(kb.axioms))
    a, b, c = (problem.vocabulary.bit(Name(letter)) for letter in "ABC")
    task = Task(problem, Budget(), listing=False)
    starting = Starting(task, [Goal(a)], Ratio(a, a | b, Fraction(0), Fraction(1)), 0)
    before = starting.start()
    after = starting.hold(before, [Goal(a), Goal(a, (b, c)), Goal(a | b | c)])
    assert len(after.columns) == len(before.columns) + 1, "one goal is known, one has no type"
    assert (after.columns[: len(before.columns), : before.columns.shape[1]] == before.columns).all()
    after.run(5, NO_LIMIT)
    held = after.columns[:, after.columns[-1]]
    places = starting.names.place
    has = {bit: held[places[bit.bit_length() - 1]] for bit in (a, b, c)}
    assert held.shape[1] > 0
    assert has[a].all()
    assert not has[b].any()
    assert not has[c].any()


def test_chains_that_follow_factors_come_to_types_with_large_sums_of_them() -> None:
    kb = parse_kb("D SubClassOf A\nDisjointClasses: C, D\n(B | A)[0.2, 0.4]\n(C | A)[0.2, 0.4]")
    problem = Problem(enumerate(kb.axioms))
    a, b = (problem.vocabulary.bit(Name(letter)) for letter in "AB")
    task = Task(problem, Budget(), listing=False)
    starting = Starting(task, [Goal(a)], Ratio(a, a | b, Fraction(0), Fraction(1)), 0)
    shares, counts = starting.shares, []
    for sign in (1, -1):
        drawing = starting.start().copy()
        factors = np.zeros(len(shares.products))
        factors[shares.boths[-1]] = sign * 1e6  # too large to be exponents of anything
        drawing.follow(factors, NO_LIMIT)
        having = shares.having(drawing.columns)
        counts.append(int(having[shares.boths[-1]].sum()))
        kinds = kinds_of(drawing.columns[: len(starting.names)])
        place = starting.names.place
        spelt = [sum(1 << bit for bit in place if kind >> place[bit] & 1) for kind in kinds]
        assert all(clause.holds(kind) for kind in spelt for clause in task.clauses)
    assert counts[0] > 2 * counts[1]


@pytest.mark.parametrize("seed", range(10))
def test_what_weights_miss_is_how_far_shares_are_outside(seed: int) -> None:
    random = Random(seed)
    shares, columns = some_shares(random, points=seed % 2 == 0)
    having = shares.having(columns)
    weights = np.array([random.random() ** 4 for _ in range(columns.shape[1])])
    near = nearest_of(shares, having, weights)
    assert near is not None
    missed = {one.ratio.masks: one for one in near.missed}
    for number, ratio in enumerate(shares.ratios):
        whole, part = (
            weights[having[product]].sum()
            for product in (shares.bodies[number], shares.boths[number])
        )
        share = part / whole
        if number == len(shares) - 1:  # the one that is asked about
            assert near.share == pytest.approx(share)
            continue
        off = max(float(ratio.lower) - share, share - float(ratio.upper))
        if off > 1e-9:
            assert missed[ratio.masks].share == pytest.approx(share)
            assert missed[ratio.masks].violation == pytest.approx(off)
    violations = [one.violation for one in near.missed]
    assert violations == sorted(violations, reverse=True)
    assert near.violation == max(violations, default=0.0)
    assert nearest_of(shares, having, np.zeros(len(weights))) is None


def test_where_there_is_no_population_what_came_nearest_is_told() -> None:
    lines = [f"(N{n} | A)[0.1, 0.9]" for n in range(5)]
    kb = parse_kb("\n".join(["(B | A)[0.5]", "B SubClassOf C", "(C | A)[0.3]", *lines]))
    told: list[Nearly] = []
    assert not [*Reasoner(kb, budget=Budget()).populations("(N1 | A)", told.append)]
    assert told
    violations = [one.violation for one in told]
    assert violations == sorted(set(violations), reverse=True)  # each is nearer than those before
    last = told[-1]
    stated = {violation.statement.text() for violation in last.violated}
    assert stated
    assert stated <= {"(B | A)[0.5]", "(C | A)[0.3]"}
    # Half and three tenths are two tenths apart: what one has less, the other has more.
    assert sum(violation.violation for violation in last.violated) >= 0.2 - 1e-6
    assert 0 <= last.share <= 1


def test_rows_about_one_share_are_one_ratio() -> None:
    rows = [
        Row(0, "lower", 0b1, 0b11, Fraction(1, 4)),
        Row(0, "upper", 0b1, 0b11, Fraction(1, 2)),
        Row(1, "lower", 0b1, 0b11, Fraction(1, 3)),
        Row(2, "upper", 0b10, 0b11, Fraction(1, 5)),
    ]
    assert group(rows) == [
        Ratio(0b1, 0b11, Fraction(1, 3), Fraction(1, 2)),
        Ratio(0b10, 0b11, Fraction(0), Fraction(1, 5)),
    ]


def test_only_what_conditionals_demand_is_reached() -> None:
    ratios = [
        Ratio(0b0001, 0b0011, Fraction(1, 2), Fraction(1)),
        Ratio(0b0010, 0b0110, Fraction(0), Fraction(1, 2)),
    ]
    assert reach([Clause(0b0010, 0b1000)], ratios, 0b0001) == 0b1011


def test_populations_never_leave_what_is_proved() -> None:
    found = 0
    for seed in range(cases(150)):
        kb, query = random_kb(Random(seed))
        truth = answer(kb, query)
        inner = shown(kb, query)
        if inner is None:
            continue
        found += 1
        assert truth.lower is not None
        assert truth.upper is not None
        assert truth.lower <= inner.lower <= inner.upper <= truth.upper
    assert found > cases(150) // 3


@pytest.mark.parametrize("family", ["taxonomy", "dense"])
def test_most_of_what_is_possible_is_shown(family: str, generators: ModuleType) -> None:
    for seed in range(3):
        made = getattr(generators, family)(40, 80, seed=seed, queries=2)
        for query in made.queries:
            outcome = Reasoner(made.kb).bounds(query)
            assert outcome.lower is not None
            assert outcome.upper is not None
            inner = shown(made.kb, query)
            assert inner is not None
            assert outcome.lower.bound <= inner.lower <= inner.upper <= outcome.upper.bound
            width = outcome.upper.bound - outcome.lower.bound
            assert inner.upper - inner.lower >= width / 2


def test_everything_that_is_possible_is_shown_where_nothing_is_said() -> None:
    kb = parse_kb("(B | A)[0.2, 0.3]\nC SubClassOf A\n(r some C | A)[0.5]")
    assert shown(kb, "(C | B)") == Inner(Fraction(0), Fraction(1), 3)


@pytest.mark.parametrize("family", ["directed", "points"])
def test_edges_are_shown_exactly(family: str, generators: ModuleType) -> None:
    """Also where types must have no weight, and shares no room, for a share to be 0 or 1."""
    points = 1.0 if family == "points" else 0.2
    shown_at, edges = 0, 0
    for seed in range(3):
        made = generators.directed(30, 60, seed=seed, queries=3, points=points)
        for query in made.queries:
            outcome = Reasoner(made.kb).bounds(query)
            assert outcome.lower is not None
            assert outcome.upper is not None
            inner = shown(made.kb, query)
            assert inner is not None
            for end, own in (
                (outcome.lower.bound, inner.lower),
                (outcome.upper.bound, inner.upper),
            ):
                if end in (0, 1):
                    edges += 1
                    shown_at += own == end
    assert edges > 5
    assert shown_at >= 0.9 * edges


def test_a_body_that_cannot_have_members_has_no_population() -> None:
    assert shown(parse_kb("A SubClassOf B\n(B | A)[0.2]"), "(B | A)") is None
    assert shown(parse_kb("(B | A)[0.2]\n(B | A)[0.3]\n(C | B)[0.5]"), "(C | A)") is None


def test_members_that_weigh_next_to_nothing_are_not_taken_for_members() -> None:
    """Bounds that floats nearly meet leave A empty: rounded, the others alone are a population."""
    kb = parse_kb(
        """
        (D | A)[0.008403, 0.905701]
        (B | D)[0.008403, 0.905701]
        E SubClassOf C
        (B | E)[0.270429, 0.5911]
        (F | B)[0.973548, 0.979566]
        G SubClassOf C
        (G | C)[0.089525, 0.101131]
        (J | I)[0.151652, 0.723331]
        (E | J)[0.098988, 0.815949]
        (L | K)[0.520913, 0.540575]
        (G | L)[0.590383, 1]
        (I | N)[0.763362, 0.972075]
        (M | C)[0.584507, 0.716343]
        (O and M | F)[0.1753, 0.292472]
        (H and N | F)[0.339388, 0.358169]
        (L | E and N)[0.590383, 1]
        (K | C)[0.421276, 0.99639]
        """
    )
    assert not Reasoner(kb).satisfiable("A")
    with suppress(NoWayError):  # it need not see it
        assert not Reasoner(kb, ways=("sampled",)).satisfiable("A")


@pytest.mark.parametrize("power", [6, 12, 15])
def test_witnesses_that_weigh_next_to_nothing_are_not_taken_for_witnesses(power: int) -> None:
    kb = parse_kb(f"(A | owl:Thing)[0, 1e-{power}]\n(D | s some A)[0, 0.9]")
    inner = shown(kb, "(s some A | D)")
    assert inner is not None  # whatever has one without the other
    assert inner.lower == 0


def test_contradictions_elsewhere_do_not_matter() -> None:
    inner = shown(parse_kb("(B | A)[0.2]\n(B | A)[0.3]\n(C | B)[0.5, 0.6]"), "(C | B)")
    assert inner is not None
    assert Fraction(1, 2) <= inner.lower <= inner.upper <= Fraction(3, 5)


def test_individuals_are_part_of_the_models() -> None:
    kb = parse_kb("(B | A)[0.2, 0.4]\nA(ada)\nr(ada, bob)\n(r some B | A)[0.1, 0.5]")
    models = [
        model for _, model in find_possible(Reasoner(kb, budget=Budget()), kb.query("(B | A)"))
    ]
    assert models
    assert all(len(model.individuals) == 2 for model in models)


def test_the_search_ends_with_its_budget() -> None:
    kb = parse_kb("(B | A)[0.2, 0.4]\n(C | B)[0.1, 0.3]")
    assert list(Reasoner(kb, budget=Budget(1e-9)).populations("(C | A)")) == []
