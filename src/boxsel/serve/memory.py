"""What memory a worker may use, and whether it was for want of it that something failed.

The limit is on address space, which is more than what is really used: threads and databases reserve
some. So that is what is looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

HEAVY_PART: Final = 0.5
"""A worker that keeps more than this part of its memory is replaced after its task."""
FULL_PART: Final = 0.9
"""Whatever fails in a worker that came so near its limit failed for want of memory."""


class Memory:
    """Lets this process use so much more address space than it has now; on Linux only."""

    def __init__(self, more: int) -> None:
        self._more, self._before = more, _size("VmSize:")
        if sys.platform == "linux":
            import resource

            most = self._before + more
            resource.setrlimit(resource.RLIMIT_AS, (most, most))

    @property
    def heavy(self) -> bool:
        """Whether so much is kept that the next task may have too little."""
        return _size("VmSize:") - self._before > HEAVY_PART * self._more

    def lacked(self, error: BaseException) -> bool:
        """Whether an error comes from a want of memory, whatever it is called by who raised it."""
        if any(
            isinstance(exception, MemoryError) or _is_databases(exception)
            for exception in _chain(error)
        ):
            return True
        return _size("VmPeak:") - self._before > FULL_PART * self._more


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_databases(error: BaseException) -> bool:
    """Told by its name: the database need not be loaded."""
    return type(error).__name__ == "OutOfMemoryException"


def _size(field: str) -> int:
    """What Linux says about this process, in bytes; 0 where nothing is known."""
    if sys.platform != "linux":
        return 0
    lines = Path("/proc/self/status").read_text().splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field)), 0)
