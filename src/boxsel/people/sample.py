"""People who satisfy a knowledge base: so many as are asked for, with their concepts and links."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, get_args

from boxsel.errors import BoxselError
from boxsel.exact.compile.problem import Problem
from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.axioms import Conditional, RoleAssertion
from boxsel.logic.concepts import Individual, Name, Role
from boxsel.logic.html import Told
from boxsel.logic.kb import KB
from boxsel.logic.names import BARE_NAMESPACE, Prefixes
from boxsel.logic.population import Pattern, Population
from boxsel.logic.rounding import number_words
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, Limit
from boxsel.people.choosing import Chosen, Origin, choose_populations
from boxsel.people.ends import End
from boxsel.people.rounding import (
    Demand,
    exact_counts,
    repair_counts,
    round_counts,
    smallest_size,
    whole_multiples,
)
from boxsel.wording import were_left_out

if TYPE_CHECKING:
    import pandas

MOST_PEOPLE: Final = 10_000_000
"""More people are refused: their file would be too large to be of use."""

TOLD: Final = 10**12
"""A number of people above this is not told: nobody would ask for so many."""

_ORIGINS: Final[Mapping[Origin, str]] = {
    "lower": "the population at the lower end",
    "upper": "the population at the upper end",
    "typical": "the typical population",
    "data": "the data",
    "found": "a population that the reasoner found",
}


@dataclass(frozen=True)
class Member:
    """One of the people: a name of their own, their concepts, and who they are linked to."""

    id: str
    names: frozenset[Name]
    links: tuple[tuple[Role, str], ...] = ()


@dataclass(frozen=True)
class Sample(Told):
    """People who satisfy a knowledge base.

    `exact` if every statement is true of them, and the query's share is what was asked for; without
    anybody in its body it has none. Otherwise `deviation` is how far the share of a statement, the
    `worst`, is from what it states, and `smallest` a number of people with which none is, if one is
    known: the `least` if no fewer of these kinds of people will do.
    """

    kb: KB = field(repr=False)
    population: Population
    origin: Origin
    exact: bool
    deviation: Fraction
    worst: Statement | None = None
    smallest: int | None = None
    least: bool = False
    query: Query | None = None
    share: Fraction | None = None
    individuals: Mapping[Individual, int] = field(default_factory=dict, repr=False)
    names: Prefixes | None = field(default=None, repr=False, compare=False)
    """How its text and its tables spell names, if not as the knowledge base does."""

    def __len__(self) -> int:
        return self.population.size

    def members(self) -> Iterator[Member]:
        """The people, one by one; those who are alike stand together."""
        patterns = self.population.patterns
        starts = [0]
        for pattern in patterns:
            starts.append(starts[-1] + pattern.members)
        named = self._named(starts)
        numbers = {name: number for number, name in named.items()}
        asserted: dict[int, dict[int, dict[int, set[Role]]]] = {}
        included = Problem(enumerate(self.kb.axioms)).supers
        for axiom in self.kb.axioms_of(RoleAssertion):
            subject, target = numbers[axiom.subject.iri], numbers[axiom.object.iri]
            others = asserted.setdefault(subject, {}).setdefault(self.individuals[axiom.object], {})
            others.setdefault(target, set()).update(included(axiom.role))

        def spelt(number: int) -> str:
            name = named.get(number) or f"{BARE_NAMESPACE}individual:{number + 1}"
            while number not in named and name in numbers:
                name += "_"
            return name

        for place, pattern in enumerate(patterns):
            names = frozenset(self.population.interpretation.names[place])
            for turn in range(pattern.members):
                number = starts[place] + turn
                known = asserted.get(number, {})
                links: list[tuple[Role, str]] = []
                for role, targets in zip(self.population.roles, pattern.objects, strict=False):
                    for target in targets:
                        # Whoever is alike can take turns: all of them are what is needed. Whom an
                        # assertion names is one of them, for all roles.
                        some = known.get(target) or {
                            starts[target] + turn % patterns[target].members: set[Role]()
                        }
                        first, *rest = some
                        links.append((role, spelt(first)))
                        links += ((role, spelt(other)) for other in rest if role in some[other])
                yield Member(spelt(number), names, tuple(links))

    def _named(self, starts: list[int]) -> dict[int, str]:
        """The numbers of individuals that have a name: the first of their pattern."""
        found: dict[int, str] = {}
        for individual, place in self.individuals.items():
            number = starts[place]
            while number in found:
                number += 1
            found[number] = individual.iri
        return found

    def table(self) -> pandas.DataFrame:
        """The people as a pandas table: a row for each, as it is in CSV."""
        import pandas

        from boxsel.people.writing import table_of

        columns, rows = table_of(self)
        return pandas.DataFrame(list(rows), columns=columns)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the people to a file: `.csv`, `.parquet`, `.nt` or `.ttl`."""
        from boxsel.people.writing import write_people

        write_people(self, path)

    @property
    def spelling(self) -> Prefixes:
        """How its text, and the columns of its tables, spell names."""
        return self.kb.prefixes if self.names is None else self.names

    def _lines(self) -> list[str]:
        lines = [f"{self.population.text}, from {_ORIGINS[self.origin]}"]
        if self.query is not None:
            undefined = "is undefined: nobody is left in its body"
            share = undefined if self.share is None else f"= {number_words(self.share)}"
            lines.append(f"{self.query.text(self.spelling)} {share}")
        if self.exact:
            lines.append("every statement holds exactly")
        else:
            lines += self._missed()
        if self.kb.ignored_axioms:
            lines.append(were_left_out(self.kb.ignored_axioms))
        return lines

    def _missed(self) -> Iterator[str]:
        far = f"{float(self.deviation):.2g}"
        if self.worst is not None:
            axiom = self.worst.axiom
            assert isinstance(axiom, Conditional)
            share = self.population.share(axiom.head, axiom.body)
            assert share is not None  # it is not what is stated
            yield f"nearest whole numbers: the largest deviation is {far}"
            yield f"  {self.worst.text(self.spelling)}: here {number_words(share)}"
        elif self.deviation:
            yield f"nearest whole numbers: the query's share is off by {far}"
        if self.smallest is not None:
            fewer = ", and no fewer of these kinds," if self.least else ""
            yield f"with {self.smallest:,} people{fewer} every statement holds exactly"
        else:
            yield "no number of people is known with which every statement holds exactly"

    def to_json(self) -> dict[str, Any]:
        """What was taken, as a JSON object."""
        prefixes = self.kb.prefixes
        return {
            **self.population.sizes,
            "origin": self.origin,
            "exact": self.exact,
            "deviation": float(self.deviation),
            "worst": self.worst and self.worst.text(prefixes),
            "smallest": self.smallest,
            "least": self.least,
            "query": self.query and self.query.text(prefixes),
            "share": None if self.share is None else str(self.share),
        }


