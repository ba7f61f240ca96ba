"""Rigid segments and the planes that they carry."""

from __future__ import annotations

import base64
import binascii
import zlib
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, Strict

from solver.engine.maths.rotation import Array
from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Element,
    Flag,
    Id,
    NotNegative3,
    Number,
    Part,
    Vec3,
    choice,
    number,
    ref,
)
from solver.project.geometry import Frame, Orientation, Surface

GROUND = "ground"
"""The segment that is always there and never moves."""


class Segment(Element):
    """Describe a rigid body; its axes start in the mass centre (sections 2 and 4.1).

    Mass or single moments of inertia may be zero where joints and constraints make the motion
    determined (section 4.6); what constraints hold counts a trace of mass instead.
    """

    mass_kg: Number = number(REQUIRED, "kg", "Mass", "Zero for a massless component.", ge=0)
    inertia_kgm2: NotNegative3 = number(
        REQUIRED,
        "kg*m2",
        "Moments of inertia",
        "About the mass centre and the axes of inertia; none below zero.",
    )
    principal_axes: Orientation = choice(
        Orientation(),
        "Axes of inertia",
        "Turn from the segment's axes; principal axes where there are no products of inertia.",
    )
    products_kgm2: Vec3 = number(
        ZERO3,
        "kg*m2",
        "Products of inertia",
        "xy, xz and yz about the same axes; none about principal axes.",
    )
    products_are: Literal["entries", "integrals"] = choice(
        "entries",
        "Products are",
        "entries: as they stand in the tensor; integrals: of xy, xz and yz over the mass, with the sign turned.",
    )
    surfaces: tuple[Surface, ...] = choice(
        (), "Surfaces", "Ellipsoids and hyperellipsoids that can be seen and touched."
    )
    surfaces_are: Literal["whole", "part"] = choice(
        "whole",
        "Surfaces are",
        "whole: they hold all of its mass; part: flesh or fittings reach beyond them, so its density is not judged.",
    )
    mirror: Id | None = ref(
        None,
        "segments",
        "Mirror twin",
        "Segment on the other side of the body, for mirrored edits.",
    )


class ThreePoints(Part):
    """Span a plane by three corners; the front is along (p2 - p1) x (p3 - p1) (section 2.2)."""

    kind: Literal["points"] = choice("points", "Kind", "Placed by three corners.")
    p1_m: Vec3 = number(REQUIRED, "m", "Corner 1", "First corner, segment axes.")
    p2_m: Vec3 = number(REQUIRED, "m", "Corner 2", "End of the first edge, segment axes.")
    p3_m: Vec3 = number(REQUIRED, "m", "Corner 3", "End of the second edge, segment axes.")


class PlaneFrame(Part):
    """Span a rectangle about a frame's origin in its x and y; the front is along z."""

    kind: Literal["frame"] = choice("frame", "Kind", "Placed by a frame and a size.")
    frame: Frame = choice(Frame(), "Frame", "Centre of the rectangle and its axes in the segment.")
    length_m: Number = number(1.0, "m", "Length", "Edge along the frame's x.", gt=0)
    width_m: Number = number(1.0, "m", "Width", "Edge along the frame's y.", gt=0)


class Plane(Element):
    """Describe a flat contact surface carried by a segment; only its front side pushes."""

    segment: Id = ref(GROUND, "segments", "Segment", "Segment that carries the plane.")
    placement: Annotated[ThreePoints | PlaneFrame, Field(discriminator="kind")] = choice(
        REQUIRED, "Placement", "By three corners or by a frame."
    )
    bounded: Flag = choice(
        True,
        "Bounded",
        "False for a plane without edges; the corners then only place it.",
    )
    ends: Literal["both", "first", "second"] = choice(
        "both",
        "Ends",
        "Directions in which it ends; first: from corner 1 to 2, or the frame's x; second: from corner 1 to 3, or y.",
    )


# Meshes of segments, for show and as roads: they stand in the project itself, packed, and name no file that is opened.

MOST_POINTS, MOST_FACES = 200_000, 400_000
_HEAD = 8
Packed = Annotated[str, Strict(), Field(max_length=20_000_000)]


class SegmentMesh(Element):
    """Show a mesh on a segment; tyres alone can touch it. Surfaces that others touch can be fitted to it."""

    segment: Id = ref(GROUND, "segments", "Segment", "Segment that carries it.")
    frame: Frame = choice(Frame(), "Frame", "Where the mesh's own axes are in the segment.")
    see_through: Flag = choice(
        False, "See-through", "Whether what is behind it is seen, as of a reach envelope."
    )
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


# Markers: points of segments that were followed in a test.


class Marker(Element):
    """Mark a point of a segment; tracks of a test go by its id (docs/markers.md). It does nothing in a run."""

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that carries it.")
    point_m: Vec3 = number(ZERO3, "m", "Point", "Where it is, from the mass centre, segment axes.")
