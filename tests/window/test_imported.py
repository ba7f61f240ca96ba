"""Models of other programs in the window: imported with their cards beside the scene, dropped, exported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QMessageBox

from app.features.plots.tests_dialog import TestsDialog
from app.jobs.task import Task
from solver.base.places import samples
from solver.exchange.decks import read_ain, write_ain
from solver.project import load_project
from tests.decks import FOLDER, SLED
from tests.exchange.test_compared import deck_text
from tests.exchange.test_deck_cards import INCH, resting
from tests.exchange.test_osim_markers import arm
from tests.exchange.test_printed import SEEN, page, rows
from tests.exchange.test_trees import HUMANOID
from tests.exchange.test_variseg import PENDULUM
from tests.printing import by_axes

pytestmark = [pytest.mark.window, pytest.mark.one_window]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def feature(window: Any) -> Any:
    return window.features["exchange"]


def row_of(feature: Any, line: int) -> Any:
    tree = feature.panel.tree
    items = [tree.topLevelItem(n) for n in range(tree.topLevelItemCount())]
    return next(item for item in items if item.text(0).split("-")[0] == str(line))


def test_a_deck_is_imported_and_its_cards_lead_to_their_elements(
    window: Any, feature: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(FOLDER / "sled.ain"), ""))
    window.bench.commands.run("file.import")
    assert window.bench.settings.folder("import") == str(FOLDER), "the next dialog begins there"
    document = window.bench.document
    assert document.project == read_ain(FOLDER / "sled.ain").project
    assert document.path is None
    panel = feature.panel
    assert panel.isVisible()
    assert panel.tree.topLevelItemCount() == 324
    head = row_of(feature, 12)
    assert head.text(2).startswith(" H   511.927")
    panel.tree.scrollToItem(head)
    QTest.mouseClick(panel.tree.viewport(), LEFT, pos=panel.tree.visualItemRect(head).center())
    assert document.selection == "segments/H"
    assert head.text(4) == "→ H"
    document.select("joints/NP")
    marked = {item.text(0) for item in panel.tree.selectedItems()}
    assert marked == {"27", "28", "53", "67"}
    panel.only.setChecked(True)
    assert row_of(feature, 12).isHidden()
    assert not row_of(feature, 156).isHidden()
    # those of what is selected are seen all the same, and marked
    document.select("segments/H")
    assert not row_of(feature, 12).isHidden()
    assert row_of(feature, 12) in panel.tree.selectedItems()
    document.select("joints/NP")
    assert row_of(feature, 12).isHidden()
    # another file is another matter
    feature.open(FOLDER / "sled.ain")
    assert not panel.only.isChecked()
    assert not row_of(feature, 12).isHidden()


def test_a_deck_is_compared_with_what_was_printed_beside_it(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = tmp_path / "chain.ain"
    deck.write_text(deck_text())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(deck), ""))
    monkeypatch.setattr(window.bench, "ask_name", lambda *_: str(tmp_path / "chain.html"))
    window.bench.commands.run("file.compare_printed")
    told = window.notice.words.text
    qtbot.waitUntil(lambda: "lies no printed table of its name" in told(), timeout=60_000)
    table = by_axes("Point Rel. Velocity (IN. /SEC.)", [(1, "S0", "GRND")], [[0, 0, 0, 0, 0], [2, 0, 0, 0.8, 0.8]], "  0.00,  0.00,  0.00")  # fmt: skip
    (tmp_path / "chain.t21").write_text(table)
    window.bench.commands.run("file.compare_printed")
    qtbot.waitUntil((tmp_path / "chain.html").exists, timeout=60_000)


def test_a_deck_that_is_dropped_is_opened_and_a_broken_one_is_explained(
    window: Any, feature: Any, tmp_path: Path
) -> None:
    def drop(file: Path) -> None:
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(file))])
        at, copy = QPointF(200, 200), Qt.DropAction.CopyAction
        none, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
        enter = QDragEnterEvent(at.toPoint(), copy, mime, button, none)
        QApplication.sendEvent(window, enter)
        assert enter.isAccepted()
        QApplication.sendEvent(window, QDropEvent(at, copy, mime, button, none))

    drop(FOLDER / "gebod-50m.ain")
    assert len(window.bench.document.project.segments) == 15
    broken = tmp_path / "broken.ain"
    broken.write_bytes(SLED.replace(b"34.772", b"34.7X2"))
    window.bench.document.recovered = False
    drop(broken)
    page = window.features["files"].unreadable
    assert page.isVisible()
    assert len(window.bench.document.project.segments) == 15


def test_a_deck_that_asks_for_an_equilibrium_is_settled_as_a_step(
    window: Any, feature: Any, qtbot: Any, tmp_path: Path
) -> None:
    file = tmp_path / "rest.ain"
    file.write_text(resting().text())
    feature.open(file)
    document = window.bench.document

    def height() -> float:
        return float(document.project.initial.roots[-1].position_m[2])

    assert height() == pytest.approx(16 * INCH)
    qtbot.waitUntil(lambda: document.history.count() == 1, timeout=240_000)
    assert height() == pytest.approx(15.1 * INCH, abs=1e-6)
    assert "S0.z free" in window.status.words.text()
    assert feature.panel.tree.topLevelItemCount() > 10
    document.history.undo()
    assert height() == pytest.approx(16 * INCH)


def test_an_equilibrium_that_is_found_late_is_not_told_of_in_another_model(
    window: Any, feature: Any, qtbot: Any, tmp_path: Path, seated_file: Path
) -> None:
    file = tmp_path / "rest.ain"
    file.write_text(resting().text())
    feature.open(file)
    (task,) = feature.findChildren(Task)
    other = load_project(seated_file)
    with qtbot.waitSignal(task.done, timeout=240_000):
        window.bench.document.adopt(other)
        window.bench.notice.hide()
    assert window.bench.document.project is other
    assert not window.bench.notice.isVisible()


def test_another_project_takes_the_cards_away(window: Any, feature: Any, seated_file: Path) -> None:
    feature.open(FOLDER / "gebod-50m.ain")
    words = feature.panel.summary.text()
    assert words.startswith("gebod-50m.ain: ")
    assert " taken" in words
    window.bench.document.recovered = False
    window.bench.notice.say("Wrote a.ain; 3 things could not be said in it.", ("Show them", list))
    window.bench.commands.refresh()
    window.open_file(seated_file)
    assert feature.panel.tree.topLevelItemCount() == 0
    assert not window.notice.isVisible(), "it was said of the other model"
    window.bench.notice.say("The program ended without saving.", stays=True)
    window.open_file(samples() / "pendulum.json")
    assert window.notice.isVisible(), "it is not about a model"


def test_an_imported_model_is_unsaved_work(
    window: Any, feature: Any, seated_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file of ours holds it: another one opens beside it, and to close asks."""
    window.open_file(FOLDER / "gebod-50m.ain")
    document = window.bench.document
    assert document.has_unsaved_work
    window.open_file(seated_file)
    assert len(document.project.segments) == 15, "it is still there"
    other = next(one for one in window.application.windows if one is not window)
    assert other.bench.document.path == seated_file
    other.close()
    asked: list[Any] = []
    choice = QMessageBox.StandardButton
    monkeypatch.setattr(QMessageBox, "question", lambda *a: asked.append(a[2]) or choice.Cancel)
    assert not window.features["files"].may_close()
    assert len(asked) == 1
    document.save(tmp_path / "own.json")
    assert not document.has_unsaved_work


