"""Conditionals as annotated tautologies, also after other tools had them in hand."""

from __future__ import annotations

import pytest

from boxsel.errors import ReadError
from boxsel.logic.axioms import Axiom, conditional
from boxsel.logic.concepts import TOP, names
from tests.formats.test_owl_reading import kept, left_out, read

A, B, C = names("A B C")


@pytest.mark.parametrize(
    "left",
    [
        "ObjectIntersectionOf(ObjectIntersectionOf(:A :B) :C)",
        "ObjectIntersectionOf(:C ObjectIntersectionOf(:A :B))",
        "ObjectIntersectionOf(:A :B :C)",
        "ObjectIntersectionOf(:C :B :A)",
        "ObjectIntersectionOf(:B ObjectIntersectionOf(:C :A))",
        "ObjectIntersectionOf(:A :B :A :C :C)",
    ],
)
def test_a_conditional_survives_what_other_tools_do_to_intersections(left: str) -> None:
    notes = 'Annotation(:lower "0.2") Annotation(:upper "1/4")'
    axiom = f"SubClassOf({notes} {left} ObjectIntersectionOf(:B :A))"
    assert kept(axiom) == {conditional(C, given=A & B, between=("1/5", "1/4"))}


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (":A", ":A", conditional(A, given=A, exactly="0.5")),
        ("ObjectIntersectionOf(:A :A)", ":A", conditional(A, given=A, exactly="0.5")),
        (
            "ObjectIntersectionOf(:A ObjectIntersectionOf(:A :B))",
            ":A",
            conditional(A & B, given=A, exactly="0.5"),
        ),
        (":A", "owl:Thing", conditional(A, given=TOP, exactly="0.5")),
        (
            "ObjectIntersectionOf(owl:Thing :A)",
            "owl:Thing",
            conditional(A, given=TOP, exactly="0.5"),
        ),
        ("owl:Thing", "owl:Thing", conditional(TOP, given=TOP, exactly="0.5")),
    ],
)
def test_conditionals_with_little_left_over(left: str, right: str, expected: Axiom) -> None:
    notes = 'Annotation(:lower "0.5") Annotation(:upper "50%")'
    assert kept(f"SubClassOf({notes} {left} {right})") == {expected}


@pytest.mark.parametrize(
    ("notes", "left", "complaint"),
    [
        ('Annotation(:lower "0.2")', ":A :B", "found lower, expected lower and upper"),
        ('Annotation(:count "2")', ":A :B", "found count, expected"),
        ('Annotation(:lower "0.2") Annotation(:total "3")', ":A :B", "found lower and total"),
        ('Annotation(:lower "x") Annotation(:upper "1")', ":A :B", "'x' is not a number"),
        ('Annotation(:lower "0.3") Annotation(:upper "0.2")', ":A :B", "is above the upper bound"),
        ('Annotation(:lower "0.3") Annotation(:upper "1.2")', ":A :B", "above 1"),
        ('Annotation(:count "3") Annotation(:total "2")', ":A :B", "above its total"),
        ('Annotation(:count "1.5") Annotation(:total "2")', ":A :B", "not a whole number"),
        (
            'Annotation(:lower "0") Annotation(:lower "1") Annotation(:upper "1")',
            ":A :B",
            "several values",
        ),
        ('Annotation(:lower "0") Annotation(:upper "1")', ":C :B", "needs the form"),
    ],
)
def test_malformed_conditionals(notes: str, left: str, complaint: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(f"SubClassOf({notes} ObjectIntersectionOf({left}) :A)")
    message = str(caught.value)
    assert message.startswith("onto.ofn: the conditional in “")
    assert "SubClassOf A” cannot be read" in message
    assert complaint in message


def test_bounds_on_another_axiom_are_refused() -> None:
    with pytest.raises(ReadError, match="an EquivalentClasses axiom is annotated with bounds"):
        read('EquivalentClasses(Annotation(:lower "0.2") :A :B)')


def test_a_conditional_over_what_sel_does_not_have_is_left_out() -> None:
    axiom = (
        'SubClassOf(Annotation(:lower "0") Annotation(:upper "1")'
        " ObjectIntersectionOf(:A ObjectUnionOf(:B :C)) :A)"
    )
    assert kept(axiom) == set()
    assert left_out(axiom) == [("SubClassOf", 1, True)]
