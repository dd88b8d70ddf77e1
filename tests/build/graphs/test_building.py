"""From a graph to a knowledge base: true of the graph, complete, and the same after a stop."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boxsel.build.graphs import building, running
from boxsel.build.graphs.building import Content, build_graph
from boxsel.build.graphs.choice import EVERYTHING, Choice, recipe
from boxsel.build.graphs.inputs import Inputs
from boxsel.build.graphs.running import Running
from boxsel.errors import BoxselError, WriteError
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, And, Concept, Exists, Name, Role, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Proportion
from tests.build.graphs.graph_files import write_parquet
from tests.build.graphs.reference import Graph
from tests.build.graphs.test_selection import graphs
from tests.conftest import DataFile
from tests.depth import cases

KEEP_ALL = Content(keep=("taxonomy", "disjoint", "included"))
Sides = tuple[Concept, Concept]


def write(graph: Graph, path: Path) -> Inputs:
    """The graph as a file of triples."""
    rows = [(entity, "rdf:type", name) for entity, name in graph.types]
    rows += [(low, "rdfs:subClassOf", high) for low, high in graph.taxonomy]
    rows += list(graph.facts)
    path.write_text("".join("\t".join(row) + "\n" for row in rows))
    return Inputs(graph=(str(path),))


def extension(graph: Graph, concept: Concept) -> set[str]:
    """The entities of a concept, by its definition."""
    match concept:
        case Name():
            return graph.instances().get(str(concept), set())
        case And():
            return set.intersection(*(extension(graph, part) for part in concept.operands))
        case Exists():
            return graph.subjects(str(concept.role), extension(graph, concept.filler))
    assert concept is TOP
    return graph.entities()


def algorithm_1(graph: Graph, concepts: list[Concept], roles: list[Role]) -> dict[Sides, Count]:
    """The paper's loops, with unordered conjunctions and A = B allowed in the last two shapes."""
    sides: list[Sides] = [(b, a) for a, b in permutations(concepts, 2)]
    for first, second in combinations([concept for concept in concepts if concept is not TOP], 2):
        sides += [
            (head, conjunction(first, second))
            for head in concepts
            if head not in (first, second, TOP)
        ]
    for role in roles:
        sides += [(b, role.some(a)) for a in concepts for b in concepts]
        sides += [(role.some(a), b) for a in concepts for b in concepts]
    found = {}
    for head, body in sides:
        members = extension(graph, body)
        if members:
            found[head, body] = Count(len(members & extension(graph, head)), len(members))
    return found


def stated(kb: KB) -> dict[Sides, Proportion]:
    return {
        (conditional.head, conditional.body): conditional.proportion
        for conditional in kb.conditionals
    }


