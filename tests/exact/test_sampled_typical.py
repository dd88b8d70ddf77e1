"""The most even population by sampling: what it must be, beside the exact one where that is known.

Seeds are fixed, and how often chains move is counted, not timed. A sampled share may be off by
twice what it says of itself: laws that fail are off by far more.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from boxsel.errors import BoxselError
from boxsel.exact.compile.problem import Problem
from boxsel.exact.compile.vocabulary import bits
from boxsel.exact.types.gibbs import some_noise
from boxsel.exact.typical import Typical, find_typical
from boxsel.exact.ways.held.even_crowd import ASKED_WORDS, LEAST, MOST, EvenCrowd, Near, estimate
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.exact.knowledge_bases import random_kb

OFF = 2.0
"""How many of its errors a share may be off: about one of 10,000 is, if chains forget."""


def check(kb: KB, queries: Sequence[str | Query]) -> None:
    """A sampled population has the shares of the exact one."""
    exact, near = find_typical(kb), find_typical(kb, sampled=True)
    assert exact.exact
    assert not near.exact
    for query in queries:
        expected, found = exact.share(query), near.near(query)
        assert expected is not None
        assert found is not None
        assert found.error < 0.1
        assert abs(found.value - expected) <= OFF * max(found.error, 5 * LEAST), (query, found)


def test_silence_is_even_and_free_names_have_one_half() -> None:
    kb = parse_kb("A SubClassOf A\nB SubClassOf B")
    free = Name("Z")
    check(kb, ["(A and B | owl:Thing)", "(A | B)", "(A or B | not A or B)"])
    check(kb, [Query(free, Name("A")), Query(Name("A") | free, Name("B") & free)])


def test_shares_of_everybody_are_independent() -> None:
    kb = parse_kb("(A | owl:Thing)[0.1]\n(B | owl:Thing)[0.3]\n(C | owl:Thing)[0.9]")
    check(kb, ["(A and B and C | owl:Thing)", "(A | B and C)", "(not B | A)", "(B or C | A)"])


def test_a_table_without_a_term_of_all_three() -> None:
    kb = parse_kb(
        "(A | owl:Thing)[0.4]\n(B | owl:Thing)[0.5]\n(C | owl:Thing)[0.3]\n"
        "(A and B | owl:Thing)[0.3]\n(B and C | owl:Thing)[0.2]\n(A and C | owl:Thing)[0.05]"
    )
    check(kb, ["(A and B and C | owl:Thing)", "(A | B and C)", "(C | A)"])


def test_intervals_hold_the_even_share_or_the_nearest_end() -> None:
    kb = parse_kb("(A | owl:Thing)[0.2, 0.3]\n(B | A)[0.6, 1]\n(C | A and B)[0.4, 0.9]")
    check(kb, ["(A | owl:Thing)", "(B | A)", "(C | A and B)", "(A | C)"])


def test_what_is_rare_is_as_near_as_what_is_frequent() -> None:
    """Hardly any of a thousand chains would ever be in such a body."""
    kb = parse_kb(
        "(A | owl:Thing)[0.001]\n(B | A)[0.001]\n(C | B)[0.25]\n(D | C)[0.1, 0.2]\n(D | A)[0.5]"
    )
    check(kb, ["(C | A and B)", "(D | B and C)", "(D | A)", "(C | B and D)"])


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_a_class_with_many_below_it_is_left_and_come_to(share: float) -> None:
    """One name at a time, it is left once in 2¹² times at the best."""
    below = "\n".join(f"N{number} SubClassOf A" for number in range(12))
    kb = parse_kb(f"{below}\n(A | owl:Thing)[{share}]\n(N1 | N0)[0.9]\n(N2 | N1)[0.1]")
    check(kb, ["(A | owl:Thing)", "(N3 | owl:Thing)", "(N2 | N0)", "(N0 | owl:Thing)"])


def test_names_that_are_equal_or_defined_move_together() -> None:
    kb = parse_kb(
        "A EquivalentTo B\nM EquivalentTo A and C\nD SubClassOf M\n"
        "(A | owl:Thing)[0.2]\n(C | A)[0.3]"
    )
    check(kb, ["(M | A)", "(B | owl:Thing)", "(M | owl:Thing)", "(D | C)", "(C | owl:Thing)"])


@pytest.mark.parametrize("seed", range(cases(60)))
def test_shares_are_those_of_the_exact_population(seed: int) -> None:
    kb, query = random_kb(Random(seed))
    try:
        exact = find_typical(kb)
        expected = exact.share(query)
    except BoxselError:
        return
    if expected is None or _lightest(exact, kb) < 1e-6:
        return  # multipliers have no end where numbers leave a body empty
    found = find_typical(kb, sampled=True).near(query)
    assert found is not None
    assert abs(found.value - expected) <= OFF * max(found.error, 5 * LEAST), found


def _lightest(typical: Typical, kb: KB) -> float:
    """What the lightest body of a row weighs."""
    rows = Problem(enumerate(kb.axioms)).rows
    return min((typical._population.weigh(bits(row.body)) for row in rows), default=1.0)


def test_people_are_drawn_from_it() -> None:
    kb = parse_kb("(A | owl:Thing)[0.3]\nB SubClassOf A\n(B | A)[0.5]")
    typical = find_typical(kb, sampled=True)
    people = typical.sample(4_000, seed=1)
    assert people == find_typical(kb, sampled=True).sample(4_000, seed=1)
    one, two = kb.name("A"), kb.name("B")
    assert all(one in person for person in people if two in person)
    assert sum(one in person for person in people) / len(people) == pytest.approx(0.3, abs=0.05)
    assert sum(two in person for person in people) / len(people) == pytest.approx(0.15, abs=0.05)
    assert typical.violation < 0.05


def test_what_no_type_has_is_nobodys() -> None:
    kb = parse_kb("DisjointClasses: A, B\n(A | owl:Thing)[0.3]\n(C | A)[0.5]")
    assert find_typical(kb, sampled=True).share("(C | A and B)") is None


def test_wide_knowledge_bases_are_sampled() -> None:
    """Forty names, each of which hangs together with each: neither a list nor a tree has room."""
    random = Random(0)
    names = [f"N{number}" for number in range(40)]
    lines = [f"({b} | {a})[0.3, 0.{random.randint(31, 99)}]" for a in names for b in names if a < b]
    kb = parse_kb("\n".join(lines))
    typical = find_typical(kb)
    assert not typical.exact
    near = typical.near("(N1 | N0)")
    assert near is not None
    assert 0.3 - near.error <= near.value <= 0.99 + near.error
    with pytest.raises(BoxselError, match="time"):
        typical.near("(N1 | N2)", budget=Budget(0))


def test_chains_are_never_so_many_that_they_stand_still() -> None:
    """Noise that is the same in each sweep would have all names do what they did before."""
    random = np.random.default_rng(0)
    first, second = (some_noise((32, 10_000), random) for _ in range(2))
    assert not np.array_equal(first, second)


def test_the_same_seed_gives_the_same_share() -> None:
    rows = Problem(enumerate(parse_kb("(B | A)[0.2]\n(C | B)[0.3, 0.4]").axioms)).rows
    found = [
        EvenCrowd(3, [], rows, seed).share(0b1, {1: 1.0}, {0b101: 1.0}, Budget())
        for seed in (0, 0, 1)
    ]
    assert found[0] == found[1] != found[2]
    assert np.isfinite([near.value for near in found if near is not None]).all()


def rounds(parts: Sequence[float], turn: float) -> Near:
    """What rounds come to in which so many of 64 have the head, in each word alike."""
    near = estimate(
        [np.array([[64.0] * ASKED_WORDS, [part] * ASKED_WORDS]) for part in parts], turn
    )
    assert near is not None
    return near


@pytest.mark.parametrize("turn", [1.0, 20.0, 500.0])
def test_of_a_head_that_no_chain_has_the_error_says_how_many_there_were(turn: float) -> None:
    length = 60
    near = rounds([0.0] * length, turn)
    drawn = 64 * ASKED_WORDS * max(1.0, 0.6 * length / turn)
    assert near.value == 0
    assert near.error >= max(LEAST, 2 / drawn)


def test_where_classes_come_and_go_seldom_the_error_is_larger() -> None:
    drifting = [20.0 + number % 7 for number in range(60)]
    quick, slow = rounds(drifting, 1.0), rounds(drifting, 200.0)
    assert quick.value == slow.value
    assert 2 * quick.error < slow.error <= max(slow.value, 1 - slow.value)


def test_before_classes_came_and_went_nothing_is_known_well_enough() -> None:
    chain = parse_kb("\n".join(f"T{n + 1} SubClassOf T{n}" for n in range(60)))
    near = find_typical(chain, sampled=True)
    assert near.near("(T1 | T0)") is not None
    crowd = near._crowd  # type: ignore[attr-defined]
    assert crowd._age >= min(MOST, 3 * crowd._crowd.turn) > 200
