"""Tables become what a slow count of their rows says, whatever they are written in."""

from __future__ import annotations

import bz2
import csv
import errno
import gzip
import io
import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel import examples
from boxsel.build.tables.building import build_table
from boxsel.errors import BoxselError, ReadError
from boxsel.logic.axioms import Axiom, Conditional, Disjointness
from boxsel.logic.concepts import TOP, Name, conjunction
from boxsel.logic.names import bare_iri
from boxsel.logic.proportions import Count
from tests.conftest import DataFile
from tests.depth import cases

Row = dict[str, str]
"""The values of an individual; a column without one is missing."""

TABLES = {
    "ucb_admissions": ["Admit", "Gender", "Dept"],
    "titanic": ["Class", "Sex", "Age", "Survived"],
    "hair_eye_color": ["Hair", "Eye", "Sex"],
    "whickham_smoking": ["Smoker", "AgeGroup", "Outcome"],
    "kidney_stones": ["Treatment", "StoneSize", "Outcome"],
}


def concept(column: str, value: str) -> Name:
    return Name(bare_iri(f"{column}={value}"))


def expected(
    rows: Sequence[tuple[Row, int]],
    columns: Sequence[str],
    *,
    of: Sequence[str] | None = None,
    given: Sequence[str] | None = None,
    depth: int = 2,
) -> set[Axiom]:
    """The knowledge base of a table, one loop for each word of its definition."""
    axioms: set[Axiom] = set()
    everybody = sum(count for _, count in rows)
    values = {c: sorted({row[c] for row, count in rows if c in row and count}) for c in columns}
    for column in columns:
        if len(values[column]) > 1:
            axioms.add(Disjointness(*(concept(column, value) for value in values[column])))
        if all(column in row for row, count in rows if count):
            for value in values[column]:
                hits = sum(count for row, count in rows if row.get(column) == value)
                axioms.add(Conditional(concept(column, value), TOP, Count(hits, everybody)))
    for size in range(1, depth + 1):
        for chosen in combinations(given or columns, size):
            groups: Counter[tuple[str, ...]] = Counter()
            hits_of: Counter[tuple[tuple[str, ...], str, str]] = Counter()
            for row, count in rows:
                if all(c in row for c in chosen):
                    body = tuple(row[c] for c in chosen)
                    groups[body] += count
                    for head, value in row.items():
                        hits_of[body, head, value] += count
            for body, total in groups.items():
                for head in set(of or columns) - set(chosen):
                    for value in values[head] if total else ():
                        given_concept = conjunction(*map(concept, chosen, body))
                        share = Count(hits_of[body, head, value], total)
                        axioms.add(Conditional(concept(head, value), given_concept, share))
    return axioms


def load(path: Path) -> list[tuple[Row, int]]:
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return [({c: v for c, v in row.items() if c != "Freq"}, int(row["Freq"])) for row in rows]


def test_the_bundled_table_gives_the_numbers_of_the_paradox() -> None:
    built = build_table(examples.path("admissions.csv"), count="Freq")
    rows = load(examples.path("admissions.csv"))
    assert set(built.kb.axioms) == expected(rows, TABLES["ucb_admissions"])
    assert built.report.individuals == 4526
    kb = built.kb
    assert kb.bounds("('Admit=Admitted' | 'Gender=Female')").lower == Fraction(557, 1835)
    assert kb.bounds("('Admit=Admitted' | 'Gender=Male')").upper == Fraction(1198, 2691)


@pytest.mark.parametrize("name", TABLES)
def test_the_real_tables_are_coherent_and_answered_by_their_own_proportions(
    name: str, data: DataFile
) -> None:
    path = data(f"tables/{name}.csv")
    columns, rows = TABLES[name], load(path)
    head, *others = reversed(columns)
    built = build_table(path, count="Freq")
    assert set(built.kb.axioms) == expected(rows, columns)
    thin = build_table(path, count="Freq", of=[head], given=others, depth=len(others)).kb
    assert thin.check().coherent
    value = rows[0][0][head]
    for column in others:
        for group in sorted({row[column] for row, _ in rows})[:2]:
            inside = [(row, count) for row, count in rows if row[column] == group]
            hits = sum(count for row, count in inside if row[head] == value)
            truth = Fraction(hits, sum(count for _, count in inside))
            query = f"('{head}={value}' | '{column}={group}')"
            bounds = built.kb.bounds(query)
            assert bounds.lower == bounds.upper == truth
    # Not stated: what share of those with the head belong to a group. It follows all the same.
    column, group = others[0], rows[0][0][others[0]]
    both = sum(c for row, c in rows if row[head] == value and row[column] == group)
    hits = sum(count for row, count in rows if row[head] == value)
    bounds = thin.bounds(f"('{column}={group}' | '{head}={value}')")
    assert bounds.lower == bounds.upper == Fraction(both, hits)


