"""Show planes of seats as cushions: rounded, quilted, and dented where a body lies on them.

A cushion's top is the plane itself, so that what goes below the plane is what the engine counts as
depth. Only surfaces that have a contact with the plane press into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.meshes import Indices, Mesh, crossed
from solver.scene.webbing import Body

# Find where what is soft meets the bodies that press into it.

_TRIES, _HALVINGS = 17, 8
"""Steps along a way through a body that is no ellipsoid, and how often the step that meets it is halved."""


@dataclass(frozen=True, eq=False, slots=True)
class Bodies:
    """Hold several surfaces in the same axes, one below the other: what presses is looked at all at once."""

    turns: Array
    places: Array
    axes: Array
    powers: Array

    @staticmethod
    def of(bodies: Sequence[Body]) -> Bodies:
        """Put bodies one below the other."""
        return Bodies(
            np.array([one.R_WE for one in bodies]).reshape(-1, 3, 3),
            np.array([one.p_W for one in bodies]).reshape(-1, 3),
            np.array([one.axes for one in bodies]).reshape(-1, 3),
            np.array([one.powers for one in bodies]).reshape(-1, 3),
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self.places)

    def some(self, which: NDArray[Any]) -> Bodies:
        """Some of them."""
        return Bodies(self.turns[which], self.places[which], self.axes[which], self.powers[which])

    def each(self) -> list[Body]:
        """Give them one by one."""
        rows = zip(self.turns, self.places, self.axes, self.powers, strict=True)
        return [Body(*row) for row in rows]

    def carried(self, turns: Array, places: Array) -> Bodies:
        """Take each along with the axes it is in: their turns and places, in others."""
        moved = np.einsum("nij,nj->ni", turns, self.places) + places
        return Bodies(turns @ self.turns, moved, self.axes, self.powers)

    def seen_from(self, at: Placed) -> Bodies:
        """Give them in the axes that stand at a place."""
        return Bodies(
            at.R_WS.T @ self.turns, (self.places - at.p_W) @ at.R_WS, self.axes, self.powers
        )

    @property
    def is_ellipsoid(self) -> NDArray[np.bool_]:
        """Tell which are ellipsoids."""
        same: NDArray[np.bool_] = (self.powers == 2.0).all(axis=1)
        return same

    def reaches(self) -> Array:
        """Give from how far none of each is (m)."""
        most: Array = self.axes.max(axis=1, initial=0.0)
        return np.where(self.is_ellipsoid, most, np.sqrt(3.0) * most)

    def forms(self) -> Array:
        """The matrices A (n, 3, 3) of ellipsoids: what lies at x from the middle of one is on it where x A x is 1."""
        scaled = self.turns / self.axes[:, None, :]
        return np.asarray(scaled @ scaled.transpose(0, 2, 1))


def products(x: Array, y: Array, z: Array | None = None) -> Array:
    """The products of which x A x is made, in rows: those with z are left out where there is none."""
    flat = [x * x, x * y, y * y]
    return np.array(flat if z is None else [*flat, x * z, y * z, z * z])


def factors(A: Array, *, flat: bool = False) -> Array:
    """Give by what those products are multiplied, a row for each of several A."""
    own = [A[:, 0, 0], 2.0 * A[:, 0, 1], A[:, 1, 1]]
    return np.stack(own if flat else [*own, 2.0 * A[:, 0, 2], 2.0 * A[:, 1, 2], A[:, 2, 2]], axis=1)


def first_met(start: Array, along: Array, powers: Array) -> Array:
    """Give by what part of each way, from outside, one first meets a body of unit size; infinity for never.

    Ways (n, 3) begin at one place, or at as many; those that begin inside meet nothing.
    """
    met = np.full(len(along), np.inf)
    start = np.broadcast_to(start, along.shape)
    # all bodies lie within the ball through the corners of their box
    square = 1.0 if np.all(powers == 2.0) else 3.0
    a, b = np.einsum("ij,ij->i", along, along), np.einsum("ij,ij->i", along, start)
    rest = b * b - a * (np.einsum("ij,ij->i", start, start) - square)
    some = np.flatnonzero((rest > 0.0) & (b < 0.0))
    if not len(some):
        return met
    half = np.sqrt(rest[some])
    low, high = (-b[some] - half) / a[some], (-b[some] + half) / a[some]
    if square == 1.0:
        met[some] = np.where(low >= 0.0, low, np.inf)
        return met
    low = np.maximum(low, 0.0)
    tries = np.linspace(0.0, 1.0, _TRIES)[:, None] * (high - low) + low
    inside = _levels(start[some], along[some], tries, powers) <= 0.0
    hit = np.flatnonzero(inside.any(axis=0) & ~inside[0])
    k = inside[:, hit].argmax(axis=0)
    low, high = tries[k - 1, hit], tries[k, hit]
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        is_in = _levels(start[some[hit]], along[some[hit]], middle, powers) <= 0.0
        low, high = np.where(is_in, low, middle), np.where(is_in, middle, high)
    met[some[hit]] = low
    return met


def _levels(start: Array, along: Array, parts: Array, powers: Array) -> Array:
    """How far outside the surface places are, by the sum of their powers, less one."""
    out: Array = (np.abs(start + parts[..., None] * along) ** powers).sum(axis=-1) - 1.0
    return out


def near(unit: Array, axes: Array) -> Array:
    """How far (m) places are from a body, roughly; they come as multiples of its semi-axes."""
    # close by, where it counts, its shortest axis is near enough
    gap: Array = (np.sqrt(np.einsum("ij,ij->i", unit, unit)) - 1.0) * float(axes.min())
    return gap


_FINE, _ROUGH = (4, 18, 3), (2, 9, 2)
"""Rows of points over a rounded edge, and between both edges; steps of the rounding below. Rough ones are for motion."""
_SEAMS_AT, _ACROSS = 0.62, (-0.45, 0.0, 0.45)
"""Where bolsters are sewn on, and the seams between them, in halves of the cushion."""
_QUILTED_M, _SEAM_M, _GROOVE_M = 0.36, 0.007, 0.006
"""Least size of a cushion with seams, their half width, and how deep they draw it in."""
_SEAM = 0.66
_CORNER = 0.22
"""Radius of the corners, in the smaller half."""
_FROM_M = 0.30
"""From how far below the plane bodies are looked for."""
_GIVES = 0.985
"""How much of a dent is drawn out to its neighbours each time, of which a fine cushion has more."""
_SPREADS = {_FINE: 14, _ROUGH: 4}
_THIN = 0.004
"""What is left of a cushion's thickness (m) however deep the dent is."""
_DARK, _SHADE_M = 0.42, 0.05
"""How dark it is beside a body, and over what distance."""


