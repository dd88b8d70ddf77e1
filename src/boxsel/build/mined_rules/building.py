"""The knowledge base of a file of mined rules, and the report of its making."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import PurePath
from typing import Final, Literal

from boxsel.build.built import Built, Effort, Rejected, Rejects, measured_effort, rejected_text
from boxsel.build.mined_rules.atoms import UnreadableRuleError, parse_rule
from boxsel.build.mined_rules.files import Kind, RuleLine, RuleLines, recognise_kind
from boxsel.build.mined_rules.shape import NotExpressibleError, Vocabulary, conditional_of
from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.formats.source import load
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, Concept
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Number, Proportion, exact
from boxsel.logic.statements import Statement
from boxsel.machine.progress import track
from boxsel.wording import listed

PROGRAMS: Final = {"amie": "AMIE", "anyburl": "AnyBURL"}
"""What the programs are called that write rules."""


@dataclass(frozen=True, slots=True)
class UnusedRule:
    """A rule that is no conditional of Statistical EL, and why."""

    line: int
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class RulesReport:
    """How rules became a knowledge base; see the fields of the published schema."""

    file: str
    kind: str
    rules: int
    other: int
    conditionals: int
    counts: int
    filtered: int
    repeated: int
    contested: int
    disagreeing: int
    unused: tuple[UnusedRule, ...]
    rejected: tuple[Rejected, ...]
    effort: Effort

    @property
    def unused_by_reason(self) -> tuple[Rejected, ...]:
        """The reasons for unused rules, the most frequent first, with a few examples."""
        reasons = Rejects()
        for rule in self.unused:
            reasons.add(rule.reason, self.file, rule.line, rule.rule)
        return reasons.listed()

    @property
    def text(self) -> str:
        """The report for people, in lines."""
        lines = [f"{self.rules:,} rules of {PROGRAMS[self.kind]}"]
        if self.other:
            lines.append(f"{self.other:,} other lines, such as messages of the program")
        lines.extend(rejected_text(self.rejected))
        lines.append(f"{self.conditionals:,} conditionals, {self.counts:,} of them with counts")
        remarks = (
            (self.filtered, "rules left out for their confidence or support"),
            (self.repeated, "rules say what an earlier one has said"),
            (self.contested, "pairs of head and body are stated with different numbers"),
            (
                self.disagreeing,
                "rules have a confidence that their counts do not give: the"
                f" {'confidence is' if self.kind == 'amie' else 'counts are'} used",
            ),
        )
        lines.extend(f"{count:,} {remark}" for count, remark in remarks if count)
        reasons = self.unused_by_reason
        if reasons:
            lines.append(f"{len(self.unused):,} rules are no conditionals of Statistical EL:")
            lines.extend(rejected_text(reasons)[1:])
        return "\n".join([*lines, self.effort.text])

    def unused_table(self) -> str:
        """Every unused rule as a line of a tab-separated table: line, reason, rule."""
        rows = (f"{rule.line}\t{rule.reason}\t{rule.rule}\n" for rule in self.unused)
        return "".join(["line\treason\trule\n", *rows])

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        fields = asdict(self)
        effort: dict[str, object] = fields.pop("effort")
        fields["unused"] = [rejection.to_json() for rejection in self.unused_by_reason]
        fields["rejected"] = [rejection.to_json() for rejection in self.rejected]
        return fields | effort


TYPES: Final = ("rdf:type", "type")
"""The relations whose object is a class, unless others are named."""

NO_SHARE: Final = "the file gives no standard confidence: PCA confidence is no share of the body"


def build_rules(
    path: str | os.PathLike[str],
    *,
    kind: Literal["auto", "amie", "anyburl"] = "auto",
    types: Iterable[str] = TYPES,
    values: bool = True,
    min_confidence: Number | None = None,
    min_support: int | None = None,
    strict: bool = False,
) -> Built[RulesReport]:
    r"""Read the rules that are conditionals of Statistical EL; the report lists the others.

    The object of a relation among `types` is a class. Any other relation r with a constant c gives
    the concept `'r=c'`, unless `values` are not wanted. The confidence of a rule, or the number of
    its hits, may be required to be at least something.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "rules.txt")
        ...     _ = path.write_text("42\t3\t0.0714\tjob(X,actor) <= born(X,Rome)\n")
        ...     built = build_rules(path)
        >>> print(built.kb.statements[0])
        ('job=actor' | 'born=Rome')[3 of 42]  ## source: rules.txt:1
    """
    least = None if min_confidence is None else exact(min_confidence)
    if least is not None and not 0 <= least <= 1:
        raise BoxselError(f"the least confidence {min_confidence} is not between 0 and 1")
    source = load(path)
    rejects = Rejects(strict)
    with measured_effort() as effort:
        found: Kind = recognise_kind(source) if kind == "auto" else kind
        vocabulary = Vocabulary.of(types, values=values)
        reader = _Reader(found, PurePath(source.file).name, vocabulary, least, min_support)
        lines = RuleLines(source, found, rejects)
        rules = 0
        for line in track(lines, "reading rules", source.data.count(b"\n") + 1):
            try:
                rules += 1
                reader.add(line)
            except UnreadableRuleError as error:
                rejects.add(str(error), source.file, line.number, line.rule)
        if not rules and rejects.total:
            raise _no_rules(source.file, found, rejects.listed())
        kb = reader.kb()
    report = RulesReport(
        source.file,
        found,
        rules,
        lines.other,
        len(reader.statements),
        sum(isinstance(statement.proportion, Count) for statement in reader.statements),
        reader.filtered,
        reader.repeated,
        sum(len(numbers) > 1 for numbers in reader.stated.values()),
        reader.disagreeing,
        tuple(reader.unused),
        rejects.listed(),
        effort,
    )
    return Built(kb, report)


def _no_rules(file: str, kind: Kind, rejected: Sequence[Rejected]) -> ReadError:
    """The error for lines of which not one is a rule: most likely another program wrote them."""
    most = rejected[0]
    return ReadError(
        Diagnostic(
            f"no line of this file is a rule of {PROGRAMS[kind]} ({most.reason})",
            file,
            help=f"see {listed(most.examples, most=1)}; --kind says which program wrote the rules",
        )
    )


@dataclass
class _Reader:
    """Collects what rules state."""

    kind: Kind
    file: str
    vocabulary: Vocabulary
    least: Fraction | None
    support: int | None
    statements: dict[Conditional, int] = field(default_factory=dict)  # with the line
    stated: dict[tuple[Concept, Concept], set[Proportion]] = field(default_factory=dict)
    unused: list[UnusedRule] = field(default_factory=list)
    filtered: int = 0
    repeated: int = 0
    disagreeing: int = 0

    def add(self, line: RuleLine) -> None:
        """Read a rule; it is stated, or left out for a reason."""
        mined = self.kind == "anyburl"
        rule = parse_rule(line.rule, letters=mined)
        try:
            # AnyBURL may smooth its confidence: its counts are what was seen.
            proportion = line.numbers.proportion(prefer_count=mined)
            if proportion is None:
                raise NotExpressibleError(NO_SHARE)  # noqa: TRY301 - a reason like the others
            if self._too_weak(line, proportion):
                self.filtered += 1
                return
            head, body = conditional_of(rule, self.vocabulary, apart=mined)
        except NotExpressibleError as error:
            self.unused.append(UnusedRule(line.number, str(error), line.rule))
            return
        self.disagreeing += not line.numbers.agree
        axiom = Conditional(head, body, proportion)
        self.repeated += axiom in self.statements
        self.statements.setdefault(axiom, line.number)
        self.stated.setdefault((head, body), set()).add(proportion)

    def _too_weak(self, line: RuleLine, proportion: Proportion) -> bool:
        share = proportion.bounds.upper
        hits = line.numbers.hits
        if self.least is not None and share < self.least:
            return True
        return self.support is not None and hits is not None and hits < self.support

    def kb(self) -> KB:
        """What was stated, and what the names of values mean."""
        links = (Statement(name <= role.some(TOP)) for name, role in self.vocabulary.links())
        return KB(
            (
                *links,
                *(
                    axiom.annotate(source=f"{self.file}:{line}")
                    for axiom, line in self.statements.items()
                ),
            )
        )
