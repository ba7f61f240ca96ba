"""Airbags as arrays: their states, stages, numbers, and what outputs see of them."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.jit.bundles import bundle

BLOWN, LOST, FREE_VOLUME, TANK, HEAT_IN, HEAT_OUT = range(6)
"""States of a bag: mass blown in and lost, free volume, mass in the tank, energy in and out."""


STATES = 6


FOLDED, FILLING, FULL = range(3)
"""Stages."""


APART, PRESSED, STUCK = range(3)
"""Stages of a touch; STUCK: the side that presses is about to end, and there is no other."""


(
    FABRIC, FACTOR, GAMMA, GAS, AMBIENT, THROAT, TANK_VOLUME, TANK_HEAT, TANK_MASS, SPRING, FRICTION,
    RAMP, VOLUME, INFLOW_HEAT, LEAK_AREA, LEAK_RATIO, IXX, IYY, IZZ, SUPPLY_HEAT,
) = range(20)  # fmt: skip
"""Numbers of a bag: fabric's mass and factor on all mass; ratio of heats and gas constant; pressure
outside; tank; spring to the panel; friction and its ramp; full volume; inflow's temperature if it is
constant; leaking area and its open ratio if it is constant; inertia of a unit of mass; temperature of
the supply at first."""


FLOW, FLOW_HEAT, LEAK = range(3)
"""Curves of a bag."""


(
    S_PRESSURE, S_VOLUME, S_HEAT, S_MASS, S_CENTRE, S_TURN, S_SEMI, S_FORCE, S_STATE, S_ENERGY,
    S_ONCE,
) = (0, 1, 2, 3, 4, 7, 16, 19, 22, 23, 24)  # fmt: skip
"""Entries of `seen`: gauge pressure, volume, temperature, mass; centre, turn, semi-axes; force on what
is no panel; stage; energy of the gas; part of the areas that is not counted twice."""


SEEN = 25


@bundle
class Airbags(NamedTuple):
    """Hold bags, their vents and what they may touch.

    `at` is the deployment point and `R` the bag's axes in the carrying body; `offset` the ellipsoid's
    centre from the bag's mass centre. `vents` and `touches` give first and end in the lists of vents
    and touches; a touch may be a panel. `surface` numbers a surface, and below zero a plane from the end, of which
    `ends` says whether it has edges; `corner` and `overlap` are room for these. `normal` starts the next search of a touch,
    `stage` says whether it presses, and whether no other side than one that ends was found. `stop` are ages of
    the inflator at which steps end, `stops` first and end of each bag's, `ahead` the next.
    """

    body: IntArray
    carrier: IntArray
    trigger: IntArray
    at: Array
    R: Array
    semi: Array
    offset: Array
    number: Array
    curve: IntArray
    vents: IntArray
    vent: Array
    vent_law: IntArray
    vent_stays: IntArray
    vent_held: IntArray
    touches: IntArray
    surface: IntArray
    is_panel: IntArray
    ends: IntArray
    normal: Array
    stage: IntArray
    pressed: Array
    regions: Array
    best: Array
    corner: Array
    overlap: Array
    stops: IntArray
    stop: Array
    ahead: IntArray
    state: IntArray
    seen: Array
    turn: Array
