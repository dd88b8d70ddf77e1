"""Which rules are conditionals: those whose head and body are concepts about one variable.

A body is a concept of EL if its atoms form a tree that hangs from the variable of the head and
leads from subjects to objects. Whatever else a rule says, EL cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from boxsel.build.graphs.names import iri
from boxsel.build.mined_rules.atoms import REFLEXIVE, Atom, Rule, Term, name
from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import MAX_DEPTH, TOP, Concept, Name, Role, conjunction
from boxsel.logic.names import NO_PREFIXES, TOP_IRI, bare_iri
from boxsel.wording import with_article

PAIRS = "the head has two variables: its confidence counts pairs, not individuals"
INVERSE_HEAD = "the head is about an object: EL has no inverse roles"
GROUND_HEAD = "the head has no variable"
EMPTY = "the body is empty: the file does not say what its confidence is a share of"
SELF = "an atom relates a variable to itself"
CYCLE = "variables of the body meet in a cycle, or two atoms share an object"
INVERSE = "an atom leads from object to subject: EL has no inverse roles"
UNCONNECTED = "an atom is not connected with the head"
VARIABLE_CLASS = "a class is a variable"
VALUES_OFF = "a constant: concepts such as 'r=c' were not asked for"
OTHER_VALUES = (
    "a variable shares its relation with the constant of the head: AnyBURL counts only those with"
    " another value, which EL cannot say"
)
DIFFERENT = (
    "the body has several variables: AnyBURL counts only those with different values, which EL"
    " cannot say"
)
DEEP = "the body is nested too deeply"

CLASS, RELATION, VALUE = "class", "relation", "value"


class NotExpressibleError(ValueError):
    """A rule that is no conditional of EL; the message says why."""


Meaning = tuple[str, ...]


@dataclass
class Vocabulary:
    """What constants and the names of a knowledge base mean: none ever means two things.

    The object of a relation whose IRI is in `types` is a class. Any other relation r with a
    constant c gives the concept `'r=c'`: whatever r links to c. Without `values` such rules are not
    used.
    """

    types: frozenset[str]
    values: bool = True
    _meanings: dict[str, Meaning] = field(default_factory=dict)

    @classmethod
    def of(cls, types: Iterable[str], *, values: bool = True) -> Vocabulary:
        """With the names of relations."""
        return cls(frozenset(iri(name(kind)) for kind in types), values)

    def accept(self, named: Iterable[tuple[str, Meaning]]) -> None:
        """Take the names of a rule, all of them or none."""
        new: dict[str, Meaning] = {}
        for one, meaning in named:
            known = self._meanings.get(one) or new.setdefault(one, meaning)
            if known != meaning:
                raise NotExpressibleError(
                    f"{NO_PREFIXES.shorten(one)} is used both as {with_article(known[0])} and as"
                    f" {with_article(meaning[0])}"
                )
        self._meanings.update(new)

    def links(self) -> Iterator[tuple[Name, Role]]:
        """The concepts `'r=c'` with their role r, if r is itself a role in the knowledge base."""
        for one, (kind, *parts) in self._meanings.items():
            if kind == VALUE:
                role = Role(iri(parts[0]))
                if self._meanings.get(role.iri) == (RELATION,):
                    yield Name(one), role


def conditional_of(rule: Rule, vocabulary: Vocabulary, *, apart: bool) -> tuple[Concept, Concept]:
    """Head and body of the conditional that a rule is, or an error that says why it is none.

    With `apart` variables were counted only where their values differ from each other and from the
    constant of the head.

    Examples:
        >>> from boxsel.build.mined_rules.atoms import parse_rule
        >>> rule = parse_rule("citizen(X,France) <= born(X,A), type(A,City)", letters=True)
        >>> vocabulary = Vocabulary.of(["type"])
        >>> head, body = conditional_of(rule, vocabulary, apart=True)
        >>> print(head, "|", body)
        'citizen=France' | born some City
    """
    head, body = rule.head, rule.body
    if head.subject.variable and head.object.variable:
        same = head.subject == head.object
        raise NotExpressibleError(SELF if same else PAIRS)
    if head.object.variable:
        raise NotExpressibleError(INVERSE_HEAD)
    if not head.subject.variable:
        raise NotExpressibleError(GROUND_HEAD)
    if not body:
        raise NotExpressibleError(EMPTY)
    root = head.subject
    _check_tree(rule, root)
    if apart:
        _check_apart(rule)
    reading = _Reading(vocabulary)
    try:
        concepts = reading.concept([head], root), reading.concept(body, root)
    except InvalidStatementError as error:  # a blank node, or owl:Nothing
        raise NotExpressibleError(str(error)) from None
    vocabulary.accept(reading.named)
    return concepts


def _check_tree(rule: Rule, root: Term) -> None:
    """Refuse a body whose atoms are no tree that leads away from the root."""
    for atom in (rule.head, *rule.body):
        if REFLEXIVE in (atom.subject.name, atom.object.name):
            raise NotExpressibleError(SELF)
        if atom.subject.variable and atom.subject == atom.object:
            raise NotExpressibleError(SELF)
    edges = [(atom.subject, atom.object) for atom in rule.body]
    together = _reached(root, [*edges, *((target, subject) for subject, target in edges)])
    if any(subject not in together and target not in together for subject, target in edges):
        raise NotExpressibleError(UNCONNECTED)
    reached = _reached(root, edges)
    if any(subject not in reached for subject, _ in edges):
        raise NotExpressibleError(INVERSE)
    targets = [atom.object for atom in rule.body if atom.object.variable]
    if root in targets or len(set(targets)) < len(targets):
        raise NotExpressibleError(CYCLE)


def _check_apart(rule: Rule) -> None:
    """Refuse a body for which it matters that variables have different values.

    What remains is a single variable, with another relation than the head's. It differs from the
    root, and from a constant of another relation: for EL's reading that hardly ever matters.
    """
    opened = [atom for atom in rule.body if atom.object.variable]
    if len(opened) > 1:
        raise NotExpressibleError(DIFFERENT)
    if any(atom.relation == rule.head.relation for atom in opened):
        raise NotExpressibleError(OTHER_VALUES)


def _reached(root: Term, edges: Iterable[tuple[Term, Term]]) -> set[Term]:
    """The variables to which edges between variables lead."""
    following: dict[Term, list[Term]] = {}
    for start, end in edges:
        if start.variable and end.variable:
            following.setdefault(start, []).append(end)
    terms, queue = {root}, [root]
    while queue:
        new = set(following.get(queue.pop(), ())) - terms
        terms |= new
        queue.extend(new)
    return terms


@dataclass
class _Reading:
    """Reads the atoms of one rule, and remembers what it called what."""

    vocabulary: Vocabulary
    named: list[tuple[str, Meaning]] = field(default_factory=list)

    def concept(self, atoms: Sequence[Atom], variable: Term, depth: int = 0) -> Concept:
        """What the atoms say about a variable, with those below it existentially."""
        if depth > MAX_DEPTH:
            raise NotExpressibleError(DEEP)
        parts: list[Concept] = []
        for atom in atoms:
            if atom.subject != variable:
                continue
            if iri(atom.relation) in self.vocabulary.types:
                parts.append(self._class(atom.object))
            elif atom.object.variable:
                role = Role(self._called(iri(atom.relation), RELATION))
                parts.append(role.some(self.concept(atoms, atom.object, depth + 1)))
            elif self.vocabulary.values:
                value = bare_iri(f"{atom.relation}={atom.object.name}")
                parts.append(Name(self._called(value, VALUE, atom.relation, atom.object.name)))
            else:
                raise NotExpressibleError(VALUES_OFF)
        return conjunction(*(part for part in parts if part != TOP))

    def _class(self, term: Term) -> Concept:
        if term.variable:
            raise NotExpressibleError(VARIABLE_CLASS)
        named = iri(term.name)
        return TOP if named == TOP_IRI else Name(self._called(named, CLASS))

    def _called(self, named: str, *meaning: str) -> str:
        self.named.append((named, meaning))
        return named
