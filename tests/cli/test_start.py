"""What a command does not need is not loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "jax", "ortools", "flint", "duckdb", "pandas")


@pytest.mark.parametrize("words", ["", "sample", "ask", "bounds", "check", "fit", "build"])
def test_the_words_of_commands_are_known_without_heavy_libraries(words: str) -> None:
    program = (
        "import sys; from boxsel.cli.app import application; "
        f"application({words.split()!r}); print(*({{*{HEAVY!r}}} & {{*sys.modules}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_the_integer_solver_comes_without_its_modelling_language() -> None:
    program = (
        "import sys; from boxsel.machine.integers import Integers; "
        "from boxsel.machine.budget import Budget; "
        "print(Integers().solve(Budget()).status, 'pandas' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["OPTIMAL", "False"]


def test_who_stops_it_while_it_is_loaded_sees_no_traceback() -> None:
    program = (
        "import sys; from types import ModuleType\n"
        "class Stopped(ModuleType):\n"
        "    def __getattr__(self, name): raise KeyboardInterrupt\n"
        "sys.modules['boxsel.cli.app'] = Stopped('app')\n"
        "from boxsel.__main__ import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 130
    assert done.stderr == "error: interrupted; nothing was written\n"
