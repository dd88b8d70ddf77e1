"""The normal form means the same: compared with set semantics on small interpretations."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxsel.logic.axioms import Axiom
from boxsel.logic.kb import KB
from boxsel.normal.normalize import NormalForm, normalize
from tests.depth import cases
from tests.interpretations import Interpretation, interpretations
from tests.strategies import axioms, kbs, plain_names

FEW_NAMES = 4


def read_as_origins(interpretation: Interpretation, normal: NormalForm) -> Interpretation:
    return interpretation.extended(
        {name: interpretation.extension(origin) for name, origin in normal.origin.items()}
    )


@given(st.data(), axioms(plain_names))
@settings(max_examples=cases(1000))
def test_an_axiom_is_true_iff_its_normal_form_is(data: st.DataObject, axiom: Axiom) -> None:
    kb = KB.of(axiom)
    normal = normalize(kb)
    interpretation = data.draw(interpretations(kb.signature, max_size=4))
    extended = read_as_origins(interpretation, normal)
    assert interpretation.satisfies(axiom) == extended.is_model(normal.kb)


@given(st.data(), axioms(plain_names))
@settings(max_examples=cases(300))
def test_whatever_fresh_names_mean_a_false_axiom_stays_false(
    data: st.DataObject, axiom: Axiom
) -> None:
    kb = KB.of(axiom)
    normal = normalize(kb)
    fresh = tuple(normal.origin)
    assume(len(fresh) <= FEW_NAMES)
    interpretation = data.draw(interpretations(kb.signature, max_size=2))
    extensible = any(
        extension.is_model(normal.kb) for extension in interpretation.extensions_by(fresh)
    )
    assert extensible == interpretation.satisfies(axiom)


@given(st.data(), kbs(plain_names, with_notes=False, with_dropped=False))
@settings(max_examples=cases(300))
def test_a_model_of_the_knowledge_base_is_one_of_its_normal_form(
    data: st.DataObject, kb: KB
) -> None:
    interpretation = data.draw(interpretations(kb.signature))
    true = kb.with_statements(
        statement for statement in kb if interpretation.satisfies(statement.axiom)
    )
    normal = normalize(true)
    assert read_as_origins(interpretation, normal).is_model(normal.kb)
