"""What each rule is about, as concepts, so that it can be tried on populations.

A population is a weight on each cell of a Venn diagram; the facts leave some cells empty.
Rules that are added to the registry need a figure here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from boxsel.logic.axioms import Disjointness, Inclusion
from boxsel.logic.concepts import Concept, Name, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.rules.amounts import Bounds
from boxsel.syntax.parser import parse_kb, parse_query
from tests.exact.simplex import maximise

Cell = frozenset[Concept]


@dataclass(frozen=True)
class Figure:
    """The premises and the conclusion of a rule, and what is assumed of the concepts."""

    premises: tuple[Query, ...]
    conclusion: Query
    facts: KB

    @property
    def cells(self) -> list[Cell]:
        """The cells of the Venn diagram that the facts allow."""
        names = {name for query in (*self.premises, self.conclusion) for name in _names(query)}
        ordered = sorted(names, key=str)
        choices = product((False, True), repeat=len(ordered))
        cells = (
            frozenset(name for name, inside in zip(ordered, choice, strict=True) if inside)
            for choice in choices
        )
        return [cell for cell in cells if all(_allows(fact, cell) for fact in self.facts.axioms)]


def _figure(premises: str, conclusion: str, facts: str = "") -> Figure:
    asked = tuple(parse_query(text.strip()) for text in premises.split(","))
    return Figure(asked, parse_query(conclusion), parse_kb(facts) if facts else KB())


_MODUS_PONENS = _figure("(A | B), (Q | A and B)", "(Q | B)")
_INCLUSION = "E SubClassOf D"
FIGURES = {
    "modus ponens": _MODUS_PONENS,
    "published modus ponens": _MODUS_PONENS,
    "narrowing": _figure("(A | B), (Q | B)", "(Q | A and B)"),
    "Bayes": _figure("(A | B), (Q | A and B), (Q | B)", "(A | Q and B)"),
    "inversion": _figure("(A | B), (Q | A and B), (A | Q and B)", "(Q | B)"),
    "product": _figure("(A | B), (Q | A and B)", "(A and Q | B)"),
    "conditioning": _figure("(A and Q | B), (A | B)", "(Q | A and B)"),
    "scaling": _figure("(A and Q | B), (Q | A and B)", "(A | B)"),
    "conjunction": _figure("(A | B), (Q | B)", "(A and Q | B)"),
    "conjunct": _figure("(A and Q | B), (A | B)", "(Q | B)"),
    "wider head": _figure("(E | B)", "(D | B)", _INCLUSION),
    "narrower head": _figure("(D | B)", "(E | B)", _INCLUSION),
    # E and D stand for ∃r.E and ∃s.D; that these include each other is for saturation to say.
    "wider filler": _figure("(E | B)", "(D | B)", _INCLUSION),
    "narrower filler": _figure("(D | B)", "(E | B)", _INCLUSION),
    "disjoint heads": _figure("(D1 | B), (D2 | B)", "(D | B)", "DisjointClasses: D, D1, D2"),
    "cases": _figure(
        "(A1 | B), (Q | A1 and B), (A2 | B), (Q | A2 and B)", "(Q | B)", "DisjointClasses: A1, A2"
    ),
}


def share(query: Query, cells: Sequence[Cell], weights: Sequence[int]) -> Fraction | None:
    """The share that a population has; none if the body is empty."""
    body = sum(weight for cell, weight in zip(cells, weights, strict=True) if _in(query.body, cell))
    part = sum(
        weight
        for cell, weight in zip(cells, weights, strict=True)
        if _in(query.body, cell) and _in(query.head, cell)
    )
    return Fraction(part, body) if body else None


def extremes(figure: Figure, bounds: Sequence[Bounds]) -> Bounds:
    """The least and the greatest share of the conclusion over all populations, exactly."""
    cells, rows = figure.cells, []
    for query, (lower, upper) in zip(figure.premises, bounds, strict=True):
        body, part = _indicator(query, cells, body=True), _indicator(query, cells)
        rows.append(
            [lower.numerator * b - lower.denominator * p for b, p in zip(body, part, strict=True)]
        )
        rows.append(
            [upper.denominator * p - upper.numerator * b for b, p in zip(body, part, strict=True)]
        )
    body, part = (_indicator(figure.conclusion, cells, body=whole) for whole in (True, False))
    rows.append(body)
    limits = [0] * (len(rows) - 1) + [1]
    rest = [b - p for b, p in zip(body, part, strict=True)]
    return Bounds(1 - maximise(rest, rows, limits).value, maximise(part, rows, limits).value)


def _indicator(query: Query, cells: Sequence[Cell], *, body: bool = False) -> list[int]:
    return [int(_in(query.body, cell) and (body or _in(query.head, cell))) for cell in cells]


def _in(concept: Concept, cell: Cell) -> bool:
    return cell.issuperset(conjuncts(concept))


def _names(query: Query) -> Iterator[Name]:
    for concept in (*conjuncts(query.head), *conjuncts(query.body)):
        assert isinstance(concept, Name)
        yield concept


def _allows(fact: object, cell: Cell) -> bool:
    if isinstance(fact, Inclusion):
        return not _in(fact.left, cell) or _in(fact.right, cell)
    assert isinstance(fact, Disjointness)
    return sum(_in(member, cell) for member in fact.members) < 2
