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
