"""A skeleton scaled from the measured 50th-percentile man, segment by segment.

Every segment of the printed body is stretched along its own x, y and z by the ratio of outer
dimensions. Masses go with volumes: the head keeps its density, the others share the rest of the weight.
Printed masses and joint centres come from measured bodies and are kept by this, where solids would
lose them.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from solver.bodies.body import BodyError
from solver.bodies.dimensions import Dimensions, adult_dimensions, ankle_height_m
from solver.bodies.entries import read
from solver.bodies.printed import printed_skeleton
from solver.bodies.skeleton import PAIRED, Figures, JointPoints, Skeleton
from solver.bodies.units import tidy, tidy3
from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from
from solver.project.fields import Vec3
from solver.project.geometry import Orientation
from solver.project.pose import turn

MODEL = "male-50"
STRAIGHT = 1e-9
"""Product of inertia, as a part of the largest moment, below which axes stay as they are."""

Scale = tuple[float, float, float]


def skeleton_of_measured(d: Dimensions) -> Skeleton:
    """Make the skeleton; standing and seated height are met exactly."""
    model = printed_skeleton(MODEL)
    scales = _scales(d, model)
    volume = {
        name: figures.mass_kg * math.prod(scales[name]) for name, figures in model.figures.items()
    }
    # a skull is as dense in a heavy person as in a light one; the rest shares what is left
    head = volume.pop("head")
    rest = sum(v * (2.0 if name in PAIRED else 1.0) for name, v in volume.items())
    density = (d["weight_kg"] - head) / rest
    if density <= 0.0:
        raise BodyError(
            "A head of these dimensions weighs {head:.2f} kg, more than the body.", head=head
        )
    masses = {name: v * density for name, v in volume.items()} | {"head": head}
    figures = {name: _scaled(f, scales[name], masses[name]) for name, f in model.figures.items()}
    points = {}
    for name, entry in read("joints")["joints"].items():
        at = model.points[name]
        points[name] = JointPoints(
            _times(at.in_parent_m, scales[entry["parent"]]),
            _times(at.in_child_m, scales[entry["child"]]),
        )
    return Skeleton(figures, points)


def _scales(d: Dimensions, model: Skeleton) -> dict[str, Scale]:
    """Give the stretch of every segment along its axes."""
    base = adult_dimensions("male")

    def ratio(*names: str) -> float:
        return sum(d[n] for n in names) / sum(base[n] for n in names)

    def length(of: Dimensions, part: str) -> float:
        below = of["standing_height_m"] - of["seated_height_m"]
        return {
            "neck": of["standing_height_m"]
            - of["shoulder_height_m"]
            - of["head_to_chin_height_m"]
            + of["neck_circumference_m"] / (2.0 * math.pi),
            "chest": of["shoulder_height_m"] - of["waist_height_m"],
            "belly": of["shoulder_height_m"] - below,
            "pelvis": of["waist_height_m"] - below,
            "thigh": below
            + (of["thigh_circumference_m"] + of["knee_circumference_m"]) / (2.0 * math.pi)
            - of["knee_height_seated_m"],
            "shank": of["knee_height_seated_m"]
            - of["knee_circumference_m"] / (2.0 * math.pi)
            - ankle_height_m(of),
        }[part]

    def along(part: str) -> float:
        found = length(d, part)
        if found <= 0.0:
            raise BodyError(
                "These dimensions leave {found:.3f} m for the {part}: look at the heights.",
                found=found,
                part=part,
            )
        return found / length(base, part)

    head = (d["head_to_chin_height_m"] + d["neck_circumference_m"] / (2.0 * math.pi)) / (
        base["head_to_chin_height_m"] + base["neck_circumference_m"] / (2.0 * math.pi)
    )
    neck, thick = ratio("neck_circumference_m"), ankle_height_m(d) / ankle_height_m(base)
    thigh = ratio("thigh_circumference_m", "upper_leg_circumference_m")
    calf, biceps = ratio("calf_circumference_m"), ratio("biceps_circumference_m")
    forearm = ratio("forearm_circumference_m")
    scales: dict[str, Scale] = {
        "lower_torso": (
            ratio("buttock_depth_m"),
            ratio("hip_breadth_standing_m"),
            along("pelvis"),
        ),
        "centre_torso": (ratio("waist_depth_m"), ratio("waist_breadth_m"), along("belly")),
        "upper_torso": (ratio("chest_depth_m"), ratio("chest_breadth_m"), along("chest")),
        "neck": (neck, neck, along("neck")),
        "head": (ratio("head_length_m"), ratio("head_breadth_m"), head),
        "upper_leg": (thigh, thigh, along("thigh")),
        "lower_leg": (calf, calf, along("shank")),
        "foot": (thick, ratio("foot_breadth_m"), ratio("foot_length_m")),
        "upper_arm": (biceps, biceps, ratio("shoulder_to_elbow_length_m")),
        "forearm": (forearm, forearm, ratio("forearm_hand_length_m")),
    }
    _fit(d, model, scales)
    return scales


def _fit(d: Dimensions, model: Skeleton, scales: dict[str, Scale]) -> None:
    """Stretch the trunk to the seated height, then the legs to the standing height."""
    f, p = model.figures, model.points
    z = {name: scale[2] for name, scale in scales.items()}
    head = z["head"] * (
        p["head_pivot"].in_child_m[2] - f["head"].centre_m[2] + f["head"].semi_axes_m[2]
    )
    seat = f["lower_torso"].centre_m[2] + f["lower_torso"].semi_axes_m[2]
    spans = {
        "neck": p["neck_pivot"].in_child_m[2] - p["head_pivot"].in_parent_m[2],
        "upper_torso": p["waist"].in_child_m[2] - p["neck_pivot"].in_parent_m[2],
        "centre_torso": p["pelvis"].in_child_m[2] - p["waist"].in_parent_m[2],
        "lower_torso": seat - p["pelvis"].in_parent_m[2],
    }
    trunk = (d["seated_height_m"] - head) / sum(z[n] * span for n, span in spans.items())
    for name in spans:
        _stretch(scales, name, trunk)
    hip = scales["lower_torso"][2] * (seat - p["hip"].in_parent_m[2])
    sole = scales["foot"][0] * (
        p["ankle"].in_child_m[0] - f["foot"].centre_m[0] + f["foot"].semi_axes_m[0]
    )
    legs = {
        "upper_leg": p["knee"].in_parent_m[2] - p["hip"].in_child_m[2],
        "lower_leg": p["ankle"].in_parent_m[2] - p["knee"].in_child_m[2],
    }
    below = d["standing_height_m"] - d["seated_height_m"] + hip - sole
    leg = below / sum(z[n] * span for n, span in legs.items())
    for name in legs:
        _stretch(scales, name, leg)
    if min(trunk, leg) <= 0.0:
        raise BodyError("Standing and seated height leave nothing for trunk or legs.")


def _stretch(scales: dict[str, Scale], name: str, factor: float) -> None:
    x, y, z = scales[name]
    scales[name] = (x, y, z * factor)


def _times(place: Vec3, scale: Scale) -> Vec3:
    return tidy3([a * b for a, b in zip(place, scale, strict=True)])


def _scaled(f: Figures, scale: Scale, mass: float) -> Figures:
    """Stretch a segment: its second moments of mass go with the squares of the stretch."""
    moments, axes = stretched_inertia(f.inertia_kgm2, f.principal_axes, scale, mass / f.mass_kg)
    return Figures(
        mass_kg=tidy(mass),
        inertia_kgm2=moments,
        semi_axes_m=_times(f.semi_axes_m, scale),
        centre_m=_times(f.centre_m, scale),
        principal_axes=axes,
    )


def stretched_inertia(
    moments: Vec3, axes: Orientation, scale: Scale, mass_ratio: float
) -> tuple[Vec3, Orientation]:
    """Give principal moments and axes after a stretch along the segment's axes."""
    R = turn(axes)
    inertia: Array = R @ np.diag(moments) @ R.T
    spread = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    spread = mass_ratio * np.diag(scale) @ spread @ np.diag(scale)
    return principal(np.trace(spread) * np.eye(3) - spread, axes)


def principal(inertia: Array, like: Orientation) -> tuple[Vec3, Orientation]:
    """Give principal moments (kg*m2) and axes of an inertia, the axes nearest to some others."""
    near = turn(like)
    turned = near.T @ inertia @ near
    off = max(abs(turned[0, 1]), abs(turned[0, 2]), abs(turned[1, 2]))
    if off <= STRAIGHT * float(np.max(np.diag(turned))):
        return tidy3(np.diag(turned)), like
    values, vectors = np.linalg.eigh(inertia)

    def alike(order: tuple[int, ...]) -> float:
        return sum(abs(float(near[:, i] @ vectors[:, order[i]])) for i in range(3))

    best = max(itertools.permutations(range(3)), key=alike)
    R = vectors[:, best]
    R = R * np.where(np.einsum("ij,ij->j", near, R) < 0.0, -1.0, 1.0)
    if np.linalg.det(R) < 0.0:
        worst = int(np.argmin(np.abs(np.einsum("ij,ij->j", near, R))))
        R[:, worst] *= -1.0
    return tidy3(values[list(best)]), Orientation(
        angles_rad=tidy3(angles_from(R, "zyx", like.angles_rad))
    )
