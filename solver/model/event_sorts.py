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
    KEPT,
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
from solver.engine.maths.curve import Curves, curve_at

SORTS = {
    CONTACT_EVENTS: "a touch, or a turn of its law, bends forces; an edge, another hollow, a law that damps or one that gives nothing back at all makes them jump; impulses strike",
    BELT_EVENTS: "webbing that comes taut or turns bends forces",
    WIND_EVENTS: "a surface that comes into a wind meets it with no area yet",
    BAG_EVENTS: "a side that changes makes forces jump; a vent that is held open is open then; firing and filling strike",
    STRAP_EVENTS: "a harness that turns back bends forces, unless its webbing keeps all of its strain",
    COORDINATE_EVENTS: "laws that remember are as those of contacts; a switch makes forces jump",
}
"""Why events of each kind are of the sort that they are. Those of all others strike: of joints, of what rolls, of constraints
and drivers, as modes and speeds change; of triggers and retractors, as what they start counts its time from there."""

AT_TOUCH = 1e-12
"""Depth (m) at which it is looked whether a law begins with a force."""

RATES = (1.0, 3.0, 10.0, 30.0, 100.0)
"""Rates (m/s, rad/s) at which it is looked: what damps by a table may begin to at any of them."""

NO_FORCE = 1e-2
"""Force (N, N m) there that counts as none."""


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
    webbing = np.unique(system.straps.model.law)
    drops = any(_drops(system.laws, system.curves, n) for n in webbing[webbing >= 0])
    sorts[first[STRAP_EVENTS] : first[COORDINATE_EVENTS]] = JUMPS if drops else EASES
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
        if kind == LANKARANI or laws.number[n, GIVES_BACK] != 0.0 or _drops(laws, curves, n):
            continue
        forces = [normal_force(laws, curves, n, memory, 0, LOADING, AT_TOUCH, r)[0] for r in RATES]
        if max(forces) <= NO_FORCE:
            sorts[n] = EASES
    return sorts


def _drops(laws: Laws, curves: Curves, n: int) -> bool:
    """Whether a law that unloads keeps its whole depth somewhere: its force is gone at once as it turns."""
    kept = int(laws.curve[n, KEPT])
    if kept < 0:
        return False
    first, end = curves.first[kept], curves.first[kept + 1]
    places = np.append(curves.start[first:end], curves.start[end - 1] + 1.0)
    between = np.linspace(places[:-1], places[1:], 9).ravel()
    return any(curve_at(curves, kept, x)[0] >= 1.0 - 1e-9 for x in between)


def _sort_bags(system: System, sorts: IntArray) -> None:
    """Sort the events of bags: fires (or the inflator's next stop), fills, vents, touches."""
    model, at = system.bags.model, 0
    for k in range(len(model.body)):
        vents = model.vents[k, 1] - model.vents[k, 0]
        touches = model.touches[k, 1] - model.touches[k, 0]
        sorts[at + 2 : at + 2 + vents] = EASES
        sorts[at + 2 + vents : at + 2 + vents + touches] = JUMPS
        at += 2 + vents + touches
