"""The answer to a query: what is certain, what is possible, what an ensemble estimates, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boxsel.advice.hints import Hint
from boxsel.answer.evidence import NO_EVIDENCE, Evidence
from boxsel.answer.sensitivity import Sensitivity
from boxsel.answer.typical_share import TypicalShare
from boxsel.exact.answers import Status
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.proportions import Inner, Interval, float_above, float_below
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Query, Statement
from boxsel.wording import were_left_out

if TYPE_CHECKING:
    from boxsel.exact.nearly import Nearly
    from boxsel.models.estimate import Estimate


@dataclass(frozen=True)
class Estimated:
    """Between which shares the members of an ensemble lie that were kept: approximate, no bound.

    `violation` is how far the worst of them is from satisfying a statement. In `undefined` of
    them the body is empty.
    """

    lower: float
    upper: float
    members: int
    kept: int
    undefined: int
    violation: float
    directed: bool

    @classmethod
    def of(cls, estimate: Estimate) -> Estimated | str:
        """What an estimate says; if it has no numbers, why not."""
        content = estimate.to_json()
        return estimate.missing if content is None else cls(**content)

    @property
    def text(self) -> str:
        """The estimate for people."""
        return self.in_words(Words())

    def in_words(self, words: Words) -> str:
        """The estimate for people, with shares said in one way or another."""
        how = "directed members" if self.directed else "members"
        undefined = f", undefined in {self.undefined}" if self.undefined else ""
        return (
            f"estimated between {words.near(self.lower)} and {words.near(self.upper)}"
            f" (approximate, no bound: {self.kept} of {self.members} {how}, violation at most"
            f" {self.violation:.2g}{undefined})"
        )

    def to_json(self) -> dict[str, Any]:
        """The estimate as a JSON object."""
        return asdict(self)


@dataclass(frozen=True)
class Outer:
    """An interval that no model leaves: `certified` if its certificate was checked.

    `exact` if moreover nothing tighter is true: models attain both ends, or come as near as one
    likes.
    """

    lower: Fraction
    upper: Fraction
    exact: bool = False
    certified: bool = False

    @property
    def interval(self) -> Interval:
        """The same without what is known of it."""
        return Interval(self.lower, self.upper)


@dataclass(frozen=True)
class Answer:
    """What is known about the share of a query.

    Truth lies in `outer`, and contains `inner`: models that can be checked have all shares in it.
    The `estimate` is that of an ensemble, approximate; if there is none, `unestimated` says why,
    and `undirected` if its members were to be pushed to the ends, and were not. `typical` is the
    share in the most even population; if there is none, `untypical` says why. `nearly` is what came
    nearest to a witness, and misses which statements, if there is no inner interval. `hint` is a
    statement that may be missing, with the exact answer that it would lead to.
    *Vacuous* and *inconsistent* answers have no interval, and `conflict` says why. *Budget*: the
    time was over before inner and outer met.
    """

    query: Query
    status: Status
    outer: Outer | None = None
    inner: Inner | None = None
    estimate: Estimated | None = None
    unestimated: str = ""
    undirected: str = ""
    typical: TypicalShare | None = None
    untypical: str = ""
    nearly: Nearly | None = None
    lower: Evidence = NO_EVIDENCE
    upper: Evidence = NO_EVIDENCE
    conflict: tuple[Statement, ...] = ()
    sensitivity: Sensitivity | None = None
    hint: Hint | None = None
    ignored: int = 0
    seconds: float = 0.0
    prefixes: Prefixes = field(default=NO_PREFIXES, repr=False, compare=False)
    percent: bool = field(default=False, repr=False, compare=False)
    """Whether its text says shares in percent; numbers stay as they are."""

    @property
    def exact(self) -> bool:
        """Whether nothing tighter than the outer interval is true."""
        return self.outer is not None and self.outer.exact

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object; statements are lines of `.sel`."""
        prefixes = self.prefixes
        outer, inner = self.outer, self.inner
        content: dict[str, Any] = {
            "query": self.query.text(prefixes),
            "status": self.status,
            "outer": {
                "lower": None if outer is None else float_below(outer.lower),
                "upper": None if outer is None else float_above(outer.upper),
                "exact": self.exact,
                "certified": outer is not None and outer.certified,
            },
            "inner": inner and inner.to_json(),
            "estimate": self.estimate and self.estimate.to_json(),
            "typical": self.typical and self.typical.to_json(),
            "evidence": {
                "lower": self.lower.to_json(self.query, prefixes),
                "upper": self.upper.to_json(self.query, prefixes),
            },
            "seconds": round(self.seconds, 3),
        }
        if self.unestimated:
            content["unestimated"] = self.unestimated
        if self.undirected:
            content["undirected"] = self.undirected
        if self.untypical:
            content["untypical"] = self.untypical
        if self.nearly is not None:
            content["nearly"] = self.nearly.to_json(prefixes)
        if outer is None:
            content["conflict"] = [statement.text(prefixes) for statement in self.conflict]
        if self.sensitivity is not None:
            content["sensitivity"] = self.sensitivity.to_json()
        if self.hint is not None:
            content["hint"] = self.hint.to_json(prefixes)
        return content

    @property
    def text(self) -> str:
        """The answer for people."""
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def lines(self) -> list[str]:
        """The answer for people: first the answer itself, then its reasons."""
        query = self.query.text(self.prefixes)
        outer, inner, words = self.outer, self.inner, Words(self.percent)
        if outer is None:
            body = self.query.body.text(self.prefixes)
            said = {
                "vacuous": f"{query}: vacuous, since {body} is empty in every model",
                "inconsistent": f"{query}: there is no model at all",
            }[self.status]
            return [said, *(f"  {statement.text(self.prefixes)}" for statement in self.conflict)]
        point = outer.lower == outer.upper
        if point:
            lower = upper = words.one(outer.lower)
            said = f"= {lower}"
        else:
            lower, upper = words.outward(outer.lower, outer.upper)
            said = f"is between {lower} and {upper}"
        lines = [f"{query} {said} ({'exact' if outer.exact else self._standing(outer)})"]
        if not outer.exact:
            lines.append(self._possible(inner))
        if self.nearly is not None:
            lines += (f"  {line}" for line in self.nearly.lines(words, self.prefixes))
        if point and self.lower.statements == self.upper.statements:
            lines += self._reasons("exactly", lower, self.lower)
        else:
            lines += self._reasons("at least", lower, self.lower)
            lines += self._reasons("at most", upper, self.upper)
        if self.typical is not None and not point:  # what is one number is that typically, too
            lines.append(f"  {self.typical.in_words(words)}")
        if self.estimate is not None:
            lines.append(f"  {self.estimate.in_words(words)}")
        elif self.unestimated:
            lines.append(f"  no estimate: {self.unestimated}")
        if self.undirected:
            lines.append(f"  not directed: {self.undirected}")
        if self.sensitivity is not None:
            lines += replace(self.sensitivity, prefixes=self.prefixes).lines
        if self.hint is not None:
            lines.append(f"  hint: {self.hint.in_words(words, self.prefixes)}")
        return lines

    def _reasons(self, side: str, end: str, evidence: Evidence) -> Iterator[str]:
        yield f"  {side} {end}: {evidence.text(self.query, self.prefixes)}"
        yield from (f"    {statement.text(self.prefixes)}" for statement in evidence.statements)
        if evidence.population is not None:
            yield from (f"    {line}" for line in evidence.population.lines(self.prefixes))

    def _possible(self, inner: Inner | None) -> str:
        if inner is None:
            why = f": {were_left_out(self.ignored)}" if self.ignored else ""
            return f"  no witness is known{why}"
        ends = dict.fromkeys(Words(self.percent).inward(inner.lower, inner.upper))
        between = "" if len(ends) == 1 else ", and with all shares between"
        return f"  certainly possible: there are models with {' and with '.join(ends)}{between}"

    def _standing(self, outer: Outer) -> str:
        if self.status == "budget" and self.lower.how in ("proved", "trivial"):
            return "proved; the time was over before the proof was checked"
        if self.status == "budget" and outer.lower == outer.upper:
            return "proved, if there is a share: the time was over before a model was found"
        if self.status == "budget":
            return "proved; the time was over, so the truth may be narrower"
        if self.ignored:
            return f"proved, but {were_left_out(self.ignored)}"
        return "certified" if outer.certified else "proved, but too large to be certified"

    def __repr__(self) -> str:
        return f"<Answer: {self.lines[0]}>"

    def _repr_html_(self) -> str:
        from boxsel.answer.picture import answer_html

        return answer_html(self)
