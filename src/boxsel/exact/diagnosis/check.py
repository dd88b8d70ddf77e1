"""Whether a knowledge base has a model, and which names it leaves empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from boxsel.exact.diagnosis.causes import Cause, Diagnosis, diagnose, find_causes
from boxsel.exact.diagnosis.conflicts import Conflict, conflicts
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.html import Told
from boxsel.logic.kb import KB
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.proportions import Count
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.precision import guess_unit, read_rounded
from boxsel.sampling import Reading, read_counts
from boxsel.wording import several

CONSISTENCY: Final = 0.5
"""The part of the time for the question whether there is a model at all: contradictions that stand
side by side are named even if that takes longer."""
LEAST_ADVICE: Final = 5.0
"""The seconds for whether another reading of numbers would do, or as many as all else took: mostly
it takes a tenth of one, and loading what reads counts 3 s where ten others work beside."""


@dataclass(frozen=True)
class Check(Told):
    """Consistent: there is a model. Coherent: moreover every name can be non-empty.

    `causes` are the contradictions that empty names, those that explain most first, and `empty`
    are the names in their order. `conflict` is a minimal conflict, about the inconsistency, about
    the first cause, or about a concept that was asked for; `conflicts` are several about the same,
    if they were asked for. `coherent_at` is a confidence at which counts, read as intervals, make
    it coherent, if they do and that is soon known. With shares read as rounded to whole multiples
    of `rounded_to` the contradictions go away, and all is coherent if `coherent_rounded`: there
    may have been no time to see that.

    A budget may end it: then `finished` is false, `consistent` and `coherent` are none if they are
    not known, and `undecided` are the names of which it is not known whether they are empty.
    """

    consistent: bool | None
    empty: tuple[Name, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    more: bool = False
    ignored_axioms: int = 0
    causes: tuple[Cause, ...] = ()
    coherent_at: Reading | None = None
    rounded_to: Fraction | None = None
    coherent_rounded: bool = False
    finished: bool = True
    undecided: tuple[Name, ...] = ()
    prefixes: Prefixes = field(default=NO_PREFIXES, repr=False, compare=False)

    @property
    def coherent(self) -> bool | None:
        """Whether there is a model, and every name can be non-empty; none if it is not known."""
        if self.consistent is False or self.empty:
            return False
        return None if self.consistent is None or self.undecided else True

    @property
    def conflict(self) -> Conflict | None:
        """A minimal conflict, if there is one."""
        return self.conflicts[0] if self.conflicts else None

    @property
    def summary(self) -> str:
        """How many contradictions empty how many names."""
        count = len(self.causes)
        verb = "empties" if count == 1 else "empty"
        return f"{several(count, 'contradiction')} {verb} {several(len(self.empty), 'name')}"

    @property
    def text(self) -> str:
        """The result for people."""
        words = {True: "yes", False: "no", None: "not known"}
        lines = [f"consistent: {words[self.consistent]}, coherent: {words[self.coherent]}"]
        lines += [self.summary] if self.causes else []
        if self.undecided:
            lines.append(f"{several(len(self.undecided), 'name')} not decided in the time")
        told = (replace(conflict, prefixes=self.prefixes).text for conflict in self.conflicts)
        return "".join((*(f"{line}\n" for line in lines), *told))

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object; names and statements as in `.sel`."""
        spelt = self.prefixes
        return {
            "consistent": self.consistent,
            "coherent": self.coherent,
            "empty": [name.text(spelt) for name in self.empty],
            "conflict": [statement.text(spelt) for statement in self.conflict.statements]
            if self.conflict
            else [],
            "conflicts": [conflict.to_json() for conflict in self.conflicts],
            "more": self.more,
            "ignored_axioms": self.ignored_axioms,
            "causes": [cause.to_json() for cause in self.causes],
            "coherent_at": None if self.coherent_at is None else float(self.coherent_at.level),
            "rounded_to": None if self.rounded_to is None else float(self.rounded_to),
            "coherent_rounded": self.coherent_rounded,
            "finished": self.finished,
            "undecided": [name.text(spelt) for name in self.undecided],
        }


