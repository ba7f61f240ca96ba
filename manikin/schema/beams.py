"""Beams: one part that bends, and becomes rigid stations with springs between them when a model is compiled.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.beams as _beams
    import solver.project.geometry as _geometry
    from manikin.schema.geometry import Frame
    from manikin.schema.numbers import Vec3
    from manikin.schema.sections import Section


class BeamEnd(TypedDict, total=False):
    """Say how one end of a beam is held."""

    fixing: Literal["fixed", "pin", "ball", "free"]
    """Fixing ("fixed"): fixed: clamped; pin: it turns about y of the frame; ball: it turns every way; free: the frame only says where it starts."""
    segment: str
    """Segment (id in segments, "ground"): Segment that holds the end, or from which it starts."""
    frame: Frame | _geometry.Frame
    """Frame (its own defaults): Where the end is in that segment; x along the beam, y and z along width and height."""


class Beam(Element, total=False):
    """Bend, twist, shear and stretch between its two ends: a rod, a tube, a rib, a post.

    It is cut into equal pieces. Its mass stands in rigid stations between them and at both ends, from `beam#0` at its
    start to `beam#n` at its end, which can be named wherever a segment is; half a piece reaches to either side.
    Springs in the middle of each piece bend, shear and stretch as Timoshenko's beam of that length does. Axes: x along
    the beam, y across along the width, z along the height.
    """

    section: Required[Section]
    """Section (required): Shape across, or its numbers."""
    elastic_pa: Required[float]
    """Elastic modulus (Pa, > 0, required): E."""
    shear_pa: Required[float]
    """Shear modulus (Pa, > 0, required): G."""
    density_kg_per_m3: Required[float]
    """Density (kg/m3, ≥ 0, required): Of the section's material."""
    extra_kg_per_m: float
    """Mass by length besides (kg/m, ≥ 0, 0.0): Of what it carries along and does not stiffen it."""
    length_m: float | None
    """Length (m, > 0, none): Of a straight one; none: as far as both ends are apart, or as long as its curve."""
    curve_m: Sequence[Vec3]
    """Curve (m, at most 500 entries, []): Points through which its axis goes unbent, in the frame at its start, where it begins."""
    curve_is: Literal["smooth", "straight"]
    """Between points ("smooth"): smooth: a curve through the points; straight: lines from point to point."""
    pieces: int
    """Pieces (1, ≥ 2, ≤ 200, 12): So many equal lengths; errors fall with their square."""
    freedoms: Literal["turns", "about_y", "about_z", "all"]
    """Freedoms ("turns"): turns: pieces bend and twist, and neither stretch nor shear, which allows long steps; about_y, about_z: they bend about that axis alone; all: they stretch and shear as well."""
    start: BeamEnd | _beams.BeamEnd
    """Start (its own defaults): How it is held where it begins."""
    end: BeamEnd | _beams.BeamEnd
    """End (its own defaults): How it is held where it ends."""
    unbent_end: Frame | _geometry.Frame | None
    """End unbent (none): Of one held at both ends: where the frame at its end is while nothing bends it, seen from that at its start; none: where it is at the start."""
    velocity_m_per_s: Vec3
    """Velocity (m/s, [0.0, 0.0, 0.0]): Of a beam that nothing holds, at its start, in the axes of the frame there; added to that of its segment."""
    angular_velocity_rad_per_s: Vec3
    """Angular velocity (rad/s, [0.0, 0.0, 0.0]): Of a beam that nothing holds, about its start, in the same axes."""
    damping_ratio: float
    """Damping ratio (1, ≥ 0, ≤ 2, 0.0): Of its lowest bending, between these ends; higher ones have more, as their frequency."""
    strength_pa: float | None
    """Strength (Pa, > 0, none): Stress of the outer fibre beyond which it would yield or break: a run warns."""
    touchable: bool
    """Can be touched (false): Whether each station has a surface 'piece', which contacts may name."""
    colour: Literal["metal", "bone", "wood", "plastic"]
    """Colour ("metal"): As what it is drawn."""
