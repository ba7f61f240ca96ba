"""Build bodies of cars, vans and buses of a few numbers, in the axes of a room: ahead, to the side, up."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.scene.around.build import Point, beam, joined_meshes, prism, skinned
from solver.scene.meshes import Indices, Mesh, body, globe_faces

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Kind:
    """What tells kinds of bodies apart (m): how they lie before the feet, behind the eyes, and over the road."""

    axle: float
    """From the feet ahead to the front axle."""
    overhang: float
    base: float
    """Between the axles."""
    behind: float
    """From the rear axle to the tail."""
    deck: float
    """How long the deck behind the rear window is; nearly none: the tail is a door."""
    lip: float
    """How much lower than the foot of the windscreen the bonnet's front is."""
    clear: float
    """How high the floor is over the road."""
    wheel: float


KINDS = {
    "sedan": Kind(0.40, 0.85, 2.75, 0.95, 0.55, 0.30, 0.27, 0.32),
    "suv": Kind(0.42, 0.82, 2.70, 0.85, 0.04, 0.16, 0.45, 0.37),
    "van": Kind(0.18, 0.72, 3.00, 0.95, 0.04, 0.22, 0.42, 0.34),
    "bus": Kind(-0.90, 2.40, 5.50, 3.00, 0.03, 0.06, 0.75, 0.48),
}
"""As the cars of their kind are, within a tenth or two; assumed."""
WORDS = {"suv": r"suv|off-?road|pick-?up", "van": r"van|minibus|transporter", "bus": r"bus|coach"}


@dataclass(frozen=True, slots=True)
class Form:
    """The lines of one body (m): ahead and up in its room, whose floor is at 0; the same on both sides of its middle."""

    nose: float
    tail: float
    axles: Pair
    road: float
    wheel: float
    middle: float
    half: float
    lip: float
    cowl: Pair
    top: Pair
    """The front edge of the roof."""
    rear: Pair
    """Its rear edge."""
    crest: float
    """How high it is, but for its edges."""
    deck: Pair
    """The foot of the rear window."""
    firewall: float
    bulkhead: float
    """Where the cabin ends, ahead and behind."""
    has_wheels: bool = False
    """Whether the model has wheels of its own."""

    @property
    def sill(self) -> float:
        """How high the lower edge is."""
        return self.road + 0.62 * self.wheel

    @property
    def is_sound(self) -> bool:
        """Whether its lines are those of a car, and not of planes that lie anywhere."""
        ahead = (
            self.tail < self.bulkhead < self.rear[0] < self.top[0] - 0.5 < self.cowl[0] < self.nose
        )
        ahead = (
            ahead
            and self.bulkhead < self.firewall < self.nose - 0.1
            and self.deck[0] < self.rear[0]
        )
        return (
            ahead
            and self.sill + 0.2 < self.lip < self.cowl[1] + 0.1
            and self.cowl[1] + 0.1 < self.top[1] < 4.0
        )

    @property
    def roof_half(self) -> float:
        """Half the width of the roof."""
        return self.half - 0.16

    def low(self, x: float) -> float:
        """The lower edge at a place: the sill, or the arch of a wheel."""
        found = self.sill
        for axle in self.axles:
            off = (x - axle) / (_ARCH * self.wheel)
            if abs(off) < 1.0:
                arch = self.road + self.wheel + _ARCH * self.wheel * math.sqrt(1.0 - off * off)
                found = max(found, arch)
        return found

    def belt(self, x: float) -> float:
        """How high the body is below its windows, and bonnet and deck at their middle."""
        lines = (
            (self.tail, self.deck[1] - 0.35), (self.tail + 0.03, self.deck[1] - 0.08), (self.tail + 0.10, self.deck[1] - 0.02),
            self.deck, self.cowl, (self.nose - 0.22, self.lip), (self.nose - 0.07, self.lip - 0.06), (self.nose, self.lip - 0.22),
        )  # fmt: skip
        along, up = np.array(lines).T
        return float(np.interp(x, along, up))

    def above(self, x: float) -> float:
        """How high the edge of the roof is at a place."""
        (front, up), (rear, end) = self.top, self.rear
        lines = (
            (rear, end), (rear + 0.25, end + 0.6 * (self.crest - end)), (0.5 * (front + rear), self.crest),
            (front - 0.28, self.crest - 0.01), (front - 0.12, up + 0.6 * (self.crest - up)), (front, up),
        )  # fmt: skip
        along, high = np.array(lines).T
        return float(np.interp(x, along, high))

    def wide(self, x: float) -> float:
        """Half the width at a place: it narrows to nose and tail."""
        ahead = max(0.0, (x - self.axles[0]) / (self.nose - self.axles[0]))
        back = max(0.0, (self.axles[1] - x) / (self.axles[1] - self.tail))
        return self.half * (
            1.0 - 0.12 * ahead**2 - 0.10 * ahead**12 - 0.07 * back**2 - 0.06 * back**12
        )

    def stations(self, start: float, end: float, apart: float = 0.16) -> list[float]:
        """Places along it, closer at wheels and at both ends."""
        found = list(np.linspace(start, end, max(2, round((end - start) / apart) + 1)))
        reach = _ARCH * self.wheel
        for axle in self.axles:
            found += [axle + reach * math.sin(a) for a in np.linspace(-0.5, 0.5, 11) * math.pi]
            found += [axle - reach - 0.004, axle + reach + 0.004]
        for end_, way in ((self.nose, -1.0), (self.tail, 1.0)):
            found += [end_ + way * off for off in (0.0, 0.01, 0.03, 0.07, 0.12, 0.22)]
        inside = sorted(round(float(x), 5) for x in found if start - 1e-9 <= x <= end + 1e-9)
        return [x for n, x in enumerate(inside) if n == 0 or x - inside[n - 1] > 1e-3]


