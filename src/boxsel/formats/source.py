"""Where bytes come from and go to: files, standard input, compression, encodings.

Nothing here knows what the bytes mean.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import os
import sys
import tempfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from boxsel.errors import Diagnostic, ReadError, WriteError
from boxsel.examples import locate
from boxsel.formats.kinds import refuse_binary

STDIN = "-"
GZIP = b"\x1f\x8b"
BZIP2 = b"BZh"


@dataclass(frozen=True)
class Source:
    """Uncompressed bytes, and the file name that errors should give for them."""

    file: str
    data: bytes

    @cached_property
    def text(self) -> str:
        """The bytes as UTF-8 text, without a byte order mark; an error says where they are not."""
        return decode(self.data, self.file)


def extension(file: str) -> str:
    """The extension in lower case, before that of any compression.

    Examples:
        >>> extension("facts.NT.gz"), extension("graph.parquet"), extension("plain")
        ('.nt', '.parquet', '')
    """
    path = Path(file.lower())
    return Path(path.stem).suffix if path.suffix in (".gz", ".bz2") else path.suffix


def load(path: str | os.PathLike[str]) -> Source:
    """The contents of a file, decompressed if it is gzip or bzip2.

    `-` is standard input, `example:NAME` an example that comes with boxsel.
    """
    file = os.fspath(path)
    if file == STDIN:
        return Source("<stdin>", decompress(sys.stdin.buffer.read(), "<stdin>"))
    try:
        data = Path(locate(file)).read_bytes()
    except (OSError, ValueError) as error:
        raise unreadable(file, error) from None
    return Source(file, decompress(data, file))


def unreadable(file: str, error: OSError | ValueError) -> ReadError:
    """The error for a file that cannot be opened."""
    file = "<stdin>" if file == STDIN else file
    if isinstance(error, FileNotFoundError):
        return ReadError(Diagnostic("there is no such file", file))
    if isinstance(error, IsADirectoryError):
        advice = "give a file that is in it"
        return ReadError(Diagnostic("this is a directory, not a file", file, help=advice))
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return ReadError(
        Diagnostic(f"this file cannot be read: {reason[:1].lower()}{reason[1:]}", file)
    )


def decompress(data: bytes, file: str, most: int | None = None) -> bytes:
    """The bytes, decompressed if they are gzip or bzip2.

    Of those that unpack to more than `most` bytes, one more than that: small files can be bombs.
    """
    reader = gzip.open if data.startswith(GZIP) else bz2.open if data.startswith(BZIP2) else None
    if reader is None:
        return data
    try:
        with reader(io.BytesIO(data)) as stream:
            plain: bytes = stream.read(-1 if most is None else most + 1)
            return plain
    except (OSError, EOFError, ValueError, zlib.error) as error:
        problem = f"the compressed data is damaged or cut short ({error})"
        raise ReadError(Diagnostic(problem, file=file)) from None


def decode(data: bytes, file: str) -> str:
    """UTF-8 text, without a byte order mark and without NUL."""
    refuse_binary(data, file)
    try:
        text = data.decode("utf-8-sig")
        place = data.find(b"\0")
        if place < 0:
            return text
        problem = "there is a NUL character, which no text file holds"
        advice = "the file may be binary, or UTF-16 without a byte order mark"
    except UnicodeDecodeError as error:
        place = error.start
        problem = f"the byte 0x{data[place]:02x} is not valid UTF-8"
        advice = "save the file as UTF-8 (it may be Latin-1, or not text at all)"
    line = data.count(b"\n", 0, place) + 1
    # The column counts bytes, since there may be no characters.
    column = place - data.rfind(b"\n", 0, place)
    raise ReadError(Diagnostic(problem, file=file, line=line, column=column, help=advice))


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse what cannot be a file, before the work whose result should go there."""
    target = Path(path)
    if target.is_dir():
        raise WriteError(f"{target}: this is a directory, give a file name")
    if not target.resolve().parent.is_dir():
        raise WriteError(f"{target}: cannot be written: {os.strerror(errno.ENOENT)}")


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all: a failure leaves the old file as it was."""
    check_writable(path)
    target = Path(path)
    # A symbolic link or a device keeps being one: the file behind it is what is replaced.
    resolved = target.resolve()
    try:
        if resolved.exists() and not resolved.is_file():
            resolved.write_bytes(data)
            return
        descriptor, temporary = tempfile.mkstemp(dir=resolved.parent, prefix=f".{resolved.name}.")
    except OSError as error:
        raise WriteError(f"{target}: cannot be written: {error.strerror or error}") from None
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        mode = resolved.stat().st_mode & 0o777 if resolved.exists() else 0o666 & ~_umask()
        Path(temporary).chmod(mode)
        Path(temporary).replace(resolved)
    except OSError as error:
        raise WriteError(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