def check(
    kb: KB, *, concept: Concept | str | None = None, limit: int = 1, budget: Budget | None = None
) -> Check:
    r"""Whether there is a model, which names are empty in all, and minimal conflicts if there are.

    The conflicts are about the inconsistency, or about why a concept is empty: that of the cause
    which explains most, unless one is given. When the budget is spent, what is known then is the
    result.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> found = check(parse_kb("(B | A)[0.2]\n(B | A)[0.8]\nC SubClassOf A"))
        >>> found.consistent, found.coherent, [str(name) for name in found.empty]
        (True, False, ['A', 'C'])
        >>> [str(one) for one in found.conflict.statements]
        ['(B | A)[0.2]', '(B | A)[0.8]']
        >>> found.summary
        '1 contradiction empties 2 names'
    """
    asked = None if concept is None else kb.concept(concept)
    reasoner = Reasoner(kb, budget=budget)
    start = reasoner.budget.clock()
    consistent = _is_consistent(reasoner)
    names = kb.signature.concepts
    diagnosis = Diagnosis(empty=names) if consistent is False else diagnose(reasoner)
    causes = diagnosis.causes
    result = Check(
        consistent,
        diagnosis.empty,
        tuple(cause.conflict for cause in causes[:1]),
        any(cause.conflict.statements for cause in causes[:1]),
        kb.ignored_axioms,
        causes,
        finished=consistent is not None and not diagnosis.undecided,
        undecided=diagnosis.undecided,
        prefixes=kb.prefixes,
    )
    try:
        if consistent is False or asked is not None or (causes and limit > 1):
            about = asked or (causes[0].conflict.concept if causes else None)
            found = conflicts(reasoner, about, limit=limit, budget=reasoner.budget)
            result = replace(result, conflicts=found.found, more=found.more)
        said = [cause.conflict for cause in causes] or list(result.conflicts)
        if result.finished:
            took = reasoner.budget.clock() - start
            with suppress(OutOfTimeError), reasoner.budget.at_most(max(LEAST_ADVICE, took)):
                result = replace(result, coherent_at=_coherent_at(kb, said, reasoner.budget))
            with suppress(OutOfTimeError), reasoner.budget.at_most(max(LEAST_ADVICE, took)):
                unit = _rounded_to(kb, said, reasoner.budget)
                result = replace(result, rounded_to=unit)
                if unit is not None:
                    read, _ = read_rounded(kb, unit)
                    coherent = _is_coherent(read, reasoner.budget)
                    result = replace(
                        result, rounded_to=unit if coherent else None, coherent_rounded=coherent
                    )
    except OutOfTimeError:
        return replace(result, finished=False)
    return result


def _is_consistent(reasoner: Reasoner) -> bool | None:
    """Whether there is a model; none if that is not known in time."""
    try:
        with reasoner.budget.shortened(CONSISTENCY):
            return reasoner.consistent
    except OutOfTimeError:
        return None


def _coherent_at(kb: KB, said: Sequence[Conflict], budget: Budget) -> Reading | None:
    """The usual reading of counts as intervals, if with it nothing contradicts anything."""
    reading = Reading()

    def read(kb: KB) -> KB:
        return read_counts(kb, reading)[0]

    if not all(map(_has_counts, said)) or not _go_away(said, read, budget):
        return None
    return reading if _is_coherent(read(kb), budget) else None


def _rounded_to(kb: KB, said: Sequence[Conflict], budget: Budget) -> Fraction | None:
    """What shares seem to be rounded to, if contradictions go away where they are read so."""
    unit = guess_unit(kb.statements)
    if unit is None or not all(read_rounded(KB(one.statements), unit)[1] for one in said):
        return None
    return unit if _go_away(said, lambda kb: read_rounded(kb, unit)[0], budget) else None


def _go_away(said: Sequence[Conflict], read: Callable[[KB], KB], budget: Budget) -> bool:
    """Whether no contradiction is left of some, each on its own, in another reading."""
    for conflict in said:
        alone = read(KB(conflict.statements))
        if Parts(alone, budget).against(conflict.concept)(range(len(alone))) is not None:
            return False
    return bool(said)


def _is_coherent(kb: KB, budget: Budget) -> bool:
    reasoner = Reasoner(kb, budget=budget)
    return reasoner.consistent and not find_causes(reasoner)


def _has_counts(conflict: Conflict) -> bool:
    axioms = (statement.axiom for statement in conflict.statements)
    return any(
        isinstance(axiom, Conditional) and isinstance(axiom.proportion, Count) for axiom in axioms
    )
