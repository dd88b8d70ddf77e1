"""A trained representation, settled: the regions of all names are computed once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from boxsel.models.arrays import Array, Parameters
from boxsel.models.representations.representation import Region, Representation

MOST = 1 << 24
"""Tables with more numbers are not doubled for a few microseconds a query."""


@dataclass(frozen=True, eq=False)
class Settled:
    """A representation that looks regions of names up; all else is as it was."""

    _representation: Representation
    _regions: Region

    @classmethod
    def of(cls, representation: Representation, parameters: Parameters) -> Representation:
        """The representation with the regions of all names, if they are not too many."""
        tables = parameters["names"].values()
        if sum(table.size for table in tables) > MOST:
            return representation
        rows = np.arange(next(iter(tables)).shape[0])
        found: Any = cls(representation, representation.names(parameters, rows))
        return found  # type: ignore[no-any-return]

    def names(self, parameters: Parameters, ids: Array) -> Region:
        """The regions of names, by their rows."""
        del parameters
        return _taken(self._regions, ids)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._representation, name)


def _taken(region: Region, ids: Array) -> Region:
    """Some rows of a region, whatever tuples of arrays it is made of."""
    if not isinstance(region, tuple):
        return region[ids]
    parts = (_taken(part, ids) for part in region)
    return type(region)(*parts) if hasattr(region, "_fields") else tuple(parts)
