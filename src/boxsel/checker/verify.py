"""Checks certificates, independently of the reasoner that writes them.

A *type* says which basic concepts (names and existentials) are true of an element. A proof is
checked for all types (`proofs`): what is the largest value of a linear form over them? A model is
checked in sets (`models`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any

from boxsel.checker.certificates import read_certificate
from boxsel.checker.meanings import meanings
from boxsel.checker.models import Models
from boxsel.checker.proofs import ProofTypes, check_assertions, check_bound, check_empty
from boxsel.checker.types import UndecidedError
from boxsel.checker.wrong import WrongError
from boxsel.logic.concepts import TOP
from boxsel.logic.kb import KB
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, Limit


@dataclass(frozen=True)
class Verification:
    """What a certificate proves; `exact` if its proofs and models leave nothing open.

    A share is `possible` if there is a model that has it, where bounds were not proved.

    Examples:
        >>> from boxsel.syntax.parser import parse_query
        >>> found = Verification(parse_query("(B | A)"), "bounded", Fraction(0), Fraction(1), True)
        >>> print(found.text(), end="")
        (B | A) is between 0 and 1: proved, exact
    """

    query: Query
    status: str
    lower: Fraction | None
    upper: Fraction | None
    exact: bool
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    possible: Fraction | None = None

    @property
    def valid(self) -> bool:
        """Whether all that the certificate claims is proved."""
        return not self.problems

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """What was found, for people."""
        if self.valid:
            lines = [f"{self._claim(prefixes)}: proved, {'exact' if self.exact else 'not exact'}"]
        else:
            lines = [f"{self.query.text(prefixes)}: the certificate does not prove what it claims"]
        lines += (f"  problem: {problem}" for problem in self.problems)
        lines += (f"  note: {note}" for note in self.notes)
        return "".join(f"{line}\n" for line in lines)

    def to_json(self, prefixes: Prefixes = NO_PREFIXES) -> dict[str, Any]:
        """What was found as a JSON object; the bounds that are proved are fractions in text."""
        return {
            "query": self.query.text(prefixes),
            "status": self.status,
            "valid": self.valid,
            "exact": self.exact,
            "lower_exact": None if self.lower is None else str(self.lower),
            "upper_exact": None if self.upper is None else str(self.upper),
            "possible_exact": None if self.possible is None else str(self.possible),
            "problems": list(self.problems),
            "notes": list(self.notes),
        }

    def _claim(self, prefixes: Prefixes) -> str:
        query = self.query.text(prefixes)
        if self.lower is not None and self.upper is not None:
            if self.lower == self.upper:
                return f"{query} = {self.lower}"
            return f"{query} is between {self.lower} and {self.upper}"
        if self.lower is not None:
            return f"{query} is at least {self.lower}"
        if self.upper is not None:
            return f"{query} is at most {self.upper}"
        if self.possible is not None:
            return f"{query} can be {self.possible}"
        said = {"vacuous": "is vacuous", "inconsistent": "has no answer, since there is no model"}
        return f"{query} {said.get(self.status, 'has bounds')}"


def verify(
    kb: KB, certificate: Mapping[str, object] | str, *, budget: Limit = None
) -> Verification:
    """Check a certificate, given as JSON text or as its object; `ReadError` if it is none.

    `OutOfTimeError` if a budget is spent before all of it was checked.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> proof = {"axioms": [0], "steps": [], "multipliers": [[0, "upper", "1"]]}
        >>> certificate = {"format": "boxsel certificate", "version": 1, "query": "(B | A)"}
        >>> certificate |= {"status": "budget", "axioms": ["(B | A)[0.2]"]}
        >>> certificate |= {"upper": {"bound": "1/5", "proof": proof}}
        >>> verify(parse_kb("(B | A)[0.2]"), certificate).upper
        Fraction(1, 5)
    """
    claim, limit = read_certificate(certificate), Budget.of(budget)
    problems, notes = list[str](), list[str]()
    proved: dict[str, Fraction] = {}
    asked = tuple(meanings((claim.query.head, claim.query.body)))
    types = cache(partial(ProofTypes, limit, asked))  # both ends mostly have the same steps

    def holds(where: str, check: Callable[[], object]) -> bool:
        limit.check()
        try:
            check()
        except (WrongError, UndecidedError) as error:
            problems.append(f"{where}: {error}")
            return False
        return True

    models = Models(kb, limit)
    stated = holds("axioms", partial(_check_axioms, kb, claim.axioms))
    for name, sign, end in (("lower", -1, claim.lower), ("upper", 1, claim.upper)):
        if end is None:
            continue
        if holds(f"{name}.proof", partial(check_bound, types, end, claim.query, sign)) and stated:
            proved[name] = end.bound
        if end.model is None:
            notes.append(f"{name}: without a model, the true bound may be tighter")
        else:
            holds(
                f"{name}.model",
                partial(models.check, end.model, claim.query, end.bound),
            )
    if claim.empty is not None:
        body = TOP if claim.status == "inconsistent" else claim.query.body
        holds("empty", partial(check_empty, types, claim.empty, body))
    if claim.assertions is not None:
        holds("assertions", partial(check_assertions, types, claim.assertions))
    if claim.model is not None:
        holds("model", partial(models.check, claim.model))
    possible = None
    if claim.witness is not None:
        share = claim.witness.share
        if holds("witness", partial(models.check, claim.witness.model, claim.query, share)):
            possible = share
    if kb.ignored_axioms:
        notes.append(f"the knowledge base was read without {kb.ignored_axioms} of its axioms")
    exact = not problems and not notes and claim.status != "budget"
    ends = proved.get("lower"), proved.get("upper")
    return Verification(
        claim.query, claim.status, *ends, exact, tuple(problems), tuple(notes), possible
    )


def _check_axioms(kb: KB, axioms: Iterable[object]) -> None:
    known = frozenset(kb.axioms)
    for axiom in axioms:
        if axiom not in known:
            raise WrongError(f"the knowledge base does not state {axiom}")
