"""Random populations, and the slow way to count them: one set of entities for each concept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from boxsel.evaluation.conditionals import Conditionals
from boxsel.evaluation.ontologies.population import Population
from boxsel.evaluation.ontology import Ontology


@dataclass(frozen=True)
class Counting:
    """A population and its ontology; concepts and restrictions as sets of entities."""

    population: Population
    ontology: Ontology

    def extension(self, name: int, role: int) -> set[int]:
        """The entities in a name's row, or with a role's link into it."""
        everyone = set(range(len(self.population.members)))
        if name in (0, self.ontology.size + 1):
            filler = everyone
        else:
            column = self.population.members[:, name - 1]
            filler = {entity for entity in everyone if column[entity]}
        if role == 0:
            return filler
        places = list(self.population.links.values())[role - 1]
        return {one for one, other in places.T.tolist() if other in filler}

    def check(self, given: Conditionals) -> None:
        """Every count and total is what counting one by one gives."""
        for names, roles, count, total in zip(
            given.names.tolist(),
            given.roles.tolist(),
            given.count.tolist(),
            given.total.tolist(),
            strict=True,
        ):
            first, second, head = map(self.extension, names, roles)
            body = first & second
            assert (count, total) == (len(body & head), len(body))


@st.composite
def countings(draw: st.DrawFn, *, least: int = 1, most: int = 6) -> Counting:
    """A random population of at most 25, with overlapping and with empty concepts."""
    size = draw(st.integers(1, 25))
    concepts = draw(st.integers(least, most))
    roles = draw(st.integers(0, 2))
    random = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    chances = random.choice([0.0, 0.1, 0.5, 0.9, 1.0], concepts)
    members = (random.random((size, concepts)) < chances).astype(np.uint8)
    links = {
        f"r{role}": random.integers(size, size=(2, int(random.integers(0, 2 * size))))
        for role in range(roles)
    }
    population = Population(tuple(f"C{place}" for place in range(concepts)), members, links)
    root = draw(st.sampled_from(["Root", None]))
    conjoined = draw(st.integers(0, concepts))
    return Counting(population, population.counted("random", root=root, conjoined=conjoined))
