"""Ontologies in a folder: counted once, checked ever after."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from boxsel.errors import BoxselError
from boxsel.evaluation.ontologies import synthetic
from boxsel.evaluation.ontologies.folder import (
    MANIFEST,
    load_ontology,
    path_of,
    prepared,
    read_manifest,
    save,
)
from boxsel.evaluation.ontologies.registry import ONTOLOGIES


def test_what_is_there_is_not_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = prepared(tmp_path, ["small", "synthetic-country"])
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    monkeypatch.setattr(synthetic, "drawn", None)
    again = prepared(tmp_path, ["synthetic-country", "small"])
    assert list(again) == ["synthetic-country", "small"]
    assert {name: ontology.digest() for name, ontology in again.items()} == {
        name: ontology.digest() for name, ontology in first.items()
    }
    assert before == {path: path.stat().st_mtime_ns for path in before}
    assert {path.name for path in before} == {MANIFEST, "small.npz", "synthetic-country.npz"}


def test_the_manifest_grows_and_is_the_same_for_the_same_ontologies(tmp_path: Path) -> None:
    prepared(tmp_path / "one", ["small"])
    prepared(tmp_path / "one", ["synthetic-hybrid"])
    prepared(tmp_path / "two", ["synthetic-hybrid", "small"])
    assert (tmp_path / "one" / MANIFEST).read_text() == (tmp_path / "two" / MANIFEST).read_text()
    assert list(read_manifest(tmp_path / "one")) == ["small", "synthetic-hybrid"]


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    ontology = prepared(tmp_path, ["small"])["small"]
    arrays = ontology.arrays()
    arrays["pairs"][0, 0] += 1
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    path_of(tmp_path, "small").write_bytes(stream.getvalue())
    with pytest.raises(BoxselError, match="was changed"):
        prepared(tmp_path, ["small"])


@pytest.mark.parametrize("kept", [0, 1, 100, 2000])
def test_a_damaged_file_is_refused(tmp_path: Path, kept: int) -> None:
    prepared(tmp_path, ["small"])
    path = path_of(tmp_path, "small")
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(BoxselError, match="not the file of an ontology"):
        prepared(tmp_path, ["small"])
    path.unlink()
    assert prepared(tmp_path, ["small"])["small"].size == 12


def test_flipped_bytes_never_pass_unseen(tmp_path: Path) -> None:
    ontology = prepared(tmp_path, ["small"])["small"]
    path = path_of(tmp_path, "small")
    whole = path.read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // 150)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        try:
            found = prepared(tmp_path, ["small"])["small"]
        except BoxselError:
            continue
        assert found.digest() == ontology.digest()


def test_no_pickles(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    np.savez(path, words=np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(BoxselError, match="not the file of an ontology"):
        load_ontology(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("words.npy", b"nothing")
    with pytest.raises(BoxselError, match="not the file of an ontology"):
        load_ontology(path)
    with pytest.raises(BoxselError, match="No such file"):
        load_ontology(tmp_path / "none.npz")


def test_an_unknown_name_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(BoxselError, match=r"choose one of yago-person, .*codex-country.*small"):
        prepared(tmp_path, ["small", "person"])
    assert not list(tmp_path.iterdir()), "nothing is done before all names are known"


@pytest.mark.parametrize("name", [name for name in ONTOLOGIES if ONTOLOGIES[name].sources])
def test_missing_data_is_asked_for_by_file(tmp_path: Path, name: str) -> None:
    sources = ONTOLOGIES[name].sources
    assert sources is not None
    with pytest.raises(BoxselError, match="say in which folder"):
        prepared(tmp_path, [name])
    with pytest.raises(BoxselError, match="there is no such folder"):
        prepared(tmp_path, [name], tmp_path / "none")
    (tmp_path / "data").mkdir()
    with pytest.raises(BoxselError) as raised:
        prepared(tmp_path, ["small", name], tmp_path / "data")
    assert all(file in str(raised.value) for file in (*sources.required, sources.folders[0]))
    (tmp_path / "data" / sources.required[0]).write_text("")
    with pytest.raises(BoxselError, match=f"incomplete: .*{sources.required[-1]}"):
        prepared(tmp_path, [name], tmp_path / "data")
    assert not path_of(tmp_path, "small").exists()


def test_a_lost_file_must_come_back_the_same(tmp_path: Path) -> None:
    ontology = prepared(tmp_path, ["small"])["small"]
    path_of(tmp_path, "small").unlink()
    assert prepared(tmp_path, ["small"])["small"].digest() == ontology.digest()
    path_of(tmp_path, "small").unlink()
    manifest = tmp_path / MANIFEST
    manifest.write_text(manifest.read_text().replace(ontology.digest(), "0" * 64))
    with pytest.raises(BoxselError, match="another ontology"):
        prepared(tmp_path, ["small"])


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BoxselError, match="cannot be made"):
        prepared(tmp_path / "file", ["small"])


def test_saving_and_loading(tmp_path: Path) -> None:
    ontology = ONTOLOGIES["small"].build({})
    save(tmp_path / "x.npz", ontology)
    again = load_ontology(tmp_path / "x.npz")
    assert again.digest() == ontology.digest()
    assert again.origin == ontology.origin
