"""Beams: one part that bends, and becomes rigid stations with springs between them when a model is compiled."""

from __future__ import annotations

import math
from typing import Literal

from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Count,
    Element,
    Flag,
    Id,
    Number,
    Part,
    Vec3,
    choice,
    number,
    ref,
)
from solver.project.geometry import Frame
from solver.project.sections import Section, SectionNumbers, is_sound
from solver.project.segments import GROUND

SURFACE = "piece"
"""Surface of each station of a beam that can be touched."""


class BeamEnd(Part):
    """Say how one end of a beam is held."""

    fixing: Literal["fixed", "pin", "ball", "free"] = choice(
        "fixed",
        "Fixing",
        "fixed: clamped; pin: it turns about y of the frame; ball: it turns every way; free: the frame only says where it starts.",
    )
    segment: Id = ref(GROUND, "segments", "Segment", "Segment that holds the end, or from which it starts.")  # fmt: skip
    frame: Frame = choice(
        Frame(), "Frame", "Where the end is in that segment; x along the beam, y and z along width and height."
    )  # fmt: skip


class Beam(Element):
    """Bend, twist, shear and stretch between its two ends: a rod, a tube, a rib, a post.

    It is cut into equal pieces. Its mass stands in rigid stations between them and at both ends, from `beam#0` at its
    start to `beam#n` at its end, which can be named wherever a segment is; half a piece reaches to either side.
    Springs in the middle of each piece bend, shear and stretch as Timoshenko's beam of that length does. Axes: x along
    the beam, y across along the width, z along the height.
    """

    section: Section = choice(REQUIRED, "Section", "Shape across, or its numbers.")
    elastic_pa: Number = number(REQUIRED, "Pa", "Elastic modulus", "E.", gt=0)
    shear_pa: Number = number(REQUIRED, "Pa", "Shear modulus", "G.", gt=0)
    density_kg_per_m3: Number = number(REQUIRED, "kg/m3", "Density", "Of the section's material.", ge=0)  # fmt: skip
    extra_kg_per_m: Number = number(
        0.0, "kg/m", "Mass by length besides", "Of what it carries along and does not stiffen it.", ge=0
    )  # fmt: skip
    length_m: Number | None = number(
        None, "m", "Length", "Of a straight one; none: as far as both ends are apart, or as long as its curve.", gt=0
    )  # fmt: skip
    curve_m: tuple[Vec3, ...] = number(
        (), "m", "Curve", "Points through which its axis goes unbent, in the frame at its start, where it begins.", max_length=500
    )  # fmt: skip
    curve_is: Literal["smooth", "straight"] = choice(
        "smooth", "Between points", "smooth: a curve through the points; straight: lines from point to point."
    )  # fmt: skip
    pieces: Count = number(
        12, "1", "Pieces", "So many equal lengths; errors fall with their square.", ge=2, le=200
    )  # fmt: skip
    freedoms: Literal["turns", "about_y", "about_z", "all"] = choice(
        "turns",
        "Freedoms",
        "turns: pieces bend and twist, and neither stretch nor shear, which allows long steps; about_y, about_z: they bend "
        "about that axis alone; all: they stretch and shear as well.",
    )
    start: BeamEnd = choice(BeamEnd(), "Start", "How it is held where it begins.")
    end: BeamEnd = choice(BeamEnd(fixing="free"), "End", "How it is held where it ends.")
    unbent_end: Frame | None = choice(
        None,
        "End unbent",
        "Of one held at both ends: where the frame at its end is while nothing bends it, seen from that at its start; none: where it is at the start.",
    )
    velocity_m_per_s: Vec3 = number(
        ZERO3, "m/s", "Velocity", "Of a beam that nothing holds, at its start, in the axes of the frame there; added to that of its segment."
    )  # fmt: skip
    angular_velocity_rad_per_s: Vec3 = number(
        ZERO3, "rad/s", "Angular velocity", "Of a beam that nothing holds, about its start, in the same axes."
    )  # fmt: skip
    damping_ratio: Number = number(
        0.0, "1", "Damping ratio", "Of its lowest bending, between these ends; higher ones have more, as their frequency.", ge=0, le=2
    )  # fmt: skip
    strength_pa: Number | None = number(
        None, "Pa", "Strength", "Stress of the outer fibre beyond which it would yield or break: a run warns.", gt=0
    )  # fmt: skip
    touchable: Flag = choice(
        False,
        "Can be touched",
        "Whether each station has a surface 'piece', which contacts may name.",
    )
    colour: Literal["metal", "bone", "wood", "plastic"] = choice(
        "metal", "Colour", "As what it is drawn."
    )

    @property
    def poisson(self) -> float:
        """What its moduli say of how it contracts across."""
        return min(max(0.5 * self.elastic_pa / self.shear_pa - 1.0, 0.0), 0.5)

    @property
    def has_sound_section(self) -> bool:
        """Whether its section is one."""
        return is_sound(self.section)

    @property
    def numbers(self) -> SectionNumbers:
        """What its section is in numbers."""
        return self.section.numbers(self.poisson)

    @property
    def line_mass(self) -> float:
        """Its mass by length (kg/m)."""
        return self.density_kg_per_m3 * self.numbers.area + self.extra_kg_per_m

    @property
    def is_held(self) -> tuple[bool, bool]:
        """Whether something holds its start, and its end."""
        return self.start.fixing != "free", self.end.fixing != "free"

    @property
    def stations(self) -> tuple[str, ...]:
        """Name its stations, from start to end."""
        return tuple(f"{self.id}#{k}" for k in range(self.pieces + 1))

    def lowest_rad_per_s(self, length: float) -> float:
        """Its lowest bending between its ends as they are held (rad/s), straight, after Euler and Bernoulli."""
        bends = {"fixed": 0, "pin": 1, "ball": 1, "free": 2}
        one, other = bends[self.start.fixing], bends[self.end.fixing]
        factor = LOWEST[min(one, other), max(one, other)]
        numbers = self.numbers
        soft = {"about_y": numbers.moment_y, "about_z": numbers.moment_z}.get(
            self.freedoms, min(numbers.moment_y, numbers.moment_z)
        )
        mass = self.line_mass
        return factor**2 / length**2 * math.sqrt(self.elastic_pa * soft / mass) if mass > 0.0 else math.inf  # fmt: skip


LOWEST = {
    (0, 0): 4.730041, (0, 1): 3.926602, (0, 2): 1.875104,
    (1, 1): math.pi, (1, 2): 3.926602, (2, 2): 4.730041,
}  # fmt: skip
"""Length by wave number of the lowest bending; ends: 0 clamped, 1 hinged, 2 free."""
