"""The steps behind a bound, retold from the trail down to what the knowledge base states."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.logic.axioms import Axiom, Conditional, Inclusion
from boxsel.logic.concepts import BOTTOM, Concept
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.proportions import ONE, ZERO, Interval
from boxsel.logic.statements import Query
from boxsel.rules.amounts import UNKNOWN, Bounds
from boxsel.rules.figures import included, part
from boxsel.rules.knowledge import Region
from boxsel.rules.propagation import Propagation
from boxsel.rules.shares import Certain
from boxsel.rules.trail import (
    NOTHING,
    STATED,
    Bound,
    Conflict,
    EmptyFiller,
    EmptyPart,
    NoPart,
    Premise,
)

AS_STATED: Final = "stated"
CONFLICT: Final = "conflict"
NO_INSTANCE: Final = "no instance"
SATURATION: Final = "saturation"


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rule.

    Attributes:
        rule: the name of a rule, or `stated`, `saturation` (by the deterministic part),
            `conflict` (bounds of one share that exclude each other: its body is empty) or
            `no instance` (what emptiness entails).
        premises: what it starts from; a premise is a conclusion of earlier steps, or two of
            them taken together.
        because: what it rests on beside; entailed by the deterministic part.
        conclusion: what follows: bounds of a share, or that a concept is empty.
    """

    rule: str
    premises: tuple[Axiom, ...]
    because: tuple[Axiom, ...]
    conclusion: Axiom

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        r"""The step in one line.

        Examples:
            >>> from boxsel.syntax.parser import parse_kb
            >>> stated, claim = parse_kb("(A | B)[0.5]\nA SubClassOf C").axioms
            >>> print(Step("stated", (), (), stated).text())
            (A | B)[0.5]  as stated
        """
        conclusion = self.conclusion.text(prefixes)
        if self.rule == AS_STATED and not self.premises:
            return f"{conclusion}  as stated"
        line = f"{conclusion}  by {self.rule}"
        told = [
            premise.text(prefixes)
            for premise in self.premises
            if not isinstance(premise, Conditional) or premise.bounds != Interval(ZERO, ONE)
        ]
        if told:
            line += f" from {', '.join(told)}"
        if self.because:
            line += f"; {', '.join(axiom.text(prefixes) for axiom in self.because)}"
        return line


_Item = tuple[str, int | Region]
"""An entry of the trail, a statement's lower or upper end, or an empty region."""


