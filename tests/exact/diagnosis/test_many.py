"""Many knowledge bases: what is said of each is what is said of it alone."""

from __future__ import annotations

import os
from random import Random

import pytest

import boxsel
from boxsel.errors import WrongKindError
from boxsel.exact.diagnosis import many
from boxsel.exact.diagnosis.check import Check, check
from boxsel.exact.diagnosis.many import check_many, repair_many
from boxsel.exact.diagnosis.repair import repair
from boxsel.logic.kb import KB
from boxsel.syntax.parser import parse_kb
from tests.exact.knowledge_bases import random_kb

CONFLICT = parse_kb("(B | A)[0.2]\n(B | A)[0.8]\nC SubClassOf A")


def some_kbs() -> list[KB]:
    return [*(random_kb(Random(seed), 3)[0] for seed in range(4)), CONFLICT]


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_is_checked_and_repaired_as_alone(jobs: int) -> None:
    kbs = some_kbs()
    assert [*check_many(kbs, jobs=jobs)] == [check(kb) for kb in kbs]
    assert [*repair_many(kbs, jobs=jobs)] == [repair(kb) for kb in kbs]


def test_the_time_is_that_of_each() -> None:
    for found in check_many([CONFLICT, CONFLICT], budget=0.0):
        assert not found.finished
        assert found.coherent is None
    assert not any(found.finished for found in repair_many([CONFLICT], budget=0.0))


def test_something_else_is_refused() -> None:
    with pytest.raises(WrongKindError):
        boxsel.check_many("clinic.sel")  # type: ignore[arg-type]
    with pytest.raises(WrongKindError, match="not one of them"):
        boxsel.check_many(CONFLICT)  # type: ignore[arg-type]
    with pytest.raises(WrongKindError):
        boxsel.repair_many(["(B | A)[0.2]"])  # type: ignore[list-item]


@pytest.mark.deep  # a cluster takes seconds to start
def test_a_cluster_says_the_same() -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    import joblib

    kbs = some_kbs()
    with (
        distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None),
        joblib.parallel_config(backend="dask"),
    ):
        assert [*check_many(kbs, jobs=2)] == [check(kb) for kb in kbs]
        assert [*repair_many(kbs, jobs=2)] == [repair(kb) for kb in kbs]


def dying(kb: KB, budget: float | None, limit: int) -> Check:
    """What a process does whose memory runs out at one of the knowledge bases."""
    if len(kb) == len(CONFLICT):
        os._exit(1)
    return check(kb)


@pytest.mark.deep  # each death starts all processes anew
def test_a_process_that_dies_loses_only_its_knowledge_base(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "_check", dying)
    kbs = [parse_kb("(B | A)[0.2]"), CONFLICT, parse_kb("(B | A)[0.3]")]
    with pytest.warns(UserWarning, match="knowledge base 2 of 3 died"):
        first, lost, last = check_many(kbs, jobs=2)
    assert (first, last) == (check(kbs[0]), check(kbs[2]))
    assert (lost.finished, lost.coherent) == (False, None)
    assert lost.undecided == CONFLICT.signature.concepts
