"""Show an airbag as cloth: two flat pieces sewn together at their edge, folded where there is too much of it.

Cloth does not stretch. Where the bag's ellipsoid has less room than the cloth that covers it, the rest
stands in folds: all around the seam, because flat pieces are too long there, and everywhere while the
bag is not full. It lies on the bodies that press into it, as deep as the engine has them in the bag.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array, cross, yaw_pitch_roll
from solver.project import Project
from solver.project.airbags import Airbag
from solver.project.geometry import Ellipsoid, Hyperellipsoid, Orientation, SurfaceRef
from solver.project.pose import Placed, full_bag, plane_extent
from solver.project.segments import Plane
from solver.scene.cushions import Bodies, factors, first_met, near, products
from solver.scene.furnishing import is_called_wheel, wheel
from solver.scene.meshes import Indices, Mesh, crossed, globe_faces
from solver.scene.placing import Pose
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import body_of

FINE, ROUGH, FOLDS = (27, 136), (17, 84), 34
"""Rings between both ends and points around the axis, at rest and in motion; and folds around the seam."""
_CLOSER = 1.45
"""How much closer rings stand at the seam, as a power."""
_SLAB_M, _WIDE, _FLAT = 0.05, 5, (20.0, 20.0, 20.0)
"""Half the depth of the slab that stands for a plane; by how many of its edges one without edges goes on; its powers."""
_STITCHED = 0.30
"""Where a ring is sewn on the front, as tethers hold there, in parts of the way from its middle to the seam."""
_BAND_RAD = 0.012
"""Half width of what is sewn, as an angle of the grid."""
MOST_CUT, MOST_SLACK = 0.30, 0.60
"""Most of the cloth that stands in folds, over that without folds: more is cut out of a bag; more than that lies in layers."""
_SHAPED = (9.0, 34.0)
"""How short gathers at the seam are, the longest and the shortest of them: powers of the sine of the way to it."""
_PILLOWS = ((7.0, 0.0), (3.0, 5.0), (11.0, 7.0))
"""Rows of pillows in which a slack bag stands: how many around its axis, and how many from end to end."""
_FLANGE_M = 0.006
"""How far the seam stands out."""
_ROOM = 0.35
"""Part of the room between front and back that folds of a slack bag may take."""
_FROM = 0.6
"""From where the cloth is pushed in: this part of the way from the bag's middle to where it is held."""
_BEFORE_M = 0.008
"""How far before what holds the bag that place is, where the bag goes into it."""
CLEAR_M = 0.004
"""How far cloth is drawn off the body it lies on."""
_DARK, _SHADE_M, _SEAM, _HOLE = 0.34, 0.03, 0.62, 0.22
"""How dark cloth is beside a body and over what distance, and seams and vents."""
_VENT_AT, _VENT_RINGS, _VENT_POINTS, _VENT_LIFT_M = 1.22, 4, 16, 0.004
"""Where vents are, as an angle from the middle of the back; how many rings of how many points follow the folds
there; and how far before the cloth they are drawn."""


@dataclass(frozen=True, eq=False, slots=True)
class Cloth:
    """The cloth of a full bag in the bag's axes: where it would lie without folds, and what stands in folds."""

    grid: tuple[int, int]
    """Rings between both ends, and points around the axis."""
    points: Array
    normals: Array
    faces: Indices
    excess: Array
    """Cloth around the axis over the way around, less one."""
    across: tuple[Array, Array]
    """Heights (m), with their sign, of gathers at the seam and of pillows all over, for an excess of one."""
    flange: Array
    """How far (m) the edges of both pieces stand out where they are sewn together."""
    dark: Array
    holes: tuple[NDArray[np.int64], Array]
    """Which four points hold each point of a vent, and by what parts."""


