"""Show planes and rims as what they stand for: upholstery, trim, carpet, sheet metal, a steering wheel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.geometry import Ellipsoid, Hyperellipsoid
from solver.project.pose import Placed, plane_corners, turn
from solver.project.segments import Plane, Segment
from solver.scene.cushions import Cushion, cushion
from solver.scene.meshes import Mesh, body, faceted, joined

Stuff = Literal[
    "cloth", "trim", "carpet", "metal", "leather", "bag", "glass", "road", "handle",
    "paint", "lamp", "tail_lamp", "tint", "concrete", "foil",
]  # fmt: skip

_SOFT: tuple[Stuff, ...] = ("cloth", "bag")
_WORDS: tuple[tuple[Stuff, float, str], ...] = (
    ("glass", 0.004, "windscreen|windshield|window|glass"),
    ("road", 0.01, "road|pavement|street|tarmac|runway|asphalt"),
    ("bag", 0.05, "bag|airbag"),
    ("metal", 0.012, "bonnet|hood|bumper|fender"),
    ("carpet", 0.012, "floor|toe board|firewall|pedals"),
    ("trim", 0.035, "bolster|dash|header|roof|door|panel|row|wall|box|instrument"),
    ("cloth", 0.045, "seat|cushion|back|restraint|pan|bucket|pad"),
)
"""Words of a plane's name by which it is known, the first that fits, and half its thickness (m)."""
_SEWN = "seat|cushion|back|restraint|pan|bucket"
"""Words of what is upholstered: a pad, or a bag, has no seams over its top."""
_ROAD_M = 40.0
"""Edge of a road without edges."""
_BAND, _BAND_M = 0.03, 0.009
"""Half width of the dark band around glass in parts of its smaller edge, and half its thickness (m)."""
_COLUMN = (1.7, 0.16, 0.22)
"""Length of a steering column, its radius, and that of the boss behind the rim, in radii of the wheel."""
_LEG = (0.62, 0.70, 0.035)
"""Along a cushion and across it, where its legs stand, in halves of it; half their width, in the same."""
_RISES, _LEAST_WIDE_M = 0.3, 0.16
"""Sine of the least angle between a toe board and its floor, and its least half width, to have pedals."""
_SQUARED = (6.0, 6.0, 6.0)
_PEDALS = (
    (0.0, 0.15, 0.060, (0.042, 0.028, 0.008)),
    (0.0, 0.62, 0.052, (0.009, 0.115, 0.007)),
    (0.0, 1.00, 0.028, (0.012, 0.016, 0.030)),
    (0.11, -0.05, 0.010, (0.024, 0.075, 0.008)),
)
"""Pad of the brake, its arm, what carries the arm, and the accelerator: where to the right of the driver (m), how high over the
middle of the board in halves of it, how far before it (m), and half lengths to the right, up and away from it (m); assumed."""
_STEEP, _HIGH_M = 0.8, 0.8
"""Cosine of the most that a seat may lean over a floor, and how high it may be, to stand on it."""
_LEAST, _SIDES = 10.0, 20
"""How square the edges of a cushion are, as a power of a hyperellipsoid, and points around it."""
_RIM = 40
"""Points of the outline of a slab."""
TUBE, _SPOKE = 0.075, 0.05
"""Half thickness of a wheel's rim, and half width of its spokes, as parts of its radius."""
_COVER = 0.62, 2.0
"""How large and how thick the cover of an airbag is, in parts of what the engine has for its housing; by eye."""
_AROUND, _ALONG = 12, 48
_FROM: dict[str, float] = {
    "cloth": -0.7,
    "trim": 0.35,
    "carpet": 0.0,
    "metal": 0.0,
    "leather": -1.0,
    "bag": -0.2,
    "glass": -1.1,
    "road": 0.0,
    "handle": -1.1,
}
"""Cosine of the angle to its front from which on each is seen: a seat from its side too, trim from inside alone."""


