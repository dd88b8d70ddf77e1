"""How many threads linear algebra takes."""

from __future__ import annotations

import subprocess
import sys

LATER = """
import sys
from threadpoolctl import threadpool_info
from boxsel.machine.threads import one_thread
with one_thread():
    assert "scipy.linalg" not in sys.modules
import scipy.linalg
with one_thread():
    found = [library for library in threadpool_info() if library["user_api"] == "blas"]
    print(max((library["num_threads"] for library in found), default=1))
"""


def test_libraries_that_are_loaded_later_take_one_thread_too() -> None:
    """SciPy brings its own linear algebra, and is loaded by the first who need it."""
    ran = subprocess.run([sys.executable, "-c", LATER], capture_output=True, text=True, check=True)
    assert ran.stdout == "1\n"
