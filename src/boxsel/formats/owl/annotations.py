"""What the annotations of an axiom say: a note, a proportion, or a degree of belief."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from boxsel.errors import InvalidStatementError
from boxsel.formats.owl.vocabulary import (
    COMMENT,
    COMMENT_PROPERTIES,
    GROUP,
    LABEL,
    PROPORTION_PROPERTIES,
    SOURCE,
    SOURCE_PROPERTIES,
)
from boxsel.logic.proportions import exact
from boxsel.logic.statements import NO_NOTE, Note

_BELIEF = re.compile(r"[#/](?:probability|certainty)$", re.IGNORECASE)
_SYSTEMS = (("disponte", "DISPONTE"), ("bundle", "BUNDLE"), ("pronto", "Pronto"))
_SEPARATOR = "; "


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation: a property and a value, which is a literal or an IRI."""

    property: str
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Remarks:
    """The annotations of one axiom, sorted by what they mean to SEL."""

    note: Note
    proportion: dict[str, list[str]] = field(default_factory=dict)
    belief: str = ""
    group: str = ""
    others: int = 0


_NO_REMARKS = Remarks(NO_NOTE)


def remarks(annotations: Iterable[Annotation]) -> Remarks:
    """What the annotations of an axiom mean.

    Examples:
        >>> remarks([Annotation("http://purl.org/dc/terms/source", "PMID:123")]).note.source
        'PMID:123'
    """
    annotations = list(annotations)
    if not annotations:
        return _NO_REMARKS
    fields: dict[str, list[str]] = {"label": [], "source": [], "comment": []}
    proportion: dict[str, list[str]] = {}
    belief = group = ""
    others = 0
    # Annotations are a set: sorted, so that several values of a field join in one way.
    for annotation in sorted(annotations, key=lambda one: (one.property, one.text, one.language)):
        name, text = annotation.property, annotation.text
        if name in PROPORTION_PROPERTIES:
            proportion.setdefault(name, []).append(text)
        elif name == LABEL:
            fields["label"].append(text)
        elif name in COMMENT_PROPERTIES:
            fields["comment"].append(text)
        elif name in SOURCE_PROPERTIES:
            fields["source"].append(text)
        elif name == GROUP:
            group = text
        elif _BELIEF.search(name) and _is_belief(text):
            belief = belief or _doubt(name, text)
        else:
            others += 1
    if any(fields.values()):
        note = Note(**{name: _SEPARATOR.join(dict.fromkeys(said)) for name, said in fields.items()})
    else:
        note = NO_NOTE
    return Remarks(note, proportion, belief, group, others)


def note_annotations(note: Note) -> list[Annotation]:
    """The annotations that carry a note: the inverse of `remarks`."""
    fields = ((LABEL, note.label), (SOURCE, note.source), (COMMENT, note.comment))
    return [Annotation(name, text) for name, text in fields if text]


def label_rank(annotation: Annotation) -> tuple[int, str, str]:
    """Which of several labels is shown: untagged first, then English, then any other."""
    language = annotation.language.lower()
    order = ("", "en").index(language) if language in ("", "en") else 3
    return 2 if language.startswith("en-") else order, language, annotation.text


def _is_belief(text: str) -> bool:
    """Whether an annotation value is a number, or Pronto's pair of them (`0.5;0.9`)."""
    return bool(text) and all(_number(part) is not None for part in text.split(";"))


def _doubt(name: str, text: str) -> str:
    """The reason to leave an axiom out; none if the belief is exactly 1."""
    if all(_number(part) == 1 for part in text.split(";")):
        return ""
    system = next((title for key, title in _SYSTEMS if key in name.lower()), "")
    named = f" ({system})" if system else ""
    return f"degree of belief{named}: a probability that the axiom is true, not a proportion"


def _number(text: str) -> Fraction | None:
    try:
        return exact(text)
    except InvalidStatementError:
        return None
