"""A choice carried out on a graph: the concepts and roles by name, in the order of their rank."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from heapq import nlargest
from itertools import pairwise
from typing import Final

from boxsel.build.graphs import counting, sql
from boxsel.build.graphs.choice import (
    DEFAULT_CONCEPTS,
    DEFAULT_CONJOINED,
    DEFAULT_ROLES,
    EVERYTHING,
    Choice,
    Chosen,
)
from boxsel.build.graphs.engine import Engine
from boxsel.build.graphs.names import canonical
from boxsel.build.graphs.taxonomy import Taxonomy
from boxsel.errors import BoxselError
from boxsel.logic.names import BUILTIN_PREFIXES, TOP_IRI
from boxsel.wording import listed

_VOCABULARY: Final = (*BUILTIN_PREFIXES.values(), *(f"{prefix}:" for prefix in BUILTIN_PREFIXES))
_TOP: Final = (EVERYTHING, TOP_IRI)

LIKELY: Final = 1000
"""Of how many names it is seen how near they are: a graph may have half a million."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What was chosen, how frequent each is, and where the graph had less than was asked for.

    `root` is the place of the root among the concepts; ⊤ comes after the last of them.
    """

    chosen: Chosen
    root: int | None
    instances: Mapping[str, int]
    facts: Mapping[str, int]
    candidates: int
    candidate_roles: int
    shortfalls: tuple[str, ...]


def select(
    engine: Engine, taxonomy: Taxonomy, choice: Choice, *, not_roles: Collection[str] = ()
) -> Selection:
    """Carry a choice out; `not_roles` are roles only if they are named."""
    return _Selecting(engine, taxonomy, choice, not_roles).selection()


@dataclass
class _Selecting:
    engine: Engine
    taxonomy: Taxonomy
    choice: Choice
    not_roles: Collection[str]
    shortfalls: list[str] = field(default_factory=list)

    def selection(self) -> Selection:
        choice = self.choice
        self.classes = {name for (name,) in self.engine.rows(sql.CLASSES)}
        self.lookup = Lookup(self.engine, {*self.classes, *self.taxonomy.group_of})
        self.roles = counting.facts_by_role(self.engine)
        unwanted = Lookup(self.engine, {*self.lookup.known, *self.roles})
        self.without = {unwanted.find(name, "class or role") for name in choice.without}
        roles, facts, candidate_roles = self._roles()
        root = choice.root
        if root is not None:
            root = TOP_IRI if root in _TOP else self._class(root)
        concepts, instances, candidates = self._concepts(roles, root)
        named_root = (root,) if root not in (None, TOP_IRI) else ()
        both = set(concepts + named_root) & set(roles)
        if both:
            raise BoxselError(
                f"{listed(sorted(both))}: used as a class and as a role in this graph:"
                " in a knowledge base one name is one kind of thing"
                "\n  help: leave it out with --without, or choose roles by name"
            )
        limit = choice.conjoined if choice.conjoined is not None else DEFAULT_CONJOINED
        chosen = Chosen(
            concepts + named_root,
            roles,
            tuple(range(min(limit, len(concepts)))),
            everything=root == TOP_IRI,
        )
        place = len(concepts) if root is not None else None
        return Selection(
            chosen,
            place,
            {name: instances[name] for name in chosen.concepts},
            {name: facts.get(name, 0) for name in roles},
            candidates,
            candidate_roles,
            tuple(self.shortfalls),
        )

    def _class(self, said: str) -> str:
        if canonical(said) in _TOP:
            raise BoxselError(
                f"{EVERYTHING} is no class among others: ask for it with --root {EVERYTHING}"
            )
        return self.lookup.find(said, "class")

    def _roles(self) -> tuple[tuple[str, ...], dict[str, int], int]:
        choice, counts = self.choice, self.roles
        lookup = Lookup(self.engine, counts)
        named = tuple(dict.fromkeys(lookup.find(name, "role") for name in choice.roles))
        if not choice.roles_by_rank:
            return named, counts, len(counts)
        ends = {"subjects": choice.roles_from, "objects": choice.roles_to}
        classes = {
            end: self.taxonomy.below(self._class(name))
            for end, name in ends.items()
            if name is not None and name not in _TOP
        }
        ranked = counting.facts_by_role(self.engine, **classes) if classes else counts
        without = {*named, *self.not_roles, *self.without}
        least = choice.min_facts or 1
        eligible = {
            name: count
            for name, count in ranked.items()
            if count >= least and name not in without and _is_name(name)
        }
        most = choice.top_roles
        if most is None:
            most = DEFAULT_ROLES if choice.min_facts is None else len(eligible)
        self._note_shortfall(most if choice.top_roles else 0, len(eligible), "roles with facts")
        return named + _ranked(eligible)[:most], counts | ranked, len(eligible) + len(named)

    def _concepts(
        self, roles: tuple[str, ...], root: str | None
    ) -> tuple[tuple[str, ...], dict[str, int], int]:
        choice = self.choice
        named = tuple(dict.fromkeys(self._class(name) for name in choice.concepts))
        within: Callable[[str], bool] = _is_name
        if choice.under is not None and choice.under not in _TOP:
            below = self.taxonomy.below(self._class(choice.under))
            within = below.__contains__
        wanted, by_rank = {*named, root}, choice.by_rank
        above = {
            name: frozenset(
                higher
                for higher in self.taxonomy.above(name)
                if higher in wanted or (by_rank and within(higher))
            )
            for name in self.classes
        }
        instances = counting.instances(self.engine, above)
        for name in (*named, *([root] if root not in (None, TOP_IRI) else [])):
            if not instances.get(name):
                raise BoxselError(
                    f"no entity of the graph is an instance of {name}:"
                    " nothing can be counted about it"
                )
        ranked, candidates = named, len(self.classes)
        if by_rank:
            eligible = self._eligible(instances, within, roles, wanted)
            most = choice.top
            if most is None:
                most = DEFAULT_CONCEPTS if choice.min_instances is None else len(eligible)
            where = f"below {choice.under} " if choice.under else ""
            what = f"concepts {where}with an instance"
            self._note_shortfall(choice.top or 0, len(eligible), what)
            found = named + _ranked(eligible)[:most]
            ranked = tuple(sorted(found, key=lambda name: (-instances[name], name)))
            candidates = len(eligible) + len(named)
        concepts = tuple(name for name in ranked if name != root)
        if not concepts:
            raise BoxselError(
                "no concept is left to count: the graph has"
                f" {len(self.classes):,} classes with instances"
                "\n  help: choose others with --concept, --under, --top or --min-instances"
            )
        return concepts, instances, candidates

    def _eligible(
        self,
        instances: Mapping[str, int],
        within: Callable[[str], bool],
        roles: tuple[str, ...],
        taken: Collection[str | None],
    ) -> dict[str, int]:
        """The concepts that may be chosen by their rank."""
        if self.choice.at_ends:
            ends = counting.classes_at_ends(self.engine, roles)
            reached = {higher for name in ends for higher in self.taxonomy.above(name)}
            within = {name for name in reached if within(name)}.__contains__
        least = max(1, self.choice.min_instances or 1)
        return {
            name: count
            for name, count in instances.items()
            if count >= least and name not in taken and name not in self.without and within(name)
        }

    def _note_shortfall(self, asked: int, there: int, what: str) -> None:
        if asked > there:
            self.shortfalls.append(f"{asked} {what} were asked for, and the graph has {there}")


def _is_name(name: str) -> bool:
    """Whether a class or role can have a name in a knowledge base: not blank, not OWL's own."""
    return not name.startswith("_:") and not name.startswith(_VOCABULARY)


