"""What actuators with a reflex time sense: their coordinate as it was that long ago."""

from __future__ import annotations

from solver.engine.forces.coordinates.arrays import (
    LATE_PARTS,
    PAST,
    SEEN_RATE,
    SEEN_WAY,
    Coordinates,
)
from solver.engine.jit.kernels import inner, kernel
from solver.engine.jit.separate import separate


@inner
def sensed(coords: Coordinates, r: int, t: float, x: float) -> tuple[float, float]:
    """Give place and rate as they were a reflex time ago: cubics between what was kept.

    Before the start all stood where it starts; where nothing is kept, it stands as it does now.
    """
    newest, count, past = coords.newest[r, 0], coords.newest[r, 1], coords.past
    if count == 0:
        return x, 0.0
    when = t - coords.lag[r]
    oldest = (newest - count + 1) % PAST
    if when <= past[r, oldest, 0]:
        return float(past[r, oldest, 1]), 0.0
    late = when - past[r, newest, 0]
    if late >= 0.0:
        return float(past[r, newest, 1] + late * past[r, newest, 2]), float(past[r, newest, 2])
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if past[r, (oldest + middle) % PAST, 0] <= when:
            low = middle
        else:
            high = middle
    a, b = (oldest + low) % PAST, (oldest + high) % PAST
    h = past[r, b, 0] - past[r, a, 0]
    s = (when - past[r, a, 0]) / h
    xa, va, xb, vb = past[r, a, 1], h * past[r, a, 2], past[r, b, 1], h * past[r, b, 2]
    two, three = 3.0 * (xb - xa) - 2.0 * va - vb, 2.0 * (xa - xb) + va + vb
    return float(xa + s * (va + s * (two + s * three))), float(
        (va + s * (2.0 * two + 3.0 * s * three)) / h
    )


@separate
@kernel
def keep_sensed(coords: Coordinates, t: float, event: bool) -> None:
    """Keep what actuators that sense late have just seen: it is that of the end of an accepted step.

    At an event none is left out, and a rate that jumps is kept as it was before and as it is after.
    """
    for r in range(len(coords.lag)):
        n, newest, count, past = (
            coords.late_row[r],
            coords.newest[r, 0],
            coords.newest[r, 1],
            coords.past,
        )
        if count > 0:
            apart, spare = t - past[r, newest, 0], past[r, (newest + 2) % PAST, 0]
            both = event and (count < PAST - 1 or spare < t - coords.lag[r])
            if 0.0 < apart < coords.lag[r] / LATE_PARTS and not both:
                continue
            jumps = coords.seen[n, SEEN_RATE] != past[r, newest, 2]
            if apart > 0.0 or (both and jumps):
                newest = (newest + 1) % PAST
                count = min(count + 1, PAST)
        else:
            newest, count = 0, 1
        past[r, newest, 0], past[r, newest, 1], past[r, newest, 2] = (
            t, coords.seen[n, SEEN_WAY], coords.seen[n, SEEN_RATE],
        )  # fmt: skip
        coords.newest[r, 0], coords.newest[r, 1] = newest, count
