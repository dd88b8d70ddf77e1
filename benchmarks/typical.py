"""Typical shares by sampling: how soon they are there, and how near to the exact ones.

Run `python benchmarks/typical.py`; `--families forest crowd` takes some of them, `--hard` adds the
files of the data folder's `hard`. Seconds are those that are computed, so that other work on the
machine does not matter. *Known*: questions whose exact share is found within 20 seconds.
*Off*: how far the sampled one is from it, on average and at the most, and how many of its errors at
the most. *Answered*: questions that have a share, exact or sampled, when `--seconds` are over.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass

import numpy as np
from _measuring import add_data_option, save
from _questions import Question, file_groups, generated_groups

from boxsel.answer.typical import Typicals
from boxsel.answer.typical_share import TypicalShare
from boxsel.errors import BoxselError
from boxsel.exact.typical import find_typical
from boxsel.machine.budget import Budget

EXACT_SECONDS = 20.0


@dataclass(frozen=True)
class Found:
    """A question, its exact share if that is known, and what is said of it."""

    group: str
    question: str
    exact: float | None
    sampled: float | None
    error: float | None
    answered: bool
    seconds: float


def find(question: Question, seconds: float) -> Found:
    """The share within some seconds, and the one that is sampled, in any case."""
    kb, query = question.kb, question.query
    start = time.process_time()
    said = Typicals(kb).share(query, Budget(seconds, clock=time.process_time))
    took = time.process_time() - start
    answered = isinstance(said, TypicalShare)
    exact = sampled = error = None
    try:
        typical = find_typical(kb, budget=Budget(EXACT_SECONDS, clock=time.process_time))
        exact = typical.share(query) if typical.exact else None
        if exact is not None:
            typical = find_typical(kb, sampled=True)
        near = typical.near(query, budget=Budget(seconds, clock=time.process_time))
        sampled, error = (None, None) if near is None else near
    except BoxselError:
        pass
    return Found(question.group, question.name, exact, sampled, error, answered, took)


def tell(name: str, found: list[Found]) -> str:
    """A line about some questions."""
    known = [
        (abs(one.sampled - one.exact), one.error)
        for one in found
        if one.exact is not None and one.sampled is not None and one.error
    ]
    errors = [one.error for one in found if one.error]
    told = (
        f"{name:26}{sum(one.answered for one in found):4} of {len(found):3} answered",
        f"{np.median([one.seconds for one in found]):5.1f} s",
        f"error {np.mean(errors) if errors else 0:.3f}",
        f"{len(known):3} known",
    )
    if not known:
        return "  ".join(told)
    off = [one for one, _ in known]
    most = max(one / error for one, error in known)
    return "  ".join(told) + f"  off {np.mean(off):.4f}, up to {max(off):.4f} and {most:.1f} errors"


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--families", nargs="*", default=[""], help="first letters will do")
    options.add_argument("--sizes", nargs="*", default=["30/60", "100/250", "500/1000"])
    options.add_argument("--seconds", type=float, default=3.0, help="for a question")
    options.add_argument("--each", type=int, default=2, help="questions to a knowledge base")
    options.add_argument("--hard", action="store_true", help="the files of the data's hard, too")
    add_data_option(options)
    asked = options.parse_args()
    groups = [*generated_groups(asked.sizes, range(1), aside=True)]
    groups += generated_groups(asked.sizes, range(1))
    groups += file_groups(asked.data / "hard") if asked.hard else ()
    found: list[Found] = []
    for group in groups:
        if group.name.startswith(tuple(asked.families)):
            own = [find(question, asked.seconds) for question in group.questions(asked.each)]
            print(tell(group.name, own), flush=True)
            found += own
    print(tell("all", found))
    save("typical", {"seconds": asked.seconds, "found": [asdict(one) for one in found]})


if __name__ == "__main__":
    main()
