"""The place of everything at any instant of a run, between frames too."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array, matrices
from solver.project.pose import Placed
from solver.project.segments import GROUND
from solver.results.trajectory import Table, Trajectory
from solver.scene.placing import Pose
from solver.scene.webbing import spare_of

_FULL = 2
"""State of a bag that has been filled, whether it is tight or slack."""
_STILL = Placed(np.eye(3), np.zeros(3))


class Motion:
    """Read a trajectory, finished or growing, as poses."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self.names = trajectory.segment_ids
        self.loads = Loads(trajectory)
        self._start: Pose | None = None
        self.refresh()

    def refresh(self) -> None:
        """Look again at a trajectory that has grown."""
        self.loads.refresh()
        time = np.asarray(self._trajectory.time)
        table = self._trajectory.table("segments") if self.names else None
        count = len(time) if table is None else min(len(time), len(table["position"]))
        self.time = time[:count]
        self._p = np.zeros((count, 0, 3)) if table is None else table["position"][:count]
        self._q = np.zeros((count, 0, 4)) if table is None else table["quaternion_wxyz"][:count]
        self._bags = self._table("airbags")
        self._straps = self._table("strap_points")
        self._harnesses = self._table("harnesses")

    @property
    def end(self) -> float:
        """The last instant (s)."""
        return float(self.time[-1]) if len(self.time) else 0.0

    @property
    def frame_s(self) -> float:
        """How far apart its frames are (s)."""
        return float(self.time[1] - self.time[0]) if len(self.time) > 1 else 1e-3

    def near(self, t: float) -> int:
        """The number of the frame nearest to an instant."""
        i, w = self.between(t)
        return i + round(w)

    def pose(self, t: float) -> Pose:
        """Place every segment at an instant: places linearly, turns along the shorter arc."""
        if not len(self.time):
            return {GROUND: _STILL}
        i, w = self.between(t)
        j = min(i + 1, len(self.time) - 1)
        p = (1.0 - w) * self._p[i] + w * self._p[j]
        q = self._q[j] * np.where(np.sum(self._q[i] * self._q[j], axis=1) < 0.0, -1.0, 1.0)[:, None]
        q = (1.0 - w) * self._q[i] + w * q
        turns = matrices(q / np.linalg.norm(q, axis=1, keepdims=True))
        placed = {name: Placed(turns[n], p[n]) for n, name in enumerate(self.names)}
        placed[GROUND] = _STILL
        return placed

    def start(self) -> Pose:
        """The pose at the first instant, which does not change any more."""
        if self._start is None:
            if not len(self.time):
                return self.pose(0.0)
            self._start = self.pose(float(self.time[0]))
        return self._start

    def way(self, name: str) -> Array:
        """The places of a segment's centre in ground axes (n, 3)."""
        return np.asarray(self._p[:, self.names.index(name)])

    def turns(self, name: str) -> Array:
        """The turns of a segment at all frames (n, 3, 3)."""
        return matrices(self._q[:, self.names.index(name)])

    def bag(self, name: str, t: float) -> tuple[Placed, Array] | None:
        """An airbag's place, turn and semi-axes (m); none while it is folded."""
        if self._bags is None or name not in self._bags.ids:
            return None
        row, n = self.near(t), self._bags.ids.index(name)
        if not self._bags["state"][row, n]:
            return None
        turn = matrices(self._bags["quaternion_wxyz"][row, n][None])[0]
        return Placed(turn, self._bags["position"][row, n]), self._bags["semi_axes"][row, n]

    def pressure(self, name: str, t: float) -> float:
        """An airbag's gauge pressure (Pa)."""
        assert self._bags is not None
        (i, w), n = self.between(t), self._bags.ids.index(name)
        values = self._bags["pressure"]
        return float((1.0 - w) * values[i, n] + w * values[min(i + 1, len(values) - 1), n])

    def fullness(self, name: str, semi_axes: Array, t: float) -> float:
        """The volume of a bag over that with these semi-axes (m); 1 while it fills or is tight.

        A bag that has been full and then loses gas is as large as its gas.
        """
        assert self._bags is not None
        row, n = self.near(t), self._bags.ids.index(name)
        if self._bags["state"][row, n] != _FULL:
            return 1.0
        return min(1.0, float(np.prod(self._bags["semi_axes"][row, n] / semi_axes)))

    def strap(self, name: str, t: float) -> Array | None:
        """The points of a strap ('harness.strap') in ground axes (n, 3)."""
        if self._straps is None:
            return None
        rows = [n for n, id_ in enumerate(self._straps.ids) if id_.rsplit(".", 1)[0] == name]
        if not rows:
            return None
        i, w = self.between(t)
        points = self._straps["position"]
        j = min(i + 1, len(points) - 1)
        return np.asarray((1.0 - w) * points[i][rows] + w * points[j][rows])

    def spare(self, name: str, t: float) -> tuple[float, float]:
        """The spare webbing of a strap's first and last pieces, over their lengths; 0 where they are taut."""
        if self._harnesses is None or name not in self._harnesses.ids:
            return 0.0, 0.0
        return spare_of(self._harnesses["strain"][self.near(t), self._harnesses.ids.index(name)])

    def between(self, t: float) -> tuple[int, float]:
        """The frame before an instant and the part of the way to the next."""
        last = len(self.time) - 1
        i = min(max(int(np.searchsorted(self.time, t, side="right")) - 1, 0), max(last, 0))
        if i >= last:
            return max(last, 0), 0.0
        begin = float(self.time[i])
        w = (t - begin) / (float(self.time[i + 1]) - begin)
        return i, min(max(w, 0.0), 1.0)

    def _table(self, group: str) -> Any:
        table = self._trajectory.table(group)
        return table if table.ids else None


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
        """Points (n, 3) m and forces (n, 3) N between frames i and j, `w` of the way."""
        table = self.table(group)
        force, point = table["force"], table["point"]
        before, after = force[i], force[j]
        p, q = point[i], point[j]
        # a contact that is not touched has no point of its own
        is_before, is_after = np.any(before, axis=1), np.any(after, axis=1)
        one, other = np.where(is_before[:, None], p, q), np.where(is_after[:, None], q, p)
        return (1.0 - w) * one + w * other, (1.0 - w) * before + w * after

    def of_belt(self, id_: str, frame: int) -> Array | None:
        """The tensions (N) of the parts at anchors A and B."""
        return self._row("belts", id_, frame)

    def of_strap(self, name: str, frame: int) -> Array | None:
        """The tension (N) of each piece of a strap ('harness.strap')."""
        table = self.table("strap_points")
        rows = [n for n, id_ in enumerate(table.ids) if id_.rpartition(".")[0] == name]
        return np.asarray(table["tension"][frame][rows[:-1]]) if len(rows) > 1 else None

    def highest_tension(self) -> float:
        """The highest tension (N) of any webbing in the run so far; 0 without webbing."""
        if self._highest is not None:
            return self._highest
        found = [self.table(group)["tension"] for group in ("belts", "harnesses", "strap_points")]
        self._highest = max((float(np.max(v)) for v in found if v.size), default=0.0)
        return self._highest

    def highest_pressure(self) -> float:
        """The highest gauge pressure (Pa) of any airbag in the run so far; 0 without airbags."""
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
        """A group of the run's frames."""
        if group not in self._tables:
            self._tables[group] = self._trajectory.table(group)
        return self._tables[group]
