"""Ready parts of the library: where they go, then hands in a real window."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.editing.from_library import Pick, at_origin, dropped_pick, first_pick, inserted
from app.elements import find
from app.features.placing import library_tree
from app.features.placing.library_tree import SIZE, thumbnail
from app.widgets.carrying import PART, packed
from solver.bodies.library import LibraryError, entries, entry
from solver.editing.seating import Person, placed, sat_on
from solver.editing.seating import inserted as with_person
from solver.project import Project, validated
from solver.project.checks import check
from solver.project.pose import plane_corners
from solver.project.saving import plain
from solver.project.segments import GROUND
from solver.scene.placing import pose_at_start
from tests.rows import rows
from tests.window.seated import seated
from tests.window.waiting import turns


def with_seat() -> Project:
    return inserted(Project(), first_pick(Project(), "car_seat"))[0]


@cache
def with_man() -> Project:
    project = with_seat()
    return with_person(project, placed(project, Person()))[0]


@cache
def with_child() -> Project:
    return with_person(with_seat(), placed(with_seat(), Person(who="hybrid_iii_3y")))[0]


def test_hips_go_to_the_middle_of_a_seat_whichever_corner_comes_first() -> None:
    place = sat_on(with_seat(), GROUND)
    assert place is not None
    # the entry is counted from the hips of who sits there
    assert np.allclose(place[:2], 0.0, atol=0.03)


def test_legs_that_hang_before_a_seat_do_not_turn_it_round() -> None:
    """Two of the five surfaces that may touch the cushion start below it, the others on it."""
    assert "plane-faces-away" not in {one.code for one in check(with_man())}


def test_a_belt_goes_to_the_hips_of_its_occupant() -> None:
    project = with_man()
    pick = first_pick(project, "three_point_plain_left")
    assert pick.on == "man"
    hip = find(project, "joints/man_left_hip")
    assert hip is not None
    done, new = inserted(project, pick)
    assert new[0] == "harnesses/belt_three_point_belt"
    straps = done.harnesses[0].straps
    assert len(straps) == 2
    middle = pose_at_start(project)["man_lower_torso"].p_W
    assert np.linalg.norm(np.array(pick.place_m) - middle) < 0.15
    again, newer = inserted(done, pick)
    assert newer[0].startswith("harnesses/belt2_")
    assert len(again.harnesses) == 2


def in_car(*, driven: bool) -> Project:
    """Give a man in a car, which a motion drives, or which begins with a speed."""
    data = plain(with_man())
    data["segments"].append({"id": "car", "mass_kg": 900.0, "inertia_kgm2": [9.0, 9.0, 9.0]})
    for root in data["initial"]["roots"]:
        root["moves_with"] = "car"
    if driven:
        data["motions"] = [
            {
                "id": "pulse",
                "segment": "car",
                "components": [
                    {
                        "component": "x",
                        "pulse": {"kind": "half_sine", "amplitude": 9.0, "duration_s": 0.1},
                    }
                ],
            }
        ]
    return validated(data)


@pytest.mark.parametrize("driven", [True, False])
@pytest.mark.parametrize("part", ["car_seat", "three_point_plain_left"])
def test_parts_of_a_car_and_belts_in_it_move_with_it(part: str, driven: bool) -> None:
    assert first_pick(in_car(driven=driven), part).carrier == "car"


def test_what_holds_somebody_moves_with_what_that_one_moves_with() -> None:
    data = plain(in_car(driven=True))
    data["segments"].append({"id": "bus", "mass_kg": 900.0, "inertia_kgm2": [9.0, 9.0, 9.0]})
    data["initial"]["roots"][0]["moves_with"] = "bus"
    project = validated(data)
    assert first_pick(project, "three_point_plain_left").carrier == "bus"
    assert first_pick(with_man(), "car_seat").carrier == GROUND


def test_a_pulse_takes_what_stands_on_ground_along() -> None:
    project = with_man()
    done, new = inserted(project, first_pick(project, "car_full_width_56"))
    assert new[0].startswith("motions/")
    assert done.motions[0].segment == "vehicle"
    assert {plane.segment for plane in done.planes} == {"vehicle"}


def test_a_law_is_there_once() -> None:
    project, new = inserted(Project(), first_pick(Project(), "padded_wall"))
    assert new[0].startswith("contact_laws/")
    with pytest.raises(LibraryError, match="already"):
        inserted(project, first_pick(project, "padded_wall"))


@rows("id_", [one.id for one in entries()])
def test_every_entry_goes_into_a_model_with_a_body(id_: str) -> None:
    project = with_child() if id_ == "five_point_child" else with_man()
    there = {law.id for law in project.contact_laws}
    laws = {law.id for law in entry(id_).fragment.contact_laws}
    if laws & there and not entry(id_).origin:
        with pytest.raises(LibraryError, match="already"):
            inserted(project, first_pick(project, id_))
        return
    done, new = inserted(project, at_origin(project, first_pick(project, id_)))
    assert new
    validated(done.model_dump(mode="json", exclude_none=True))


def test_an_entry_is_put_and_turned() -> None:
    pick = Pick("car_seat", place_m=(1.0, 0.5, -0.2), facing_rad=np.pi / 2)
    done, new = inserted(Project(), pick)
    assert new[0].startswith("planes/")
    place = sat_on(done, GROUND)
    assert place is not None
    assert np.allclose(place[:2], (1.0, 0.5), atol=0.1)


def test_what_is_let_go_stands_where_the_mouse_is() -> None:
    """Let a seat go on the ground: the middle of its foot is there. Over the car: the car carries it."""
    pick = dropped_pick(Project(), "car_seat", "", np.array([2.0, -1.0, 0.4]))
    done, _ = inserted(Project(), pick)
    corners = np.array(
        [
            corner + a * edge + b * other
            for plane in done.planes
            for corner, edge, other in (plane_corners(plane),)
            for a in (0, 1)
            for b in (0, 1)
        ]
    )
    middle = 0.5 * (corners.min(0) + corners.max(0))
    assert (middle[0], middle[1], corners[:, 2].max()) == pytest.approx((2.0, -1.0, 0.4), abs=1e-4)
    car = in_car(driven=True)
    there = dropped_pick(car, "car_seat", "segments/car", np.array([0.0, 0.0, 0.4]))
    assert (there.carrier, there.place_m[2]) == ("car", pytest.approx(pick.place_m[2], abs=1e-4))


def test_what_is_let_go_over_somebody_goes_where_it_belongs_there() -> None:
    project = with_man()
    for part in ("three_point_plain_left", "driver_airbag", "car_seat"):
        pick = dropped_pick(project, part, "segments/man_head", np.array([0.0, 0.0, -1.0]))
        assert pick == first_pick(project, part)


def test_what_is_not_counted_from_hips_is_put_at_no_hips() -> None:
    project = with_man()
    picks = [first_pick(project, one.id) for one in entries()]
    for pick in picks:
        at_hips = entry(pick.entry).at_hips and pick.on is not None
        assert (at_origin(project, pick).place_m != (0.0, 0.0, 0.0)) == at_hips, pick.entry
    assert {entry(one.entry).at_hips for one in picks if one.on is not None} == {True, False}
    (seat, *_) = (one.entry for one in picks if entry(one.entry).at_hips)
    assert at_origin(Project(), Pick(seat, GROUND, None)).place_m == (0.0, 0.0, 0.0)


def test_every_entry_has_a_picture_of_its_own() -> None:
    """Draw some of each kind: neither empty nor full, and unlike each other."""
    seen = []
    for id_ in ("car_seat", "car_driver", "driver_airbag", "lap_belt", "half_sine", "gym_mat"):
        found = thumbnail(id_)
        assert found.shape == (2 * SIZE[1], 2 * SIZE[0], 4)
        assert 0.01 < float((found[..., 3] > 0).mean()) < 0.9, id_
        seen.append(found.tobytes())
    assert len(set(seen)) == len(seen)


@pytest.mark.window
def test_a_part_is_dragged_into_the_scene(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Take a seat's picture by the mouse, carry it over the scene, let it go; and take it back."""
    QTest.mouseClick(window.panels["welcome"].templates["empty"], Qt.MouseButton.LeftButton)
    document, view = window.bench.document, window.bench.viewport
    before = document.project
    carried: list[list[str]] = []
    monkeypatch.setattr(library_tree, "carry", lambda _, ids, kind: carried.append([kind, *ids]))
    dialog = window.features["placing"].insert_part()
    tree = dialog.entries.tree
    item = dialog.entries._items["car_seat"]
    qtbot.waitUntil(lambda: "car_seat" not in dialog.entries._waiting, timeout=60000)
    spot = tree.visualItemRect(item).center()
    QTest.mousePress(tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    for step in range(1, 6):
        QTest.mouseMove(tree.viewport(), spot + QPoint(8 * step, 0))
        turns()
    qtbot.waitUntil(lambda: bool(carried), timeout=20_000)
    QTest.mouseRelease(tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert carried == [[PART, "car_seat"]]
    dialog.entries.choose("car_driver")

    what = packed(PART, ["car_seat"])
    hand = (Qt.DropAction.CopyAction, what, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)  # fmt: skip
    at = QPoint(view.width() // 3, 2 * view.height() // 3)
    enter = QDragEnterEvent(at, *hand)
    QApplication.sendEvent(view, enter)
    assert enter.isAccepted()
    shown = view.stage.place_of
    qtbot.waitUntil(lambda: shown("planes/seat_seat_pan") is not None, timeout=20_000)
    QApplication.sendEvent(view, QDragLeaveEvent())
    assert shown("planes/seat_seat_pan") is None
    QApplication.sendEvent(view, QDragEnterEvent(at, *hand))
    ground = view.stage.ground_place
    QApplication.sendEvent(view, QDropEvent(QPointF(at), *hand))
    assert len(document.project.planes) == 3
    assert not dialog.isVisible()
    assert not view.acceptDrops()
    found = pose_at_start(document.project)
    foot = max(float(found[p.segment].of(plane_corners(p)[0])[2]) for p in document.project.planes)
    assert foot >= float(ground[2]) - 0.5
    document.undo()
    assert document.project is before


@pytest.mark.window
def test_a_seat_is_found_shown_and_put_in_by_keys(window: Any, qtbot: Any) -> None:
    QTest.mouseClick(window.panels["welcome"].templates["empty"], Qt.MouseButton.LeftButton)
    document = window.bench.document
    before = document.project
    dialog = window.features["placing"].insert_part()
    assert not dialog.insert.isEnabled()
    QTest.keyClicks(dialog.entries.search, "car seat front 20")
    assert dialog.pick is not None
    assert dialog.pick.entry == "car_seat"
    assert dialog.insert.isEnabled()
    # the scene shows it, the model does not have it yet
    seen = window.bench.viewport.stage.place_of("planes/seat_seat_pan")
    assert seen is not None
    assert document.project is before
    dialog.place[1].setValue(300.0)
    dialog.preview()
    moved = window.bench.viewport.stage.place_of("planes/seat_seat_pan")
    assert moved[1] - seen[1] == pytest.approx(0.3)
    dialog._carry(np.array([0.5, 0.0, 0.0]), 0.0)
    assert [field.metres for field in dialog.place] == [0.5, 0.0, 0.0]
    dialog.reject()
    assert document.project is before
    assert window.bench.viewport.stage.place_of("planes/seat_seat_pan") is None
    assert not any(tool is dialog.carrying for tool in window.bench.viewport.tools)

    dialog = window.features["placing"].insert_part()
    dialog.entries.choose("car_seat")
    dialog.accept()
    assert len(document.project.planes) == 3
    assert document.selection.startswith("planes/")
    document.undo()
    assert document.project is before


@pytest.mark.window
def test_a_belt_asks_for_somebody_first(window: Any, qtbot: Any) -> None:
    QTest.mouseClick(window.panels["welcome"].templates["empty"], Qt.MouseButton.LeftButton)
    dialog = window.features["placing"].insert_part()
    dialog.entries.choose("lap_belt")
    assert "body first" in dialog.remark.text()
    assert not dialog.insert.isEnabled()
    dialog.entries.search.setText("no such thing at all")
    assert dialog.entries.visible() == []
    assert dialog.entries.nothing.isVisible()
    dialog.reject()
    window.bench.document.adopt(validated(seated()))
