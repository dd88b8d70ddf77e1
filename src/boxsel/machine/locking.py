"""One run at a time for one folder."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boxsel.errors import BoxselError, WriteError


def beside(folder: Path, extension: str) -> Path:
    """A path beside a folder, named for it."""
    resolved = folder.resolve()
    return resolved.with_name(f"{resolved.name}.{extension}")


@contextmanager
def locked(folder: Path, busy: str) -> Iterator[None]:
    """Keep others from working in a folder; the lock goes when the process does.

    `busy` is what another process is said to do there, and what to do about it.

    Raises:
        BoxselError: Another process has the lock.
        WriteError: There is no place for such a folder.
    """
    path = beside(folder, "lock")
    descriptor = _acquired(path, folder, busy)
    try:
        yield
    finally:
        # Removed while it is held: whoever waits for it sees that the file is another one.
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _acquired(path: Path, folder: Path, busy: str) -> int:
    # Imported here: Windows has no such module, and reading models there must not need it.
    import fcntl

    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            reason = error.strerror or error
            raise WriteError(f"{folder}: cannot be written: {reason}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass  # its holder has just removed it
        except OSError as error:
            os.close(descriptor)
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise WriteError(f"{folder}: cannot be locked: {error.strerror}") from None
            raise BoxselError(f"{folder}: another process is {busy}") from None
        os.close(descriptor)
