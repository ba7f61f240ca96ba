"""Allowed contacts: force, depth and point of application, and when they touch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.engine.forces.system import CONTACT_EVENTS
from solver.engine.integrate.samples import Samples
from solver.project.document import Project
from solver.running.outputs.kind import Columns, Kind, Source
from solver.running.outputs.kinematics import Kinematics

PAIRS = ("contact_touches", "contact_leaves", "contact_turns")
"""Events by what the kernels say has happened."""


class Contacts(Kind):
    """Give what allowed contacts do."""

    group = "contacts"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the contacts."""
        return tuple(c.id for c in project.contacts)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give force, depth and point; the point only while they touch."""
        row = samples.contacts[: seen.rows]
        # three comparisons: to look along an axis of three takes far longer
        acting = (row[:, :, 0] != 0.0) | (row[:, :, 1] != 0.0) | (row[:, :, 2] != 0.0)
        return {
            "force": row[:, :, :3].copy(),
            "penetration": row[:, :, 3].copy(),
            "point": np.where(row[:, :, 3:4] > 0.0, row[:, :, 4:7], 0.0),
            "state": acting.astype(np.int8),
        }

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say what touches, leaves and turns."""
        paths = [f"contacts/{c.id}" for c in project.contacts]
        return {CONTACT_EVENTS: lambda n, what: (PAIRS[what], paths[n], ())}
