"""Names are shown by their labels, in a spelling that still means the same name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.logic.concepts import Exists, Name, Role
from boxsel.logic.kb import KB
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.strategies import kbs

# Few words, so that labels are shared, and are names, keywords or in need of quotes.
WORDS = st.sampled_from(
    ["A", "B", "r", "b", "and", "not", "big city", "it's", "a\nb", "1", "owl:x"]
)


@settings(max_examples=cases(60))
@given(kbs(), st.data())
def test_what_is_shown_reads_back(kb: KB, data: st.DataObject) -> None:
    names = [*kb.signature]
    labels = data.draw(st.lists(WORDS, min_size=len(names), max_size=len(names)))
    shown = KB(
        kb.statements,
        kb.prefixes,
        {name.iri: label for name, label in zip(names, labels, strict=True)},
        kb.declared,
    )
    for name in names:
        if isinstance(name, Name):
            assert shown.concept(name.text(shown.labelled)) == name
        elif isinstance(name, Role):
            for filler in shown.signature.concepts[:1]:
                link = Exists(name, filler)
                assert shown.concept(link.text(shown.labelled)) == link


@pytest.mark.parametrize(
    ("labels", "spelt"),
    [
        ("", "(Q1 | Q2)[0.5]"),
        ('Label: Q1 "city"', "(city | Q2)[0.5]"),
        ('Label: Q1 "big city"\nLabel: Q2 "place"', "('big city' | place)[0.5]"),
        ('Label: Q1 "city"\nLabel: Q2 "City"', "(Q1 | Q2)[0.5]"),
        ('Label: Q1 "Q2"', "(Q1 | Q2)[0.5]"),
        ('Label: Q1 "Q1"', "(Q1 | Q2)[0.5]"),
        ('Label: Q1 "some"', "('some' | Q2)[0.5]"),
    ],
)
def test_a_label_is_shown_where_it_says_which_name_is_meant(labels: str, spelt: str) -> None:
    kb = parse_kb(f"(Q1 | Q2)[0.5]\n{labels}")
    assert kb.statements[0].text(kb.labelled) == spelt
    assert kb.statements[0].text(kb.prefixes) == "(Q1 | Q2)[0.5]"


def test_a_role_and_a_concept_may_share_a_label() -> None:
    kb = parse_kb('(P1 some Q1 | Q2)[0.5]\nLabel: P1 "work"\nLabel: Q1 "work"')
    said = kb.statements[0].axiom.text(kb.labelled)
    assert said == "(work some work | Q2)[0.5]"
    assert kb.query("(work some work | Q2)") == kb.query("(P1 some Q1 | Q2)")
