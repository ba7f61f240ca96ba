"""Joints of people that go farther than such joints do are reported, and joints that nothing ends."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from solver.bodies import adult_dimensions, body_project, dummy, human
from solver.engine.maths.rotation import about_axis, quaternion
from solver.injury.faults import faults
from solver.project import Project, to_json
from solver.project.checks import check
from solver.running.outputs.mobility import Mobility
from solver.running.simulation import simulate
from tests.models import base, project, segment

LIMITS = {axis: math.radians(1.25 * a) for axis, a in (("x", 81.0), ("y", 106.0), ("z", 80.0))}
"""Of necks."""


def person(axis: str, rate: float, **law: Any) -> Any:
    """Hold a torso, and let a head turn on it about one axis without weight; z points down."""
    neck = {
        "id": "neck", "kind": "ball", "parent": "upper_torso", "child": "head",
        "child_frame": {"position_m": [0.0, 0.0, 0.15]}, "parent_frame": {"position_m": [0.0, 0.0, -0.2]}, **law,
    }  # fmt: skip
    fixed = {"id": "seat", "kind": "locked", "parent": "ground", "child": "upper_torso"}
    waist = {"id": "waist", "kind": "locked", "parent": "upper_torso", "child": "lower_torso"}
    rates = {"x": [0.0, 0.0, rate], "y": [0.0, rate, 0.0], "z": [rate, 0.0, 0.0]}[axis]
    same = (0.02, 0.02, 0.02)
    data = base(
        1.0, segments=[segment("upper_torso", 20.0), segment("lower_torso", 12.0), segment("head", 4.5, same)],
        joints=[fixed, waist, neck], gravity_m_per_s2=[0.0, 0.0, 0.0],
        initial={"joints": [{"joint": "neck", "rates": rates}]},
    )  # fmt: skip
    data["runs"][0]["frame_interval_s"] = 1e-3
    return data


def limbed(part: str, above: str, joint: str, rate: float, **law: Any) -> Any:
    """Let a part of a limb turn about its own y on a part that is held to the torso."""
    data = person("y", 0.0)
    same = (0.02, 0.02, 0.02)
    data["segments"] += [segment(above, 8.0, same), segment(part, 3.0, same)]
    data["joints"] += [
        {"id": "held", "kind": "locked", "parent": "lower_torso", "child": above, "child_frame": {"position_m": [0.0, 0.0, -0.2]}},
        {
            "id": joint, "kind": "pin", "parent": above, "child": part, "parent_frame": {"position_m": [0.0, 0.0, 0.2]},
            "child_frame": {"position_m": [0.0, 0.0, -0.2]}, **law,
        },
    ]  # fmt: skip
    data["initial"] = {"joints": [{"joint": joint, "rates": [rate]}]}
    return data


def told(run: Any) -> list[str]:
    return [one for one in run.log if "none goes beyond" in one]


@pytest.mark.parametrize("axis", LIMITS)
def test_a_neck_that_goes_on_is_told_of_and_its_head_not_judged(axis: str) -> None:
    """It turns by 10 degrees more than necks do, and by 10 less."""
    limit = LIMITS[axis]
    for more, is_told in ((0.17, True), (-0.17, False)):
        made = project(person(axis, limit + more))
        run = simulate(made)
        lines = told(run)
        assert bool(lines) == is_told, run.log
        found = faults(made, run)
        assert bool(found) == is_told
        if is_told:
            assert f"the neck at 'head' {WORDS[axis]} to {math.degrees(limit + more):.0f}°" in lines[0]  # fmt: skip
            assert found[0].region == "head"
            assert found[0].first == pytest.approx(limit / (limit + more), abs=2e-3)


WORDS = {"x": "bends sideways", "y": "extends", "z": "twists"}


@pytest.mark.parametrize("axis", LIMITS)
def test_reach_is_counted_from_the_start_whatever_the_axes(axis: str) -> None:
    made = Mobility(project(person("x", 0.0)))
    for angle in (0.3, 1.2, -1.6):
        torso, turn = about_axis("z", 0.7), about_axis(axis, angle)
        quaternions = [quaternion(one) for one in (torso, torso, torso @ turn)]
        bend, _, _, twist, most = (one[0, 0] for one in made.angles(np.array([quaternions])))
        if axis == "z":
            # it counts about the way up to the head
            assert (bend, twist) == pytest.approx((0.0, -angle), abs=1e-9)
        else:
            assert (bend, twist, most) == pytest.approx((abs(angle), 0.0, LIMITS[axis]), abs=1e-9)


ENDS = [
    # part, axis of the standing body, degrees at which it is told, word
    ("upper_torso", "y", -115.0, "flexes"), ("upper_torso", "y", 55.0, "extends"), ("upper_torso", "x", -55.0, "bends sideways"),
    ("upper_torso", "z", 55.0, "twists"), ("right_upper_leg", "y", 166.0, "flexes"), ("right_upper_leg", "y", -53.0, "extends"),
    ("right_upper_leg", "x", -70.0, "bends sideways"), ("right_upper_leg", "x", 55.0, "bends sideways"),
    ("left_upper_leg", "x", 70.0, "bends sideways"), ("left_upper_leg", "x", -55.0, "bends sideways"),
    ("right_upper_leg", "z", 70.0, "twists"), ("left_lower_leg", "y", 35.0, "extends"), ("left_lower_leg", "y", -178.0, "flexes"),
    ("right_foot", "y", 70.0, "flexes"), ("right_foot", "y", -92.0, "extends"), ("right_foot", "x", 60.0, "bends sideways"),
    ("right_upper_arm", "z", 115.0, "twists"), ("right_upper_arm", "y", -114.0, "extends"), ("left_upper_arm", "y", -114.0, "extends"), ("left_forearm", "y", 178.0, "flexes"),
    ("left_forearm", "y", -62.0, "extends"), ("left_hand", "y", 120.0, "flexes"), ("left_hand", "x", 120.0, "bends sideways"),
]  # fmt: skip


@pytest.fixture(scope="module")
def bodies() -> dict[str, Project]:
    return {
        "dummy": body_project(dummy("hybrid_iii_50m")),
        "man": body_project(human(adult_dimensions("male"))),
    }


@pytest.mark.parametrize("who", ["dummy", "man"])
@pytest.mark.parametrize(("part", "axis", "end", "word"), ENDS)
def test_each_joint_ends_where_its_table_says(
    bodies: dict[str, Project], who: str, part: str, axis: str, end: float, word: str
) -> None:
    """Turn a part and all that it carries from standing upright: a degree short of its end nothing is told, a degree beyond it this."""
    made = bodies[who]
    names = [one.id for one in made.segments]
    beyond = hanging(made, part)
    for more in (-1.0, 1.0):
        angle = math.radians(end + more * math.copysign(1.0, end))
        turn = about_axis(axis, angle)
        upright = {name: foot(name) for name in names}
        turned = {name: turn @ own if name in beyond else own for name, own in upright.items()}
        watch = Mobility(made)
        seen = np.array([[quaternion(turned[name]) for name in names]])
        watch.look(np.array([0.01]), {"quaternion_wxyz": seen})
        found = [one for one in map(str, watch.sentences()) if f"'{part}'" in one]
        assert bool(found) == (more > 0.0), (angle, found)
        if found and abs(end) < 179.0:
            assert f" {word} to {abs(end) + 1.0:.0f}°" in found[0]
            assert f"none goes beyond {abs(end):.0f}°" in found[0]


def test_an_arm_that_reaches_up_may_go_on_behind(bodies: dict[str, Project]) -> None:
    """It comes behind the back from above, as far as its way up goes on: 25 degrees, as from any end; what is between is told."""
    made = bodies["dummy"]
    names = [one.id for one in made.segments]
    beyond = hanging(made, "left_upper_arm")
    for degrees, is_told in ((-150.0, True), (-154.0, True), (-156.0, False), (-175.0, False)):
        turn = about_axis("y", math.radians(degrees))
        turned = {name: (turn if name in beyond else np.eye(3)) @ foot(name) for name in names}
        watch = Mobility(made)
        seen = np.array([[quaternion(turned[name]) for name in names]])
        watch.look(np.array([0.01]), {"quaternion_wxyz": seen})
        assert (
            bool([one for one in map(str, watch.sentences()) if "left_upper_arm" in one]) == is_told
        )


def foot(name: str) -> Any:
    """Give the standing attitude: axes are parallel, but z of a foot points forward."""
    return about_axis("y", math.pi / 2.0) if name.endswith("foot") else np.eye(3)


def hanging(made: Project, part: str) -> set[str]:
    """Give a part and all beyond it, blocks between it and the part before it too that belong to its joint."""
    beyond = {part}
    grown = True
    while grown:
        more = {j.child for j in made.joints if j.parent in beyond} - beyond
        grown = bool(more)
        beyond |= more
    # what is fixed to the part above its joint, as the clevis of a knee or the sacrum's other half
    side = part.split("_")[0]
    fixed = {f"{side}_knee_slider", f"{side}_knee_clevis"} if part.endswith("lower_leg") else set()
    return beyond | fixed


def test_a_knee_that_goes_too_far_leaves_its_leg_unjudged() -> None:
    """It turns by 40 degrees beyond straight; 35 is told. An arm's elbow is told, too, and nothing is left out for it."""
    made = project(limbed("left_lower_leg", "left_upper_leg", "left_knee", math.radians(40.0)))
    run = simulate(made)
    (line,) = told(run)
    assert "the knee at 'left_lower_leg' extends to 40°" in line
    assert "beyond 35°" in line
    assert len(line.removeprefix("warning: ")) <= 120
    ((body, region, first),) = [(one.body, one.region, one.first) for one in faults(made, run)]
    assert (body, region) == ("", "left_leg")
    assert first == pytest.approx(35.0 / 40.0, abs=2e-3)
    arm = project(limbed("left_forearm", "left_upper_arm", "left_elbow", math.radians(-70.0)))
    run = simulate(arm)
    assert "the elbow at 'left_forearm' extends to 70°" in told(run)[0]
    assert faults(arm, run) == ()


