"""Poses, hands, contours, and bodies put into projects; the command `body`."""

from __future__ import annotations

import itertools
import json
import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from solver.bodies import (
    LIBRARY,
    Body,
    BodyError,
    Place,
    Touch,
    adult_dimensions,
    body_project,
    child_dimensions,
    contour_joints,
    generated,
    human,
    insert_body,
    library_body,
    mirror_of,
    pose,
    poses,
    with_contours,
    with_hands,
)
from solver.bodies.own_contacts import BONY
from solver.cli import main
from solver.model.compile import compile_model
from solver.project import Project, ProjectError, load_project, parse, to_json, validated
from solver.project.checks import check
from solver.project.checks.index import Index
from solver.project.checks.shapes import gaps, solid
from solver.project.geometry import Orientation
from solver.project.pose import start_pose, turn
from tests.bodies.lazily import Lazily
from tests.models import Bench
from tests.rows import rows

SLED = samples() / "sled.json"


PEOPLE: Lazily[Body] = Lazily({
    **{name: partial(library_body, name) for name in LIBRARY},
    "small": lambda: generated(adult_dimensions("female", percentile=5.0)),
    "large": lambda: generated(adult_dimensions("male", percentile=97.5), method="solids"),
    "child": lambda: generated(child_dimensions(3.0)),
})  # fmt: skip


@pytest.fixture(params=list(PEOPLE))
def body(request: pytest.FixtureRequest) -> Body:
    return PEOPLE[request.param]


def car() -> Project:
    """Give a project with a vehicle, a seat and a law, turned and moving."""
    data: dict[str, Any] = {
        "format": "manikin-project",
        "schema_version": 4,
        "segments": [{"id": "car", "mass_kg": 1000.0, "inertia_kgm2": [500.0, 2000.0, 2000.0]}],
        "planes": [
            {
                "id": "seat",
                "segment": "car",
                "placement": {
                    "kind": "points",
                    "p1_m": [-0.3, 0.3, 0.1],
                    "p2_m": [0.3, 0.3, 0.1],
                    "p3_m": [-0.3, -0.3, 0.1],
                },
            }
        ],
        "contact_laws": [{"id": "foam", "kind": "kelvin_voigt", "stiffness_n_per_m": 2e4}],
        "initial": {
            "roots": [
                {"segment": "car", "position_m": [3.0, 1.0, -0.5], "velocity_m_per_s": [15.0, 0, 0]}
            ],
            "attitudes": [{"segment": "car", "orientation": {"angles_rad": [0.5, 0.0, 0.0]}}],
        },
        "runs": [{"id": "run", "duration_s": 0.1}],
    }
    return validated(data)


@rows("name", list(poses()))
def test_every_body_in_every_pose_is_a_project_without_problems(body: Body, name: str) -> None:
    for layout in (body, with_hands(body)) if name == "standing" else (with_hands(body),):
        project = body_project(pose(layout, name))
        assert check(project) == ()
        written = to_json(project)
        read = parse(written).project
        assert read == project
        assert to_json(read) == written


@pytest.mark.parametrize("name", list(poses()))
def test_segments_start_as_the_pose_says(name: str) -> None:
    body = pose(library_body("male-50"), name)
    start = start_pose(body_project(body))
    for segment, orientation in body.attitudes.items():
        assert np.allclose(start[segment].R_WS, turn(orientation), atol=1e-8)
    deepest = max(
        start[s.id].p_W[2]
        + start[s.id].R_WS[2] @ s.surfaces[0].centre_m
        + np.linalg.norm(start[s.id].R_WS[2] * s.surfaces[0].semi_axes_m)
        for s in body.segments
    )
    assert deepest == pytest.approx(0.0, abs=1e-8)


def test_poses_look_as_they_are_called() -> None:
    man = library_body("male-50")
    places = {name: start_pose(body_project(pose(man, name))) for name in poses()}
    assert places["standing"]["head"].p_W[2] == pytest.approx(-1.62, abs=0.03)
    assert places["lying"]["head"].p_W[2] > -0.25
    assert places["lying"]["head"].p_W[0] < -0.6
    assert places["seated"]["right_lower_leg"].p_W[0] > 0.4
    wheel = places["driving"]["right_forearm"].p_W - places["driving"]["upper_torso"].p_W
    assert wheel[0] > 0.3
    for pose_ in poses().values():
        assert pose_.note
        assert pose_.source


