"""The shell of a car as a mesh, for show, and the corners of its body that touch roads and barriers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.segments import pack

SIDE = (
    (0.000, 0.44), (0.015, 0.52), (0.050, 0.60), (0.150, 0.66), (0.250, 0.69), (0.285, 0.70),
    (0.850, 0.70), (0.870, 0.70), (0.940, 0.69), (0.985, 0.66), (1.000, 0.50),
)  # fmt: skip
"""Upper edge of the body below the windows: part of its length from the nose, height in parts of the roof's."""
SILL = 0.18
"""Height of its lower edge (m)."""
ROOF = ((0.300, 0.70), (0.445, 0.985), (0.520, 1.0), (0.640, 1.0), (0.720, 0.97), (0.860, 0.70))
"""Roof with both screens, likewise; the first and last stand on the body."""
DOORPOST = 0.60
"""Where the post between the doors stands."""
IN = 0.15
"""How far the roof is in from the sides, in parts of half the width."""
ARCH = 1.12
"""Radius of a wheel's arch in parts of the wheel's."""
BALL = 0.05
"""Radius (m) of the corners that touch."""
NOSE = 0.17
"""Part of the length that is ahead of the front axle, where nothing is said (*assumed*)."""


def corners(
    length: float, width: float, roof: float, behind: float, high: float
) -> list[tuple[str, float, tuple[float, float, float]]]:
    """The corners of roof and body that touch: names, radii, and centres from the mass centre.

    The nose is about `NOSE` of the length ahead of the front axle.
    """
    nose = behind + NOSE * length + 0.06 * length
    found = list[tuple[str, float, tuple[float, float, float]]]()
    for side, y in (("left", -1.0), ("right", 1.0)):
        half = 0.5 * width
        for name, part, up, within in (
            ("roof_front", 0.46, 0.97, IN), ("roof_rear", 0.71, 0.955, IN), ("rail_front", 0.02, 0.17, 0.0),
            ("rail_rear", 0.98, 0.17, 0.0), ("sill_front", 0.40, 0.15, 0.0), ("sill_rear", 0.60, 0.15, 0.0),
            ("belt_front", 0.30, 0.62, 0.0), ("belt_rear", 0.85, 0.62, 0.0),
        ):  # fmt: skip
            place = (nose - part * length, y * (half * (1.0 - within) - BALL), high - up * roof)
            place = (place[0], place[1], place[2] + (BALL if up > 0.5 else 0.0))
            found.append((f"{name}_{side}", BALL, place))
    return found


def ends(
    length: float, width: float, behind: float, high: float
) -> list[tuple[str, tuple[float, float, float], tuple[float, float, float]]]:
    """Nose and tail as blocks that are crushed: names, half lengths, and centres from the mass centre."""
    nose = behind + (NOSE + 0.06) * length
    semi = (0.5, 0.5 * width, 0.22)
    return [
        ("nose", semi, (nose - 0.5, 0.0, high - 0.45)),
        ("tail", semi, (nose - length + 0.5, 0.0, high - 0.45)),
    ]


def car_mesh(
    length: float, width: float, roof: float, wheelbase: float, behind: float, high: float
) -> str:
    """The shell as packed points and triangles, in the axes of the body with its mass centre at the origin."""
    nose = behind + NOSE * length + 0.06 * length
    faces, points = list[tuple[int, int, int]](), list[Array]()

    def at(part: float, up: float, y: float) -> Array:
        return np.array([nose - part * length, y, high - up])

    def quad(a: Array, b: Array, c: Array, d: Array) -> None:
        # seen from both sides
        for corners_ in ((a, b, c, d), (d, c, b, a)):
            n = len(points)
            points.extend(corners_)
            faces.extend(((n, n + 1, n + 2), (n, n + 2, n + 3)))

    half = 0.5 * width
    top = _sampled(SIDE, 90)
    axles = [(nose - behind) / length, (nose - behind + wheelbase) / length]
    reach = 0.315 * ARCH
    lower = [_under(part, axles, reach / length, reach) for part, _ in top]
    for (one, up), (two, up2), low, low2 in zip(top, top[1:], lower, lower[1:], strict=False):
        for y in (-half, half):
            quad(at(one, low, y), at(two, low2, y), at(two, up2 * roof, y), at(one, up * roof, y))
        if not (0.285 < one < 0.86 and 0.285 < two < 0.865):
            quad(at(one, up * roof, -half), at(two, up2 * roof, -half), at(two, up2 * roof, half), at(one, up * roof, half))  # fmt: skip
    for part, up in (SIDE[0], SIDE[-1]):
        quad(
            at(part, SILL, -half),
            at(part, SILL, half),
            at(part, up * roof, half),
            at(part, up * roof, -half),
        )
    tunnel = half - 0.3
    quad(
        at(0.02, SILL, -tunnel),
        at(0.98, SILL, -tunnel),
        at(0.98, SILL, tunnel),
        at(0.02, SILL, tunnel),
    )
    inner = half * (1.0 - IN)
    for (one, up), (two, up2) in pairwise(ROOF[1:-1]):
        quad(at(one, up * roof, -inner), at(two, up2 * roof, -inner), at(two, up2 * roof, inner), at(one, up * roof, inner))  # fmt: skip
    for y in (-1.0, 1.0):
        posts = (
            (ROOF[0], ROOF[1]), ((DOORPOST, 0.70), (DOORPOST - 0.01, 1.0)), (ROOF[-1], ROOF[-2]),
        )  # fmt: skip
        for (foot, low_), (head, up) in posts:
            wide = 0.013 if foot < 0.5 else 0.016
            outer, in_ = y * half, y * inner
            quad(at(foot - wide, low_ * roof, outer), at(foot + wide, low_ * roof, outer), at(head + wide, up * roof, in_), at(head - wide, up * roof, in_))  # fmt: skip
            across = 0.05
            quad(at(foot, low_ * roof, outer), at(foot, low_ * roof, outer - y * across), at(head, up * roof, in_ - y * across), at(head, up * roof, in_))  # fmt: skip
        for (one, up), (two, up2) in pairwise(ROOF[1:-1]):
            quad(at(one, up * roof, y * inner), at(two, up2 * roof, y * inner), at(two, up2 * roof - 0.05, y * inner), at(one, up * roof - 0.05, y * inner))  # fmt: skip
    return pack(np.array(points), np.array(faces, np.int64))


def _sampled(line: Sequence[tuple[float, float]], count: int) -> list[tuple[float, float]]:
    x, y = np.array(line).T
    places = np.unique(np.concatenate([np.linspace(0.0, 1.0, count), x]))
    return [(float(a), float(np.interp(a, x, y))) for a in places]


def _under(part: float, axles: Sequence[float], reach: float, radius: float) -> float:
    """The lower edge at a place: the sill, or the arch of a wheel."""
    for axle in axles:
        off = (part - axle) / reach
        if abs(off) < 1.0:
            return max(SILL, 0.29 + radius * float(np.sqrt(1.0 - off * off)))
    return SILL