@dataclass(frozen=True, eq=False, slots=True)
class Cushion:
    """A cushion without load in its plane's axes: middle of the plane, front along z."""

    points: Array
    normals: Array
    faces: Indices
    dark: Array
    grid: tuple[int, int]
    """Rows and columns of its top, which comes first."""
    free: NDArray[np.bool_]
    """Whether a point of the top may be pressed in, (rows, columns); its edge stays."""
    size: tuple[float, float, float]
    """Half lengths along x and y, and half its thickness (m)."""
    rows: tuple[int, int, int]
    is_sewn: bool
    terms: Array
    """Rows of x x, x y, y y, x, y, and one, of the points of the top."""

    @property
    def half(self) -> float:
        """Give half its thickness (m)."""
        return self.size[2]

    @property
    def rough(self) -> Cushion:
        """The same with about a third of the points, as it is drawn in motion."""
        return cushion(*self.size, _ROUGH, is_sewn=self.is_sewn)

    @property
    def mesh(self) -> Mesh:
        """Give it as it is without load."""
        return Mesh(self.points, self.faces, self.normals, shade=self.dark)

    def pressed(self, bodies: Bodies) -> Mesh:
        """Give it below bodies that stand in its axes."""
        deep, gap = dented(self, bodies)
        points, normals = self.points.copy(), self.normals.copy()
        count = deep.size
        points[:count, 2] -= deep.ravel()
        normals[:count] = grid_normals(points[:count].reshape(*self.grid, 3)).reshape(-1, 3)
        shade = self.dark.copy()
        shade[:count] *= 1.0 - _DARK * np.exp(-np.maximum(gap, 0.0) / _SHADE_M)
        return Mesh(points, self.faces, normals, shade=shade)


def _line(half: float, thick: float, seams: tuple[float, ...], rows: tuple[int, int, int]) -> Array:
    """Where rows of points stand: close over the rounded edges, and three at each seam."""
    edges, free, _ = rows
    angle = np.linspace(0.0, 0.5 * np.pi, edges + 1)
    edge = thick * (1.0 - np.cos(angle))
    inner = np.linspace(-half + thick, half - thick, free + 1)
    line = np.concatenate([-half + edge[:-1], inner, half - edge[:-1][::-1]])
    for seam in seams:
        at = edges + int(np.clip(round((seam + half - thick) / (inner[1] - inner[0])), 1, free - 1))
        line[at - 1 : at + 2] = seam + _SEAM_M * np.array([-1.0, 0.0, 1.0])
    return line


