"""Checks certificates of comparisons: two shares, cell by cell of the second.

Each cell is an interval of the second share, with a proof of what the first can be if the second
lies in it: an ordinary certificate, about the knowledge base with that supposition. The cells cover
all that the second share can be. A difference, a ratio and an odds ratio rise with the first share
and fall with the second: so the ends of cells bound them.

Two shares of one body have a difference and a ratio that are one share, by coins (`coins`), with an
ordinary certificate each; what both ratios say also bounds the odds ratio in every cell.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any, Final

from boxsel.checker.certificates import read_fraction, read_model, read_query
from boxsel.checker.coins import DRAWN, FORMS, MARKED, toss
from boxsel.checker.models import check_model
from boxsel.checker.verify import Verification, verify
from boxsel.checker.wrong import WrongError
from boxsel.errors import ReadError
from boxsel.formats.json_values import (
    Problem,
    a_list,
    a_whole_number,
    an_object,
    one_of,
    parse_json,
)
from boxsel.logic.axioms import Supposed
from boxsel.logic.interpretations import Weights
from boxsel.logic.kb import KB
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import NO_LIMIT, Budget

FORMAT: Final = "boxsel comparison"
VERSION: Final = 1
_KEYS = ("format", "version", "first", "second", "range", "proofs", "cells", "claims", "models")
_MEASURES = ("difference", "ratio", "odds_ratio")
_WITHOUT: Final = {"difference": (), "ratio": (0,), "odds_ratio": (0, 1)}
"""Where both shares are so, it has no value."""
_Value = Fraction | float
"""A fraction, or infinity."""
_Ends = tuple[_Value, _Value]
_Cells = Sequence[tuple[Fraction, Fraction, Fraction, Fraction]]
"""The ends of a cell, and the bounds of the first share in it."""


@dataclass(frozen=True)
class ComparisonVerification:
    """What a certificate of a comparison proves."""

    first: Query
    second: Query
    problems: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether all that the certificate claims is proved."""
        return not self.problems

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """What was found, for people."""
        title = f"{self.first.text(prefixes)} against {self.second.text(prefixes)}"
        if self.valid:
            return f"{title}: proved\n"
        lines = (f"  problem: {problem}\n" for problem in self.problems)
        return f"{title}: the certificate does not prove what it claims\n{''.join(lines)}"

    def to_json(self, prefixes: Prefixes = NO_PREFIXES) -> dict[str, Any]:
        """What was found as a JSON object, with the keys of other certificates."""
        return {
            "query": f"{self.first.text(prefixes)} against {self.second.text(prefixes)}",
            "status": "bounded",
            "valid": self.valid,
            "exact": False,
            "lower_exact": None,
            "upper_exact": None,
            "possible_exact": None,
            "problems": list(self.problems),
            "notes": [],
        }


def is_comparison(certificate: Mapping[str, object] | str) -> bool:
    """Whether a certificate is one of a comparison."""
    if isinstance(certificate, str):
        return f'"{FORMAT}"' in certificate[:200]
    return certificate.get("format") == FORMAT


def verify_comparison(
    kb: KB, certificate: Mapping[str, object] | str, *, budget: Budget = NO_LIMIT
) -> ComparisonVerification:
    """Check the certificate of a comparison; `ReadError` if it is none."""
    try:
        text = certificate if isinstance(certificate, str) else json.dumps(dict(certificate))
        data = an_object(parse_json(text, "certificate"), _KEYS, ("coins",))
        one_of(data["format"], [FORMAT])
        _check_version(data["version"])
        first, second = read_query(data["first"]), read_query(data["second"])
        problems = _Check(kb, first, second, data, json.loads(text), budget).run()
    except Problem as error:
        raise ReadError(error.diagnostic("certificate")) from None
    return ComparisonVerification(first, second, tuple(problems))


