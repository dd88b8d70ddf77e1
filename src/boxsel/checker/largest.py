"""The largest value of a linear form over types, found without a solver.

Basic concepts are eliminated one after another (bucket elimination, Dechter 1999). What a concept
is together with, in clauses and in keys of the form, makes up a *bag*. A table says for each
pattern of the others, each way in which they can be true, how much they and all that was eliminated
before can give at most: the concept itself occurs no more. Tables have the patterns that obey the
clauses, so that the names of a hierarchy make few. Numbers are whole, and of any length.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple, TypeVar

from boxsel.checker.order import TooWideError, eliminate
from boxsel.checker.settling import Literals, settle
from boxsel.machine.budget import NO_LIMIT, Budget

MOST_PATTERNS: Final = 2**16
"""No table has more patterns. One takes 0.1 s; to load a solver takes 0.3 s."""

Basic = TypeVar("Basic", bound=Hashable)

Group = frozenset[int]
Terms = dict[Group, Fraction]
Values = dict[int, int]
"""A whole number for each pattern: a pattern has a bit for each concept that is true."""


def largest_value(
    clauses: Iterable[tuple[frozenset[Basic], frozenset[Basic]]],
    form: Mapping[frozenset[Basic], Fraction],
    budget: Budget = NO_LIMIT,
) -> Fraction | None:
    """The largest value of a form at a type that obeys all clauses; none if there is no such type.

    `TooWideError` if tables would be too large.

    Examples:
        >>> a, b, none = frozenset("A"), frozenset("B"), frozenset()
        >>> largest_value([(b, a)], {a: Fraction(-1, 2), b: Fraction(2, 3)})
        Fraction(1, 6)
        >>> largest_value([(none, a), (a, none)], {})
    """
    numbers: dict[Basic, int] = {}

    def numbered(concepts: Iterable[Basic]) -> list[int]:
        return [numbers.setdefault(concept, len(numbers)) for concept in concepts]

    terms = {Group(numbered(key)): number for key, number in form.items() if number}
    stated = (
        {2 * number for number in numbered(body)}.union(
            2 * number + 1 for number in numbered(heads)
        )
        for body, heads in clauses
    )
    settled = settle(stated, Group().union(*terms))
    if settled is None:
        return None
    true, rest = settled
    terms = _settled_terms(terms, true)
    constant = terms.pop(Group(), Fraction(0))
    value = _Elimination(rest, terms, budget).value()
    return None if value is None else constant + value


def _settled_terms(terms: Terms, true: Literals) -> Terms:
    """Terms without the concepts of which it is known whether they are true."""
    settled: Terms = {}
    for key, number in terms.items():
        if not any(2 * concept in true for concept in key):
            short = Group(concept for concept in key if 2 * concept + 1 not in true)
            settled[short] = settled[short] + number if short in settled else number
    return settled


class _Table(NamedTuple):
    """The values of patterns, as multiples of 1/unit."""

    about: int
    unit: int
    values: Values


class _Rule(NamedTuple):
    """A clause as bits: a pattern with all of the body has one of the heads."""

    body: int
    heads: int


@dataclass(frozen=True, slots=True)
class _Bag:
    """A concept that is to be eliminated, by its bit, and those that it is together with."""

    own: int
    others: int
    tables: list[_Table]
    terms: list[tuple[int, Fraction]]
    rules: list[_Rule]

    def maximise(self) -> _Table:
        """The largest values for the patterns of the others."""
        units = [table.unit for table in self.tables]
        unit = lcm(*units, *[number.denominator for _, number in self.terms])
        terms = [
            (key, number.numerator * (unit // number.denominator)) for key, number in self.terms
        ]
        best: Values = {}
        for pattern, value in self._patterns(unit).items():
            for key, number in terms:
                if pattern & key == key:
                    value += number
            rest = pattern & self.others
            if rest not in best or best[rest] < value:
                best[rest] = value
        return _Table(self.others, unit, best)

    def _patterns(self, unit: int) -> Values:
        """The patterns that obey the rules and are in all tables, with what these give."""
        known, values = 0, {0: 0}
        for table in sorted(self.tables, key=lambda table: len(table.values), reverse=True):
            values = _join(values, table, known & table.about, unit // table.unit)
            known |= table.about
        values, waiting = _obeying(values, self.rules, known)
        while free := (self.own | self.others) & ~known:
            new = free & -free
            known |= new
            values |= {pattern | new: value for pattern, value in values.items()}
            values, waiting = _obeying(values, waiting, known)
            if len(values) > MOST_PATTERNS:
                raise TooWideError
        return values


def _join(values: Values, table: _Table, shared: int, factor: int) -> Values:
    """The patterns of a bag and of a table that agree where both say something."""
    if shared == table.about:
        return {
            pattern: value + factor * table.values[pattern & shared]
            for pattern, value in values.items()
            if pattern & shared in table.values
        }
    groups: dict[int, list[tuple[int, int]]] = {}
    for pattern, value in table.values.items():
        groups.setdefault(pattern & shared, []).append((pattern, factor * value))
    if sum(len(groups.get(pattern & shared, ())) for pattern in values) > MOST_PATTERNS:
        raise TooWideError
    return {
        pattern | other: value + more
        for pattern, value in values.items()
        for other, more in groups.get(pattern & shared, ())
    }


def _obeying(values: Values, rules: list[_Rule], known: int) -> tuple[Values, list[_Rule]]:
    """The patterns that obey what known concepts decide, and the rules that wait for more."""
    ready = [rule for rule in rules if not (rule.body | rule.heads) & ~known]
    if not ready:
        return values, rules
    left = {
        pattern: value
        for pattern, value in values.items()
        if all(pattern & body != body or pattern & heads for body, heads in ready)
    }
    return left, [rule for rule in rules if (rule.body | rule.heads) & ~known]


class _Elimination:
    """Concepts in their order, and what is left to be said about them.

    Bits are given out again: a concept has one that nobody else has in a bag with it. So patterns
    are short, however many concepts there are, and mean the same in every bag.
    """

    def __init__(self, clauses: Iterable[Literals], terms: Terms, budget: Budget) -> None:
        self._budget = budget
        stated = [(Group([literal >> 1 for literal in clause]), clause) for clause in clauses]
        self._order = eliminate([*(group for group, _ in stated), *terms], budget)
        self._place = {concept: place for place, (concept, _) in enumerate(self._order)}
        self._bits: dict[int, int] = {}
        for concept, others in reversed(self._order):
            used = self._mask(others)
            self._bits[concept] = ~used & (used + 1)  # the lowest that is free
        # By the first concept that is eliminated.
        self._tables: dict[int, list[_Table]] = {}
        self._terms: dict[int, list[tuple[int, Fraction]]] = {}
        self._rules: dict[int, list[tuple[Group, _Rule]]] = {}
        for key, number in terms.items():
            self._terms.setdefault(self._first(key), []).append((self._mask(key), number))
        for group, clause in stated:
            self._rules.setdefault(self._first(group), []).append((group, self._rule(clause)))

    def value(self) -> Fraction | None:
        """The largest value of all terms together; none if no pattern obeys the rules."""
        total = Fraction(0)
        for number, others in self._budget.watched(self._order):
            table = self._bag(number, others).maximise()
            if not table.values:
                return None
            if others:
                self._tables.setdefault(self._first(others), []).append(table)
            else:
                total += Fraction(table.values[0], table.unit)
        return total

    def _bag(self, number: int, others: set[int]) -> _Bag:
        tables, terms = self._tables.pop(number, []), self._terms.pop(number, [])
        return _Bag(
            self._bits[number], self._mask(others), tables, terms, self._inside({number, *others})
        )

    def _inside(self, bag: set[int]) -> list[_Rule]:
        """The rules that a bag is the first to have all of: the sooner, the fewer patterns."""
        inside = list[_Rule]()
        for member in bag & self._rules.keys():
            rules = self._rules.pop(member)
            inside += (rule for group, rule in rules if group <= bag)
            if left := [(group, rule) for group, rule in rules if not group <= bag]:
                self._rules[member] = left
        return inside

    def _rule(self, clause: Literals) -> _Rule:
        body, heads = ([number >> 1 for number in clause if number & 1 is side] for side in (0, 1))
        return _Rule(self._mask(body), self._mask(heads))

    def _mask(self, concepts: Iterable[int]) -> int:
        return sum([self._bits[concept] for concept in concepts])

    def _first(self, concepts: Iterable[int]) -> int:
        return min(concepts, key=self._place.__getitem__)
