"""A body by itself: segments, joints, and the pose that they start in."""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.base.places import resources
from solver.base.words import Refusal
from solver.project.document import Project
from solver.project.fields import Vec3
from solver.project.functions import Function
from solver.project.geometry import Orientation
from solver.project.joints import Friction, Joint, Spring
from solver.project.segments import Segment

_Part = TypeVar("_Part", Segment, Joint)

ROOT = "lower_torso"
RIGHT, LEFT = "right_", "left_"
SURFACE = "body"
"""Id of the ellipsoid that every segment carries."""
_SIDE = re.compile(rf"(^|_)({RIGHT}|{LEFT})")


@dataclass(frozen=True)
class Holding:
    """Say how a posture is held; as stiff as lets what each joint carries swing at `frequency_hz`.

    What it senses late or samples gives stiffness alone; damping acts at once, as that of tissue does.
    """

    frequency_hz: float = 3.0
    damping: float = 0.7
    """Part of critical damping."""
    reflex_s: float = 0.0
    period_s: float = 0.0
    delay_s: float = 0.0
    ramp_s: float = 0.0
    limit: float | None = None
    """Most torque at any axis, in parts of what bears the weight of what it carries held out level; none: no limit."""
    trigger: Mapping[str, object] | None = field(default=None)


class BodyError(Refusal, ValueError):
    """Say in one sentence why a body cannot be made or inserted, and what would mend it."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class Body:
    """A body that stands in no project yet; ids are plain, such as 'head' and 'right_foot'.

    `attitudes` turn each segment from the body's own axes (x forward, y right, z down).
    `dimensions` are those that a generated body was made from, by name (kg, m).
    """

    title: str
    source: str
    note: str
    segments: tuple[Segment, ...]
    joints: tuple[Joint, ...]
    attitudes: Mapping[str, Orientation]
    pose: str
    functions: tuple[Function, ...] = ()
    dimensions: Mapping[str, float] | None = None
    sex: str = "male"
    also: Project | None = None
    """What acts in it beside joints: contact laws of its skins, laws of coordinates."""
    rests: tuple[str, ...] = ()
    """Joints that are at rest in any pose, as their brackets are turned to it."""
    tone: Holding | None = None
    """How it holds the posture that it starts in; none: it does not."""
    toned: tuple[str, ...] = ()
    """Segments between which it is held."""
    is_printed: bool = False
    """Whether it is one of the old programs, and sits as they did."""

    def __repr__(self) -> str:
        parts = f"{len(self.segments)} segments, {len(self.joints)} joints"
        return f"<Body '{self.title}': {self.mass_kg:.1f} kg, {parts}, {self.pose}>"

    @property
    def mass_kg(self) -> float:
        """The mass of the whole body."""
        return sum(segment.mass_kg for segment in self.segments)

    def segment(self, id_: str) -> Segment:
        """One segment."""
        return _found(self.segments, id_, "segment")

    def joint(self, id_: str) -> Joint:
        """One joint."""
        return _found(self.joints, id_, "joint")


def _found(elements: tuple[_Part, ...], id_: str, what: str) -> _Part:
    for element in elements:
        if element.id == id_:
            return element
    known = ", ".join(element.id for element in elements)
    raise BodyError(
        "The body has no {what} '{id_}'. It has: {known}.", what=what, id_=id_, known=known
    )


def mirror_of(id_: str) -> str:
    """Name the twin on the other side, behind any prefix; what stands in the middle is its own twin."""
    return _SIDE.sub(lambda m: m[1] + (LEFT if m[2] == RIGHT else RIGHT), id_, count=1)


def mirrored_point(place: Vec3) -> Vec3:
    """The mirror image of a point, or of a vector, in the plane of x and z."""
    return (place[0], 0.0 - place[1], place[2])


def mirrored_turn(orientation: Orientation) -> Orientation:
    """The mirror image of a turn: angles about y stay, those about x and z change sign."""
    angles = tuple(
        angle if axis == "y" else 0.0 - angle
        for axis, angle in zip(orientation.order, orientation.angles_rad, strict=True)
    )
    return Orientation(angles_rad=angles, order=orientation.order)


def id_as_words(id_: str) -> str:
    """An id as people read it: 'right_upper_leg' as 'Right upper leg'."""
    return id_.replace("_", " ").capitalize()


# The data files of bodies, and what their entries say: turns, stops, friction.


@functools.cache
def read(name: str) -> Any:
    """One of the data files of `resources/bodies`."""
    return json.loads((resources() / "bodies" / f"{name}.json").read_text(encoding="utf-8"))


def turn_of(degrees: Any) -> Orientation:
    """The orientation of yaw, pitch and roll in degrees."""
    return Orientation(angles_rad=tidy3([float(angle) * DEG for angle in degrees]))


def spring_of(entry: Any, factor: float = 1.0, far: float = 1.0) -> Spring:
    """Give a joint's stop from its printed coefficients, its torque times a factor and its angle times another."""
    return Spring(
        stop_rad=tidy(entry["stop_deg"] * DEG * far),
        quadratic_nm_per_rad2=tidy(entry["quadratic_inlb_per_deg2"] * TORQUE / DEG**2 * factor),
        returned_ratio=entry["returned_ratio"],
    )


def friction_of(entry: Any, factor: float = 1.0) -> Friction:
    """Give a joint's friction from its printed coefficients, times a factor."""
    return Friction(
        viscous_nms_per_rad=tidy(entry["viscous_inlb_s_per_deg"] * TORQUE / DEG * factor),
        coulomb_nm=tidy(entry["coulomb_inlb"] * TORQUE * factor),
        full_rate_rad_per_s=tidy(entry["full_rate_deg_per_s"] * DEG),
    )


# Factors from the units of printed body data to SI.

IN = 0.0254
LB = 0.45359237
LBF = LB * 9.80665
INERTIA = LBF * IN
"""From lbf*s2*in to kg*m2."""
TORQUE = LBF * IN
"""From in*lbf to N*m."""
DEG = math.pi / 180.0


def tidy(value: float) -> float:
    """Round to nine digits: print and measurement have fewer, and files stay readable."""
    return float(f"{value:.9g}") + 0.0


def tidy3(values: Sequence[float] | NDArray[np.float64]) -> Vec3:
    """Round three numbers to nine digits."""
    x, y, z = (tidy(float(value)) for value in values)
    return (x, y, z)
