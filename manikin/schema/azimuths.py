"""What resists a bend by its azimuth: stop contours, and torques by flexure and azimuth.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.azimuths as _azimuths
    from manikin.schema.numbers import Numbers


class LibraryContour(TypedDict, total=False):
    """Take one of the nine printed joint sinuses (Figures 6.6 to 6.14)."""

    kind: Required[Literal["library"]]
    """Kind ("library"): A contour of the library."""
    name: Required[ContourName]
    """Joint (required): Human joint whose measured contour is used."""


class PolynomialContour(TypedDict, total=False):
    """Give the contour by the coefficients of its trigonometric polynomial (section 6.2.6)."""

    kind: Required[Literal["polynomial"]]
    """Kind ("polynomial"): A trigonometric polynomial."""
    coefficients: Required[Numbers]
    """Coefficients (rad, at least 1 entry, at most 40 entries, required): C1, C2, ... of section 6.2.6."""


class FunctionContour(TypedDict, total=False):
    """Give the contour as a function of the azimuth from 0 to 2 pi."""

    kind: Required[Literal["function"]]
    """Kind ("function"): A function of the azimuth."""
    angle: Required[str]
    """Angle (id in functions, required): Stop angle by azimuth."""


class GlobographicStop(TypedDict, total=False):
    """Stop the outer segment's axis at a contour drawn on a sphere about the joint (section 6.2)."""

    contour: Required[
        LibraryContour
        | _azimuths.LibraryContour
        | PolynomialContour
        | _azimuths.PolynomialContour
        | FunctionContour
        | _azimuths.FunctionContour
    ]
    """Contour (required): Stop angle over azimuth."""
    torque: Required[str]
    """Torque (id in functions, required): Torque by the angle beyond the contour."""
    returned_ratio: float
    """Returned part (1, ≥ 0, ≤ 1, 1.0): Part of the torque that remains on the way back."""
    restitution: float | None
    """Restitution (1, ≥ 0, ≤ 1, none): Ratio of rates at an impulse when the stop is entered."""


class AzimuthTorque(TypedDict, total=False):
    """Resist flexure towards one azimuth."""

    azimuth_rad: Required[float]
    """Azimuth (rad, ≥ -3.14159, < 3.14159, required): Where the child's z axis leans to, from the parent frame's x towards its y."""
    torque: Required[str]
    """Torque (id in functions, required): Torque by flexure."""


class FlexureTable(TypedDict, total=False):
    """Resist flexure by its azimuth (card E.7 of the later program).

    Printed, the torque acts about the axis of flexure, linear between azimuths, none below zero; conserving,
    it is the gradient of an energy that is smooth round the joint.
    """

    around: Required[Sequence[AzimuthTorque | _azimuths.AzimuthTorque]]
    """Azimuths (at least 2 entries, at most 72 entries, required): Torques at azimuths, in rising order, closed round the joint."""


ContourName: TypeAlias = Literal[
    "shoulder", "wrist", "elbow", "ankle", "knee", "hip", "lumbar", "collar_bone", "neck"
]
