"""What is said about a knowledge base: its prefixes, its names and their labels are known."""

from __future__ import annotations

import shlex
from difflib import get_close_matches
from functools import cached_property
from urllib.parse import unquote

from boxsel.errors import Diagnostic, InvalidStatementError, ReadError
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Concept, Entity, Individual, Name
from boxsel.logic.expecting import expect
from boxsel.logic.kb import KB
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI, plain_name, quote_name, split_iri
from boxsel.logic.statements import Query, Statement
from boxsel.syntax.nametable import NOT_INSIDE, NameProblem, NameTable, used_twice
from boxsel.syntax.parser import parse_concept, parse_query, parse_statements


class KBNames(NameTable):
    """The names of a knowledge base; a name may also be spelt by its label.

    Where a role stands, only labels of roles count, and so for concepts and individuals. A name
    that the knowledge base does not have is a mistake: nothing can be known about it. `file` is
    where the knowledge base was read from, for advice.
    """

    def __init__(self, kb: KB, file: str | None = None) -> None:
        super().__init__(kb.prefixes)
        self._kb = kb
        self._file = file
        self._entities = {entity.iri: entity for entity in kb.signature}
        self._labelled: dict[str, list[Entity]] = {}
        for iri, label in kb.labels.items():
            if iri in self._entities:
                self._labelled.setdefault(label.casefold(), []).append(self._entities[iri])
        for entity in kb.signature:
            self.know(entity)

    def iri(self, spelling: str, kind: type[Entity] = Entity) -> str:
        """The IRI of a name of the knowledge base, spelt as there or by its label."""
        try:
            iri = super().iri(spelling)
        except NameProblem:
            iri = ""
        named = self._entities.get(iri)
        if isinstance(named, kind) or iri in (TOP_IRI, BOTTOM_IRI):
            return iri
        said = plain_name(spelling)
        labelled = self._labelled.get(said.casefold(), ())
        fitting = [entity for entity in labelled if isinstance(entity, kind)]
        if len(fitting) == 1:
            return fitting[0].iri
        if fitting:
            spellings = ", ".join(entity.text(self._kb.prefixes) for entity in fitting)
            raise NameProblem(f"several names are labelled {said!r}", f"write one of: {spellings}")
        if not iri or iri.startswith(self._kb.prefixes.namespace):  # without a prefix of its own
            alike = [entity for entity in self._by_local.get(said, ()) if isinstance(entity, kind)]
            if len(alike) == 1:
                return alike[0].iri
        other = named or next(iter(labelled), None)
        if other is not None:
            advice = NOT_INSIDE if isinstance(other, Individual) else self._advice(said, kind)
            raise NameProblem(used_twice(spelling, kind, other, "in the knowledge base"), advice)
        if not iri:
            super().iri(spelling)  # says what is wrong with the spelling itself
        problem = f"the knowledge base does not mention {spelling}"
        raise NameProblem(problem, self._advice(said, kind), unknown=True)

    def written(self, said: str) -> str | None:
        """How the name is written that a text without quotes spells, if there is exactly one."""
        word = self._by_words.get(said.casefold(), {})
        # A role and a concept may share a label: where it stands tells which is meant.
        several = len({type(entity) for entity in word}) < len(word)
        ways = set(word.values())
        return ways.pop() if len(ways) == 1 and not several else None

    @cached_property
    def _by_local(self) -> dict[str, list[Entity]]:
        """The names by what follows their namespaces: enough, where only one has it."""
        found: dict[str, list[Entity]] = {}
        for entity in self._entities.values():
            found.setdefault(unquote(split_iri(entity.iri)[1]), []).append(entity)
        return found

    @cached_property
    def _by_words(self) -> dict[str, dict[Entity, str]]:
        """The names that may stand in a concept, by what people would write without quotes."""
        found: dict[str, dict[Entity, str]] = {}
        for entity in self._entities.values():
            if not isinstance(entity, Individual):
                spelt, label = entity.text(self._kb.prefixes), self._kb.labels.get(entity.iri)
                found.setdefault(plain_name(spelt).casefold(), {})[entity] = spelt
                if label is not None:
                    found.setdefault(label.casefold(), {}).setdefault(entity, quote_name(label))
        return found

    def _advice(self, said: str, kind: type[Entity]) -> str:
        fitting = [entity for entity in self._entities.values() if isinstance(entity, kind)]
        known = {self._kb.label(entity).casefold(): entity for entity in fitting}
        known |= {entity.text(self._kb.prefixes).casefold(): entity for entity in fitting}
        close = get_close_matches(said.casefold(), known, n=1, cutoff=0.6)
        if close:
            return f"did you mean {known[close[0]].text(self._kb.prefixes)}?"
        file = "KB" if self._file is None else shlex.quote(self._file)
        return f"`boxsel show {file} --names` lists what it mentions"


class Reader:
    """Reads what is said about a knowledge base: texts in its names, and values as they are.

    Advice about names is for the file that it was read from, if there is one.
    """

    def __init__(self, kb: KB, file: str | None = None) -> None:
        self._kb = kb
        self._file = file
        self._concepts: dict[str, Concept] = {}
        self._queries: dict[str, Query] = {}

    @cached_property
    def _names(self) -> KBNames:
        return KBNames(self._kb, self._file)

    def concept(self, said: Concept | str) -> Concept:
        """The concept that is meant."""
        if isinstance(said, Concept):
            return said
        expect(str, "a concept is a text, such as 'A and B', or a Concept", said)
        if said not in self._concepts:  # tables repeat themselves
            self._concepts[said] = parse_concept(said, self._names)
        return self._concepts[said]

    def name(self, said: Name | str) -> Name:
        """The name that is meant."""
        concept = self.concept(said)
        if not isinstance(concept, Name):
            text = concept.text(self._kb.prefixes)
            raise InvalidStatementError(f"a name is needed here, and {text} is a complex concept")
        if concept not in self._kb.signature.concepts:
            raise InvalidStatementError(f"the knowledge base does not mention {concept}")
        return concept

    def query(self, said: Query | str) -> Query:
        """The query that is meant."""
        if isinstance(said, Query):
            return said
        expect(str, "a query is a text, such as '(D | C)', or a Query", said)
        if said not in self._queries:
            self._queries[said] = parse_query(said, self._names)
        return self._queries[said]

    def axiom(self, said: Axiom | Statement | str) -> Axiom:
        """The axiom that is meant."""
        first, *others = self.statements(said)
        if others:
            problem = f"one statement is needed here, and these are {len(others) + 1}"
            raise ReadError(Diagnostic(problem))
        return first.axiom

    def statements(self, said: Axiom | Statement | str) -> tuple[Statement, ...]:
        """The statements that are meant: a text may have several lines."""
        if isinstance(said, Statement):
            return (said,)
        if isinstance(said, Axiom):
            return (Statement(said),)
        expect(str, "a statement is a text, such as '(D | C)[0.3]', or an Axiom", said)
        statements = parse_statements(said, self._names)
        if not statements:
            raise ReadError(
                Diagnostic(
                    f"{said!r} states nothing", help="write a statement, such as (D | C)[0.3]"
                )
            )
        return statements
