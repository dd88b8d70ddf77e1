"""What a user has before them in the workbench, as a value: enough to find it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

View = Literal["question", "simpson", "boxes"]
"""The views beside the editor."""


@dataclass(frozen=True)
class Comparison:
    """What is chosen in the Simpson view: names of a knowledge base."""

    outcome: str = ""
    groups: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()


@dataclass(frozen=True)
class State:
    """The text in the editor, the question, the sliders that were moved, and the view.

    `moves` has lines of `.sel` that take the place of others while the sliders stand elsewhere.

    Examples:
        >>> State.from_json({"text": "A SubClassOf B", "view": "nonsense"}).view
        'question'
    """

    text: str = ""
    name: str = "untitled"
    query: str = ""
    moves: tuple[str, ...] = ()
    view: View = "question"
    comparison: Comparison = field(default_factory=Comparison)

    def to_json(self) -> dict[str, Any]:
        """The state as a JSON object."""
        return {
            "text": self.text,
            "name": self.name,
            "query": self.query,
            "moves": list(self.moves),
            "view": self.view,
            "outcome": self.comparison.outcome,
            "groups": list(self.comparison.groups),
            "strata": list(self.comparison.strata),
        }

    @classmethod
    def from_json(cls, found: object) -> State:
        """The state of a JSON object; what is missing, or not of its kind, is as at first.

        Raises:
            TypeError: It is no object.
        """
        if not isinstance(found, Mapping):
            raise TypeError("a state is an object")
        view: Any = found.get("view")
        comparison = Comparison(
            _text(found, "outcome"), _texts(found, "groups"), _texts(found, "strata")
        )
        return cls(
            text=_text(found, "text"),
            name=_text(found, "name") or cls.name,
            query=_text(found, "query"),
            moves=_texts(found, "moves"),
            view=view if view in get_args(View) else cls.view,
            comparison=comparison,
        )


def _text(found: Mapping[Any, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""


def _texts(found: Mapping[Any, Any], key: str) -> tuple[str, ...]:
    values = found.get(key)
    if not isinstance(values, list):
        return ()
    return tuple(value for value in values if isinstance(value, str))
