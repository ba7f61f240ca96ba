"""Tyres: their rows of the results."""

from __future__ import annotations

import numpy as np

from solver.engine.forces import tyres as kernels
from solver.engine.integrate.samples import Samples
from solver.project.document import Project
from solver.running.outputs.kinematics import Columns, Kind, Kinematics

ONE = {
    "normal": kernels.NORMAL_LOAD, "along": kernels.ALONG, "across": kernels.ACROSS, "aligning": kernels.ALIGNING,
    "slip": kernels.SLIP, "slip_angle": kernels.SLIP_ANGLE, "deflection": kernels.DEFLECTION, "brake": kernels.BRAKING,
}  # fmt: skip


class Tyres(Kind):
    """What tyres do."""

    group = "tyres"

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the tyres."""
        return tuple(one.id for one in project.tyres)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give forces, slip and deflection."""
        row = samples.tyres[: seen.rows]
        on, at = kernels.ON_WHEEL, kernels.TOUCHES
        return {
            "force": row[:, :, on : on + 3].copy(),
            "point": row[:, :, at : at + 3].copy(),
            **{name: np.array(row[:, :, column]) for name, column in ONE.items()},
        }
