"""Workbooks for tests, written by hand: no library that writes them is needed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

Cell = str | int | float | None
Sheets = Mapping[str, Sequence[Sequence[Cell]]]

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns"


def xlsx(sheets: Sheets, merged: Mapping[str, str] | None = None) -> bytes:
    """A workbook as Excel writes it; a sheet may have cells that are one."""
    numbers = range(1, len(sheets) + 1)
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="r{number}"/>'
        for number, name in zip(numbers, sheets, strict=True)
    )
    links = "".join(
        f'<Relationship Id="r{number}" Type="{_LINKS}/worksheet"'
        f' Target="worksheets/sheet{number}.xml"/>'
        for number in numbers
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1"'
        f' Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}">'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f"{links}</Relationships>",
    }
    for number, (name, rows) in zip(numbers, sheets.items(), strict=True):
        range_ = (merged or {}).get(name)
        one = f'<mergeCells><mergeCell ref="{range_}"/></mergeCells>' if range_ else ""
        inside = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
        files[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{inside}</sheetData>{one}</worksheet>'
        )
    return _packed(files)


def ods(sheets: Sheets) -> bytes:
    """A workbook as LibreOffice writes it."""
    tables = "".join(
        f"<table:table table:name={quoteattr(name)}>"
        + "".join(f"<table:table-row>{''.join(map(_own, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    spaces = " ".join(f'xmlns:{one}="{_OFFICE}:{one}:1.0"' for one in ("office", "table", "text"))
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return _packed(
        {
            "mimetype": kind,
            "content.xml": f"<office:document-content {spaces}><office:body><office:spreadsheet>"
            f"{tables}</office:spreadsheet></office:body></office:document-content>",
            "META-INF/manifest.xml": "<manifest/>",
        }
    )


def _cell(value: Cell) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return f"<c><v>{value!r}</v></c>"


def _own(value: Cell) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, str):
        return (
            '<table:table-cell office:value-type="string">'
            f"<text:p>{escape(value)}</text:p></table:table-cell>"
        )
    return (
        f'<table:table-cell office:value-type="float" office:value="{value!r}">'
        f"<text:p>{value}</text:p></table:table-cell>"
    )


def _packed(files: Mapping[str, str]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return written.getvalue()
