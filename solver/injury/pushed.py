"""From where a body is pushed: some limits hold for one direction of load alone."""

from __future__ import annotations

from typing import Literal

import numpy as np

from solver.maths.rotation import matrices
from solver.results.trajectory import Trajectory

Way = Literal["behind", "ahead", "side", "below", "above", ""]


def pushed_from(run: Trajectory, segment: str, gravity: tuple[float, float, float]) -> Way:
    """Say from where a segment is pushed most: by its greatest change of velocity, weight left out.

    Along the axes that the segment has at the start: x forward, y right, z down.
    """
    time = np.asarray(run.time)
    if len(time) < 2 or segment not in run.segment_ids:
        return ""
    motion = run.segment(segment)
    fallen = np.outer(time - time[0], gravity)
    change = (motion.velocity - motion.velocity[0] - fallen) @ matrices(motion.quaternion_wxyz[:1])[
        0
    ]
    greatest = change[int(np.argmax(np.linalg.norm(change, axis=1)))]
    axis = int(np.argmax(np.abs(greatest)))
    ways: tuple[tuple[Way, Way], ...] = (("behind", "ahead"), ("side", "side"), ("above", "below"))
    return ways[axis][0 if greatest[axis] > 0.0 else 1]