cell = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters='\n"=,;\t'),
    min_size=1,
    max_size=3,
).filter(lambda text: text == text.strip(" \t\r\n") and text != "")
cells = st.one_of(st.none(), st.sampled_from(["a", "01", "1", "1.0", "NA", "O'x"]), cell)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.tuples(st.tuples(*[cells] * width), st.integers(0, 3)), min_size=1, max_size=12
    )
)


def _sane(rows: list[tuple[tuple[str | None, ...], int]]) -> bool:
    """Every column has a value that counts, and no row is a blank line."""
    width = len(rows[0][0])
    return all(any(row[place] and count for row, count in rows) for place in range(width))


@given(tables.filter(_sane), st.sampled_from([",", ";", "\t"]), st.booleans(), st.booleans())
@settings(max_examples=cases(40))
def test_any_table_is_counted_as_its_definition_says(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[tuple[str | None, ...], int]],
    delimiter: str,
    counted: bool,
    packed: bool,
) -> None:
    width = len(rows[0][0])
    columns = [f"c{place}" for place in range(width)]
    named = [
        ({c: v for c, v in zip(columns, row, strict=True) if v is not None}, count)
        for row, count in rows
    ]
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow([*columns, "n"] if counted else columns)
    for row, count in rows:
        for _ in range(1 if counted else count):
            writer.writerow([*(v or "" for v in row), *([count] if counted else [])])
    data = text.getvalue().encode()
    path = tmp_path_factory.mktemp("tables") / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(data) if packed else data)
    weights = "n" if counted else None
    built = build_table(path, count=weights, missing=())
    assert set(built.kb.axioms) == expected(named, columns)
    assert len(built.kb) == len(set(built.kb.axioms))
    assert not built.report.rejected
    assert built.report.individuals == sum(number for _, number in rows)

    frame = pd.DataFrame([row for row, _ in rows], columns=columns)
    frame["n"] = [number for _, number in rows]
    if not counted:
        frame = frame.loc[frame.index.repeat(frame["n"]), columns]
    assert build_table(frame, count=weights, missing=()).kb == built.kb


def test_parquet_bzip2_and_frames_are_the_same_table(tmp_path: Path) -> None:
    path = examples.path("admissions.csv")
    plain = build_table(path, count="Freq").kb
    other = tmp_path / "t.parquet"
    duckdb.execute(f"COPY (SELECT * FROM '{path}') TO '{other}' (FORMAT parquet)")
    assert build_table(other, count="Freq").kb == plain
    packed = tmp_path / "t.csv.bz2"
    packed.write_bytes(bz2.compress(path.read_bytes()))
    assert build_table(packed, count="Freq").kb == plain
    assert build_table(pd.read_csv(path), count="Freq").kb == plain


def test_a_column_may_have_the_name_of_parquet(tmp_path: Path) -> None:
    assert build_table(write(tmp_path, "PAR1,b\nx,y\n")).report.rows == 1


def test_values_stay_the_text_that_they_are() -> None:
    frame = pd.DataFrame({"code": ["01", "1", "1"], "year": [1973, 1974, 1973]})
    names = {str(name) for name in build_table(frame).kb.signature.concepts}
    assert names == {"'code=01'", "'code=1'", "'year=1973'", "'year=1974'"}


def test_heads_bodies_and_depth_are_chosen() -> None:
    path = examples.path("admissions.csv")
    rows, columns = load(path), TABLES["ucb_admissions"]
    some = build_table(path, count="Freq", of=["Admit"], given=["Gender,Dept"])
    assert set(some.kb.axioms) == expected(rows, columns, of=["Admit"], given=["Gender", "Dept"])
    deep = build_table(path, count="Freq", depth=0)
    assert set(deep.kb.axioms) == expected(rows, columns, depth=0)
    fewer = build_table(path, count="Freq", columns=["Admit", "Dept"], depth=5)
    assert set(fewer.kb.axioms) == expected(
        [({c: row[c] for c in ("Admit", "Dept")}, count) for row, count in rows], ["Admit", "Dept"]
    )
    two = build_table(path, count="Freq", of=["Admit"], given=["Dept"])
    assert [column.name for column in two.report.columns] == ["Admit", "Dept"]


