"""Which concepts are the same, included in each other or empty, as far as saturation tells.

A *region* is a conjunction of atoms (names and existentials), written as the set of those that
no other one implies. Conjunctions with the same region have the same instances in every
model, however they are spelt. Whoever asks for a region gets `None` for an empty one.

Saturation is asked once, for the concepts that occur. Regions that are met later are closed
under what it said of their atoms and of pairs of them; that is sound, and complete but for
facts that need three atoms together and were not asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations

from boxsel.logic.axioms import Conditional, Disjointness, Equivalence, Inclusion
from boxsel.logic.concepts import (
    TOP,
    Concept,
    Exists,
    Individual,
    Name,
    Top,
    conjunction,
    conjuncts,
)
from boxsel.logic.kb import KB
from boxsel.machine.budget import NO_LIMIT, Budget
from boxsel.normal.completion import STEPS_BETWEEN_LOOKS, complete_start, start_of
from boxsel.normal.definitions import without_top
from boxsel.normal.saturation import Saturation, deterministic_part, saturate
from boxsel.normal.tables import BOTTOM_ID

Region = frozenset[int]
"""The atoms of a conjunction, by number, without those that others imply; ⊤ has none."""

EVERYTHING: Region = frozenset()
_MOST_MEMBERS = 50  # of a disjointness with complex members: they are compared pair by pair


class Knowledge:
    """What the deterministic part of a knowledge base says of the concepts in play."""

    def __init__(
        self,
        kb: KB,
        further: Iterable[Concept] = (),
        budget: Budget = NO_LIMIT,
        saturation: Saturation | None = None,
    ) -> None:
        """Who has the saturation gives it: it is asked again only about atoms that it lacks."""
        certain = deterministic_part(kb)
        concepts = dict.fromkeys(map(without_top, _in_play(kb, certain, further)))
        atoms = dict.fromkeys(part for concept in concepts for part in conjuncts(concept))
        atoms.pop(TOP, None)
        self.atoms = list(atoms)
        fillers = [atom.filler for atom in self.atoms if isinstance(atom, Exists)]
        known = dict.fromkeys((*concepts, *self.atoms, *fillers))
        asked = [concept for concept in known if not isinstance(concept, Top)]
        if saturation is None or not all(map(saturation.knows, (*self.atoms, *fillers))):
            saturation = saturate(kb, also=asked, budget=budget)
        self.saturation = saturation
        self._concepts = concepts.keys()
        self.consistent = self.saturation.consistent
        self._regions: dict[Concept, Region | None] = {}
        self._meets: dict[frozenset[int], Region | None] = {}
        self._disjoint: dict[int, set[int]] = defaultdict(set)
        self._together: dict[int, dict[int, Region]] = defaultdict(dict)
        self._larger: dict[int, list[tuple[Region, Region]]] = defaultdict(list)
        self._conflicts: set[Region] = set()
        self._made_of: dict[Region, Region] = {}
        self.groups: list[tuple[int, ...]] = []
        self._groups_of: dict[int, list[int]] = defaultdict(list)
        if self.consistent:
            self._number_atoms(budget)
            for concept in budget.watched(concepts, STEPS_BETWEEN_LOOKS):
                self._learn(concept, budget)
            for axiom in budget.watched(certain.axioms, STEPS_BETWEEN_LOOKS):
                self._learn_disjointness(axiom)

    def region(self, concept: Concept) -> Region | None:
        """The region of a concept; one that was not in play counts as nothing known: KeyError."""
        try:
            return self._regions[concept]
        except KeyError:
            region = self._regions[concept] = self._meet(self._told(concept))
            return region

    def covers(self, concept: Concept, budget: Budget = NO_LIMIT) -> bool:
        """Whether nothing would be added if a concept were in play too."""
        concept = without_top(concept)
        parts = [part for part in conjuncts(concept) if not isinstance(part, Top)]
        if not all(part in self._ids for part in parts):
            return False
        if len(parts) < 2 or concept in self._concepts:
            return True
        told = self._told_above(parts)
        minimal, closed = self._minimal(told), self._asked(concept, budget)
        if closed is None:
            if len(minimal) == 2:
                one, two = minimal
                return two in self._disjoint.get(one, ())
            return len(minimal) < 2 or minimal in self._conflicts
        least = self._minimal(closed)
        if len(least) == 1 < len(minimal) and self._made_of.get(least) != minimal:
            return False
        return self._close(minimal) == set(closed)

    def meet(self, first: Region, second: Region) -> Region | None:
        """The region of what is in both."""
        return self._meet(first | second)

    def closure(self, region: Region) -> Region:
        """Every atom that includes a region."""
        return frozenset().union(*(self._above[atom] for atom in region))

    def made_of(self, region: Region) -> Region | None:
        """The conjunction in play that an atom is equivalent to, if there is one."""
        return self._made_of.get(region)

    def concept(self, region: Region) -> Concept:
        """The conjunction of the atoms of a region."""
        return conjunction(*(self.atoms[atom] for atom in sorted(region))) if region else TOP

    @cached_property
    def existentials(self) -> list[tuple[Exists, Region, Region]]:
        """The existentials in play, each with its region and the closure of its filler."""
        asked = (
            (atom, self._asked(atom.filler)) for atom in self.atoms if isinstance(atom, Exists)
        )
        return [
            (existential, frozenset((self._representative[self._ids[existential]],)), closure)
            for existential, closure in asked
            if closure is not None
        ]

    def disjoint_pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs of atoms that were told to be disjoint, other than in larger groups."""
        return ((one, two) for one in self._disjoint for two in self._disjoint[one] if one < two)

    @cached_property
    def order(self) -> list[int]:
        """A place for each atom that does not depend on the order of the axioms."""
        by_text = sorted(range(len(self.atoms)), key=lambda atom: str(self.atoms[atom]))
        places = [0] * len(by_text)
        for place, atom in enumerate(by_text):
            places[atom] = place
        return places

    def individuals(self) -> Iterator[tuple[Individual, Region]]:
        """Each individual with every atom that it must be an instance of."""
        completion = self.saturation.completion
        for individual, context in completion.by_individual.items():
            yield individual, self._atoms_of(completion.members[context])

    def _number_atoms(self, budget: Budget) -> None:
        self._ids = {atom: number for number, atom in enumerate(self.atoms)}
        numbers = [self._number(atom) for atom in self.atoms]
        raw_of = {number: atom for atom, number in enumerate(numbers)}

        def above(number: int) -> Region:
            return frozenset(raw_of[member] for member in self._members(number) if member in raw_of)

        raw = [above(number) for number in budget.watched(numbers, STEPS_BETWEEN_LOOKS)]
        self._representative = [
            min(other for other in others if atom in raw[other]) for atom, others in enumerate(raw)
        ]
        same = self._representative
        tops = {same[atom] for atom in above(self._number(TOP))}
        self._above = [frozenset(same[other] for other in others) - tops for others in raw]
        self._strictly_above = [above - {atom} for atom, above in enumerate(self._above)]
        self._empty = {
            same[atom] for atom, number in enumerate(numbers) if BOTTOM_ID in self._members(number)
        }
        self._atom_of = {
            number: same[atom] for number, atom in raw_of.items() if same[atom] not in tops
        }

    def _learn(self, concept: Concept, budget: Budget) -> None:
        """Take from the saturation what it knows of a conjunction, beyond its conjuncts."""
        parts = conjuncts(concept)
        if len(parts) < 2:
            return
        told = self._told_above(parts)
        minimal = self._minimal(told)
        closed = self._asked(concept, budget)
        if closed is not None and len(self._minimal(closed)) == 1 < len(minimal):
            self._made_of[self._minimal(closed)] = minimal
        if closed is None:
            self._add_conflict(minimal)
        elif closed - told and len(minimal) == 2:
            one, two = minimal
            self._together[one][two] = self._together[two][one] = closed - told
        elif closed - told:
            self._larger[min(minimal)].append((minimal, closed - told))

    def _learn_disjointness(self, axiom: object) -> None:
        if isinstance(axiom, Conditional) and axiom.bounds.upper == 0:
            self._add_conflict(self._told(axiom.head) | self._told(axiom.body))
        elif isinstance(axiom, Disjointness):
            members = [self._told(member) for member in axiom.members]
            single = [member for member in members if len(member) == 1]
            if len(single) > 2:
                self._add_group(tuple(atom for member in single for atom in member))
            if len(single) <= 2 or len(members) > len(single):
                for one, two in combinations(members[:_MOST_MEMBERS], 2):
                    self._add_conflict(one | two)

    def _told_above(self, atoms: Iterable[Concept]) -> Region:
        """What includes one of some atoms."""
        same, ids = self._representative, self._ids
        return frozenset(above for atom in atoms for above in self._above[same[ids[atom]]])

    def _told(self, concept: Concept) -> Region:
        parts = conjuncts(without_top(concept))
        return frozenset(
            self._representative[self._ids[part]] for part in parts if not isinstance(part, Top)
        )

    def _add_conflict(self, atoms: Region) -> None:
        minimal = self._minimal(frozenset(above for atom in atoms for above in self._above[atom]))
        if len(minimal) == 2:
            one, two = minimal
            self._disjoint[one].add(two)
            self._disjoint[two].add(one)
        elif len(minimal) > 2:
            self._conflicts.add(minimal)
        # One atom or none: the saturation says of atoms itself that they are empty.

    def _add_group(self, members: tuple[int, ...]) -> None:
        group = len(self.groups)
        self.groups.append(members)
        for atom in set(members):
            self._groups_of[atom].append(group)

    def _asked(self, concept: Concept, budget: Budget = NO_LIMIT) -> Region | None:
        """The closure of a concept; of one that saturation has no name for, by its conjuncts."""
        if self.saturation.knows(concept):
            members = self._members(self._number(concept))
        else:
            starts = (start_of(self._number(part)) for part in conjuncts(concept))
            members = complete_start(self.saturation.rules, frozenset().union(*starts), budget)
        return None if BOTTOM_ID in members else self._atoms_of(members)

    def _atoms_of(self, members: Iterable[int]) -> Region:
        return frozenset(self._atom_of[number] for number in members if number in self._atom_of)

    def _number(self, concept: Concept) -> int:
        return self.saturation.rules.ids[self.saturation.normal.atom(concept)]

    def _members(self, number: int) -> set[int]:
        completion = self.saturation.completion
        return completion.members[completion.by_start[start_of(number)]]

    def _meet(self, atoms: frozenset[int]) -> Region | None:
        try:
            return self._meets[atoms]
        except KeyError:
            closed = self._close(atoms)
            region = None if closed is None else self._minimal(closed)
            if region in self._conflicts:
                region = None
            self._meets[atoms] = region
            return region

    def _close(self, atoms: Iterable[int]) -> set[int] | None:
        known: set[int] = set()
        groups: dict[int, int] = {}
        fresh = list(atoms)
        while fresh:
            new = set().union(*(self._above[atom] for atom in fresh)) - known
            known |= new
            fresh.clear()
            for atom in new:
                if atom in self._empty:
                    return None
                if atom in self._disjoint and not self._disjoint[atom].isdisjoint(known):
                    return None
                for group in self._groups_of.get(atom, ()):
                    if groups.setdefault(group, atom) != atom:
                        return None
                partners = self._together.get(atom)
                if partners:
                    for partner in partners.keys() & known:
                        fresh.extend(partners[partner])
            if self._larger:
                for atom in known:
                    for needed, gained in self._larger.get(atom, ()):
                        if needed <= known and not gained <= known:
                            fresh.extend(gained)
        return known

    def _minimal(self, closed: Iterable[int]) -> Region:
        atoms = frozenset(closed)
        return atoms.difference(*(self._strictly_above[atom] for atom in atoms))


def _in_play(kb: KB, certain: KB, further: Iterable[Concept]) -> Iterator[Concept]:
    for conditional in kb.conditionals:
        yield conditional.body
        yield conditional.head
    yield from further
    for axiom in certain.axioms:
        if isinstance(axiom, Inclusion):
            if not isinstance(axiom.left, Name):
                yield axiom.left
        elif isinstance(axiom, Equivalence | Disjointness):
            yield from axiom.members
