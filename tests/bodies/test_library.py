"""The library's entries are sound, say where they come from, and go into a project whole."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

from solver.analysis.crash.scenes import pitched
from solver.base.places import resources, samples
from solver.bodies import Place, insert_body, library_body, pose
from solver.bodies.library import CATEGORIES, Entry, LibraryError, entries, entry, insert, occupant
from solver.bodies.library.describe import details, pulse_facts
from solver.bodies.library.entries import fragment
from solver.cli import main
from solver.project import Project, load_project, save_project
from solver.project.checks import check
from solver.project.checks.index import Index
from solver.project.checks.laws import returned
from solver.project.forms import samples as samples_of
from solver.project.pose import start_pose, turn
from solver.project.saving import plain, text_of
from solver.project.segments import Segment
from tests.rows import rows

GRAVITY = 9.80665
FOOT = 0.3048
ALL = entries()


@pytest.fixture(scope="module")
def sled() -> Project:
    return load_project(samples() / "sled.json")


@pytest.fixture
def vehicle() -> Project:
    cart = Segment(id="vehicle", mass_kg=1000.0, inertia_kgm2=(500.0, 2000.0, 2000.0))
    return Project(segments=(cart,))


@pytest.fixture(scope="module")
def driver() -> Project:
    """Seat a man of the library in a vehicle, hips at the vehicle's origin."""
    cart = Segment(id="vehicle", mass_kg=1000.0, inertia_kgm2=(500.0, 2000.0, 2000.0))
    body = pose(library_body("male-50"), "driving")
    place = Place(anchor="hips", relative_to="vehicle", moves_with="vehicle")
    return insert_body(Project(segments=(cart,)), body, "driver", place)


def seated_child() -> Project:
    """Seat a child of three years there."""
    cart = Segment(id="vehicle", mass_kg=1000.0, inertia_kgm2=(500.0, 2000.0, 2000.0))
    place = Place(anchor="hips", relative_to="vehicle", moves_with="vehicle")
    child = pose(library_body("hybrid_iii_3y"), "driving")
    return insert_body(Project(segments=(cart,)), child, "driver", place)


def test_there_are_enough_entries_of_each_kind() -> None:
    assert len(ALL) >= 60
    assert {e.category for e in ALL} == {c for c in CATEGORIES if entries(c)}


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_file_is_canonical(category: str) -> None:
    listed, folder = (
        resources() / "library" / f"{category}.json",
        resources() / "library" / category,
    )
    rows = []
    for one in entries(category):
        row = plain(one)
        del row["category"], row["fragment"]["format"], row["fragment"]["schema_version"]
        if not (folder / f"{one.id}.json").exists():
            rows.append(row)
    assert listed.read_text(encoding="utf-8") == text_of(rows)


@rows("one", ALL, ids=lambda e: e.id)
def test_an_entry_says_what_it_is_and_is_used_whole(one: Entry) -> None:
    """Every function has a user, so that an entry brings nothing that it does not need."""
    assert one.name
    assert one.source
    assert details(one)
    piece = fragment(one.id)
    text = json.dumps(plain(one), ensure_ascii=False)
    for function in piece.functions:
        assert text.count(f'"{function.id}"') >= 2, function.id
    if one.basis == "derived":
        assert one.note
    for item in (*piece.functions, *piece.contact_laws):
        assert item.source


@rows("one", ALL, ids=lambda e: e.id)
def test_an_entry_goes_into_a_vehicle_without_an_error(one: Entry, vehicle: Project) -> None:
    if one.straps:
        pytest.skip("needs an occupant; see below")
    new = insert(vehicle, one.id, "x", attach_to="vehicle")
    wrong = [str(p) for p in check(new) if p.severity == "error"]
    assert wrong == []