def sample(
    kb: KB,
    size: int,
    *,
    query: Query | str | None = None,
    end: End = "typical",
    budget: Limit = None,
) -> Sample:
    """So many people, with concepts and links, of whom every statement is true, or nearly.

    With a `query` they are from the population at an `end` of its share, lower or upper; else from
    the typical population, if there is one; else they are those of the data that the knowledge base
    was counted from; else of a population that the reasoner finds.

    Examples:
        >>> from boxsel import examples
        >>> kb = examples.load("applicant")
        >>> people = sample(kb, 100, query="(Admitted | Applicant)", end="lower")
        >>> len(people), people.exact, people.share
        (100, True, Fraction(4, 25))
        >>> sample(examples.load("berkeley"), 10).exact
        False

    Raises:
        BoxselError: There is no such population, or none with so few people.
    """
    if end not in get_args(End):
        raise BoxselError(f"there is no end {end!r}: choose {', '.join(get_args(End))}")
    if query is None and end != "typical":
        raise BoxselError(f"the {end} end is that of a query: give one with --query")
    if not 1 <= size <= MOST_PEOPLE:
        raise BoxselError(f"{size:,} people cannot be taken: ask for 1 to {MOST_PEOPLE:,}")
    asked = None if query is None else kb.query(query)
    limit = Budget.of(budget)
    first: _Taking | None = None
    for chosen in choose_populations(kb, asked, end, limit):
        taking = _Taking(kb, chosen, asked, limit)
        people = taking.take(size)
        if people.exact:
            return people
        first = first or taking
    assert first is not None  # there is a population, or an error was raised
    return first.tell_smallest()


