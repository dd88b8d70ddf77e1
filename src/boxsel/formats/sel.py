"""The text format `.sel`: one statement per line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from boxsel.formats.source import Source
from boxsel.logic.concepts import Individual, Name, Role
from boxsel.logic.kb import KB
from boxsel.syntax.data_lines import data_lines
from boxsel.syntax.parser import parse_kb

_DECLARATIONS = (("Class:", Name), ("ObjectProperty:", Role), ("Individual:", Individual))


def read(source: Source) -> KB:
    """The knowledge base in a `.sel` file."""
    return parse_kb(source.text, source.file)


def write(kb: KB) -> str:
    """The knowledge base as `.sel` text: reading it gives the same knowledge base."""
    return "".join(f"{line}\n" for line in lines(kb)) or "# an empty knowledge base\n"


def lines(kb: KB) -> Iterator[str]:
    """The lines of the text: prefixes, names, what was left out, then statements and data."""
    for prefix, namespace in kb.prefixes.items():
        yield f"Prefix: {prefix}: <{namespace}>"
    for keyword, kind in _DECLARATIONS:
        for entity in sorted(kb.unused, key=lambda entity: entity.iri):
            if isinstance(entity, kind):
                yield f"{keyword} {entity.text(kb.prefixes)}"
    for iri, label in kb.labels.items():
        yield f"Label: {kb.prefixes.shorten(iri)} {_string(label)}"
    for drop in kb.dropped:
        keyword = "Dropped:" if drop.logical else "Skipped:"
        reason = f" {_string(drop.reason)}" if drop.reason else ""
        yield f"{keyword} {drop.count} {_string(drop.kind)}{reason}"
    for statement in kb.statements:
        yield statement.text(kb.prefixes)
    if kb.data is not None:
        yield from data_lines(kb.data, kb.prefixes)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
