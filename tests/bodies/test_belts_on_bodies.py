"""Belts of the library on dummies of all sizes, in several seats: over iliac crests, sternum and clavicle."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from solver.bodies import adult_dimensions, human, library_body
from solver.bodies.dummies import DUMMIES, dummy_entry
from solver.bodies.library import insert
from solver.bodies.library.occupants import occupant
from solver.model.route import best_angle, route
from solver.project import Project
from solver.project.contact import surfaces_of
from solver.project.geometry import PointRef
from solver.project.pose import start_pose
from tests.exploring import further
from tools.samples.common import VEHICLE, seated, vehicle

HIPS = (0.0, -0.36, 0.0)
ONE = "rider"


@cache
def belted(dummy: str, posture: str, belt: str) -> Project:
    """Seat a dummy without settling it, and belt it."""
    project = seated(vehicle("t", "n", "s", 0.1), posture, HIPS, ONE, who=dummy)
    return insert(project, belt, ONE, attach_to=VEHICLE, at=HIPS, on=ONE)


DRIVERS = ["three_point_slip_left", "three_point_plain_right"]


@pytest.mark.seeded
@pytest.mark.parametrize(
    ("posture", "belt"),
    [
        *(("driving", belt) for belt in DRIVERS),
        ("seated", "lap_belt"),
        *further([*(("seated", belt) for belt in DRIVERS), ("driving", "lap_belt")]),
    ],
)
@pytest.mark.parametrize("dummy", DUMMIES)
def test_a_lap_strap_goes_over_the_iliac_crests(dummy: str, posture: str, belt: str) -> None:
    """Its middle lies before and above the hip joints, under the iliac spines, the same on both sides."""
    project = belted(dummy, posture, belt)
    pelvis = next(s for s in project.segments if s.id == f"{ONE}_lower_torso")
    iliac = next(s for s in pelvis.surfaces if s.id == "iliac")
    hip = next(j for j in project.joints if j.id == f"{ONE}_right_hip").parent_frame.position_m
    lap = [
        p.position_m
        for strap in project.harnesses[0].straps
        for p in strap.points
        if p.kind == "surface" and p.surface == p.surface.model_copy(update={"segment": pelvis.id, "surface": "iliac"})
    ]  # fmt: skip
    assert len(lap) >= 3
    front = max(lap)
    assert front[0] == pytest.approx(iliac.centre_m[0] + iliac.semi_axes_m[0], rel=0.15)
    assert front[0] > hip[0] + 0.03
    assert iliac.centre_m[2] - 0.6 * iliac.semi_axes_m[2] < front[2] < hip[2]
    across = sorted(p[1] for p in lap)
    assert across[0] == pytest.approx(-across[-1], abs=0.02)


@pytest.mark.parametrize(
    "dummy", [one for one in DUMMIES if dummy_entry(one).made_for == "frontal"]
)
def test_a_lap_strap_lies_in_the_crease_between_crests_and_thighs(dummy: str) -> None:
    """It is shortest there: turned either way it is longer. Its upper edge is about at the iliac spines, and it slides on the thighs."""
    project = belted(dummy, "seated", "lap_belt")
    pelvis = next(s for s in project.segments if s.id == f"{ONE}_lower_torso")
    iliac = next(s for s in pelvis.surfaces if s.id == "iliac")
    hip = next(j for j in project.joints if j.id == f"{ONE}_right_hip").parent_frame.position_m
    points = project.harnesses[0].straps[0].points
    on = [p for p in points if p.kind == "surface"]
    thighs = [p for p in on if p.surface.segment.endswith("upper_leg")]
    assert {p.surface.segment for p in thighs} == {f"{ONE}_right_upper_leg", f"{ONE}_left_upper_leg"}  # fmt: skip
    assert all(p.follows == "webbing" and p.friction_across == p.friction_along for p in thighs)
    (belly,) = (p for p in on if p.surface.surface == "insert")
    assert (belly.follows, belly.friction_across) == ("webbing", belly.friction_along)
    crest = [p for p in on if p.surface.segment == pelvis.id]
    assert all(p.follows == "body" for p in crest)
    assert {p.flesh for p in (*thighs, *crest)} == {f"{ONE}_belt_flesh"}
    middle = hip[2] - min(crest, key=lambda p: abs(p.position_m[1])).position_m[2]
    spines = hip[2] - (iliac.centre_m[2] - iliac.semi_axes_m[2])
    assert 0.5 * spines < middle < spines - 0.012
    who = occupant(project, ONE)
    assert who is not None
    ends = [PointRef(segment=p.segment, position_m=p.position_m) for p in points if p.kind == "anchor"]  # fmt: skip
    over = who.under_strap("lower_torso")
    angle = best_angle(project, ends[0], ends[1], over)
    lengths = [route(project, ends[0], ends[1], over, angle + turn).length_m for turn in (-0.01, 0.0, 0.01)]  # fmt: skip
    assert lengths[1] < min(lengths[0], lengths[2])


def test_a_thigh_is_as_high_as_that_of_a_seated_dummy() -> None:
    """Its clearance above the seat less the height of the hip's pivot: 147 and 86 mm of the 50th man, 86 and 44.5 mm of three years."""
    for name, above in (("hybrid_iii_50m", 0.061), ("hybrid_iii_3y", 0.0415)):
        (shape,) = next(
            s for s in library_body(name).segments if s.id == "right_upper_leg"
        ).surfaces
        assert shape.centre_m[0] + shape.semi_axes_m[0] == pytest.approx(above, abs=2e-5)


