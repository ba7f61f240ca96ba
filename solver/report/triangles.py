"""Kernel: fill triangles into a picture, each pixel by what is nearest there."""

from __future__ import annotations

import math
from typing import Any

from solver.engine.jit.kernels import kernel


@kernel
def fill(points: Any, faces: Any, colours: Any, is_closed: bool, picture: Any, depth: Any) -> None:
    """Draw triangles with a colour at each point into a picture of rows from the top.

    `points` (n, 3) are in pixels, right and down, and nearness (m). What is closed is not seen from within: its faces
    turn against the clock from outside.
    """
    rows, columns = depth.shape
    for n in range(len(faces)):
        a, b, c = faces[n, 0], faces[n, 1], faces[n, 2]
        ax, ay, bx, by = points[a, 0], points[a, 1], points[b, 0], points[b, 1]
        cx, cy = points[c, 0], points[c, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        # y goes down: what turns against the clock is below zero
        if abs(area) < 1e-9 or (is_closed and area > 0.0):
            continue
        left = max(math.ceil(min(ax, bx, cx)), 0)
        right = min(math.floor(max(ax, bx, cx)), columns - 1)
        top = max(math.ceil(min(ay, by, cy)), 0)
        bottom = min(math.floor(max(ay, by, cy)), rows - 1)
        for i in range(top, bottom + 1):
            for j in range(left, right + 1):
                p = ((bx - j) * (cy - i) - (by - i) * (cx - j)) / area
                q = ((cx - j) * (ay - i) - (cy - i) * (ax - j)) / area
                r = 1.0 - p - q
                if p < -1e-9 or q < -1e-9 or r < -1e-9:
                    continue
                near = p * points[a, 2] + q * points[b, 2] + r * points[c, 2]
                if near > depth[i, j]:
                    depth[i, j] = near
                    for k in range(3):
                        picture[i, j, k] = p * colours[a, k] + q * colours[b, k] + r * colours[c, k]
