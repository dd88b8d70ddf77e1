"""The typical share in an answer: the textbook's values, and never a bound."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from boxsel.answer.answer import Answer
from boxsel.answer.ask import Asker, ask
from boxsel.answer.estimating import Reply, _Showing
from boxsel.answer.many import flat
from boxsel.answer.picture import drawn
from boxsel.answer.typical import MOST_STATEMENTS, Typicals, TypicalShare
from boxsel.exact.compile.components import Components
from boxsel.logic.concepts import TOP, Name, conjunction, entities
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Inner
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.exact.knowledge_bases import random_kb


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
    said = Typicals(large).share(large.query("(N9 | N1)"), Budget())
    assert isinstance(said, str)
    assert "2,000 statements" in said
    unknown = ask(parse_kb("(B | A)[0.2]\nr Domain: A"), "(r some B | A)", estimate="never")
    assert "existentials" in unknown.to_json()["untypical"]


def test_what_is_empty_has_no_typical_share() -> None:
    answer = ask(parse_kb("(B | A)[0.2]\n(B | A)[0.8]"), "(B | A)", estimate="never")
    assert (answer.status, answer.typical, answer.untypical) == ("vacuous", None, "")


def test_a_share_over_types_that_were_drawn_says_so_and_gives_way_to_the_exact_one() -> None:
    share = TypicalShare(0.25, exact=False, types=1234)
    assert "roughly" in share.in_words(Words())
    assert "1,234 types that were drawn" in share.in_words(Words())
    kb = parse_kb("(B | A)[0.2, 0.5]")
    with Asker(kb, estimate="never") as asker:
        plain = asker.ask("(A | B)")
        answer = Answer(plain.query, "bounded", plain.outer)
        better = asker._with_typical(answer, Reply("", typical=share))
        assert better.typical == plain.typical
        assert better.typical != share
        asker.reasoner.budget.stop()
        fresh = Asker(kb, estimate="never", reasoner=asker.reasoner)
        assert fresh._with_typical(answer, Reply("", typical=share)).typical == share


@pytest.mark.parametrize(
    ("first", "expected"), [(Fraction(0), None), (Fraction(1, 4), 0.25), (Fraction(1), None)]
)
def test_what_is_drawn_to_show_an_edge_is_not_typical(
    first: Fraction, expected: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = parse_kb("(B | A)[0.2, 0.6]")
    model = kb.bounds("(B | A)").outcome.lower.model  # type: ignore[union-attr]
    shown = [(Inner(first, first, 1), model), (Inner(Fraction(0), Fraction(1), 3), model)]
    monkeypatch.setattr("boxsel.exact.possible.find_possible", lambda *_: iter(shown))
    monkeypatch.setattr(Typicals, "share", lambda *_: "there is no time for it")
    told = [reply.typical for reply in _Showing(kb).replies(kb.query("(A | B)"), lambda _: None)]
    assert [None if one is None else one.value for one in told] == [expected] * 2


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