def test_bent_legs_and_those_that_start_the_other_way_are_not_told_of() -> None:
    """Bend a knee by 150 degrees; then turn all axes about, so that it bends ahead from where it starts."""
    bent = limbed("left_lower_leg", "left_upper_leg", "left_knee", math.radians(-150.0))
    assert told(simulate(project(bent))) == []
    about = limbed("left_lower_leg", "left_upper_leg", "left_knee", 0.5)
    about["initial"]["joints"][0]["values"] = [math.radians(80.0)]
    assert told(simulate(project(about))) == []


def test_a_trunk_that_folds_leaves_head_chest_and_pelvis_unjudged() -> None:
    data = person("y", 0.0)
    data["joints"][0] |= {"child": "lower_torso"}
    data["joints"][1] = {
        "id": "waist", "kind": "pin", "parent": "lower_torso", "child": "upper_torso", "parent_frame": {"position_m": [0.0, 0.0, -0.1]},
        "child_frame": {"position_m": [0.0, 0.0, 0.2]},
    }  # fmt: skip
    data["joints"][2] |= {"lock": {"locked": True}}
    data["initial"] = {"joints": [{"joint": "waist", "rates": [1.2]}]}
    made = project(data)
    run = simulate(made)
    assert "the trunk at 'upper_torso' extends to 69°" in told(run)[0]
    assert {one.region for one in faults(made, run)} == {"head", "chest", "pelvis"}


