"""What annotations carry, in both directions: notes, conditionals, and what was left out.

`(D | C)[l, u]` travels as `SubClassOf(ObjectIntersectionOf(C D) C)`, an annotated tautology.
Every OWL tool may believe that axiom, which `C SubClassOf D` would not be safe for; its
annotations hold the bounds or the count. An annotation that is a degree of belief is no
proportion, and what a reading left out is noted on the ontology, so that it is not forgotten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.formats.owl.expressions import Expression
from boxsel.formats.owl.iris import (
    COMMENT,
    COMMENT_PROPERTIES,
    COUNT,
    DROPPED,
    GROUP,
    LABEL,
    LOWER,
    PROPORTION_PROPERTIES,
    SOURCE,
    SOURCE_PROPERTIES,
    TOTAL,
    UPPER,
)
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, Concept, conjunction, conjuncts
from boxsel.logic.kb import Dropped
from boxsel.logic.names import BARE_NAMESPACE
from boxsel.logic.proportions import MAX_DIGITS, Count, Interval, Proportion, exact, number_text
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


_INTEGER = re.compile(r"[0-9]+")
_PAIRS: Final = ((LOWER, UPPER), (COUNT, TOTAL))


def proportion_annotations(proportion: Proportion) -> list[Annotation]:
    """The annotations that carry a proportion: two exact numbers.

    Examples:
        >>> [annotation.text for annotation in proportion_annotations(Count(7, 12))]
        ['7', '12']
    """
    if isinstance(proportion, Count):
        return [
            Annotation(COUNT, str(proportion.count)),
            Annotation(TOTAL, str(proportion.total)),
        ]
    return [
        Annotation(LOWER, number_text(proportion.lower)),
        Annotation(UPPER, number_text(proportion.upper)),
    ]


def conditional_of(
    left: Expression, right: Expression, annotated: Mapping[str, Sequence[str]]
) -> Conditional:
    """The conditional that an annotated tautology `C ⊓ D ⊑ C` stands for."""
    return Conditional(_head(left, right.concept), right.concept, _proportion(annotated))


def _head(left: Expression, body: Concept) -> Concept:
    """What stands beside the body on the left.

    As written, the left is `(C, D)`. Other tools may flatten it, change its order, or remove
    repetitions and ⊤: then the head is what the body leaves over, which means the same.
    """
    if len(left.operands) == 2 and body in left.operands:
        first, second = left.operands
        return second if first == body else first
    given, concepts = set(conjuncts(body)), conjuncts(left.concept)
    if not given - {TOP} <= set(concepts):
        raise InvalidStatementError(
            "a conditional (D | C) needs the form ObjectIntersectionOf(C D) SubClassOf C"
        )
    rest = [concept for concept in concepts if concept not in given]
    return conjunction(*rest) if rest else body


def _proportion(annotated: Mapping[str, Sequence[str]]) -> Proportion:
    for first, second in _PAIRS:
        if set(annotated) == {first, second}:
            texts = [*annotated[first], *annotated[second]]
            if len(texts) != 2:
                raise InvalidStatementError(
                    f"there are several values for {_names((first, second))}"
                )
            if first == COUNT:
                return Count(_integer(texts[0]), _integer(texts[1]))
            return Interval.of(*texts)
    raise InvalidStatementError(
        f"found {_names(sorted(annotated))}, expected lower and upper, or count and total"
    )


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text.strip()) or len(text) > MAX_DIGITS:
        raise InvalidStatementError(f"{text!r:.80} is not a whole number")
    return int(text)


def _names(properties: Sequence[str]) -> str:
    return " and ".join(name.removeprefix(BARE_NAMESPACE) for name in properties)


_FIELDS = {"kind": str, "count": int, "reason": str, "logical": bool}


def omission_annotation(dropped: Dropped) -> Annotation:
    """The annotation that carries one kind of axiom that was left out.

    Examples:
        >>> omission_annotation(Dropped("Import", 1, "")).text
        '{"kind": "Import", "count": 1, "reason": "", "logical": true}'
    """
    record = {name: getattr(dropped, name) for name in _FIELDS}
    return Annotation(DROPPED, json.dumps(record, ensure_ascii=False))


def omission_of(annotation: Annotation) -> Dropped:
    """What such an annotation records: the inverse of `omission_annotation`."""
    try:
        record = json.loads(annotation.text)
    except (ValueError, RecursionError):
        record = None
    if (
        not isinstance(record, dict)
        or set(record) != set(_FIELDS)
        or any(type(record[name]) is not kind for name, kind in _FIELDS.items())
    ):
        raise InvalidStatementError(
            f"the annotation <{DROPPED}> holds {annotation.text!r:.200}, expected a JSON object "
            f"with {', '.join(_FIELDS)}"
        )
    return Dropped(**record)
