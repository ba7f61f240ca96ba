"""Keep joints within their stops: the nearest angles that no stop pushes against."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.maths.rotation import Array, about_axis
from solver.project.angles import bend_and_twist, joint_values
from solver.project.contours import library, stop_angle
from solver.project.document import Project
from solver.project.forms import value_at
from solver.project.joints import Axis, GlobographicStop, Joint, Spring
from solver.project.pose import across


@dataclass(frozen=True)
class Stop:
    """Hold a stop that a joint has met: the angle from its centre and how far beyond it is (rad)."""

    joint: str
    what: str
    angle_rad: float
    beyond_rad: float


INSIDE = 1e-9
"""How far inside a stop (rad) an angle is put."""


def limit_of(spring: Spring) -> float:
    """Give the angle (rad) at which a spring's stop begins; infinity where it has none.

    A torque function has no stop of its own: it acts from the first.
    """
    stops = spring.quadratic_nm_per_rad2 != 0.0 or spring.cubic_nm_per_rad3 != 0.0
    return spring.stop_rad if stops and spring.torque is None else math.inf


def contour_limit(project: Project, stop: GlobographicStop, azimuth: float) -> float:
    """Give the angle (rad) at which a globographic stop begins at an azimuth (section 6.2.6)."""
    contour = stop.contour
    if contour.kind == "library":
        return float(stop_angle(library()[contour.name], azimuth))
    if contour.kind == "polynomial":
        return float(stop_angle(contour.coefficients, azimuth))
    function = next(f for f in project.functions if f.id == contour.angle)
    limit = value_at(function.form, azimuth % (2.0 * math.pi))
    return math.inf if limit is None else limit


def within(project: Project, joint: Joint, values: Sequence[float]) -> tuple[float, ...]:
    """Give the coordinates nearest to some that lie within all stops of a joint."""
    out = tuple(float(v) for v in values)
    axes: tuple[Axis, ...] = ()
    if joint.kind == "pin":
        return (_clipped(out[0], 0.0, limit_of(joint.spring)),)
    if joint.kind == "universal":
        axes = (joint.first, joint.second)
    elif joint.kind == "euler":
        axes = (joint.precession, joint.nutation, joint.spin)
    if axes:
        out = tuple(
            _clipped(v, a.centre_rad, limit_of(a.spring)) for v, a in zip(out, axes, strict=True)
        )
    contour = getattr(joint, "globographic", None)
    if joint.kind == "euler":
        return out if contour is None else _bent(project, joint, out, math.inf, math.inf)
    if joint.kind == "slip" and joint.rotation != "ball":
        if joint.rotation == "none":
            return out
        spring = joint.flexure if joint.rotation == "pin_y" else joint.torsion
        return out[0], _clipped(out[1], 0.0, limit_of(spring))
    if joint.kind in ("ball", "slip"):
        return _bent(project, joint, out, limit_of(joint.flexure), limit_of(joint.torsion))
    return out


def stops_met(
    project: Project, joint: Joint, values: Sequence[float], near: float = 0.0
) -> Iterator[Stop]:
    """Give the stops of a joint that its coordinates pass, or come as close to as `near` (rad)."""
    for what, angle, limit in _against(project, joint, values):
        if abs(angle) - limit > -near:
            yield Stop(joint.id, what, angle, abs(angle) - limit)


def _against(
    project: Project, joint: Joint, values: Sequence[float]
) -> Iterator[tuple[str, float, float]]:
    """Give each angle that a stop watches, from its centre, and where that begins (rad)."""
    if joint.kind == "pin":
        yield "angle", values[0], limit_of(joint.spring)
    elif joint.kind == "universal":
        for what, axis, v in zip(
            ("first", "second"), (joint.first, joint.second), values, strict=True
        ):
            yield what, v - axis.centre_rad, limit_of(axis.spring)
    elif joint.kind == "euler":
        axes = {"precession": joint.precession, "nutation": joint.nutation, "spin": joint.spin}
        for (what, axis), v in zip(axes.items(), values, strict=True):
            yield what, v - axis.centre_rad, limit_of(axis.spring)
    elif joint.kind == "slip" and joint.rotation == "pin_y":
        yield "angle", values[1], limit_of(joint.flexure)
    elif joint.kind == "slip" and joint.rotation == "pin_z":
        yield "angle", values[1], limit_of(joint.torsion)
    contour = getattr(joint, "globographic", None)
    bends = joint.kind == "ball" or (joint.kind == "slip" and joint.rotation == "ball")
    if not bends and contour is None:
        return
    R_PC, _ = across(joint, tuple(values))
    bend, twist, about = bend_and_twist(R_PC)
    if joint.kind in ("ball", "slip"):
        yield "flexure", bend, limit_of(joint.flexure)
        yield "torsion", twist, limit_of(joint.torsion)
    if contour is not None:
        azimuth = _towards(about)
        yield "contour", bend, contour_limit(project, contour, azimuth)


def _clipped(value: float, centre: float, limit: float) -> float:
    limit = max(limit - INSIDE, 0.0)
    return min(max(value, centre - limit), centre + limit)


def _bent(
    project: Project, joint: Joint, values: tuple[float, ...], bend_limit: float, twist_limit: float
) -> tuple[float, ...]:
    """Bring flexure and torsion of a joint within their limits, each by itself."""
    R_PC, origin = across(joint, values)
    bend, twist, axis = bend_and_twist(R_PC)
    contour = getattr(joint, "globographic", None)
    limit = bend_limit
    if contour is not None:
        azimuth = _towards(axis)
        limit = min(limit, contour_limit(project, contour, azimuth))
    new_bend = min(bend, max(limit - INSIDE, 0.0))
    new_twist = _clipped(twist, 0.0, twist_limit)
    if (new_bend, new_twist) == (bend, twist):
        return values
    turned = _about_level(axis, new_bend) @ about_axis("z", new_twist)
    return joint_values(joint, turned, origin, values)


def _towards(axis: Array) -> float:
    """Give the azimuth (rad) towards which a bend about an axis in the x-y plane leads."""
    return math.atan2(-axis[0], axis[1])


def _about_level(axis: Array, angle: float) -> Array:
    """Turn about an axis that lies in the x-y plane."""
    azimuth = math.atan2(axis[1], axis[0])
    R: Array = about_axis("z", azimuth) @ about_axis("x", angle) @ about_axis("z", -azimuth)
    return R
