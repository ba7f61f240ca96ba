"""Model a body from soft lumps: head with a face, hands, shoes, and clothes over trunk and limbs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.engine.maths.rotation import Array
from solver.scene.people.build import Arm, Build, Leg, Oval
from solver.scene.people.hands import digits, frame
from solver.scene.people.nets import Lump, ball, limb

_HEM_M, _FLARE_M, _RUNS_M = 0.004, 0.005, 0.06
"""How much looser a shirt is than what it hangs over, how much more so at its hem, and how far up that runs out."""
_LONGER = 0.12
"""How much longer sleeves and legs are made, of which the end is cut off."""
_UP = np.array([0.0, 0.0, -1.0])


def head(b: Build) -> list[Lump]:
    """Give head and neck."""
    c = b.head.middle
    a, w, h = (float(v) for v in b.head.half)
    # tall ellipsoids of old tables hold a part of the neck
    h = min(h, 1.22 * a)
    c = c + np.array([0.0, 0.0, b.head.middle[2] - b.head.half[2] + h - c[2]])

    def at(x: float, y: float, z: float) -> Array:
        return np.asarray(c + np.array([x * a, y * w, -z * h]))

    soft = 0.16 * a
    lumps = [
        ball(at(-0.08, 0.0, 0.24), (0.92 * a, 0.97 * w, 0.76 * h)),
        ball(at(0.24, 0.0, -0.30), (0.64 * a, 0.80 * w, 0.66 * h), soft=1.6 * soft),
        ball(at(0.55, 0.0, -0.78), (0.26 * a, 0.36 * w, 0.18 * h), soft=1.3 * soft),
        # brow, cheeks
        ball(at(0.66, 0.0, 0.20), (0.20 * a, 0.62 * w, 0.13 * h), soft=soft),
    ]
    for side in (1.0, -1.0):
        lumps += [
            ball(at(0.55, 0.48 * side, -0.20), (0.22 * a, 0.28 * w, 0.22 * h), soft=soft),
            _cut(at(1.02, 0.37 * side, 0.02), 0.145 * a, 0.9 * soft),
            ball(at(0.70, 0.37 * side, 0.02), (0.16 * a, 0.20 * w, 0.13 * h), soft=0.1 * soft),
        ]
        if not b.figure.is_dummy:
            ear = (0.19 * a, 0.09 * w, 0.27 * h)
            lumps.append(ball(at(-0.08, 0.98 * side, -0.05), ear, soft=0.5 * soft))
    nose = [(0.0, 0.07 * a), (0.75, 0.125 * a), (1.0, 0.13 * a)]
    lumps += [
        limb(at(0.80, 0.0, 0.08), at(0.97, 0.0, -0.24), nose, soft=0.4 * soft),
        ball(at(0.76, 0.0, -0.50), (0.09 * a, 0.28 * w, 0.05 * h), soft=0.5 * soft),
        ball(at(0.745, 0.0, -0.59), (0.085 * a, 0.23 * w, 0.05 * h), soft=0.5 * soft),
    ]
    return [*lumps, _neck(b, 0.0, at(-0.12, 0.0, -0.25))]


def on_head(b: Build, points: Array) -> tuple[Array, Array, Array]:
    """Where points are on a head, in half its lengths: ahead, across, up."""
    a, w, h = (float(v) for v in b.head.half)
    h = min(h, 1.22 * a)
    c = np.array([b.head.middle[0], b.head.middle[1], b.head.middle[2] - b.head.half[2] + h])
    x, y, z = ((points - c) * (1.0 / a, 1.0 / w, -1.0 / h)).T
    return x, y, z


EYE = (0.37, 0.02, 0.165, 0.047)
"""Where an eye is on a head, across and up, and half its width and height, in half the head's lengths."""


def eye(b: Build, points: Array) -> Array:
    """Where a head's eyes are open, as values above zero: between two lids that are arcs."""
    x, y, z = on_head(b, points)
    across, up, wide, high = EYE
    u = (np.abs(y) - across) / wide
    lids = high * (1.0 - u * u)
    # the lower lid is flatter
    values = np.minimum(up + lids - z, z - up + 0.7 * lids) / high
    return np.where(x > 0.4, values, -1.0)


