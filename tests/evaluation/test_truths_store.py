"""Files of truths: nothing found is lost, or computed twice, or taken for something else."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from subprocess import run

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import BoxselError, ReadError, WriteError
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.truths.exact import compute_truths
from boxsel.evaluation.truths.store import EVERYTHING, LONGEST_FRACTION, Truth, load_truths, path_of
from boxsel.logic.proportions import Interval
from boxsel.machine.locking import locked
from boxsel.machine.progress import watched_by
from tests.evaluation.truth_populations import counted

SPENT = 1e-9
shares = st.fractions(0, 1, max_denominator=10**6)
intervals = st.tuples(shares, shares).map(lambda ends: Interval(min(ends), max(ends)))


def some_splits() -> list[Split]:
    ontology = counted(2, concepts=5)
    return [split for variant in ("paper", "thin-20") for split in splits_of(ontology, variant, 0)]


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def unwelcome(message: str) -> None:
    raise AssertionError(message)


@given(
    st.builds(
        Truth,
        st.integers(0, 10**6),
        st.sampled_from(["exact", "outer", "vacuous"]),
        st.sampled_from(["chain", "reasoner"]),
        intervals,
        st.none() | intervals,
        st.none() | st.floats(0.1, 1e4),
        st.integers(0, 10**6).map(lambda number: number / 1000),
    )
)
def test_a_line_says_it_all(truth: Truth) -> None:
    assert Truth.read(json.loads(truth.line())) == truth


def test_numbers_that_are_too_long_are_rounded_outwards() -> None:
    number = Fraction(10 ** (LONGEST_FRACTION // 2), 3 * 10 ** (LONGEST_FRACTION // 2) + 1)
    truth = Truth(0, "exact", "reasoner", Interval(number, number), Interval(number, number))
    read = Truth.read(json.loads(truth.line()))
    assert read.outer.lower < number < read.outer.upper
    assert read.outer.upper - read.outer.lower < 1e-15
    assert read.inner is None


def test_what_is_computed_is_found_and_not_computed_again(tmp_path: Path) -> None:
    splits = some_splits()
    folder = tmp_path / "new" / "truths"
    assert len(load_truths(splits[0], folder)) == 0
    computed = compute_truths(splits, folder, budget=None, jobs=1, notice=unwelcome)
    assert computed == sum(len(split.queries) for split in splits)
    for split in splits:
        truths = load_truths(split, folder)
        assert truths.exact.all()
        assert (truths.places == np.arange(len(split.queries))).all()
        share = split.queries.share
        assert ((truths.lower - 1e-9 <= share) & (share <= truths.upper + 1e-9)).all()
    before = [path_of(split, folder).read_bytes() for split in splits]
    assert compute_truths(splits, folder, budget=None, jobs=1, notice=unwelcome) == 0
    assert before == [path_of(split, folder).read_bytes() for split in splits]
    assert not list(tmp_path.rglob("*.lock"))


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    splits = some_splits()
    passed = []

    def watch(items, task, total):  # type: ignore[no-untyped-def]
        for item in items:
            passed.append(total)
            yield item

    with watched_by(watch):
        number = compute_truths(splits, tmp_path / "many", budget=None, per_shape=2, jobs=2)
    assert passed == [number] * number
    assert compute_truths(splits, tmp_path / "one", budget=None, per_shape=2, jobs=1) == number
    for split in splits:
        many, one = (load_truths(split, tmp_path / name) for name in ("many", "one"))
        for field in ("places", "lower", "upper", "exact"):
            assert (getattr(many, field) == getattr(one, field)).all()


def test_more_time_and_more_queries_add_to_what_is_there(tmp_path: Path) -> None:
    split = some_splits()[-1]
    path = path_of(split, tmp_path)
    few = compute_truths([split], tmp_path, budget=SPENT, per_shape=1, jobs=1)
    first = load_truths(split, tmp_path)
    assert few == len(first)
    more = compute_truths([split], tmp_path, budget=SPENT, per_shape=3, jobs=1)
    assert len(load_truths(split, tmp_path)) == few + more
    assert json.loads(lines(path)[0])["per_shape"] == 3
    outer = int((~load_truths(split, tmp_path).exact).sum())
    assert outer > 0
    assert compute_truths([split], tmp_path, budget=SPENT / 2, per_shape=3, jobs=1) == 0
    assert compute_truths([split], tmp_path, budget=60, per_shape=3, jobs=1) == outer
    last = load_truths(split, tmp_path)
    assert last.exact.all()
    both = np.isin(last.places, first.places)
    assert (last.lower[both] >= first.lower).all()
    assert (last.upper[both] <= first.upper).all()
    # Lines that were outdated are gone once the file is opened again.
    compute_truths([split], tmp_path, budget=60, per_shape=1, jobs=1)
    assert len(lines(path)) == 1 + len(last)
    assert json.loads(lines(path)[0])["per_shape"] == 3


@pytest.mark.parametrize("torn", [1, 40])
def test_an_unfinished_line_is_rewritten(tmp_path: Path, torn: int) -> None:
    split = some_splits()[-1]
    compute_truths([split], tmp_path, budget=None, per_shape=2, jobs=1)
    path, whole = path_of(split, tmp_path), load_truths(split, tmp_path)
    path.write_bytes(path.read_bytes()[:-torn])
    assert len(load_truths(split, tmp_path)) == len(whole) - 1
    assert compute_truths([split], tmp_path, budget=None, per_shape=2, jobs=1) == 1
    again = load_truths(split, tmp_path)
    assert (again.places == whole.places).all()
    assert (again.lower == whole.lower).all()


def test_a_run_that_is_stopped_keeps_what_it_found(tmp_path: Path) -> None:
    split = some_splits()[0]
    told = []

    def watch(items, task, total):  # type: ignore[no-untyped-def]
        for item in items:
            if task == "exact intervals":  # the reasoner tells of its own work, too
                told.append(item)
            if len(told) == 3:
                raise KeyboardInterrupt
            yield item

    with pytest.raises(KeyboardInterrupt), watched_by(watch):
        compute_truths([split], tmp_path, budget=None, jobs=1)
    assert sorted(load_truths(split, tmp_path).places) == sorted(told)
    rest = compute_truths([split], tmp_path, budget=None, jobs=1)
    assert rest == len(split.queries) - 3


def test_truths_of_something_else_are_replaced_and_never_read(tmp_path: Path) -> None:
    split = some_splits()[0]
    other = replace(
        split, ontology=replace(split.ontology, pairs=split.ontology.pairs + 1, origin="new")
    )
    fewer = replace(split, learning=split.learning.take(np.arange(len(split.learning) - 1)))
    compute_truths([split], tmp_path, budget=None, per_shape=1, jobs=1)
    for changed in (other, fewer):
        with pytest.raises(ReadError, match="another ontology or another split"):
            load_truths(changed, tmp_path)
    told: list[str] = []
    compute_truths([fewer], tmp_path, budget=None, per_shape=1, jobs=1, notice=told.append)
    assert len(told) == 1
    assert "computed again" in told[0]
    assert len(load_truths(fewer, tmp_path))


@pytest.mark.parametrize(
    "line",
    ["nonsense", "[]", "{}", '{"place": 1}', Truth.point(1, Fraction(1, 2)).line()[:-3],
     Truth.point(1, Fraction(1, 2)).line().strip().replace('"1/2"', '"1/0"'),
     Truth.point(1, Fraction(1, 2)).line().strip().replace('"1/2"', '"3/2"'),
     Truth.point(1, Fraction(1, 2)).line().strip().replace('"lower_exact": "1/2"',
                                                           '"lower_exact": Infinity'),
     Truth.point(10**6, Fraction(1, 2)).line().strip(),
     Truth.point(1, Fraction(1, 2)).line().strip().replace('"exact"', '"sure"')],
)  # fmt: skip
def test_a_damaged_line_is_told_with_its_place(tmp_path: Path, line: str) -> None:
    split = some_splits()[0]
    compute_truths([split], tmp_path, budget=None, per_shape=1, jobs=1)
    path = path_of(split, tmp_path)
    first, second, *rest = lines(path)
    path.write_text("\n".join([first, second, line, *rest, ""]))
    with pytest.raises(ReadError, match="delete the file") as told:
        load_truths(split, tmp_path)
    assert told.value.diagnostics[0].line == 3
    with pytest.raises(ReadError):
        compute_truths([split], tmp_path, budget=None, per_shape=1, jobs=1)


def test_names_of_ontologies_are_not_paths(tmp_path: Path) -> None:
    split = some_splits()[0]
    named = replace(split, ontology=replace(split.ontology, name="../a b/ç"))
    path = path_of(named, tmp_path)
    assert path.parent == tmp_path
    assert path != path_of(split, tmp_path)
    compute_truths([named], tmp_path, budget=None, per_shape=1, jobs=1)
    assert path.is_file()


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    split = some_splits()[0]
    for options in ({"budget": 0.0}, {"budget": float("nan")}, {"per_shape": 0}, {"jobs": 0}):
        with pytest.raises(BoxselError, match=r"above 0|at least 1"):
            compute_truths([split], tmp_path, **options)
    taken = tmp_path / "taken"
    taken.write_text("")
    with pytest.raises(WriteError):
        compute_truths([split], taken, jobs=1)
    with locked(tmp_path / "busy", "here"), pytest.raises(BoxselError, match="computing truths"):
        compute_truths([split], tmp_path / "busy", jobs=1)


def test_vacuous_truths_have_no_interval(tmp_path: Path) -> None:
    split = some_splits()[0]
    compute_truths([split], tmp_path, budget=None, per_shape=1, jobs=1)
    known = load_truths(split, tmp_path)
    with path_of(split, tmp_path).open("a") as stream:
        stream.write(Truth(int(known.places[0]), "vacuous", "reasoner", EVERYTHING).line())
    assert load_truths(split, tmp_path).places.tolist() == known.places[1:].tolist()


def test_reading_needs_no_reasoner_and_computing_no_jax() -> None:
    code = """
import sys
import boxsel.evaluation.truths.store, boxsel.evaluation.truths.exact
import boxsel.evaluation.splits.split, boxsel.evaluation.metrics
import boxsel.evaluation.methods, boxsel.evaluation.truths.exact
heavy = {"ortools", "lark", "duckdb", "highspy", "matplotlib", "optuna", "jax", "scipy"}
assert not heavy & {*sys.modules}, heavy & {*sys.modules}
import boxsel.evaluation.truths.chains, boxsel.exact.schedule
assert "jax" not in sys.modules
"""
    run([sys.executable, "-c", code], check=True)
