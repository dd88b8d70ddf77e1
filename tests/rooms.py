"""The contract of the house: its rooms in the order in which data flows, and who may use whom.

A room uses the rooms above it in the list, and none below: not at the top of a file, not in a
function, not for types alone. `python -m tests.rooms` writes the table of docs/architecture.md.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
PAGE = ROOT / "docs" / "architecture.md"
START, END = "<!-- rooms: python -m tests.rooms -->\n", "<!-- end of rooms -->\n"

GROUND = ("_version", "errors", "wording", "machine")
"""What every room may stand on."""
ROOMS = (
    *GROUND,
    "logic",
    "sampling",
    "precision",
    "summary",
    "difference",
    "union",
    "pictures",
    "syntax",
    "examples",
    "schemas",
    "formats",
    "checker",
    "normal",
    "rules",
    "exact.compile",
    "exact.types",
    "exact.lp",
    "exact.ways",
    "exact",
    "people",
    "models",
    "advice",
    "answer",
    "comparison",
    "build",
    "reversals",
    "evaluation",
    "serve",
    "cli",
)
"""From text to answers; a dotted room is a part of the room before the dot."""
DOORS = {"boxsel", "boxsel.__main__", "boxsel.results"}
"""What only hands on what others have: the public names, and the command line."""
TURNS = {"boxsel.logic.kb": {"syntax", "formats", "exact", "answer"}}
"""The one turn back: methods of a `KB` lead to what can be asked about it."""


@dataclass(frozen=True)
class Import:
    """That one module imports another."""

    user: str
    used: str

    @property
    def rooms(self) -> tuple[str, str]:
        """The rooms of both."""
        return room(self.user), room(self.used)

    @property
    def goes_back(self) -> bool:
        """Whether it is of a room that comes later."""
        here, there = self.rooms
        return ROOMS.index(there) > ROOMS.index(here) and there not in TURNS.get(self.user, ())


def room(module: str) -> str:
    """The room of a module: the longest that its name begins with."""
    name = module.removeprefix("boxsel.") + "."
    return max((one for one in ROOMS if name.startswith(f"{one}.")), key=len)


def modules() -> dict[str, Path]:
    """The modules of the package, with their files."""
    found = {}
    for path in sorted((SOURCE / "boxsel").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


def imports() -> Iterator[Import]:
    """Every import of a module of ours by another, wherever it stands."""
    known = modules()
    for module in known.keys() - DOORS:
        for node in ast.walk(ast.parse(known[module].read_text("utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{module} imports by relative names"
                inside = [f"{node.module}.{alias.name}" for alias in node.names]
                names = [name if name in known else node.module or "" for name in inside]
            for name in names:
                if name.startswith("boxsel.") and name in known:
                    yield Import(module, name)


def table() -> str:
    """The rooms with what they hold, in their own words, and what they use."""
    known = modules()
    uses: dict[str, set[str]] = {one: set() for one in ROOMS}
    for each in imports():
        here, there = each.rooms
        if here != there and there not in GROUND:
            uses[here].add(there)
    lines = ["| room | holds | uses |", "|---|---|---|"]
    for one in ROOMS:
        text = ast.get_docstring(ast.parse(known[f"boxsel.{one}"].read_text("utf-8"))) or ""
        holds = " ".join(text.split("\n\n")[0].split()).replace("|", "\\|").removesuffix(".")
        used = ", ".join(f"`{name}`" for name in ROOMS if name in uses[one])
        lines.append(f"| `{one}` | {holds} | {used} |")
    return "".join(f"{line}\n" for line in lines)


def page() -> str:
    """The page about the architecture with the table as it is now."""
    before, rest = PAGE.read_text("utf-8").split(START)
    _, after = rest.split(END)
    return before + START + table() + END + after


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
