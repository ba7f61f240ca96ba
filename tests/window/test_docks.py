"""Panels that people arrange: moved, hidden, in windows of their own, kept and put back."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget

from app.settings import Settings
from app.shell import layouts
from app.shell.dock import Corner
from app.shell.layouts import first_widths
from solver.base.places import samples
from tests.window.waiting import collect, turns, until_active, until_exposed

pytestmark = pytest.mark.window
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def opened(qtbot: Any, seated_file: Path) -> Iterator[Any]:
    """Open one window after the other, each as the last was left."""
    from app.shell.window import MainWindow

    made: list[Any] = []

    def open_one(file: Path | None = seated_file) -> Any:
        if made:
            made[-1].close()
        main = MainWindow()
        made.append(main)
        main.resize(1366, 768)
        main.show()
        until_exposed(main)
        if file is not None:
            main.open_file(file)
            qtbot.waitUntil(lambda: main.panels.docks.below_height() > 0, timeout=20_000)
        return main

    yield open_one
    for main in made:
        main.close()
        main.deleteLater()
    made.clear()
    collect()
    qtbot.waitUntil(lambda: not QApplication.topLevelWidgets(), timeout=20_000)


def test_a_panel_comes_into_the_window_once_it_is_seen(opened: Any) -> None:
    """Qt styles and lays out all that is in a window, be it hidden."""
    main = opened(None)
    panels = {one.name: one.widget for one in main.panels.all("left", "right", "below")}
    assert not [name for name, one in panels.items() if main.isAncestorOf(one)]
    main.panels.show_page()
    turns()
    seen = {name for name, one in panels.items() if main.isAncestorOf(one)}
    assert {name for name, one in panels.items() if one.isVisible()} <= seen
    main.panels.show_mood("understand")
    turns()
    assert all(main.isAncestorOf(one) for one in panels.values() if one.isVisible())
    assert not {"injury", "plots", "whatif"} & seen
    assert not main.isAncestorOf(panels["compare"]), "it lies behind"


def drag(widget: QWidget, start: QPoint, goal: QPoint) -> None:
    """Press, move in steps and let go, as a hand does it; QTest's moves hold no button."""
    send = QApplication.sendEvent
    kinds = QEvent.Type

    def event(kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
        place = QPointF(widget.mapToGlobal(at))
        keys = Qt.KeyboardModifier.NoModifier
        send(widget, QMouseEvent(kind, QPointF(at), place, button, held, keys))
        turns(1)

    none = Qt.MouseButton.NoButton
    start_on_screen, goal_on_screen = widget.mapToGlobal(start), widget.mapToGlobal(goal)
    event(kinds.MouseButtonPress, start, LEFT, LEFT)
    for step in range(1, 13):
        there = start_on_screen + (goal_on_screen - start_on_screen) * (step / 12)
        event(kinds.MouseMove, widget.mapFromGlobal(there), none, LEFT)
    event(kinds.MouseButtonRelease, widget.mapFromGlobal(goal_on_screen), LEFT, none)


def place(window: Any, name: str) -> str:
    docks = window.panels.docks
    return str(docks.place(docks.docks[name]))


def places(window: Any) -> dict[str, str]:
    return {name: place(window, name) for name in window.panels.docks.docks}


def first(window: Any) -> dict[str, str]:
    """Say where the panels of the mood stand at first."""
    mood, all_of_them = window.panels.mood, window.panels.all("left", "right", "below")
    return {one.name: one.place if one.stays_in(mood) else "" for one in all_of_them}


def test_curves_are_dragged_beside_the_scene_and_stay_there(opened: Any, qtbot: Any) -> None:
    window = opened()
    window.panels.open("plots")
    bar, tab = window.panels.tab("plots")
    page = window.panels.docks
    target = window.panels["result"]
    start = tab.center()
    goal = bar.mapFromGlobal(target.mapToGlobal(QPoint(target.width() // 2, target.height() - 40)))
    drag(bar, start, goal)
    qtbot.waitUntil(lambda: place(window, "plots") == "right", timeout=20_000)
    page.settle()
    assert window.panels["plots"].isVisible()
    assert not page.is_folded, "a drag is no click"
    width = page.docks["plots"].width()
    window = opened()
    assert place(window, "plots") == "", "one builds"
    window.panels.open("plots")
    assert place(window, "plots") == "right"
    assert {n for n, p in places(window).items() if p != first(window)[n]} == {"plots"}
    assert abs(window.panels.docks.docks["plots"].width() - width) <= 2


def test_a_tab_is_drawn_out_to_a_window_and_a_grip_takes_its_panel_across(
    opened: Any, qtbot: Any
) -> None:
    window = opened()
    page = window.panels.docks
    window.panels.open("runs")
    bar, tab = window.panels.tab("runs")
    drag(bar, tab.center(), tab.center() - QPoint(0, 20))
    assert places(window) == first(window), "a tab is let go near its row"
    scene = window.bench.viewport
    drag(bar, tab.center(), bar.mapFromGlobal(scene.mapToGlobal(scene.rect().center())))
    page.settle()
    runs = page.docks["runs"]
    assert place(window, "runs") == "window"
    assert runs.isVisible()
    assert runs.width() < page.width() - 400, "a strip below the scene is no window"
    assert [bar.tabText(n) for n in range(bar.count())].count("Runs") == 0
    outline = page.docks["outline"]
    assert 0 < outline.title.height() < 10
    fields = window.panels["inspector"]
    goal = fields.mapToGlobal(QPoint(fields.width() // 2, fields.height() - 40))
    # Qt itself sends what a dock has of the mouse from here on
    drag(outline, outline.title.geometry().center(), outline.mapFromGlobal(goal))
    qtbot.waitUntil(lambda: place(window, "outline") == "right", timeout=20_000)
    page.settle()
    assert outline.title.name.isVisible()


def test_a_menu_moves_panels_and_another_puts_them_back(opened: Any, qtbot: Any) -> None:
    window = opened()
    docks = window.panels.docks
    window.panels.open("runs")
    sizes = [docks.docks[n].size() for n in ("outline", "inspector", "runs")]
    bar, tab = window.panels.tab("runs")
    QTest.mouseClick(bar, Qt.MouseButton.RightButton, pos=tab.center())
    window.panels.menu_of("runs").actions()[0].trigger()
    assert place(window, "runs") == "left"
    assert window.panels["runs"].isVisible()
    assert abs(docks.docks["outline"].height() - docks.docks["runs"].height()) < 4
    window.panels.docks.move_panel("outline", "below")
    assert window.panels["outline"].isVisible()
    assert not window.panels["whatif"].isVisible(), "another is in front"
    for name in ("inspector", "studies"):
        docks.move_panel(name, "window")
    docks.show_panel("studies", False)
    window.menus.run("view.arrange")
    assert places(window) == first(window)

    def one_corner() -> None:
        shown = [one for one in docks.children() if isinstance(one, Corner) and one.isVisible()]
        assert len(shown) == 1, "that of tabs which are no more is gone"

    qtbot.waitUntil(one_corner, timeout=20_000)
    for size, n in zip(sizes, ("outline", "inspector", "runs"), strict=True):
        now = docks.docks[n].size()
        assert abs(now.width() - size.width()) < 4, n
        assert abs(now.height() - size.height()) < 4, n
    for menu in window.findChildren(QMenu):
        menu.close()


def test_what_is_below_is_as_high_as_it_is_told_with_tabs_and_without(opened: Any) -> None:
    window = opened()
    docks = window.panels.docks
    window.panels.open("runs")
    for height in (260, 231):
        docks.set_below_height(height)
        assert docks.below_height() == height
    for one in docks.below():
        docks.show_panel(one.panel.name, False)
    docks.move_panel("outline", "below")
    assert docks.strip(docks.docks["outline"]) is None
    for height in (260, 231):
        docks.set_below_height(height)
        assert docks.below_height() == height


def test_a_hidden_panel_is_shown_by_what_goes_there(opened: Any) -> None:
    window = opened()
    window.panels.show_mood("understand")
    for name in ("injury", "outline"):
        window.menus.run(f"view.panel.{name}")
        assert place(window, name) == ""
        assert not window.menus.entries[f"view.panel.{name}"].isChecked()
        window.menus.run(f"view.go_{name}")
        assert place(window, name) == first(window)[name]
        assert window.panels[name].isVisible()
        assert window.menus.entries[f"view.panel.{name}"].isChecked()
    window.panels.toggle("plots")
    window.panels.toggle_scene_alone()
    window.panels.open("plots")
    assert set(places(window).values()) == {""}, "the scene stays alone"
    window.panels.toggle_scene_alone()
    assert places(window) == first(window)
    assert window.panels["plots"].isVisible(), "what was asked for meanwhile"


def test_scene_and_tables_alone_give_everything_back_as_it_was(opened: Any) -> None:
    window = opened()
    docks = window.panels.docks
    window.panels.open("runs")
    docks.set_below_height(300)

    def look() -> list[object]:
        docks.layout().activate()
        sizes = [docks.docks[n].geometry() for n in ("outline", "inspector", "runs")]
        return [window.panels.scene.geometry(), window.panels.front().name, *sizes]

    before = look()
    for toggle in (window.panels.toggle_scene_alone, window.panels.toggle_below_alone):
        toggle()
        assert look() != before
        toggle()
        assert look() == before
    window.panels.toggle_below_alone()
    assert docks.below_height() == docks.height()
    window.panels.toggle_scene_alone()
    assert window.panels.scene.size() == docks.size()


def test_a_panel_has_a_window_of_its_own_and_is_closed_there(opened: Any, qtbot: Any) -> None:
    window = opened()
    docks = window.panels.docks
    docks.move_panel("plots", "window")
    dock = docks.docks["plots"]
    assert dock.isWindow()
    assert window.panels["plots"].isVisible()
    window.panels.toggle_scene_alone()
    assert dock.isVisible(), "another screen is not in the scene's way"
    window.panels.toggle_scene_alone()
    window.panels.show_page("welcome")
    assert not dock.isVisible()
    window.panels.show_page()
    assert dock.isVisible()
    away = next(one for one in dock.title.findChildren(QToolButton) if one.text() == "✕")
    QTest.mouseClick(away, LEFT)
    assert place(window, "plots") == ""
    window.menus.run("view.panel.plots")
    assert place(window, "plots") == "window"
    dock.move(9000, 7000)
    window.close()
    assert not dock.isVisible()
    window = opened(None)
    dock = window.panels.docks.docks["plots"]
    assert not dock.isVisible(), "nothing is open yet"
    window = opened()
    dock = window.panels.docks.docks["plots"]
    assert dock.isVisible()
    assert dock.isWindow()
    areas = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    assert any(area.contains(dock.geometry()) for area in areas)


def test_folded_panels_unfold_where_they_are_put(opened: Any) -> None:
    window = opened()
    window.panels.open("plots")
    window.panels.fold(True)
    assert window.panels["plots"].visibleRegion().isEmpty()
    window.panels.docks.move_panel("plots", "right")
    assert window.panels["plots"].visibleRegion().boundingRect().height() > 50
    assert window.panels.docks.is_folded, "the others are left as they were"


def test_the_keyboard_goes_to_the_tab_that_comes_to_the_front(opened: Any, qtbot: Any) -> None:
    window = opened()
    window.activateWindow()
    until_active(window)
    window.panels.go_to("problems")
    assert window.panels.has_keyboard("problems")
    for name in ("studies", "modes"):
        window.panels.open(name)
        assert window.panels.has_keyboard(name), "in another mood, too"
    bar, tab = window.panels.tab("problems")
    QTest.mouseClick(bar, LEFT, pos=tab.center())
    qtbot.waitUntil(lambda: window.panels.has_keyboard("problems"), timeout=20_000)


def test_what_goes_by_the_panel_in_front_looks_below_the_scene(opened: Any, qtbot: Any) -> None:
    window = opened()
    window.panels.docks.move_panel("problems", "right")
    window.panels.open("editor")
    assert window.panels.front().name == "editor"
    assert window.panels.is_front("problems")
    window.panels.toggle_scene_alone()
    assert window.panels.front().name == "editor", "it comes back"
    window.panels.toggle_scene_alone()
    window.open_file(samples() / "frontal.json")
    assert not window.panels.docks.is_folded, "problems are none, but do not stand there"


def test_many_panels_beside_the_scene_do_not_lie_over_each_other(opened: Any) -> None:
    window = opened()
    docks = window.panels.docks
    for name, side in (("plots", "right"), ("runs", "left"), ("outline", "right")):
        docks.move_panel(name, side)
    for name in ("injury", "compare", "whatif"):
        docks.move_panel(name, "right")
    docks.layout().activate()
    assert window.size() == QSize(1366, 768), "the window has not grown"
    seen = [one for one in docks.docks.values() if docks.is_front(one)]
    boxes = [*(one.geometry() for one in seen), window.panels.scene.geometry()]
    assert len(boxes) == 5, "two beside each other at the right, the others behind the second"
    for number, one in enumerate(boxes):
        assert docks.rect().contains(one)
        assert not any(one.intersects(other) for other in boxes[:number])


def test_what_is_said_of_curves_goes_where_they_are(opened: Any) -> None:
    window = opened()
    docks = window.panels.docks
    window.panels.remark("These are of an older model.")
    docks.move_panel("plots", "right")
    assert docks.corner_of("plots").remark.isVisible()
    assert docks.corner_of("problems").remark.isVisible()
    window.panels.count("problems", 3)
    bar, tab = window.panels.tab("problems")
    assert bar.tabText(bar.tabAt(tab.center())).endswith("3")
    assert bar.tabToolTip(bar.tabAt(tab.center())) == window.panels.find("problems").tip


def checked(state: bytes) -> bytes:
    return f"{zlib.crc32(state)} ".encode() + state


def test_a_state_that_does_not_fit_is_dropped(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    window = opened()
    window.panels.docks.move_panel("plots", "left")
    window.close()
    settings = Settings()
    state = settings.layout("docks").data()
    flipped = bytearray(state)
    flipped[-40] ^= 0xFF
    broken = {
        "cut": state[:-30],
        "flipped": bytes(flipped),
        "wide": state.replace(b" 13", b" 99999999999913", 1),
        "others": checked(state.partition(b" ")[2].replace(b'"plots"', b'"graphs"', 1)),
        "nothing": b"\x00\n",
        "version": state,
    }
    for how, said in broken.items():
        if how == "version":
            monkeypatch.setattr(layouts, "_VERSION", 999)
        settings.keep_layout("docks", QByteArray(said))
        settings._store.sync()
        window = opened()
        assert places(window) == first(window), how
        assert window.panels.docks.docks["outline"].width() == 236, how
        window.close()  # or else it would write its own over the next one


def test_a_folded_start_keeps_what_was_arranged(opened: Any) -> None:
    window = opened()
    window.panels.open("plots")
    window.panels.docks.set_below_height(330)
    window.panels.fold(True)
    window.panels.toggle_scene_alone()
    window = opened()
    window.panels.open("plots")
    assert abs(window.panels.docks.below_height() - 330) <= 2


def test_the_scene_keeps_half_of_a_narrow_window_and_names_have_room_in_a_wide_one() -> None:
    usual, narrow, wide = (first_widths(px) for px in (1366, 1024, 2560))
    assert usual == {"left": 236, "right": 384}
    assert sum(narrow.values()) <= 512
    assert wide["left"] > 300
    assert wide["right"] > 440


def test_a_drawer_has_its_height_back_at_once(opened: Any) -> None:
    """Folded and unfolded by clicks on the same tab, and unfolded by what takes all the room."""
    main = opened()
    docks = main.panels.docks
    main.panels.open("runs")
    dock = docks.docks["runs"]
    strip, tab = docks.strip(dock)
    whole = dock.height()
    assert whole > 150
    for _ in range(2):
        QTest.mouseClick(strip.bar, LEFT, pos=strip.bar.tabRect(tab).center())
        turns()
    assert not docks.is_folded
    assert dock.height() == whole
    docks.fold(True)
    main.panels.toggle_below_alone()
    assert dock.height() > docks.height() - 60
    main.panels.toggle_below_alone()
    assert dock.height() == whole


def test_another_window_opens_on_the_screen(opened: Any) -> None:
    from app.shell.window import new_window, title_px

    main = opened(None)
    for corner in ((0, 0), (900, 600)):
        main.move(*corner)
        screen = main.screen().availableGeometry()
        main.resize(screen.size())
        other = new_window(main.application)
        place = other.geometry().adjusted(0, 0, 0, title_px(other))
        assert screen.contains(place), corner
        assert title_px(other) > 10
        other.close()
