"""The editor of functions, with a real mouse: drag, add, delete, type, paste, read from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.curves.canvas import Canvas
from app.curves.csv_dialog import CsvDialog
from app.editing.examples import functions_like
from solver.bodies.library import fragment
from solver.project import load_project, save_project
from solver.project.changes import value_at
from solver.project.forms import samples
from solver.project.functions import Function, Table
from tests.window.waiting import offered, until

pytestmark = [pytest.mark.window, pytest.mark.one_window]
PAD = "functions/pad"


@pytest.fixture
def editor(window: Any, seated_file: Path, qtbot: Any) -> Any:
    window.open_file(seated_file)
    document = window.bench.document
    form = {"kind": "table", "x": [0.0, 0.02, 0.05, 0.1], "y": [0.0, 500.0, 2500.0, 9000.0]}
    function = {"id": "pad", "name": "Pad", "x_unit": "m", "y_unit": "N", "form": form}
    made = Function.model_validate(function)
    project = document.project.model_copy(update={"functions": (*document.project.functions, made)})
    document.replace(project, "Add Pad", select=[PAD])
    document.history.clear()
    qtbot.waitUntil(lambda: window.panels["editor"].isVisible(), timeout=20_000)
    QApplication.processEvents()
    return window.panels["editor"].current


def spot(canvas: Canvas, x: float, y: float) -> Any:
    return canvas.at(x, y).toPoint()


def drag(
    canvas: Canvas, start: tuple[float, float], end: tuple[float, float], keys: Any = None
) -> None:
    """Drag from one place of the axes to another, over a few steps, once all of an opened project is painted."""
    until(canvas.updatesEnabled)
    QApplication.processEvents()
    view, keys = canvas.viewport(), keys or Qt.KeyboardModifier.NoModifier
    a, b = QPointF(spot(canvas, *start)), QPointF(spot(canvas, *end))
    QTest.mousePress(view, Qt.MouseButton.LeftButton, keys, a.toPoint())
    for share in (0.3, 0.7, 1.0):
        at = a + share * (b - a)
        event = QMouseEvent(
            QMouseEvent.Type.MouseMove, at, view.mapToGlobal(at), Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton, keys,
        )  # fmt: skip
        QApplication.sendEvent(view, event)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, keys, b.toPoint())


def table(window: Any) -> Table:
    found = value_at(window.bench.document.project, f"{PAD}/form")
    assert isinstance(found, Table)
    return found


def test_selecting_a_function_opens_its_curve(window: Any, editor: Any) -> None:
    assert window.panels.front().widget is window.panels["editor"]
    assert editor.canvas.handles[:, 0].tolist() == [0.0, 20.0, 50.0, 100.0]
    assert editor.canvas.handles[:, 1].tolist() == [0.0, 0.5, 2.5, 9.0]
    assert "beyond 100 mm it stays 9 kN" in editor.beyond.text()


def test_a_point_is_dragged_in_one_step(window: Any, editor: Any) -> None:
    drag(editor.canvas, (50.0, 2.5), (70.0, 5.0))
    x, y = table(window).x[2], table(window).y[2]
    assert x == pytest.approx(0.07, abs=0.0016)
    assert y == pytest.approx(5000.0, abs=400.0)
    # round numbers, as the axes are divided
    assert (1e3 * x) % 0.1 == pytest.approx(0.0, abs=1e-9) or (1e3 * x) % 0.1 == pytest.approx(0.1)
    assert window.bench.document.history.count() == 1
    assert window.bench.document.history.undoText() == "Move a point of Pad"
    drag(editor.canvas, (1e3 * x, 1e-3 * y), (60.0, 4.0))
    assert window.bench.document.history.count() == 2
    window.bench.document.undo()
    window.bench.document.undo()
    assert table(window).x == (0.0, 0.02, 0.05, 0.1)
    assert not editor.canvas.words.isVisible()


def test_points_are_joined_smoothly_and_stay_so_when_dragged(window: Any, editor: Any) -> None:
    editor.between.setCurrentIndex(editor.between.findData("spline"))
    editor.between.activated.emit(editor.between.currentIndex())
    assert table(window).between == "spline"
    drag(editor.canvas, (50.0, 2.5), (50.0, 4.0))
    assert table(window).between == "spline"
    assert table(window).y[2] > 3000.0


def test_a_point_never_passes_its_neighbour(window: Any, editor: Any) -> None:
    drag(editor.canvas, (20.0, 0.5), (90.0, 0.5))
    assert 0.0499 < table(window).x[1] < 0.05


def test_shift_keeps_to_one_axis(window: Any, editor: Any) -> None:
    drag(editor.canvas, (50.0, 2.5), (52.0, 6.0), Qt.KeyboardModifier.ShiftModifier)
    assert table(window).x[2] == pytest.approx(0.05)
    assert table(window).y[2] > 4500.0


def test_points_come_by_double_click_and_go_by_delete(window: Any, editor: Any) -> None:
    canvas = editor.canvas
    QTest.mouseDClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot(canvas, 75.0, 3.0))
    assert len(table(window).x) == 5
    assert table(window).x[3] == pytest.approx(0.075, abs=0.0016)
    assert canvas.current == 3
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Delete)
    assert table(window).x == (0.0, 0.02, 0.05, 0.1)
    assert window.bench.document.history.count() == 2


def claimed(widget: Any, key: Any, keys: Any = Qt.KeyboardModifier.NoModifier) -> bool:
    """Tell whether a widget takes a key before the window's shortcuts do."""
    event = QKeyEvent(QKeyEvent.Type.ShortcutOverride, key, keys)
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_keys_of_the_editor_come_before_those_of_the_window(window: Any, editor: Any) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    assert claimed(editor.table, Qt.Key.Key_C, control)
    assert claimed(editor.table, Qt.Key.Key_V, control)
    assert claimed(editor.table, Qt.Key.Key_Delete)
    assert not claimed(editor.table, Qt.Key.Key_Z, control)
    editor.canvas.pick(-1)
    assert not claimed(editor.canvas, Qt.Key.Key_Delete)
    editor.canvas.pick(1)
    assert claimed(editor.canvas, Qt.Key.Key_Delete)