def test_a_model_of_mujoco_is_imported_and_exported(
    window: Any, feature: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "humanoid.xml"
    file.write_text(HUMANOID)
    feature.open(file)
    assert any(
        "Capsules" in feature.panel.tree.topLevelItem(n).text(4)
        for n in range(feature.panel.tree.topLevelItemCount())
    )
    # what was left out stands below no promise
    words = feature.panel.summary.text()
    assert words.startswith("humanoid.xml: ")
    assert words.endswith(("things were changed or left out.", "thing was changed or left out."))
    assert {one.text(3) for one in feature.panel._items()} == {""}
    out = tmp_path / "again.xml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    window.bench.commands.run("file.export_model")
    assert out.read_text().startswith("<mujoco")
    feature.write(tmp_path / "no.lin")
    assert window.bench.notice.isVisible()
    monkeypatch.setattr("solver.exchange.trees.write_tree", lambda *_: ["One."])
    feature.write(tmp_path / "robot.urdf")
    assert window.notice.words.text() == "Wrote robot.urdf; 1 thing could not be said in it."


@pytest.mark.own_window
def test_cards_of_variseg_and_what_atb_printed(
    window: Any, feature: Any, tmp_path: Path, qtbot: Any
) -> None:
    file = tmp_path / "rods.vsg"
    file.write_text(PENDULUM)
    feature.open(file)
    window.bench.document.select("segments/BOB")
    marked = {item.text(1) for item in feature.panel.tree.selectedItems()}
    assert marked == {"SEG", "RSEG", "ELL"}
    feature.write(tmp_path / "again.vsg")
    assert "CONN ELBOW" in (tmp_path / "again.vsg").read_text()
    told = tmp_path / "sled.aou"
    told.write_text(page("Point Total Acceleration (G's)", SEEN, rows(0, 5, 2)))
    plots = window.features["plots"]
    window.bench.printed_asked.emit(told)
    qtbot.waitUntil(lambda: bool(window.findChildren(TestsDialog)), timeout=60_000)
    (dialog,) = window.findChildren(TestsDialog)
    dialog.list.setCurrentRow(1)
    dialog.draw.click()
    assert plots.panel.isVisible()
    # a test is drawn before there is a run
    (plot,) = [one for one in plots.panel.plots if one.measured]
    assert plot.view.isVisible()
    assert plot.measured[0].name.startswith("UT acceleration y")
    told.write_text("nothing")
    window.bench.printed_asked.emit(told)
    qtbot.waitUntil(window.bench.notice.isVisible, timeout=60_000)


def test_numbers_that_lose_digits_are_told_in_the_window_too(
    window: Any, feature: Any, tmp_path: Path
) -> None:
    """As the command says it, with the card of the largest change; what is nearly nothing is no change."""
    window.bench.document.adopt(load_project(samples() / "frontal.json"))
    feature.write(tmp_path / "car.ain")
    words = window.notice.words.text()
    told = write_ain(window.bench.document.project, tmp_path / "b.ain").lines()
    assert f"{len(told)} things" in words
    assert "the largest change is 1.9e-03 of a number, on card B.5.a" in told[-1]


def test_files_beyond_the_folder_of_a_model_are_opened_where_people_say_so(
    window: Any, feature: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "parts.xml").write_text("<mujoco><default><geom size='0.2'/></default></mujoco>")
    file = tmp_path / "model" / "ball.xml"
    file.write_text("<mujoco><include file='../parts.xml'/><worldbody><body name='ball'><freejoint/><geom/></body></worldbody></mujoco>")  # fmt: skip
    asked, wrong = list[str](), list[str]()
    window.bench.unreadable.connect(lambda _, problems: wrong.append(str(problems[0].what)))
    for answer in (QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes):
        monkeypatch.setattr(QMessageBox, "question", lambda *a, answer=answer: (asked.append(a[2]), answer)[1])  # fmt: skip
        feature.open(file)
    assert str(tmp_path) in asked[0]
    assert len(asked) == 2
    assert ["lies beyond the folder" in one for one in wrong] == [True]
    (ball,) = window.bench.document.project.segments
    assert ball.mass_kg == pytest.approx(1000.0 * 4.0 / 3.0 * 3.141592653589793 * 0.2**3)


def test_a_robot_without_shapes_is_no_empty_scene_and_its_sentences_have_the_room(
    window: Any, feature: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a model that is no deck no columns stay empty; its title makes a name that every system takes."""
    file = tmp_path / "robot.urdf"
    link = "<link name='{}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    robot = f"<robot name='con: a/b.'>{link.format('a')}{link.format('b')}<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint><gazebo><mu1/></gazebo></robot>"
    file.write_text(robot)
    window.bench.import_asked.emit(file)
    tree = feature.panel.tree
    assert [tree.isColumnHidden(n) for n in range(5)] == [True] * 4 + [False]
    assert not feature.panel.only.isVisible()
    row = tree.topLevelItem(0)
    heights = []
    for width in (2000, 120):
        tree.header().setStretchLastSection(False)
        tree.setColumnWidth(4, width)
        heights.append(row.sizeHint(4).height())
    assert heights[1] > 2 * heights[0], "all words of a sentence are read"
    assert window.features["placing"].empty.isHidden()
    asked = list[str]()
    monkeypatch.setattr(window.bench, "ask_name", lambda *about: asked.append(about[2]))
    window.bench.commands.run("file.export_model")
    assert Path(asked[0]).name == "con_ a_b.ain"
    window.bench.import_asked.emit(FOLDER / "sled.ain")
    assert not any(tree.isColumnHidden(n) for n in range(5))


def test_key_frames_of_a_model_are_offered_as_starts(window: Any, feature: Any, tmp_path: Path) -> None:  # fmt: skip
    file = tmp_path / "swing.xml"
    file.write_text("""<mujoco><worldbody><body name="bob"><joint name="pin" axis="0 1 0"/><geom size="0.1" pos="0 0 -1"/></body></worldbody>
<keyframe><key name="up" qpos="3"/><key name="side" qpos="1.5"/></keyframe></mujoco>""")
    document = window.bench.document

    def answer(name: str) -> None:
        (dialog,) = (one for one in window.findChildren(QInputDialog) if one.isVisible())
        assert dialog.comboBoxItems() == ["as the file draws it", "up", "side"]
        dialog.setTextValue(name)
        dialog.accept()

    feature.open(file)
    assert document.project.initial.joints == ()
    answer("side")
    assert document.project.initial.joints[0].values == (1.5,)
    assert not [one for one in window.findChildren(QInputDialog) if one.isVisible()]
    feature.open(file)
    answer("as the file draws it")
    assert document.project.initial.joints == ()


def test_a_set_of_markers_comes_to_the_model_of_opensim_that_is_shown(
    window: Any, feature: Any, tmp_path: Path
) -> None:
    model, alone = arm(tmp_path), tmp_path / "set.xml"
    document = window.bench.document
    feature.open(alone)
    assert window.features["files"].unreadable.isVisible(), "there is no model yet"
    for _ in range(2):
        feature.open(model)
        assert len(document.project.markers) == 2
        feature.open(alone)
        assert {one.name for one in document.project.markers} == {"Wrist", "Elbow", "Tip"}
    # twice over, and no more once the model has been changed
    feature.open(alone)
    assert len(document.project.markers) == 3
    changed = document.project.model_copy(update={"title": "mine"})
    document.replace(changed, "rename")
    feature.open(alone)
    assert document.project is changed
