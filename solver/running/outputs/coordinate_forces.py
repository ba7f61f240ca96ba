"""Forces on coordinates: where each coordinate is, how fast it goes, what it is resisted with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.coordinates.arrays import (
    SEEN_DRIVE,
    SEEN_LOAD,
    SEEN_OFF,
    SEEN_RATE,
    SEEN_WAY,
)
from solver.engine.forces.laws import LEFT, TOUCHED
from solver.engine.forces.system import COORDINATE_EVENTS
from solver.engine.integrate.samples import Samples
from solver.project.actuators import Actuator
from solver.project.coordinate_forces import CoordinateForce, PlasticHinge, Sided
from solver.project.document import Project
from solver.running.outputs.kind import Columns, Kind, Source
from solver.running.outputs.kinematics import Kinematics

COLUMNS = (
    (SEEN_WAY, "angle", "way"),
    (SEEN_RATE, "angular_rate", "rate"),
    (SEEN_LOAD, "torque", "force"),
)
DRIVING = (
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
        forces = self.model.project.coordinate_forces
        return _apart(COLUMNS, forces, samples.coordinates[: seen.rows, : len(forces)])

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


class Actuators(Kind):
    """Give what actuators go by, and what they do, of the elements that have some."""

    group = "actuators"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the elements."""
        return tuple(project.coordinate_forces[n].id for n in _with_actuators(project))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give what is off, and load and power of what acts by itself, of ways and of angles apart."""
        forces, rows = self.model.project.coordinate_forces, _with_actuators(self.model.project)
        row = samples.coordinates[: seen.rows, rows]
        out = _apart(DRIVING, [forces[n] for n in rows], row)
        return out | {"driving_power": -row[:, :, SEEN_DRIVE] * row[:, :, SEEN_RATE]}


def _with_actuators(project: Project) -> list[int]:
    return [
        n
        for n, one in enumerate(project.coordinate_forces)
        if any(isinstance(law, Actuator) for law in one.laws)
    ]


def _apart(
    columns: Sequence[tuple[int, str, str]], forces: Sequence[CoordinateForce], row: Array
) -> Columns:
    """Give columns of ways and of angles apart."""
    turns = np.array([one.coordinate.turns for one in forces], bool)
    out: Columns = {}
    for at, turned, straight in columns:
        out[turned] = np.where(turns, row[:, :, at], 0.0)
        out[straight] = np.where(turns, 0.0, row[:, :, at])
    return out