@rows("one", ALL, ids=lambda e: e.id)
def test_an_entry_goes_on_an_occupant_without_an_error(one: Entry, driver: Project) -> None:
    """What is made for an occupant finds every part of him that it names; a child's harness goes on a child."""
    if one.id == "five_point_child":
        driver = seated_child()
    new = insert(driver, one.id, "x", attach_to="vehicle", on="driver")
    wrong = [str(p) for p in check(new) if p.severity == "error"]
    assert wrong == []
    ribs = [c for c in one.fragment.contacts if "rib_" in c.id or "_pad-" in c.id]
    assert len(new.contacts) == len(driver.contacts) + len(one.fragment.contacts) - len(ribs)
    for bag, was in zip(new.airbags, one.fragment.airbags, strict=True):
        assert len(bag.touches) == len(was.touches)
    assert sum(len(h.straps) for h in new.harnesses) == len(one.straps)


@pytest.mark.parametrize("id_", [e.id for e in ALL if e.rides_on])
def test_a_bag_in_the_wheel_is_carried_by_the_wheel(id_: str, driver: Project) -> None:
    """It lies where it lay without one, by the nearer of two wheels, and turns with it."""
    by = pitched(0.2)
    where = {"at": (0.05, -0.3, 0.02), "turned": by}
    bare = insert(driver, id_, "bag", attach_to="vehicle", on="driver", **where)
    car = insert(driver, "car_driver", "far", attach_to="vehicle", at=(0.0, 0.9, 0.0))
    car = insert(car, "car_driver_10146", "car", attach_to="vehicle", **where)
    both = insert(car, id_, "bag", attach_to="vehicle", on="driver", **where)
    parent = {joint.child: joint.parent for joint in both.joints}
    assert parent["bag_airbag_module"] == "car_steering_wheel"
    was, now = (start_pose(p)["bag_airbag_module"] for p in (bare, both))
    np.testing.assert_allclose(now.p_W, was.p_W, atol=1e-9)
    np.testing.assert_allclose(now.R_WS, was.R_WS, atol=1e-9)


SITTING = [e.id for e in ALL if e.category == "seats" and e.id != "sled_test_seat"]


@pytest.mark.parametrize("id_", SITTING)
def test_a_seat_carries_whoever_s_hips_are_at_its_origin(id_: str, driver: Project) -> None:
    """The plane under the pelvis is pressed by a little, and it pushes up; the back pushes forward."""
    new = insert(driver, id_, "seat", attach_to="vehicle", on="driver")
    pose_ = start_pose(new)
    index = Index(new)
    for contact in new.contacts:
        if contact.kind != "plane" or contact.surface.segment != "driver_lower_torso":
            continue
        if "floor" in contact.plane or "side" in contact.plane:
            continue
        plane = index.by_id["planes"][contact.plane]
        put, bears = plane.placement, pose_[plane.segment]
        p1, p2, p3 = (bears.of(p) for p in (put.p1_m, put.p2_m, put.p3_m))
        normal = np.cross(p2 - p1, p3 - p1)
        normal /= np.linalg.norm(normal)
        shape = index.surfaces["driver_lower_torso", "body"]
        at = pose_["driver_lower_torso"]
        centre = at.p_W + at.R_WS @ np.array(shape.centre_m)
        axes = (at.R_WS @ turn(shape.orientation)) * np.array(shape.semi_axes_m)
        depth = float(np.linalg.norm(normal @ axes) - normal @ (centre - p1))
        assert -0.005 <= depth <= 0.05, (contact.id, depth)
        assert normal[2] < -0.9 if "pan" in contact.plane else normal[0] > 0.9


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_three_point_belt_runs_over_pelvis_and_chest(side: str, driver: Project) -> None:
    new = insert(driver, f"three_point_{side}", "b", attach_to="vehicle", on="driver")
    lap, shoulder = new.harnesses[0].straps
    pose_ = start_pose(new)

    def places(strap) -> list:  # type: ignore[no-untyped-def, type-arg]
        return [
            pose_[p.surface.segment].p_W + pose_[p.surface.segment].R_WS @ np.array(p.position_m)
            for p in strap.points
            if p.kind == "surface"
        ]

    front = max(places(lap), key=lambda p: p[0])
    assert 0.08 < front[0] < 0.14
    assert -0.08 < front[2] < -0.02
    over = places(shoulder)
    assert all(p[0] > -0.12 for p in over)
    outboard = -1.0 if side == "left" else 1.0
    assert outboard * over[0][1] < 0.0 < outboard * over[-1][1]
    assert over[0][2] > -0.33 > over[-1][2]
    device = shoulder.end_device
    assert device is not None
    assert device.load_limiter is not None
    assert device.load_limiter.force == "b_load_limit"
    assert {f.id for f in new.functions} >= {"b_load_limit", "b_pretensioner_stroke"}


