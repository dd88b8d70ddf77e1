"""Data as JSON: the patterns of a population, for the JSON form and for annotations in OWL."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from boxsel.errors import InvalidStatementError, ReadError
from boxsel.formats.json_values import (
    Problem,
    a_list,
    a_list_of,
    a_record,
    a_text,
    a_whole_number,
    parse_json,
)
from boxsel.logic.concepts import Name, Role
from boxsel.logic.population import Pattern, Population


def data_json(data: Population) -> dict[str, Any]:
    """A population as a JSON object.

    Examples:
        >>> data_json(Population((Name("A"),), (), (Pattern(5, (0,)),)))
        {'concepts': ['urn:boxsel:A'], 'roles': [], 'patterns': [[5, (0,)]]}
    """
    return {
        "concepts": [concept.iri for concept in data.concepts],
        "roles": [role.iri for role in data.roles],
        "patterns": [[count, names, *objects] for count, names, objects in data.patterns],
    }


def data_text(data: Population) -> str:
    """The same as text, in characters that every format holds."""
    return json.dumps(data_json(data), separators=(",", ":"))


def read_data(
    value: object,
    name: Callable[[object], Name] = lambda iri: Name(a_text(iri)),
    role: Callable[[object], Role] = lambda iri: Role(a_text(iri)),
) -> Population:
    """The population of a JSON value; a `Problem` if it is none."""
    return a_record(
        lambda concepts, roles, patterns: Population(
            tuple(concepts), tuple(roles), tuple(patterns)
        ),
        concepts=a_list_of(name),
        roles=a_list_of(role),
        patterns=a_list_of(_pattern),
    )(value)


def data_of_text(text: str) -> Population:
    """The population of a text; `InvalidStatementError` if it holds none."""
    try:
        return read_data(parse_json(text, "data"))
    except (Problem, ReadError) as error:
        raise InvalidStatementError(f"the data are damaged: {error}") from None


def _pattern(value: object) -> Pattern:
    parts = a_list(value)
    if len(parts) < 2:
        raise Problem("expected a count, a list of names, and lists of objects")
    count, names, *objects = parts
    return Pattern(a_whole_number(count), _places(names), tuple(map(_places, objects)))


def _places(value: object) -> tuple[int, ...]:
    return tuple(map(a_whole_number, a_list(value)))