def test_empty_bodies_and_values_of_nobody_are_left_out_and_counted(data: DataFile) -> None:
    built = build_table(data("tables/titanic.csv"), count="Freq")
    # No child in the crew: 2 + 2 heads for a body that is nobody.
    assert built.report.undefined == 4
    frame = pd.DataFrame({"a": ["x", "y", "z"], "b": ["u", "v", "v"], "n": [1, 2, 0]})
    report = build_table(frame, count="n").report
    assert report.columns[0].unseen == ("z",)
    assert "left out, as nobody has them: z" in report.text
    assert build_table(frame, count="n").kb.check().coherent


def test_what_is_missing_counts_where_it_belongs_to_the_body() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "y"], "b": ["u", None, "NA"]})
    built = build_table(frame, missing=["NA"])
    assert [column.missing for column in built.report.columns] == [0, 2]
    lines = {str(axiom) for axiom in built.kb.axioms}
    assert "('b=u' | 'a=x')[1 of 2]" in lines
    assert "('a=x' | 'b=u')[1 of 1]" in lines
    assert not any(line.startswith("('b=u' | owl:Thing)") for line in lines)
    whole = build_table(frame, missing=["NA"], drop_incomplete=True)
    assert whole.report.individuals == 1
    assert whole.report.dropped == 2
    assert "('b=u' | owl:Thing)[1 of 1]" in {str(axiom) for axiom in whole.kb.axioms}


def write(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_broken_rows_are_counted_with_their_lines(tmp_path: Path) -> None:
    text = 'a,b\nx,"zwei\nStücke"\nx\nx,u,v\n"x"y,u\nx,u\n\nx\n'
    built = build_table(write(tmp_path, text.encode() + b"\xff,u\n"))
    assert built.report.rows == 2
    found = {
        rejection.reason: (rejection.count, rejection.examples)
        for rejection in built.report.rejected
    }
    few = found["the row has fewer cells than the header"]
    assert few[0] == 2
    assert [one.split(":")[1] for one in few[1]] == ["4", "9"]
    assert found["the row has more cells than the header"][1][0].endswith("t.csv:5: x,u,v")
    assert found["a double quote is not closed, or text follows a closed one"][0] == 1
    assert found["the row is not UTF-8"][0] == 1
    with pytest.raises(ReadError, match=r"t\.csv:4: the row has fewer cells"):
        build_table(write(tmp_path, text), strict=True)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\nx,u\n",
        "\ufeffa,b\nx,u\n",
        "\n\na;b\nx;u\n",
        "a\tb\r\nx\tu\r\n",
        '"a", b\n x ,"\tu \n"\n',
        ",a,b\n1,x,u\n",
    ],
)
def test_what_programs_do_to_tables(tmp_path: Path, text: str) -> None:
    kb = build_table(write(tmp_path, text)).kb
    assert {str(name) for name in kb.signature.concepts} == {"'a=x'", "'b=u'"}


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("", {}, "t.csv: the table is empty"),
        (" \n\n", {}, "the table is empty"),
        ("a,b\n", {}, "t.csv: the table has no rows"),
        ("a,b\nx\n", {}, "no row of the table can be used"),
        ("a,b,a\nx,y,z\n", {}, "the column 'a' occurs twice"),
        ("a,n\nx,1\n", {"count": "N"}, "there is no column 'N'\n  help: did you mean 'n'?"),
        ("a,n\nx,1\n", {"count": "q"}, "the columns are a, n"),
        ("a,n\nx,1\n", {"of": ["aa"]}, "did you mean 'a'?"),
        ("a,n\nx,1\n", {"count": "n", "of": ["n"]}, "the column 'n' holds the counts"),
        ("a,b\nx,1\n", {"columns": ["a"], "of": ["b"]}, "'b' is not among the columns to be used"),
        ("n\n1\n", {"count": "n"}, "there is no column to be used"),
        ("a,n\nx,1\ny,-3\n", {"count": "n"}, "t.csv:3: column 'n': a count cannot be negative"),
        ('a,n\n"x\ny",1\ny,2.5\n', {"count": "n"}, "t.csv:4: column 'n': a count is a whole"),
        ("a,n\nx,many\n", {"count": "n"}, "t.csv:2: column 'n': a count is a whole number, and"),
        ("a,n\nx,\n", {"count": "n"}, "t.csv:2: column 'n': the count is missing"),
        ("a,n\nx,12345678901234567890\n", {"count": "n"}, "is too large"),
        ("a,n\nx,0\n", {"count": "n"}, "nobody is counted: all counts are zero"),
        ("a,b\nx,\n", {"columns": ["b"]}, "the column 'b' has no value in any row"),
        ("a,b\nx,\n,y\n", {"drop_incomplete": True}, "nobody is counted: every row misses a value"),
        ("a\nx\ny\nz\n", {"max_values": 2}, "the column 'a' has 3 different values, more than 2"),
        ("a,a=b\nb=c,c\n", {}, "'a' and 'a=b' both have the concept 'a=b=c'"),
        ("a,b\nx,y\n", {"depth": -1}, "-1 is below 0"),
        (b"\xff\xfea\0,\0b", {}, "begins as text in UTF-16, and is none from byte"),
        ("dé,b\nx,y\n".encode() + b"\xe9", {"strict": True}, "the row is not UTF-8"),
        (b"PAR1\x15 and then something else", {}, "the table cannot be read: "),
        (b"\x1f\x8bnot gzip", {}, "the compressed data is damaged"),
        (gzip.compress(b"", mtime=0)[:10] + b"\xff" * 20, {}, "the compressed data is damaged"),
        ("a,n\n" + "x" * 150_000 + ",1\ny,z\n", {"count": "n"}, "t.csv:3: column 'n'"),
    ],
)
def test_each_mistake_has_its_words(
    tmp_path: Path, text: str | bytes, options: dict[str, object], expected: str
) -> None:
    with pytest.raises(BoxselError) as caught:
        build_table(write(tmp_path, text), **options)  # type: ignore[arg-type]
    assert expected in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no such file"):
        build_table(tmp_path / "none.csv")
    with pytest.raises(ReadError, match="this is a directory, not a file"):
        build_table(tmp_path)
    with pytest.raises(BoxselError, match="a table is a file or a pandas DataFrame, not list"):
        build_table([[1]])  # type: ignore[arg-type]


