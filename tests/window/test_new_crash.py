"""A newcomer belts a small woman in a new car and reads HIC: from the welcome page, by mouse alone, without the guide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from app.features.crash.dialog import Chosen, CrashDialog
from app.widgets.sheet import Sheet
from solver.analysis.crash.build import BOUNDS
from solver.analysis.crash.cases import look_at
from solver.editing.persons import people
from solver.project import Project
from tests.window.playing import Play
from tests.window.waiting import turns

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def chosen(play: Play, box: Any, words: str) -> None:
    """Open a list by mouse and click what has some words, again where the click was not taken."""
    at = next(n for n in range(box.count()) if words in box.itemText(n))
    index, view = box.model().index(at, 0), box.view()

    def takes() -> bool:
        if not view.isVisible():
            play.click(box)
            play.until(view.isVisible)
        # Qt takes no click within the time of a double click (`quick`), nor until the window has heard that it is
        # over: where the window was busy just then, the list stays open
        turns()
        view.scrollTo(index)
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center()
        )
        return bool(box.currentIndex() == at) and not view.isVisible()

    play.until(takes, 60.0)


@pytest.fixture
def quick(qapp: Any) -> Iterator[None]:
    """Let two clicks be a double click only where nothing comes between them."""
    before = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(1)
    yield
    QApplication.setDoubleClickInterval(before)


@pytest.mark.usefixtures("quick")
def test_a_newcomer_reads_hic(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = Play(window, qtbot, "new_crash", QSize(1280, 800))
    play.click(window.panels["welcome"].crash)
    dialog = play.dialog(CrashDialog)
    assert isinstance(dialog, Sheet)
    assert window.features["placing"].empty.isHidden(), "what is chosen is about to be seen there"
    play.until(lambda: dialog.shown is not None, 60.0)
    play.step("offered")
    chosen(play, dialog.fields.who, "5th-percentile woman")
    play.until(lambda: "49.0 kg" in dialog.figures.text(), 30.0)
    assert dialog.fields.track.value() == 90.0, "her seat is ahead, as her legs are"
    before, late = dialog.shown, list[Any]()
    shows = dialog._on_shown
    monkeypatch.setattr(dialog, "_on_shown", lambda found: late.append(found) or shows(found))
    dialog._preview()
    play.click(dialog.fields.belt)
    play.until(lambda: dialog.fields.belt.view().isVisible() and not dialog.trying.is_busy, 30.0)
    late.clear()
    play.until(lambda: len(late) >= 2, 30.0)
    assert dialog.shown is before, "what arrives late waits while a list is open"
    chosen(play, dialog.fields.belt, "Plain three-point")
    play.until(lambda: not dialog._rest.isActive() and not dialog.trying.is_busy, 30.0)
    assert window.bench.viewport.pixel_of("segments/driver_head") is not None
    play.step("chosen")
    play.click(dialog.create_and_run)
    play.until(lambda: window.bench.run_view.runs.current is not None, 120.0)
    record = play.until_solved()
    play.come_back()
    assert record.status == "completed"
    assert round(people(record.project)[0].mass_kg, 1) == 49.0
    assert len(record.project.harnesses) == 1
    window.panels.open("injury")
    play.until(lambda: record.is_assessed, 60.0)
    figures = record.assess()
    hic = next(f for f in figures.figures if f.name.startswith("HIC15"))
    assert 50.0 < hic.value < 5000.0
    play.step("read")

    document = window.bench.document
    made = document.project
    window.menus.run("place.crash")
    again = play.dialog(CrashDialog)
    assert again.fields.who.currentData() == "hybrid_iii_5f", "all choices are as they were"
    assert "plain" in again.fields.belt.currentData()
    again.fields.belt.setCurrentIndex(again.fields.belt.findData(""))
    play.click(again.plain)
    play.until(lambda: document.project is not made, 120.0)
    assert not document.project.harnesses
    window.menus.run("edit.undo")
    assert document.project == made

    document.save(tmp_path / "mine.json")
    document.adopt(Project(title="Another"))
    assert not window.bench.commands.find("place.crash").enabled()
    document.open(tmp_path / "mine.json")
    window.menus.run("place.crash")
    known = play.dialog(CrashDialog)
    assert known.fields.who.currentData() == "hybrid_iii_5f", "they are known beside the file"
    assert known.choices.belt == ""
    known.reject()


def test_what_is_chosen_is_seen_beside_the_dialog(window: Any, qtbot: Any) -> None:
    """On a laptop's screen the dialog covers some of the scene: nobody stands behind it."""
    play = Play(window, qtbot, "beside", QSize(1366, 768))
    play.click(window.panels["welcome"].crash)
    dialog = play.dialog(CrashDialog)
    play.until(lambda: dialog.shown is not None, 60.0)
    view = window.bench.viewport
    free = view.mapFromGlobal(dialog.frameGeometry().topLeft()).x()
    assert free < view.width(), "it does cover some of it"
    for words in ("Pedestrian", "Fall"):
        chosen(play, dialog.fields.case, words)
        play.until(lambda: dialog.shown is not None and dialog._seen == dialog.choices, 60.0)
        places = [view.pixel_of(f"segments/{one.id}") for one in dialog.shown.segments]
        assert len(places) > 10
        assert all(0.0 < at.x() < free and 0.0 < at.y() < view.height() for at in places if at)
        play.step(words)


