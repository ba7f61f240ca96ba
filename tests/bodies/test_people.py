"""People with a flexible spine: sizes, spine, scaling by name, and how they sit."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import manikin as mk
from solver.bodies import (  # fmt: skip
    Body,
    BodyError,
    Dimensions,
    Place,
    adult_dimensions,
    body_project,
    child_dimensions,
    human,
    insert_body,
    mirror_of,
    pose,
    poses,
    with_hands,
)
from solver.bodies.dimensions import shares
from solver.bodies.library import insert
from solver.bodies.own_contacts import _solid
from solver.bodies.parts import Ribs
from solver.bodies.people import Scaling, bone, scaling, soft
from solver.bodies.people.sizes import LINKS, TILT_DEG, TILT_MM
from solver.bodies.people.trunk import CHEST
from solver.cli import main
from solver.project import Project, load_project
from solver.project.checks import check
from solver.project.checks.shapes import gaps
from solver.project.coordinate_forces import across
from solver.project.motions import JointStart
from solver.project.pose import start_pose
from solver.project.runs import Run
from tests.bodies.lazily import Lazily
from validation import people

SIZES: dict[str, Dimensions] = {
    "man": adult_dimensions("male"), "large": adult_dimensions("male", percentile=95.0),
    "stout": adult_dimensions("female", weight_percentile=95.0, height_percentile=5.0),
    "woman": adult_dimensions("female", percentile=5.0), "six": child_dimensions(6.0), "three": child_dimensions(3.0),
}  # fmt: skip
PEOPLE: Lazily[Body] = Lazily({name: partial(human, d) for name, d in SIZES.items()})
MUSCLED: Lazily[Body] = Lazily(
    {name: partial(human, SIZES[name], extensors=True) for name in ("man", "woman")}
)
SPINE = tuple(LINKS)


def seated_project(body: Body, duration_s: float = 0.5) -> Project:
    project = insert_body(
        Project(runs=(Run(id="run", duration_s=duration_s, frame_interval_s=0.01, body_sensors=False),)),
        pose(body, "driving"), "p", Place(anchor="hips"),
    )  # fmt: skip
    return insert(project, "car_seat", on="p")


@pytest.fixture(scope="module")
def settled() -> dict[str, mk.Run]:
    return {
        n: mk.run(mk.Model(seated_project(PEOPLE[n], seconds)))
        for n, seconds in (("man", 0.5), ("six", 0.3))
    }


# sizes


@pytest.mark.parametrize("name", SIZES)
def test_people_weigh_and_stand_as_asked(name: str) -> None:
    d, body = SIZES[name], PEOPLE[name]
    assert body.mass_kg == pytest.approx(d["weight_kg"], rel=1e-5)
    project = body_project(body)
    at = start_pose(project)
    head, foot = body.segment("head").surfaces[0], body.segment("right_foot").surfaces[0]
    crown = at["head"].p_W[2] - head.semi_axes_m[2]
    sole = at["right_foot"].p_W[2] + foot.semi_axes_m[0]  # what a foot stands on is along its own x
    assert sole - crown == pytest.approx(d["standing_height_m"], rel=0.005)


@pytest.mark.parametrize("name", SIZES)
def test_parts_weigh_what_the_tables_say(name: str) -> None:
    body, asked = PEOPLE[name], shares(SIZES[name])
    groups = {
        "upper_leg": ("right_upper_leg", "right_knee_block"), "lower_leg": ("right_lower_leg", "right_ankle_block"), "upper_arm": ("right_upper_arm",),
        "forearm": ("right_forearm", "right_hand"), "head": ("head", "neck_1", "neck_2", "neck_3"), "foot": ("right_foot",),
        "trunk": ("lower_torso", "lumbar_1", "centre_torso", "lumbar_2", "lower_ribs", "upper_torso", "sternum", "right_shoulder",
                  "left_shoulder", "right_ribs", "left_ribs", "right_ilium", "left_ilium"),
    }  # fmt: skip
    for part, ids in groups.items():
        mass = sum(body.segment(one).mass_kg for one in ids)
        assert mass == pytest.approx(asked[part], rel=1e-4), part


LENGTHS = {  # parts of the stature
    "thigh": (0.245, "Drillis and Contini"), "shank": (0.246, "Drillis and Contini"), "upper_arm": (0.1618, "de Leva"),
    "forearm": (0.1545, "de Leva"),
}  # fmt: skip


@pytest.mark.parametrize("name", ["man", "large"])
def test_limbs_are_as_long_as_published(name: str) -> None:
    body, tall = PEOPLE[name], SIZES[name]["standing_height_m"]
    at = start_pose(body_project(pose(body, "standing")))

    def place(joint: str) -> np.ndarray:
        found = body.joint(joint)
        parent = at[found.parent]
        return parent.p_W + parent.R_WS @ np.array(found.parent_frame.position_m)

    ways = {
        "thigh": ("right_hip", "right_knee"), "shank": ("right_knee", "right_ankle"), "upper_arm": ("right_shoulder", "right_elbow"),
        "forearm": ("right_elbow", "right_wrist"),
    }  # fmt: skip
    for part, (one, other) in ways.items():
        assert np.linalg.norm(place(one) - place(other)) / tall == pytest.approx(
            LENGTHS[part][0], rel=0.03
        ), part


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("posed", ["standing", "driving"])
def test_neighbours_have_no_gap_between_them(name: str, posed: str) -> None:
    body = pose(PEOPLE[name], posed)
    at = start_pose(body_project(body, own_contacts=False))
    solids = {s.id: _solid(s.surfaces[0], at[s.id]) for s in body.segments}
    pairs = [(j.parent, j.child) for j in body.joints]
    pairs.append(("upper_torso", "right_upper_arm"))
    found = gaps([solids[a] for a, _ in pairs], [solids[b] for _, b in pairs], [False] * len(pairs))
    apart = [pair for pair, gap in zip(pairs, found, strict=True) if gap > 0.0]
    assert not apart


def test_left_is_the_mirror_image_of_right() -> None:
    body = PEOPLE["woman"]
    for joint in body.joints:
        twin = body.joint(mirror_of(joint.id))
        x, y, z = joint.parent_frame.position_m
        assert twin.parent_frame.position_m == pytest.approx((x, -y, z))


# spine


def test_the_spine_is_curved_as_people_are() -> None:
    """Lordosis L1-S1 43.5 degrees, kyphosis 35 to 45, base of the neck within 60 mm of the hips, standing."""
    tilt = dict(zip(TILT_MM, TILT_DEG, strict=True))
    assert tilt[22.0] - tilt[197.7] == pytest.approx(43.5)
    assert 35.0 < tilt[493.6] - tilt[229.5] < 45.0
    at = start_pose(body_project(PEOPLE["man"]))
    hip = PEOPLE["man"].joint("right_hip").parent_frame.position_m[0] + at["lower_torso"].p_W[0]
    neck = PEOPLE["man"].joint("disc_1").parent_frame.position_m[0] + at["upper_torso"].p_W[0]
    assert abs(neck - hip) < 0.06
    assert abs(at["head"].p_W[0] - hip) < 0.06


@pytest.mark.parametrize("name", poses())
def test_rubber_and_discs_are_at_rest_in_every_pose(name: str) -> None:
    project = insert_body(Project(), pose(PEOPLE["man"], name))
    moved = {start.joint for start in project.initial.joints}
    assert not moved & set(SPINE)


def test_a_seated_spine_is_flatter_but_the_neck_stays_where_it_was() -> None:
    body = PEOPLE["man"]

    def pitch(posed: Body, id_: str) -> float:
        return math.degrees(posed.attitudes[id_].angles_rad[1])

    driving = pose(body, "driving")
    between = pitch(driving, "lower_torso") - pitch(driving, "upper_torso")
    assert between == pytest.approx(24.0 + 4.0)  # flexion of the sitting, and what the table has
    order = [pitch(driving, one) for one in ("lower_torso", "lumbar_1", "centre_torso", "lumbar_2")]
    assert all(high > low for high, low in pairwise(order))


# laws by size


def test_equal_stress_and_velocity_are_what_a_lumped_chest_says() -> None:
    """The same speed: forces as sqrt(m k), deflections as sqrt(m / k), by an integration of its own."""
    man, small = _hub(CHEST, 1.0), None
    for grown, young in ((0.8, 1.0), (1.1, 1.0)):
        by = Scaling(mass=grown**3, sitting=grown, chest=grown, neck=grown**3, bone=young, soft=1.0)
        small = _hub(by.ribs(CHEST), by.mass)
        assert small[0] / man[0] == pytest.approx(math.sqrt(by.mass / by.chest_stiffness), rel=1e-3)
        assert small[1] / man[1] == pytest.approx(math.sqrt(by.mass * by.chest_stiffness), rel=1e-3)


def _hub(ribs: Ribs, mass: float) -> tuple[float, float]:
    hub, spine = 22.7 * mass, 27.2 * mass

    def rate(_: float, s: np.ndarray) -> list[float]:
        x, y, v, w, inner = s
        d, dd = x - y, v - w
        spring = (
            ribs.stiffness * d
            if d < ribs.knee_m
            else ribs.stiffness * ribs.knee_m + ribs.beyond * (d - ribs.knee_m)
        )
        row = ribs.series * (d - inner)
        force = (
            spring
            + (ribs.damping_in + ribs.growth * d if dd > 0.0 else ribs.damping_out) * dd
            + row
        )
        return [v, w, -force / hub, force / spine, row / ribs.series_damping]

    done = solve_ivp(
        rate,
        (0.0, 0.03 * mass ** (1 / 3)),
        [0.0, 0.0, 7.15, 0.0, 0.0],
        max_step=2e-4,
        rtol=1e-8,
        atol=1e-10,
    )
    deflection = done.y[0] - done.y[1]
    force = hub * np.abs(np.gradient(done.y[2], done.t))
    return float(deflection.max()), float(force[5:].max())


def test_laws_of_children_are_softer_by_named_rules() -> None:
    by, mass = scaling(SIZES["six"]), SIZES["six"]["weight_kg"] / SIZES["man"]["weight_kg"]
    assert by.chest_stiffness / by.sitting == pytest.approx(6.6 / 9.9)
    assert by.moments == pytest.approx(0.9 * mass)
    assert bone(None) == soft(None) == soft(18.0) == 1.0
    small, large = (PEOPLE[n].joint("right_hip").flexure for n in ("six", "man"))
    assert small.quadratic_nm_per_rad2 / large.quadratic_nm_per_rad2 == pytest.approx(
        by.moments, rel=1e-6
    )
    gentle, firm = (
        next(f for f in PEOPLE[n].functions if f.id == "disc_1_muscles_flexion")
        for n in ("six", "man")
    )
    assert gentle.form.coefficients[1] / firm.form.coefficients[1] == pytest.approx(
        by.neck_moments, rel=1e-4
    )


@pytest.mark.parametrize(("name", "asked"), [("six", 0.25), ("three", 0.185)])
def test_childrens_necks_are_as_strong_as_their_tissue(name: str, asked: float) -> None:
    """Parts of a man's moments, from tests of tissue: Yoganandan and others."""
    assert scaling(SIZES[name]).neck_moments == pytest.approx(asked, rel=0.12)