def test_a_belt_without_an_occupant_says_who_is_there(driver: Project) -> None:
    with pytest.raises(LibraryError, match=r"lies over an occupant.*'driver'"):
        insert(driver, "lap_belt", attach_to="vehicle")


@pytest.mark.parametrize(
    ("id_", "peak_g", "speed_fps", "rise_s"),
    [
        ("far23_vertical_front", 19.0, 31.0, 0.05),
        ("far23_vertical", 15.0, 31.0, 0.06),
        ("far23_forward_front", 26.0, 42.0, 0.05),
        ("far23_forward", 21.0, 42.0, 0.06),
        ("far25_vertical", 14.0, 35.0, 0.08),
        ("far25_forward", 16.0, 44.0, 0.09),
        ("far25_straight", 16.0, 44.0, 0.09),
        ("far27_vertical", 30.0, 30.0, 0.031),
        ("far27_forward", 18.4, 42.0, 0.071),
    ],
)
def test_aircraft_pulses_meet_peak_speed_and_time(
    id_: str, peak_g: float, speed_fps: float, rise_s: float
) -> None:
    """Not less than the asked speed change, peak reached in not more than the asked time."""
    facts = pulse_facts(entry(id_))
    assert facts is not None
    assert facts.peak == pytest.approx(-peak_g * GRAVITY)
    assert facts.peak_s <= rise_s + 1e-9
    assert speed_fps * FOOT * 0.9999 <= -facts.speed_change <= 1.06 * speed_fps * FOOT


@pytest.mark.parametrize(
    ("id_", "km_per_h"),
    [
        ("car_half_sine", -48.3),
        ("wheelchair_20g", -48.0),
        ("child_seat_48", -48.0),
        ("r16", -50.0),
        ("r44_front", -50.0),
        ("r44_rear", 30.0),
        ("r80", -31.0),
        ("whiplash_16", 16.0),
        ("whiplash_low", 16.1),
        ("whiplash_high", 24.45),
        ("fmvss202a", 17.3),
        ("car_haversine_48", -48.0),
    ],
)
def test_car_pulses_have_the_speed_of_their_name(id_: str, km_per_h: float) -> None:
    facts = pulse_facts(entry(id_))
    assert facts is not None
    assert facts.speed_change * 3.6 == pytest.approx(km_per_h, rel=5e-3)


@pytest.mark.parametrize(("id_", "way"), [("r16", 0.4), ("r44_front", 0.65), ("r44_rear", 0.275)])
def test_trolley_pulses_stop_within_their_way(id_: str, way: float) -> None:
    facts = pulse_facts(entry(id_))
    assert facts is not None
    stopped = abs(facts.speed_change) * facts.duration_s - abs(facts.way)
    assert stopped == pytest.approx(way, rel=1e-6)


@pytest.mark.parametrize("id_", ["far23_vertical", "far25_vertical", "far27_vertical"])
def test_downward_pulses_lie_sixty_degrees_below_the_floor(id_: str) -> None:
    (motion,) = fragment(id_).motions
    down = turn(motion.axes) @ np.array([1.0, 0.0, 0.0])
    assert down == pytest.approx((0.5, 0.0, math.sqrt(0.75)))


