"""Pictures of models and of estimates, drawn with matplotlib: an extra, `boxsel[plots]`.

Every function gives a figure that belongs to no window: notebooks show it, and
`figure.savefig("name.png")`, `.svg` or `.pdf` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Final

import numpy as np

from boxsel.errors import BoxselError
from boxsel.logic.concepts import Name
from boxsel.logic.expecting import expect
from boxsel.logic.names import plain_name
from boxsel.machine.extras import needing
from boxsel.models.estimate import Estimate
from boxsel.models.model import Model
from boxsel.models.representations.balls import Balls
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.populations import Populations
from boxsel.pictures.shares import Bar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from boxsel.exact.bounds import Bounds
    from boxsel.pictures.regions import Region

MOST_NAMES: Final = 12
"""So many names can be told apart; of more, one has to choose."""

LINE_CHARACTERS: Final = 40
"""Queries are broken into lines of so many characters."""


def loss_curves(model: Model) -> Figure:
    """How the loss of each member fell during training, and the median.

    Raises:
        BoxselError: matplotlib is not installed.
    """
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.pictures.curves import draw_curves
    kept = model.kept
    title = f"Loss of {model.settings.members} members, {int(kept.sum())} of them kept"
    names = ("training, record by record", "mean loss of the axioms")
    return draw_curves(model.history, kept, names, title)


def boxes(
    model: Model,
    member: int = 0,
    dimensions: tuple[int, int] = (0, 1),
    names: Iterable[Name | str] | None = None,
) -> Figure:
    """The regions of names in one member, boxes or balls, within the universe.

    With more than two dimensions it shows the shadow on two of them: then areas are not shares.
    Without `names` it draws the first twelve of the knowledge base.

    Raises:
        BoxselError: There is no such member, dimension or name; matplotlib is not installed;
            the model is one of populations.

    Examples:
        >>> from boxsel import examples
        >>> from boxsel.models.fit import fit
        >>> model = fit(examples.load("applicant"), members=4, dim=2, epochs=1)
        >>> figure = boxes(model, member=3, names=["Admitted", "DeptA"])
        >>> figure.axes[0].get_xlabel()
        'dimension 0'
    """
    if isinstance(model.representation, Populations):
        raise BoxselError("populations have no regions to draw: train boxes or balls for that")
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.pictures.regions import draw_regions
    _require_member(model, member)
    _require_dimensions(model, dimensions)
    known = [name for name in model.kb.signature.concepts if name not in model.task.empty]
    chosen = known[:MOST_NAMES] if names is None else [_name(model, name) for name in names]
    hidden = len(known) - MOST_NAMES if names is None else 0
    kept = "" if model.kept[member] else ", not kept"
    return draw_regions(
        _universe(model),
        [(_spelt(model, name), _shadow(model, name, member, dimensions)) for name in chosen],
        (f"dimension {dimensions[0]}", f"dimension {dimensions[1]}"),
        f"Member {member}: violation {model.scores.largest[member]:.2g}{kept}",
        _note(model, dimensions, hidden),
    )


def interval_bars(
    estimates: Estimate | Sequence[Estimate],
    bounds: Bounds | Sequence[Bounds | None] | None = None,
) -> Figure:
    """A bar for each query: the estimate, the values of members, and exact bounds where given.

    Raises:
        BoxselError: There is nothing to draw, or not one bound for each estimate; matplotlib is not
            installed.
    """
    from boxsel.exact.bounds import Bounds as OneBounds

    with needing("matplotlib", "plots", "pictures"):
        from boxsel.pictures.rows import draw_bars
    rows = list(estimates) if isinstance(estimates, Sequence) else [estimates]
    if not rows:
        raise BoxselError("there are no estimates to draw")
    expect(Estimate, "bars are of estimates (boxsel.plot_answers draws answers)", *rows)
    given = [bounds] if isinstance(bounds, OneBounds) else bounds
    if given is None:
        given = [None] * len(rows)
    if len(given) != len(rows):
        raise BoxselError(
            f"there are {len(rows)} estimates and {len(given)} bounds: give one for each"
        )
    exact = all(one.exact for one in given if one is not None and one.lower is not None)
    return draw_bars(
        [_bar(*pair) for pair in zip(rows, given, strict=True)],
        "What members say",
        "approximate: these are no bounds",
        "exact bounds" if exact else "bounds",
    )


def _bar(estimate: Estimate, bounds: Bounds | None) -> Bar:
    query = fill(estimate.query.text(estimate.prefixes), LINE_CHARACTERS)
    proved = None
    if bounds is not None and bounds.lower is not None and bounds.upper is not None:
        proved = (float(bounds.lower), float(bounds.upper))
    return Bar(
        f"{query}\ndirected members" if estimate.directed else query,
        estimate.values,
        estimate.kept,
        estimate.kept_ends,
        estimate.all_members,
        proved,
        "vacuous" if estimate.empty else "no estimate",
    )


def _note(model: Model, dimensions: tuple[int, int], hidden: int) -> str:
    said = []
    if model.representation.dim > 2:
        one, other = dimensions
        said.append(
            f"the shadow on dimensions {one} and {other} of {model.representation.dim}:"
            " the others are hidden, so areas are not shares"
        )
    elif isinstance(model.representation, FreeBoxes):
        said.append("areas are in proportion to measures; there is no box for everything")
    else:
        said.append("areas are shares of the frame, which is everything")
    if hidden > 0:
        said.append(f"{MOST_NAMES} names, {hidden:,} more are not drawn")
    return "\n".join(said)


def _require_member(model: Model, member: int) -> None:
    count = model.settings.members
    if not 0 <= member < count:
        raise BoxselError(f"there is no member {member}: there are 0 to {count - 1}")


def _require_dimensions(model: Model, dimensions: Sequence[int]) -> None:
    dim = model.representation.dim
    if dim < 2:
        raise BoxselError("a member of one dimension cannot be drawn: train with --dim 2 or more")
    right = len(dimensions) == 2 and dimensions[0] != dimensions[1]
    if not right or not all(0 <= dimension < dim for dimension in dimensions):
        raise BoxselError(
            f"give two different dimensions from 0 to {dim - 1}, not {tuple(dimensions)}"
        )


def _name(model: Model, said: Name | str) -> Name:
    labelled = {_spelt(model, name): name for name in model.kb.signature.concepts}
    name = model.kb.name(labelled.get(said, said) if isinstance(said, str) else said)
    if name in model.task.empty:
        raise BoxselError(f"{model.kb.label(name)} must be empty, so it has no region")
    return name


def _spelt(model: Model, name: Name) -> str:
    return plain_name(model.kb.label(name))


def _universe(model: Model) -> Region:
    how = model.representation
    if isinstance(how, Balls):
        return 0.0, 0.0, 1.0
    side = how.side if isinstance(how, FreeBoxes) else 1.0
    return 0.0, 0.0, side, side


def _shadow(model: Model, name: Name, member: int, dimensions: tuple[int, int]) -> Region:
    """The region of a name, seen along all other dimensions."""
    how, axes = model.representation, list(dimensions)
    region = how.names(model.parameters, model.task.numbering.name(name))
    if isinstance(how, Balls):
        ((centre, radius),) = region
        x, y = np.asarray(centre)[member, axes].tolist()
        return x, y, float(np.asarray(radius)[member])
    (left, low), (right, high) = (np.asarray(corner)[member, axes].tolist() for corner in region)
    return left, low, right, high
