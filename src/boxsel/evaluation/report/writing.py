"""The report as files."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from boxsel.errors import WriteError
from boxsel.evaluation.records import Results
from boxsel.evaluation.report.composing import composed
from boxsel.evaluation.report.csv_form import csv_text
from boxsel.evaluation.report.html import page
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.markdown import markdown
from boxsel.formats.source import write_atomically
from boxsel.machine.extras import needing
from boxsel.pictures.chart import Chart

FOLDERS: Final = ("tables", "figures")
_LINKS: Final = re.compile(r"\]\(((?:tables|figures)/[\w.-]+)\)")


def write_report(
    results: Results, info: RunInfo, folder: str | os.PathLike[str]
) -> tuple[Path, ...]:
    """Write `report.md`, `report.html`, `tables/*.csv` and `figures/*.svg`, `*.png`.

    Each file is written whole or not at all, and the same results give the same bytes. An earlier
    report in the folder is replaced: what it linked to and this one does not is removed. Gives the
    paths of what was written.

    Raises:
        WriteError: The folder cannot be written.
        BoxselError: matplotlib is not installed.
    """
    contents = report_files(results, info)
    target = Path(folder)
    try:
        for name in FOLDERS:
            (target / name).mkdir(parents=True, exist_ok=True)
        old = _linked(target / "report.md")
    except OSError as error:
        raise WriteError(f"{target}: cannot be written: {error.strerror or error}") from None
    for name, data in contents.items():
        write_atomically(target / name, data)
    for name in old - contents.keys():
        (target / name).unlink(missing_ok=True)
    return tuple(target / name for name in contents)


def report_files(results: Results, info: RunInfo) -> dict[str, bytes]:
    """The files of a report by their names, relative to its folder; the report itself comes last.

    Raises:
        BoxselError: matplotlib is not installed.
    """
    report = composed(results, info)
    found: dict[str, bytes] = {}
    drawings: dict[str, str] = {}
    for chart in report.charts:
        vector, pixels = _drawn(chart)
        drawings[chart.key] = vector.decode()
        found[f"figures/{chart.key}.svg"] = vector
        found[f"figures/{chart.key}.png"] = pixels
    for table in report.tables:
        found[f"tables/{table.key}.csv"] = csv_text(table).encode()
    found["report.html"] = page(report, drawings).encode()
    found["report.md"] = markdown(report).encode()
    return found


def required_matplotlib() -> None:
    """See that charts can be drawn.

    Raises:
        BoxselError: matplotlib is not installed.
    """
    with needing("matplotlib", "plots", "the figures of a report"):
        import boxsel.pictures.panels  # noqa: F401


def _drawn(chart: Chart) -> tuple[bytes, bytes]:
    required_matplotlib()
    from boxsel.pictures.panels import draw_chart

    return draw_chart(chart)


def _linked(report: Path) -> set[str]:
    """The files that an earlier report belongs to."""
    if not report.is_file():
        return set()
    return set(_LINKS.findall(report.read_text("utf-8", errors="replace")))