def test_a_pulse_moves_the_vehicle_from_a_speed_and_makes_room(vehicle: Project) -> None:
    moving = insert(vehicle, "car_half_sine", "a", attach_to="vehicle", from_speed=13.4)
    (motion,) = moving.motions
    assert (motion.id, motion.segment) == ("a_pulse", "vehicle")
    assert motion.components[0].start_rate == 13.4
    with pytest.raises(LibraryError, match=r"'vehicle' is moved by 'a_pulse' already"):
        insert(moving, "r16", "b", attach_to="vehicle")
    other = insert(moving, "r16", "b", attach_to="vehicle", replace=True)
    assert [m.id for m in other.motions] == ["b_pulse"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"id_": "padded_wal"}, r"Did you mean 'padded_wall'\?"),
        ({"id_": "r16"}, "the ground never moves"),
        ({"id_": "r16", "attach_to": "vehicel"}, r"Did you mean 'vehicle'\?"),
        ({"id_": "r16", "attach_to": "vehicle", "prefix": "a b"}, "'a b' is no prefix"),
        ({"id_": "padded_wall", "from_speed": 3.0}, "moves nothing"),
        ({"id_": "padded_wall", "at": (1.0, 0.0, 0.0)}, "has no place"),
        ({"id_": "padded_wall", "on": "driver"}, "There is no occupant 'driver'"),
        (
            {"id_": "side_door_velocity", "attach_to": "vehicle", "from_speed": 3.0},
            "does not start from a speed",
        ),
    ],
)
def test_what_cannot_be_inserted_is_refused_in_a_sentence(
    vehicle: Project,
    arguments: dict,
    sentence: str,  # type: ignore[type-arg]
) -> None:
    with pytest.raises(LibraryError, match=sentence):
        insert(vehicle, **arguments)


def test_the_same_entry_twice_needs_two_prefixes(vehicle: Project) -> None:
    once = insert(vehicle, "knee_bolster", "left")
    with pytest.raises(LibraryError, match="another prefix"):
        insert(once, "knee_bolster", "left")
    both = insert(once, "knee_bolster", "right")
    assert [law.id for law in both.contact_laws] == ["left_knee_bolster", "right_knee_bolster"]


def test_an_unknown_category_is_refused() -> None:
    with pytest.raises(LibraryError, match=r"Did you mean 'pulses'\?"):
        entries("pulse")


def test_an_occupant_is_found_by_its_prefix(sled: Project) -> None:
    from solver.project.merging import merged, prefixed

    bare = occupant(sled)
    assert bare is not None
    assert bare.surfaces["head"].segment == "head"
    two = merged(prefixed(sled, "driver"), prefixed(sled, "rear"))
    assert occupant(two) is None
    rear = occupant(two, "rear")
    assert rear is not None
    assert rear.surfaces["right_foot"].segment == "rear_right_foot"


def head_on_plate(drop_m: float) -> float:
    """Drop the dummy's head on the library's rigid plate and give the peak (g)."""
    (law,) = fragment("headform_on_steel").contact_laws
    assert law.kind == "hunt_crossley"
    mass, h = 4.54, 2e-7
    x, v, peak = 0.0, math.sqrt(2.0 * GRAVITY * drop_m), 0.0

    def deceleration(x: float, v: float) -> float:
        if x <= 0.0:
            return 0.0
        force = law.stiffness_n_per_mn * x**law.exponent * (1.0 + law.damping_s_per_m * v)
        return max(force, 0.0) / mass

    while v > 0.0:
        v += h * (GRAVITY - deceleration(x, v))
        x += h * v
        peak = max(peak, deceleration(x, v))
    return peak / GRAVITY


def test_the_dummy_head_passes_its_drop_test() -> None:
    """49 CFR 572.32: from 376 mm between 225 and 275 g."""
    assert head_on_plate(0.376) == pytest.approx(250.0, rel=5e-3)


def test_general_contact_follows_the_printed_figures() -> None:
    from solver.engine.maths.curve import curve_at, joined
    from solver.project.histories import curve_of

    piece = fragment("general_contact")
    curves = joined([curve_of(piece.functions[0])])
    inch, pound = 0.0254, 4.4482216152605
    for inches in (0.2, 1.0, 1.5):
        pounds = 982.8 * inches - 18.0 * inches**2 - 3.4 * inches**3
        assert curve_at(curves, 0, inches * inch)[0] / pound == pytest.approx(pounds, rel=1e-6)
    assert curve_at(curves, 0, 2.5 * inch)[0] / pound == pytest.approx(1580.0, rel=1e-6)


