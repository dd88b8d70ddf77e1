"""Finding derivations: the steps and premises that a proof takes, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import Final

from boxsel.exact.compile.problem import Clause, Goal, Row
from boxsel.exact.compile.vocabulary import Mask, has
from boxsel.exact.diagnosis.derivation import Derivation, MissingWitness, Premise, Sum
from boxsel.exact.diagnosis.parts import minimal
from boxsel.exact.ladder import Ladder
from boxsel.exact.lp.generation import integral
from boxsel.exact.lp.optimum import Elimination
from boxsel.exact.types.searched import SearchedSpace
from boxsel.exact.types.space import Space, TooLargeError, list_types
from boxsel.logic.concepts import Exists, conjunction
from boxsel.logic.statements import Statement
from boxsel.machine.budget import Budget

LISTED: Final = 1000
"""How many types are listed to see whether a claim holds, before they are searched."""


@dataclass(frozen=True)
class Claim:
    """That a form is not positive on any type, and negative on the types of a goal, if given.

    The form is the sum of rows with multipliers, and of a part of its own.
    """

    multipliers: Mapping[int, Fraction]
    own: tuple[tuple[Mask, Fraction], ...] = ()
    empty: Goal | None = None


def derive(
    ladder: Ladder, statements: Sequence[Statement], claim: Claim, budget: Budget
) -> Derivation:
    """The derivation of a claim that a ladder has proved, with no more steps than it takes."""
    claim = replace(claim, multipliers=_tidied(ladder.problem.rows, claim.multipliers))
    steps = [
        ladder.survivors.eliminations[number] for number in _needed_steps(ladder, claim, budget)
    ]
    clauses = [clause for _, clause in ladder.problem.clauses] + [step.clause for step in steps]
    return Derivation(
        tuple(_in_words(ladder, statements, step) for step in steps),
        _premises(ladder, statements, claim.multipliers),
        _total(ladder, clauses, _form(ladder, Claim(claim.multipliers))),
        not _total(ladder, clauses, _form(ladder, claim)),
    )


def _needed_steps(ladder: Ladder, claim: Claim, budget: Budget) -> tuple[int, ...]:
    """The eliminations that a claim takes, each of which rests on earlier ones among them."""
    eliminations = ladder.survivors.eliminations
    axioms = [clause for _, clause in ladder.problem.clauses]

    def suffices(numbers: tuple[int, ...]) -> tuple[int, ...] | None:
        clauses, used = list(axioms), []
        for number in numbers:
            elimination = eliminations[number]
            if elimination.goal is None or _holds(
                ladder, clauses, Claim(elimination.multipliers, empty=elimination.goal), budget
            ):
                clauses.append(elimination.clause)
                used.append(number)
        return tuple(used) if _holds(ladder, clauses, claim, budget) else None

    try:
        return minimal(range(len(eliminations)), suffices)
    except TooLargeError:  # too long numbers to tell: all steps are true, if not all needed
        return tuple(range(len(eliminations)))


def _holds(ladder: Ladder, clauses: Iterable[Clause], claim: Claim, budget: Budget) -> bool:
    known = list(clauses)
    space: Space | None = list_types(known, len(ladder.problem.vocabulary), budget, LISTED)
    if space is None:
        space = SearchedSpace(known, budget)
    form = integral(_form(ladder, claim))
    best = space.best(form)
    if best is not None and best[1] > 0:
        return False
    inside = None if claim.empty is None else space.best(form, claim.empty)
    return inside is None or inside[1] < 0


def _form(ladder: Ladder, claim: Claim) -> dict[Mask, Fraction]:
    form: dict[Mask, Fraction] = {}
    rows = ladder.problem.rows
    terms = (
        (mask, factor * number)
        for row, factor in claim.multipliers.items()
        for mask, number in rows[row].form
    )
    for mask, number in (*terms, *claim.own):
        form[mask] = form.get(mask, Fraction(0)) + number
    return form


def _in_words(
    ladder: Ladder, statements: Sequence[Statement], elimination: Elimination
) -> MissingWitness:
    exists, *_ = _existentials(ladder, elimination.existential.bit)
    unless = _existentials(ladder, elimination.clause.heads)
    multipliers = _tidied(ladder.problem.rows, elimination.multipliers)
    return MissingWitness(exists, unless, _premises(ladder, statements, multipliers))


def _tidied(rows: Sequence[Row], multipliers: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The multipliers without what cancels: l·|C| ≤ |C ⊓ D| ≤ u·|C| add up to (u − l)·|C| ≥ 0.

    Leaving out what is not negative anywhere keeps a form from being positive.
    """
    factors = {row: factor * rows[row].bound.denominator for row, factor in multipliers.items()}
    for one, other in permutations(sorted(factors), 2):
        low, high = rows[one], rows[other]
        if (
            (low.side, high.side) == ("lower", "upper")
            and (low.body, low.both) == (high.body, high.both)
            and low.bound <= high.bound
        ):
            common = min(factors[one], factors[other])
            factors[one] -= common
            factors[other] -= common
    return {row: factor / rows[row].bound.denominator for row, factor in factors.items() if factor}


def _existentials(ladder: Ladder, mask: Mask) -> tuple[Exists, ...]:
    basics = ladder.problem.vocabulary.true_in(mask)
    return tuple(basic for basic in basics if isinstance(basic, Exists))


def _premises(
    ladder: Ladder, statements: Sequence[Statement], multipliers: Mapping[int, Fraction]
) -> tuple[Premise, ...]:
    rows = ladder.problem.rows
    return tuple(
        Premise(statements[row.statement], row.side, factor * row.bound.denominator)
        for row, factor in ((rows[number], multipliers[number]) for number in sorted(multipliers))
    )


def _total(ladder: Ladder, clauses: Sequence[Clause], form: Mapping[Mask, Fraction]) -> Sum:
    """A form where concepts that clauses identify are one, and ⊥ is nothing."""
    vocabulary = ladder.problem.vocabulary
    shortest: dict[Mask, Mask] = {}
    factors: dict[Mask, Fraction] = {}
    for mask, factor in form.items():
        closed = _closed(mask, clauses)
        if closed is None:
            continue
        known = shortest.get(closed, mask)
        shortest[closed] = min(known, mask, key=lambda one: (one.bit_count(), one))
        factors[closed] = factors.get(closed, Fraction(0)) + factor
    return tuple(
        (conjunction(*vocabulary.true_in(shortest[closed])), factor)
        for closed, factor in factors.items()
        if factor
    )


def _closed(mask: Mask, clauses: Iterable[Clause]) -> Mask | None:
    """Everything that whoever has a mask has; none if nobody has it."""
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if has(mask, clause.body) and not mask & clause.heads:
                if not clause.heads:
                    return None
                if clause.heads.bit_count() == 1:
                    mask |= clause.heads
                    changed = True
    return mask
