"""Groups of atoms that exclude each other, from disjointness told in pairs and in groups.

Pairs are gathered into cliques, because a sum over five exclusive heads says more than ten
sums over two. The cover is greedy, in an order that does not depend on that of the axioms.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from boxsel.machine.budget import Budget
from boxsel.rules.knowledge import EVERY, Knowledge

MOST_GROUPS: Final = 4
"""How many cliques an atom takes part in at most: the largest ones."""


def exclusive_groups(knowledge: Knowledge, budget: Budget) -> list[tuple[int, ...]]:
    """Groups of at least two atoms, no two of which share an instance."""
    told = [tuple(dict.fromkeys(group)) for group in knowledge.groups]
    return told + _cliques(knowledge, budget)


def _cliques(knowledge: Knowledge, budget: Budget) -> list[tuple[int, ...]]:
    place = knowledge.order
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, two in knowledge.disjoint_pairs():
        neighbours[one].add(two)
        neighbours[two].add(one)
    edges = sorted(
        (tuple(sorted(pair, key=place.__getitem__)) for pair in knowledge.disjoint_pairs()),
        key=lambda pair: [place[atom] for atom in pair],
    )
    covered: set[tuple[int, int]] = set()
    cliques = []
    for one, two in budget.watched(edges, EVERY):
        if (one, two) in covered:
            continue
        clique, common = [one, two], neighbours[one] & neighbours[two]
        while common:
            atom = min(common, key=place.__getitem__)
            clique.append(atom)
            common &= neighbours[atom]
        covered.update((first, second) for first in clique for second in clique)
        cliques.append(tuple(clique))
    return _largest(cliques)


def _largest(cliques: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The cliques that are among the largest of one of their atoms."""
    times: dict[int, int] = defaultdict(int)
    kept = []
    for clique in sorted(cliques, key=len, reverse=True):
        if any(times[atom] < MOST_GROUPS for atom in clique):
            kept.append(clique)
            for atom in clique:
                times[atom] += 1
    return kept
