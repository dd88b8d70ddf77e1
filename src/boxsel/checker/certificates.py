"""Reading certificates: what a JSON text claims, as values, before anything is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final, TypeVar

from flint import fmpq

from boxsel.checker.parts import Part, PartedModel, Pattern
from boxsel.errors import InvalidStatementError, ReadError
from boxsel.formats.json_values import (
    Problem,
    a_list,
    a_list_of,
    a_record,
    a_text,
    a_whole_number,
    an_object,
    described,
    one_of,
    parse_json,
    within,
)
from boxsel.logic.axioms import Axiom, Supposed
from boxsel.logic.concepts import Exists, Individual, Name, Role
from boxsel.logic.expecting import expect
from boxsel.logic.interpretations import Interpretation
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.syntax.parser import parse_concept, parse_kb, parse_query

FORMAT: Final = "boxsel certificate"
VERSION: Final = 1
EVIDENCE: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "bounded": (("lower", "upper"), ()),
    "vacuous": (("empty", "model"), ()),
    "inconsistent": ((), ("empty", "assertions")),
    "budget": ((), ("lower", "upper", "witness")),
}
"""What a certificate of each status must hold, and what it may hold."""

Read = TypeVar("Read")

# Longer numbers could not be computed with in reasonable time, and Python reads few more digits.
_FRACTION = re.compile(r"-?[0-9]{1,4000}(?:/[1-9][0-9]{0,3999})?")
_SUPPOSED = re.compile(r"suppose (.*)\[([0-9/]+), ([0-9/]+)\]")
_LARGEST: Final = 10**20_000
_HEADER = ("format", "version", "query", "status", "axioms")


@dataclass(frozen=True, slots=True)
class Multiplier:
    """A factor for one side of an axiom."""

    axiom: Axiom
    side: str
    number: Fraction


@dataclass(frozen=True, slots=True)
class WitnessStep:
    """The claim that whoever has `exists` has one of `unless`."""

    exists: Exists
    unless: tuple[Exists, ...]
    multipliers: tuple[Multiplier, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """Axioms, steps in order, and then multipliers, or cuts for individuals."""

    axioms: tuple[Axiom, ...]
    steps: tuple[WitnessStep, ...]
    multipliers: tuple[Multiplier, ...] = ()
    cuts: tuple[tuple[Multiplier, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Model:
    """An interpretation, and the main and further weights of its elements."""

    interpretation: Interpretation
    weights: Sequence[int | Fraction]
    further: Sequence[int | Fraction]


@dataclass(frozen=True, slots=True)
class End:
    """One end of an interval; without a model it may not be tight."""

    bound: Fraction
    proof: Proof
    model: Model | PartedModel | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """A model in which the query has some share."""

    share: Fraction
    model: Model | PartedModel


@dataclass(frozen=True, slots=True)
class Claim:
    """All that a certificate says."""

    query: Query
    status: str
    axioms: list[Axiom]
    lower: End | None
    upper: End | None
    empty: Proof | None
    assertions: Proof | None
    model: Model | PartedModel | None
    witness: Witness | None


def read_certificate(certificate: Mapping[str, object] | str) -> Claim:
    """What a certificate claims; `ReadError` if it is not one.

    Examples:
        >>> read_certificate("{}")
        Traceback (most recent call last):
        boxsel.errors.ReadError: certificate: the key 'format' is missing
    """
    expect((str, Mapping), "a certificate is JSON text or its object", certificate)
    try:
        text = certificate if isinstance(certificate, str) else json.dumps(dict(certificate))
        return _claim(parse_json(text.strip() or "null", "certificate"))
    except Problem as error:
        problem = error
    except (TypeError, ValueError, RecursionError) as error:
        problem = Problem(f"this cannot be written as JSON: {error}")
    raise ReadError(problem.diagnostic("certificate"))


def _claim(value: object) -> Claim:
    data = an_object(value, _HEADER, None)
    within("format", lambda one: one_of(one, [FORMAT]), data["format"])
    if within("version", a_whole_number, data["version"]) != VERSION:
        raise Problem(f"only certificates of version {VERSION} can be read")
    status = within("status", lambda one: one_of(one, list(EVIDENCE)), data["status"])
    required, optional = EVIDENCE[status]
    an_object(value, (*_HEADER, *required), optional)
    if status == "inconsistent" and ("empty" in data) == ("assertions" in data):
        raise Problem("an inconsistent answer has either 'empty' or 'assertions'")
    axioms = within("axioms", _axioms, data["axioms"])
    read = _Proofs(axioms)
    lower = _optional(data, "lower", read.end)
    known = None if lower is None else lower.model

    def upper_model(value: object) -> Model | PartedModel:
        if known is not None and value == "lower":
            return known
        is_changed = isinstance(value, dict) and "like" in value
        return _changed(value, known) if is_changed else _model(value)

    return Claim(
        within("query", lambda one: _parsed(parse_query, one), data["query"]),
        status,
        axioms,
        lower,
        _optional(data, "upper", read.end_with(upper_model)),
        _optional(data, "empty", read.proof),
        _optional(data, "assertions", read.assertions),
        _optional(data, "model", _model),
        _optional(data, "witness", a_record(Witness, share=_fraction, model=_model)),
    )


class _Proofs:
    """Reads proofs, in which axioms are numbers."""

    def __init__(self, axioms: list[Axiom]) -> None:
        self._axioms = axioms
        multipliers = _tuple_of(self._multiplier)
        unless = _tuple_of(_existential)
        step = a_record(WitnessStep, exists=_existential, unless=unless, multipliers=multipliers)
        stated, steps, cuts = _tuple_of(self._number), _tuple_of(step), _tuple_of(multipliers)
        self.proof = a_record(Proof, axioms=stated, steps=steps, multipliers=multipliers)
        self.assertions = a_record(Proof, axioms=stated, steps=steps, cuts=cuts)
        self.end = self.end_with(_model)

    def end_with(self, model: Callable[[object], Model | PartedModel]) -> Callable[[object], End]:
        """What reads an end; its model is read so."""
        return a_record(End, ("model",), bound=_fraction, proof=self.proof, model=model)

    def _multiplier(self, value: object) -> Multiplier:
        axiom, side, number = _members(value, 3)
        return Multiplier(
            within(0, self._number, axiom),
            within(1, lambda one: one_of(one, ["lower", "upper"]), side),
            within(2, _fraction, number),
        )

    def _number(self, value: object) -> Axiom:
        return self._axioms[_place(value, len(self._axioms), "axioms")]


# A model says the same names of thousands of elements.
_name = lru_cache(100_000)(Name)
_role = lru_cache(10_000)(Role)


def _model(value: object) -> Model | PartedModel:
    if isinstance(value, dict) and "parts" in value:
        parts = an_object(value, ("parts",))["parts"]
        return PartedModel(within("parts", a_list_of(_part), parts))
    data = an_object(value, ("elements", "edges", "individuals"))
    element = a_record(
        lambda names, weight, further: (frozenset(names), (weight, further)),
        names=a_list_of(lambda one: _name(a_text(one))),
        weight=_fraction,
        further=_fraction,
    )
    elements = within("elements", a_list_of(element), data["elements"])

    def place(value: object) -> int:
        return _place(value, len(elements), "elements")

    def edge(value: object) -> tuple[Role, tuple[int, int]]:
        role, subject, target = _members(value, 3)
        pair = within(1, place, subject), within(2, place, target)
        return within(0, lambda one: _role(a_text(one)), role), pair

    def individuals(value: object) -> dict[Individual, int]:
        found = an_object(value, optional=None).items()
        return {
            within(iri, lambda name: Individual(a_text(name)), iri): within(iri, place, one)
            for iri, one in found
        }

    edges: dict[Role, set[tuple[int, int]]] = {}
    for role, pair in within("edges", a_list_of(edge), data["edges"]):
        edges.setdefault(role, set()).add(pair)
    interpretation = Interpretation(
        tuple(names for names, _ in elements),
        {role: frozenset(pairs) for role, pairs in edges.items()},
        within("individuals", individuals, data["individuals"]),
    )
    main, further = ([weights[column] for _, weights in elements] for column in (0, 1))
    return Model(interpretation, _whole(main), _whole(further))


def _part(value: object) -> Part:
    optional = ("weights", "shares")
    data = an_object(value, ("names", "before"), optional)
    if ("weights" in data) == ("shares" in data):
        raise Problem("a part has either 'weights' or 'shares'")
    names = within("names", _tuple_of(lambda one: _name(a_text(one))), data["names"])
    if len({*names}) != len(names):
        raise Problem("a name stands twice in one part")

    def weight(value: object) -> tuple[Pattern, fmpq]:
        pattern, number = _members(value, 2)
        text = a_text(pattern)
        if len(text) != len(names) or text.strip("01"):
            raise Problem(f"expected a digit, 0 or 1, for each of {len(names)} names: {text!r:.60}")
        return text, _quotient(a_text(number))

    key = next(key for key in optional if key in data)
    weights = within(key, _tuple_of(weight), data[key])
    before = within("before", a_whole_number, data["before"])
    return Part(names, before, weights, key == "shares")


def _changed(value: object, known: Model | PartedModel | None) -> PartedModel:
    """The model of the lower end, but for some of its parts."""
    data = an_object(value, ("like", "changed"))
    within("like", lambda one: one_of(one, ["lower"]), data["like"])
    if not isinstance(known, PartedModel):
        raise Problem("the lower end has no model in parts")
    count = len(known.parts)

    def part(value: object) -> tuple[int, Part]:
        place, changed = _members(value, 2)
        return within(0, lambda one: _place(one, count, "parts"), place), within(1, _part, changed)

    parts = within("changed", a_list_of(part), data["changed"])
    try:
        return known.changed(dict(parts))
    except ValueError as error:
        raise Problem(str(error)) from None


def _whole(weights: list[Fraction]) -> list[int]:
    scale = 1
    for weight in weights:
        scale = lcm(scale, weight.denominator)
        if scale > _LARGEST:
            raise Problem("the weights need a common denominator that is too long to compute with")
    return [int(weight * scale) for weight in weights]


def _axioms(value: object) -> list[Axiom]:
    lines = a_list_of(a_text)(value)
    if not any("\n" in line for line in lines):
        with suppress(ReadError, InvalidStatementError):
            together = list(parse_kb("\n".join(lines)).axioms)
            if len(together) == len(lines):  # no line states more than one
                return together
    return a_list_of(_axiom)(lines)  # one by one takes much longer, but says which is wrong


def _axiom(value: object) -> Axiom:
    supposed = _SUPPOSED.fullmatch(a_text(value))
    if supposed is not None:
        query = _parsed(parse_query, supposed[1])
        bounds = Interval(_fraction(supposed[2]), _fraction(supposed[3]))
        return Supposed(query.head, query.body, bounds)
    statements = _parsed(parse_kb, value).statements
    if len(statements) != 1:
        raise Problem(f"expected one axiom, found {described(value)}")
    return statements[0].axiom


def _existential(value: object) -> Exists:
    concept = _parsed(parse_concept, value)
    if not isinstance(concept, Exists):
        raise Problem(f"expected a concept such as r some A, found {described(value)}")
    return concept


def _parsed(parse: Callable[[str], Read], value: object) -> Read:
    try:
        return parse(a_text(value))
    except ReadError as error:
        raise Problem(f"{error.diagnostics[0].message}, in {described(value)}") from None


def _fraction(value: object) -> Fraction:
    return Fraction(_quotient_text(value))


@lru_cache(10_000)
def _quotient(text: str) -> fmpq:
    above, _, below = _quotient_text(text).partition("/")
    return fmpq(int(above), int(below or 1))


def _quotient_text(value: object) -> str:
    text = a_text(value)
    if not _FRACTION.fullmatch(text):
        raise Problem(
            f"expected a fraction such as 4/25 of at most 4,000 digits, found {text!r:.60}"
        )
    return text


def _place(value: object, count: int, what: str) -> int:
    place = a_whole_number(value)
    if not 0 <= place < count:
        raise Problem(f"there are {count} {what}, counted from 0: {place} is none of them")
    return place


def _members(value: object, count: int) -> list[object]:
    members = a_list(value)
    if len(members) != count:
        raise Problem(f"expected a list of {count}, found one of {len(members)}")
    return members


def _tuple_of(read: Callable[[object], Read]) -> Callable[[object], tuple[Read, ...]]:
    return lambda value: tuple(a_list_of(read)(value))


def _optional(data: Mapping[str, object], key: str, read: Callable[[object], Read]) -> Read | None:
    return within(key, read, data[key]) if key in data else None


def read_fraction(value: object) -> Fraction:
    """A number of a certificate."""
    return _fraction(value)


def read_query(value: object) -> Query:
    """A query of a certificate."""
    return _parsed(parse_query, value)


def read_model(value: object) -> Model:
    """A model of a certificate that is spelt out."""
    model = _model(value)
    if not isinstance(model, Model):
        raise Problem("expected a model with elements")
    return model
