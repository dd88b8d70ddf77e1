"""People who are taken satisfy what is stated, one by one, and files give it back."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import boxsel
from boxsel import examples
from boxsel.build.graphs.building import Content, build_graph
from boxsel.build.graphs.choice import EVERYTHING, Choice
from boxsel.build.tables.building import build_table
from boxsel.errors import BoxselError
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.typical import find_typical
from boxsel.exact.weighted_model import Element, WeightedModel
from boxsel.logic.axioms import Axiom, ConceptAssertion, Conditional, RoleAssertion, RoleInclusion
from boxsel.logic.concepts import Individual, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.people.ends import End
from boxsel.people.rounding import exact_counts, round_counts, whole_multiples
from boxsel.people.sample import Sample, sample
from boxsel.syntax.parser import parse_kb
from tests import interpretations as explicit
from tests.build.graphs.reference import Graph
from tests.build.graphs.test_building import write
from tests.build.graphs.test_selection import graphs
from tests.depth import cases, some
from tests.exact.knowledge_bases import random_kb
from tests.ticking import ticking

SMALL = 3_000


def spelt_out(people: Sample) -> explicit.Interpretation:
    """Everybody as an element of their own, by what a file would say of them."""
    members = list(people.members())
    numbers = {member.id: number for number, member in enumerate(members)}
    assert len(numbers) == len(members) == len(people), "nobody is there twice"
    return explicit.Interpretation(
        frozenset(numbers.values()),
        {
            name: frozenset(n for n, member in enumerate(members) if name in member.names)
            for name in people.population.concepts
        },
        {
            role: frozenset(
                (n, numbers[other])
                for n, one in enumerate(members)
                for own, other in one.links
                if own == role
            )
            for role in people.population.roles
        },
        {
            individual: numbers[individual.iri]
            for individual in people.kb.signature.individuals
            if individual.iri in numbers
        },
    )


@pytest.mark.parametrize("seed", some(range(60)))
def test_every_statement_is_true_of_people_one_by_one(seed: int) -> None:
    kb, query = random_kb(Random(seed), 5)
    if not Reasoner(kb).consistent:
        with pytest.raises(BoxselError, match="no model at all"):
            sample(kb, 10)
        return
    answer = Reasoner(kb).bounds(query)
    for end in ("typical", "lower", "upper"):
        asked = None if end == "typical" else query
        if asked is not None and answer.lower is None:
            with pytest.raises(BoxselError, match="empty in every model"):
                sample(kb, 10, query=asked, end=end)
            continue
        people = sample(kb, 60, query=asked, end=end)
        if not people.exact and people.smallest is not None and people.smallest < SMALL:
            smaller, people = people, sample(kb, people.smallest, query=asked, end=end)
            assert people.exact, smaller
        assert len(people) == sum(1 for _ in people.members())
        world = spelt_out(people)
        if people.exact:
            assert world.is_model(kb)
            if asked is not None:
                ends = {"lower": answer.lower, "upper": answer.upper}
                bound = ends[end]
                assert bound is not None
                assert world.share(query.head, query.body) == people.share == bound.bound
        else:
            assert people.deviation > 0
            assert "deviation" in people.text or "off by" in people.text


def with_assertions(kb: KB, random: Random) -> KB:
    """With individuals that are alike, in files too, and links between them."""
    concepts = kb.signature.concepts or (Name("A"),)
    individuals = [Individual(one) for one in ("a", "b", "c", "urn:boxsel:individual:1")]
    roles = [Role("r"), Role("s")]
    axioms: list[Axiom] = []
    for _ in range(random.randint(1, 3)):
        axioms += (
            ConceptAssertion(random.choice(concepts), random.choice(individuals)),
            RoleAssertion(random.choice(roles), *random.choices(individuals, k=2)),
        )
    return KB.of(*kb.axioms, *axioms, RoleInclusion(*random.choices(roles, k=2)))


@pytest.mark.parametrize("seed", some(range(200), 20))
def test_individuals_are_different_people_with_all_their_links(seed: int) -> None:
    random = Random(seed)
    kb, query = random_kb(random, 4)
    kb = with_assertions(kb, random)
    for asked in (None, query):
        size, looks = random.randint(1, 25), random.choice([None, None, 100, 300])
        end: End = "typical" if asked is None else random.choice(["lower", "upper"])
        try:
            people = sample(kb, size, query=asked, end=end, budget=ticking(looks))
        except BoxselError as error:
            assert re.search("no model|empty in every|in time|are too few", str(error))
            continue
        world = spelt_out(people)
        assert len(people) == size
        assert world.individuals.keys() == {*kb.signature.individuals}
        for axiom in kb.axioms:
            shared = isinstance(axiom, Conditional)
            assert world.satisfies(axiom) or (shared and not people.exact), axiom
        if asked is not None and people.exact:
            share = getattr(Reasoner(kb).bounds(asked), end).bound
            assert world.share(asked.head, asked.body) == people.share == share


@pytest.mark.parametrize("end", ["lower", "upper", "typical"])
def test_without_anybody_in_its_body_a_query_has_no_share(end: End) -> None:
    kb = parse_kb("(A | owl:Thing)[0, 0.01]\n(B | A)[0, 0.5]")
    people = sample(kb, 5, query="(B | A)", end=end)
    assert people.share is None
    assert not people.exact
    assert "(B | A) is undefined: nobody is left in its body" in people.text
    assert people.smallest == (200 if end == "upper" else 100)
    assert sample(kb, people.smallest, query="(B | A)", end=end).exact


def test_axioms_that_were_left_out_are_told() -> None:
    kb = parse_kb('(B | A)[0.5]\nDropped: 3 "ObjectUnionOf" "not in SEL"')
    assert "3 axioms were left out on reading" in sample(kb, 10).text


def test_a_size_that_is_too_small_says_which_is_not() -> None:
    kb = examples.load("berkeley")
    few = sample(kb, 100)
    assert not few.exact
    assert few.least
    assert few.smallest == 270
    assert "with 270 people, and no fewer of these kinds, every statement holds exactly" in few.text
    assert sample(kb, 270).exact
    assert few.worst is not None
    share = few.population.share(few.worst.axiom.head, few.worst.axiom.body)  # type: ignore[attr-defined]
    assert share is not None
    assert few.deviation == abs(share - few.worst.axiom.bounds.lower)  # type: ignore[attr-defined]


def test_an_end_that_is_only_approached_is_told() -> None:
    kb = parse_kb("A SubClassOf r some B\nDisjointClasses: A, B")
    people = sample(kb, 100, query="(A | owl:Thing)", end="upper")
    assert not people.exact
    assert people.worst is None
    assert people.share == 1 - people.deviation
    assert people.smallest is None
    assert spelt_out(people).is_model(kb)
    assert "the query's share is off by" in people.text


def test_individuals_have_their_names_and_links() -> None:
    kb = parse_kb("Parent(ann)\nhasChild(ann, bob)\nhasChild(ann, eve)\n(Parent | owl:Thing)[1/4]")
    people = sample(kb, 40)
    assert people.exact
    assert spelt_out(people).is_model(kb)
    assert {Individual(one).iri for one in ("ann", "bob", "eve")} <= {
        member.id for member in people.members()
    }


def test_people_of_data_are_the_data() -> None:
    kb = build_table(examples.path("admissions.csv"), depth=1).kb
    people = sample(kb, 3 * 4_526)
    assert people.exact
    assert people.origin in ("typical", "data")


tables = st.lists(
    st.tuples(
        st.sampled_from(["x", "y"]), st.sampled_from(["u", "v", ""]), st.sampled_from(["yes", "no"])
    ),
    min_size=1,
    max_size=12,
)


def stated(kb: KB) -> dict[Query, Fraction]:
    return {
        Query(conditional.head, conditional.body): conditional.bounds.lower
        for conditional in kb.conditionals
    }


@settings(max_examples=cases(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=tables, extension=st.sampled_from([".csv", ".parquet"]))
def test_a_table_of_people_gives_the_shares_back(
    rows: list[tuple[str, ...]], extension: str, tmp_path: Path
) -> None:
    frame = pd.DataFrame(rows, columns=["a", "b c", "d"])
    assume(frame["b c"].any())
    kb = build_table(frame, individuals=True).kb
    people = sample(kb, 2 * len(rows))
    assert people.exact
    path = tmp_path / f"people{extension}"
    people.write(path)
    again = build_table(path, individuals=True).kb
    assert stated(again).items() >= stated(kb).items()


@settings(max_examples=cases(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=graphs, extension=st.sampled_from([".nt", ".ttl"]))
def test_a_graph_of_people_gives_the_shares_back(
    graph: Graph, extension: str, tmp_path: Path
) -> None:
    content = Content(keep=("disjoint", "included"))
    kb = build_graph(write(graph, tmp_path / "g.tsv"), Choice(root=EVERYTHING), content).kb
    assert kb.data is not None
    people = sample(kb, 2 * kb.data.size)
    assert people.exact
    path = tmp_path / f"people{extension}"
    people.write(path)
    again = build_graph(path, Choice(root=EVERYTHING, top=99), content).kb
    shares = stated(again)
    assert again.witness is not None
    for query, share in stated(kb).items():
        assert again.witness.share(query.head, query.body) == share
        assert shares.get(query, share) == share


def test_names_are_columns_and_links_are_ids(tmp_path: Path) -> None:
    kb = parse_kb("Parent SubClassOf hasChild some Person\n(Parent | Person)[1/2]")
    people = sample(kb, 8)
    assert people.exact
    people.write(tmp_path / "people.csv")
    frame = pd.read_csv(tmp_path / "people.csv", dtype=str, keep_default_na=False)
    assert list(frame.columns) == ["id", "Parent", "Person", "hasChild"]
    pd.testing.assert_frame_equal(frame, people.table())
    parents = frame[frame["Parent"] == "yes"]
    persons = {*frame[frame["Person"] == "yes"]["id"]}
    assert {*parents["hasChild"]} <= persons
    people.write(tmp_path / "people.parquet")
    again = pd.read_parquet(tmp_path / "people.parquet").fillna("") if _has_arrow() else frame
    assert again.astype(str).to_csv() == frame.to_csv()


def _has_arrow() -> bool:
    try:
        pd.read_parquet(io.BytesIO(b""))
    except ImportError:
        return False
    except Exception:
        return True
    return True


def test_values_of_one_column_that_meet_are_columns_of_their_own(tmp_path: Path) -> None:
    kb = parse_kb("('a=x' | 'a=y')[1]\n('a=y' | owl:Thing)[1/2]\n('id=1' | owl:Thing)[1/2]")
    people = sample(kb, 4)
    people.write(tmp_path / "people.csv")
    titles = (tmp_path / "people.csv").read_text().splitlines()[0]
    assert titles == "a=x,a=y,id=1"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"size": 0}, "0 people cannot be taken: ask for 1 to"),
        ({"size": 10**9}, "1,000,000,000 people cannot be taken"),
        ({"size": 5, "end": "middle"}, "no end 'middle': choose lower, upper, typical"),
        ({"size": 5, "end": "lower"}, "give one with --query"),
        ({"size": 5, "query": "(A | C)", "end": "typical"}, "roles or individuals"),
    ],
)
def test_what_cannot_be_taken_is_said(options: dict[str, object], problem: str) -> None:
    kb = parse_kb("(A | C)[1/2]\n(r some B | A)[1/2]")
    with pytest.raises(BoxselError, match=problem):
        boxsel.sample(kb, **options)  # type: ignore[arg-type]


def test_whoever_is_linked_needs_somebody_to_be_linked_to() -> None:
    kb = parse_kb("A SubClassOf r some B\nB SubClassOf r some C\nDisjointClasses: A, B, C")
    with pytest.raises(BoxselError, match=r"1 people are too few: .* needs 2 of them"):
        sample(kb, 1, query="(A | A)", end="lower")
    people = sample(kb, 3, query="(A | A)", end="lower")
    assert people.exact
    assert spelt_out(people).is_model(kb)


def test_files_have_an_extension_that_is_known(tmp_path: Path) -> None:
    people = sample(parse_kb("(A | B)[1/2]"), 4)
    with pytest.raises(BoxselError, match=r"\.csv, \.parquet, \.nt, \.ttl"):
        people.write(tmp_path / "people.xlsx")


def test_without_time_nobody_is_found() -> None:
    with pytest.raises(BoxselError, match="in time: give more with --budget"):
        sample(parse_kb("(r some A | B)[1/2]"), 5, budget=Budget(0.0))


weights = st.lists(st.fractions(0, 5, max_denominator=6), min_size=1, max_size=6)


@given(weights, st.integers(1, 200), st.data())
def test_rounding_keeps_the_size_and_who_is_needed(
    given_weights: list[Fraction], size: int, data: st.DataObject
) -> None:
    assume(any(given_weights))
    model = WeightedModel(tuple(Element((), weight, Fraction(0)) for weight in given_weights))
    least = data.draw(
        st.lists(st.integers(0, 1), min_size=len(given_weights), max_size=len(given_weights))
    )
    assume(sum(least) <= size)
    counts = round_counts(model, size, least)
    assert sum(counts) == size
    assert all(count >= low for count, low in zip(counts, least, strict=True))
    if not any(least):
        total = sum(given_weights)
        off = [
            abs(count - size * weight / total)
            for count, weight in zip(counts, given_weights, strict=True)
        ]
        assert max(off) < 1
    main, _ = whole_multiples(model, least)
    exact = exact_counts(model, size, least)
    assert (exact is None) == (size % sum(main) != 0)
    if exact is not None:
        assert ratios(exact) == ratios(given_weights)


def ratios(numbers: Sequence[Fraction | int]) -> list[Fraction]:
    return [Fraction(number) / sum(numbers) for number in numbers]


def test_kinds_of_a_typical_population_add_up_to_its_shares() -> None:
    kb = examples.load("berkeley")
    typical = find_typical(kb)
    kinds = typical.kinds(1_000)
    assert kinds is not None
    assert sum(weight for _, weight in kinds) == pytest.approx(1)
    for body in kb.signature.concepts:
        inside = [(kind, weight) for kind, weight in kinds if body in kind]
        whole = sum(weight for _, weight in inside)
        for head in kb.signature.concepts:
            part = sum(weight for kind, weight in inside if head in kind)
            assert part / whole == pytest.approx(typical.share(Query(head, body)), abs=1e-9)
    assert typical.kinds(3) is None
    assert all(isinstance(one, Name) for kind, _ in kinds for one in kind)


def test_of_a_crowd_of_shares_people_are_drawn_and_no_name_needs_a_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"N{number}" for number in range(14)]
    shares = [f"({b} | {a})[0.2, 0.8]" for a in names for b in names if a < b]
    kb = parse_kb("\n".join(["N0 SubClassOf r some N1", *shares]))

    def refuse(_: Reasoner, query: Query) -> None:
        raise AssertionError(f"{query} was asked")

    monkeypatch.setattr(Reasoner, "bounds", refuse)
    people = sample(kb, 1_000)
    world = spelt_out(people)
    assert all(world.names[name] for name in kb.signature.concepts)
    assert all(world.satisfies(axiom) for axiom in kb.axioms)
