"""Play the window: open, look, click, drop, fail; with real drawing on a display."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.features.all import MENUS
from solver.base.places import samples
from tests.window.seated import seated
from tests.window.waiting import until_pointed

pytestmark = [pytest.mark.window, pytest.mark.one_window]

SAMPLES = sorted(samples().rglob("*.json"))


def pixels(widget: Any) -> np.ndarray[Any, Any]:
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGBA8888)
    data = np.frombuffer(image.constBits(), dtype=np.uint8)
    return data.reshape(image.height(), image.width(), 4)[..., :3].astype(int)


def click(window: Any, element: str) -> None:
    at = window.bench.viewport.pixel_of(element)
    assert at is not None
    QTest.mouseClick(window.bench.viewport, Qt.MouseButton.LeftButton, pos=at.toPoint())


def press(window: Any, element: str) -> None:
    """Click an element in the outline, its heading opened."""
    tree = window.panels["outline"].tree
    item = window.panels["outline"].item(element)
    item.parent().setExpanded(True)
    tree.scrollToItem(item)
    at = tree.visualItemRect(item).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=at)


@pytest.mark.own_window
@pytest.mark.usefixtures("drawn_cards")
def test_the_welcome_offers_the_samples_with_pictures(window: Any, qtbot: Any) -> None:
    cards = window.panels["welcome"].cards
    assert {card.sample.file for card in cards} == set(SAMPLES)
    qtbot.waitUntil(lambda: all(not c.picture.pixmap().isNull() for c in cards), timeout=90_000)
    assert not window.panels["run_control"].isVisible(), "there is nothing to run yet"
    across = {card.y(): 0 for card in cards}
    for card in cards:
        across[card.y()] += 1
    assert max(across.values()) == 4
    window.resize(911, 560)
    assert [card.x() for card in cards[:3]] == [0, cards[1].x(), 0]
    QTest.mouseClick(cards[0], Qt.MouseButton.LeftButton)
    assert window.bench.has_project()
    assert window.panels["run_control"].isVisible()
    assert cards[0].sample.file.name in window.windowTitle()


def test_a_click_in_the_scene_selects_everywhere(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    before = pixels(window.bench.viewport)
    click(window, "segments/head")
    assert window.bench.document.selection == "segments/head"
    assert window.panels["outline"].selected() == "segments/head"
    assert window.panels["inspector"].heading.text() == "Head"
    assert np.abs(pixels(window.bench.viewport) - before).sum() > 10_000
    QTest.mouseClick(window.bench.viewport, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    assert window.panels["outline"].selected() == ""


@pytest.mark.parametrize("element", ["joints/knee_r", "belts/lap", "airbags/bag", "planes/floor"])
def test_the_outline_selects_in_scene_and_inspector(
    window: Any, seated_file: Path, element: str
) -> None:
    window.open_file(seated_file)
    before = pixels(window.bench.viewport)
    press(window, element)
    assert window.bench.document.selection == element
    assert np.abs(pixels(window.bench.viewport) - before).sum() > 500


def test_a_problem_leads_to_its_element(window: Any, tmp_path: Path, qtbot: Any) -> None:
    broken = seated()
    broken["belts"][0]["law"] = "webing"
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(broken), encoding="utf-8")
    window.open_file(file)
    tree = window.panels["problems"].tree
    qtbot.waitUntil(lambda: tree.topLevelItemCount() > 0, timeout=20_000)
    first = tree.topLevelItem(0)
    assert first.text(0) == "Error"
    QTest.mouseClick(
        tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(first).center()
    )
    assert window.bench.document.selection == "belts/lap"
    assert window.panels["outline"].selected() == "belts/lap"


def test_a_project_whose_tree_is_broken_is_still_shown(window: Any, tmp_path: Path) -> None:
    broken = seated()
    broken["joints"][0]["parent"] = "head"
    broken["joints"][4]["child"] = "nobody"
    file = tmp_path / "ring.json"
    file.write_text(json.dumps(broken), encoding="utf-8")
    window.open_file(file)
    assert window.bench.has_project()
    assert pixels(window.bench.viewport).std() > 4.0


def test_an_unreadable_file_is_explained_on_its_page(window: Any, tmp_path: Path) -> None:
    file = tmp_path / "torn.json"
    file.write_text('{"format": "manikin-project", ', encoding="utf-8")
    window.open_file(file)
    assert window.panels.pages.currentWidget() is window.panels["unreadable"]
    assert "not JSON" in window.panels["unreadable"].sentences.text()
    assert "torn.json" in window.panels["unreadable"].heading.text()
    window.panels["unreadable"].back.click()
    assert window.panels.pages.currentWidget() is window.panels["welcome"]


def test_a_dropped_file_opens(window: Any, seated_file: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(seated_file))])
    window.dropEvent(
        QDropEvent(
            QPointF(9, 9),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )
    assert window.bench.has_project()


@pytest.mark.own_window
def test_every_view_action_does_something_and_can_be_taken_back(
    window: Any, seated_file: Path
) -> None:
    entries = window.menus.entries
    assert not entries["view.front"].isEnabled()
    window.open_file(seated_file)
    seen = [pixels(window.bench.viewport)]
    for name in ("front", "side", "top", "dark", "light", "joints", "joints", "parallel", "iso"):
        window.menus.entries[f"view.{name}"].trigger()
        seen.append(pixels(window.bench.viewport))
        assert np.abs(seen[-1] - seen[-2]).sum() > 1000, name
    entries["view.parallel"].trigger()
    entries["view.iso"].trigger()
    assert np.abs(pixels(window.bench.viewport) - seen[0]).mean() < 0.5


def test_drag_and_wheel_turn_move_and_zoom(window: Any, seated_file: Path, qtbot: Any) -> None:
    window.open_file(seated_file)
    view = window.bench.viewport
    before = pixels(view)
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
        QTest.mousePress(view, button, pos=QPoint(200, 200))
        QTest.mouseMove(view, QPoint(230, 210))
        QTest.mouseMove(view, QPoint(260, 220))
        QTest.mouseRelease(view, button, pos=QPoint(260, 220))
    assert window.bench.document.selection == ""
    assert np.abs(pixels(view) - before).mean() > 1.0


def test_the_name_under_the_mouse_is_shown(window: Any, seated_file: Path, qtbot: Any) -> None:
    window.open_file(seated_file)

    def is_named() -> bool:
        # the display may still report its own mouse, which is elsewhere: move again
        at = window.bench.viewport.pixel_of("segments/head")
        QTest.mouseMove(window.bench.viewport, at.toPoint())
        until_pointed(window.bench.viewport)
        return bool(window.bench.viewport.hovered() == "segments/head")

    qtbot.waitUntil(is_named, timeout=20_000)


def test_the_search_narrows_the_outline(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    window.panels["outline"].search.setText("thigh seg")
    assert window.panels["outline"].visible_paths() == ["segments/thigh_r", "segments/thigh_l"]
    window.panels["outline"].search.setText("")
    assert len(window.panels["outline"].visible_paths()) > 40


@pytest.mark.own_window
def test_everything_fits_a_small_screen(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    window.resize(1366, 768)
    assert window.bench.viewport.width() >= 600
    # at 150 %, less a bar of the desktop
    assert window.minimumSizeHint().width() <= 911
    assert window.minimumSizeHint().height() <= 480
    window.resize(911, 480)
    assert window.bench.viewport.width() >= 360
    assert window.panels["outline"].width() >= 170
    assert window.panels["inspector"].width() >= 250


def test_commands_have_their_own_keys_and_their_place_in_the_menus(window: Any) -> None:
    commands = window.menus.commands
    keys = [key for one in commands.values() for key in (one.key, *one.also) if key]
    assert len(set(keys)) == len(keys) > 60
    for name, (_, order) in MENUS.items():
        for word in order.replace("|", "").split():
            is_whole = "." in word and word.split(".")[0] in MENUS
            id_ = (word if is_whole else f"{name}.{word}").rstrip("*")
            assert any(one == id_ or one.startswith(f"{id_}.") for one in commands), word
            place = "" if word.endswith("*") else id_
            assert not place or place in commands, f"no feature has the command '{place}'"
    listed = [one for menu in MENUS for one in ids_in(window.menus.menu(menu), window)]
    assert len(listed) <= 120, "what is in sight is a path, not a list of all"
    for menu in ("file", "edit", "insert", "place", "view", "run"):
        found = set(window.commands.palette(menu).shown())
        for id_, entry in window.menus.entries.items():
            belongs = commands[id_].menu == menu and entry.isEnabled() and id_ != f"{menu}.more"
            assert not belongs or entry.text().replace("&", "") in found, id_


def ids_in(menu: QMenu, window: Any) -> Iterator[str]:
    """List the commands of a menu and of those within it."""
    known = {entry: id_ for id_, entry in window.menus.entries.items()}
    for entry in menu.actions():
        if entry.menu() is not None:
            yield from ids_in(entry.menu(), window)
        elif entry in known:
            yield known[entry]


def test_no_menu_is_higher_than_a_small_screen(window: Any) -> None:
    """Of a menu that does not fit, Qt hides the first entries, such as Run itself."""
    heights = {}
    for name in MENUS:
        menu = window.menus.menu(name)
        menu.ensurePolished()
        heights[name] = menu.sizeHint().height()
    assert max(heights.values()) <= 768, heights
    assert heights["run"] <= 600, "it holds what is used most"