def iris(b: Build, points: Array) -> Array:
    """Where they have their iris, of which the lids cover a part."""
    _, y, z = on_head(b, points)
    across, up, wide, _ = EYE
    ratio = float(b.head.half[1] / min(b.head.half[2], 1.22 * b.head.half[0]))
    r = 0.42 * wide
    away = np.hypot(np.abs(y) - across + 0.005, (z - up - 0.012) / ratio)
    return np.asarray((r - away) / r)


def hair(b: Build, points: Array) -> tuple[Array, Array]:
    """Where a head has hair, as values above zero, and how thick it is there (m)."""
    x, y, z = on_head(b, points)
    # from the forehead down before the ears, around them and to the nape
    side = np.abs(y)
    front = 0.50 + 0.10 * np.clip(side - 0.2, 0.0, 1.0) - 0.62 * np.clip(0.42 - z, 0.0, 0.55)
    front = front - x
    nape = z + 0.62 - 0.10 * np.cos(2.2 * y)
    brow = z - 0.52 + 0.9 * np.clip(0.55 - x, 0.0, 1.5) + 0.10 * np.clip(side - 0.30, 0.0, 1.0)
    ear = np.sqrt(((x + 0.08) / 0.26) ** 2 + ((z + 0.08) / 0.34) ** 2) - 1.0
    ear = np.where(side > 0.6, 0.25 * ear, 1.0)
    values = np.min([front, nape, brow, ear], axis=0)
    a = float(b.head.half[0])
    thick = 0.085 * a * np.clip(values / 0.30, 0.0, 1.0) ** 0.6 + 0.02 * a
    return values, thick


def rubber(b: Build, points: Array) -> Array:
    """Where a dummy's head is its neck of rubber, as values above zero."""
    x, _, z = on_head(b, points)
    return np.asarray(np.minimum(-0.75 - z, 0.30 - x))


def _neck(b: Build, more: float, top: Array) -> Lump:
    """A neck from within the chest to within the head."""
    r = min(b.neck_m, 0.74 * float(b.head.half[1])) + more
    foot = b.nape - 0.12 * (top - b.nape) - np.array([0.25 * r, 0.0, 0.0])
    return limb(foot, top, [(0.0, 1.08 * r), (0.3, r), (1.0, 1.02 * r)], soft=0.025)


def trunk(b: Build, more: float = 0.0, flare: float = 0.0) -> list[Lump]:
    """Give pelvis, belly, chest and shoulders, each looser by `more` (m), and by `flare` at the hem."""
    pelvis, belly, chest = b.pelvis, b.belly, b.chest
    hip = 0.5 * (b.legs[0].hip + b.legs[1].hip)
    top = float(b.nape[2])
    shoulder = 0.5 * (b.arms[0].shoulder + b.arms[1].shoulder)
    stations = [
        (float(hip[2] + 0.45 * pelvis.half[2]), pelvis, 0.72, 0.82),
        (float(pelvis.middle[2]), pelvis, 0.98, 0.98),
        (float(belly.middle[2]), belly, 0.94, 0.89),
        (float(chest.middle[2] + 0.45 * chest.half[2]), chest, 0.94, 0.95),
        (float(chest.middle[2] - 0.25 * chest.half[2]), chest, 0.97, 1.0),
        (
            float(0.45 * shoulder[2] + 0.55 * (chest.middle[2] - 0.25 * chest.half[2])),
            chest,
            0.9,
            0.98,
        ),
    ]
    lumps = [_column(stations, more, flare, b.hem)]
    r = 0.5 * (b.arms[0].upper_m + b.arms[1].upper_m)
    for arm in b.arms:
        outer = arm.shoulder + np.array([0.0, -0.25 * r * arm.side, 0.25 * r])
        inner = np.array([0.5 * (outer[0] + b.nape[0]), 0.4 * outer[1], 0.5 * (top + outer[2])])
        root = np.array([b.nape[0] - 0.3 * r, 0.0, top + 0.25 * r])
        lumps.append(limb(inner, outer, [(0.0, 1.0 * r + more), (1.0, 1.02 * r + more)], soft=0.05))
        lumps.append(
            limb(root, outer, [(0.0, 0.85 * b.neck_m + more), (0.8, 0.6 * r + more)], soft=0.05)
        )
    return lumps


