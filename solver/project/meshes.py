"""Meshes of segments, for show: they stand in the project itself, packed, and name no file that is opened."""

from __future__ import annotations

import base64
import binascii
import zlib
from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, Strict

from solver.engine.maths.rotation import Array
from solver.project.fields import REQUIRED, Element, Id, choice, ref
from solver.project.geometry import Frame
from solver.project.segments import GROUND

MOST_POINTS, MOST_FACES = 200_000, 400_000
_HEAD = 8
Packed = Annotated[str, Strict(), Field(max_length=20_000_000)]


class SegmentMesh(Element):
    """Show a mesh on a segment; nothing touches it. Surfaces that are touched can be fitted to it."""

    segment: Id = ref(GROUND, "segments", "Segment", "Segment that carries it.")
    frame: Frame = choice(Frame(), "Frame", "Where the mesh's own axes are in the segment.")
    packed: Packed = choice(
        REQUIRED, "Points and faces", "Points (m, four-byte numbers) and triangles, packed; made by importing a file."
    )  # fmt: skip


class Triangles(NamedTuple):
    """Hold points (m) and triangles of a mesh."""

    points: Array
    faces: NDArray[np.int64]


def pack(points: Array, faces: NDArray[np.int64]) -> str:
    """Write points and triangles as text: counts, points, triangles, little end first, deflated, base 64."""
    counts = np.array([len(points), len(faces)], "<u4")
    raw = counts.tobytes() + np.asarray(points, "<f4").tobytes() + np.asarray(faces, "<u4").tobytes()  # fmt: skip
    return base64.b64encode(zlib.compress(raw, 9)).decode("ascii")


@lru_cache(maxsize=64)
def unpack(packed: str) -> Triangles | None:
    """Read points and triangles; none where the text holds none that are whole."""
    most = _HEAD + 12 * (MOST_POINTS + MOST_FACES)
    try:
        inflating = zlib.decompressobj()
        raw = inflating.decompress(base64.b64decode(packed, validate=True), most + 1)
    except (binascii.Error, ValueError, zlib.error):
        return None
    if len(raw) < _HEAD or len(raw) > most:
        return None
    points, faces = (int(n) for n in np.frombuffer(raw, "<u4", 2))
    if not (0 < points <= MOST_POINTS and 0 < faces <= MOST_FACES) or len(raw) != _HEAD + 12 * (points + faces):  # fmt: skip
        return None
    p = np.frombuffer(raw, "<f4", 3 * points, _HEAD).reshape(-1, 3).astype(float)
    f = np.frombuffer(raw, "<u4", 3 * faces, _HEAD + 12 * points).reshape(-1, 3).astype(np.int64)
    if not np.isfinite(p).all() or np.abs(p).max() > 1e4 or f.max() >= points:
        return None
    return Triangles(p, f)