def test_who_gives_up_is_back_at_the_welcome(window: Any, qtbot: Any) -> None:
    """An empty project that nobody has asked for is no help."""
    play = Play(window, qtbot, "given_up")
    play.click(window.panels["welcome"].crash)
    dialog = play.dialog(CrashDialog)
    assert window.bench.has_project()
    # what is chosen ends in dots where it has no room, and is told whole
    belt, person = dialog.fields.belt, dialog.fields.who
    assert belt.is_cut
    assert not person.is_cut
    QApplication.sendEvent(belt, QHelpEvent(QEvent.Type.ToolTip, QPoint(4, 4), QPoint(4, 4)))
    assert QToolTip.text().startswith(belt.currentText())
    # what is chosen is announced at once over what is still seen, and seen without a word once it is there
    play.until(lambda: dialog.shown is not None and not dialog.trying.is_busy, 60.0)
    view, before = window.bench.viewport, dialog.shown
    assert view.coming == ""
    dialog.fields.case.setCurrentIndex(dialog.fields.case.findData("ejection"))
    assert "Ejection seat" in view.coming
    assert dialog.figures.text() == view.coming
    assert dialog.shown is before
    said = view.grab().toImage()
    view.coming = ""
    assert view.grab().toImage() != said
    view.coming = dialog.figures.text()
    play.until(lambda: not view.coming, 60.0)
    assert dialog.shown is not before
    assert [one.id for one in dialog.shown.harnesses] != [one.id for one in before.harnesses]
    assert "kg" in dialog.figures.text()
    dialog.fields.height.setValue(dialog.fields.height.value() + 10.0)
    assert "Ejection seat" in dialog.figures.text()
    assert view.coming == "", "the same seat a little higher is no other one"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    play.until(lambda: not window.bench.has_project())
    assert view.coming == ""
    assert window.panels["welcome"].isVisible()


