"""Mined rules: those that EL can say come out as conditionals, the others with the reason."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxsel.build.mined_rules import shape
from boxsel.build.mined_rules.building import NO_SHARE, build_rules
from boxsel.build.mined_rules.files import rounded
from boxsel.errors import BoxselError, ReadError
from boxsel.logic.axioms import Conditional, Inclusion
from boxsel.logic.concepts import TOP, Concept, Exists, Name, Role, conjuncts
from boxsel.logic.names import bare_iri
from boxsel.logic.proportions import Count, Interval
from tests.depth import cases
from tests.strategies import concepts

AMIE = """\
Assuming 5 atoms...
Starting the mining phase... Rule mining
Rule\tHead Coverage\tStd Confidence\tPCA Confidence\tPositive Examples\tBody size\tPCA Body size\tFunctional variable
?a  <hasChild>  ?b   => ?a  <isMarriedTo>  ?b\t0.01\t0.012084592\t0.101265823\t8\t662\t79\t?a
?a  <wasBornIn>  ?b  ?b  <isLocatedIn>  <Italy>   => ?a  <isCitizenOf>  <Italy>\t0.5\t0.75\t0.9\t6\t8\t7\t?a
?a  <actedIn>  ?b   => ?a  rdf:type  <wordnet_actor_109765278>\t0.5\t0,333333333\t0.9\t1\t3\t2\t?a
?a  <wasBornIn>  <Rome>  ?a  <actedIn>  ?b   => ?a  rdf:type  <person>\t0.5\t0.123\t0.9\t1\t-1\t7\t?a
?b  <actedIn>  ?a   => ?a  rdf:type  <film>\t0.5\t0.123\t0.9\t1\t-1\t7\t?a
Mining done in 2 s
5 rules mined.
"""  # noqa: E501

ANYBURL = """\
42\t3\t0.07142857142857142\tP106(X,Q520549) <= P101(X,Q413)
194\t30\t0.15463917525773196\tP27(X,Q38) <= P19(X,A), P17(A,Q38)
20\t15\t0.6\ttype(X,Person) <= P19(X,A), type(A,City), P106(X,Q1)
10\t8\t0.8\ttype(X,Person) <= P19(X,Rome)
10\t8\t0.8\ttype(X,Person) <= P19(X,Rome)
10\t7\t0.7\ttype(X,Person) <= P19(X,Rome)
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    return tmp_path / "rules.tsv"


def axioms(path: Path, text: str) -> list[str]:
    path.write_text(text)
    return [str(axiom) for axiom in build_rules(path).kb.axioms]


def test_rules_of_amie(rules: Path) -> None:
    rules.write_text(AMIE)
    built = build_rules(rules)
    assert [str(statement) for statement in built.kb] == [
        "'wasBornIn=Rome' SubClassOf wasBornIn some owl:Thing",
        "('isCitizenOf=Italy' | wasBornIn some 'isLocatedIn=Italy')[6 of 8]"
        "  ## source: rules.tsv:5",
        "(wordnet_actor_109765278 | actedIn some owl:Thing)[1 of 3]  ## source: rules.tsv:6",
        "(person | 'wasBornIn=Rome' and actedIn some owl:Thing)[0.1225, 0.1235]"
        "  ## source: rules.tsv:7",
    ]
    report = built.report
    assert (report.kind, report.rules, report.other) == ("amie", 5, 4)
    assert [(rule.line, rule.reason) for rule in report.unused] == [
        (4, shape.PAIRS),
        (8, shape.INVERSE),
    ]
    assert "rules.tsv:4: ?a  <hasChild>  ?b" in report.text