_ARCH = 1.14
"""Radius of a wheel's arch in those of the wheel."""
_WALL_M, _DOOR_RISE = 0.075, (0.0, 0.12, 0.35, 0.6, 0.82, 0.95, 1.0)
_SIDE = (
    (0.0, 0.955),
    (0.12, 0.985),
    (0.35, 1.0),
    (0.6, 1.0),
    (0.82, 0.985),
    (0.95, 0.955),
    (1.0, 0.925),
)
"""Section of a side: height in parts of it, and half the width in parts of the largest."""
_ACROSS = (
    (0.0, 0.0),
    (0.80, 0.0),
    *((w, h) for h, w in _SIDE),
    (0.80, 1.012),
    (0.45, 1.03),
    (0.0, 1.035),
)
"""Section of nose and tail, from the middle below to the middle above."""


def lump(form: Form, start: float, end: float, crown: float = 1.0) -> Mesh:
    """The closed body from one place to another: a nose with its bonnet, which is as round as `crown` says, or a tail."""
    ring = np.array([*_ACROSS, *((-u, v) for u, v in _ACROSS[-2:0:-1])])
    rings = []
    for x in form.stations(start, end):
        low, high, wide = form.low(x), form.belt(x), form.wide(x)
        low = min(low, high - 0.02)
        up = (
            low
            + (high - low) * np.minimum(ring[:, 1], 1.0)
            + crown * np.maximum(ring[:, 1] - 1.0, 0.0)
        )
        rings.append(np.column_stack([np.full(len(ring), x), form.middle + wide * ring[:, 0], up]))
    return lofted(rings)


def lofted(rings: Sequence[Array]) -> Mesh:
    """What rings of as many points (n, 3) enclose one behind the other, closed at both ends."""
    points = np.vstack([rings[0].mean(axis=0), *rings, rings[-1].mean(axis=0)])
    return skinned(points, globe_faces(len(rings[0]), len(rings)))


def wall(form: Form, side: float, start: float, end: float) -> Mesh:
    """One side of the cabin below its windows, with its arches; `side` is -1 or 1."""
    heights, widths = np.array(_SIDE).T
    rings = []
    for x in form.stations(start, end, 0.3):
        low, high = form.low(x), form.belt(x)
        up = low + (high - low) * heights
        out = form.wide(x) * widths
        inner = out[[-1, 3, 0]] - (0.05, _WALL_M, _WALL_M)
        y = form.middle + side * np.concatenate([out, inner])
        z = np.concatenate([up, up[[-1, 3, 0]]])
        rings.append(np.column_stack([np.full(len(y), x), y, z]))
    return lofted(rings)


def roof(form: Form) -> Mesh:
    """The roof, a little round both ways."""
    across = np.linspace(-1.0, 1.0, 9)
    rings = []
    for x in _along_roof(form):
        y = form.middle + form.roof_half * across
        high = form.above(x) + 0.04 * (1.0 - across**2)
        up = np.concatenate([high, high[::-1] - 0.035])
        rings.append(np.column_stack([np.full(18, x), np.concatenate([y, y[::-1]]), up]))
    return lofted(rings)


def _along_roof(form: Form) -> list[float]:
    (front, _), (rear, _) = form.top, form.rear
    return sorted({front, front - 0.06, front - 0.12, front - 0.20, front - 0.28, *np.linspace(rear + 0.25, front - 0.4, 4), rear + 0.12, rear})  # fmt: skip


