"""Airbags: their gas, place and force, and when they fire."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.engine.forces.airbags.arrays import (
    BLOWN,
    HEAT_IN,
    HEAT_OUT,
    LOST,
    S_CENTRE,
    S_ENERGY,
    S_FORCE,
    S_HEAT,
    S_MASS,
    S_PRESSURE,
    S_SEMI,
    S_STATE,
    S_TURN,
    S_VOLUME,
    STATES,
)
from solver.engine.forces.airbags.kernels import VENT_OPENED
from solver.engine.forces.system import BAG_EVENTS, CAUSES
from solver.engine.integrate.samples import Samples
from solver.model.compile import Model
from solver.project.document import Project
from solver.running.outputs.kind import Columns, Kind, Source
from solver.running.outputs.kinematics import Kinematics, Signs, quaternions

BAGS = ("airbag_fires", "airbag_full", "airbag_vents", "airbag_side_changes")
"""Events by what the kernels say has happened."""


class Airbags(Kind):
    """Give what airbags do."""

    group = "airbags"

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._signs = Signs()

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the bags."""
        return tuple(a.id for a in project.airbags)

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give the state of the gas, the bag as it stands, and its force."""
        row, first = samples.bags[: seen.rows], len(CAUSES)
        # states of other elements come after those of the bags
        gas = samples.z[: seen.rows, first : first + row.shape[1] * STATES]
        gas = gas.reshape(seen.rows, -1, STATES)
        turns = row[:, :, S_TURN : S_TURN + 9].reshape(seen.rows, -1, 3, 3)
        return {
            "pressure": row[:, :, S_PRESSURE].copy(),
            "volume": row[:, :, S_VOLUME].copy(),
            "temperature": row[:, :, S_HEAT].copy(),
            "mass": row[:, :, S_MASS].copy(),
            "position": row[:, :, S_CENTRE : S_CENTRE + 3].copy(),
            "quaternion_wxyz": self._signs(quaternions(turns)),
            "semi_axes": row[:, :, S_SEMI : S_SEMI + 3].copy(),
            "force": row[:, :, S_FORCE : S_FORCE + 3].copy(),
            "state": row[:, :, S_STATE].astype(np.int8),
            "mass_in": gas[:, :, BLOWN].copy(),
            "mass_out": gas[:, :, LOST].copy(),
            "energy": row[:, :, S_ENERGY].copy(),
            "energy_in": gas[:, :, HEAT_IN].copy(),
            "energy_out": gas[:, :, HEAT_OUT].copy(),
        }

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Say which bag fires and is full, which of its vents opens, and that it presses on another side of something."""
        rows = [
            (f"airbags/{b.id}", n)
            for b in project.airbags
            for n in range(2 + len(b.vents) + len(b.panels) + len(b.planes) + len(b.touches))
        ]

        def said(number: int, what: int) -> tuple[str, str, tuple[float, ...]]:
            element, of_bag = rows[number]
            return BAGS[what], element, (float(of_bag - 2),) if what == VENT_OPENED else ()

        return {BAG_EVENTS: said}