@given(graph=graphs, top=st.booleans())
@settings(max_examples=cases(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_conditionals_are_those_of_algorithm_1(graph: Graph, top: bool, tmp_path: Path) -> None:
    inputs = write(graph, tmp_path / "graph.tsv")
    built = build_graph(inputs, Choice(root=EVERYTHING if top else None), KEEP_ALL)
    chosen = built.report.selection.chosen
    concepts: list[Concept] = [Name(name) for name in chosen.concepts]
    concepts += [TOP] * top
    expected = algorithm_1(graph, concepts, [Role(role) for role in chosen.roles])
    assert stated(built.kb) == expected
    assert built.report.members == len(
        {entity for name in chosen.concepts for entity in graph.instances()[name]}
    )
    # What is left out by default is a part of it, and the taxonomy is stated in full.
    fewer = build_graph(inputs, Choice(root=EVERYTHING if top else None))
    assert stated(fewer.kb).items() <= expected.items()
    left_out = sum(
        number
        for shape in fewer.report.left_out.values()
        for reason, number in shape.items()
        if reason.name != "UNDEFINED"
    )
    assert left_out == len(expected) - len(stated(fewer.kb))
    for axiom in fewer.kb.axioms:
        if not isinstance(axiom, Conditional):
            first, *others = (extension(graph, concept) for concept in axiom.concepts())
            assert all(first <= other for other in others)


def test_labels_come_along_and_iris_get_a_prefix(tmp_path: Path) -> None:
    path = tmp_path / "graph.nt"
    space = "http://example.org/x#"
    rdf, rdfs = (
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "http://www.w3.org/2000/01/rdf-schema#",
    )
    path.write_text(
        f"<{space}ann> <{rdf}type> <{space}Cook> .\n"
        f"<{space}ann> <{rdf}type> <{space}Pilot> .\n"
        f"<{space}ann> <{space}knows> <{space}ann> .\n"
        f'<{space}Cook> <{rdfs}label> "Koch"@de .\n'
        f'<{space}Cook> <{rdfs}label> "cook"@en .\n'
        f'<{space}knows> <{rdfs}label> "is acquainted with"@en .\n'
    )
    kb = build_graph(Inputs(graph=(str(path),))).kb
    assert dict(kb.prefixes) == {"": space}
    assert kb.labels == {f"{space}Cook": "cook", f"{space}knows": "is acquainted with"}
    assert {str(statement.text(kb.prefixes)) for statement in kb} >= {"(Pilot | Cook)[1 of 1]"}


def test_the_papers_numbers(tmp_path: Path) -> None:
    types = tuple((f"e{k}", f"C{k % 5}") for k in range(10)) + (("e0", "C1"), ("e0", "Root"))
    inputs = write(Graph(types, (), (("e0", "r", "e1"),)), tmp_path / "graph.tsv")
    choice = Choice(root="Root", conjoined=4)
    built = build_graph(inputs, choice, Content(paper_counts=True))
    assert built.report.conditionals == {"PNF1": 20, "PNF2": 24, "PNF3": 20, "PNF4": 20}
    assert len(built.kb) == 84
    assert built.report.root is None
    assert Name("Root") not in built.kb.signature.concepts


def test_as_axioms_the_zeros_and_ones_say_the_same(tmp_path: Path) -> None:
    graph = Graph((("a", "A"), ("a", "B"), ("b", "B"), ("c", "C")), (), ())
    inputs = write(graph, tmp_path / "graph.tsv")
    kb = build_graph(inputs, content=Content(deterministic=True)).kb
    said = {str(axiom) for axiom in kb.axioms}
    assert "A SubClassOf B" in said
    assert "DisjointClasses: C, A" in said or "DisjointClasses: A, C" in said
    assert "(A | B)[1 of 2]" in said


def test_a_graph_without_classes_is_told_what_may_give_them(tmp_path: Path) -> None:
    file = tmp_path / "graph.tsv"
    file.write_text("ann\tkind\tCook\nbob\tkind\tCook\nann\tknows\tbob\n")
    inputs = Inputs(graph=(str(file),))
    with pytest.raises(BoxselError, match=r"--type-predicate .* rows: kind \(2\), knows \(1\)"):
        build_graph(inputs)
    built = build_graph(replace(inputs, type_predicates=("kind",)))
    assert {str(name) for name in built.kb.signature} >= {"Cook", "knows"}


def test_too_many_conditionals_are_refused_before_they_are_counted(tmp_path: Path) -> None:
    inputs = write(Graph((("a", "A"), ("a", "B"), ("b", "C"))), tmp_path / "graph.tsv")
    with pytest.raises(BoxselError, match=r"up to 9 conditionals, more than 8"):
        build_graph(inputs, content=Content(max_conditionals=8))
    assert len(build_graph(inputs, content=Content(max_conditionals=9)).kb)


def test_a_stopped_run_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    types = (("a", "A"), ("b", "B"), ("a", "B"))
    inputs = write(Graph(types, (), (("a", "r", "b"),)), tmp_path / "graph.tsv")
    work = Running(work=tmp_path / "work")
    expected = build_graph(inputs)

    with monkeypatch.context() as patch:
        patch.setattr(building, "_stated", stop)
        with pytest.raises(KeyboardInterrupt):
            build_graph(inputs, running=work)

    def no_reading(*_: object) -> None:
        raise AssertionError("the files were read again")

    monkeypatch.setattr(running, "stage", no_reading)
    again = build_graph(inputs, running=work)
    assert again.kb == expected.kb
    assert again.report.staged == expected.report.staged
    # Another choice from the same files needs no reading either.
    assert build_graph(inputs, Choice(concepts=("A", "B"), roles=("r",)), running=work).kb


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def test_changed_files_are_read_and_counted_again(tmp_path: Path) -> None:
    work = Running(work=tmp_path / "work")
    few = Graph((("a", "A"), ("a", "B")))
    build_graph(write(few, tmp_path / "graph.tsv"), running=work)
    more = replace(few, types=(*few.types, ("b", "A")))
    inputs = write(more, tmp_path / "graph.tsv")
    assert build_graph(inputs, running=work).kb == build_graph(inputs).kb


def test_a_file_that_changed_in_a_folder_is_read_and_counted_again(tmp_path: Path) -> None:
    work, folder = Running(work=tmp_path / "work"), tmp_path / "types"
    folder.mkdir()
    inputs = Inputs(types=(str(folder),))
    for rows in ("('a', 'A'), ('a', 'B')", "('a', 'A'), ('b', 'A'), ('b', 'B')"):
        write_parquet(f"SELECT * FROM (VALUES {rows}) AS rows(entity, class)", folder / "0.parquet")
        assert build_graph(inputs, running=work).kb == build_graph(inputs).kb


@pytest.mark.parametrize("lost", ["graph.duckdb", "read"])
def test_a_damaged_work_folder_is_filled_again(tmp_path: Path, lost: str) -> None:
    work = Running(work=tmp_path / "work")
    inputs = write(Graph((("a", "A"), ("a", "B"))), tmp_path / "graph.tsv")
    expected = build_graph(inputs, running=work).kb
    marker = tmp_path / "work" / running.MARKER
    if lost == "read":
        marker.write_text(json.dumps({**json.loads(marker.read_text()), lost: None}))
    else:
        (tmp_path / "work" / lost).unlink()
    assert build_graph(inputs, running=work).kb == expected


def test_labels_are_one_line_in_the_report(tmp_path: Path) -> None:
    path = tmp_path / "graph.ttl"
    path.write_text(
        '<a:a> a <a:C>. <a:C> <http://www.w3.org/2000/01/rdf-schema#label> "two\\nlines".'
    )
    assert "by instances: two lines (1)" in build_graph(path).report.text


def test_what_an_earlier_run_left_out_is_remembered_and_strict_still_stops(tmp_path: Path) -> None:
    path = tmp_path / "graph.tsv"
    path.write_text("a\trdf:type\tA\na\trdf:type\tB\nbroken\n")
    inputs, work = Inputs(graph=(str(path),)), Running(work=tmp_path / "work")
    first = build_graph(inputs, running=work)
    assert sum(rejection.count for rejection in first.report.rejected) == 1
    assert build_graph(inputs, running=work).report.rejected == first.report.rejected
    with pytest.raises(BoxselError, match=r"graph\.tsv"):
        build_graph(inputs, running=replace(work, strict=True))


def test_a_folder_with_other_files_is_not_taken_for_work(tmp_path: Path) -> None:
    inputs = write(Graph((("a", "A"), ("a", "B"))), tmp_path / "graph.tsv")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("precious")
    with pytest.raises(WriteError, match="holds other files"):
        build_graph(inputs, running=Running(work=tmp_path / "mine"))
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "precious"


def test_the_report_is_json_and_adds_up(tmp_path: Path) -> None:
    inputs = write(
        Graph((("a", "A"), ("a", "B"), ("b", "C")), (("C", "D"), ("D", "C"))), tmp_path / "g.tsv"
    )
    report = build_graph(inputs).report
    content = json.loads(json.dumps(report.to_json()))
    assert content["cycles"] == [["C", "D"]]
    assert content["read"]["tables"] == {"types": 3, "taxonomy": 2, "facts": 0, "labels": 0}
    assert content["entities"] == 2
    assert "the taxonomy has 1 cycle, whose classes are the same: C = D" in report.text


def rows(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def test_yago_equals_the_reference(data: DataFile) -> None:
    files = [data(f"yago3-mini/{name}.tsv.gz") for name in ("yagoTaxonomy", "wordnetBackbone")]
    taxonomy = [(row[1].strip("<>"), row[3].strip("<>")) for file in files for row in rows(file)]
    kinds = rows(data("yago3-mini/yagoTypes.tsv.gz"))
    facts = rows(data("yago3-mini/yagoFacts.tsv.gz"))
    graph = Graph(
        tuple((row[1], row[3].strip("<>")) for row in kinds),
        tuple(taxonomy),
        tuple((row[1], row[2].strip("<>"), row[3]) for row in facts),
    )
    paths = [*files, data("yago3-mini/yagoTypes.tsv.gz"), data("yago3-mini/yagoFacts.tsv.gz")]
    inputs = Inputs(graph=tuple(map(str, paths)))
    built = build_graph(inputs, replace(recipe("person"), top=30, conjoined=12))
    check_against(graph, built.kb)
    assert built.report.selection.instances["wordnet_person_100007846"] == 6413
    assert built.report.selection.facts["isAffiliatedTo"] == 7057
    full = build_graph(inputs, recipe("person"), Content(paper_counts=True))
    assert len(full.kb) == 325_626
    hybrid = build_graph(inputs, recipe("hybrid"), Content(paper_counts=True))
    assert len(hybrid.kb) == 7_488
    country = build_graph(inputs, recipe("country"))
    assert "30 concepts below" in country.report.selection.shortfalls[0]


def test_codex_equals_the_reference_with_occupations_as_concepts(data: DataFile) -> None:
    types = tuple((row[0], row[1]) for row in rows(data("codex-m/types.tsv.gz")))
    facts = rows(data("codex-m/facts.tsv.gz"))
    jobs = tuple((s, o) for s, p, o in facts if p == "P106")
    others = tuple((s, p, o) for s, p, o in facts if p != "P106")
    inputs = Inputs(
        facts=(str(data("codex-m/facts.tsv.gz")),),
        types=(str(data("codex-m/types.tsv.gz")),),
        labels=(str(data("codex-m/labels.tsv.gz")),),
        concept_from=("P106",),
    )
    built = build_graph(
        inputs, Choice(("country",), root="human", top=20, top_roles=2, conjoined=8)
    )
    check_against(Graph(types + jobs, (), others), built.kb)
    assert built.kb.labels["urn:boxsel:Q5"] == "human"


def check_against(graph: Graph, kb: KB) -> None:
    """Every conditional has the counts of the slow definition."""
    members = graph.instances()
    shapes: Counter[str] = Counter()
    known: dict[Concept, set[str]] = {}

    def slow(concept: Concept) -> set[str]:
        if concept not in known:
            if isinstance(concept, Name):
                known[concept] = members[str(concept)]
            elif isinstance(concept, And):
                known[concept] = set.intersection(*map(slow, concept.operands))
            else:
                assert isinstance(concept, Exists)
                known[concept] = graph.subjects(str(concept.role), slow(concept.filler))
        return known[concept]

    for conditional in kb.conditionals:
        body = slow(conditional.body)
        assert conditional.proportion == Count(len(body & slow(conditional.head)), len(body)), str(
            conditional
        )
        shapes[type(conditional.body).__name__ + type(conditional.head).__name__] += 1
    assert all(shapes[shape] for shape in ("NameName", "AndName", "ExistsName", "NameExists"))
