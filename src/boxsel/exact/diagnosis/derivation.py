"""Derivations: how premises add up to a conclusion, as data and in words.

A conditional says that some numbers of elements are in some proportion: `(D | C)[l, u]` is
`|C ⊓ D| ≥ l·|C|` and `|C ⊓ D| ≤ u·|C|`. A proof multiplies such inequalities and adds them up;
what the deterministic statements say is used by not telling apart what they identify, and by
leaving out the elements that they forbid.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boxsel.exact.certificate import written
from boxsel.exact.compile.problem import Side
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept, Exists, conjunction, conjuncts
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.rounding import in_formula
from boxsel.logic.statements import Statement

Sum = tuple[tuple[Concept, Fraction], ...]
"""Numbers of elements of concepts, each with its factor, added up."""


@dataclass(frozen=True)
class Premise:
    """One bound of a conditional, and the factor that it is multiplied with."""

    statement: Statement
    side: Side
    factor: Fraction

    def inequality(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The bound as an inequality between numbers of elements."""
        axiom = self.statement.axiom
        assert isinstance(axiom, Conditional)
        bound = axiom.bounds.lower if self.side == "lower" else axiom.bounds.upper
        return comparison(axiom.head, axiom.body, self.side, bound, prefixes)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The inequality with its factor."""
        factor = "" if self.factor == 1 else f", times {in_formula(self.factor)}"
        return self.inequality(prefixes) + factor

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The premise as a JSON object."""
        return {
            "statement": self.statement.text(prefixes),
            "side": self.side,
            "factor": written(self.factor),
            "inequality": self.inequality(prefixes),
        }


@dataclass(frozen=True)
class MissingWitness:
    """A step: nothing can be what `exists` needs, unless one of `unless` holds as well."""

    exists: Exists
    unless: tuple[Exists, ...] = ()
    premises: tuple[Premise, ...] = ()

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The step in words."""
        needs, filler = self.exists.text(prefixes), self.exists.filler.text(prefixes)
        by = f" ({'; '.join(one.text(prefixes) for one in self.premises)})" if self.premises else ""
        if not self.unless:
            return f"nothing can be the {filler} that `{needs}` needs{by}, so `{needs}` is empty"
        others = " or ".join(f"`{existential.text(prefixes)}`" for existential in self.unless)
        return f"whatever has `{needs}` has {others}, for want of another {filler}{by}"

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The step as a JSON object."""
        return {
            "exists": self.exists.text(prefixes),
            "unless": [existential.text(prefixes) for existential in self.unless],
            "premises": [premise.to_json(prefixes) for premise in self.premises],
            "text": self.text(prefixes),
        }


@dataclass(frozen=True)
class Derivation:
    """Steps, premises and what they add up to: a sum that is not negative."""

    steps: tuple[MissingWitness, ...] = ()
    premises: tuple[Premise, ...] = ()
    total: Sum = ()
    direct: bool = False
    """Whether the sum is the conclusion itself, and not only implies it element by element."""

    def total_text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The sum as an inequality, with the positive terms on the left."""
        more = [(concept, factor) for concept, factor in self.total if factor > 0]
        less = [(concept, -factor) for concept, factor in self.total if factor < 0]
        return f"{_terms(more, prefixes)} ≥ {_terms(less, prefixes)}"

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The derivation as a JSON object."""
        return {
            "steps": [step.to_json(prefixes) for step in self.steps],
            "premises": [premise.to_json(prefixes) for premise in self.premises],
            "total": self.total_text(prefixes) if self.premises else None,
        }


NO_DERIVATION = Derivation()


def comparison(
    head: Concept, body: Concept, side: Side, bound: Fraction, prefixes: Prefixes = NO_PREFIXES
) -> str:
    """`|C ⊓ D| ≥ l·|C|`, or `≤` for an upper bound.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> DeptA, Applicant = names("DeptA Applicant")
        >>> comparison(DeptA, Applicant, "lower", Fraction(1, 5))
        '|Applicant ⊓ DeptA| ≥ 0.2·|Applicant|'
    """
    left = _terms([(conjunction(body, head), Fraction(1))], prefixes)
    sign = "≥" if side == "lower" else "≤"
    return f"{left} {sign} {_terms([(body, bound)] if bound else [], prefixes)}"


def _terms(terms: Iterable[tuple[Concept, Fraction]], prefixes: Prefixes) -> str:
    texts = [
        f"{'' if factor == 1 else in_formula(factor) + '·'}|{_short(concept, prefixes)}|"
        for concept, factor in terms
    ]
    return " + ".join(texts) or "0"


def _short(concept: Concept, prefixes: Prefixes) -> str:
    parts = conjuncts(concept)
    if len(parts) == 1:
        return concept.text(prefixes)
    return " ⊓ ".join(part.conjunct_text(prefixes) for part in parts)
