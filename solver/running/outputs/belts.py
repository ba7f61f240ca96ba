"""Simple belts: both parts, at anchors A and B, and when they are taut."""

from __future__ import annotations

from collections.abc import Mapping

from solver.engine.forces.system import BELT_EVENTS
from solver.engine.integrate.samples import Samples
from solver.project.document import Project
from solver.running.outputs.kind import Columns, Kind, Source
from solver.running.outputs.kinematics import Kinematics

PARTS = ("belt_taut", "belt_slack", "belt_turns")
"""Events by what the kernels say has happened."""


class Belts(Kind):
    """Give what simple belts do."""

    group = "belts"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the belts."""
        return tuple(b.id for b in project.belts)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give tension, strain and length of both parts."""
        row = samples.belts[: seen.rows]
        return {
            "tension": row[:, :, 0:2].copy(),
            "strain": row[:, :, 2:4].copy(),
            "length": row[:, :, 4:6].copy(),
        }

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which belt is taut, slack or turns; each has two parts."""
        paths = [f"belts/{b.id}" for b in project.belts for _ in range(2)]
        return {BELT_EVENTS: lambda n, what: (PARTS[what], paths[n], ())}
