"""Cells on disk: found again by what they are about, and whole or not there."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.errors import WriteError
from boxsel.evaluation import cells as module
from boxsel.evaluation.cells import Cells, Prediction, Work
from boxsel.evaluation.methods import Method
from boxsel.models.settings import Settings
from tests.depth import cases
from tests.evaluation.tiny import random_prediction

WORK = Work("small", "0123", "thin-10", 3, Method("boxsel", Settings(members=12)))
PARTS = (random_prediction(4, 12, 0), random_prediction(0, 12, 1))


def same(one: Prediction, other: Prediction) -> bool:
    words = [(part.counts, part.effort, part.reason) for part in (one, other)]
    arrays = ((one.ends, other.ends), (one.kept_ends, other.kept_ends), (one.asked, other.asked))
    equal = [np.array_equal(a, b, equal_nan=True) for a, b in arrays]
    return words[0] == words[1] and all(equal)


@settings(max_examples=cases(30))
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 70), st.integers(0, 99)), max_size=12),
    st.text(max_size=10),
)
def test_saved_and_loaded(
    tmp_path_factory: pytest.TempPathFactory, given: list[tuple[int, int, int]], device: str
) -> None:
    parts = [random_prediction(*one) for one in given]
    cells = Cells(tmp_path_factory.mktemp("cells"))
    assert not cells.has(WORK)
    assert cells.load(WORK) is None
    cells.save(WORK, parts, device)
    loaded = cells.load(WORK)
    assert loaded is not None
    assert loaded[1] == device
    assert len(loaded[0]) == len(parts)
    assert all(map(same, loaded[0], parts))
    assert [entry.name for entry in cells.path(WORK).parent.iterdir()] == [cells.path(WORK).name]


def test_the_key_depends_on_every_part() -> None:
    method = WORK.method
    assert method.settings is not None
    changes: dict[str, object] = {
        "ontology": "other",
        "digest": "4567",
        "variant": "thin-20",
        "seed": 4,
        "sample": 0,
    }
    assert {*changes, "method"} == set(WORK.to_json()) - {"version"}
    works = [WORK, *(replace(WORK, **{name: value}) for name, value in changes.items())]  # type: ignore[arg-type]
    numbers = ("members", "dim", "epochs", "batch", "seed", "rate", "tolerance", "side", "margin")
    words = {
        "preset": "paper",
        "representation": "balls",
        "roles": "translation",
        "regularisers": "none",
        "weighting": "step",
        "polish": "always",
    }
    assert {*numbers, *words} == set(method.settings.to_json())
    options: list[dict[str, object]] = [{name: 7.5 if name == "side" else 7} for name in numbers]
    options += [{name: value} for name, value in words.items() if name != "representation"]
    options.append({"representation": "balls", "roles": "translation"})
    works += [
        replace(WORK, method=replace(method, settings=replace(method.settings, **option)))  # type: ignore[arg-type]
        for option in options
    ]
    works += [
        replace(WORK, method=replace(method, directed=1)),
        replace(WORK, method=replace(method, name="other")),
        replace(WORK, method=Method("boxsel")),
        replace(WORK, method=Method("boxsel", seconds=1.0)),
    ]
    for one, other in combinations(works, 2):
        assert one.key != other.key
        assert Cells(Path()).path(one) != Cells(Path()).path(other)


def test_the_key_is_the_same_everywhere_and_changes_with_the_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = WORK.key
    assert replace(WORK).key == key
    monkeypatch.setattr(module, "VERSION", module.VERSION + 1)
    assert WORK.key != key


def test_a_damaged_file_counts_as_missing(tmp_path: Path) -> None:
    cells = Cells(tmp_path)
    cells.save(WORK, PARTS, "cpu")
    path = cells.path(WORK)
    whole = path.read_bytes()
    for kept in range(0, len(whole), 97):
        path.write_bytes(whole[:kept])
        assert not cells.has(WORK)
    for content in (b"nothing", b"PK\3\4 nothing", b'{"parts": 1}'):
        path.write_bytes(content)
        assert not cells.has(WORK)
        assert cells.load(WORK) is None
    np.savez(path, about=np.array('{"parts": 1, "device": "cpu"}'))
    assert not cells.has(WORK)
    path.unlink()
    path.mkdir()
    assert not cells.has(WORK)


def test_flipped_bytes_never_pass_unseen(tmp_path: Path) -> None:
    cells = Cells(tmp_path)
    cells.save(WORK, PARTS, "cpu")
    path = cells.path(WORK)
    whole = path.read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // 150)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        loaded = cells.load(WORK)
        assert loaded is None or all(map(same, loaded[0], PARTS))


def test_a_failure_leaves_the_old_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = Cells(tmp_path)
    cells.save(WORK, PARTS, "cpu")
    before = cells.path(WORK).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(WriteError, match="No space left"):
        cells.save(WORK, PARTS[:1], "gpu")
    assert cells.path(WORK).read_bytes() == before
    assert len(list(cells.path(WORK).parent.iterdir())) == 1


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "cells").write_text("")
    with pytest.raises(WriteError, match=r"cells.small: cannot be written: "):
        Cells(tmp_path).save(WORK, PARTS, "cpu")
