"""Means over seeds are means over seeds, whatever the order of the records."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.evaluation.published import kin_of
from boxsel.evaluation.records import Cell, Effort, Quality, Results
from boxsel.evaluation.report.aggregate import Line, Summary, spread
from boxsel.evaluation.report.names import ontology_order, variant_order
from tests.evaluation.report_data import REASON, made_up

shares = st.floats(0, 1)
CELL = Cell("main", "yago3-person", "paper", 0, "boxsel")


def quality(seed: int = 0, items: int = 10, value: float = 0.5, shape: str = "total") -> Quality:
    cell = replace(CELL, seed=seed)
    return Quality(cell, shape, "exact", items, 0, items, value, value, value, value, value)


def effort(seed: int = 0, mae: float | None = 0.1, reason: str = "") -> Effort:
    return Effort(
        replace(CELL, seed=seed), mae, 1.0, 60, 50, 20, 7, 900, 2.0, 0.1, 0.01, "CPU", reason
    )


@given(st.lists(shares, min_size=1, max_size=12))
def test_mean_and_deviation_are_those_of_numpy(values: list[float]) -> None:
    found = spread(values)
    assert found is not None
    assert found.seeds == len(values)
    assert found.mean == pytest.approx(np.mean(values))
    if len(values) == 1:
        assert found.deviation is None
    else:
        assert found.deviation == pytest.approx(np.std(values, ddof=1), abs=1e-12)


@given(st.lists(st.one_of(shares, st.none(), st.just(math.nan)), max_size=8))
def test_what_is_no_number_is_left_out(values: list[float | None]) -> None:
    known = [value for value in values if value is not None and not math.isnan(value)]
    assert spread(values) == spread(known)


def test_a_failed_run_counts_in_quality_but_has_no_cost() -> None:
    results = Results(
        (quality(0, value=0.2), quality(1, value=1.0)), (effort(0), effort(1, None, "no memory"))
    )
    summary, line = Summary(results), Line.of(CELL)
    gap, seconds = summary.quality(line, "exact", "gap"), summary.cost(line, "seconds")
    assert gap is not None
    assert (gap.mean, gap.seeds) == (0.6, 2)
    assert seconds is not None
    assert seconds.seeds == 1
    assert summary.runs(line).text == "failed 1 of 2: no memory"


def test_a_run_that_left_nothing_but_its_failure_is_a_run() -> None:
    summary = Summary(Results((quality(0),), (effort(0), effort(1, None, "killed"))))
    assert summary.runs(Line.of(CELL)).text == "failed 1 of 2: killed"


def test_the_total_is_kept_apart_from_shapes_and_from_informative_items() -> None:
    others = (quality(shape="PNF1", value=0.9), quality(shape="informative", value=0.8))
    summary = Summary(Results((quality(), *others)))
    found = summary.quality(Line.of(CELL), "exact", "gap")
    assert found is not None
    assert found.mean == 0.5


def test_lines_are_ordered_as_they_are_read() -> None:
    lines = Summary(made_up(seeds=1, failing=0)).lines("main")
    assert list(dict.fromkeys(line.variant for line in lines)) == [
        "paper", "strict", "thin-3", "thin-20",
    ]  # fmt: skip
    assert list(dict.fromkeys(line.ontology for line in lines)) == [
        "yago3-person", "yago3-country", "yago3-hybrid", "hpo",
    ]  # fmt: skip
    assert [line.method for line in lines][:5] == ["fixed", "random", "kde", "paper", "boxsel"]


@given(st.permutations(["yago-hybrid", "codex-country", "codex-person", "hpo", "yago-person"]))
def test_ontologies_like_the_papers_come_first(names: list[str]) -> None:
    found = sorted(names, key=ontology_order)
    assert found == ["codex-person", "codex-country", "yago-person", "yago-hybrid", "hpo"]
    assert [kin_of(name) for name in found] == ["Person", "Country", "Person", "Hybrid", None]


def test_variants_are_ordered_by_their_numbers() -> None:
    names = ["thin-20", "other", "thin-3", "strict", "paper"]
    assert sorted(names, key=variant_order) == ["paper", "strict", "other", "thin-3", "thin-20"]


def test_made_up_results_have_failures() -> None:
    assert any(one.reason == REASON for one in made_up().efforts)
