"""Own frames: coordinate systems of the user, in which places are given and results are told.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.geometry as _geometry
    from manikin.schema.geometry import Orientation
    from manikin.schema.numbers import Vec3


class OwnFrame(Element, total=False):
    """Be a coordinate system of its own: shifted, turned, clockwise, oblique, within another one.

    It does nothing in a run: places are entered and shown in it, outputs and quantities are told in it.
    """

    segment: str
    """Segment (id in segments, "ground"): Segment that carries it; of a frame in a frame the outer one says."""
    relative_to: str | None
    """Within (id in frames, none): Frame in which its place and turn are told; none for the segment's axes."""
    position_m: Vec3
    """Origin (m, [0.0, 0.0, 0.0]): In the outer frame; else from the segment's mass centre, segment axes."""
    orientation: Orientation | _geometry.Orientation
    """Orientation (its own defaults): Turn from the right-angled axes of the outer frame, or from the segment's axes."""
    reversed: Literal["none", "x", "y", "z"]
    """Reversed axis ("none"): Axis that points the other way: axes become left-handed, angles count clockwise."""
    between_rad: Vec3
    """Angles between axes (rad, [1.5707963267948966, 1.5707963267948966, 1.5707963267948966]): Between y and z, z and x, x and y; x stays, y stays in the plane of x and y."""


class UnitSystem(Element, total=False):
    """Name the units in which numbers are shown, typed and exported; the file itself stays in SI.

    What they do not say follows from them: of mm, t and s a force is in t·mm/s², of in, lbf and s a mass in
    lbf·s²/in. Only what no unit of them measures stays in SI.
    """

    units: Required[Sequence[str]]
    """Units (at least 1 entry, at most 40 entries, required): One of each kind, as mm, t, s, deg; any factor, as 25.4*mm; any derived one, as psi or g."""