def test_a_knee_whose_ligaments_tear_is_told_of_by_that_event_alone(
    bodies: dict[str, Project],
) -> None:
    """Its way sideways is without an end here, that of a dummy's is not; straight it ends in both."""
    for who, is_open in (("man", True), ("dummy", False)):
        (knee,) = [one for one in Mobility(bodies[who]).watched if one.part == "left_lower_leg"]
        assert [math.isinf(one) for one in knee.most] == [is_open, is_open, False, False, is_open]


def test_a_bone_that_breaks_bends_no_ankle(bodies: dict[str, Project]) -> None:
    """The shin's cut lies between knee and ankle: the ankle counts from the part below it."""
    (ankle,) = [one for one in Mobility(bodies["man"]).watched if one.part == "left_foot"]
    assert ankle.segments == ("left_ankle_block", "left_foot")


def test_a_person_s_joint_that_nothing_ends_is_found() -> None:
    """A stop, a spring or a law each ends it; dummies and people of the library have all of theirs."""

    def endless(data: Any) -> list[str]:
        return [one.sentence for one in check(project(data)) if one.code == "joint-endless"]

    assert "flexure, torsion" in endless(person("x", 0.0))[0]
    stop = {"stop_rad": 1.0, "quadratic_nm_per_rad2": 100.0}
    (left,) = endless(person("x", 0.0, flexure=stop))
    assert "resists torsion" in left
    assert endless(person("x", 0.0, flexure=stop, torsion={"linear_nm_per_rad": 5.0})) == []
    locked = {"locked": True}
    assert endless(person("x", 0.0, lock=locked)) == []
    assert endless(person("x", 0.0, lock=locked | {"unlock_torque_nm": 5.0}, torsion=stop))
    none = {"id": "none", "x_unit": "rad", "y_unit": "N*m",
            "form": {"kind": "table", "x": [0.0, 1.0], "y": [5.0, 0.0]}}  # fmt: skip
    lax = person("x", 0.0, flexure={"torque": "none"}, torsion=stop) | {"functions": [none]}
    assert "flexure" in endless(lax)[0]
    for body in (
        dummy("hybrid_iii_50m"),
        dummy("hybrid_iii_3y"),
        human(adult_dimensions("female")),
    ):
        whole: Project = body_project(body)
        assert "joint-endless" not in {one.code for one in check(whole)}


