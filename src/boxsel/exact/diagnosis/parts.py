"""Parts of a knowledge base: does a part do what the whole does, and which of it is enough?

Each question is answered on a part of the statements, by a ladder of its own, and a "yes" names
the statements that the proof rests on: often far fewer than were asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain
from typing import Final, TypeVar

from boxsel.exact.coherence.emptying import Unemptied, find_emptying
from boxsel.exact.compile.modules import Modules, is_local
from boxsel.exact.compile.problem import Goal
from boxsel.exact.diagnosis.needed import find_needed
from boxsel.exact.individuals import Individuals, Placement, gather
from boxsel.exact.ladder import Ladder
from boxsel.exact.lp.optimum import Elimination, Impossible, Result
from boxsel.logic.axioms import Axiom, ConceptAssertion, RoleAssertion
from boxsel.logic.concepts import TOP, Concept, Entity, Role, conjunction, entities
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget

NEAR_STATEMENTS: Final = 60
"""How many statements around a concept are searched for a conflict before all of them are."""
SHORT_PROOF: Final = 8
"""A proof with so many statements is not worth the search for another."""
SINGLY: Final = 4
"""So few statements are left out one by one."""
SOME, SATURATED = 10, 400
"""Between so many statements saturation, and one population, are asked before programmes are: with
40 of them, roles among them, that takes 3 ms instead of 40."""
KEPT: Final = 100
"""Ladders for so many statements are kept: the other end asks about many of the same parts."""
T = TypeVar("T")
Numbers = Sequence[int]
"""Positions of statements in a knowledge base."""
_ASSERTIONS = (ConceptAssertion, RoleAssertion)


def minimal(
    items: Iterable[T],
    suffices: Callable[[tuple[T, ...]], Collection[T] | None],
    *,
    enough: bool = False,
    find_needed: Callable[[tuple[T, ...]], Collection[T]] = lambda _: (),
) -> tuple[T, ...]:
    """A part of some items that suffices, and none of which can be left out.

    `suffices` says of a part whether it is enough, by naming some of it that is enough already;
    what contains enough is enough. If all items are known to be `enough`, that is not asked.
    `find_needed` may name some of a part that is enough without which no rest of it is. Whole
    runs of items are left out at once, in lengths that double and halve, so that k items of n take
    about k·log n questions; few are tried one by one. Earlier items are preferred, and the result
    keeps their order.

    Examples:
        >>> minimal(range(100), lambda part: part if {3, 50} <= set(part) else None)
        (3, 50)
    """
    order = tuple(dict.fromkeys(items))
    found = order if enough else suffices(order)
    if found is None:
        raise ValueError("not even all items are enough")
    known = {*found}
    left = [one for one in order if one in known]
    needed = {*find_needed(tuple(left))} if len(left) > SINGLY else set[T]()
    left = [one for one in left if one not in needed]
    length = 1 if len(left) <= SINGLY else (len(left) + 1) // 2
    while left:
        length = min(length, len(left))
        kept = left[:-length]
        asked = needed.union(kept)
        found = suffices(tuple(one for one in order if one in asked))
        if found is not None:
            known = {*found}
            left = [one for one in kept if one in known]
            length *= 2
            if len(left) > SINGLY:
                needed.update(find_needed(tuple(one for one in order if one in known)))
                left = [one for one in left if one not in needed]
        elif length == 1:
            needed.add(left.pop())
        else:
            length = (length + 1) // 2
    result = tuple(one for one in order if one in needed)
    if not needed.issuperset(known) and suffices(result) is None:
        raise ArithmeticError("a part was said to be enough that is not")
    return result


class Parts:
    """Questions about parts of the statements of a knowledge base, given by their positions."""

    def __init__(self, kb: KB, budget: Budget | None = None) -> None:
        self.kb = kb
        self.budget = budget or Budget()
        self._ladders: dict[tuple[tuple[int, ...], tuple[Concept, ...]], Ladder] = {}

    def statements(self, numbers: Iterable[int]) -> tuple[Statement, ...]:
        """The statements at some positions."""
        return tuple(self.kb.statements[number] for number in numbers)

    def axioms(self, numbers: Iterable[int]) -> frozenset[Axiom]:
        """The axioms at some positions."""
        return frozenset(self.kb.statements[number].axiom for number in numbers)

    def stating(self, axioms: Collection[Axiom]) -> tuple[int, ...]:
        """The positions where some axioms stand first: what is repeated is one reason."""
        first: dict[Axiom, int] = {}
        for number, statement in enumerate(self.kb.statements):
            if statement.axiom in axioms:
                first.setdefault(statement.axiom, number)
        return tuple(first.values())

    def against(self, goal: Concept | None) -> Callable[[Numbers], tuple[int, ...] | None]:
        """Which statements of a part empty a goal; without one, which have no model."""
        return self.contradicting if goal is None else partial(self.emptying, concept=goal)

    def conflict(
        self,
        goal: Concept | None,
        *,
        without: Set[int] = frozenset(),
        most: int | None = None,
        proof: Set[Axiom] = frozenset(),
    ) -> tuple[int, ...] | None:
        """A minimal part that empties a goal, or without a goal has no model, if there is one.

        Some statements can be left out. If a part is to have at most so many statements to begin
        with, a conflict may be missed. What empties a concept mostly stands near it, and small
        parts are quickly solved: so parts grow around the concept. Before any that is not small,
        saturation is asked about all of them (see `_by_saturation`), and then the axioms of a known
        proof are tried, if they are fewer.
        """
        suffices = self.against(goal)
        everything = tuple(range(len(self.kb.statements)))
        parts: Iterable[Numbers] = [everything] if goal is None else chain([()], self.near(goal))
        proved = self.stating(proof)
        saturated = goal is None
        for part in _before_larger(proved, parts) if proved else parts:
            rest = tuple(number for number in part if number not in without)
            if most is not None and len(rest) > most:
                return None
            if goal is not None and not saturated and len(rest) > NEAR_STATEMENTS:
                saturated = True
                found = self._by_saturation(goal, without)
                if found is not None:
                    return minimal(found, suffices, enough=True)
            found = suffices(rest)
            if found is not None:
                return minimal(found, suffices, enough=True)
        return None

    def _by_saturation(self, goal: Concept, without: Set[int]) -> tuple[int, ...] | None:
        """Few statements that empty a goal, if saturation and single bodies show that some do.

        That takes milliseconds for most parts, where programmes may take a minute. Whether there
        are any is said by the largest part, since what is enough stays so in a larger one. They
        are not minimal: what saturation needs, programmes may not.
        """
        if not _is_plain(goal):
            return None
        suffices = partial(self._saturating, goal=goal)
        parts = [tuple(n for n in part if n not in without) for part in self.near(goal)]
        if not parts or suffices(parts[-1]) is None:
            return None
        found = next(few for part in parts if (few := suffices(part)) is not None)
        return minimal(found, suffices, enough=True)

    def _saturating(self, numbers: Numbers, goal: Concept) -> tuple[int, ...] | None:
        """Statements of a part that saturation shows to empty a goal: the others do not matter."""
        found = self._saturate(numbers, goal)
        return None if isinstance(found, Unemptied) else found

    def _saturate(self, numbers: Numbers, goal: Concept) -> tuple[int, ...] | Unemptied:
        """The same, or what saturation leaves possible."""
        module = self._module(goal, numbers)
        few = find_emptying(self.statements(module), goal, self.budget)
        if isinstance(few, Unemptied):
            return few
        return self._module(goal, [module[place] for place in few])

    def _module(self, concept: Concept, numbers: Numbers) -> tuple[int, ...]:
        """What matters for a concept in a part."""
        *_, module = (), *self.near(concept, {*numbers})
        return module

    def premises(
        self,
        query: Query,
        sign: int,
        bound: Fraction,
        proof: Set[Axiom] = frozenset(),
        *,
        most: int | None = None,
    ) -> tuple[int, ...] | None:
        """A minimal part that bounds a query as said (see `bounding`): there must be one.

        The axioms of a known proof are tried as well, before any part that is larger; if they are
        few, at once. If a part is to have at most so many statements to begin with, none may do.
        """
        suffices = partial(self.bounding, query=query, sign=sign, bound=bound)
        needed = partial(self._needed, query=query, sign=sign, bound=bound)
        proved = self.stating(proof)
        if 0 < len(proved) <= SHORT_PROOF and (found := suffices(proved)) is not None:
            return minimal(found, suffices, enough=True, find_needed=needed)
        parts = chain([()], self.near(conjunction(query.body, query.head)))
        for part in _before_larger(proved, parts) if proved else parts:
            if most is not None and len(part) > most:
                return None
            found = suffices(part)
            if found is not None:
                return minimal(found, suffices, enough=True, find_needed=needed)
        raise ValueError("no part gives the bound")

    def near(self, concept: Concept, within: Set[int] | None = None) -> Iterator[tuple[int, ...]]:
        """Growing parts around a concept, up to its module; of all statements, or of some."""
        signature = set(entities(concept))
        chosen: set[int] = set()
        fresh: list[Entity] = [*signature]
        candidates = self._always
        while True:
            asked = (*candidates, *(n for entity in fresh for n in self._users.get(entity, ())))
            added = {
                number
                for number in asked
                if number not in chosen
                and (within is None or number in within)
                and not is_local(self.kb.statements[number].axiom, signature)
            }
            if not added:
                return
            chosen |= added
            yield tuple(sorted(chosen))
            names = (entity for n in added for entity in self.kb.statements[n].axiom.entities())
            fresh = [name for name in dict.fromkeys(names) if name not in signature]
            # What was local before may not be so for a larger signature, if it has a new name.
            signature.update(fresh)
            candidates = []

    @cached_property
    def _users(self) -> dict[Entity, list[int]]:
        users: dict[Entity, list[int]] = {}
        for number, statement in enumerate(self.kb.statements):
            if not isinstance(statement.axiom, _ASSERTIONS):
                for entity in dict.fromkeys(statement.axiom.entities()):
                    users.setdefault(entity, []).append(number)
        return users

    @cached_property
    def _always(self) -> list[int]:
        """The statements that say something even if every name is empty."""
        return [
            number
            for number, statement in enumerate(self.kb.statements)
            if not isinstance(statement.axiom, _ASSERTIONS)
            and not is_local(statement.axiom, frozenset())
        ]

    def emptying(self, numbers: Numbers, concept: Concept) -> tuple[int, ...] | None:
        """Statements of a part that empty a concept in all their models, if the part does."""
        if concept.mentions_bottom:
            return ()
        if SOME < len(numbers) <= SATURATED and _is_plain(concept):
            found = self._saturate(numbers, concept)
            if not isinstance(found, Unemptied):
                return found
            if found.find_members(concept):
                return None
        ladder, result = self.realise(numbers, concept)
        if not isinstance(result, Impossible):
            return None
        return _premises(ladder, result.statements, result.multipliers, *_earlier(result.steps))

    def realise(self, numbers: Numbers, concept: Concept) -> tuple[Ladder, Result]:
        """Members of a concept in a model of a part, or why there are none, and whose types."""
        ladder = self.ladder(numbers, concept)
        return ladder, ladder.realise(Goal(ladder.mask(concept)))

    def contradicting(self, numbers: Numbers) -> tuple[int, ...] | None:
        """Statements of a part that have no model, if the part has none."""
        without = self.emptying(numbers, TOP)
        if without is not None:
            return without
        assertions = {
            number: axiom
            for number in numbers
            if isinstance(axiom := self.kb.statements[number].axiom, _ASSERTIONS)
        }
        if not assertions:
            return None
        if SOME < len(numbers) <= SATURATED:
            for concept, said in gather(assertions.values()):
                few = self._saturating(numbers, concept)
                if few is not None:
                    asserted = (n for n, axiom in assertions.items() if axiom in said)
                    return tuple(sorted({*few, *asserted}))
        concepts = (concept for axiom in assertions.values() for concept in axiom.concepts())
        roles = (role for axiom in assertions.values() for role in axiom.roles())
        ladder = self.ladder(numbers, *concepts, roles=roles)
        found = Individuals(ladder, self.budget).place(assertions.values())
        if isinstance(found, Placement):
            return None
        about = [
            number
            for number, axiom in assertions.items()
            if not found.individuals.isdisjoint(axiom.individuals())
        ]
        earlier = _earlier(ladder.survivors.eliminations)
        return tuple(sorted({*_premises(ladder, None, *found.cuts, *earlier), *about}))

    def bounding(
        self, numbers: Numbers, query: Query, sign: int, bound: Fraction
    ) -> tuple[int, ...] | None:
        """Statements of a part that bound a query as said, if the part does.

        The bound is an upper one if the sign is 1 and a lower one if it is −1.
        """
        ladder = self.ladder(numbers, query.head, query.body)
        result = ladder.extreme(query, sign)
        if isinstance(result, Impossible) or result.value * sign <= bound * sign:
            return _premises(ladder, result.statements, result.multipliers, *_earlier(result.steps))
        return None

    def _needed(self, numbers: Numbers, query: Query, sign: int, bound: Fraction) -> frozenset[int]:
        """Statements of a part that is enough without which no rest of it is, as far as is seen."""
        ladder = self.ladder(numbers, query.head, query.body)
        result = ladder.extreme(query, sign)
        if isinstance(result, Impossible) or result.value != bound:
            return frozenset()
        body, head = ladder.mask(query.body), ladder.mask(query.head)
        above, below = bound.numerator, bound.denominator
        exceeding = ((body | head, sign * below), (body, -sign * above))
        return find_needed(ladder, result, exceeding, below, self.budget)

    def ladder(self, numbers: Numbers, *concepts: Concept, roles: Iterable[Role] = ()) -> Ladder:
        """The ladder for the module of some concepts and roles in a part."""
        signature: list[Entity] = [*roles]
        for concept in concepts:
            signature.extend(entities(concept))
        module = Modules(KB(self.statements(numbers))).around(signature)
        places = tuple(numbers[place] for place in module)
        key = (places, tuple(concepts))
        known = self._ladders.get(key)
        if known is not None:
            return known
        chosen = [(place, self.kb.statements[place].axiom) for place in places]
        ladder = Ladder(chosen, concepts, self.budget)
        if len(places) <= KEPT:
            self._ladders[key] = ladder
        return ladder


def _is_plain(concept: Concept) -> bool:
    """Whether saturation knows the concept."""
    return not concept.is_boolean and not concept.mentions_bottom and concept != TOP


def _before_larger(one: Numbers, parts: Iterable[Numbers]) -> Iterator[Numbers]:
    """Growing parts, and one more before the first that is larger, or not small."""
    done = False
    for part in parts:
        if not done and len(part) > min(len(one), NEAR_STATEMENTS):
            done = True
            yield one
        yield part


def _earlier(steps: Iterable[Elimination] | None) -> Iterator[Mapping[int, Fraction]]:
    """The multipliers of eliminations."""
    yield from (step.multipliers for step in steps or ())


def _premises(
    ladder: Ladder, strict: Iterable[int] | None, *multipliers: Mapping[int, Fraction]
) -> tuple[int, ...]:
    """The statements whose rows are used, and those without rows.

    If it is known which of the latter are enough, `strict` says so.
    """
    rows = ladder.problem.rows
    used = {rows[row].statement for each in multipliers for row in each}
    with_rows = {row.statement for row in rows}
    strict = ladder.statements if strict is None else strict
    return tuple(sorted(used.union(one for one in strict if one not in with_rows)))
