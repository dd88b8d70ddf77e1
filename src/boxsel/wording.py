"""Small words that messages share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from boxsel.errors import BoxselError


def with_article(noun: str) -> str:
    """A noun with its indefinite article.

    Examples:
        >>> with_article("individual"), with_article("role")
        ('an individual', 'a role')
    """
    return f"an {noun}" if noun[0].lower() in "aeiou" else f"a {noun}"


def listed(words: Sequence[str], most: int = 5) -> str:
    """Words as a list for people; of many, the first few and how many more.

    Examples:
        >>> listed(["A", "B"]), listed(["A", "B", "C", "D"], most=2)
        ('A, B', 'A, B and 2 more')
    """
    said = ", ".join(words[:most])
    return f"{said} and {len(words) - most} more" if len(words) > most else said


def several(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun, in the plural where it belongs.

    Examples:
        >>> several(1, "row"), several(2500, "row"), several(2, "ontology", "ontologies")
        ('1 row', '2,500 rows', '2 ontologies')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def were_left_out(axioms: int) -> str:
    """That so many axioms are not reasoned with, since a reading could not keep them.

    Examples:
        >>> were_left_out(1), were_left_out(2)
        ('1 axiom was left out on reading', '2 axioms were left out on reading')
    """
    return f"{several(axioms, 'axiom')} {'was' if axioms == 1 else 'were'} left out on reading"


def expect_known(kind: str, name: str, known: Collection[str]) -> None:
    """Refuse a name that nothing of a kind has, and say which there are, and which is near.

    Examples:
        >>> expect_known("format", "docx", ("sel", "csv"))
        Traceback (most recent call last):
        boxsel.errors.BoxselError: there is no format 'docx': choose one of sel, csv

    Raises:
        BoxselError: It is none of those that are known.
    """
    if name not in known:
        from difflib import get_close_matches

        near = get_close_matches(name, known, n=1)
        advice = f"\n  help: did you mean {near[0]}?" if near else ""
        raise BoxselError(f"there is no {kind} {name!r}: choose one of {', '.join(known)}{advice}")


def expect_options(option: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse values of an option of the command line that it does not take.

    Raises:
        BoxselError: One of those given is none of those that are known.
    """
    for value in given:
        if value not in known:
            raise BoxselError(f"--{option} {value}: choose one of {', '.join(known)}")
