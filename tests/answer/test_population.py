"""The population behind an end: it has the share of the end, and its picture has its areas."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree as Xml

import jsonschema
import pytest

from boxsel import examples
from boxsel.answer.ask import ask
from boxsel.errors import BoxselError
from boxsel.logic.interpretations import Interpretation
from boxsel.pictures.mosaic import EDGE, HIGH, WIDE, draw_mosaic, lay_tiles
from boxsel.schemas import schema
from tests.depth import cases
from tests.exact.knowledge_bases import random_kb


@pytest.mark.parametrize("seed", range(cases(150)))
def test_the_population_of_an_end_has_its_share(seed: int) -> None:
    kb, query = random_kb(Random(seed))
    answer = ask(kb, query, estimate="never", population=True)
    jsonschema.validate(answer.to_json(), schema("ask"))
    if answer.outer is None or not answer.exact:
        assert answer.lower.population is None
        return
    for end, evidence in ((answer.outer.lower, answer.lower), (answer.outer.upper, answer.upper)):
        population = evidence.population
        assert population is not None
        roles = {role for kind in population.kinds for role, _ in kind.links}
        interpretation = Interpretation(
            tuple(frozenset(kind.names) for kind in population.kinds),
            {
                role: frozenset(
                    (subject, target)
                    for subject, kind in enumerate(population.kinds)
                    for own, target in kind.links
                    if own == role
                )
                for role in roles
            },
            {},
        )
        body, head = (interpretation.places(concept) for concept in (query.body, query.head))
        whole = part = 0
        for place, kind in enumerate(population.kinds):
            assert kind.asked == (bool(body >> place & 1), bool(head >> place & 1))
            whole += kind.count * (body >> place & 1)
            part += kind.count * ((body & head) >> place & 1)
        assert part == end * whole
        assert "a population with it" in answer.text
        Xml.fromstring(population.picture(kb.prefixes))


@pytest.mark.parametrize("seed", range(20))
def test_areas_are_shares(seed: int) -> None:
    random = Random(seed)
    names = random.randint(1, 4)
    kinds = {tuple(random.random() < 0.5 for _ in range(names)) for _ in range(6)}
    weights = {kind: random.random() for kind in sorted(kinds)}
    total = sum(weights.values())
    shares = {kind: weight / total for kind, weight in weights.items()}
    tiles = [*lay_tiles(shares, names)]
    assert {tile.having for tile in tiles} == set(shares)
    for tile in tiles:
        assert tile.width * tile.height == pytest.approx(shares[tile.having] * WIDE * HIGH)
        assert min(tile.x, tile.y) >= EDGE - 1e-9
        assert tile.x + tile.width <= EDGE + WIDE + 1e-9
        assert tile.y + tile.height <= EDGE + HIGH + 1e-9


def test_a_mosaic_says_in_words_what_it_shows() -> None:
    answer = ask(examples.load("applicant"), "(Admitted | Applicant)", population=True)
    assert answer.lower.population is not None
    drawing = Xml.fromstring(answer.lower.population.picture(answer.prefixes))
    said = drawing.attrib["aria-label"]
    assert said == "16% Applicant, Admitted; 84% Applicant, not Admitted"
    assert len([element for element in drawing.iter() if element.tag.endswith("rect")]) == 2
    nobody: dict[tuple[bool, ...], float] = {(True,): 0.0}
    for names, shares in (([], {}), (["A"] * 5, {}), (["A"], nobody)):
        with pytest.raises(BoxselError, match="mosaic"):
            draw_mosaic(names, shares)
