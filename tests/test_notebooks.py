"""What the tutorials show is what their cells give.

`python -m tests.test_notebooks` runs them and stores what they give.
"""

from __future__ import annotations

import html
import re
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "tutorials"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
APPROXIMATE = "approximate"
"""The tag of cells whose digits depend on the machine: there, only words are compared."""

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> NotebookNode:
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    return notebook


def run(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """The notebook with what its cells give in a new kernel, and nothing about this machine."""
    fresh = deepcopy(notebook)
    with pytest.MonkeyPatch.context() as patch:
        # The user's own settings of IPython must not change what is shown.
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(folder / "runtime"))
        client = NotebookClient(
            fresh, timeout=240, kernel_name="python3", record_timing=False, coalesce_streams=True
        )
        client.execute(cwd=str(folder))
    fresh.metadata = notebook.metadata
    return fresh


def words(output: NotebookNode) -> str:
    """The words of an output, in the form that pages show; no drawings."""
    data = output.get("data", {})
    if "text/html" in data:
        return " ".join(without_tags(data["text/html"]).split())
    return " ".join(data.get("text/plain", output.get("text", "")).split())


def without_tags(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


def shown(cell: NotebookNode) -> str:
    """What a cell shows, as far as it is the same everywhere."""
    said = " ".join(map(words, cell.outputs))
    approximate = APPROXIMATE in cell.metadata.get("tags", [])
    return re.sub(r"\d[\d.e-]*", "#", said) if approximate else said


def codes(notebook: NotebookNode) -> Iterator[NotebookNode]:
    return (cell for cell in notebook.cells if cell.cell_type == "code")


def test_there_are_tutorials() -> None:
    assert {path.stem for path in NOTEBOOKS} >= {
        "berkeley",
        "disease",
        "graph",
        "ontology",
        "survey",
    }


@pytest.mark.parametrize(
    "path",
    [NOTEBOOKS[0], *(pytest.param(path, marks=pytest.mark.deep) for path in NOTEBOOKS[1:])],
    ids=lambda path: path.stem,
)
def test_cells_give_what_is_stored(path: Path, tmp_path: Path) -> None:
    stored = read(path)
    for before, after in zip(codes(stored), codes(run(stored, tmp_path)), strict=True):
        assert shown(after) == shown(before), f"refresh the tutorials: {before.source}"


@each
def test_stored_outputs_come_from_one_run(path: Path) -> None:
    numbers = [cell.execution_count for cell in codes(read(path))]
    assert numbers == list(range(1, len(numbers) + 1))


@each
def test_stored_outputs_name_no_folder_of_a_machine(path: Path) -> None:
    for cell in codes(read(path)):
        said = shown(cell)
        assert str(ROOT) not in said
        assert not re.search(r"(?<![\w.])/(home|root|tmp|usr|Users|work)/", said), cell.source


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """The hook of the documentation, which is no part of a package."""
    spec = spec_from_file_location("notebook_pages", FOLDER / "notebook_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@each
def test_a_page_has_all_that_a_notebook_has(path: Path, hook: ModuleType) -> None:
    notebook = read(path)
    page = hook.page_of(notebook)
    said = " ".join(without_tags(page).split())
    for cell in notebook.cells:
        assert cell.source.replace(".ipynb)", ".md)") in page
        for output in cell.get("outputs", []):
            assert words(output) in said


@each
def test_tutorials_are_in_the_navigation(path: Path) -> None:
    assert f"tutorials/{path.stem}.md" in (ROOT / "mkdocs.yml").read_text("utf-8")


def test_a_page_shows_no_error_and_no_cell_that_was_not_run(hook: ModuleType) -> None:
    cell: dict[str, object] = {
        "cell_type": "code",
        "source": "1 / 0",
        "execution_count": None,
        "outputs": [],
    }
    with pytest.raises(ValueError, match=r"has not been run:\n1 / 0"):
        hook.page_of({"cells": [cell]})
    failed = {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "", "traceback": []}
    with pytest.raises(ValueError, match="of the kind error"):
        hook.page_of({"cells": [{**cell, "execution_count": 1, "outputs": [failed]}]})


def refresh() -> None:
    """Run all tutorials, and store what they give."""
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            fresh = run(read(path), Path(folder))
        nbformat.write(fresh, path)  # type: ignore[no-untyped-call]
        print(f"{path.relative_to(ROOT)}: refreshed")


if __name__ == "__main__":
    refresh()
