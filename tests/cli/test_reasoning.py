"""The commands that reason: answers in words and in JSON, exit codes, certificates, Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import jsonschema
import pytest

from boxsel import examples, read
from boxsel.schemas import schema
from tests.cli.inside import piped
from tests.cli.test_commands import RUN, answer, boxsel, complaint

CONTRADICTION = "(B | A)[0.2]\n(B | A)[0.8]\n(C | B)[0.5]\n"


@pytest.fixture
def applicant(tmp_path: Path) -> Path:
    path = tmp_path / "applicant.sel"
    path.write_text(examples.text("applicant"), "utf-8")
    return path


@pytest.fixture
def contradiction(tmp_path: Path) -> Path:
    path = tmp_path / "contradiction.sel"
    path.write_text(CONTRADICTION, "utf-8")
    return path


def test_bounds_in_json(applicant: Path) -> None:
    content = answer("bounds", applicant, "(Admitted | Applicant)")
    assert content["status"] == "bounded"
    assert (content["lower"], content["upper"]) == (0.16, 0.96)
    assert (content["lower_exact"], content["upper_exact"]) == ("4/25", "24/25")
    assert content["exact"] is True
    assert content["certified"] is True
    assert "(Admitted | DeptA)[0.8]" in content["lower_axioms"]  # type: ignore[operator]


def test_bounds_in_words_with_certificates_that_verify(applicant: Path, tmp_path: Path) -> None:
    file = tmp_path / "certificates.json"
    asked = ("(Admitted | Applicant)", "(DeptA | Admitted)")
    done = piped("bounds", applicant, *asked, "--certificate", file)
    assert done.returncode == 0, done.stderr
    assert "is between 0.16 and 0.96 (exact, certified)" in done.stdout.decode()
    assert len(file.read_text("utf-8").splitlines()) == 2
    checked = piped("verify", applicant, file)
    assert checked.returncode == 0, checked.stderr
    for line in piped("verify", applicant, file, "--json").stdout.splitlines():
        verified = json.loads(line)
        jsonschema.validate(verified, schema("verify"))
        assert verified["valid"]
        assert verified["exact"]
    # The certificate of one knowledge base is none for another.
    other = tmp_path / "other.sel"
    other.write_text("(Admitted | Applicant)[0.5]\nDeptA SubClassOf Applicant\n", "utf-8")
    refused = piped("verify", other, file)
    assert refused.returncode == 1
    assert b"does not state" in refused.stdout


def test_the_way_that_answered_is_told_if_asked_for(applicant: Path, contradiction: Path) -> None:
    query = "(Admitted | Applicant)"
    plain, said = (
        piped("bounds", str(applicant), query, *more).stdout.decode()
        for more in ((), ("--verbose",))
    )
    assert said.startswith(plain)
    assert "both ends were found by listed; before it passed\n    separated: some cond" in said
    content = answer("bounds", applicant, query, "--verbose")
    jsonschema.validate(content, schema("bounds"))
    assert content["ways"]["lower"]["way"] == "listed"  # type: ignore[index]
    assert content["ways"]["upper"]["passed"][0]["way"] == "separated"  # type: ignore[index]
    empty = piped("bounds", str(contradiction), "(B | A)", "--verbose").stdout.decode()
    assert "that was found by" in empty


def test_queries_from_a_file(applicant: Path, tmp_path: Path) -> None:
    file = tmp_path / "queries.csv"
    file.write_text("head,body\nAdmitted,Applicant\nDeptA,Applicant\n", "utf-8")
    done = piped("bounds", applicant, "--queries", file, "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["query"] for one in found] == ["(Admitted | Applicant)", "(DeptA | Applicant)"]
    assert [one["upper_exact"] for one in found] == ["24/25", "1/4"]


def test_no_number_is_an_answer(contradiction: Path, tmp_path: Path) -> None:
    vacuous = answer("bounds", contradiction, "(C | A)")
    assert vacuous["status"] == "vacuous"
    assert vacuous["lower"] is None
    assert vacuous["conflict"] == ["(B | A)[0.2]", "(B | A)[0.8]"]
    file = tmp_path / "none.sel"
    file.write_text("A(a)\nA SubClassOf owl:Nothing\nB SubClassOf C\n", "utf-8")
    inconsistent = answer("bounds", file, "(C | B)", code=1)
    assert inconsistent["status"] == "inconsistent"
    assert inconsistent["conflict"] == ["A(a)", "A SubClassOf owl:Nothing"]


def test_check(contradiction: Path, applicant: Path) -> None:
    assert answer("check", applicant)["coherent"] is True
    content = answer("check", contradiction, code=1)
    assert content["consistent"] is True
    assert content["coherent"] is False
    assert content["empty"] == ["A"]
    assert content["conflict"] == ["(B | A)[0.2]", "(B | A)[0.8]"]
    said = piped("check", contradiction).stdout.decode()
    assert "consistent\nincoherent\nempty in every model: A\n" in said
    about = piped("check", contradiction, "--concept", "B")
    assert about.returncode == 1
    assert b"B can be non-empty" in about.stderr


def test_repair(contradiction: Path, tmp_path: Path) -> None:
    output = tmp_path / "repaired.sel"
    content = answer("repair", contradiction, "-o", output)
    assert content["total"] == "3/5"
    assert content["optimal"] is True
    assert read(output).check().coherent
    assert "the least possible" in piped("repair", contradiction).stdout.decode()
    hopeless = piped("repair", "-", text="A SubClassOf B\nA SubClassOf owl:Nothing\n")
    assert hopeless.returncode == 1
    assert b"A SubClassOf owl:Nothing" in hopeless.stdout


def test_all_contradictions_are_shown_if_asked_for() -> None:
    text = "(B | A)[0.2]\n(B | A)[0.8]\nC SubClassOf A\n(B | D)[7 of 10]\n(B | D)[6 of 10]\n"
    said = piped("check", "-", text=text).stdout.decode()
    assert "2 contradictions empty 3 names\n" in said
    assert "1 more contradiction: --all shows them\n" in said
    assert "leave D empty" not in said
    every = piped("check", "-", "--all", text=text).stdout.decode()
    assert "empties 2 names: A, C\n" in every
    assert "leave D empty" in every
    counts = piped("check", "-", text="(B | D)[7 of 10]\n(B | D)[6 of 10]\n").stdout.decode()
    assert counts.endswith("With counts read as intervals it is coherent: --confidence 0.95\n")


def test_repair_by_trust_and_by_reading_counts() -> None:
    text = "(B | A)[0.2]  ## source: register\n(B | A)[7 of 10]  ## source: pilot\n"
    assert piped("repair", "-", "--trust", "pilot=0.001", text=text).stdout.startswith(b"(B | A)[7")
    assert piped("repair", "-", "--trust", "pilot", text=text).returncode == 2
    read = piped("repair", "-", "--relax", "counts", text=text).stdout.decode()
    assert "Clopper" in read
    assert "total change 0.14" in read


def test_explain(applicant: Path) -> None:
    content = answer("explain", applicant, "(Admitted and DeptA | Applicant)")
    assert content["status"] == "bounded"
    said = piped("explain", applicant, "(Admitted and DeptA | Applicant)").stdout.decode()
    assert "is at most 0.2, by" in said
    assert "times 0.8" in said


def test_counts_are_read_as_asked() -> None:
    text = "(B | A)[7 of 10]\n"
    assert answer("bounds", "-", "(B | A)", text=text)["lower_exact"] == "7/10"
    wider = answer("bounds", "-", "(B | A)", "--confidence", "0.95", text=text)
    assert wider["lower"] < 0.4  # type: ignore[operator]
    assert wider["upper"] > 0.9  # type: ignore[operator]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("bounds", "KB"), "there is nothing to answer"),
        (("bounds", "KB", "(Admited | Applicant)"), "did you mean Admitted?"),
        (("bounds", "KB", "Admitted"), "neither a file nor a query"),
        (("bounds", "KB", "(Admitted | Applicant)", "--budget", "soon"), "is not a budget"),
        (("bounds", "KB", "(Admitted | Applicant)", "--budget", "-1"), "is not a budget"),
        (("verify", "KB", "KB"), "this is not JSON"),
        (("repair", "KB", "--concept", "Admitted and DeptA"), "complex concept"),
        (("repair", "KB", "--to", "sel"), "-o"),
        (("repair", "KB", "-o", "no/such/file.sel"), "cannot be written"),
        (("bounds", "KB", "(DeptA | Applicant)", "--certificate", "."), "this is a directory"),
    ],
    ids=lambda case: " ".join(case) if isinstance(case, tuple) else "",
)
def test_bad_input(applicant: Path, arguments: tuple[str, ...], expected: str) -> None:
    given = [str(applicant) if argument == "KB" else argument for argument in arguments]
    assert expected in complaint(*given)


def test_dropped_axioms_are_never_called_exact(tmp_path: Path) -> None:
    file = tmp_path / "dropped.sel"
    file.write_text('(B | A)[0.5]\nDropped: 3 "ObjectUnionOf" "not in SEL"\n', "utf-8")
    content = answer("bounds", file, "(B | A)")
    assert content["exact"] is False
    assert content["certified"] is True


@pytest.mark.parametrize("command", ["check", "repair", "explain"])
def test_commands_take_a_budget(contradiction: Path, command: str) -> None:
    queries = ["(B | A)"] if command == "explain" else []
    asked: list[str | Path] = [command, contradiction, *queries]
    plenty = piped(*asked, "--budget", "10m", "--json")
    assert plenty.returncode == (1 if command == "check" else 0), plenty.stderr
    little = piped(*asked, "--budget", "1e-9s", "--json")
    assert little.returncode == 3, little.stderr
    for done in (plenty, little):
        jsonschema.validate(json.loads(done.stdout), schema(command))
    assert piped(*asked, "--budget", "1e-9s").stdout.strip()


def test_budget_and_interrupt_give_an_interval(tmp_path: Path) -> None:
    file = tmp_path / "hard.sel"
    file.write_text(_hard(), "utf-8")
    done = boxsel("bounds", file, "(N1 | N0)", "--budget", "2s", "--json")
    assert done.returncode in (0, 3), done.stderr
    content = json.loads(done.stdout)
    jsonschema.validate(content, schema("bounds"))
    assert (content["status"] == "budget") == (done.returncode == 3)
    assert 0 <= content["lower"] <= content["upper"] <= 1
    process = subprocess.Popen(
        [*RUN, "bounds", str(file), "(N1 | N0)", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode in (0, 3), error
    assert json.loads(out)["status"] in ("bounded", "budget")


def _hard() -> str:
    """Many conditionals between few names, which take a while."""
    lines = []
    for body in range(120):
        for step in (1, 7, 31):
            head = (body * 3 + step) % 120
            if head != body:
                lines.append(f"(N{head} | N{body})[0.{2 + (body + step) % 4}, 0.{6 + body % 3}]")
    return "\n".join(lines) + "\n"
