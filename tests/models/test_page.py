"""The page on models shows what Python answers."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")


def test_the_example_answers_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = re.search(r"```python\n(>>> .*?)```", PAGE, re.DOTALL)
    assert shown is not None
    example = doctest.DocTestParser().get_doctest(shown.group(1), {}, "models.md", None, None)
    result = doctest.DocTestRunner().run(example)
    assert result.attempted > 5
    assert not result.failed
