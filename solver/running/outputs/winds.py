"""Winds: their force, and when they meet a surface."""

from __future__ import annotations

from collections.abc import Mapping

from solver.engine.forces.system import WIND_EVENTS
from solver.engine.integrate.samples import Samples
from solver.project.document import Project
from solver.running.outputs.kind import Columns, Kind, Source
from solver.running.outputs.kinematics import Kinematics


class Winds(Kind):
    """Give what winds do."""

    group = "winds"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the winds."""
        return tuple(w.id for w in project.winds)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give the force on all targets together."""
        return {"force": samples.winds[: seen.rows].copy()}

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which wind meets a surface; each target has an event."""
        paths = [f"winds/{w.id}" for w in project.winds for _ in w.targets]
        return {WIND_EVENTS: lambda n, _: ("wind_meets", paths[n], ())}
