"""From the axioms of an OWL file, one by one, to a knowledge base.

OWL lets one IRI be a class, a role and an individual at once ("punning"). SEL does not, so
the kind that the statements use most is kept, and statements that use another are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from boxsel.errors import Diagnostic, InvalidStatementError, ReadError
from boxsel.formats.data_form import data_of_text
from boxsel.formats.owl.annotations import (
    Annotation,
    Remarks,
    conditional_of,
    label_rank,
    omission_of,
    remarks,
)
from boxsel.formats.owl.axioms import (
    READINGS,
    Loss,
    Outcome,
    connected,
    equivalent_classes,
    left_out,
    unsaid_reason,
)
from boxsel.formats.owl.expressions import Expression, Names, UnreadableIriError
from boxsel.formats.owl.iris import DATA, DROPPED, LABEL, OWN_PROPERTIES, SILENT_PROPERTIES, meant
from boxsel.formats.owl.writing import AXIOM_TAGS
from boxsel.formats.source import Source
from boxsel.logic.axioms import AXIOM_KINDS
from boxsel.logic.concepts import Entity, Individual, Name, Role
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.population import Population
from boxsel.logic.statements import Statement
from boxsel.wording import with_article

_PLACE = {kind: place for place, kind in enumerate(AXIOM_KINDS)}
_FURTHER_LABEL = Loss("AnnotationAssertion", "a further label of the same name", logical=False)
_FURTHER_ANNOTATION = left_out("Annotation", logical=False).losses[0]


class Collector:
    """Gathers what a file says and makes a knowledge base of it.

    The readers of the serialisations call it once for each axiom. The result does not depend
    on the order of the calls, because parsers give none.
    """

    def __init__(self) -> None:
        self.names = Names()
        self._statements: list[Statement] = []
        self._declared: set[Entity] = set()
        self._losses: Counter[Loss] = Counter()
        self._recorded: list[Dropped] = []
        self._data: Population | None = None
        self._labels: dict[str, set[Annotation]] = {}
        self._foreign: dict[str, bool] = {}
        self._groups: dict[str, list[tuple[Sequence[Expression], frozenset[Annotation]]]] = {}

    def axiom(self, kind: str, annotations: Iterable[Annotation], *parts: Any) -> None:
        """Take an axiom of a kind that SEL has: its parts are what `READINGS` reads.

        A `SubClassOf` may be annotated as a conditional, and an `EquivalentClasses` may be one pair
        of a larger group.
        """
        annotations = tuple(annotations)
        said = remarks(annotations)
        if said.group and kind == "EquivalentClasses":
            (members,) = parts
            self._groups.setdefault(said.group, []).append((members, frozenset(annotations)))
        elif said.proportion and kind == "SubClassOf":
            left, right = parts
            self._keep(kind, said, _conditional(left, right, said.proportion))
        else:
            self._keep(kind, said, READINGS[kind](*parts))

    def leave_out(
        self, kind: str, annotations: Iterable[Annotation] = (), *, logical: bool = True
    ) -> None:
        """Take an axiom of a kind that SEL does not have."""
        self._keep(kind, remarks(annotations), left_out(kind, logical=logical))

    def lose(self, *losses: Loss) -> None:
        """Count what is left out."""
        self._losses.update(losses)

    def declare(self, kind: str, iri: str) -> None:
        """Take a declaration, such as a `DeclareClass`; ⊤ and ⊥ need none.

        What is no name of SEL is foreign, and so is its label. Annotation properties are not
        counted: they only serve to say something else.
        """
        entity: object
        match kind:
            case "DeclareClass":
                entity = self.names.concept(iri).concept
            case "DeclareObjectProperty":
                entity = self.names.role(iri).role
            case "DeclareNamedIndividual":
                entity = self.names.individual(iri)
            case _:
                counted = kind != "DeclareAnnotationProperty"
                self._foreign[iri] = counted or self._foreign.get(iri, False)
                if counted:
                    self.leave_out(kind, logical=False)
                return
        if isinstance(entity, Entity):
            self._declared.add(entity)

    def annotation_assertion(self, subject: str | None, annotation: Annotation) -> None:
        """Take what is said about a name; `None` stands for an anonymous individual."""
        if annotation.property == LABEL and subject is not None:
            self._labels.setdefault(subject, set()).add(annotation)
        elif annotation.property not in SILENT_PROPERTIES:
            self.lose(*left_out("AnnotationAssertion", logical=False).losses)

    def ontology_annotation(self, annotation: Annotation) -> None:
        """Take what is said about the whole, also what an earlier reading left out."""
        if annotation.property == DROPPED:
            self._recorded.append(omission_of(annotation))
        elif annotation.property == DATA:
            self._data = self._data or data_of_text(annotation.text)
        elif annotation.property not in SILENT_PROPERTIES:
            self.lose(*left_out("OntologyAnnotation", logical=False).losses)

    def finish(self, prefixes: Prefixes = NO_PREFIXES) -> KB:
        """The knowledge base of all that was taken, in an order of its own."""
        for group in self._groups.values():
            annotations = frozenset().union(*(annotations for _, annotations in group))
            for joined in connected([pair for pair, _ in group]):
                members = sorted(joined, key=lambda member: member.concept.text())
                self._keep("EquivalentClasses", remarks(annotations), equivalent_classes(members))
        statements, declared = self._statements, frozenset(self._declared)
        if self.names.punned:
            statements, declared, losses = resolve_punning(statements, declared)
            self.lose(*losses)
        labels = self._shown_labels()
        # By text before repetitions go: equal conjunctions may be spelt in different orders.
        ordered = sorted(
            statements, key=lambda statement: (_PLACE[type(statement.axiom)], statement.text())
        )
        left = (
            Dropped(loss.kind, n, loss.reason, loss.logical) for loss, n in self._losses.items()
        )
        return KB(
            statements=tuple(dict.fromkeys(ordered)),
            prefixes=prefixes,
            labels=labels,
            declared=declared,
            dropped=(*self._recorded, *left),
            data=self._data,
        )

    def _keep(self, kind: str, said: Remarks, outcome: Outcome) -> None:
        if said.proportion and kind != "SubClassOf":
            raise InvalidStatementError(
                f"{with_article(kind)} axiom is annotated with bounds: only a SubClassOf of the "
                "form ObjectIntersectionOf(C D) SubClassOf C can carry them"
            )
        if said.others:
            self._losses[_FURTHER_ANNOTATION] += said.others
        if said.belief:
            self.lose(Loss(kind, said.belief))
            return
        self._statements.extend(Statement(axiom, said.note) for axiom in outcome.axioms)
        self.lose(*outcome.losses)

    def _shown_labels(self) -> dict[str, str]:
        shown: dict[str, str] = {}
        unread = left_out("AnnotationAssertion", logical=False).losses
        for iri, labels in self._labels.items():
            if iri in self._foreign and iri not in OWN_PROPERTIES and iri not in self.names:
                self.lose(*unread * len(labels) * self._foreign[iri])
                continue
            try:
                name = meant(iri)
            except InvalidStatementError:
                self.lose(*unread * len(labels))
                continue
            shown[name] = min(labels, key=label_rank).text
            self._losses.update([_FURTHER_LABEL] * (len(labels) - 1))
        return shown


def _conditional(
    left: Expression, right: Expression, proportion: Mapping[str, Sequence[str]]
) -> Outcome:
    """What a `SubClassOf` says that is annotated as a conditional."""
    if lost := left.lost + right.lost:
        return Outcome(losses=(Loss("SubClassOf", unsaid_reason(lost)),))
    try:
        return Outcome((conditional_of(left, right, proportion),))
    except InvalidStatementError as error:
        axiom = f"{left.concept} SubClassOf {right.concept}"
        problem = f"the conditional in “{axiom}” cannot be read: {error}"
        raise InvalidStatementError(problem) from None


@contextmanager
def problems_named(source: Source) -> Iterator[None]:
    """Turn what the logic refuses into an error about the file, with a line if it has one."""
    try:
        yield
    except UnreadableIriError as error:
        place = source.data.find(error.iri.encode(errors="replace"))
        line = source.data.count(b"\n", 0, place) + 1 if place >= 0 else None
        raise ReadError(Diagnostic(str(error), file=source.file, line=line)) from None
    except InvalidStatementError as error:
        raise ReadError(Diagnostic(str(error), file=source.file)) from None


_RANK: tuple[type[Entity], ...] = (Name, Role, Individual)


def resolve_punning(
    statements: Iterable[Statement], declared: Iterable[Entity]
) -> tuple[list[Statement], frozenset[Entity], list[Loss]]:
    """The statements and declarations in which every name is one kind of thing."""
    statements, declared = list(statements), frozenset(declared)
    # An entity's kind is part of its identity here: only names with two kinds need a count.
    used: Counter[Entity] = Counter()
    for statement in statements:
        used.update(statement.axiom.entities())
    kinds: dict[str, list[Entity]] = {}
    for entity in {*used, *declared}:
        kinds.setdefault(entity.iri, []).append(entity)
    losers = {
        entity: winner
        for several in kinds.values()
        if len(several) > 1
        for winner in (min(several, key=lambda one: (-used[one], _RANK.index(type(one)))),)
        for entity in several
        if entity is not winner
    }
    if not losers:
        return statements, declared, []
    kept: list[Statement] = []
    losses: list[Loss] = []
    for statement in statements:
        loser = next((one for one in statement.axiom.entities() if one in losers), None)
        if loser is None:
            kept.append(statement)
        else:
            kind, other = (with_article(one.kind) for one in (loser, losers[loser]))
            reason = f"names {kind} that is also {other}: one name is one kind of thing"
            losses.append(Loss(AXIOM_TAGS[type(statement.axiom)], reason))
    return kept, frozenset(entity for entity in declared if entity not in losers), losses
