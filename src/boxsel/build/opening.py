"""Bytes of a file, whatever it is packed in; nothing here knows what they mean."""

from __future__ import annotations

import bz2
import gzip
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.examples import locate
from boxsel.formats.source import BZIP2, GZIP, STDIN, unreadable

HEAD: Final = 1 << 18
"""How many bytes are looked at to find out what a file is."""

_PACKED: Final = {GZIP: "gzip", BZIP2: "bzip2"}


def local_path(given: str, folder: Path, number: int) -> Path:
    """The file itself; a pipe or standard input is first copied into the folder."""
    path, target = Path(locate(given)), folder / f"piped_{number}"
    if given == STDIN:
        return _copied(_parts(sys.stdin.buffer), target)
    try:
        with path.open("rb") as stream:
            return path if path.is_file() else _copied(_parts(stream), target)
    except (OSError, ValueError) as error:
        raise unreadable(given, error) from None


def packing(path: Path) -> str | None:
    """How a file is compressed, by its first bytes."""
    with path.open("rb") as stream:
        start = stream.read(4)
    return next((name for magic, name in _PACKED.items() if start.startswith(magic)), None)


@contextmanager
def opened(path: Path, file: str) -> Iterator[IO[bytes]]:
    """The uncompressed bytes of a file; damage found while reading is one clear error."""
    packed = None
    try:
        packed = packing(path)
        with _unpacked(path, packed) as stream:
            yield stream
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise damaged(file, str(error)) from None
    except OSError as error:
        if packed and error.errno is None:
            raise damaged(file, str(error)) from None
        raise unreadable(file, error) from None


def _unpacked(path: Path, packed: str | None) -> IO[bytes]:
    if packed == "gzip":
        return cast(IO[bytes], gzip.open(path))
    return bz2.open(path) if packed == "bzip2" else path.open("rb")


def damaged(file: str, reason: str = "") -> ReadError:
    """The error for compressed data that ends too early or is not what it seems."""
    why = f" ({reason})" if reason else ""
    shown = "<stdin>" if file == STDIN else file
    return ReadError(Diagnostic(f"the compressed data is damaged or cut short{why}", shown))


def head(path: Path, file: str, size: int = HEAD) -> bytes:
    """The first bytes, uncompressed."""
    with opened(path, file) as stream:
        return stream.read(size)


def plain(path: Path, file: str, folder: Path, name: str) -> Path:
    """A file that DuckDB can read with the same contents: it cannot unpack bzip2."""
    if packing(path) != "bzip2":
        return path
    with opened(path, file) as stream:
        return _copied(_parts(stream), folder / f"unpacked_{name}")


def has_mixed_ends(path: Path, file: str) -> bool:
    """Whether lines end in different ways.

    DuckDB then gives up, or finds quotation marks that are not closed.
    """
    ends, windows = 0, 0
    with opened(path, file) as stream:
        last = b""
        for part in _parts(stream):
            ends += part.count(b"\n")
            windows += part.count(b"\r\n") + (last == b"\r" and part.startswith(b"\n"))
            if 0 < windows < ends:
                return True
            last = part[-1:]
    return False


def with_equal_ends(path: Path, file: str, folder: Path, name: str) -> Path:
    """A copy, unpacked, in which all lines end alike."""
    with opened(path, file) as stream:
        lines = (line.rstrip(b"\r\n").replace(b"\r", b" ") + b"\n" for line in stream)
        return _copied(lines, folder / f"lines_{name}")


def remove_copies(folder: Path, name: str) -> None:
    """Remove the copies of a file that was read into a table."""
    for kind in ("unpacked", "lines"):
        (folder / f"{kind}_{name}").unlink(missing_ok=True)


def _parts(stream: IO[bytes]) -> Iterable[bytes]:
    return iter(lambda: stream.read(1 << 20), b"")


def _copied(parts: Iterable[bytes], target: Path) -> Path:
    """Write parts of a file that is only ours; errors of reading are not ours."""
    try:
        copy = target.open("wb")
    except OSError as error:
        raise _unwritable(target, error) from None
    with copy:
        for part in parts:
            try:
                copy.write(part)
            except OSError as error:
                raise _unwritable(target, error) from None
    return target


def _unwritable(target: Path, error: OSError) -> BoxselError:
    return BoxselError(
        f"{target}: cannot be written: {error.strerror or error}\n"
        "  help: free some space, or let TMPDIR (for a graph also --work) name a folder with more"
    )


def text_lines(path: Path, file: str) -> Iterator[str]:
    """The lines of a file, whatever bytes they hold."""
    with opened(path, file) as stream:
        for line in stream:
            yield line.decode("utf-8", errors="replace").rstrip("\r\n")
