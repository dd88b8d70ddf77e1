"""What people write for a statement, and the line of `.sel` that says it.

A line that the grammar refuses may be a probability as papers write it, `P(A | B) = 0.3`, a
sentence, or a formula of description logic. Where its meaning is plain, the advice is the whole
line as it should be; where a number is missing that only its author knows, an example of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from boxsel.logic.proportions import number_text

MOST_CHARACTERS: Final = 400
"""A longer line is hardly a formula that somebody wrote by hand; patterns take squares of it."""
_NUMBER: Final = r"\d+(?:[.,]\d+)?(?:\s*%)?"
_NAME: Final = r"'[^']*'|<[^<>\s]*>|[\w:.\-]+"
_SHARE: Final = re.compile(
    r"(?:(?:p|pr|prob)\s*)?\((?P<head>[^|]+)\|(?P<body>[^|]+?)\)"
    r"\s*(?:=|:|is)?\s*(?P<bounds>[^|]*)",
    re.IGNORECASE,
)
_SHARE_OF: Final = re.compile(
    rf"(?P<bounds>{_NUMBER}(?:\s*(?:-|–|to)\s*{_NUMBER})?)\s+of\s+(?:the\s+|all\s+)?"
    rf"(?P<body>{_NAME})\s+(?:is|are|have)\s+(?:an?\s+)?(?P<head>{_NAME})"
)
_BOUNDS: Final = (
    (rf"(?:=\s*)?({_NUMBER})", "{0}"),
    (rf"(?:between\s+)?({_NUMBER})\s*(?:-|–|—|;|,\s|\.\.+|to|and)\s*({_NUMBER})", "{0}, {1}"),
    (rf"(?:<=?|≤|at most|up to)\s*({_NUMBER})", "0, {0}"),
    (rf"(?:>=?|≥|at least)\s*({_NUMBER})", "{0}, 1"),
)
_AROUND: Final = rf"({_NUMBER})\s*(?:±|\+/?-)\s*({_NUMBER})"
_RATE: Final = r"\s*(?:‰|per\s+mille|per\s+(1[0,. ]*0))"
_ROUGHLY: Final = rf"(?:~|≈|about|around|circa|ca\.?)\s*{_NUMBER}"
_SENTENCES: Final = (
    (rf"no\s+({_NAME})\s+(?:is|are)\s+(?:an?\s+)?({_NAME})", "DisjointClasses: {0}, {1}"),
    (rf"(?:all|every|each)\s+({_NAME})\s+(?:is|are)\s+(?:an?\s+)?({_NAME})", "{0} SubClassOf {1}"),
    (rf"({_NAME})\s+(?:is|are|is an?|isa|are all)\s+({_NAME})", "{0} SubClassOf {1}"),
)
_RELATIONS: Final = (
    (r"≡|<->|↔|<=>|⇔|==?(?!>)", "{0} EquivalentTo {1}"),
    (r"⊑|⊆|->|→|=>|⇒|<=?|\bsubset of\b", "{0} SubClassOf {1}"),
)
_TOKEN: Final = re.compile(rf"[()]|{_NAME}|\S")
_SYMBOLS: Final = (
    (r"\s*(?:⊓|∧|∩)\s*", " and "),
    (r"∃\s*([\w:\-]+)\s*\.\s*", r"\1 some "),
    ("⊤", "owl:Thing"),
    ("⊥", "owl:Nothing"),
    (r"[\"“„]([^\"“”„']*)[\"“”]", r"'\1'"),
)


def statement_advice(line: str) -> str | None:
    """What a line that is no statement should say, if that is plain.

    Examples:
        >>> statement_advice("P(A | B) = 0.3"), statement_advice("20-30 % of smokers are Ill")
        ('write (A | B)[0.3]', 'write (Ill | smokers)[20%, 30%]')
        >>> statement_advice("(A | B)[<= 0,2]"), statement_advice("A ⊑ B")
        ('write (A | B)[0, 0.2]', 'write A SubClassOf B')
    """
    written = said = line.split(" #")[0].strip()
    if len(said) > MOST_CHARACTERS:
        return None
    for symbol, word in _SYMBOLS:
        said = re.sub(symbol, word, said)
    for pattern, statement in _SENTENCES:
        if match := re.fullmatch(pattern, said, re.IGNORECASE):
            return f"write {statement.format(*match.groups())}"
    for sign, statement in _RELATIONS:
        sides = [side.strip() for side in re.split(sign, said)]
        if len(sides) == 2 and all(map(_is_concept, sides)):
            return f"write {statement.format(*sides)}"
    share = _SHARE.fullmatch(said) or _SHARE_OF.fullmatch(said)
    if share is None:
        return None
    head, body, bounds = (share[part].strip() for part in ("head", "body", "bounds"))
    bounds = bounds.removeprefix("[").removesuffix("]").strip()
    if re.fullmatch(_ROUGHLY, bounds, re.IGNORECASE):
        return "write the two ends that it is between, such as [0.25, 0.35]"
    spelt = next(_spell_bounds(_in_percent(bounds)), None)
    advice = f"({head} | {body})[{spelt}]"
    if spelt is None or re.sub(r"\s", "", advice) == re.sub(r"\s", "", written):
        return None
    return f"write {advice}" if _is_concept(head) and _is_concept(body) else None


def _is_concept(said: str) -> bool:
    """Whether a text is names with 'and' and 'some' between them."""
    words = [word for word in _TOKEN.findall(said) if word not in "()"]
    joints, names = words[1::2], words[::2]
    is_joined = len(words) % 2 == 1 and all(joint in ("and", "some") for joint in joints)
    return is_joined and all(re.fullmatch(_NAME, name) for name in names)


def _in_percent(said: str) -> str:
    """Numbers per thousand, or per more, as papers write them, in per cents: `4–12 ‰`."""
    rate = re.search(rf"{_RATE}$", said)
    if rate is None:
        return said
    per = int(re.sub(r"\D", "", rate[1])) if rate[1] else 1000

    def percent(number: re.Match[str]) -> str:
        return number_text(Fraction(number[0].replace(",", ".")) * 100 / per) + "%"

    return re.sub(r"\d+(?:[.,]\d+)?", percent, re.sub(_RATE, "", said))


def _spell_bounds(said: str) -> Iterator[str]:
    """How a share is written in brackets, if what was said is one."""
    for pattern, written in _BOUNDS:
        if match := re.fullmatch(pattern, said, re.IGNORECASE):
            yield written.format(*_alike(match.groups()))
    if match := re.fullmatch(_AROUND, said):
        middle, width = (_value(number) for number in _alike(match.groups()))
        ends = max(Fraction(0), middle - width), min(Fraction(1), middle + width)
        yield ", ".join(map(number_text, ends))


def _alike(numbers: tuple[str, ...]) -> list[str]:
    """Numbers with decimal points, all in per cents if the last one is: `20-30 %`."""
    spelt = [re.sub(r"\s", "", number).replace(",", ".") for number in numbers]
    are_percent = spelt[-1].endswith("%")
    return [one + "%" if are_percent and not one.endswith("%") else one for one in spelt]


def _value(number: str) -> Fraction:
    """The number that digits mean, with or without a sign for per cents."""
    return Fraction(number.rstrip("%")) / (100 if number.endswith("%") else 1)
