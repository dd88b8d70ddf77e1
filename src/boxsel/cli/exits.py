"""What the exit codes of the command line mean."""

from __future__ import annotations

from typing import Final

ANSWERED: Final = 0
NO: Final = 1
"""The answer is no: inconsistent, incoherent, not verified, different."""
BAD_INPUT: Final = 2
OUT_OF_BUDGET: Final = 3
"""Out of budget, or interrupted, with an interval."""
INTERNAL: Final = 70
INTERRUPTED: Final = 130
"""Interrupted without an answer, as shells say it."""
