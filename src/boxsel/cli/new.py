"""`boxsel new`: a file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from boxsel.cli.command import argument, command
from boxsel.cli.output import emit, report, start_file
from boxsel.formats.source import STDIN

START: Final = """\
# A knowledge base: what is known about groups, one statement a line.
# Everything after a # is a comment. Replace the examples by what you know.

# Every diabetic is an adult here: one group is a part of another.
Diabetic SubClassOf Adult

# Nobody is in both of these groups.
DisjointClasses: Smoker, NeverSmoker

# Shares: (D | C)[p] says that a share p of C is D.
(Smoker | Adult)[0.2]
(Diabetic | Adult)[7%, 9%]                 # between these two
(Obese | Diabetic)[412 of 1000]  ## source: a survey; counts stay counts

# A group can be described: `and` for both, `some` for what something is linked to.
(Diabetic | Adult and Obese)[0.15, 0.3]
(hasParent some Diabetic | Diabetic)[0.4, 0.6]

# Names with spaces stand in quotes.
'Type 2 diabetes' SubClassOf Diabetic

# Then ask, in a shell:
#   boxsel check FILE
#   boxsel ask FILE "(Obese | Adult)"
"""


@command("boxsel new mine.sel")
def new(
    *, file: str = argument("The file to start, such as mine.sel; - prints it.", "FILE")
) -> None:
    """Start a knowledge base: a file with an example of each kind of statement, and comments."""
    if file == STDIN:
        emit(START)
        return
    content = START.replace("FILE", Path(file).name).encode()
    start_file(file, ".sel", content, "comments are kept in .sel only: try {}")
    report(f"{file}: open it in an editor, or with `boxsel serve {file}`")
