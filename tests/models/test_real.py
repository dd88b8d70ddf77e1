"""Training on real ontologies, where they are at hand."""

from __future__ import annotations

import numpy as np
import pytest

from boxsel import read
from boxsel.models.fit import prepared
from boxsel.models.run import completed
from boxsel.models.settings import Settings
from boxsel.models.task import Task
from tests.conftest import DataFile


@pytest.mark.parametrize("name", ["galen2", "mp"])
def test_thousands_of_names_train_with_sparse_updates(data: DataFile, name: str) -> None:
    task = Task.of(read(data(f"owl/{name}.owl.gz")))
    run = prepared(task, Settings(members=2, dim=16, epochs=8, batch=128))
    assert run.plan.sparse
    before = run.violations()
    after = completed(run)
    assert (after.losses[-1] < 0.7 * after.losses[0]).all()
    assert (after.violations() <= before).all()
    for tables in after.parameters.values():
        assert all(np.isfinite(table).all() for table in tables.values())
