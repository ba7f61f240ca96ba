"""Of which sort each event of a model is: how exactly its instant is found, and whether the step is taken again."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import IntArray
from solver.engine.forces.contacts.arrays import ON_PLANE
from solver.engine.forces.contacts.edges import SHARP
from solver.engine.forces.coordinates.arrays import ACTUATOR
from solver.engine.forces.laws import (
    GIVES_BACK,
    IMPACT,
    LANKARANI,
    LOADING,
    MEMORY,
    Laws,
    normal_force,
)
from solver.engine.forces.strikes import impact_room
from solver.engine.forces.system import (
    ALL_EVENTS,
    BAG_EVENTS,
    BELT_EVENTS,
    CONTACT_EVENTS,
    COORDINATE_EVENTS,
    STRAP_EVENTS,
    WIND_EVENTS,
    System,
)
from solver.engine.integrate.flow import EASES, JUMPS, STRIKES
from solver.engine.maths.curve import Curves

SORTS = {
    CONTACT_EVENTS: "a touch, or a turn of its law, bends forces; an edge, another hollow or a law that damps makes them jump; impulses strike",
    BELT_EVENTS: "webbing that comes taut or turns bends forces",
    WIND_EVENTS: "a surface that comes into a wind meets it with no area yet",
    BAG_EVENTS: "a side that changes makes forces jump; a vent that is held open is open then; firing and filling strike",
    STRAP_EVENTS: "a harness that turns back bends forces",
    COORDINATE_EVENTS: "laws that remember are as those of contacts; a switch makes forces jump",
}
"""Why events of each kind are of the sort that they are. Those of all others strike: of joints, of what rolls, of constraints
and drivers, as modes and speeds change; of triggers and retractors, as what they start counts its time from there."""

AT_TOUCH = 1e-12
"""Depth (m) at which it is looked whether a law begins with a force."""

NO_FORCE = 1e-2
"""Force (N, N m) at a rate of 1 m/s (rad/s) there that counts as none."""


def sorts_of_events(system: System) -> IntArray:
    """Give the sort of each event."""
    first = system.first
    sorts = np.full(first[ALL_EVENTS], STRIKES, np.int64)
    of_laws = _sorts_of_laws(system.laws, system.curves)
    contacts = sorts[first[CONTACT_EVENTS] : first[BELT_EVENTS]]
    if impact_room(system.contacts, system.laws, system.switches)[0] == 0:
        model = system.contacts.model
        plain = (model.kind == ON_PLANE) & (model.edge != SHARP)
        contacts[:] = np.where(plain, of_laws[model.law], JUMPS)
    sorts[first[BELT_EVENTS] : first[WIND_EVENTS]] = np.repeat(of_laws[system.belts.law], 2)
    sorts[first[WIND_EVENTS] :][: len(system.winds.surface)] = EASES
    sorts[first[STRAP_EVENTS] : first[COORDINATE_EVENTS]] = EASES
    _sort_bags(system, sorts[first[BAG_EVENTS] :])
    coords = system.coordinates
    of_laws = _sorts_of_laws(coords.laws, system.curves)
    for s, inner in enumerate(coords.inner):
        if inner >= 0:
            sort = of_laws[inner]
        else:
            sort = JUMPS if coords.law[coords.of[s]] == ACTUATOR else EASES
        sorts[first[COORDINATE_EVENTS] + s] = sort
    return sorts


def _sorts_of_laws(laws: Laws, curves: Curves) -> IntArray:
    """Say of each law whether it begins without a force, and without a look at how deep the first touch was."""
    memory = np.zeros((1, MEMORY))
    memory[0, IMPACT] = 1.0
    sorts = np.full(len(laws.kind), JUMPS, np.int64)
    for n, kind in enumerate(laws.kind):
        if kind == LANKARANI or laws.number[n, GIVES_BACK] != 0.0:
            continue
        force, _ = normal_force(laws, curves, n, memory, 0, LOADING, AT_TOUCH, 1.0)
        if force <= NO_FORCE:
            sorts[n] = EASES
    return sorts


def _sort_bags(system: System, sorts: IntArray) -> None:
    """Sort the events of bags: fires (or the inflator's next stop), fills, vents, touches."""
    model, at = system.bags.model, 0
    for k in range(len(model.body)):
        vents = model.vents[k, 1] - model.vents[k, 0]
        touches = model.touches[k, 1] - model.touches[k, 0]
        sorts[at + 2 : at + 2 + vents] = EASES
        sorts[at + 2 + vents : at + 2 + vents + touches] = JUMPS
        at += 2 + vents + touches
