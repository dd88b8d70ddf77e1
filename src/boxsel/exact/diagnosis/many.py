"""Many knowledge bases checked or repaired, in several processes: diseases, say, one each."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from boxsel.errors import WrongKindError
from boxsel.exact.diagnosis.check import Check, check
from boxsel.exact.diagnosis.repair import Repair, repair
from boxsel.logic.expecting import expect, expect_several
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Number
from boxsel.machine.budget import Budget, Seconds
from boxsel.machine.spreading import spread
from boxsel.sampling import Reading


def check_many(
    kbs: Iterable[KB], *, jobs: int | None = 1, budget: Seconds = None, limit: int = 1
) -> Iterator[Check]:
    r"""What `check` says of many knowledge bases, in their order, each as soon as it can be told.

    `jobs` processes work at once; none means one for each core. They are those of joblib: under
    `joblib.parallel_config(backend="dask")` they are on a cluster. Each knowledge base has
    `budget` seconds. A process that dies, for want of memory say, loses only its knowledge
    base, of which nothing is known then: there is a warning.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kbs = [parse_kb("(B | A)[0.2]"), parse_kb("(B | A)[0.2]\n(B | A)[0.8]")]
        >>> [found.coherent for found in check_many(kbs)]
        [True, False]
    """
    listed = _listed(kbs)
    checks = spread(partial(_check, budget=Budget.of(budget).seconds, limit=limit), listed, jobs)
    return (
        _unknown(kb, number, len(listed)) if one is None else one
        for number, (kb, one) in enumerate(zip(listed, checks, strict=True), 1)
    )


def repair_many(
    kbs: Iterable[KB],
    *,
    jobs: int | None = 1,
    budget: Seconds = None,
    trust: Mapping[str, Number] | None = None,
    reading: Reading | None = None,
) -> Iterator[Repair]:
    r"""The least repairs of many knowledge bases, as `check_many` checks them.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kbs = [parse_kb("(B | A)[0.2]"), parse_kb("(B | A)[0.2]\n(B | A)[0.8]")]
        >>> [str(found.total) for found in repair_many(kbs)]
        ['0', '3/5']
    """
    listed = _listed(kbs)
    seconds = Budget.of(budget).seconds
    repairs = spread(partial(_repair, budget=seconds, trust=trust, reading=reading), listed, jobs)
    return (
        _unrepaired(kb, number, len(listed)) if one is None else one
        for number, (kb, one) in enumerate(zip(listed, repairs, strict=True), 1)
    )


def _listed(kbs: Iterable[KB] | KB) -> tuple[KB, ...]:
    if isinstance(kbs, KB):  # else it would be taken for the list of its statements
        raise WrongKindError("knowledge bases are several: give a list, and not one of them")
    listed = expect_several("knowledge bases", kbs)
    expect(KB, "knowledge bases are checked and repaired", *listed)
    return listed


def _check(kb: KB, budget: float | None, limit: int) -> Check:
    return check(kb, limit=limit, budget=Budget(budget))


def _repair(
    kb: KB,
    budget: float | None,
    trust: Mapping[str, Number] | None,
    reading: Reading | None,
) -> Repair:
    return repair(kb, trust=trust, reading=reading, budget=Budget(budget))


def _unknown(kb: KB, number: int, total: int) -> Check:
    _warn(number, total)
    return Check(
        None,
        ignored_axioms=kb.ignored_axioms,
        finished=False,
        undecided=kb.signature.concepts,
        prefixes=kb.prefixes,
    )


def _unrepaired(kb: KB, number: int, total: int) -> Repair:
    _warn(number, total)
    return Repair(kb, finished=False)


def _warn(number: int, total: int) -> None:
    warnings.warn(
        f"the process that worked on knowledge base {number} of {total} died: nothing is known"
        " of it",
        stacklevel=4,
    )
