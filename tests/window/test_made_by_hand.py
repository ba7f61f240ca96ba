"""Building by hand: stops of joints, mass that follows shape, seats that touch, copies, rows and images, pulses of files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from scipy.optimize import brentq

import manikin as mk
from app.curves.csv_dialog import CsvDialog
from app.document import Document
from app.editing.copying import duplicated
from app.editing.from_library import first_pick, inserted
from app.editing.making import add, maker
from app.features.placing.copies import ArrayDialog, MirrorDialog
from solver.base.places import samples
from solver.bodies import library_body
from solver.editing.by_hand import by_hand, stops_between
from solver.editing.copies import CannotCopy, arrayed
from solver.editing.including import IncludeError, include, place_of
from solver.editing.mirroring import mirrored_about
from solver.project import Project, load_project, save_project, to_json
from solver.project.changes import value_at, with_value
from solver.project.checks import check
from solver.project.geometry import Frame
from solver.project.inertia import followed
from solver.project.pose import plane_corners
from solver.project.segments import ThreePoints
from solver.scene.placing import pose_at_start

DENSITY = 1000.0


def sized(project: Project, segment: str, axes: tuple[float, float, float]) -> Project:
    after = with_value(project, f"segments/{segment}/surfaces/surface/semi_axes_m", axes)
    return followed(project, after)


def added(project: Project, what: str, *chosen: str) -> tuple[Project, str]:
    made = add(project, maker(what), chosen)
    return made.project, made.path


@pytest.fixture(scope="module")
def three() -> Project:
    """Two halves of a trunk and a head, without names, on ball joints."""
    project, low = added(Project(), "segments")
    project = sized(project, "segment", (0.12, 0.17, 0.18))
    project, top = added(project, "segments", low)
    project, joint = added(project, "joints.ball", top)
    project, head = added(project, "segments", joint)
    project = sized(project, "segment_3", (0.1, 0.08, 0.12))
    return added(project, "joints.ball", head)[0]


def test_a_new_segment_stands_on_the_selected_one_and_is_joined_to_it(three: Project) -> None:
    assert [(j.parent, j.child) for j in three.joints] == [("segment", "segment_2"), ("segment_2", "segment_3")]  # fmt: skip
    pose = pose_at_start(three)
    assert pose["segment_2"].p_W == pytest.approx([0.0, 0.0, -0.36], abs=1e-3)
    alone, first = added(Project(), "segments")
    far = added(alone, "segments")[0]
    assert pose_at_start(far)["segment_2"].p_W[0] == pytest.approx(0.4), "beside it"
    assert added(far, "joints.pin", first)[0].joints[0].parent == "ground", "the other one is far"


@pytest.mark.parametrize(
    ("number", "names"), [(0, ("pelvis", "waist")), (1, ("neck_pivot", "head_pivot"))]
)
def test_stops_are_those_of_the_printed_joints_one_behind_the_other(
    three: Project, number: int, names: tuple[str, str]
) -> None:
    """Bend two joints by the same torque: the whole turn is what one joint of these stops makes of it."""
    joint: Any = three.joints[number]
    body = library_body("male-50")
    for kind in ("flexure", "torsion"):
        chain = [getattr(body.joint(name), kind) for name in names]
        made = getattr(joint, kind)
        for torque in (5.0, 60.0, 200.0):
            apart = sum(brentq(beyond, s.stop_rad, 3.0, (s, torque)) for s in chain)
            found = brentq(beyond, made.stop_rad, 6.0, (made, torque))
            assert found == pytest.approx(apart, rel=1e-5)
        assert made.linear_nm_per_rad > 0.0
        assert made.returned_ratio == 0.7
    assert "assumed" in joint.source
    assert f"bends by {round(math.degrees(joint.flexure.stop_rad))} " in joint.note


def beyond(angle: float, spring: Any, torque: float) -> float:
    """By how much a stop alone resists more than a torque."""
    return float(spring.quadratic_nm_per_rad2 * (angle - spring.stop_rad) ** 2) - torque


def test_names_come_before_sizes_and_others_get_no_stops(three: Project) -> None:
    assert list(by_hand(three)[0].surfaces) == ["lower_torso", "upper_torso", "head"]
    named = with_value(three, "segments/segment_2/name", "Neck")
    assert "neck" in by_hand(named)[0].surfaces
    one = stops_between(named, "segment_2", "segment_3")
    assert one is not None
    assert one.flexure.stop_rad == pytest.approx(math.radians(25.0)), "the head's alone"
    small = sized(sized(three, "segment", (0.05,) * 3), "segment_3", (0.02,) * 3)
    assert stops_between(small, "segment_2", "segment_3") is None
    assert stops_between(small, "segment", "segment_2") is None
    wheel = with_value(three, "segments/segment_3/name", "Head rest")
    assert stops_between(wheel, "segment_2", "segment_3") is not None, "its size tells"


def test_mass_and_moments_follow_the_shape_until_they_are_typed(document: Document) -> None:
    document.replace(added(Project(), "segments")[0], "new")
    axes = (0.12, 0.17, 0.18)
    first = to_json(document.project)
    assert not document.edit("segments/segment/surfaces/surface/semi_axes_m", axes, "resize")
    (made,) = document.project.segments
    mass = DENSITY * 4.0 / 3.0 * math.pi * math.prod(axes)
    assert made.mass_kg == pytest.approx(mass, rel=1e-9)
    assert made.inertia_kgm2[1] == pytest.approx(mass / 5.0 * (axes[0] ** 2 + axes[2] ** 2))
    document.undo()
    assert to_json(document.project) == first
    document.redo()
    for _ in range(40):
        document.edit("segments/segment/surfaces/surface/semi_axes_m", (0.1, 0.1, 0.1), "small")
        document.edit("segments/segment/surfaces/surface/semi_axes_m", axes, "large")
    assert document.project.segments[0].mass_kg == made.mass_kg, "nothing is worn off"
    (surface,) = document.project.segments[0].surfaces
    other = surface.model_copy(update={"id": "more", "semi_axes_m": (0.3, 0.3, 0.3)})
    document.edit("segments/segment/surfaces", (surface, other), "another surface")
    assert document.project.segments[0].mass_kg == made.mass_kg, "it is another thing that grew"
    document.undo()
    document.edit("segments/segment/mass_kg", 12.0, "typed")
    document.edit("segments/segment/surfaces/surface/semi_axes_m", (0.1, 0.1, 0.1), "small")
    assert document.project.segments[0].mass_kg == 12.0
    assert document.project.segments[0].inertia_kgm2 == made.inertia_kgm2


def test_a_seat_of_the_library_touches_the_trunk_and_presses_on_it(three: Project) -> None:
    pick = first_pick(three, "car_seat")
    assert pick.on == "segment"
    project, _ = inserted(three, pick)
    touched = {(c.plane, c.surface.segment) for c in project.contacts if c.kind == "plane"}
    assert {("seat_seat_pan", "segment"), ("seat_seat_back", "segment_2")} <= touched
    assert ("seat_head_restraint_pad", "segment_3") in touched
    pose, rng = pose_at_start(project), np.random.default_rng(4)
    ball = rng.normal(size=(40_000, 3))
    skin = pose["segment"].p_W + (0.12, 0.17, 0.18) * (ball / np.linalg.norm(ball, axis=1)[:, None])  # fmt: skip
    for plane in project.planes[:2]:
        corner, edge, other = (np.asarray(v) for v in plane_corners(plane))
        front = np.cross(edge, other) / np.linalg.norm(np.cross(edge, other))
        assert ((skin - corner) @ front).min() == pytest.approx(0.0, abs=5e-4)


@pytest.fixture(scope="module")
def sled() -> Project:
    return load_project(samples() / "sled.json")


def corners(project: Project, plane: str) -> Any:
    """The four corners of a plane in ground axes, and its front."""
    one = next(p for p in project.planes if p.id == plane)
    corner, edge, other = (np.asarray(v) for v in plane_corners(one))
    at = pose_at_start(project)[one.segment]
    four = [at.of(corner + a * edge + b * other) for a in (0, 1) for b in (0, 1)]
    return np.array(four), at.R_WS @ np.cross(edge, other)


def test_a_row_is_one_step_after_the_other_and_straps_over_others_stay(sled: Project) -> None:
    step = np.array((0.9, 0.1, -0.05))
    done = arrayed(sled, ["planes/seat", "segments/head"], 3, step)
    assert [p for p in done.paths if p.startswith("planes/")] == ["planes/seat_2", "planes/seat_3"]
    first, pose = corners(sled, "seat")[0], pose_at_start(done.project)
    for number in (2, 3):
        there = corners(done.project, f"seat_{number}")[0]
        assert there - first == pytest.approx(np.tile((number - 1) * step, (4, 1)))
        assert pose[f"head_{number}"].p_W - pose["head"].p_W == pytest.approx((number - 1) * step)
    assert not [p for p in check(done.project) if p.severity == "error"]
    made = mk.Model(sled).array("planes/seat", "segments/head", count=3, step=(0.9, 0.1, -0.05))
    assert to_json(made.project) == to_json(done.project), "Python makes the same row"
    one = mk.Model(sled).duplicate("planes/seat", by=(0.9, 0.1, -0.05)).project
    assert one.planes[-1] == done.project.planes[-2]
    with pytest.raises(CannotCopy, match="no element 'planes/none'"):
        mk.Model(sled).duplicate("planes/none", by=(1.0, 0.0, 0.0))
    with pytest.raises(CannotCopy, match="1 are too few"):
        mk.Model(sled).array("planes/seat", count=1, step=(1.0, 0.0, 0.0))
    harness = sled.harnesses[0]
    copy = duplicated(sled, [f"harnesses/{harness.id}"]).project.harnesses[-1]
    assert copy.straps == harness.straps, "it lies on somebody who is not copied"
    person = [f"segments/{one.id}" for one in sled.segments if one.id != "vehicle"]
    both = duplicated(sled, [*person, f"harnesses/{harness.id}"]).project
    over = {p.surface.segment for s in both.harnesses[-1].straps for p in s.points if p.kind == "surface"}  # fmt: skip
    assert all(name.endswith("_2") for name in over)
    anchors = [h.straps[0].points[0].position_m[1] for h in both.harnesses[-2:]]
    assert anchors[1] > anchors[0] + 0.3


@pytest.mark.parametrize(("axis", "at"), [(0, 1.2), (1, 0.4), (2, -0.3)])
def test_a_plane_is_mirrored_about_any_axis(sled: Project, axis: int, at: float) -> None:
    (path,) = mirrored_about(sled, ["planes/seat"], axis, at).paths
    project = mirrored_about(sled, ["planes/seat"], axis, at).project
    over = np.eye(3) - 2.0 * np.outer(np.eye(3)[axis], np.eye(3)[axis])
    old, front = corners(sled, "seat")
    new, turned = corners(project, path.partition("/")[2])
    wanted = old @ over + 2.0 * at * np.eye(3)[axis]
    assert sorted(np.round(new, 9).tolist()) == sorted(np.round(wanted, 9).tolist())
    assert turned == pytest.approx(over @ front), "its front is the image of the front"


def test_a_limb_is_mirrored_about_any_plane(sled: Project) -> None:
    project = mirrored_about(sled, ["segments/head"], 0, 0.5).project
    pose, new = pose_at_start(project), project.segments[-1].id
    assert pose[new].p_W == pytest.approx((1.0, 0.0, 0.0) + pose["head"].p_W * (-1.0, 1.0, 1.0))
    over = np.diag((-1.0, 1.0, 1.0))
    assert np.allclose(pose[new].R_WS, over @ pose["head"].R_WS @ np.diag((1.0, -1.0, 1.0)))


def put_in(qtbot: Any, dialog: Any, said: str = "") -> None:
    """Press Insert, and wait until the file is read."""
    QTest.mouseClick(dialog.insert, Qt.MouseButton.LeftButton)
    assert dialog.is_busy, "it is read beside the window"
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=20_000)
    assert not said or dialog.said.text() == said


def test_a_project_is_put_onto_an_element(sled: Project, tmp_path: Path) -> None:
    """Its origin lies where the element is at the start, in the axes of what carries it, as numbers worked out here."""
    file, pose = tmp_path / "sled.json", pose_at_start(sled)
    save_project(sled, file)
    head, vehicle = pose["head"], pose["vehicle"]
    wanted = vehicle.R_WS.T @ (head.p_W - vehicle.p_W)
    assert place_of(sled, "segments/head", "vehicle") == pytest.approx(wanted)
    plane = next(one for one in sled.planes if isinstance(one.placement, ThreePoints))
    at = plane.placement
    middle = pose[plane.segment].of(0.5 * (np.array(at.p2_m) + np.array(at.p3_m)))
    assert place_of(sled, f"planes/{plane.id}") == pytest.approx(middle)
    joint = sled.joints[0]
    assert place_of(sled, f"joints/{joint.id}") == pytest.approx(
        pose[joint.parent].of(joint.parent_frame.position_m)
    )
    strap = sled.harnesses[0].straps[0].points[0]
    first = pose[strap.segment].of(strap.position_m)
    assert place_of(sled, f"harnesses/{sled.harnesses[0].id}") == pytest.approx(first)
    up = Frame(position_m=(0.0, 0.0, -0.5))
    made = include(sled, file, "up", on="vehicle", frame=up, onto="segments/head")
    assert made.includes[-1].frame.position_m == pytest.approx(wanted - (0.0, 0.0, 0.5))
    with pytest.raises(IncludeError, match="no place onto which"):
        place_of(sled, f"functions/{sled.functions[0].id}")


@pytest.mark.window
def test_another_project_is_put_into_this_one_and_follows_its_file(
    window: Any, qtbot: Any, tmp_path: Path, three: Project, sled: Project
) -> None:
    """Three ellipsoids, then the sled: its elements and starts behind its name, each act one step, undone to the byte."""
    document, file, feature = (
        window.bench.document,
        tmp_path / "sled.json",
        window.features["includes"],
    )
    save_project(sled, file)
    document.adopt(three)
    before = to_json(three)
    assert not window.menus.find("insert.included").enabled()
    put_in(qtbot, feature.insert_project(file))
    project = document.project
    assert len(project.segments) == 3 + len(sled.segments)
    assert project.runs == three.runs
    old, new = pose_at_start(sled), pose_at_start(project)
    assert new["sled_head"].p_W == pytest.approx(old["head"].p_W)
    assert set(document.chosen) >= {f"segments/sled_{one.id}" for one in sled.segments}
    assert not [p for p in check(project) if p.severity == "error"]
    dialog = feature.insert_project(file)
    document.select(f"planes/{sled.planes[0].id}")
    assert not dialog.onto.isEnabled()
    plane = f"planes/sled_{sled.planes[0].id}"
    document.select(plane)
    dialog.carrier.setCurrentIndex(dialog.carrier.findData("sled_vehicle"))
    QTest.mouseClick(dialog.onto, Qt.MouseButton.LeftButton)
    dialog.name.setText("second")
    dialog.facing.setValue(90.0)
    where = place_of(document.project, plane, "sled_vehicle")
    put_in(qtbot, dialog)
    link, here = document.project.includes[-1], pose_at_start(document.project)
    assert (link.id, link.carrier) == ("second", "sled_vehicle")
    assert link.frame.position_m == pytest.approx(where, abs=6e-4)
    assert link.frame.orientation.angles_rad == pytest.approx((math.pi / 2, 0.0, 0.0))
    assert "second_head" in here
    document.undo()
    # what cannot be is said in the dialog, and nothing is done
    dialog = feature.insert_project(file)
    dialog.name.setText("sled")
    put_in(qtbot, dialog, "There is an included project 'sled' already.")
    dialog.reject()
    document.edit("segments/sled_neck/mass_kg", 1.5, "Neck")
    edited = to_json(document.project)
    dialog = feature.show_included()
    qtbot.waitUntil(lambda: not document._checker.is_busy(), timeout=20_000)
    assert [dialog.table.topLevelItem(0).text(n) for n in range(3)] == ["sled", "sled.json", "as it was taken"]  # fmt: skip
    assert "1 segment" in dialog.said.text()
    # the file changes beside the window: told when one comes back to it
    save_project(with_value(sled, "segments/head/mass_kg", 5.0), file)
    QApplication.instance().applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    qtbot.waitUntil(lambda: dialog.table.topLevelItem(0).text(2) == "changed since", timeout=20_000)
    note = next(one for one in document.problems if one.code == "include-changed")
    assert document.mends[note].second is not None
    told = window.bench.notice
    assert told.isVisible()
    assert told.words.text() == "sled.json has changed since it was included here."
    QTest.mouseClick(dialog.update_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=20_000)
    assert value_at(document.project, "segments/sled_head/mass_kg") == 5.0
    assert value_at(document.project, "segments/sled_neck/mass_kg") == 1.5
    assert "kept 1" in dialog.said.text()
    qtbot.waitUntil(
        lambda: dialog.table.topLevelItem(0).text(2) == "as it was taken", timeout=20_000
    )
    assert not told.isVisible()
    save_project(with_value(sled, "segments/neck/mass_kg", 2.0), file)
    QTest.mouseClick(dialog.update_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=20_000)
    assert "Changed by hand here" in dialog.said.text()
    assert value_at(document.project, "segments/sled_neck/mass_kg") == 1.5
    QTest.mouseClick(dialog.overwrite_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=20_000)
    assert value_at(document.project, "segments/sled_neck/mass_kg") == 2.0
    QTest.mouseClick(dialog.release_button, Qt.MouseButton.LeftButton)
    assert document.project.includes == ()
    assert "sled_head" in {one.id for one in document.project.segments}
    for _ in range(3):
        document.undo()
    assert to_json(document.project) == edited
    document.undo()
    document.undo()
    assert to_json(document.project) == before
    dialog.close()


@pytest.mark.window
def test_rows_mirrors_and_pulses_of_files_are_asked_for(window: Any, tmp_path: Path) -> None:
    document, menus = window.bench.document, window.menus
    document.adopt(load_project(samples() / "sled.json"))
    first = to_json(document.project)
    document.select("planes/seat")
    menus.run("place.array")
    array = window.findChild(ArrayDialog)
    array.count.setValue(3)
    array.step[0].setValue(800.0)
    assert "2 planes" in array.said.text()
    QTest.mouseClick(array.take, Qt.MouseButton.LeftButton)
    assert document.chosen == ("planes/seat_2", "planes/seat_3")
    document.undo()
    assert to_json(document.project) == first
    document.select("planes/seat")
    menus.run("place.mirror_plane")
    mirror = window.findChild(MirrorDialog)
    mirror.place.setValue(600.0)
    QTest.mouseClick(mirror.take, Qt.MouseButton.LeftButton)
    assert corners(document.project, "seat_mirrored")[0][:, 1].mean() == pytest.approx(1.2)
    document.undo()

    file = tmp_path / "sled 12.txt"
    file.write_text("Time [ms]\tAcceleration [g]\n0\t0\n40\t-18\n80\t0\n")
    motion = document.project.motions[0]
    document.select(f"motions/{motion.id}")
    editor = window.panels["editor"].current
    editor.read_file(file)
    dialog = editor.findChild(CsvDialog)
    assert [box.currentData() for box in dialog.units] == ["ms", "g"]
    QTest.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    pulse: Any = document.project.motions[0].components[0].pulse
    function = next(f for f in document.project.functions if f.id == pulse.function)
    form: Any = function.form
    assert form.x == pytest.approx((0.0, 0.04, 0.08))
    assert form.y == pytest.approx((0.0, -18.0 * 9.80665, 0.0))
    assert (function.x_unit, function.y_unit) == ("s", "m/s2")
    assert not [p for p in document.problems_now() if p.severity == "error"]
    document.undo()
    assert to_json(document.project) == first


def test_where_it_is_stands_above_the_fields_and_can_be_typed(
    document: Document, inspector: Any
) -> None:
    """A plane as a whole, an anchor of a belt: to the place that is typed, along one axis, in one step each."""
    before = to_json(document.project)
    plane = document.project.planes[0]
    document.select(f"planes/{plane.id}")
    card = inspector.where
    assert card.isVisibleTo(inspector)
    old = corners(document.project, plane.id)[0]
    middle = old.mean(axis=0)
    assert card.point.itemText(0) == plane.name
    write(card.lines[2], f"{1e3 * middle[2] - 250.0:.6f} mm")
    new = corners(document.project, plane.id)[0]
    assert new - old == pytest.approx(np.tile((0.0, 0.0, -0.25), (4, 1)), abs=1e-6)
    document.undo()
    assert to_json(document.project) == before
    belt = document.project.belts[0]
    document.select(f"belts/{belt.id}")
    card.point.setCurrentIndex(1)
    card.point.activated.emit(1)
    write(card.lines[1], "0.4 m")
    anchor = document.project.belts[0].anchor_b
    at = pose_at_start(document.project)[anchor.segment]
    assert at.of(anchor.position_m)[1] == pytest.approx(0.4)
    assert document.project.belts[0].anchor_a == belt.anchor_a
    document.undo()
    assert to_json(document.project) == before
    document.select("contacts/" + document.project.contacts[0].id)
    assert not card.isVisibleTo(inspector), "it has no place"


def write(line: Any, text: str) -> None:
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)
