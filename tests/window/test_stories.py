"""Stories played in a real window with mouse and keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from app.shell.palette import Palette
from app.shell.window import new_window
from solver.base import places
from solver.project import Project, load_project, to_json, validated
from solver.project.changes import value_at
from solver.project.checks import check
from tests.window.seated import seated
from tests.window.waiting import turns, until_active

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def active(window: Any) -> None:
    window.activateWindow()
    until_active(window)


def choose(window: Any, words: str) -> None:
    """Open the command palette, type, and press Enter."""
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = next(w for w in window.findChildren(Palette) if w.isVisible())
    QTest.keyClicks(palette.field, words)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)


def write(window: Any, path: str, text: str, part: int | None = None) -> None:
    """Click a field of the inspector, type, and press Enter."""
    form = window.panels["inspector"].form
    for end in range(1, path.count("/") + 2):
        section = form.sections.get("/".join(path.split("/")[:end]))
        if section is not None and not section.head.isChecked():
            QTest.mouseClick(section.head, LEFT)
    editor = form.rows[path].editor
    field = editor if part is None else editor.lines[part]
    window.panels["inspector"].area.ensureWidgetVisible(field)
    QTest.mouseClick(field, LEFT)
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def rename(window: Any, name: str) -> None:
    """Press F2 in the outline, type, and press Enter."""
    window.panels["outline"].tree.setFocus()
    QTest.keyClick(window.panels["outline"].tree, Qt.Key.Key_F2)
    field = QApplication.focusWidget()
    QTest.keyClicks(field, name)
    QTest.keyClick(field, Qt.Key.Key_Return)
    # the tree takes the name over once the key is done with
    turns()


def test_a_pendulum_from_nothing_and_back(window: Any, qtbot: Any, tmp_path: Path) -> None:
    QTest.mouseClick(window.panels["welcome"].templates["empty"], LEFT)
    document = window.bench.document
    empty = document.project
    assert empty == Project(runs=empty.runs)
    choose(window, "insert segment rigid")
    assert document.selection == "segments/segment"
    rename(window, "Bob")
    assert document.selection == "segments/bob"
    write(window, "segments/bob/mass_kg", "2 kg")
    write(window, "segments/bob/surfaces/surface/semi_axes_m", "5 cm", part=0)
    choose(window, "pin joint")
    assert document.selection == "joints/pin_joint"
    joint = document.project.joints[0]
    assert (joint.parent, joint.child) == ("ground", "bob")
    write(window, "joints/pin_joint/parent_frame/position_m", "-0.5 m", part=2)
    write(window, "joints/pin_joint/child_frame/position_m", "-500", part=2)
    document.select("runs/run")
    write(window, "runs/run/duration_s", "2*0.5 s")
    assert value_at(document.project, "runs/run/duration_s") == 1.0
    joint = document.project.joints[0]
    assert joint.parent_frame.position_m[2] == joint.child_frame.position_m[2] == -0.5
    assert value_at(document.project, "segments/bob/mass_kg") == 2.0
    assert value_at(document.project, "segments/bob/surfaces/0/semi_axes_m/0") == 0.05
    assert not [p for p in check(document.project) if p.severity == "error"]

    built = to_json(document.project)
    texts = [document.history.text(i) for i in range(document.history.count())]
    assert all(texts)
    assert len(texts) == 8
    for _ in texts:
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.project == empty
    assert not document.has_unsaved_work
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for _ in texts:
        QTest.keyClick(window, Qt.Key.Key_Z, keys)
    assert to_json(document.project) == built
    assert window.windowTitle().startswith("Untitled[*]")
    document.save(tmp_path / "pendulum.json")
    assert load_project(tmp_path / "pendulum.json") == document.project
    assert not window.isWindowModified()


def test_copy_in_one_window_and_paste_in_another(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    window.bench.document.select("belts/lap")
    window.menus.run("edit.copy")
    other = new_window(window.application)
    try:
        other.features["files"].new("empty")
        other.menus.run("edit.paste")
        assert [b.id for b in other.bench.document.project.belts] == ["lap"]
        assert [one.id for one in other.bench.document.project.contact_laws] == ["webbing"]
        assert [one.id for one in other.bench.document.project.functions] == ["webbing_pull"]
        assert "because they need it" in other.status.words.text()
    finally:
        other.bench.document.history.setClean()
        other.close()


@pytest.mark.parametrize("answer", ["Save", "Discard", "Cancel"])
def test_closing_with_unsaved_work_asks(
    window: Any, seated_file: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    window.open_file(seated_file)
    before = seated_file.read_bytes()
    asked = []
    choice = getattr(QMessageBox.StandardButton, answer)
    monkeypatch.setattr(QMessageBox, "question", lambda *a: asked.append(a) or choice)
    assert window.features["files"].may_close()
    assert not asked
    window.bench.document.edit("segments/head/mass_kg", 6.0, "mass")
    assert window.isWindowModified()
    assert window.features["files"].may_close() == (answer != "Cancel")
    assert len(asked) == 1
    assert (seated_file.read_bytes() != before) == (answer == "Save")


def test_a_sample_is_saved_under_a_name_of_ones_own(
    window: Any, seated_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the program came with stays as it is, also when somebody works on it and saves."""
    folder, own, asked = tmp_path / "samples", tmp_path / "own", []
    folder.mkdir()
    own.mkdir()
    monkeypatch.setattr(places, "samples", lambda: folder)
    sample = seated_file.rename(folder / "seated.json")

    def answered(*given: Any) -> tuple[str, str]:
        asked.append(given[1:3])
        return str(own / "mine.json"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answered)
    window.open_file(sample)
    before = sample.read_bytes()
    window.bench.document.edit("segments/head/mass_kg", 6.0, "mass")
    QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert sample.read_bytes() == before
    assert value_at(load_project(own / "mine.json"), "segments/head/mass_kg") == 6.0
    assert window.bench.document.path == own / "mine.json"
    window.bench.document.edit("segments/head/mass_kg", 7.0, "mass")
    QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert value_at(load_project(own / "mine.json"), "segments/head/mass_kg") == 7.0
    ((title, start),) = asked
    assert "name of your own" in title
    assert Path(start).parent != folder


