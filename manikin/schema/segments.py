"""Rigid segments and the planes that they carry.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.geometry as _geometry
    import solver.project.segments as _segments
    from manikin.schema.geometry import Frame, Orientation, Surface
    from manikin.schema.numbers import Vec3


class Segment(Element, total=False):
    """Describe a rigid body; its axes start in the mass centre (sections 2 and 4.1).

    Mass or single moments of inertia may be zero where joints and constraints make the motion
    determined (section 4.6); what constraints hold counts a trace of mass instead.
    """

    mass_kg: Required[float]
    """Mass (kg, ≥ 0, required): Zero for a massless component."""
    inertia_kgm2: Vec3
    """Moments of inertia (kg*m2, ≥ 0, of its shape, or of its largest surface): About the mass centre and the axes of inertia; none below zero."""
    principal_axes: Orientation | _geometry.Orientation
    """Axes of inertia (its own defaults): Turn from the segment's axes; principal axes where there are no products of inertia."""
    products_kgm2: Vec3
    """Products of inertia (kg*m2, [0.0, 0.0, 0.0]): xy, xz and yz about the same axes; none about principal axes."""
    products_are: Literal["entries", "integrals"]
    """Products are ("entries"): entries: as they stand in the tensor; integrals: of xy, xz and yz over the mass, with the sign turned."""
    surfaces: Sequence[Surface]
    """Surfaces ([]): Ellipsoids and hyperellipsoids that can be seen and touched."""
    surfaces_are: Literal["whole", "part"]
    """Surfaces are ("whole"): whole: they hold all of its mass; part: flesh or fittings reach beyond them, so its density is not judged."""
    mirror: str | None
    """Mirror twin (id in segments, none): Segment on the other side of the body, for mirrored edits."""


class ThreePoints(TypedDict, total=False):
    """Span a plane by three corners; the front is along (p2 - p1) x (p3 - p1) (section 2.2)."""

    kind: Required[Literal["points"]]
    """Kind ("points"): Placed by three corners."""
    p1_m: Required[Vec3]
    """Corner 1 (m, required): First corner, segment axes."""
    p2_m: Required[Vec3]
    """Corner 2 (m, required): End of the first edge, segment axes."""
    p3_m: Required[Vec3]
    """Corner 3 (m, required): End of the second edge, segment axes."""


class PlaneFrame(TypedDict, total=False):
    """Span a rectangle about a frame's origin in its x and y; the front is along z."""

    kind: Required[Literal["frame"]]
    """Kind ("frame"): Placed by a frame and a size."""
    frame: Frame | _geometry.Frame
    """Frame (its own defaults): Centre of the rectangle and its axes in the segment."""
    length_m: float
    """Length (m, > 0, 1.0): Edge along the frame's x."""
    width_m: float
    """Width (m, > 0, 1.0): Edge along the frame's y."""


class Plane(Element, total=False):
    """Describe a flat contact surface carried by a segment; only its front side pushes."""

    segment: str
    """Segment (id in segments, "ground"): Segment that carries the plane."""
    placement: Required[ThreePoints | _segments.ThreePoints | PlaneFrame | _segments.PlaneFrame]
    """Placement (required): By three corners or by a frame."""
    bounded: bool
    """Bounded (true): False for a plane without edges; the corners then only place it."""
    ends: Literal["both", "first", "second"]
    """Ends ("both"): Directions in which it ends; first: from corner 1 to 2, or the frame's x; second: from corner 1 to 3, or y."""


class SegmentMesh(Element, total=False):
    """Show a mesh on a segment; tyres alone can touch it. Surfaces that others touch can be fitted to it."""

    segment: str
    """Segment (id in segments, "ground"): Segment that carries it."""
    frame: Frame | _geometry.Frame
    """Frame (its own defaults): Where the mesh's own axes are in the segment."""
    see_through: bool
    """See-through (false): Whether what is behind it is seen, as of a reach envelope."""
    packed: Required[str]
    """Points and faces (required): Points (m, four-byte numbers) and triangles, packed; made by importing a file."""


class Marker(Element, total=False):
    """Mark a point of a segment; tracks of a test go by its id (docs/markers.md). It does nothing in a run."""

    segment: Required[str]
    """Segment (id in segments, required): Segment that carries it."""
    point_m: Vec3
    """Point (m, [0.0, 0.0, 0.0]): Where it is, from the mass centre, segment axes."""
