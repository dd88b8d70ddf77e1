"""`boxsel merge`: several files as one."""

from __future__ import annotations

from dataclasses import replace

from boxsel.cli.command import command
from boxsel.cli.options import JSON, KB_FILES, Input, Output
from boxsel.cli.output import emit_json, reading_json, report_reading
from boxsel.cli.writing import LOSSY, NO_DATA, Target
from boxsel.formats.source import load


@command("boxsel merge prev.csv hierarchy.sel galen.owl -o all.sel")
def merge(
    *,
    kb: list[str] = KB_FILES,
    output: Output,
    lossy: bool = LOSSY,
    no_data: bool = NO_DATA,
    reading: Input,
    as_json: bool = JSON,
) -> None:
    """Write several knowledge bases as one; statements without a source get their file as such."""
    target = Target.of(output, default="sel", as_json=as_json)
    united = reading.unite([load(path) for path in kb])
    base, coverage = reading.apply(united.kb)
    if no_data:
        base = replace(base, data=None)
    written = target.reduce(base) if lossy else base
    target.write(written)
    if as_json:
        emit_json(
            {
                "files": kb,
                "to": target.format.name,
                "output": target.path,
                "statements": len(written),
                "matched": [twins.to_json() for twins in united.joined],
                "apart": [twins.to_json() for twins in united.apart],
                **reading_json(base, coverage),
            }
        )
        return
    report_reading(base, coverage, *kb)
    target.report_written(written)
