"""What must hold without exception: cell by cell, as the module says, and as it computes it."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from boxsel.models.arrays import Parameters
from boxsel.models.blocks import Blocks
from boxsel.models.hardening import NEARLY_SURE, NOBODY, PASSES, Basic, Strict, hardened
from boxsel.models.hardening import _off as off
from boxsel.models.hardening import _strict as strict_rows
from boxsel.models.numbering import NO_ROLE
from boxsel.models.representations.boxes import WHOLE
from boxsel.models.representations.populations import Populations, memberships
from boxsel.models.task import Rows
from tests.depth import cases
from tests.models.test_populations import CELLS, SIZES, random_rows


class _Plain:
    """The same changes, with everything computed anew for every row, one cell after the other."""

    def __init__(self, parameters: Parameters) -> None:
        self.names = parameters["names"]["level"].astype(float).copy()
        rows, members, cells = self.names.shape
        roles = parameters["roles"]["level"].astype(float).copy()
        self.roles = roles.reshape(-1, members, rows, cells)
        self.weights = np.exp(parameters["cells"]["weight"][0])
        self.weights /= self.weights.max(axis=-1, keepdims=True)
        self.out: set[tuple[Basic, int, int]] = set()
        self.totals: dict[Basic, np.ndarray] = {}
        self.other = parameters

    def level(self, basic: Basic) -> np.ndarray:
        name, role = basic
        found: np.ndarray = self.names[name] if role == NO_ROLE else self.roles[role, :, name]
        return found

    def part(self, basic: Basic, share: float, member: int, cell: int) -> float:
        if basic not in self.totals:
            self.totals[basic] = (self.weights * memberships(self.level(basic))).sum(axis=-1)
        whole: float = self.totals[basic][member] + NOBODY
        return float(self.weights[member, cell] * share / whole)

    def mend(self, row: Strict) -> None:
        before = {one: memberships(self.level(one)) for one in (*row.body, row.head)}
        nested = [one for one in row.body if one[1] == row.head[1] != NO_ROLE]
        gone: list[tuple[Basic, int, int]] = []
        for member, cell in np.ndindex(self.names.shape[1:]):
            here = {one: float(share[member, cell]) for one, share in before.items()}
            if min(here[one] for one in row.body) <= 0:
                continue
            if row.is_sure and nested:
                if here[row.head] < here[nested[0]]:
                    if (row.head, member, cell) in self.out:
                        gone.append((nested[0], member, cell))
                    else:
                        self.level(row.head)[member, cell] = self.level(nested[0])[member, cell]
                continue
            if here[row.head] >= 1 if row.is_sure else here[row.head] <= 0:
                continue
            costs = [self.part(one, here[one], member, cell) for one in row.body]
            missing = 1 - here[row.head] if row.is_sure else here[row.head]
            fine = self.part(row.head, missing, member, cell) <= min(costs)
            if fine and not row.is_sure:
                gone.append((row.head, member, cell))
            elif fine and (row.head, member, cell) not in self.out:
                self.level(row.head)[member, cell] = WHOLE
            else:
                gone.append((row.body[costs.index(min(costs))], member, cell))
        for basic, member, cell in gone:
            self.level(basic)[member, cell] = -WHOLE
            self.out.add((basic, member, cell))
            self.totals.pop(basic, None)

    @property
    def tables(self) -> Parameters:
        members = self.names.shape[1]
        roles = self.roles.reshape(len(self.roles), members, -1)
        return {**self.other, "names": {"level": self.names}, "roles": {"level": roles}}


@pytest.mark.parametrize("seed", range(cases(12)))
def test_only_cells_that_are_broken_are_looked_at_and_nothing_else_is_different(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = random_rows(random, 8)
    sure = random.integers(0, 2, len(rows)).astype(float)
    strict = Rows(rows.names, rows.roles, sure, sure)
    how = Populations(CELLS)
    with jax.enable_x64(True):
        strata = Blocks(strict, np.float64).strata
        start = how.initial(random, SIZES)
        plain = _Plain(start)
        for _ in range(PASSES):
            broken = {
                row
                for stratum in strata
                for row in strict_rows(stratum, off(how, plain.tables, stratum))
            }
            for row in sorted(broken):
                plain.mend(row)
        found, loose = hardened(how, start, strata), hardened(how, start, strata, loosely=True)
    for kind in ("names", "roles"):
        one, other = (memberships(some[kind]["level"]) for some in (found, plain.tables))
        np.testing.assert_allclose(one, other, atol=1e-12)
        level = loose[kind]["level"]
        changed = level != found[kind]["level"]
        assert (level[changed] == NEARLY_SURE).all()
