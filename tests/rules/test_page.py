"""The page on rules shows what propagation prints, and lists every rule."""

from __future__ import annotations

import re
from pathlib import Path

from boxsel.rules.all_rules import RULES

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")


def test_the_example_prints_what_is_shown() -> None:
    shown = re.search(r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", PAGE, re.DOTALL)
    assert shown is not None
    code, output = shown.groups()
    printed: list[str] = []
    exec(code, {"print": printed.append})
    assert "\n".join(printed) == output.strip()


def test_every_rule_is_listed_as_it_states_itself() -> None:
    rows = [re.split(r" (?<!\\)\| ", row) for row in PAGE.splitlines() if row.startswith("| ")]
    listed = {row[0].removeprefix("| "): row for row in rows}
    for rule in RULES:
        row = listed[rule.name]
        conclusion = rule.statement.split(" ⊢ ")[1]
        assert row[2].replace("\\|", "|") == conclusion
        assert row[3].startswith("yes") == rule.tight