class TestCommand:
    def test_it_lists_shows_and_inserts(self, tmp_path, capsys, vehicle) -> None:  # type: ignore[no-untyped-def]
        file = tmp_path / "car.json"
        save_project(vehicle, file)
        assert main(["library", "list", "webbing"]) == 0
        assert re.search(r"polyester_9 +derived", capsys.readouterr().out)
        assert main(["library", "list", "--json"]) == 0
        assert len(json.loads(capsys.readouterr().out)) == len(ALL)
        assert main(["library", "show", "r16"]) == 0
        assert "50.0 km/h" in capsys.readouterr().out
        assert main(["library", "show", "r16", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["id"] == "r16"
        words = ["library", "insert", str(file), "r16", "--to", "vehicle", "--from-speed", "13.9"]
        assert main([*words, "--prefix", "crash"]) == 0
        assert load_project(file).motions[0].id == "crash_pulse"

    def test_wrong_words_give_a_sentence(self, tmp_path, capsys, vehicle) -> None:  # type: ignore[no-untyped-def]
        file = tmp_path / "car.json"
        save_project(vehicle, file)
        before = file.read_bytes()
        assert main(["library", "insert", str(file), "r17", "--to", "vehicle"]) == 1
        assert "no entry 'r17'" in capsys.readouterr().err
        assert main(["library", "show", "r17"]) == 1
        assert main(["library", "list", "rubbish"]) == 1
        assert main(["library"]) == 2
        assert file.read_bytes() == before


@rows("one", ALL, ids=lambda e: e.id)
def test_a_law_gives_back_what_it_says(one: Entry) -> None:
    """At every point of its curve, the unloading curve can have the area that is asked for (7.65, 7.66)."""
    assert [str(p) for p in returned(Index(fragment(one.id)))] == []


@rows("one", ALL, ids=lambda e: e.id)
def test_planes_face_whoever_may_touch_them(one: Entry, driver: Project, vehicle: Project) -> None:
    """A seated driver is in front of most planes that are made for one, a walker of a car's front."""
    on, project, carrier = "driver", driver, "vehicle"
    if one.id == "sled_test_seat":
        pytest.skip("counts places as the deck does, not from hips")
    if one.id in ("car_front", "pavement_plane"):
        place = Place(position_m=(0.5, 0.0, 0.0), anchor="lowest")
        project = insert_body(driver, pose(library_body("male-50"), "standing"), "walker", place)
        on = "walker"
    if one.id == "car_passenger_10146":
        # its toe board is where a small woman's feet are
        small = pose(library_body("hybrid_iii_5f"), "driving")
        project = insert_body(vehicle, small, on, Place(anchor="hips", relative_to="vehicle"))
    try:
        new = insert(project, one.id, "new", attach_to=carrier, on=on)
    except LibraryError:
        pytest.skip("is not made for a place of its own")
    turned_away = ("start-behind", "plane-faces-away")
    assert [str(p) for p in check(new) if p.code in turned_away] == []


@rows("one", ALL, ids=lambda e: e.id)
def test_no_law_gives_back_more_than_was_put_in(one: Entry) -> None:
    """The parabola through the offset is the least that unloading returns (7.65, 7.66)."""
    piece = fragment(one.id)
    forms = {function.id: function.form for function in piece.functions}
    for law in piece.contact_laws:
        base, kept = getattr(law, "base", None), getattr(law, "offset_ratio", None)
        if base not in forms or not isinstance(kept, int | float):
            continue
        x, y = samples_of(forms[base])
        x, y = x[x >= 0.0], y[x >= 0.0]
        put_in = np.array([np.trapezoid(y[: n + 1], x[: n + 1]) for n in range(len(x))])
        least = y * (x - x[0]) * (1.0 - kept) / 3.0
        assert np.all(least <= 1.001 * put_in + 1e-9), law.id
