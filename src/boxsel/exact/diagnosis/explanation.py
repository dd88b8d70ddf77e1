"""Explanations: the statements that each end of an answer rests on, and how it follows.

The statements of an explanation are minimal: they alone give the same bound, and no fewer do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boxsel.exact.answers import End, Outcome, Status
from boxsel.exact.certificate import written
from boxsel.exact.compile.problem import Goal, Side
from boxsel.exact.diagnosis.derivation import NO_DERIVATION, Derivation, comparison
from boxsel.exact.diagnosis.deriving import Claim, derive
from boxsel.exact.diagnosis.parts import Parts, mask_of
from boxsel.exact.lp.optimum import Impossible, Optimum
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.concepts import TOP, Concept
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.rounding import in_formula
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget


@dataclass(frozen=True)
class EndReason:
    """Why the share of a query is at least, or at most, a bound."""

    query: Query
    side: Side
    bound: Fraction
    statements: tuple[Statement, ...] = ()
    derivation: Derivation = NO_DERIVATION

    def lines(self, prefixes: Prefixes = NO_PREFIXES) -> Iterator[str]:
        """The reason for people."""
        most = "at least" if self.side == "lower" else "at most"
        claim = f"{self.query.text(prefixes)} is {most} {in_formula(self.bound)}"
        if not self.statements:
            trivial = self.bound == (0 if self.side == "lower" else 1)
            yield f"{claim}: {'nothing stated says more' if trivial else 'whatever is stated'}"
        else:
            yield f"{claim}, by"
            yield from (f"  {one.text(prefixes)}" for one in self.statements)
        if not self.statements and not self.derivation.steps:
            return
        yield from _derivation_lines(self.derivation, prefixes)
        yield f"  {self._conclusion(prefixes)}"

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The reason as a JSON object."""
        return {
            "bound": written(self.bound),
            "statements": [one.text(prefixes) for one in self.statements],
            **self.derivation.to_json(prefixes),
            "text": "\n".join(self.lines(prefixes)),
        }

    def _conclusion(self, prefixes: Prefixes) -> str:
        head, body = self.query.head, self.query.body
        goal = comparison(head, body, self.side, self.bound, prefixes)
        if not self.derivation.premises:
            none = "without" if self.side == "lower" else "with"
            what, other = body.text(prefixes), head.text(prefixes)
            return f"so no element can be {what} {none} {other}: {goal}"
        if self.derivation.direct:
            return f"that is the bound: {goal}"
        return f"every possible element counts at least as much in the bound, so {goal}"