# how they sit


@pytest.mark.parametrize("name", ["man", "six"])
def test_people_sit_for_half_a_second_as_they_were_put(name: str, settled: dict) -> None:
    run = settled[name]
    for joint in SPINE:
        for angle in "123":
            curve = np.degrees(run[f"joints/p_{joint}/angle/{angle}"].value)
            assert np.abs(curve).max() < 5.0, joint
    head = run["segments/p_head/position/z"].value - run["segments/p_lower_torso/position/z"].value
    assert head.max() - head[0] < 0.015, "z is down: the head does not drop"


def test_without_tone_the_head_drops(settled: dict) -> None:
    run = mk.run(mk.Model(seated_project(replace(PEOPLE["man"], tone=None), 0.25)))
    curves = (one["joints/p_disc_2/angle/2"].value for one in (run, settled["man"]))
    # arms that drop onto the thighs come later
    loose, held = (np.abs(np.degrees(one[:26])).max() for one in curves)
    assert loose > 1.5 * held


def test_tone_bears_no_more_than_what_is_carried() -> None:
    project = body_project(pose(PEOPLE["man"], "driving"))
    held = {one.id: one for one in project.coordinate_forces if one.group.endswith("/Posture")}
    assert len(held) == 3 * len(SPINE)
    carried = sum(PEOPLE["man"].segment(one).mass_kg for one in ("neck_3", "head"))
    limit = held["condyles_turn_y_held"].laws[0].limit
    assert 0.0 < limit < carried * 9.81 * 0.15


