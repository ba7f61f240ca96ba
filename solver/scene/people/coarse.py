"""Make a skin with fewer points, for pictures that move: what lies in one cell of a grid becomes one point."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from solver.scene.meshes import Indices, Mesh
from solver.scene.people.skin import Skin

_CELL = 1.9
"""Size of a cell, over the length of a garment's edges."""
_FEW = 400
"""Garments with fewer triangles than this stay as they are, such as marks."""


@lru_cache(maxsize=24)
def coarse(skin: Skin) -> Skin:
    """Give a skin of about a quarter of the triangles; each of its points follows as the mean of those it stands for."""
    from scipy.sparse import csr_matrix

    number = _cells(skin)
    size = int(number.max()) + 1
    count = np.bincount(number, minlength=size)
    rows = csr_matrix(
        (1.0 / count[number], (number, np.arange(len(number)))), shape=(size, len(number))
    )
    tied, turned = (csr_matrix(rows @ each, dtype=np.float32) for each in (skin.tied, skin.turned))
    assert skin.mesh.normals is not None
    normals = np.asarray(rows @ skin.mesh.normals)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    faces, garments = _faces(skin, number)
    first = np.full(size, len(number))
    np.minimum.at(first, number, np.arange(len(number)))
    return Skin(
        skin.bones,
        Mesh(np.asarray(rows @ skin.mesh.points), faces, normals),
        garments,
        np.asarray(rows @ skin.colours),
        skin.owners[first],
        csr_matrix(rows @ skin.weights),
        np.unique(number[skin.cloth]),
        tied,
        turned,
    )


def _cells(skin: Skin) -> Indices:
    """Give for each point the number of the cell in which it lies; two sides of a cloth have two."""
    points, normals = skin.mesh.points, skin.mesh.normals
    assert normals is not None
    out = np.zeros(len(points), np.int64)
    begins = 0
    for part in skin.garments:
        faces = skin.mesh.faces[part]
        own = np.unique(faces)
        if len(faces) < _FEW:
            inside = np.arange(len(own))
        else:
            edge = float(np.linalg.norm(points[faces[:, 0]] - points[faces[:, 1]], axis=1).mean())
            place = np.floor(points[own] / (_CELL * edge)).astype(np.int64)
            _, cell = np.unique(place, axis=0, return_inverse=True)
            cell = cell.ravel()
            mean = np.zeros((int(cell.max()) + 1, 3))
            np.add.at(mean, cell, normals[own])
            other = np.einsum("ij,ij->i", normals[own], mean[cell]) < 0.0
            _, inside = np.unique(2 * cell + other, return_inverse=True)
        out[own] = begins + inside.ravel()
        begins += int(inside.max()) + 1
    return out


def _faces(skin: Skin, number: Indices) -> tuple[Indices, tuple[slice, ...]]:
    """Give the triangles whose points lie in three cells, each once, by garment."""
    each, garments, begins = [], [], 0
    for part in skin.garments:
        faces = number[skin.mesh.faces[part]]
        a, b, c = faces.T
        faces = faces[(a != b) & (b != c) & (c != a)]
        _, first = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
        each.append(faces[np.sort(first)])
        garments.append(slice(begins, begins + len(first)))
        begins += len(first)
    return np.vstack(each), tuple(garments)
