"""Explanations: the statements that each end of an answer rests on, and how it follows.

The statements of an explanation are minimal: they alone give the same bound, and no fewer do. When
a budget ends first, they are those of the proof, if there is one, and are said to be so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from boxsel.exact.answers import AssertionProof, End, Outcome, Proof, Status
from boxsel.exact.certificate import written
from boxsel.exact.compile.problem import Goal, Side
from boxsel.exact.diagnosis.derivation import NO_DERIVATION, Derivation, comparison
from boxsel.exact.diagnosis.deriving import Claim, derive
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.lp.optimum import Impossible, Optimum
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.schedule import Known, within
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import TOP, Concept
from boxsel.logic.html import Told
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.rounding import in_formula
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, OutOfTimeError

ANSWER: Final = 0.6
"""The part of the time for the answer; the rest is for what it rests on."""


@dataclass(frozen=True)
class EndReason:
    """Why the share of a query is at least, or at most, a bound."""

    query: Query
    side: Side
    bound: Fraction
    statements: tuple[Statement, ...] = ()
    derivation: Derivation = NO_DERIVATION
    minimal: bool = True
    """Whether no fewer statements are enough; if that is not known, the time was over first."""

    def lines(self, prefixes: Prefixes = NO_PREFIXES) -> Iterator[str]:
        """The reason for people."""
        most = "at least" if self.side == "lower" else "at most"
        claim = f"{self.query.text(prefixes)} is {most} {in_formula(self.bound)}"
        trivial = self.bound == (0 if self.side == "lower" else 1)
        if not self.minimal and trivial:
            yield f"{claim}: the time was over before more was known"
            return
        if not self.minimal:
            yield from _unfinished_lines(claim, self.statements, prefixes)
            return
        if not self.statements:
            yield f"{claim}: {'nothing stated says more' if trivial else 'whatever is stated'}"
        else:
            yield f"{claim}, by"
            yield from (f"  {statement.text(prefixes)}" for statement in self.statements)
        if not self.statements and not self.derivation.steps:
            return
        yield from _derivation_lines(self.derivation, prefixes)
        yield f"  {self._conclusion(prefixes)}"

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The reason as a JSON object."""
        return {
            "bound": written(self.bound),
            "statements": [statement.text(prefixes) for statement in self.statements],
            "minimal": self.minimal,
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
    minimal: bool = True
    """Whether no fewer statements are enough; if that is not known, the time was over first."""

    def lines(self, prefixes: Prefixes = NO_PREFIXES) -> Iterator[str]:
        """The reason for people."""
        what = "" if self.concept is None else self.concept.text(prefixes)
        claim = f"{what} is empty in every model" if what else "there is no model"
        if not self.minimal:
            yield from _unfinished_lines(claim, self.statements, prefixes)
            return
        yield f"{claim}, by"
        yield from (f"  {statement.text(prefixes)}" for statement in self.statements)
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
            "statements": [statement.text(prefixes) for statement in self.statements],
            "minimal": self.minimal,
            **self.derivation.to_json(prefixes),
            "text": "\n".join(self.lines(prefixes)),
        }


