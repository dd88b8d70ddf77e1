"""Groups of members that train side by side: on the cores of a CPU, on devices, on hosts.

Members know nothing of each other, so an ensemble may be cut anywhere. On a CPU a group is as large
as its arrays stay in the cache, and there is a thread for each core; on GPUs there is a group for
each. What a group becomes depends on its size, not on where or beside what it was trained.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import accumulate, pairwise
from threading import Lock
from typing import Any, Final, TypeVar, cast

import jax
import numpy as np
from numpy.typing import NDArray

from boxsel.models.arrays import Array, Parameters
from boxsel.models.optimizer import Moments
from boxsel.models.training import State

Found = TypeVar("Found")

CACHED: Final = 65_536
"""About how many numbers the arrays of a group may have, so that they stay in the cache."""

ENOUGH: Final = CACHED // 4
"""With more numbers than this, two cores are faster than one."""


def sizes_for_cache(members: int, numbers: int) -> tuple[int, ...]:
    """The sizes of groups on a CPU, when every member has arrays of so many numbers.

    All are equal, if the members can be divided well; then there is only one program to compile.
    An even number of groups is preferred: they keep two cores busy to the end.

    Examples:
        >>> sizes_for_cache(60, 512 * 32)[:2], len(sizes_for_cache(60, 512 * 32))
        ((3, 3), 20)
        >>> sizes_for_cache(60, 100), sizes_for_cache(7, 30_000)
        ((60,), (2, 2, 2, 1))
    """
    most = min(members, max(1, CACHED // max(1, numbers)))
    if most == members:
        halves = members % 2 == 0 and members * numbers > ENOUGH
        return even_sizes(members, 2 if halves else 1)
    divisors = [size for size in range(1, most + 1) if members % size == 0 and 2 * size > most]
    even = [size for size in divisors if members // size % 2 == 0]
    size = max(even or divisors, default=0)
    return (size,) * (members // size) if size else even_sizes(members, -(-members // most))


def even_sizes(members: int, groups: int) -> tuple[int, ...]:
    """The sizes of so many groups, as equal as can be; fewer groups if there are few members.

    Examples:
        >>> even_sizes(60, 8), even_sizes(2, 4)
        ((8, 8, 8, 8, 7, 7, 7, 7), (1, 1))
    """
    groups = min(members, groups)
    return tuple(members // groups + (place < members % groups) for place in range(groups))


def places() -> list[jax.Device]:
    """The devices of this host that training uses: all of the kind that was chosen."""
    chosen = jax.config.jax_default_device  # type: ignore[attr-defined]
    platform = getattr(chosen, "platform", chosen)
    return list(jax.local_devices(backend=platform))


def platform() -> str:
    """The kind of device that training uses, such as `cpu` or `gpu`."""
    return str(places()[0].platform)


def place_of(group: int) -> jax.Device:
    """The device that a group is on, if this host trains it."""
    here = places()
    return here[group // jax.process_count() % len(here)]


def is_own(group: int) -> bool:
    """Whether this host trains a group."""
    return bool(group % jax.process_count() == jax.process_index())


def spans(sizes: Sequence[int]) -> Iterator[slice]:
    """Which members are in each group.

    Examples:
        >>> list(spans((2, 3)))
        [slice(0, 2, None), slice(2, 5, None)]
    """
    return (slice(*ends) for ends in pairwise(accumulate(sizes, initial=0)))


def members_of(parameters: Parameters, which: slice | NDArray[np.int64]) -> Parameters:
    """The tables of some members, in this order; one may be there several times."""
    return cast(Parameters, jax.tree.map(lambda table: table[:, which], parameters))


def joined(groups: Sequence[State]) -> State:
    """All groups as one, in NumPy; what they share is that of the first."""

    def together(axis: int, *parts: Array) -> Array:
        arrays = [np.asarray(part) for part in parts]
        return arrays[0] if axis == _COMMON or len(arrays) == 1 else np.concatenate(arrays, axis)

    return cast(State, jax.tree.map(together, _axes(groups[0]), *groups))


def split(state: State, sizes: Sequence[int]) -> tuple[State, ...]:
    """The groups that `joined` would make this state."""

    def part(span: slice) -> State:
        def some(axis: int, array: Array) -> Array:
            return array if axis == _COMMON else array[(*(slice(None),) * axis, span)]

        return cast(State, jax.tree.map(some, _axes(state), state))

    return tuple(placed(number, part(span)) for number, span in enumerate(spans(sizes)))


def placed(group: int, state: State) -> State:
    """The state of a group where it is trained."""
    return cast(State, jax.device_put(state, place_of(group))) if is_own(group) else state


_COMMON: Final = -1


def _axes(state: State) -> State:
    """The axis of members of every array in a state."""

    def members(axis: int, tree: Any) -> Any:
        return jax.tree.map(lambda _: axis, tree)

    moments = {
        kind: Moments(_COMMON, members(1, some.first), members(1, some.second))
        for kind, some in state.moments.items()
    }
    parameters = members(1, state.parameters)
    return State(parameters, moments, 0, members(2, state.packed))


def side_by_side(
    groups: Sequence[State],
    work: Callable[[int], Found],
    blank: Callable[[int], Found],
    precision: Callable[[], AbstractContextManager[None]],
    meanwhile: Callable[[], object] = lambda: None,
) -> list[Found]:
    """What `work` finds for every group, as many at a time as there are cores.

    `precision` is the context to work in; `meanwhile` is done while devices are busy. Of several
    hosts each does its share and all hear the results; `blank` has the form of one.
    """
    compiling = {_program(group, number): Lock() for number, group in enumerate(groups)}

    def one(number: int) -> Found:
        # What threads inherit is not what JAX was told in the one that started them.
        with precision(), jax.default_device(place_of(number)):
            with compiling[_program(groups[number], number)]:  # one compiles, the others wait
                result = work(number)
            jax.block_until_ready(result)  # type: ignore[no-untyped-call]
            return result

    own = [number for number in range(len(groups)) if is_own(number)]
    with ThreadPoolExecutor(max(1, min(len(own), _cores()))) as pool:
        try:
            waiting = {number: pool.submit(one, number) for number in own}
            meanwhile()
            found = {number: some.result() for number, some in waiting.items()}
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    if jax.process_count() == 1:
        return list(found.values())
    return [
        _shared(found.get(number, blank(number)), is_own(number)) for number in range(len(groups))
    ]


def each_member(work: Callable[[int], Found], members: int) -> list[Found]:
    """What `work` finds for every member, as many at a time as there are cores."""
    with ThreadPoolExecutor(max(1, min(members, _cores()))) as pool:
        return list(pool.map(work, range(members)))


def _shared(result: Found, own: bool) -> Found:
    """What one host has found and the others hear; from them only its form is used."""
    from jax.experimental.multihost_utils import broadcast_one_to_all

    leaves, tree = jax.tree.flatten(result)
    arrays = [np.asarray(leaf) for leaf in leaves]
    # As bytes: one message, whatever it is made of.
    sent = np.frombuffer(b"".join(array.tobytes() for array in arrays), np.uint8)
    heard = np.asarray(broadcast_one_to_all(sent, own))
    parts = np.split(heard, np.cumsum([array.nbytes for array in arrays])[:-1])
    if own:
        return result
    return cast(
        Found,
        jax.tree.unflatten(
            tree,
            [
                part.view(array.dtype).reshape(array.shape)
                for part, array in zip(parts, arrays, strict=True)
            ],
        ),
    )


def _program(group: State, number: int) -> tuple[int, jax.Device]:
    """What tells apart the programs that groups need."""
    return len(group.active), place_of(number)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