def test_a_segment_can_be_turned_otherwise() -> None:
    body = pose(
        library_body("male-50"), "seated", {"head": Orientation(angles_rad=(0.3, 0.1, 0.0))}
    )
    start = start_pose(body_project(body))
    assert np.allclose(start["head"].R_WS, turn(Orientation(angles_rad=(0.3, 0.1, 0.0))), atol=1e-8)
    with pytest.raises(BodyError, match="no pose"):
        pose(body, "dancing")
    with pytest.raises(BodyError, match="no segment"):
        pose(body, "seated", {"tail": Orientation()})


def test_the_sled_test_s_body_starts_where_its_deck_says() -> None:
    """Mass centres at the start of the basic sled test, from the deck's own cards (in)."""
    inch = 0.0254
    body = pose(library_body("male-95"), "seated")
    place = Place(position_m=(14.381 * inch, 0.0, -13.75 * inch))
    start = start_pose(insert_body(Project(), body, at=place))
    deck = {
        "centre_torso": (13.16068, 0, -19.07188),
        "upper_torso": (11.31383, 0, -26.93796),
        "head": (7.77521, 0, -41.83338),
        "right_upper_leg": (22.94073, 3.42, -14.48930),
        "right_foot": (48.12719, 3.42, -4.45598),
        "right_forearm": (22.75808, 6.24, -21.48521),
    }
    for segment, at in deck.items():
        assert start[segment].p_W / inch == pytest.approx(at, abs=2e-5), segment


def test_the_sled_sample_has_this_body() -> None:
    sample = {s.id: s for s in load_project(SLED).segments}
    for segment in library_body("male-95").segments:
        assert sample[segment.id].mass_kg == pytest.approx(segment.mass_kg, rel=3e-6)
        assert sample[segment.id].inertia_kgm2 == pytest.approx(segment.inertia_kgm2, rel=3e-6)
        assert sample[segment.id].mirror == segment.mirror


def test_several_bodies_in_one_project() -> None:
    project = car()
    man, child = (
        pose(library_body("male-50"), "driving"),
        pose(generated(child_dimensions(8.0)), "seated"),
    )
    places = {"driver": (0.1, -0.4, -0.1), "passenger": (-0.8, 0.4, -0.1), "third": (-0.8, -0.4, 0)}
    for (name, at), body in zip(places.items(), (man, child, with_hands(man)), strict=True):
        project = insert_body(
            project,
            body,
            name,
            Place(at, anchor="hips", relative_to="car", moves_with="car"),
            group=f"Occupants/{name}",
            touches=[
                Touch("lower_torso", "seat", "foam"),
                Touch("head", "right_foot", "foam", own=True),
            ],
        )
    problems = check(project)
    assert [p for p in problems if p.severity == "error"] == []
    start = start_pose(project)
    for name, at in places.items():
        hips = []
        for side in ("right", "left"):
            joint = next(j for j in project.joints if j.id == f"{name}_{side}_hip")
            here = start[f"{name}_lower_torso"]
            hips.append(here.p_W + here.R_WS @ joint.parent_frame.position_m)
        wanted = start["car"].p_W + start["car"].R_WS @ at
        assert np.allclose(np.mean(hips, axis=0), wanted, atol=1e-8)
        # the body looks where the car does
        head = project.initial.attitudes
        assert any(a.segment == f"{name}_lower_torso" and a.relative_to == "car" for a in head)
    twin = next(s for s in project.segments if s.id == "third_left_hand")
    assert twin.mirror == "third_right_hand"
    asked = [c for c in project.contacts if not c.group.endswith("Own contacts")]
    assert len(asked) == 6
    pairs = [
        frozenset((c.first.segment, c.second.segment))
        for c in project.contacts
        if c.kind == "surfaces"
    ]
    assert len(set(pairs)) == len(pairs)
    compile_model(project)


def test_the_whole_body_turns_with_its_place() -> None:
    body = pose(library_body("male-50"), "seated")
    straight = start_pose(insert_body(Project(), body))
    orientation = Orientation(angles_rad=(0.7, 0.3, -0.4))
    turned = start_pose(insert_body(Project(), body, at=Place((1.0, 2.0, 3.0), orientation)))
    R = turn(orientation)
    for id_, was in straight.items():
        if id_ != "ground":
            assert np.allclose(turned[id_].p_W, R @ was.p_W + [1.0, 2.0, 3.0], atol=1e-7)
            assert np.allclose(turned[id_].R_WS, R @ was.R_WS, atol=1e-7)


