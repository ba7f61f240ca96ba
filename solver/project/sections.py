"""Sections of beams: area, moments, torsion, shear and outer fibres, in closed form where there is one.

Across the beam y is the width and z the height. Shear factors are those by which the mean shear is multiplied
(1.2 of a rectangle), after Cowper, J. Appl. Mech. 33, 1966.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from solver.project.fields import REQUIRED, Number, Part, choice, number


class SectionNumbers(NamedTuple):
    """Hold what a beam needs of its section (m2, m4, m)."""

    area: float
    moment_y: float
    """For bending about y: the height counts by its third power."""
    moment_z: float
    torsion: float
    """Saint-Venant's constant; that of a circle is the polar moment."""
    shear_y: float
    shear_z: float
    outer_y: float
    """How far the outer fibre is from the middle along y."""
    outer_z: float
    is_round: bool = False
    """Whether every direction across is alike: both moments then bend one and the same fibre."""
    torsion_modulus: float = 0.0
    """Torsion by the largest shear stress that it makes; 0 where nobody knows."""
    plastic_y: float = 0.0
    """Moment about y by the stress at which all of it flows (m3); 0 where nobody knows."""
    plastic_z: float = 0.0

    @property
    def polar(self) -> float:
        """The polar moment, by which mass resists turning about the axis."""
        return self.moment_y + self.moment_z


Outline = tuple[tuple[float, float], ...]
"""Corners of a section as it is drawn: y and z (m), around it once."""

AROUND = 16
"""Corners of a circle as it is drawn."""


def _circle(radius: float) -> Outline:
    turns = (2.0 * math.pi * k / AROUND for k in range(AROUND))
    return tuple((radius * math.cos(t), radius * math.sin(t)) for t in turns)


def _box(width: float, height: float) -> Outline:
    y, z = 0.5 * width, 0.5 * height
    return ((y, z), (-y, z), (-y, -z), (y, -z))


class RectangleSection(Part):
    """Be solid and rectangular."""

    kind: Literal["rectangle"] = choice("rectangle", "Kind", "A solid rectangle.")
    width_m: Number = number(REQUIRED, "m", "Width", "Along the beam's y.", gt=0)
    height_m: Number = number(REQUIRED, "m", "Height", "Along the beam's z.", gt=0)

    def numbers(self, poisson: float) -> SectionNumbers:
        """What a beam needs of it; torsion by the series of Saint-Venant."""
        b, h = self.width_m, self.height_m
        long, thin = max(b, h), min(b, h)
        odd = range(1, 40, 2)
        bulge = [math.tanh(0.5 * n * math.pi * long / thin) / n**5 for n in odd]
        torsion = long * thin**3 / 3.0 * (1.0 - 192.0 * thin / (math.pi**5 * long) * sum(bulge))
        # the largest stress is in the middle of the long side
        waves = [1.0 / (n * n * math.cosh(min(0.5 * n * math.pi * long / thin, 700.0))) for n in odd]  # fmt: skip
        steepest = thin * (1.0 - 8.0 / math.pi**2 * sum(waves))
        shear = (12.0 + 11.0 * poisson) / (10.0 * (1.0 + poisson))
        return SectionNumbers(
            b * h, b * h**3 / 12.0, h * b**3 / 12.0, torsion, shear, shear, 0.5 * b, 0.5 * h,
            torsion_modulus=torsion / steepest, plastic_y=0.25 * b * h * h, plastic_z=0.25 * h * b * b,
        )  # fmt: skip

    def outline(self) -> Outline:
        """Its corners."""
        return _box(self.width_m, self.height_m)


