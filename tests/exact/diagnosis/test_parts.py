"""Parts are conflicts, minimal ones, also where saturation says where to look for them."""

from __future__ import annotations

from random import Random

import pytest

from boxsel.exact.compile.modules import Modules
from boxsel.exact.diagnosis import parts
from boxsel.exact.diagnosis.parts import Parts
from boxsel.logic.concepts import Name, entities
from boxsel.logic.kb import KB
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.brute_force import empty_names, is_consistent
from tests.exact.knowledge_bases import random_kb


@pytest.mark.parametrize("seed", some(range(300), 60))
def test_saturation_before_programmes_changes_no_verdict(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "NEAR_STATEMENTS", 0)  # so that saturation is always asked
    monkeypatch.setattr(parts, "SOME", 0)
    kb, _ = random_kb(Random(seed), 5)
    kb = KB(tuple(statement for statement in kb.statements if not statement.axiom.individuals()))
    if not is_consistent(kb):
        return
    empty = empty_names(kb)
    for name in kb.signature.concepts:
        numbers = Parts(kb).conflict(name)
        assert (numbers is not None) == (name in empty)
        if numbers is not None:
            assert _empties(kb, numbers, name)
            for left_out in numbers:
                assert not _empties(kb, [n for n in numbers if n != left_out], name)
            others = Parts(kb).conflict(name, without={*numbers})
            rest = [n for n in range(len(kb.statements)) if n not in numbers]
            assert (others is not None) == _empties(kb, rest, name)


@pytest.mark.parametrize("seed", some(range(300), 60))
def test_parts_grow_up_to_the_module_within_some_statements(seed: int) -> None:
    random = Random(seed)
    kb, query = random_kb(random, 5)
    kb = KB(tuple(statement for statement in kb.statements if not statement.axiom.individuals()))
    some_of_it = [n for n in range(len(kb.statements)) if random.random() < 0.7]
    *_, grown = (), *Parts(kb).near(query.body, {*some_of_it})
    part = KB(tuple(kb.statements[n] for n in some_of_it))
    module = Modules(part).around(entities(query.body))
    assert list(grown) == [some_of_it[place] for place in module]


def test_a_slip_far_away_is_found_without_programmes_over_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kb = parse_kb(
        "".join(
            f"A{n} SubClassOf A{n + 1}\n(B{n} | A{n})[0.1, 0.2]\n(C{n} | A{n})[0.3, 0.4]\n"
            for n in range(40)
        )
        + "A40 SubClassOf r some S\n(T | S)[0.2]\n(T | S)[0.8]\n"
    )
    asked: list[int] = []
    emptying = Parts.emptying

    def note(self: Parts, numbers: parts.Numbers, concept: Name) -> tuple[int, ...] | None:
        asked.append(len(numbers))
        return emptying(self, numbers, concept)

    monkeypatch.setattr(Parts, "emptying", note)
    found = Parts(kb).conflict(Name("A0"))
    assert found is not None
    assert len(found) == 43  # the way up, the existential, and both shares
    assert max(asked) <= parts.NEAR_STATEMENTS


def _empties(kb: KB, numbers: list[int] | tuple[int, ...], name: Name) -> bool:
    part = KB(tuple(kb.statements[n] for n in numbers), declared=frozenset({name}))
    return name in empty_names(part) or not is_consistent(part)
