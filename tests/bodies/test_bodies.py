"""Bodies of the library and generated ones: figures against print, integrals and proportions."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.integrate import tplquad

from solver.base.places import resources
from solver.bodies import (
    LIBRARY,
    METHODS,
    Body,
    BodyError,
    adult_dimensions,
    child_dimensions,
    dimension_names,
    dummy,
    dummy_masses,
    generated,
    given_dimensions,
    human,
    insert_body,
    library_body,
    mirror_of,
    pose,
    with_hands,
)
from solver.bodies.from_measured import principal, stretched_inertia
from solver.bodies.from_solids import dome, ellipsoid, frustum, inertia, together
from solver.injury.sensors import body_sensors
from solver.project import Project
from solver.project.geometry import Orientation
from solver.project.outputs import JointOutput
from solver.project.pose import start_pose, turn
from tests.bodies.lazily import Lazily
from tests.rows import rows
from tools.dummies.build import fragment
from tools.dummies.figures import SIZES
from tools.dummies.laws import laws

LB, IN = 0.45359237, 0.0254


def some_bodies() -> Lazily[Body]:
    found: dict[str, Callable[[], Body]] = {name: partial(library_body, name) for name in LIBRARY}
    for method in METHODS:
        for sex in ("male", "female"):
            for p in (2.5, 50.0, 97.5):
                d = adult_dimensions(sex, percentile=p)
                found[f"{sex}, {p}, {method}"] = partial(generated, d, method=method)
        for age in (2, 6, 12, 20):
            d = child_dimensions(age)
            found[f"{age} years, {method}"] = partial(generated, d, method=method)
    return Lazily(found)


BODIES = some_bodies()


@pytest.fixture(params=list(BODIES))
def body(request: pytest.FixtureRequest) -> Body:
    return BODIES[request.param]


def test_printed_weights_add_up() -> None:
    assert library_body("male-50").mass_kg == pytest.approx(173.55 * LB, rel=1e-8)
    assert library_body("male-95").mass_kg == pytest.approx(208.78 * LB, rel=1e-8)


def test_printed_numbers_are_there_in_si() -> None:
    man = library_body("male-50")
    foot, other = man.segment("right_foot"), man.segment("left_foot")
    assert foot.mass_kg == pytest.approx(2.06 * LB)
    assert foot.inertia_kgm2[2] == pytest.approx(0.0072 * 0.112984829, rel=1e-7)
    assert foot.surfaces[0].semi_axes_m[2] == pytest.approx(5.323 * IN)
    assert np.degrees(foot.principal_axes.angles_rad) == pytest.approx([-4.0, 8.4, -6.1])
    assert np.degrees(other.principal_axes.angles_rad) == pytest.approx([4.0, 8.4, 6.1])
    hip = man.joint("left_hip")
    assert hip.parent_frame.position_m == pytest.approx([-0.51 * IN, -2.14 * IN, 1.52 * IN])
    assert math.degrees(hip.flexure.stop_rad) == pytest.approx(70.0)
    assert hip.flexure.quadratic_nm_per_rad2 == pytest.approx(3709.07314, rel=1e-8)
    assert man.joint("right_knee").kind == "pin"
    big = library_body("male-95")
    assert [s.id for s in big.segment("upper_torso").surfaces] == ["body", "neck_guide"]
    assert big.segment("right_foot").surfaces[0].centre_m == pytest.approx([0, 0, 1.462 * IN])


def test_printed_body_is_as_tall_as_its_regression_says() -> None:
    """Joints and surfaces of the printed 50th body, one on the other, make its standing height."""
    man = library_body("male-50")
    assert height_standing(man) == pytest.approx(69.82 * IN, abs=0.0005)


def height_standing(body: Body) -> float:
    """Add joints up from the sole to the vertex (m), every segment upright."""

    def z(joint: str, side: str) -> float:
        return float(getattr(body.joint(joint), f"{side}_frame").position_m[2])

    foot = body.segment("right_foot").surfaces[0]
    ankle = body.joint("right_ankle").child_frame.position_m[0]
    head = body.segment("head").surfaces[0]
    chain = ["right_ankle", "right_knee", "right_hip"]
    total = ankle - foot.centre_m[0] + foot.semi_axes_m[0]
    total += sum(z(low, "parent") - z(high, "child") for low, high in itertools.pairwise(chain))
    total += z("right_hip", "parent") - z("pelvis", "parent")
    chain = ["pelvis", "waist", "neck_pivot", "head_pivot"]
    total += sum(z(low, "child") - z(high, "parent") for low, high in itertools.pairwise(chain))
    return total + z("head_pivot", "child") - head.centre_m[2] + head.semi_axes_m[2]


@rows("method", METHODS)
@rows("sex", ["male", "female"])
@rows("percentile", [2.5, 50.0, 97.5])
def test_generated_bodies_weigh_and_stand_as_asked(
    sex: str, percentile: float, method: str
) -> None:
    d = adult_dimensions(sex, percentile=percentile)
    body = generated(d, method=method)
    assert body.mass_kg == pytest.approx(d["weight_kg"], rel=1e-8)
    assert height_standing(body) == pytest.approx(d["standing_height_m"], abs=1e-6)


@pytest.mark.parametrize("age", [2.0, 3.0, 6.0, 10.0, 20.0])
@pytest.mark.parametrize("method", METHODS)
def test_children_weigh_and_stand_as_their_age(age: float, method: str) -> None:
    d = child_dimensions(age)
    body = generated(d, method=method)
    assert body.mass_kg == pytest.approx(d["weight_kg"], rel=1e-8)
    assert height_standing(body) == pytest.approx(d["standing_height_m"], abs=1e-6)


def test_percentiles_are_those_of_the_table() -> None:
    low, high = (adult_dimensions("male", percentile=p) for p in (2.5, 97.5))
    assert low["weight_kg"] / LB == pytest.approx(131.5, abs=0.1)
    assert high["weight_kg"] / LB == pytest.approx(215.5, abs=0.1)
    assert low["standing_height_m"] / IN == pytest.approx(65.04, abs=0.01)
    assert high["standing_height_m"] / IN == pytest.approx(74.60, abs=0.01)
    woman = adult_dimensions("female", weight_percentile=2.5, height_percentile=97.5)
    assert woman["weight_kg"] / LB == pytest.approx(94.76, abs=0.1)
    assert woman["standing_height_m"] / IN == pytest.approx(68.45, abs=0.01)
    assert len(dimension_names()) == 32


def test_a_dimension_is_its_regression() -> None:
    d = adult_dimensions("female", weight_kg=60.0, height_m=1.65)
    chest = 9.0786 + 0.03990 * 60.0 / LB - 0.07596 * 1.65 / IN
    assert d["chest_depth_m"] == pytest.approx(chest * IN, rel=1e-8)


def test_solids_give_the_printed_95th_man_again() -> None:
    """Masses to 0.15 %, inertias to 0.4 %, every joint and ellipsoid to a quarter of a millimetre."""
    printed, made = (
        library_body("male-95"),
        generated(adult_dimensions("male", percentile=95.0), method="solids"),
    )
    for one, two in zip(printed.segments, made.segments, strict=True):
        assert two.mass_kg == pytest.approx(one.mass_kg, rel=1.5e-3), one.id
        assert two.inertia_kgm2 == pytest.approx(one.inertia_kgm2, rel=4e-3), one.id
        for name in ("semi_axes_m", "centre_m"):
            got, was = (getattr(s.surfaces[0], name) for s in (two, one))
            assert got == pytest.approx(was, abs=2.5e-4), one.id
    for first, second in zip(printed.joints, made.joints, strict=True):
        for name in ("parent_frame", "child_frame"):
            got, was = (getattr(j, name).position_m for j in (second, first))
            assert got == pytest.approx(was, abs=2.5e-4), first.id


def test_stretching_foretells_the_printed_masses_of_a_shorter_man() -> None:
    """The table for the 5th percentile of height was not used to make the method; it is met to 8 %."""
    table = dummy_masses()["male-50-weight-05-height"]
    d = adult_dimensions("male", weight_kg=173.5 * LB, height_m=65.81 * IN)
    body = generated(d, method="measured")
    for name, mass in table.masses_kg.items():
        found = next(s.mass_kg for s in body.segments if s.id in (name, f"right_{name}"))
        assert found == pytest.approx(mass, rel=0.08), name


def test_tables_of_masses_are_labelled_and_add_up() -> None:
    for table in dummy_masses().values():
        assert table.source
        assert table.confidence
        whole = sum(m * (2 if n in table.pairs else 1) for n, m in table.masses_kg.items())
        assert whole == pytest.approx(table.total_kg, rel=5e-4)
    assert "memory" in dummy_masses()["hybrid-iii-50"].confidence


def test_left_is_the_mirror_image_of_right(body: Body) -> None:
    for layout in (body, with_hands(body)):
        M = np.diag([1.0, -1.0, 1.0])
        for segment in layout.segments:
            twin = layout.segment(mirror_of(segment.id))
            assert segment.mirror == (twin.id if twin.id != segment.id else None)
            assert twin.mass_kg == segment.mass_kg
            assert np.allclose(M @ tensor(segment) @ M, tensor(twin), atol=1e-12)
            assert tuple(M @ segment.surfaces[0].centre_m) == twin.surfaces[0].centre_m
        for joint in layout.joints:
            twin = layout.joint(mirror_of(joint.id))
            assert twin.child == mirror_of(joint.child)
            for name in ("parent_frame", "child_frame"):
                one, two = getattr(joint, name), getattr(twin, name)
                assert tuple(M @ one.position_m) == two.position_m
                R = turn(one.orientation)
                assert np.allclose(M @ R @ M, turn(two.orientation), atol=1e-12)


def tensor(segment: object) -> np.ndarray:
    R = turn(segment.principal_axes)  # type: ignore[attr-defined]
    return R @ np.diag(segment.inertia_kgm2) @ R.T  # type: ignore[attr-defined]


def test_hands_keep_mass_centre_and_inertia(body: Body) -> None:
    parted = with_hands(body)
    assert len(parted.segments) == 17
    assert parted.mass_kg == pytest.approx(body.mass_kg, rel=1e-8)
    old, elbow = body.segment("left_forearm"), body.joint("left_elbow")
    forearm, hand = parted.segment("left_forearm"), parted.segment("left_hand")
    # places from the elbow, straight
    to_old = -np.array(elbow.child_frame.position_m)
    to_forearm = -np.array(parted.joint("left_elbow").child_frame.position_m)
    wrist = parted.joint("left_wrist")
    to_hand = to_forearm + wrist.parent_frame.position_m - np.array(wrist.child_frame.position_m)
    mean = (forearm.mass_kg * to_forearm + hand.mass_kg * to_hand) / old.mass_kg
    assert np.allclose(mean, to_old, atol=1e-8)
    both = np.zeros((3, 3))
    for segment, at in ((forearm, to_forearm - to_old), (hand, to_hand - to_old)):
        both += tensor(segment) + segment.mass_kg * (at @ at * np.eye(3) - np.outer(at, at))
    assert np.allclose(both, tensor(old), rtol=1e-6, atol=1e-9)
    with pytest.raises(BodyError, match="already"):
        with_hands(parted)


@pytest.mark.parametrize(
    ("solid", "inside", "z"),
    [
        (ellipsoid(0.1, 0.15, 0.2, 0.05), lambda z: 1 - ((z - 0.05) / 0.2) ** 2, (-0.15, 0.25)),
        (dome(0.1, 0.15, 0.2, 0.0), lambda z: 1 - (z / 0.2) ** 2, (-0.2, 0.0)),
    ],
)
def test_moments_of_round_solids_against_integrals(solid, inside, z) -> None:
    check_moments(
        solid, lambda h: 0.1 * math.sqrt(inside(h)), lambda h: 0.15 * math.sqrt(inside(h)), z
    )


def test_moments_of_frusta_against_integrals() -> None:
    solid = frustum((0.1, 0.15), (0.13, 0.12), -0.1, 0.2)
    check_moments(
        solid, lambda h: 0.1 + 0.1 * (h + 0.1), lambda h: 0.15 - 0.1 * (h + 0.1), (-0.1, 0.2)
    )
    cut = [
        frustum((0.1, 0.15), (0.11, 0.14), -0.1, 0.0),
        frustum((0.11, 0.14), (0.13, 0.12), 0.0, 0.2),
    ]
    whole = together(cut)
    assert whole.volume == pytest.approx(solid.volume)
    assert whole.z == pytest.approx(solid.z)
    assert whole.spread == pytest.approx(solid.spread)


def check_moments(solid, a, b, z) -> None:
    """Integrate over x, y and z by a routine of another library."""

    def integral(f) -> float:
        # x and y as parts of the section, so that edges are smooth
        def inner(t: float, r: float, h: float) -> float:
            x, y = a(h) * r * math.cos(t), b(h) * r * math.sin(t)
            return f(x, y, h) * r * a(h) * b(h)

        return tplquad(inner, *z, 0.0, 1.0, 0.0, 2.0 * math.pi, epsabs=1e-12, epsrel=1e-7)[0]

    volume = integral(lambda x, y, h: 1.0)
    centre = integral(lambda x, y, h: h) / volume
    assert solid.volume == pytest.approx(volume, rel=1e-6)
    assert solid.z == pytest.approx(centre, abs=1e-8)
    moments = [
        integral(lambda x, y, h: y * y + (h - centre) ** 2),
        integral(lambda x, y, h: x * x + (h - centre) ** 2),
        integral(lambda x, y, h: x * x + y * y),
    ]
    assert inertia(solid.spread) == pytest.approx(moments, rel=1e-6)


def test_stretched_inertia_against_points() -> None:
    """A cloud of points, stretched, has the inertia that the formula gives."""
    rng = np.random.default_rng(5)
    cloud = (
        rng.normal(size=(40, 3)) * [0.1, 0.2, 0.3] @ turn(Orientation(angles_rad=(0.2, 0.4, -0.3)))
    )
    cloud -= cloud.mean(axis=0)

    def of(points: np.ndarray) -> np.ndarray:
        return np.einsum("ij,ij->", points, points) * np.eye(3) - points.T @ points

    moments, axes = principal(of(cloud), Orientation())
    scale = (1.1, 0.8, 1.3)
    new, turned = stretched_inertia(moments, axes, scale, 2.0)
    R = turn(turned)
    assert np.allclose(R @ np.diag(new) @ R.T, 2.0 * of(cloud * scale), rtol=1e-7)


def test_inertias_are_those_of_bodies(body: Body) -> None:
    for segment in with_hands(body).segments:
        small, middle, large = sorted(segment.inertia_kgm2)
        assert small > 0.0
        assert large <= small + middle


def test_measured_dimensions_come_first() -> None:
    d = given_dimensions(
        "male", {"weight_kg": 80.0, "standing_height_m": 1.8, "chest_depth_m": 0.27}
    )
    usual = adult_dimensions("male", weight_kg=80.0, height_m=1.8)
    assert d["chest_depth_m"] == 0.27
    assert d["chest_breadth_m"] == usual["chest_breadth_m"]
    body = generated(d, method="solids")
    assert body.segment("upper_torso").surfaces[0].semi_axes_m[0] == pytest.approx(0.135)
    child = given_dimensions("child", {"standing_height_m": 1.20, "weight_kg": 25.0})
    assert generated(child).mass_kg == pytest.approx(25.0)


def test_torques_can_be_made_weaker() -> None:
    soft = generated(child_dimensions(6), torque_factor=0.25)
    hard = generated(child_dimensions(6))
    for one, two in zip(soft.joints, hard.joints, strict=True):
        assert one.friction.viscous_nms_per_rad == pytest.approx(
            0.25 * two.friction.viscous_nms_per_rad
        )
        spring = "spring" if one.kind == "pin" else "flexure"
        weak, strong = getattr(one, spring), getattr(two, spring)
        assert weak.quadratic_nm_per_rad2 == pytest.approx(0.25 * strong.quadratic_nm_per_rad2)
        assert weak.stop_rad == strong.stop_rad


@rows(
    ("wrong", "said"),
    [
        (lambda: library_body("male-51"), "male-50"),
        (lambda: adult_dimensions("male", percentile=0.0), "percentile"),
        (lambda: adult_dimensions("male", weight_kg=80.0, weight_percentile=50.0), "twice"),
        (lambda: adult_dimensions("male", weight_kg=800.0), "out of range"),
        (lambda: adult_dimensions("boy"), "male or female"),
        (lambda: child_dimensions(1.0), "from 2 to 20"),
        (lambda: child_dimensions(3.0, weight_kg=60.0), "weight of 60 kg .* child of 3 years"),
        (lambda: child_dimensions(3.0, height_m=1.5), "height of 1.5 m .* child of 3 years"),
        (lambda: child_dimensions(3.0).with_values(weight_kg=60.0), "child of 3 years"),
        (
            lambda: given_dimensions("child", {"standing_height_m": 0.95, "weight_kg": 60.0}),
            "child",
        ),
        (lambda: given_dimensions("male", {"weight_kg": 80.0}), "standing_height_m"),
        (lambda: adult_dimensions("male").with_values(chest_m=1.0), "chest_depth_m"),
        (lambda: adult_dimensions("male").with_values(chest_depth_m=-1.0), "above zero"),
        (lambda: generated(adult_dimensions("male"), method="magic"), "solids"),
        (lambda: generated(adult_dimensions("male"), torque_factor=-1.0), "negative"),
        (
            lambda: generated(
                adult_dimensions("male").with_values(armpit_height_m=1.0), method="solids"
            ),
            "armpit",
        ),
        (
            lambda: generated(adult_dimensions("male").with_values(knee_height_seated_m=1.1)),
            "thigh",
        ),
        (lambda: library_body("male-50").segment("tail"), "lower_torso"),
    ],
)
def test_what_cannot_be_made_is_said(wrong, said: str) -> None:
    with pytest.raises(BodyError, match=said):
        wrong()


def test_every_file_of_data_says_where_it_is_from() -> None:
    files = sorted((resources() / "bodies").glob("*.json"))
    assert len(files) == 13
    for file in files:
        data = json.loads(file.read_text(encoding="utf-8"))
        tables = data.values() if file.stem in ("masses", "poses") else [data]
        assert all(len(table["source"]) > 10 for table in tables), file.name


def test_what_follows_a_part_is_turned_with_it() -> None:
    """A shank that is turned by hand takes its knee slider along, or the knee would stay as the table has it."""
    shank = Orientation(angles_rad=(0.0, 0.2, 0.0))
    body = pose(dummy("hybrid_iii_50m"), "driving", {"right_lower_leg": shank})
    assert body.attitudes["right_knee_slider"] == shank
    assert body.attitudes["left_knee_slider"] == body.attitudes["left_lower_leg"] != shank
    # a neck with shares of its own does not turn with the head
    level = Orientation(angles_rad=(0.0, -0.3, 0.0))
    person, plain = (
        pose(human(adult_dimensions("male")), "driving", turned)
        for turned in ({"head": level}, None)
    )
    assert person.attitudes["neck_1"] == plain.attitudes["neck_1"]
    assert person.attitudes["head"] == level


@pytest.mark.parametrize("name", ["hybrid_iii_50m", "hybrid_iii_5f", "hybrid_iii_95m"])
def test_a_shank_with_load_cells_weighs_and_turns_as_one_without(name: str) -> None:
    size = replace(SIZES[name], has_tibia_cells=False)
    whole = next(s for s in fragment(size, laws(name))["segments"] if s["id"] == "left_lower_leg")
    body = pose(dummy(name), "standing")
    project = insert_body(Project(), body)
    placed = start_pose(project)
    parts = [
        s for s in body.segments if s.id in ("left_lower_leg", "left_knee_clevis", "left_ankle_block")
    ]  # fmt: skip
    mass = sum(s.mass_kg for s in parts)
    assert mass == pytest.approx(whole["mass_kg"], abs=2e-5)
    middle = sum(s.mass_kg * placed[s.id].p_W for s in parts) / mass
    assert middle == pytest.approx(placed["left_lower_leg"].p_W, abs=1e-5)
    about = np.zeros(3)
    for one in parts:
        x, y, z = placed["left_lower_leg"].R_WS.T @ (placed[one.id].p_W - middle)
        about += one.inertia_kgm2
        about += one.mass_kg * np.array((y * y + z * z, x * x + z * z, x * x + y * y))
    assert about == pytest.approx(whole["inertia_kgm2"], rel=2e-3)
    used = {one.joint for one in body_sensors(project) if isinstance(one, JointOutput)}
    cells = {f"{s}_tibia_{p}_cell" for s in ("left", "right") for p in ("upper", "lower")}
    assert cells <= used
    assert not {"left_ankle", "right_ankle"} & used


@pytest.mark.parametrize("name", ["hybrid_iii_5f", "hybrid_iii_50m", "hybrid_iii_95m"])
def test_the_upper_torso_of_a_dummy_turns_as_hard_as_those_of_others(name: str) -> None:
    """Radii of gyration by sitting height beside a finite element model of the 5th woman and the 95th man of the sled test."""
    project = Project.model_validate(fragment(SIZES[name], laws(name)))
    names = ("upper_torso", "sternum", "right_shoulder", "left_shoulder")
    parts, placed = [one for one in project.segments if one.id in names], start_pose(project)
    assert len(parts) == 4
    mass = np.array([one.mass_kg for one in parts])
    off = np.array([placed[one.id].p_W for one in parts])
    off = off - mass @ off / mass.sum()
    about = np.zeros((3, 3))
    for one, r in zip(parts, off, strict=True):
        about += np.diag(one.inertia_kgm2) + one.mass_kg * (r @ r * np.eye(3) - np.outer(r, r))
    radii = np.sqrt(np.diag(about) / mass.sum()) / SIZES[name].sitting_height_m
    others = (
        (11.30, (0.1361, 0.0996, 0.0840), SIZES["hybrid_iii_5f"].sitting_height_m),
        (24.35, (0.3901, 0.3145, 0.2656), SIZES["hybrid_iii_95m"].sitting_height_m),
    )
    for kg, moments, sits in others:
        assert radii == pytest.approx(np.sqrt(np.array(moments) / kg) / sits, rel=0.04)
