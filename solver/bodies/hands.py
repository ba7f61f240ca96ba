"""The layout of 17 segments: hands of their own, parted from the forearms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solver.bodies.body import LEFT, RIGHT, SURFACE, Body, BodyError, mirrored_point, mirrored_turn
from solver.bodies.entries import friction_of, read, spring_of
from solver.bodies.from_measured import principal
from solver.bodies.units import tidy, tidy3
from solver.engine.maths.rotation import Array
from solver.project.geometry import Ellipsoid, Frame
from solver.project.joints import BallJoint
from solver.project.pose import turn
from solver.project.segments import Segment


def with_hands(body: Body) -> Body:
    """Part each forearm into a forearm and a hand on a ball joint.

    Together they keep mass, mass centre and inertia of what they were, with the hand straight.
    """
    if any(segment.id == RIGHT + "hand" for segment in body.segments):
        raise BodyError("The body has hands of its own already.")
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
    said = f"{old.source}; hand parted: {data['source']}"
    hand = Segment(
        id=RIGHT + "hand",
        name="Right hand",
        source=said,
        mass_kg=tidy(m_hand),
        inertia_kgm2=tidy3(_ellipsoid_inertia(m_hand, axes)),
        surfaces=(Ellipsoid(id=SURFACE, name="Right hand", semi_axes_m=tidy3(axes)),),
        mirror=LEFT + "hand",
    )
    stops = data["wrist"]
    joint = BallJoint(
        id=RIGHT + "wrist",
        name="Right wrist",
        source=said,
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
    """Give the inertia (kg*m2) of a point mass about the origin."""
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
