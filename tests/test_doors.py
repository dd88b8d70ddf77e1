"""One contract for all that is public: a concept, a query or an axiom may be given as its text.

Text and value give the same result, names that are not known are told with advice, and anything
else is refused in words. What is public and takes such a value has to be in the list below.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pandas
import pytest

import boxsel
from boxsel import examples
from boxsel.errors import BoxselError, ReadError
from boxsel.models.fit import prepared
from boxsel.models.plots import boxes
from boxsel.models.task import Task
from boxsel.syntax.parser import parse_concept, parse_query
from tests.test_api import ROOMS

KB = boxsel.parse(f"{examples.text('applicant')}\nNobody SubClassOf owl:Nothing")
QUERY = "(Admitted | Applicant)"
CONCEPT = "Admitted and DeptA"
AXIOM = "(Admitted | DeptA)[0.8]"
INCLUSION = "DeptA SubClassOf Applicant"
VACUOUS = "(Admitted | Nobody)"
"""No ensemble has to be trained for it."""
SOMEONE = boxsel.logic.Individual("a")
VALUES: dict[str, Any] = {
    QUERY: parse_query(QUERY),
    VACUOUS: parse_query(VACUOUS),
    CONCEPT: parse_concept(CONCEPT),
    "DeptA": boxsel.Name("DeptA"),
    AXIOM: next(iter(boxsel.parse(AXIOM).axioms)),
    INCLUSION: next(iter(boxsel.parse(INCLUSION).axioms)),
}
GROUPS, STRATA = ("Woman", "Man"), ("DeptA", "DeptB")


@cache
def reasoner() -> boxsel.Reasoner:
    return boxsel.Reasoner(KB)


@cache
def model() -> boxsel.Model:
    """An ensemble before its first step: it is asked like any other."""
    task, settings = Task.of(KB), boxsel.Settings(members=2, dim=2)
    run = prepared(task, settings)
    return boxsel.Model(task, settings, run.parameters, run.losses)


@cache
def derivation() -> Any:
    return boxsel.propagate(KB, [QUERY])


@cache
def saturation() -> Any:
    return boxsel.saturate(KB, also=[CONCEPT])


def end(said: Any) -> Any:
    return reasoner().bounds(said).lower


def berkeley(outcome: Any = "Admitted", *, standard: Any = None) -> object:
    kb = examples.load("berkeley")
    reversal = boxsel.simpson(kb, outcome, GROUPS, STRATA, standard=standard, budget=30)
    return {**reversal.to_json(), "seconds": None}


def asked(said: Any, **options: Any) -> object:
    return timeless(boxsel.ask(KB, said, estimate="never", **options))


def timeless(answer: boxsel.Answer) -> object:
    return replace(answer, seconds=0.0)


def table(**columns: Any) -> pandas.DataFrame:
    return pandas.DataFrame({name: [value] for name, value in columns.items()})


def answered(table: pandas.DataFrame) -> object:
    return repr(table.drop(columns=["seconds", "query"], errors="ignore").to_dict("records"))


def shares(estimates: Any) -> object:
    return [(estimate.query, estimate.lower, estimate.upper) for estimate in estimates]


@dataclass(frozen=True)
class Door:
    """Something public: where it is, what is said to it, and how."""

    name: str
    text: str
    call: Callable[[Any], object]


DOORS = [
    Door("KB.concept", CONCEPT, KB.concept),
    Door("KB.name", "DeptA", KB.name),
    Door("KB.query", QUERY, KB.query),
    Door("KB.queries", QUERY, lambda said: KB.queries([said])),
    Door("KB.axiom", AXIOM, KB.axiom),
    Door("KB.ask", VACUOUS, lambda said: replace(KB.ask(said), seconds=0.0)),
    Door("KB.bounds", QUERY, lambda said: replace(KB.bounds(said), seconds=0.0)),
    Door("KB.explain", QUERY, lambda said: KB.explain(said).to_json()),
    Door("KB.check", CONCEPT, lambda said: KB.check(concept=said)),
    Door("KB.repair", "DeptA", lambda said: KB.repair(names=[said])),
    Door("KB.repair", AXIOM, lambda said: KB.repair(weights={said: 2})),
    Door("Reasoner.bounds", QUERY, lambda said: end(said).bound),
    Door("Reasoner.satisfiable", CONCEPT, lambda said: reasoner().satisfiable(said)),
    Door("Reasoner.subsumes", "DeptA", lambda said: reasoner().subsumes("Applicant", said)),
    Door("Reasoner.subsumes", "DeptA", lambda said: reasoner().subsumes(said, "Admitted")),
    Door("Reasoner.entails", AXIOM, lambda said: reasoner().entails(said)),
    Door("Reasoner.entails", INCLUSION, lambda said: reasoner().entails(said)),
    Door("Reasoner.module", QUERY, lambda said: reasoner().module(said)),
    Door("Reasoner.populations", QUERY, lambda said: next(reasoner().populations(said))),
    Door("Reasoner.witnessed", QUERY, lambda said: reasoner().witnessed(said)),
    Door("Reasoner.capped", QUERY, lambda said: reasoner().capped(said, 9)),
    Door("Reasoner.is_narrow", QUERY, lambda said: reasoner().is_narrow(said)),
    Door("Reasoner.stated", QUERY, lambda said: reasoner().stated(said)),
    Door("Reasoner.vacuous", QUERY, lambda said: reasoner().vacuous(said)),
    Door("Reasoner.refuted", QUERY, lambda said: reasoner().refuted(said)),
    Door("Reasoner.behind_empty", CONCEPT, lambda said: reasoner().behind_empty(said)),
    Door("Reasoner.pinned", QUERY, lambda said: pinned(said)),
    Door("ask", QUERY, asked),
    Door("ask", AXIOM, lambda said: asked(QUERY, assume=[said])),
    Door("Asker", AXIOM, lambda said: boxsel.Asker(KB, assume=[said]).kb),
    Door("Asker.ask", QUERY, lambda said: timeless(boxsel.Asker(KB, estimate="never").ask(said))),
    Door("ask_many", QUERY, lambda said: [*map(timeless, boxsel.ask_many(KB, [said]))]),
    Door("ask_many", AXIOM, lambda said: [
        *map(timeless, boxsel.ask_many(KB, [QUERY], assume=[said]))
    ]),
    Door("ask_many", QUERY, lambda said: [*map(timeless, boxsel.ask_many(KB, table(query=said)))]),
    Door("ask_many", "DeptA", lambda said: [
        *map(timeless, boxsel.ask_many(KB, table(head="Admitted", body=said)))
    ]),
    Door("answered_table", QUERY, lambda said: answered(boxsel.answered_table(KB, [said]))),
    Door("answered_table", QUERY, lambda said: answered(
        boxsel.answered_table(KB, table(query=said))
    )),
    Door("assumed", AXIOM, lambda said: boxsel.assumed(KB, [said])),
    Door("next_measurements", QUERY, lambda said: boxsel.next_measurements(KB, said)),
    Door("compare", QUERY, lambda said: boxsel.compare(KB, said, "(DeptA | DeptA)").ranges),
    Door("sensitivity", QUERY, lambda said: boxsel.sensitivity(KB, said)),
    Door("propagate", QUERY, lambda said: boxsel.propagate(KB, [said]).queries),
    Door("Derivation.interval", QUERY, lambda said: derivation().interval(said)),
    Door("Derivation.is_empty", "DeptA", lambda said: derivation().is_empty(said)),
    Door("Derivation.steps", QUERY, lambda said: derivation().steps(said)),
    Door("Derivation.why_empty", "DeptA", lambda said: derivation().why_empty(said)),
    Door("Derivation.explain", QUERY, lambda said: derivation().explain(said)),
    Door("normalize", CONCEPT, lambda said: boxsel.normalize(KB, also=[said]).kb),
    Door("NormalForm.atom", "DeptA", lambda said: boxsel.normalize(KB).atom(said)),
    Door("saturate", CONCEPT, lambda said: boxsel.saturate(KB, also=[said]).normal.kb),
    Door("Saturation.subsumers", CONCEPT, lambda said: saturation().subsumers(said)),
    Door("Saturation.knows", CONCEPT, lambda said: saturation().knows(said)),
    Door("Saturation.is_empty", CONCEPT, lambda said: saturation().is_empty(said)),
    Door("Saturation.is_top", "DeptA", lambda said: saturation().is_top(said)),
    Door("Saturation.entails", INCLUSION, lambda said: saturation().entails(said)),
    Door("sample", QUERY, lambda said: boxsel.sample(KB, 50, query=said, end="lower")),
    Door("simpson", "Admitted", berkeley),
    Door("simpson", "Woman", lambda said: berkeley(standard=said)),
    Door("Model.ask", QUERY, lambda said: shares([model().ask(said)])),
    Door("Model.ask_many", QUERY, lambda said: shares(model().ask_many([said]))),
    Door("Model.ask_many", QUERY, lambda said: answered(model().ask_many(table(query=said)))),
    Door("Model.inner", QUERY, lambda said: model().inner(said)),
    Door("Model.refine", VACUOUS, lambda said: model().refine(said).directed),
    Door("Model.values", QUERY, lambda said: model().values([said]).tolist()),
    Door("Model.intervals", QUERY, lambda said: repr(model().intervals([said]))),
    Door("plots.boxes", "DeptA", lambda said: boxes(model(), names=[said]).axes[0].get_title()),
]  # fmt: skip

BY_VALUE: dict[str, Callable[[Any], object]] = {
    "AtLeast": lambda said: boxsel.logic.AtLeast(1, said, boxsel.Name("B")),
    "Not": boxsel.logic.Not,
    "Or": lambda said: boxsel.logic.Or(said, boxsel.Name("B")),
    "And": lambda said: boxsel.logic.And(said, boxsel.Name("B")),
    "Concept.__and__": lambda said: boxsel.Name("B") & said,
    "Concept.__le__": lambda said: boxsel.Name("B") <= said,
    "Concept.equivalent_to": lambda said: boxsel.Name("B").equivalent_to(said),
    "ConceptAssertion": lambda said: boxsel.logic.ConceptAssertion(
        said, boxsel.logic.Individual("a")
    ),
    "Conditional": lambda said: boxsel.logic.Conditional(said, boxsel.TOP, boxsel.Count(1, 2)),
    "Disjointness": lambda said: boxsel.logic.Disjointness(said, boxsel.Name("B")),
    "Domain": lambda said: boxsel.logic.Domain(boxsel.Role("r"), said),
    "Equivalence": lambda said: boxsel.logic.Equivalence(said, boxsel.Name("B")),
    "Exists": lambda said: boxsel.logic.Exists(boxsel.Role("r"), said),
    "Inclusion": lambda said: boxsel.logic.Inclusion(boxsel.Name("B"), said),
    "KB": lambda said: boxsel.KB((said,)),
    "KB.label": KB.label,
    "KB.of": boxsel.KB.of,
    "KB.with_statements": lambda said: KB.with_statements([said]),
    "Query": lambda said: boxsel.Query(boxsel.TOP, said),
    "Range": lambda said: boxsel.logic.Range(boxsel.Role("r"), said),
    "Role.some": lambda said: boxsel.Role("r").some(said),
    "Saturation.types": lambda said: saturation().types(said),
    "Statement": boxsel.logic.Statement,
    "conditional": lambda said: boxsel.conditional(said, given=boxsel.TOP, exactly=0.5),
    "conjunction": boxsel.logic.conjunction,
    "disjoint": lambda said: boxsel.disjoint(said, boxsel.Name("B")),
}
"""What makes values of values: it belongs to no knowledge base, in whose names a text could be."""

RESULTS = {*boxsel.results.__all__, "KBReversal", "Model", "Rate", "Scores", "Signature"}
RESULTS |= {"TableReversals", "Violations"}
"""What boxsel makes itself, and shows to people."""


def pinned(said: Any) -> object:
    bounds = reasoner().bounds(QUERY)
    assert bounds.lower is not None
    assert bounds.upper is not None
    outcome = reasoner().pinned(said, bounds.lower, bounds.upper)
    return outcome and (outcome.query, outcome.status)


each = pytest.mark.parametrize("door", DOORS, ids=lambda door: f"{door.name}-{door.text}")


@each
def test_text_and_value_give_the_same(door: Door) -> None:
    value = VALUES.get(door.text) or parse_concept(door.text)
    assert door.call(door.text) == door.call(value)


@each
@pytest.mark.parametrize("wrong", [3, None, 0.5, ("A",)], ids=str)
def test_what_is_neither_is_refused_in_words(door: Door, wrong: object) -> None:
    if wrong is None and door.name in ("KB.check", "sample", "simpson"):
        return  # it may be left out
    with pytest.raises(BoxselError) as caught:
        door.call(wrong)
    assert isinstance(caught.value, TypeError)
    assert "and not " in str(caught.value)


@each
def test_a_name_that_is_not_known_is_told_with_advice(door: Door) -> None:
    wrong = re.sub(r"DeptA|Admitted|Woman", lambda found: f"{found[0]}x", door.text, count=1)
    with pytest.raises(ReadError, match="did you mean"):
        door.call(wrong)


@pytest.mark.parametrize("name", BY_VALUE)
@pytest.mark.parametrize("wrong", ["A", 3, None], ids=str)
def test_values_are_made_of_values(name: str, wrong: object) -> None:
    with pytest.raises(TypeError, match="and not "):
        BY_VALUE[name](wrong)


@pytest.mark.parametrize("wrong", [3, None], ids=str)
@pytest.mark.parametrize(
    "call",
    [
        boxsel.Name,
        boxsel.Role,
        boxsel.names,
        boxsel.roles,
        boxsel.parse,
        parse_concept,
        parse_query,
        lambda said: boxsel.verify(KB, said),
        lambda said: boxsel.read_counts(KB, said),
        lambda said: boxsel.ask_many(KB, said),
        lambda said: boxsel.assumed(KB, said),
        lambda said: KB.repair(names=said) if said else KB.repair(names=["DeptA", said]),
    ],
)
def test_what_takes_text_or_lists_refuses_the_rest(call: Any, wrong: object) -> None:
    with pytest.raises(TypeError, match="and not "):
        call(wrong)


@pytest.mark.parametrize(
    "call",
    [
        lambda: boxsel.ask_many(KB, QUERY),
        lambda: boxsel.answered_table(KB, QUERY),
        lambda: model().ask_many(QUERY),
        lambda: boxsel.propagate(KB, QUERY),
        lambda: boxsel.ask(KB, QUERY, assume=AXIOM),
        lambda: boxsel.assumed(KB, AXIOM),
        lambda: boxsel.normalize(KB, also=CONCEPT),
        lambda: KB.repair(names="DeptA"),
        lambda: boxsel.simpson(KB, "Admitted", "Woman", STRATA),
    ],
)
def test_one_text_is_not_a_list_of_letters(call: Any) -> None:
    with pytest.raises(TypeError, match="are several: give a list, and not the text"):
        call()


def test_a_certificate_is_text_or_its_object() -> None:
    import json

    certificate = dict(KB.bounds(QUERY).certificate)
    assert boxsel.verify(KB, certificate) == boxsel.verify(KB, json.dumps(certificate))
    assert boxsel.Reading(0.95) == boxsel.Reading("0.95")


TAKES = re.compile(r"\b(Concept|Query|Queries|Axiom|Statement|Assumption|Said|Name|Entity)\b")


def public() -> Iterator[tuple[str, Callable[..., object]]]:
    """All that is public: functions, classes, and their methods."""
    rooms = [boxsel, *(getattr(boxsel, room) for room in ROOMS)]
    for name, value in {
        name: getattr(room, name) for room in rooms for name in room.__all__
    }.items():
        if inspect.isclass(value):
            if name not in RESULTS:
                yield name, value.__init__
            for method, function in inspect.getmembers(value, callable):
                if not method.startswith("_") and hasattr(function, "__qualname__"):
                    yield function.__qualname__, function  # of the class that has it
        elif callable(value):
            yield name, value


def test_whatever_is_public_and_takes_such_a_value_is_tested_here() -> None:
    tested = {door.name for door in DOORS} | {*BY_VALUE}
    missing = []
    for name, function in public():
        annotations = dict(getattr(function, "__annotations__", {}))
        annotations.pop("return", None)
        if (
            any(TAKES.search(str(annotation)) for annotation in annotations.values())
            and name not in tested
        ):
            missing.append(name)
    assert missing == []


WITHIN: dict[str, Callable[[Any], object]] = {
    "Asker.ask": lambda budget: asker().ask(QUERY, budget=budget).outer,
    "KB.ask": lambda budget: KB.ask(QUERY, budget=budget).outer,
    "KB.bounds": lambda budget: KB.bounds(QUERY, budget=budget).lower,
    "KB.check": lambda budget: KB.check(budget=budget),
    "KB.explain": lambda budget: KB.explain(QUERY, budget=budget).text,
    "KB.repair": lambda budget: KB.repair(budget=budget).total,
    "Reasoner": lambda budget: boxsel.Reasoner(KB, budget=budget).bounds(QUERY).lower,
    "ask": lambda budget: boxsel.ask(KB, QUERY, budget=budget).outer,
    "ask_many": lambda budget: [one.outer for one in boxsel.ask_many(KB, [QUERY], budget=budget)],
    "check_many": lambda budget: list(boxsel.check_many([KB], budget=budget)),
    "compare": lambda budget: boxsel.compare(KB, QUERY, VACUOUS, budget=budget).status,
    "next_measurements": lambda budget: boxsel.next_measurements(KB, QUERY, budget=budget).text,
    "normalize": lambda budget: boxsel.normalize(KB, budget=budget).kb,
    "propagate": lambda budget: boxsel.propagate(KB, [QUERY], budget=budget).interval(QUERY),
    "repair_many": lambda budget: [one.total for one in boxsel.repair_many([KB], budget=budget)],
    "sample": lambda budget: boxsel.sample(KB, 100, budget=budget).text,
    "saturate": lambda budget: boxsel.saturate(KB, budget=budget).empty_names,
    "simpson": lambda budget: berkeley_within(budget),
    "verify": lambda budget: boxsel.verify(KB, KB.bounds(QUERY).certificate, budget=budget),
}
"""Whatever is public and has a budget, by its name."""


def asker() -> boxsel.Asker:
    return boxsel.Asker(KB, estimate="never")


def berkeley_within(budget: Any) -> object:
    kb = examples.load("berkeley")
    return boxsel.simpson(kb, "Admitted", GROUPS, STRATA, budget=budget).text


@pytest.mark.parametrize("name", WITHIN)
def test_a_budget_is_said_in_one_way_everywhere(name: str) -> None:
    """As a number or as text; what is neither is refused before any work."""
    assert WITHIN[name]("1h") == WITHIN[name](3600) == WITHIN[name](None)
    for senseless in ("soon", "-1s", -1, float("nan")):
        with pytest.raises(BoxselError, match="is not a budget"):
            WITHIN[name](senseless)
    for wrong in (True, [5], b"5"):
        with pytest.raises(TypeError, match="a budget is seconds, such as 5 or '5s', and not"):
            WITHIN[name](wrong)


def test_all_budgets_are_tested_here() -> None:
    limited = {name for name, function in public() if "budget" in parameters(function)}
    assert limited - {"Choices"} == {*WITHIN}  # these are numbers in a file


def parameters(function: Callable[..., object]) -> Collection[str]:
    return getattr(function, "__annotations__", {})
