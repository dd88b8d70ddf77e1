"""Why an end of an answer is where it is: what forces it, and what shows that it can be reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from boxsel.answer.witness import Witness
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Query, Statement
from boxsel.wording import several

How = Literal["proved", "trivial", "parts", "open", ""]
"""What an end rests on: some statements; nothing, since it is 0 or 1; parts of the whole, since the
time was over; or nothing yet."""


@dataclass(frozen=True)
class Evidence:
    """The evidence for one end.

    `statements` force it: they are minimal if there was time for that. `witness` is a model that
    attains it, or comes near. Where the time was over, it was found from parts of the knowledge
    base, and there is neither.
    """

    how: How
    statements: tuple[Statement, ...] = ()
    witness: Witness | None = None

    def text(self, query: Query, prefixes: Prefixes) -> str:
        """One sentence."""
        forced = {
            "trivial": "nothing stated says more",
            "proved": f"forced by {several(len(self.statements), 'statement')}",
            "parts": "proved from parts of the knowledge base",
            "open": "nothing more was proved in time",
            "": "",
        }[self.how]
        if self.witness is None:
            return forced
        return f"{forced}; {self.witness.text(query, prefixes)}"

    def to_json(self, query: Query, prefixes: Prefixes) -> dict[str, Any]:
        """The evidence as a JSON object."""
        return {
            "text": self.text(query, prefixes),
            "how": self.how or None,
            "axioms": [one.text(prefixes) for one in self.statements],
            "witness": self.witness and self.witness.to_json(),
        }


NO_EVIDENCE = Evidence("")