def test_loads_of_a_neck_count_its_muscles() -> None:
    """What the sensors tell of a head that turns about all axes moves it, by Newton and Euler: joint, muscles beside it and across it."""
    project = body_project(replace(MUSCLED["man"], tone=None), duration_s=4e-3, own_contacts=False)
    turned = JointStart(joint="condyles", values=(0.5, -0.6, 0.4))
    start = project.initial.model_copy(update={"joints": (*project.initial.joints, turned)})
    run = mk.run(mk.Model(project.model_copy(update={"initial": start})))
    head, joint = PEOPLE["man"].segment("head"), PEOPLE["man"].joint("condyles")
    one = run.trajectory.segment("head")
    R = Rotation.from_quat(np.roll(one.quaternion_wxyz[-1], -1)).as_matrix()
    spin, turning = one.angular_velocity[-1], one.angular_acceleration[-1]
    push = head.mass_kg * R.T @ (one.acceleration[-1] - np.array(project.gravity_m_per_s2))
    inertia = np.diag(head.inertia_kgm2)
    moment = (
        inertia @ turning
        + np.cross(spin, inertia @ spin)
        + np.cross(-np.array(joint.child_frame.position_m), push)
    )
    force, torque = (
        [run[f"condyles.whole_{what}_{axis}"].value[-1] for axis in "xyz"]
        for what in ("force", "torque")
    )
    assert np.linalg.norm(push) > 20.0
    assert np.allclose(force, push, rtol=1e-5, atol=1e-3)
    assert np.allclose(torque, moment, rtol=1e-5, atol=1e-3)