def _ranked(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Names, the most frequent first, those of one rank in the order of the alphabet."""
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


@dataclass(frozen=True)
class Lookup:
    """Finds a name among the classes or the roles of a graph."""

    engine: Engine
    known: Collection[str]

    def find(self, said: str, kind: str) -> str:
        """The one that is meant; an error says what is near, or how many have the label."""
        name = canonical(said)
        if name in self.known:
            return name
        self.engine.load(sql.GIVEN, {"name": "VARCHAR"}, [[said]])
        rows = self.engine.rows(sql.GIVEN_AS_LABEL)
        labelled: list[str] = [name for (name,) in rows if name in self.known]
        if len(labelled) == 1:
            return labelled[0]
        if labelled:
            raise BoxselError(
                f"several names are labelled {said!r}: write one of {listed(sorted(labelled))}"
            )
        raise BoxselError(f"the graph has no {kind} {said}{suggestion(name, self.known)}")


def suggestion(name: str, known: Collection[str]) -> str:
    """What may be meant, as the last line of a message: names that share the most letters.

    Examples:
        >>> print("no class Pupils" + suggestion("Pupils", ["Pupil", "Teacher"]))
        no class Pupils
          help: did you mean Pupil?
    """
    letters = set(pairwise(name))
    likely = nlargest(
        LIKELY, known, key=lambda one: (len(letters.intersection(pairwise(one))), one)
    )
    near = get_close_matches(name, likely, n=3, cutoff=0.6)
    return f"\n  help: did you mean {listed(near)}?" if near else ""
