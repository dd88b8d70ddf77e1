"""What a user has before them in the workbench, as a value: at first, and in a link.

A link can be sent to somebody, or kept. The state stands after the `#` of its address, which
browsers do not send to servers.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, get_args

from boxsel import examples
from boxsel.errors import BoxselError

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

    `other` is a share that the one in question is compared with.
    `moves` has lines of `.sel` that take the place of others while the sliders stand elsewhere.

    Examples:
        >>> State.from_json({"text": "A SubClassOf B", "view": "nonsense"}).view
        'question'
    """

    text: str = ""
    name: str = "untitled"
    query: str = ""
    other: str = ""
    moves: tuple[str, ...] = ()
    view: View = "question"
    comparison: Comparison = field(default_factory=Comparison)

    def to_json(self) -> dict[str, Any]:
        """The state as a JSON object."""
        fields = asdict(self)
        comparison: dict[str, Any] = fields.pop("comparison")
        return fields | comparison

    def rest(self) -> dict[str, Any]:
        """All of it but the text, which the browser has."""
        return {key: value for key, value in self.to_json().items() if key != "text"}

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
            other=_text(found, "other"),
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


FIRST_EXAMPLE: Final = "applicant"
"""What is open at first."""

_QUESTIONS: Final = {
    "applicant": "(Admitted | Applicant)",
    "berkeley": "(Admitted | Woman)",
    "clinic": "(TakesInsulin | DiabeticPatient)",
}
_COMPARISONS: Final = {
    "berkeley": Comparison("Admitted", ("Woman", "Man"), ("DeptA", "DeptB")),
}
TABLES: Final = ("kidney_stones.csv", "whickham_smoking.csv", "admissions.csv")
"""The tables of the Simpson view."""


def start(name: str) -> State:
    """The state in which an example opens.

    Examples:
        >>> start("berkeley").query
        '(Admitted | Woman)'
    """
    return State(
        text=examples.text(name),
        name=f"{name}.sel",
        query=_QUESTIONS.get(name, ""),
        comparison=_COMPARISONS.get(name, Comparison()),
    )


MARK: Final = "s="
LONGEST_LINK: Final = 60_000
"""The longest link, in characters: longer ones get lost in mails, chats and some browsers."""
LARGEST_STATE: Final = 1_000_000
"""The largest state in bytes: a small link can unpack to any size."""


def fragment(state: State) -> str:
    """What stands after the `#` of a link to a state.

    Raises:
        BoxselError: The state is too large for a link.

    Examples:
        >>> restored(fragment(State(text="A SubClassOf B"))).text
        'A SubClassOf B'
    """
    too_large = BoxselError("this is too large for a link: save it to a file instead")
    text = json.dumps(state.to_json(), separators=(",", ":"), ensure_ascii=False)
    spelt = text.encode("utf-8", "surrogatepass")
    if len(spelt) > LARGEST_STATE:
        raise too_large
    link = MARK + base64.urlsafe_b64encode(zlib.compress(spelt)).decode().rstrip("=")
    if len(link) > LONGEST_LINK:
        raise too_large
    return link


def restored(link: str) -> State:
    """The state of a link, given what stands after its `#`.

    Raises:
        BoxselError: It is not the link of a state.
    """
    damaged = BoxselError("this link is damaged: it was cut off, perhaps, when it was copied")
    link = link.removeprefix("#")
    if not link.startswith(MARK) or len(link) > LONGEST_LINK:
        raise damaged
    code = link.removeprefix(MARK)
    try:
        packed = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        spelt = unpacking.decompress(packed, LARGEST_STATE)
        if not unpacking.eof:
            raise damaged
        return State.from_json(json.loads(spelt.decode("utf-8", "surrogatepass")))
    except (ValueError, TypeError, zlib.error, RecursionError):
        raise damaged from None