@pytest.mark.parametrize("dummy", DUMMIES)
def test_a_shoulder_strap_goes_over_sternum_and_the_clavicle_of_its_ring(dummy: str) -> None:
    for belt, side in (("three_point_slip_left", "left"), ("three_point_plain_right", "right")):
        project = belted(dummy, "driving", belt)
        on = [
            p.surface.segment.removeprefix(f"{ONE}_")
            for strap in project.harnesses[0].straps
            for p in strap.points
            if p.kind == "surface"
        ]
        assert "sternum" in on
        assert f"{side}_shoulder" in on, "the ring is on that side"
        assert on.index("sternum") < on.index(f"{side}_shoulder")
        pose = start_pose(project)
        sternum = pose[f"{ONE}_sternum"]
        touched = [
            sternum.R_WS.T @ (sternum.of(p.position_m) - sternum.p_W)
            for strap in project.harnesses[0].straps
            for p in strap.points
            if p.kind == "surface" and p.surface.segment == f"{ONE}_sternum"
        ]
        assert min(np.abs(np.array(touched)[:, 2])) < 0.05, "over its middle"


@pytest.mark.parametrize("who", [*DUMMIES, "woman"])
def test_straps_of_a_harness_go_over_a_shoulder_each(who: str) -> None:
    """Beside the neck and down the chest, apart from each other, whatever bone lies between them."""
    body = human(adult_dimensions("female", percentile=5.0)) if who == "woman" else who
    project = seated(vehicle("t", "n", "s", 0.1), "seated", HIPS, ONE, who=body)
    project = insert(project, "four_point", ONE, attach_to=VEHICLE, at=HIPS, on=ONE)
    pose = start_pose(project)
    for side, sign in (("right", 1.0), ("left", -1.0)):
        (strap,) = (s for s in project.harnesses[0].straps if s.id == f"{side}_shoulder")
        on = {p.surface.segment for p in strap.points if p.kind == "surface"}
        assert {one for one in on if one.endswith("shoulder")} == {f"{ONE}_{side}_shoulder"}
        across = [
            sign * float(pose[p.surface.segment].of(p.position_m)[1] - HIPS[1])
            for p in strap.points
            if p.kind == "surface" and p.surface.segment != f"{ONE}_centre_torso"
        ]
        assert min(across) > 0.04


def test_what_touches_a_part_touches_all_that_stands_for_it() -> None:
    project = seated(vehicle("t", "n", "s", 0.1), "driving", HIPS, ONE, who="hybrid_iii_50m")
    project = insert(project, "car_driver_10146", "car", attach_to=VEHICLE, at=HIPS, on=ONE)
    names = {contact.id for contact in project.contacts}
    assert {f"car_neck_{n}-floor" for n in (1, 2, 3, 4)} <= names
    assert {"car_right_knee_block-knee_bag", "car_right_upper_leg-knee_bag"} <= names
    assert {"car_chest-rim", "car_chest_sternum-rim"} <= names
    assert "car_neck-floor" not in names
    # the jacket stands for the ribs, and the sternum still gives
    ends = {
        contact.id: ref.surface
        for contact in project.contacts
        for ref in surfaces_of(contact)
        if ref.segment.startswith(ONE)
    }
    assert ends["car_chest-rim"] == "jacket"
    assert ends["car_chest_sternum-rim"] == "body"
    project = insert(project, "driver_airbag_hot", ONE, attach_to=VEHICLE, at=HIPS, on=ONE)
    touched = {(t.segment, t.surface) for t in project.airbags[0].touches}
    limbs = ("upper_arm", "forearm", "hand", "upper_leg", "knee_block", "lower_leg", "foot")
    both = {(f"{ONE}_{side}_{limb}", "body") for side in ("right", "left") for limb in limbs}
    assert touched == {(f"{ONE}_head", "body"), (f"{ONE}_upper_torso", "jacket"), *both}


def test_a_body_of_three_torso_parts_is_touched_as_ever() -> None:
    project = seated(vehicle("t", "n", "s", 0.1), "driving", HIPS, ONE)
    who = occupant(project, ONE)
    assert who is not None
    assert who.front("upper_torso") is None
    assert [ref.segment for ref in who.under_strap("upper_torso")] == [f"{ONE}_upper_torso"]
    assert who.under_bag("upper_torso") == who.under_strap("upper_torso")
    assert who.flesh is None
    with_belt = insert(project, "three_point_left", ONE, attach_to=VEHICLE, at=HIPS, on=ONE)
    assert {p.flesh for s in with_belt.harnesses[0].straps for p in s.points if p.kind == "surface"} == {None}  # fmt: skip