def test_rules_of_anyburl(rules: Path) -> None:
    rules.write_text(ANYBURL)
    built = build_rules(rules)
    assert [str(axiom) for axiom in built.kb.axioms] == [
        "'P19=Rome' SubClassOf P19 some owl:Thing",
        "('P106=Q520549' | 'P101=Q413')[3 of 42]",
        "('P27=Q38' | P19 some 'P17=Q38')[30 of 194]",
        "(Person | P19 some City and 'P106=Q1')[15 of 20]",
        "(Person | 'P19=Rome')[8 of 10]",
        "(Person | 'P19=Rome')[7 of 10]",
    ]
    report = built.report
    assert (report.repeated, report.contested, report.disagreeing) == (1, 1, 1)
    assert "1 rules have a confidence that their counts do not give: the counts are" in report.text


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("r(X,Y) <= s(X,Y)", shape.PAIRS),
        ("r(X,Y) <= s(X,A), t(A,Y)", shape.PAIRS),
        ("r(c,Y) <= s(Y,A)", shape.INVERSE_HEAD),
        ("r(c,d) <= s(X,A)", shape.GROUND_HEAD),
        ("r(X,c) <= ", shape.EMPTY),
        ("r(X,X) <= s(X,A)", shape.SELF),
        ("r(X,me_myself_i) <= s(X,A)", shape.SELF),
        ("r(X,c) <= s(X,me_myself_i)", shape.SELF),
        ("r(X,c) <= s(X,A), t(A,A)", shape.SELF),
        ("r(X,c) <= s(A,X)", shape.INVERSE),
        ("r(X,c) <= s(d,X)", shape.INVERSE),
        ("r(X,c) <= s(X,A), t(B,A)", shape.INVERSE),
        ("r(X,c) <= s(X,A), t(A,X)", shape.CYCLE),
        ("r(X,c) <= s(X,A), t(X,A)", shape.CYCLE),
        ("r(X,c) <= s(X,A), t(A,B), u(X,B)", shape.CYCLE),
        ("r(X,c) <= s(X,A), t(B,C)", shape.UNCONNECTED),
        ("r(X,c) <= s(X,A), t(d,e)", shape.UNCONNECTED),
        ("r(X,c) <= type(X,A)", shape.VARIABLE_CLASS),
        ("r(X,c) <= r(X,A)", shape.OTHER_VALUES),
        ("r(X,c) <= s(X,A), r(A,B)", shape.DIFFERENT),
        ("r(X,c) <= s(X,A), s(X,B)", shape.DIFFERENT),
    ],
)
def test_what_el_cannot_say_is_listed_with_the_reason(rules: Path, rule: str, reason: str) -> None:
    rules.write_text(f"10\t5\t0.5\t{rule}\n")
    built = build_rules(rules)
    assert len(built.kb) == 0
    (unused,) = built.report.unused
    assert (unused.line, unused.reason, unused.rule) == (1, reason, rule.strip())
    assert built.report.unused_table().splitlines()[1] == f"1\t{reason}\t{rule.strip()}"


def test_amie_counts_whatever_value_a_variable_has(rules: Path) -> None:
    text = "?a  <r>  ?b   => ?a  <r>  <c>\t1\t0.5\t1\t1\t2\t1\t?a\n"
    assert axioms(rules, text)[-1] == "('r=c' | r some owl:Thing)[1 of 2]"


def test_chains_that_are_too_long_are_no_crash(rules: Path) -> None:
    chain = "  ".join(f"?v{place}  <r>  ?v{place + 1}" for place in range(3000))
    rules.write_text(f"{chain}   => ?v0  <s>  <c>\t1\t0.5\t1\t1\t2\t1\t?a\n")
    (unused,) = build_rules(rules).report.unused
    assert unused.reason == shape.DEEP


@pytest.mark.parametrize(
    "text",
    [
        # AMIE 1: "Support" is a ratio, the positive examples are the hits.
        "Rule\tSupport\tHead Coverage\tConfidence\tPCA Confidence\tPositive Examples\tBody size"
        "\tPCA Body size\tPrediction variable\n"
        "?a <s> ?b => ?a <r> <c>\t0.001\t0.2\t0.75\t0.9\t6\t8\t7\t?a\n",
        # AMIE 3.5: names in words of their own.
        "Rule\tHead Coverage\tStandard Confidence\tPca Confidence\tSupport\tBody Size\n"
        "?a  <s>  ?b   => ?a  <r>  <c>\t0.200000\t0.750000\t0.900000\t6\t8\n",
        "?a  s  ?b   => ?a  r  c\t0.2\t0.75\t0.9\t6\t8\t7\t?a\n",
        "r(?a, <c>) <= s(?a, ?b)\t0.2\t0.75\t0.9\t6\t8\t7\t?a\n",
        "s(?a, ?b) => r(?a, c)\t0.2\t0.75\t0.9\t6\t8\t7\t?a\n",
    ],
)
def test_the_spellings_of_several_versions(rules: Path, text: str) -> None:
    assert axioms(rules, text) == ["('r=c' | s some owl:Thing)[6 of 8]"]


def test_without_a_standard_confidence_nothing_is_a_share(rules: Path) -> None:
    rules.write_text(
        "Rule\tHead Coverage\tPCA Confidence\tPositive Examples\tPCA Body size\n"
        "?a  <s>  ?b   => ?a  <r>  <c>\t0.2\t0.9\t6\t7\n"
    )
    (unused,) = build_rules(rules).report.unused
    assert unused.reason == NO_SHARE


