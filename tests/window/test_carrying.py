"""Elements are carried into a plot from the outline, the scene and the inspector."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.curves.offers import offers
from app.curves.plot import Plot
from app.widgets.carrying import ELEMENT, names_in, packed
from solver.results.quantities import quantities
from tests.window.solving import CATCH, solved

pytestmark = [pytest.mark.window, pytest.mark.one_window]
LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def dropped_on(plot: Plot, mime: Any) -> Any:
    """Enter the plot with something, let it go, and give the menu that it opens."""
    at = QPointF(20.0, 20.0)
    common = (Qt.DropAction.CopyAction, mime, LEFT, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(at.toPoint(), *common)
    enter.ignore()
    plot.dragEnterEvent(enter)
    assert enter.isAccepted()
    plot.dropEvent(QDropEvent(at, *common))
    return QApplication.activePopupWidget()


def moved(widget: Any, kind: QEvent.Type, at: QPointF, keys: Any = CTRL) -> None:
    pressed = LEFT if kind != QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else LEFT
    where = widget.mapToGlobal(at.toPoint()).toPointF()
    QApplication.sendEvent(widget, QMouseEvent(kind, at, where, button, pressed, keys))


def test_what_there_is_of_an_element_is_offered(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    infos = quantities(record.trajectory).infos
    of_head = offers(infos, "segments/head")
    assert "segments/head/acceleration/resultant" in of_head
    assert "segments/head/acceleration/x" not in of_head, "the resultant says all"
    assert "segments/head/angle/yaw" in of_head
    of_bag = offers(infos, "airbags/bag")
    assert {"airbags/bag/pressure", "airbag_contacts/bag.head/force/resultant"} <= set(of_bag)
    output = record.project.outputs[0].id
    assert all(name.startswith(output) for name in offers(infos, f"outputs/{output}"))
    assert offers(infos, "planes/nothing") == []


def test_an_element_of_the_outline_is_drawn(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    window.panels.open("plots")
    window.bench.document.select("segments/head")
    tree = window.panels["outline"].tree
    mime = tree.mimeData(tree.selectedItems())
    assert mime.hasFormat(ELEMENT)
    assert names_in(mime, ELEMENT) == ["segments/head"]
    plot = window.panels["plots"].add_plot()
    menu = dropped_on(plot, mime)
    choice = next(a for a in menu.actions() if "velocity · resultant" in a.text())
    choice.trigger()
    menu.close()
    assert [one.name for one in plot.wanted] == ["segments/head/velocity/resultant"]
    assert len(plot.curves) == 1
    assert dropped_on(plot, packed(ELEMENT, ["planes/none"])) is None
    assert "nothing" in window.panels["plots"].hint.text()


def test_ctrl_and_a_drag_take_an_element_out_of_the_scene(
    window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open_file(CATCH)
    view = window.bench.viewport
    view.grab()
    taken: list[Any] = []
    monkeypatch.setattr(
        "app.features.outline.feature.carry", lambda source, paths: taken.append(paths)
    )
    at = view.pixel_of("segments/head")
    eye = view.camera().axes()
    moved(view, QEvent.Type.MouseButtonPress, at)
    for n in range(1, 4):
        moved(view, QEvent.Type.MouseMove, at + QPointF(6.0 * n, 0.0))
    moved(view, QEvent.Type.MouseButtonRelease, at + QPointF(18.0, 0.0))
    assert taken == [["segments/head"]]
    assert (eye[2] == view.camera().axes()[2]).all(), "the scene stays as it is"


def test_the_heading_of_the_inspector_is_carried(
    window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open_file(CATCH)
    window.bench.document.select("segments/head")
    taken: list[Any] = []
    monkeypatch.setattr(
        "app.widgets.carrying.carry", lambda source, paths, kind: taken.extend(paths)
    )
    heading = window.panels["inspector"].heading
    none = Qt.KeyboardModifier.NoModifier
    moved(heading, QEvent.Type.MouseButtonPress, QPointF(5.0, 5.0), none)
    moved(heading, QEvent.Type.MouseMove, QPointF(7.0, 5.0), none)
    assert taken == []
    moved(heading, QEvent.Type.MouseMove, QPointF(60.0, 5.0), none)
    assert taken == ["segments/head"]


def test_a_click_on_a_figure_shows_its_curve(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    window.bench.run_view.player.pause()
    window.panels.open("injury")
    tree = window.panels["injury"].tree
    place = tree.visualItemRect(tree.topLevelItem(0)).center()
    QTest.mouseClick(tree.viewport(), LEFT, pos=place)
    assert window.panels.front().widget is window.panels["plots"]
    assert window.panels["plots"].active.shaded.isVisible()