def posts(form: Form, side: float, post: Pair) -> Iterator[Mesh]:
    """Pillars and edge of the roof on one side; `post` is where the middle one stands, at its top and its foot."""
    s, r = form.middle + side * (form.half - 0.065), form.middle + side * form.roof_half
    edge = [(x, r, form.above(x)) for x in _along_roof(form)[::-2]]
    yield beam(((form.cowl[0], s, form.cowl[1] - 0.02), edge[0]), 0.07, 0.045)
    yield beam(edge, 0.055, 0.05)
    foot = post[1], s, form.belt(post[1]) - 0.02
    yield beam(((post[0], r, form.above(post[0])), foot), 0.085, 0.045)
    yield beam((edge[-1], (form.deck[0], s, form.deck[1] - 0.02)), 0.13, 0.05)


def windows(form: Form, side: float, post: Pair) -> Iterator[tuple[Point, ...]]:
    """The corners of the side windows."""
    s, r = form.middle + side * (form.half - 0.055), form.middle + side * (form.roof_half + 0.01)
    (x, z), (rear, end), (deck, low) = form.top, form.rear, form.deck
    middle = form.above(post[0])
    foot = form.belt(post[1])
    yield (
        (x, r, z),
        (form.cowl[0] - 0.02, s, form.cowl[1]),
        (post[1], s, foot),
        (post[0], r, middle),
    )
    yield (post[0], r, middle), (post[1], s, foot), (deck + 0.02, s, low), (rear, r, end)


def screens(form: Form) -> Iterator[tuple[Point, ...]]:
    """The corners of windscreen and rear window."""
    for (x, z), (foot, low) in ((form.top, form.cowl), (form.rear, form.deck)):
        a, b = form.roof_half - 0.01, form.half - 0.10
        m = form.middle
        yield (x, m - a, z + 0.02), (x, m + a, z + 0.02), (foot, m + b, low), (foot, m - b, low)


def slate(corners: Sequence[Point], thick: float = 0.008) -> Mesh:
    """A sheet with four corners that is closed, so that it is seen from both sides."""
    points = np.array(corners)
    front = np.cross(points[1] - points[0], points[2] - points[0])
    return prism(points, thick * front / np.linalg.norm(front))


@cache
def _wheel() -> tuple[Mesh, Mesh]:
    """Tyre and rim of a wheel with a radius and a width of 1."""
    tyre = _revolved(((0.62, 0.44), (0.80, 0.50), (0.95, 0.46), (1.0, 0.30), (1.0, -0.30), (0.95, -0.46), (0.80, -0.50), (0.62, -0.44)))  # fmt: skip
    rim = [_revolved(((0.02, 0.36), (0.15, 0.36), (0.15, -0.36), (0.02, -0.36)), 12)]
    rim.append(_revolved(((0.56, 0.43), (0.64, 0.43), (0.64, -0.43), (0.56, -0.43), (0.54, 0.0))))
    for n in range(5):
        c, s = math.cos(0.4 * math.pi * n), math.sin(0.4 * math.pi * n)
        turn = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
        spoke = body((0.25, 0.34, 0.06), (6.0, 8.0, 4.0), 8, 8)
        rim.append(spoke.moved(turn, turn @ np.array([0.35, 0.0, 0.0])))
    return tyre, joined_meshes(rim)


def wheels(form: Form, axle: float) -> tuple[Mesh, Mesh]:
    """What is dark of the two wheels of an axle, with the walls behind them, and their rims."""
    radius, wide = form.wheel, 0.68 * form.wheel
    sides = (-1.0, 1.0)
    both = []
    for made in _wheel():
        assert made.normals is not None
        sized = Mesh(made.points * (radius, wide, radius), made.faces, made.normals)
        off = form.half - 0.5 * wide - 0.015
        places = [np.array([axle, form.middle + s * off, form.road + radius]) for s in sides]
        both.append(joined_meshes([sized.moved(np.eye(3), at) for at in places]))
    angle = np.linspace(0.0, np.pi, 13)
    arch = _ARCH * radius * np.column_stack([np.cos(angle), 0.0 * angle, np.sin(angle)])
    behind = form.half - wide - 0.05
    at = [np.array([axle, form.middle + s * behind, form.road + radius]) for s in sides]
    walls = [prism(arch + p, np.array([0.0, -s * 0.03, 0.0])) for p, s in zip(at, sides, strict=True)]  # fmt: skip
    if form.has_wheels:
        return joined_meshes(walls), Mesh(np.zeros((0, 3)), normals=np.zeros((0, 3)))
    return joined_meshes([both[0], *walls]), both[1]


