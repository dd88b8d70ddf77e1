"""Whatever a user types is looked at in time that grows with its length, not with its square.

The event loop does this, so that one who types nonsense must not keep all others waiting.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import product

import pytest

from boxsel.serve.logs import plain as logged
from boxsel.serve.page.comparisons import plain
from boxsel.serve.page.completion import Option, completions
from boxsel.serve.page.markup import Labels, explained
from boxsel.serve.page.outline import Outline
from boxsel.serve.page.premises import ConditionalText
from boxsel.serve.page.words import sentence, without_commands
from tests.depth import some

LENGTH = 40_000
CPU_SECONDS = 3.0
"""Far more than the machine needs for any of them; what is quadratic needs a minute."""
PIECES = [
    *"a'<>([|\\ \t\n.:1,#",
    "\\'",
    "'a'",
    "<'\\",
    "1 of ",
    ") ",
    "( ",
    "''",
    "a ",
    "<a>",
    "'\\'",
    "and ",
    "token=",
    "--a",
    "boxsel ",
    "model ",
]
SHELLS = ["{}", "({})[0.5]", "(A | {})[0.5]", "(A | <{}>)[0.5]", "(A | B)[{}]", "('{}"]


def complete(text: str) -> None:
    completions(text, len(text), [Option("A"), Option(text, text)])


def outline(text: str) -> None:
    found = Outline.of(text, [text])
    found.line(text)
    found.supposed([text])


LOOKS: list[Callable[[str], object]] = [
    *(complete, ConditionalText.of, outline, sentence),
    *(plain, logged, explained, without_commands, Labels({"a": "b"}).html),
]


@pytest.mark.parametrize("look", LOOKS)
def test_long_texts_are_looked_at_once(look: Callable[[str], object]) -> None:
    names = ("a", "{}", " ")  # a long name, as somebody once pasted it
    for piece, shell, ending in [names, *some([*product(PIECES, SHELLS, ("", " ", "!"))])]:
        text = shell.format(piece * (LENGTH // len(piece))) + ending
        begun = time.process_time()
        look(text)
        assert time.process_time() - begun < CPU_SECONDS, (piece, shell, ending)
