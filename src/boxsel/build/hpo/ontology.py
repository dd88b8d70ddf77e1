"""The phenotype terms: which is a kind of which, what they are called, what replaced what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Ontology:
    """Terms by identifier, with their parents.

    `replaced` leads from a former identifier to the one that is used now.

    Examples:
        >>> ontology = Ontology({"HP:3": ("HP:2",), "HP:2": ("HP:1",), "HP:1": ()})
        >>> sorted(ontology.ancestors("HP:3"))
        ['HP:1', 'HP:2']
    """

    parents: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    obsolete: frozenset[str] = frozenset()
    _known: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def __contains__(self, term: str) -> bool:
        return term in self.parents

    def current(self, term: str) -> str | None:
        """The identifier that is used now for a term; `None` if there is none."""
        seen: set[str] = set()
        while term not in self.parents:
            if term in seen or term not in self.replaced:
                return None
            seen.add(term)
            term = self.replaced[term]
        return term

    def ancestors(self, term: str) -> frozenset[str]:
        """Every other term of which this one is a kind."""
        found = self._known.get(term)
        if found is None:
            reached: set[str] = set()
            open_terms = list(self.parents.get(term, ()))
            while open_terms:
                parent = open_terms.pop()
                if parent not in reached:
                    reached.add(parent)
                    open_terms.extend(self.parents.get(parent, ()))
            reached.discard(term)  # it is among them only if is-a goes round in a circle
            found = self._known[term] = frozenset(reached)
        return found

    def closure(self, terms: Iterable[str]) -> set[str]:
        """The terms and all their ancestors."""
        needed = set(terms)
        for term in tuple(needed):
            needed |= self.ancestors(term)
        return needed

    def links(self, terms: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The is-a links from some terms to their parents, in order."""
        for term in sorted(terms):
            for parent in self.parents[term]:
                yield term, parent

    def circular(self, terms: Iterable[str]) -> tuple[str, ...]:
        """The terms among these that are kinds of themselves through others."""
        return tuple(
            term
            for term in sorted(terms)
            if any(term in self.ancestors(parent) for parent in self.parents[term])
        )