class _Taking:
    """People from one population."""

    def __init__(self, kb: KB, chosen: Chosen, query: Query | None, budget: Budget) -> None:
        self._kb, self._chosen, self._query, self._budget = kb, chosen, query, budget
        self._demand = Demand.of(kb, chosen.model, query, chosen.share)
        self._people: Sample | None = None

    def take(self, size: int) -> Sample:
        """So many of them."""
        least = sum(self._demand.least)
        if least > size:
            raise BoxselError(
                f"{size:,} people are too few: individuals are different people, everybody who is"
                f" linked needs somebody to be linked to, and {_ORIGINS[self._chosen.origin]} needs"
                f" {least:,} of them"
            )
        kb, query, chosen = self._kb, self._query, self._chosen
        population, places = _population(kb, chosen.model, self._count(size))
        share = None if query is None else population.share(query.head, query.body)
        deviation, worst = _worst(kb, population)
        if share is not None and chosen.share is not None:
            missed = abs(share - chosen.share)
            if missed > deviation:
                deviation, worst = missed, None
        holds = deviation == 0 and population.is_model(kb.axioms)
        self._people = Sample(
            kb,
            population,
            chosen.origin,
            holds and (query is None or share is not None),
            deviation,
            worst,
            query=query,
            share=share,
            individuals={
                individual: places[place] for individual, place in chosen.model.individuals.items()
            },
        )
        return self._people

    def tell_smallest(self) -> Sample:
        """The people that were taken, with how many would miss nothing."""
        assert self._people is not None
        same = sum(map(sum, whole_multiples(self._chosen.model, self._demand.least)))
        known = same if self._chosen.is_exact and same < TOLD else None
        least = smallest_size(self._demand, known or TOLD, self._budget)
        if least is None and self._chosen.share is not None:
            known = None  # its share may be approached only
        return replace(self._people, smallest=least or known, least=least is not None)

    def _count(self, size: int) -> list[int]:
        """How many people there are of each kind."""
        model, demand = self._chosen.model, self._demand
        same = exact_counts(model, size, demand.least) if self._chosen.is_exact else None
        if same is not None and demand.holds(same):
            return same
        rounded = round_counts(model, size, demand.least)
        if demand.holds(rounded):
            return rounded
        # Where an end is approached only, the population itself still obeys every statement.
        return repair_counts(demand, rounded, self._budget) or same or rounded


def _population(
    kb: KB, model: WeightedModel, counts: list[int]
) -> tuple[Population, dict[int, int]]:
    """The kinds of people of whom there are some, and where each is."""
    present = [place for place, count in enumerate(counts) if count]
    places = {place: number for number, place in enumerate(present)}
    # A query may have names that no statement has.
    further = (name for element in model.elements for name in element.names)
    concepts = tuple(dict.fromkeys((*kb.signature.concepts, *further)))
    roles = tuple(dict.fromkeys((*kb.signature.roles, *(edge.role for edge in model.edges))))
    numbers = {name: number for number, name in enumerate(concepts)}
    linked: dict[int, dict[Role, list[int]]] = {}
    for edge in model.edges:
        if counts[edge.subject]:
            targets = linked.setdefault(edge.subject, {}).setdefault(edge.role, [])
            targets.append(places[edge.object])
    patterns = tuple(
        Pattern(
            counts[place],
            tuple(numbers[name] for name in model.elements[place].names),
            tuple(tuple(linked.get(place, {}).get(role, ())) for role in roles),
        )
        for place in present
    )
    return Population(concepts, roles, patterns), places


def _worst(kb: KB, population: Population) -> tuple[Fraction, Statement | None]:
    """The largest distance between a share and what is stated of it."""
    far, worst = Fraction(0), None
    for statement in kb:
        axiom = statement.axiom
        if isinstance(axiom, Conditional):
            share = population.share(axiom.head, axiom.body)
            if share is not None and not axiom.proportion.allows(
                share.numerator, share.denominator
            ):
                bounds = axiom.bounds
                off = max(bounds.lower - share, share - bounds.upper)
                if off > far:
                    far, worst = off, statement
    return far, worst
