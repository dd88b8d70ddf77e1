"""Names as people know them: spelt by their labels where these say which name is meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from boxsel.logic.concepts import Entity
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI, Prefixes, bare_iri, spell_word


class Labelled(Prefixes):
    """Prefixes that spell a name by its label, for people and never for files.

    A query in this spelling is still read as the same one: a label that several names of a kind
    share, or that is itself another name, is not used.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> city, film = Name("Q515"), Name("Q11424")
        >>> table = Labelled(Prefixes(), {city.iri: "big city"}, [city, film])
        >>> city.text(table), film.text(table)
        ("'big city'", 'Q11424')
    """

    __slots__ = ("_kinds", "_labels", "_shared")

    def __init__(
        self, prefixes: Prefixes, labels: Mapping[str, str], entities: Iterable[Entity]
    ) -> None:
        super().__init__(prefixes)
        self._labels = labels
        self._kinds = {entity.iri: type(entity) for entity in entities}
        self._shared = Counter(
            (kind, labels.get(iri, "").casefold()) for iri, kind in self._kinds.items()
        )

    def _spell(self, iri: str) -> str:
        label = self._labels.get(iri, "")
        return spell_word(label) if label and self._tells(label, iri) else super()._spell(iri)

    def _tells(self, label: str, iri: str) -> bool:
        """Whether a label is read as the name that has it."""
        kind = self._kinds.get(iri)
        if kind is None or not label.isprintable() or self._shared[kind, label.casefold()] > 1:
            return False
        name = bare_iri(label, self.namespace)
        return name == iri or not (name in self._kinds or name in (TOP_IRI, BOTTOM_IRI))
