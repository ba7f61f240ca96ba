"""Everything that can be used has a name for screen readers and a tip; Tab goes where one reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollBar,
    QTextBrowser,
    QWidget,
)

from app import texts
from app.curves.csv_dialog import CsvDialog
from app.features.movie.dialogs import MovieDialog
from app.forms.units import Units
from app.shell.tabbing import tab_order
from solver.base.places import samples
from solver.project import validated
from tests.everything import everything, first_of_each_kind
from tests.window.test_inspector import hold_to_fields
from tests.window.test_several import hold_to_differing
from tests.window.waiting import turns, until_active, until_pointed

pytestmark = [pytest.mark.window, pytest.mark.one_window]

USED = (
    QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractItemView, QAbstractSlider,
    QPlainTextEdit, QTextBrowser,
)  # fmt: skip
"""Kinds of widgets that people use."""
TABLED = {
    "run.run": "run", "run.live": "live", "run.hold": "hold", "run.cancel": "cancel",
}  # fmt: skip
"""Actions that have a button in the corner of the menu bar."""


def of_qt(widget: QWidget) -> bool:
    """Tell what Qt or pyqtgraph has put there by itself."""
    parent = widget.parentWidget()
    if isinstance(widget, QScrollBar) or widget.objectName().startswith("qt_"):
        return True
    if isinstance(parent, QAbstractSpinBox | QComboBox | QLineEdit):
        return True
    if parent is not None and "PrivateContainer" in parent.metaObject().className():
        return True
    if isinstance(widget, QHeaderView) or widget.metaObject().className() == "QTableCornerButton":
        return True
    tabs = ("QTabBar", "QMainWindowTabBar")
    inside_tabs = parent is not None and parent.metaObject().className() in tabs
    here: QWidget | None = widget
    while here is not None and not isinstance(here, QMenu):
        here = here.parentWidget()
    return inside_tabs or here is not None


def used(root: QWidget) -> Iterator[QWidget]:
    for widget in root.findChildren(QWidget):
        if isinstance(widget, USED) and not of_qt(widget):
            yield widget


def name_of(widget: QWidget) -> str:
    """Give what a screen reader says."""
    found = QAccessible.queryAccessibleInterface(widget)
    return str(found.text(QAccessible.Text.Name)) if found else widget.accessibleName()


def chain(widget: QWidget | None) -> str:
    """Say where a widget is."""
    words = []
    while widget is not None:
        words.append(type(widget).__name__)
        widget = widget.parentWidget()
    return " in ".join(words[:5])


def hold(root: QWidget) -> None:
    """Hold all that is used in a window to names and tips."""
    count = 0
    for widget in used(root):
        count += 1
        said = getattr(widget, "text", str)() if isinstance(widget, QAbstractButton) else ""
        assert name_of(widget), f"no name: {chain(widget)} {said}"
        if isinstance(widget, QAbstractButton):
            assert widget.toolTip(), f"no tip: {chain(widget)} '{said}'"
    assert count


def test_all_actions_say_what_they_do_and_by_which_key(window: Any) -> None:
    assert len(window.menus.entries) > 100
    for id_, entry in window.menus.entries.items():
        command = window.menus.commands[id_]
        assert command.plain, id_
        assert command.title.count("&") <= 1, id_
        assert entry.statusTip() == command.tip
        assert command.tip.endswith("."), id_
        assert entry.toolTip().startswith(entry.statusTip())
        if command.key:
            key = QKeySequence(command.key).toString(QKeySequence.SequenceFormat.NativeText)
            assert entry.toolTip().endswith(f"({key})")
    control = window.panels["run_control"]
    buttons = {id_: getattr(control, name) for id_, name in TABLED.items()}
    moods = ("run.model", "run.vary_it", "run.study")
    for id_, button in {**buttons, **dict(zip(moods, control.moods.values(), strict=True))}.items():
        assert button.toolTip() == window.bench.tip_of(id_)


@pytest.mark.own_window
def test_all_that_is_used_in_the_window_has_a_name_and_a_tip(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    hold(window.panels["welcome"])
    window.open_file(samples() / "lap_belt.json")
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    for name in (one.name for one in window.panels.all("below")):
        window.panels.open(name)
        turns()
    hold(window)
    torn = tmp_path / "torn.json"
    torn.write_text("{", encoding="utf-8")
    window.open_file(torn)
    hold(window.panels["unreadable"])


def test_all_fields_of_all_elements_are_shown_and_have_a_name_and_a_tip(window: Any) -> None:
    """With the sections of every kind of element open, which takes a while, also what differs among several."""
    window.bench.document.adopt(validated(everything()))
    kinds = list(first_of_each_kind(window.bench.document.project))
    assert len(kinds) >= 45
    for path, item in kinds:
        window.bench.document.select(path)
        form = window.panels["inspector"].form
        for section in list(form.sections.values()):
            section.open()
        hold(form)
        hold_to_fields(form, path, item)
        hold_to_differing(window.bench.document.project, form)
        if window.panels["inspector"].start.isVisible():
            hold(window.panels["inspector"].start)
        if window.panels["editor"].fits(window.bench.document.selection):
            hold(window.panels["editor"])
    window.bench.document.history.setClean()
    window.bench.document.recovered = False


@pytest.mark.parametrize("id_", ["edit.preferences", "help.keys", "help.guide", "place.body", "place.library", "place.settle", "run.certify", "file.crash"])  # fmt: skip
def test_all_that_is_used_in_a_dialog_has_a_name_and_a_tip(
    window: Any, qtbot: Any, id_: str
) -> None:
    window.open_file(samples() / "lap_belt.json")
    window.menus.run(id_)
    dialog = next(w for w in window.findChildren(QWidget) if w.isWindow() and w.isVisible())
    if id_ != "help.keys":
        hold(dialog)
    assert dialog.windowTitle()
    if id_ == "place.settle":
        qtbot.waitUntil(lambda: not dialog.is_busy, timeout=240_000)
    dialog.close()


def test_all_that_is_used_in_the_dialogs_of_files_has_a_name_and_a_tip(
    window: Any, qtbot: Any
) -> None:
    window.open_file(samples() / "lap_belt.json")
    function = window.bench.document.project.functions[0]
    dialog = CsvDialog("0,1\n1,2\n", function, Units(), "", window)
    hold(dialog)
    dialog.deleteLater()
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    window.features["movie"].film()
    film = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MovieDialog))
    hold(film)
    film.close()


def test_the_card_of_the_tour_has_names_and_tips(window: Any) -> None:
    window.features["tour"].begin()
    hold(window.features["tour"].card)


# Tab


def parts(window: Any) -> list[str]:
    """Name the parts through which Tab goes, in its order."""
    names = ("welcome", "outline", "timeline", "run_control")
    known = {window.panels[name]: name for name in names}
    right = window.panels["inspector"], window.panels["result"], window.panels.tab("result")[0]
    known |= {window.bench.viewport: "viewport", **dict.fromkeys(right, "right")}
    if window.panels.front() is not None:
        known |= {window.panels.tab(window.panels.front().name)[0]: "below"}
    known |= {one.widget: "below" for one in window.panels.all("below")}
    found: list[str] = []
    for widget in tab_order((window.notice, *window.panels.in_order())):
        here: QWidget | None = widget
        while here is not None and here not in known:
            here = here.parentWidget()
        name = known[here] if here is not None else "?"
        if not found or found[-1] != name:
            found.append(name)
    return found


@pytest.mark.own_window
def test_tab_goes_through_the_window_as_one_reads(window: Any, qtbot: Any) -> None:
    assert parts(window) == ["welcome"]
    window.open_file(samples() / "lap_belt.json")
    assert parts(window) == ["outline", "viewport", "right", "below", "run_control"]
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    window.bench.run_view.player.pause()
    # what is said of the run would come first
    window.notice.hide()
    order = ["outline", "viewport", "timeline", "right", "below", "run_control"]
    assert parts(window) == order
    for path in ("segments/head", "belts/lap_belt", ""):
        window.bench.document.select(path)
        assert parts(window) == order, "forms that were built later stay in their place"


def test_tab_comes_round_both_ways_and_never_to_what_is_not_seen(
    window: Any, seated_file: Path
) -> None:
    window.open_file(seated_file)
    window.bench.document.select("harnesses/shoulder")
    window.activateWindow()
    until_active(window)
    order = tab_order((window.notice, *window.panels.in_order()))
    order[0].setFocus()
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        seen = set()
        for _ in range(len(order) + 2 * len(window.features["placing"].move.grips)):
            here = QApplication.focusWidget()
            assert here.isVisible()
            assert here.isEnabled()
            seen.add(here)
            QTest.keyClick(here, key)
        assert seen == set(order)


@pytest.mark.parametrize("path", ["functions/foam", "contacts/pelvis_seat", "planes/floor", ""])
def test_tab_leaves_every_panel_again(window: Any, seated_file: Path, path: str) -> None:
    window.open_file(seated_file)
    window.bench.document.select(path)
    window.activateWindow()
    until_active(window)
    names = ("editor",) if path else [one.name for one in window.panels.all("below")]
    for name in names:
        window.panels.open(name)
        window.panels.tab(name)[0].setFocus()
        for _ in range(90):
            here = QApplication.focusWidget()
            if here is not window.panels.tab(name)[0] and not window.panels[name].isAncestorOf(
                here
            ):
                break
            QTest.keyClick(here, Qt.Key.Key_Tab)
        assert not window.panels[name].isAncestorOf(QApplication.focusWidget()), name


@pytest.mark.own_window
def test_what_tab_goes_to_is_scrolled_into_view(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    window.resize(1000, 560)
    window.bench.document.select("segments/head")
    window.activateWindow()
    until_active(window)
    window.bench.viewport.setFocus()
    for _ in range(40):
        here = QApplication.focusWidget()
        if window.panels["inspector"].isAncestorOf(here):
            assert not here.visibleRegion().isEmpty(), chain(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)


# the status line


def test_the_status_line_tells_how_the_tool_in_hand_is_used(
    window: Any, seated_file: Path, qtbot: Any
) -> None:
    window.open_file(seated_file)
    window.activateWindow()
    until_active(window)
    view, words = window.bench.viewport, window.status.words
    window.bench.document.select("planes/floor")
    view.setFocus()

    def says(sentence: str) -> None:
        qtbot.waitUntil(lambda: words.text() == sentence, timeout=20_000)

    keeps, takes = (
        "X, Y, Z keep to an axis; type a number; ",
        "Enter or click takes it, Esc leaves it.",
    )
    hint = {
        Qt.Key.Key_G: f"{keeps}Alt puts it onto what is under the mouse; {takes}",
        Qt.Key.Key_R: keeps + takes,
    }
    for key in hint:
        QTest.keyClick(view, key)
        says(hint[key])
        QTest.keyClick(view, Qt.Key.Key_Escape)
        says("Left as it was.")
        qtbot.waitUntil(lambda: not view._hint, timeout=20_000)
    QTest.keyClick(view, Qt.Key.Key_M)
    says("Click two points of what is seen; Esc ends measuring.")
    window.bench.say("Something was done.")
    assert words.text() == "Something was done."
    window.status._stays.timeout.emit()
    assert words.text() == "Click two points of what is seen; Esc ends measuring.", (
        "the tool is still in hand"
    )
    QTest.keyClick(view, Qt.Key.Key_Escape)
    window.status._stays.stop()
    window.status.explain(window.bench.document)
    says(
        "{name}, {kind}. F2 renames, Ctrl+D duplicates, Del deletes.".format(
            name="Floor", kind="plane"
        )
    )
    window.menus.run("place.pose")
    says("Drag a limb to pose it; Shift+P ends posing.")
    window.menus.run("place.pose")
    says("Posing ended.")


def test_a_handle_under_the_mouse_says_what_it_does(
    window: Any, seated_file: Path, qtbot: Any
) -> None:
    from app.scene.handles import Part

    window.open_file(seated_file)
    window.bench.document.select("planes/floor")
    view = window.bench.viewport
    at = window.features["placing"].move.holding.handles().point_of(Part("axis", 0), view.lens)

    def is_said() -> bool:
        QTest.mouseMove(view, QPoint(round(at[0]), round(at[1])))
        until_pointed(view)
        said = texts.scene.HANDLES["axis"].format(axis="x")
        return bool(window.status.words.text() == said)

    qtbot.waitUntil(is_said, timeout=20_000)
