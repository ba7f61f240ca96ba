"""New elements, copies and removals: sound from the start, under free ids, each in its place."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.editing.copying import duplicated, pasted, to_clipboard
from app.editing.making import MAKERS, CannotMake, add, maker, why_not
from solver.analysis.crash.build import crash, first
from solver.bodies.library.occupants import surfaces_that_hold
from solver.editing.removing import removed
from solver.engine.maths.rotation import from_angles
from solver.project import LISTS, Project, ProjectError, load_project, to_json, validated
from solver.project.checks import check
from solver.project.geometry import upright
from solver.project.pose import full_bag, panel_of, turn
from solver.running.simulation import simulate
from solver.scene.placing import pose_at_start
from tests.rows import rows
from tests.window.seated import seated


@pytest.fixture(scope="module")
def project() -> Project:
    from solver.base.places import samples

    return load_project(samples() / "sled.json")


def errors(project: Project) -> set[str]:
    return {str(p) for p in check(project) if p.severity == "error"}


def test_every_list_has_a_maker() -> None:
    assert {one.list_name for one in MAKERS} == set(LISTS)
    assert len({one.id for one in MAKERS}) == len(MAKERS)


@rows("one", MAKERS, ids=lambda m: m.id)
def test_a_new_element_is_sound(one: Any) -> None:
    before = validated(seated())
    chosen: tuple[str, ...] = ()
    if one.id in ("joints.free", "motions") or one.list_name == "joints":
        before = add(before, maker("segments")).project
        chosen = (f"segments/{before.segments[-1].id}",)
    if one.list_name == "flexible_elements":
        chosen = ("segments/pelvis", "segments/abdomen", "segments/thorax")
    if one.id in ("constraints.zero_distance", "constraints.fixed_distance", "springs.linear"):
        chosen = ("segments/dash", "segments/foot_r")
    if one.id in ("constraints.rack", "constraints.screw"):
        # a seated person has no axis that slides
        before = add(before, maker("segments")).project
        before = add(before, maker("joints.slip"), (f"segments/{before.segments[-1].id}",)).project
    made = add(before, one, chosen)
    assert made.path.startswith(one.list_name)
    assert made.project != before
    new = errors(made.project) - errors(before)
    # the feet are where they are: a loop to the dashboard cannot start closed
    assert not {e for e in new if "constraint-start" not in e}
    assert validated(json.loads(to_json(made.project))) == made.project


def test_a_ball_lies_in_its_cup_or_on_it_as_it_stands() -> None:
    """The smaller ellipsoid is the ball; whether it is inside depends on its centre, whatever way the cup is turned."""

    def pair(x: float) -> Project:
        def part(id_: str, *semi: float, **more: Any) -> Any:
            surface = {"id": id_, "kind": "ellipsoid", "semi_axes_m": semi, **more}
            return {"id": id_, "mass_kg": 1.0, "inertia_kgm2": [1, 1, 1], "surfaces": [surface]}

        turned = {"angles_rad": [0.0, 0.0, 0.0]} if x < 0 else {"angles_rad": [np.pi / 2, 0.0, 0.0]}
        return validated({
            "format": "manikin-project", "segments": [part("cup", 0.3, 0.1, 0.1, orientation=turned), part("ball", *[0.02] * 3)],
            "initial": {"roots": [{"segment": "ball", "position_m": [abs(x), 0.0, 0.0]}]},
        })  # fmt: skip

    for x, inside in ((-0.2, True), (0.2, False), (0.05, True)):
        (made,) = add(
            pair(x), maker("constraints.condyle"), ("segments/cup", "segments/ball")
        ).project.constraints
        assert (made.surface.segment, made.other.segment) == ("ball", "cup")  # type: ignore[union-attr]
        assert (made.inside, made.holds) == (inside, "pressing")  # type: ignore[union-attr]


@rows("one", MAKERS, ids=lambda m: m.id)
def test_on_an_empty_page_it_is_made_or_the_reason_is_said(one: Any) -> None:
    reason = why_not(Project(), one)
    if reason:
        with pytest.raises(CannotMake, match=re.escape(reason)):
            add(Project(), one)
        assert reason.endswith(".")
    else:
        assert not errors(add(Project(), one).project)


def test_a_joint_moves_nothing(project: Project) -> None:
    start = add(add(project, maker("segments")).project, maker("segments")).project
    a, b = (f"segments/{s.id}" for s in start.segments[-2:])
    made = add(start, maker("joints.pin"), (a, b)).project
    before, after = pose_at_start(start), pose_at_start(made)
    for name, placed in before.items():
        assert np.allclose(placed.p_W, after[name].p_W, atol=1e-4)
        assert np.allclose(placed.R_WS, after[name].R_WS)


def test_a_copy_of_a_limb_stands_beside_it(project: Project) -> None:
    done = duplicated(project, ["segments/head"])
    assert set(done.paths) == {"segments/head_2", "joints/head_pivot_2"}
    assert not errors(done.project)
    pose = pose_at_start(done.project)
    away = pose["head_2"].p_W - pose["head"].p_W
    assert away[1] > 0.15, "beside it, not within it"
    assert np.allclose(away[[0, 2]], 0.0)
    assert np.allclose(pose["head"].R_WS, pose["head_2"].R_WS)


def test_what_is_pasted_brings_what_it_needs(project: Project) -> None:
    text = to_clipboard(project, ["harnesses/harness", "planes/" + project.planes[0].id])
    done = pasted(Project(), text)
    assert {p.split("/")[0] for p in done.paths} == {"harnesses", "planes"}
    assert {p.split("/")[0] for p in done.with_it} == {"functions", "contact_laws"}
    again = pasted(done.project, text)
    assert again.with_it == (), "laws and functions that are there already are used"
    assert len(again.project.harnesses) == 2
    with pytest.raises(ProjectError, match="no elements"):
        pasted(project, "some text")


def test_a_whole_body_can_be_pasted_beside_itself(project: Project) -> None:
    paths = [f"{n}/{i.id}" for n in ("segments", "joints") for i in getattr(project, n)]
    done = pasted(project, to_clipboard(project, paths))
    assert not errors(done.project)
    assert len(done.project.segments) == 2 * len(project.segments)
    assert len({s.id for s in done.project.segments}) == len(done.project.segments)
    pose = pose_at_start(done.project)
    assert np.allclose(pose["head"].p_W, pose["head_2"].p_W)


def test_what_stays_stays_in_place(project: Project) -> None:
    before = pose_at_start(project)
    done = removed(project, "segments/upper_torso")
    assert not errors(done.project)
    after = pose_at_start(done.project)
    for segment in done.project.segments:
        assert np.allclose(before[segment.id].p_W, after[segment.id].p_W, atol=1e-9)
        assert np.allclose(before[segment.id].R_WS, after[segment.id].R_WS, atol=1e-9)


def test_what_is_driven_stays_in_place_too() -> None:
    """Its motion has brought it away from its start by time zero: once, not twice."""
    part = {"mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}
    at = {"pulse": {"kind": "half_sine", "amplitude": 0.1, "duration_s": 1.0}}
    data = {
        "format": "manikin-project",
        "schema_version": 4,
        "segments": [{"id": "post", **part}, {"id": "cart", **part}],
        "motions": [
            {
                "id": "go",
                "segment": "cart",
                "components": [
                    {"component": "x", "start_value": 0.3, **at},
                    {"component": "yaw", "start_value": 0.2, **at},
                ],
            }
        ],
        "initial": {
            "roots": [
                {"segment": "post", "position_m": [1.0, 2.0, 0.0]},
                {"segment": "cart", "relative_to": "post", "position_m": [0.5, 0.0, 0.0]},
            ]
        },
    }
    project = validated(data)
    before = pose_at_start(project)["cart"]
    assert before.p_W == pytest.approx([1.8, 2.0, 0.0]), "driven already"
    after = pose_at_start(removed(project, "segments/post").project)["cart"]
    assert np.allclose(before.p_W, after.p_W, atol=1e-9)
    assert np.allclose(before.R_WS, after.R_WS, atol=1e-9)


@pytest.mark.parametrize(
    "angles", [(0.3, -0.7, 2.0), (0.0, np.pi / 2, 0.0), (1.0, -np.pi / 2, 0.0)]
)
def test_angles_of_a_matrix_give_the_matrix(angles: tuple[float, float, float]) -> None:
    R = from_angles(angles, "zyx")
    assert np.allclose(turn(upright(R)), R)


def test_a_new_bag_comes_out_of_the_vehicle_and_holds_what_bags_hold() -> None:
    """Seat a dummy in a car without surfaces: a panel of the vehicle ahead of the chest, a bag towards it, 20 to 80 kPa."""
    plain = replace(
        first("frontal"), bag="", surroundings="", belt="three_point_plain_left", duration_s=0.1
    )
    before = crash(plain, rest=False)
    chosen = ("segments/driver_lower_torso",)
    made = add(before, maker("airbags"), chosen)
    bag = made.project.airbags[0]
    (panel,) = bag.panels
    assert panel.segment == "vehicle"
    assert bag.touches[0].segment.startswith("driver_")
    chest = pose_at_start(made.project)["driver_upper_torso"].p_W
    vehicle = next(s for s in made.project.segments if s.id == "vehicle")
    (surface,) = vehicle.surfaces
    assert 0.3 < surface.centre_m[0] - chest[0] < 0.7
    assert surface.centre_m[1:] == pytest.approx(chest[1:], abs=1e-3)
    assert bag.deployment_point_m[0] < 0.0, "towards who sits there"
    assert not errors(made.project)
    run = simulate(made.project)
    pressure = run.table("airbags")["pressure"][:, 0]
    assert 25e3 < pressure.max() < 75e3, "within 20 to 80 kPa with room to spare"
    # whose surfaces there are, of a vehicle, are taken
    held = crash(replace(first("frontal"), bag=""), rest=False)
    bag = add(held, maker("airbags"), chosen).project.airbags[0]
    assert not bag.panels[0].segment.startswith("driver_")
    # nobody moves: the ground has no panel, and that is said
    people = held.model_copy(update={"motions": (), "segments": tuple(s.model_copy(update={"surfaces": ()}) if not s.id.startswith("driver_") else s for s in held.segments)})  # fmt: skip
    with pytest.raises(CannotMake, match="an ellipsoid of the vehicle"):
        add(people, maker("airbags"), chosen)


def test_a_new_bag_stands_on_a_plane_of_the_vehicle_that_faces_who_sits_there() -> None:
    """A dash leaning by 20 degrees 0.6 m ahead: the bag comes out of it towards the chest, and its panels are offered with the vehicle first."""
    plain = replace(
        first("frontal"), bag="", surroundings="", belt="three_point_plain_left", duration_s=0.1
    )
    before = crash(plain, rest=False)
    chest = pose_at_start(before)["driver_upper_torso"].p_W
    at = pose_at_start(before)["vehicle"]
    lean = 0.35
    frame = {
        "position_m": list(at.R_WS.T @ (chest - at.p_W) + [0.6, 0.1, 0.0]),
        "orientation": {"angles_rad": [0.0, -0.5 * np.pi + lean, 0.0]},
    }
    data = json.loads(to_json(before))
    data.setdefault("planes", []).append({"id": "dash", "segment": "vehicle", "placement": {"kind": "frame", "frame": frame}})  # fmt: skip
    made = add(validated(data), maker("airbags"), ("segments/driver_lower_torso",))
    bag = made.project.airbags[0]
    assert (bag.planes, bag.panels) == (("dash",), ())
    assert not errors(made.project)
    panel, full = panel_of(bag, made.project), full_bag(bag, made.project)
    assert panel is not None
    assert full is not None
    front = panel.R[:, 2]
    assert -full.R_WS[:, 0] == pytest.approx(front, abs=1e-6), "out of the plane"
    # the chest lies ahead of where it stands
    place = at.of(panel.of(bag.deployment_point_m))
    assert np.cross(chest - place, at.R_WS @ front) == pytest.approx(np.zeros(3), abs=1e-3)
    assert not [p for p in check(made.project) if p.code == "airbag-behind"]
    offered = surfaces_that_hold(crash(replace(first("frontal"), bag=""), rest=False))
    people = [ref.segment.startswith("driver_") for ref in offered]
    assert people == sorted(people), "the occupant comes last"
    assert offered[0].segment in ("vehicle", "car_steering_wheel") or not people[0]
