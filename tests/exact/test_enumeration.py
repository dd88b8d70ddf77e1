"""Listing types quickly gives the types that obey the clauses, and nothing else."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from boxsel.exact.compile.problem import Clause
from boxsel.exact.compile.vocabulary import Type, bits
from boxsel.exact.types.enumeration import enumerate_types, without_subsumed

WIDTH = 7
masks = st.integers(0, 2**WIDTH - 1)
clauses = st.lists(st.builds(Clause, masks, masks), max_size=12)


def obedient(known: list[Clause], over: int) -> list[Type]:
    """The types over some bits that obey the clauses about these alone, by trying them all."""
    about = [clause for clause in known if not clause.about & ~over]
    kinds = (kind for kind in range(over + 1) if not kind & ~over)
    return [kind for kind in kinds if all(clause.holds(kind) for clause in about)]


@given(clauses, masks)
def test_all_types_are_found(known: list[Clause], over: int) -> None:
    found = enumerate_types(known, over, 2**WIDTH)
    assert found is not None
    assert sorted(found) == obedient(known, over)


def test_contradictory_clauses_leave_nothing() -> None:
    assert enumerate_types([Clause(0, 1), Clause(1, 0), Clause(2, 4)], 0b111, 9) == []


@given(clauses, st.integers(0, 6))
def test_nothing_is_listed_beyond_the_limit(known: list[Clause], limit: int) -> None:
    found = enumerate_types(known, 2**WIDTH - 1, limit)
    # Fewer types than the limit may need more than that on the way.
    assert found is None or sorted(found) == obedient(known, 2**WIDTH - 1)
    if len(obedient(known, 2**WIDTH - 1)) > limit:
        assert found is None


@given(clauses)
def test_subsumed_clauses_say_nothing_new(known: list[Clause]) -> None:
    kept = [known[position] for position in without_subsumed(known)]
    assert obedient(kept, 2**WIDTH - 1) == obedient(known, 2**WIDTH - 1)
    assert len(set(kept)) == len(kept)
    for clause in kept:
        assert not any(
            clause != other
            and other.body | clause.body == clause.body
            and other.heads in (0, clause.heads)
            for other in kept
        )


def test_types_wider_than_a_machine_word() -> None:
    random = Random(0)
    positions = sorted(random.sample(range(200), 8))
    spread = dict(enumerate(positions))
    short = [Clause(random.getrandbits(8), random.getrandbits(8)) for _ in range(6)]

    def wide(mask: int) -> int:
        return sum(1 << spread[place] for place in bits(mask))

    long = [Clause(wide(clause.body), wide(clause.heads)) for clause in short]
    found = enumerate_types(long, wide(255), 1000)
    assert found is not None
    assert sorted(found) == sorted(wide(kind) for kind in obedient(short, 255))