@lru_cache(maxsize=32)
def sewn(
    semi: tuple[float, float, float], vents: tuple[float, ...] = (), grid: tuple[int, int] = FINE
) -> Cloth:
    """Sew a bag of two flat pieces (semi-axes in m), with round vents of areas (m2) in the back."""
    rings, around_axis = grid
    t = np.linspace(-1.0, 1.0, rings)
    v = 0.5 * np.pi * (1.0 + np.sign(t) * np.abs(t) ** _CLOSER * (1.0 - 1.0 / (rings + 1)))
    # what is sewn is as narrow as three rings beside each other
    for middle in (0.5 * np.pi, np.pi - 0.5 * np.pi * _STITCHED):
        at = int(np.abs(v - middle).argmin())
        v[at - 1 : at + 2] = middle + _BAND_RAD * np.array([-1.0, 0.0, 1.0])
    u = np.linspace(0.0, 2.0 * np.pi, around_axis + 1)[:-1]
    ring = np.stack([np.zeros_like(u), np.cos(u), np.sin(u)], axis=1)
    unit = np.cos(v)[:, None, None] * np.array([1.0, 0.0, 0.0]) + np.sin(v)[:, None, None] * ring
    a, b, c = semi
    wide = np.hypot(b * np.cos(u), c * np.sin(u))
    # the way from the nearer end along each meridian, which is how far flat cloth is from its middle
    fine = np.linspace(0.0, np.pi, 721)
    speed = np.sqrt((a * np.sin(fine))[:, None] ** 2 + (wide * np.cos(fine)[:, None]) ** 2)
    step = 0.5 * (speed[1:] + speed[:-1]) * (fine[1] - fine[0])
    far = np.vstack([np.zeros(around_axis), np.cumsum(step, axis=0)])
    from_end = np.minimum(far, far[-1] - far)
    way = np.stack([np.interp(v, fine, from_end[:, k]) for k in range(around_axis)], axis=1)
    radius = np.sin(v)[:, None] * wide
    # no two gathers are as long
    mixed = 0.5 + 0.3 * np.sin(11.0 * u + 0.6) + 0.2 * np.sin(17.0 * u + 2.0)
    short = _SHAPED[0] + (_SHAPED[1] - _SHAPED[0]) * mixed
    excess = np.clip(way / radius - 1.0, 0.0, MOST_CUT) * np.sin(v)[:, None] ** short
    gathers, pillows = _waves(u, v, radius, float(far[-1].mean()))
    dark, flange = np.ones(grid), np.zeros(grid)
    dark[int(np.abs(v - np.pi + 0.5 * np.pi * _STITCHED).argmin())] = _SEAM
    seam = int(np.abs(v - 0.5 * np.pi).argmin())
    # both pieces end beyond their stitches, which lie in the shade of that
    dark[seam - 1 : seam + 2], flange[seam] = np.array([[_SEAM], [0.94], [_SEAM]]), _FLANGE_M
    ends = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    flat = np.vstack([ends[:1], unit.reshape(-1, 3), ends[1:]])
    normals = flat / np.array(semi)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)

    def whole(inner: Array, end: float) -> Array:
        return np.concatenate([[end], inner.ravel(), [end]])

    faces = globe_faces(around_axis, rings)
    holes = _vents(semi, vents, v, around_axis)
    each = _VENT_RINGS * _VENT_POINTS + 1
    fans = [_disc(len(flat) + k * each) for k in range(len(vents))]
    count = len(vents) * each
    return Cloth(
        grid,
        flat * semi,
        normals,
        np.vstack([faces, *fans]).astype(np.int64),
        whole(excess, 0.0),
        (whole(gathers, 0.0), whole(pillows, 0.0)),
        whole(flange, 0.0),
        np.concatenate([whole(dark, 1.0), np.full(count, _HOLE)]),
        holes,
    )


def _waves(u: Array, v: Array, radius: Array, long: float) -> tuple[Array, Array]:
    """Give gathers around the axis and pillows all over: heights for an excess of one.

    A wave of length w and height h, small beside it, is longer than its base by (pi h / w)^2. Cloth that gas holds
    out is round outward and creased inward.
    """
    # no two folds are alike
    phase = FOLDS * u + 1.1 * np.sin(2.0 * u + 1.0) + 0.7 * np.sin(5.0 * u) + 0.5 * np.sin(7.0 * u)
    rate = FOLDS + 2.2 * np.cos(2.0 * u + 1.0) + 3.5 * np.cos(5.0 * u) + 3.5 * np.cos(7.0 * u)
    gathers = 2.0 * radius / rate * np.cos(phase)
    pillows, end = np.zeros_like(radius), v[:, None]
    for n, (about, ahead) in enumerate(_PILLOWS):
        way = about * u + ahead * end + 1.3 * np.sin(2.0 * u + 1.7 * n) + 0.8 * np.sin(3.0 * u + 2.1 * end + n)  # fmt: skip
        # so many radians of it to a metre
        steep = np.hypot(about / np.maximum(radius, 1e-9), ahead * np.pi / long)
        pillows += 2.0 / (math.sqrt(len(_PILLOWS)) * steep) * pillow(way)
    return gathers, pillows * np.sin(end)


