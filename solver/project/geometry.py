"""Places and turns: frames, points on segments, surfaces."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from solver.engine.maths.rotation import Array
from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Element,
    Id,
    Part,
    Positive3,
    Powers3,
    Vec3,
    choice,
    number,
    ref,
)

AxisOrder = Literal[
    "zyx", "zxy", "yxz", "yzx", "xyz", "xzy", "zxz", "zyz", "xyx", "xzx", "yxy", "yzy"
]


class Orientation(Part):
    """Turn one set of axes into another by three successive rotations about moving axes."""

    angles_rad: Vec3 = number(
        ZERO3, "rad", "Angles", "Rotation about each axis of the order, in that order."
    )
    order: AxisOrder = choice(
        "zyx",
        "Axis order",
        "Moving axes turned about, first to last: zyx is yaw, pitch, roll; zxz is precession, nutation, spin.",
    )


class Frame(Part):
    """Place a set of axes in a segment."""

    position_m: Vec3 = number(
        ZERO3,
        "m",
        "Position",
        "Origin of the frame, from the segment's mass centre, segment axes.",
    )
    orientation: Orientation = choice(
        Orientation(),
        "Orientation",
        "Turn of the frame's axes from the segment's axes.",
    )


class PointRef(Part):
    """Name a point fixed in a segment."""

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that carries the point.")
    position_m: Vec3 = number(
        ZERO3, "m", "Position", "Point from the segment's mass centre, segment axes."
    )


class FrameRef(Part):
    """Name a frame fixed in a segment."""

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that carries the frame.")
    frame: Frame = choice(Frame(), "Frame", "Place and turn of the axes in the segment.")


class SurfaceRef(Part):
    """Name a surface by its segment and its id there."""

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that carries the surface.")
    surface: Id = choice(REQUIRED, "Surface", "Id of the surface on that segment.")


class Ellipsoid(Element):
    """Describe an ellipsoid fixed in a segment (section 2.2)."""

    kind: Literal["ellipsoid"] = choice("ellipsoid", "Kind", "An ordinary ellipsoid.")
    semi_axes_m: Positive3 = number(
        REQUIRED,
        "m",
        "Semi-axes",
        "Half lengths along the surface's own x, y and z; all above zero.",
    )
    centre_m: Vec3 = number(
        ZERO3, "m", "Centre", "Centre from the segment's mass centre, segment axes."
    )
    orientation: Orientation = choice(
        Orientation(),
        "Orientation",
        "Turn of the surface's axes from the segment's axes.",
    )


class Hyperellipsoid(Ellipsoid):
    """Describe a body |x/a|^p + |y/b|^q + |z/c|^r = 1 fixed in a segment; high powers approach a box."""

    kind: Literal["hyperellipsoid"] = choice(  # type: ignore[assignment]
        "hyperellipsoid", "Kind", "An ellipsoid with powers above two."
    )
    powers: Powers3 = number(
        (4.0, 4.0, 4.0),
        "1",
        "Powers",
        "Exponents along x, y and z, each from 2 (ellipsoid) to 100.",
    )


Surface = Annotated[Ellipsoid | Hyperellipsoid, Field(discriminator="kind")]


def powers_of(surface: Ellipsoid) -> tuple[float, float, float]:
    """A surface's powers; an ellipsoid's are all two."""
    return surface.powers if isinstance(surface, Hyperellipsoid) else (2.0, 2.0, 2.0)


def upright(R: Array) -> Orientation:
    """The yaw, pitch and roll of a rotation matrix."""
    pitch = math.asin(min(1.0, max(-1.0, -float(R[2, 0]))))
    if abs(math.cos(pitch)) > 1e-9:
        yaw = math.atan2(float(R[1, 0]), float(R[0, 0]))
        roll = math.atan2(float(R[2, 1]), float(R[2, 2]))
    else:
        yaw, roll = math.atan2(-float(R[0, 1]), float(R[1, 1])), 0.0
    return Orientation(angles_rad=tuple(round(a, 12) + 0.0 for a in (yaw, pitch, roll)))
