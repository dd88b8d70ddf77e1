"""The knowledge base: statements, and what readers need to know beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from boxsel.logic import html
from boxsel.logic.axioms import AXIOM_KINDS, Axiom, Conditional
from boxsel.logic.concepts import Concept, Entity, Name
from boxsel.logic.expecting import expect
from boxsel.logic.names import (
    BARE_NAMESPACE,
    NO_PREFIXES,
    Prefixes,
    check_iri,
    plain_name,
    plain_text,
)
from boxsel.logic.population import Population
from boxsel.logic.proportions import Number
from boxsel.logic.signature import Labelled, occurrences, signature_of
from boxsel.logic.signature import Signature as Signature
from boxsel.logic.statements import NO_NOTE, Query, Statement, merge_dropped
from boxsel.logic.statements import Dropped as Dropped
from boxsel.machine.budget import Budget, Limit, Seconds

if TYPE_CHECKING:
    import pandas

    from boxsel.answer.answer import Answer
    from boxsel.exact.bounds import Bounds
    from boxsel.exact.diagnosis.check import Check
    from boxsel.exact.diagnosis.explanation import Explanation
    from boxsel.exact.diagnosis.repair import Repair

AnyAxiom = TypeVar("AnyAxiom", bound=Axiom)
Queries = Any
"""Many queries: a list of texts or values, or a pandas table with `query`, or `head` and `body`."""


@dataclass(frozen=True, eq=False, repr=False)
class KB:
    """A knowledge base of Statistical EL.

    Two knowledge bases are equal if they make the same statements (with the same notes) over
    the same names, with the same labels and data, and left out the same axioms. The order of
    statements, repetitions and the prefixes are presentation. The `data` that it was counted from,
    if they are kept, state nothing: they are evidence.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> Admitted, DeptA = names("Admitted DeptA")
        >>> kb = KB.of(conditional(Admitted, given=DeptA, exactly=0.8))
        >>> [str(name) for name in kb.signature]
        ['Admitted', 'DeptA']
    """

    statements: tuple[Statement, ...] = ()
    prefixes: Prefixes = NO_PREFIXES
    labels: Mapping[str, str] = field(default_factory=dict)
    declared: frozenset[Entity] = frozenset()
    dropped: tuple[Dropped, ...] = ()
    data: Population | None = None

    def __post_init__(self) -> None:
        labels = {
            check_iri(iri): plain_text(label, "a label") for iri, label in self.labels.items()
        }
        shown = {iri: label for iri, label in labels.items() if label}
        object.__setattr__(self, "statements", tuple(self.statements))
        expect(
            Statement, "a knowledge base holds statements (KB.of takes axioms)", *self.statements
        )
        object.__setattr__(self, "labels", MappingProxyType(shown))
        object.__setattr__(self, "declared", frozenset(self.declared))
        object.__setattr__(self, "dropped", merge_dropped(self.dropped))
        _ = self.signature  # a name used as two kinds of thing is found here

    @classmethod
    def of(cls, *statements: Axiom | Statement) -> KB:
        """A knowledge base of axioms, with or without notes."""
        return cls(
            tuple(
                statement if isinstance(statement, Statement) else Statement(statement, NO_NOTE)
                for statement in statements
            )
        )

    @property
    def axioms(self) -> Iterator[Axiom]:
        """The axioms without their notes, in order."""
        return (statement.axiom for statement in self.statements)

    def axioms_of(self, kind: type[AnyAxiom]) -> Iterator[AnyAxiom]:
        """The axioms of one kind, in order."""
        return (axiom for axiom in self.axioms if isinstance(axiom, kind))

    @property
    def conditionals(self) -> Iterator[Conditional]:
        """The conditionals, in order."""
        return self.axioms_of(Conditional)

    @cached_property
    def signature(self) -> Signature:
        """Every name that occurs or is declared."""
        return signature_of(self.axioms, self.declared)

    @cached_property
    def unused(self) -> frozenset[Entity]:
        """The declared names that occur in no statement."""
        return self.declared.difference(occurrences(self.axioms)) if self.declared else frozenset()

    @cached_property
    def _content(self) -> tuple[object, ...]:
        return (
            frozenset(self.statements),
            frozenset(self.signature),
            frozenset(self.labels.items()),
            self.dropped,
            self.data,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KB):
            return NotImplemented
        return self is other or self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    def __reduce__(self) -> tuple[object, ...]:
        # What is derived is derived again: other processes get what was stated.
        labels = dict(self.labels)
        return KB, (
            self.statements,
            self.prefixes,
            labels,
            self.declared,
            self.dropped,
            self.data,
        )

    def __len__(self) -> int:
        return len(self.statements)

    def __iter__(self) -> Iterator[Statement]:
        return iter(self.statements)

    @cached_property
    def witness(self) -> Population | None:
        """The data, if every statement as it is now is true of them; individuals aside.

        Statements may have changed since they were counted: then the data are no evidence.
        """
        data = self.data
        return data if data is not None and data.is_model(self.axioms) else None

    @property
    def ignored_axioms(self) -> int:
        """How many axioms with a logical meaning were left out on reading."""
        return sum(drop.count for drop in self.dropped if drop.logical)

    @property
    def size(self) -> int:
        """The sum of the sizes of all axioms."""
        return sum(axiom.size for axiom in self.axioms)

    @property
    def depth(self) -> int:
        """The depth of the deepest concept."""
        return max((axiom.depth for axiom in self.axioms), default=0)

    def label(self, entity: Entity) -> str:
        """What people read for a name: its label if it has one, else its spelling."""
        expect(Entity, "names, roles and individuals have labels (kb.concept reads a text)", entity)
        return self.labels.get(entity.iri) or entity.text(self.prefixes)

    @cached_property
    def labelled(self) -> Prefixes:
        r"""Spells names for people: by their labels where these say which name is meant.

        Examples:
            >>> from boxsel.syntax.parser import parse_kb
            >>> kb = parse_kb('(Q515 | Q486972)[0.1]\nLabel: Q486972 "settlement"')
            >>> kb.statements[0].text(kb.labelled)
            '(Q515 | settlement)[0.1]'
        """
        return (
            Labelled(self.prefixes, self.labels, self.signature) if self.labels else self.prefixes
        )

    def find(self, text: str = "") -> Signature:
        """The names that hold a text in their spelling, IRI or label, whatever the case.

        Examples:
            >>> from boxsel import examples
            >>> kb = examples.load("clinic")
            >>> [one.text(kb.prefixes) for one in kb.find("DIABETES").concepts]
            ["'Type 1 diabetes'", 'Diabetes', "'Type 2 diabetes'"]
        """
        wanted = text.casefold()

        def holds(entity: Entity) -> bool:
            spelt = plain_name(entity.text(self.prefixes))
            # Of a bare name nobody wrote the namespace, so nobody looks for it.
            said = (spelt, entity.iri.removeprefix(BARE_NAMESPACE), self.labels.get(entity.iri, ""))
            return any(wanted in word.casefold() for word in said)

        names = self.signature
        return Signature(
            tuple(filter(holds, names.concepts)),
            tuple(filter(holds, names.roles)),
            tuple(filter(holds, names.individuals)),
        )

    def with_statements(self, statements: Iterable[Statement]) -> KB:
        """The same names, labels and prefixes with other statements."""
        return replace(
            self, statements=tuple(statements), declared=self.declared | frozenset(self.signature)
        )

    def ask(self, query: Query | str, *, budget: Seconds = 10.0) -> Answer:
        """What is certain, what is possible and what is estimated about the share of a query.

        Proofs and ensembles get `budget` seconds (5 or `"5s"`), at once. `boxsel.ask` has more
        options.

        Examples:
            >>> from boxsel import examples
            >>> answer = examples.load("berkeley").ask("(Admitted | Woman)")
            >>> answer.exact, answer.outer.lower
            (True, Fraction(81, 100))
        """
        from boxsel.answer.ask import ask

        return ask(self, query, budget=budget)

    def bounds(self, query: Query | str, *, budget: Limit = None) -> Bounds:
        """What the share of a query can be: exact bounds, with their evidence.

        With a budget in seconds, the best interval that is found in that time.

        Examples:
            >>> from boxsel import examples
            >>> answer = examples.load("berkeley").bounds("(Admitted | Woman)")
            >>> answer.lower, answer.upper
            (Fraction(81, 100), Fraction(81, 100))
        """
        from boxsel.exact.bounds import bounds

        return bounds(self, query, budget=Budget.of(budget))

    def explain(self, query: Query | str, *, budget: Limit = None) -> Explanation:
        """The statements that each end of an answer rests on, and how it follows.

        After a budget in seconds, what is known so far is explained.
        """
        from boxsel.exact.diagnosis.explanation import explain
        from boxsel.exact.reasoner import Reasoner

        limit = Budget.of(budget)
        return explain(Reasoner(self, budget=limit), query, budget=limit)

    def check(
        self,
        *,
        concept: Concept | str | None = None,
        limit: int = 1,
        budget: Limit = None,
    ) -> Check:
        """Whether there is a model and every name can be non-empty, else minimal conflicts.

        After a budget in seconds, what is known so far is the result.

        Examples:
            >>> from boxsel import examples
            >>> examples.load("clinic").check().coherent
            True
        """
        from boxsel.exact.diagnosis.check import check

        return check(self, concept=concept, limit=limit, budget=Budget.of(budget))

    def repair(
        self,
        *,
        names: Iterable[Name | str] | None = None,
        weights: Mapping[Conditional, Number] | Mapping[str, Number] | None = None,
        trust: Mapping[str, Number] | None = None,
        budget: Limit = None,
    ) -> Repair:
        """The least change of bounds after which every name (or each of some) can be non-empty.

        `trust` weighs sources; after a budget in seconds the best so far is the result.
        """
        from boxsel.exact.diagnosis.repair import repair

        return repair(self, names=names, weights=weights, trust=trust, budget=Budget.of(budget))

    # The doors: whatever takes a concept, a query or an axiom takes its text, and comes here.

    def concept(self, said: Concept | str) -> Concept:
        """The concept that is meant: a text is read in the names of this knowledge base.

        Examples:
            >>> from boxsel import examples
            >>> examples.load("berkeley").concept("Woman and DeptA")
            And(Name('Woman'), Name('DeptA'))

        Raises:
            ReadError: The text is no concept, or is about a name that is not known here.
            WrongKindError: It is neither a concept nor a text.
        """
        if isinstance(said, Concept):
            return said
        from boxsel.syntax.queries import Reader

        return Reader(self).concept(said)

    def name(self, said: Name | str) -> Name:
        """The name of this knowledge base that is meant; errors as for `concept`."""
        from boxsel.syntax.queries import Reader

        return Reader(self).name(said)

    def query(self, said: Query | str) -> Query:
        """The query that is meant; errors as for `concept`.

        Examples:
            >>> from boxsel import examples
            >>> print(examples.load("clinic").query("(Smoker | Patient)"))
            (<http://example.org/clinic#Smoker> | <http://example.org/clinic#Patient>)
        """
        if isinstance(said, Query):
            return said
        from boxsel.syntax.queries import Reader

        return Reader(self).query(said)

    def queries(self, said: Queries) -> tuple[Query, ...]:
        """The queries of a list, or of a pandas table with `query`, or `head` and `body`."""
        from boxsel.syntax.many_queries import queries_about

        return queries_about(self, said)

    def axiom(self, said: Axiom | Statement | str) -> Axiom:
        """The axiom that is meant; errors as for `concept`."""
        if isinstance(said, Axiom):
            return said
        from boxsel.syntax.queries import Reader

        return Reader(self).axiom(said)

    def to_frame(self) -> pandas.DataFrame:
        """The statements as a pandas table, which `boxsel.read` takes.

        Examples:
            >>> from boxsel import examples
            >>> frame = examples.load("applicant").to_frame()
            >>> list(frame.columns[:4]), frame["lower"][2]
            (['kind', 'head', 'body', 'lower'], Fraction(1, 5))

        Raises:
            WriteError: It holds more than a table can, such as roles or assertions.
        """
        from boxsel.formats.frame import to_frame

        return to_frame(self)

    def counts_by_kind(self) -> dict[str, int]:
        """How many statements there are of each kind that occurs."""
        counts = Counter(type(axiom) for axiom in self.axioms)
        return {kind.kind: counts[kind] for kind in AXIOM_KINDS if counts[kind]}

    def __repr__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.counts_by_kind().items())
        return f"<KB: {kinds or 'empty'}>"

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [
            ("concepts", len(self.signature.concepts)),
            ("roles", len(self.signature.roles)),
            ("individuals", len(self.signature.individuals)),
            *self.counts_by_kind().items(),
        ]
        if self.ignored_axioms:
            rows.append(("left out on reading", self.ignored_axioms))
        return html.table(("knowledge base", ""), rows)
