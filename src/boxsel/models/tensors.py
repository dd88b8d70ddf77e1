"""Arrays by name in one file, as safetensors has them: no code, no surprises."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxsel.errors import Diagnostic, ReadError
from boxsel.models.arrays import Parameters

AnyArray = NDArray[Any]

_HEADER = 8
"""A file starts with the length of its header in so many bytes."""


def sha256(data: bytes) -> str:
    """The SHA-256 of some bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def to_bytes(tensors: Mapping[str, AnyArray], about: Mapping[str, Any]) -> bytes:
    """Arrays, and what is to be known about them, as a file."""
    from safetensors.numpy import save

    whole = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    return save(whole, metadata={"about": json.dumps(about, sort_keys=True)})


@dataclass(frozen=True, eq=False)
class TensorFile:
    """Arrays by name, what the file says about them, and where they come from."""

    file: str
    tensors: Mapping[str, AnyArray]
    about: Mapping[str, Any]

    @classmethod
    def of(cls, data: bytes, file: str) -> TensorFile:
        """What a file holds.

        Raises:
            ReadError: It is cut short, damaged, or something else.
        """
        from safetensors import SafetensorError
        from safetensors.numpy import load

        try:
            tensors = load(data)
            length = int.from_bytes(data[:_HEADER], "little")
            header = json.loads(data[_HEADER : _HEADER + length])
            about = json.loads(header["__metadata__"]["about"])
        except (SafetensorError, ValueError, KeyError, TypeError, RecursionError):
            problem = "this is no file of weights, or it is cut short or damaged"
            raise ReadError(Diagnostic(problem, file)) from None
        if not isinstance(about, dict):
            raise ReadError(Diagnostic("the header is not that of a file of weights", file))
        return cls(file, tensors, about)

    def taken(self, name: str, shape: tuple[int, ...], *dtypes: type) -> AnyArray:
        """An array of this name, shape and one of these types, with finite numbers.

        Raises:
            ReadError: There is none, or it is another one.
        """
        if name not in self.tensors:
            raise self.wrong(f"the table {name} is missing")
        tensor = self.tensors[name]
        if tensor.shape != shape:
            raise self.wrong(f"the table {name} has the shape {tensor.shape}, expected {shape}")
        if tensor.dtype not in [np.dtype(dtype) for dtype in dtypes]:
            wanted = " or ".join(np.dtype(dtype).name for dtype in dtypes)
            raise self.wrong(f"the table {name} holds {tensor.dtype}, expected {wanted}")
        if tensor.dtype.kind == "f" and not np.isfinite(tensor).all():
            raise self.wrong(f"the table {name} holds numbers that are not finite")
        return tensor

    def only(self, names: set[str]) -> None:
        """Refuse arrays that nobody asked for."""
        more = sorted(set(self.tensors) - names)
        if more:
            raise self.wrong(f"there is a table {more[0]} that does not belong here")

    def wrong(self, problem: str) -> ReadError:
        """An error about this file."""
        return ReadError(Diagnostic(problem, self.file))


def flattened(parameters: Parameters) -> dict[str, AnyArray]:
    """Tables by a path such as `names/position`.

    Examples:
        >>> sorted(flattened({"names": {"extent": np.zeros(1)}, "roles": {}}))
        ['names/extent']
    """
    return {
        f"{kind}/{name}": np.asarray(table)
        for kind, tables in parameters.items()
        for name, table in tables.items()
    }


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, or an error that says why not."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise ReadError(Diagnostic("this file is missing", str(path))) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReadError(Diagnostic(f"cannot be read: {reason}", str(path))) from None
