"""Checks certificates of comparisons: two shares, cell by cell of the second.

Each cell is an interval of the second share, with a proof of what the first can be if the second
lies in it: an ordinary certificate, about the knowledge base with that supposition. The cells cover
all that the second share can be. A difference, a ratio and an odds ratio rise with the first share
and fall with the second: so the ends of cells bound them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from boxsel.checker.certificates import read_fraction, read_model, read_query
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
        data = an_object(parse_json(text, "certificate"), _KEYS)
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
            within, found = proofs[which]
            if not (within.lower <= low <= high <= within.upper and low <= reached):
                raise WrongError(f"cells[{number}]: there is a gap, or its proof is of another one")
            reached = max(reached, high)
            if found.lower is not None and found.upper is not None:
                bounds.append((low, high, found.lower, found.upper))
        if reached < whole.upper:
            raise WrongError("the cells do not cover all that the second share can be")
        self._check_claims(bounds)
        for number, one in enumerate(a_list(self._data["models"])):
            self._check_model(one, f"models[{number}]")

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

    def _proved(self, kb: KB, certificate: Any, query: Query, where: str) -> Verification:
        found = verify(kb, certificate, budget=self._budget)
        if not found.valid or found.query != query:
            raise WrongError(f"{where}: {'; '.join(found.problems) or 'it is about another query'}")
        if found.status not in ("bounded", "vacuous"):
            raise WrongError(f"{where}: it has no bounds")
        return found

    def _check_claims(self, cells: list[tuple[Fraction, Fraction, Fraction, Fraction]]) -> None:
        claims = an_object(self._data["claims"], _MEASURES)
        for name in _MEASURES:
            lower, upper = a_list(claims[name])
            for low, high, least, most in cells:
                if lower is None or upper is None:
                    if lower is None and _compared(name, least, high) is not None:
                        raise WrongError(f"{name} has a lower bound in some cell")
                else:
                    value = _compared(name, most, low)
                    if value is None or value > read_fraction(upper):
                        raise WrongError(f"{name} may be above {upper}")
                value = None if lower is None else _compared(name, least, high)
                if value is not None and value < read_fraction(lower):
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


def _check_version(value: object) -> None:
    if a_whole_number(value) != VERSION:
        raise Problem(f"only certificates of version {VERSION} can be read")


def _triple(value: object) -> tuple[Fraction, Fraction, int]:
    members = a_list(value)
    if len(members) != 3:
        raise Problem("expected a cell: its ends, and the number of its proof")
    return read_fraction(members[0]), read_fraction(members[1]), a_whole_number(members[2])


def _compared(name: str, first: Fraction, second: Fraction) -> Fraction | None:
    """A comparison of two shares; none if it is infinite."""
    if name == "difference":
        return first - second
    above, below = (
        (first, second) if name == "ratio" else (first * (1 - second), second * (1 - first))
    )
    if below == 0:
        return None if above else Fraction(0)
    return above / below
