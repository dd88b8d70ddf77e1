"""Shares in members: what part of a body's region belongs to a head's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.concepts import Concept
from boxsel.models.arrays import Array, Parameters, members_in, namespace
from boxsel.models.concept_shapes import Shape, existentials, leaves, region, shaped
from boxsel.models.numbering import Numbering
from boxsel.models.representations.representation import Region, Representation

Floats = NDArray[np.float64]

CHUNK = 1 << 22
"""How many numbers the regions of one chunk of queries may have: what is in work stays small."""

FEW_NUMBERS = 1 << 21
"""Up to this many numbers, NumPy is done before a program could have been compiled."""


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


def region_of(
    representation: Representation,
    parameters: Parameters,
    concept: Concept,
    numbering: Numbering,
) -> Region:
    """The region of one concept."""
    shape, names, roles = shaped(concept, numbering, representation.complex_fillers)
    return region(representation, parameters, shape, names, roles)


def share_of(
    representation: Representation,
    parameters: Parameters,
    head: Concept,
    body: Concept,
    numbering: Numbering,
    temperature: Array | None = None,
) -> Array:
    """The share of one query in every member; NaN where the body is empty."""
    fillers = representation.complex_fillers
    one, other = shaped(body, numbering, fillers), shaped(head, numbering, fillers)
    return shares(
        representation,
        parameters,
        (one.shape, other.shape),
        one.names + other.names,
        one.roles + other.roles,
        temperature,
    )


def by_shape(
    representation: Representation,
    numbering: Numbering,
    pairs: Iterable[tuple[Concept, Concept]],
    measure: Callable[[Batch], Floats],
    found: Floats,
) -> Floats:
    """Fill the lines of `found` with what is measured of heads and bodies, batch by batch."""
    for batch in batches(pairs, numbering, representation.complex_fillers):
        found[batch.places] = measure(batch)
    return found


def measured_pairs(
    representation: Representation,
    parameters: Parameters,
    numbering: Numbering,
    pairs: Sequence[tuple[Concept, Concept]],
) -> Floats:
    """The shares of heads in bodies: a row for each pair, a column for each member."""
    work = partial(measured, representation, parameters)
    nothing = np.zeros((len(pairs), members_in(parameters)))
    return by_shape(representation, numbering, pairs, work, nothing)


def measured(representation: Representation, parameters: Parameters, batch: Batch) -> Floats:
    """The shares of all queries of a batch: a row for each query, a column for each member.

    Few are computed at once in NumPy; many chunk by chunk in a compiled program, on the device.
    """
    if _are_few(parameters, batch):
        return np.asarray(
            shares(representation, parameters, batch.shape, [*batch.names.T], [*batch.roles.T])
        )
    from boxsel.models.compiled import in_chunks  # JAX takes a while to load

    found = in_chunks(representation, batch.shape, parameters, *_chunks(parameters, batch))
    return found.reshape(-1, found.shape[-1])[: len(batch)]


def measured_ends(
    representation: Representation, parameters: Parameters, batch: Batch, kept: NDArray[np.bool_]
) -> Floats:
    """The least and the largest share over the members kept, for each query; NaN if none has one.

    They are reduced on the device: no table of all shares is made.
    """
    if _are_few(parameters, batch):
        return ends(measured(representation, parameters, batch)[:, kept])
    from boxsel.models.compiled import in_chunks

    found = in_chunks(representation, batch.shape, parameters, *_chunks(parameters, batch), kept)
    return found.reshape(-1, 2)[: len(batch)]


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


def _numbers(parameters: Parameters, batch: Batch) -> int:
    """How many numbers the regions of one query have."""
    widest = max(table.shape[-1] for table in parameters["names"].values())
    return int(members_in(parameters) * widest * (batch.names.shape[1] + 1))


def _are_few(parameters: Parameters, batch: Batch) -> bool:
    return len(batch) * _numbers(parameters, batch) <= FEW_NUMBERS


def _chunks(parameters: Parameters, batch: Batch) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The rows of names and roles in chunks of one size; ⊤ fills up the last."""
    size = min(len(batch), max(1, CHUNK // _numbers(parameters, batch)))
    count = -(-len(batch) // size)
    padding = ((0, count * size - len(batch)), (0, 0))
    return (
        np.pad(batch.names, padding).reshape(count, size, -1),
        np.pad(batch.roles, padding).reshape(count, size, -1),
    )


MOST_SETTLED = 1 << 24
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
        if sum(table.size for table in tables) > MOST_SETTLED:
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
