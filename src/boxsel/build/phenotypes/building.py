"""From the phenotype ontology and its annotations to a knowledge base."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from boxsel.build.built import Built, Rejects, measured_effort
from boxsel.build.phenotypes.annotations import Annotations, choose, disease_names, read_annotations
from boxsel.build.phenotypes.contradictions import find_contradictions
from boxsel.build.phenotypes.curation import find
from boxsel.build.phenotypes.frequencies import FrequencyTerm
from boxsel.build.phenotypes.ontology import Ontology, iri, prefixes_of, read_ontology
from boxsel.build.phenotypes.relaxing import Relaxed, relax
from boxsel.build.phenotypes.report import HpoReport, Rows
from boxsel.build.phenotypes.stating import HAS_PHENOTYPE, SEXES, Several, Stated, state
from boxsel.errors import BoxselError
from boxsel.formats.source import load
from boxsel.logic.axioms import Disjointness, Inclusion
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count
from boxsel.logic.statements import Statement
from boxsel.sampling import Coverage, Reading, read_counts

Path = str | os.PathLike[str]


def build_hpo(
    ontology: Path,
    annotations: Path | Sequence[Path],
    *,
    negated: Path | None = None,
    labels: Path | None = None,
    diseases: Iterable[str] | None = None,
    close_gaps: bool = False,
    pool: bool = True,
    ignore_sex: bool = False,
    whole_ontology: bool = False,
    check: bool = False,
    repair: bool = False,
    reading: Reading | None = None,
    strict: bool = False,
) -> Built[HpoReport]:
    """The knowledge base of the annotations of some diseases, or of all.

    `ontology` is `hp.obo` or a table of is-a links (with a table of `labels`), `annotations` is
    `phenotype.hpoa` or an extract, and `negated` a table of NOT rows. Each phenotype of a disease
    becomes `(hasPhenotype some P | Disease)[l, u]`, and each is-a link an inclusion.

    `close_gaps` joins the intervals of the frequency terms, `reading` makes confidence intervals
    of counts, `pool=False` keeps several counts of one phenotype apart, and with `ignore_sex` rows
    about one sex are about everybody. `check` looks for contradictions; `repair` removes them by
    the least relaxation of bounds.

    Examples:
        >>> from importlib.resources import files
        >>> folder = files("boxsel.examples")
        >>> built = build_hpo(str(folder / "phenotypes.obo"), str(folder / "phenotypes.hpoa"))
        >>> print(built.kb.statements[-1].text(built.kb.prefixes))
        (hasPhenotype some EX:0210 | EX:9002 and Female)[5 of 6]  ## source: PMID:0000006
    """
    with measured_effort() as effort:
        rejects = Rejects(strict=strict)
        terms = read_ontology(load(ontology), None if labels is None else load(labels), rejects)
        paths = [annotations] if isinstance(annotations, str | os.PathLike) else list(annotations)
        sources = [load(path) for path in (*paths, *([] if negated is None else [negated]))]
        chosen = None if diseases is None else choose(diseases, disease_names(sources))
        found = read_annotations(sources, terms, rejects, diseases=chosen, ignore_sex=ignore_sex)
        if not found.names:
            raise BoxselError(
                "there is no row to use: the annotations say nothing about phenotypes"
            )
        stated, several = state(found.rows, close_gaps=close_gaps, pool=pool)
        drawn = _draw(terms, found, stated, reading, whole=whole_ontology)
        checked = find_contradictions(drawn.stated, terms) if check or repair else None
        relaxed = None
        if repair and checked is not None:
            empty = frozenset(checked.diseases)
            relaxed = relax((one for one in drawn.stated if one.disease in empty), terms)
            drawn = drawn.changed(relaxed)
        report = replace(
            _report(terms, found, drawn, several, rejects),
            checked=checked,
            findings=() if checked is None else find(checked.contradictions, drawn.labels),
            relaxed=relaxed,
            effort=effort,
        )
    return Built(drawn.kb, report, drawn.coverage)


@dataclass(frozen=True)
class _Drawn:
    """A knowledge base, whose last statements are those of the annotations."""

    kb: KB
    stated: Sequence[Stated]
    used: frozenset[str]
    labels: Mapping[str, str]
    coverage: Coverage | None

    def changed(self, relaxed: Relaxed) -> _Drawn:
        """The same with relaxed statements."""
        if not relaxed.changes:
            return self
        new = {change.old: change.new for change in relaxed.changes}
        stated = [new.get(one, one) for one in self.stated]
        first = len(self.kb.statements) - len(stated)
        statements = (*self.kb.statements[:first], *(one.statement for one in stated))
        return replace(self, kb=replace(self.kb, statements=statements), stated=stated)


def _draw(
    ontology: Ontology,
    found: Annotations,
    stated: Sequence[Stated],
    reading: Reading | None,
    *,
    whole: bool,
) -> _Drawn:
    terms = {one.term for one in stated} | {term for _, term in found.unquantified}
    used = frozenset(ontology.parents) if whole else frozenset(ontology.closure(terms))
    diseases = found.diseases
    labels = {term: ontology.labels[term] for term in sorted(used) if term in ontology.labels}
    labels |= {disease: name for disease in diseases if (name := found.name(disease))}
    names = {identifier: Name(iri(identifier)) for identifier in (*sorted(used), *diseases)}
    statements = [
        Statement(Inclusion(names[child], names[parent])) for child, parent in ontology.links(used)
    ]
    if any(one.sex for one in stated):
        statements.append(Statement(Disjointness(*SEXES.values())))
    kb = KB(
        (*statements, *(one.statement for one in stated)),
        prefixes_of(names),
        {iri(identifier): label for identifier, label in labels.items()},
        frozenset((*names.values(), HAS_PHENOTYPE)),
    )
    if reading is None:
        return _Drawn(kb, stated, used, labels, None)
    kb, coverage = read_counts(kb, reading)
    read = kb.statements[len(statements) :]
    stated = [replace(one, statement=now) for one, now in zip(stated, read, strict=True)]
    return _Drawn(kb, stated, used, labels, coverage)


def _report(
    ontology: Ontology, found: Annotations, drawn: _Drawn, several: Several, rejects: Rejects
) -> HpoReport:
    return HpoReport(
        terms=len(ontology.parents),
        terms_used=len(drawn.used),
        inclusions=sum(len(ontology.parents[term]) for term in drawn.used),
        circular=ontology.circular(drawn.used),
        diseases=len(found.names),
        renamed=found.renamed,
        phenotypes=len({row.term for row in found.rows}),
        rows=Rows(
            read=found.read,
            used=len(found.rows),
            negated=found.negated,
            without_frequency=len(found.unquantified),
            other_aspects=found.other_aspects,
            one_sex=sum(bool(row.sex) for row in found.rows),
        ),
        conditionals=_forms(drawn.stated),
        several=several,
        replaced=dict(found.replaced),
        labels=drawn.labels,
        prefixes=drawn.kb.prefixes,
        rejected=rejects.listed(),
    )


def _forms(stated: Iterable[Stated]) -> dict[str, int]:
    forms = Counter(type(one.frequency) for one in stated)
    known = {FrequencyTerm: "frequency terms", Count: "counts"}
    named = {name: forms.pop(kind, 0) for kind, name in known.items()}
    return {**named, "points": sum(forms.values())}
