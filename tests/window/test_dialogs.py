"""All dialogs look alike in letters of every size: fields of one width, nothing cut, a way to help."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QPushButton, QWidget

from app import texts
from app.curves.csv_dialog import CsvDialog, open_csv
from app.curves.points import NotATable
from app.editing.from_library import has_place
from app.features.guide.window import GuideWindow
from app.features.placing.library_dialog import LibraryDialog
from app.fonts import Shortened, em
from app.forms.choices import Choice, Number, Whole
from app.forms.units import Units
from app.preferences import TEXT_SIZES_PX
from app.widgets.sheet import HelpButton, Sheet, ask
from solver.base.places import samples
from solver.bodies.library import entries
from solver.project.functions import Function, Table
from tests.window.waiting import once_modal, turns, until_exposed

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton
SIZES = list(TEXT_SIZES_PX)
HEADS = "Time [ms],Acceleration [g]\n0,0\n10,20\n"
FORCES = Function(id="f", x_unit="s", y_unit="m/s2", form=Table(x=(0, 1), y=(0, 1)))


def opened(window: Any) -> Iterator[Sheet]:
    """Open the dialogs, one after the other."""
    for id_ in ("edit.preferences", "place.body", "place.settle", "place.library", "run.certify"):
        window.menus.run(id_)
        sheet = next(w for w in window.findChildren(Sheet) if w.isVisible())
        if isinstance(sheet, LibraryDialog):
            sheet.show_entry(next(one.id for one in entries() if has_place(one)))
        yield sheet
        sheet.close()
    csv = CsvDialog(HEADS, FORCES, Units(), "head.csv", window)
    csv.open()
    yield csv
    csv.close()
    csv.deleteLater()
    film = window.features["movie"].film()
    assert film is not None
    yield film
    film.close()


def hold(sheet: Sheet) -> None:
    """Hold a dialog to what all have in common."""
    fields = [field for field in rows(sheet) if isinstance(field, QComboBox | Number | Whole)]
    assert fields
    for field in fields:
        assert field.width() == round(sheet.form.field_em * em())
        assert field.x() == fields[0].x()
        assert abs(field.height() - fields[0].height()) <= 1
    for label in sheet.findChildren(QLabel):
        if label.isVisible() and label.text():
            low = label.wordWrap() and label.heightForWidth(label.width()) > label.height()
            cut = not label.wordWrap() and label.sizeHint().width() > label.width()
            assert not low, label.text()
            assert not cut, label.text()
    for box in sheet.findChildren(Number) + sheet.findChildren(Whole):
        line = box.lineEdit()
        assert line.width() > box.fontMetrics().horizontalAdvance(box.text()), box.text()
        assert box.rect().contains(line.geometry())
    for choice in sheet.findChildren(Choice):
        room = choice.width() - 32
        assert choice.fontMetrics().horizontalAdvance(choice.currentText()) <= room
    for button in sheet.findChildren(QPushButton):
        assert button.width() >= button.sizeHint().width(), button.text()
    screen = sheet.screen().availableGeometry()
    assert screen.contains(sheet.frameGeometry()), (sheet.frameGeometry(), screen)


def rows(sheet: Sheet) -> Iterator[QWidget]:
    """Give what stands beside the labels of a form."""
    for n in range(sheet.form.rowCount()):
        item = sheet.form.itemAt(n, QFormLayout.ItemRole.FieldRole)
        if item is not None and item.widget().isVisible():
            yield item.widget()


@pytest.mark.own_window
def test_dialogs_look_alike_in_letters_of_every_size(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "lap_belt.json")
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    window.bench.run_view.player.pause()
    for size in SIZES:
        window.application.choose("text_size", size)
        count = 0
        for sheet in opened(window):
            qtbot.waitUntil(lambda s=sheet: not getattr(s, "is_busy", False), timeout=240_000)
            turns()
            hold(sheet)
            count += 1
        assert count == 7, size


@pytest.mark.own_window
def test_an_open_dialog_grows_with_its_letters(window: Any, qtbot: Any) -> None:
    window.menus.run("edit.preferences")
    sheet = next(w for w in window.findChildren(Sheet) if w.isVisible())
    for size in ("huge", "small"):
        window.application.choose("text_size", size)
        turns()
        hold(sheet)


def test_one_thing_is_asked_for_like_everything_else(window: Any) -> None:
    def answer(sheet: Any) -> None:
        assert isinstance(sheet, Sheet)
        hold(sheet)
        field.setValue(4)
        sheet.accept()

    field = Whole(2, 12, 6)
    once_modal(answer)
    do = QPushButton(texts.words.WRITE)
    assert ask(window, "Write a filmstrip", "strip", "Instants, side by side", field, do)
    once_modal(lambda sheet: sheet.close())
    field = Whole(2, 12, 6)
    do = QPushButton(texts.words.WRITE)
    assert not ask(window, "Write a filmstrip", "strip", "", field, do)


# help


class Watch(QObject):
    """Count how often a window is held up by a modal dialog."""

    def __init__(self) -> None:
        super().__init__()
        self.is_held_up = False

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowBlocked:
            self.is_held_up = True
        if event.type() == QEvent.Type.WindowUnblocked:
            self.is_held_up = False
        return False


def press_help(inside: QWidget) -> None:
    button = inside.findChild(HelpButton)
    QTest.mouseClick(button, LEFT)


def test_the_guide_can_be_read_while_a_dialog_waits(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "lap_belt.json")
    window.features["guide"].open()
    guide = window.findChild(GuideWindow)
    watch = Watch()
    guide.windowHandle().installEventFilter(watch)
    for _ in range(2):
        csv = CsvDialog(HEADS, FORCES, Units(), "head.csv", window)
        csv.open()
        until_exposed(csv)
        assert watch.is_held_up
        press_help(csv)
        assert guide.browser.topic == "guide#editors"
        qtbot.waitUntil(lambda: not watch.is_held_up, timeout=20_000)
        csv.close()
        csv.deleteLater()
        turns()
        assert guide.isVisible(), "the dialog is gone, the guide stays"
        window.features["guide"].open("guide#curves")
        assert not watch.is_held_up
    guide.windowHandle().removeEventFilter(watch)


def test_every_panel_has_its_help(window: Any) -> None:
    window.open_file(samples() / "lap_belt.json")
    below = window.panels.all("below")
    assert len(below) == 12
    for panel in below:
        window.panels.open(panel.name)
        QTest.mouseClick(
            window.panels.docks.corner_of(panel.name).ask,
            LEFT,
            pos=QPoint(5, 5),
        )
        guide = window.findChild(GuideWindow)
        assert guide.browser.topic == panel.topic, panel.name
    window.bench.document.select("belts/lap_belt")
    press_help(window.panels["inspector"])
    assert guide.browser.topic == "element:Belt"


# tables


@pytest.mark.own_window
def test_columns_follow_the_size_of_text(window: Any) -> None:
    header = window.panels["problems"].tree.header()
    before = header.sectionSize(1)
    window.application.choose("text_size", "huge")
    ratio = TEXT_SIZES_PX["huge"] / TEXT_SIZES_PX["usual"]
    assert header.sectionSize(1) == pytest.approx(ratio * before, abs=2.0)
    window.application.choose("text_size", "usual")
    assert header.sectionSize(1) == pytest.approx(before, abs=2.0)


def test_a_sentence_that_has_no_room_is_shortened(qtbot: Any) -> None:
    label = Shortened()
    qtbot.addWidget(label)
    label.resize(400, 20)
    label.say("A sentence that is longer than the room that there is for it")
    wide_one = label.grab().toImage()
    label.resize(60, 20)
    assert label.toolTip() == label.text()
    assert label.grab().toImage() != wide_one.copy(0, 0, 60, 20), "the end says that there is more"


def test_a_file_without_columns_is_refused_in_a_sentence(
    qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, parent = tmp_path / "head.csv", QWidget()
    qtbot.addWidget(parent)

    def why() -> str:
        with pytest.raises(NotATable) as refused:
            open_csv(file, FORCES, Units(), parent)
        return str(refused.value)

    assert why() == "head.csv cannot be read: No such file or directory."
    file.write_bytes(b"h\n\0,1\n")
    assert why() == "head.csv is no text."
    file.write_text("no numbers at all\n")
    assert why().startswith("head.csv: ")
    monkeypatch.setattr("app.curves.csv_dialog.LARGEST_CSV", 10)
    assert why() == "head.csv is larger than 64 MB."
    file.write_text(HEADS)
    monkeypatch.setattr("app.curves.csv_dialog.LARGEST_CSV", 1000)
    assert open_csv(file, FORCES, Units(), parent).found.columns == ((0.0, 10.0), (0.0, 20.0))
