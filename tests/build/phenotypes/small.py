"""Small ontologies and annotations, as files and as random values."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from boxsel.build.phenotypes.annotations import Annotation
from boxsel.build.phenotypes.frequencies import read_frequency
from boxsel.build.phenotypes.ontology import Ontology

COLUMNS = 12
# All a kind of the first; a diamond, and a chain.
LINKS = [("T:2", "T:1"), ("T:3", "T:1"), ("T:4", "T:2"), ("T:4", "T:3"), ("T:5", "T:4")]
TERMS = tuple(f"T:{number}" for number in range(1, 6))
GIVEN = ("HP:0040281", "HP:0040282", "HP:0040283", "25%", "80%", "100%", "0%", "1/3", "4/5", "2/4")


def ontology() -> Ontology:
    """The small ontology as a value."""
    parents = {term: tuple(up for down, up in LINKS if down == term) for term in TERMS}
    return Ontology(parents, {term: f"term {term[2:]}" for term in TERMS})


def annotation(term: str, given: str, sex: str = "", reference: str = "PMID:1") -> Annotation:
    """A row about the disease D:1."""
    assert sex in ("", "Female", "Male")
    return Annotation("D:1", sex, term, read_frequency(given), given, reference)  # type: ignore[arg-type]


def some_rows(sexes: tuple[str, ...] = ("",), most: int = 6) -> st.SearchStrategy[list[Annotation]]:
    """A few rows about one disease."""
    row = st.builds(
        annotation,
        st.sampled_from(TERMS),
        st.sampled_from(GIVEN),
        st.sampled_from(sexes),
        st.sampled_from(("PMID:1", "PMID:2")),
    )
    return st.lists(row, min_size=1, max_size=most)


def row(
    disease: str,
    term: str,
    frequency: str = "",
    *,
    name: str = "Disease one",
    qualifier: str = "",
    sex: str = "",
    reference: str = "PMID:1",
    aspect: str = "P",
) -> str:
    """A line of `phenotype.hpoa`."""
    cells = (disease, name, qualifier, term, reference, "PCS", "", frequency, sex, "", aspect, "x")
    return "\t".join(cells)


def write_files(folder: Path, *rows: str) -> tuple[Path, Path]:
    """The small ontology as a table, and rows as a file of annotations."""
    links, path = folder / "isa.tsv", folder / "phenotype.hpoa"
    links.write_text("".join(f"{down}\t{up}\n" for down, up in LINKS), "utf-8")
    path.write_text("#version\n" + "".join(f"{one}\n" for one in rows), "utf-8")
    return links, path
