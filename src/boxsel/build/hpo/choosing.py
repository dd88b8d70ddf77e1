"""Which diseases: by identifier or by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from boxsel.errors import BoxselError
from boxsel.wording import listed


def choose(asked: Iterable[str], known: Mapping[str, set[str]]) -> frozenset[str]:
    """The identifiers of the diseases that are asked for.

    Examples:
        >>> known = {"OMIM:1": {"Example disease"}, "OMIM:2": {"Another one"}}
        >>> sorted(choose(["OMIM:2", "example disease"], known))
        ['OMIM:1', 'OMIM:2']
    """
    by_name: dict[str, list[str]] = {}
    for identifier, names in known.items():
        for name in names:
            by_name.setdefault(name.casefold(), []).append(identifier)
    return frozenset(_identifier(one.strip(), known, by_name) for one in asked)


def _identifier(text: str, known: Mapping[str, set[str]], by_name: Mapping[str, list[str]]) -> str:
    if text in known:
        return text
    found = sorted(set(by_name.get(text.casefold(), ())))
    if len(found) == 1:
        return found[0]
    if found:
        raise BoxselError(f"several diseases are called {text!r}: choose one of {listed(found)}")
    close = get_close_matches(text.upper(), known, n=1, cutoff=0.8)
    close = close or get_close_matches(text.casefold(), by_name, n=1, cutoff=0.6)
    advice = f"\n  help: did you mean {close[0]}?" if close else ""
    raise BoxselError(f"no row is about the disease {text!r}{advice}")
