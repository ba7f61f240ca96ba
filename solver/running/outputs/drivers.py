"""Drivers: where their coordinates are, and with what they move them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.drivers import SEEN_DRIVE_LOAD, SEEN_POWER, SEEN_STATE, SEEN_VALUE
from solver.engine.forces.driving import BEGINS, ELSEWHERE, LETS_GO, STAYS_HELD, STRUCK
from solver.engine.forces.system import DRIVER_EVENTS
from solver.engine.integrate.samples import Samples
from solver.model.drivers import drivers_of
from solver.project.document import Project
from solver.project.drivers import DriverBase
from solver.running.outputs.kind import Columns, Kind, Source
from solver.running.outputs.kinematics import Kinematics

TOLD = {
    BEGINS: "driver_begins", BEGINS + STRUCK: "driver_strikes", BEGINS + ELSEWHERE: "driver_begins_elsewhere",
    BEGINS + STRUCK + ELSEWHERE: "driver_strikes_elsewhere", LETS_GO: "driver_lets_go", STAYS_HELD: "driver_holds",
}  # fmt: skip
"""Kinds of events by what the kernels say has happened."""


def _columns(drivers: Sequence[DriverBase], row: Array, way: str) -> Columns:
    """Give coordinate and load, of ways and of angles apart, the power, and what is being done."""
    turns = np.array([one.turns for one in drivers], bool)
    out: Columns = {}
    for at, turned, straight in ((SEEN_VALUE, "angle", way), (SEEN_DRIVE_LOAD, "torque", "force")):
        out[turned] = np.where(turns, row[:, :, at], 0.0)
        out[straight] = np.where(turns, 0.0, row[:, :, at])
    out["power"] = row[:, :, SEEN_POWER].copy()
    out["state"] = row[:, :, SEEN_STATE].astype(np.int8)
    return out


class Drivers(Kind):
    """Give what drivers of joint axes do."""

    group = "drivers"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the drivers."""
        return tuple(d.id for d in project.drivers)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give coordinate, load and power of each axis."""
        drivers = self.model.project.drivers
        return _columns(drivers, samples.drivers[: seen.rows, : len(drivers)], "slide")

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which driver begins or ends, also of frames."""
        lists = ["drivers"] * len(project.drivers) + ["frame_drivers"] * len(project.frame_drivers)
        paths = [f"{name}/{one.id}" for name, one in zip(lists, drivers_of(project), strict=True)]
        return {DRIVER_EVENTS: lambda n, what: (TOLD[what], paths[n], ())}


class FrameDrivers(Kind):
    """Give what drivers of frames do."""

    group = "frame_drivers"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the drivers."""
        return tuple(d.id for d in project.frame_drivers)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give each component, its load and power."""
        project = self.model.project
        row = samples.drivers[: seen.rows, len(project.drivers) :]
        return _columns(project.frame_drivers, row, "way")
