"""What the page says about errors: one line, and no words of the command line."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.serve.library import Library
from boxsel.serve.limits import MIB, Limits
from boxsel.serve.page.tasks import find_delimiter
from boxsel.serve.page.words import LIMITS, complaint, nudges_said, without_commands
from boxsel.serve.problems import ProblemError, unreadable
from boxsel.serve.tasks import TASKS, Desk
from boxsel.serve.worker import _out_of_memory, _out_of_time, _too_large

APPLICANT = examples.text("applicant")
COMMAND = re.compile(r"(?<![\w-])--[a-z]|boxsel [a-z]")


@pytest.mark.parametrize(
    ("task", "asked", "said"),
    [
        ("ask", {"query": "(Zebra | DeptA)"}, "The knowledge base does not mention Zebra."),
        ("ask", {"query": "(Admited | DeptA)"}, "Did you mean Admitted?"),
        ("ask", {"query": "(Admitted | DeptA"}, "Expected ')', found the end of the line."),
        ("simpson", {"outcome": None, "groups": None, "strata": None}, "have to be named."),
        (
            "convert",
            {"to": "csv", "kb": examples.text("clinic")},
            "Write .sel, .json or .owl instead.",
        ),
    ],
)
def test_errors_are_told_without_commands(task: str, asked: dict[str, object], said: str) -> None:
    with pytest.raises(BoxselError) as raised:
        TASKS[task](Desk(Library(1000), 9), {"kb": APPLICANT, **asked})
    found = complaint(unreadable(raised.value))
    assert said in found.said
    assert not COMMAND.search(found.said + found.details)
    assert "\n" not in found.said


def test_what_was_not_found_out_about_a_step_is_not_said() -> None:
    now = {"status": "bounded", "outer": {"lower": 0.2, "upper": 0.3}}
    open_end = {"status": "budget", "outer": {"lower": 0.0, "upper": 1.0}}
    assert nudges_said({"+0.01": open_end, "-0.01": now}, now) == ""
    assert nudges_said({"+0.01": now}, now) == "One step does not move the answer."


OF_REQUESTS = re.compile(r"request|\bjob\b|as a job|\bsend\b|query|API", re.IGNORECASE)


@pytest.mark.parametrize("kind", sorted(LIMITS))
def test_limits_are_told_without_words_of_requests(kind: str) -> None:
    said = complaint(ProblemError(kind, "ask it as a job, or send less", limit=30 * MIB)).said
    assert said.endswith(".")
    assert not OF_REQUESTS.search(said)
    assert not COMMAND.search(said)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (_out_of_time(5), "There was no answer within 5 seconds."),
        (_out_of_memory(Limits(memory_bytes=1500 * MIB)), "more than the 1,500 MiB"),
        (_too_large(99 * MIB, Limits()), "larger than 64 MiB"),
    ],
)
def test_limits_are_told_with_their_numbers(problem: ProblemError, said: str) -> None:
    assert said in complaint(problem).said


def test_a_mistake_in_a_question_has_its_place() -> None:
    query = "(Admitted | Nobody)"
    with pytest.raises(BoxselError) as raised:
        TASKS["bounds"](Desk(Library(1000), 9), {"kb": APPLICANT, "query": query})
    place = complaint(unreadable(raised.value)).place
    assert place is not None
    assert query[slice(*place)] == "Nobody"


@given(st.lists(st.sampled_from(["a word", "--option", "`boxsel show`", ", ", ": ", ". ", "; "])))
def test_no_command_is_left(parts: list[str]) -> None:
    assert not COMMAND.search(without_commands("".join(parts)))


@pytest.mark.parametrize("name", ["kidney_stones.csv", "whickham_smoking.csv", "admissions.csv"])
def test_tables_are_recognised(name: str) -> None:
    assert find_delimiter(examples.path(name).read_bytes()) == ","
    desk = Desk(Library(1000), 9, examples.path(name).read_bytes())
    assert TASKS["open_file"](desk, {})["format"] == "csv"


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ('Arm,Cured\n"new, or so",yes\n"old",no\n', ","),
        ('Arm;Cured\n"a ""new"";\none";yes\n\nold;no', ";"),
        ('"Arm, first"\tCured\nnew, or so\tyes', "\t"),
        ('"one, two"\n"three, four"\n', None),
        ("a,b\n1,2,3\n", None),
        ("a,b\n", None),
    ],
)
def test_separators_in_quotes_part_no_cells(text: str, delimiter: str | None) -> None:
    assert find_delimiter(text.encode()) == delimiter


@pytest.mark.parametrize("name", examples.names())
def test_statements_are_no_table(name: str) -> None:
    desk = Desk(Library(1000), 9, examples.text(name).encode())
    assert TASKS["open_file"](desk, {})["table"] is None
