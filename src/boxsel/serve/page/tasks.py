"""What the page asks of the workers, beyond what the API offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from boxsel.logic.concepts import Name
from boxsel.serve.library import Asked

if TYPE_CHECKING:
    from boxsel.models.model import Model
    from boxsel.serve.tasks import Answer, Desk

MEMBERS: Final = 8
NAMES: Final = 12
"""So many names can be told apart in a drawing."""


def glance(desk: Desk, asked: Asked) -> Answer:
    """An answer without minimal evidence or ensembles: fast enough for a slider that is dragged."""
    with desk.library.entry(asked).asker("never") as asker:
        return asker.ask(asked["query"], budget=desk.budget(asked), minimal=False).to_json()


def boxes(desk: Desk, asked: Asked) -> Answer:
    """The boxes of names in the members of a small ensemble of two dimensions."""
    from boxsel.models.fit import fit

    kb = desk.library.entry(asked).kb
    model = fit(kb, members=MEMBERS, dim=2, seed=int(asked.get("seed", 0)))
    known = [name for name in kb.signature.concepts if name not in model.task.empty]
    return {
        "names": [kb.label(name) for name in known[:NAMES]],
        "hidden": max(0, len(known) - NAMES),
        "ignored": kb.ignored_axioms,
        "members": [_member(model, known[:NAMES], member) for member in range(MEMBERS)],
    }


def table_values(_desk: Desk, asked: Asked) -> Answer:
    """The columns of a table of data, and the values of each, for somebody to choose from.

    `count` is the column of counts, if there is one, and `named` are all that could be.
    """
    from boxsel.reversals.tabulation import TableOptions, tabulated
    from boxsel.serve.tasks import as_file

    options = TableOptions(asked.get("count"), bool(asked.get("individuals")))
    with as_file(asked["table"], asked["format"]) as file, tabulated(file, options) as counted:
        return {
            "columns": {one: counted.values(one) for one in counted.columns},
            "count": counted.count,
            "named": list(counted.named),
        }


PAGE_TASKS: Final[Mapping[str, Callable[[Desk, Asked], Answer]]] = {
    task.__name__: task for task in (glance, boxes, table_values)
}
"""The tasks of the page by name."""


def _member(model: Model, names: Sequence[Name], member: int) -> Answer:
    import numpy as np

    corners = []
    for name in names:
        region = model.representation.names(model.parameters, model.task.numbering.name(name))
        lower, upper = (np.asarray(corner)[member] for corner in region)
        corners.append([float(one) for one in (*lower, *upper)])
    return {
        "violation": float(model.scores.largest[member]),
        "kept": bool(model.kept[member]),
        "boxes": corners,
    }
