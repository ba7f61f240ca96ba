"""The data files of bodies, and what their entries say: turns, stops, friction."""

from __future__ import annotations

import functools
import json
from typing import Any

from solver.base.places import resources
from solver.bodies.units import DEG, TORQUE, tidy, tidy3
from solver.project.geometry import Orientation
from solver.project.joints import Friction, Spring


@functools.cache
def read(name: str) -> Any:
    """Give one of the data files of `resources/bodies`."""
    return json.loads((resources() / "bodies" / f"{name}.json").read_text(encoding="utf-8"))


def turn_of(degrees: Any) -> Orientation:
    """Give the orientation of yaw, pitch and roll in degrees."""
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