def clothes(b: Build) -> list[Lump]:
    """Trunk, collar, sleeves and legs, each a little longer than it is worn."""
    way = b.nod - b.nape
    collar = limb(
        b.nape - 0.2 * way, b.nape + 0.45 * way, [(0.0, 1.24 * b.neck_m), (1.0, 1.14 * b.neck_m)], soft=0.02
    )  # fmt: skip
    return [
        *trunk(b), collar, *(lump for arm in b.arms for lump in sleeve(arm)),
        *(lump for leg in b.legs for lump in _trouser(leg)),
    ]  # fmt: skip


def ends(b: Build) -> Iterator[tuple[Array, Array, float]]:
    """Where collar, sleeves and legs end: a place, the way out there, and how far around it that holds (m)."""
    way = b.nod - b.nape
    yield b.nape + 0.17 * way, way / np.linalg.norm(way), 2.2 * b.neck_m
    for arm in (one for one in b.arms if not one.is_half):
        way = (arm.wrist - arm.elbow) / np.linalg.norm(arm.wrist - arm.elbow)
        yield np.asarray(arm.wrist - 0.004 * way), way, 2.4 * arm.fore_m
    for leg in b.legs:
        way = (leg.ankle - leg.knee) / np.linalg.norm(leg.ankle - leg.knee)
        yield np.asarray(leg.ankle + 0.02 * (leg.ankle - leg.knee)), way, 2.4 * leg.lower_m


def hangs(above: Array) -> Array:
    """How much farther out a shirt is so far above its hem (m)."""
    return np.asarray(_HEM_M + _FLARE_M * np.exp(-np.maximum(above, 0.0) / _RUNS_M))


def sleeve(arm: Arm) -> Iterator[Lump]:
    """The sleeve of an arm, longer than it is worn; a half arm ends round."""
    r, f = arm.upper_m, arm.fore_m
    upper = [(0.0, 0.98 * r), (0.3, 1.06 * r), (0.7, 0.93 * r), (1.0, 0.86 * r)]
    fore = [(0.0, 0.86 * r), (0.25, 1.02 * f), (0.7, 0.85 * f), (1.0, 0.76 * f)]
    yield limb(arm.shoulder + 0.05 * (arm.elbow - arm.shoulder), arm.elbow, upper, soft=0.035)
    if not arm.is_half:
        yield limb(arm.elbow, arm.wrist + _LONGER * (arm.wrist - arm.elbow), fore, soft=0.02)


def _trouser(leg: Leg) -> Iterator[Lump]:
    r, s = leg.upper_m, leg.lower_m
    way = leg.ankle - leg.knee
    upper = [(0.0, 1.03 * r), (0.35, 0.98 * r), (0.75, 0.82 * r), (1.0, 0.74 * r)]
    lower = [(0.0, 0.72 * r), (0.28, 1.06 * s), (0.65, 0.94 * s), (1.0, 0.98 * s)]
    seat = leg.hip + np.array([-0.55 * r, -0.12 * r * leg.side, 0.30 * r])
    yield ball(seat, (0.92 * r, 0.9 * r, 0.95 * r), soft=0.05)
    yield limb(leg.hip, leg.knee, upper, soft=0.04)
    back = -0.22 * s * leg.axes[:, 0]
    yield limb(leg.knee, leg.ankle + _LONGER * way + 0.3 * back, lower, soft=0.035)
    yield ball(leg.knee + 0.28 * way + back, (1.02 * s, 0.98 * s, 2.2 * s), leg.axes, soft=0.03)