@dataclass(frozen=True, eq=False, slots=True)
class Furniture:
    """What stands for a plane or a rim, in the axes of its segment."""

    mesh: Mesh
    stuff: Stuff
    middle: Array
    front: Array | None = None
    """To which side one must be to see it; from behind one sees through it, and so in. None for all sides."""
    cushion: Cushion | None = None
    """What gives way below those who lie on it, and where it is."""
    at: Placed | None = None
    is_endless: bool = False
    """Whether it is a road without edges, whose end is not seen."""
    frame: Mesh | None = None
    """What holds it, which is dark and never seen through: a band around glass, legs, a steering column."""
    edges: Mesh | None = None
    """Its edges as lines, which are drawn where one sees through it."""

    @property
    def is_clear(self) -> bool:
        """Whether one sees through it from all sides."""
        return self.stuff == "glass"

    @property
    def least(self) -> float:
        """Give the cosine of the angle between its front and the way to an eye from which on it is seen."""
        return _FROM[self.stuff]

    def is_faced(self, eye: Array) -> bool:
        """Whether an eye in the axes of the segment (m) is so far to the front that it is seen."""
        if self.front is None:
            return True
        way = eye - self.middle
        return float(way @ self.front) > self.least * float(np.linalg.norm(way))


@lru_cache(maxsize=512)
def furnished(plane: Plane) -> Furniture | None:
    """Give what a plane stands for by its name; None for one that says nothing, or has no edges and is no road."""
    words = f"{plane.id} {plane.name}".replace("_", " ").lower()
    kind = next(((s, t) for s, t, known in _WORDS if re.search(rf"\b({known})\b", words)), None)
    if kind is None or not (plane.bounded or kind[0] == "road"):
        return None
    stuff, half = kind
    corner, edge, other = plane_corners(plane)
    front = np.cross(edge, other)
    size = float(np.linalg.norm(front))
    if size <= 0.0:
        return None
    front /= size
    # across a seat is the axis that is nearer to its segment's y
    sides = edge / np.linalg.norm(edge), other / np.linalg.norm(other)
    y = max(sides, key=lambda side: abs(float(side[1])))
    x = np.cross(y, front)
    along, beside = (np.abs(np.array([edge, other]) @ way).sum() for way in (x, y))
    middle = corner + 0.5 * (edge + other)
    if not plane.bounded:
        along = beside = _ROAD_M
    if min(along, beside) < 2.0 * half:
        return None
    at = Placed(np.column_stack([x, y, front]), middle)
    if stuff in _SOFT:
        is_sewn = re.search(rf"\b({_SEWN})\b", words) is not None
        made = cushion(0.5 * float(along), 0.5 * float(beside), half, is_sewn=is_sewn)
        edges = _edges(0.5 * float(along), 0.5 * float(beside), half).moved(
            at.R_WS, middle - half * front
        )
        return Furniture(made.mesh.moved(at.R_WS, middle), stuff, middle, front, made, at, edges=edges)  # fmt: skip
    semi = (0.5 * float(along), 0.5 * float(beside), half)
    hard = body(semi, (_LEAST, _LEAST, _LEAST), _SIDES).moved(at.R_WS, middle - half * front)
    band = (
        _band(semi[0], semi[1]).moved(at.R_WS, middle - half * front) if stuff == "glass" else None
    )
    rim = None if band else _edges(*semi).moved(at.R_WS, middle - half * front)
    return Furniture(
        hard, stuff, middle, front, is_endless=not plane.bounded, frame=band, edges=rim
    )