@rows("name", list(poses()))
def test_parts_that_could_meet_press_on_each_other_but_not_at_the_start(
    body: Body, name: str
) -> None:
    project = body_project(pose(with_hands(body), name))
    pairs = {frozenset((c.first.segment, c.second.segment)) for c in project.contacts}
    joined = {frozenset((j.parent, j.child)) for j in project.joints}
    assert not pairs & joined
    for two in (
        ("head", "right_lower_leg"), ("upper_torso", "left_upper_leg"),
        ("right_hand", "left_upper_leg"), ("head", "left_hand"), ("right_foot", "left_lower_leg"),
    ):  # fmt: skip
        assert frozenset(two) in pairs, two
    index = Index(project)
    ends = [
        [solid(index, ref.segment, ref.surface) for ref in side]
        for side in zip(*((c.first, c.second) for c in project.contacts), strict=True)
    ]
    # what lies in each other as it is posed presses from a depth on that the law's name says
    begins = [1e-3 * float(c.law.partition("_from_")[2] or 0.0) for c in project.contacts]
    assert (gaps(*ends, [False] * len(pairs)) + begins > 0.0).all()
    # flesh on flesh as the public deck has it: 7 kN at 127 mm
    law = next(one for one in project.contact_laws if one.id == "limb_on_body")
    (curve,) = [f for f in project.functions if f.id == law.base]
    assert curve.form.y[-1] == pytest.approx(1580.0 * 4.4482216)
    assert curve.form.x[-1] == pytest.approx(0.127)
    assert "deck" in law.source


def test_own_contacts_can_be_left_out(tmp_path: Path) -> None:
    body = library_body("male-50")
    bare = body_project(body, own_contacts=False)
    assert bare.contacts == ()
    assert bare.contact_laws == ()
    file = tmp_path / "body.json"
    words = "body --library male-50 --pose standing --no-own-contacts -o"
    assert main([*words.split(), str(file)]) == 0
    assert load_project(file).contacts == ()


def test_what_cannot_be_inserted_is_said() -> None:
    project, body = car(), library_body("male-50")
    once = insert_body(project, body)
    for wrong, said in (
        (lambda: insert_body(once, body), "another prefix"),
        (lambda: insert_body(project, body, at=Place(relative_to="bus")), "relative to"),
        (lambda: insert_body(project, body, at=Place(moves_with="bus")), "moves with"),
        (lambda: insert_body(project, body, at=Place(anchor="nose")), "anchor"),
        (lambda: insert_body(project, body, touches=[Touch("head", "roof", "foam")]), "plane"),
        (lambda: insert_body(project, body, touches=[Touch("head", "seat", "steel")]), "law"),
        (lambda: insert_body(project, body, touches=[Touch("tail", "seat", "foam")]), "tail"),
        (
            lambda: insert_body(
                project, body, touches=[Touch("head", "seat", "foam", surface="hat")]
            ),
            "hat",
        ),
    ):
        with pytest.raises(BodyError, match=said):
            wrong()
    assert project == car()
    with pytest.raises(ProjectError, match="id"):
        insert_body(project, body, "two words")


def test_contours_are_mirrored_and_keep_the_middle() -> None:
    body = with_contours(
        pose(with_hands(library_body("male-50")), "driving"), ["shoulder", "wrist"]
    )
    plain = with_hands(library_body("male-50"))
    chosen = [j for j in body.joints if getattr(j, "globographic", None) is not None]
    assert {j.id for j in chosen} == {
        f"{side}_{name}" for side in ("right", "left") for name in ("shoulder", "wrist")
    }
    for joint in chosen:
        old = plain.joint(joint.id)
        # the joint's angles are zero in the same attitude of the child as before
        for j in (joint, old):
            R = turn(j.parent_frame.orientation) @ turn(j.child_frame.orientation).T
            assert np.allclose(R, turn(joint.parent_frame.orientation), atol=1e-8)
        assert joint.flexure.quadratic_nm_per_rad2 == 0.0
        assert joint.torsion == old.torsion
        function = next(f for f in body.functions if f.id == joint.globographic.torque)
        assert function.form.coefficients[2] == old.flexure.quadratic_nm_per_rad2
    project = body_project(body)
    assert [p for p in check(project) if p.severity != "note"] == []
    compile_model(project)
    from solver.project.azimuths import library, stop_angle

    left = body.joint("left_shoulder").globographic.contour.coefficients
    for phi in (0.3, 1.7, 4.0):
        assert stop_angle(left, phi) == pytest.approx(stop_angle(library()["shoulder"], -phi))