def shoe(leg: Leg) -> list[Lump]:
    """A shoe with a flat sole, whose shaft reaches into the trousers."""
    foot: Oval = leg.foot
    long, wide = float(foot.half[0]), float(foot.half[1])
    high = float(foot.half[2])
    sole = float(foot.middle[2]) + high
    y = float(foot.middle[1])
    heel = np.array([foot.middle[0] - long + 0.75 * wide, y, sole - 0.8 * high])
    toe = np.array([foot.middle[0] + long - 0.85 * wide, y, sole - 0.62 * high])
    radii = [(0.0, 0.74 * wide), (0.35, 0.72 * wide), (0.72, 0.98 * wide), (1.0, 0.82 * wide)]
    body = limb(heel, toe, radii, flat=(1.0, 1.0))
    instep = 0.5 * (heel + toe) * 0.4 + 0.6 * heel + np.array([0.0, 0.0, -0.6 * high])
    shaft = leg.ankle + 0.12 * (leg.knee - leg.ankle)
    s = leg.lower_m
    return [
        body,
        limb(shaft, instep, [(0.0, 0.52 * s), (1.0, 0.74 * wide)], soft=0.03),
        limb(leg.ankle, 0.45 * heel + 0.55 * toe, [(0.0, 0.58 * s), (1.0, 0.6 * wide)], soft=0.03),
        _beyond(np.array([0.0, 0.0, sole]), -_UP, body, 0.004),
    ]


def hand(arm: Arm) -> list[Lump]:
    """Give a palm, and the wrist in the sleeve; its fingers are tubes."""
    inner, palm, down = frame(arm)
    long = float(np.linalg.norm(arm.tip - arm.wrist))

    def at(across: float, along: float, deep: float = 0.0) -> Array:
        return np.asarray(arm.wrist + long * (across * inner + along * down + deep * palm))

    lumps = [
        limb(
            arm.wrist - 0.30 * long * down, at(0.0, 0.10),
            [(0.0, 0.60 * arm.fore_m), (1.0, 0.135 * long)], axes=arm.hand_axes, flat=(0.78, 1.0),
        )
    ]  # fmt: skip
    for begin, way, _, _ in digits()[:4]:
        across, deep, along = begin + 0.02 * way
        radii = [(0.0, 0.085 * long), (0.6, 0.070 * long), (1.0, 0.056 * long)]
        lumps.append(limb(at(0.5 * across, 0.10), at(across, along, deep), radii, soft=0.10 * long))
    thumb, way, bones, _ = digits()[4]
    ball_ = thumb + 0.75 * bones[0] * way
    lumps.append(
        limb(at(0.06, 0.14, 0.02), at(ball_[0], ball_[2], ball_[1]), [(0.0, 0.075 * long), (1.0, 0.058 * long)], soft=0.07 * long)
    )  # fmt: skip
    # below the little finger
    lumps.append(ball(at(-0.10, 0.26, 0.035), (0.05 * long, 0.065 * long, 0.17 * long), arm.hand_axes, soft=0.06 * long))  # fmt: skip
    return lumps


def caps(b: Build) -> list[tuple[Array, float]]:
    """The balls (m) within which a dummy has caps at knees and elbows."""
    knees = [(leg.knee, 0.95 * leg.upper_m) for leg in b.legs]
    return [*knees, *((arm.elbow, 1.05 * arm.upper_m) for arm in b.arms if not arm.is_half)]


def quarters(b: Build) -> Iterator[tuple[bool, list[Lump]]]:
    """The quarters of the targets at both sides of a dummy's head, and which of them are dark."""
    a, w, h = (float(v) for v in b.head.half)
    for side in (1.0, -1.0):
        centre = b.head.middle + np.array([-0.10 * a, 0.93 * side * w, -0.16 * h])
        disc = ball(centre, (0.42 * w, 0.11 * w, 0.42 * w))
        for x, z in ((1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)):
            ahead, below = np.array([x, 0.0, 0.0]), np.array([0.0, 0.0, z])
            yield x * z > 0.0, [
                disc, _beyond(centre, -ahead, disc, 0.0), _beyond(centre, -below, disc, 0.0)
            ]  # fmt: skip


