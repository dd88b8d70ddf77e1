"""The bounds of a query as users get them: an interval, its evidence, and whether it is proved."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from boxsel.checker.verify import verify
from boxsel.exact.answers import End, Outcome, Proof, Status
from boxsel.exact.certificate import TooLongError, witness_certificate, written
from boxsel.exact.certificate import certificate as certificate_of
from boxsel.exact.compile.problem import Side
from boxsel.exact.diagnosis.explanation import minimal_statements
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.lp.optimum import Route
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.schedule import Known, within
from boxsel.logic.axioms import Axiom
from boxsel.logic.html import Told
from boxsel.logic.kb import KB
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.proportions import Interval, float_above, float_below, floats_within
from boxsel.logic.rounding import LONGEST_DENOMINATOR, Words
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.machine.collecting import without_cycle_collection

MANY: Final = 100
"""The least statements that an end rests on are looked for among so many at the most."""


@dataclass(frozen=True)
class Bounds(Told):
    """What the share of a query can be.

    *Inconsistent*: there is no model. *Vacuous*: the body is empty in every model. *Bounded*: the
    share lies between `lower` and `upper`. *Budget*: the time was over, before nothing tighter was
    known to be true or before that was checked; the share lies between them, and some models have
    the shares at the ends of `inner`, if there is one.

    `certified` if the certificate was checked independently; `exact` if moreover nothing tighter
    is true. `lower_axioms` and `upper_axioms` are what the ends rest on, `minimal` if no fewer
    would do, `conflict` is why there are none. `outcome` is what the reasoner found, if it did:
    proofs, and models for both ends.
    """

    query: Query
    status: Status
    lower: Fraction | None = None
    upper: Fraction | None = None
    exact: bool = False
    certified: bool = False
    inner: Interval | None = None
    lower_axioms: tuple[Statement, ...] = ()
    upper_axioms: tuple[Statement, ...] = ()
    minimal: bool = False
    conflict: tuple[Statement, ...] = ()
    seconds: float = 0.0
    certificate: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    prefixes: Prefixes = field(default=NO_PREFIXES, repr=False, compare=False)
    outcome: Outcome | None = field(default=None, repr=False, compare=False)
    percent: bool = field(default=False, repr=False, compare=False)
    """Whether its text says shares in percent; numbers stay as they are."""

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object; axioms are lines of `.sel`."""
        spelt = self.prefixes
        answer: dict[str, Any] = {
            "query": self.query.text(spelt),
            "status": self.status,
            "lower": float_below(self.lower),
            "upper": float_above(self.upper),
            "lower_exact": written(self.lower),
            "upper_exact": written(self.upper),
            "exact": self.exact,
            "certified": self.certified,
            "inner": None,
            "lower_axioms": [axiom.text(spelt) for axiom in self.lower_axioms],
            "upper_axioms": [axiom.text(spelt) for axiom in self.upper_axioms],
            "minimal": self.minimal,
            "seconds": round(self.seconds, 3),
        }
        if self.inner is not None:
            answer["inner"] = dict(zip(("lower", "upper"), floats_within(self.inner), strict=True))
        if self.lower is None:
            answer["conflict"] = [statement.text(spelt) for statement in self.conflict]
        return answer

    @property
    def routes(self) -> dict[str, Route]:
        """Which way of the ladder led to each end, and why those before it did not.

        Without an interval: what showed that there is none. Nothing, if the time was over.
        """
        if self.outcome is None:
            return {}
        ends = {"lower": self.outcome.lower, "upper": self.outcome.upper, "empty": self.outcome}
        routes = {name: None if end is None else end.route for name, end in ends.items()}
        return {name: route for name, route in routes.items() if route is not None}

    @property
    def routes_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            name: {
                "way": route.way,
                "programme": None
                if route.size is None
                else dict(zip(("lines", "columns"), route.size, strict=True)),
                "passed": [{"way": way, "why": why} for way, why in route.passed],
            }
            for name, route in self.routes.items()
        }

    @property
    def routes_text(self) -> str:
        """The same for people."""
        routes = self.routes
        if not routes:
            return "  no way of reasoning answered in time\n"
        names = {"lower": "the lower end was", "upper": "the upper end was", "empty": "that was"}
        if len({*routes.values()}) == 1 and len(routes) > 1:
            routes, names = {"lower": routes["lower"]}, {"lower": "both ends were"}
        lines = []
        for name, route in routes.items():
            before = "; before it passed" if route.passed else ""
            size = ""
            if route.size is not None:
                size = ", with {:,} lines and {:,} columns".format(*route.size)
            lines.append(f"  {names[name]} found by {route.way}{size}{before}")
            lines += (f"    {way}: {why}" for way, why in route.passed)
        return "".join(f"{line}\n" for line in lines)

    def _lines(self) -> list[str]:
        query = self.query.text(self.prefixes)
        if self.lower is None or self.upper is None:
            said = {
                "vacuous": f"{query}: vacuous, since {self.query.body.text(self.prefixes)}"
                " is empty in every model",
                "inconsistent": f"{query}: there is no model at all",
            }[self.status]
            return [said, *(f"  {statement.text(self.prefixes)}" for statement in self.conflict)]
        words = Words(self.percent, LONGEST_DENOMINATOR)
        if self.lower == self.upper:
            said = f"{query} = {words.one(self.lower)}"
        else:
            said = f"{query} is between {' and '.join(words.outward(self.lower, self.upper))}"
        lines = [f"{said} ({self._standing()})"]
        if self.inner is not None and not self.exact:
            ends = dict.fromkeys(words.inward(self.inner.lower, self.inner.upper))
            lines.append(f"  there are models with {' and with '.join(ends)}")
        by = "by" if self.minimal else "by (fewer may be enough)"
        if self.lower_axioms == self.upper_axioms and self.lower_axioms:
            return [*lines, f"  {by}", *self._quoted(self.lower_axioms)]
        for name, axioms in (("at least", self.lower_axioms), ("at most", self.upper_axioms)):
            if axioms:
                lines += [f"  {name} {by}", *self._quoted(axioms)]
        return lines

    def _quoted(self, statements: tuple[Statement, ...]) -> list[str]:
        return [f"    {statement.text(self.prefixes)}" for statement in statements]

    def _standing(self) -> str:
        if self.exact:
            return "exact, certified"
        if self.status == "budget" and self.outcome is not None:
            return "the time was over before the proof was checked"
        if self.status == "budget":
            return "the time was over: not exact"
        return (
            "certified, but axioms were left out on reading" if self.certified else "not certified"
        )


