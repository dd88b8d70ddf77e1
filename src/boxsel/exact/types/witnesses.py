"""Which realised types witness which existentials of which subjects."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass, field

from boxsel.exact.compile.problem import Existential, Problem
from boxsel.exact.compile.vocabulary import Mask, Type, has


class Witnesses:
    """Types, indexed by the existentials that they can witness.

    An object of a role *obliges* its subjects to the existentials of the role whose fillers it
    has. So the types that oblige to little serve most subjects, and are tried first.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._types: dict[Type, None] = {}
        self._order: list[Type] = []
        self._obliging: dict[Mask, _Obliging] = {}

    def copy(self) -> Witnesses:
        """The same types, to add to."""
        other = Witnesses(self._problem)
        other._types, other._order = dict(self._types), list(self._order)
        other._obliging = {bit: found.copy() for bit, found in self._obliging.items()}
        return other

    def add(self, kinds: Iterable[Type]) -> list[Type]:
        """Take types in; those that are new."""
        fresh = [kind for kind in dict.fromkeys(kinds) if kind not in self._types]
        self._types.update(dict.fromkeys(fresh))
        self._order += fresh
        return fresh

    def find(self, existential: Existential, subject: Type) -> Type | None:
        """A type that witnesses an existential of a subject, if there is one."""
        known = self._obliging.get(existential.bit)
        if known is None:
            known = self._obliging[existential.bit] = _Obliging()
        if known.indexed < len(self._order):
            self._index(existential, known)
        for _, obliged, kind in known.found:
            if subject & obliged == obliged:
                return kind
        return None

    def _index(self, existential: Existential, known: _Obliging) -> None:
        """Look at the types that came since an existential was last asked for."""
        fresh = self._order[known.indexed :]
        known.indexed = len(self._order)
        objects = self._problem.range(existential.role)
        if existential.filler is None or objects is None:
            return
        required = existential.filler | objects
        duties = self._problem.duties(existential.role)
        for kind in fresh:
            if kind & required == required:
                obliged = 0
                for duty in duties:
                    if duty.filler is not None and has(kind, duty.filler):
                        obliged |= duty.bit
                if obliged not in known.seen:
                    known.seen.add(obliged)
                    insort(known.found, (obliged.bit_count(), obliged, kind))


@dataclass
class _Obliging:
    """The types that can witness an existential, by what they oblige a subject to."""

    indexed: int = 0
    found: list[tuple[int, Mask, Type]] = field(default_factory=list)
    seen: set[Mask] = field(default_factory=set)

    def copy(self) -> _Obliging:
        return _Obliging(self.indexed, list(self.found), set(self.seen))
