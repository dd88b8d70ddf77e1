"""Which of the populations people are taken from: apart, for commands that load nothing else."""

from __future__ import annotations

from typing import Literal

End = Literal["lower", "upper", "typical"]
"""That at an end of an answer, or the most even one."""
