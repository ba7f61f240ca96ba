"""What flexible elements and symmetry hold with: loads of their constraints on each segment."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross
from solver.project.document import Project
from solver.project.links import PlanarSymmetry
from solver.running.outputs.kind import Columns, Kind
from solver.running.outputs.kinematics import Kinematics


class FlexibleElements(Kind):
    """Give the torque with which a flexible element holds each of its segments to its bends (4.70)."""

    group = "flexible_elements"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name all members."""
        return tuple(name for one in project.flexible_elements for name in one.names_in_results)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give torques: an inner segment has its own, the ends what all of these ask of them."""
        torque: list[Array] = []
        first = 0
        for element in self.model.project.flexible_elements:
            inner = len(element.segments) - 2
            loads = samples.bends[: seen.rows, first : first + inner]
            first += inner
            torque += [loads[:, :, :3].sum(axis=1), *(loads[:, n, 12:15] for n in range(inner))]
            torque += [loads[:, :, 6:9].sum(axis=1)]
        return {"torque": np.stack(torque, axis=1)}


class Symmetries(Kind):
    """Give the loads with which symmetry holds segments, about their mass centres."""

    group = "symmetry"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the entries."""
        return tuple(entry.id for entry in project.symmetry)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give force and torque on the first segment, and on the second where there is one."""
        out: dict[str, list[Array]] = {}
        for n, entry in enumerate(self.model.project.symmetry):
            if isinstance(entry, PlanarSymmetry):
                pair = entry.segment, ""
            else:
                pair = entry.first, entry.second
            for m, (name, part) in enumerate(zip(pair, ("", "_on_second"), strict=True)):
                load = samples.symmetries[: seen.rows, n, 6 * m : 6 * m + 6]
                torque, force = load[:, :3], load[:, 3:]
                if name:
                    # from the body's origin to the mass centre
                    body = self.model.trees.body_of[name]
                    arm = seen.place(name, np.zeros(3)) - samples.p[: seen.rows, body]
                    torque = torque - cross(arm, force)
                out.setdefault(f"force{part}", []).append(force)
                out.setdefault(f"torque{part}", []).append(torque)
        return {name: np.stack(values, axis=1) for name, values in out.items()}
