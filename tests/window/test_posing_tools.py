"""Bodies, rest, poses and what the scene shows: logic first, then hands in a real window."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from app.editing.grips import coordinates
from app.elements import contact_ends
from app.features.placing.limbs import followed, nearest_turn
from app.features.placing.settle_dialog import compared, look
from app.scene.handles import Part
from app.scene.visibility import Visibility
from solver.bodies import BodyError
from solver.editing.persons import body_text
from solver.editing.seating import Person, body_of, first_place, inserted
from solver.editing.strapping import bodies
from solver.project import Project, validated
from solver.project.joint_table import row_of
from solver.project.pose import turn
from solver.project.posing import angles_of
from solver.scene.placing import in_ground, pose_at_start
from tests.window.seated import seated
from tests.window.test_placing import LEFT, at, drag

pytestmark = pytest.mark.one_window

SEATED = validated(seated())


def test_a_person_goes_where_it_is_put() -> None:
    person = Person(who="woman", percentile=5.0, place_m=(1.0, 0.5, -0.3), facing_rad=math.pi / 2)
    project, path = inserted(SEATED, person)
    pose = pose_at_start(project)
    assert path == "segments/woman_lower_torso"
    hips = [j for j in project.joints if j.id in ("woman_left_hip", "woman_right_hip")]
    middle = sum(in_ground(pose, j.parent, j.parent_frame.position_m) for j in hips) / 2
    assert np.allclose(middle, [1.0, 0.5, -0.3], atol=1e-6)
    # it faces along y
    assert pose["woman_left_upper_leg"].p_W[1] > 0.5 + 0.1
    twice, other = inserted(project, person)
    assert other != path
    assert len(twice.segments) == len(SEATED.segments) + 66
    plain, _ = inserted(SEATED, replace(person, spine=False))
    assert len(plain.segments) == len(SEATED.segments) + 15


def test_discs_shorten_where_asked() -> None:
    soft = body_of(Person(compressing=True))
    slips = {joint.id for joint in soft.joints if joint.kind == "slip"}
    assert slips - {joint.id for joint in body_of(Person()).joints if joint.kind == "slip"} == {
        "lumbar_1",
        "lumbar_2",
        "lumbar_3",
    }


def test_people_are_as_tall_as_asked() -> None:
    tall = Person(by_size=True, height_m=1.9, weight_kg=95.0)
    body = body_of(tall)
    assert body.mass_kg == pytest.approx(95.0, rel=1e-3)
    assert "95.0 kg, 1.90 m" in body_text(body)
    child = replace(tall, who="child", age_years=6.0, by_size=False)
    assert body_of(child).mass_kg < 30.0
    sized = replace(child, by_size=True, height_m=1.25, weight_kg=30.0)
    assert "30.0 kg, 1.25 m" in body_text(body_of(sized))
    assert "75 years" in body_of(replace(tall, grown_years=75.0)).title
    assert "years" not in body_of(replace(tall, grown_years=75.0, spine=False)).title
    assert len(body_of(Person(who="male-95", hands=True)).segments) == 17
    with pytest.raises(BodyError):
        body_of(replace(tall, height_m=3.0))


def test_a_first_guess_is_on_the_seat_that_moves() -> None:
    person = first_place(SEATED)
    assert (person.on, person.pose, person.anchor) == ("sled", "seated", "hips")
    assert first_place(Project()).anchor == "lowest"


def test_a_limb_follows_the_hand_as_far_as_its_joint_goes() -> None:
    pose = pose_at_start(SEATED)
    tip = in_ground(pose, "forearm_r", (0.0, 0.0, 0.19))
    pivot = in_ground(pose, "forearm_r", (0.0, 0.0, -0.16))
    axis = pose["arm_r"].R_WS[:, 1]
    R = nearest_turn(tip - pivot, tip - pivot + np.array([0.0, 0.05, -0.1]), axis)
    assert np.allclose(R @ axis, axis)
    done = followed(SEATED, "segments/forearm_r", tip, np.array([0.0, 0.0, -0.1]))
    after = in_ground(pose_at_start(done), "forearm_r", (0.0, 0.0, 0.19))
    assert after[2] < tip[2] - 0.05
    assert np.linalg.norm(after - pivot) == pytest.approx(np.linalg.norm(tip - pivot), abs=1e-6)
    moved = followed(SEATED, "segments/pelvis", tip, np.array([0.1, 0.0, 0.0]))
    assert np.allclose(pose_at_start(moved)["head"].p_W - pose["head"].p_W, [0.1, 0, 0], atol=1e-6)


def stopped() -> Project:
    data = seated()
    knee = next(j for j in data["joints"] if j["id"] == "elbow_r")
    knee["spring"] = {"stop_rad": 1.2, "quadratic_nm_per_rad2": 10.0}
    waist = next(j for j in data["joints"] if j["id"] == "waist")
    waist["flexure"] = {"stop_rad": 0.4, "cubic_nm_per_rad3": 5.0}
    return validated(data)


def test_a_limb_stops_at_its_stop() -> None:
    project = stopped()
    pose = pose_at_start(project)
    tip = in_ground(pose, "forearm_r", (0.0, 0.0, 0.19))
    done = followed(project, "segments/forearm_r", tip, np.array([-0.4, 0.0, -0.6]))
    (angle,) = angles_of(done, "elbow_r")
    assert abs(angle) == pytest.approx(1.2, abs=1e-5)


def test_sliders_of_joints_go_as_far_as_their_stops() -> None:
    project = stopped()
    pin = next(j for j in project.joints if j.id == "elbow_r")
    (row,) = coordinates(project, pin)
    assert (row.low, row.high) == pytest.approx((-1.2, 1.2))
    ball = next(j for j in project.joints if j.id == "waist")
    assert [c.title for c in coordinates(project, ball)] == ["Yaw", "Pitch", "Roll"]
    locked = next(j for j in project.joints if j.kind == "locked")
    assert coordinates(project, locked) == ()


def test_before_and_after_stand_side_by_side() -> None:
    data = seated()
    data["airbags"] = []
    project = validated(data)
    assert "pelvis" in bodies(project)
    assert "sled" not in bodies(project)
    before = look(project)
    groups = dict(compared(project, before, before))
    tiny = replace(before, segments=tuple(replace(s, acceleration_g=1e-9) for s in before.segments))
    assert (
        dict(compared(project, tiny, None))["Acceleration of mass centres"][0].before == "< 0.001 g"
    )
    rows = groups["Acceleration of mass centres"]
    assert all(row.before == row.after for row in rows)
    sizes = [float(row.before.split()[0]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    assert {row.what for row in rows} <= {s.name for s in project.segments}
    assert dict(compared(project, before, None))["Tension of belts"][0].after == ""


def test_pairs_and_sections() -> None:
    assert contact_ends(SEATED.contacts[0]) == ("segments/pelvis", "planes/seat")
    playback = Visibility(axis=1, at_m=0.2, towards=np.array([0.0, 1.0, 0.0]))
    plane = playback.plane()
    assert plane.GetNormal() == (0.0, -1.0, 0.0)
    assert plane.GetOrigin() == (0.0, 0.2, 0.0)
    assert Visibility().plane() is None


@pytest.fixture
def placed(window: Any, seated_file: Any) -> Any:
    window.open_file(seated_file)
    window.bench.viewport.grab()
    return window


@pytest.mark.window
def test_alt_takes_a_limb_and_the_pose_is_one_step(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    before = document.project
    start = view.pixel_of("segments/forearm_r").toPoint()
    drag(view, start, QPoint(10, -40), Qt.KeyboardModifier.AltModifier)
    assert document.selection == "segments/forearm_r"
    assert document.history.undoText() == "Pose Forearm and hand, right"
    assert document.history.count() == 1
    pose = pose_at_start(document.project)
    assert np.allclose(pose["arm_r"].p_W, pose_at_start(before)["arm_r"].p_W)
    assert pose["forearm_r"].p_W[2] < pose_at_start(before)["forearm_r"].p_W[2] - 0.02


@pytest.mark.window
def test_a_pin_has_one_ring_and_it_turns_about_the_pin(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    document.select("segments/forearm_r")
    handles = placed.features["placing"].move.holding.handles()
    pin = next(j for j in document.project.joints if j.id == "elbow_r")
    pose = pose_at_start(document.project)
    assert handles.rings == ("xyz".index(row_of(pin).order),)
    axis = handles.axes[:, handles.rings[0]]
    assert np.allclose(axis, (pose["arm_r"].R_WS @ turn(pin.parent_frame.orientation))[:, handles.rings[0]])  # fmt: skip
    start = QPoint(*(int(v) for v in handles.point_of(Part("turn", handles.rings[0]), view.lens)))
    drag(view, start, QPoint(18, 18))
    after = pose_at_start(document.project)
    turned = after["forearm_r"].R_WS @ pose["forearm_r"].R_WS.T
    assert not np.allclose(turned, np.eye(3), atol=1e-3)
    assert np.allclose(turned @ axis, axis)
    document.select("segments/arm_r")
    assert placed.features["placing"].move.holding.handles().rings == (0, 1, 2)


@pytest.mark.window
def test_a_contact_marks_both_that_may_touch(placed: Any) -> None:
    document, stage = placed.bench.document, placed.bench.viewport.stage

    def marked() -> set[str]:
        return {item.shape.element for item in stage.items if item.marks.selected}

    contact = document.project.contacts[0]
    document.select(f"contacts/{contact.id}")
    assert marked() == set(contact_ends(contact))
    document.select("segments/head")
    assert marked() == {"segments/head"}


@pytest.mark.window
def test_handles_and_sliders_follow_a_limb_that_is_held(placed: Any) -> None:
    view, hands, panel = (
        placed.bench.viewport,
        placed.features["placing"].move,
        placed.features["placing"].joint_panel,
    )
    placed.bench.document.select("segments/forearm_r")
    told, grip = panel._labels[0][1].text(), hands.grips[-1].p_W
    start = view.pixel_of("segments/forearm_r").toPoint()
    drag(view, start, QPoint(10, -40), Qt.KeyboardModifier.AltModifier, release=False)
    shown = panel._labels[0][1].text()
    assert shown != told
    assert np.linalg.norm(hands.grips[-1].p_W - grip) > 0.02
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert panel._labels[0][1].text() == told
    assert np.allclose(hands.grips[-1].p_W, grip)
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.AltModifier, start)
    drag(view, start, QPoint(10, -40), Qt.KeyboardModifier.AltModifier)
    assert panel._labels[0][1].text() == shown


def test_a_limb_taken_at_its_skin_bends_without_twisting() -> None:
    pose = pose_at_start(SEATED)
    joint = next(j for j in SEATED.joints if j.child == "head")
    pivot = in_ground(pose, "head", joint.child_frame.position_m)
    # on the skin of the right-hand side, drawn ahead as seen from there
    skin = in_ground(pose, "head", (0.02, 0.07, -0.05))
    done = followed(SEATED, "segments/head", skin, np.array([0.12, 0.0, 0.03]))
    R = pose_at_start(done)["head"].R_WS @ pose["head"].R_WS.T
    assert np.degrees(np.arccos(0.5 * (np.trace(R) - 1.0))) > 15.0
    assert np.allclose(R @ [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], atol=1e-6), "it only nods"
    assert np.allclose(pivot, in_ground(pose_at_start(done), "head", joint.child_frame.position_m))


@pytest.mark.window
def test_sliders_set_the_joint_and_a_drag_is_one_step(placed: Any) -> None:
    document, panel = placed.bench.document, placed.features["placing"].joint_panel
    document.select("joints/knee_r")
    assert panel.isVisible()
    slider = panel.sliders[0]
    now = angles_of(document.project, "knee_r")[0]
    for step in range(1, 5):
        slider.setValue(slider.value() + step)
    slider.sliderReleased.emit()
    assert document.history.count() == 1
    assert angles_of(document.project, "knee_r")[0] == pytest.approx(
        now + math.radians(5.0), abs=math.radians(0.3)
    )
    slider.setValue(slider.value() + 1)
    assert document.history.count() == 2
    document.select("planes/floor")
    assert not panel.isVisible()


@pytest.mark.window
def test_a_button_beside_the_slider_drives_the_axis_and_then_leads_to_its_driver(
    placed: Any,
) -> None:
    document, panel = placed.bench.document, placed.features["placing"].joint_panel
    document.select("joints/knee_r")
    QTest.mouseClick(panel.motors[0], LEFT)
    (driver,) = document.project.drivers
    assert (driver.joint, driver.axis) == ("knee_r", "angle")
    assert document.selection == f"drivers/{driver.id}"
    assert document.history.count() == 1
    document.select("joints/knee_r")
    assert panel.motors[0].isChecked()
    QTest.mouseClick(panel.motors[0], LEFT)
    assert document.selection == f"drivers/{driver.id}"
    assert document.history.count() == 1, "an axis is driven once"
    kinds = {item.shape.kind for item in placed.bench.viewport.stage.items}
    assert "motor" in kinds
    document.select("joints/neck_top")
    assert not any(motor.isVisible() for motor in panel.motors), "a ball has no axis to drive"


@pytest.mark.own_window
@pytest.mark.window
def test_a_body_is_seen_before_it_is_there_and_goes_as_a_whole(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    before = document.project
    dialog = placed.features["placing"].insert_body()
    assert "segments/man_head" in view.stage.middles()
    assert document.project is before
    dialog.fields.who.setCurrentIndex(dialog.fields.who.findData("woman"))
    dialog.preview()
    assert "segments/woman_head" in view.stage.middles()
    assert "segments/man_head" not in view.stage.middles()
    dialog.reject()
    assert "segments/woman_head" not in view.stage.middles()
    dialog = placed.features["placing"].insert_body()
    dialog.accept()
    assert document.selection == "segments/man_lower_torso"
    assert document.history.count() == 1
    placed.features["elements"].undo()
    assert document.project == before


def seen_of(dialog: Any, view: Any) -> tuple[str, QPoint]:
    """Give a segment of the previewed body that nothing hides, and where it is seen."""
    for name in sorted(dialog._new):
        place = view.pixel_of(name)
        if place is not None and view.element_at(place) == name:
            return name, place.toPoint()
    raise AssertionError("nothing of the body can be seen")


@pytest.mark.own_window
@pytest.mark.window
def test_a_body_is_carried_to_its_place_with_the_mouse(placed: Any) -> None:
    document, view = placed.bench.document, placed.bench.viewport
    document.select("belts/lap")
    before = document.project
    dialog = placed.features["placing"].insert_body()
    assert placed.features["placing"].move.grips == (), "what is selected has no handles meanwhile"
    view.fit()
    was = dialog.person
    # by itself: what was taken stays under the mouse
    name, start = seen_of(dialog, view)
    QTest.mousePress(view, LEFT, pos=start)
    for k in range(1, 5):
        QTest.mouseMove(view, start + QPoint(12 * k, -8 * k))
    assert "faces" in dialog.fields.place_text()
    QTest.mouseRelease(view, LEFT, pos=start + QPoint(48, -32))
    now = view.pixel_of(name)
    assert abs(now.x() - start.x() - 48) < 5
    assert abs(now.y() - start.y() + 32) < 5
    assert dialog.person.place_m != was.place_m
    assert dialog.fields.place_m() == pytest.approx(dialog.person.place_m, abs=1e-6)
    # along an axis of its carrier, in round steps
    was = dialog.person
    handles = dialog.carrying.handles()
    start = at(handles.point_of(Part("axis", 0), view.lens))
    drag(view, start, QPoint(60, 20), Qt.KeyboardModifier.ControlModifier)
    by = np.subtract(dialog.person.place_m, was.place_m)
    assert abs(by[0]) > 0.015
    assert by[0] / 0.01 == pytest.approx(round(by[0] / 0.01), abs=1e-6)
    assert np.allclose(by[1:], 0.0)
    # by its ring
    start = at(dialog.carrying.handles().point_of(Part("turn", 2), view.lens))
    middle = at(view.lens.pixel(dialog.carrying.handles().p_W))
    drag(view, start, QPoint(middle.y() - start.y(), start.x() - middle.x()) / 2)
    assert abs(dialog.person.facing_rad - was.facing_rad) > 0.1
    assert document.project is before
    dialog.accept()
    assert document.history.count() == 1
    pose = pose_at_start(document.project)
    hips = pose["man_lower_torso"].p_W
    assert np.linalg.norm(hips - dialog.carrying.handles().p_W) < 0.2
    assert dialog.carrying not in view.tools
    assert placed.features["placing"].move.grips, "what is selected has handles again"


@pytest.mark.own_window
@pytest.mark.window
def test_esc_brings_a_carried_body_back(placed: Any) -> None:
    view = placed.bench.viewport
    dialog = placed.features["placing"].insert_body()
    view.fit()
    was = dialog.person
    _, start = seen_of(dialog, view)
    drag(view, start, QPoint(60, 0), release=False)
    assert dialog.person != was
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=start)
    assert dialog.person.place_m == pytest.approx(was.place_m, abs=1e-3)
    assert not dialog.is_over
    dialog.reject()
    assert dialog.carrying not in view.tools


@pytest.mark.own_window
@pytest.mark.window
def test_settling_is_shown_and_taken_over_as_one_step(
    window: Any, tmp_path: Any, qtbot: Any
) -> None:
    from solver.base.places import samples

    window.open_file(samples() / "sled.json")
    document = window.bench.document
    before = document.project
    dialog = window.features["placing"].settle()
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=240_000)
    assert dialog.before is not None
    assert not dialog.apply_button.isEnabled()
    dialog.settle_button.click()
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=240_000)
    assert dialog.settlement is not None, dialog.verdict.text()
    top = dialog.table.topLevelItem(0)
    assert top.child(0).text(1)
    assert top.child(0).text(2)
    assert document.project is before
    dialog.apply_button.click()
    assert document.history.undoText() == "Settle the start"
    placed_now = pose_at_start(document.project)
    assert not np.allclose(
        placed_now["lower_torso"].p_W, pose_at_start(before)["lower_torso"].p_W, atol=1e-7
    )
    window.features["elements"].undo()
    assert document.project == before


@pytest.mark.window
def test_hidden_things_cannot_be_seen_or_clicked(placed: Any) -> None:
    view, looks = placed.bench.viewport, placed.features["view"].visibility
    head = view.pixel_of("segments/head")
    placed.bench.document.select("segments/head")
    looks.hide()
    assert view.element_at(head) != "segments/head"
    looks.show_all()
    assert view.element_at(head) == "segments/head"
    looks.isolate()
    assert set(view.stage.middles()) == {"segments/head"}
    looks.show_all()
    assert len(view.stage.middles()) > 20
    looks.cut()
    assert view.stage.visibility.axis == 0
    for _ in range(3):
        looks.cut()
    assert view.stage.visibility.axis == -1


@pytest.mark.own_window
@pytest.mark.window
def test_a_box_selects_what_lies_inside(placed: Any) -> None:
    view = placed.bench.viewport
    placed.features["view"].show_joints(False)
    everything = QRectF(view.rect())
    inside = placed.features["placing"].boxing.inside(everything)
    assert {"segments/head", "belts/lap", "planes/floor"} <= set(inside)
    head = view.pixel_of("segments/head").toPoint()
    drag(view, head - QPoint(12, 12), QPoint(24, 24), Qt.KeyboardModifier.ShiftModifier)
    assert placed.bench.document.chosen == ("segments/head",)


@pytest.mark.window
def test_two_clicks_measure(placed: Any) -> None:
    view, tool = placed.bench.viewport, placed.features["placing"].measuring
    tool.toggle()
    for element in ("segments/head", "segments/foot_r"):
        QTest.mouseClick(view, LEFT, pos=view.pixel_of(element).toPoint())
    pose = pose_at_start(placed.bench.document.project)
    apart = np.linalg.norm(pose["head"].p_W - pose["foot_r"].p_W)
    assert float(tool.words().split()[0]) == pytest.approx(1e3 * float(apart), abs=200.0)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not tool.is_on


@pytest.mark.window
def test_the_cube_and_the_bar(placed: Any) -> None:
    view, cube, bar = (
        placed.bench.viewport,
        placed.features["placing"].cube,
        placed.features["placing"].scale_bar,
    )
    for name in ("front", "side", "back", "left", "top", "bottom"):
        view.look(name)
        assert cube.side_at(view.width() - 56, 56) == name
    view.look("iso")
    seen = {side for side, _, _ in cube._seen()}
    assert seen == {"front", "side", "top"}
    pixels, words = bar.length(0.002)
    assert (pixels, words) == (pytest.approx(100.0), "200 mm")
