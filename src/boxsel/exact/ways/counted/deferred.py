"""Weights of types that are spelt out when they are first looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from boxsel.exact.compile.vocabulary import Type


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
