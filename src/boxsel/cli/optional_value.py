"""An option whose value may be left out: `--names`, `--names TEXT` and `--names=TEXT`.

Typer has none. A command of this class gives the option an empty value where it has none, before
the words are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from typer.core import TyperCommand


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
        found, _, _ = self.make_parser(ctx).parse_args(list(args))
        if not isinstance(found.get(self.argument), str):
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