class BoxSection(Part):
    """Be a closed rectangular tube with walls of one thickness."""

    kind: Literal["box"] = choice("box", "Kind", "A rectangular tube.")
    width_m: Number = number(REQUIRED, "m", "Width", "Outer width along the beam's y.", gt=0)
    height_m: Number = number(REQUIRED, "m", "Height", "Outer height along the beam's z.", gt=0)
    wall_m: Number = number(REQUIRED, "m", "Wall", "Thickness of its walls.", gt=0)

    def numbers(self, poisson: float) -> SectionNumbers:
        """What a beam needs of it; torsion after Bredt, shear in the walls along it alone."""
        b, h, t = self.width_m, self.height_m, self.wall_m
        inner_b, inner_h = b - 2.0 * t, h - 2.0 * t
        area = b * h - inner_b * inner_h
        along, up = b - t, h - t
        shear = (12.0 + 11.0 * poisson) / (10.0 * (1.0 + poisson))
        return SectionNumbers(
            area, (b * h**3 - inner_b * inner_h**3) / 12.0, (h * b**3 - inner_h * inner_b**3) / 12.0,
            2.0 * t * (along * up) ** 2 / (along + up), shear * area / (2.0 * b * t), shear * area / (2.0 * h * t),
            0.5 * b, 0.5 * h, torsion_modulus=2.0 * along * up * t,
            plastic_y=0.25 * (b * h * h - inner_b * inner_h**2), plastic_z=0.25 * (h * b * b - inner_h * inner_b**2),
        )  # fmt: skip

    def outline(self) -> Outline:
        """Its corners."""
        return _box(self.width_m, self.height_m)


class CircleSection(Part):
    """Be a solid rod."""

    kind: Literal["circle"] = choice("circle", "Kind", "A solid rod.")
    diameter_m: Number = number(REQUIRED, "m", "Diameter", "Outer diameter.", gt=0)

    def numbers(self, poisson: float) -> SectionNumbers:
        """What a beam needs of it."""
        return _ring(self.diameter_m, 0.0, poisson)

    def outline(self) -> Outline:
        """Corners around it."""
        return _circle(0.5 * self.diameter_m)


class TubeSection(Part):
    """Be a round tube."""

    kind: Literal["tube"] = choice("tube", "Kind", "A round tube.")
    diameter_m: Number = number(REQUIRED, "m", "Diameter", "Outer diameter.", gt=0)
    wall_m: Number = number(REQUIRED, "m", "Wall", "Thickness of its wall.", gt=0)

    def numbers(self, poisson: float) -> SectionNumbers:
        """What a beam needs of it."""
        return _ring(self.diameter_m, max(self.diameter_m - 2.0 * self.wall_m, 0.0), poisson)

    def outline(self) -> Outline:
        """Corners around it."""
        return _circle(0.5 * self.diameter_m)


def _ring(outer: float, inner: float, poisson: float) -> SectionNumbers:
    area = 0.25 * math.pi * (outer**2 - inner**2)
    moment = math.pi / 64.0 * (outer**4 - inner**4)
    hollow = inner / outer
    whole = (1.0 + hollow**2) ** 2
    shear = ((7.0 + 6.0 * poisson) * whole + (20.0 + 12.0 * poisson) * hollow**2) / (6.0 * (1.0 + poisson) * whole)  # fmt: skip
    r = 0.5 * outer
    return SectionNumbers(
        area,
        moment,
        moment,
        2.0 * moment,
        shear,
        shear,
        r,
        r,
        True,
        2.0 * moment / r,
        flows := (outer**3 - inner**3) / 6.0,
        flows,
    )


