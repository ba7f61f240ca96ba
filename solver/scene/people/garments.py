"""What a person wears, part by part: surfaces cut along smooth lines, so that seams lie where clothes end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array
from solver.scene.meshes import Indices
from solver.scene.people import body_shape
from solver.scene.people.build import Build, Garment
from solver.scene.people.nets import normals_of, refined, surface

_CLOTH_M, _FACE_M, _SHOE_M, _HAND_M = 0.0245, 0.0098, 0.017, 0.0092
"""Sizes of cells, for a grown man; smaller people have smaller ones."""
_GROWN_M = 0.82
"""Length of a grown man's leg from hip to ankle."""
_ROUGHER, _FINER = 1.18, ((0.45, 0.0, -0.15, 0.75, 0.50), (0.45, 0.37, 0.03, 0.25, 0.13))
"""How much larger cells of a head are, and where its edges are halved again: face and eyes, ahead of a place, across, up, half widths."""
_NEAR = 0.3
"""Up to this part of an edge a point is moved onto a line that is cut along."""
_CAP_M, _VINYL_M = 0.0015, 0.002
"""How far caps of a dummy stand out, and its jacket."""
_INSET, _DEEP_M = 0.80, 0.008
"""Size of the inner edge where a sleeve ends, and how far inside it lies."""


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A closed surface of one or several garments."""

    points: Array
    faces: Indices
    names: NDArray[np.str_]
    """Of which garment each point is."""
    cloth: NDArray[np.bool_]
    """Which points webbing lies on."""

    @classmethod
    def of(cls, name: Garment, points: Array, faces: Indices) -> Piece:
        """A surface of one garment that bears no webbing."""
        return cls(points, faces, np.full(len(points), name, "U8"), np.zeros(len(points), bool))


@dataclass(frozen=True, eq=False, slots=True)
class Cut:
    """A surface cut along the line where values are zero; points on the line are there twice."""

    points: Array
    faces: Indices
    is_low: NDArray[np.bool_]
    """Which triangles lie where values are below zero."""
    source: Indices
    """A point of the surface before, from which each has what it has besides its place."""
    twins: Indices
    """For each point the one of the other side that it was, or itself."""
    rim: Indices
    """Edges of the upper side along the line, and the same points of the lower side (n, 4)."""


def cut(points: Array, faces: Indices, values: Array) -> Cut:
    """Cut triangles where a field is zero; points that are near to the line are moved onto it first."""
    points, values = np.array(points), np.array(values)
    _snap(points, values, faces)
    size = len(points)
    a, b = _edges(faces).T
    crosses = values[a] * values[b] < 0.0
    a, b = a[crosses], b[crosses]
    part = (values[a] / (values[a] - values[b]))[:, None]
    points = np.vstack([points, points[a] + part * (points[b] - points[a])])
    values = np.concatenate([values, np.zeros(len(a))])
    keys = a * size + b

    def between(one: Indices, other: Indices) -> Indices:
        low, high = np.minimum(one, other), np.maximum(one, other)
        return np.asarray(size + np.searchsorted(keys, low * size + high))

    sign = np.sign(values[faces]).astype(int)
    is_mixed = (sign.max(axis=1) > 0) & (sign.min(axis=1) < 0)
    done, low = [faces[~is_mixed]], [sign[~is_mixed].min(axis=1) < 0]
    mixed, signs = faces[is_mixed], sign[is_mixed]
    has_zero = (signs == 0).any(axis=1)
    rows = np.arange(3)
    # one corner on the line: the other edge is halved
    first = np.argmax(signs[has_zero] == 0, axis=1)
    z, p, q = np.take_along_axis(mixed[has_zero], (first[:, None] + rows) % 3, axis=1).T
    m = between(p, q)
    done += [np.column_stack([z, p, m]), np.column_stack([z, m, q])]
    low += [values[p] < 0.0, values[q] < 0.0]
    # one corner alone on its side
    own = signs[~has_zero]
    first = np.argmax(own == -np.sign(own.sum(axis=1))[:, None], axis=1)
    z, p, q = np.take_along_axis(mixed[~has_zero], (first[:, None] + rows) % 3, axis=1).T
    m, n = between(z, p), between(z, q)
    done += [np.column_stack([z, m, n]), np.column_stack([m, p, q]), np.column_stack([m, q, n])]
    low += [values[z] < 0.0, values[p] < 0.0, values[p] < 0.0]
    every, is_low = np.vstack(done), np.concatenate(low)
    upper, lower = every[~is_low], every[is_low]
    rim = _directed(upper)
    rim = rim[np.isin(_keys(rim, len(points)), _keys(_directed(lower), len(points)))]
    copies = np.unique(lower[values[lower] == 0.0])
    number = np.arange(len(points))
    number[copies] = len(points) + np.arange(len(copies))
    every[is_low] = number[lower]
    source = np.concatenate([np.arange(size), a])
    return Cut(
        np.vstack([points, points[copies]]), every, is_low,
        np.concatenate([source, source[copies]]),
        np.concatenate([np.arange(len(points)), copies]),
        np.column_stack([rim, number[rim]]),
    )  # fmt: skip


def _snap(points: Array, values: Array, faces: Indices) -> None:
    """Move points onto the line that is near along one of their edges."""
    a, b = _edges(faces).T
    crosses = values[a] * values[b] < 0.0
    a, b = a[crosses], b[crosses]
    part = values[a] / (values[a] - values[b])
    there = points[a] + part[:, None] * (points[b] - points[a])
    who, far = np.concatenate([a, b]), np.concatenate([part, 1.0 - part])
    there = np.vstack([there, there])
    order = np.argsort(-far)
    order = order[far[order] < _NEAR]
    # of several the nearest is the last
    points[who[order]], values[who[order]] = there[order], 0.0


def _directed(faces: Indices) -> Indices:
    return np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])


def _edges(faces: Indices) -> Indices:
    """Each edge once, the lower number first, in the order of both."""
    ends, size = _directed(faces), int(faces.max()) + 1
    return np.column_stack(np.divmod(np.unique(_keys(ends, size)), size))


def _keys(ends: Indices, size: int) -> Indices:
    return np.asarray(ends.min(axis=1) * size + ends.max(axis=1))


def _without_lost(piece: Piece) -> Piece:
    """Leave out points that no triangle has."""
    kept = np.unique(piece.faces)
    number = np.zeros(len(piece.points), np.int64)
    number[kept] = np.arange(len(kept))
    return Piece(piece.points[kept], number[piece.faces], piece.names[kept], piece.cloth[kept])


def trimmed(piece: Piece, values: Array, inwards: Array) -> Piece:
    """Leave away what lies where values are below zero; the end is closed a little inside, as that of a sleeve is."""
    made = cut(piece.points, piece.faces, values)
    ends = made.rim[:, :2]
    if not len(ends):
        return piece
    on = np.unique(ends)
    middle = made.points[on].mean(axis=0)
    inner = middle + _INSET * (made.points[on] - middle) + _DEEP_M * inwards
    number = np.zeros(len(made.points), np.int64)
    number[on] = len(made.points) + np.arange(len(on))
    last = len(made.points) + len(on)
    a, b = ends.T
    c, d = number[a], number[b]
    faces = [
        made.faces[~made.is_low], np.column_stack([b, a, c]), np.column_stack([b, c, d]),
        np.column_stack([d, c, np.full(len(a), last)]),
    ]  # fmt: skip
    more = len(on) + 1
    return _without_lost(
        Piece(
            np.vstack([made.points, inner, middle + 2.0 * _DEEP_M * inwards]),
            np.vstack(faces),
            np.concatenate([piece.names[made.source], np.repeat(piece.names[made.source[on[:1]]], more)]),
            np.concatenate([piece.cloth[made.source], np.zeros(more, bool)]),
        )
    )  # fmt: skip


def parted(
    piece: Piece, values: Array, name: Garment, off: Array | None = None, *, is_level: bool = False
) -> Piece:
    """Let a garment begin where values are above zero, `off` (m) by point farther out, or aside, than what is there."""
    made = cut(piece.points, piece.faces, values)
    points, names = np.array(made.points), piece.names[made.source]
    upper = np.unique(made.faces[~made.is_low])
    names[upper] = name
    faces = made.faces
    if off is not None:
        ways = _outwards(made) * ((1.0, 1.0, 0.0) if is_level else 1.0)
        ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 0.3)
        points[upper] += off[made.source][upper, None] * ways[made.twins[upper]]
    a, b, c, d = made.rim.T
    faces = np.vstack([faces, np.column_stack([b, a, c]), np.column_stack([b, c, d])])
    return _without_lost(Piece(points, faces, names, piece.cloth[made.source]))


def _outwards(made: Cut) -> Array:
    """Normals before the cut, made alike among neighbours, so that what hangs off has an even edge."""
    faces = made.twins[made.faces]
    normals = normals_of(made.points, faces)
    for _ in range(2):
        means = normals[faces].sum(axis=1)
        each = np.repeat(means, 3, axis=0)
        normals = np.column_stack(
            [np.bincount(faces.ravel(), each[:, i], minlength=len(normals)) for i in range(3)]
        )
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return normals


def pieces(b: Build) -> Iterator[Piece]:
    """All that a person wears, from head to foot, but for fingers."""
    leg = float(np.mean([np.linalg.norm(one.hip - one.knee) for one in b.legs]))
    leg += float(np.mean([np.linalg.norm(one.knee - one.ankle) for one in b.legs]))
    size = max(0.02, leg / _GROWN_M)
    face = _FACE_M * float(b.head.half[1]) / 0.078
    yield _head(b, face)
    if b.figure.is_dummy:
        for is_dark, lumps in body_shape.quarters(b):
            yield Piece.of("dark" if is_dark else "mark", *surface(lumps, 0.8 * face))
    yield _clothes(b, _CLOTH_M * size)
    for one in b.legs:
        yield Piece.of("shoe", *surface(body_shape.shoe(one), _SHOE_M * size))
    for arm in (one for one in b.arms if not one.is_half):
        yield Piece.of("hand", *surface(body_shape.hand(arm), _HAND_M * size))


def _clothes(b: Build, cell: float) -> Piece:
    """Shirt and trousers as one surface with a hem; of a dummy jacket, pelvis and caps."""
    made = surface(body_shape.clothes(b), cell)
    piece = replace(Piece.of("trousers", *made), cloth=np.ones(len(made[0]), bool))
    for place, way, reach in body_shape.ends(b):
        away = piece.points - place
        values = np.where(np.linalg.norm(away, axis=1) < reach, -(away @ way), 1.0)
        piece = trimmed(piece, values, -way)
    above = b.hem - piece.points[:, 2]
    off = body_shape.hangs(above)
    if b.figure.is_dummy:
        off = np.full(len(off), _VINYL_M)
    piece = parted(piece, above, "shirt", off, is_level=True)
    if b.figure.is_dummy:
        inside = [r - np.linalg.norm(piece.points - at, axis=1) for at, r in body_shape.caps(b)]
        piece = parted(piece, np.max(inside, axis=0), "cap", np.full(len(piece.points), _CAP_M))
    return piece


def _head(b: Build, cell: float) -> Piece:
    """A head with hair, or a dummy's with its neck of rubber."""
    lumps = body_shape.head(b)
    if b.figure.is_dummy:
        piece = Piece.of("head", *surface(lumps, cell))
        return parted(piece, body_shape.rubber(b, piece.points), "rubber")
    points, faces = surface(lumps, _ROUGHER * cell)
    for ahead, across, up, wide, high in _FINER:
        x, y, z = body_shape.on_head(b, points)
        side = np.abs(y) - across
        is_fine = (x > ahead) & (np.abs(side) < wide) & (np.abs(z - up) < high)
        points, faces = refined(points, faces, is_fine, lumps)
    piece = Piece.of("head", points, faces)
    values, off = body_shape.hair(b, piece.points)
    piece = parted(piece, values, "hair", off)
    piece = parted(piece, body_shape.eye(b, piece.points), "eye")
    inside = np.where(piece.names == "eye", body_shape.iris(b, piece.points), -1.0)
    return parted(piece, inside, "iris")
