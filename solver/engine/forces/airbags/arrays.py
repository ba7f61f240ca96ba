"""Airbags as arrays: their states, stages, numbers, and what outputs see of them."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.jit.kernels import struct

BLOWN, LOST, FREE_VOLUME, TANK, HEAT_IN, HEAT_OUT = range(6)
"""States of a bag: mass blown in and lost, free volume, mass in the tank, energy in and out."""


STATES = 6


FOLDED, FILLING, FULL = range(3)
"""Stages."""


APART, PRESSED, STUCK, KEPT = range(4)
"""Stages of a touch; STUCK: the side that presses is about to end, and there is no other; KEPT: it is over, and kept."""


(
    S_PRESSURE, S_VOLUME, S_HEAT, S_MASS, S_CENTRE, S_TURN, S_SEMI, S_FORCE, S_STATE, S_ENERGY,
    S_ONCE,
) = (0, 1, 2, 3, 4, 7, 16, 19, 22, 23, 24)  # fmt: skip
"""Entries of `seen`: gauge pressure, volume, temperature, mass; centre, turn, semi-axes; force on what
is no panel; stage; energy of the gas; part of the areas that is not counted twice."""


SEEN = 25


@struct
class BagModel(NamedTuple):
    """What never changes of bags, their vents and what they may touch.

    `at` is the deployment point and `R` the bag's axes in the carrying body; `offset` the ellipsoid's
    centre from the bag's mass centre. The mass is `factor` times that of `fabric` and gas, `moments` those of inertia of
    a unit of mass; `volume` that of the full bag. The gas has a ratio of heats `gamma` and a constant `gas`, `ambient` is
    the pressure outside. It comes from a tank, through a `throat`, or by `flow_curve`, with a temperature by `heat_curve`
    or constant; `inflow_heat` is that, or the tank's first temperature. It leaks through `leak_area`, open by
    `leak_curve` of the pressure or constant, `leak_ratio`. `spring` is the stiffness to the panel; `ramp` that of friction,
    or `grip` and `grip_damping` those of its bristles.
    `vents` and `touches` are first and end in the lists of vents, whose holes open at a pressure (`vent_opens`), and of
    touches; a touch may be a panel. `surface` numbers a surface, and below zero a plane from the end, of which `ends`
    says whether it has edges. `stop` are ages of the inflator at which steps end, `stops` first and end of each bag's.
    """

    body: IntArray
    carrier: IntArray
    trigger: IntArray
    at: Array
    R: Array
    semi: Array
    offset: Array
    fabric: Array
    factor: Array
    moments: Array
    volume: Array
    gamma: Array
    gas: Array
    ambient: Array
    throat: Array
    tank_volume: Array
    tank_heat: Array
    tank_mass: Array
    flow_curve: IntArray
    heat_curve: IntArray
    inflow_heat: Array
    leak_area: Array
    leak_curve: IntArray
    leak_ratio: Array
    spring: Array
    friction: Array
    ramp: Array
    grip: Array
    grip_damping: Array
    vents: IntArray
    vent_hole: Array
    vent_opens: Array
    vent_law: IntArray
    vent_stays: IntArray
    touches: IntArray
    surface: IntArray
    is_panel: IntArray
    ends: IntArray
    stops: IntArray
    stop: Array


@struct
class BagMemory(NamedTuple):
    """What bags take from one step and event into the next.

    `state` is the stage of a bag, `ahead` the next age at which a step ends. `vent_held` marks vents that stay open;
    `stage` says whether a touch presses, and whether no other side than one that ends was found, or that one is kept; `normal`, in the bag's
    frame, is that at the end of the last step: each search starts from it, and a side that is kept is it. `bristle` are
    rows of touches at the end of the last step, `bristle_end` those that the next step will start from.
    """

    state: IntArray
    ahead: IntArray
    vent_held: IntArray
    stage: IntArray
    normal: Array
    bristle: Array
    bristle_end: Array


@struct
class BagWorkspace(NamedTuple):
    """What an evaluation needs and leaves: of touches normal, depth, area and place; the volumes pressed in; what outputs see.

    `load` are force and place of each touch, ground axes: zeros where it does not press.

    `turn` holds the axes of bags, `turn_of_other` those of the surface that is looked at.
    """

    normal: Array
    depth: Array
    area: Array
    place: Array
    regions: Array
    best: Array
    corner: Array
    overlap: Array
    seen: Array
    turn: Array
    turn_of_other: Array
    bristle: Array
    load: Array


@struct
class Airbags(NamedTuple):
    """All bags."""

    model: BagModel
    memory: BagMemory
    workspace: BagWorkspace
