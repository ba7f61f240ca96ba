"""The corners of what sticks or slides, presses or is clear: sharp, or rounded on the long way to a balance."""

from __future__ import annotations

import math

from solver.engine.jit.kernels import inlined


@inlined
def above(z: float, soft: float) -> tuple[float, float]:
    """Bring a number up to zero, with a rounded corner or a sharp one; and the slope."""
    if soft == 0.0:
        return (z, 1.0) if z > 0.0 else (0.0, 0.0)
    root = math.sqrt(z * z + 4.0 * soft * soft)
    return 0.5 * (z + root), 0.5 * (1.0 + z / root)


@inlined
def clamp(z: float, low: float, high: float, soft: float) -> tuple[float, float, float, float]:
    """Bring a number between two bounds, with rounded corners; and the slopes by all three."""
    if soft == 0.0 and not low < high:
        return low, 0.0, 0.5, 0.5
    under, by_low = above(low - z, soft)
    over, by_high = above(z - high, soft)
    return z + under - over, 1.0 - by_low - by_high, by_low, by_high
