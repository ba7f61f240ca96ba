"""What elements meet: of what stands still and of what moves, all that contacts, webbing and bags ask for."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, Motion
from solver.engine.forces.laws import Laws
from solver.engine.forces.surfaces import Planes, Surfaces
from solver.engine.maths.curve import Curves


class Around(NamedTuple):
    """What contacts, webbing and bags meet: laws with their curves, surfaces and planes, weight, and how bodies move."""

    laws: Laws
    curves: Curves
    surfaces: Surfaces
    planes: Planes
    gravity: Array
    motion: Motion
