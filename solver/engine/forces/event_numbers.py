"""Where the events of each kind begin, and how many there are in all."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import IntArray
from solver.engine.forces.breakable import PARTING_TURNS
from solver.engine.forces.rolling import ROLL_TURNS
from solver.engine.forces.system import System


def first_of(system: System) -> IntArray:
    """Count off the events of each kind, in the order of their numbers."""
    bags = system.bags.model
    counts = [
        len(system.switches.kind),
        ROLL_TURNS * len(system.rolls.kind),
        len(system.contacts.model.kind),
        2 * len(system.belts.a),
        len(system.winds.surface),
        len(system.triggers.what),
        2 * len(bags.body) + len(bags.vent_law) + len(bags.surface),
        len(system.straps.retractors.point),
        len(system.straps.memory.size),
        len(system.coordinates.row),
        len(system.edge_constraints.m),
        PARTING_TURNS * len(system.breakables.what),
        len(system.drivers.axis),
    ]
    return np.cumsum([0, *counts]).astype(np.int64)
