"""Show planes and rims as what they stand for: upholstery, trim, carpet, sheet metal, a steering wheel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from app.scene.cushions import Cushion, cushion
from app.scene.meshes import Mesh, body, joined
from solver.maths.rotation import Array
from solver.project.geometry import Ellipsoid
from solver.project.pose import Placed, plane_corners, turn
from solver.project.segments import Plane

Stuff = Literal["cloth", "trim", "carpet", "metal", "leather", "bag"]

_SOFT: tuple[Stuff, ...] = ("cloth", "bag")
_WORDS: tuple[tuple[Stuff, float, str], ...] = (
    ("bag", 0.05, "bag|airbag"),
    ("metal", 0.012, "bonnet|hood|bumper|fender"),
    ("carpet", 0.012, "floor|toe board|firewall|pedals"),
    ("trim", 0.035, "bolster|dash|header|door|panel|row|wall|box|instrument"),
    ("cloth", 0.045, "seat|cushion|back|restraint|pan|bucket|pad"),
)
"""Words of a plane's name by which it is known, the first that fits, and half its thickness (m)."""
_GLASS = re.compile(r"\b(windscreen|window|glass)\b")
_LEAST, _SIDES = 10.0, 20
"""How square the edges of a cushion are, as a power of a hyperellipsoid, and points around it."""
_TUBE, _SPOKE = 0.075, 0.05
"""Half thickness of a wheel's rim, and half width of its spokes, as parts of its radius."""
_AROUND, _ALONG = 12, 48
_FROM: dict[Stuff, float] = {
    "cloth": -0.7,
    "trim": 0.35,
    "carpet": 0.0,
    "metal": 0.0,
    "leather": -1.0,
    "bag": -0.2,
}
"""Cosine of the angle to its front from which on each is seen: a seat from its side too, trim from inside alone."""


@dataclass(frozen=True, eq=False, slots=True)
class Furniture:
    """Hold what stands for a plane or a rim, in the axes of its segment."""

    mesh: Mesh
    stuff: Stuff
    middle: Array
    front: Array | None = None
    """To which side one must be to see it; from behind one sees through it, and so in. None for all sides."""
    cushion: Cushion | None = None
    """What gives way below those who lie on it, and where it is."""
    at: Placed | None = None

    def is_faced(self, eye: Array) -> bool:
        """Tell whether an eye in the axes of the segment (m) is so far to the front that it is seen."""
        if self.front is None:
            return True
        way = eye - self.middle
        return float(way @ self.front) > _FROM[self.stuff] * float(np.linalg.norm(way))


@lru_cache(maxsize=512)
def furnished(plane: Plane) -> Furniture | None:
    """Give what a plane stands for by its name; None for one that says nothing, is glass or has no edges."""
    words = f"{plane.id} {plane.name}".replace("_", " ").lower()
    kind = next(((s, t) for s, t, known in _WORDS if re.search(rf"\b({known})\b", words)), None)
    if kind is None or not plane.bounded or _GLASS.search(words):
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
    if min(along, beside) < 2.0 * half:
        return None
    at = Placed(np.column_stack([x, y, front]), middle)
    if stuff in _SOFT:
        made = cushion(0.5 * float(along), 0.5 * float(beside), half)
        return Furniture(made.mesh.moved(at.R_WS, middle), stuff, middle, front, made, at)
    semi = (0.5 * float(along), 0.5 * float(beside), half)
    hard = body(semi, (_LEAST, _LEAST, _LEAST), _SIDES)
    return Furniture(hard.moved(at.R_WS, middle - half * front), stuff, middle, front)


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
    tube = _TUBE * radius
    parts = [_ring(radius - tube, tube)]
    for angle in (0.0, 0.6 * np.pi, 1.4 * np.pi):
        c, s = np.cos(angle), np.sin(angle)
        way = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        spoke = body((0.45 * radius, _SPOKE * radius, 0.4 * tube), (6.0, 4.0, 4.0), 12)
        parts.append(spoke.moved(way, way @ np.array([0.52 * radius, 0.0, 0.0])))
    whole = joined(*parts)
    normals = np.vstack([part.normals for part in parts if part.normals is not None])
    centre = np.array(surface.centre_m)
    made = Mesh(whole.points, whole.faces, normals).moved(R, centre)
    return Furniture(made, "leather", centre)


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
