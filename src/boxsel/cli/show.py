"""`boxsel show`: a knowledge base in a few numbers, or its names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from typer.core import TyperCommand

from boxsel.cli.command import command, option
from boxsel.cli.options import JSON, KB_FILES, Input
from boxsel.cli.output import emit_json, emit_table, reading_json, report_coverage
from boxsel.logic.concepts import Entity
from boxsel.logic.kb import KB, Signature
from boxsel.summary import summarize

KINDS = ("concepts", "roles", "individuals")


class OptionalValue(TyperCommand):
    """A command with such an option, and with one argument that cannot be left out."""

    option: ClassVar[str] = "--names"
    argument: ClassVar[str] = "kb"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of a command line."""
        words = valued(args, self.option)
        if words != args or self.option not in args:
            return super().parse_args(ctx, words)
        # `show --names kb.sel`: without the word there is no argument, so that it is the argument.
        content, _, _ = self.make_parser(ctx).parse_args(list(args))
        if not content.get(self.argument):
            place = args.index(self.option)
            words = [*args[:place], f"{self.option}=", *args[place + 1 :]]
        return super().parse_args(ctx, words)


def valued(words: Sequence[str], option: str) -> list[str]:
    """The words of a command line, with an empty value for an option that has none.

    Examples:
        >>> valued(["kb.sel", "--names", "--json"], "--names")
        ['kb.sel', '--names=', '--json']
        >>> valued(["kb.sel", "--names", "diabetes"], "--names")
        ['kb.sel', '--names', 'diabetes']
    """
    following = [*words[1:], "-"]
    return [
        f"{word}=" if word == option and after.startswith("-") else word
        for word, after in zip(words, following, strict=True)
    ]


@command("boxsel show berkeley.sel --names dept", OptionalValue)
def show(
    *,
    kb: list[str] = KB_FILES,
    names: str | None = option(
        "List its names instead; those with TEXT in name, IRI or label.", metavar="[TEXT]"
    ),
    reading: Input,
    as_json: bool = JSON,
) -> None:
    """Summarise a knowledge base: its names, its statements by kind, and what was left out."""
    base, coverage = reading.read(kb)
    if names is not None:
        listed = base.find(names)
        if as_json:
            emit_json({"text": names, **_names_json(base, listed)})
        else:
            emit_table(_names_rows(base, listed), title=", ".join(kb))
        return
    from boxsel.exact.shape import find_shape

    summary = summarize(base)
    report_coverage(coverage)
    shape = find_shape(base)
    if as_json:
        emit_json({**summary.to_json(), **shape.to_json(), **reading_json(base, coverage)})
    else:
        emit_table((*summary.rows(), ("treewidth", shape.text)), title=", ".join(kb))


def _names_rows(kb: KB, listed: Signature) -> Iterator[tuple[str, str]]:
    """Names as the rows of a table: as they are spelt in a query, with their labels."""
    for kind in KINDS:
        entities: tuple[Entity, ...] = getattr(listed, kind)
        yield kind, f"{len(entities):,} of {len(getattr(kb.signature, kind)):,}"
        for entity in entities:
            yield f"  {entity.text(kb.prefixes)}", kb.labels.get(entity.iri, "")


def _names_json(kb: KB, listed: Signature) -> dict[str, object]:
    return {
        kind: [
            {
                "name": entity.text(kb.prefixes),
                "iri": entity.iri,
                "label": kb.labels.get(entity.iri),
            }
            for entity in getattr(listed, kind)
        ]
        for kind in KINDS
    }