@dataclass(frozen=True)
class EmptyReason:
    """Why a concept is empty in every model, or, without one, why there is no model."""

    concept: Concept | None
    statements: tuple[Statement, ...]
    derivation: Derivation = NO_DERIVATION

    def lines(self, prefixes: Prefixes = NO_PREFIXES) -> Iterator[str]:
        """The reason for people."""
        what = "" if self.concept is None else self.concept.text(prefixes)
        yield f"{what} is empty in every model, by" if what else "there is no model, by"
        yield from (f"  {one.text(prefixes)}" for one in self.statements)
        yield from _derivation_lines(self.derivation, prefixes)
        if self.derivation.premises:
            one = f"one of {what}" if what else "each"
            yield f"  no element counts in favour of that, and {one} counts against it"
        elif what:
            yield f"  so no element can be {what}"

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The reason as a JSON object."""
        return {
            "concept": None if self.concept is None else self.concept.text(prefixes),
            "statements": [one.text(prefixes) for one in self.statements],
            **self.derivation.to_json(prefixes),
            "text": "\n".join(self.lines(prefixes)),
        }


@dataclass(frozen=True)
class Explanation:
    """Why an answer is what it is: both ends, or why there are none."""

    query: Query
    status: Status
    lower: EndReason | None = None
    upper: EndReason | None = None
    empty: EmptyReason | None = None
    prefixes: Prefixes = NO_PREFIXES

    @property
    def text(self) -> str:
        """The explanation for people."""
        reasons = (one for one in (self.lower, self.upper, self.empty) if one is not None)
        return "\n".join(
            "".join(f"{line}\n" for line in one.lines(self.prefixes)) for one in reasons
        )

    def to_json(self) -> dict[str, Any]:
        """The explanation as a JSON object; statements are lines of `.sel`."""
        return {
            "query": self.query.text(self.prefixes),
            "status": self.status,
            "lower": self.lower and self.lower.to_json(self.prefixes),
            "upper": self.upper and self.upper.to_json(self.prefixes),
            "empty": self.empty and self.empty.to_json(self.prefixes),
        }


def explain(
    reasoner: Reasoner,
    query: Query | str,
    *,
    budget: Budget | None = None,
    answer: Outcome | None = None,
) -> Explanation:
    r"""The least statements that both ends of an answer rest on, with derivations.

    The answer need not be found again if it is known.

    Examples:
        >>> from boxsel import examples
        >>> reasoner = Reasoner(examples.load("applicant"))
        >>> explanation = explain(reasoner, "(Admitted and DeptA | Applicant)")
        >>> print("\n".join(explanation.upper.lines()))
        (Admitted and DeptA | Applicant) is at most 0.2, by
          DeptA SubClassOf Applicant
          (DeptA | Applicant)[0.2, 0.25]
          (Admitted | DeptA)[0.8]
          |Applicant ⊓ DeptA| ≤ 0.25·|Applicant|, times 0.8
          |DeptA ⊓ Admitted| ≤ 0.8·|DeptA|
          together 0.2·|Applicant| ≥ |DeptA ⊓ Admitted|
          that is the bound: |Applicant ⊓ Admitted ⊓ DeptA| ≤ 0.2·|Applicant|
    """
    query = reasoner.kb.query(query)
    answer = answer or reasoner.bounds(query)
    parts = Parts(reasoner.kb, budget)
    prefixes = reasoner.kb.prefixes
    if answer.lower is not None and answer.upper is not None:
        lower = _end(parts, query, "lower", answer.lower)
        upper = _end(parts, query, "upper", answer.upper)
        return Explanation(query, answer.status, lower, upper, prefixes=prefixes)
    empty = _empty(parts, None if answer.status == "inconsistent" else query.body)
    return Explanation(query, answer.status, empty=empty, prefixes=prefixes)


def minimal_statements(parts: Parts, query: Query, side: Side, end: End) -> tuple[Statement, ...]:
    """The least statements that an end rests on, without the derivation."""
    sign = 1 if side == "upper" else -1
    return parts.statements(parts.premises(query, sign, end.bound, end.proof.premises))


def _end(parts: Parts, query: Query, side: Side, end: End) -> EndReason:
    sign, bound = 1 if side == "upper" else -1, end.bound
    numbers = parts.premises(query, sign, bound, end.proof.premises)
    ladder = parts.ladder(numbers, query.head, query.body)
    body, head = mask_of(ladder, query.body), mask_of(ladder, query.head)
    optimum = ladder.survivors.maximise(Goal(body), ((body | head, sign),))
    assert isinstance(optimum, Optimum)
    claim = Claim(optimum.multipliers, ((body | head, Fraction(sign)), (body, -sign * bound)))
    derivation = derive(ladder, parts.kb.statements, claim, parts.budget)
    return EndReason(query, side, bound, parts.statements(numbers), derivation)


def _empty(parts: Parts, concept: Concept | None) -> EmptyReason:
    numbers = parts.conflict(concept)
    assert numbers is not None  # there is one, or the answer would be an interval
    statements = parts.statements(numbers)
    ladder = parts.ladder(numbers, TOP if concept is None else concept)
    goal = Goal(mask_of(ladder, TOP if concept is None else concept))
    result = ladder.survivors.maximise(goal)
    if not isinstance(result, Impossible):  # the assertions contradict the rest
        return EmptyReason(None, statements)
    claim = Claim(result.multipliers, empty=goal)
    derivation = derive(ladder, parts.kb.statements, claim, parts.budget)
    return EmptyReason(concept, statements, derivation)


def _derivation_lines(derivation: Derivation, prefixes: Prefixes) -> Iterator[str]:
    yield from (f"  {one.text(prefixes)}" for one in derivation.steps)
    yield from (f"  {one.text(prefixes)}" for one in derivation.premises)
    if len(derivation.premises) > 1 or any(one.factor != 1 for one in derivation.premises):
        yield f"  together {derivation.total_text(prefixes)}"