class _Check:
    """The parts of one certificate."""

    def __init__(
        self,
        kb: KB,
        first: Query,
        second: Query,
        data: Mapping[str, Any],
        plain: Mapping[str, Any],
        budget: Budget,
    ) -> None:
        self._kb, self._first, self._second = kb, first, second
        self._data, self._budget = data, budget
        self._plain = plain  # the same, for the checker of ordinary certificates

    def run(self) -> list[str]:
        """What is not proved."""
        try:
            self._check()
        except WrongError as error:
            return [str(error)]
        return []

    def _check(self) -> None:
        whole = self._proved(self._kb, self._plain["range"], self._second, "range")
        if whole.lower is None or whole.upper is None:
            raise WrongError("range: it has no bounds")
        proofs = [self._proof(one, n) for n, one in enumerate(a_list(self._data["proofs"]))]
        reached, bounds = whole.lower, list[tuple[Fraction, Fraction, Fraction, Fraction]]()
        for number, (low, high, which) in enumerate(map(_triple, a_list(self._data["cells"]))):
            if not 0 <= which < len(proofs):
                raise WrongError(f"cells[{number}]: there is no proof {which}")
            within, verification = proofs[which]
            if not (within.lower <= low <= high <= within.upper and low <= reached):
                raise WrongError(f"cells[{number}]: there is a gap, or its proof is of another one")
            reached = max(reached, high)
            if verification.lower is not None and verification.upper is not None:
                bounds.append((low, high, verification.lower, verification.upper))
        if reached < whole.upper:
            raise WrongError("the cells do not cover all that the second share can be")
        self._check_claims(bounds, self._tossed())
        for number, value in enumerate(a_list(self._data["models"])):
            self._check_model(value, f"models[{number}]")

    def _proof(self, value: object, number: int) -> tuple[Interval, Verification]:
        data = an_object(value, ("within", "certificate"))
        lower, upper = map(read_fraction, a_list(data["within"]))
        within = Interval(lower, upper)
        kb = self._kb
        if within != Interval(Fraction(0), Fraction(1)):
            supposed = Supposed(self._second.head, self._second.body, within)
            kb = KB((*kb.statements, Statement(supposed)), dropped=kb.dropped)
        plain = self._plain["proofs"][number]["certificate"]
        return within, self._proved(kb, plain, self._first, f"proofs[{number}]")

    def _tossed(self) -> dict[str, _Ends | None]:
        """What coins prove of both shares; none where that has no value in any model."""
        coins = an_object(self._data.get("coins", {}), (), FORMS)
        if coins and self._first.body != self._second.body:
            raise WrongError("coins: the bodies are not the same")
        if coins and not {MARKED, DRAWN}.isdisjoint(self._kb.signature.concepts):
            raise WrongError("coins: the knowledge base has statements about their names")
        found = dict[str, _Ends | None]()
        for form in FORMS:
            if form in coins:
                tossed = toss(form, self._first, self._second)
                statements = (*self._kb.statements, *map(Statement, tossed.supposed))
                kb = KB(statements, dropped=self._kb.dropped)
                certificate = self._plain["coins"][form]
                proved = self._proved(kb, certificate, tossed.query, f"coins.{form}")
                if proved.lower is None or proved.upper is None:
                    found[form] = None
                else:
                    values = tossed.value(proved.lower), tossed.value(proved.upper)
                    found[form] = values
        return found

    def _proved(self, kb: KB, certificate: Any, query: Query, where: str) -> Verification:
        found = verify(kb, certificate, budget=self._budget)
        if not found.valid or found.query != query:
            raise WrongError(f"{where}: {'; '.join(found.problems) or 'it is about another query'}")
        if found.status not in ("bounded", "vacuous"):
            raise WrongError(f"{where}: it has no bounds")
        return found

    def _check_claims(self, cells: _Cells, tossed: Mapping[str, _Ends | None]) -> None:
        for name, claim in an_object(self._data["claims"], (), _MEASURES).items():
            lower, upper = (inf if one is None else read_fraction(one) for one in a_list(claim))
            for least, most in _proved_ends(name, cells, tossed):
                if most > upper:
                    raise WrongError(f"{name} may be above {upper}")
                if least < lower:
                    raise WrongError(f"{name} may be below {lower}")

    def _check_model(self, value: object, where: str) -> None:
        """The shares of a population, if any little of its further weights is mixed in."""
        data = an_object(value, ("first", "second", "model"))
        model = read_model(data["model"])
        check_model(self._kb, model, self._budget)
        for query, claim in ((self._first, data["first"]), (self._second, data["second"])):
            shares = (
                model.interpretation.share(query.head, query.body, Weights(weights))
                for weights in (model.weights, model.further)
            )
            share = next((one for one in shares if one is not None), None)
            if share != read_fraction(claim):
                raise WrongError(f"{where}: a share is {share}, and not {claim}")


