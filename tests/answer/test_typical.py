"""The typical share in an answer: the textbook's values, and never a bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from boxsel.answer.ask import Asker, Typically, ask
from boxsel.answer.estimating import Reply, _Showing
from boxsel.answer.many import flat
from boxsel.answer.picture import drawn
from boxsel.answer.typical import MOST_STATEMENTS, Typicals
from boxsel.answer.typical_share import TypicalShare
from boxsel.exact.compile.components import Components
from boxsel.exact.ways.held.even_crowd import EvenCrowd
from boxsel.logic.concepts import TOP, Name, conjunction, entities
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Inner
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.exact.knowledge_bases import random_kb
from tests.ticking import spent


def typical(kb: KB, query: str | Query) -> float:
    answer = ask(kb, query, estimate="never")
    assert answer.typical is not None, answer.untypical
    assert answer.typical.exact
    return answer.typical.value


@pytest.mark.parametrize("count", range(1, 6))
def test_without_statements_k_names_have_one_over_two_to_the_k(count: int) -> None:
    kb = parse_kb("(Other | Another)[0.3]")
    names = conjunction(*(Name(f"N{place}") for place in range(count)))
    assert typical(kb, Query(names, TOP)) == 0.5**count


def test_independent_shares_are_multiplied() -> None:
    kb = parse_kb("(A | owl:Thing)[0.2]\n(B | owl:Thing)[0.3]\n(C | owl:Thing)[0.9]")
    assert typical(kb, "(A and B and C | owl:Thing)") == pytest.approx(0.054, abs=1e-9)
    assert typical(kb, "(A | B and C)") == pytest.approx(0.2, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_table_without_a_term_of_all_three_is_proportionally_fitted(seed: int) -> None:
    random = Random(seed)
    counts = np.array([random.randint(1, 30) for _ in range(8)]).reshape(2, 2, 2)
    total, names = int(counts.sum()), ("A", "B", "C")
    lines = []
    for size in (1, 2):
        for chosen in combinations(range(3), size):
            having = counts[tuple(1 if place in chosen else slice(None) for place in range(3))]
            concept = " and ".join(names[place] for place in chosen)
            lines.append(f"({concept} | owl:Thing)[{Fraction(int(having.sum()), total)}]")
    fitted = np.ones((2, 2, 2)) / 8
    for _ in range(3000):
        for axis in range(3):
            fitted *= (counts / total).sum(axis, keepdims=True) / fitted.sum(axis, keepdims=True)
    found = typical(parse_kb("\n".join(lines)), "(A and B and C | owl:Thing)")
    assert found == pytest.approx(fitted[1, 1, 1], abs=1e-9)


@pytest.mark.parametrize("seed", range(cases(60)))
def test_only_what_hangs_together_with_a_query_matters_for_it(seed: int) -> None:
    """Statements about other names, and questions before this one, change no typical share."""
    kb, query = random_kb(Random(seed))
    asked = Typicals(kb)
    alone = asked.share(query, Budget())
    others = parse_kb("(Z2 | Z1)[0.3]\n(Z3 | Z2)[0.1, 0.2]\nZ3 SubClassOf Z4")
    more = Typicals(kb.with_statements((*kb, *others)))
    more.share(others.query("(Z3 | Z1)"), Budget())
    beside = more.share(query, Budget())
    if isinstance(alone, TypicalShare):
        assert isinstance(beside, TypicalShare)
        assert beside.value == pytest.approx(alone.value, abs=1e-12)
        assert asked.share(query, Budget(0.0)) == alone  # what is known takes no time
    else:
        assert isinstance(beside, str)


@pytest.mark.parametrize("seed", range(cases(40)))
def test_components_share_no_names(seed: int) -> None:
    kb, query = random_kb(Random(seed))
    components = Components(kb)
    axioms = [*kb.axioms]
    inside = components.around([*entities(query.head), *entities(query.body)])
    own = {entity for number in inside for entity in axioms[number].entities()}
    own.update(entities(query.head), entities(query.body))
    for number, axiom in enumerate(axioms):
        used = {*axiom.entities()}
        assert not used or used.isdisjoint(own) == (number not in inside)


def test_why_there_is_none_is_told() -> None:
    late = ask(parse_kb("(B | A)[0.2, 0.5]"), "(A | B)", estimate="never", budget=1e-9)
    assert late.typical is None
    assert "time" in late.untypical
    large = KB.of(
        *parse_kb("\n".join(f"(N{n + 1} | N{n})[0.5]" for n in range(MOST_STATEMENTS + 1)))
    )
    asked = Typicals(large)
    too_late = asked.share(large.query("(N9 | N1)"), spent())
    assert too_late == "the time was not enough to see which statements hang together with it"
    said = asked.share(large.query("(N9 | N1)"), Budget())
    assert isinstance(said, str)
    assert "2,000 statements" in said


def test_nothing_is_sampled_where_only_exact_shares_are_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def walk(*_: object) -> None:
        raise AssertionError("chains walk")

    monkeypatch.setattr(EvenCrowd, "share", walk)
    names = [f"N{number}" for number in range(16)]
    wide = "\n".join(f"({b} | {a})[0.3, 0.4]" for a, b in combinations(names, 2))
    kb = parse_kb(f"{wide}\n(B | A)[0.2, 0.6]")
    with Asker(kb, estimate="never") as asker:
        answer = asker.ask("(N1 | N0)", typical="exact")
        assert (answer.typical, answer.untypical) == (None, "it would have to be sampled")
        assert asker.ask("(B | A)", typical="exact").typical is not None


def test_an_existential_that_no_statement_has_is_one_more_property() -> None:
    plain = parse_kb("(B | A)[0.2]\n(r some C | D)[0.3]")
    assert typical(plain, "(r some B | A)") == pytest.approx(0.5, abs=1e-9)
    # Whoever has one has some object: to have none, any, or one that is B, is equally frequent.
    bound = parse_kb("(B | A)[0.2]\nr Domain: A")
    assert typical(bound, "(r some B | A)") == pytest.approx(1 / 3, abs=1e-9)


def test_what_is_empty_has_no_typical_share() -> None:
    answer = ask(parse_kb("(B | A)[0.2]\n(B | A)[0.8]"), "(B | A)", estimate="never")
    assert (answer.status, answer.typical, answer.untypical) == ("vacuous", None, "")


def test_a_share_that_was_sampled_says_how_far_it_may_be_off() -> None:
    share = TypicalShare(0.31234, exact=False, error=0.0181)
    said = "typically about 0.31 ± 0.02 (the most even of all populations, by sampling; no bound)"
    assert share.in_words(Words()) == said
    assert "about 31 % ± 2 %" in share.in_words(Words(percent=True))
    assert share.to_json() == {"value": 0.31234, "exact": False, "error": 0.0181}


@pytest.mark.parametrize(
    ("value", "error", "expected"),
    [
        (0.5, 0.02, 0.5),
        (0.39, 0.02, 0.4),  # the end is no farther than it may be off
        (0.37, 0.02, None),
        (0.6 + 1e-7, None, 0.6),
        (0.61, None, None),
    ],
)
def test_it_lies_within_what_is_proved_or_is_not_said(
    value: float, error: float | None, expected: float | None
) -> None:
    within = TypicalShare(value, exact=error is None, error=error).within(0.4, 0.6)
    assert (within and within.value) == expected


def test_what_the_process_beside_found_is_not_looked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kb, share = parse_kb("(B | A)[0.2, 0.6]"), TypicalShare(0.25, exact=False, error=0.01)
    with Asker(kb, estimate="never") as asker:
        plain = asker.ask("(A | B)", typical=False)
        assert plain.typical is None
        monkeypatch.setattr(asker._estimator, "_best", Reply("", last=True, typical=share))
        assert asker._with_typical(plain, 1.0, beside=True).typical == share
        alone = asker._with_typical(plain, 1.0, beside=False).typical
        assert alone is not None
        assert alone.exact
        assert asker._with_typical(plain, 1.0, beside=True, sampled=False).typical == alone


@pytest.mark.parametrize("is_easy", [True, False])
def test_a_typical_share_comes_after_the_first_population_or_what_comes_near(
    is_easy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb, half = parse_kb("(B | A)[0.2, 0.6]"), Fraction(1, 2)
    model = kb.bounds("(B | A)").outcome.lower.model  # type: ignore[union-attr]
    inner = Inner(half, half, 1)

    def find(_: object, __: object, tell: Callable[[object], None]) -> Iterator[object]:
        if not is_easy:
            tell(None)
            tell(None)
        yield inner, model
        yield inner, model

    monkeypatch.setattr("boxsel.exact.possible.find_possible", find)
    said: list[Reply] = []
    for reply in _Showing(kb).replies(kb.query("(A | B)"), said.append):
        said.append(reply)
    (place,) = (place for place, reply in enumerate(said) if reply.typical is not None)
    assert isinstance(said[place].typical, TypicalShare)
    assert place == 1
    assert [reply.inner for reply in said].count(inner) == 2
    unwanted = [*_Showing(kb).replies(kb.query("(A | B)"), said.append, typically=False)]
    assert [reply.inner for reply in unwanted] == [inner, inner]
    assert sum(reply.typical is not None for reply in said) == 1


@pytest.mark.parametrize(("typical", "wanted"), [(True, True), ("exact", False), (False, False)])
def test_beside_the_proof_no_typical_share_is_looked_for_that_nobody_wants(
    typical: Typically, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    with Asker(parse_kb("(B | A)[0.2, 0.6]"), estimate="always") as asker:

        def send(_: object, *, typically: bool) -> None:
            asked.append(typically)
            asker.stop()

        monkeypatch.setattr(asker._estimator, "_send", send)
        asker.ask("(A | B)", typical=typical)
    assert asked == [wanted]


def test_it_is_shown_wherever_answers_are() -> None:
    answer = ask(parse_kb("(B | A)[0.2, 0.6]"), "(A | B)", estimate="never")
    assert answer.typical is not None
    said = f"typically {answer.typical.value:.4g}"
    assert f"  {said} (the most even of all populations; no bound)\n" in answer.text
    assert said in drawn(answer.to_json())
    assert flat(answer)["typical"] == answer.typical.value
    point = ask(parse_kb("(B | A)[0.2]"), "(B | A)", estimate="never")
    assert point.typical == TypicalShare(0.2, exact=True)
    assert "typically" not in point.text