def _column(
    stations: list[tuple[float, Oval, float, float]], more: float, flare: float, hem: float
) -> Lump:
    """The trunk through ovals at heights: each with its depth and width as parts of those of a box.

    It is looser by `more`, and by `flare` at a hem, which cells as large as those of cloth tell from what is below.
    """
    rows = sorted(
        (z, float(box.middle[0]), d * float(box.half[0]) + more, w * float(box.half[1]) + more)
        for z, box, d, w in stations
    )
    at, middle, deep, wide = (np.array(column) for column in zip(*rows, strict=True))
    # soft steps between the stations
    fine = np.linspace(at[0], at[-1], 60)
    off = flare * np.exp(-np.maximum(hem - fine, 0.0) / _RUNS_M)
    curves = [
        _smooth(fine, at, middle),
        *(_smooth(fine, at, values) + off for values in (deep, wide)),
    ]

    def distance(x: Array, y: Array, z: Array) -> Array:
        level = np.clip(z, at[0], at[-1])
        c, d, w = (np.interp(level, fine, curve) for curve in curves)
        over = np.abs(z - level) / 0.62
        u, v = np.abs(x - c) / d, np.abs(y) / w
        size = (u**2.3 + v**2.3) ** (1.0 / 2.3)
        least = np.minimum(d, w)
        return np.asarray(0.9 * (np.sqrt((size * least) ** 2 + over**2) - least))

    deep, wide = deep + flare, wide + flare
    low = np.array([float((middle - deep).min()), -float(wide.max()), at[0] - 0.1])
    high = np.array([float((middle + deep).max()), float(wide.max()), at[-1] + 0.1])
    return Lump(distance, low, high)


def _smooth(fine: Array, at: Array, values: Array) -> Array:
    """Lay a curve through values that does not go beyond them (Fritsch and Butland 1984).

    Its slope at a value is the weighted harmonic mean of those to both sides, and none at a turn.
    """
    size, slope = np.diff(at), np.diff(values) / np.diff(at)
    before, after = slope[:-1], slope[1:]
    one, other = size[:-1] + 2.0 * size[1:], 2.0 * size[:-1] + size[1:]
    turns = before * after <= 0.0
    whole = np.where(turns, 1.0, one * after + other * before)
    inner = np.where(turns, 0.0, (one + other) * before * after / whole)
    ends = [_end_slope(*size[:2], *slope[:2]), _end_slope(*size[-2:][::-1], *slope[-2:][::-1])]
    slopes = np.concatenate([ends[:1], inner, ends[1:]])
    n = np.clip(np.searchsorted(at, fine, side="right") - 1, 0, len(size) - 1)
    h, t = size[n], (fine - at[n]) / size[n]
    out: Array = values[n] * (1.0 + 2.0 * t) * (1.0 - t) ** 2 + values[n + 1] * t * t * (
        3.0 - 2.0 * t
    )
    return out + h * t * (1.0 - t) * (slopes[n] * (1.0 - t) - slopes[n + 1] * t)


def _end_slope(near: float, far: float, first: float, second: float) -> float:
    """The slope at an end from three values, as far as the curve stays within them."""
    slope = ((2.0 * near + far) * first - near * second) / (near + far)
    if slope * first <= 0.0:
        return 0.0
    if first * second <= 0.0 and abs(slope) > 3.0 * abs(first):
        return 3.0 * first
    return slope


def _cut(centre: Array, radius: float, soft: float) -> Lump:
    return ball(centre, (radius, radius, radius), soft=soft, cuts=True)


def _beyond(point: Array, way: Array, of: Lump, soft: float) -> Lump:
    """Cut away what of a lump lies beyond a plane."""
    w = way / np.linalg.norm(way)

    def distance(x: Array, y: Array, z: Array) -> Array:
        return np.asarray(
            (point[0] - x) * w[0]
            + (point[1] - y) * w[1]
            + (point[2] - z) * w[2]
            + 0.0 * (x + y + z)
        )

    room = np.full(3, 0.15)
    return Lump(distance, of.low - room, of.high + room, soft, cuts=True)
