"""A skeleton scaled from the measured 50th-percentile man, segment by segment.

Every segment of the printed body is stretched along its own x, y and z by the ratio of outer
dimensions. Masses go with volumes: the head keeps its density, the others share the rest of the weight.
Printed masses and joint centres come from measured bodies and are kept by this, where solids would
lose them.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from solver.bodies.body import (
    LEFT,
    RIGHT,
    SURFACE,
    Body,
    BodyError,
    friction_of,
    mirrored_point,
    mirrored_turn,
    read,
    spring_of,
    tidy,
    tidy3,
)
from solver.bodies.dimensions import Dimensions, adult_dimensions, ankle_height_m
from solver.bodies.dummies import of_size, printed_skeleton
from solver.bodies.skeleton import PAIRED, Figures, JointPoints, Skeleton
from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from
from solver.project.fields import Vec3
from solver.project.geometry import Ellipsoid, Frame, Orientation
from solver.project.joints import BallJoint
from solver.project.pose import turn
from solver.project.segments import Segment

MODEL = of_size("mid-size", "printed")
"""Whose printed figures are scaled to a measured body."""
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


# The layout of 17 segments: hands of their own, parted from the forearms.


def with_hands(body: Body) -> Body:
    """Part each forearm into a forearm and a hand on a ball joint.

    Together they keep mass, mass centre and inertia of what they were, with the hand straight.
    """
    if any(segment.id == RIGHT + "hand" for segment in body.segments):
        raise BodyError("The body has hands of its own already.")
    if not any(segment.id == RIGHT + "forearm" for segment in body.segments):
        raise BodyError("The body has half arms: there is no forearm to part a hand from.")
    forearm, hand, wrist, centre = _parted(body)
    segments: list[Segment] = []
    for segment in body.segments:
        if segment.id == RIGHT + "forearm":
            segments += [forearm, hand]
        elif segment.id == LEFT + "forearm":
            segments += [_mirrored(forearm), _mirrored(hand)]
        else:
            segments.append(segment)
    elbow = body.joint(RIGHT + "elbow")
    # the elbow's point is counted from a new mass centre
    place = tidy3(np.array(elbow.child_frame.position_m) - centre)
    at = {RIGHT + "elbow": place, LEFT + "elbow": mirrored_point(place)}
    joints = [
        joint.model_copy(
            update={
                "child_frame": joint.child_frame.model_copy(update={"position_m": at[joint.id]})
            }
        )
        if joint.id in at
        else joint
        for joint in body.joints
    ]
    attitudes = dict(body.attitudes)
    for side in (RIGHT, LEFT):
        attitudes[side + "hand"] = attitudes[side + "forearm"]
    return replace(
        body,
        segments=tuple(segments),
        joints=(*joints, wrist, _mirrored_wrist(wrist)),
        attitudes=attitudes,
    )


def _parted(body: Body) -> tuple[Segment, Segment, BallJoint, Array]:
    """Give right forearm, hand and wrist, and the forearm's new mass centre in its old axes (m)."""
    data = read("hands")
    old = body.segment(RIGHT + "forearm")
    whole = old.surfaces[0]
    e, (a, b, c) = np.array(whole.centre_m), whole.semi_axes_m
    percent = data["female" if body.sex == "female" else "male"]
    share = percent["hand_percent"] / (percent["forearm_percent"] + percent["hand_percent"])
    length = 2.0 * c * data["hand_part_of_forearm_and_hand"]
    shape = data["hand_shape"]
    axes = (
        shape["half_breadth_per_length"] * length,
        shape["half_thickness_per_length"] * length,
        length / 2.0,
    )
    wrist = e + np.array([0.0, 0.0, c - length])
    r_hand = e + np.array([0.0, 0.0, c - length / 2.0])
    m_hand = share * old.mass_kg
    m_forearm = old.mass_kg - m_hand
    r_forearm = -m_hand / m_forearm * r_hand
    R = turn(old.principal_axes)
    left_over = (
        R @ np.diag(old.inertia_kgm2) @ R.T
        - np.diag(_ellipsoid_inertia(m_hand, axes))
        - _about(m_hand, r_hand)
        - _about(m_forearm, r_forearm)
    )
    spread = 0.5 * np.trace(left_over) * np.eye(3) - left_over
    if float(np.linalg.eigvalsh(spread)[0]) <= 0.0:
        raise BodyError(
            "The forearm's inertia is too small to part a hand from it: keep the layout of 15 segments."
        )
    moments, turned = principal(left_over, old.principal_axes)
    half = (2.0 * c - length + 0.5 * a) / 2.0
    forearm = old.model_copy(
        update={
            "mass_kg": tidy(m_forearm),
            "inertia_kgm2": moments,
            "principal_axes": turned,
            "surfaces": (
                whole.model_copy(
                    update={
                        "semi_axes_m": tidy3((a, b, half)),
                        "centre_m": tidy3(e + np.array([0.0, 0.0, half - c]) - r_forearm),
                    }
                ),
            ),
        }
    )
    text = f"{old.source}; hand parted: {data['source']}"
    hand = Segment(
        id=RIGHT + "hand",
        name="Right hand",
        source=text,
        mass_kg=tidy(m_hand),
        inertia_kgm2=tidy3(_ellipsoid_inertia(m_hand, axes)),
        surfaces=(Ellipsoid(id=SURFACE, name="Right hand", semi_axes_m=tidy3(axes)),),
        mirror=LEFT + "hand",
    )
    stops = data["wrist"]
    joint = BallJoint(
        id=RIGHT + "wrist",
        name="Right wrist",
        source=text,
        note=stops["note"],
        parent=RIGHT + "forearm",
        child=RIGHT + "hand",
        parent_frame=Frame(position_m=tidy3(wrist - r_forearm)),
        child_frame=Frame(position_m=tidy3(wrist - r_hand)),
        flexure=spring_of(stops["flexure"]),
        torsion=spring_of(stops["torsion"]),
        friction=friction_of(read("joints")["friction"]),
    )
    return forearm, hand, joint, r_forearm


def _ellipsoid_inertia(mass: float, axes: tuple[float, float, float]) -> list[float]:
    a, b, c = (x * x for x in axes)
    return [mass / 5.0 * (b + c), mass / 5.0 * (a + c), mass / 5.0 * (a + b)]


def _about(mass: float, r: Array) -> Array:
    """The inertia (kg*m2) of a point mass about the origin."""
    found: Array = mass * (float(r @ r) * np.eye(3) - np.outer(r, r))
    return found


def _mirrored(segment: Segment) -> Segment:
    surface = segment.surfaces[0]
    name = segment.name.replace("Right", "Left")
    return segment.model_copy(
        update={
            "id": segment.id.replace(RIGHT, LEFT),
            "name": name,
            "mirror": segment.id,
            "principal_axes": mirrored_turn(segment.principal_axes),
            "surfaces": (
                surface.model_copy(
                    update={"name": name, "centre_m": mirrored_point(surface.centre_m)}
                ),
            ),
        }
    )


def _mirrored_wrist(wrist: BallJoint) -> BallJoint:
    frames = {
        key: Frame(position_m=mirrored_point(getattr(wrist, key).position_m))
        for key in ("parent_frame", "child_frame")
    }
    return wrist.model_copy(
        update={
            "id": LEFT + "wrist",
            "name": "Left wrist",
            "parent": LEFT + "forearm",
            "child": LEFT + "hand",
            **frames,
        }
    )