def test_rules_can_be_required_to_be_strong(rules: Path) -> None:
    rules.write_text(ANYBURL)
    assert build_rules(rules, min_confidence="0.7").report.filtered == 2
    report = build_rules(rules, min_support=9).report
    assert (report.filtered, report.conditionals) == (4, 2)
    with pytest.raises(BoxselError, match="not between 0 and 1"):
        build_rules(rules, min_confidence=2)


def test_which_relations_are_types_and_whether_values_are_wanted(rules: Path) -> None:
    rules.write_text("10\t5\t0.5\tP31(X,Q5) <= P106(X,Q1)\n")
    (axiom,) = build_rules(rules, types=["P31", "<P106>"]).kb.axioms
    assert str(axiom) == "(Q5 | Q1)[5 of 10]"
    (unused,) = build_rules(rules, values=False).report.unused
    assert unused.reason == shape.VALUES_OFF


def test_a_name_means_one_thing_and_unused_rules_claim_none(rules: Path) -> None:
    rules.write_text(
        "10\t5\t0.5\tr(X,c) <= type(X,s), t(A,X)\n"  # unused: so s is not a class yet
        "10\t5\t0.5\tr(X,c) <= s(X,A)\n"
        "10\t5\t0.5\tr(X,c) <= type(X,s)\n"
        "10\t5\t0.5\ttype(X,a=b=c) <= a=b(X,c)\n"
    )
    built = build_rules(rules)
    assert len(built.kb) == 1
    reasons = [rule.reason for rule in built.report.unused]
    assert reasons[1] == "s is used both as a relation and as a class"
    assert reasons[2] == "'a=b=c' is used both as a class and as a value"


def test_everything_and_nothing_are_no_classes_of_rules(rules: Path) -> None:
    text = "10\t5\t0.5\tr(X,c) <= type(X,owl:Thing), rdf:type(X,A1)\n"
    assert axioms(rules, text) == ["('r=c' | A1)[5 of 10]"]
    rules.write_text("10\t5\t0.5\tr(X,c) <= type(X,owl:Nothing)\n")
    (unused,) = build_rules(rules).report.unused
    assert "owl:Nothing" in unused.reason


def test_names_with_odd_signs(rules: Path) -> None:
    text = (
        "10\t5\t0.5\tr(X,Foo_(film)) <= s(X,A), t(A,Paris, Texas)\n"
        "10\t5\t0.5\ttype(X,http://example.org/A) <= /film/made_by(X,/m/0_1)\n"
    )
    assert axioms(rules, text) == [
        "('r=Foo_(film)' | s some 't=Paris, Texas')[5 of 10]",
        "(<http://example.org/A> | '/film/made_by=/m/0_1')[5 of 10]",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("10\t5\t0.5\n", "there are 3 columns, expected 4"),
        ("ten\t5\t0.5\tr(X,c) <= s(X,A)\n", "the first two columns are not whole numbers"),
        ("5\t7\t0.5\tr(X,c) <= s(X,A)\n", "the count 7 is above its total 5"),
        ("0\t0\t0\tr(X,c) <= s(X,A)\n", "a count needs a total of at least 1, not 0"),
        ("10\t5\t5.0\tr(X,c) <= s(X,A)\n", "the confidence '5.0' is not between 0 and 1"),
        ("10\t5\t0.5\tr(X,c)\n", "there is no => or <= between head and body"),
        ("10\t5\t0.5\tr(X,c), t(X,d) <= s(X,A)\n", "the head has 2 atoms, expected one"),
        ("10\t5\t0.5\tr(X,c) <= s(X)\n", "an atom does not have two arguments"),
        ("10\t5\t0.5\tr(X,c) <= s(X,)\n", "an argument of an atom is empty"),
        ("10\t5\t0.5\tr(X,c) <= (X,A)\n", "an atom is not of the form relation(subject, object)"),
    ],
)
def test_broken_lines_are_counted_or_stop_a_strict_reading(
    rules: Path, text: str, reason: str
) -> None:
    rules.write_text(ANYBURL + text)
    (rejected,) = build_rules(rules).report.rejected
    assert (rejected.reason, rejected.count) == (reason, 1)
    assert rejected.examples[0].startswith(f"{rules}:7: ")
    with pytest.raises(ReadError, match=r"rules\.tsv:7: "):
        build_rules(rules, strict=True)


