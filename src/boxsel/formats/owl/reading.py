"""From the axioms of an OWL file, one by one, to a knowledge base."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import ParamSpec

from boxsel.errors import Diagnostic, InvalidStatementError, ReadError
from boxsel.formats.owl.annotations import Annotation, Remarks, label_rank, remarks
from boxsel.formats.owl.axioms import (
    Loss,
    Outcome,
    connected,
    equivalent_classes,
    left_out,
    sub_class_of,
    unsaid_reason,
)
from boxsel.formats.owl.conditionals import conditional_of
from boxsel.formats.owl.expressions import Expression, Names, UnreadableIriError
from boxsel.formats.owl.iris import meant
from boxsel.formats.owl.omissions import omission_of
from boxsel.formats.owl.punning import resolve_punning
from boxsel.formats.owl.vocabulary import DROPPED, LABEL, OWN_PROPERTIES, SILENT_PROPERTIES
from boxsel.formats.source import Source
from boxsel.logic.axioms import AXIOM_KINDS
from boxsel.logic.concepts import Entity, Name
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.statements import Statement
from boxsel.wording import with_article

Annotations = Iterable[Annotation]
Parts = ParamSpec("Parts")

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
        self._labels: dict[str, set[Annotation]] = {}
        self._foreign: dict[str, bool] = {}
        self._groups: dict[str, list[tuple[Sequence[Expression], frozenset[Annotation]]]] = {}

    def axiom(
        self,
        kind: str,
        annotations: Annotations,
        read: Callable[Parts, Outcome],
        *parts: Parts.args,
        **options: Parts.kwargs,
    ) -> None:
        """Take an axiom of a kind, which `read` turns into axioms of SEL."""
        said = remarks(annotations)
        if said.proportion:
            raise InvalidStatementError(
                f"{with_article(kind)} axiom is annotated with bounds: only a SubClassOf of the "
                "form ObjectIntersectionOf(C D) SubClassOf C can carry them"
            )
        self._keep(kind, said, read(*parts, **options))

    def sub_class_of(self, annotations: Annotations, left: Expression, right: Expression) -> None:
        """Take a `SubClassOf`: an inclusion, or a conditional if it is annotated as one."""
        said = remarks(annotations)
        if not said.proportion:
            outcome = sub_class_of(left, right)
        elif lost := left.lost + right.lost:
            outcome = Outcome(losses=(Loss("SubClassOf", unsaid_reason(lost)),))
        else:
            try:
                outcome = Outcome((conditional_of(left, right, said.proportion),))
            except InvalidStatementError as error:
                axiom = f"{left.concept} SubClassOf {right.concept}"
                problem = f"the conditional in “{axiom}” cannot be read: {error}"
                raise InvalidStatementError(problem) from None
        self._keep("SubClassOf", said, outcome)

    def equivalent_classes(self, annotations: Annotations, members: Sequence[Expression]) -> None:
        """Take an `EquivalentClasses`, which may be one pair of a larger group."""
        annotations = frozenset(annotations)
        group = remarks(annotations).group
        if group:
            self._groups.setdefault(group, []).append((members, annotations))
        else:
            self.axiom("EquivalentClasses", annotations, equivalent_classes, members)

    def leave_out(self, kind: str, annotations: Annotations = (), *, logical: bool = True) -> None:
        """Take an axiom of a kind that SEL does not have."""
        self.axiom(kind, annotations, left_out, kind, logical=logical)

    def lose(self, *losses: Loss) -> None:
        """Count what is left out."""
        self._losses.update(losses)

    def declare(self, entity: Entity) -> None:
        """Take the declaration of a name."""
        self._declared.add(entity)

    def declare_concept(self, iri: str) -> None:
        """Take the declaration of a class; ⊤ and ⊥ need none."""
        concept = self.names.concept(iri).concept
        if isinstance(concept, Name):
            self.declare(concept)

    def declare_role(self, iri: str) -> None:
        """Take the declaration of an object property."""
        role = self.names.role(iri).role
        if role is not None:
            self.declare(role)

    def declare_foreign(self, kind: str, iri: str) -> None:
        """Take the declaration of something that is no name of SEL; nor is its label.

        Annotation properties are not counted: they only serve to say something else.
        """
        counted = kind != "DeclareAnnotationProperty"
        self._foreign[iri] = counted or self._foreign.get(iri, False)
        if counted:
            self.leave_out(kind, logical=False)

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
        elif annotation.property not in SILENT_PROPERTIES:
            self.lose(*left_out("OntologyAnnotation", logical=False).losses)

    def finish(self, prefixes: Prefixes = NO_PREFIXES) -> KB:
        """The knowledge base of all that was taken, in an order of its own."""
        for group in self._groups.values():
            annotations = frozenset().union(*(annotations for _, annotations in group))
            for joined in connected([pair for pair, _ in group]):
                members = sorted(joined, key=lambda member: member.concept.text())
                self.axiom("EquivalentClasses", annotations, equivalent_classes, members)
        statements, declared = self._statements, frozenset(self._declared)
        if self.names.punned:
            statements, declared, losses = resolve_punning(statements, declared)
            self.lose(*losses)
        labels = self._shown_labels()
        # By text before repetitions go: equal conjunctions may be spelt in different orders.
        ordered = sorted(statements, key=lambda one: (_PLACE[type(one.axiom)], one.text()))
        left = (Dropped(one.kind, n, one.reason, one.logical) for one, n in self._losses.items())
        return KB(
            statements=tuple(dict.fromkeys(ordered)),
            prefixes=prefixes,
            labels=labels,
            declared=declared,
            dropped=(*self._recorded, *left),
        )

    def _keep(self, kind: str, said: Remarks, outcome: Outcome) -> None:
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