@lru_cache(maxsize=256)
def cushion(
    long: float,
    across: float,
    half: float,
    rows: tuple[int, int, int] = _FINE,
    *,
    is_sewn: bool = True,
) -> Cushion:
    """Make a cushion over a plane: half lengths along x and y, and half its thickness (m); what is sewn has seams."""
    thick = min(half, 0.45 * long, 0.45 * across)
    is_quilted = is_sewn and 2.0 * min(long, across) >= _QUILTED_M
    along = tuple(part * long for part in _ACROSS) if is_quilted else ()
    beside = (-_SEAMS_AT * across, _SEAMS_AT * across) if is_quilted else ()
    x, y = _line(long, thick, along, rows), _line(across, thick, beside, rows)
    X, Y = np.meshgrid(x, y, indexing="ij")
    off = _off_edge(X, Y, long, across)
    deep = np.clip(off / thick, 0.0, 1.0)
    fall = thick * (1.0 - np.sqrt(deep * (2.0 - deep)))
    dark, groove = np.ones_like(X), np.zeros_like(X)
    if is_quilted:
        sewn = np.isin(Y, beside) | (np.isin(X, along) & (np.abs(Y) < _SEAMS_AT * across))
        dark[sewn], groove[sewn & (deep >= 1.0)] = _SEAM, _GROOVE_M
    X, Y = _rounded(X, Y, long, across)
    top = np.stack([X, Y, -fall - groove], axis=-1)
    under, sideways, more = _below(top, thick, half, rows[2])
    return Cushion(
        np.vstack([top.reshape(-1, 3), under]),
        np.vstack([grid_normals(top).reshape(-1, 3), sideways]),
        np.vstack([_grid_faces(*X.shape), more]).astype(np.int64),
        np.concatenate([dark.ravel(), np.ones(len(under))]),
        (X.shape[0], X.shape[1]),
        deep >= 1.0,
        (long, across, half),
        rows,
        is_sewn,
        np.vstack([products(X.ravel(), Y.ravel()), X.ravel(), Y.ravel(), np.ones(X.size)]),
    )


def _below(top: Array, thick: float, half: float, steps: int) -> tuple[Array, Array, Indices]:
    """Points, normals and faces of the lower half: rings that round off the rim of the top, and a middle."""
    rows, columns, _ = top.shape
    rim = _rim(rows, columns)
    edge = top.reshape(-1, 3)[rim]
    out = edge[:, :2] / np.linalg.norm(edge[:, :2], axis=1, keepdims=True)
    least = float(np.abs(edge[:, :2]).max(axis=0).min())
    points, normals = [], []
    for angle in np.linspace(0.0, 0.5 * np.pi, steps + 1):
        inner = 1.0 - thick * (1.0 - np.cos(angle)) / least
        z = edge[:, 2] - (2.0 * half + edge[:, 2]) * np.sin(angle)
        points.append(np.column_stack([inner * edge[:, :2], z]))
        normals.append(np.column_stack([np.cos(angle) * out, np.full(len(rim), -np.sin(angle))]))
    count, start = len(rim), rows * columns
    i = np.arange(count)
    j = np.roll(i, -1)
    # the first ring lies on the rim, with normals of its own
    rings = [rim, *(start + k * count + i for k in range(steps + 1))]
    faces = []
    for above, below in pairwise(rings):
        faces.append(np.column_stack([above[i], below[j], above[j]]))
        faces.append(np.column_stack([above[i], below[i], below[j]]))
    middle = start + (steps + 1) * count
    faces.append(np.column_stack([rings[-1][i], np.full(count, middle), rings[-1][j]]))
    points.append(np.array([[0.0, 0.0, -2.0 * half]]))
    normals.append(np.array([[0.0, 0.0, -1.0]]))
    return np.vstack(points), np.vstack(normals), np.vstack(faces)


def _off_edge(X: Array, Y: Array, long: float, across: float) -> Array:
    """How far places are from the edge, along whichever axis it is nearer."""
    off: Array = np.minimum(long - np.abs(X), across - np.abs(Y))
    return np.maximum(off, 0.0)


def _rounded(X: Array, Y: Array, long: float, across: float) -> tuple[Array, Array]:
    """Move points near the corners so that squares around each become quarters of discs."""
    radius = _CORNER * min(long, across)
    x, y = np.abs(X) - (long - radius), np.abs(Y) - (across - radius)
    is_corner = (x > 0.0) & (y > 0.0)
    size = np.hypot(x, y)
    shrink = np.where(is_corner, np.maximum(x, y) / np.maximum(size, 1e-12), 1.0)
    return (
        np.where(is_corner, np.sign(X) * (long - radius + shrink * x), X),
        np.where(is_corner, np.sign(Y) * (across - radius + shrink * y), Y),
    )


