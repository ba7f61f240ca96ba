"""Results beside the fields: what stands there follows selection, run, instant and units; it goes to the plots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.curves.curves import Curve, Wanted, numbers
from app.curves.offers import readings
from app.features.inspector import panel as inspector
from app.features.inspector.readings import ReadingRow, Readings
from app.widgets.carrying import QUANTITY, names_in
from solver.base.places import samples
from solver.project import load_project
from solver.project.joint_table import row_of
from solver.results.layout import FRAME_GROUPS
from solver.results.quantities import QuantityInfo, component_names, quantities
from tests.window.solving import solved

pytestmark = pytest.mark.window


@pytest.fixture
def run(lasting_window: Any, qtbot: Any) -> tuple[Any, Any]:
    """Give the window and the run of the airbag's catch, which is solved once."""
    current = lasting_window.bench.run_view.runs.current or solved(lasting_window, qtbot)
    # the page that says what happened stands before the fields, until something in the scene is clicked
    lasting_window.panels.open("inspector")
    return lasting_window, current


def shown(window: Any) -> Readings:
    found: Readings = window.panels["inspector"].findChild(Readings)
    return found


def row(window: Any, words: str) -> ReadingRow:
    return next(one for one in shown(window).rows if one.words == words)


def test_values_of_the_selected_part_follow_the_instant(run: tuple[Any, Any]) -> None:
    window, record = run
    run_view, segment = window.bench.run_view, record.project.segments[0].id
    window.bench.document.select(f"segments/{segment}")
    run_view.go(0.03)
    ask = quantities(record.trajectory)
    for t in (0.03, 0.065):
        run_view.go(t)
        for words, name, scale in (
            ("acceleration", "acceleration/resultant", 1.0 / 9.80665),
            ("speed", "velocity/resultant", 1.0),
        ):
            channel = ask(f"segments/{segment}/{name}")
            expected = scale * np.interp(t, channel.time, channel.value)
            value, unit = row(window, words).value.split(" ")
            assert float(value) == pytest.approx(expected, rel=1e-3), words
            assert unit == {"acceleration": "g", "speed": "m/s"}[words]
        assert f"{1e3 * t:.1f} ms" in shown(window).title.text()
    places = row(window, "position x, y, z")
    assert [name.rpartition("/")[2] for name in places.names] == ["x", "y", "z"]
    assert places.value.count(",") == 2
    assert places.accessibleDescription() == places.value


