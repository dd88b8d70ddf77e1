"""How the statements of a knowledge base hang together: its treewidth, and the types of its tree.

Where both are small, questions are answered along the tree in little time (`exact.ways.tree`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boxsel.exact.compile.problem import Problem
from boxsel.exact.ways.trees.bags import TooWideError, compile_bags
from boxsel.exact.ways.way import Limits
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget, OutOfTimeError

TREE_SECONDS: Final = 5.0
"""So long a tree is looked for; galen2, of 4,000 basic concepts, takes 3 s."""


@dataclass(frozen=True)
class Shape:
    """The tree that was found for a knowledge base, if it is narrow enough to be of use.

    `treewidth` is the number of basic concepts in the largest bag, less one, by *min-fill*: the
    least possible may be smaller. `types` are those of all bags together.
    """

    treewidth: int | None = None
    types: int | None = None

    @property
    def text(self) -> str:
        """The shape for people."""
        if self.treewidth is None:
            return "too wide for the tree way"
        return f"{self.treewidth:,} (bags with {self.types:,} types)"

    def to_json(self) -> dict[str, int | None]:
        """The shape as a JSON object."""
        return {"treewidth": self.treewidth, "types": self.types}


def find_shape(kb: KB, budget: Budget | None = None) -> Shape:
    r"""How the statements of a knowledge base hang together.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> find_shape(parse_kb("(B | A)[0.2]\n(C | B)[0.3, 0.4]")).text
        '1 (bags with 8 types)'
    """
    problem = Problem(enumerate(kb.axioms))
    clauses = [clause for _, clause in problem.clauses]
    width, limit = len(problem.vocabulary), Limits().bags
    try:
        bags = compile_bags(clauses, problem.rows, width, limit, budget or Budget(TREE_SECONDS))
    except (TooWideError, OutOfTimeError):
        return Shape()
    return Shape(max(bags.width, 0), bags.size)  # nothing at all hangs together in no bag
