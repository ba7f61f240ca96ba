"""Two runs in two views: one timeline, one camera, names, and the way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.run_view.record import RunRecord
from app.scene.key import Area, Key, Ramp, Scale, Sign, Words, flat_sheet, sheet
from app.scene.viewport import Viewport
from tests.window.solving import CATCH, solved
from tests.window.waiting import turns, until_active

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def two(window: Any, qtbot: Any) -> Any:
    """Give a window with two runs of unlike length; the newer one is current."""
    solved(window, qtbot)
    window.bench.document.edit("runs/0/duration_s", 0.08, "Shorten")
    window.bench.document.edit("segments/head/mass_kg", 9.0, "Heavier")
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    window.bench.run_view.player.pause()
    window.bench.run_view.go(0.06)
    return window


def place_of(view: Any, element: str) -> Any:
    return view.stage.place_of(element)


def opened(two: Any) -> tuple[Any, Any]:
    two.menus.run("view.beside")
    return two.bench.viewport, two.bench.views.second


def test_one_view_stays_one_until_another_run_is_asked_for(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    assert window.bench.views.all == (window.bench.viewport,)
    assert not window.menus.entries["view.beside"].isEnabled(), "there is no other run"
    assert len(window.findChildren(Viewport)) == 1
    window.features["beside"].toggle()
    assert not window.features["beside"].is_open
    assert "no other run" in window.status.words.text()


def test_both_show_the_same_instant_of_their_own_runs(two: Any, qtbot: Any) -> None:
    first, second = two.bench.run_view.runs.records
    here, there = opened(two)
    assert two.features["beside"].record is first
    assert [p.name.text() for p in two.features["beside"].plates] == [second.name, first.name]
    for t in (0.02, 0.07):
        two.bench.run_view.go(t)
        for view, record in ((here, second), (there, first)):
            table = record.trajectory.table("segments")
            row = int(np.abs(record.trajectory.time - t).argmin())
            head = table["position"][row, table.ids.index("head")]
            assert view.stage.pose["head"].p_W == pytest.approx(head, abs=2e-3)
    assert not np.allclose(place_of(here, "segments/head"), place_of(there, "segments/head"))
    two.bench.run_view.player.play()
    assert not here.picture._flows, "one would be a picture behind the other"
    qtbot.waitUntil(lambda: two.bench.run_view.player.time != 0.07, timeout=20_000)
    two.bench.run_view.player.pause()
    shown = there.stage.pose["head"].p_W
    two.bench.run_view.look_again()
    assert np.allclose(shown, there.stage.pose["head"].p_W)


def test_whoever_turns_the_camera_turns_it_for_both(two: Any) -> None:
    here, there = opened(two)
    for view in (here, there):
        before = (here.lens.camera.azimuth, there.lens.camera.azimuth)
        assert before[0] == before[1]
        middle = view.rect().center() + QPoint(0, 60)
        QTest.mousePress(view, LEFT, pos=middle)
        for k in range(1, 5):
            QTest.mouseMove(view, middle + QPoint(9 * k, 4 * k))
        QTest.mouseRelease(view, LEFT, pos=middle + QPoint(36, 16))
        assert here.lens.camera.azimuth == there.lens.camera.azimuth != before[0]
    other = there.picture.drawn
    at = QPointF(here.rect().center())
    wheel = QWheelEvent(
        at, here.mapToGlobal(at), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(here, wheel)
    QApplication.processEvents()
    assert there.picture.drawn > other, "the other view is drawn again"
    two.menus.run("view.side")
    assert here.lens.camera.elevation == there.lens.camera.elevation == 0.0
    assert here.lens.camera is there.lens.camera


def test_what_is_chosen_seen_and_hidden_is_so_in_both(two: Any) -> None:
    here, there = opened(two)
    two.bench.run_view.go(0.002)
    at = there.pixel_of("segments/head").toPoint()
    QTest.mouseClick(there, LEFT, pos=at)
    assert two.bench.document.selection == "segments/head"
    assert here.stage.selected == there.stage.selected == "segments/head"
    here_scale, there_scale = (v.stage.overlays.key.scales[0] for v in (here, there))
    tops = [
        float(r.trajectory.table("airbags")["pressure"].max())
        for r in two.bench.run_view.runs.records
    ]
    assert here_scale == there_scale
    assert float(here_scale.top) >= 1e-3 * max(tops)
    two.features["view"].visibility.hide()
    for view in (here, there):
        heads = [i for i in view.stage.items if i.shape.element == "segments/head"]
        assert heads
        assert not any(item.is_seen for item in heads)
    two.menus.run("view.trail")
    assert list(there.stage.overlays.trails) == ["head"]


@pytest.mark.parametrize("way", ["esc", "button", "menu", "panel"])
def test_there_is_a_way_out(two: Any, qtbot: Any, way: str) -> None:
    here, _ = opened(two)
    # two views need more room than one
    turns()
    wide = two.bench.views.width()
    two.bench.document.select("")
    plate = two.features["beside"].plates[1]
    if way == "esc":
        two.activateWindow()
        until_active(two)
        here.setFocus()
        QTest.keyClick(here, Qt.Key.Key_Escape)
    elif way == "button":
        QTest.mouseClick(plate.button, LEFT)
    elif way == "menu":
        two.menus.run("view.beside")
    else:
        two.panels.open("runs")
        assert two.panels["runs"].beside.isChecked()
        QTest.mouseClick(two.panels["runs"].beside, LEFT)
    assert not two.features["beside"].is_open
    assert two.bench.views.all == (here,)
    qtbot.waitUntil(lambda: here.width() == wide, timeout=20_000)
    assert not two.panels["runs"].beside.isChecked()
    assert not two.menus.entries["view.beside"].isChecked()
    two.bench.run_view.go(0.03)
    assert len(two.findChildren(Viewport)) == 1


def test_the_runs_panel_shows_two_chosen_runs_side_by_side(two: Any) -> None:
    first, second = two.bench.run_view.runs.records
    two.panels.open("runs")
    two.bench.run_view.set_ghost(first)
    assert two.panels["runs"].beside.isEnabled()
    QTest.mouseClick(two.panels["runs"].beside, LEFT)
    assert (two.bench.run_view.runs.current, two.features["beside"].record) == (second, first)
    assert two.bench.run_view.ghost is None, "it is seen in a view of its own now"
    menu = two.panels["runs"].menu_of(first)
    action = next(a for a in menu.actions() if a.text() == "Close the view of this run")
    action.trigger()
    assert not two.features["beside"].is_open
    menu = two.panels["runs"].menu_of(first)
    words = "Show beside the current run, in a view of its own"
    next(a for a in menu.actions() if a.text() == words).trigger()
    assert two.features["beside"].record is first
    action = next(a for a in two.panels["runs"].menu_of(second).actions() if a.text() == words)
    assert not action.isEnabled(), "the current run is seen already"


def test_choosing_the_other_run_lets_them_change_places(two: Any) -> None:
    first, second = two.bench.run_view.runs.records
    opened(two)
    two.bench.run_view.runs.show(first)
    assert two.features["beside"].record is second
    assert [p.name.text() for p in two.features["beside"].plates] == [first.name, second.name]
    two.bench.run_view.go(0.1)
    assert two.features["beside"].plates[1].remark.text() == "ended at 80 ms"
    assert two.features["beside"].plates[0].remark.text() == ""
    two.bench.run_view.runs.remove(second)
    assert not two.features["beside"].is_open


def test_the_model_is_seen_alone_and_the_runs_come_back(two: Any) -> None:
    _, there = opened(two)
    two.bench.run_view.switch(False)
    assert not there.isVisible()
    assert not any(plate.isVisible() for plate in two.features["beside"].plates)
    two.bench.run_view.switch(True)
    assert there.isVisible()
    assert all(plate.isVisible() for plate in two.features["beside"].plates)
    two.bench.document.history.setClean()
    two.open_file(CATCH)
    assert not two.features["beside"].is_open


def test_a_narrow_view_has_a_flat_key() -> None:
    kinds = ("contacts", "webbing", "airbags")
    signs = tuple(Sign(kind, "#000000", kind) for kind in kinds)  # type: ignore[arg-type]
    scales = tuple(Scale(f"{n} (N)", ("#000000", "#ffffff"), "8") for n in ("One", "Two"))
    key = Key(scales, signs, "note")
    high, flat = sheet(key), flat_sheet(key)
    assert flat.height < 0.7 * high.height
    assert flat.width > high.width
    for made in (high, flat):
        assert {type(p) for p in made.parts} == {Words, Area, Ramp}
        for part in made.parts:
            right = {
                Words: lambda p: p.x,
                Area: lambda p: max(x for x, _ in p.corners),
                Ramp: lambda p: p.x + p.width,
            }[type(part)](part)
            assert 0.0 < right <= made.width
    assert sheet(Key()).height == flat_sheet(Key()).height == 0.0


def test_a_new_run_is_followed_in_the_first_view_while_the_other_stays(
    two: Any, qtbot: Any
) -> None:
    here, there = opened(two)
    other = two.features["beside"].record
    two.bench.run_view.run()
    qtbot.waitUntil(lambda: two.bench.run_view.runs.running() is None, timeout=240_000)
    two.bench.run_view.player.pause()
    newest = two.bench.run_view.runs.records[-1]
    assert (two.bench.run_view.runs.current, two.features["beside"].record) == (newest, other)
    assert [p.name.text() for p in two.features["beside"].plates] == [newest.name, other.name]
    two.bench.run_view.go(0.05)
    for view, record in ((here, newest), (there, other)):
        table = record.trajectory.table("segments")
        row = int(np.abs(record.trajectory.time - 0.05).argmin())
        head = table["position"][row, table.ids.index("head")]
        assert view.stage.pose["head"].p_W == pytest.approx(head, abs=2e-3)


@pytest.mark.parametrize("how", ["beside", "faintly"])
def test_time_runs_to_the_end_of_the_longer_run(two: Any, qtbot: Any, how: str) -> None:
    longer, shorter = two.bench.run_view.runs.records
    run_view, timeline = two.bench.run_view, two.panels["timeline"]
    assert run_view.player.end == pytest.approx(0.08)
    if how == "beside":
        opened(two)
    else:
        run_view.set_ghost(longer)
    assert run_view.player.end == timeline.bar.end == pytest.approx(longer.duration_s) == 0.2
    assert timeline.bar.solved == pytest.approx(0.08)
    assert f"{shorter.name} ends" in [mark.words for mark in timeline.bar.marks]
    run_view.go(0.15)
    assert run_view.player.time == pytest.approx(0.15)
    assert shorter.name in two.status.words.text()
    last = run_view.replay.motion.pose(0.08)["head"].p_W
    assert two.bench.viewport.stage.pose["head"].p_W == pytest.approx(last)
    run_view.player.set_speed(0.5)
    run_view.player.play()
    qtbot.waitUntil(lambda: run_view.player.time > 0.16, timeout=20_000)
    run_view.player.pause()
    if how == "beside":
        two.features["beside"].close()
    else:
        run_view.set_ghost(None)
    assert run_view.player.end == pytest.approx(0.08)
    assert run_view.player.time <= 0.08 + 1e-12
    assert not any(mark.kind == "end" for mark in timeline.bar.marks)


def test_four_runs_are_seen_in_sync(two: Any, qtbot: Any) -> None:
    run_view, beside, views = two.bench.run_view, two.features["beside"], two.bench.views
    first, second = run_view.runs.records
    more = [RunRecord(name, one.project, opened=one.trajectory) for name, one in (("Third", first), ("Fourth", second))]  # fmt: skip
    for one in more:
        run_view.runs.add(one)
    run_view.runs.show(second)
    two.menus.run("view.beside_four")
    turns()
    assert [one.record for one in beside.shown] == [more[1], more[0], first]
    assert [plate.name.text() for plate in beside.plates] == [second.name, "Fourth", "Third", first.name]  # fmt: skip
    corners = [view.mapTo(views, QPoint()) for view in views.all]
    assert corners[0].y() == corners[1].y() < corners[2].y() == corners[3].y()
    assert corners[0].x() == corners[2].x() < corners[1].x() == corners[3].x()
    sizes = [view.width() * view.height() for view in views.all]
    assert max(sizes) < 1.1 * min(sizes)
    assert len({id(view.lens.camera) for view in views.all}) == 1
    for t in (0.02, 0.07):
        run_view.go(t)
        for view, record in zip(views.all, (second, more[1], more[0], first), strict=True):
            table = record.trajectory.table("segments")
            row = int(np.abs(record.trajectory.time - t).argmin())
            head = table["position"][row, table.ids.index("head")]
            assert view.stage.pose["head"].p_W == pytest.approx(head, abs=2e-3)
    tops = {one.overlays.key.scales for one in (view.stage for view in views.all)}
    assert len(tops) == 1, "colours mean the same in all"
    wide = views.width()
    run_view.switch(False)
    qtbot.waitUntil(lambda: views.first.width() == wide, timeout=20_000)
    assert not any(view.isVisible() for view in views.others)
    run_view.switch(True)
    # the run of one of them becomes the current one: they change places
    run_view.runs.show(more[0])
    assert [one.record for one in beside.shown] == [more[1], second, first]
    QTest.mouseClick(beside.plates[1].button, LEFT)
    assert [one.record for one in beside.shown] == [second, first]
    assert len(two.findChildren(Viewport)) == 3
    run_view.runs.remove(second)
    assert [one.record for one in beside.shown] == [first]
    two.bench.document.select("")
    two.activateWindow()
    until_active(two)
    views.first.setFocus()
    QTest.keyClick(views.first, Qt.Key.Key_Escape)
    assert views.all == (views.first,)
