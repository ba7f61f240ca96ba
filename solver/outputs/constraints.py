"""Constraints: what holds, and whether it rolls or slides."""

from __future__ import annotations

import numpy as np

from solver.integrate.samples import Samples
from solver.model.constraints import pairs_of, rolls_of
from solver.outputs.kind import Columns, Kind
from solver.outputs.kinematics import Kinematics
from solver.project.document import Project


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
        force, state = [], []
        for c in project.constraints:
            if c.id in rolling:
                force.append(samples.rolls[: seen.rows, rolling[c.id]])
                state.append(np.full(seen.rows, seen.modes.rolling[rolling[c.id]], np.int8))
            else:
                force.append(samples.ties[: seen.rows, tied[c.id]])
                state.append(np.ones(seen.rows, np.int8))
        return {"force": np.stack(force, 1), "state": np.stack(state, 1)}
