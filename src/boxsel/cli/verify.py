"""`boxsel verify`: check certificates independently of the reasoner that wrote them."""

from __future__ import annotations

import typer

from boxsel.cli.command import argument, command
from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import JSON, KB_FILES, Input
from boxsel.cli.output import emit, emit_json, report_reading
from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.source import load


@command("boxsel verify applicant.sel certificate.json")
def verify(
    *,
    kb: list[str] = KB_FILES,
    certificate: str = argument("What `boxsel bounds --certificate` wrote.", "CERTIFICATE"),
    reading: Input,
    as_json: bool = JSON,
) -> None:
    """Check that certificates prove what they claim; the exit code is 1 if one does not."""
    base, coverage = reading.read(kb)
    lines = [line for line in load(certificate).text.splitlines() if line.strip()]
    if not lines:
        raise ReadError(Diagnostic("there is no certificate", certificate))

    from boxsel.checker.compared import is_comparison, verify_comparison
    from boxsel.checker.verify import verify as check

    code = ANSWERED
    if not as_json:
        report_reading(base, coverage, *kb)
    for number, line in enumerate(lines, start=1):
        try:
            result = (verify_comparison if is_comparison(line) else check)(base, line)
        except ReadError as error:
            raise ReadError(*error.at(certificate, number)) from None
        if not result.valid:
            code = NO
        if as_json:
            emit_json(result.to_json(base.prefixes))
        else:
            emit(result.text(base.prefixes))
    raise typer.Exit(code)
