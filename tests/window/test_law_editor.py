"""The editor of laws, with a real mouse: the course of a law, its energies, its functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from solver.base.places import samples
from solver.model.law_paths import law_path
from tests.window.test_function_editor import drag
from tests.window.waiting import offered

pytestmark = [pytest.mark.window, pytest.mark.one_window]


@pytest.fixture
def editor(window: Any, qtbot: Any) -> Any:
    window.open_file(samples() / "sled.json")
    window.bench.document.select("contact_laws/limb_on_body")
    made = window.panels["editor"].current
    qtbot.waitUntil(lambda: made.found is not None, timeout=240_000)
    return made


@pytest.mark.own_window
def test_a_law_is_drawn_as_the_engine_follows_it(window: Any, editor: Any) -> None:
    project = window.bench.document.project
    path = law_path(project, "limb_on_body", (0.127, 0.0))
    assert editor.found.deepest == pytest.approx(0.127)
    assert editor.found.once.absorbed == pytest.approx(path.absorbed)
    # 30 % are kept back
    assert path.absorbed / path.work[path.turn[1]] == pytest.approx(0.3, abs=0.01)
    assert "(30 %)" in editor.facts.text()
    assert editor.canvas.handles[0] == pytest.approx((127.0, 1e-3 * path.force.max()), rel=1e-6)


def test_the_points_of_a_law_are_dragged_along_it(window: Any, editor: Any) -> None:
    steps = window.bench.document.history.count()
    drag(editor.canvas, tuple(editor.canvas.handles[0]), (80.0, 3.0))
    assert editor.deepest == pytest.approx(0.080, abs=0.002)
    assert editor.found.once.depth.max() == pytest.approx(editor.deepest)
    drag(editor.canvas, tuple(editor.canvas.handles[1]), (70.0, 3.0))
    assert editor.back * editor.deepest == pytest.approx(0.070, abs=0.002)
    # looking changes nothing
    assert window.bench.document.history.count() == steps


def test_the_course_follows_an_edit_and_is_typed_in_any_unit(window: Any, editor: Any) -> None:
    before = editor.found.once.absorbed
    window.bench.document.edit("contact_laws/limb_on_body/energy_ratio", 0.9, "ratio")
    assert editor.found.once.absorbed < before
    line = editor.depth_line
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "2 in")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert editor.found.deepest == pytest.approx(0.0508)
    line.selectAll()
    QTest.keyClicks(line, "-1")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert "above zero" in editor.bar.hint.text()


def test_a_rate_law_has_a_speed_and_leads_to_its_functions(
    window: Any, editor: Any, qtbot: Any
) -> None:
    window.bench.document.select("contact_laws/torso_on_seat")
    assert editor.speed_line.isVisible()
    slow = float(np.max(editor.found.once.force))
    editor._set_speed(0.0, False)
    assert float(np.max(editor.found.once.force)) < slow
    texts = [editor.links.itemAt(i).widget().text() for i in range(editor.links.count())]
    assert [t.split(":")[0] for t in texts] == ["Base (F1)", "Rate factor (F2)", "Rate gate (F3)"]
    QTest.mouseClick(editor.links.itemAt(0).widget(), Qt.MouseButton.LeftButton)
    assert window.bench.document.selection == "functions/stiff_surface"


def test_webbing_says_energy_for_each_metre(window: Any, editor: Any) -> None:
    window.bench.document.select("contact_laws/harness_webbing")
    assert "metre of webbing" in editor.facts.text()
    assert not editor.speed_line.isVisible()


def test_a_law_comes_from_the_library_twice(window: Any, editor: Any) -> None:
    actions = offered(editor.library)
    assert len(actions) > 5
    # one that is looked at is led as deep, faintly beside one's own, where it is of the same kind
    window.bench.document.select("contact_laws/torso_on_seat")
    own = len(editor.canvas._lines)
    actions[0].hover()
    assert editor.found.beside is not None
    assert len(editor.canvas._lines) == own + 1
    assert float(np.max(editor.found.beside.depth)) == pytest.approx(editor.found.deepest)
    actions[-1].hover()
    assert editor.found.beside is None, "webbing is another kind"
    editor.library.menu().aboutToHide.emit()
    assert len(editor.canvas._lines) == own
    count = len(window.bench.document.project.contact_laws)
    actions[0].trigger()
    first = window.bench.document.selection
    assert first.startswith("contact_laws/")
    assert len(window.bench.document.project.contact_laws) == count + 1
    actions[0].trigger()
    assert window.bench.document.selection != first
    window.bench.document.undo()
    window.bench.document.undo()
    assert len(window.bench.document.project.contact_laws) == count
