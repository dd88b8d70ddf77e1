"""Tasks as functions: they answer what the command line prints, and open nothing."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import boxsel
from boxsel import examples
from boxsel.errors import BoxselError, ReadError
from boxsel.formats.registry import FORMATS
from boxsel.logic.kb import KB
from boxsel.serve.library import Library
from boxsel.serve.problems import ProblemError
from boxsel.serve.tasks import TASKS, Desk
from tests.cli.inside import Inside
from tests.depth import cases
from tests.strategies import kbs

QUERIES = {
    "applicant": "(Admitted | Applicant)",
    "berkeley": "(Admitted | Woman)",
    "clinic": "(Smoker | Patient)",
}
BROKEN = "(B | A)[0.2]\n(B | A)[0.8]\n"


def asked(task: str, *, upload: bytes = b"", **request: Any) -> dict[str, Any]:
    return TASKS[task](Desk(Library(statements=1000), seconds=20, upload=upload), request)


def untimed(answer: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(answer, allow_nan=False))
    plain.pop("seconds", None)
    return plain


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("task", ["check", "show", "bounds", "explain", "ask"])
def test_answers_are_those_of_the_command_line(
    task: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    query = [] if task in ("check", "show") else [QUERIES[name]]
    printed = Inside(capsys).answer(task, examples.path(f"{name}.sel"), *query)
    told = asked(task, kb=examples.text(name), query=QUERIES[name])
    assert untimed(told) == untimed(printed)


def test_a_repair_comes_with_its_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.sel"
    path.write_text(BROKEN)
    printed = Inside(capsys).answer("repair", path)
    told = asked("repair", kb=BROKEN)
    text = told.pop("kb")
    assert told == {key: value for key, value in printed.items() if key != "output"}
    assert boxsel.parse(text).check().coherent
    assert asked("repair", kb=BROKEN, concepts=["B"])["changes"] == []
    with pytest.raises(BoxselError, match="complex concept"):
        asked("repair", kb=BROKEN, concepts=["A and B"])


def test_a_comparison_is_that_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = "(Admitted | Woman)", "(Admitted | Man)"
    printed = Inside(capsys).answer("compare", examples.path("berkeley.sel"), first, second)
    told = asked("compare", kb=examples.text("berkeley"), first=first, second=second)
    assert untimed(told) == untimed(printed)
    assert told["verdict"] == "always lower"


def test_people_come_as_the_text_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = examples.path("clinic.sel")
    for name in ("people.csv", "people.ttl"):
        file = tmp_path / name
        printed = Inside(capsys).answer("sample", path, "-n", "40", "-o", file)
        told = asked("sample", kb=path.read_text(), size=40, to=name.partition(".")[2])
        assert told.pop("people") == file.read_text()
        assert told == {key: value for key, value in printed.items() if key != "output"}


def test_assumptions_are_for_one_question() -> None:
    desk = Desk(Library(statements=1000), seconds=20)
    plain = {"kb": examples.text("applicant"), "query": "(Admitted | Applicant)"}
    supposed = {**plain, "assume": ["(Admitted | DeptA)[0.5]"]}
    found = [TASKS["bounds"](desk, one)["lower_exact"] for one in (plain, supposed, plain)]
    assert found == ["4/25", "1/10", "4/25"]


def test_counts_are_read_as_asked() -> None:
    kb, query = "(Relapse | Treated)[7 of 12]", "(Relapse | Treated)"
    point = asked("bounds", kb=kb, query=query)
    wide = asked("bounds", kb=kb, query=query, confidence=0.95)
    assert point["lower_exact"] == point["upper_exact"] == "7/12"
    assert wide["lower"] < point["lower"] < wide["upper"]
    rounded = asked("bounds", kb="(B | A)[12%]", query="(B | A)", rounded="1%")
    assert (rounded["lower"], rounded["upper"]) == (0.115, 0.125)
    assert asked("show", kb=kb, confidence=0.95)["coverage"]["confidence"] == 0.95


def test_parsing_says_where() -> None:
    told = asked("parse", kb="A SubClassOf B\nA SubClassOf\n(B | A)[2]\n")
    assert told["valid"] is False
    assert [(error["line"], bool(error["message"])) for error in told["errors"]] == [
        (2, True),
        (3, True),
    ]
    assert all(error["column"] >= 1 and error["length"] >= 1 for error in told["errors"])
    good = asked("parse", kb="A SubClassOf r some B\nC(a)\n")
    assert good["valid"]
    assert [concept["name"] for concept in good["concepts"]] == ["A", "B", "C"]
    assert [[one["name"] for one in good[kind]] for kind in ("roles", "individuals")] == [
        ["r"],
        ["a"],
    ]
    assert good["statements"] == ["A SubClassOf r some B", "C(a)"]


@pytest.mark.parametrize("name", [one.name for one in FORMATS if not one.table])
def test_files_of_all_formats_can_be_sent_and_fetched(name: str) -> None:
    kb = examples.load("clinic")
    written = asked("convert", kb=examples.text("clinic"), to=name)
    for told in (name, None):
        read = asked("read", upload=written["kb"].encode(), format=told)
        assert boxsel.parse(read["kb"]).conditionals
        assert set(boxsel.parse(read["kb"]).axioms) == set(kb.axioms)


@settings(max_examples=cases(30))
@given(kbs())
def test_sending_changes_nothing(kb: KB) -> None:
    text = asked("convert", kb=_text(kb), to="json")["kb"]
    assert boxsel.parse(asked("read", upload=text.encode(), format="json")["kb"]) == kb


def _text(kb: KB) -> str:
    from boxsel.formats.registry import format_named

    text: str = format_named("sel").codec.write(kb)
    return text


def test_binary_formats_are_not_text() -> None:
    with pytest.raises(BoxselError, match="not text"):
        asked("convert", kb="A SubClassOf B", to="parquet")


def test_too_many_statements() -> None:
    with pytest.raises(ProblemError, match="1,001 statements") as error:
        asked("show", kb="".join(f"A{n} SubClassOf B\n" for n in range(1001)))
    assert error.value.status == 413


@pytest.mark.parametrize(
    ("format_name", "text"),
    [
        ("sel", "{path}"),
        ("owl", '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file://{path}">]>'
         '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
         ' xmlns:owl="http://www.w3.org/2002/07/owl#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">'
         '<owl:Ontology rdf:about="urn:o"><owl:imports rdf:resource="http://127.0.0.1:1/o.owl"/></owl:Ontology>'
         '<owl:Class rdf:about="urn:A"><rdfs:label>&x;</rdfs:label></owl:Class></rdf:RDF>'),
        ("owx", '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file://{path}">]>'
         '<Ontology xmlns="http://www.w3.org/2002/07/owl#"><Import>http://127.0.0.1:1/o.owl</Import>'
         "<Declaration><Class IRI='urn:A'/></Declaration>"
         "<AnnotationAssertion><AnnotationProperty abbreviatedIRI='rdfs:label'/><IRI>urn:A</IRI>"
         "<Literal>&x;</Literal></AnnotationAssertion></Ontology>"),
        ("ofn", "Prefix(:=<urn:x:>)\nOntology(<urn:o>\nImport(<file://{path}>)\nDeclaration(Class(:A)))"),
        ("ttl", "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<urn:o> a owl:Ontology ;"
         " owl:imports <file://{path}> .\n<urn:A> a owl:Class .\n"),
        ("obo", "format-version: 1.4\nimport: file://{path}\n\n[Term]\nid: X:1\nname: a\n"),
        ("json", '"{path}"'),
        ("csv", "head,body,lower,upper\nB,A,{path},1\n"),
    ],
)  # fmt: skip
def test_nothing_that_a_request_names_is_opened(
    format_name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.sel"
    secret.write_text("Treasure SubClassOf Island\n")
    monkeypatch.setattr(socket.socket, "connect", _forbidden)
    monkeypatch.setattr(socket, "getaddrinfo", _forbidden)
    sent = text.replace("{path}", str(secret))
    try:
        told = json.dumps(asked("read", upload=sent.encode(), format=format_name))
    except (ReadError, BoxselError) as error:
        told = str(error)
    assert "Treasure" not in told


def _forbidden(*_arguments: object) -> None:
    raise AssertionError("nothing is fetched")


def test_the_library_keeps_what_was_asked_last() -> None:
    library = Library(statements=10, kept=2)
    requests = [{"kb": f"(B | A)[0.{n}]"} for n in range(1, 4)]
    first, second = library.entry(requests[0]), library.entry(requests[1])
    assert library.entry(requests[0]) is first
    library.entry(requests[2])
    assert library.entry(requests[0]) is first
    assert library.entry(requests[1]) is not second
    assert library.entry({**requests[0], "confidence": 0.9}) is not first
    library.forget()
    assert library.entry(requests[0]) is not first


def test_a_reasoner_gets_fresh_time_for_every_question() -> None:
    desk = Desk(Library(statements=10), seconds=20)
    kb = examples.text("applicant")
    for budget, status in ((1e-9, "budget"), (None, "bounded"), (1e-9, "budget")):
        request = {"kb": kb, "query": "(Admitted | Applicant)", "budget": budget}
        found = TASKS["bounds"](desk, request)["status"]
        assert found == status or (budget and found == "bounded")


def test_reversals_are_those_of_python() -> None:
    from boxsel.reversals.simpson import simpson

    named: dict[str, Any] = {
        "outcome": "Admitted",
        "groups": ["Woman", "Man"],
        "strata": ["DeptA", "DeptB"],
    }
    reversal = simpson(examples.load("berkeley"), "Admitted", ("Woman", "Man"), ("DeptA", "DeptB"))
    told = asked("simpson", kb=examples.text("berkeley"), **named)
    assert untimed(told) == untimed(reversal.to_json())
    table = examples.path("kidney_stones.csv")
    told = asked("simpson_table", table=table.read_text())
    assert untimed(told) == untimed(simpson(table).to_json())


def test_a_table_that_cannot_be_read_says_so_without_our_paths() -> None:
    for table in ("", "a,b\n", "\0", "a,a\n1,2\n", "a,Count\nx,many\n"):
        with pytest.raises(BoxselError) as error:
            asked("simpson_table", table=table)
        assert "/" not in str(error.value), str(error.value)
