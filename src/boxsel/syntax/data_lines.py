"""The lines of `.sel` that hold data: the patterns of a population, in numbers.

`DataClasses: A, B` and `DataProperties: r` say what the numbers of the other lines stand for. By
`Data: 5 of 0 1; 3 4` five members have the concepts 0 and 1, and are linked by the first role to
the patterns 3 and 4; patterns are numbered from 0, too. They are thousands: a regular expression
reads them, where the grammar would take seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from boxsel.logic.concepts import Name, Role
from boxsel.logic.names import Prefixes
from boxsel.logic.population import Pattern, Population

KEYWORD: Final = "Data:"
EXPECTED: Final = "expected a pattern such as 'Data: 5 of 0 1; 3 4'; data may be left out"
DATA_LINE: Final = re.compile(rf"[ \t]*{KEYWORD}(?!\S)")
"""How a line of data begins; a name may have the prefix `Data:`."""
_NUMBERS = r"[ \t]*(?:[0-9]{1,18}[ \t]+)*(?:[0-9]{1,18})?"
_PATTERN = re.compile(
    rf"[ \t]*{KEYWORD}[ \t]+([0-9]{{1,18}})[ \t]+of({_NUMBERS})((?:;{_NUMBERS})*)\r?"
)


def read_pattern(line: str) -> Pattern | None:
    """The pattern of a line, if it holds one.

    Examples:
        >>> read_pattern("Data: 5 of 0 1; 3 4")
        Pattern(members=5, names=(0, 1), objects=((3, 4),))
    """
    match = _PATTERN.fullmatch(line)
    if match is None:
        return None
    objects = tuple(_numbers(part) for part in match[3].split(";")[1:])
    return Pattern(int(match[1]), _numbers(match[2]), objects)


def data_lines(data: Population, prefixes: Prefixes) -> Iterator[str]:
    """The lines of a population.

    Examples:
        >>> from boxsel.logic.names import NO_PREFIXES
        >>> patterns = (Pattern(3, (0,), ((0, 1),)), Pattern(5, ()))
        >>> for line in data_lines(Population((Name("A"),), (Role("r"),), patterns), NO_PREFIXES):
        ...     print(line)
        DataClasses: A
        DataProperties: r
        Data: 3 of 0; 0 1
        Data: 5 of
    """
    legend: tuple[tuple[str, Sequence[Name | Role]], ...] = (
        ("DataClasses:", data.concepts),
        ("DataProperties:", data.roles),
    )
    for keyword, entities in legend:
        if entities:
            yield f"{keyword} {', '.join(prefixes.shorten(entity.iri) for entity in entities)}"
    for count, names, objects in data.patterns:
        parts = "; ".join(" ".join(map(str, part)) for part in (names, *objects))
        yield f"{KEYWORD} {count} of {parts}".rstrip()


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))
