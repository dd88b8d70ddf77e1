"""The public names are there, and what is not needed at once is not loaded at once."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType

import pytest

import boxsel

ROOMS = ("logic", "results", "models", "reversals", "evaluation", "build")
HEAVY = (
    "lark",
    "scipy",
    "numpy",
    "ortools",
    "flint",
    "pyhornedowl",
    "pyoxigraph",
    "rich",
    "typer",
    "jax",
    "duckdb",
    "pandas",
)


def test_every_public_name_is_there() -> None:
    for name in boxsel.__all__:
        assert getattr(boxsel, name) is not None, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        boxsel.nothing  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_of_a_room_is_there(room: str) -> None:
    names = getattr(boxsel, room).__all__
    assert names
    for name in names:
        assert getattr(getattr(boxsel, room), name) is not None, name


@pytest.mark.parametrize("name", ["And", "Conditional", "Choices", "KBReversal", "build_graph"])
def test_older_spellings_still_work(name: str) -> None:
    assert name not in boxsel.__all__
    assert getattr(boxsel, name) is not None


def test_what_public_functions_take_and_return_is_public() -> None:
    rooms = [boxsel, *(getattr(boxsel, room) for room in ROOMS)]
    public = {id(getattr(room, name)) for room in rooms for name in room.__all__}
    hidden: set[str] = set()
    for room in rooms:
        for name in room.__all__:
            value = getattr(room, name)
            if inspect.isfunction(value):
                hidden.update(
                    f"{name}: {kind.__module__}.{kind.__qualname__}"
                    for kind in named_in(hints_of(value))
                    if kind.__module__.startswith("boxsel.") and id(kind) not in public
                )
    assert not hidden, sorted(hidden)


def hints_of(function: FunctionType) -> dict[str, object]:
    """The annotations of a function, also those of which the names are imported for types alone."""
    tree = ast.parse(inspect.getsource(sys.modules[function.__module__]))
    known: dict[str, object] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.asname or alias.name for alias in node.names]
            known |= {
                name: import_module(name) for name in names if "." not in name and name != "np"
            }
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            module = import_module(node.module)
            known |= {
                alias.asname or alias.name: getattr(module, alias.name, None)
                for alias in node.names
            }
    return typing.get_type_hints(function, localns=known)


def named_in(hints: object) -> Iterator[type]:
    """The classes in annotations."""
    if isinstance(hints, dict):
        for hint in hints.values():
            yield from named_in(hint)
    elif isinstance(hints, type) and not typing.get_args(hints):
        yield hints
    else:
        origin = typing.get_origin(hints)
        if isinstance(origin, type):
            yield origin
        for part in typing.get_args(hints):
            yield from named_in(part)


def test_the_public_names_are_listed_before_they_are_used() -> None:
    check = (
        "import boxsel; listed = dir(boxsel);"
        "print(*[name for name in (*boxsel.__all__, 'examples', 'schemas') if name not in listed])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("room", ["", *ROOMS])
def test_no_public_value_has_the_name_of_a_module(room: str) -> None:
    """Whoever imports a module puts it in the place of what has its name."""
    package = getattr(boxsel, room) if room else boxsel
    if not hasattr(package, "__path__"):
        return  # a module has no modules inside
    for name in package.__all__:
        if not inspect.ismodule(getattr(package, name)):
            assert find_spec(f"{package.__name__}.{name}") is None, name


def test_packages_for_users_are_opened_by_their_names() -> None:
    check = "import boxsel; print(boxsel.examples.load('applicant'), *boxsel.schemas.names())"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert "conditional" in done.stdout
    assert "bounds" in done.stdout.split()


def test_the_tour_of_the_spec_runs() -> None:
    kb = boxsel.parse("(B | A and C)[7 of 12]\nA SubClassOf C")
    assert boxsel.summarize(kb).counts == 1
    assert boxsel.normalize(kb).origin
    assert boxsel.saturate(kb).consistent
    read, coverage = boxsel.read_counts(kb, boxsel.Reading(0.95))
    assert coverage.counts == 1
    assert not boxsel.diff(kb, read).same


@pytest.mark.parametrize(
    "code",
    [
        "import boxsel",
        "import boxsel.cli.app",
        "import boxsel; boxsel.normalize(boxsel.parse('(B | A and C)[0.5]'))",
    ],
)
def test_heavy_libraries_wait_until_they_are_needed(code: str) -> None:
    check = f"{code}; import sys; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    allowed = {"typer"} if "cli" in code else set()
    assert set(done.stdout.split()) <= allowed
