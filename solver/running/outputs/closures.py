"""Couplings, closures and points on curves: their rows of the results beside those of all constraints."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.tree import Array
from solver.engine.forces.cams import CAM_ALONG, CAM_BEYOND, CAM_SLIDES
from solver.engine.forces.closures import CLOSED_ANGLE, CLOSED_WAY
from solver.engine.forces.couplings import COUPLING_SEEN, FIRST, RATE, RATIO, SECOND
from solver.engine.integrate.samples import Samples
from solver.model.closures import cams_of, closures_of, couplings_of
from solver.project.document import Project
from solver.running.outputs.kinematics import Columns, Kind, Kinematics


class Couplings(Kind):
    """What couplings of two axes do."""

    group = "couplings"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the couplings."""
        return tuple(c.id for c in couplings_of(project))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give both coordinates and loads, of ways and of angles apart, and the power handed on."""
        row, rows = samples.couplings[: seen.rows], couplings_of(self.model.project)
        load = row[:, :, COUPLING_SEEN]
        out: Columns = {}
        for name, at, pull in (
            ("first", row[:, :, FIRST], -row[:, :, RATIO] * load),
            ("second", row[:, :, SECOND], load),
        ):
            turns = np.array([getattr(c, name).turns for c in rows], bool)
            out[f"{name}_angle"], out[f"{name}_way"] = _apart(turns, at)
            out[f"{name}_torque"], out[f"{name}_force"] = _apart(turns, pull)
        out["power"] = load * row[:, :, RATE]
        return out


def _apart(turns: NDArray[np.bool_], values: Array) -> tuple[Array, Array]:
    return np.where(turns, values, 0.0), np.where(turns, 0.0, values)


class Closures(Kind):
    """What closures by frames do."""

    group = "closures"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the closures."""
        return tuple(c.id for c in closures_of(project))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give the torque, where frame B stands in A's axes, and how far it is turned."""
        row = samples.closures[: seen.rows]
        way = 6 + CLOSED_WAY
        return {
            "torque": row[:, :, 3:6].copy(),
            "way": row[:, :, way : way + 3].copy(),
            "angle": row[:, :, 6 + CLOSED_ANGLE].copy(),
        }


class CurvePoints(Kind):
    """What points on curves do."""

    group = "curve_points"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the points on curves."""
        return tuple(c.id for c in cams_of(project))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give the load across the curve, and where the point's foot is."""
        row = samples.cams[: seen.rows]
        sign = np.array([c.sign for c in cams_of(self.model.project)])
        return {
            "normal": -sign * row[:, :, 3],
            "along": row[:, :, 4 + CAM_ALONG].copy(),
            "along_rate": row[:, :, 4 + CAM_SLIDES].copy(),
            "beyond": row[:, :, 4 + CAM_BEYOND].copy(),
        }
