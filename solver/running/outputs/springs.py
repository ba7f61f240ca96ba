"""Springs, dampers and bushings, and tension elements: forces and lengths."""

from __future__ import annotations

import numpy as np

from solver.engine.integrate.samples import Samples
from solver.model.links import bushings_of, lines_of
from solver.project.document import Project
from solver.running.outputs.kind import Columns, Kind
from solver.running.outputs.kinematics import Kinematics


class Springs(Kind):
    """Give what springs and bushings do."""

    group = "springs"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the springs."""
        return tuple(s.id for s in project.springs)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give force and torque on B, and the length; only bushings have torques."""
        project, rows = self.model.project, seen.rows
        line = {e.id: k for k, e in enumerate(lines_of(project)[: len(project.springs)])}
        bushing = {e.id: k for k, e in enumerate(bushings_of(project))}
        force, torque, length = [], [], []
        for spring in project.springs:
            if spring.id in bushing:
                row = samples.bushings[:rows, bushing[spring.id]]
                force.append(row[:, :3])
                torque.append(row[:, 3:6])
                length.append(row[:, 6])
            else:
                row = samples.lines[:rows, line[spring.id]]
                force.append(row[:, :3])
                torque.append(np.zeros((rows, 3)))
                length.append(row[:, 3])
        return {
            "force": np.stack(force, 1),
            "torque": np.stack(torque, 1),
            "length": np.stack(length, 1),
        }


class TensionElements(Kind):
    """Give what heavy strings do."""

    group = "tension_elements"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the tension elements."""
        return tuple(t.id for t in project.tension_elements)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give tension and length."""
        project = self.model.project
        first = len(lines_of(project)) - len(project.tension_elements)
        row = samples.lines[: seen.rows, first:]
        return {"tension": np.linalg.norm(row[:, :, :3], axis=2), "length": row[:, :, 3].copy()}
