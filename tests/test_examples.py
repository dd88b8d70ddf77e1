"""The bundled examples teach: they read without complaint and cover the language."""

from __future__ import annotations

import pytest

from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.logic.axioms import AXIOM_KINDS
from boxsel.normal.saturation import saturate


@pytest.mark.parametrize("name", examples.names())
def test_every_example_is_commented_and_possible(name: str) -> None:
    assert examples.text(name).startswith("# ")
    saturation = saturate(examples.load(name))
    assert saturation.consistent
    assert not saturation.empty_names


def test_together_they_show_every_kind_of_statement_and_of_proportion() -> None:
    kbs = [examples.load(name) for name in examples.names()]
    assert {type(axiom) for kb in kbs for axiom in kb.axioms} == set(AXIOM_KINDS)
    text = "".join(map(examples.text, examples.names()))
    for piece in ("Prefix:", "'Type 1 diabetes'", " of ", "%]", "1/10", "## source:", "some"):
        assert piece in text


def test_an_unknown_example_is_said_to_be_so() -> None:
    with pytest.raises(BoxselError, match="choose one of applicant, berkeley, clinic"):
        examples.text("../__init__")
