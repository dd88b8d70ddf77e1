"""One question, asked of proofs and of models at once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from math import inf
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, Literal, Self

from boxsel.advice.hints import find_hint
from boxsel.answer.answer import Answer, Outer
from boxsel.answer.assumptions import Assumption, assumed
from boxsel.answer.estimating import LOOK_SECONDS, Estimator, Reply, replied
from boxsel.answer.evidence import Evidence, How, witness_of
from boxsel.answer.population import attaining_population
from boxsel.answer.sensitivity import sensitivity_of
from boxsel.answer.typical import Typicals
from boxsel.answer.typical_share import TypicalShare
from boxsel.errors import BoxselError
from boxsel.exact.answers import End, Outcome
from boxsel.exact.bounds import Bounds
from boxsel.exact.bounds import bounds as bounds_of
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.expecting import expect_several
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Inner, floats_within
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, Seconds

if TYPE_CHECKING:
    from boxsel.models.model import Model

Estimation = Literal["auto", "always", "never"]
"""Whether an ensemble is trained: if the proof does not close soon, in any case, or not at all."""

Typically = bool | Literal["exact"]
"""Whether there shall be a typical share; only where it need not be sampled, if `exact`."""

DEFAULT_SECONDS: Final = 10.0
"""How long a question may take, unless it is said."""

TYPICAL_SECONDS: Final = 1.0
"""A typical share that has to be sampled may take these seconds after the proof, or as many as the
proof took; and longer, as far as there is time, only until it is known roughly."""

HINT_SECONDS: Final = 1.0
"""The seconds after which no hint is looked for, unless the answer took longer."""

SECONDS_BEFORE_TRAINING: Final = 0.5
"""The seconds after which an ensemble is trained beside a proof that has not ended."""


def ask(
    source: KB | Model,
    query: Query | str,
    *,
    budget: Seconds = DEFAULT_SECONDS,
    assume: Iterable[Assumption] = (),
    estimate: Estimation = "auto",
    directed: bool = False,
    sensitivity: bool = False,
    population: bool = False,
    hints: bool = True,
    typical: Typically = True,
) -> Answer:
    """What is certain, what is possible and what is estimated about the share of a query.

    The source is a knowledge base, or a trained ensemble with its own. Proofs and ensembles get
    `budget` seconds, at once; without a number, all the time that the proof needs. `assume`
    has statements that are added, or put in the place of those about the same share. Members of a
    trained ensemble are `directed` to the ends of the query, if asked for; those of one that is
    trained for the question are, if there is time. With `population` the evidence of each end has
    the population that attains it: a table, and a picture (`answer.lower.population.picture()`).
    `typical` is the share in the most even population; where it has to be sampled, the answer takes
    a while longer, unless only an `exact` one is wanted. With `hints`, an exact answer has the one
    statement that may be missing and would narrow it most, if one would narrow it much.

    Raises:
        BoxselError: The query or an assumption is not about the names of the knowledge base.

    Examples:
        >>> from boxsel import examples
        >>> answer = ask(examples.load("applicant"), "(Admitted | Applicant)")
        >>> print(answer.text, end="")
        (Admitted | Applicant) is between 0.16 and 0.96 (exact)
          at least 0.16: forced by 3 statements; a model attains it: 4 of 25 Applicant are Admitted
            Admitted SubClassOf Applicant
            (DeptA | Applicant)[0.2, 0.25]
            (Admitted | DeptA)[0.8]
          at most 0.96: forced by 3 statements; a model attains it: 24 of 25 Applicant are Admitted
            DeptA SubClassOf Applicant
            (DeptA | Applicant)[0.2, 0.25]
            (Admitted | DeptA)[0.8]
          typically 0.575 (the most even of all populations; no bound)
    """
    with Asker(source, assume=assume, estimate=estimate, directed=directed) as asker:
        return asker.ask(
            query,
            budget=budget,
            sensitivity=sensitivity,
            population=population,
            hints=hints,
            typical=typical,
        )


class Asker:
    """Answers questions about one knowledge base; what it learns on the way serves the next one.

    It may have a process beside it that trains an ensemble: close it, or use it in a `with`. A
    `reasoner` that is given is one for the same knowledge base.
    """

    def __init__(
        self,
        source: KB | Model,
        *,
        assume: Iterable[Assumption] = (),
        estimate: Estimation = "auto",
        directed: bool = False,
        reasoner: Reasoner | None = None,
    ) -> None:
        assumptions = expect_several("assumptions", assume)
        self.model = None if isinstance(source, KB) else source
        kb = source if isinstance(source, KB) else source.kb
        if assumptions and self.model is not None:
            raise BoxselError(
                "an ensemble cannot be asked what if: it was trained on other statements;"
                " ask its knowledge base"
            )
        self.kb = assumed(kb, assumptions) if assumptions else kb
        self.reasoner = reasoner or Reasoner(self.kb, budget=Budget())
        self._estimation, self._directed = estimate, directed
        self._typicals = Typicals(self.kb)
        self._estimator = Estimator(source if self.model is not None else self.kb)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process beside it, if there is one."""
        self._estimator.close()

    def stop(self) -> None:
        """End the question that is being answered, with what is known; from any thread."""
        self.reasoner.budget.stop()

    def ask(
        self,
        query: Query | str,
        *,
        budget: Seconds = DEFAULT_SECONDS,
        sensitivity: bool = False,
        population: bool = False,
        hints: bool = False,
        minimal: bool = True,
        typical: Typically = True,
    ) -> Answer:
        """The answer to a question, as `ask` gives it; here without a hint unless one is wanted.

        Not `minimal`, it is there sooner: the statements of its evidence may be too many.
        """
        start = time.monotonic()
        seconds = Budget.of(budget).seconds
        end = inf if seconds is None else start + seconds
        asked = self.kb.query(query)
        limit = self.reasoner.budget
        limit.seconds = seconds
        limit.renew()
        self.reasoner.try_again()
        own = None if self.model is None else replied(self.model, asked)
        sampled = typical is True  # the process beside leaves alone what nobody will wait for
        beside = self._estimator.beside(asked, self._patience, typically=sampled)
        with beside as started, self._watching():
            known = bounds_of(self.kb, asked, reasoner=self.reasoner, minimal=minimal)
        reply = self._waited(known, own, end) if started() else own
        answer = self._answer(asked, known, reply)
        if typical:
            patience = max(TYPICAL_SECONDS, time.monotonic() - start)
            answer = self._with_typical(answer, patience, beside=started(), sampled=sampled)
        if sensitivity and known.outcome is not None and known.status != "budget":
            answer = replace(answer, sensitivity=sensitivity_of(self.kb, known.outcome))
        if population and known.outcome is not None and known.exact:
            answer = _with_populations(answer, known.outcome)
        if hints:
            answer = self._with_hint(answer, time.monotonic() - start)
        return replace(answer, seconds=time.monotonic() - start)

    def _with_hint(self, answer: Answer, took: float) -> Answer:
        """The answer with a statement that may be missing, if that is soon found."""
        outer, limit = answer.outer, self.reasoner.budget
        if outer is None or not outer.exact or limit.stopped:
            return answer
        seconds = None if limit.seconds is None else min(limit.left, max(HINT_SECONDS, took))
        hint = find_hint(self.reasoner, answer.query, outer.lower, outer.upper, Budget(seconds))
        return replace(answer, hint=hint)

    @contextmanager
    def _watching(self) -> Iterator[None]:
        """End the proof if models with all shares are found beside it."""
        done = Event()

        def watch() -> None:
            while not done.wait(LOOK_SECONDS):
                if self._estimator.shows(Fraction(0), Fraction(1)):
                    self.reasoner.budget.end()
                    return

        watcher = Thread(target=watch, daemon=True)
        if self._patience < inf and self.model is None:
            watcher.start()
        try:
            yield
        finally:
            done.set()
            if watcher.ident is not None:
                watcher.join()

    @property
    def _patience(self) -> float:
        """The seconds after which an ensemble is trained, or directed, beside the proof."""
        if self.model is not None:
            return 0.0 if self._directed else inf
        if self._estimation != "auto":
            return 0.0 if self._estimation == "always" else inf
        return SECONDS_BEFORE_TRAINING

    def _waited(self, known: Bounds, own: Reply | None, end: float) -> Reply | None:
        """What the ensemble beside the proof says, or the own one if its members were late.

        One that nobody asked for is not waited for if the proof needs no help.
        """
        unneeded = _is_complete(known) and self._patience > 0

        def enough() -> bool:
            if self.reasoner.budget.stopped or known.lower is None or known.upper is None:
                return True
            return self._patience > 0 and self._estimator.shows(known.lower, known.upper)

        found = self._estimator.wait(0.0 if unneeded or enough() else end, enough)
        if own is not None:
            return found if found.last else replace(own, undirected=str(found.estimate))
        # An estimate that nobody needs is not missed.
        return None if unneeded and isinstance(found.estimate, str) else found

    def _with_typical(
        self, answer: Answer, patience: float, *, beside: bool, sampled: bool = True
    ) -> Answer:
        """The answer with its typical share, or why it has none.

        The process beside the proof looks for it first of all: it is waited for if there is one.
        """
        outer, limit = answer.outer, self.reasoner.budget
        if outer is None:
            return answer
        if answer.exact and outer.lower == outer.upper:
            return replace(answer, typical=TypicalShare(float(outer.lower), exact=True))
        share: TypicalShare | str | None = None
        if beside and sampled and self.model is None:
            estimator = self._estimator
            end = time.monotonic() + min(patience, limit.left)
            found = estimator.wait(
                0.0 if estimator.has_typical else end,
                lambda: estimator.has_typical or limit.stopped,
            )
            share = found.typical
        if not isinstance(share, TypicalShare):  # there may have been more time, or no process
            share = self._typicals.share(answer.query, limit, patience, sampled=sampled)
        if isinstance(share, str):
            return replace(answer, untypical=share)
        within = share.within(*floats_within(outer.interval))
        if within is None:
            return replace(answer, untypical="it was not found to enough digits")
        return replace(answer, typical=within)

    def _answer(self, query: Query, known: Bounds, reply: Reply | None) -> Answer:
        estimate, unestimated = (None, "") if reply is None else reply.parts
        answer = Answer(
            query,
            "budget",
            estimate=estimate,
            unestimated=unestimated,
            undirected="" if reply is None else reply.undirected,
            ignored=self.kb.ignored_axioms,
            prefixes=self.kb.prefixes,
        )
        if _is_complete(known):
            return _complete(answer, known)
        assert known.lower is not None
        assert known.upper is not None
        inner = None if known.inner is None else Inner.between(known.inner.lower, known.inner.upper)
        if reply is not None and reply.inner is not None:
            inner = reply.inner.joined(inner)
        if answer.ignored:
            inner = None
        outer = Outer(known.lower, known.upper)
        if inner is None and reply is not None and not answer.ignored:
            answer = replace(answer, nearly=reply.nearly)
        if inner is not None:
            assert outer.lower <= inner.lower <= inner.upper <= outer.upper
            if (outer.lower, outer.upper) == (inner.lower, inner.upper):
                outer = replace(outer, exact=True)
                # An estimate that nobody needs is not missed.
                missed = "" if self._patience > 0 else answer.unestimated
                answer = replace(answer, status="bounded", unestimated=missed)
        unforced: How = "trivial" if outer.exact or known.outcome is not None else "open"
        ends = (
            (outer.lower > 0, known.lower_axioms),
            (outer.upper < 1, known.upper_axioms),
        )
        lower, upper = (
            Evidence("proved", axioms) if axioms else Evidence("parts" if forced else unforced)
            for forced, axioms in ends
        )
        return replace(answer, outer=outer, inner=inner, lower=lower, upper=upper)


