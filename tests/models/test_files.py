"""Model folders: what is saved is what is loaded, and nothing else is taken for a model."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxsel import examples
from boxsel.errors import BoxselError, ReadError, WriteError
from boxsel.formats import sel
from boxsel.logic.kb import KB
from boxsel.machine.locking import locked
from boxsel.models.files import BUSY, FILES, SAVING, check_place, save
from boxsel.models.loading import load
from boxsel.models.measuring import Members
from boxsel.models.model import Model
from boxsel.models.representations.representation import Sizes
from boxsel.models.settings import Settings
from boxsel.models.task import Task
from boxsel.models.tensors import TensorFile, flattened, sha256, to_bytes
from boxsel.schemas import schema
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.strategies import kbs

SETTINGS = Settings(members=3, dim=2, epochs=1)


def untrained(kb: KB, chosen: Settings = SETTINGS) -> Model:
    """A model as it is before training: it is as good as any for being saved."""
    task = Task.of(kb)
    numbering = task.numbering
    sizes = Sizes(
        len(numbering.names) + 1,
        len(numbering.roles) + 1,
        len(numbering.individuals),
        chosen.members,
    )
    parameters = chosen.chosen_representation().initial(np.random.default_rng(1), sizes)
    return Model(task, chosen, parameters, np.full((2, chosen.members), 0.25))


@pytest.fixture
def clinic() -> Model:
    return untrained(examples.load("clinic"))


@pytest.fixture
def folder(tmp_path: Path, clinic: Model) -> Path:
    path = tmp_path / "clinic.model"
    save(clinic, path)
    return path


def same(one: Model, other: Model) -> bool:
    tables, others = flattened(one.parameters), flattened(other.parameters)
    return (
        one.kb == other.kb
        and one.settings == other.settings
        and one.task.numbering == other.task.numbering
        and tables.keys() == others.keys()
        and all(np.array_equal(tables[name], others[name]) for name in tables)
        and np.array_equal(one.history, other.history)
        and one.directed == other.directed
        and dict(one.provenance) == dict(other.provenance)
        and np.array_equal(one.scores.largest, other.scores.largest)
        and np.array_equal(one.scores.mean, other.scores.mean)
        and np.array_equal(one.scores.errors, other.scores.errors)
        and [(str(s), v) for s, v in one.scores.worst]
        == [(str(s), v) for s, v in other.scores.worst]
    )


def test_what_is_saved_is_loaded(clinic: Model, tmp_path: Path) -> None:
    asked = clinic.kb.query("(Smoker | Patient and hasDisease some Diabetes)")
    model = replace(clinic, directed=asked, provenance={"seconds": 1.5})
    save(model, tmp_path / "model")
    found = load(tmp_path / "model")
    assert same(model, found)
    assert np.array_equal(model.ask(asked).values, found.ask(asked).values, equal_nan=True)
    assert {entry.name for entry in (tmp_path / "model").iterdir()} == FILES
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"], "nothing is left beside it"


def test_the_description_fits_its_schema(folder: Path, clinic: Model) -> None:
    about = json.loads((folder / "model.json").read_text("utf-8"))
    jsonschema.validate(about, schema("model"))
    assert about["kb_sha256"] == sha256((folder / "kb.sel").read_bytes())
    roles = len(clinic.task.numbering.roles)
    assert about["parameters"]["roles"] == 2 * SETTINGS.dim * roles
    assert about["metrics"]["violation"]["largest"] == clinic.scores.largest.max()


def test_fresh_names_are_explained(tmp_path: Path) -> None:
    save(untrained(parse_kb("(A | B)[0.5]\nr some (s some A) SubClassOf B")), tmp_path / "model")
    about = json.loads((tmp_path / "model" / "model.json").read_text("utf-8"))
    assert list(about["fresh"].values()) == ["s some A"]
    assert set(about["fresh"]) <= set(about["names"])


@given(kbs())
@settings(max_examples=cases(40))
def test_the_text_of_a_knowledge_base_keeps_the_numbering(kb: KB) -> None:
    try:
        task = Task.of(kb)
    except BoxselError:
        assume(False)
    assert Task.of(parse_kb(sel.write(kb))).numbering == task.numbering


def test_loading_measures_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(Members, "shares", refuse)
    model = load(folder)
    assert model.kept.shape == (3,)
    assert model.ask("(Smoker | Patient)").members == 3


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_take_the_place_that_they_need(clinic: Model, tmp_path: Path, dtype: type) -> None:
    def rounded(table: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return table.astype(dtype).astype(np.float64)

    tables = {
        kind: {name: rounded(table) for name, table in group.items()}
        for kind, group in clinic.parameters.items()
    }
    model = replace(clinic, parameters=tables)
    save(model, tmp_path / "model")
    weights = (tmp_path / "model" / "weights.safetensors").read_bytes()
    assert TensorFile.of(weights, "").tensors["names/extent"].dtype == dtype
    assert same(model, load(tmp_path / "model"))


@given(
    name=st.sampled_from(sorted(FILES)),
    place=st.floats(0, 1, exclude_max=True),
    damage=st.sampled_from(["cut", "flip", "add", "remove"]),
)
@settings(max_examples=cases(60))
def test_damage_is_found_and_named(
    tmp_path_factory: pytest.TempPathFactory, name: str, place: float, damage: str
) -> None:
    folder = tmp_path_factory.mktemp("damaged") / "model"
    model = untrained(examples.load("applicant"))
    save(model, folder)
    file = folder / name
    data = file.read_bytes()
    at = int(place * len(data))
    if damage == "remove":
        file.unlink()
    else:
        flipped = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        file.write_bytes({"cut": data[:at], "flip": flipped, "add": data + b"x"}[damage])
    try:
        found = load(folder)
    except ReadError as error:
        (problem,) = error.diagnostics
        assert str(folder) in str(problem.file)
        assert problem.help
        assert name in str(error) or name == "model.json"
    else:
        # What only describes the model may say something else; the model itself may not.
        assert name == "model.json"
        assert damage == "flip" or data[at:].isspace()
        assert np.array_equal(
            found.parameters["names"]["extent"], model.parameters["names"]["extent"]
        )


def resealed(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the weights and make their hash fit: what a hash alone would not find."""
    path = folder / "weights.safetensors"
    file = TensorFile.of(path.read_bytes(), str(path))
    tensors = dict(file.tensors)
    change(tensors)
    data = to_bytes(tensors, file.about)
    path.write_bytes(data)
    described(folder, weights_sha256=sha256(data))


