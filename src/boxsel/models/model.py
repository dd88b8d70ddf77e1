"""A trained ensemble: what it knows of itself, and what it says about queries."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from boxsel.errors import BoxselError
from boxsel.logic.axioms import RoleAssertion
from boxsel.logic.booleans import basic_parts, expand
from boxsel.logic.concepts import TOP, Concept, conjunction, entities
from boxsel.logic.kb import KB, Queries
from boxsel.logic.proportions import Inner
from boxsel.logic.statements import Query, Statement
from boxsel.models.arrays import Parameters
from boxsel.models.estimate import Estimate
from boxsel.models.measuring import Batch, Floats, Members, ends
from boxsel.models.population_witness import PopulationModel, balanced, exact_population
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.populations import Populations
from boxsel.models.representations.representation import Representation
from boxsel.models.settings import Settings
from boxsel.models.shares import RoleBox
from boxsel.models.task import Task
from boxsel.models.violations import Scores, Violations, largest_breaches, violations
from boxsel.models.witness import BoxModel, exact_member
from boxsel.syntax.many_queries import is_table

SIZE_ROUNDING: Final = 1e-12
"""A combination of sizes that is not larger is nothing but rounding."""
ROUNDING: Final = 1e-9
"""A member with a larger violation in floats has one in fractions too."""

MOST_BALANCED: Final = 200
"""With more statements, exact weights of populations take too long to find."""


@dataclass(frozen=True, eq=False)
class Model:
    """An ensemble of embeddings of a knowledge base.

    `history` has the mean loss of each member, a row for every few epochs. `directed` is the query
    that its members were pushed by, if they were. `remembered` are the scores that were measured
    before, if they were: then there is no need to measure every statement again.
    """

    task: Task
    settings: Settings
    parameters: Parameters
    history: Floats
    directed: Query | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    remembered: Scores | None = None

    @property
    def kb(self) -> KB:
        """The knowledge base that was trained."""
        return self.task.kb

    @cached_property
    def representation(self) -> Representation:
        """How concepts and roles are represented."""
        return self.settings.chosen_representation()

    @cached_property
    def _members(self) -> Members:
        return Members(self.representation, self.parameters, self.task.numbering)

    @cached_property
    def _settled(self) -> Members:
        """The members for queries that are asked one by one."""
        return self._members.settled()

    @property
    def ignored(self) -> tuple[Statement, ...]:
        """The statements that the representation has no place for: links, if roles are no maps."""
        if self.representation.links:
            return ()
        return tuple(
            statement for statement in self.kb if isinstance(statement.axiom, RoleAssertion)
        )

    @cached_property
    def violations(self) -> Violations:
        """How far each member is from satisfying each statement."""
        return violations(self.kb, self._members, self.task.empty)

    @cached_property
    def scores(self) -> Scores:
        """What the violations come to for each member: as remembered by a file, else measured."""
        if self.remembered is not None:
            return self.remembered
        breaches = largest_breaches(self.kb, self._members, self.task.empty)
        return Scores.of(self.violations, breaches, self.settings.tolerance)

    @cached_property
    def kept(self) -> NDArray[np.bool_]:
        """Which members satisfy the knowledge base up to the tolerance.

        That is: their largest violation is at most the tolerance, and no larger part of any name
        breaks an inclusion or a disjointness.
        """
        return self.scores.kept(self.settings.tolerance)

    def refine(self, query: Query | str) -> Model:
        """The same ensemble trained on: half the members pushed down by a query, half up.

        Raises:
            BoxselError: The query is not about the names of the knowledge base.
        """
        from boxsel.models.further_runs import directed_run, polished
        from boxsel.models.run import completed

        asked = self.kb.query(query)
        if asked.is_boolean:
            raise BoxselError(
                f"members are pushed to the ends of a query of names, 'and' and 'some': not {asked}"
            )
        if self._is_empty(asked.body) or self._is_empty(asked.head):
            return replace(self, directed=asked)
        run = completed(directed_run(self, asked))
        return replace(
            self,
            parameters=completed(polished(run, self.settings.polish)).parameters,
            history=run.losses,
            directed=asked,
            remembered=None,
        )

    def ask(self, query: Query | str, *, directed: bool = False) -> Estimate:
        """The estimate of a query; `directed`: of members that are trained on for it.

        Raises:
            BoxselError: The query is not about the names of the knowledge base.
        """
        asked = self.kb.query(query)
        if directed and self.directed != asked:
            return self.refine(asked).ask(asked)
        if asked.is_boolean:
            values = self.values([asked])[0]
        elif self._is_empty(asked.body):
            values = np.full(self.settings.members, np.nan)
        elif self._is_empty(asked.head):
            values = np.zeros(self.settings.members)
        else:
            values = np.asarray(self._settled.share(asked.head, asked.body))
        return self._estimate(asked, values)

    def ask_many(self, queries: Queries) -> Any:
        """The estimates of many queries at once, batched by their shape.

        A list of queries gives a tuple of estimates. A pandas `DataFrame` with the columns
        `head` and `body`, or `query`, comes back with `lower`, `upper`, those of all members
        (`all_lower`, `all_upper`), and `undefined`: in how many kept members the body is empty.

        Raises:
            BoxselError: A query is not about the names of the knowledge base.
        """
        asked = self.kb.queries(queries)
        values = self.values(asked)
        if is_table(queries):
            lower, upper = ends(values[:, self.kept]).T
            all_lower, all_upper = ends(values).T
            undefined = np.isnan(values[:, self.kept]).sum(axis=1)
            return queries.assign(
                lower=lower,
                upper=upper,
                all_lower=all_lower,
                all_upper=all_upper,
                undefined=undefined,
            )
        return tuple(self._estimate(*pair) for pair in zip(asked, values, strict=True))

    @cached_property
    def witnesses(self) -> tuple[BoxModel | PopulationModel, ...]:
        """The members that satisfy every statement exactly, checked in fractions.

        There are none if the members are no models, or if axioms were left out on reading. One is
        enough to prove that the knowledge base has a model.
        """
        how = self.representation
        if isinstance(how, Populations) and not self.kb.ignored_axioms:
            return self._exact_populations()
        if not isinstance(how, Boxes) or not how.is_model or self.kb.ignored_axioms:
            return ()
        candidates = np.flatnonzero(self.scores.largest <= ROUNDING)
        models = (
            exact_member(how, self.parameters, self.task.numbering, int(member))
            for member in candidates
        )
        return tuple(model for model in models if model.satisfies(self.kb))

    def _exact_populations(self) -> tuple[PopulationModel, ...]:
        """The members that have exact weights, if they are not too large to look for them."""
        if len(self.kb) > MOST_BALANCED:
            return ()
        numbering, kb = self.task.numbering, self.kb
        models = (
            balanced(exact_population(self.parameters, numbering, int(member)), kb)
            for member in np.flatnonzero(self.kept)
        )
        return tuple(model for model in models if model is not None and model.satisfies(kb))

    def inner(self, query: Query | str) -> Inner | None:
        """The shares of a query in the witnesses: certified, so truth is no narrower.

        None if there is no witness in which the body has members.
        """
        asked = self.kb.query(query)
        sides = (*basic_parts(asked.head), *basic_parts(asked.body))
        # Only `∃r.C` that no axiom mentions can make a witness unfit for a query.
        axioms = tuple(self.kb.axioms)
        same = RoleBox.of(axioms, sides) == RoleBox.of(axioms)
        values = [
            share
            for model in self.witnesses
            if (same or model.satisfies(self.kb, *sides))
            and (share := model.share(asked)) is not None
        ]
        return Inner(min(values), max(values), len(values)) if values else None

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model to a folder.

        Raises:
            WriteError: There is something else at this place, or it cannot be written.
        """
        from boxsel.models.files import save

        save(self, folder)

    def values(self, queries: Queries) -> Floats:
        """The share of each query in each member, NaN where its body is empty."""
        asked = self.kb.queries(queries)
        plain = [place for place, query in enumerate(asked) if not query.is_boolean]
        found = np.empty((len(asked), self.settings.members))
        found[plain] = self._by_shape(
            [asked[place] for place in plain], self.settings.members, self._members.measured
        )
        for place in {*range(len(asked))}.difference(plain):
            found[place] = self._combined(asked[place])
        return found

    def _combined(self, query: Query) -> Floats:
        """The shares of a Boolean combination, by inclusion and exclusion in the universe."""
        if not self.settings.chosen_preset().universe:
            raise BoxselError(
                f"members of the preset {self.settings.preset!r} have no universe, so that nothing"
                " is the share of 'not', 'or' or 'at least' in them"
            )
        whole, both = expand(query.body), expand(conjunction(query.body, query.head))
        terms = list(whole | both)
        plain = [Query(term, TOP) for term in terms]
        found = self._by_shape(plain, self.settings.members, self._members.measured)
        sizes = dict(zip(terms, found, strict=True))
        body, part = (
            sum((factor * sizes[term] for term, factor in form.items()), np.zeros(found.shape[1]))
            for form in (whole, both)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(body > SIZE_ROUNDING, np.clip(part / body, 0.0, 1.0), np.nan)

    def intervals(self, queries: Queries) -> Floats:
        """The estimates of very many queries: the ends of each, NaN where there is none.

        They are found where the shares are computed, so that no table of all shares is made.
        """
        asked, kept = self.kb.queries(queries), self.kept
        if not kept.any():
            return np.full((len(asked), 2), np.nan)
        if any(query.is_boolean for query in asked):
            return ends(self.values(asked)[:, kept])
        return self._by_shape(asked, 2, partial(self._members.measured, kept=kept))

    def _by_shape(
        self, asked: Sequence[Query], width: int, measure: Callable[[Batch], Floats]
    ) -> Floats:
        """A line of what is measured for each query; no share of an empty body, 0 of a head."""
        found = np.full((len(asked), width), np.nan)
        known: list[int] = []
        for place, query in enumerate(asked):
            if not self._is_empty(query.body):
                found[place] = 0.0
                if not self._is_empty(query.head):
                    known.append(place)
        pairs = [(asked[place].head, asked[place].body) for place in known]
        found[known] = self._members.by_shape(pairs, measure, found[known])
        return found

    def _is_empty(self, concept: Concept) -> bool:
        """Whether a concept has a name that must be empty; for a combination that says nothing."""
        empty = self.task.empty
        return (
            not concept.is_boolean
            and bool(empty)
            and any(entity in empty for entity in entities(concept))
        )

    def _estimate(self, query: Query, values: Floats) -> Estimate:
        kept = self.kept
        return Estimate(
            query,
            values,
            kept,
            float(self.scores.largest[kept].max()) if kept.any() else None,
            self.directed == query,
            self._is_empty(query.body),
            self.kb.prefixes,
        )

    def __repr__(self) -> str:
        chosen = self.settings
        return (
            f"<Model: {int(self.kept.sum())} of {chosen.members} members kept,"
            f" {chosen.representation} of dimension {chosen.dim}>"
        )

    def _repr_html_(self) -> str:
        from boxsel.logic.html import table
        from boxsel.models.files import metrics

        content, settings, kb = metrics(self), self.settings, self.kb
        violation, kept = content["violation"], content["kept"]
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in kb.counts_by_kind().items())
        rows: list[tuple[object, object]] = [
            ("knowledge base", kinds),
            ("names, roles", f"{len(kb.signature.concepts):,}, {len(kb.signature.roles):,}"),
            ("members", f"{content['members']:,}, of which {kept:,} are kept"),
            (
                "violation",
                f"least {violation['least']:.2g}, median {violation['median']:.2g},"
                f" largest {violation['largest']:.2g}; kept up to {settings.tolerance:g}",
            ),
            ("mean absolute error", f"{content['error']:.2g}"),
            (
                "settings",
                f"{settings.representation} of dimension {settings.dim}, {settings.roles} roles,"
                f" preset {settings.preset}, seed {settings.seed}",
            ),
        ]
        if self.directed is not None:
            rows.append(("pushed by", self.directed.text(kb.prefixes)))
        if self.task.empty:
            rows.append(("names left out, since empty", f"{len(self.task.empty):,}"))
        if kb.ignored_axioms:
            rows.append(("axioms left out on reading", f"{kb.ignored_axioms:,}"))
        return table(("model", ""), rows)
