"""`boxsel compare` and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from boxsel.comparison.cells import Cells
from boxsel.exact.answers import Outcome
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.schemas import schema
from tests.cli.inside import Inside, interrupting

BERKELEY = "example:berkeley"
RATES = ("(Admitted | Woman)", "(Admitted | Man)")


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


def test_a_comparison_is_told_and_its_certificate_verifies(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = inside("compare", BERKELEY, *RATES, "--certificate", "proof.json", "--budget", "60s")
    assert told.code == 0
    assert "always lower (exact, certified)" in told.out
    checked = inside("verify", BERKELEY, "proof.json")
    assert checked.code == 0
    assert checked.out == f"{RATES[0]} against {RATES[1]}: proved\n"
    line = inside("verify", BERKELEY, "proof.json", "--json").out
    jsonschema.validate(json.loads(line), schema("verify"))
    other = inside("verify", "example:applicant", "proof.json")
    assert other.code == 1
    assert "does not prove what it claims" in other.out


@pytest.mark.parametrize(
    "queries", [RATES, ("(Admitted | Woman and not DeptA)", "(not Admitted | Man)")]
)
def test_json_has_its_schema(inside: Inside, queries: tuple[str, str]) -> None:
    content = inside.answer("compare", BERKELEY, *queries, "--budget", "60s")
    assert content["first"] == queries[0]


def test_two_shares_are_compared(inside: Inside) -> None:
    assert "two shares are compared, not 1" in inside.complaint("compare", BERKELEY, RATES[0])


@pytest.mark.parametrize("method", ["_ask", "inner"])
def test_ctrl_c_ends_it_with_what_is_known(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    proof = tmp_path / "proof.json"
    kb = tmp_path / "kb.sel"
    kb.write_text("B SubClassOf A\n(B | A)[0.5, 1]\n(D | A)[0.4, 0.8]\n", "utf-8")
    interrupting(monkeypatch, Cells, method)
    told = inside("compare", kb, "(D | A)", "(D | B)", "--json", "--certificate", proof)
    assert told.code == 3
    content = json.loads(told.out)
    jsonschema.validate(content, schema("compare"))
    assert (content["status"], content["certified"]) == ("budget", False)
    assert -1 <= content["difference"]["lower"] <= -0.5
    assert 0.5 <= content["difference"]["upper"] <= 1
    assert "was not written: the time was over" in told.said
    assert not proof.exists()


def test_an_interrupt_before_anything_is_known_says_so(
    inside: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupting(monkeypatch, _Started, "work")
    monkeypatch.setattr("boxsel.comparison.compare.Reasoner", _Started)
    told = inside("compare", BERKELEY, *RATES)
    assert told.code == 3
    assert "the time was over before both shares were known" in told.out


class _Started(Reasoner):
    """A reasoner that somebody interrupts at its first question."""

    @property
    def _budget(self) -> Budget:
        return self.budget

    def bounds(self, query: Query | str) -> Outcome:
        self.work()
        return super().bounds(query)

    def work(self) -> None:
        """What is interrupted."""
