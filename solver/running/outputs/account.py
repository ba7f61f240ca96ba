"""The energy account of a run: what is held, lost by each cause, and put in from outside."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.system import (
    AIRBAG_FRICTION,
    AIRBAGS,
    BELT_PLANES,
    BELTS,
    CONTACT_FRICTION,
    CONTACT_GEOMETRY,
    CONTACTS,
    COORDINATE_LAWS,
    HARNESSES,
    IN_AIRBAG_FRICTION,
    IN_BELTS,
    IN_CONTACT_FRICTION,
    IN_CONTACTS,
    IN_COORDINATES,
    IN_HARNESSES,
    IN_JOINTS,
    IN_SPRINGS,
    IN_TYRES,
    JOINT_FRICTION,
    JOINT_SPRINGS,
    LOADS,
    MOTIONS,
    MUSCLES,
    ROLLING,
    SPRINGS,
    TYRES,
    WINDS,
)
from solver.engine.forces.system import IMPULSES as LOST_IN_IMPULSES
from solver.engine.integrate.samples import Samples


class Energy:
    """Keep the account from block to block."""

    def __init__(self) -> None:
        self._start: Array | None = None
        self._start_total = 0.0

    def go_on(self, other: Energy, before: Array, after: Array) -> None:
        """Go on from another account behind a change that was neither work nor loss, by energies before and behind it."""
        start = before if other._start is None else other._start
        self._start = start + after - before
        self._start_total = other._start_total + float(after.sum() - before.sum())

    def columns(self, samples: Samples, rows: int) -> dict[str, Array]:
        """The columns of the group `energy` at every sample of a block."""
        kinetic, potential, *held = samples.energy[:rows].T
        z = samples.z[:rows]
        first = self._start is None
        if self._start is None:
            self._start = samples.energy[0].copy()
        start = self._start

        def lost_in(cause: int, entry: int) -> Array:
            """What was put in and is no longer held."""
            out: Array = -z[:, cause] - (held[entry] - start[2 + entry])
            return out

        lost = {
            "joint_springs": lost_in(JOINT_SPRINGS, IN_JOINTS),
            "joint_friction": -z[:, JOINT_FRICTION],
            "springs": lost_in(SPRINGS, IN_SPRINGS),
            "coordinate_forces": lost_in(COORDINATE_LAWS, IN_COORDINATES),
            "contacts": lost_in(CONTACTS, IN_CONTACTS),
            "contact_friction": lost_in(CONTACT_FRICTION, IN_CONTACT_FRICTION),
            "belts": lost_in(BELTS, IN_BELTS),
            "harnesses": lost_in(HARNESSES, IN_HARNESSES),
            "airbag_friction": lost_in(AIRBAG_FRICTION, IN_AIRBAG_FRICTION),
            "impulses": -z[:, LOST_IN_IMPULSES],
            "rolling": -z[:, ROLLING],
            "tyres": lost_in(TYRES, IN_TYRES),
        }
        strain = sum(held, np.zeros(rows))
        dissipated = sum(lost.values(), np.zeros(rows))
        external = z[:, LOADS] + z[:, MOTIONS] + z[:, WINDS] + z[:, AIRBAGS] + z[:, BELT_PLANES]
        external = external + z[:, CONTACT_GEOMETRY] + z[:, MUSCLES]
        total = kinetic + potential + strain + dissipated
        if first:
            self._start_total = float(total[0] - external[0])
        return {
            "kinetic": kinetic,
            "potential": potential,
            "strain": strain,
            "dissipated": dissipated,
            "external": external,
            "balance": total - self._start_total - external,
            **{f"lost_in_{cause}": value for cause, value in lost.items()},
            "work_of_loads": z[:, LOADS].copy(),
            "work_of_motions": z[:, MOTIONS].copy(),
            "work_of_winds": z[:, WINDS].copy(),
            "work_of_airbags": z[:, AIRBAGS].copy(),
            "work_of_muscles": z[:, MUSCLES].copy(),
            "work_of_belt_planes": z[:, BELT_PLANES].copy(),
            "work_of_contact_geometry": z[:, CONTACT_GEOMETRY].copy(),
        }
