"""Why there is no estimate is data: names may hold whatever sentences hold."""

from __future__ import annotations

import numpy as np
import pytest

import boxsel
from boxsel.answer.answer import Estimated
from boxsel.answer.estimating import Reply, _directed, replied
from boxsel.models.estimate import Estimate
from boxsel.syntax.parser import parse_query

QUERIES = [
    "(B | A)",
    "('Type: 1' | A)",
    "('no estimate, since ' | 'a: b')",
    "(B | 'is estimated: (approximate)')",
]
NOBODY, EVERYBODY = np.array([False, False]), np.array([True, True])


@pytest.mark.parametrize("text", QUERIES)
def test_the_reason_is_the_same_whatever_the_names(text: str) -> None:
    query = parse_query(text)
    values, undefined = np.array([0.25, 0.5]), np.array([np.nan, np.nan])
    unsatisfied = Estimate(query, values, NOBODY, None)
    assert Estimated.of(unsatisfied) == "none of 2 members satisfies the knowledge base"
    empty_here = Estimate(query, undefined, EVERYBODY, 0.0)
    assert Estimated.of(empty_here) == "its body is empty in all 2 members kept"
    empty = Estimate(query, undefined, EVERYBODY, 0.0, empty=True)
    assert Estimated.of(empty) == f"{query.body} is empty in every model"
    assert isinstance(Estimated.of(Estimate(query, values, EVERYBODY, 0.0)), Estimated)


@pytest.mark.parametrize("text", QUERIES)
@pytest.mark.parametrize("kept", [NOBODY, EVERYBODY])
def test_text_and_notebook_say_the_same_after_the_query(text: str, kept: np.ndarray) -> None:
    query = parse_query(text)
    estimate = Estimate(query, np.array([0.25, 0.5]), kept, 0.0)
    lines = estimate.text.splitlines()
    assert lines[0].startswith(str(query))
    assert lines[0].endswith(estimate.said[0])
    assert [line.strip() for line in lines[1:]] == list(estimate.said[1:])
    assert f"</code> {'<br>'.join(estimate.said)}<br><svg" in estimate._repr_html_()


def test_fillers_without_a_name_have_a_proof_and_no_estimate() -> None:
    """Populations know no such existential; what is proved does not depend on them."""
    kb = boxsel.parse("(r some B | A)[0.5]\n(C | A)[0.25]\n")
    model = boxsel.fit(kb, members=1, dim=2, epochs=0, representation="populations")
    query = kb.query("(r some (B and C) | A)")
    none = replied(model, query)
    assert isinstance(none.estimate, str)
    assert "knows `some` only for names, not for B and C" in none.estimate
    assert _directed(model, query) == none == Reply(none.estimate)
    answer = boxsel.ask(model, query)
    assert answer.unestimated == none.estimate
    assert answer.outer is not None
    assert answer.outer.upper == 0.5