def test_extensors_run_from_chest_and_neck_to_neck_and_head() -> None:
    """Sections are the table's, both sides mirror each other, and together they are as strong about C7 as men's necks (52 +- 11 N m, Vasavada 2001)."""
    man, woman = MUSCLED["man"], MUSCLED["woman"]
    lines = {one.id: one for one in man.also.coordinate_forces if one.group == "Neck extensors"}
    assert len(lines) == 24
    ends = [{one.coordinate.a.segment, one.coordinate.b.segment} for one in lines.values()]
    assert sum({"upper_torso", "head"} == one for one in ends) == 8
    at, sums = start_pose(body_project(man)), 0.0
    pivot = at["neck_1"].of(man.joint("disc_1").child_frame.position_m)
    for id_, one in lines.items():
        twin = lines[id_.replace("right_", "left_")].coordinate
        assert np.allclose(
            np.multiply(one.coordinate.a.position_m, (1, -1 if id_.startswith("right") else 1, 1)),
            twin.a.position_m,
        )
        for _, upper, lower in across([one], {"neck_1", "neck_2", "neck_3", "head"}):
            p, q = (at[point.segment].of(point.position_m) for point in (upper, lower))
            sums += one.laws[0].strength * np.cross(p - pivot, (q - p) / np.linalg.norm(q - p))[1]
    assert sums == pytest.approx(52.0, abs=11.0)
    weak, strong = (
        next(f for f in one.also.coordinate_forces if f.id == "right_splenius_capitis")
        .laws[0]
        .strength
        for one in (woman, man)
    )
    assert weak / strong == pytest.approx(
        scaling(SIZES["woman"]).neck / scaling(SIZES["woman"]).sitting, rel=1e-3
    )


