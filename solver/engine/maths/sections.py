"""Cut bodies |x/a|^p + |y/b|^q + |z/c|^r <= 1 by a plane: convex outlines in the plane's own axes.

A body is seen through z(w) = z0 + Z w, its coordinates over its semi-axes at the point w of the plane.
Outlines are run through clockwise by a parameter t of period 2 pi; lengths are in metres.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.engine.jit.kernels import inner, kernel
from solver.engine.maths.alike import along_and_across, arctan2, dot, into, nearest, to_power
from solver.engine.maths.hyperellipsoids import raised
from solver.engine.maths.rotation import Array
from solver.engine.maths.spatial import Table

IntArray = NDArray[np.intp]

PANELS = 720
"""Parts of a whole turn between which lengths are integrated and outlines are tabulated."""

GRAZED = 1e-12
"""A body is cut where it goes deeper than this below its surface, as a part of one."""

_HALF = np.array([0.18343464249564978, 0.525532409916329, 0.7966664774136267, 0.9602898564975362])
_WEIGHTS = np.array(
    [0.36268378337836166, 0.3137066458778869, 0.22238103445337443, 0.10122853629037706]
)
NODES, WEIGHTS = np.append(-_HALF[::-1], _HALF), np.append(_WEIGHTS[::-1], _WEIGHTS)
"""Of Gauss's rule of eight points, as `numpy.polynomial.legendre.leggauss` gives them; written out, to be alike everywhere."""


class Outline(Protocol):
    """A convex outline in a plane; a point is one too."""

    def reaches(self, normals: Array) -> tuple[Array, Array]:
        """How far the outline reaches in unit directions (n, 2), roughly, and where."""

    def support(self, normal: Array) -> float:
        """The parameter of the point that lies farthest in a direction."""

    def place(self, t: float) -> Array:
        """The point at a parameter."""

    def length(self, start: float, end: float) -> float:
        """The length (m) clockwise between two parameters."""


class Spot:
    """An outline shrunk to a point."""

    def __init__(self, at: Array) -> None:
        self._at = at

    def reaches(self, normals: Array) -> tuple[Array, Array]:
        """How far the point reaches in each direction, and the point."""
        return normals @ self._at, np.tile(self._at, (len(normals), 1))

    def support(self, normal: Array) -> float:
        """The only parameter."""
        return 0.0

    def place(self, t: float) -> Array:
        """The point."""
        return self._at

    def length(self, start: float, end: float) -> float:
        """No length."""
        return 0.0


class Ellipse:
    """The section of an ellipsoid: centre + long cos t - broad sin t (section 7.3)."""

    def __init__(self, centre: Array, left: float, Z: Array) -> None:
        squares, axes = along_and_across(np.einsum("ki,kj->ij", Z, Z))
        # columns turned so that t runs clockwise
        axes[:, 1] *= -1.0
        self._centre = centre
        self._half = np.sqrt(left / squares)
        self._axes = axes

    def reaches(self, normals: Array) -> tuple[Array, Array]:
        """How far the ellipse reaches in each direction, and where."""
        along = normals @ self._axes * self._half
        size = np.linalg.norm(along, axis=1)
        at = self._centre + (along / size[:, None] * self._half) @ self._axes.T
        return normals @ self._centre + size, at

    def support(self, normal: Array) -> float:
        """The parameter of the point that lies farthest in a direction."""
        along = into(self._axes, normal) * self._half
        return math.atan2(along[1], along[0])

    def place(self, t: float) -> Array:
        """The point at a parameter."""
        way: Array = self._axes @ (self._half * np.array([math.cos(t), math.sin(t)]))
        return self._centre + way

    def length(self, start: float, end: float) -> float:
        """The length (m) between two parameters."""
        p, q = self._half
        return integral(lambda t: np.hypot(p * np.sin(t), q * np.cos(t)), start, end)


