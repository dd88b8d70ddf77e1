"""Bytes in and bytes out: whatever is wrong with a file is said, and nothing is lost."""

from __future__ import annotations

import bz2
import gzip
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import ReadError, WriteError
from boxsel.formats.source import Source, decode, decode_table, extension, load, write_atomically


def _problem(path: Path) -> str:
    with pytest.raises(ReadError) as caught:
        _ = load(path).text
    return str(caught.value)


def test_compressed_files_are_decompressed(tmp_path: Path) -> None:
    for name, compress in (
        ("a.sel", bytes),
        ("a.sel.gz", gzip.compress),
        ("a.sel.bz2", bz2.compress),
    ):
        path = tmp_path / name
        path.write_bytes(compress(b"A SubClassOf B"))
        source = load(path)
        assert source.text == "A SubClassOf B"
        assert extension(source.file) == ".sel"


def test_each_unreadable_thing_has_its_message(tmp_path: Path) -> None:
    assert "no such file" in _problem(tmp_path / "nowhere.sel")
    assert "a directory" in _problem(tmp_path)
    assert "cannot be read" in _problem(Path("a\0b"))
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"A SubClassOf B" * 100)[:40])
    assert "damaged or cut short" in _problem(cut)


def test_a_file_without_permission_is_said_to_be_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> bytes:  # root may read every file, so the refusal is acted out
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert "permission denied" in _problem(tmp_path / "secret.sel")


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        ("A\nB é".encode("latin-1"), ":2:3", "0xe9 is not valid UTF-8"),
        (b"A SubClassOf B\nA\0B", ":2:2", "a NUL character"),
        ("A".encode("utf-16") + b"B", "", "begins as text in UTF-16, and is none from byte"),
        ("A\0".encode("utf-32"), "", "a NUL character in what begins as text in UTF-32"),
        ("A".encode("utf-16-le"), ":1:2", "a NUL character"),
        (random.Random(0).randbytes(1_000_000), ":1:1", "is not valid UTF-8"),
    ],
)
def test_what_is_not_utf8_is_refused_with_its_place(data: bytes, place: str, message: str) -> None:
    with pytest.raises(ReadError) as caught:
        decode(data, "f")
    assert str(caught.value).startswith(f"f{place}: ")
    assert message in str(caught.value)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert Source("f", b"\xef\xbb\xbfA").text == "A"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@given(text=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_a_byte_order_mark_tells_the_encoding(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding), "f") == text


@given(text=st.text("abß 1,;\näöüé", min_size=1))
def test_tables_in_the_encoding_of_windows_are_read_and_that_is_said(text: str) -> None:
    found, remark = decode_table(text.encode("cp1252"), "f")
    assert found == text
    assert (remark is None) == text.isascii()


def test_a_table_that_is_utf8_but_for_a_part_is_broken() -> None:
    for data in ("größer".encode() + b"\xe4", b"a\xe4\x01", b"a\x81b"):
        with pytest.raises(ReadError, match="is not valid UTF-8"):
            decode_table(data, "f")


def test_a_file_is_written_whole_with_the_old_mode(tmp_path: Path) -> None:
    path = tmp_path / "kb.sel"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, b"new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["kb.sel"]


def test_who_reads_the_old_file_goes_on_reading_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "kb.sel"
    path.write_text("old " * 100_000)  # more than any buffer holds
    with path.open() as reader:
        assert reader.read(4) == "old "
        write_atomically(path, b"new")
        assert reader.read() == "old " * 99_999
    assert path.read_text() == "new"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_device_is_written_to() -> None:
    write_atomically("/dev/null", b"gone")
    assert not Path("/dev/null").is_file()


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kb.sel"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match="No space left on device"):
        write_atomically(path, b"new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["kb.sel"]


def test_a_full_device_and_a_missing_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="this is a directory"):
        write_atomically(tmp_path, b"x")
    with pytest.raises(WriteError, match="cannot be written: No such file"):
        write_atomically(tmp_path / "no" / "kb.sel", b"x")
    if Path("/dev/full").exists():
        with pytest.raises(WriteError, match="No space left"):
            write_atomically("/dev/full", b"x" * 100_000)
