"""What a reading left out, as an annotation of the ontology: it must not be forgotten."""

from __future__ import annotations

import json

from boxsel.errors import InvalidStatementError
from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.vocabulary import DROPPED
from boxsel.logic.kb import Dropped

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
