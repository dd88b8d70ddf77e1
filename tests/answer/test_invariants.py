"""Truth contains inner and lies in outer, whenever the work stops; and more work is never worse."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from random import Random

import pytest

from boxsel.answer.answer import Answer as Told
from boxsel.answer.ask import Asker, ask
from boxsel.exact.bounds import Bounds, bounds
from boxsel.logic.axioms import Conditional, Inclusion
from boxsel.logic.concepts import Name, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.models.emptiness import NoModelError
from boxsel.models.fit import fit
from boxsel.models.settings import Settings
from tests.depth import cases, some
from tests.exact.brute_force import Answer, answer
from tests.exact.knowledge_bases import random_kb

KBS = cases(2000)
PARTS = 8
ENSEMBLES = cases(100)
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


def stopped_after(kb: KB, query: Query, questions: int) -> Bounds:
    return bounds(kb, query, budget=Counted(1000.0, questions=questions))


@pytest.mark.parametrize("part", range(PARTS))
def test_inner_is_in_the_truth_and_the_truth_in_outer(part: int) -> None:
    whole = 0
    for seed in range(part, KBS, PARTS):
        kb, query = random_kb(Random(seed))
        truth = answer(kb, query)
        complete = ask(kb, query, estimate="never", budget=None)
        assert complete.status == truth.status, seed
        is_inside(complete, seed)
        if complete.outer is not None and complete.inner is not None:
            assert complete.exact
            outer = complete.outer
            assert (outer.lower, outer.upper) == (truth.lower, truth.upper), seed
            assert (complete.inner.lower, complete.inner.upper) == (truth.lower, truth.upper)
            whole += 1
        questions = STOPS[seed % len(STOPS)]
        less, more = (stopped_after(kb, query, times * questions) for times in (1, 4))
        enclosed(less, truth, seed)
        enclosed(more, truth, seed)
        if truth.status == "bounded":  # of nothing, every interval is true
            closer(intervals(less), intervals(more), seed)
    assert whole > KBS // PARTS // 4


def is_inside(found: Told, seed: int) -> None:
    """Where there is a share there is a typical one, or a reason; and it is no less proved."""
    assert (found.typical is None) == (found.outer is None or found.untypical != ""), seed
    if found.typical is not None and found.outer is not None:
        value = found.typical.value
        assert float(found.outer.lower) <= value <= float(found.outer.upper), seed
        assert found.typical.exact or found.ignored, seed


def enclosed(known: Bounds, truth: Answer, seed: int) -> None:
    if truth.lower is None or truth.upper is None:
        assert known.inner is None, seed
        return
    if known.outcome is not None:
        assert (known.lower, known.upper) == (truth.lower, truth.upper), seed
        return
    assert known.lower is not None
    assert known.upper is not None
    assert known.lower <= truth.lower <= truth.upper <= known.upper, seed
    if known.inner is not None:
        assert truth.lower <= known.inner.lower <= known.inner.upper <= truth.upper, seed


Intervals = tuple[Fraction, Fraction, Fraction, Fraction]


def intervals(known: Bounds) -> Intervals:
    """The ends of outer and inner; as narrow as can be where nothing is known to be possible."""
    lower, upper, inner = known.lower, known.upper, known.inner
    assert lower is not None
    assert upper is not None
    if known.outcome is not None:
        return lower, upper, lower, upper
    low, high = (inner.lower, inner.upper) if inner else (Fraction(1), Fraction(0))
    return lower, upper, low, high


def closer(less: Intervals, more: Intervals, case: object) -> None:
    assert less[0] <= more[0], (case, "outer")
    assert more[1] <= less[1], (case, "outer")
    assert more[2] <= less[2], (case, "inner")
    assert less[3] <= more[3], (case, "inner")


@pytest.mark.parametrize("seed", some(range(0, 400, 10)))
def test_more_work_never_widens_outer_nor_narrows_inner(seed: int) -> None:
    kb, query = random_kb(Random(seed))
    if answer(kb, query).status != "bounded":
        return
    before = intervals(stopped_after(kb, query, 0))
    for questions in (1, 2, 4, 8, 16, 32, 64, 128, 10**9):
        after = intervals(stopped_after(kb, query, questions))
        closer(before, after, questions)
        before = after


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
    for seed in count(part, 2):
        if asked == ENSEMBLES // 2:
            break
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
            assert "approximate, no bound" in found.text
            if not found.exact:
                assert found.status == "budget"
    assert estimated > asked // 5
    assert certified > 0