class Rounded:
    """The section of a hyperellipsoid, found along rays from a point inside."""

    def __init__(self, inside: Array, z0: Array, Z: Array, power: Array) -> None:
        self._z0, self._Z, self._power = z0, Z, power
        self._from(inside, np.diag([1.0, -1.0]))
        for _ in range(3):
            t = _turns(256)
            self._from(*_middle_of(self._points(self._ways(t), self._rays(t))))
        self._t = _turns(PANELS)
        rays = self._rays(self._t)
        self._table = self._points(self._ways(self._t), rays)
        angles = np.unwrap(-arctan2(rays[:, 2], rays[:, 1]))
        self._angles = np.maximum.accumulate(angles)

    def _from(self, middle: Array, frame: Array) -> None:
        """Let rays begin at a point, and t turn in a frame."""
        self._middle, self._frame = middle, frame
        start, ways = self._z0 + self._Z @ middle, self._Z @ frame
        self._rows = np.column_stack([start, ways, self._power, self._Z])

    def reaches(self, normals: Array) -> tuple[Array, Array]:
        """How far the table's points reach in each direction, and which of them."""
        at = self._before(arctan2(normals[:, 1], normals[:, 0]))
        one, other = (self._table[k % PANELS] for k in (at, at + 1))
        heights = (normals * one).sum(axis=1), (normals * other).sum(axis=1)
        first = heights[0] >= heights[1]
        return np.maximum(*heights), np.where(first[:, None], one, other)

    def support(self, normal: Array) -> float:
        """The parameter of the point that lies farthest in a direction."""
        x, y = float(normal[0]), float(normal[1])
        low = self._t[int(self._before(np.array([math.atan2(y, x)]))[0])]
        return float(where_normal(self._rows, x, y, low, low + 2.0 * math.pi / PANELS))

    def _before(self, angles: Array) -> IntArray:
        """The last of the table's points whose normals do not point past directions."""
        turns = np.mod(-angles - self._angles[0], 2.0 * math.pi)
        found: IntArray = np.searchsorted(self._angles, self._angles[0] + turns, side="right") - 1
        return found

    def place(self, t: float) -> Array:
        """The point at a parameter."""
        far = float(self._rays(np.array([t]))[0, 0])
        way: Array = self._frame @ np.array([math.cos(t), math.sin(t)])
        return self._middle + far * way

    def length(self, start: float, end: float) -> float:
        """The length (m) between two parameters."""
        return integral(self._speed, start, end)

    def _ways(self, t: Array) -> Array:
        way: Array = np.stack([np.cos(t), np.sin(t)], axis=1) @ self._frame.T
        return way

    def _rays(self, t: Array) -> Array:
        """How far out the surface is at each parameter, and the normal there (columns)."""
        found = np.empty((len(t), 3))
        rays(self._rows, t, found)
        return found

    def _points(self, ways: Array, rays: Array) -> Array:
        """Where rays meet the surface."""
        return self._middle + ways * rays[:, :1]

    def _speed(self, t: Array) -> Array:
        """The length by parameter: the way out changes so that the point stays on the outline."""
        ways, rays = self._ways(t), self._rays(t)
        across = np.stack([-np.sin(t), np.cos(t)], axis=1) @ self._frame.T
        far, g = rays[:, 0], rays[:, 1:]
        slope = np.einsum("ij,ij->i", g, across) / np.einsum("ij,ij->i", g, ways)
        speed: Array = far * np.linalg.norm(across - slope[:, None] * ways, axis=1)
        return speed


@inner
def ray(rows: Table, t: float) -> tuple[float, float, float]:
    """How far out the surface is at one parameter, and the normal there.

    A row holds, for one of the body's axes, where the ray begins, two ways, the power, and the plane's axes.
    """
    c, s = math.cos(t), math.sin(t)
    far = math.inf
    for n in range(3):
        d = rows[n, 1] * c + rows[n, 2] * s
        if d != 0.0:
            far = min(far, ((1.0 if d > 0.0 else -1.0) - rows[n, 0]) / d)
    for _ in range(60):
        excess, slope = -1.0, 0.0
        for n in range(3):
            d, p = rows[n, 1] * c + rows[n, 2] * s, rows[n, 3]
            z = rows[n, 0] + far * d
            part = raised(abs(z), p - 1.0)
            excess += part * abs(z)
            slope += p * math.copysign(part, z) * d
        step = excess / slope
        far -= step
        if abs(step) < 1e-9 * far:
            break
    x = y = 0.0
    for n in range(3):
        p = rows[n, 3]
        z = rows[n, 0] + far * (rows[n, 1] * c + rows[n, 2] * s)
        part = p * math.copysign(raised(abs(z), p - 1.0), z)
        x, y = x + part * rows[n, 4], y + part * rows[n, 5]
    size = math.hypot(x, y)
    return far, x / size, y / size


@kernel
def rays(rows: Table, turns: Array, found: Table) -> None:
    """The same at many parameters, a row of `found` for each."""
    for k in range(len(turns)):
        found[k, 0], found[k, 1], found[k, 2] = ray(rows, turns[k])