def pillow(phase: Array) -> Array:
    """A wave that is round above and creased below, with the mean and the mean square of the slope of a cosine."""
    return np.asarray(2.0 * np.abs(np.cos(0.5 * phase)) - 4.0 / np.pi)


def _vents(
    semi: tuple[float, float, float], areas: tuple[float, ...], v: Array, around: int
) -> tuple[NDArray[np.int64], Array]:
    """Find where the points of vents lie between those of the grid: middle first, then around."""
    at: list[Array] = []
    parts: list[Array] = []
    a, b, c = semi
    for k, area in enumerate(areas):
        middle = np.pi * (0.5 + (2 * k + 1) / len(areas))
        size = math.sqrt(area / np.pi)
        turn = np.linspace(0.0, 2.0 * np.pi, _VENT_POINTS + 1)[:-1]
        ring = size * np.column_stack([np.cos(turn), np.sin(turn)])
        sizes = np.linspace(0.0, 1.0, _VENT_RINGS + 1)[1:]
        off = np.vstack([[[0.0, 0.0]], *(part * ring for part in sizes)])
        wide = math.hypot(b * math.cos(middle), c * math.sin(middle))
        speed = math.hypot(a * math.sin(_VENT_AT), wide * math.cos(_VENT_AT))
        on_v = np.clip(_VENT_AT + off[:, 0] / speed, v[0], v[-1])
        on_u = middle + off[:, 1] / (wide * math.sin(_VENT_AT))
        row = np.clip(np.searchsorted(v, on_v, side="right") - 1, 0, len(v) - 2)
        w = (on_v - v[row]) / (v[row + 1] - v[row])
        place = on_u / (2.0 * np.pi) * around
        column = np.floor(place).astype(np.int64)
        z = place - column
        one, other = column % around, (column + 1) % around
        low, high = 1 + row * around, 1 + (row + 1) * around
        at.append(np.column_stack([low + one, low + other, high + one, high + other]))
        parts.append(np.column_stack([(1 - w) * (1 - z), (1 - w) * z, w * (1 - z), w * z]))
    if not at:
        return np.zeros((0, 4), np.int64), np.zeros((0, 4))
    return np.vstack(at).astype(np.int64), np.vstack(parts)


def _disc(start: int) -> Indices:
    """Join the points of a vent: its middle, and ring after ring around that."""
    i, n = np.arange(_VENT_POINTS), _VENT_POINTS
    inner = start + 1 + n * np.arange(_VENT_RINGS - 1)[:, None]
    one, other = (inner + i).ravel(), (inner + (i + 1) % n).ravel()
    return np.vstack(
        [
            np.column_stack([np.full(n, start), start + 1 + i, start + 1 + (i + 1) % n]),
            np.column_stack([one, one + n, other + n]),
            np.column_stack([one, other + n, other]),
        ]
    )


def area(semi: Array) -> float:
    """The area of an ellipsoid (m2), within 1.1 % (Thomsen's formula)."""
    a, b, c = np.asarray(semi, float) ** 1.6075
    return float(4.0 * np.pi * ((a * b + b * c + c * a) / 3.0) ** (1.0 / 1.6075))


