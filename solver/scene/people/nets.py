"""Turn a field of distances into a closed surface: smooth unions on a grid, and nets over its zero; numpy alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array
from solver.scene.meshes import Indices

_FAR = 0.2
"""Distance (m) from everything that is not worth knowing."""
_SHORT = 1e-6
"""Length (m) below which a line has no direction."""
_MOST = 140
"""Cells at most along each axis: whatever is larger has larger cells."""
_CUBE = ((0, 0), (-1, 0), (-1, -1), (0, -1))
"""The four cells around an edge of the grid, across it, in turn."""


@dataclass(frozen=True, slots=True)
class Lump:
    """A part of a field: its distance at places (x, y, z), how softly it joins, and the box that holds it."""

    distance: Callable[[Array, Array, Array], Array]
    low: Array
    high: Array
    soft: float = 0.0
    """Over how many metres it runs into what is there already."""
    cuts: bool = False
    """Whether it is taken away instead of added."""


def ball(
    centre: Array,
    semi: Sequence[float],
    axes: Array | None = None,
    soft: float = 0.0,
    cuts: bool = False,
) -> Lump:
    """An ellipsoid, whose axes are the columns of `axes`."""
    R, a = np.eye(3) if axes is None else axes, np.asarray(semi, float)
    least, reach = float(a.min()), np.sqrt(((R * a) ** 2).sum(axis=1))

    def distance(x: Array, y: Array, z: Array) -> Array:
        q = (x - centre[0], y - centre[1], z - centre[2])
        u = [(q[0] * R[0, i] + q[1] * R[1, i] + q[2] * R[2, i]) / a[i] for i in range(3)]
        out: Array = least * (np.sqrt(u[0] ** 2 + u[1] ** 2 + u[2] ** 2) - 1.0)
        return out

    return Lump(distance, centre - reach, centre + reach, soft, cuts)


def limb(
    start: Array,
    end: Array,
    radii: Sequence[tuple[float, float]],
    soft: float = 0.0,
    axes: Array | None = None,
    flat: tuple[float, float] = (1.0, 1.0),
    ends: tuple[float, float] = (1.0, 1.0),
) -> Lump:
    """A column along a line whose radius follows pairs of part of the way and radius (m).

    `flat` are the factors of the radius along x and y of `axes`; `ends` those of the length of the caps.
    """
    way = end - start
    long = max(float(np.linalg.norm(way)), _SHORT)
    w = way / long if long > _SHORT else np.array([0.0, 0.0, 1.0])
    R = np.eye(3) if axes is None else axes
    side = R[:, 1] - (R[:, 1] @ w) * w
    side /= np.linalg.norm(side)
    ahead = np.cross(side, w)
    at, size = (np.array(column) for column in zip(*radii, strict=True))
    most = float(size.max()) * max(*flat, *ends)

    def distance(x: Array, y: Array, z: Array) -> Array:
        q = (x - start[0], y - start[1], z - start[2])
        s = q[0] * w[0] + q[1] * w[1] + q[2] * w[2]
        t = np.clip(s, 0.0, long)
        r = np.interp(t / long, at, size)
        one = (q[0] * ahead[0] + q[1] * ahead[1] + q[2] * ahead[2]) / flat[0]
        other = (q[0] * side[0] + q[1] * side[1] + q[2] * side[2]) / flat[1]
        over = s - t
        over = over / np.where(over < 0.0, ends[0], ends[1])
        out: Array = min(*flat, 1.0) * (np.sqrt(one**2 + other**2 + over**2) - r)
        return out

    low, high = np.minimum(start, end) - most, np.maximum(start, end) + most
    return Lump(distance, low, high, soft)


def surface(lumps: Sequence[Lump], cell: float) -> tuple[Array, Indices]:
    """Points and triangles of the surface of lumps that run into each other, on cells of a size (m)."""
    solid = [lump for lump in lumps if not lump.cuts]
    low = np.min([lump.low for lump in solid], axis=0)
    high = np.max([lump.high for lump in solid], axis=0)
    cell = max(cell, float((high - low).max()) / _MOST)
    low, high = low - 3.0 * cell, high + 3.0 * cell
    count = np.ceil((high - low) / cell).astype(int) + 1
    axes = [low[i] + cell * np.arange(count[i]) for i in range(3)]
    field = np.full(tuple(count), _FAR)
    for lump in lumps:
        margin = lump.soft + 2.0 * cell
        box = tuple(
            slice(*np.searchsorted(axis, (a - margin, b + margin)))
            for axis, a, b in zip(axes, lump.low, lump.high, strict=True)
        )
        x, y, z = (
            axis[part].reshape([-1 if i == n else 1 for i in range(3)])
            for n, (axis, part) in enumerate(zip(axes, box, strict=True))
        )
        d = lump.distance(x, y, z)
        field[box] = (
            -_joined(-field[box], d, lump.soft) if lump.cuts else _joined(field[box], d, lump.soft)
        )
    for axis in range(3):
        # what touches the rim of the grid is closed there
        np.moveaxis(field, axis, 0)[[0, -1]] = _FAR
    points, faces = _net(field)
    return low + cell * points, faces


def distances(lumps: Sequence[Lump], points: Array) -> Array:
    """How far points are outside of lumps that run into each other."""
    x, y, z = points.T
    field = np.full(len(points), _FAR)
    for lump in lumps:
        d = lump.distance(x, y, z)
        field = -_joined(-field, d, lump.soft) if lump.cuts else _joined(field, d, lump.soft)
    return field


def refined(
    points: Array, faces: Indices, is_fine: NDArray[np.bool_], lumps: Sequence[Lump]
) -> tuple[Array, Indices]:
    """Halve all edges between some of the points, with new points on the surface of lumps."""
    size = len(points)
    ends = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    ends = ends[is_fine[ends].all(axis=1)]
    keys = np.unique(ends.min(axis=1) * size + ends.max(axis=1))
    ends = np.column_stack(np.divmod(keys, size))
    middles = points[ends].mean(axis=1)
    ways = normals_of(points, faces)[ends].sum(axis=1)
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-12)
    for _ in range(2):
        middles = middles - distances(lumps, middles)[:, None] * ways
    done = []
    # corners in turn, so that halved edges come first
    count = is_fine[faces].sum(axis=1)
    done.append(faces[count < 2])
    first = np.argmin(is_fine[faces], axis=1)
    turned = np.take_along_axis(faces, (first[:, None] + np.arange(3)) % 3, axis=1)

    def between(one: Indices, other: Indices) -> Indices:
        low, high = np.minimum(one, other), np.maximum(one, other)
        return np.asarray(size + np.searchsorted(keys, low * size + high))

    z, p, q = turned[count == 2].T
    m = between(p, q)
    done += [np.column_stack([z, p, m]), np.column_stack([z, m, q])]
    a, b, c = faces[count == 3].T
    d, e, f = between(a, b), between(b, c), between(c, a)
    done += [np.column_stack(row) for row in ((a, d, f), (d, b, e), (f, e, c), (d, e, f))]
    return np.vstack([points, middles]), np.vstack(done)


def _joined(one: Array, other: Array, soft: float) -> Array:
    """The least of two fields, smooth where they are about the same."""
    least: Array = np.minimum(one, other)
    if soft > 0.0:
        near = np.maximum(soft - np.abs(one - other), 0.0)
        least = least - near * near / (4.0 * soft)
    return least


def _net(field: Array) -> tuple[Array, Indices]:
    """Points, counted in cells, and triangles of the surface where a field is zero.

    A point lies in each cell that the surface passes, and a square across each edge that it crosses, after Gibson (1998), *Constrained elastic surface nets*.
    """
    inside = field < 0.0
    shape = np.array(field.shape)
    stride = np.array([shape[1] * shape[2], shape[2], 1])
    sums = [np.zeros(field.size) for _ in range(3)]
    hits = np.zeros(field.size)
    squares = []
    flat = field.ravel()
    for axis in range(3):
        ahead = tuple(slice(1, None) if i == axis else slice(None) for i in range(3))
        here = tuple(slice(None, -1) if i == axis else slice(None) for i in range(3))
        edges = np.argwhere(inside[here] != inside[ahead])
        start = edges @ stride
        a, b = flat[start], flat[start + stride[axis]]
        place = edges.astype(float)
        place[:, axis] += a / (a - b)
        one, other = (axis + 1) % 3, (axis + 2) % 3
        cells = np.stack([start + m * stride[one] + n * stride[other] for m, n in _CUBE], axis=1)
        for column in cells.T:
            hits += np.bincount(column, minlength=field.size)
            for i in range(3):
                sums[i] += np.bincount(column, place[:, i], minlength=field.size)
        squares.append(np.where((a < 0.0)[:, None], cells, cells[:, ::-1]))
    used = np.flatnonzero(hits)
    points = np.column_stack([total[used] for total in sums]) / hits[used, None]
    number = np.zeros(field.size, dtype=np.int64)
    number[used] = np.arange(len(used))
    quads = number[np.vstack(squares)]
    return points, _halved(points, quads)


def _halved(points: Array, quads: Indices) -> Indices:
    """Cut each square along its shorter diagonal."""
    a, b, c, d = points[quads].transpose(1, 0, 2)
    short = ((a - c) ** 2).sum(axis=1) <= ((b - d) ** 2).sum(axis=1)
    first = np.where(short[:, None], quads[:, [0, 1, 2]], quads[:, [0, 1, 3]])
    second = np.where(short[:, None], quads[:, [0, 2, 3]], quads[:, [1, 2, 3]])
    out: Indices = np.vstack([first, second])
    return out


def normals_of(points: Array, faces: Indices) -> Array:
    """The normals at points: those of the faces around, by their areas."""
    a, b, c = points[faces].transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    out = np.column_stack(
        [
            np.bincount(faces.ravel(), np.repeat(across[:, i], 3), minlength=len(points))
            for i in range(3)
        ]
    )
    normals: Array = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-300)
    return normals


def volume(points: Array, faces: Indices) -> float:
    """The volume (m3) within a closed surface; below zero where its faces look inwards."""
    a, b, c = points[faces].transpose(1, 0, 2)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)
