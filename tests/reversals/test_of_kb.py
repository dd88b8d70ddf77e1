"""Verdicts about knowledge bases: worked examples, and no model that contradicts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from random import Random

import pytest

from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.proportions import Interval
from boxsel.reversals.of_kb import analyse
from boxsel.reversals.simpson import KBReversal, simpson
from boxsel.reversals.verdicts import Shown, Verdict
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.knowledge_bases import random_kb
from tests.reversals.populations import random_case, random_models, reverses
from tests.ticking import ticking

PARTED = "DisjointClasses: S, T\nDisjointClasses: G, H\n"
RATES = "(O | G and S)[0.6, 0.62]\n(O | G and T)[0.2, 0.22]\n" + (
    "(O | H and S)[0.5, 0.55]\n(O | H and T)[0.1, 0.15]\n"
)


def mixtures(first: str, second: str) -> str:
    """The part of each group in S; the rest is in T."""
    return "".join(
        f"(S | {group})[{part}]\n(T | {group})[{1 - Fraction(part)}]\n"
        for group, part in (("G", first), ("H", second))
    )


def asked(text: str | KB, *, budget: float | None = 600, standard: str | None = None) -> KBReversal:
    kb = parse_kb(text) if isinstance(text, str) else text
    known = {str(name) for name in kb.signature}
    strata = [one for one in ("S", "T") if one in known]
    reversal = simpson(kb, "O", ("G", "H"), strata, standard=standard, budget=budget)
    assert isinstance(reversal, KBReversal)
    return reversal


def answers(found: KBReversal) -> tuple[str, str]:
    assert found.full is not None
    assert found.partial is not None
    return found.full.answer, found.partial.answer


def berkeley(text: str) -> KBReversal:
    reversal = simpson(parse_kb(text), "Admitted", ("Woman", "Man"), ("DeptA", "DeptB"))
    assert isinstance(reversal, KBReversal)
    return reversal


def totals(found: KBReversal) -> list[Interval | None]:
    rates, question = found.analysis.rates, found.analysis.question
    return [rates[question.total(group)].interval for group in (0, 1)]


def test_departments_that_are_disjoint() -> None:
    reversal = berkeley(examples.text("berkeley"))
    assert totals(reversal) == [Interval.point("0.81"), Interval.point("0.84")]
    assert answers(reversal) == ("entailed", "entailed")
    assert "holds 0.9 of Woman and 0.1 of Man" in reversal.text


def test_departments_that_may_overlap() -> None:
    text = examples.text("berkeley").replace("DisjointClasses:", "#")
    reversal = berkeley(text)
    assert totals(reversal) == [Interval.of("0.72", "0.82"), Interval.of("0.765", "0.865")]
    assert answers(reversal) == ("possible", "possible")
    assert "not known to be disjoint" in reversal.text
    assert "not known to cover" in reversal.text


def test_intervals_that_leave_no_doubt() -> None:
    """Every stratum is above by 0.05 at least, and the mixtures pull the total below."""
    reversal = asked(PARTED + RATES + mixtures("0.2", "0.65"))
    assert answers(reversal) == ("entailed", "entailed")
    assert reversal.full is not None
    assert reversal.full.above == (0,)


def test_equal_mixtures_never_reverse() -> None:
    wide = "(O | G and S)[0.5, 0.9]\n(O | H and S)[0.4, 0.8]\n(O | G and T)[0.1, 0.9]\n"
    reversal = asked(PARTED + wide + mixtures("0.3", "0.3"))
    assert answers(reversal) == ("excluded", "excluded")
    # The least difference is enough, and it is found.
    assert answers(asked(PARTED + wide + mixtures("0.3", "0.31"))) == ("possible", "possible")


def test_overlapping_intervals_prove_nothing() -> None:
    """Rates by stratum and in total overlap, but the same people are behind them."""
    reversal = asked(
        PARTED
        + "G SubClassOf S\nH SubClassOf S\n(O | G)[0.2, 0.8]\n(O | H)[0.3, 0.7]\nT SubClassOf S"
    )
    assert reversal.full is not None
    assert reversal.full.answer == "excluded"


def test_ties_are_no_reversals() -> None:
    rates = "(O | G and S)[0.5]\n(O | H and S)[0.5]\n(O | G and T)[0.2]\n(O | H and T)[0.1]\n"
    assert answers(asked(PARTED + rates + mixtures("0.1", "0.9"))) == ("excluded", "entailed")
    reversal = asked("G EquivalentTo H\n(O | G and S)[0.1, 0.9]\n")
    assert answers(reversal) == ("excluded", "excluded")


def test_a_stratum_that_may_be_empty_is_never_entailed_and_one_that_must_be_is_excluded() -> None:
    shares = mixtures("0.2", "0.65").replace("(S | G)[0.2]", "(S | G)[0, 0.2]")
    shares = shares.replace("(T | G)[4/5]", "(T | G)[0.8, 1]")
    assert answers(asked(PARTED + RATES + shares)) == ("possible", "possible")
    empty = PARTED + RATES + "G and S SubClassOf owl:Nothing\n"
    assert answers(asked(empty)) == ("excluded", "excluded")


def test_a_named_standard_decides_the_partial_reversal() -> None:
    """S favours G, T favours H: who is asked for a standard decides."""
    rates = "(O | G and S)[0.6]\n(O | H and S)[0.5]\n(O | G and T)[0.2]\n(O | H and T)[0.3]\n"
    text = PARTED + rates + mixtures("0.1", "0.9")
    for part, answer in (("0.9", "entailed"), ("0.1", "excluded")):
        standard = f"(S | N)[{part}]\n(T | N)[{1 - Fraction(part)}]\nG SubClassOf N\n"
        reversal = asked(text + standard, standard="N")
        assert answers(reversal) == ("excluded", answer)
        assert reversal.to_json()["comparison"]["standard"] == "N"
    # Without a link to the groups the standard may be empty, and nothing be standardised.
    loose = text + "(S | N)[0.9]\n(T | N)[0.1]\n"
    assert answers(asked(loose, standard="N")) == ("excluded", "possible")


def test_existentials_individuals_and_complex_concepts() -> None:
    kb = parse_kb(
        "(hasJob some Good | Woman and livesIn some City)[0.5, 0.6]\n"
        "(hasJob some Good | Man and livesIn some City)[0.4, 0.55]\n"
        "hasJob Range: Job\nGood SubClassOf Job and pays some Money\n"
        "hasJob(ann, cook)\nWoman(ann)\n"
    )
    reversal = simpson(kb, "hasJob some Good", ("Woman", "Man"), ("livesIn some City",))
    assert isinstance(reversal, KBReversal)
    assert answers(reversal) == ("possible", "possible")
    assert reversal.full is not None
    shown = reversal.full.reversing
    assert shown is not None
    assert shown.population.is_model(kb)
    assert "ann" in reversal.to_json()["full"]["reversing"]["model"]["individuals"]


def test_what_was_left_out_on_reading_is_said() -> None:
    plain = parse_kb(PARTED + RATES)
    kb = KB(plain.statements, dropped=(Dropped("ObjectUnionOf", 2, "not in SEL"),))
    assert "models ignore 2 axioms" in asked(kb).text


def test_more_time_never_takes_an_answer_back() -> None:
    text = PARTED + "(O | G and S)[0.6, 0.9]\n(O | H and T)[0.4, 0.9]\n" + mixtures("0.3", "0.35")
    settled: dict[int, str] = {}
    for budget in (0.001, 0.05, 0.5, None):
        reversal = asked(text, budget=budget)
        for place, answer in enumerate(answers(reversal)):
            if place in settled:
                assert answer == settled[place]
            elif answer != "undecided":
                settled[place] = answer
        assert (reversal.status == "budget") == ("undecided" in answers(reversal))
    assert settled == {0: "possible", 1: "possible"}


def test_wrong_questions() -> None:
    kb = parse_kb(RATES)
    with pytest.raises(BoxselError, match="have to be named"):
        simpson(kb, "O", ("G", "H"))
    with pytest.raises(BoxselError, match="give a list"):
        simpson(kb, "O", "G,H", ("S",))
    with pytest.raises(BoxselError, match="does not mention X"):
        simpson(kb, "X", ("G", "H"), ("S",))
    with pytest.raises(BoxselError, match="no model"):
        asked("owl:Thing SubClassOf owl:Nothing\n" + RATES).plot("rates.png")


# The second half has verdicts of every kind: of random knowledge bases few entail a reversal.
@pytest.mark.parametrize("seeds", [range(10), (32, 34, 50, 60, 61, 76)])
def test_no_model_contradicts_a_verdict(seeds: Iterable[int]) -> None:
    seen: Counter[str] = Counter()
    for seed in seeds:
        random = Random(seed)
        case = random_case(random)
        analysis = analyse(case.kb, case.question, ticking(20_000))
        for model in (case.population, *random_models(case, random, 30)):
            _consistent(analysis.verdicts, reverses(case.question, model.size))
        for verdict in analysis.verdicts:
            seen[verdict.answer] += 1
            for shown, expected in ((verdict.reversing, True), (verdict.other, False)):
                if shown is not None:
                    _shows(shown, case.kb, verdict.kind, expected)
    assert seen["possible"]
    assert seen["excluded"] or seen["entailed"]


def _consistent(verdicts: tuple[Verdict, ...], seen: tuple[bool, bool]) -> None:
    for verdict, reversed_here in zip(verdicts, seen, strict=True):
        assert verdict.answer != ("excluded" if reversed_here else "entailed")


def _shows(shown: Shown, kb: KB, kind: str, expected: bool) -> None:
    """A model that is shown is one, has both groups, and reverses or does not as it is said."""
    question, population = shown.question, shown.population
    assert population.is_model(kb)
    assert all(population.size(group) for group in question.groups)
    assert reverses(question, population.size)[0 if kind == "full" else 1] is expected


@pytest.mark.parametrize("seed", some(range(12)))
def test_knowledge_bases_of_every_kind_have_an_answer(seed: int) -> None:
    """With roles, contradictions and individuals; whatever is shown is checked."""
    random = Random(seed)
    kb, _ = random_kb(random, 5)
    names = [*kb.signature.concepts]
    if len(names) < 4:
        return
    outcome, *groups = random.sample(names, 3)
    reversal = simpson(kb, outcome, groups, (random.choice(names),), budget=1)
    assert isinstance(reversal, KBReversal)
    for verdict in reversal.analysis.verdicts:
        for shown, expected in ((verdict.reversing, True), (verdict.other, False)):
            if shown is not None:
                _shows(shown, kb, verdict.kind, expected)
