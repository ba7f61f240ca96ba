"""Write triangles as a binary STL file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.base.atomic import write_atomic
from solver.engine.maths.rotation import Array

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])


def write_stl(path: Path, points: Array, faces: NDArray[np.int64]) -> Path:
    """Write a mesh (m) as STL, which knows no unit."""
    corners = points[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    rows = np.zeros(len(faces), _RECORD)
    rows["normal"] = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    rows["corners"] = corners
    head = b"Manikin, lengths in m".ljust(80, b" ")
    write_atomic(path, head + np.array([len(faces)], "<u4").tobytes() + rows.tobytes())
    return path
