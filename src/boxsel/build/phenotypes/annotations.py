"""Rows that say how often a disease has a phenotype: `phenotype.hpoa`, or a table of its columns.

The number of columns tells which file it is:

- 12, official: database_id, disease_name, qualifier, hpo_id, reference, evidence, onset,
  frequency, sex, modifier, aspect, biocuration;
- 7: disease id, disease name, HPO id, frequency, qualifier, sex, reference;
- 5: disease id, disease name, HPO id, `NOT`, reference.

Lines that start with `#` are comments, and the first line may be a header.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final, Literal

from boxsel.build.built import Rejects
from boxsel.build.delimited import numbered_lines
from boxsel.build.phenotypes.frequencies import ABSENT, Frequency, proportion, read_frequency
from boxsel.build.phenotypes.ontology import Ontology, is_identifier
from boxsel.errors import BoxselError, Diagnostic, InvalidStatementError, ReadError
from boxsel.formats.source import Source
from boxsel.wording import listed

Sex = Literal["", "Female", "Male"]
"""Whom a row is about; empty for everybody with the disease."""

NOT: Final = "NOT"
_SEXES: Final[Mapping[str, Sex]] = {"": "", "MALE": "Male", "FEMALE": "Female"}
_PHENOTYPE: Final = "P"

_COLUMNS: Final[Mapping[int, tuple[str, ...]]] = {
    12: (
        *("disease", "name", "qualifier", "term", "reference", "evidence", "onset"),
        *("frequency", "sex", "modifier", "aspect", "biocuration"),
    ),
    7: ("disease", "name", "term", "frequency", "qualifier", "sex", "reference"),
    5: ("disease", "name", "term", "qualifier", "reference"),
}
_EXPECTED: Final = (
    "expected phenotype.hpoa (12 columns), or a table of disease, name, HPO id, frequency,"
    " qualifier, sex and reference, or one of disease, name, HPO id, NOT and reference"
)


@dataclass(frozen=True, slots=True)
class Annotation:
    """One row: how often a disease (in one sex) has a phenotype, as given, and who says so."""

    disease: str
    sex: Sex
    term: str
    frequency: Frequency
    given: str
    reference: str


@dataclass(slots=True)
class Annotations:
    """All usable rows, what diseases are called, and a tally of the other rows.

    `unquantified` are the phenotypes that a disease is said to have without a frequency. That
    some patient has it gives no lower bound above 0, so such a row states nothing; but the
    phenotype can be asked about.
    """

    rows: list[Annotation] = field(default_factory=list)
    unquantified: list[tuple[str, str]] = field(default_factory=list)
    names: dict[str, Counter[str]] = field(default_factory=dict)
    read: int = 0
    negated: int = 0
    other_aspects: int = 0
    replaced: Counter[tuple[str, str]] = field(default_factory=Counter)

    def name(self, disease: str) -> str:
        """What most rows call a disease; the earliest in the alphabet of several."""
        names = self.names.get(disease)
        if not names:
            return ""
        return min(names, key=lambda name: (-names[name], name))

    @property
    def diseases(self) -> tuple[str, ...]:
        """Every disease of which a row was read, in order."""
        return tuple(sorted(self.names))

    @property
    def renamed(self) -> int:
        """How many diseases have more than one name."""
        return sum(len(names) > 1 for names in self.names.values())


def read_annotations(
    sources: Sequence[Source],
    ontology: Ontology,
    rejects: Rejects,
    *,
    diseases: Collection[str] | None = None,
    ignore_sex: bool = False,
) -> Annotations:
    """The rows of some files, of all diseases or of chosen ones."""
    reader = _Reader(ontology, rejects, diseases, ignore_sex)
    for source in sources:
        for line, row in _rows(source, rejects):
            reader.take(row, source.file, line)
    return reader.found


def disease_names(sources: Sequence[Source]) -> dict[str, set[str]]:
    """Every disease that the files speak of, with its names."""
    names: dict[str, set[str]] = {}
    for source in sources:
        for _, row in _rows(source, Rejects()):
            names.setdefault(row["disease"], set()).add(row["name"])
    return names


def _rows(source: Source, rejects: Rejects) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows by the names of their columns, with their lines."""
    columns: tuple[str, ...] | None = None
    for number, line in numbered_lines(source):
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if columns is None:
            columns = _COLUMNS.get(len(cells))
            if columns is None:
                message = f"found {len(cells)} columns in the first row"
                raise ReadError(Diagnostic(message, source.file, number, help=_EXPECTED))
            if not is_identifier(cells[0].strip()) and not is_identifier(
                cells[columns.index("term")].strip()
            ):
                continue  # the header
        if len(cells) != len(columns):
            reason = f"there are {len(cells)} columns, expected {len(columns)}"
            rejects.add(reason, source.file, number, line)
            continue
        yield number, dict(zip(columns, map(str.strip, cells), strict=True))


