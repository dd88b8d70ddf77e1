"""Where no population was found in time, what came nearest is told: as data, and as no witness."""

from __future__ import annotations

from fractions import Fraction

import jsonschema

from boxsel.answer.ask import Asker
from boxsel.answer.estimating import NOT_TRAINED, Reply
from boxsel.exact.bounds import Bounds
from boxsel.exact.nearly import Nearly, Violated
from boxsel.logic.proportions import Inner, Interval
from boxsel.schemas import schema
from boxsel.syntax.parser import parse_kb

KB = parse_kb("(B | A)[0.5]\n(C | A)[0.2, 0.3]\n(D | B)[0.1]\n(D | C)[0.2]\n(E | D)[0.3]")
QUERY = KB.query("(E | A)")
VIOLATED = tuple(
    Violated(statement, 0.25, 0.25 / place) for place, statement in enumerate(KB.statements, 1)
)
NEARLY = Nearly(0.4, VIOLATED)
LATE = Bounds(QUERY, "budget", Fraction(0), Fraction(1))


def test_it_is_told_where_there_is_no_witness() -> None:
    with Asker(KB, estimate="never") as asker:
        answer = asker._answer(QUERY, LATE, Reply(NOT_TRAINED, nearly=NEARLY))
    assert answer.nearly == NEARLY
    assert answer.inner is None
    assert not answer.exact
    content = answer.to_json()
    jsonschema.validate(content, schema("ask"))
    assert content["nearly"]["value"] == 0.4
    assert content["nearly"]["violation"] == 0.25
    assert len(content["nearly"]["violated"]) == 5
    assert "nearly possible: 0.4 (no witness: the population misses 5 statements" in answer.text
    assert "(B | A)[0.5]: there 0.25" in answer.text
    assert "and 2 more" in answer.text


def test_a_witness_takes_its_place() -> None:
    shown = Inner(Fraction(1, 5), Fraction(2, 5), 2)
    met = Bounds(
        QUERY, "budget", Fraction(0), Fraction(1), inner=Interval(shown.lower, shown.upper)
    )
    with Asker(KB, estimate="never") as asker:
        by_drawing = asker._answer(QUERY, LATE, Reply(NOT_TRAINED, shown, nearly=NEARLY))
        by_proof = asker._answer(QUERY, met, Reply(NOT_TRAINED, nearly=NEARLY))
    assert by_drawing.nearly is by_proof.nearly is None
    assert by_drawing.inner is not None
    assert "nearly" not in by_proof.to_json()
