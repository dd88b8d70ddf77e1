"""Reversals in tables: those that are known, no others, and the same as in knowledge bases."""

from __future__ import annotations

import gzip
from fractions import Fraction
from itertools import product
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxsel import examples
from boxsel.build.tables.building import build_table
from boxsel.errors import BoxselError
from boxsel.reversals.of_table import Comparison
from boxsel.reversals.simpson import KBReversal, simpson
from boxsel.reversals.table_reversals import TableReversals
from boxsel.reversals.tabulation import TableOptions
from tests.depth import cases

COUNTS = TableOptions(count="n")
NAMED = ("O=1", ("G=1", "G=2"), ("S",))


def of(source: object, *asked: object, **options: object) -> TableReversals:
    found = simpson(source, *asked, **options)  # type: ignore[call-overload]
    assert isinstance(found, TableReversals)
    return found


def the_one(source: object, *asked: object, **options: object) -> Comparison:
    (comparison,) = of(source, *asked, **options).comparisons
    return comparison


@pytest.mark.parametrize(
    ("file", "outcome", "groups", "strata"),
    [
        (
            "kidney_stones.csv",
            "Success",
            ("OpenSurgery", "PercutaneousNephrolithotomy"),
            ("StoneSize",),
        ),
        ("whickham_smoking.csv", "Alive", ("Yes", "No"), ("AgeGroup",)),
    ],
)
def test_full_reversals(
    file: str, outcome: str, groups: tuple[str, str], strata: tuple[str]
) -> None:
    comparison = the_one(examples.path(file), outcome, groups, strata)
    assert comparison.answer == "full"
    reversals = of(examples.path(file))
    assert [other.answer for other in reversals.comparisons] == ["full", "full"]
    assert comparison.combination.columns in [
        other.combination.columns for other in reversals.comparisons
    ]


def test_six_departments_are_a_partial_reversal() -> None:
    comparison = the_one(examples.path("admissions.csv"), "Admitted", ("Female", "Male"), ("Dept",))
    assert comparison.answer == "partial"
    higher = [
        comparison.rates[comparison.question.rate(0, stratum)].interval.lower  # type: ignore[union-attr]
        > comparison.rates[comparison.question.rate(1, stratum)].interval.lower  # type: ignore[union-attr]
        for stratum in comparison.question.strata
    ]
    assert higher == [True, True, False, True, False, True]
    assert comparison.standardised is not None
    assert comparison.standardised[0] > comparison.standardised[1]


def frame(cells: dict[tuple[int, int, int], int]) -> pd.DataFrame:
    """A table with the columns O, G, S and n."""
    rows = [(*map(str, key), count) for key, count in cells.items()]
    return pd.DataFrame(rows, columns=["O", "G", "S", "n"])


keys = [*product((1, 2), (1, 2), (1, 2, 3))]
tables = st.lists(st.integers(0, 20), min_size=len(keys), max_size=len(keys)).map(
    lambda counts: dict(zip(keys, counts, strict=True))
)


def expected(cells: dict[tuple[int, int, int], int]) -> str:
    """The answer, spelt out in counts."""

    def number(outcome: int | None, group: int, stratum: int | None) -> int:
        return sum(
            count
            for (o, g, s), count in cells.items()
            if g == group and outcome in (None, o) and stratum in (None, s)
        )

    def difference(stratum: int | None) -> Fraction:
        first, second = (
            Fraction(number(1, group, stratum), number(None, group, stratum)) for group in (1, 2)
        )
        return first - second

    sizes = {s: (number(None, 1, s), number(None, 2, s)) for s in (1, 2, 3)}
    strata = [s for s, size in sizes.items() if sum(size)]
    if any(0 in sizes[s] for s in strata):
        return "undefined"
    total = difference(None)
    if all(difference(s) * total < 0 for s in strata):
        return "full"
    adjusted = sum((sum(sizes[s]) * difference(s) for s in strata), Fraction(0))
    return "partial" if adjusted * total < 0 else "none"


