"""The requests of the API: their fields, limits and examples."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from boxsel.formats.registry import FORMATS

APPLICANT: Final = (
    "DeptA SubClassOf Applicant\n"
    "Admitted SubClassOf Applicant\n"
    "(DeptA | Applicant)[0.20, 0.25]\n"
    "(Admitted | DeptA)[0.80]\n"
)
CONTRADICTION: Final = "(Smoker | Patient)[0.2]\n(Smoker | Patient)[0.8]\n"
BERKELEY: Final = (
    "Woman and Man SubClassOf owl:Nothing\n"
    "DeptA and DeptB SubClassOf owl:Nothing\n"
    "(DeptA | Woman)[0.10]\n(DeptB | Woman)[0.90]\n"
    "(DeptA | Man)[0.80]\n(DeptB | Man)[0.20]\n"
    "(Admitted | Woman and DeptA)[0.85]\n(Admitted | Man and DeptA)[0.80]\n"
    "(Admitted | Woman and DeptB)[0.30]\n(Admitted | Man and DeptB)[0.25]\n"
)
KIDNEY_STONES: Final = (
    "Treatment,Stone,Success,Count\n"
    "open,small,yes,81\nopen,small,no,6\nopen,large,yes,192\nopen,large,no,71\n"
    "keyhole,small,yes,234\nkeyhole,small,no,36\nkeyhole,large,yes,55\nkeyhole,large,no,25\n"
)
QUERY: Final = "(Admitted | Applicant)"

_NAMES = [one.name for one in FORMATS]
_TEXTS = [one.name for one in FORMATS if not one.binary]

FormatName = Annotated[str, Field(max_length=20, json_schema_extra={"enum": list(_NAMES)})]
TextFormat = Annotated[str, Field(max_length=20, json_schema_extra={"enum": list(_TEXTS)})]


def _of_characters(text: str) -> str:
    """A text, unless it has half a character: JSON can spell one, and no file can hold it."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"character {error.start + 1} is half a surrogate pair") from None
    return text


Text = Annotated[str, AfterValidator(_of_characters)]
Line = Annotated[str, Field(max_length=100_000)]