class ISection(Part):
    """Be an I with two flanges across and a web along z."""

    kind: Literal["i"] = choice("i", "Kind", "Two flanges and a web.")
    width_m: Number = number(REQUIRED, "m", "Width", "Of the flanges, along the beam's y.", gt=0)
    height_m: Number = number(REQUIRED, "m", "Height", "Outer height along z.", gt=0)
    flange_m: Number = number(REQUIRED, "m", "Flange", "Thickness of the flanges.", gt=0)
    web_m: Number = number(REQUIRED, "m", "Web", "Thickness of the web.", gt=0)

    def numbers(self, poisson: float) -> SectionNumbers:
        """What a beam needs of it; shear is borne by the web along z and by the flanges along y."""
        b, h, f, w = self.width_m, self.height_m, self.flange_m, self.web_m
        up = h - 2.0 * f
        area = 2.0 * b * f + up * w
        torsion = (2.0 * b * f**3 + (h - f) * w**3) / 3.0
        shear = (12.0 + 11.0 * poisson) / (10.0 * (1.0 + poisson))
        return SectionNumbers(
            area, (b * h**3 - (b - w) * up**3) / 12.0, (2.0 * f * b**3 + up * w**3) / 12.0, torsion,
            shear * area / (2.0 * b * f), area / (h * w), 0.5 * b, 0.5 * h,
            torsion_modulus=torsion / max(f, w), plastic_y=b * f * (h - f) + 0.25 * w * up * up,
            plastic_z=0.5 * f * b * b + 0.25 * up * w * w,
        )  # fmt: skip

    def outline(self) -> Outline:
        """Its twelve corners."""
        y, z, w, up = 0.5 * self.width_m, 0.5 * self.height_m, 0.5 * self.web_m, 0.5 * self.height_m - self.flange_m  # fmt: skip
        right = ((w, -up), (y, -up), (y, -z))
        half = ((y, z), (y, up), (w, up))
        left = tuple((-a, b) for a, b in (*reversed(right), *reversed(half)))
        return (*half, *right, *left)


class GivenSection(Part):
    """Be known by its numbers."""

    kind: Literal["given"] = choice("given", "Kind", "Area and moments as they are given.")
    area_m2: Number = number(REQUIRED, "m2", "Area", "A.", gt=0)
    moment_y_m4: Number = number(REQUIRED, "m4", "Moment about y", "For bending about y.", gt=0)
    moment_z_m4: Number = number(REQUIRED, "m4", "Moment about z", "For bending about z.", gt=0)
    torsion_m4: Number = number(REQUIRED, "m4", "Torsion constant", "J, for twisting.", gt=0)
    shear_factor_y: Number = number(1.2, "1", "Shear factor along y", "0: it does not shear.", ge=0)
    shear_factor_z: Number = number(1.2, "1", "Shear factor along z", "0: it does not shear.", ge=0)
    outer_y_m: Number | None = number(
        None, "m", "Outer fibre along y", "From the middle; none: that of a rectangle with its moment.", gt=0
    )  # fmt: skip
    outer_z_m: Number | None = number(
        None, "m", "Outer fibre along z", "From the middle; none: that of a rectangle with its moment.", gt=0
    )  # fmt: skip

    def numbers(self, poisson: float) -> SectionNumbers:
        """What a beam needs of it, as it stands."""
        y, z = self._outer()
        return SectionNumbers(
            self.area_m2, self.moment_y_m4, self.moment_z_m4, self.torsion_m4,
            self.shear_factor_y, self.shear_factor_z, y, z,
        )  # fmt: skip

    def _outer(self) -> tuple[float, float]:
        y, z = (math.sqrt(3.0 * one / self.area_m2) for one in (self.moment_z_m4, self.moment_y_m4))
        return self.outer_y_m or y, self.outer_z_m or z

    def outline(self) -> Outline:
        """The rectangle that has its outer fibres."""
        y, z = self._outer()
        return _box(2.0 * y, 2.0 * z)


Section = Annotated[
    RectangleSection | BoxSection | CircleSection | TubeSection | ISection | GivenSection,
    Field(discriminator="kind"),
]


def is_sound(section: Section) -> bool:
    """Whether walls leave room, and fit."""
    match section:
        case BoxSection():
            return 2.0 * section.wall_m < min(section.width_m, section.height_m)
        case TubeSection():
            return 2.0 * section.wall_m < section.diameter_m
        case ISection():
            return 2.0 * section.flange_m < section.height_m and section.web_m <= section.width_m
        case _:
            return True
