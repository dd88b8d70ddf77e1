"""Which cells of a workbook are shown as percentages: what is 0.3 inside stands there as 30 %.

The reader of workbooks gives numbers without their formats. Those of Excel's workbooks (`.xlsx`)
and of LibreOffice's (`.ods`) are looked up in the file's own XML; of others nothing is known.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from itertools import product
from typing import Final
from xml.etree import ElementTree

Place = tuple[int, int]
"""The row and the column of a cell, from 0."""

_MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_BUILT_IN: Final = frozenset((9, 10))
"""The numbers of the formats `0%` and `0.00%`, which no file spells out."""
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_REFERENCE = re.compile(r"([A-Z]+)([0-9]+)")
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"


def percent_cells(data: bytes, sheet: str, size: Place) -> frozenset[Place]:
    """The cells of a sheet of some size that are shown as percentages, as far as that is known."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = frozenset(archive.namelist())
            if "content.xml" in names:
                return frozenset(_of_calc(archive, sheet, size))
            if "xl/styles.xml" in names:
                return frozenset(_of_excel(archive, sheet))
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, ValueError):
        pass  # the reader of workbooks knows better what is wrong, if anything is
    return frozenset()


def _of_excel(archive: zipfile.ZipFile, sheet: str) -> Iterator[Place]:
    styles = ElementTree.fromstring(archive.read("xl/styles.xml"))
    codes = {
        int(one.get("numFmtId", "0")): _LITERAL.sub("", one.get("formatCode", ""))
        for one in styles.iter(f"{_MAIN}numFmt")
    }
    percents = _BUILT_IN | {number for number, code in codes.items() if "%" in code}
    formats = styles.find(f"{_MAIN}cellXfs")
    shown = {
        str(place)
        for place, one in enumerate(formats if formats is not None else ())
        if int(one.get("numFmtId", "0")) in percents
    }
    if not shown:
        return
    with archive.open(_sheet_path(archive, sheet)) as stream:
        for _, element in ElementTree.iterparse(stream):
            if element.tag == f"{_MAIN}c" and element.get("s") in shown:
                found = _REFERENCE.fullmatch(element.get("r", ""))
                if found:
                    yield int(found[2]) - 1, _column(found[1])
            if element.tag == f"{_MAIN}row":
                element.clear()


def _sheet_path(archive: zipfile.ZipFile, sheet: str) -> str:
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    links = {one.get(_LINK) for one in book.iter(f"{_MAIN}sheet") if one.get("name") == sheet}
    parts = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    target = next(one.get("Target", "") for one in parts if one.get("Id") in links)
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _column(letters: str) -> int:
    """The number of a column, from 0: `A` is 0, `AA` is 26."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _of_calc(archive: zipfile.ZipFile, sheet: str, size: Place) -> Iterator[Place]:
    content = ElementTree.fromstring(archive.read("content.xml"))
    for table in content.iter(f"{_TABLE}table"):
        if table.get(f"{_TABLE}name") != sheet:
            continue
        line = 0
        for row in table.iter(f"{_TABLE}table-row"):
            repeated = int(row.get(f"{_TABLE}number-rows-repeated", "1"))
            place = 0
            for cell in row:
                width = int(cell.get(f"{_TABLE}number-columns-repeated", "1"))
                if cell.get(f"{_OFFICE}value-type") == "percentage":
                    yield from product(
                        range(line, min(line + repeated, size[0])),
                        range(place, min(place + width, size[1])),
                    )
                place += width
            line += repeated
