"""The files of a report: whole, the same every time, and in need of nothing else."""

from __future__ import annotations

import csv
import random
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest

from boxsel.errors import BoxselError, WriteError
from boxsel.evaluation.records import Cell, Results
from boxsel.evaluation.report import RunInfo, report_files, write_report
from boxsel.evaluation.report import writing as module
from tests.evaluation.report_data import REASON, info, made_up

SVG = "{http://www.w3.org/2000/svg}"


@cache
def results() -> Results:
    return made_up(
        seeds=2,
        ontologies=("yago3-person", "hpo"),
        variants=("paper", "thin-3"),
        studies=("members", "tuning"),
        failing=0.2,
    )


@cache
def files() -> dict[str, bytes]:
    return report_files(results(), info(results()))


@cache
def page() -> ElementTree.Element:
    return ElementTree.fromstring(files()["report.html"])


def test_the_same_results_in_any_order_give_the_same_bytes() -> None:
    shuffled = random.Random(7)
    given = results()
    again = Results(
        tuple(shuffled.sample(given.qualities, len(given.qualities))),
        tuple(shuffled.sample(given.efforts, len(given.efforts))),
        tuple(shuffled.sample(given.bands, len(given.bands))),
    )
    found = report_files(again, info(results()))
    assert found.keys() == files().keys()
    assert [name for name, data in found.items() if data != files()[name]] == []


def test_another_process_gives_the_same_bytes() -> None:
    code = (
        "from tests.evaluation.test_report_files import files; import hashlib;"
        "print(hashlib.sha256(b''.join(files().values())).hexdigest())"
    )
    process = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "1", "PYTHONPATH": ":".join(sys.path)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout.strip() == sha256(b"".join(files().values())).hexdigest()


def test_the_page_needs_nothing_from_elsewhere() -> None:
    html = files()["report.html"].decode()
    assert not re.search(r"https?:|//\w|url\((?!#)|@import|<script|<link|<img", html)
    for element in page().iter():
        for name in ("href", "src"):
            target = element.get(name)
            assert target is None or target.startswith("#")


def test_every_place_in_the_page_has_a_name_of_its_own_and_links_lead_somewhere() -> None:
    ids = [element.get("id") for element in page().iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    html = files()["report.html"].decode()
    wanted = {element.get("href", "")[1:] for element in page().iter() if element.get("href")}
    wanted |= set(re.findall(r"url\(#([^)]*)\)", html))
    assert wanted <= set(ids)


def test_drawings_in_the_page_follow_its_colours() -> None:
    for drawing in page().iter("svg"):
        text = ElementTree.tostring(drawing, "unicode")
        assert "var(--ink)" in text
        assert not re.search("#1f2937|#6b7280|#d1d5db|#ffffff", text)
        assert drawing.get("role") == "img"
        assert drawing.get("aria-label")
        assert not {"width", "height"} & set(drawing.keys())


def test_figures_are_vectors_with_text_and_pixels_beside_them() -> None:
    names = [name for name in files() if name.startswith("figures/")]
    assert names
    assert {Path(name).suffix for name in names} == {".svg", ".png"}
    for name in names:
        data = files()[name]
        if name.endswith(".png"):
            assert data.startswith(b"\x89PNG")
            continue
        words = [text.text for text in ElementTree.fromstring(data).iter(f"{SVG}text")]
        assert "AG" in words
        assert b"<dc:date>" not in data
        assert files()[name.replace(".svg", ".png")]


def test_figures_show_the_paper_where_it_has_a_number() -> None:
    small = made_up(seeds=1, ontologies=("yago3-person",), variants=("paper",), failing=0)
    drawn = report_files(small, info(small))
    assert "the paper, Person" in drawn["figures/members-paper.svg"].decode()
    assert "the paper" not in files()["figures/members-thin-3.svg"].decode()


def test_failures_and_missing_numbers_are_seen_in_both_forms() -> None:
    for name in ("report.md", "report.html"):
        text = files()[name].decode()
        assert f"of 2: {REASON}" in text
        assert "–" in text
        assert "nan" not in re.sub("[a-z-]*nan[a-z]+|[a-z]+nan[a-z]*", "", text)


def test_names_are_escaped() -> None:
    name = '<img src="x"> | *a* & [b](c)'
    small = made_up(seeds=1, ontologies=("hpo",), variants=("paper",), studies=(), failing=0)

    def renamed(cell: Cell) -> Cell:
        return replace(cell, ontology=name)

    odd = Results(
        tuple(replace(quality, cell=renamed(quality.cell)) for quality in small.qualities),
        tuple(replace(effort, cell=renamed(effort.cell), device="<b>") for effort in small.efforts),
        tuple(replace(band, cell=renamed(band.cell)) for band in small.bands),
    )
    found = report_files(odd, info(odd))
    root = ElementTree.fromstring(found["report.html"])
    assert not list(root.iter("img"))
    assert name in ["".join(element.itertext()) for element in root.iter("text")]
    assert "\\<img" in found["report.md"].decode()
    assert "<img" not in found["report.md"].decode().replace("\\<img", "")
    rows = list(csv.DictReader(found["tables/main-paper.csv"].decode().splitlines()))
    assert {row["ontology"] for row in rows} == {name}


def test_tables_are_files_and_the_report_links_to_every_file() -> None:
    text = files()["report.md"].decode()
    linked = set(re.findall(r"\]\(((?:tables|figures)/[^)]*)\)", text))
    assert linked == files().keys() - {"report.md", "report.html"}


def test_what_was_written_is_what_was_made(tmp_path: Path) -> None:
    written = write_report(results(), info(results()), tmp_path / "new" / "folder")
    assert {path.relative_to(tmp_path / "new/folder").as_posix() for path in written} == set(
        files()
    )
    for name, data in files().items():
        assert (tmp_path / "new/folder" / name).read_bytes() == data


def test_an_earlier_report_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    write_report(results(), info(results()), tmp_path)
    mine = tmp_path / "tables" / "mine.csv"
    mine.write_text("not of the report")
    write_report(Results(), RunInfo("Nothing", "2026-11-15"), tmp_path)
    assert mine.read_text() == "not of the report"
    assert not list((tmp_path / "figures").iterdir())
    assert not (tmp_path / "tables" / "main-paper.csv").exists()
    assert "Left out" in (tmp_path / "report.md").read_text()
    # The report links to nothing that is not there.
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.csv")}
    made = report_files(Results(), RunInfo("Nothing", "2026-11-15"))
    assert left == {name for name in made if name.endswith(".csv")} | {"tables/mine.csv"}


def test_a_folder_that_cannot_be_is_an_error_in_words(tmp_path: Path) -> None:
    blocking = tmp_path / "file"
    blocking.write_text("")
    with pytest.raises(WriteError, match="file: cannot be written"):
        write_report(Results(), RunInfo("Nothing", "2026-11-15"), blocking)


def test_without_matplotlib_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "boxsel.pictures.panels", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BoxselError, match=r"boxsel\[plots\]"):
        write_report(results(), info(results()), tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_a_report_without_figures_does_not_need_matplotlib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_drawn", None)
    write_report(Results(), RunInfo("Nothing", "2026-11-15"), tmp_path)
    assert (tmp_path / "report.html").exists()
