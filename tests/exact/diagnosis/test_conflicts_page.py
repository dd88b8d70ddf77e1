"""The page on conflicts and repair shows what Python prints."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "conflicts.md"


def test_the_examples_print_what_is_shown() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 8
    session = doctest.DocTestParser().get_doctest("".join(blocks), {}, PAGE.name, None, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=report.append)
    assert not report, "".join(report)
