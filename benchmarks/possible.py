"""What `ask` says within its time about knowledge bases that nothing was tuned on.

Run `python benchmarks/possible.py`: families and sizes, a few questions to each knowledge base,
each from scratch and with 10 seconds; `--sample 60 --seed 1` draws some of all of them, which takes
about ten minutes on two cores. `--hard` and `--thin` add, or with `--only` put in their place, the
files of the data folder's `hard` and the evaluation's thinned splits; `--aside` the families that
are only for looking, which are most of the shapes: `--families forest crowd` takes some of them.

*Shown*: questions with an inner interval, among those whose body can have members. *More*: those
whose inner interval has a width, among those whose outer one has. *Gap*: how much wider the outer
interval is than the inner one, on average; without an inner one, all of its width. *Exact*:
questions whose two intervals are one. Seconds are of the whole question, and so are those that all
its processes computed.

On a machine that is busy with other work, `--computed` asks both sides one after the other, and
gives each the seconds that it computes: what a question would take with two cores of its own.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from _measuring import add_data_option, save
from _questions import (
    SIZES,
    Group,
    Question,
    draw_questions,
    file_groups,
    generated_groups,
    thin_groups,
)

from boxsel.answer.answer import Outer
from boxsel.answer.ask import SECONDS_BEFORE_TRAINING, ask
from boxsel.exact.bounds import bounds
from boxsel.exact.nearly import Nearly
from boxsel.exact.possible import find_possible
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.proportions import Inner
from boxsel.machine.budget import Budget

STARTING = SECONDS_BEFORE_TRAINING + 0.7
"""The seconds until the process that draws has started, and read what it is asked."""


@dataclass(frozen=True)
class Told:
    """What was said about a question: the ends of both intervals, and the seconds that it took."""

    group: str
    question: str
    outer: tuple[float, float] | None
    inner: tuple[float, float] | None
    exact: bool
    missed: float | None
    seconds: float
    computed: float
    load: float

    @property
    def line(self) -> str:
        """It in words."""
        outer, inner = (
            "-" if one is None else f"[{one[0]:.4f}, {one[1]:.4f}]"
            for one in (self.outer, self.inner)
        )
        missed = "" if self.missed is None else f" missed by {self.missed:.2g}"
        seconds = f"{self.seconds:6.1f} s {self.computed:6.1f} s"
        return f"{seconds}  {outer} {inner}{missed}  {self.question}"

    @property
    def width(self) -> float:
        """How wide the outer interval is."""
        return 0.0 if self.outer is None else self.outer[1] - self.outer[0]

    @property
    def shown(self) -> float:
        """How wide the inner interval is."""
        return 0.0 if self.inner is None else self.inner[1] - self.inner[0]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    add_data_option(options)
    options.add_argument("--families", nargs="+", help="groups that begin so")
    options.add_argument("--sizes", nargs="+", default=[f"{n}/{c}" for n, c in SIZES])
    options.add_argument("--seeds", type=int, default=3, help="knowledge bases of each group")
    options.add_argument("--first", type=int, default=0, help="the first seed")
    options.add_argument("--queries", type=int, default=3)
    options.add_argument("--budget", type=float, default=10.0)
    options.add_argument("--computed", action="store_true", help="seconds of the processor")
    options.add_argument("--sample", type=int, help="so many questions of all groups")
    options.add_argument("--seed", type=int, default=0, help="of the sample")
    options.add_argument("--hard", action="store_true")
    options.add_argument("--thin", action="store_true")
    options.add_argument("--aside", action="store_true", help="families only for looking")
    options.add_argument("--only", action="store_true", help="only those that are asked for")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        groups = list(chosen_groups(given, Path(folder)))
        if not groups:
            options.error("no group is asked for; --hard and --thin need --data FOLDER")
        if given.sample is not None:
            asked: Iterable[Question] = draw_questions(groups, given.sample, given.seed)
        else:
            asked = (one for group in groups for one in group.questions(given.queries))
        told = []
        for question in asked:
            told.append((tell_computed if given.computed else tell)(question, given.budget))
            print(told[-1].line, flush=True)
    print(HEAD)
    for group in dict.fromkeys(one.group for one in told):
        print(line(group, [one for one in told if one.group == group]))
    print(line("all", told))
    save("possible", {"budget": given.budget, "questions": [asdict(one) for one in told]})


def chosen_groups(given: argparse.Namespace, folder: Path) -> Iterator[Group]:
    """The groups that are asked for."""
    seeds = range(given.first, given.first + given.seeds)
    groups: list[Group] = []
    if not given.only:
        groups += generated_groups(given.sizes, seeds)
    if given.aside:
        groups += generated_groups(given.sizes, seeds, aside=True)
    if given.hard:
        groups += file_groups(given.data / "hard")
    if given.thin:
        groups += thin_groups(folder, given.data, seeds)
    prefixes = tuple(given.families or [""])
    return (group for group in groups if group.name.startswith(prefixes))


def tell(question: Question, budget: float) -> Told:
    """What `ask` says."""
    start, before = time.perf_counter(), computed()
    answer = ask(question.kb, question.query, budget=budget)
    return Told(
        question.group,
        question.name,
        ends(answer.outer),
        ends(answer.inner),
        answer.exact,
        None if answer.nearly is None else answer.nearly.violation,
        time.perf_counter() - start,
        computed() - before,
        os.getloadavg()[0],
    )


def tell_computed(question: Question, seconds: float) -> Told:
    """The same, both sides one after the other, by seconds that they compute."""
    before, kb, query = computed(), question.kb, question.query
    nearly: list[Nearly] = []
    drawing = Budget(seconds - STARTING, clock=time.process_time)
    inner: Inner | None = None
    for inner, _ in find_possible(Reasoner(kb, budget=drawing), query, nearly.append):
        if inner.lower == 0 and inner.upper == 1:
            break
    took = STARTING + computed() - before
    budget = Budget(seconds, clock=time.process_time)
    known = bounds(kb, query, reasoner=Reasoner(kb, budget=budget))
    proving = computed() - before + STARTING - took
    outer = None
    if known.lower is not None and known.upper is not None:
        outer = Outer(known.lower, known.upper)
        if known.exact:
            took, inner = min(took, proving), Inner.between(outer.lower, outer.upper)
        elif known.inner is not None:
            inner = Inner.between(known.inner.lower, known.inner.upper).joined(inner)
    exact = inner is not None and ends(inner) == ends(outer)
    return Told(
        question.group,
        question.name,
        ends(outer),
        ends(inner),
        exact,
        nearly[-1].violation if nearly and inner is None else None,
        took if exact else max(took, proving),
        computed() - before,
        os.getloadavg()[0],
    )


def ends(interval: Outer | Inner | None) -> tuple[float, float] | None:
    return None if interval is None else (float(interval.lower), float(interval.upper))


def computed() -> float:
    """The seconds that this process and those that it has ended computed."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


HEAD = f"{'group':<24} questions   shown    more     gap   exact   p50 s   p90 s   worst   computed"


def line(group: str, told: Sequence[Told]) -> str:
    """What was said about the questions of a group, in numbers."""
    counted = [one for one in told if one.outer is not None]  # else the body is always empty
    wide = [one for one in counted if one.width]
    seconds = [one.seconds for one in told]
    return (
        f"{group:<24} {len(told):>9}"
        f" {share(one.inner is not None for one in counted):>7}"
        f" {share(one.shown > 0 for one in wide):>7}"
        f" {np.mean([one.width - one.shown for one in counted] or [0.0]):>7.4f}"
        f" {share(one.exact for one in counted):>7}"
        f" {np.percentile(seconds, 50):>7.1f} {np.percentile(seconds, 90):>7.1f}"
        f" {max(seconds):>7.1f} {max(one.computed for one in told):>10.1f}"
    )


def share(true: Iterable[bool]) -> str:
    values = list(true)
    return f"{np.mean(values):.0%}" if values else "-"


if __name__ == "__main__":
    main()
