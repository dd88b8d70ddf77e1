"""The published schemas are valid, self-contained, and agree where they speak of the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from boxsel.difference import difference
from boxsel.errors import BoxselError
from boxsel.exact.shape import find_shape
from boxsel.logic.kb import KB
from boxsel.sampling import Coverage, Reading
from boxsel.schemas import names, schema
from boxsel.summary import summarize
from tests.depth import cases
from tests.strategies import kbs


@pytest.mark.parametrize("name", names())
def test_each_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"] == f"urn:boxsel:schema:{name}"


def test_the_schemas_are_those_of_the_commands_and_of_the_file_format() -> None:
    assert {"kb", "show", "diff", "normalize", "convert"} <= set(names())


def test_shared_definitions_are_the_same_everywhere() -> None:
    for shared in ("dropped", "coverage", "rejected"):
        found = []
        for name in set(names()) - {"kb"}:  # the file format leaves out defaults, reports do not
            definitions = schema(name).get("$defs", {})
            assert isinstance(definitions, dict)
            if shared in definitions:
                found.append(definitions[shared])
        assert len(found) >= 2
        assert all(one == found[0] for one in found)


def test_an_unknown_schema_is_refused() -> None:
    with pytest.raises(BoxselError, match="choose one of"):
        schema("../kb")


@given(kbs())
@settings(max_examples=cases(40))
def test_summaries_fit_their_schema(kb: KB) -> None:
    coverage = Coverage(3, Reading(0.9)).to_json()
    validator = Draft202012Validator(schema("show"))
    summary = {**summarize(kb).to_json(), **find_shape(kb).to_json()}
    validator.validate({**summary, "coverage": None})
    validator.validate({**summary, "coverage": coverage})


@given(kbs(), kbs())
@settings(max_examples=cases(40))
def test_differences_fit_their_schema(old: KB, new: KB) -> None:
    Draft202012Validator(schema("diff")).validate(difference(old, new).to_json())