@dataclass
class _Reader:
    """Takes rows one by one."""

    ontology: Ontology
    rejects: Rejects
    chosen: Collection[str] | None
    ignore_sex: bool
    found: Annotations = field(default_factory=Annotations)

    def take(self, row: Mapping[str, str], file: str, line: int) -> None:
        """Use a row, or count it among those that are not used."""
        if self.chosen is not None and row["disease"] not in self.chosen:
            return
        self.found.read += 1
        if row.get("aspect", _PHENOTYPE) != _PHENOTYPE:
            self.found.other_aspects += 1
            return
        try:
            self._use(row)
        except InvalidStatementError as error:
            self.rejects.add(str(error), file, line, "\t".join(row.values()))

    def _use(self, row: Mapping[str, str]) -> None:
        disease, found = row["disease"], self.found
        if not is_identifier(disease):
            raise InvalidStatementError("the disease is not an identifier such as OMIM:154700")
        if disease in self.ontology:
            raise InvalidStatementError("the disease is a term of the ontology")
        sex = _SEXES.get(row.get("sex", "").upper())
        if sex is None:
            raise InvalidStatementError("the sex is neither MALE nor FEMALE nor empty")
        frequency, given = _frequency(row)
        term = self._term(row["term"])
        names = found.names.setdefault(disease, Counter())
        if row["name"]:
            names[row["name"]] += 1
        if frequency is None:
            found.unquantified.append((disease, term))
            return
        found.negated += row["qualifier"] == NOT
        sex = "" if self.ignore_sex else sex
        found.rows.append(Annotation(disease, sex, term, frequency, given, row["reference"]))

    def _term(self, identifier: str) -> str:
        if identifier in self.ontology:
            return identifier
        term = self.ontology.current(identifier)
        if term is None:
            if identifier in self.ontology.obsolete:
                raise InvalidStatementError("the HPO term is obsolete, and nothing replaces it")
            raise InvalidStatementError("the ontology has no such HPO term")
        self.found.replaced[identifier, term] += 1
        return term


def _frequency(row: Mapping[str, str]) -> tuple[Frequency | None, str]:
    """What a row states, and in which words; nothing for one without a frequency."""
    qualifier, text = row["qualifier"], row.get("frequency", "")
    if qualifier not in ("", NOT):
        raise InvalidStatementError("the qualifier is neither NOT nor empty")
    frequency = read_frequency(text) if text else None
    if qualifier == NOT:
        if frequency is None:
            return ABSENT, NOT
        # NOT 0/12 says more than NOT alone: it knows the sample.
        if proportion(frequency).bounds.upper > 0:
            raise InvalidStatementError("the row says NOT, and gives a frequency above 0")
        return frequency, f"{NOT} {text}"
    return frequency, text


def choose(asked: Iterable[str], known: Mapping[str, set[str]]) -> frozenset[str]:
    """The identifiers of the diseases that are asked for.

    Examples:
        >>> known = {"OMIM:1": {"Example disease"}, "OMIM:2": {"Another one"}}
        >>> sorted(choose(["OMIM:2", "example disease"], known))
        ['OMIM:1', 'OMIM:2']
    """
    by_name: dict[str, list[str]] = {}
    for identifier, names in known.items():
        for name in names:
            by_name.setdefault(name.casefold(), []).append(identifier)
    return frozenset(_identifier(text.strip(), known, by_name) for text in asked)


def _identifier(text: str, known: Mapping[str, set[str]], by_name: Mapping[str, list[str]]) -> str:
    if text in known:
        return text
    found = sorted(set(by_name.get(text.casefold(), ())))
    if len(found) == 1:
        return found[0]
    if found:
        raise BoxselError(f"several diseases are called {text!r}: choose one of {listed(found)}")
    close = get_close_matches(text.upper(), known, n=1, cutoff=0.8)
    close = close or get_close_matches(text.casefold(), by_name, n=1, cutoff=0.6)
    advice = f"\n  help: did you mean {close[0]}?" if close else ""
    raise BoxselError(f"no row is about the disease {text!r}{advice}")