def test_contours_centred_on_the_pose_start_in_their_middle() -> None:
    seated = pose(with_hands(library_body("male-50")), "seated")
    body = with_contours(seated, centred_on_pose=True)
    assert [p for p in check(body_project(body)) if p.severity != "note"] == []
    assert len([j for j in body.joints if getattr(j, "globographic", None)]) == len(
        contour_joints(seated)
    )
    with pytest.raises(BodyError, match="already"):
        with_contours(body, ["hip"])
    with pytest.raises(BodyError, match="ball joints"):
        with_contours(seated, ["knee"])


def test_names_of_twins() -> None:
    assert mirror_of("right_foot") == "left_foot"
    assert mirror_of("left_hip") == "right_hip"
    assert mirror_of("head") == "head"
    assert mirror_of("driver_right_hip") == "driver_left_hip"
    assert mirror_of("upright_foot") == "upright_foot"


def test_command_writes_a_body(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "body.json"
    words = "body --sex female --percentile 5 --pose driving --hands --contours shoulder -o"
    assert main([*words.split(), str(file)]) == 0
    project = load_project(file)
    assert sum(s.mass_kg for s in project.segments) == pytest.approx(
        adult_dimensions("female", percentile=5.0)["weight_kg"]
    )
    assert len(project.segments) == 17
    assert "driving" in capsys.readouterr().out


def test_command_puts_a_body_into_a_project(tmp_path: Path) -> None:
    file, out = tmp_path / "car.json", tmp_path / "out.json"
    file.write_text(to_json(car()))
    words = [
        "body", "--library", "male-95", "--into", str(file), "--prefix", "driver",
        "--at", "0.1", "0", "-0.1", "--turn", "10", "0", "0", "--relative-to", "car", "--moves-with", "car",
        "--touch", "lower_torso=seat:foam", "-o", str(out),
    ]  # fmt: skip
    assert main(words) == 0
    project = load_project(out)
    assert project.contacts[0].surface.segment == "driver_lower_torso"
    start = start_pose(project)
    x = (start["car"].R_WS.T @ start["driver_lower_torso"].R_WS)[:, 0]
    assert math.degrees(math.atan2(x[1], x[0])) == pytest.approx(10.0)


def test_command_lists_and_tells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["body", "--list"]) == 0
    out = capsys.readouterr().out
    for word in ("male-50", "male-95", "seated", "hybrid-iii-50", "memory"):
        assert word in out
    assert main(["body", "--age", "6", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["mass_kg"] == pytest.approx(child_dimensions(6.0)["weight_kg"])
    assert len(told["dimensions"]) == 32
    assert main(["body", "--weight", "80", "--dimension", "chest_depth_m=0.28", "--table"]) == 0
    assert "chest_depth_m" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "-o FILE"),
        ("--library male-50 --percentile 5 -o x.json", "as it stands there"),
        ("--library male-51 -o x.json", "male-50"),
        ("--age 6 --percentile 5 -o x.json", "leave '--percentile' away"),
        ("--at 1 2 3 -o x.json", "--into"),
        ("--dimension chest -o x.json", "NAME=VALUE"),
        ("--pose dancing -o x.json", "no pose"),
    ],
)
def test_command_says_what_is_wrong(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["body", *words.split()]) == 1
    assert said in capsys.readouterr().err
    assert not Path("x.json").exists()


def test_ids_of_bodies_do_not_clash() -> None:
    for body in PEOPLE.values():
        for elements in (body.segments, body.joints):
            for one, two in itertools.combinations(elements, 2):
                assert one.id != two.id