def spread(cloth: Cloth, semi: Array, M: Array) -> Array:
    """The points of cloth over an ellipsoid that M has made of the full bag, about its middle.

    What the cloth has more of than it covers stands in pillows all over.
    """
    left = np.asarray(np.linalg.svd(M * semi, compute_uv=False), float)
    slack = min(max(area(semi) / area(left) - 1.0, 0.0), MOST_SLACK)
    points = cloth.points @ M.T
    normals = cloth.normals @ np.linalg.inv(M)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    scale = float(np.cbrt(abs(np.linalg.det(M))))
    high = scale * (
        np.sqrt(cloth.excess) * cloth.across[0] + math.sqrt(slack) * cloth.across[1] + cloth.flange
    )
    if slack > 0.0:
        # a flat bag has no room for high folds: they end before they meet those of its other side
        room = _ROOM * np.abs(np.einsum("ij,ij->i", points, normals)) + CLEAR_M
        high = room * np.tanh(high / room)
    out: Array = points + high[:, None] * normals
    return out


def pressed(points: Array, start: Array, bodies: Bodies) -> tuple[Array, Array]:
    """Lay points on the bodies that lie between them and a place inside the bag; give how near each is to one (m)."""
    ways = points - start
    off = CLEAR_M / np.maximum(np.sqrt(np.einsum("ij,ij->i", ways, ways)), 1e-9)
    ovals, others = bodies.some(bodies.is_ellipsoid), bodies.some(~bodies.is_ellipsoid).each()
    A, away = ovals.forms(), start - ovals.places
    turned = np.einsum("nij,nj->ni", A, away)
    # along a way by a part s of it, x A x is a s s + 2 b s + c, in a row for each body
    a, b = factors(A) @ products(*ways.T), turned @ ways.T
    c = np.einsum("ni,ni->n", turned, away)[:, None]
    rest = b * b - a * (c - 1.0)
    first = (-b - np.sqrt(np.maximum(rest, 0.0))) / np.maximum(a, 1e-300)
    met = np.where((rest > 0.0) & (first >= 0.0), first, np.inf).min(axis=0, initial=np.inf)
    seen = [(body.unit(start), (ways @ body.R_WE) / body.axes, body) for body in others]
    for from_, along, body in seen:
        met = np.minimum(met, first_met(from_, along, body.powers))
    part = np.minimum(np.maximum(met - off, 0.0), 1.0)
    level = c + part * (2.0 * b + part * a)
    least = ovals.axes.min(axis=1, initial=np.inf)[:, None]
    gap = ((np.sqrt(np.maximum(level, 0.0)) - 1.0) * least).min(axis=0, initial=np.inf)
    for from_, along, body in seen:
        gap = np.minimum(gap, near(from_ + part[:, None] * along, body.axes))
    return start + part[:, None] * ways, gap


def inside(middle: Array, out: Array, holders: Bodies) -> Array:
    """A place inside a bag near the end where it is held, which lies at `out` from its middle.

    The engine lets a bag go into what holds it; cloth does not: the place is before all of that.
    """
    start, way = middle - _FROM * out, 2.0 * _FROM * out
    part = 1.0
    for body in holders.each():
        along = (way @ body.R_WE) / body.axes
        part = min(part, float(first_met(body.unit(start), along[None], body.powers)[0]))
    if part < 1.0:
        part = max(0.0, part - _BEFORE_M / max(float(np.linalg.norm(way)), 1e-9))
    return np.asarray(start + part * way)


def outward(points: Array, grid: tuple[int, int] = FINE) -> Array:
    """Give the normals of cloth by what lies beside each of its points: one end, rings, the other end."""
    rings = points[1:-1].reshape(*grid, 3)
    ends = (np.broadcast_to(points[end], (1, grid[1], 3)) for end in (0, -1))
    whole = np.concatenate([next(ends), rings, next(ends)])
    along = whole[2:] - whole[:-2]
    around = np.empty_like(rings)
    around[:, 1:-1] = rings[:, 2:] - rings[:, :-2]
    around[:, 0], around[:, -1] = rings[:, 1] - rings[:, -1], rings[:, 0] - rings[:, -2]
    normals = np.empty_like(points)
    flat = crossed(along, around)
    normals[0], normals[-1] = flat[0].mean(axis=0), flat[-1].mean(axis=0)
    normals[1:-1] = flat.reshape(-1, 3)
    normals /= np.maximum(np.sqrt(np.einsum("ij,ij->i", normals, normals)), 1e-300)[:, None]
    return normals