def bounds(
    kb: KB,
    query: Query | str,
    *,
    budget: Budget | None = None,
    reasoner: Reasoner | None = None,
    minimal: bool = True,
) -> Bounds:
    """The least and the largest share that a query can have in models of a knowledge base.

    All of it happens within the budget, that of the reasoner if one is given: the search, the check
    of the certificate, and the search for minimal evidence. Not `minimal`, the answer is there
    sooner: the statements of its evidence may be too many.

    Examples:
        >>> from boxsel import examples
        >>> answer = bounds(examples.load("applicant"), "(Admitted | Applicant)")
        >>> str(answer.lower), str(answer.upper), answer.exact
        ('4/25', '24/25', True)
    """
    query = kb.query(query)
    start = time.perf_counter()
    thinker = reasoner or Reasoner(kb, budget=budget)
    result = within(thinker, query)
    if isinstance(result, Known):
        answer = Bounds(query, "budget", result.lower, result.upper, inner=result.inner)
        witness = thinker.witness
        if witness is not None and witness.share(query) is not None:
            answer = replace(answer, certificate=witness_certificate(query, witness))
    else:
        answer = _complete(thinker, result, minimal=minimal)
    if kb.ignored_axioms:  # the models that were met may not obey them
        answer = replace(answer, inner=None)
    return replace(answer, seconds=time.perf_counter() - start, prefixes=kb.prefixes)


def _complete(reasoner: Reasoner, outcome: Outcome, *, minimal: bool) -> Bounds:
    """An answer that was found in time, with its evidence.

    Minimal statements take longer than the answer: without them, those of the proof are told. If
    there is no time to check it, the interval stands, but is not called exact.
    """
    answer = Bounds(outcome.query, outcome.status, prefixes=reasoner.kb.prefixes, outcome=outcome)
    answer = _check(reasoner, outcome, answer)
    parts = Parts(reasoner.kb, reasoner.budget)
    if outcome.lower is not None and outcome.upper is not None:
        answer = replace(answer, lower=outcome.lower.bound, upper=outcome.upper.bound)
        if answer.status == "bounded":
            answer = replace(answer, inner=Interval(outcome.lower.bound, outcome.upper.bound))
        elif reasoner.witness is not None:  # the data need no check of a proof
            share = reasoner.witness.share(outcome.query)
            answer = replace(answer, inner=None if share is None else Interval(share, share))
        lower, few = _reason(parts, outcome.query, "lower", outcome.lower, minimal=minimal)
        upper, also = _reason(parts, outcome.query, "upper", outcome.upper, minimal=minimal)
        return replace(answer, lower_axioms=lower, upper_axioms=upper, minimal=few and also)
    conflict, few = _conflict(parts, outcome)
    return replace(answer, conflict=conflict, minimal=few)


def _check(reasoner: Reasoner, outcome: Outcome, answer: Bounds) -> Bounds:
    """The answer with its certificate, if that can be written and was checked in time."""
    try:
        reasoner.budget.check()
        with without_cycle_collection():
            certificate = certificate_of(outcome)
            answer = replace(answer, certificate=certificate)
            checked = verify(reasoner.kb, certificate, budget=reasoner.budget)
    except TooLongError:  # then the bounds stand, but are not certified
        return answer
    except OutOfTimeError:
        return replace(answer, status="budget") if outcome.lower is not None else answer
    return replace(answer, exact=checked.exact, certified=checked.valid)


def _conflict(parts: Parts, outcome: Outcome) -> tuple[tuple[Statement, ...], bool]:
    """Why there is no interval, and whether that is minimal: if there is time for that."""
    about = None if outcome.status == "inconsistent" else outcome.query.body
    assert outcome.empty is not None
    proof = outcome.empty.premises if isinstance(outcome.empty, Proof) else frozenset[Axiom]()
    try:
        why = parts.conflict(about, proof=proof)
    except OutOfTimeError:
        return parts.statements(parts.stating(proof or outcome.empty.axioms)), False
    assert why is not None  # the proof says so
    return parts.statements(why), True


def _reason(
    parts: Parts, query: Query, side: Side, end: End, *, minimal: bool
) -> tuple[tuple[Statement, ...], bool]:
    """The statements that an end rests on, and whether no fewer would do.

    Of a proof of very many, the least are not looked for: that would take hundreds of times as long
    as the answer, and who wants them can ask for an explanation.
    """
    if end.bound == (1 if side == "upper" else 0) or not end.proof.premises:
        return (), True  # what is obvious rests on nothing
    if minimal:
        with suppress(OutOfTimeError):
            statements = minimal_statements(parts, query, side, end, MANY)
            if statements is not None:
                return statements, True
    return parts.statements(parts.stating(end.proof.premises)), False
