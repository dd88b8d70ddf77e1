"""A small concept in a tiny overlap: a breach, where the violation is next to nothing."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boxsel import examples, parse
from boxsel.models.arrays import Parameters
from boxsel.models.fit import fit
from boxsel.models.measuring import Members
from boxsel.models.representations.boxes import Boxes
from boxsel.models.task import Task
from boxsel.models.violations import largest_breaches, violations

BOXES = Boxes(1)


def placed(task: Task, sides: dict[str, tuple[float, float]]) -> Parameters:
    """One member in one dimension, with these boxes."""
    shape = (len(task.numbering.names) + 1, 1, 1)
    position, extent = np.zeros(shape), np.full(shape, 40.0)
    for row, name in enumerate(task.numbering.names, start=1):
        low, high = sides[str(name)]
        width = high - low
        extent[row] = np.log(width / (1 - width))
        place = low / (1 - width)
        position[row] = np.log(place / (1 - place))
    roles = np.zeros((1, 1, 1))
    return {
        "names": {"position": position, "extent": extent},
        "roles": {"scale": roles, "shift": roles},
        "individuals": {"place": np.zeros((0, 1, 1))},
    }


@pytest.mark.parametrize(
    ("text", "small", "breach"),
    [
        # A and B overlap in a hundredth of each; X has a quarter, or all, of itself there.
        ("DisjointClasses: A, B", (0.496, 0.512), Fraction(1, 4)),
        ("DisjointClasses: A, B", (0.497, 0.499), Fraction(1)),
        ("DisjointClasses: A, B", (0.2, 0.3), Fraction(0)),
        ("(B | A)[0]", (0.496, 0.512), Fraction(1, 4)),
        # A hundredth of A sticks out of C.
        ("A SubClassOf C", (0.1, 0.105), Fraction(1)),
        ("(C | A)[1]", (0.1, 0.11), Fraction(1, 2)),
        ("A SubClassOf C", (0.3, 0.4), Fraction(0)),
        # Proportions are not looked for in other names.
        ("(B | A)[0.5]", (0.497, 0.499), Fraction(0)),
    ],
)
def test_the_part_of_a_name_that_breaks_a_statement(
    text: str, small: tuple[float, float], breach: Fraction
) -> None:
    task = Task.of(parse(f"{text}\nClass: A\nClass: B\nClass: C\nClass: X"))
    parameters = placed(
        task, {"A": (0.1, 0.5), "B": (0.496, 0.896), "C": (0.104 + 0.001, 0.9), "X": small}
    )
    found = largest_breaches(task.kb, Members(BOXES, parameters, task.numbering))
    others = max(
        float(value)
        for value in largest_breaches(
            task.kb,
            Members(
                BOXES,
                placed(
                    task,
                    {"A": (0.1, 0.5), "B": (0.496, 0.896), "C": (0.105, 0.9), "X": (0.2, 0.3)},
                ),
                task.numbering,
            ),
        )
    )
    assert found[0] == pytest.approx(max(float(breach), others), abs=1e-9)
    assert others < 0.02
    if "0.5" not in text:
        assert violations(task.kb, Members(BOXES, parameters, task.numbering)).largest[0] < 0.02


@pytest.mark.deep
def test_members_with_a_breach_are_not_kept() -> None:
    """The exact answers are 0.81 and 0.84: without a look at breaches, 0.765 is among them."""
    model = fit(examples.load("berkeley"), members=30, dim=8, seed=0)
    scores = model.scores
    small = scores.largest <= 0.01
    assert (model.kept == (small & (scores.breaches <= 0.01))).all()
    women, men = (model.ask(f"(Admitted | {who})").values for who in ("Woman", "Man"))
    assert model.kept.any()
    # How many are kept, and how far the others are off, depends on how a processor rounds.
    assert (abs(women[model.kept] - 0.81) < 0.04).all()
    assert (abs(men[model.kept] - 0.84) < 0.04).all()
