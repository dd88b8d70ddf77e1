"""What changed between two knowledge bases."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TypeVar

from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Entity
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.population import Population
from boxsel.logic.statements import Statement

Change = tuple[Statement, Statement]
LabelChange = tuple[str, str | None, str | None]
AnyValue = TypeVar("AnyValue", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Difference:
    """What one knowledge base has and another has not; equal ones have no difference.

    A statement is `changed` if the same is said with another proportion or another note.
    A label change is an IRI with its old and its new label, `None` where there is none. Old and new
    `data` are told where they differ.
    """

    added: tuple[Statement, ...] = ()
    removed: tuple[Statement, ...] = ()
    changed: tuple[Change, ...] = ()
    names_added: tuple[Entity, ...] = ()
    names_removed: tuple[Entity, ...] = ()
    labels: tuple[LabelChange, ...] = ()
    dropped_added: tuple[Dropped, ...] = ()
    dropped_removed: tuple[Dropped, ...] = ()
    data: tuple[Population | None, Population | None] = (None, None)
    prefixes: Prefixes = NO_PREFIXES

    @property
    def same(self) -> bool:
        """Whether the two knowledge bases are equal."""
        return not any(
            (
                self.added or self.removed or self.changed,
                self.names_added or self.names_removed,
                self.labels,
                self.dropped_added or self.dropped_removed,
                *self.data,
            )
        )

    def lines(self) -> Iterator[str]:
        """The difference for people: `-` was removed, `+` was added, `~` was changed."""
        spelt = self.prefixes
        yield from (f"- {statement.text(spelt)}" for statement in self.removed)
        yield from (f"+ {statement.text(spelt)}" for statement in self.added)
        yield from (f"~ {old.text(spelt)} -> {new.text(spelt)}" for old, new in self.changed)
        yield from (f"- {entity.kind} {entity.text(spelt)}" for entity in self.names_removed)
        yield from (f"+ {entity.kind} {entity.text(spelt)}" for entity in self.names_added)
        for iri, old, new in self.labels:
            sign = "+" if old is None else "-" if new is None else "~"
            texts = " -> ".join(repr(text) for text in (old, new) if text is not None)
            yield f"{sign} label of {spelt.shorten(iri)}: {texts}"
        yield from (f"- {_left_out(drop)}" for drop in self.dropped_removed)
        yield from (f"+ {_left_out(drop)}" for drop in self.dropped_added)
        for sign, data in zip("-+", self.data, strict=True):
            if data is not None:
                yield f"{sign} data: {data.text}"

    @property
    def text(self) -> str:
        """All lines; nothing if the two are equal."""
        return "".join(f"{line}\n" for line in self.lines())

    def to_json(self) -> dict[str, object]:
        """The difference as a JSON object; statements are lines of `.sel`, names are IRIs."""
        spelt = self.prefixes
        return {
            "same": self.same,
            "added": [statement.text(spelt) for statement in self.added],
            "removed": [statement.text(spelt) for statement in self.removed],
            "changed": [
                {"old": old.text(spelt), "new": new.text(spelt)} for old, new in self.changed
            ],
            "names": {
                "added": [{"kind": entity.kind, "iri": entity.iri} for entity in self.names_added],
                "removed": [
                    {"kind": entity.kind, "iri": entity.iri} for entity in self.names_removed
                ],
            },
            "labels": {iri: {"old": old, "new": new} for iri, old, new in self.labels},
            "dropped": {
                "added": [asdict(drop) for drop in self.dropped_added],
                "removed": [asdict(drop) for drop in self.dropped_removed],
            },
            "data": dict(
                zip(("old", "new"), (data and data.sizes for data in self.data), strict=True)
            ),
        }


def difference(old: KB, new: KB) -> Difference:
    """What the new knowledge base adds to, removes from and changes in the old one.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> A, B, C = names("A B C")
        >>> old = KB.of(conditional(B, given=A, exactly=0.2), A <= C)
        >>> new = KB.of(conditional(B, given=A, exactly=0.3), A <= C, B <= C)
        >>> print(difference(old, new).text, end="")
        + B SubClassOf C
        ~ (B | A)[0.2] -> (B | A)[0.3]
    """
    removed, added = _compare(old.statements, new.statements)
    changed = _pairs(removed, added)
    paired = {statement for pair in changed for statement in pair}
    names_removed, names_added = _compare(old.signature, new.signature)
    dropped_removed, dropped_added = _compare(old.dropped, new.dropped)
    return Difference(
        added=tuple(statement for statement in added if statement not in paired),
        removed=tuple(statement for statement in removed if statement not in paired),
        changed=changed,
        names_added=names_added,
        names_removed=names_removed,
        labels=tuple(_label_changes(old.labels, new.labels)),
        dropped_added=dropped_added,
        dropped_removed=dropped_removed,
        data=(None, None) if old.data == new.data else (old.data, new.data),
        # Both sides are spelt alike, so that only what differs looks different.
        prefixes=Prefixes({**old.prefixes, **new.prefixes}),
    )


def _compare(
    old: Iterable[AnyValue], new: Iterable[AnyValue]
) -> tuple[tuple[AnyValue, ...], tuple[AnyValue, ...]]:
    """What only the old has, and what only the new has, each in its own order."""
    # Hashing and comparing statements is the expensive part: each is done once.
    places: dict[AnyValue, int] = {}
    for value in new:
        places.setdefault(value, len(places))
    shared = bytearray(len(places))
    removed: dict[AnyValue, None] = {}
    for value in old:
        place = places.get(value)
        if place is None:
            removed[value] = None
        else:
            shared[place] = True
    return tuple(removed), tuple(value for value, place in places.items() if not shared[place])


def _pairs(removed: Iterable[Statement], added: Iterable[Statement]) -> tuple[Change, ...]:
    """Removed and added statements that say the same but for the proportion or the note."""
    before, after = _by_subject(removed), _by_subject(added)
    return tuple(
        (old, new)
        for subject, old in before.items()
        if old is not None and (new := after.get(subject)) is not None
    )


def _by_subject(statements: Iterable[Statement]) -> dict[Hashable, Statement | None]:
    """Each statement by what it is about; `None` where several are about the same."""
    found: dict[Hashable, Statement | None] = {}
    for statement in statements:
        axiom = statement.axiom
        subject = (axiom.head, axiom.body) if isinstance(axiom, Conditional) else axiom
        found[subject] = None if subject in found else statement
    return found


def _label_changes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[LabelChange]:
    for iri in {**old, **new}:
        if old.get(iri) != new.get(iri):
            yield iri, old.get(iri), new.get(iri)


def _left_out(drop: Dropped) -> str:
    reason = f" ({drop.reason})" if drop.reason else ""
    return f"left out on reading: {drop.count} {drop.kind}{reason}"
