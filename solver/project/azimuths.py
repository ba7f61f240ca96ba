"""What resists a bend by its azimuth: stop contours, and torques by flexure and azimuth."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from solver.base.places import resources
from solver.project.fields import REQUIRED, Id, Number, Numbers, Part, choice, function, number

ContourName = Literal[
    "shoulder",
    "wrist",
    "elbow",
    "ankle",
    "knee",
    "hip",
    "lumbar",
    "collar_bone",
    "neck",
]


class LibraryContour(Part):
    """Take one of the nine printed joint sinuses (Figures 6.6 to 6.14)."""

    kind: Literal["library"] = choice("library", "Kind", "A contour of the library.")
    name: ContourName = choice(REQUIRED, "Joint", "Human joint whose measured contour is used.")


class PolynomialContour(Part):
    """Give the contour by the coefficients of its trigonometric polynomial (section 6.2.6)."""

    kind: Literal["polynomial"] = choice("polynomial", "Kind", "A trigonometric polynomial.")
    coefficients: Numbers = number(
        REQUIRED,
        "rad",
        "Coefficients",
        "C1, C2, ... of section 6.2.6.",
        min_length=1,
        max_length=40,
    )


class FunctionContour(Part):
    """Give the contour as a function of the azimuth from 0 to 2 pi."""

    kind: Literal["function"] = choice("function", "Kind", "A function of the azimuth.")
    angle: Id = function(REQUIRED, "rad", "rad", "Angle", "Stop angle by azimuth.")


class GlobographicStop(Part):
    """Stop the outer segment's axis at a contour drawn on a sphere about the joint (section 6.2)."""

    contour: Annotated[
        LibraryContour | PolynomialContour | FunctionContour,
        Field(discriminator="kind"),
    ] = choice(REQUIRED, "Contour", "Stop angle over azimuth.")
    torque: Id = function(
        REQUIRED, "rad", "N*m", "Torque", "Torque by the angle beyond the contour."
    )
    returned_ratio: Number = number(
        1.0,
        "1",
        "Returned part",
        "Part of the torque that remains on the way back.",
        ge=0,
        le=1,
    )
    restitution: Number | None = number(
        None,
        "1",
        "Restitution",
        "Ratio of rates at an impulse when the stop is entered.",
        ge=0,
        le=1,
    )


class AzimuthTorque(Part):
    """Resist flexure towards one azimuth."""

    azimuth_rad: Number = number(
        REQUIRED,
        "rad",
        "Azimuth",
        "Where the child's z axis leans to, from the parent frame's x towards its y.",
        ge=-math.pi,
        lt=math.pi,
    )
    torque: Id = function(REQUIRED, "rad", "N*m", "Torque", "Torque by flexure.")


class FlexureTable(Part):
    """Resist flexure by its azimuth (card E.7 of the later program).

    Printed, the torque acts about the axis of flexure, linear between azimuths, none below zero; conserving,
    it is the gradient of an energy that is smooth round the joint.
    """

    around: tuple[AzimuthTorque, ...] = choice(
        REQUIRED,
        "Azimuths",
        "Torques at azimuths, in rising order, closed round the joint.",
        min_length=2,
        max_length=72,
    )


# Joint sinuses: the angle at which a globographic stop begins, by azimuth (section 6.2.6).


@functools.cache
def library() -> dict[str, tuple[float, ...]]:
    """The coefficients (rad) of the nine printed contours by joint (Figures 6.6 to 6.14)."""
    data = json.loads((resources() / "contours.json").read_text(encoding="utf-8"))
    return {name: tuple(entry["coefficients_rad"]) for name, entry in data.items()}


def stop_angle(coefficients: Sequence[float], azimuth: ArrayLike) -> NDArray[np.float64]:
    """The stop angle (rad) at an azimuth (rad).

    The sum over n of cos^(n-1) (C[2n-1] + C[2n] sin); an odd set ends with a zero.
    """
    phi = np.asarray(azimuth, dtype=float)
    even = (*coefficients, 0.0)[: len(coefficients) + len(coefficients) % 2]
    theta = np.zeros_like(phi)
    for c_cos, c_sin in reversed(list(zip(even[0::2], even[1::2], strict=True))):
        theta = theta * np.cos(phi) + (c_cos + c_sin * np.sin(phi))
    return theta
