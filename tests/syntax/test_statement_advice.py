"""What people write for a statement: the advice is a line that says the same, and can be read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import ReadError
from boxsel.syntax.parser import parse_kb
from boxsel.syntax.statement_advice import statement_advice


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("P(A | B) = 0.3", "(A | B)[0.3]"),
        ("Pr(A|B)=30%", "(A | B)[30%]"),
        ("(A | B) = 0.3", "(A | B)[0.3]"),
        ("(A | B): 30 %", "(A | B)[30%]"),
        ("(A and r some C | B) 0.3", "(A and r some C | B)[0.3]"),
        ("(A | B)[0.1 - 0.2]", "(A | B)[0.1, 0.2]"),
        ("(A | B)[20-30%]", "(A | B)[20%, 30%]"),
        ("(A | B)[0,1;0,2]", "(A | B)[0.1, 0.2]"),
        ("(A | B) between 0.1 and 0.2", "(A | B)[0.1, 0.2]"),
        ("(A | B)[<= 0.2]", "(A | B)[0, 0.2]"),
        ("(A | B) ≥ 20%", "(A | B)[20%, 1]"),
        ("(A | B) at most 5 %", "(A | B)[0, 5%]"),
        ("(A | B)[0.3 ± 0.05]", "(A | B)[0.25, 0.35]"),
        ("(A | B)[3 +/- 5%]", "(A | B)[0, 0.08]"),
        ("20% of B are A", "(A | B)[20%]"),
        ("20 to 25 % of the 'heart patients' are 'at risk'", "('at risk' | 'heart patients')"),
        ("A is a B", "A SubClassOf B"),
        ("all A are B", "A SubClassOf B"),
        ("every 'type 1' is a B", "'type 1' SubClassOf B"),
        ("A ⊑ B", "A SubClassOf B"),
        ("A -> B", "A SubClassOf B"),
        ("A ≡ B", "A EquivalentTo B"),
        ("A = B", "A EquivalentTo B"),
        ("A = B and r some C", "A EquivalentTo B and r some C"),
        ("A ⊓ ∃r.(B ⊓ C) ⊑ ⊥", "A and r some (B and C) SubClassOf owl:Nothing"),
        ("(∃r.A | B)[0.3]", "(r some A | B)[0.3]"),
        ("no A is a B", "DisjointClasses: A, B"),
        ("(A | B)[3‰]", "(A | B)[0.3%]"),
        ("(A | B)[4‰, 12 ‰]", "(A | B)[0.4%, 1.2%]"),
        ("(A | B) = 4–12 per 100,000", "(A | B)[0.004%, 0.012%]"),
        ("(A | B)[2.5 per 1000]", "(A | B)[0.25%]"),
        ('(A | "x y")[0.2]', "(A | 'x y')[0.2]"),
        ("P(A | B) = 0.3  ## source: PMID:1", "(A | B)[0.3]"),
    ],
)
def test_the_advice_says_what_was_meant_and_can_be_read(line: str, meant: str) -> None:
    with pytest.raises(ReadError) as caught:
        parse_kb(line)
    advice = caught.value.diagnostics[0].help
    assert advice is not None
    assert advice.startswith(f"write {meant}")
    assert len(parse_kb(advice.removeprefix("write ")).statements) == 1


def test_a_number_that_only_the_author_knows_is_asked_for() -> None:
    with pytest.raises(ReadError, match=re.escape("such as [0.25, 0.35]")):
        parse_kb("(A | B)[~0.3]")


@pytest.mark.parametrize(
    "line", ["(A B | C)[0.2, 0.3]", "(A B|C)[0.2]", "(A || B) = 0.2", "(A,|B)[1%]"]
)
def test_no_line_is_advised_that_cannot_be_read_either(line: str) -> None:
    with pytest.raises(ReadError) as caught:
        parse_kb(line)
    advice = caught.value.diagnostics[0].help
    assert advice is None or not advice.startswith("write (")


def test_a_decimal_comma_is_told() -> None:
    with pytest.raises(ReadError, match=r"decimals a point: 0\.25"):
        parse_kb("(A | B)[0,25]")


NUMBERS = st.integers(0, 100)


@given(low=NUMBERS, high=NUMBERS, sign=st.sampled_from(["-", " – ", "..", "; ", " to "]))
def test_what_a_range_means_is_what_the_advice_reads(low: int, high: int, sign: str) -> None:
    low, high = sorted((low, high))
    advice = statement_advice(f"P(A | B) = {low}{sign}{high} %")
    assert advice is not None
    assert parse_kb(advice.removeprefix("write ")) == parse_kb(f"(A | B)[{low}%, {high}%]")


@given(st.text(alphabet="AB (|)[]0.,;%<>=~±-", max_size=30))
def test_no_line_is_too_odd(line: str) -> None:
    advice = statement_advice(line)
    assert advice is None or advice.startswith("write ")