class Retelling:
    """Steps in order, each after those that it builds on, none twice."""

    def __init__(self, propagation: Propagation) -> None:
        self._run = propagation
        self._shares = propagation.shares
        self._done: set[_Item] = set()
        self._told: dict[Step, None] = {}

    def end(self, share: int, *, is_upper: bool) -> tuple[Step, ...]:
        """The steps behind one end of a share."""
        return self._tell(self._needs(self._run.premise(share), is_upper))

    def emptiness(self, region: Region) -> tuple[Step, ...]:
        """The steps that show that a region is empty."""
        return self._tell([("empty", region)])

    def _tell(self, items: list[_Item]) -> tuple[Step, ...]:
        # A stack instead of recursion: chains may be as long as there are rounds.
        stack: list[tuple[_Item, list[Step] | None]] = [(item, None) for item in items]
        while stack:
            item, ready = stack.pop()
            if item in self._done:
                continue
            if ready is None:
                steps, needs = self._steps(item)
                stack.append((item, steps))
                stack.extend((need, None) for need in reversed(needs))
            else:
                self._done.add(item)
                self._told.update(dict.fromkeys(ready))
        return tuple(self._told)

    def _needs(self, premise: Premise, is_upper: bool) -> list[_Item]:
        """What must be told before one end of a premise; nothing before 0 and 1 themselves."""
        share, entry = premise.share, premise.entries[is_upper]
        if entry >= 0:
            return [("entry", entry)]
        if entry == STATED and self._shares.certain[share] is not None:
            return [("certain", share)]
        if entry == NOTHING or self._shares.stated[is_upper][share] is None:
            return []
        return [("upper" if is_upper else "lower", share)]

    def _steps(self, item: _Item) -> tuple[list[Step], list[_Item]]:
        """The steps that an item stands for, and the items that must be told before."""
        kind, what = item
        if not isinstance(what, int):
            return self._empty(what)
        if kind == "entry":
            bound = self._run.trail.bounds[what]
            return self._no_part(bound) if isinstance(bound, NoPart) else self._bound(bound)
        certain = self._shares.certain[what]
        if certain is not None:
            return [certainty(self._shares.queries[what], certain)], []
        axiom = self._shares.stated[kind == "upper"][what]
        assert axiom is not None
        return [Step(AS_STATED, (), (), axiom)], []

    def _bound(self, bound: Bound) -> tuple[list[Step], list[_Item]]:
        query = self._shares.queries[bound.share]
        premises, needs = self._premises(bound)
        asked = [Query(premise.head, premise.body) for premise in premises]
        because = tuple(dict.fromkeys(bound.rule.conditions(asked, query)))
        conclusion = _conclusion(query, bound.value, bound.is_upper)
        return [Step(bound.rule.name, tuple(premises), because, conclusion)], needs

    def _premises(self, bound: Bound) -> tuple[list[Conditional], list[_Item]]:
        """The premises with only those ends that matter for the conclusion."""
        known = [self._bounds(premise) for premise in bound.premises]
        axioms: list[Conditional] = []
        items: list[_Item] = []
        for premise, ends in zip(bound.premises, _needed(bound, known), strict=True):
            stated = self._stated(premise)
            if stated is not None and ends != UNKNOWN:
                axioms.append(stated)
            else:
                axioms.append(_conditional(self._shares.queries[premise.share], ends))
            for is_upper in (False, True):
                if ends[is_upper] != UNKNOWN[is_upper]:
                    items += self._needs(premise, is_upper)
        return axioms, items

    def _stated(self, premise: Premise) -> Conditional | None:
        """The statement that gives both ends of a premise."""
        if premise.entries != (STATED, STATED):
            return None
        axioms = {stated[premise.share] for stated in self._shares.stated} - {None}
        return axioms.pop() if len(axioms) == 1 else None

    def _bounds(self, premise: Premise) -> Bounds:
        known = list(UNKNOWN)
        for is_upper, entry in enumerate(premise.entries):
            if entry >= 0:
                known[is_upper] = self._run.trail.bounds[entry].value
            elif entry == STATED:
                known[is_upper] = self._shares.bounds[is_upper][premise.share]
        return Bounds(*known)

    def _no_part(self, bound: NoPart) -> tuple[list[Step], list[_Item]]:
        query = self._shares.queries[bound.share]
        empty = self._shares.knowledge.concept(bound.region)
        because = tuple(included(part(query), empty))
        conclusion = _conditional(query, Bounds(ZERO, ZERO))
        step = Step(NO_INSTANCE, (Inclusion(empty, BOTTOM),), because, conclusion)
        return [step], [("empty", bound.region)]

    def _empty(self, region: Region) -> tuple[list[Step], list[_Item]]:
        concept = self._shares.knowledge.concept(region)
        nothing = Inclusion(concept, BOTTOM)
        cause = self._run.trail.empty[region]
        if isinstance(cause, Conflict | EmptyPart):
            return self._contradiction(cause, concept)
        if isinstance(cause, EmptyFiller):
            inner = self._shares.knowledge.concept(cause.region)
            because = (
                *included(cause.existential.filler, inner),
                *included(concept, cause.existential),
            )
            step = Step(NO_INSTANCE, (Inclusion(inner, BOTTOM),), because, nothing)
            return [step], [("empty", cause.region)]
        stated = cause.axiom
        known = certainty(Query(stated.head, stated.body), cause.certain)
        because = tuple(included(concept, stated.body))
        conflict = Step(CONFLICT, (stated, known.conclusion), because, nothing)
        return [Step(AS_STATED, (), (), stated), known, conflict], []

    def _contradiction(
        self, cause: Conflict | EmptyPart, concept: Concept
    ) -> tuple[list[Step], list[_Item]]:
        premise = cause.premise
        query = self._shares.queries[premise.share]
        lower, upper = (self._needs(premise, is_upper) for is_upper in (False, True))
        nothing = Inclusion(concept, BOTTOM)
        if isinstance(cause, EmptyPart):
            because = tuple(included(concept, part(query)))
            zero = _conditional(query, Bounds(ZERO, ZERO))
            return [Step(NO_INSTANCE, (zero,), because, nothing)], upper
        because = tuple(included(concept, query.body))
        sides = [
            _conclusion(query, value, is_upper > 0)
            for is_upper, value in enumerate(self._bounds(premise))
        ]
        # A side that is beyond 0 or 1 is a contradiction by itself.
        alone = [side for side in sides if isinstance(side, Inclusion)]
        premises = tuple(alone[:1] or sides)
        needs = lower + upper if not alone else (lower if alone[0] is sides[0] else upper)
        return [Step(CONFLICT, premises, because, nothing)], needs


def certainty(query: Query, certain: Certain) -> Step:
    """The step for a share that is 0 or 1 by the deterministic part."""
    because = (
        Inclusion(query.body, query.head)
        if certain is Certain.ALL
        else Inclusion(part(query), BOTTOM)
    )
    value = ONE if certain is Certain.ALL else ZERO
    return Step(SATURATION, (), (because,), _conditional(query, Bounds(value, value)))


def _needed(bound: Bound, known: list[Bounds]) -> list[Bounds]:
    """The premises without the ends that the conclusion does not need."""
    end = 1 if bound.is_upper else 0
    target = bound.rule.conclude(known)[end]
    kept = list(known)
    for place, bounds in enumerate(known):
        for loose in (UNKNOWN, Bounds(bounds.lower, ONE), Bounds(ZERO, bounds.upper)):
            trial = [*kept[:place], loose, *kept[place + 1 :]]
            if bound.rule.conclude(trial)[end] == target:
                kept = trial
                break
    return kept


def _conclusion(query: Query, value: Fraction, is_upper: bool) -> Axiom:
    """The bound as an axiom; one that no share can have says that the body is empty."""
    if not 0 <= value <= 1:
        return Inclusion(query.body, BOTTOM)
    return _conditional(query, Bounds(ZERO, value) if is_upper else Bounds(value, ONE))


def _conditional(query: Query, bounds: Bounds) -> Conditional:
    return Conditional(query.head, query.body, Interval(bounds.lower, bounds.upper))