def test_too_many_conditionals_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxsel.build.tables.building.MAX_CONDITIONALS", 50)
    with pytest.raises(BoxselError, match="more than 50 conditionals: choose"):
        build_table(examples.path("admissions.csv"), count="Freq")


def test_file_names_are_no_patterns(tmp_path: Path) -> None:
    path = tmp_path / "it's [1].csv"
    path.write_text("a,b\nx,u\n")
    (tmp_path / "it's 1.csv").write_text("a,b\ny,v\n")
    built = build_table(path)
    assert {str(name) for name in built.kb.signature.concepts} == {"'a=x'", "'b=u'"}
    assert built.report.file == str(path)


@pytest.mark.parametrize("name", ["a=Q", "c0=Q"])
def test_folders_are_no_columns(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    duckdb.execute(f"COPY (SELECT 'x' AS a, 'u' AS b) TO '{folder}/t.parquet' (FORMAT parquet)")
    for path in (write(folder, "a,b\nx,u\n"), folder / "t.parquet"):
        kb = build_table(path).kb
        assert {str(one) for one in kb.signature.concepts} == {"'a=x'", "'b=u'"}


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(path.write_text, "a,b\nx,u\n")
        built = build_table(path)
    assert built.report.individuals == 1


@pytest.mark.parametrize("lines", [3, 200_000])
def test_quotes_are_closed_however_lines_end(tmp_path: Path, lines: int) -> None:
    rows = [f'x,"u"{end}' for end in ("\r\n",) * lines + ("\n", "\r\n", "\n")]
    report = build_table(write(tmp_path, "a,b\r\n" + "".join(rows))).report
    assert (report.individuals, report.rejected) == (lines + 3, ())


def test_no_room_for_a_copy_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv.bz2"
    path.write_bytes(bz2.compress(b"a,b\nx,u\n"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(BoxselError, match=r"(?s)No space left on device.*TMPDIR"):
        build_table(path)


@settings(max_examples=cases(40))
@given(
    st.lists(st.tuples(st.sampled_from(["x", "y", ""]), st.sampled_from(["u", ""])), min_size=1),
    st.booleans(),
)
def test_the_rows_are_kept_as_a_model(rows: list[tuple[str, str]], whole: bool) -> None:
    frame = pd.DataFrame(rows, columns=["a", "b"])
    used = [row for row in rows if all(row) or not whole]
    if not all({row[place] for row in used} - {""} for place in (0, 1)):
        return
    kb = build_table(frame, individuals=True, drop_incomplete=whole).kb
    assert kb.witness is not None
    assert kb.witness.size == len(used)
    assert len(kb.witness.patterns) == len({*used})
    both = concept("a", "x") & concept("b", "u")
    assert kb.witness.count(both) == sum(row == ("x", "u") for row in used)
    assert build_table(frame, individuals=True, drop_incomplete=whole, data=False).kb.data is None


def test_too_many_different_rows_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxsel.build.tables.building.MOST_PATTERNS", 23)
    built = build_table(examples.path("admissions.csv"))
    assert built.kb.data is None
    assert "the data are not kept: they make more than 23 patterns" in built.report.text
