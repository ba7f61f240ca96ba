"""What kernels get of the instant that is evaluated: records of arrays, and what elements meet.

Records are made where they are needed and passed by their parts; what they hold is nowhere copied.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray, Motion, Tree, Workspace
from solver.engine.forces.laws import Laws
from solver.engine.forces.surfaces import Planes, Surfaces
from solver.engine.maths.curve import Curves

# What elements meet: of what stands still and of what moves, all that contacts, webbing and bags ask for.


class Around(NamedTuple):
    """What contacts, webbing and bags meet: laws with their curves, surfaces and planes, weight, and how bodies move."""

    laws: Laws
    curves: Curves
    surfaces: Surfaces
    planes: Planes
    gravity: Array
    motion: Motion


# What kernels are told of the instant that is evaluated, as records of arrays and bundles.


class State(NamedTuple):
    """Coordinates, speeds, and the work of all causes with the states of elements behind it."""

    q: Array
    v: Array
    z: Array


class Bodies(NamedTuple):
    """All bodies as they stand: the tree and its modes, motion, workspace, coordinates and speeds."""

    tree: Tree
    locked: IntArray
    motion: Motion
    space: Workspace
    q: Array
    v: Array


class Moment(NamedTuple):
    """The time `t`, that which names the piece of histories (`within` the step), and when triggers have fired."""

    t: float
    within: float
    fires: Array


class Elements(NamedTuple):
    """States of elements (gas, muscles, dampers, ramps), in places of their own behind the works, and their rates."""

    z: Array
    rates: Array