def test_a_person_of_110_kg_and_children_of_any_age(window: Any, qtbot: Any) -> None:
    """Ask for a man by kg within what the generator knows, then for a child; the choices are known again."""
    play = Play(window, qtbot, "by_size")
    play.click(window.panels["welcome"].crash)
    dialog = play.dialog(CrashDialog)
    fields, figure = dialog.fields, dialog.fields.figure

    def seen() -> None:
        play.until(lambda: not dialog._rest.isActive() and not dialog.trying.is_busy, 60.0)

    seen()
    for field, name, factor in ((fields.track, "track_m", 1e3), (fields.duration, "duration_s", 1e3), (fields.fall, "height_of_fall_m", 1.0)):  # fmt: skip
        assert (field.minimum(), field.maximum()) == tuple(factor * end for end in BOUNDS[name])
    assert figure.size.isHidden(), "a dummy is of one size"
    fields.who.setCurrentIndex(fields.who.findData("man"))
    figure.percentile.setValue(95.0)
    figure.size.setCurrentIndex(figure.size.findData(True))
    assert figure.weight.value() == pytest.approx(94.7, abs=0.1), "it begins with the percentile's"
    assert figure.weight.maximum() == pytest.approx(127.2, abs=0.05)
    figure.weight.setValue(110.0)
    seen()
    assert "110.0 kg" in dialog.figures.text()
    assert people(dialog.shown)[0].mass_kg == pytest.approx(110.0)
    known = Chosen.read(json.loads(json.dumps(Chosen(dialog.choices, fields.chosen).as_data())))
    assert known is not None
    assert known.figure == fields.chosen
    assert known.figure.weight_kg == 110.0
    fields.who.setCurrentIndex(fields.who.findData("child"))
    assert figure.weight.value() == pytest.approx(20.6, abs=0.1), "another person begins again"
    assert figure.weight.maximum() < 45.0
    figure.size.setCurrentIndex(figure.size.findData(False))
    assert figure.size.currentText() == "Median of the age"
    figure.age.setValue(10.0)
    seen()
    assert "Child of 10 years" in dialog.figures.text()
    fields.who.setCurrentIndex(fields.who.findData("hybrid_iii_50m"))
    fields.track.setValue(300.0)
    seen()
    assert "knee_bag" in dialog.figures.text(), (
        "what starts inside the car is told while one chooses"
    )
    dialog.reject()


def test_a_load_case_begins_with_whom_it_is_made_for(window: Any, qtbot: Any) -> None:
    """A child sits down on the booster; who was chosen by hand stays, whatever the load case."""
    play = Play(window, qtbot, "cases")
    play.click(window.panels["welcome"].crash)
    dialog = play.dialog(CrashDialog)
    fields = dialog.fields
    for words, who in (("on a booster", "hybrid_iii_6y"), ("with a harness", "hybrid_iii_3y"), ("rear seat", "hybrid_iii_5f")):  # fmt: skip
        chosen(play, fields.case, words)
        assert fields.who.currentData() == who
        assert dialog.choices.who == who
    chosen(play, fields.case, "Rear impact")
    assert fields.who.currentData() == "man"
    assert "neck_3" in {one.id for one in dialog.choices.who.segments}
    chosen(play, fields.case, "Pedestrian")
    cells = [one for one in dialog.choices.who.joints if one.id == "right_femur_cell"]
    assert [one.breakage is not None for one in cells] == [True]
    chosen(play, fields.who, "95th-percentile man")
    chosen(play, fields.case, "on a booster")
    assert dialog.choices.who == "hybrid_iii_95m"
    play.until(lambda: "up to 36 kg" in dialog.figures.text(), 60.0)
    assert not dialog.create_and_run.isEnabled()
    play.step("large_man_on_a_booster")
    chosen(play, fields.case, "rear seat")
    play.until(dialog.create_and_run.isEnabled, 60.0)
    dialog.reject()


def test_choices_of_earlier_versions_are_read() -> None:
    """They held a height of fall in every load case, and a percentile beside the crash."""
    old = {"case": "frontal", "who": "woman", "percentile": 5.0, "belt": "", "height_of_fall_m": 1.0, "tilt_rad": 0.0, "speed_km_per_h": None}  # fmt: skip
    known = Chosen.read(old)
    assert known is not None
    look_at(known.crash)
    assert (known.crash.belt, known.figure.who, known.figure.percentile) == ("", "woman", 5.0)
    assert Chosen.read(old | {"who": "nobody"}) is None
    assert Chosen.read(old | {"case": "frontl"}) is None