@pytest.mark.parametrize("name", list(poses()))
def test_bodies_fall_freely_without_torques(name: str) -> None:
    """Within all stops and at rest, a body in free fall moves as one: no joint pushes."""
    body = with_contours(with_hands(pose(library_body("male-50"), name)), ["shoulder", "wrist"])
    project = body_project(body)
    bench = Bench(project.model_dump())
    rates = bench.rates(bench.q, bench.v)
    fall = np.sort(np.abs(rates))
    assert fall[-1] == pytest.approx(9.80665, rel=1e-9)
    assert np.all(fall[:-1] < 1e-6)


@pytest.mark.parametrize("name", ["hybrid_iii_50m", "hybrid_iii_3y", "male-50"])
def test_legs_end_on_bone(name: str) -> None:
    """As flesh on flesh until half of the flesh of the thinnest part is gone, then ten times as stiff; feet and knees too."""
    project = insert_body(Project(), library_body(name))
    law = {c.id: c.law for c in project.contacts}
    assert law["right_lower_leg-left_lower_leg"] == law["right_foot-left_foot"] == "legs_together"
    assert {one for pair, one in law.items() if "upper_arm" in pair} == {"limb_on_body"}
    flesh, bone = (
        next(f for f in project.functions if f.id == f"{one}_force").form
        for one in ("limb_on_body", "legs_together")
    )
    parts = [s for s in library_body(name).segments if s.id.split("_", 1)[-1] in BONY]
    ends = 0.5 * min(min(one.surfaces[0].semi_axes_m) for one in parts if one.surfaces)
    at = np.linspace(0.0, ends, 20)
    assert np.interp(at, bone.x, bone.y) == pytest.approx(
        np.interp(at, flesh.x, flesh.y), rel=0.02, abs=10.0
    )
    slope = (bone.y[-1] - bone.y[-2]) / (bone.x[-1] - bone.x[-2])
    assert slope == pytest.approx(10.0 * flesh.y[1] / flesh.x[1], rel=1e-3)
    assert bone.x[-2] == pytest.approx(ends, abs=1e-4)
    assert [p for p in check(project) if p.path.startswith("contact_laws/legs_together")] == []


def test_a_trunk_that_folds_is_held_by_thighs() -> None:
    project = insert_body(Project(), human(adult_dimensions("female", percentile=5.0)))
    pairs = {c.id for c in project.contacts}
    assert {f"lumbar_{n}-{side}_upper_leg" for n in (1, 2) for side in ("right", "left")} <= pairs


def test_what_lies_in_each_other_as_posed_presses_from_there_on() -> None:
    """Pose a stout man whose belly is in his thighs: he falls as one, and flesh presses from the next 10 mm on, as it does elsewhere."""
    body = pose(library_body("male-95"), "standing")
    project = body_project(body)
    depth = {(c.first.segment, c.second.segment): c for c in project.contacts}
    lying = depth["centre_torso", "right_upper_leg"]
    index = Index(project)
    deep = -gaps(
        [solid(index, "centre_torso", "body")], [solid(index, "right_upper_leg", "body")], [False]
    )[0]
    law = next(one for one in project.contact_laws if one.id == lying.law)
    form = {f.id: f.form for f in project.functions}
    base, flesh = form[law.base], form["limb_on_body_force"]
    assert 0.0 <= base.x[1] - deep <= 0.011
    at = np.linspace(0.0, 0.127, 30)
    assert np.interp(base.x[1] + at, base.x, base.y) == pytest.approx(
        np.interp(at, flesh.x, flesh.y)
    )
    assert np.interp(deep, base.x, base.y) == 0.0
    assert np.interp([-1.0, 1.0], form[law.gate].x, form[law.gate].y) == pytest.approx([-0.3, 0.0])
    assert not [one for one in check(project) if one.code.startswith("start-")]
    bench = Bench(project.model_dump())
    assert np.sort(np.abs(bench.rates(bench.q, bench.v)))[:-1] == pytest.approx(0.0, abs=1e-6)
    joined = {
        "right_knee_block-right_lower_leg",
        "lower_torso-right_upper_leg",
        "upper_torso-right_upper_arm",
    }
    dummy = {c.id: c.law for c in insert_body(Project(), library_body("hybrid_iii_50m")).contacts}
    assert not joined & dummy.keys()
    assert dummy["right_upper_leg-left_upper_leg"] == "limb_on_body_from_10"