@dataclass(frozen=True)
class Explanation(Told):
    """Why an answer is what it is: both ends, or why there are none."""

    query: Query
    status: Status
    lower: EndReason | None = None
    upper: EndReason | None = None
    empty: EmptyReason | None = None
    prefixes: Prefixes = NO_PREFIXES

    @property
    def finished(self) -> bool:
        """Whether all is explained by as few statements as possible; else the time was over."""
        return self.status != "budget" and all(reason.minimal for reason in self._reasons)

    @property
    def _reasons(self) -> tuple[EndReason | EmptyReason, ...]:
        return tuple(
            reason for reason in (self.lower, self.upper, self.empty) if reason is not None
        )

    @property
    def text(self) -> str:
        """The explanation for people."""
        reasons = self._reasons
        return "\n".join(
            "".join(f"{line}\n" for line in reason.lines(self.prefixes)) for reason in reasons
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

    The answer need not be found again if it is known. When the budget is spent, what is known of it
    is explained as far as that goes.

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
    prefixes = reasoner.kb.prefixes
    known = answer or _answer(reasoner, query)
    parts = Parts(reasoner.kb, budget)
    if isinstance(known, Known):
        low, high = known.ends
        lower = _known_end(parts, query, "lower", known.lower, low)
        upper = _known_end(parts, query, "upper", known.upper, high)
        return Explanation(query, "budget", lower, upper, prefixes=prefixes)
    if known.lower is not None and known.upper is not None:
        lower = _end(parts, query, "lower", known.lower)
        upper = _end(parts, query, "upper", known.upper)
        return Explanation(query, known.status, lower, upper, prefixes=prefixes)
    empty = _empty(parts, None if known.status == "inconsistent" else query.body, known.empty)
    return Explanation(query, known.status, empty=empty, prefixes=prefixes)


def _answer(reasoner: Reasoner, query: Query) -> Outcome | Known:
    """The answer, or what is known of it when its part of the time is over."""
    with reasoner.budget.shortened(ANSWER):
        return within(reasoner, query)


def minimal_statements(
    parts: Parts, query: Query, side: Side, end: End, most: int
) -> tuple[Statement, ...] | None:
    """The least statements that an end rests on, without the derivation.

    None, if they would have to be looked for in more than so many.
    """
    sign = 1 if side == "upper" else -1
    numbers = parts.premises(query, sign, end.bound, end.proof.premises, most=most)
    return None if numbers is None else parts.statements(numbers)


def _known_end(
    parts: Parts, query: Query, side: Side, bound: Fraction, end: End | None
) -> EndReason:
    """Why a share does not pass what is known of it so far."""
    if end is None or end.bound != bound:
        return EndReason(query, side, bound, minimal=False)
    return _end(parts, query, side, end)


def _end(parts: Parts, query: Query, side: Side, end: End) -> EndReason:
    sign, bound = 1 if side == "upper" else -1, end.bound
    try:
        numbers = parts.premises(query, sign, bound, end.proof.premises)
        assert numbers is not None  # however many they are
        ladder = parts.ladder(numbers, query.head, query.body)
        body, head = ladder.mask(query.body), ladder.mask(query.head)
        optimum = ladder.survivors.maximise(Goal(body), ((body | head, sign),))
        assert isinstance(optimum, Optimum)
        claim = Claim(optimum.multipliers, ((body | head, Fraction(sign)), (body, -sign * bound)))
        derivation = derive(ladder, parts.kb.statements, claim, parts.budget)
    except OutOfTimeError:
        return EndReason(query, side, bound, _proving(parts, end.proof.premises), minimal=False)
    return EndReason(query, side, bound, parts.statements(numbers), derivation)


def _empty(
    parts: Parts, concept: Concept | None, proof: Proof | AssertionProof | None
) -> EmptyReason:
    known = proof.premises if isinstance(proof, Proof) else frozenset[Axiom]()
    try:
        numbers = parts.conflict(concept, proof=known)
        assert numbers is not None  # there is one, or the answer would be an interval
        statements = parts.statements(numbers)
        ladder = parts.ladder(numbers, TOP if concept is None else concept)
        goal = Goal(ladder.mask(TOP if concept is None else concept))
        result = ladder.survivors.maximise(goal)
        if not isinstance(result, Impossible):  # the assertions contradict the rest
            return EmptyReason(None, statements)
        claim = Claim(result.multipliers, empty=goal)
        derivation = derive(ladder, parts.kb.statements, claim, parts.budget)
    except OutOfTimeError:
        axioms = frozenset(() if proof is None else proof.axioms)
        return EmptyReason(concept, _proving(parts, known or axioms), minimal=False)
    return EmptyReason(concept, statements, derivation)


def _proving(parts: Parts, axioms: Set[Axiom]) -> tuple[Statement, ...]:
    """The statements of a proof."""
    return parts.statements(parts.stating(axioms))


def _unfinished_lines(
    claim: str, statements: Sequence[Statement], prefixes: Prefixes
) -> Iterator[str]:
    """What is known of a reason when the time is over."""
    if not statements:
        yield f"{claim}: the time was over before it was known why"
        return
    yield f"{claim}, by these, of which fewer may be enough: the time was over"
    yield from (f"  {statement.text(prefixes)}" for statement in statements)


def _derivation_lines(derivation: Derivation, prefixes: Prefixes) -> Iterator[str]:
    yield from (f"  {step.text(prefixes)}" for step in derivation.steps)
    yield from (f"  {premise.text(prefixes)}" for premise in derivation.premises)
    if len(derivation.premises) > 1 or any(premise.factor != 1 for premise in derivation.premises):
        yield f"  together {derivation.total_text(prefixes)}"
