"""Give the loads of a run at an instant: forces at contacts, tensions along webbing."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array
from solver.results.trajectory import Table, Trajectory


class Loads:
    """Read the loads of a run, finished or growing; tables are read when first asked for."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self._tables: dict[str, Table] = {}
        self._highest: float | None = None
        self._most_pressed: float | None = None

    def refresh(self) -> None:
        """Look again at a run that has grown."""
        self._tables.clear()
        self._highest = self._most_pressed = None

    @property
    def contacts(self) -> tuple[str, ...]:
        """Name the contacts."""
        return self.table("contacts").ids

    def at_contacts(self, i: int, j: int, w: float, group: str = "contacts") -> tuple[Array, Array]:
        """Give points (n, 3) m and forces (n, 3) N between frames i and j, `w` of the way."""
        table = self.table(group)
        force, point = table["force"], table["point"]
        before, after = force[i], force[j]
        p, q = point[i], point[j]
        # a contact that is not touched has no point of its own
        is_before, is_after = np.any(before, axis=1), np.any(after, axis=1)
        one, other = np.where(is_before[:, None], p, q), np.where(is_after[:, None], q, p)
        return (1.0 - w) * one + w * other, (1.0 - w) * before + w * after

    def of_belt(self, id_: str, frame: int) -> Array | None:
        """Give the tensions (N) of the parts at anchors A and B."""
        return self._row("belts", id_, frame)

    def of_strap(self, name: str, frame: int) -> Array | None:
        """Give the tension (N) of each piece of a strap ('harness.strap')."""
        table = self.table("strap_points")
        rows = [n for n, id_ in enumerate(table.ids) if id_.rpartition(".")[0] == name]
        return np.asarray(table["tension"][frame][rows[:-1]]) if len(rows) > 1 else None

    def highest_tension(self) -> float:
        """Give the highest tension (N) of any webbing in the run so far; 0 without webbing."""
        if self._highest is not None:
            return self._highest
        found = [self.table(group)["tension"] for group in ("belts", "harnesses", "strap_points")]
        self._highest = max((float(np.max(v)) for v in found if v.size), default=0.0)
        return self._highest

    def highest_pressure(self) -> float:
        """Give the highest gauge pressure (Pa) of any airbag in the run so far; 0 without airbags."""
        if self._most_pressed is None:
            pressure = self.table("airbags")["pressure"]
            self._most_pressed = max(float(np.max(pressure)), 0.0) if pressure.size else 0.0
        return self._most_pressed

    def _row(self, group: str, id_: str, frame: int) -> Array | None:
        table: Any = self.table(group)
        if id_ not in table.ids:
            return None
        return np.asarray(table["tension"][frame][table.ids.index(id_)])

    def table(self, group: str) -> Table:
        """Give a group of the run's frames."""
        if group not in self._tables:
            self._tables[group] = self._trajectory.table(group)
        return self._tables[group]