def test_what_is_bounded_ends_no_joint() -> None:
    """Damping, friction and actuators on an axis leave it without an end; springs end it, on that axis alone."""

    def endless(axes: str, **law: Any) -> list[str]:
        data = person("x", 0.0)
        data["coordinate_forces"] = [
            {"id": axis, "coordinate": {"kind": "joint", "joint": "neck", "axis": f"turn_{axis}"}, "laws": [law]} for axis in axes
        ]  # fmt: skip
        return [one.sentence for one in check(project(data)) if one.code == "joint-endless"]

    assert "flexure, torsion" in endless("xyz", kind="viscous", damping=5.0)[0]
    assert "flexure, torsion" in endless("xyz", kind="coulomb", size=5.0)[0]
    assert endless("xyz", kind="linear", stiffness=5.0) == []
    assert "resists torsion" in endless("xy", kind="linear", stiffness=5.0)[0]
    assert "resists flexure" in endless("yz", kind="linear", stiffness=5.0)[0]


@pytest.mark.parametrize("who", ["dummy", "man"])
def test_a_neck_without_an_end_sideways_is_told_of_before_and_after(who: str) -> None:
    """Pull a held trunk's head to the side by 30 g: weak discs are reported by the run, those that nothing ends by the check too."""
    body = dummy("hybrid_iii_50m") if who == "dummy" else human(adult_dimensions("male"))
    lines = {}
    for factor in (0.02, 0.0):
        made = project(sideways(body, factor))
        codes = {one.code for one in check(made)}
        assert ("joint-endless" in codes) == (factor == 0.0)
        run = simulate(made)
        (lines[factor],) = told(run)
        assert "the neck at 'head' bends sideways to 1" in lines[factor]
        assert [one.region for one in faults(made, run)] == ["head"]


def sideways(body: Any, factor: float) -> Any:
    """Hold a trunk, leave out limbs, and make the neck's moments sideways so many times what they are."""
    kept = ("lower_torso", "lumbar", "centre_torso", "lower_ribs", "upper_torso", "neck", "head")
    data = json.loads(to_json(body_project(body)))
    data["segments"] = [one for one in data["segments"] if one["id"].startswith(kept)]
    ids = {one["id"] for one in data["segments"]}
    data["joints"] = [one for one in data["joints"] if {one["parent"], one["child"]} <= ids]
    for one in data["joints"]:
        if one["id"].startswith(("lumbar", "waist", "thoracic")):
            one["lock"] = {"locked": True}
    names = {one["id"] for one in data["joints"]}
    seat = {"id": "seat", "kind": "locked", "parent": "ground", "child": "lower_torso"}
    data["joints"].append(seat)
    for group in ("contacts", "outputs", "initial"):
        data.pop(group, None)
    forces = data["coordinate_forces"]
    data["coordinate_forces"] = [
        f for f in forces if f["coordinate"].get("joint") in names and (factor or "_muscles_x" not in f["id"])
    ]  # fmt: skip
    for one in data["functions"]:
        if one["id"].endswith("_sideways") and one["id"].startswith(("disc", "condyles")):
            for form in (one["form"].get("first"), one["form"].get("second"), one["form"]):
                if form is not None and "coefficients" in form:
                    form["coefficients"] = [factor * c for c in form["coefficients"]]
    runs = [{"id": "run", "duration_s": 0.075}]
    return data | {"gravity_m_per_s2": [0.0, 300.0, 0.0], "runs": runs}


def test_a_state_keeps_what_joints_did_and_blocks_change_nothing() -> None:
    made = project(person("x", 0.0))
    rows, watch = np.linspace(0.0, 2.5, 6), Mobility(made)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (6, 1))
    turned = np.stack([quaternion(about_axis("xyzxxz"[n], a)) for n, a in enumerate(rows)])
    seen = {"quaternion_wxyz": np.stack([still, still, turned], axis=1)}
    watch.look(rows[:5], {name: v[:5] for name, v in seen.items()})
    other, whole = Mobility(made), Mobility(made)
    other.recall(watch.memory())
    for one in (watch, other):
        one.look(rows[5:], {name: v[5:] for name, v in seen.items()})
    whole.look(rows, seen)
    (said,) = watch.sentences()
    assert list(other.sentences()) == list(whole.sentences()) == [said]
    assert said.values["degrees"] == pytest.approx(math.degrees(2.5))
    assert said.values["first"] == pytest.approx(2000.0)


def test_a_line_is_short_whoever_it_is_of() -> None:
    from solver.base.words import Sentence
    from solver.running.outputs.mobility import BENDS, EXTENDS, FLEXES, TWISTS

    for way in (BENDS, EXTENDS, FLEXES, TWISTS):
        said = Sentence(
            way, joint="shoulder", part="pedestrian_right_upper_arm", degrees=170.0, time=123.4, limit=147.0, first=120.1
        )  # fmt: skip
        assert len(str(said)) <= 130
