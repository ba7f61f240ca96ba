"""Drivers: where their axes are, and with what they move them."""

from __future__ import annotations

import numpy as np

from solver.dynamics.tree import TURN
from solver.integrate.samples import Samples
from solver.model.drives import axes_of_drivers
from solver.outputs.kind import Columns, Kind
from solver.outputs.kinematics import Kinematics
from solver.project.document import Project


class Drivers(Kind):
    """Give what drivers do."""

    group = "drivers"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the drivers."""
        return tuple(d.id for d in project.drivers)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give coordinate and load of each axis, and the power that it takes."""
        model, rows = self.model, seen.rows
        tree, axes = model.system.tree, axes_of_drivers(model.project, model.trees)
        names = ("angle", "torque", "slide", "force", "power")
        out = {name: np.zeros((rows, len(axes))) for name in names}
        for n, body in enumerate(axes):
            at_q, at_v, m = tree.at_q[body], tree.at_v[body], tree.parent[body]
            turns = tree.kind[body] == TURN
            # a turn's axis stands in the body, a slide's in its parent
            bearer = body if turns else m
            axis = np.broadcast_to(tree.axis[body], (rows, 3))
            if bearer >= 0:
                axis = samples.R[:rows, bearer].reshape(-1, 3, 3) @ tree.axis[body]
            carried = samples.load[:rows, body, :3] if turns else samples.load[:rows, body, 3:]
            load = np.sum(axis * carried, axis=1) - samples.tau[:rows, at_v]
            out["angle" if turns else "slide"][:, n] = samples.q[:rows, at_q]
            out["torque" if turns else "force"][:, n] = load
            out["power"][:, n] = load * samples.v[:rows, at_v]
        return out