def _revolved(section: Sequence[Pair], around: int = 24) -> Mesh:
    """Turn a closed section (radius, place across) about the axis to the side."""
    angle = 2.0 * np.pi * np.arange(around) / around
    rings = [
        np.column_stack([r * np.cos(angle), np.full(around, y), r * np.sin(angle)])
        for r, y in section
    ]
    n, count = len(section), around
    i = np.arange(count)
    j = (i + 1) % count
    faces: list[Indices] = []
    for k in range(n):
        a, b = k * count, ((k + 1) % n) * count
        faces += [np.column_stack([a + i, a + j, b + i]), np.column_stack([a + j, b + j, b + i])]
    return skinned(np.vstack(rings), np.vstack(faces))


def lamps(form: Form, *, rear: bool) -> Mesh:
    """Both lamps at the front or at the rear."""
    x = form.tail + 0.05 if rear else form.nose - 0.10
    z = form.belt(form.tail + 0.05) - 0.13 if rear else form.lip - 0.18
    size = (0.07, 0.17, 0.055)
    made = body(size, (2.4, 3.0, 3.0), 16)
    y = form.wide(x) - (0.13 if rear else 0.16)
    return joined_meshes([made.moved(np.eye(3), np.array([x, form.middle + s * y, z])) for s in (-1.0, 1.0)])  # fmt: skip


def trim(form: Form, *, rear: bool) -> Mesh:
    """What is dark at one end: grille or plate, and the lower part of the bumper."""
    half = form.half
    sizes = (
        ((form.tail + 0.035, form.sill + 0.10, (0.06, 0.72 * half, 0.06)), (form.tail + 0.035, form.deck[1] - 0.25, (0.045, 0.26, 0.06)))
        if rear
        else ((form.nose - 0.045, form.lip - 0.16, (0.05, 0.42 * half, 0.05)), (form.nose - 0.055, form.sill + 0.10, (0.06, 0.70 * half, 0.06)))
    )  # fmt: skip
    parts = []
    for x, z, size in sizes:
        made = body(size, (4.0, 5.0, 4.0), 12)
        parts.append(made.moved(np.eye(3), np.array([x, form.middle, z])))
    return joined_meshes(parts)


def gaps(form: Form, side: float, post: Pair) -> Mesh:
    """Gaps around doors and their handles, as thin dark strips on the outside of one side."""
    heights, widths = np.array(_SIDE).T

    def on(x: float, part: float) -> Point:
        low, high = max(form.low(x), form.sill), form.belt(x)
        out = form.wide(x) * float(np.interp(part, heights, widths)) + 0.0015
        return x, form.middle + side * out, low + part * (high - low)

    front, rear = form.firewall - 0.12, form.deck[0] + 0.35
    rear = max(rear, form.axles[1] + _ARCH * form.wheel + 0.05)
    parts = []
    for x in (front, post[1], rear):
        way = [on(x, part) for part in (0.10, 0.35, 0.6, 0.82, 0.97)]
        parts.append(beam(way, 0.008, 0.004))
    low = [on(x, 0.10) for x in np.linspace(rear, front, 5)]
    parts.append(beam(low, 0.008, 0.004))
    for x in (post[1] + 0.14, rear + 0.14):
        handle = body((0.085, 0.016, 0.014), (3.0, 2.0, 2.5), 12)
        parts.append(handle.moved(np.eye(3), np.array(on(x, 0.80))))
    mirror = body((0.06, 0.10, 0.065), (3.0, 3.0, 3.0), 16)
    at = np.array(on(form.cowl[0] - 0.12, 1.0)) + np.array([0.0, 0.09 * side, 0.07])
    parts.append(mirror.moved(np.eye(3), at))
    return joined_meshes(parts)


def seat(hip: Point, wide: float = 0.5, *, tilt: float = 0.42, head: bool = True) -> Mesh:
    """An empty seat whose sitter's hips would be at a place."""
    x, y, z = hip
    half = 0.5 * wide
    c, s = math.cos(tilt), math.sin(tilt)
    lean = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
    flat = np.array([[0.985, 0.0, -0.17], [0.0, 1.0, 0.0], [0.17, 0.0, 0.985]])
    parts = [
        body((0.26, half, 0.075), (5.0, 6.0, 3.0), 28).moved(flat, np.array([x + 0.10, y, z - 0.16])),
        body((0.075, half, 0.33), (3.0, 6.0, 5.0), 28).moved(lean, np.array([x - 0.21, y, z]) + 0.30 * lean[:, 2]),
    ]  # fmt: skip
    if head:
        at = np.array([x - 0.20, y, z]) + 0.72 * lean[:, 2]
        parts.append(body((0.05, 0.13, 0.085), (3.0, 4.0, 4.0), 20).moved(lean, at))
    return joined_meshes(parts)
