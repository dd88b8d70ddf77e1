"""Types for few individuals, where types are listed: tried one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from boxsel.exact.compile.problem import Problem
from boxsel.exact.compile.vocabulary import Mask, Type, has
from boxsel.logic.concepts import Individual, Role

PLACING_TRIES: Final = 20_000
"""After so many tries, each of a type for an individual or of a link, a solver is the better
choice."""

MOST_INDIVIDUALS: Final = 100
"""For more individuals it is so from the start."""


class TooManyTriesError(Exception):
    """No types were found for all individuals, but not everything was tried."""


@dataclass(frozen=True)
class Link:
    """That a role leads from one individual to another."""

    role: Role
    subject: Individual
    object: Individual


def try_types(
    problem: Problem,
    kinds: Sequence[Type],
    required: Mapping[Individual, Mask],
    links: Sequence[Link],
) -> dict[Individual, Type] | None:
    """A type for each individual that has what is required of it, so that all links are allowed.

    Raises:
        TooManyTriesError: That takes too long.
    """
    if len(required) > MOST_INDIVIDUALS:
        raise TooManyTriesError
    candidates = {
        individual: [kind for kind in kinds if has(kind, mask)]
        for individual, mask in required.items()
    }
    # Whoever has the fewest choices comes first.
    order = sorted(candidates, key=lambda candidate: len(candidates[candidate]))
    linked = {
        individual: [link for link in links if individual in (link.subject, link.object)]
        for individual in order
    }
    tries = 0

    def rest(chosen: dict[Individual, Type]) -> dict[Individual, Type] | None:
        nonlocal tries
        if len(chosen) == len(order):
            return chosen
        individual = order[len(chosen)]
        for kind in candidates[individual]:
            tries += 1 + len(linked[individual])
            if tries > PLACING_TRIES:
                raise TooManyTriesError
            more = {**chosen, individual: kind}
            if all(_allowed(problem, link, more) for link in linked[individual]):
                completed = rest(more)
                if completed is not None:
                    return completed
        return None

    return rest({})


def _allowed(problem: Problem, link: Link, chosen: Mapping[Individual, Type]) -> bool:
    """Whether the subject of a link has all existentials that its object makes true."""
    subject, object_ = chosen.get(link.subject), chosen.get(link.object)
    if subject is None or object_ is None:
        return True
    return all(
        has(subject, duty.bit)
        for duty in problem.duties(link.role)
        if duty.filler is not None and has(object_, duty.filler)
    )
