"""`boxsel template`: a table to fill in."""

from __future__ import annotations

from typing import Final

from boxsel.cli.command import argument, command
from boxsel.cli.output import emit, report, start_file
from boxsel.formats.source import STDIN

ROWS: Final = """\
group,kind,of,percent,lower,upper,n,N,source
Diabetes,share of,Adult,9.5,,,,,a number alone
Obese,share of,Diabetes,,38,44,,,between two numbers
Smoker,share of,Diabetes,,,,112,800,a sample: 112 of 800
Smoker,share of,Obese and Diabetes,21,,,,,of those who are both
Diabetes,subclass of,Adult,,,,,,every diabetic here is an adult
Smoker,disjoint with,Never smoked,,,,,,nobody is both
"""
_MARK: Final = b"\xef\xbb\xbf"  # Excel takes a file without it for another encoding than UTF-8


@command("boxsel template study.csv")
def template(
    *, file: str = argument("The table to start, such as study.csv; - prints it.", "[FILE]", STDIN)
) -> None:
    """Start a table to fill in with a spreadsheet: an example of each kind of row."""
    if file == STDIN:
        emit(ROWS)
        return
    unfit = "a template is written as .csv: try {}, which spreadsheets open and save"
    start_file(file, ".csv", _MARK + ROWS.encode(), unfit)
    report(f"{file}: fill it in with a spreadsheet, then `boxsel check {file}`")
