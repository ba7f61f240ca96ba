"""Draw the line of a simple belt: over the ellipsoid where it lies on it, straight where it does not.

As in the engine (section 7.3) each side is looked at by itself: from its anchor it touches the section
through both anchors and the fixed point, or goes straight to the fixed point.
"""

from __future__ import annotations

import math

import numpy as np

from solver.engine.maths.rotation import Array

_POINTS = 17
"""On each side that lies on the surface."""


def over_sphere(a: Array, fixed: Array, b: Array) -> list[Array]:
    """Give the points on a unit sphere between anchors `a` and `b`, the fixed point among them."""
    normal = np.cross(a - fixed, b - fixed)
    size = float(np.linalg.norm(normal))
    if size < 1e-9:
        return [fixed]
    normal /= size
    centre = (fixed @ normal) * normal
    radius = float(np.linalg.norm(fixed - centre))
    if radius < 1e-9:
        return [fixed]
    e1 = (fixed - centre) / radius
    e2 = np.cross(normal, e1)

    def side(anchor: Array, sense: float) -> list[Array]:
        """Give the points between tangency and the fixed point; none where the belt is off there."""
        x, y = float((anchor - centre) @ e1), float((anchor - centre) @ e2)
        far = math.hypot(x, y)
        if far <= radius:
            return []
        lies = math.remainder(math.atan2(y, x) - sense * math.acos(radius / far), 2.0 * math.pi)
        if sense * lies <= 0.0:
            return []
        angles = np.linspace(lies, 0.0, _POINTS)[:-1]
        return [centre + radius * (math.cos(t) * e1 + math.sin(t) * e2) for t in angles]

    return [*side(a, 1.0), fixed, *side(b, -1.0)[::-1]]