def test_numbers_are_typed_in_any_unit(window: Any, editor: Any) -> None:
    points = editor.table.points
    assert points.setData(points.index(1, 1), "200 lbf", Qt.ItemDataRole.EditRole)
    assert table(window).y[1] == pytest.approx(889.644, abs=1e-3)
    assert not points.setData(points.index(1, 1), "5 kg", Qt.ItemDataRole.EditRole)
    assert "force" in editor.hint.text()
    assert points.setData(points.index(4, 0), "3*25.4", Qt.ItemDataRole.EditRole)
    assert points.setData(points.index(4, 1), "4", Qt.ItemDataRole.EditRole)
    assert table(window).x == pytest.approx((0.0, 0.02, 0.05, 0.0762, 0.1))
    assert table(window).y[3] == pytest.approx(4000.0)


def test_a_table_is_copied_and_pasted_by_keys(window: Any, editor: Any) -> None:
    editor.table.setFocus()
    QTest.keyClick(editor.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "0\t0\n20\t0.5\n50\t2.5\n100\t9"
    QApplication.clipboard().setText("Weg;Kraft\n0;0\n10,5;1,25\n30;4\n")
    QTest.keyClick(editor.table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert table(window).x == pytest.approx((0.0, 0.0105, 0.03))
    assert table(window).y == pytest.approx((0.0, 1250.0, 4000.0))
    assert "decimal commas" in editor.hint.text()
    assert "mm and kN" in editor.hint.text()
    window.bench.document.undo()
    assert len(table(window).x) == 4
    QApplication.clipboard().setText("hello")
    QTest.keyClick(editor.table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert "no row of numbers" in editor.hint.text()
    assert len(table(window).x) == 4


def test_units_in_headings_of_a_pasted_table_hold(window: Any, editor: Any) -> None:
    editor._on_pasted("Deflection [in]\tForce (lbf)\n0\t0\n1\t1500\n", 0, 0)
    assert table(window).x == pytest.approx((0.0, 0.0254))
    assert table(window).y == pytest.approx((0.0, 1500.0 * 4.4482216))
    assert "in and lbf" in editor.hint.text()
    editor._on_pasted("in\tF, N\n0\t0\n2\t100\n", 0, 0)
    assert table(window).x == pytest.approx((0.0, 0.0508))
    assert table(window).y == pytest.approx((0.0, 100.0))
    editor._on_pasted("Force [lbf]\n10\n20\n", 0, 1)
    assert table(window).y == pytest.approx((10.0 * 4.4482216, 20.0 * 4.4482216))
    assert "taken as lbf" in editor.hint.text()
    before = table(window)
    editor._on_pasted("Time [ms]\tForce [kN]\n0\t0\n1\t1\n", 0, 0)
    assert "'Time [ms]' names a unit of another quantity" in editor.hint.text()
    assert table(window) == before
    # what is in brackets may be no unit at all
    editor._on_pasted("Deflection (left)\tForce\n0\t0\n1\t1\n", 0, 0)
    assert table(window).x == pytest.approx((0.0, 0.001))
    assert "mm and kN" in editor.hint.text()


def test_one_column_goes_where_the_cursor_stands(window: Any, editor: Any) -> None:
    editor._on_pasted("1\n2\n3", 1, 1)
    assert table(window).y == pytest.approx((0.0, 1000.0, 2000.0, 3000.0))
    editor._on_pasted("1\n2\n3", 2, 1)
    assert "do not fit" in editor.hint.text()


def test_points_come_from_a_file_and_may_stay_there(
    window: Any, editor: Any, tmp_path: Path, qtbot: Any
) -> None:
    project = tmp_path / "model.json"
    save_project(window.bench.document.project, project)
    window.bench.document.open(project)
    window.bench.document.select(PAD)
    editor = window.panels["editor"].current
    file = tmp_path / "pad.csv"
    file.write_text("Deflection [in],Force [lbf],Rate\n0,0,1\n1,100,2\n2,300,3\n", encoding="utf-8")
    editor.read_csv(file)
    dialog = editor.findChild(CsvDialog)
    assert [box.currentData() for box in dialog.units] == ["in", "lbf"]
    assert dialog.columns[1].count() == 3
    assert dialog.link.isEnabled()
    dialog.link.setChecked(True)
    QTest.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    assert table(window).x == pytest.approx((0.0, 0.0254, 0.0508))
    assert table(window).y == pytest.approx((0.0, 444.822, 1334.466), abs=1e-3)
    assert table(window).csv is not None
    assert not len(editor.canvas.handles)
    save_project(window.bench.document.project, project)
    assert value_at(load_project(project), f"{PAD}/form").y == pytest.approx(table(window).y)
    QTest.mouseClick(editor.tabulate, Qt.MouseButton.LeftButton)
    assert table(window).csv is None
    assert table(window).x == pytest.approx((0.0, 0.0254, 0.0508))


def test_a_formula_is_a_form_and_becomes_a_table(window: Any, editor: Any) -> None:
    polynomial = {"kind": "polynomial", "coefficients": [0.0, 1000.0, 5000.0], "x_max": 0.2}
    window.bench.document.edit(f"{PAD}/form", polynomial, "formula")
    assert editor.kind.currentData() == "polynomial"
    assert editor.form is not None
    assert f"{PAD}/form/coefficients" in editor.form.rows
    assert not len(editor.canvas.handles)
    assert "beyond 200 mm it stays 0.4 kN" in editor.beyond.text()
    QTest.mouseClick(editor.tabulate, Qt.MouseButton.LeftButton)
    found = table(window)
    assert found.x[-1] == pytest.approx(0.2)
    middle = len(found.x) // 2
    x = found.x[middle]
    assert found.y[middle] == pytest.approx(1000.0 * x + 5000.0 * x * x)
    editor.kind.show_data("constant")
    editor.kind.activated.emit(editor.kind.currentIndex())
    assert value_at(window.bench.document.project, f"{PAD}/form").kind == "constant"


@pytest.mark.parametrize("kind", ["sweep", "random"])
def test_signals_over_time_are_drawn_and_become_tables(window: Any, editor: Any, kind: str) -> None:
    editor.kind.show_data(kind)
    editor.kind.activated.emit(editor.kind.currentIndex())
    form = value_at(window.bench.document.project, f"{PAD}/form")
    assert form.kind == kind
    assert f"{PAD}/form/duration_s" in editor.form.rows
    assert not len(editor.canvas.handles)
    window.bench.document.edit(f"{PAD}/form/duration_s", 0.5, "shorter")
    QTest.mouseClick(editor.tabulate, Qt.MouseButton.LeftButton)
    found = table(window)
    x, y = samples(form.model_copy(update={"duration_s": 0.5}))
    assert found.x == pytest.approx(x)
    assert found.y == pytest.approx(y)


def test_units_of_the_window_are_those_of_the_curve(window: Any, editor: Any) -> None:
    window.application.set_units("inch_pound")
    assert editor.commands.units.shown_all([0.0, 0.0254], "m").tolist() == [0.0, 1.0]
    assert editor.canvas.units == ("in", "lbf")
    assert editor.canvas.handles[3] == pytest.approx((0.1 / 0.0254, 9000.0 / 4.4482216), rel=1e-6)
    window.application.set_units("metric")


def test_a_function_of_the_library_lies_beside_ones_own_and_is_taken(
    window: Any, editor: Any
) -> None:
    """All that is offered has the same units, each course once with where it is from; what is taken is that course with its source."""
    document = window.bench.document
    before, lines = document.project, len(editor.canvas._lines)
    actions = offered(editor.library)
    assert len(actions) > 50
    assert len(editor.library.menu().actions()) < 12, "by headings, as there are many"
    assert all(action.toolTip() for action in actions)
    dash = next(a for a in actions if a.text() == "Steering wheel rim: force")
    handles = editor.canvas.handles
    dash.hover()
    assert np.array_equal(editor.canvas.handles, handles), "one's own points are dragged still"
    rim = next(f for f in fragment("steering_rim").functions if f.name == dash.text())
    assert len(editor.canvas._lines) == lines + 1
    x, y = editor.canvas._lines[-1].getData()
    assert (max(x), max(y)) == pytest.approx(
        (1e3 * max(rim.form.x), 1e-3 * max(rim.form.y)), rel=1e-6
    )
    editor.library.menu().aboutToHide.emit()
    assert len(editor.canvas._lines) == lines
    assert document.project is before, "to look changes nothing"
    dash.trigger()
    taken = editor.function()
    assert (taken.id, taken.name, taken.form) == ("pad", "Pad", rim.form)
    assert taken.source == rim.source
    assert dash.text() not in [a.text() for a in offered(editor.library)], "it is one's own now"
    document.undo()
    assert document.project == before


def test_where_the_library_has_no_such_function_samples_give_theirs() -> None:
    asked = Function.model_validate(
        {"id": "f", "x_unit": "s", "y_unit": "N*m", "form": {"kind": "constant", "value": 1.0}}
    )
    found = functions_like(asked)
    assert {offer.heading for offer in found} == {"Samples"}
    assert all((offer.what.x_unit, offer.what.y_unit) == ("s", "N*m") for offer in found)
    odd = asked.model_copy(update={"x_unit": "K", "y_unit": "J"})
    assert functions_like(odd) == []
