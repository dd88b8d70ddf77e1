"""What the exact reasoner answers, as values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from boxsel.exact.compile.problem import Side
from boxsel.exact.lp.optimum import Route
from boxsel.exact.weighted_model import ModelPart, WeightedModel
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Exists
from boxsel.logic.statements import Query

Status = Literal["bounded", "vacuous", "inconsistent", "budget"]


@dataclass(frozen=True)
class Multiplier:
    """A positive factor for one bound of a conditional `(D | C)[l, u]`.

    It multiplies `[C ⊓ D] − l·[C] ≥ 0` for the lower and `u·[C] − [C ⊓ D] ≥ 0` for the upper.
    """

    axiom: Axiom
    side: Side
    number: Fraction


@dataclass(frozen=True)
class Step:
    """An elimination: whoever has `exists` has one of `unless`, since nothing else witnesses it."""

    exists: Exists
    unless: tuple[Exists, ...]
    multipliers: tuple[Multiplier, ...] = ()


@dataclass(frozen=True)
class Proof:
    """Why something holds in all models: axioms, eliminations in order, and multipliers."""

    axioms: tuple[Axiom, ...]
    steps: tuple[Step, ...] = ()
    multipliers: tuple[Multiplier, ...] = ()

    @property
    def premises(self) -> frozenset[Axiom]:
        """All axioms that it rests on."""
        factors = (self.multipliers, *(step.multipliers for step in self.steps))
        return frozenset(
            (*self.axioms, *(multiplier.axiom for own in factors for multiplier in own))
        )


@dataclass(frozen=True)
class AssertionProof:
    """Why assertions cannot hold: types are known to be cut, and none are left that obey them."""

    axioms: tuple[Axiom, ...]
    steps: tuple[Step, ...]
    cuts: tuple[tuple[Multiplier, ...], ...]


@dataclass(frozen=True)
class End:
    """One end of an interval: the bound, its proof, and a model that attains or approaches it.

    The model is made of exact weights that are known; spelling it out is put off until it is read.
    """

    bound: Fraction
    proof: Proof
    build: Callable[[], WeightedModel] = field(repr=False, compare=False)
    route: Route | None = field(default=None, compare=False)
    """Which way led here, and why those before it did not."""
    build_parts: Callable[[], tuple[ModelPart, ...] | None] = field(
        default=lambda: None, repr=False, compare=False
    )
    """The model in parts, if it can be told so: it may have too many elements to be spelt out."""

    @cached_property
    def model(self) -> WeightedModel:
        """A model that attains the bound, or approaches it."""
        return self.build()


@dataclass(frozen=True)
class Outcome:
    """What the share of a query can be.

    Inconsistent: there is no model. Vacuous: the body is empty in every model. Otherwise the
    share lies between `lower` and `upper`, and nothing tighter can be said if `exact`.
    """

    query: Query
    status: Status
    lower: End | None = None
    upper: End | None = None
    empty: Proof | AssertionProof | None = None
    model: WeightedModel | None = None
    seconds: float = 0.0
    route: Route | None = field(default=None, compare=False)
    """Which way found that the body is empty, if it is."""