def described(folder: Path, **changes: object) -> None:
    path = folder / "model.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")


def infinite(tensors: dict[str, Any]) -> None:
    tensors["names/extent"] = np.full_like(tensors["names/extent"], np.inf)


WRONG_TABLES: dict[str, Callable[[dict[str, Any]], object]] = {
    "the table names/extent is missing": lambda tensors: tensors.pop("names/extent"),
    "the table history is missing": lambda tensors: tensors.pop("history"),
    "has the shape (2, 3, 2), expected": lambda tensors: tensors.update(
        {"roles/scale": tensors["roles/scale"][:2]}
    ),
    "holds int64, expected float32 or float64": lambda tensors: tensors.update(
        {"roles/scale": tensors["roles/scale"].astype(int)}
    ),
    "not finite": infinite,
    "a table more that does not belong here": lambda tensors: tensors.update(more=np.zeros(1)),
    "the table violation has the shape (1,)": lambda tensors: tensors.update(violation=np.zeros(1)),
}


@pytest.mark.parametrize("problem", WRONG_TABLES)
def test_tables_that_do_not_fit_are_refused(folder: Path, problem: str) -> None:
    resealed(folder, WRONG_TABLES[problem])
    with pytest.raises(ReadError) as caught:
        load(folder)
    assert problem in str(caught.value)
    assert "weights.safetensors" in str(caught.value)


