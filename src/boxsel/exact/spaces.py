"""Which space the types of a problem live in: a list if they are few, else a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boxsel.exact.enumeration import enumerate_types
from boxsel.exact.problem import Clause
from boxsel.exact.space import ListedSpace
from boxsel.machine.budget import Budget

if TYPE_CHECKING:
    from boxsel.exact.search import SearchedSpace


def space_of(
    clauses: Sequence[Clause], width: int, budget: Budget, listed: int
) -> ListedSpace | SearchedSpace:
    """The types over so many basic concepts that obey clauses, at most so many of them listed."""
    kinds = enumerate_types(clauses, (1 << width) - 1, listed, budget) if listed else None
    if kinds is not None:
        return ListedSpace(kinds, width)
    # The solver takes longer to load than most answers, and few need it.
    from boxsel.exact.search import SearchedSpace

    return SearchedSpace(clauses, budget)
