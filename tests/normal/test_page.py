"""The page on the normal form shows what normalisation does."""

from __future__ import annotations

import re
from pathlib import Path

from boxsel.normal.normalize import normalize
from boxsel.syntax.parser import parse_kb

PAGE = Path(__file__).parents[2] / "docs" / "normal-form.md"


def test_the_example_is_normalised_as_shown() -> None:
    text = PAGE.read_text("utf-8")
    shown = re.search(r"Before:\n\n```\n(.*?)```\n\nAfter:\n\n```\n(.*?)```", text, re.DOTALL)
    assert shown is not None
    before, after = map(parse_kb, shown.groups())
    normal = normalize(before).kb
    assert normal == after
    assert normal.prefixes == after.prefixes
    assert list(normal.axioms) == list(after.axioms)