def test_a_person_goes_into_a_project_twice() -> None:
    one = insert_body(Project(), PEOPLE["woman"], "a")
    two = insert_body(one, PEOPLE["six"], "b", Place((0.0, 1.0, 0.0)))
    assert len(two.segments) == 66
    assert not [p for p in check(two) if p.severity == "error"]
    with pytest.raises(BodyError, match="hands"):
        with_hands(PEOPLE["man"])


def test_the_command_makes_people(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    made = tmp_path / "girl.json"
    assert (
        main(
            [
                "body",
                "--human",
                "--age",
                "6",
                "--sex",
                "female",
                "--pose",
                "driving",
                "-o",
                str(made),
            ]
        )
        == 0
    )
    assert "Girl of 6 years" in capsys.readouterr().out
    project = load_project(made)
    assert len(project.segments) == 33
    assert main(["body", "--human", "--hands", "-o", str(made)]) == 1
    assert "'--hands' away" in capsys.readouterr().err


# against people


@pytest.fixture(scope="module")
def presses() -> dict[float, people.Press]:
    return {
        hub.speed: people.pressed(hub, PEOPLE["man"]) for hub in (people.KROELL, people.OTHERS[0])
    }


def test_the_chest_stays_in_kroells_corridor(presses: dict) -> None:
    press, deepest = presses[7.15], people.subjects()
    assert press.inside(people.kroell()) >= 0.9
    assert abs(press.deepest - deepest.mean()) <= deepest.std(ddof=1)


def test_the_chest_meets_a_corridor_it_was_not_fitted_on(presses: dict) -> None:
    assert presses[6.7].inside(people.lebarbe(6.7)) >= 0.9


def test_the_share_inside_counts_what_is_outside() -> None:
    box = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 2000.0], [0.0, 2000.0]])
    d = np.concatenate([np.linspace(0.0, 50.0, 200), np.full(50, 50.0)])
    force = np.concatenate([np.full(200, 1000.0), np.linspace(1000.0, 0.0, 50)])
    assert people.Press(d, force).inside(box) == pytest.approx(1.0)
    half = box.copy()
    half[[1, 2], 0] = 28.175  # between 6.35 and 50 mm
    assert people.Press(d, force).inside(half) == pytest.approx(0.5, abs=0.03)


def test_volunteers_heads_turn_as_far_as_measured() -> None:
    """One that the neck was not fitted on."""
    subject = people.volunteers.read(people.volunteers.FOLDER / "1639.csv")
    run = people.head_on_t1(subject)
    found = people.volunteers.computed(run, subject)["pitch"].min()
    assert found == pytest.approx(subject.measured["pitch"].min(), rel=0.15)


@pytest.mark.parametrize("name", SIZES)
def test_arms_meet_the_sides_of_a_person_as_doors_do(name: str) -> None:
    """Core and halves in the place of the whole pelvis where all are clear; each with a law that is there."""
    project = body_project(pose(PEOPLE[name], "driving"))
    met = {c.id: c for c in project.contacts}
    assert "lower_torso-right_hand" not in met
    for part in ("lower_torso_core", "right_ilium", "left_ilium"):
        assert f"{part}-right_hand" in met
    assert met["right_ribs-left_ribs"].law == "ribs_together"
    # who is stout has both in each other from the start
    if name not in ("stout", "three"):
        assert met["centre_torso-lower_ribs_core"].law == "ribs_on_belly"
    # nothing between the ribs until one side has gone in by 0.6 of half the chest
    (curve,) = (f for f in project.functions if f.id == "ribs_together_force")
    (law,) = (one for one in project.contact_laws if one.id == "ribs_together")
    assert law.base == curve.id  # type: ignore[union-attr]
    shape = PEOPLE[name].segment("right_ribs").surfaces[0]
    placed = start_pose(project)
    centre = abs(float(placed["right_ribs"].of(shape.centre_m)[1]))
    half = SIZES[name].values["chest_breadth_m"] / 2.0
    apart = 2.0 * (centre - shape.semi_axes_m[1])
    x, y = curve.form.x, curve.form.y  # type: ignore[union-attr]
    assert x[1] + apart == pytest.approx(0.6 * half, abs=1e-4)
    assert y[1] == 0.0 < y[2]
    assert [p for p in check(project) if p.severity != "note" and "law" in p.path] == []
