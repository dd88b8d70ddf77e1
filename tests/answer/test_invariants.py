"""Truth contains inner and lies in outer, whenever the work stops; and more work is never worse."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest

from boxsel.answer.ask import Asker, ask
from boxsel.answer.proving import Known, proved
from boxsel.exact.budget import Budget
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional, Inclusion
from boxsel.logic.concepts import Name, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.models.emptiness import NoModelError
from boxsel.models.fit import fit
from boxsel.models.settings import Settings
from tests.exact.brute_force import Answer, answer
from tests.exact.knowledge_bases import random_kb

KBS = 2000
PARTS = 8
STOPS = (1, 4, 16, 64)


@dataclass
class Counted(Budget):
    """A budget that is spent when it has been asked for so many times: the same in every run."""

    questions: int = 0

    @property
    def left(self) -> float:
        self.questions -= 1
        if self.questions < 0:
            self.stop()
        return super().left


def stopped_after(kb: KB, query: Query, questions: int) -> Known:
    budget = Counted(questions=questions)
    *_, last = proved(Reasoner(kb, budget=budget), query, 1000.0)
    return last


@pytest.mark.parametrize("part", range(PARTS))
def test_inner_is_in_the_truth_and_the_truth_in_outer(part: int) -> None:
    whole = 0
    for seed in range(part, KBS, PARTS):
        kb, query = random_kb(Random(seed))
        truth = answer(kb, query)
        complete = ask(kb, query, estimate="never", budget=None)
        assert complete.status == truth.status, seed
        if complete.outer is not None and complete.inner is not None:
            assert complete.exact
            outer = complete.outer
            assert (outer.lower, outer.upper) == (truth.lower, truth.upper), seed
            assert (complete.inner.lower, complete.inner.upper) == (truth.lower, truth.upper)
            whole += 1
        questions = STOPS[seed % len(STOPS)]
        enclosed(stopped_after(kb, query, questions), truth, seed)
    assert whole > KBS // PARTS // 4


def enclosed(known: Known, truth: Answer, seed: int) -> None:
    if truth.lower is None or truth.upper is None:
        assert known.inner is None or known.bounds is not None, seed
        return
    if known.bounds is not None:
        assert (known.bounds.lower, known.bounds.upper) == (truth.lower, truth.upper), seed
        return
    assert known.partial.lower <= truth.lower <= truth.upper <= known.partial.upper, seed
    if known.inner is not None:
        assert truth.lower <= known.inner.lower <= known.inner.upper <= truth.upper, seed


@pytest.mark.parametrize("seed", range(0, 400, 10))
def test_more_work_never_widens_outer_nor_narrows_inner(seed: int) -> None:
    kb, query = random_kb(Random(seed))
    if answer(kb, query).status != "bounded":
        return  # of nothing, every interval is true
    before: tuple[Fraction, Fraction, Fraction, Fraction] | None = None
    for questions in (0, 1, 2, 4, 8, 16, 32, 64, 128, 10**9):
        known = stopped_after(kb, query, questions)
        lower, upper, inner = known.partial.lower, known.partial.upper, known.inner
        if known.bounds is not None:
            assert known.bounds.lower is not None
            assert known.bounds.upper is not None
            lower, upper = known.bounds.lower, known.bounds.upper
            low, high = lower, upper
        else:
            # Nothing is possible yet: as narrow as can be.
            low, high = (inner.lower, inner.upper) if inner else (Fraction(1), Fraction(0))
        if before is not None:
            assert before[0] <= lower, (questions, "outer")
            assert upper <= before[1], (questions, "outer")
            assert low <= before[2], (questions, "inner")
            assert before[3] <= high, (questions, "inner")
        before = lower, upper, low, high


def of_one_shape(random: Random) -> tuple[KB, Query]:
    """A small knowledge base: all have the same number of statements of each shape."""
    names = [Name(letter) for letter in "ABCD"]

    def bounds() -> Interval:
        ends = sorted(Fraction(random.randint(0, 8), 8) for _ in range(2))
        return Interval(*ends)

    one, two, three, four = random.sample(names, 4)
    axioms = (
        Conditional(two, one, bounds()),
        Conditional(three, one, bounds()),
        Conditional(four, three, bounds()),
        Conditional(four, conjunction(one, two), bounds()),
        Inclusion(four, one) if random.random() < 0.5 else Inclusion(three, two),
    )
    return KB.of(*axioms), Query(*random.sample(names, 2))


@pytest.mark.parametrize("part", range(2))
def test_ensembles_stay_within_the_truth_where_they_are_certified(part: int) -> None:
    settings = Settings(members=8, dim=2, epochs=20)
    asked = estimated = certified = 0
    for seed in range(part, 100, 2):
        kb, query = of_one_shape(Random(seed))
        truth = answer(kb, query)
        try:
            model = fit(kb, settings)
        except NoModelError:
            continue
        with Asker(model) as asker:
            asker.stop()  # nothing is proved: all that is said comes from members
            found = asker.ask(query)
        asked += 1
        if truth.lower is None or truth.upper is None:
            assert found.inner is None
            continue
        assert found.outer is not None
        assert found.outer.lower <= truth.lower <= truth.upper <= found.outer.upper, seed
        if found.inner is not None:
            assert truth.lower <= found.inner.lower <= found.inner.upper <= truth.upper, seed
            certified += 1
        if found.estimate is not None:
            estimated += 1
            said = found.text
            assert "approximate, no bound" in said
            if not found.exact:
                assert found.status == "budget"
    assert asked > 25
    assert estimated > 10
    assert certified > 0