class KBRequest(BaseModel):
    """A knowledge base as text, how to read it, and what to suppose about it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"kb": APPLICANT}]})

    kb: Text | None = Field(
        None,
        description="The knowledge base itself, never a file name or an address; if not said, the"
        " one that the server was started with.",
    )
    format: TextFormat = Field("sel", description="The format of the text.")
    confidence: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        None, description="Read sample counts as confidence intervals of this level."
    )
    interval: Literal["clopper-pearson", "wilson"] = Field(
        "clopper-pearson", description="Which confidence intervals."
    )
    simultaneous: bool = Field(False, description="Correct for the number of counts.")
    rounded: Line | None = Field(
        None, description="Read shares as rounded to whole multiples of this, such as 1%."
    )
    assume: list[Line] = Field(
        default_factory=list,
        max_length=1000,
        description="Statements that are added, or take the place of those about the same share.",
    )
    budget: Annotated[float, Field(gt=0, le=86_400)] | None = Field(
        None, description="Seconds for reasoning, as far as the server's limit allows."
    )


class CheckRequest(KBRequest):
    """Is there a model, and can every name be non-empty?"""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kb": CONTRADICTION}]})

    concept: Line | None = Field(None, description="Whose emptiness the conflict is about.")
    conflicts: Annotated[int, Field(ge=1, le=100)] = Field(
        1, description="How many different minimal conflicts to look for."
    )


class RepairRequest(KBRequest):
    """What is the least change of bounds that makes it coherent?"""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kb": CONTRADICTION}]})

    concepts: Annotated[list[Line], Field(max_length=1000)] | None = Field(
        None, description="Only these names must be able to be non-empty."
    )


class QueryRequest(KBRequest):
    """What can the share of D in C be?"""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kb": APPLICANT, "query": QUERY}]})

    query: Line | None = Field(None, description="The query, such as (D | C).")
    queries: Annotated[list[Line], Field(max_length=1000)] | None = Field(
        None,
        description="Instead of one query, a list of them: answers come in their order, a problem"
        " in the place of a query that has no answer.",
    )


class AskRequest(QueryRequest):
    """What is certain, possible and estimated about the share of D in C?"""

    estimate: Literal["auto", "always", "never"] = Field(
        "auto", description="Whether an ensemble is trained: if the proof does not close soon."
    )
    sensitivity: bool = Field(
        False, description="Say how far each end moves with the bounds of each premise."
    )
    typical: bool = Field(
        True, description="Say the typical share; where it is sampled, that takes a second or more."
    )


class NextRequest(QueryRequest):
    """Which number would narrow the answer most if it were measured?"""

    within: Line = Field("1%", description="How far a measurement may be off.")


class CompareRequest(KBRequest):
    """By how much is one share above or below another?"""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"kb": BERKELEY, "first": "(Admitted | Woman)", "second": "(Admitted | Man)"}
            ]
        }
    )

    first: Line = Field(description="A query, such as (D | C1).")
    second: Line = Field(description="The query that it is compared with, such as (D | C2).")


class SimpsonRequest(KBRequest):
    """Does the comparison of two groups turn round when it is made by stratum?"""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "kb": BERKELEY,
                    "outcome": "Admitted",
                    "groups": ["Woman", "Man"],
                    "strata": ["DeptA", "DeptB"],
                }
            ]
        }
    )

    outcome: Line = Field(description="The concept whose rate is compared.")
    groups: Annotated[list[Line], Field(min_length=2, max_length=2)] = Field(
        description="The two concepts that are compared."
    )
    strata: Annotated[list[Line], Field(min_length=1, max_length=100)] = Field(
        description="The concepts that part them."
    )
    standard: Line | None = Field(
        None, description="Whose mixture standardises rates; both groups together if not said."
    )


class TableSimpsonRequest(BaseModel):
    """Which comparisons of groups turn round by stratum in a table of data?"""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"table": KIDNEY_STONES}]}
    )

    table: Text = Field(description="The table itself; never a file name or an address.")
    format: Literal["csv", "tsv"] = Field("csv", description="The format of the table.")
    outcome: Line | None = Field(None, description="A value whose rate is compared.")
    groups: Annotated[list[Line], Field(min_length=2, max_length=2)] | None = Field(
        None, description="Two values that are compared; all pairs if not said."
    )
    strata: Annotated[list[Line], Field(min_length=1, max_length=100)] | None = Field(
        None, description="Values or a column that part them; all columns if not said."
    )
    standard: Line | None = Field(None, description="Whose mixture standardises rates.")
    count: Annotated[Line, Field(pattern=r"[^\s,]")] | None = Field(
        None,
        description="The column that says how many individuals a row stands for; if not said, one"
        " that is called and looks like counts.",
    )
    individuals: bool = Field(False, description="Each row is one individual.")
    missing: Annotated[list[Line], Field(max_length=100)] = Field(
        default_factory=list, description="What a cell without a value says, such as NA."
    )
    max_values: Annotated[int, Field(ge=2, le=1000)] = Field(
        20, description="Leave out columns with more values than this."
    )
    budget: Annotated[float, Field(gt=0, le=86_400)] | None = Field(
        None, description="Seconds for the search, as far as the server's limit allows."
    )


class SampleRequest(KBRequest):
    """People of whom every statement is true."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kb": APPLICANT, "size": 50}]})

    size: Annotated[int, Field(ge=1, le=1_000_000)] = Field(1000, description="How many people.")
    query: Line | None = Field(None, description="From the population at an end of this.")
    end: Literal["lower", "upper", "typical"] | None = Field(
        None, description="Which end of the query's share; the typical population if not said."
    )
    to: Literal["csv", "nt", "ttl"] = Field("csv", description="A table, or triples.")


class ConvertRequest(KBRequest):
    """The same knowledge base in another format."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kb": APPLICANT, "to": "ofn"}]})

    to: TextFormat = Field(description="The format to write.")
    lossy: bool = Field(False, description="Leave out what the format cannot hold (tables).")