def _proved_ends(name: str, cells: _Cells, tossed: Mapping[str, _Ends | None]) -> Iterator[_Ends]:
    """What a comparison is between: by coins, or in each cell."""
    ratio, complement = tossed.get("ratio"), tossed.get("complement")
    if name in tossed or (name == "odds_ratio" and None in tossed.values()):
        known = tossed.get(name)
        if known is None:
            raise WrongError(f"{name} has no value in any model")
        yield known
        return
    for low, high, least, most in cells:
        if low == high == least == most and low in _WITHOUT[name]:
            continue
        lower, upper = _compared(name, least, high), _compared(name, most, low)
        if name == "odds_ratio" and ratio and complement:
            odds = _odds(ratio, complement, low, high)
            lower, upper = max(lower, odds[0]), min(upper, odds[1])
        yield lower, upper


def _check_version(value: object) -> None:
    if a_whole_number(value) != VERSION:
        raise Problem(f"only certificates of version {VERSION} can be read")


def _triple(value: object) -> tuple[Fraction, Fraction, int]:
    members = a_list(value)
    if len(members) != 3:
        raise Problem("expected a cell: its ends, and the number of its proof")
    return read_fraction(members[0]), read_fraction(members[1]), a_whole_number(members[2])


def _compared(name: str, first: Fraction, second: Fraction) -> _Value:
    """A comparison of two shares."""
    if name == "difference":
        return first - second
    above, below = (
        (first, second) if name == "ratio" else (first * (1 - second), second * (1 - first))
    )
    if below == 0:
        return inf if above else Fraction(0)
    return above / below


def _odds(ratio: _Ends, complement: _Ends, low: Fraction, high: Fraction) -> _Ends:
    """What the odds ratio is between, by what the ratios of two shares and of their rests are.

    For a second share b, the first is at most r·b, and at most 1 - q·(1 - b). Either way the odds
    ratio rises with b or falls with it. That of the rests is one over that of the shares.
    """
    turned = _odds_above(complement[1], ratio[0], 1 - high, 1 - low)
    least = Fraction(0) if turned == inf else 1 / Fraction(turned) if turned else inf
    return least, _odds_above(ratio[1], complement[0], low, high)


def _odds_above(most: _Value, least: _Value, low: Fraction, high: Fraction) -> _Value:
    sides: list[_Value] = [inf]
    if most * high < 1:  # as infinity is not
        r = Fraction(most)
        sides.append(max(r * (1 - b) / (1 - r * b) for b in (low, high)))
    if least == inf:  # nobody is left by the second share, and some are by the first
        sides.append(Fraction(0))
    elif least > 0:
        q = Fraction(least)
        sides.append(max(_by_rest(q, b) for b in (low, high)))
    return min(sides)


def _by_rest(q: Fraction, b: Fraction) -> _Value:
    if b == 0:
        return Fraction(1) if q == 1 else Fraction(0) if q > 1 else inf
    return max(Fraction(0), 1 + (1 - q) / (q * b))