@given(tables)
@settings(max_examples=cases(60))
def test_the_answer_is_that_of_the_counts(cells: dict[tuple[int, int, int], int]) -> None:
    assume(all(any(cells[key] for key in keys if key[1] == group) for group in (1, 2)))
    assume(any(cells[key] for key in keys if key[0] == 1))
    assert the_one(frame(cells), *NAMED, table=COUNTS).answer == expected(cells)


@given(tables)
@settings(max_examples=cases(15))
def test_the_knowledge_base_of_a_table_has_the_same_answer(
    cells: dict[tuple[int, int, int], int],
) -> None:
    assume(all(cells[key] for key in keys))
    table = frame(cells)
    built = build_table(table, count="n", of=["O", "S"], given=["G", "S"], depth=2).kb
    kb = simpson(built, "'O=1'", ("'G=1'", "'G=2'"), ("'S=1'", "'S=2'", "'S=3'"), budget=30)
    assert isinstance(kb, KBReversal)
    answer = expected(cells)
    assert kb.full is not None
    assert kb.partial is not None
    assert kb.full.answer == ("entailed" if answer == "full" else "excluded")
    comparison = the_one(table, *NAMED, table=COUNTS)
    assert comparison.standardised is not None
    total = [comparison.rates[comparison.question.total(group)].interval for group in (0, 1)]
    assert total[0] is not None
    assert total[1] is not None
    against = (comparison.standardised[0] - comparison.standardised[1]) * (
        total[0].lower - total[1].lower
    ) < 0
    assert kb.partial.answer == ("entailed" if against else "excluded")


def test_a_table_without_a_reversal_is_not_accused(tmp_path: Path) -> None:
    # The same rates everywhere, then the same mixtures.
    ties = frame(dict.fromkeys(keys, 10))
    assert of(ties, table=COUNTS).comparisons == ()
    assert "no reversal" in of(ties, table=COUNTS).text
    even = {(o, g, s): 10 * s + 3 * (o + g) for o, g, s in keys}
    assert "no reversal" in of(frame(even), *NAMED, table=COUNTS).text
    with pytest.raises(BoxselError, match="nothing to draw"):
        of(ties, table=COUNTS).plot(tmp_path / "rates.png")


def test_a_tie_in_one_stratum_or_in_total_is_no_full_reversal() -> None:
    cells = {(1, 1, 1): 8, (2, 1, 1): 2, (1, 1, 2): 10, (2, 1, 2): 90}
    cells |= {(1, 2, 1): 70, (2, 2, 1): 30, (1, 2, 2): 1, (2, 2, 2): 9}
    assert the_one(frame(cells), *NAMED, table=COUNTS).answer == "partial"
    cells |= {(1, 1, 2): 11, (2, 1, 2): 89}
    assert the_one(frame(cells), *NAMED, table=COUNTS).answer == "full"


def test_a_stratum_without_one_group_is_not_compared() -> None:
    cells = dict.fromkeys(keys, 5) | {(1, 1, 3): 0, (2, 1, 3): 0}
    comparison = the_one(frame(cells), *NAMED, table=COUNTS)
    assert comparison.answer == "undefined"
    assert "in S=3 one of the groups has nobody" in of(frame(cells), *NAMED, table=COUNTS).text
    # A stratum with nobody of either group is none, unless it is named.
    cells |= {(1, 2, 3): 0, (2, 2, 3): 0}
    assert the_one(frame(cells), *NAMED, table=COUNTS).answer == "none"


def test_individuals_without_a_stratum_count_in_total_and_are_told() -> None:
    rows: list[tuple[str, str, str | None]]
    rows = [("yes", "a", "x"), ("no", "a", "x"), ("yes", "b", "x"), ("no", "b", "x")]
    rows += [("yes", "a", None)] * 3
    table = pd.DataFrame(rows, columns=["O", "G", "S"])
    reversals = of(table, "yes", ("a", "b"), ("S",))
    assert "3 individuals of both groups in none of the strata" in reversals.text
    (comparison,) = reversals.comparisons
    assert comparison.rates[comparison.question.total(0)].count == (4, 5)


