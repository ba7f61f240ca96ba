"""Evenly filled bodies of simple shape: their moments of inertia in closed form.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

if TYPE_CHECKING:
    import solver.project.solids as _solids
    from manikin.schema.closures import AxisName
    from manikin.schema.numbers import Vec3


class EllipsoidSolid(TypedDict, total=False):
    """Fill an ellipsoid evenly: m (b^2 + c^2) / 5 about the axis of a, and so on."""

    kind: Required[Literal["ellipsoid"]]
    """Kind ("ellipsoid"): An ellipsoid."""
    semi_axes_m: Required[Vec3]
    """Semi-axes (m, > 0, required): Half lengths a, b and c along x, y and z."""


class CylinderSolid(TypedDict, total=False):
    """Fill a cylinder evenly: m r^2 / 2 about its axis, m (3 r^2 + l^2) / 12 across it."""

    kind: Required[Literal["cylinder"]]
    """Kind ("cylinder"): A round cylinder."""
    radius_m: Required[float]
    """Radius (m, > 0, required): r."""
    length_m: Required[float]
    """Length (m, > 0, required): l."""
    along: AxisName
    """Along ("z"): Axis of the segment along which it lies."""


class BoxSolid(TypedDict, total=False):
    """Fill a box evenly: m (b^2 + c^2) / 12 about the axis of a, and so on."""

    kind: Required[Literal["box"]]
    """Kind ("box"): A box with right angles."""
    size_m: Required[Vec3]
    """Size (m, > 0, required): Whole edges a, b and c along x, y and z."""


Solid: TypeAlias = "EllipsoidSolid | _solids.EllipsoidSolid | CylinderSolid | _solids.CylinderSolid | BoxSolid | _solids.BoxSolid"
