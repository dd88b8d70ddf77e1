"""`boxsel normalize`: the normal form of a knowledge base."""

from __future__ import annotations

import typer

from boxsel.cli.command import command, flag
from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import JSON, KB_FILES, Input, Output
from boxsel.cli.output import emit, emit_json, reading_json, report, report_reading, shortened
from boxsel.cli.writing import Target
from boxsel.errors import BoxselError
from boxsel.logic.kb import KB
from boxsel.wording import listed


@command("boxsel normalize clinic.sel -o clinic-normal.sel")
def normalize(
    *,
    kb: list[str] = KB_FILES,
    output: Output,
    check: bool = flag("--check", "Only say whether it is in normal form; exit 1 if not."),
    reading: Input,
    as_json: bool = JSON,
) -> None:
    """Write a knowledge base in normal form, with the same answers over its names."""
    if check:
        if output != Output(None, None):
            raise BoxselError("--check writes nothing: leave out -o and --to")
        raise typer.Exit(_check(reading.read(kb)[0], as_json=as_json))
    target = Target.of(output, default="sel", as_json=as_json)
    found, coverage = reading.read(kb)

    from boxsel.normal.normalize import normalize as to_normal_form
    from boxsel.normal.saturation import saturate, unsafe

    normal = to_normal_form(found)
    saturation = saturate(found)
    empty = sorted(saturation.empty_names, key=lambda name: name.iri)
    unsafe_statements = unsafe(found, saturation)
    target.write(normal.kb)
    if as_json:
        emit_json(
            {
                "output": target.path,
                "statements": len(normal.kb),
                "fresh": {
                    name.iri: origin.text(found.prefixes) for name, origin in normal.origin.items()
                },
                "safe": not unsafe_statements,
                "unsafe": [statement.text(found.prefixes) for statement in unsafe_statements],
                "empty": [name.text(found.prefixes) for name in empty],
                "size": normal.kb.size,
                "original_size": found.size,
                **reading_json(found, coverage),
            }
        )
        return
    report_reading(found, coverage, *kb)
    report(
        f"{listed(kb)}: {len(found):,} statements became {len(normal.kb):,},"
        f" with {len(normal.origin):,} fresh names"
    )
    if empty:
        report(f"empty in every model: {shortened(map(found.label, empty), len(empty), ', ')}")
    if unsafe_statements:
        lines = (statement.text(found.prefixes) for statement in unsafe_statements)
        report("not safe, since a side is everything:")
        report(f"  {shortened(lines, len(unsafe_statements), chr(10) + '  ')}")


def _check(kb: KB, *, as_json: bool) -> int:
    from boxsel.normal.validator import violations

    found = violations(kb)
    if as_json:
        violated = [
            {"statement": statement.text(kb.prefixes), "reason": reason}
            for statement, reason in found
        ]
        emit_json({"normal": not found, "violations": violated})
    elif not found:
        report("in normal form")
    else:
        emit("".join(f"{statement.text(kb.prefixes)}: {reason}\n" for statement, reason in found))
    return NO if found else ANSWERED
