"""Modules found by counting conditions are those that the definition gives."""

from __future__ import annotations

from collections.abc import Set
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from boxsel.exact.compile.modules import Modules, is_local
from boxsel.logic.axioms import ConceptAssertion, Conditional, Inclusion, RoleAssertion
from boxsel.logic.concepts import Entity, Name
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count
from tests.exact.knowledge_bases import random_kb


def by_definition(kb: KB, signature: Set[Entity]) -> tuple[int, ...]:
    inside, chosen = set(signature), set[int]()
    while True:
        fresh = [
            number
            for number, axiom in enumerate(kb.axioms)
            if number not in chosen
            and not isinstance(axiom, ConceptAssertion | RoleAssertion)
            and not is_local(axiom, inside)
        ]
        if not fresh:
            return tuple(sorted(chosen))
        chosen.update(fresh)
        for number in fresh:
            inside.update(kb.statements[number].axiom.entities())


def test_names_outside_a_module() -> None:
    a, b = Name("A"), Name("B")
    modules = Modules(KB.of(Conditional(a, b, Count(0, 1)), Inclusion(a, Name("C"))))
    assert modules.around([b]) == ()
    assert modules.outside(modules.around([b]), [b]) == {b}
    assert modules.outside(modules.around([a, b]), [a, b]) == set()


@given(st.integers(0, 10**6))
def test_modules_are_as_defined(seed: int) -> None:
    random = Random(seed)
    kb, _ = random_kb(random)
    modules = Modules(kb)
    names = (*kb.signature.concepts, *kb.signature.roles)
    for _ in range(3):
        signature = set(random.sample(names, min(len(names), random.randrange(4))))
        assert modules.around(signature) == by_definition(kb, signature)
    assert hash(modules.around(())) == hash(modules.around(()))
