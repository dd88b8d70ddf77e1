"""Where the examples start: each with a question, and a comparison where it has one."""

from __future__ import annotations

from typing import Final

from boxsel import examples
from boxsel.serve.page.state import Comparison, State

FIRST: Final = "applicant"
"""What is open at first."""

_QUESTIONS: Final = {
    "applicant": "(Admitted | Applicant)",
    "berkeley": "(Admitted | Woman)",
    "clinic": "(TakesInsulin | DiabeticPatient)",
}
_COMPARISONS: Final = {
    "berkeley": Comparison("Admitted", ("Woman", "Man"), ("DeptA", "DeptB")),
}
TABLES: Final = ("kidney_stones.csv", "whickham_smoking.csv", "admissions.csv")
"""The tables of the Simpson view."""


def start(name: str) -> State:
    """The state in which an example opens.

    Examples:
        >>> start("berkeley").query
        '(Admitted | Woman)'
    """
    return State(
        text=examples.text(name),
        name=f"{name}.sel",
        query=_QUESTIONS.get(name, ""),
        comparison=_COMPARISONS.get(name, Comparison()),
    )
