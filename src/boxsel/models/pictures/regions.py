"""Concepts of one member, in two of its dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from matplotlib.patches import Circle, Patch, Rectangle
from matplotlib.transforms import Bbox

from boxsel.errors import BoxselError
from boxsel.logic.concepts import Name
from boxsel.logic.names import plain_name
from boxsel.models.model import Model
from boxsel.models.pictures.labels import Named, label
from boxsel.models.pictures.picture import (
    FAINT,
    INK,
    PALETTE,
    Picture,
    entitle,
    square,
    widen,
)
from boxsel.models.representations.balls import Balls
from boxsel.models.representations.free_boxes import FreeBoxes

MOST: Final = 12
"""So many names can be told apart; of more, one has to choose."""

SIDE: Final = 4.8
STYLES: Final = ("-", "--", ":")


def drawn(
    model: Model,
    member: int,
    dimensions: tuple[int, int],
    names: Iterable[Name | str] | None,
) -> Picture:
    """The shadows of names on two dimensions, inside the frame of the universe."""
    _require_member(model, member)
    _require_dimensions(model, dimensions)
    known = [name for name in model.kb.signature.concepts if name not in model.task.empty]
    chosen = known[:MOST] if names is None else [_name(model, one) for one in names]
    picture, axes = square(SIDE)
    axes.set_aspect("equal")
    axes.set_xlabel(f"dimension {dimensions[0]}", color=INK, fontsize=9.5)
    axes.set_ylabel(f"dimension {dimensions[1]}", color=INK, fontsize=9.5)
    axes.add_patch(_universe(model))
    for spine in axes.spines.values():
        spine.set_visible(False)
    things = []
    for place, name in enumerate(chosen):
        shadow = _shadow(model, name, member, dimensions)
        colour = PALETTE[place % len(PALETTE)]
        style = STYLES[place // len(PALETTE) % len(STYLES)]
        shadow.set(edgecolor=colour, facecolor=(colour, 0.10), linewidth=1.8, linestyle=style)
        axes.add_patch(shadow)
        things.append(Named(_spelt(model, name), shadow, _frame(shadow), colour))
    axes.autoscale_view()
    axes.margins(0.03)
    hidden = len(known) - MOST if names is None else 0
    entitle(axes, _title(model, member), _note(model, dimensions, hidden))
    beside = label(picture, axes, things)
    if beside:
        room = max(text.get_window_extent().x1 for text in beside)
        widen(picture, axes, SIDE, room - axes.get_window_extent().x1)
    return picture


def _title(model: Model, member: int) -> str:
    violation = model.scores.largest[member]
    kept = "" if model.kept[member] else ", not kept"
    return f"Member {member}: violation {violation:.2g}{kept}"


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
        said.append(f"{MOST} names, {hidden:,} more are not drawn")
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
    if not right or not all(0 <= one < dim for one in dimensions):
        raise BoxselError(
            f"give two different dimensions from 0 to {dim - 1}, not {tuple(dimensions)}"
        )


def _name(model: Model, one: Name | str) -> Name:
    labelled = {_spelt(model, name): name for name in model.kb.signature.concepts}
    found = model.kb.name(labelled.get(one, one) if isinstance(one, str) else one)
    if found in model.task.empty:
        raise BoxselError(f"{model.kb.label(found)} must be empty, so it has no region")
    return found


def _spelt(model: Model, name: Name) -> str:
    return plain_name(model.kb.label(name))


def _universe(model: Model) -> Patch:
    how = model.representation
    side = how.side if isinstance(how, FreeBoxes) else 1.0
    found = Circle((0, 0), 1) if isinstance(how, Balls) else Rectangle((0, 0), side, side)
    found.set(facecolor="none", edgecolor=FAINT, linewidth=1.5, zorder=0)
    return found


def _shadow(model: Model, name: Name, member: int, dimensions: tuple[int, int]) -> Patch:
    how, axes = model.representation, list(dimensions)
    region = how.names(model.parameters, model.task.numbering.name(name))
    if isinstance(how, Balls):
        ((centre, radius),) = region
        return Circle(tuple(np.asarray(centre)[member, axes]), float(np.asarray(radius)[member]))
    lower, upper = (np.asarray(corner)[member, axes] for corner in region)
    return Rectangle(tuple(lower), *(upper - lower))


def _frame(shadow: Patch) -> Bbox:
    """What a label may use of a shadow: of a circle, the square inside it."""
    if isinstance(shadow, Circle):
        (x, y), half = shadow.center, shadow.radius / np.sqrt(2)
        return Bbox([[x - half, y - half], [x + half, y + half]])
    assert isinstance(shadow, Rectangle)
    return shadow.get_bbox()
