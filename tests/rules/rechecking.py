"""Steps checked one by one, with nothing but the rules' own functions and saturation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from boxsel.logic.axioms import Axiom, Conditional, Equivalence, Inclusion
from boxsel.logic.concepts import BOTTOM, Concept, Exists, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.normal.saturation import saturate
from boxsel.rules.all_rules import RULES
from boxsel.rules.amounts import Bounds, rounded_down, rounded_up
from boxsel.rules.figures import part
from boxsel.rules.steps import Step

BY_NAME = {rule.name: rule for rule in RULES}


def recheck(kb: KB, steps: Sequence[Step]) -> None:
    """Fail unless every step follows from the ones before it."""
    concluded: list[Axiom] = []
    for step in steps:
        for axiom in step.because:
            assert entailed(kb, axiom), axiom
        for premise in step.premises:
            assert any(premise == one for one in concluded) or _built_up(kb, premise, concluded), (
                f"{premise} is not known before {step.text()}"
            )
        _check(kb, step)
        concluded.append(step.conclusion)


def entailed(kb: KB, axiom: Axiom) -> bool:
    """Whether the deterministic part entails an inclusion or equivalence."""
    if isinstance(axiom, Equivalence):
        one, two = axiom.members
        return _included(kb, one, two) and _included(kb, two, one)
    assert isinstance(axiom, Inclusion)
    return _included(kb, axiom.left, axiom.right)


def _included(kb: KB, left: Concept, right: Concept) -> bool:
    also = (left,) if right is BOTTOM else (left, right)
    return saturate(kb, also=also).entails(Inclusion(left, right))


def _built_up(kb: KB, premise: Axiom, concluded: Iterable[Axiom]) -> bool:
    """Whether each end of a premise is 0, 1 or that of a conclusion about the same share."""
    if not isinstance(premise, Conditional):
        return False
    known = [
        one.bounds
        for one in concluded
        if isinstance(one, Conditional) and _same_share(kb, one, premise)
    ]
    lower, upper = premise.bounds.lower, premise.bounds.upper
    return (lower == 0 or any(interval.lower == lower for interval in known)) and (
        upper == 1 or any(interval.upper == upper for interval in known)
    )


def _same_share(kb: KB, one: Conditional, two: Conditional) -> bool:
    if (one.head, one.body) == (two.head, two.body):
        return True
    parts = [part(Query(axiom.head, axiom.body)) for axiom in (one, two)]
    return all(
        entailed(kb, Inclusion(left, right))
        for left, right in ((one.body, two.body), (two.body, one.body), parts, parts[::-1])
    )


def _check(kb: KB, step: Step) -> None:
    match step.rule:
        case "stated":
            assert step.conclusion in set(kb.axioms)
        case "saturation":
            assert step.because
        case "conflict":
            assert _conflict(step)
        case "no instance":
            _no_instance(step)
        case _:
            _rule(step)


def _rule(step: Step) -> None:
    rule = BY_NAME[step.rule]
    premises = [axiom for axiom in step.premises if isinstance(axiom, Conditional)]
    ends = rule.conclude([Bounds(axiom.bounds.lower, axiom.bounds.upper) for axiom in premises])
    lower, upper = rounded_down(Fraction(ends.lower)), rounded_up(Fraction(ends.upper))
    if isinstance(step.conclusion, Inclusion):
        assert lower > 1 or upper < 0
        return
    assert isinstance(step.conclusion, Conditional)
    bounds = step.conclusion.bounds
    assert bounds in (
        Interval(max(lower, Fraction(0)), Fraction(1)),
        Interval(Fraction(0), min(upper, Fraction(1))),
    )
    queries = [Query(axiom.head, axiom.body) for axiom in premises]
    conclusion = Query(step.conclusion.head, step.conclusion.body)
    assert set(rule.conditions(queries, conclusion)) == set(step.because)


def _conflict(step: Step) -> bool:
    match step.premises:
        case (Conditional() as one, Conditional() as two):
            return one.bounds.lower > two.bounds.upper or two.bounds.lower > one.bounds.upper
        case (Inclusion() as impossible,):
            return impossible.right == BOTTOM
    return False


def _no_instance(step: Step) -> None:
    (premise,) = step.premises
    if isinstance(premise, Conditional):  # its part is empty
        assert premise.bounds.upper == 0
    elif isinstance(step.conclusion, Inclusion):  # a concept inside, or a filler
        assert isinstance(premise, Inclusion)
        inside = step.conclusion.left
        around = premise.left
        filler = inside.filler if isinstance(inside, Exists) else inside
        told = {*conjuncts(inside), *conjuncts(filler)}
        assert told.issuperset(conjuncts(around)) or step.because
