"""What a programme over types comes to: an optimum, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from boxsel.exact.compile.problem import Clause, Existential, Goal
from boxsel.exact.compile.vocabulary import Type


@dataclass(frozen=True, eq=False)
class Elimination:
    """A clause that every realised type obeys, and why its demand cannot be met.

    Among the types that obey the axioms and the earlier clauses, y·a(t) ≤ 0 everywhere and
    < 0 on the goal's; without multipliers the goal has no type at all.
    """

    clause: Clause
    existential: Existential
    goal: Goal | None
    multipliers: Mapping[int, Fraction] = field(default_factory=dict)


@dataclass(frozen=True)
class Route:
    """Which way led to a result, and why those before it did not."""

    way: str
    passed: tuple[tuple[str, str], ...] = ()
    size: tuple[int, int] | None = None
    """The lines and the columns of the programme, if it was one for this question."""


@dataclass(frozen=True)
class Impossible:
    """No weighting gives a goal any weight: y·a(t) ≤ 0 on all types, and < 0 on the goal's.

    `statements` are those whose clauses the types obey, and `steps` the eliminations that they
    obey. None: all that are known.
    """

    multipliers: Mapping[int, Fraction]
    statements: tuple[int, ...] | None = None
    steps: tuple[Elimination, ...] | None = None
    route: Route | None = field(default=None, compare=False)
    size: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Optimum:
    """The largest value, with the weights that attain it and the multipliers that prove it.

    `statements` are those whose clauses the types obey, and `steps` the eliminations that they
    obey. None: all that are known.
    """

    value: Fraction
    multipliers: Mapping[int, Fraction]
    weights: Mapping[Type, Fraction]
    statements: tuple[int, ...] | None = None
    steps: tuple[Elimination, ...] | None = None
    route: Route | None = field(default=None, compare=False)
    size: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Bound:
    """What a value is proved not to exceed; nobody knows whether it is attained.

    `statements` and `steps` are as for an optimum.
    """

    value: Fraction
    multipliers: Mapping[int, Fraction]
    statements: tuple[int, ...] | None = None
    steps: tuple[Elimination, ...] | None = None


Result = Optimum | Impossible


class DeferredWeights(Mapping[Type, Fraction]):
    """A mapping that is made on first use: most answers are never looked at so closely.

    Examples:
        >>> dict(DeferredWeights(lambda: {0b1: Fraction(1)}))
        {1: Fraction(1, 1)}
    """

    def __init__(self, make: Callable[[], Mapping[Type, Fraction]]) -> None:
        self._make = make

    def __getitem__(self, kind: Type) -> Fraction:
        return self._weights[kind]

    def __iter__(self) -> Iterator[Type]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    @cached_property
    def _weights(self) -> Mapping[Type, Fraction]:
        return self._make()
