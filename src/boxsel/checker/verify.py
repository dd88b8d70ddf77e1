"""Checks certificates, independently of the reasoner that writes them.

A *type* says which basic concepts (names and existentials) are true of an element. A proof is
checked for all types: what is the largest value of a linear form over them? A model is checked in
sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import chain
from typing import Any

from boxsel.checker.certificates import End, Model, Multiplier, Proof, WitnessStep, read_certificate
from boxsel.checker.deciding import is_attained
from boxsel.checker.parts import PartedModel
from boxsel.checker.types import (
    Basics,
    Clauses,
    Form,
    UndecidedError,
    basics,
    clauses,
    existentials,
)
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Range,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.concepts import BOTTOM, TOP, Concept, Individual, Role
from boxsel.logic.kb import KB
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.statements import Query
from boxsel.machine.budget import NO_LIMIT, Budget

_Pair = tuple[Individual, Concept]
_Pairs = frozenset[_Pair]
"""What is true of whom."""


@dataclass(frozen=True)
class Verification:
    """What a certificate proves; `exact` if its proofs and models leave nothing open.

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
        said = {"vacuous": "is vacuous", "inconsistent": "has no answer, since there is no model"}
        return f"{query} {said.get(self.status, 'has bounds')}"


class WrongError(Exception):
    """A part of a certificate does not prove what it claims."""