def _edges(long: float, across: float, half: float) -> Mesh:
    """The outlines of both faces of a slab with these half lengths (m), and what joins them at its corners."""
    angle = 2.0 * np.pi * (np.arange(_RIM) + 0.5) / _RIM
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    ring = np.sign(ring) * np.abs(ring) ** (2.0 / _LEAST) * (long, across)
    faces = [np.column_stack([ring, np.full(_RIM, way * half)]) for way in (0.8, -0.8)]
    loops = [(*range(k, k + _RIM), k) for k in (0, _RIM)]
    corners = [(_RIM // 8 + n * _RIM // 4) for n in range(4)]
    return Mesh(np.vstack(faces), lines=(*loops, *((k, k + _RIM) for k in corners)))


def _band(long: float, across: float) -> Mesh:
    """The dark band around a pane with these half lengths (m)."""
    wide = _BAND * 2.0 * min(long, across)
    x, y = long - wide, across - wide
    bars = []
    for way in (1.0, -1.0):
        for size, place in (((long, wide), (0.0, way * y)), ((wide, across), (way * x, 0.0))):
            bar = body((*size, _BAND_M), (_LEAST, _LEAST, _LEAST), 12)
            bars.append(bar.moved(np.eye(3), np.array([*place, 0.0])))
    return _joined(bars)


def _joined(parts: Sequence[Mesh]) -> Mesh:
    """Join meshes and keep their normals."""
    made = joined(*parts)
    normals = np.vstack([part.normals for part in parts if part.normals is not None])
    return Mesh(made.points, made.faces, normals)


@lru_cache(maxsize=64)
def standing(plane: Plane, floor: Plane) -> Mesh | None:
    """Give the legs of a seat over a floor of the same segment; None where it does not stand above it."""
    seat, below = furnished(plane), furnished(floor)
    if seat is None or seat.cushion is None or seat.at is None or below is None:
        return None
    assert seat.front is not None
    assert below.front is not None
    up = below.front
    x, y = seat.at.R_WS[:, 0], seat.at.R_WS[:, 1]
    long, across = np.abs(seat.cushion.points).max(axis=0)[:2]
    under = seat.middle - 1.6 * seat.cushion.half * seat.front
    high = float((under - below.middle) @ up)
    corner, edge, other = plane_corners(floor)
    at = np.linalg.lstsq(np.column_stack([edge, other]), under - corner, rcond=None)[0]
    if not 0.0 < high < _HIGH_M or seat.front @ up < _STEEP or np.any((at < 0.0) | (at > 1.0)):
        return None
    legs = []
    for side in (-1.0, 1.0):
        beside = [(side * _LEG[1] + k * _LEG[2]) * across * y for k in (-1.0, 1.0)]
        tops = [under + way * _LEG[0] * long * x + off for way in (-1.0, 1.0) for off in beside]
        feet = [top - ((top - below.middle) @ up) * up for top in tops]
        legs.append(_prism(np.array(tops), np.array(feet)))
    return _joined(legs)


def start_together(project: Project, one: str, other: str) -> bool:
    """Whether two segments have the same axes at the start: one, or two roots put to the same place."""
    if one == other:
        return True
    at = {root.segment: root.model_copy(update={"segment": one}) for root in project.initial.roots}
    turned = {a.segment: a.model_copy(update={"segment": one}) for a in project.initial.attitudes}
    return one in at and at[one] == at.get(other) and turned.get(one) == turned.get(other)


def stood(furniture: Furniture, plane: Plane, project: Project) -> Furniture:
    """Stand a seat on the floor that is below it at the start, if there is one."""
    if furniture.stuff != "cloth":
        return furniture
    for floor in project.planes:
        if floor is not plane and start_together(project, plane.segment, floor.segment):
            own = furnished(floor)
            legs = standing(plane, floor) if own is not None and own.stuff == "carpet" else None
            if legs is not None:
                return replace(furniture, frame=legs)
    return furniture


@lru_cache(maxsize=64)
def pedals(board: Plane, floor: Plane) -> Mesh | None:
    """The brake before a toe board and the accelerator on it, whose driver sits before its middle.

    None where the plane is no toe board, or does not rise from that floor.
    """
    words = f"{board.id} {board.name}".replace("_", " ").lower()
    made, below = furnished(board), furnished(floor)
    if made is None or below is None or not re.search(r"\b(toe board|firewall|pedals)\b", words):
        return None
    assert made.front is not None
    assert below.front is not None
    _, edge, other = plane_corners(board)
    up = below.front - (below.front @ made.front) * made.front
    size = float(np.linalg.norm(up))
    if below.stuff != "carpet" or size < _RISES:
        return None
    up /= size
    right = np.cross(up, made.front)
    right *= 1.0 if right[1] >= 0.0 else -1.0
    R = np.column_stack([right, up, made.front])
    R = R if np.linalg.det(R) > 0.0 else R @ np.diag([-1.0, 1.0, 1.0])
    wide, high = (0.5 * float(np.abs(np.array([edge, other]) @ way).max()) for way in (right, up))
    if wide < _LEAST_WIDE_M:
        return None
    parts = []
    for across, along, off, half in _PEDALS:
        at = made.middle + across * right + along * high * up + off * made.front
        parts.append(body(half, _SQUARED, 12).moved(R, at))
    return _joined(parts)


def _prism(tops: Array, feet: Array) -> Mesh:
    """Close four corners above and four below them, each in the order of rows and columns."""
    a, b, c, d = range(4)
    quads = [
        (a, b, d, c), (a + 4, c + 4, d + 4, b + 4), (a, c, c + 4, a + 4),
        (c, d, d + 4, c + 4), (d, b, b + 4, d + 4), (b, a, a + 4, b + 4),
    ]  # fmt: skip
    points = np.vstack([tops, feet])
    faces = np.array([(q[i], q[j], q[k]) for q in quads for i, j, k in ((0, 1, 2), (0, 2, 3))])
    middle = points.mean(axis=0)
    one, other, third = (points[faces[:, k]] for k in range(3))
    out = np.einsum("ij,ij->i", np.cross(other - one, third - one), one - middle)
    faces[out < 0.0] = faces[out < 0.0][:, ::-1]
    return faceted(Mesh(points, faces))


@lru_cache(maxsize=64)
def wheel(surface: Ellipsoid) -> Furniture | None:
    """Give a steering wheel for its flat rim: a ring and three spokes."""
    a = np.array(surface.semi_axes_m)
    thin = int(np.argmin(a))
    wide = np.delete(a, thin)
    if float(a[thin]) > 0.4 * float(wide.min()) or float(np.ptp(wide)) > 0.1 * float(wide.max()):
        return None
    R = turn(surface.orientation) @ np.roll(np.eye(3), 2 - thin, axis=1)
    radius = float(wide.mean())
    tube = TUBE * radius
    parts = [_ring(radius - tube, tube)]
    for angle in (0.0, 0.6 * np.pi, 1.4 * np.pi):
        c, s = np.cos(angle), np.sin(angle)
        way = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        spoke = body((0.45 * radius, _SPOKE * radius, 0.4 * tube), (6.0, 4.0, 4.0), 12)
        parts.append(spoke.moved(way, way @ np.array([0.52 * radius, 0.0, 0.0])))
    centre = np.array(surface.centre_m)
    # the column goes ahead, where those who hold the wheel are not
    ahead = R if R[0, 2] > 0.0 else R @ np.diag([1.0, -1.0, -1.0])
    long, thin_, boss = (part * radius for part in _COLUMN)
    column = [
        body((thin_, thin_, 0.5 * long), (2.0, 2.0, 8.0), 16).moved(
            np.eye(3), np.array([0.0, 0.0, 0.5 * long])
        ),
        body((boss, boss, 0.5 * boss), (2.5, 2.5, 3.0), 20),
    ]
    return Furniture(
        _joined(parts).moved(R, centre),
        "leather",
        centre,
        frame=_joined(column).moved(ahead, centre),
    )


def steering(surface: Ellipsoid, surfaces: Sequence[Ellipsoid]) -> Furniture | None:
    """What stands for a surface of a steering wheel: its widest is the rim, others that are flat its hub."""
    made = wheel(surface)
    if made is None or surface is max(surfaces, key=lambda one: max(one.semi_axes_m)):
        return made
    own = body(surface.semi_axes_m, (2.5, 2.5, 2.5), 24)
    return Furniture(own.moved(turn(surface.orientation), made.middle), "leather", made.middle)


@lru_cache(maxsize=64)
def dashboard(surface: Ellipsoid) -> Furniture:
    """What stands for a part of a dashboard: trim for who sits behind it, seen through from ahead."""
    powers = surface.powers if isinstance(surface, Hyperellipsoid) else (2.0, 2.0, 2.0)
    R, centre = turn(surface.orientation), np.array(surface.centre_m)
    mesh = body(surface.semi_axes_m, powers, 48, 48).moved(R, centre)
    return Furniture(mesh, "trim", centre, np.array([-1.0, 0.0, 0.0]))


@lru_cache(maxsize=64)
def cover(surface: Ellipsoid) -> Furniture:
    """What stands for the housing of an airbag: the cover behind which it lies folded."""
    thin = int(np.argmin(surface.semi_axes_m))
    size = np.array(surface.semi_axes_m) * np.where(np.arange(3) == thin, _COVER[1], _COVER[0])
    powers = tuple(np.where(np.arange(3) == thin, 2.5, 3.0).tolist())
    centre = np.array(surface.centre_m)
    made = body((size[0], size[1], size[2]), (powers[0], powers[1], powers[2]), 32, 32)
    return Furniture(made.moved(turn(surface.orientation), centre), "leather", centre)


def stands_for(segment: Segment, surface: Ellipsoid) -> Furniture | None:
    """What stands for a surface of a steering wheel, a dashboard or a car's front; None for any other."""
    if is_called_wheel(segment.id):
        return steering(surface, segment.surfaces)
    if re.search(r"\bairbag\b.*\bhousing\b", segment.name.lower()):
        return cover(surface)
    if re.search(r"\bcar front\b", segment.name.lower()):
        return _front_of_car(surface)
    return dashboard(surface) if is_called_dashboard(segment) else None


@lru_cache(maxsize=64)
def _front_of_car(surface: Ellipsoid) -> Furniture:
    """A bumper, which is dark, or an edge of the bonnet, as sheet metal."""
    powers = surface.powers if isinstance(surface, Hyperellipsoid) else (2.0, 2.0, 2.0)
    centre = np.array(surface.centre_m)
    mesh = body(surface.semi_axes_m, powers, 40, 40).moved(turn(surface.orientation), centre)
    return Furniture(mesh, "leather" if "bumper" in surface.id else "metal", centre)


def is_called_dashboard(segment: Segment) -> bool:
    """Tell by its name whether a segment is a dashboard."""
    words = f"{segment.id} {segment.name}".replace("_", " ").lower()
    return re.search(r"\b(dashboard|instrument panel)\b", words) is not None


def is_called_wheel(id_: str) -> bool:
    """Tell by its name whether a segment is a steering wheel."""
    return "steering" in id_ and "wheel" in id_


def _ring(radius: float, tube: float) -> Mesh:
    """Make a closed ring about z, with exact normals."""
    u = np.repeat(np.linspace(0.0, 2.0 * np.pi, _ALONG + 1)[:-1], _AROUND)
    v = np.tile(np.linspace(0.0, 2.0 * np.pi, _AROUND + 1)[:-1], _ALONG)
    normals = np.column_stack([np.cos(u) * np.cos(v), np.sin(u) * np.cos(v), np.sin(v)])
    middle = radius * np.column_stack([np.cos(u), np.sin(u), np.zeros_like(u)])
    i, j = np.divmod(np.arange(_ALONG * _AROUND), _AROUND)
    ahead, up = (i + 1) % _ALONG, (j + 1) % _AROUND
    a, b = i * _AROUND + j, ahead * _AROUND + j
    c, d = ahead * _AROUND + up, i * _AROUND + up
    faces = np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    return Mesh(middle + tube * normals, faces.astype(np.int64), normals)