@kernel
def where_normal(rows: Table, x: float, y: float, low: float, high: float) -> float:
    """The parameter between two at which the normal points in a direction, by false position (Illinois)."""
    _, gx, gy = ray(rows, low)
    before = gy * x - gx * y
    if before <= 0.0:
        return low
    _, gx, gy = ray(rows, high)
    past = gy * x - gx * y
    if past >= 0.0:
        return high
    last = low
    for _ in range(100):
        t = high - past * (high - low) / (past - before)
        if not low < t < high:
            t = 0.5 * (low + high)
        _, gx, gy = ray(rows, t)
        value = gy * x - gx * y
        if value == 0.0 or abs(t - last) < 1e-15:
            return t
        if value > 0.0:
            low, before = t, value
            if t > last:
                past *= 0.5
        else:
            high, past = t, value
            if t < last:
                before *= 0.5
        last = t
    return last


def section(z0: Array, Z: Array, power: Array) -> Ellipse | Rounded | None:
    """Cut a body by a plane; None where the plane misses it."""
    middle = _nearest(z0, Z)
    if np.all(power == 2.0):
        left = 1.0 - float(np.sum((z0 + Z @ middle) ** 2))
        return Ellipse(middle, left, Z) if left > GRAZED else None
    inside = deepest(z0, Z, power)
    return None if inside is None else Rounded(inside, z0, Z, power)


def deepest(z0: Array, Z: Array, power: Array) -> Array | None:
    """Find a point of a line or plane inside a body by Newton's method; None where there is none."""
    w = _nearest(z0, Z)
    if float(np.sum((z0 + Z @ w) ** 2)) > len(z0):
        # no coordinate of a point inside is above one
        return None
    value = _depth(z0 + Z @ w, power)
    for _ in range(200):
        if value < 0.5:
            break
        z = z0 + Z @ w
        size = np.abs(z)
        slope = into(Z, power * np.sign(z) * to_power(size, power - 1.0))
        bend = np.einsum("ki,k,kj->ij", Z, power * (power - 1.0) * to_power(size, power - 2.0), Z)
        step = _nearest(slope, bend)
        step = step / max(1.0, float(np.max(np.abs(Z @ step))))
        gain = dot(slope, step)
        if gain > -1e-15 * value:
            break
        part = 1.0
        while part > 1e-9 and _depth(z + Z @ step * part, power) > value + 1e-4 * part * gain:
            part *= 0.5
        w = w + part * step
        value = _depth(z0 + Z @ w, power)
    return w if value < 1.0 - GRAZED else None


def is_inside(z: Array, power: Array, margin: float) -> bool:
    """Whether a point lies deeper inside a body than a margin, as a part of one."""
    return float(np.max(np.abs(z))) < 1.0 and _depth(z, power) < 1.0 - margin


def _nearest(z0: Array, Z: Array) -> Array:
    """The w at which z0 + Z w is least, and the least such w."""
    return nearest(Z, -z0)


def _depth(z: Array, power: Array) -> float:
    """What is one on the surface and less inside."""
    return float(np.sum(to_power(np.abs(z), power)))


def _turns(count: int) -> Array:
    return np.linspace(0.0, 2.0 * math.pi, count, endpoint=False)


def _middle_of(points: Array) -> tuple[Array, Array]:
    """A polygon's centroid, and axes as long as the polygon is, turned clockwise."""
    other = np.roll(points, -1, axis=0)
    base = points[0]
    p, q = points - base, other - base
    areas = 0.5 * (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0])
    middle = base + into(p + q, areas) / (3.0 * areas.sum())
    from_middle = points - middle
    _, axes = along_and_across(np.einsum("ki,kj->ij", from_middle, from_middle))
    axes = axes * np.max(np.abs(from_middle @ axes), axis=0)
    axes[:, 1] *= -1.0
    return middle, axes


def integral(speed: Callable[[Array], Array], start: float, end: float) -> float:
    """Integrate over a parameter by Gauss's rule, panel by panel."""
    count = max(1, math.ceil((end - start) * PANELS / (2.0 * math.pi)))
    edges = np.linspace(start, end, count + 1)
    half = 0.5 * (edges[1:] - edges[:-1])
    t = (edges[:-1] + half)[:, None] + half[:, None] * NODES
    values = speed(t.ravel()).reshape(t.shape)
    return float(np.sum(half * (values * WEIGHTS).sum(axis=1)))
