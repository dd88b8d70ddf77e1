"""Running the command line in this process: JAX is loaded once, not once for each command."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

from boxsel.cli.app import main
from boxsel.machine.budget import Budget
from boxsel.schemas import schema


class Done(NamedTuple):
    code: int
    out: str
    said: str


def _code_of(arguments: tuple[str | Path, ...], patch: pytest.MonkeyPatch) -> int:
    """The exit code of `main`; signals are handled as before it."""
    handlers = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    patch.setattr(sys, "argv", ["boxsel", *map(str, arguments)])
    try:
        main()
    except SystemExit as end:
        code = end.code
    finally:
        for one, handler in handlers.items():
            signal.signal(one, handler)
    assert isinstance(code, int)
    return code


def interrupting(patch: pytest.MonkeyPatch, owner: type, method: str, calls: int = 1) -> None:
    """Let Ctrl-C come at some call of a method, whose work then finds its `_budget` stopped."""
    before: Callable[..., Any] = getattr(owner, method)
    left = iter(range(calls, 0, -1))

    def interrupted(self: Any, *arguments: Any) -> Any:
        budget: Budget = self._budget
        if next(left, 0) == 1:
            signal.raise_signal(signal.SIGINT)
            while not budget.stopped:  # it is stopped by another thread
                time.sleep(0.001)
        return before(self, *arguments)

    patch.setattr(owner, method, interrupted)


def piped(*arguments: str | Path, text: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`boxsel ...` between pipes, byte by byte: what it reads, what it prints."""
    data = text.encode() if isinstance(text, str) else text
    given, out, said = (io.TextIOWrapper(io.BytesIO(one), "utf-8") for one in (data, b"", b""))
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in (("stdin", given), ("stdout", out), ("stderr", said)):
            patch.setattr(sys, name, stream)
        code = _code_of(arguments, patch)
    written = []
    for stream in (out, said):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        written.append(stream.buffer.getvalue())
    return subprocess.CompletedProcess(arguments, code, *written)


class Inside:
    """`boxsel ...` as `main` runs it, with what it prints."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Done:
        self._capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("JAX_PLATFORMS", "cpu")
            code = _code_of(arguments, patch)
        return Done(code, *self._capsys.readouterr())

    def answer(self, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
        """The one JSON object that a command prints, as its published schema has it."""
        done = self(*arguments, "--json")
        assert done.code == code, done.said
        (line,) = done.out.splitlines()
        content = json.loads(line)
        assert isinstance(content, dict)
        words = arguments[:2] if arguments[0] == "build" else arguments[:1]
        jsonschema.validate(content, schema("-".join(map(str, words))))
        return content

    def complaint(self, *arguments: str | Path, code: int = 2) -> str:
        """What a command says about bad input: one message, no output."""
        done = self(*arguments)
        assert done.code == code, done.said
        assert done.out == ""
        assert done.said.count("error: ") == 1
        return done.said
