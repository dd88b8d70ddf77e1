"""Where bytes come from and go to: files, standard input, compression, encodings.

Nothing here knows what the bytes mean.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import os
import re
import sys
import tempfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from boxsel.errors import Diagnostic, ReadError, WriteError
from boxsel.examples import locate
from boxsel.formats.kinds import refuse_binary

STDIN = "-"
GZIP = b"\x1f\x8b"
BZIP2 = b"BZh"
WINDOWS: Final = "cp1252"
_MARKS: Final = (
    (b"\xff\xfe\0\0", "utf-32"),  # which also begins as UTF-16 does
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_NO_TEXT: Final = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r") + bytes(
    byte for byte in range(128, 160) if not bytes([byte]).decode(WINDOWS, errors="ignore")
)
"""What stands in no text in Windows-1252."""
_SAVE: Final = "save the file as UTF-8"
_SHOWN: Final = 1 << 16
"""In so many characters words are looked for that are not ASCII."""


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
    """Text in UTF-8, or in UTF-16 or UTF-32 with a byte order mark; without the mark and NUL."""
    marked = marked_encoding(data)
    if marked is not None:
        return _decode_marked(data, marked, file)
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
        advice = f"{_SAVE} (it may be Latin-1, or not text at all)"
    line = data.count(b"\n", 0, place) + 1
    # The column counts bytes, since there may be no characters.
    column = place - data.rfind(b"\n", 0, place)
    raise ReadError(Diagnostic(problem, file=file, line=line, column=column, help=advice))


def _decode_marked(data: bytes, encoding: str, file: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        problem = f"the file begins as text in {encoding.upper()}, and is none from {{}} on"
        where = f"byte {error.start + 1:,}"
        raise ReadError(Diagnostic(problem.format(where), file, help=_SAVE)) from None
    if "\0" in text:
        problem = f"there is a NUL character in what begins as text in {encoding.upper()}"
        raise ReadError(Diagnostic(problem, file, help=_SAVE))
    return text


def marked_encoding(data: bytes) -> str | None:
    r"""The encoding that a byte order mark at the start names, if it is not UTF-8.

    Examples:
        >>> marked_encoding("A".encode("utf-16")), marked_encoding(b"A") is None
        ('utf-16', True)
    """
    return next((name for mark, name in _MARKS if data.startswith(mark)), None)


def opening(data: bytes, length: int) -> str:
    """The start of bytes that may be text, in whatever encoding; broken characters are replaced."""
    encoding = marked_encoding(data) or "utf-8-sig"
    return data[:length].decode(encoding, errors="replace").lstrip()


def decode_table(data: bytes, file: str) -> tuple[str, str | None]:
    r"""The same of a table, which Excel may have saved in Windows-1252; that is remarked.

    Text is taken for that only where nothing in it is UTF-8 beyond ASCII.

    Examples:
        >>> print(*decode_table("Männer;30".encode("cp1252"), "men.csv"), sep="\n")
        Männer;30
        this is not UTF-8, and read as Windows-1252 (Männer); if that is wrong, save it as UTF-8
    """
    if marked_encoding(data) is None and not _is_utf8(data) and is_windows(data):
        refuse_binary(data, file)
        text = data.decode(WINDOWS)
        return text, windows_remark(text)
    return decode(data, file), None


def windows_remark(text: str) -> str:
    """That a text was read as Windows-1252, with words that show whether this is right."""
    found = re.findall(r"[^\s,;|\"]*[^\x00-\x7f][^\s,;|\"]*", text[:_SHOWN])
    shown = f" ({', '.join(list(dict.fromkeys(found))[:3])})" if found else ""
    return f"this is not UTF-8, and read as Windows-1252{shown}; if that is wrong, save it as UTF-8"


def is_windows(data: bytes) -> bool:
    r"""Whether bytes that are no UTF-8 may be text in Windows-1252: no part of them is UTF-8.

    Examples:
        >>> is_windows("größer".encode("cp1252")), is_windows("größer".encode() + b"\xe4")
        (True, False)
    """
    if data.translate(None, _NO_TEXT) != data:
        return False
    read = data.decode("utf-8", errors="surrogateescape")
    return all(char < "\x80" or "\udc80" <= char <= "\udcff" for char in set(read))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


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
