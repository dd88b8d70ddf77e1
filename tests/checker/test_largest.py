"""Largest values by elimination against all types one by one, and against the solver."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, combinations, pairwise, product
from random import Random

import pytest

from boxsel.checker.largest import MOST_PATTERNS, largest_value
from boxsel.checker.order import WIDEST, TooWideError, eliminate
from boxsel.checker.search import Search, is_attained
from boxsel.checker.settling import settle
from boxsel.checker.types import UndecidedError
from tests.depth import cases

Letters = frozenset[str]
Clause = tuple[Letters, Letters]
Form = dict[Letters, Fraction]
NONE = Letters()


def letters(random: Random, names: str, most: int) -> Letters:
    return Letters(random.sample(names, random.randint(0, min(most, len(names)))))


def fraction(random: Random) -> Fraction:
    long = random.random() < 0.1
    return Fraction(random.randint(-9, 9), random.choice([1, 2, 3, 7, 3**90 if long else 5]))


def problem(random: Random) -> tuple[list[Clause], Form]:
    """Clauses of all kinds, some of which say what a type has or lacks, and a form."""
    names = "ABCDEFG"[: random.randint(1, 7)]
    clauses = [
        (letters(random, names, 3), letters(random, names, random.choice([0, 1, 1, 2])))
        for _ in range(random.randint(0, 8))
    ]
    if random.random() < 0.2:  # contradictions that show only when clauses are taken together
        for _ in range(12):
            both = Letters(random.sample(names[:3], min(2, len(names))))
            body = letters(random, "".join(sorted(both)), 2)
            clauses.append((body, both - body))
    clauses += (
        (NONE, Letters(letter)) for letter in letters(random, names, random.choice([0, 0, 2]))
    )
    clauses += ((letters(random, names, 2), NONE) for _ in range(random.choice([0, 0, 1])))
    form = {letters(random, names, 3): fraction(random) for _ in range(random.randint(0, 8))}
    return clauses, form


def by_brute_force(clauses: list[Clause], form: Form) -> Fraction | None:
    names = sorted(NONE.union(*form, *(body | heads for body, heads in clauses)))
    types = [
        Letters(name for name, there in zip(names, bits, strict=True) if there)
        for bits in product((False, True), repeat=len(names))
    ]
    return max(
        (
            sum((number for key, number in form.items() if key <= kind), Fraction(0))
            for kind in types
            if all(not body <= kind or heads & kind for body, heads in clauses)
        ),
        default=None,
    )


def test_values_are_those_of_all_types() -> None:
    impossible = 0
    for seed in range(cases(4000, 2000)):
        clauses, form = problem(Random(seed))
        value = by_brute_force(clauses, form)
        assert largest_value(clauses, form) == value, seed
        impossible += value is None
    assert impossible > 200


@pytest.mark.parametrize("least", [0, 1])
def test_the_solver_finds_the_same(least: int) -> None:
    for seed in range(cases(1000)):
        clauses, form = problem(Random(seed))
        search = Search(clauses)
        search.demand(form, least)
        assert is_attained(clauses, [form], least) is search.succeeds(), seed


def test_forms_that_are_nowhere_above_0_are_0_where_their_sum_is() -> None:
    found = set()
    for seed in range(cases(1000, 200)):
        random = Random(seed)
        clauses, _ = problem(random)
        forms = [problem(random)[1] for _ in range(3)]
        for form in forms:
            form[NONE] = form.get(NONE, Fraction(0)) - (by_brute_force([], form) or 0)
        search = Search(clauses)
        for form in forms:
            search.demand(form, 0)
        expected = search.succeeds()
        assert is_attained(clauses, forms, 0) is expected, seed
        found.add(expected)
    assert found == {False, True}


def ways(clauses: list[set[int]], kept: int) -> set[tuple[int, ...]]:
    """The ways in which the first of some concepts can be true."""
    every = product(*((2 * one, 2 * one + 1) for one in range(6)))
    return {one[:kept] for one in every if all(clause & {*one} for clause in clauses)}


def test_what_is_settled_changes_nothing() -> None:
    for seed in range(cases(2000)):
        random = Random(seed)
        clauses = [
            {random.randrange(12) for _ in range(random.randint(1, 3))}
            for _ in range(random.randint(0, 9))
        ]
        kept = random.randint(0, 4)
        settled = settle(clauses, range(kept))
        if settled is None:
            assert not ways(clauses, kept), seed
            continue
        true, left = settled
        assert ways([*left, *({one} for one in true)], kept) == ways(clauses, kept), seed
        open_ones = set[int]().union(*left)
        assert not any(one in true or one ^ 1 in true for one in open_ones), seed


def test_every_group_is_in_a_bag_and_everything_in_one_piece() -> None:
    for seed in range(cases(1000)):
        random = Random(seed)
        groups = [
            random.sample(range(9), random.randint(1, 3)) for _ in range(random.randint(1, 10))
        ]
        order = eliminate(groups)
        place = {one: number for number, (one, _) in enumerate(order)}
        bags = [{one, *others} for one, others in order]
        assert all(any(bag >= {*group} for bag in bags) for group in groups), seed
        for one, others in order:
            assert all(place[other] > place[one] for other in others), seed
            if others:  # what is handed on is all in the next bag
                assert bags[min(place[other] for other in others)] >= others, seed


def cost(groups: list[set[int]], one: int) -> tuple[int, int]:
    """The new pairs that an elimination makes, and of how many."""
    others = set[int]().union(*(group for group in groups if one in group)) - {one}
    pairs = map(set, combinations(others, 2))
    return sum(not any(pair <= group for group in groups) for pair in pairs), len(others)


def test_next_is_who_makes_the_fewest_pairs() -> None:
    for seed in range(cases(1000)):
        random = Random(seed)
        groups = [{*random.sample(range(12), random.choice([2, 2, 3]))} for _ in range(15)]
        for one, others in eliminate(groups):
            left = set[int]().union(*groups)
            assert cost(groups, one) == min(cost(groups, other) for other in left), seed
            groups = [group - {one} for group in [*groups, others]]


def numbers(random: Random, count: int) -> list[Fraction]:
    return [Fraction(random.randint(-99, 99), random.randint(1, 1000)) for _ in range(count)]


def test_a_chain_of_thousands() -> None:
    names = [Letters([f"N{number}"]) for number in range(5000)]
    values = numbers(Random(1), 5000)
    clauses = [(below, above) for above, below in pairwise(names)]
    form = dict(zip(names, values, strict=True))
    assert largest_value(clauses, form) == max(accumulate(values, initial=Fraction(0)))
    ends = [(NONE, names[-1]), (names[0], NONE)]
    assert largest_value([*clauses, ends[0]], form) == sum(values)
    assert largest_value([*clauses, ends[1]], form) == 0
    assert largest_value([*clauses, *ends], form) is None


def test_a_name_with_thousands_around_it() -> None:
    random, hub = Random(2), Letters(["hub"])
    names = [Letters([f"N{number}"]) for number in range(5000)]
    alone, both = numbers(random, 5000), numbers(random, 5000)
    form = dict(zip(names, alone, strict=True)) | {hub: Fraction(-1000)}
    form |= {hub | name: number for name, number in zip(names, both, strict=True)}
    without = sum(max(Fraction(0), one) for one in alone)
    with_it = sum(max(Fraction(0), one + two) for one, two in zip(alone, both, strict=True))
    assert largest_value([], form) == max(without, with_it - 1000)


def test_names_that_exclude_each_other_make_few_patterns() -> None:
    names = [Letters([f"N{number}"]) for number in range(40)]
    values = numbers(Random(3), 40)
    clauses = [(one | other, NONE) for one, other in combinations(names, 2)]
    form = dict(zip(names, values, strict=True))
    assert largest_value(clauses, form) == max(values)
    assert largest_value([*clauses, (NONE, NONE.union(*names))], form) == max(values)
    down = {key: -1 - number for key, number in form.items()}
    assert largest_value([*clauses, (NONE, NONE.union(*names))], down) == max(down.values())


def clique(count: int) -> Form:
    """Names that are all together with each other; two are as good as one, and more are worse."""
    names = [Letters([f"N{number}"]) for number in range(count)]
    form = {one | other: Fraction(-1) for one, other in combinations(names, 2)}
    return form | dict.fromkeys(names, Fraction(1)) | {NONE: Fraction(-1)}


def test_tables_stay_below_the_limit() -> None:
    wide = MOST_PATTERNS.bit_length()
    assert largest_value([], clique(wide - 1)) == 0
    with pytest.raises(TooWideError):
        largest_value([], clique(wide))
    with pytest.raises(TooWideError):
        largest_value([], clique(WIDEST + 2))


EVERY = Letters(f"N{number}" for number in range(WIDEST + 1))
WIDE = {EVERY: Fraction(1), Letters(["N0"]): Fraction(-1)}
"""Too many names for a bag; 0 at most."""


def test_a_solver_decides_what_is_too_wide() -> None:
    with pytest.raises(TooWideError):
        largest_value([], WIDE)
    assert is_attained([], [WIDE], 0)
    assert not is_attained([], [WIDE], 1)
    assert is_attained([], [WIDE | {NONE: Fraction(1, 2)}], 1)
    has, lacks = (NONE, Letters(["N0"])), (Letters(["N1"]), NONE)
    assert is_attained([has], [WIDE], 0)
    assert is_attained([lacks], [WIDE], 0)
    assert not is_attained([has, lacks], [WIDE], 0)


LONG = Fraction(1, 3**20_000)


@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_numbers_of_any_length_are_decided(count: int) -> None:
    form = clique(count)
    assert largest_value([], form | {NONE: LONG - 1}) == LONG
    assert is_attained([], [form | {NONE: LONG - 1}], 1)
    assert not is_attained([], [form | {NONE: -LONG - 1}], 0)


def test_numbers_that_are_too_long_for_the_solver_are_not() -> None:
    with pytest.raises(UndecidedError, match="the numbers are too long to be checked"):
        is_attained([], [WIDE | {NONE: LONG}], 1)