def verify(
    kb: KB, certificate: Mapping[str, object] | str, *, budget: Budget = NO_LIMIT
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
    claim = read_certificate(certificate)
    problems, notes = list[str](), list[str]()
    proved: dict[str, Fraction] = {}
    types = cache(partial(_Types, budget))  # both ends mostly have the same steps

    def holds(where: str, check: Callable[[], object]) -> bool:
        budget.check()
        try:
            check()
        except (WrongError, UndecidedError) as error:
            problems.append(f"{where}: {error}")
            return False
        return True

    stated = holds("axioms", partial(_check_axioms, kb, claim.axioms))
    for name, sign, end in (("lower", -1, claim.lower), ("upper", 1, claim.upper)):
        if end is None:
            continue
        if holds(f"{name}.proof", partial(_check_bound, types, end, claim.query, sign)) and stated:
            proved[name] = end.bound
        if end.model is None:
            notes.append(f"{name}: without a model, the true bound may be tighter")
        else:
            holds(
                f"{name}.model",
                partial(_check_model, kb, end.model, budget, claim.query, end.bound),
            )
    if claim.empty is not None:
        body = TOP if claim.status == "inconsistent" else claim.query.body
        holds("empty", partial(_check_empty, types, claim.empty, body))
    if claim.assertions is not None:
        holds("assertions", partial(_check_assertions, types, claim.assertions))
    if claim.model is not None:
        holds("model", partial(_check_model, kb, claim.model, budget))
    if kb.ignored_axioms:
        notes.append(f"the knowledge base was read without {kb.ignored_axioms} of its axioms")
    exact = not problems and not notes and claim.status != "budget"
    ends = proved.get("lower"), proved.get("upper")
    return Verification(claim.query, claim.status, *ends, exact, tuple(problems), tuple(notes))


def _check_axioms(kb: KB, axioms: Iterable[object]) -> None:
    known = frozenset(kb.axioms)
    for axiom in axioms:
        if axiom not in known:
            raise WrongError(f"the knowledge base does not state {axiom}")


def _check_model(
    kb: KB,
    model: Model | PartedModel,
    budget: Budget,
    query: Query | None = None,
    bound: object = None,
) -> None:
    """There is a model with the share of a bound, or as near to it as one likes."""
    if isinstance(model, PartedModel):
        share = _check_parts(kb, model, budget, query)
    else:
        share = _check_elements(kb, model, budget, query)
    if query is not None and share != bound:
        raise WrongError(f"the query's share is {_shown(share)}")


def _check_parts(
    kb: KB, model: PartedModel, budget: Budget, query: Query | None
) -> Fraction | None:
    """The share of a query in a population that is given in parts."""
    if model.fault is not None:
        raise WrongError(model.fault)
    try:
        for axiom in budget.watched(kb.axioms):
            if not model.satisfies(axiom):
                raise WrongError(f"{axiom} is not true")
        return None if query is None else model.share(query.head, query.body)
    except LookupError as error:
        raise WrongError(str(error)) from None


def _check_elements(kb: KB, model: Model, budget: Budget, query: Query | None) -> Fraction | None:
    """The share of a query in a model; any little of the further weights has to be mixed in."""
    mixed = list(zip(model.weights, model.further, strict=True))
    if not mixed or min(map(min, mixed)) < 0 or min(map(sum, mixed)) == 0:
        raise WrongError("there are no elements, or some without weight or with a negative one")
    for axiom in budget.watched(kb.axioms):
        if not model.interpretation.satisfies(axiom, model.weights, model.further):
            raise WrongError(f"{axiom} is not true")
    if query is None:
        return None
    return model.interpretation.share(query.head, query.body, model.weights)


def _check_bound(types_of: Callable[..., _Types], end: End, query: Query, sign: int) -> None:
    """c(t) + y·a(t) ≤ π·n(t) for all types t; for a lower bound with −c and −π."""
    types = types_of(end.proof.axioms, end.proof.steps)
    form = _combine(end.proof.multipliers, types.budget)
    for key, number in ((basics(query.body, query.head), 1), (basics(query.body), -end.bound)):
        form[key] = form.get(key, Fraction(0)) + sign * number
    if types.can(form, 1):
        raise WrongError(f"the multipliers do not prove {_shown(end.bound)}")


def _check_empty(types_of: Callable[..., _Types], proof: Proof, body: Concept) -> None:
    types = types_of(proof.axioms, proof.steps)
    types.check_absent(proof.multipliers, basics(body))


def _check_assertions(types_of: Callable[..., _Types], proof: Proof) -> None:
    """Each cut is nowhere above 0, so 0 at the types that a model has: no such types are left."""
    types = types_of(proof.axioms, proof.steps)
    cuts = [_combine(cut, types.budget) for cut in proof.cuts]
    if any(types.can(cut, 1) for cut in cuts):
        raise WrongError("the multipliers of a cut are above 0 somewhere")
    stated = list(_assertions(types, proof.axioms))
    inside = frozenset[Concept]().union(*(key for cut in cuts for key in cut))
    known = {one: {*inside} for axiom in proof.axioms for one in axiom.individuals()}
    for one, concept in chain.from_iterable(body | heads for body, heads in stated):
        known[one].add(concept)
    for one, concepts in known.items():
        around = types.clauses.around(concepts)
        stated += ((_of(one, body), _of(one, heads)) for body, heads in around)
    forms = [{_of(one, key): cut[key] for key in cut} for one in known for cut in cuts]
    if is_attained(stated, forms, 0, types.budget):
        raise WrongError("types are left with which the assertions hold")


def _assertions(types: _Types, axioms: Iterable[Axiom]) -> Iterator[tuple[_Pairs, _Pairs]]:
    """What assertions say about the types of their individuals, as clauses."""
    duties = existentials(types.mentioned)
    for axiom in axioms:
        if isinstance(axiom, ConceptAssertion):
            yield from ((_Pairs(), _of(axiom.individual, [one])) for one in basics(axiom.concept))
        elif isinstance(axiom, RoleAssertion):
            supers, range_ = types.supers(axiom.role), types.range(axiom.role)
            yield from ((_Pairs(), _of(axiom.object, [one])) for one in range_)
            for duty in duties:
                if duty.role in supers:
                    yield _of(axiom.object, basics(duty.filler)), _of(axiom.subject, [duty])


def _of(individual: Individual, concepts: Iterable[Concept]) -> _Pairs:
    return _Pairs([(individual, one) for one in concepts])


class _Types:
    """The types that obey a proof's axioms and its steps, each of which is checked first."""

    def __init__(
        self, budget: Budget, axioms: Sequence[Axiom], steps: Iterable[WitnessStep]
    ) -> None:
        self.budget = budget
        self._inclusions = [one for one in axioms if isinstance(one, RoleInclusion)]
        self._ranges = [one for one in axioms if isinstance(one, Range)]
        self.clauses = Clauses(clause for axiom in axioms for clause in clauses(axiom))
        self.clauses.add((basics(BOTTOM), frozenset()))
        for number, step in enumerate(steps):
            try:
                self._check_step(step)
            except (WrongError, UndecidedError) as error:
                raise WrongError(f"steps[{number}]: {error}") from None
            self.clauses.add((basics(step.exists), frozenset(step.unless)))
        self.mentioned = [one for axiom in axioms for one in axiom.concepts()]
        self.mentioned += (one for clause in self.clauses for part in clause for one in part)

    def supers(self, role: Role) -> frozenset[Role]:
        """A role and all that include it."""
        found = frozenset({role})
        while more := {one.sup for one in self._inclusions if one.sub in found} - found:
            found |= more
        return found

    def range(self, role: Role) -> Basics:
        """What every object of a role has."""
        supers = self.supers(role)
        return basics(*(one.concept for one in self._ranges if one.role in supers))

    def can(
        self, form: Form, least: int, has: Basics = frozenset(), lacks: Sequence[Basics] = ()
    ) -> bool:
        """Whether a form is at least so large at a type that has and lacks some concepts."""
        self.budget.check()
        if any(one <= has for one in lacks) or max(form.values(), default=0) <= 0 < least:
            return False
        demands = [(Basics(), Basics({one})) for one in has] + [(one, Basics()) for one in lacks]
        around = self.clauses.around(has.union(*lacks, *form))
        return is_attained([*around, *demands], [form], least, self.budget)

    def check_absent(
        self, multipliers: Iterable[Multiplier], has: Basics, lacks: Sequence[Basics] = ()
    ) -> None:
        """In a model y·a sums to 0 or more: if it is nowhere above 0, nothing is below 0."""
        form = _combine(multipliers, self.budget)
        if self.can(form, 1):
            raise WrongError("the multipliers are above 0 somewhere")
        if self.can(form, 0, has, lacks):
            raise WrongError("the multipliers are not below 0 for all that is to be excluded")

    def _check_step(self, step: WitnessStep) -> None:
        """A witness has the filler and the range, but no filler of what its subject lacks."""
        role, lacks = step.exists.role, [basics(one.filler) for one in step.unless]
        if not self.supers(role).issuperset(one.role for one in step.unless):
            raise WrongError(f"{role} does not imply the roles of all exceptions")
        self.check_absent(step.multipliers, basics(step.exists.filler) | self.range(role), lacks)


def _combine(multipliers: Iterable[Multiplier], budget: Budget) -> dict[Basics, Fraction]:
    """The form y·a: the sum of `[C ⊓ D] − l·[C]` or `u·[C] − [C ⊓ D]`, each times its number."""
    form: dict[Basics, Fraction] = {}
    for one in budget.watched(multipliers):
        if not isinstance(one.axiom, Conditional) or one.number < 0:
            raise WrongError(f"{one.axiom} cannot be multiplied by {_shown(one.number)}")
        bounds, body = one.axiom.bounds, basics(one.axiom.body)
        share, y = (
            (bounds.lower, one.number) if one.side == "lower" else (bounds.upper, -one.number)
        )
        for key, number in ((body | basics(one.axiom.head), y), (body, -share * y)):
            form[key] = form.get(key, Fraction(0)) + number
    return form


def _shown(number: Fraction | None) -> str:
    if number is None:
        return "not defined, since its body has no weight"
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    return str(number) if bits < 200 else f"a fraction of {bits} bits"