def test_unsaved_work_stays_in_its_window_when_another_file_is_opened(
    window: Any, seated_file: Path
) -> None:
    window.features["files"].new("pendulum")
    window.bench.document.edit("segments/ball/mass_kg", 6.0, "mass")
    window.open_file(seated_file)
    assert [s.id for s in window.bench.document.project.segments] == ["ball"]
    other = window.application.windows[-1]
    assert other is not window
    assert other.bench.document.path == seated_file
    other.close()


def test_an_exception_is_told_and_the_document_survives(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    before = window.bench.document.project
    try:
        raise ValueError("a slip")
    except ValueError as failure:
        window.application.tell_failure(ValueError, failure, failure.__traceback__)
    assert window.notice.isVisible()
    assert "Your model is as it was" in window.notice.words.text()
    window.notice.buttons[0].click()
    details = QApplication.clipboard().text()
    assert "ValueError: a slip" in details
    assert "PySide6" in details
    assert window.bench.document.project is before
    assert not window.notice.isVisible()


def test_names_are_typed_and_elements_dropped_in_the_outline(
    window: Any, seated_file: Path
) -> None:
    window.open_file(seated_file)
    window.bench.document.select("segments/head")
    rename(window, "Skull")
    assert window.bench.document.project.segments[4].name == "Skull"
    assert window.panels["outline"].item("segments/head").text(0) == "Skull"
    window.panels["outline"].dropped.emit(["planes/floor"], "segments/dash", "")
    assert window.bench.document.project.planes[2].segment == "dash"
    window.panels["outline"].dropped.emit(["segments/neck"], "segments/head", "")
    assert "hang it on itself" in window.status.words.text()
    window.panels["outline"].dropped.emit(["segments/head"], "", "Vehicle/Segments")
    assert window.bench.document.project.segments[4].group == "Vehicle"


def test_the_context_menu_and_the_keys_are_complete(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    window.bench.document.select("segments/head")
    window.menus.refresh()
    words = [a.text().replace("&", "") for a in window.panels["outline"].menu.actions() if a.text()]
    assert {"Cut", "Copy", "Paste", "Duplicate", "Rename", "Delete"} <= set(words)
    for action in window.menus.commands.values():
        assert action.plain
    window.panels["outline"]._on_menu(QPoint(5, 5))
    assert window.panels["outline"].menu.isVisible()
    window.panels["outline"].menu.close()


def test_every_field_and_button_has_a_name_for_screen_readers(
    window: Any, seated_file: Path
) -> None:
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit

    window.open_file(seated_file)
    for path in ("segments/head", "joints/knee_r", "harnesses/shoulder", "airbags/bag", ""):
        window.bench.document.select(path)
        for kind in (QLineEdit, QComboBox, QAbstractButton):
            for widget in window.panels["inspector"].area.widget().findChildren(kind):
                inner = isinstance(widget.parent(), QComboBox)
                assert inner or widget.accessibleName() or widget.text(), (path, widget)


def test_a_run_that_cannot_begin_says_why_in_sight_and_offers_a_way(window: Any) -> None:
    window.features["files"].new("empty")
    document = window.bench.document
    assert [run.duration_s for run in document.project.runs] == [0.2], "F5 has something to do"
    document.delete(["runs/run"])
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert window.notice.isVisible()
    assert "has no run" in window.notice.words.text()
    QTest.mouseClick(window.notice.buttons[0], LEFT)
    assert [run.duration_s for run in document.project.runs] == [0.2]
    assert not window.notice.isVisible()
    # a model with errors says so there too
    data = seated()
    data["belts"][0]["law"] = "none_such"
    document.adopt(validated(data))
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert "has errors" in window.notice.words.text()
    assert window.panels.front().widget is window.panels["problems"]
    document.history.setClean()
