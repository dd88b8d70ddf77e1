"""What the page asks of the workers, beyond what the API offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from boxsel.logic.proportions import float_above, float_below

if TYPE_CHECKING:
    from boxsel.models.model import Model
    from boxsel.serve.tasks import Answer, Desk

Asked = Mapping[str, Any]

MEMBERS: Final = 8
NAMES: Final = 12
"""So many names can be told apart in a drawing."""


def glance(desk: Desk, asked: Asked) -> Answer:
    """The exact bounds of a share and nothing else: fast enough for a slider that is dragged."""
    from boxsel.syntax.queries import query_about

    entry = desk.library.entry(asked)
    query = query_about(entry.kb, asked["query"])
    found = entry.reasoner(desk.budget(asked)).bounds(query)
    lower = None if found.lower is None else found.lower.bound
    upper = None if found.upper is None else found.upper.bound
    exact = lower is not None and not entry.kb.ignored_axioms
    return {
        "query": query.text(entry.kb.prefixes),
        "status": found.status,
        "outer": {"lower": float_below(lower), "upper": float_above(upper), "exact": exact},
        "inner": {"lower": float_above(lower), "upper": float_below(upper), "witnesses": 2}
        if exact
        else None,
        "estimate": None,
    }


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
        "members": [_member(model, member) for member in range(MEMBERS)],
    }


def table_values(_desk: Desk, asked: Asked) -> Answer:
    """The columns of a table of data, and the values of each, for somebody to choose from."""
    from boxsel.reversals.tabulation import TableOptions, tabulated
    from boxsel.serve.tables import as_file

    options = TableOptions()
    with as_file(asked["table"], asked["format"]) as file, tabulated(file, options) as counted:
        return {"columns": {one: counted.values(one) for one in counted.columns}}


PAGE_TASKS: Final[Mapping[str, Callable[[Desk, Asked], Answer]]] = {
    task.__name__: task for task in (glance, boxes, table_values)
}
"""The tasks of the page by name."""


def _member(model: Model, member: int) -> Answer:
    import numpy as np

    known = [name for name in model.kb.signature.concepts if name not in model.task.empty]
    corners = []
    for name in known[:NAMES]:
        region = model.representation.names(model.parameters, model.task.numbering.name(name))
        lower, upper = (np.asarray(corner)[member] for corner in region)
        corners.append([float(one) for one in (*lower, *upper)])
    return {
        "violation": float(model.scores.largest[member]),
        "kept": bool(model.kept[member]),
        "boxes": corners,
    }
