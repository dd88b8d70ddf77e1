"""What `ask` says about queries: sound by construction, and beside it what is certain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.answer.ask import Asker, Estimation
from boxsel.evaluation.asking import answered
from boxsel.evaluation.cells import Cells, Work, run_missing
from boxsel.evaluation.methods import answers
from boxsel.evaluation.ontologies.folder import prepared
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.truths.exact import asked_places
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.kb import KB
from tests.depth import cases
from tests.evaluation.tiny import small
from tests.evaluation.truth_populations import populations, possible_splits


@settings(max_examples=cases(20))
@given(
    populations, st.sampled_from(["strict", "paper", "published-20"]), st.sampled_from([30, 1e-9])
)
def test_answers_are_within_the_exact_interval_and_around_it(
    ontology: Ontology, variant: str, seconds: float
) -> None:
    """Whatever the time: with enough of it both are exact, with none they are still true."""
    for split in possible_splits(ontology, variant, 0):
        places = asked_places(split, 2)
        prediction = answered(split, places, seconds)
        assert np.flatnonzero(prediction.asked).tolist() == sorted(places.tolist())
        assert np.isnan(prediction.interval(0)[~prediction.asked]).all()
        reasoner = Reasoner(split.kb())
        for place, query in zip(
            places.tolist(), ontology.queries(split.queries.take(places)), strict=True
        ):
            exact = reasoner.bounds(query)
            assert exact.lower is not None
            assert exact.upper is not None
            ends = np.array([exact.lower.bound, exact.upper.bound], float)
            inner, outer = prediction.interval(0)[place], prediction.interval("outer")[place]
            assert outer[0] - 1e-9 <= ends[0] <= ends[1] <= outer[1] + 1e-9
            if not np.array_equal(inner, outer):
                assert ends[0] - 1e-9 <= inner[0] <= inner[1] <= ends[1] + 1e-9
            if seconds > 1:
                np.testing.assert_allclose(inner, ends, atol=1e-9)
                np.testing.assert_allclose(outer, ends, atol=1e-9)


def test_it_is_asked_as_users_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what is drawn beside the proof, which `estimate="never"` switches off."""
    estimates: list[str] = []

    class Recorded(Asker):
        def __init__(self, source: KB, *, estimate: Estimation = "auto") -> None:
            estimates.append(estimate)
            super().__init__(source, estimate=estimate)

    monkeypatch.setattr("boxsel.answer.ask.Asker", Recorded)
    (split, *_) = possible_splits(small(), "published-20", 0)
    answered(split, asked_places(split, 1), 30)
    assert estimates == ["auto"]


def test_a_cell_of_answers_is_kept_like_any_other(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("answers")
    prepared(folder, ["small"], None)
    work = Work("small", small().digest(), "published-10", 0, answers(1.0), sample=1)
    assert run_missing([work], folder, "cpu") == 1
    assert run_missing([work], folder, "cpu") == 0
    loaded = Cells(folder).load(work)
    assert loaded is not None
    ((prediction,), device) = loaded
    assert device == "cpu"
    assert 1 <= prediction.asked.sum() <= 3
    assert (prediction.interval("outer")[prediction.asked][:, 0] >= 0).all()
