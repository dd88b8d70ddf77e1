"""Shares in members: what part of a body's region belongs to a head's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.concepts import Concept
from boxsel.models.arrays import Array, Parameters, members_in, namespace
from boxsel.models.concept_shapes import Shape, Shaped, existentials, leaves, region, shaped
from boxsel.models.numbering import Numbering
from boxsel.models.representations.representation import Region, Representation

Floats = NDArray[np.float64]

CHUNK = 1 << 22
"""How many numbers the regions of one chunk of queries may have: what is in work stays small."""

FEW_NUMBERS = 1 << 21
"""Up to this many numbers, NumPy is done before a program could have been compiled."""


MOST_SETTLED = 1 << 24
"""Tables with more numbers are not doubled for a few microseconds a query."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Queries of one shape: the rows of their names and roles, and their places in the answer."""

    shape: tuple[Shape, Shape]
    names: NDArray[np.int32]
    roles: NDArray[np.int32]
    places: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.places)


def batches(
    pairs: Iterable[tuple[Concept, Concept]], numbering: Numbering, complex_fillers: bool = True
) -> list[Batch]:
    """Heads and bodies, grouped by their shape."""
    groups: dict[tuple[Shape, Shape], list[tuple[int, tuple[int, ...], tuple[int, ...]]]] = {}
    for place, (head, body) in enumerate(pairs):
        one, other = (shaped(side, numbering, complex_fillers) for side in (body, head))
        group = groups.setdefault((one.shape, other.shape), [])
        group.append((place, one.names + other.names, one.roles + other.roles))
    return [
        Batch(
            shape,
            np.array([names for _, names, _ in group], np.int32).reshape(len(group), -1),
            np.array([roles for _, _, roles in group], np.int32).reshape(len(group), -1),
            np.array([place for place, _, _ in group]),
        )
        for shape, group in groups.items()
    ]


def shares(
    representation: Representation,
    parameters: Parameters,
    shape: tuple[Shape, Shape],
    names: Sequence[Array],
    roles: Sequence[Array],
    temperature: Array | None = None,
) -> Array:
    """Vol(body ⊓ head) / Vol(body) in every member; NaN where the body is empty.

    `names` and `roles` have the rows for each place of the shape: numbers, or arrays of numbers.
    """
    body_shape, head_shape = shape
    width, depth = leaves(body_shape), existentials(body_shape)
    body = region(representation, parameters, body_shape, names[:width], roles[:depth])
    head = region(representation, parameters, head_shape, names[width:], roles[depth:])
    whole = representation.log_measure(body, temperature)
    part = representation.log_measure(representation.meet(body, head), temperature)
    array = namespace(whole)
    empty = whole == -np.inf
    return array.exp(part - array.where(empty, np.nan, whole))


def ends(values: Floats) -> Floats:
    """The least and the largest of each row, NaN where there are none.

    Examples:
        >>> ends(np.array([[0.5, np.nan, 0.25], [np.nan] * 3])).tolist()
        [[0.25, 0.5], [nan, nan]]
    """
    missing = np.isnan(values)
    low = np.min(np.where(missing, np.inf, values), axis=1, initial=np.inf)
    high = np.max(np.where(missing, -np.inf, values), axis=1, initial=-np.inf)
    found = np.stack([low, high], axis=1)
    return np.where(np.isinf(found), np.nan, found)


@dataclass(frozen=True, eq=False)
class Members:
    """The members of an ensemble, with the rows of names, and what is measured in them."""

    representation: Representation
    parameters: Parameters
    numbering: Numbering

    def __len__(self) -> int:
        return members_in(self.parameters)

    def settled(self) -> Members:
        """The same with the regions of all names computed once, if they are not too many."""
        tables = self.parameters["names"].values()
        if sum(table.size for table in tables) > MOST_SETTLED:
            return self
        rows = np.arange(next(iter(tables)).shape[0])
        regions = self.representation.names(self.parameters, rows)
        found: Any = _Settled(self.representation, regions)
        return replace(self, representation=found)

    def region(self, concept: Concept) -> Region:
        """The region of one concept."""
        shape, names, roles = self._shaped(concept)
        return region(self.representation, self.parameters, shape, names, roles)

    def share(self, head: Concept, body: Concept) -> Array:
        """The share of one query in every member; NaN where the body is empty."""
        one, other = self._shaped(body), self._shaped(head)
        shape, names = (one.shape, other.shape), one.names + other.names
        return shares(self.representation, self.parameters, shape, names, one.roles + other.roles)

    def shares(self, pairs: Sequence[tuple[Concept, Concept]]) -> Floats:
        """The shares of heads in bodies: a row for each pair, a column for each member."""
        return self.by_shape(pairs, self.measured, np.zeros((len(pairs), len(self))))

    def by_shape(
        self,
        pairs: Iterable[tuple[Concept, Concept]],
        measure: Callable[[Batch], Floats],
        found: Floats,
    ) -> Floats:
        """Fill the lines of `found` with what is measured of heads and bodies, batch by batch."""
        for batch in batches(pairs, self.numbering, self.representation.complex_fillers):
            found[batch.places] = measure(batch)
        return found

    def measured(self, batch: Batch, kept: NDArray[np.bool_] | None = None) -> Floats:
        """The shares of all queries of a batch: a row for each query, a column for each member.

        Of some members `kept`, only the least and the largest; NaN if none has one. Few shares are
        computed at once in NumPy; many chunk by chunk in a compiled program, on the device, where
        ends are found too: no table of all shares is made.
        """
        how, tables = self.representation, self.parameters
        widest = max(table.shape[-1] for table in tables["names"].values())
        numbers = len(self) * widest * (batch.names.shape[1] + 1)  # of the regions of one query
        if len(batch) * numbers <= FEW_NUMBERS:
            values = shares(how, tables, batch.shape, [*batch.names.T], [*batch.roles.T])
            return np.asarray(values) if kept is None else ends(np.asarray(values)[:, kept])
        from boxsel.models.compiled import in_chunks  # JAX takes a while to load

        size = min(len(batch), max(1, CHUNK // numbers))
        count = -(-len(batch) // size)
        padding = ((0, count * size - len(batch)), (0, 0))  # ⊤ fills up the last chunk
        names, roles = (
            np.pad(rows, padding).reshape(count, size, -1) for rows in (batch.names, batch.roles)
        )
        found = in_chunks(how, batch.shape, tables, names, roles, kept)
        return found.reshape(-1, found.shape[-1])[: len(batch)]

    def _shaped(self, concept: Concept) -> Shaped:
        return shaped(concept, self.numbering, self.representation.complex_fillers)


@dataclass(frozen=True, eq=False)
class _Settled:
    """A representation that looks regions of names up; all else is as it was."""

    _representation: Representation
    _regions: Region

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