class Cloths:
    """Know the cloth of a project's bags, and what presses into them."""

    def __init__(self, project: Project) -> None:
        self._surfaces = surfaces_of(project)
        self._wheels = [
            SurfaceRef(segment=segment, surface=surface)
            for (segment, surface), one in self._surfaces.items()
            if is_called_wheel(segment) and wheel(one) is not None
        ]
        self._flats = {
            plane.id: (plane.segment, _slab(plane)) for plane in project.planes if _spans(plane)
        }
        self._bags: dict[str, tuple[Airbag, Placed]] = {}
        for bag in project.airbags:
            full = full_bag(bag, project)
            if full is not None:
                self._bags[f"airbags/{bag.id}"] = (bag, full)

    def laid(self, element: str, at: Placed, pose: Pose, grid: tuple[int, int] = FINE) -> Mesh:
        """Lay the cloth of a bag in a pose, in the axes from which `at` leads to the ground."""
        bag, full = self._bags[element]
        a, b, c = bag.semi_axes_m
        cloth = sewn((a, b, c), tuple(vent.area_m2 for vent in bag.vents), grid)
        M = at.R_WS @ full.R_WS
        middle = at.R_WS @ full.p_W + at.p_W
        points = middle + spread(cloth, np.array((a, b, c)), M)
        holds: tuple[SurfaceRef | str, ...] = (*bag.panels, *bag.planes, *self._wheels)
        start = inside(middle, a * M[:, 0], self._bodies(holds, pose))
        points, gap = pressed(points, start, self._bodies((*bag.touches, *holds), pose))
        normals = outward(points, grid)
        shade = 1.0 - _DARK * np.exp(-np.maximum(gap, 0.0) / _SHADE_M)
        corners, parts = cloth.holes
        if len(corners):
            lifted = points + _VENT_LIFT_M * normals
            points = np.vstack([points, (parts[:, :, None] * lifted[corners]).sum(axis=1)])
            normals = np.vstack([normals, normals[corners[:, 0]]])
            shade = np.concatenate([shade, np.ones(len(corners))])
        back = np.linalg.inv(at.R_WS)
        # what draws it turns normals back by the inverse
        return Mesh(
            (points - at.p_W) @ back.T,
            cloth.faces,
            normals @ at.R_WS,
            shade=np.asarray(shade * cloth.dark, np.float32),
        )

    def _bodies(self, refs: Iterable[SurfaceRef | str], pose: Pose) -> Bodies:
        """Place what cloth lies on: what the engine lets press into a bag, what holds it, and a wheel around that.

        Planes are named by their ids.
        """
        on = [self._flats[ref] if isinstance(ref, str) else (ref.segment, self._surfaces.get((ref.segment, ref.surface)))
              for ref in dict.fromkeys(refs)
              if not isinstance(ref, str) or ref in self._flats]  # fmt: skip
        return Bodies.of(
            [
                body_of(one, segment, pose)
                for segment, one in on
                if one is not None and segment in pose
            ]
        )


def _spans(plane: Plane) -> bool:
    """Whether a plane has a front, which one whose corners lie in a line has not."""
    _, one, two = plane_extent(plane)
    return bool(np.linalg.norm(cross(one, two)) > 0.0)


def _slab(plane: Plane) -> Ellipsoid:
    """A slab behind a plane's front: cloth lies on bodies."""
    corner, one, two = plane_extent(plane)
    if not plane.bounded:
        corner, one, two = (
            corner - _WIDE * (one + two),
            (1 + 2 * _WIDE) * one,
            (1 + 2 * _WIDE) * two,
        )
    R = np.stack(
        [one / np.linalg.norm(one), two - (two @ one) / (one @ one) * one, cross(one, two)], axis=1
    )
    R /= np.linalg.norm(R, axis=0)
    middle = corner + 0.5 * (one + two) - _SLAB_M * R[:, 2]
    yaw, pitch, roll = yaw_pitch_roll(R)
    return Hyperellipsoid(
        id=plane.id, semi_axes_m=(0.5 * float(abs(R[:, 0] @ one)), 0.5 * float(R[:, 1] @ two), _SLAB_M),
        centre_m=tuple(float(x) for x in middle), powers=_FLAT,
        orientation=Orientation(angles_rad=(float(yaw), float(pitch), float(roll))),
    )  # fmt: skip
