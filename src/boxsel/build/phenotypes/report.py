"""What became of the ontology and the annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from boxsel.build.built import Effort, Rejected, rejected_text
from boxsel.build.phenotypes.contradictions import KINDS, Checked
from boxsel.build.phenotypes.curation import Finding
from boxsel.build.phenotypes.relaxing import Change, Relaxed
from boxsel.build.phenotypes.stating import Several
from boxsel.logic.axioms import Conditional
from boxsel.logic.html import Told
from boxsel.logic.names import Prefixes
from boxsel.wording import listed, several

LISTED: Final = 10
"""How many contradictions or changes are listed for people."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What the rows of the annotation files were."""

    read: int
    used: int
    negated: int
    without_frequency: int
    other_aspects: int
    one_sex: int


@dataclass(frozen=True)
class HpoReport(Told):
    """How a knowledge base came from the ontology and the annotations.

    `findings` are the contradictions with labels, `checked` and `relaxed` are there if asked for.
    """

    terms: int
    terms_used: int
    inclusions: int
    circular: tuple[str, ...]
    diseases: int
    renamed: int
    phenotypes: int
    rows: Rows
    conditionals: Mapping[str, int]
    several: Several
    replaced: Mapping[tuple[str, str], int]
    labels: Mapping[str, str]
    prefixes: Prefixes
    rejected: tuple[Rejected, ...] = ()
    checked: Checked | None = None
    findings: tuple[Finding, ...] = ()
    relaxed: Relaxed | None = None
    effort: Effort = field(default_factory=Effort)

    def _lines(self) -> Iterator[str]:
        rows, repeats = self.rows, self.several
        forms = ", ".join(f"{count:,} {form}" for form, count in self.conditionals.items() if count)
        yield (
            f"{several(self.diseases, 'disease')} with {self.phenotypes:,} phenotypes:"
            f" {sum(self.conditionals.values()):,} conditionals{f' ({forms})' if forms else ''}"
        )
        yield (
            f"{self.terms:,} terms in the ontology, {self.terms_used:,} used,"
            f" with {self.inclusions:,} is-a links"
        )
        yield f"{rows.read:,} rows read, {rows.used:,} used"
        notes = (
            (rows.negated, "of these say NOT: read as 0"),
            (rows.one_sex, "of these are about one sex"),
            (rows.without_frequency, "have no frequency: they state nothing"),
            (rows.other_aspects, "are not about phenotypes"),
            (repeats.repeated, "repeat another row"),
            (repeats.pairs, "phenotypes of a disease have several rows"),
            (repeats.apart, "of these have no value in common"),
            (repeats.pooled, "of these are counts only: added up"),
            (repeats.kept, "of these are kept side by side"),
            (self.renamed, "diseases have several names: the commonest is the label"),
        )
        yield from (f"  {count:,} {what}" for count, what in notes if count)
        if self.replaced:
            shown = listed([f"{old} → {new}" for old, new in sorted(self.replaced)])
            yield f"  {sum(self.replaced.values()):,} use a former identifier: {shown}"
        if self.circular:
            yield f"is-a goes round in a circle: {listed(self.circular)} are taken to be equal"
        yield from rejected_text(self.rejected)
        if self.checked is not None:
            yield from self._check_lines(self.checked)
        if self.relaxed is not None:
            yield from self._relaxed_lines(self.relaxed)
        yield f"time: {self.effort.text}"

    def _check_lines(self, checked: Checked) -> Iterator[str]:
        total = len(checked.contradictions)
        compared = f"{checked.pairs:,} pairs of a phenotype and one above it compared"
        if not total:
            yield f"{compared}: no contradictions"
            return
        yield f"{compared}: {total:,} contradictions in {several(len(checked.diseases), 'disease')}"
        for kind, meaning in KINDS.items():
            if count := checked.count(kind):
                yield f"  {count:,} {meaning}"
        disease = None
        for finding in self.findings[:LISTED]:
            if finding.contradiction.disease != disease:
                disease = finding.contradiction.disease
                yield f"{disease} {finding.name}".rstrip()
            yield f"  {finding.text}"
        if total > LISTED:
            yield f"and {total - LISTED:,} more (--table FILE.csv lists all)"

    def _relaxed_lines(self, relaxed: Relaxed) -> Iterator[str]:
        if not relaxed.changes:
            yield "relaxed: nothing has to change"
            return
        optimal = ", the least possible" if relaxed.optimal else ""
        yield (
            f"relaxed {len(relaxed.changes):,} statements,"
            f" total change {float(relaxed.total):.6g}{optimal}"
        )
        for change in relaxed.changes[:LISTED]:
            yield f"  {self._change_text(change)}"
        if len(relaxed.changes) > LISTED:
            yield f"and {len(relaxed.changes) - LISTED:,} more (--changes FILE.csv lists all)"

    def _change_text(self, change: Change) -> str:
        old, new = change.old.statement.axiom, change.new.statement.axiom
        assert isinstance(new, Conditional)
        term = change.old.term
        label = f"  {self.labels[term]}" if term in self.labels else ""
        return f"{old.text(self.prefixes)} -> {new.proportion}{label}"

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        return {
            "ontology": {
                "terms": self.terms,
                "used": self.terms_used,
                "inclusions": self.inclusions,
                "circular": list(self.circular),
            },
            "rows": asdict(self.rows),
            "diseases": self.diseases,
            "several_names": self.renamed,
            "phenotypes": self.phenotypes,
            "conditionals": dict(self.conditionals),
            "several_rows": asdict(self.several),
            "replaced": [
                {"old": old, "new": new, "rows": count}
                for (old, new), count in sorted(self.replaced.items())
            ],
            "rejected": [rejection.to_json() for rejection in self.rejected],
            "check": None if self.checked is None else self._check_json(self.checked),
            "repair": None if self.relaxed is None else self._relaxed_json(self.relaxed),
            **asdict(self.effort),
        }

    def _check_json(self, checked: Checked) -> dict[str, object]:
        return {
            "pairs": checked.pairs,
            "diseases": len(checked.diseases),
            "kinds": {kind: checked.count(kind) for kind in KINDS},
            "contradictions": [finding.to_json() for finding in self.findings],
        }

    def _relaxed_json(self, relaxed: Relaxed) -> dict[str, object]:
        spelt = self.prefixes
        return {
            "changes": [
                {
                    "disease": change.old.disease,
                    "old": change.old.statement.text(spelt),
                    "new": change.new.statement.text(spelt),
                    "amount": str(change.amount),
                    "weight": str(change.weight),
                }
                for change in relaxed.changes
            ],
            "total": str(relaxed.total),
            "least": str(relaxed.least),
            "optimal": relaxed.optimal,
        }