def grid_normals(points: Array) -> Array:
    """The normals (rows, columns, 3) of a grid of points: from rows to columns as x to y, so up is z."""
    along, beside = np.empty_like(points), np.empty_like(points)
    along[1:-1], along[0], along[-1] = (
        points[2:] - points[:-2],
        points[1] - points[0],
        points[-1] - points[-2],
    )
    beside[:, 1:-1] = points[:, 2:] - points[:, :-2]
    beside[:, 0], beside[:, -1] = points[:, 1] - points[:, 0], points[:, -1] - points[:, -2]
    normals = crossed(along, beside)
    normals /= np.maximum(np.sqrt(np.einsum("ijk,ijk->ij", normals, normals)), 1e-300)[..., None]
    return normals


def _grid_faces(rows: int, columns: int) -> Indices:
    i = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    one = np.column_stack([i, i + columns, i + columns + 1])
    other = np.column_stack([i, i + columns + 1, i + 1])
    return np.vstack([one, other])


def _rim(rows: int, columns: int) -> Indices:
    """The points around the rim of a grid, against the clock as seen from its front."""
    low = columns * np.arange(rows)
    far = (rows - 1) * columns + np.arange(columns)
    high = (columns - 1 + columns * np.arange(rows))[::-1]
    near_ = np.arange(columns)[::-1]
    return np.concatenate([low[:-1], far[:-1], high[:-1], near_[:-1]]).astype(np.int64)


def dented(made: Cushion, bodies: Bodies) -> tuple[Array, Array]:
    """How deep (m) each point of the top is pressed in, and its distance from the nearest body.

    Bodies stand in the cushion's axes. An ellipsoid's lowest place below or above each point is found in closed form.
    """
    top = made.points[: made.free.size]
    ovals, others = bodies.some(bodies.is_ellipsoid), bodies.some(~bodies.is_ellipsoid).each()
    A, (px, py, pz) = ovals.forms(), ovals.places.T[:, :, None]
    # about their middles: level is x A x beside them, and slope half of what it grows with height; a row for each
    flat = np.einsum("nij,nj->ni", A[:, :2, :2], ovals.places[:, :2])
    inner = np.einsum("ni,ni->n", flat, ovals.places[:, :2])
    level = np.column_stack([factors(A, flat=True), -2.0 * flat, inner]) @ made.terms
    up_x, up_y, upright = A[:, :, 2].T[:, :, None]
    slope = np.hstack([up_x, up_y, -(up_x * px + up_y * py)]) @ made.terms[3:]
    rest = slope * slope - upright * (level - 1.0)
    low = pz - (slope + np.sqrt(np.maximum(rest, 0.0))) / upright
    pressed = np.where((rest > 0.0) & (low >= -_FROM_M) & (low < 0.0), -low, 0.0)
    deep = pressed.max(axis=0, initial=0.0)
    for body in others:
        below = np.column_stack([top[:, :2], np.full(len(top), -_FROM_M)])
        along = np.broadcast_to(_FROM_M * body.R_WE[2] / body.axes, below.shape)
        part = first_met(body.unit(below), along, body.powers)
        deep = np.maximum(deep, np.where(part < 1.0, _FROM_M * (1.0 - part), 0.0))
    deep = np.minimum(_drawn_out(deep.reshape(made.grid), made), 2.0 * made.half - _THIN)
    z = top[:, 2] - deep.ravel()
    high = z - pz
    size = np.sqrt(np.maximum(level + high * (2.0 * slope + upright * high), 0.0))
    # close by, where it counts, its shortest axis is near enough
    least = ovals.axes.min(axis=1, initial=np.inf)[:, None]
    gap = ((size - 1.0) * least).min(axis=0, initial=np.inf)
    for body in others:
        gap = np.minimum(gap, near(body.unit(np.column_stack([top[:, :2], z])), body.axes))
    return deep, gap


def _drawn_out(deep: Array, made: Cushion) -> Array:
    """Let a dent run out beside what presses, as foam below a cover does: nowhere less deep than that."""
    out = np.where(made.free, deep, 0.0)
    if not out.any():
        return out
    pressed, gives = out[1:-1, 1:-1].copy(), 0.25 * _GIVES * made.free[1:-1, 1:-1]
    for _ in range(_SPREADS[made.rows]):
        mean = out[2:, 1:-1] + out[:-2, 1:-1]
        mean += out[1:-1, 2:]
        mean += out[1:-1, :-2]
        mean *= gives
        np.maximum(pressed, mean, out=out[1:-1, 1:-1])
    return out
