"""What is not text is named, with what to do, by whoever reads files."""

from __future__ import annotations

import bz2
import gzip
import io
import pickle
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from boxsel import examples, read, simpson
from boxsel.build.graphs.building import build_graph
from boxsel.build.mined_rules.building import build_rules
from boxsel.build.phenotypes.building import build_hpo
from boxsel.build.tables.building import build_table
from boxsel.cli.options import Asked
from boxsel.errors import ReadError
from boxsel.formats.kinds import KINDS, kind_of
from boxsel.serve.library import Library
from boxsel.serve.page.comparisons import DataTable


def packed(*names: str) -> bytes:
    """An archive, as programs of offices write their files."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, "<x/>" * 50)
    return written.getvalue()


def tarred() -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("kb.sel"), io.BytesIO())
    return written.getvalue()


SAMPLES = {
    "an Excel workbook": packed("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"),
    "an old Excel": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500),
    "an OpenDocument file": b"PK\3\4" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.x",
    "a Word document": packed("[Content_Types].xml", "word/document.xml"),
    "a ZIP archive": packed("kb.sel"),
    "a tar archive": tarred(),
    "a PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "a PNG image": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a JPEG image": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "a Python pickle": pickle.dumps({"a": 1}),
    "compressed with zstd": b"\x28\xb5\x2f\xfd rest",
    "compressed twice": gzip.compress(b"(B | A)[0.5]"),
    "text in UTF-16": "head\tbody\n".encode("utf-16"),
    "text in UTF-32": "head\tbody\n".encode("utf-32"),
}
TEXTS = (
    b"",
    b"PAR1,b\nx,y\n",
    b"name,id,DUCK\nx,y,z\n",
    b"BZh9,b\nx,y\n",
    b"RIFF\n",
    b"\xef\xbb\xbfa,b\n",
    "# Grüße\n".encode(),
)


def asked(path: Path) -> object:
    return Asked(["kb.sel"], str(path)).read(examples.load("applicant"))


READERS: dict[str, Callable[[Path], object]] = {
    "read": read,
    "build table": build_table,
    "build graph": build_graph,
    "build rules": build_rules,
    "build hpo": lambda path: build_hpo(path, [path], diseases=None),
    "simpson": simpson,
    "queries": asked,
    "page": lambda path: DataTable.of(path.name, path.read_bytes()),
    "server": lambda path: Library(statements=9).read(path.read_bytes(), None),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_no_text_is_known_by_its_first_bytes(name: str) -> None:
    kind = kind_of(SAMPLES[name])
    assert kind is not None
    assert kind.name.startswith(name)
    assert kind.advice


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_no_other_kind(text: bytes) -> None:
    assert kind_of(text) is None


def test_special_kinds_come_before_general_ones() -> None:
    for place, kind in enumerate(KINDS):
        start = bytes(kind.offset) + kind.magic + kind.after[:1] + kind.inside
        assert kind_of(start) in KINDS[: place + 1]


def test_databases_are_known(tmp_path: Path) -> None:
    lite, duck, table = (tmp_path / name for name in ("a.db", "b.db", "c.txt"))
    connection = sqlite3.connect(lite)
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    with duckdb.connect(str(duck)) as other:
        other.execute("CREATE TABLE t (a INT)")
        other.execute(f"COPY (SELECT 1 AS a) TO '{table}' (FORMAT parquet)")
    names = ("an SQLite database", "a DuckDB database", "a Parquet file")
    for path, name in zip((lite, duck, table), names, strict=True):
        with pytest.raises(ReadError, match=f"this seems to be {name}.*\n  help: write the table"):
            asked(path)


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_of_files_says_what_it_was_given(reader: str, tmp_path: Path) -> None:
    for name in ("an Excel workbook", "a PDF", "a Python pickle"):
        file = tmp_path / "prev.csv"  # what is inside counts, not what it is called
        for data in (SAMPLES[name], gzip.compress(SAMPLES[name])):
            if reader == "page" and data != SAMPLES[name]:
                continue
            file.write_bytes(data)
            with pytest.raises(ReadError, match=f"this seems to be {name}"):
                READERS[reader](file)


@pytest.mark.parametrize(
    "reader", [reader for reader in READERS if reader not in ("page", "server")]
)
def test_a_directory_is_no_file(reader: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="this is a directory, not a file\n  help: give a file"):
        READERS[reader](tmp_path)


def test_what_is_named_parquet_is_looked_into(tmp_path: Path) -> None:
    file = tmp_path / "kb.parquet"
    file.write_bytes(bz2.compress(SAMPLES["an Excel workbook"]))
    with pytest.raises(ReadError, match="an Excel workbook"):
        read(file)
