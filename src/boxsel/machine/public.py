"""Public names of a package, spelt once: in its stub, for type checkers and for Python alike.

A line `from boxsel.answer.ask import ask as ask` of `__init__.pyi` makes `ask` a name of the
package, which is imported when it is first used. `parse = parse_kb` gives an import another name.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

Attributes = tuple[Callable[[str], object], Callable[[], list[str]], list[str]]


def attach(
    package: str,
    file: str,
    *,
    older: Mapping[str, str] | None = None,
    rooms: Sequence[str] = (),
) -> Attributes:
    """`__getattr__`, `__dir__` and `__all__` of a package whose public names stand in its stub.

    Names that are no longer listed still work: `older` says what they are now, and what is public
    in `rooms`, packages inside, may be asked for here.
    """
    names = _public_names(Path(file).with_suffix(".pyi"))

    def find(name: str) -> object:
        if name in names:
            module, attribute = names[name]
            if module == package:  # a package inside
                return import_module(f"{package}.{attribute}")
            return getattr(import_module(module), attribute)
        if older is not None and name in older:
            module, _, attribute = older[name].rpartition(".")
            return getattr(import_module(module), attribute)
        if not name.startswith("_"):
            for room in map(import_module, rooms):
                if name in room.__all__:
                    return getattr(room, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def get(name: str) -> object:
        value = find(name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *names})

    return get, listed, sorted(names)


def _public_names(stub: Path) -> dict[str, tuple[str, str]]:
    """Each public name of a stub, with its module and the name that it has there."""
    imported: dict[str, tuple[str, str]] = {}
    names: dict[str, tuple[str, str]] = {}
    for node in ast.parse(stub.read_text("utf-8")).body:
        match node:
            case ast.ImportFrom(module=str(module), names=aliases):
                for alias in aliases:
                    imported[alias.name] = (module, alias.name)
                    if alias.asname is not None:
                        names[alias.asname] = (module, alias.name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=other)):
                names[name] = imported[other]
    return names
