"""How far each end of an answer moves with the bounds of each premise: what to measure next.

The multipliers of a proof are prices. If `(D | C)[l, u]` has the factor y in the proof of an upper
end, and C the weight w in a model that attains it (whose body weighs 1), the end rises by y·w for
each unit by which u rises. It is a slope: exact for small steps where the optimum is the only one,
and otherwise what one of several proofs says. A stated 0 or 1 is a law in the proof, and has no
price.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from boxsel.exact.answers import End, Outcome
from boxsel.exact.compile.problem import Side
from boxsel.exact.lp.floats import as_float
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.html import Told
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Query, Statement

Moved = Literal["lower", "upper", "point"]
"""Which bound of a premise moves; both, if they are one number."""


@dataclass(frozen=True)
class Influence:
    """An end moves by `slope` for each unit by which a bound of a statement moves.

    `gain` is how much closer the end would be if the statement's interval shrank to one number, as
    far as the slope tells: none for a number.
    """

    end: Side
    statement: Statement
    bound: Moved
    slope: Fraction
    width: Fraction

    @property
    def gain(self) -> Fraction:
        """How much there is to be learned."""
        return abs(self.slope) * self.width


@dataclass(frozen=True)
class Sensitivity(Told):
    """What moves the ends of an answer: first where most can be learned, then what moves most."""

    query: Query
    influences: tuple[Influence, ...]
    prefixes: Prefixes

    @property
    def lines(self) -> list[str]:
        """The influences for people."""
        if not self.influences:
            return ["  no stated number between 0 and 1 moves an end"]
        gaining = any(influence.gain for influence in self.influences)
        gains = " (gain: if it were known)" if gaining else ""
        lines = [f"  what moves the ends, for each 0.01 of a stated number{gains}:"]
        for influence in self.influences:
            moved = {"lower": "lower bound", "upper": "upper bound", "point": "number"}[
                influence.bound
            ]
            gain = f", gain {as_float(influence.gain):.3g}" if influence.gain else ""
            lines.append(
                f"    {influence.end} end {as_float(influence.slope) / 100:+.3g}:"
                f" the {moved} of {influence.statement.axiom.text(self.prefixes)}{gain}"
            )
        return lines

    @property
    def text(self) -> str:
        """The influences for people, after the query."""
        query = self.query.text(self.prefixes)
        return "".join(f"{line}\n" for line in (query, *self.lines))

    def to_json(self) -> list[dict[str, Any]]:
        """The influences as JSON objects."""
        return [
            {
                "end": influence.end,
                "statement": influence.statement.text(self.prefixes),
                "bound": influence.bound,
                "slope": as_float(influence.slope),
                "gain": as_float(influence.gain),
            }
            for influence in self.influences
        ]


def sensitivity(kb: KB, query: Query | str) -> Sensitivity:
    """How far each end of an exact answer moves with the bounds of each premise.

    Examples:
        >>> from boxsel import examples
        >>> found = sensitivity(examples.load("applicant"), "(Admitted | Applicant)")
        >>> print(found.text, end="")
        (Admitted | Applicant)
          what moves the ends, for each 0.01 of a stated number (gain: if it were known):
            lower end +0.008: the lower bound of (DeptA | Applicant)[0.2, 0.25], gain 0.04
            upper end -0.002: the lower bound of (DeptA | Applicant)[0.2, 0.25], gain 0.01
            lower end +0.002: the number of (Admitted | DeptA)[0.8]
            upper end +0.002: the number of (Admitted | DeptA)[0.8]
    """
    return sensitivity_of(kb, Reasoner(kb).bounds(query))


def sensitivity_of(kb: KB, outcome: Outcome) -> Sensitivity:
    """The same for an answer that is known; nothing moves where there is no interval."""
    statements = {statement.axiom: statement for statement in reversed(kb.statements)}
    influences: list[Influence] = []
    ends: dict[Side, End | None] = {"lower": outcome.lower, "upper": outcome.upper}
    for side, end in ends.items():
        if end is not None:
            influences += _influences(outcome.query, side, end, statements)
    influences.sort(key=lambda influence: (-influence.gain, -abs(influence.slope)))
    return Sensitivity(outcome.query, tuple(influences), kb.prefixes)


def _influences(
    query: Query, side: Side, end: End, statements: dict[Any, Statement]
) -> list[Influence]:
    members, weights = end.model.interpretation, end.model.weights
    whole = weights.total(members.places(query.body))
    slopes: dict[tuple[Conditional, Moved], Fraction] = {}
    for multiplier in end.proof.multipliers:
        axiom = multiplier.axiom
        if not isinstance(axiom, Conditional):
            continue
        # Raising a lower bound leaves less room, raising an upper one more.
        room = multiplier.number * weights.total(members.places(axiom.body)) / whole
        slope = room if (multiplier.side == "upper") == (side == "upper") else -room
        point = axiom.bounds.lower == axiom.bounds.upper
        key: tuple[Conditional, Moved] = (axiom, "point" if point else multiplier.side)
        slopes[key] = slopes.get(key, Fraction(0)) + slope
    return [
        Influence(side, statements[axiom], moved, slope, axiom.bounds.upper - axiom.bounds.lower)
        for (axiom, moved), slope in slopes.items()
        if slope
    ]
