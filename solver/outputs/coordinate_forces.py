"""Forces on coordinates: where each coordinate is, how fast it goes, what it is resisted with."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.forces.coordinates.arrays import (
    SEEN_DRIVE,
    SEEN_LOAD,
    SEEN_OFF,
    SEEN_RATE,
    SEEN_WAY,
)
from solver.forces.laws import LEFT, TOUCHED
from solver.forces.system import COORDINATE_EVENTS
from solver.integrate.samples import Samples
from solver.outputs.kind import Columns, Kind, Source
from solver.outputs.kinematics import Kinematics
from solver.project.actuators import Actuator
from solver.project.coordinate_forces import (
    PlasticHinge,
    Sided,
)
from solver.project.document import Project

COLUMNS = (
    (SEEN_WAY, "angle", "way"),
    (SEEN_RATE, "angular_rate", "rate"),
    (SEEN_LOAD, "torque", "force"),
    (SEEN_OFF, "angle_off", "way_off"),
    (SEEN_DRIVE, "driving_torque", "driving_force"),
)


class CoordinateForces(Kind):
    """Give what laws of coordinates do."""

    group = "coordinate_forces"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the elements."""
        return tuple(one.id for one in project.coordinate_forces)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give value, rate and resistance, of ways and of angles apart."""
        turns = np.array(
            [one.coordinate.turns for one in self.model.project.coordinate_forces], bool
        )
        row = samples.coordinates[: seen.rows, : len(turns)]
        out: Columns = {}
        for at, turned, straight in COLUMNS:
            out[turned] = np.where(turns, row[:, :, at], 0.0)
            out[straight] = np.where(turns, 0.0, row[:, :, at])
        return out

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which stop is reached, left or gives back, and which hinge gives in or holds again."""
        paths, hinges = [], []
        for one in project.coordinate_forces:
            for law in one.laws:
                switched = isinstance(law, Actuator) and law.switch is not None
                slots = (
                    2 if isinstance(law, Sided) else int(isinstance(law, PlasticHinge) or switched)
                )
                paths += [f"coordinate_forces/{one.id}"] * slots
                hinges += [isinstance(law, PlasticHinge)] * slots

        def source(n: int, what: int) -> tuple[str, str, tuple[float, ...]]:
            if hinges[n]:
                kind = "hinge_gives_in" if what == TOUCHED else "hinge_holds"
            else:
                kind = {TOUCHED: "stop_reached", LEFT: "stop_left"}.get(what, "stop_turns")
            return kind, paths[n], ()

        return {COORDINATE_EVENTS: source}