def test_a_named_standard_of_a_table() -> None:
    table = examples.path("admissions.csv")
    asked = ("Admitted", ("Female", "Male"), ("Dept",))
    comparison = the_one(table, *asked, standard="Male")
    assert comparison.standardised is not None
    male = comparison.rates[comparison.question.total(1)].interval
    assert male is not None
    # Weighed by the men's own mixture, the men's rate is their total.
    assert comparison.standardised[1] == male.lower


def test_columns_and_strata_by_value() -> None:
    table = examples.path("admissions.csv")
    reversals = of(table, "Admit", ("Gender",), ("Dept",))
    assert (reversals.looked_at, len(reversals.comparisons), reversals.searched) == (1, 1, True)
    comparison = the_one(table, "Admitted", ("Female", "Male"), ("A", "B"))
    assert [str(stratum) for stratum in comparison.question.strata] == ["'Dept=A'", "'Dept=B'"]
    assert comparison.answer == "full"
    assert "in none of the strata" in comparison.remarks[0]


def test_many_values_and_too_little_time_are_said() -> None:
    table = pd.DataFrame({"id": range(60), "O": [1, 2] * 30, "G": [1, 2, 2] * 20, "S": [1] * 60})
    reversals = of(table, table=TableOptions(individuals=True))
    assert "left out, with more than 20 values: id" in reversals.text
    stopped = of(examples.path("admissions.csv"), budget=1e-9)
    assert (stopped.status, stopped.looked_at) == ("budget", 0)
    assert "the time was over" in stopped.text


def test_parquet_and_packed_text_are_the_same_table(tmp_path: Path) -> None:
    file = examples.path("kidney_stones.csv")
    parquet, packed = tmp_path / "stones.parquet", tmp_path / "stones.csv.gz"
    duckdb.read_csv(str(file)).write_parquet(str(parquet))
    packed.write_bytes(gzip.compress(file.read_bytes()))
    for other in (parquet, packed):
        assert of(other).comparisons == of(file).comparisons


def test_wrong_tables_and_names(tmp_path: Path) -> None:
    with pytest.raises(BoxselError, match="value of several columns"):
        of(frame(dict.fromkeys(keys, 1)), "1", table=COUNTS)
    with pytest.raises(BoxselError, match="nobody is counted"):
        of(frame(dict.fromkeys(keys, 0)), table=COUNTS)
    with pytest.raises(BoxselError, match="three columns"):
        of(pd.DataFrame({"O": [1, 2], "G": [1, 2]}))
    with pytest.raises(BoxselError, match=r"a table has values.*, and not the Name"):
        of(
            frame(dict.fromkeys(keys, 1)),
            build_table(frame(dict.fromkeys(keys, 1))).kb.signature.concepts[0],
        )
    bad = tmp_path / "bad.csv"
    bad.write_text("O,G,S,n\n1,1,1,-3\n")
    with pytest.raises(BoxselError, match="cannot be negative"):
        of(bad)


def test_who_has_no_outcome_is_reported() -> None:
    rows = [("yes", "1", "L", 8), ("no", "1", "L", 2), (None, "1", "L", 10), ("yes", "2", "L", 5)]
    table = pd.DataFrame(rows, columns=["O", "G", "S", "n"])
    comparison = the_one(table, "yes", ("G=1", "G=2"), ("S",), table=COUNTS)
    assert comparison.rates[comparison.question.total(0)].count == (8, 20)
    said = "10 individuals of both groups without a value of O, counted as without the outcome"
    assert comparison.remarks == (said,)


def test_two_values_of_one_spelling_are_refused() -> None:
    table = pd.DataFrame({"a=b": ["c", "d"], "a": ["b=c", "x"], "S": ["1", "2"]})
    with pytest.raises(BoxselError, match="both spelt 'a=b=c': rename"):
        simpson(table)


def test_values_are_told_as_they_stand_in_the_table(tmp_path: Path) -> None:
    file = tmp_path / "quoted.csv"
    rows = "".join(f"{o},{g},'{s}',5\n" for o, g, s in product("12", "12", "ab"))
    file.write_text("O,G,S,n\n" + rows)
    said = of(file, *NAMED, table=COUNTS).text
    assert "S='a' " in said
    assert "\\" not in said
