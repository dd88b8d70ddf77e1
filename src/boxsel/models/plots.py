"""Pictures of models and of estimates, drawn with matplotlib: an extra, `boxsel[plots]`.

Every function gives a figure that belongs to no window: notebooks show it, and
`figure.savefig("name.png")`, `.svg` or `.pdf` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from boxsel.logic.concepts import Name
from boxsel.machine.extras import needing
from boxsel.models.estimate import Estimate
from boxsel.models.model import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from boxsel.exact.bounds import Bounds


def loss_curves(model: Model) -> Figure:
    """How the loss of each member fell during training, and the median.

    Raises:
        BoxselError: matplotlib is not installed.
    """
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.models.pictures.loss_curves import drawn
    return drawn(model)


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
        BoxselError: There is no such member, dimension or name; matplotlib is not installed.

    Examples:
        >>> from boxsel import examples
        >>> from boxsel.models.fit import fit
        >>> model = fit(examples.load("applicant"), members=4, dim=2, epochs=1)
        >>> figure = boxes(model, member=3, names=["Admitted", "DeptA"])
        >>> figure.axes[0].get_xlabel()
        'dimension 0'
    """
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.models.pictures.regions import drawn
    return drawn(model, member, dimensions, names)


def interval_bars(
    estimates: Estimate | Sequence[Estimate],
    bounds: Bounds | Sequence[Bounds | None] | None = None,
) -> Figure:
    """A bar for each query: the estimate, the values of members, and exact bounds where given.

    Raises:
        BoxselError: There is nothing to draw, or not one bound for each estimate; matplotlib is not
            installed.
    """
    from boxsel.exact.bounds import Bounds as One

    with needing("matplotlib", "plots", "pictures"):
        from boxsel.models.pictures.interval_bars import drawn
    rows = [estimates] if isinstance(estimates, Estimate) else list(estimates)
    given = [bounds] if isinstance(bounds, One) else bounds
    return drawn(rows, given)