def test_files_without_rules_are_refused(rules: Path) -> None:
    rules.write_text("alice\tknows\tbob\n")
    with pytest.raises(ReadError, match="there are no rules of AMIE or AnyBURL"):
        build_rules(rules)
    assert build_rules(rules, kind="amie").report.other == 1
    with pytest.raises(ReadError, match=r"no line of this file is a rule of AnyBURL \(there are 3"):
        build_rules(rules, kind="anyburl")


def triples(concept: Concept, variable: str, fresh: count[int], *, letters: bool) -> list[str]:
    """The atoms that say that a variable belongs to a concept, as a miner would write them."""
    found = []
    for part in conjuncts(concept):
        if isinstance(part, Name):
            found.append(atom("rdf:type", variable, part, letters=letters))
        elif isinstance(part, Exists):
            below = chr(ord("A") + next(fresh)) if letters else f"?v{next(fresh)}"
            found.append(atom(part.role, variable, below, letters=letters))
            found.extend(triples(part.filler, below, fresh, letters=letters))
    return found


def atom(relation: Role | str, subject: str, target: Name | str, *, letters: bool) -> str:
    name = relation if isinstance(relation, str) else spelt(relation)
    value = target if isinstance(target, str) else spelt(target)
    if letters:
        return f"{name}({subject},{value})"
    brackets = value if value.startswith("?") else f"<{value}>"
    return f"{subject}  <{name}>  {brackets}"


def spelt(entity: Name | Role) -> str:
    return entity.iri.removeprefix("urn:boxsel:")


plain = st.sampled_from([Name("Actor"), Name("Film"), Name("http://example.org/onto#Woman")])


@given(concepts(plain, leaves=8), plain, st.integers(0, 9), st.integers(1, 9), st.booleans())
@settings(max_examples=cases(150))
def test_a_conditional_written_as_a_rule_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    body: Concept,
    head: Name,
    hits: int,
    misses: int,
    letters: bool,
) -> None:
    assume(body.depth < 20)
    root = "X" if letters else "?a"
    atoms = triples(body, root, count(), letters=letters)
    assume(atoms and "has%20child" not in "".join(atoms))
    total = hits + misses
    if letters:
        says = atom("rdf:type", root, head, letters=True)
        line = f"{total}\t{hits}\t{hits / total}\t{says} <= {', '.join(atoms)}"
    else:
        says = atom("rdf:type", root, head, letters=False)
        line = f"{'  '.join(atoms)}   => {says}\t0.1\t{hits / total:.9f}\t1\t{hits}\t{total}\t1\t?a"
    path = tmp_path_factory.mktemp("rules") / "rules.tsv"
    path.write_text(line + "\n")
    built = build_rules(path)
    if letters and below(body) > 1:
        assert [rule.reason for rule in built.report.unused] == [shape.DIFFERENT]
        return
    (axiom,) = built.kb.axioms
    assert axiom == Conditional(head, without_top(body), Count(hits, total))


def below(concept: Concept) -> int:
    """How many existentials there are in a concept."""
    parts = [part for part in conjuncts(concept) if isinstance(part, Exists)]
    return len(parts) + sum(below(part.filler) for part in parts)


def without_top(concept: Concept) -> Concept:
    """The concept without ⊤ in its conjunctions: a rule has no word for it."""
    from boxsel.logic.concepts import conjunction

    parts = [
        Exists(part.role, without_top(part.filler)) if isinstance(part, Exists) else part
        for part in conjuncts(concept)
        if part != TOP
    ]
    return conjunction(*parts) if parts else TOP


@given(st.integers(0, 400), st.integers(1, 400), st.integers(1, 12), st.booleans())
def test_a_printed_share_stands_for_an_interval_that_holds_it(
    hits: int, more: int, digits: int, plainly: bool
) -> None:
    share = Fraction(hits, hits + more)
    text = str(float(share)) if plainly else f"{float(share):.{digits}f}"
    assert share in rounded(text)


def test_the_interval_is_half_a_unit_of_the_last_digit() -> None:
    assert rounded("0.50") == Interval.of("0.495", "0.505")
    assert rounded("1.0") == Interval.of("0.95", 1)
    assert rounded("5E-3") == Interval.of("0.0045", "0.0055")
    assert rounded("0") == Interval.of(0, "0.5")


def test_links_are_stated_only_where_the_role_is_used(rules: Path) -> None:
    rules.write_text("10\t5\t0.5\tr(X,c) <= s(X,d)\n")
    assert not list(build_rules(rules).kb.axioms_of(Inclusion))
    assert bare_iri("r=c") in {name.iri for name in build_rules(rules).kb.signature.concepts}
