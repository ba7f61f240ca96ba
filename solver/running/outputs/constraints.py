"""Constraints: what holds, and whether it rolls or slides."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.engine.forces.breaking import UNBROKEN
from solver.engine.forces.parting import HEAL, PART
from solver.engine.forces.parting import PARTING_TURNS as TURNS
from solver.engine.forces.rails import RAIL_HOLDS
from solver.engine.forces.system import PARTING_EVENTS, RAIL_EVENTS
from solver.engine.integrate.samples import Samples
from solver.model.constraints import breaking_of, pairs_of, rails_of, rolls_of, shapes_of
from solver.project.document import Project
from solver.project.pose import turn
from solver.running.outputs.kind import Columns, Kind, Source
from solver.running.outputs.kinematics import Kinematics, along


class Constraints(Kind):
    """Give what constraints do."""

    group = "constraints"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the constraints."""
        return tuple(c.id for c in project.constraints)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give force and state."""
        project = self.model.project
        tied = {c.id: k for k, c in enumerate(pairs_of(project))}
        rolling = {c.id: k for k, c in enumerate(rolls_of(project))}
        edges = {c.id: k for k, c in enumerate(rails_of(project))}
        parting = {c.id: seen.modes.parting[:, k] for k, c in enumerate(breaking_of(project))}
        force, state = [], []
        for c in project.constraints:
            if c.id in edges:
                force.append(samples.rails[: seen.rows, edges[c.id], :3])
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
        edges, breaking = rails_of(project), breaking_of(project)

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

        return {RAIL_EVENTS: rail, PARTING_EVENTS: parting}


class PointContacts(Kind):
    """Give where constraints that roll or slide meet, and what they carry there."""

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
            "azimuth": np.arctan2(way[:, :, 1], way[:, :, 0]), "elevation": np.arctan2(way[:, :, 2], level),
        }  # fmt: skip
