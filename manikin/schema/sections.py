"""Sections of beams: area, moments, torsion, shear and outer fibres, in closed form where there is one.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

if TYPE_CHECKING:
    import solver.project.sections as _sections


class RectangleSection(TypedDict, total=False):
    """Be solid and rectangular."""

    kind: Required[Literal["rectangle"]]
    """Kind ("rectangle"): A solid rectangle."""
    width_m: Required[float]
    """Width (m, > 0, required): Along the beam's y."""
    height_m: Required[float]
    """Height (m, > 0, required): Along the beam's z."""


class BoxSection(TypedDict, total=False):
    """Be a closed rectangular tube with walls of one thickness."""

    kind: Required[Literal["box"]]
    """Kind ("box"): A rectangular tube."""
    width_m: Required[float]
    """Width (m, > 0, required): Outer width along the beam's y."""
    height_m: Required[float]
    """Height (m, > 0, required): Outer height along the beam's z."""
    wall_m: Required[float]
    """Wall (m, > 0, required): Thickness of its walls."""


class CircleSection(TypedDict, total=False):
    """Be a solid rod."""

    kind: Required[Literal["circle"]]
    """Kind ("circle"): A solid rod."""
    diameter_m: Required[float]
    """Diameter (m, > 0, required): Outer diameter."""


class TubeSection(TypedDict, total=False):
    """Be a round tube."""

    kind: Required[Literal["tube"]]
    """Kind ("tube"): A round tube."""
    diameter_m: Required[float]
    """Diameter (m, > 0, required): Outer diameter."""
    wall_m: Required[float]
    """Wall (m, > 0, required): Thickness of its wall."""


class ISection(TypedDict, total=False):
    """Be an I with two flanges across and a web along z."""

    kind: Required[Literal["i"]]
    """Kind ("i"): Two flanges and a web."""
    width_m: Required[float]
    """Width (m, > 0, required): Of the flanges, along the beam's y."""
    height_m: Required[float]
    """Height (m, > 0, required): Outer height along z."""
    flange_m: Required[float]
    """Flange (m, > 0, required): Thickness of the flanges."""
    web_m: Required[float]
    """Web (m, > 0, required): Thickness of the web."""


class GivenSection(TypedDict, total=False):
    """Be known by its numbers."""

    kind: Required[Literal["given"]]
    """Kind ("given"): Area and moments as they are given."""
    area_m2: Required[float]
    """Area (m2, > 0, required): A."""
    moment_y_m4: Required[float]
    """Moment about y (m4, > 0, required): For bending about y."""
    moment_z_m4: Required[float]
    """Moment about z (m4, > 0, required): For bending about z."""
    torsion_m4: Required[float]
    """Torsion constant (m4, > 0, required): J, for twisting."""
    shear_factor_y: float
    """Shear factor along y (1, ≥ 0, 1.2): 0: it does not shear."""
    shear_factor_z: float
    """Shear factor along z (1, ≥ 0, 1.2): 0: it does not shear."""
    outer_y_m: float | None
    """Outer fibre along y (m, > 0, none): From the middle; none: that of a rectangle with its moment."""
    outer_z_m: float | None
    """Outer fibre along z (m, > 0, none): From the middle; none: that of a rectangle with its moment."""


Section: TypeAlias = "RectangleSection | _sections.RectangleSection | BoxSection | _sections.BoxSection | CircleSection | _sections.CircleSection | TubeSection | _sections.TubeSection | ISection | _sections.ISection | GivenSection | _sections.GivenSection"
