"""Constraints, and what rolls, couplings, closures and points on curves tell beside: rows of the results, and events."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.tree import Array
from solver.engine.forces.breakable import HEAL, PART
from solver.engine.forces.breakable import PARTING_TURNS as TURNS
from solver.engine.forces.breaking import UNBROKEN
from solver.engine.forces.cams import CAM_ALONG, CAM_BEYOND, CAM_SLIDES
from solver.engine.forces.closures import CLOSED_ANGLE, CLOSED_WAY
from solver.engine.forces.couplings import COUPLING_SEEN, FIRST, RATE, RATIO, SECOND
from solver.engine.forces.edge_constraint import RAIL_HOLDS
from solver.engine.forces.system import (
    BREAKABLE_EVENTS,
    EDGE_EVENTS,
)
from solver.engine.integrate.samples import Samples
from solver.engine.maths.alike import arctan2
from solver.model.closures import cams_of, closures_of, couplings_of
from solver.model.links import (
    breaking_of,
    edge_constraints_of,
    numbers_of,
    rolls_of,
    shapes_of,
)
from solver.project.couplings import COUPLINGS
from solver.project.document import Project
from solver.project.pose import turn
from solver.running.outputs.kinematics import Columns, Kind, Kinematics, Source, along

# Constraints: what holds, and whether it rolls or slides.


class Constraints(Kind):
    """What constraints do."""

    group = "constraints"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the constraints."""
        return tuple(c.id for c in project.constraints)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give force and state."""
        project = self.model.project
        tied, rolling, edges = numbers_of(project)
        parting = {c.id: seen.modes.parting[:, k] for k, c in enumerate(breaking_of(project))}
        closed = {c.id: samples.closures[:, n, :3] for n, c in enumerate(closures_of(project))}
        closed |= {c.id: samples.cams[:, n, :3] for n, c in enumerate(cams_of(project))}
        force, state = [], []
        for c in project.constraints:
            if c.id in closed:
                force.append(closed[c.id][: seen.rows])
                state.append(np.ones(seen.rows, np.int8))
            elif isinstance(c, COUPLINGS):
                # it has torques, or forces along axes
                force.append(np.zeros((seen.rows, 3)))
                state.append(np.ones(seen.rows, np.int8))
            elif c.id in edges:
                force.append(samples.edge_constraints[: seen.rows, edges[c.id], :3])
                state.append(seen.modes.edges[:, edges[c.id]].astype(np.int8))
            elif c.id in rolling:
                force.append(samples.rolls[: seen.rows, rolling[c.id], :3])
                state.append(seen.modes.rolling[:, rolling[c.id]].astype(np.int8))
            else:
                force.append(samples.ties[: seen.rows, tied[c.id]])
                state.append(np.ones(seen.rows, np.int8))
            if c.id in parting:
                broken = parting[c.id]
                state[-1] = np.where(broken != UNBROKEN, 2 + broken, state[-1]).astype(np.int8)
        return {"force": np.stack(force, 1), "state": np.stack(state, 1)}

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Tell that edges hold or slide, and that constraints break, come apart and close again."""
        edges, breaking = edge_constraints_of(project), breaking_of(project)

        def rail(n: int, what: int) -> tuple[str, str, tuple[float, ...]]:
            return (
                ("edge_holds" if what == RAIL_HOLDS else "edge_slides"),
                f"constraints/{edges[n].id}",
                (),
            )

        def parting(n: int, what: int) -> tuple[str, str, tuple[float, ...]]:
            kind = {PART: "constraint_parts", HEAL: "constraint_heals"}.get(
                what, "constraint_breaks"
            )
            return kind, f"constraints/{breaking[n // TURNS].id}", ()

        return {EDGE_EVENTS: rail, BREAKABLE_EVENTS: parting}


class PointContacts(Kind):
    """Where constraints that roll or slide meet, and what they carry there."""

    group = "point_contacts"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the constraints that roll or slide."""
        return tuple(c.id for c in rolls_of(project))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give loads, slip, gap, place and direction."""
        row = samples.rolls[: seen.rows]
        way, shapes = np.zeros((seen.rows, row.shape[1], 3)), shapes_of(self.model.project)
        for k, c in enumerate(rolls_of(self.model.project)):
            if c.other is not None:
                name, shape = c.other.segment, shapes[c.other.segment, c.other.surface]
                centre = seen.place(name, np.array(shape.centre_m))
                off = along(seen.turn(name), row[:, k, 6:9] - centre)
                way[:, k] = off @ turn(shape.orientation)
        level = np.hypot(way[:, :, 0], way[:, :, 1])
        return {
            "normal": row[:, :, 3].copy(), "friction": row[:, :, 4].copy(), "gap": row[:, :, 5].copy(),
            "point": row[:, :, 6:9].copy(), "slip": row[:, :, 9:12].copy(),
            "azimuth": arctan2(way[:, :, 1], way[:, :, 0]), "elevation": arctan2(way[:, :, 2], level),
        }  # fmt: skip


# Couplings, closures and points on curves.


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