def test_results_and_users_have_a_turn_of_their_own_and_nothing_is_seen_to_jump(
    run: tuple[Any, Any], qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A selection shows the fields; what takes as long besides comes behind, or as soon as anybody asks."""
    window, record = run
    panel, document = window.panels["inspector"], window.bench.document
    first, other = (f"segments/{one.id}" for one in record.project.segments[:2])
    window.bench.run_view.go(0.03)
    document.select(first)
    QApplication.processEvents()
    done: list[str] = []
    fetched, used_by = Readings._fetched, inspector.used_by

    def noted(self: Readings) -> Any:
        done.append(f"results of {self.path}")
        return fetched(self)

    def found(project: Any, path: str, uses: Any) -> Any:
        done.append(f"users of {path}")
        return used_by(project, path, uses)

    monkeypatch.setattr(Readings, "_fetched", noted)
    monkeypatch.setattr(inspector, "used_by", found)
    document.select(other)
    assert panel.form.path == other
    assert done == []
    assert not panel.area.updatesEnabled()
    # what is done later is done when nothing else is left to do, however long that takes
    qtbot.waitUntil(lambda: len(done) >= 2 and panel.area.updatesEnabled(), timeout=240_000)
    assert sorted(done) == [f"results of {other}", f"users of {other}"]
    assert panel.area.updatesEnabled()
    done.clear()
    document.select(first)
    assert shown(window).rows
    assert panel.users.links
    assert sorted(done) == [f"results of {first}", f"users of {first}"]
    assert panel.area.updatesEnabled()
    for timer in panel.findChildren(QTimer):
        assert not timer.isActive(), "nothing is left for later"
    QApplication.processEvents()
    assert len(done) == 2, "each once"


def test_what_rounding_leaves_is_written_as_zero() -> None:
    """Beside a pitch of 14 degrees a yaw of a billionth of a billionth is none; alone it stays what it is."""
    time = np.array([0.0, 10.0])
    yaw, pitch = (
        Curve(Wanted(name, None), name, "°", time, np.array(values))
        for name, values in (("yaw", [-7.8e-19, -7.8e-19]), ("pitch", [-14.0, 2.0]))
    )
    assert numbers((yaw, pitch), 0.0) == "0, -14"
    assert numbers((yaw,), 0.0) == "-7.8e-19"
    assert numbers((pitch,), 0.01) == "2"
    nothing = Curve(Wanted("roll", None), "roll", "°", time, np.full(2, np.nan))
    assert numbers((nothing, pitch), 0.0) == "–, -14"


def test_a_click_in_the_scene_brings_them_to_the_front(run: tuple[Any, Any]) -> None:
    window, record = run
    window.panels.show_mood("understand")
    window.panels.open("result")
    assert not window.panels.is_front("inspector")
    window.bench.viewport.clicked.emit("")
    assert not window.panels.is_front("inspector"), "nothing was clicked"
    window.bench.viewport.clicked.emit(f"segments/{record.project.segments[0].id}")
    assert window.panels.is_front("inspector")


def test_they_stand_beside_a_run_alone_and_not_while_one_builds(run: tuple[Any, Any]) -> None:
    window, record = run
    run_view = window.bench.run_view
    window.bench.document.select(f"segments/{record.project.segments[0].id}")
    run_view.go(0.03)
    assert shown(window).isVisible()
    run_view.switch(False)
    assert not shown(window).isVisible()
    run_view.switch(True)
    assert shown(window).isVisible()
    window.bench.document.select("")
    assert not shown(window).isVisible()


def test_a_click_and_a_key_draw_a_row_in_the_plots(run: tuple[Any, Any]) -> None:
    window, record = run
    bag = record.project.airbags[0].id
    window.bench.document.select(f"airbags/{bag}")
    window.bench.run_view.go(0.03)
    plots = window.panels["plots"]
    plots.clear_active()
    pressure = row(window, "pressure, gauge")
    QTest.mouseClick(pressure, Qt.MouseButton.LeftButton)
    assert window.bench.panels.is_front("plots")
    assert plots.active.curves[-1].wanted.name == f"airbags/{bag}/pressure"
    QTest.keyClick(row(window, "volume"), Qt.Key.Key_Return)
    assert plots.active.curves[-1].wanted.name == f"airbags/{bag}/volume"
    menu = row(window, "position x, y, z").menu()
    assert len([one for one in menu.actions() if one.text()]) == 4
    menu.close()


def test_a_row_is_carried_to_a_plot(run: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    window, record = run
    window.bench.document.select(f"segments/{record.project.segments[0].id}")
    window.bench.run_view.go(0.03)
    carried: list[QMimeData] = []

    def carry(self: QDrag, *_: Any) -> Qt.DropAction:
        carried.append(self.mimeData())
        assert names_in(carried[0], QUANTITY) == list(speed.names)
        return Qt.DropAction.IgnoreAction

    # the loop of a drag is the display's own
    monkeypatch.setattr(QDrag, "exec", carry)
    speed = row(window, "speed")
    at, before = QPoint(20, 6), [list(w) for w in window.panels["plots"].wanted]
    QTest.mousePress(speed, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseMove(speed, at + QPoint(0, 4 * QApplication.startDragDistance()))
    assert len(carried) == 1
    QTest.mouseRelease(speed, Qt.MouseButton.LeftButton, pos=QPoint(-50, -50))
    assert [list(w) for w in window.panels["plots"].wanted] == before


def test_the_key_goes_to_the_first_row(run: tuple[Any, Any]) -> None:
    window, record = run
    window.bench.document.select(f"segments/{record.project.segments[0].id}")
    window.bench.run_view.switch(False)
    window.activateWindow()
    window.bench.commands.run("run.results")
    assert window.bench.run_view.is_on
    rows = shown(window).rows
    assert shown(window).focusWidget() is rows[0]
    QTest.keyClick(rows[0], Qt.Key.Key_Down)
    assert shown(window).focusWidget() is rows[1]


def test_units_are_those_of_the_window(run: tuple[Any, Any]) -> None:
    window, record = run
    window.bench.document.select(f"segments/{record.project.segments[0].id}")
    window.bench.run_view.go(0.03)
    metric = float(row(window, "speed").value.split(" ")[0])
    window.bench.commands.run("view.units_inch_pound")
    value, unit = row(window, "speed").value.split(" ")
    window.bench.commands.run("view.units_metric")
    assert unit != "m/s"
    assert float(value) != pytest.approx(metric, rel=0.01)


def test_a_course_is_seen(run: tuple[Any, Any]) -> None:
    """Between name and value there is a line; where there is no room for it, name and value stay."""
    window, record = run
    window.bench.document.select(f"segments/{record.project.segments[0].id}")
    window.bench.run_view.go(0.03)
    drawn = row(window, "acceleration")
    wide, narrow = (_colours(drawn, width) for width in (360, 130))
    assert len(wide) > len(narrow)


def _colours(widget: QWidget, width: int) -> set[int]:
    before = widget.size()
    widget.resize(width, widget.height())
    picture = widget.grab().toImage()
    widget.resize(before)
    return {
        picture.pixel(x, y)
        for x in range(picture.width())
        for y in range(picture.height())
        if picture.pixelColor(x, y).hsvSaturation() > 120
    }


def test_each_kind_of_element_has_rows_without_ids() -> None:
    project = load_project(samples() / "frontal.json")
    infos: dict[str, QuantityInfo] = {}
    for group in ("joints", "harnesses", "airbags", "contacts", "coordinate_forces"):
        for column, about in FRAME_GROUPS[group].columns.items():
            for item in getattr(project, group):
                id_ = f"{item.id}.{item.straps[0].id}" if group == "harnesses" else item.id
                for part in component_names(group, column, about):
                    name = "/".join(word for word in (group, id_, column, part) if word)
                    infos[name] = QuantityInfo(name, about.unit, "", group, id_, column, part)

    def words(path: str) -> list[str]:
        return [one.words for one in readings(project, infos, path)]

    lumbar, knee = "driver_lumbar", "driver_left_knee"
    assert row_of(next(j for j in project.joints if j.id == lumbar)).acts == "ball"
    assert words(f"joints/{lumbar}") == ["yaw, pitch, roll", "force", "torque"]
    assert words(f"joints/{knee}") == ["angle", "force", "torque"]
    assert "slide" in words("joints/driver_sternum")
    assert words(f"contacts/{project.contacts[0].id}") == ["force", "depth"]
    assert words(f"harnesses/{project.harnesses[0].id}") == [
        "tension at its start", "tension at its end", "payout at its start", "payout at its end",
    ]  # fmt: skip
    assert words("airbags/driver_bag")[:2] == ["position x, y, z", "pressure, gauge"]
    assert words("functions/none") == []
