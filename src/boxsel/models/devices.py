"""Where training runs, what it is called, and what to do when its memory is full."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from boxsel.errors import BoxselError
from boxsel.models.settings import Settings
from boxsel.models.task import Task
from boxsel.wording import expect_known

DEVICES: Final = ("auto", "cpu", "gpu")

_BYTES: Final = 8 + 3 * 4
"""A number as it is drawn, and then in single precision with its two moments."""

_CGROUP: Final = Path("/sys/fs/cgroup/memory.max")


@contextmanager
def on_device(name: str) -> Iterator[str]:
    """Let arrays live on a kind of device; gives the name of the one in use.

    Raises:
        BoxselError: There is no such device.
    """
    import jax

    expect_known("device", name, DEVICES)
    if name == "auto":
        yield device_name(jax.devices()[0])
        return
    try:
        device = jax.devices(name)[0]
    except RuntimeError:
        raise BoxselError(
            f"there is no {name} that JAX can use here: use --device auto,"
            " or install the extra boxsel[gpu]"
        ) from None
    with jax.default_device(device):
        yield device_name(device)


def device_name(device: object) -> str:
    """What a device is called, such as `cpu` or `gpu: NVIDIA H200`."""
    kind, platform = (str(getattr(device, name)) for name in ("device_kind", "platform"))
    return platform if kind == platform else f"{platform}: {kind}"


@contextmanager
def enough_memory(task: Task, settings: Settings) -> Iterator[None]:
    """Say what to lower if there is not enough memory, before or while it is used.

    Raises:
        BoxselError: There is not.
    """
    import jax

    needed = table_numbers(task, settings) * _BYTES
    if needed > _memory():
        raise _too_large(settings, needed)
    try:
        yield
    except MemoryError:
        raise _too_large(settings, needed) from None
    except jax.errors.JaxRuntimeError as error:
        if not is_memory_full(error):
            raise
        raise _too_large(settings, needed) from None


def is_memory_full(error: BaseException) -> bool:
    """Whether an error says that there is no memory left, on whatever device."""
    text = str(error)
    full = "RESOURCE_EXHAUSTED" in text or "ut of memory" in text
    return isinstance(error, MemoryError) or full


def table_numbers(task: Task, settings: Settings) -> int:
    """How many numbers the tables of all members have, about."""
    numbering, dim = task.numbering, settings.dim
    rows = len(numbering.names) + len(numbering.roles) + 2
    return settings.members * dim * (2 * rows + len(numbering.individuals))


def _too_large(settings: Settings, needed: int) -> BoxselError:
    return BoxselError(
        f"there is not enough memory for {settings.members:,} members of dimension"
        f" {settings.dim:,} (their tables alone need about {needed / 1e9:,.1f} GB):"
        " lower --members, --dim or --batch"
    )


def _memory() -> float:
    """The bytes of memory that this process may use, as far as can be known."""
    try:
        most = float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (ValueError, OSError, AttributeError):
        return float("inf")
    try:
        return min(most, float(_CGROUP.read_text()))
    except (OSError, ValueError):  # no such limit, or "max"
        return most
