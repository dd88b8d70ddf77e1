"""What a file is that is not text, by its first bytes, whatever it is called.

People give what they have: a workbook, an archive, a database. What is recognised here is refused
with what to do about it, by every reader that does not expect it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boxsel.errors import Diagnostic, ReadError

LOOK: Final = 1 << 16
"""How many bytes are looked at: the names of what is in an archive are among them."""

_CONTROL: Final = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r")
_SHEET: Final = "save the sheet as CSV: File > Save As > CSV UTF-8 (comma delimited)"
_PICTURE: Final = "give the text or the table that it shows"
_UNPACK: Final = "unpack it and give the file in it, plain or compressed with gzip or bzip2"
_EXPORT: Final = "write it as CSV in the program that made it"
_TABLES: Final = "write the table in it as CSV"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file that is no text.

    It has the magic at an offset, one of the bytes `after` it, and somewhere near the start what is
    `inside`, unless these are empty.
    """

    name: str
    advice: str
    magic: bytes
    offset: int = 0
    after: bytes = b""
    inside: bytes = b""

    def matches(self, data: bytes) -> bool:
        """Whether bytes at the start of a file are such a file's."""
        end = self.offset + len(self.magic)
        return (
            data[self.offset : end] == self.magic
            and (not self.after or (end < len(data) and data[end] in self.after))
            and self.inside in data[:LOOK]
        )


PARQUET: Final = Kind("a Parquet file", _TABLES, b"PAR1", after=_CONTROL)  # PAR1 may be a column
DUCKDB: Final = Kind("a DuckDB database", _TABLES, b"DUCK", offset=8, inside=b"\0")

EXCEL: Final = Kind("an Excel workbook", _SHEET, b"PK\x03\x04", inside=b"xl/w")
CALC: Final = Kind(
    "an OpenDocument spreadsheet, of LibreOffice say",
    "save the sheet as CSV: File > Save As > Text CSV, with the character set UTF-8",
    b"PK\x03\x04",
    inside=b"application/vnd.oasis.opendocument.spreadsheet",
)
OLD_OFFICE: Final = Kind("an old Excel or Word file", _SHEET, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

KINDS: Final = (
    PARQUET,
    DUCKDB,
    EXCEL,
    CALC,
    Kind(
        "an OpenDocument file, of LibreOffice say",
        "save it as plain text in UTF-8",
        b"PK\x03\x04",
        inside=b"application/vnd.oasis.opendocument",
    ),
    Kind("a Word document", "save it as plain text in UTF-8", b"PK\x03\x04", inside=b"word/"),
    Kind("a ZIP archive", _UNPACK, b"PK\x03\x04"),
    OLD_OFFICE,
    Kind("a PDF", _PICTURE, b"%PDF-"),
    Kind("a PNG image", _PICTURE, b"\x89PNG\r\n\x1a\n"),
    Kind("a JPEG image", _PICTURE, b"\xff\xd8\xff"),
    Kind("a GIF image", _PICTURE, b"GIF87a"),
    Kind("a GIF image", _PICTURE, b"GIF89a"),
    Kind("a TIFF image", _PICTURE, b"II*\0"),
    Kind("a TIFF image", _PICTURE, b"MM\0*"),
    Kind("a WebP image", _PICTURE, b"RIFF", inside=b"WEBP"),
    Kind(
        "a Python pickle",
        "pickles are never opened, since they can run anything: write it as CSV or Parquet",
        b"\x80",
        after=b"\2\3\4\5",
    ),
    Kind("an SQLite database", _TABLES, b"SQLite format 3\0"),
    Kind("an HDF5 file", _EXPORT, b"\x89HDF\r\n\x1a\n"),
    Kind("a NumPy array", _EXPORT, b"\x93NUMPY"),
    Kind("an Arrow or Feather file", "write it as Parquet or CSV", b"ARROW1\0"),
    Kind("an Avro file", _EXPORT, b"Obj\x01"),
    Kind("a file of R's data", _EXPORT, b"RDX", after=b"23"),
    Kind("a file of SPSS", _EXPORT, b"$FL2@(#)"),
    Kind("a file of Stata", _EXPORT, b"<stata_dta>"),
    Kind("a tar archive", _UNPACK, b"ustar", offset=257, inside=b"\0"),
    Kind("a 7z archive", _UNPACK, b"7z\xbc\xaf\x27\x1c"),
    Kind("a RAR archive", _UNPACK, b"Rar!\x1a\x07"),
    Kind("compressed with xz", _UNPACK, b"\xfd7zXZ\0"),
    Kind("compressed with zstd", _UNPACK, b"\x28\xb5\x2f\xfd"),
    # What is compressed once was unpacked before it comes here.
    Kind("compressed twice", "unpack it once", b"\x1f\x8b"),
    Kind("compressed twice", "unpack it once", b"BZh", after=b"123456789", inside=b"1AY&SY"),
    *(
        Kind(
            f"text in {name}, such as the Unicode text of Excel",
            f"save it as UTF-8: File > Save As > CSV UTF-8, or iconv -f {name} -t UTF-8",
            mark,
        )
        for name, mark in (
            ("UTF-32", b"\xff\xfe\0\0"),
            ("UTF-32", b"\0\0\xfe\xff"),
            ("UTF-16", b"\xff\xfe"),
            ("UTF-16", b"\xfe\xff"),
        )
    ),
)
"""The kinds, special ones before general ones: a workbook is an archive."""


def kind_of(data: bytes) -> Kind | None:
    r"""What uncompressed bytes at the start of a file are, if they are no text.

    Examples:
        >>> kind = kind_of(b"%PDF-1.7\n")
        >>> kind.name
        'a PDF'
        >>> kind_of(b"(B | A)[0.5]") is None
        True
    """
    return next((kind for kind in KINDS if kind.matches(data)), None)


def is_workbook(data: bytes) -> bool:
    """Whether uncompressed bytes are a workbook, whose sheets can be read."""
    return kind_of(data) in (EXCEL, CALC, OLD_OFFICE)


def refuse_binary(data: bytes, file: str | None) -> None:
    """Say what a file seems to be, and what to do, where text is expected and it is none."""
    kind = kind_of(data)
    if kind is not None:
        problem = f"this seems to be {kind.name}, which cannot be read here"
        raise ReadError(Diagnostic(problem, file, help=kind.advice))