WRONG_DESCRIPTIONS: dict[str, dict[str, object]] = {
    "install a newer boxsel": {"version": 2},
    "does not describe a boxsel model": {"format": "other"},
    "the entry 'version' is missing": {"version": None},
    "the names are not those": {"names": ["urn:boxsel:A"]},
    "the roles are not those": {"roles": []},
    "the individuals are not those": {"individuals": []},
    "the settings are not those of this version": {"settings": {"colour": "red"}},
    "differ from those in model.json": {"settings": {**SETTINGS.to_json(), "tolerance": 0.5}},
    "the entry 'worst' names statements": {"worst": [{"place": 99, "violation": 1}]},
    "the entry 'directed' is no query": {"directed": "(A | "},
    "the entry 'names' is missing": {"names": "A"},
}


@pytest.mark.parametrize("problem", WRONG_DESCRIPTIONS)
def test_descriptions_that_do_not_fit_are_refused(folder: Path, problem: str) -> None:
    described(folder, **WRONG_DESCRIPTIONS[problem])
    with pytest.raises(ReadError) as caught:
        load(folder)
    assert problem in str(caught.value)
    assert len(caught.value.diagnostics) == 1


def test_what_is_no_model_folder_is_said(tmp_path: Path) -> None:
    kb = tmp_path / "kb.sel"
    kb.write_text("A SubClassOf B")
    with pytest.raises(ReadError, match=r"this is a file, not a model folder\n.*boxsel fit"):
        load(kb)
    with pytest.raises(ReadError, match="there is no such model folder"):
        load(tmp_path / "no")
    with pytest.raises(ReadError, match=r"model\.json is missing"):
        load(tmp_path)
    with pytest.raises(ReadError, match="there is no such model folder"):
        load("a\0b")
    with pytest.raises(WriteError, match="cannot be written"):
        check_place("a\0b")


def test_only_models_are_replaced(clinic: Model, folder: Path, tmp_path: Path) -> None:
    other = replace(clinic, history=np.zeros((1, 3)))
    save(other, folder)
    assert same(load(folder), other)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(WriteError, match="holds other things"):
        save(clinic, folder)
    assert same(load(folder), other)
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(WriteError, match="this is not a folder"):
        save(clinic, file)
    with pytest.raises(WriteError, match="does not exist"):
        check_place(tmp_path / "no" / "model")
    empty = tmp_path / "empty"
    empty.mkdir()
    save(clinic, empty)
    assert same(load(empty), clinic)
    for path in ("/dev/full", "/dev/null"):
        with pytest.raises(WriteError, match="this is not a folder"):
            save(clinic, path)


@pytest.mark.parametrize("step", ["fsync", "rename"])
def test_a_failed_save_keeps_the_old_model(
    clinic: Model, folder: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    old_rename = Path.rename

    def half(path: Path, target: Path) -> Path:
        if path.name == "new":
            full()
        return old_rename(path, target)

    with monkeypatch.context() as patch:
        if step == "fsync":
            patch.setattr(os, "fsync", full)
        else:
            patch.setattr(Path, "rename", half)
        with pytest.raises(WriteError, match="No space left"):
            save(replace(clinic, history=np.zeros((1, 3))), folder)
    assert same(load(folder), clinic)
    assert [entry.name for entry in folder.parent.iterdir()] == [folder.name]


def test_what_a_kill_left_is_cleaned_up(clinic: Model, folder: Path) -> None:
    left = folder.with_name(f".{folder.name}.abc{SAVING}")
    left.mkdir()
    folder.rename(left / "old")  # killed between the two steps
    check_place(folder)
    save(clinic, folder)
    assert [entry.name for entry in folder.parent.iterdir()] == [folder.name]
    assert same(load(folder), clinic)


def test_what_diverged_is_not_saved(clinic: Model, tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="the training diverged"):
        save(replace(clinic, history=np.full((1, 3), np.nan)), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_one_at_a_time(clinic: Model, folder: Path) -> None:
    with locked(folder, BUSY), pytest.raises(BoxselError, match="another process is training"):
        save(clinic, folder)
    save(clinic, folder)


def test_a_place_that_cannot_be_written(clinic: Model) -> None:
    with pytest.raises(WriteError, match="cannot be written"):
        save(clinic, "/proc/model")