def _is_complete(known: Bounds) -> bool:
    """Whether proofs say all: neither the search for them nor their check was cut short."""
    return known.outcome is not None and known.status != "budget"


def _complete(answer: Answer, bounds: Bounds) -> Answer:
    """An answer whose proof was found in time."""
    answer = replace(answer, status=bounds.status, conflict=bounds.conflict)
    outcome = bounds.outcome
    if outcome is None or outcome.lower is None or outcome.upper is None:
        return answer
    lower, upper = outcome.lower.bound, outcome.upper.bound
    # Models that the checker has not seen, or that ignore axioms, are no witnesses.
    inner = Inner.between(lower, upper) if bounds.exact else None
    return replace(
        answer,
        outer=Outer(lower, upper, exact=bounds.exact, certified=bounds.certified),
        inner=inner,
        lower=_evidence(bounds, bounds.lower_axioms, outcome.lower, 0),
        upper=_evidence(bounds, bounds.upper_axioms, outcome.upper, 1),
    )


def _with_populations(answer: Answer, outcome: Outcome) -> Answer:
    """The answer with the populations that attain its ends."""
    if outcome.lower is None or outcome.upper is None:
        return answer
    lower, upper = (
        replace(evidence, population=attaining_population(end.model, answer.query))
        for evidence, end in ((answer.lower, outcome.lower), (answer.upper, outcome.upper))
    )
    return replace(answer, lower=lower, upper=upper)


def _evidence(
    bounds: Bounds, statements: tuple[Statement, ...], end: End, obvious: int
) -> Evidence:
    witness = witness_of(end.model, bounds.query) if bounds.exact else None
    unforced: How = "trivial" if end.bound == obvious else "always"
    return Evidence("proved" if statements else unforced, statements, witness)
