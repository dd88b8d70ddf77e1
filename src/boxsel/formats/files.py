"""Reading and writing knowledge bases: find the format, then let it do the work."""

from __future__ import annotations

import os

from boxsel.errors import BoxselError
from boxsel.formats.registry import Format, format_named, format_of_path, recognise
from boxsel.formats.source import Source, load, write_atomically
from boxsel.logic.kb import KB


def read(path: str | os.PathLike[str], format: str | None = None) -> KB:  # noqa: A002
    """The knowledge base in a file (`-`: standard input), in any supported format.

    The format is told from the content, else from the extension; `format` overrides both.
    Files may be compressed with gzip or bzip2.
    """
    source = load(path)
    return input_format(source, format).codec.read(source)


def write(kb: KB, path: str | os.PathLike[str], format: str | None = None) -> None:  # noqa: A002
    """Write a knowledge base to a file, whole or not at all, in the format of its extension."""
    target = os.fspath(path)
    write_atomically(target, output_format(target, format).encode(kb))


def input_format(source: Source, name: str | None) -> Format:
    """The format to read: the one named, else the one that the source shows."""
    return format_named(name) if name else recognise(source)


def output_format(path: str | None, name: str | None) -> Format:
    """The format to write: the one named, else the extension's."""
    if name:
        return format_named(name)
    chosen = format_of_path(path) if path else None
    if chosen is None:
        raise BoxselError(
            f"{path}: the extension names no format: add one such as .sel, or say which with --to"
            if path
            else "say which format to write with --to"
        )
    return chosen
