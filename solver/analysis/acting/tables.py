"""A run as what acts is looked for in it: where points of segments are, and how they move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array, cross, matrices
from solver.project import Project
from solver.project.segments import GROUND
from solver.results.trajectory import Table

Tables = Callable[[str], Table]
"""Give a group of a run's frames by its name."""


class RunTables:
    """Read tables of a run."""

    def __init__(self, project: Project, time: Array, tables: Tables) -> None:
        self.project, self.time = project, time
        self._tables, self._cut = tables, dict[str, Table]()

    def table(self, group: str) -> Table:
        """A group of the run's frames; of a run that grows as many as it had when it was asked first."""
        if group not in self._cut:
            table = self._tables(group)
            columns = {name: values[: len(self.time)] for name, values in table.columns.items()}
            self._cut[group] = Table(table.ids, columns)
        return self._cut[group]

    def rows(self, group: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The elements of a group, each with its columns; none where results have none."""
        table = self.table(group)
        for id_ in table.ids:
            yield id_, table.row(id_)

    def turns(self, segment: str) -> Array:
        """The turns of a segment at all frames (T, 3, 3)."""
        if segment == GROUND:
            return np.tile(np.eye(3), (len(self.time), 1, 1))
        return matrices(self.table("segments").row(segment)["quaternion_wxyz"])

    def points(self, segment: str, point: Sequence[float]) -> Array:
        """Where a point of a segment is at all frames (T, 3), ground axes."""
        at: Array = self.turns(segment) @ np.array(point)
        return at if segment == GROUND else at + self.table("segments").row(segment)["position"]

    def rates(self, segment: str, point: Sequence[float]) -> tuple[Array, Array]:
        """Give velocity and acceleration of a point of a segment (T, 3), ground axes."""
        if segment == GROUND:
            return np.zeros((len(self.time), 3)), np.zeros((len(self.time), 3))
        row, turns = self.table("segments").row(segment), self.turns(segment)
        w, arm = row["angular_velocity"], np.tile(np.array(point), (len(self.time), 1))
        passing = cross(w, arm)
        turning = cross(row["angular_acceleration"], arm) + cross(w, passing)
        return (
            row["velocity"] + (turns @ passing[..., None])[..., 0],
            row["acceleration"] + (turns @ turning[..., None])[..., 0],
        )


def units(ways: Array) -> Array:
    """Give directions (T, 3) of length one; of no length where there is no way."""
    out: Array = ways / np.maximum(np.linalg.norm(ways, axis=-1, keepdims=True), 1e-12)
    return out
