"""`boxsel check`: is there a model, and can every name be non-empty?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import typer

from boxsel.cli.command import command, flag, option
from boxsel.cli.exits import ANSWERED, NO, OUT_OF_BUDGET, stopped_by_interrupt
from boxsel.cli.options import IRIS, JSON, KB_FILES, PLOT, Input, reader
from boxsel.cli.output import MORE_TIME, emit, emit_json, report, report_reading, shortened
from boxsel.logic.concepts import Name
from boxsel.logic.proportions import number_text
from boxsel.machine.progress import during
from boxsel.wording import several


@command("boxsel check clinic.sel")
def check(
    *,
    kb: list[str] = KB_FILES,
    concept: str | None = option("Whose emptiness the conflict is about.", metavar="C"),
    conflicts: int = option("How many different minimal conflicts to look for.", default=1, min=1),
    every: bool = flag("--all", "Show all contradictions, and the names that each empties."),
    budget: str | None = option("Time, such as 10s; then what is known by then.", metavar="TIME"),
    reading: Input,
    iris: bool = IRIS,
    as_json: bool = JSON,
    plot: str | None = PLOT,
) -> None:
    """Say whether there is a model and every name can be non-empty, else why not."""
    if plot is not None:
        from boxsel.answer.figure import expect_picture, plot_check

        expect_picture(plot)
    base, coverage = reading.read(kb)

    from boxsel.exact.diagnosis.check import check as check_kb
    from boxsel.machine.budget import Budget
    from boxsel.precision import unit_text

    asked = None if concept is None else reader(base, kb).concept(concept)
    limit = Budget.of(budget)
    with stopped_by_interrupt(limit.stop):
        result = during(
            lambda: check_kb(base, concept=asked, limit=conflicts, budget=limit), "checking"
        )
    spelt = base.prefixes if iris else base.labelled
    if as_json:
        emit_json(result.to_json())
    else:
        report_reading(base, coverage, *kb)
        named = partial(Name.text, prefixes=spelt) if iris else base.label
        emit(f"{_verdict(result.consistent, 'consistent')}\n")
        if result.consistent is not False:
            emit(f"{_verdict(result.coherent, 'coherent')}\n")
        if result.consistent is not False and result.empty:
            names = shortened(map(named, result.empty), len(result.empty), ", ")
            emit(f"empty in every model: {names}\n")
        if result.undecided:
            names = shortened(map(named, result.undecided), len(result.undecided), ", ")
            emit(f"{several(len(result.undecided), 'name')} not decided in the time: {names}\n")
        if result.causes:
            emit(f"{result.summary}\n")
        emit("".join(replace(conflict, prefixes=spelt).text for conflict in result.conflicts))
        if every:
            for cause in result.causes:
                if cause.conflict not in result.conflicts:
                    emit(replace(cause.conflict, prefixes=spelt).text)
                names = shortened(map(named, cause.names), len(cause.names), ", ")
                told = (
                    f"{several(len(cause.names), 'name')}: {names}" if names else "no further name"
                )
                emit(f"  empties {told}\n")
        elif len(result.causes) > 1:
            emit(f"{several(len(result.causes) - 1, 'more contradiction')}: --all shows them\n")
        if result.more and conflicts > 1:
            emit("There may be more conflicts: --conflicts asks for them.\n")
        if result.coherent_at is not None:
            level = number_text(result.coherent_at.level)
            emit(f"With counts read as intervals it is coherent: --confidence {level}\n")
        if result.rounded_to is not None:
            unit = unit_text(result.rounded_to)
            then = "it is coherent" if result.coherent_rounded else "this contradicts nothing"
            emit(f"With shares read as rounded numbers {then}: --rounded {unit}\n")
    if plot is not None:
        plot_check(base, replace(result, prefixes=spelt), plot)
        report(f"{plot}: {'a conflict' if result.conflict else 'the shares that are stated'}")
    if concept is not None and result.finished and not result.conflicts:
        report(f"{concept} can be non-empty: there is no conflict about it")
    if not result.finished:
        report(MORE_TIME)
    codes = {True: ANSWERED, False: NO, None: OUT_OF_BUDGET}
    raise typer.Exit(codes[result.coherent])


def _verdict(known: bool | None, word: str) -> str:
    if known is None:
        return f"not known to be {word}"
    return word if known else f"in{word}"
