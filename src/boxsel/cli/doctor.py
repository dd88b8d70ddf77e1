"""`boxsel doctor`: what is installed here, and whether it works."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import typer

from boxsel._version import __version__
from boxsel.cli.command import command
from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import JSON
from boxsel.cli.output import emit_json, emit_table
from boxsel.errors import BoxselError

_RENAMED: Final = {
    "py-horned-owl": "pyhornedowl",
    "python-calamine": "python_calamine",
    "python-flint": "flint",
}
"""Packages whose modules are called otherwise."""
NEEDED: Final = (
    *("duckdb", "jax", "joblib", "lark", "numpy", "optax", "ortools", "py-horned-owl"),
    *("pyoxigraph", "python-calamine", "python-flint", "rich", "safetensors", "scipy"),
    *("threadpoolctl", "typer"),
)
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "gpu": (),
    "plots": ("matplotlib",),
    "spark": ("pyspark",),
    "tuning": ("optuna",),
    "web": ("fastapi", "nicegui", "uvicorn"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was tried: what it is, and what is wrong with it, if anything."""

    name: str
    found: str
    problem: str = ""

    @property
    def row(self) -> tuple[str, str]:
        """The finding for people."""
        shown = (self.found, f"does not work: {self.problem}") if self.problem else (self.found,)
        return f"  {self.name}", ", ".join(filter(None, shown))


@command("boxsel doctor")
def doctor(*, as_json: bool = JSON) -> None:
    """Say which versions, devices and extras are here, and whether they work."""
    needed = [*map(_package, NEEDED), _tried("an answer", _answer)]
    devices = _tried("devices", _devices)
    extras = [_extra(name, packages) for name, packages in EXTRAS.items()]
    here = {
        "boxsel": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": os.cpu_count() or 1,
    }
    works = not any(finding.problem for finding in (*needed, devices))
    if as_json:
        found = {"needed": needed, "devices": [devices], "extras": extras}
        lists = {
            name: [asdict(finding) for finding in findings] for name, findings in found.items()
        }
        emit_json({**here, "works": works, **lists})
    else:
        emit_table(_rows(here, needed, devices, extras), title="what boxsel finds here")
    raise typer.Exit(ANSWERED if works else NO)


def _rows(
    here: Mapping[str, object], needed: list[Finding], devices: Finding, extras: list[Finding]
) -> Iterator[tuple[str, str]]:
    yield from ((name, str(value)) for name, value in here.items())
    yield "devices", devices.row[1]
    yield "needed", ""
    yield from (finding.row for finding in needed)
    yield "extras", "pip install 'boxsel[NAME]' adds one"
    yield from (extra.row for extra in extras)


def _tried(name: str, attempt: Callable[[], str]) -> Finding:
    """What an attempt finds; whatever goes wrong is a finding too."""
    try:
        return Finding(name, attempt())
    except BoxselError as error:
        return Finding(name, "", str(error))
    except Exception as error:  # a broken library may raise anything
        return Finding(name, "", " ".join(f"{type(error).__name__}: {error}".split()))


def _package(name: str) -> Finding:
    """A package: its version, and whether it can be loaded."""
    try:
        installed = version(name)
    except PackageNotFoundError:
        return Finding(name, "", "it is not installed")
    return Finding(name, installed, _tried(name, lambda: _load(name)).problem)


def _load(package: str) -> str:
    return import_module(_RENAMED.get(package, package)).__name__


def _extra(name: str, packages: tuple[str, ...]) -> Finding:
    """An extra: the versions of its packages, and whether it can be used."""
    if name == "gpu":
        return _tried(name, _gpu)
    findings = list(map(_package, packages))
    problems = [f"{finding.name}: {finding.problem}" for finding in findings if finding.problem]
    if name == "spark" and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        problems.append("there is no Java: install Java 17, or set JAVA_HOME")
    versions = ", ".join(f"{finding.name} {finding.found}" for finding in findings if finding.found)
    return Finding(name, versions, "; ".join(problems))


def _devices() -> str:
    """Where ensembles can be trained."""
    import jax

    from boxsel.models.devices import device_name

    return ", ".join(map(device_name, jax.devices()))


def _gpu() -> str:
    from boxsel.models.devices import on_device

    with on_device("gpu") as name:
        return name


def _answer() -> str:
    """A bundled question, whose answer is known, from text to a verified certificate."""
    from boxsel.checker.verify import verify
    from boxsel.examples import load
    from boxsel.logic.proportions import number_text

    kb, query = load("applicant"), "(Admitted | Applicant)"
    bounds = kb.bounds(query)
    if not verify(kb, bounds.certificate).valid:
        raise ValueError(f"the certificate for {query} does not hold")
    ends = (number_text(end) for end in (bounds.lower, bounds.upper) if end is not None)
    return f"{query} is in [{', '.join(ends)}]"
