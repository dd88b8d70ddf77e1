"""Tampering: every part of a certificate is changed in every way that comes to mind.

A checker may find that a changed certificate still proves something; then that must be true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from fractions import Fraction
from random import Random
from typing import Any

Certificate = dict[str, Any]
Path = tuple[str | int, ...]


def nodes(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    yield path, value
    if isinstance(value, dict):
        for key, member in value.items():
            yield from nodes(member, (*path, key))
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield from nodes(member, (*path, place))


def part(path: Path) -> str:
    return ".".join(step for step in path if isinstance(step, str) and ":" not in step)


def changed(original: Certificate, path: Path, new: object) -> Certificate:
    copy = deepcopy(original)
    if not path:
        return new  # type: ignore[return-value]
    inside: Any = copy
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = new
    return copy


def changes(original: Certificate) -> Iterator[tuple[Path, object]]:
    """Every change of one place."""
    everything = list(nodes(original))
    texts = [value for path, value in everything if isinstance(value, str)]
    existentials = sorted({text for text in texts if " some " in text and "|" not in text})
    iris = sorted({text for text in texts if text.startswith("urn:")})
    for path, value in everything:
        for new in replacements(path, value, existentials, iris):
            if new != value:
                yield path, new


def replacements(
    path: Path, value: object, existentials: Sequence[str], iris: Sequence[str]
) -> Iterator[object]:
    match value:
        case bool() | None:
            return
        case int():
            yield from (value + 1, value - 1, 0, -1)
        case list():
            for place in range(len(value)):
                yield value[:place] + value[place + 1 :]
            yield value[::-1]
            yield value + value[:1]
            if path[-1] == "names":
                yield from (value + [iri] for iri in iris)
            if path[-1] == "edges":
                yield from (value + [[iri, 0, 0]] for iri in iris)
            if path[-1] == "unless":
                yield from (value + [existential] for existential in existentials)
            if path[-1] == "steps":
                for one in existentials:
                    yield value + [{"exists": one, "unless": [], "multipliers": []}]
        case dict():
            for key in value:
                yield {other: member for other, member in value.items() if other != key}
        case "lower" | "upper":
            yield {"lower": "upper", "upper": "lower"}[value]
        case "bounded" | "vacuous" | "inconsistent" | "budget":
            yield from ("bounded", "vacuous", "inconsistent", "budget")
        case str() if path[0] == "axioms":
            yield from stronger(value)
        case str() if path[0] == "query":
            head, body = value[1:-1].split(" | ")
            yield from (f"({body} | {head})", f"({head} | owl:Thing)", f"(A | {body})")
        case str() if value in existentials:
            yield from existentials
        case str() if value in iris:
            yield from iris
        case str() if path[-1] in ("bound", "weight", "further", 2):
            number = Fraction(value)
            for other in (number / 2, number * 2, number + Fraction(1, 16), -number, 1 - number, 0):
                yield str(other)


def stronger(line: str) -> Iterator[str]:
    if line.endswith("]"):
        statement, _, _ = line.rpartition("[")
        yield from (f"{statement}[{text}]" for text in ("0", "1", "1/2", "1/3, 2/3"))
        head, body = statement.split(" | ")
        yield f"({body[:-1]} | {head[1:]}) [0.5]"
    elif " SubClassOf " in line:
        yield line.split(" SubClassOf ")[0] + " SubClassOf owl:Nothing"


HAIR = Fraction(1, 10**40)


def spoilt(original: Certificate) -> Iterator[tuple[str, Certificate]]:
    """What proves nothing if all parts are needed and all bounds tight, with the part's name.

    Each bound is a hair tighter, each multiplier of a bound a hair off, and each step and each
    multiplier gone.
    """
    for path, value in nodes(original):
        match path, value:
            case (("lower" | "upper") as end, "bound"), str():
                tighter = Fraction(value) + (HAIR if end == "lower" else -HAIR)
                yield part(path), changed(original, path, str(tighter))
            case (_, "proof", "multipliers", int(), 2), str():
                for number in (Fraction(value) + HAIR, Fraction(value) - HAIR):
                    yield part(path), changed(original, path, str(number))
            case (*_, ("steps" | "multipliers")), list():
                for place in range(len(value)):
                    yield part(path), changed(original, path, value[:place] + value[place + 1 :])


def tampered(random: Random, original: Certificate, most: int) -> Iterator[tuple[str, Certificate]]:
    """Some changed certificates for each part, with the name of the part."""
    groups: dict[str, list[tuple[Path, object]]] = {}
    for path, new in changes(original):
        groups.setdefault(part(path), []).append((path, new))
    for where, group in groups.items():
        for path, new in random.sample(group, min(len(group), most)):
            yield where, changed(original, path, new)
