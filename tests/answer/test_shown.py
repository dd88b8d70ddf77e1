"""An end of an answer has one text: in the headline, in the picture, on the page, in notebooks."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.answer.answer import Answer, Outer
from boxsel.answer.evidence import Evidence
from boxsel.answer.picture import drawn
from boxsel.exact.bounds import Bounds
from boxsel.logic.concepts import Name
from boxsel.logic.proportions import Inner
from boxsel.logic.statements import Query
from boxsel.serve.page.words import headline, side_title

NUMBER = r"(?:about )?([0-9.e-]+)"
SHARE = rf"(?:\S+ \({NUMBER}\)|{NUMBER})"
"""A decimal, which may stand in parentheses beside its fraction."""

shares = st.fractions(0, 1) | st.fractions(0, 1, max_denominator=2000)


def numbers(pattern: str, text: str) -> list[str]:
    found = re.search(pattern, text)
    assert found is not None, text
    return [group for group in found.groups() if group is not None]


def texts_of_the_ends(lower: Fraction, upper: Fraction) -> dict[str, list[str]]:
    """The decimals of both ends, or the one number, wherever they are shown."""
    query = Query(Name("B"), Name("A"))
    answer = Answer(
        query,
        "bounded",
        Outer(lower, upper, exact=True, certified=True),
        Inner.between(lower, upper),
        lower=Evidence("proved"),
        upper=Evidence("trivial"),
    )
    bounds = Bounds(query, "bounded", lower, upper, exact=True, certified=True)
    content = answer.to_json()
    drawing = Xml.fromstring(drawn(content))
    labels = [element.text or "" for element in drawing.iter() if element.tag.endswith("text")][5:]
    one = lower == upper
    line = rf"A\) = {SHARE}" if one else rf"is between {SHARE} and {SHARE} \("
    ends = NUMBER if one else rf"{NUMBER} (?:to|and|–|\|) {NUMBER}"
    return {
        "headline": numbers(line, answer.text),
        "bounds": numbers(line, bounds.text),
        "notebook": numbers(line, unescape(answer._repr_html_())),
        "title": numbers(f"proved: {ends};", drawing.attrib["aria-label"]),
        "labels": numbers(f"^{ends}$", " | ".join(labels)),
        "page": numbers(f"{ends}$", headline(content)),
        "sides": list(
            dict.fromkeys(
                numbers(f" {NUMBER}$", side_title("lower", content))
                + numbers(f" {NUMBER}$", side_title("upper", content))
            )
        ),
    }


@given(shares, shares)
def test_an_end_has_one_text(one: Fraction, other: Fraction) -> None:
    texts = texts_of_the_ends(min(one, other), max(one, other))
    assert len({tuple(shown) for shown in texts.values()}) == 1, texts


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        ("53/180", "53/180", ["0.294444"]),
        ("0", "53/180", ["0", "0.294445"]),
        ("1/512", "0.96", ["0.001953", "0.96"]),
        ("0.8", "0.8", ["0.8"]),
    ],
)
def test_ends_that_were_told_in_two_ways(lower: str, upper: str, expected: list[str]) -> None:
    for place, shown in texts_of_the_ends(Fraction(lower), Fraction(upper)).items():
        assert shown == expected, place
