"""Evenly filled bodies of simple shape: their moments of inertia in closed form.

No file holds them: a segment that is made of one keeps the numbers.
"""

from __future__ import annotations

from typing import Annotated, Literal, assert_never

from pydantic import Field

from solver.project.fields import REQUIRED, Number, Part, Positive3, choice, number

Moments = tuple[float, float, float]


class EllipsoidSolid(Part):
    """Fill an ellipsoid evenly: m (b^2 + c^2) / 5 about the axis of a, and so on."""

    kind: Literal["ellipsoid"] = choice("ellipsoid", "Kind", "An ellipsoid.")
    semi_axes_m: Positive3 = number(REQUIRED, "m", "Semi-axes", "Half lengths a, b and c along x, y and z.")  # fmt: skip


class CylinderSolid(Part):
    """Fill a cylinder evenly: m r^2 / 2 about its axis, m (3 r^2 + l^2) / 12 across it."""

    kind: Literal["cylinder"] = choice("cylinder", "Kind", "A round cylinder.")
    radius_m: Number = number(REQUIRED, "m", "Radius", "r.", gt=0)
    length_m: Number = number(REQUIRED, "m", "Length", "l.", gt=0)
    along: Literal["x", "y", "z"] = choice("z", "Along", "Axis of the segment along which it lies.")


class BoxSolid(Part):
    """Fill a box evenly: m (b^2 + c^2) / 12 about the axis of a, and so on."""

    kind: Literal["box"] = choice("box", "Kind", "A box with right angles.")
    size_m: Positive3 = number(REQUIRED, "m", "Size", "Whole edges a, b and c along x, y and z.")


Solid = Annotated[EllipsoidSolid | CylinderSolid | BoxSolid, Field(discriminator="kind")]


class Solids(Part):
    """Hold a solid, so that it is checked as a field of the document is."""

    shape: Solid = choice(REQUIRED, "Shape", "What is filled.")


def moments(solid: Solid, mass_kg: float) -> Moments:
    """The moments of inertia (kg*m2) of a solid about its centre, along its axes."""
    match solid:
        case EllipsoidSolid():
            return _across(solid.semi_axes_m, mass_kg / 5.0)
        case BoxSolid():
            return _across(solid.size_m, mass_kg / 12.0)
        case CylinderSolid():
            r, length = solid.radius_m, solid.length_m
            across = mass_kg * (3.0 * r**2 + length**2) / 12.0
            out = [across, across, across]
            out["xyz".index(solid.along)] = mass_kg * r**2 / 2.0
            return out[0], out[1], out[2]
        case _:
            assert_never(solid)


def _across(size: Moments, factor: float) -> Moments:
    a, b, c = (factor * one**2 for one in size)
    return b + c, c + a, a + b
