"""Fluid around the bodies of MuJoCo: drag of the box that has a body's inertia, as that program documents it (Computation, Fluid forces)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solver.engine.maths.rotation import matrix
from solver.exchange.trees.bodies import Body, Link, ReadNotes

THINNEST = 1e-15
"""Least of what the square of an edge follows from, as there."""


def fluid(m: Any, bodies: list[Body], read_notes: ReadNotes) -> list[Link]:
    """Give each body that moves drag and viscous damping along and about its principal axes; where a wind blows, against a body that goes with it."""
    blows = bool(np.any(m.opt.wind))
    against = len(bodies) if blows else -1
    found, shaped = list[Link](), list[str]()
    where = [(np.zeros(3), np.eye(3))]
    for n in range(1, m.nbody):
        place, R = where[int(m.body_parentid[n])]
        where.append((place + R @ bodies[n - 1].place, R @ bodies[n - 1].R))
        first, count = int(m.body_geomadr[n]), int(m.body_geomnum[n])
        if np.any(m.geom_fluid[first : first + count, 0]):
            shaped.append(bodies[n - 1].name)
        elif m.body_weldid[n] and m.body_mass[n] >= THINNEST:
            found.append(_of_box(m, n, bodies[n - 1], where[n], against))
    if found:
        read_notes.say("Fluid around bodies damps them along and about their axes of inertia, by bushings on the ground.")  # fmt: skip
    if found and blows:
        bodies.append(Body("wind", -1, is_free=True, mass=1.0, inertia=np.eye(3)))
        read_notes.say("The wind is a body of 1 kg that goes with it, whatever acts on it; bushings hold on to that.")  # fmt: skip
    if shaped:
        read_notes.say("Fluid around ellipsoids (fluidshape) is left out, for: {names}.", names=", ".join(shaped))  # fmt: skip
    return found


def _of_box(m: Any, n: int, body: Body, where: tuple[Any, Any], against: int) -> Link:
    moments, rho, thick = m.body_inertia[n], float(m.opt.density), float(m.opt.viscosity)
    whole = float(np.sum(moments))
    # edges of the box whose inertia that is: of x from I_y + I_z - I_x
    x, y, z = (math.sqrt(max(whole - 2.0 * float(one), THINNEST) / float(m.body_mass[n]) * 6.0) for one in moments)  # fmt: skip
    across = (x + y + z) / 3.0
    damping = (3.0 * math.pi * across * thick,) * 3 + (math.pi * across**3 * thick,) * 3
    faces = (y * z, z * x, x * y)
    turning = (x * (y**4 + z**4), y * (z**4 + x**4), z * (x**4 + y**4))
    drag = (*(0.5 * rho * one for one in faces), *(rho * one / 64.0 for one in turning))
    place, R = where
    own = matrix(m.body_iquat[n])
    at_start = (against, place + R @ body.centre, R @ own)
    ends = [at_start, (n - 1, body.centre, own)]
    return Link(f"{body.name}_fluid", "bushing", ends, (0.0,) * 6, damping, drag)
