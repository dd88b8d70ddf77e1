"""Questions in other processes, or on a cluster: the same answers; a death costs one of them."""

from __future__ import annotations

import os
from fractions import Fraction

import pytest

from boxsel import examples
from boxsel.answer.answer import Answer
from boxsel.answer.many import Options, Parcel, _answered, _side_by_side, ask_many

QUERIES = ("(Admitted | Woman)", "(DeptA | Man)", "(Admitted | Man)", "(DeptA | Woman)")
FATAL = QUERIES[2]
KB = examples.load("berkeley")


def dying(parcel: Parcel) -> list[Answer]:
    """What a process does whose memory runs out at one of the questions."""
    if KB.query(FATAL) in parcel.queries:
        os._exit(1)
    return _answered(parcel)


@pytest.mark.deep  # each death starts all processes anew
@pytest.mark.parametrize("more", [0, 10], ids=["parcels of one", "parcels of two"])
def test_a_process_that_dies_loses_only_its_question(more: int) -> None:
    queries = (*QUERIES, *(query for query in QUERIES * more if query != FATAL))
    expected = dict(zip(QUERIES, [answer.outer for answer in ask_many(KB, QUERIES)], strict=True))
    options = Options(10.0, "never", False)
    with pytest.warns(UserWarning, match="died"):
        answers = [*_side_by_side(KB, KB.queries(queries), 2, options, dying)]
    for query, answer in zip(queries, answers, strict=True):
        assert answer.query == KB.query(query)
        assert answer.outer is not None
        if query == FATAL:
            assert answer.status == "budget"
            assert (answer.outer.lower, answer.outer.upper) == (Fraction(0), Fraction(1))
        else:
            assert answer.outer == expected[query]


@pytest.mark.deep  # a cluster takes seconds to start
def test_a_cluster_gives_the_same_answers_with_estimates() -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    import joblib

    alone = [*ask_many(KB, QUERIES)]
    with (
        distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None),
        joblib.parallel_config(backend="dask"),
    ):
        together = [*ask_many(KB, QUERIES, jobs=2, estimate="always", budget=900.0)]
    assert [answer.outer for answer in together] == [answer.outer for answer in alone]
    assert all(answer.estimate is not None for answer in together)
