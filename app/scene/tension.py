"""Spread tensions over the faces of drawn webbing."""

from __future__ import annotations

import numpy as np

from app.scene.meshes import Mesh
from solver.maths.rotation import Array


def in_parts(webbing: Mesh, fixed: Array, parts: Array) -> Array:
    """Give the tension of each piece of a simple belt: A's until the fixed point, B's behind it."""
    line = _line(webbing)
    middle = int(np.argmin(np.sum((line - fixed) ** 2, axis=1)))
    tension: Array = np.where(np.arange(len(line) - 1) < middle, parts[0], parts[1])
    return tension


def on_faces(webbing: Mesh, tension: Array | None) -> Array | None:
    """Give the tension of each face; the balls at the ends have that of the piece beside them.

    None where the pieces are others than those of the tensions.
    """
    pieces = len(webbing.lines[0]) - 1
    if tension is None or len(tension) != pieces:
        return None
    each = (len(webbing.faces) - 2 * pieces) // 2
    ends = (np.full(each, tension[0]), np.full(each, tension[-1]))
    return np.concatenate([np.repeat(tension, 2), *ends])


def _line(webbing: Mesh) -> Array:
    """Give the middle of a ribbon from its two edges."""
    one, other = (webbing.points[list(edge)] for edge in webbing.lines[:2])
    return np.asarray(0.5 * (one + other))
