"""Hints: statements that may be missing, with the exact answer that they would lead to."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import boxsel
from boxsel.advice.hints import Hint, find_hint
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.kb import KB
from boxsel.logic.names import NO_PREFIXES
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.cli.inside import Inside
from tests.depth import cases
from tests.exact.brute_force import answer, empty_names

DIABETES = "(Diabetes | Adult)[0.095]\n(Obese | Diabetes)[0.27, 0.3]"
AGES = "(Young | Adult)[0.4]\n(Old | Adult)[0.6]\n(Tall | Adult)[0.3]\n"
AGES += "(Sick | Adult and Young)[0.1]\n(Sick | Adult and Old)[0.3]"


def hinted(text: str, query: str) -> Hint | None:
    return boxsel.ask(parse_kb(text), query, budget=None, estimate="never").hint


def test_groups_that_may_be_nested() -> None:
    hint = hinted(DIABETES, "(Obese and Diabetes | Adult)")
    assert hint is not None
    assert str(*hint.axioms) == "Diabetes SubClassOf Adult"
    assert (hint.lower, hint.upper) == (Fraction("0.02565"), Fraction("0.0285"))


def test_groups_that_may_be_apart() -> None:
    hint = hinted(AGES, "(Sick | Adult)")
    assert hint is not None
    assert str(*hint.axioms) == "DisjointClasses: Young, Old"
    assert hint.lower == hint.upper == Fraction("0.22")


def test_parts_of_a_group_that_may_be_all_of_it() -> None:
    text = "(Young | Adult)[0.3]\n(Middle | Adult)[0.45]\n(Old | Adult)[0.25]\n"
    text += "(Sick | Young)[0.02]\n(Sick | Middle)[0.08]\n(Sick | Old)[0.2]"
    hint = hinted(text, "(Sick | Adult)")
    assert hint is not None
    assert hint.lower == hint.upper == Fraction("0.092")
    said = "nothing says that Young, Middle and Old are parts of Adult and do not overlap"
    assert hint.in_words(Words(percent=True), NO_PREFIXES).startswith(f"{said}: with it the")
    stated = parse_kb(f"{text}\n{hint.to_json(NO_PREFIXES)['statement']}")
    assert stated.bounds("(Sick | Adult)").lower == Fraction("0.092")


SMOKING = """Smoker SubClassOf Person
NonSmoker SubClassOf Person
DisjointClasses: Smoker, NonSmoker
(Smoker | Person)[0.2]
(NonSmoker | Person)[0.8]
(Cancer | Smoker)[0.15]
(Cancer | NonSmoker)[0.01]"""


def test_a_group_with_shares_in_several_may_be_part_of_what_all_are_in() -> None:
    """But not of one of these groups: the others' shares would leave them without members."""
    hint = hinted(SMOKING, "(Smoker | Cancer)")
    assert hint is not None
    assert str(*hint.axioms) == "Cancer SubClassOf Person"
    assert hint.lower == hint.upper == Fraction(15, 19)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        (DIABETES + "\nDiabetes SubClassOf Adult", "(Obese and Diabetes | Adult)"),  # stated
        (DIABETES + "\nDiabetes SubClassOf X\nX SubClassOf Adult", "(Obese and Diabetes | Adult)"),
        (DIABETES, "(Diabetes | Adult)"),  # one number
        (DIABETES, "(Obese | Adult)"),  # it would not narrow much
        (AGES + "\nDisjointClasses: Young, Old", "(Sick | Adult)"),
    ],
)
def test_where_there_is_nothing_to_say(text: str, query: str) -> None:
    assert hinted(text, query) is None


def random_shares(random: Random) -> tuple[KB, Query]:
    """Shares of single names in single names, of which some add up to 1."""
    names = boxsel.names("A B C D")
    lines = []
    for _ in range(random.randint(3, 5)):
        head, body = random.sample(names, 2)
        low = random.randint(1, 9)
        lines.append(f"({head} | {body})[{low / 10}, {min(10, low + random.randint(0, 2)) / 10}]")
    first, second, body = random.sample(names, 3)
    lines += [f"({first} | {body})[0.4]", f"({second} | {body})[0.6]"]
    head, other, given = random.sample(names, 3)
    return parse_kb("\n".join(lines)), Query(random.choice((head, head & other)), given)


@pytest.mark.parametrize("seed", range(cases(120)))
def test_a_hint_says_what_brute_force_says_with_it(seed: int) -> None:
    kb, query = random_shares(Random(seed))
    now = answer(kb, query)
    if now.lower is None or now.upper is None:
        return
    hint = find_hint(Reasoner(kb), query, now.lower, now.upper, Budget())
    if hint is not None:
        more = KB((*kb.statements, *map(Statement, hint.axioms)))
        then = answer(more, query)
        assert (then.lower, then.upper) == (hint.lower, hint.upper)
        assert hint.upper - hint.lower < now.upper - now.lower
        assert empty_names(more) == empty_names(kb), "groups without members"


def test_hints_are_told_and_can_be_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    inside, file = Inside(capsys), tmp_path / "kb.sel"
    file.write_text(DIABETES)
    asked = ("ask", file, "(Obese and Diabetes | Adult)", "--budget", "60s")
    said = "nothing says that Diabetes is part of Adult: with it the answer would be"
    assert f"hint: {said} [0.02565, 0.0285]" in inside(*asked).out
    assert said not in inside(*asked, "--no-hints").out
    found = inside.answer(*asked)["hint"]
    assert found == {"statement": "Diabetes SubClassOf Adult", "lower": 0.02565, "upper": 0.0285}
