"""Many queries in a table: a pandas `DataFrame` in, the same with answers out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boxsel.models.measuring import ends

if TYPE_CHECKING:
    from boxsel.models.model import Model


def answered_table(model: Model, table: Any) -> Any:
    """A table of queries with the columns of their estimates.

    Raises:
        BoxselError: It has no columns `head` and `body`, or `query`; or it is no pandas table.
        ReadError: A query is not about the names of the knowledge base.
    """
    found = model.values(table)
    lower, upper = ends(found[:, model.kept]).T
    all_lower, all_upper = ends(found).T
    return table.assign(
        lower=lower,
        upper=upper,
        all_lower=all_lower,
        all_upper=all_upper,
        undefined=np.isnan(found[:, model.kept]).sum(axis=1),
    )
