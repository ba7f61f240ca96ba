"""Places and turns: frames, points on segments, surfaces.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    import solver.project.geometry as _geometry
    from manikin.schema.numbers import Vec3


class Orientation(TypedDict, total=False):
    """Turn one set of axes into another by three successive rotations about moving axes."""

    angles_rad: Vec3
    """Angles (rad, [0.0, 0.0, 0.0]): Rotation about each axis of the order, in that order."""
    order: AxisOrder
    """Axis order ("zyx"): Moving axes turned about, first to last: zyx is yaw, pitch, roll; zxz is precession, nutation, spin."""


class Frame(TypedDict, total=False):
    """Place a set of axes in a segment."""

    position_m: Vec3
    """Position (m, [0.0, 0.0, 0.0]): Origin of the frame, from the segment's mass centre, segment axes."""
    orientation: Orientation | _geometry.Orientation
    """Orientation (its own defaults): Turn of the frame's axes from the segment's axes."""


class PointRef(TypedDict, total=False):
    """Name a point fixed in a segment."""

    segment: Required[str]
    """Segment (id in segments, required): Segment that carries the point."""
    position_m: Vec3
    """Position (m, [0.0, 0.0, 0.0]): Point from the segment's mass centre, segment axes."""


class FrameRef(TypedDict, total=False):
    """Name a frame fixed in a segment."""

    segment: Required[str]
    """Segment (id in segments, required): Segment that carries the frame."""
    frame: Frame | _geometry.Frame
    """Frame (its own defaults): Place and turn of the axes in the segment."""


class SurfaceRef(TypedDict, total=False):
    """Name a surface by its segment and its id there."""

    segment: Required[str]
    """Segment (id in segments, required): Segment that carries the surface."""
    surface: Required[str]
    """Surface (required): Id of the surface on that segment."""


class Ellipsoid(Element, total=False):
    """Describe an ellipsoid fixed in a segment (section 2.2)."""

    id: Required[str]
    """Id (required): Unique in its list; other elements refer to it by this name."""
    kind: Required[Literal["ellipsoid"]]
    """Kind ("ellipsoid"): An ordinary ellipsoid."""
    semi_axes_m: Required[Vec3]
    """Semi-axes (m, > 0, required): Half lengths along the surface's own x, y and z; all above zero."""
    centre_m: Vec3
    """Centre (m, [0.0, 0.0, 0.0]): Centre from the segment's mass centre, segment axes."""
    orientation: Orientation | _geometry.Orientation
    """Orientation (its own defaults): Turn of the surface's axes from the segment's axes."""


class Hyperellipsoid(Element, total=False):
    """Describe a body |x/a|^p + |y/b|^q + |z/c|^r = 1 fixed in a segment; high powers approach a box."""

    id: Required[str]
    """Id (required): Unique in its list; other elements refer to it by this name."""
    semi_axes_m: Required[Vec3]
    """Semi-axes (m, > 0, required): Half lengths along the surface's own x, y and z; all above zero."""
    centre_m: Vec3
    """Centre (m, [0.0, 0.0, 0.0]): Centre from the segment's mass centre, segment axes."""
    orientation: Orientation | _geometry.Orientation
    """Orientation (its own defaults): Turn of the surface's axes from the segment's axes."""
    kind: Required[Literal["hyperellipsoid"]]
    """Kind ("hyperellipsoid"): An ellipsoid with powers above two."""
    powers: Vec3
    """Powers (1, ≥ 2, ≤ 100, [4.0, 4.0, 4.0]): Exponents along x, y and z, each from 2 (ellipsoid) to 100."""


AxisOrder: TypeAlias = Literal[
    "zyx", "zxy", "yxz", "yzx", "xyz", "xzy", "zxz", "zyz", "xyx", "xzx", "yxy", "yzy"
]


Surface: TypeAlias = "Ellipsoid | _geometry.Ellipsoid | Hyperellipsoid | _geometry.Hyperellipsoid"
