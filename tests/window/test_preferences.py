"""Every preference holds at once, in every window, and outlives the program."""

from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from app.features.runs.time_bar import colour_of
from app.look import (
    DARK,
    DARK_SAFE,
    DARK_STRONG,
    LIGHT,
    LIGHT_SAFE,
    LIGHT_STRONG,
    Theme,
    read_on,
)
from app.preferences import CHOICES, LABELS, PREFERENCES, TEXT_SIZES_PX, TIPS
from app.run_view.lanes import STATES
from app.scene.graphics import draw_by_processor
from app.scene.screen import coarser
from app.settings import Settings
from app.shell.preferences import PreferencesDialog
from app.shell.window import new_window
from tests.window.waiting import collect, turns, until, until_active, until_exposed, until_still

LEFT, MIDDLE, RIGHT = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.MiddleButton,
    Qt.MouseButton.RightButton,
)


pytestmark = pytest.mark.one_window


@pytest.fixture
def window(window: Any) -> Iterator[Any]:
    """Give back the usual preferences to the window that tests share."""
    yield window
    for dialog in window.findChildren(PreferencesDialog):
        dialog.close()
    window.application.restore_defaults()


@pytest.fixture
def dialog(window: Any, qtbot: Any) -> PreferencesDialog:
    """Open the page by its key."""
    window.activateWindow()
    until_active(window)
    QTest.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    found: PreferencesDialog = window.findChild(PreferencesDialog)
    until_exposed(found)
    return found


def choose(dialog: PreferencesDialog, name: str, value: object) -> None:
    """Choose by the keyboard, as without a mouse."""
    field = dialog.fields[name]
    field.setFocus()
    wanted = field.findData(value)
    while field.currentIndex() != wanted:
        ahead = field.currentIndex() < wanted
        QTest.keyClick(field, Qt.Key.Key_Down if ahead else Qt.Key.Key_Up)


def orbit(view: Any) -> tuple[float, float]:
    camera = view.camera()
    return camera.azimuth, camera.elevation


def drag(view: Any, button: Qt.MouseButton, by: QPoint | None = None) -> None:
    """Drag from the upper left corner of the scene, where nothing is."""
    start, by = QPoint(30, 30), by or QPoint(60, 20)
    QTest.mousePress(view, button, pos=start)
    for part in (0.3, 0.7, 1.0):
        QTest.mouseMove(view, start + QPoint(round(part * by.x()), round(part * by.y())))
    QTest.mouseRelease(view, button, pos=start + by)


def test_every_preference_has_its_words_and_reads_what_it_wrote(tmp_path: Path) -> None:
    names = [one.name for one in PREFERENCES]
    assert set(names) <= set(LABELS)
    assert set(LABELS) == set(TIPS)
    settings = Settings(tmp_path)
    for one in PREFERENCES:
        others = one.choices or (
            (True, False) if isinstance(one.usual, bool) else (one.least, one.most)
        )
        for value in others:
            settings.keep(one.name, value)
            assert Settings(tmp_path).value(one.name) == value
        if one.choices:
            assert set(CHOICES[one.name]) == set(one.choices)
        for nonsense in ("furlongs", -1, 10_000):
            settings.keep(one.name, nonsense)
            assert settings.value(one.name) == others[-1]
        assert one.read("nonsense") == one.usual
    settings.forget_preferences()
    assert all(settings.value(one.name) == one.usual for one in PREFERENCES)


@pytest.mark.own_window
@pytest.mark.window
def test_units_and_colours_follow_the_page_and_the_page_follows_the_menu(
    window: Any, dialog: PreferencesDialog, seated_file: Path, qtbot: Any
) -> None:
    window.open_file(seated_file)
    window.bench.document.select("segments/head")
    mass = "segments/head/mass_kg"
    assert window.panels["inspector"].form.rows[mass].editor.text().endswith("kg")
    choose(dialog, "units", "inch_pound")
    assert window.panels["inspector"].form.rows[mass].editor.text().endswith("lb")
    told: list[Theme] = []
    window.bench.theme_changed.connect(told.append)
    choose(dialog, "scheme", "dark")
    assert window.bench.theme == DARK
    assert told == [DARK], "once, although the system tells of it too"
    QTest.mouseClick(dialog.fields["safe_colours"], LEFT)
    assert window.bench.theme == window.bench.viewport.theme == DARK_SAFE
    window.menus.run("view.light")
    assert dialog.fields["scheme"].currentData() == "light"
    assert window.bench.theme == LIGHT_SAFE
    assert Settings().units == "inch_pound"
    assert Settings().value("safe_colours") is True
    QTest.mouseClick(dialog.fields["high_contrast"], LEFT)
    assert window.bench.theme == LIGHT_STRONG
    assert f"border-color: {LIGHT_STRONG.line}" in window.styleSheet(), "fields have edges"
    assert Settings().value("high_contrast") is True


@pytest.mark.window
def test_words_grow_with_the_size_of_text(window: Any, dialog: PreferencesDialog) -> None:
    label = dialog.findChild(QLabel)
    before = window.status.words.fontMetrics().height()
    choose(dialog, "text_size", "huge")
    assert window.status.words.fontMetrics().height() > 1.2 * before
    assert label.fontInfo().pixelSize() >= TEXT_SIZES_PX["huge"]
    assert QApplication.font().pixelSize() == TEXT_SIZES_PX["huge"]


@pytest.mark.window
def test_another_window_takes_the_same_preferences(
    window: Any, dialog: PreferencesDialog, qtbot: Any
) -> None:
    other = new_window(window.application)
    until_exposed(other)
    choose(dialog, "scheme", "dark")
    assert other.bench.theme == DARK
    choose(dialog, "turn_with", "middle")
    assert other.bench.viewport.turn_button == window.bench.viewport.turn_button == MIDDLE
    headers = [one.panels["problems"].tree.header() for one in (window, other)]
    before = [header.sectionSize(1) for header in headers]
    choose(dialog, "text_size", "huge")
    ratio = TEXT_SIZES_PX["huge"] / TEXT_SIZES_PX["usual"]
    wide = [header.sectionSize(1) for header in headers]
    assert wide == pytest.approx([ratio * px for px in before], abs=2.0), "columns of both"
    other.close()


@pytest.mark.window
def test_a_closed_window_follows_no_preference_and_is_not_kept(window: Any, qtbot: Any) -> None:
    other, asked = new_window(window.application), list[str]()
    until_exposed(other)
    other.appearance._do["quality"] = lambda: asked.append("quality")
    window.application.choose("quality", "quick")
    assert asked == ["quality"]
    other.close()
    window.application.choose("quality", "fine")
    assert asked == ["quality"]
    gone = weakref.ref(other)
    del other

    def is_gone() -> bool:
        collect()
        return gone() is None

    qtbot.waitUntil(is_gone, timeout=20_000)


@pytest.mark.window
def test_the_chosen_button_turns_and_another_moves(
    window: Any, dialog: PreferencesDialog, seated_file: Path
) -> None:
    window.open_file(seated_file)
    view = window.bench.viewport
    for name, button in (("left", LEFT), ("middle", MIDDLE), ("right", RIGHT)):
        choose(dialog, "turn_with", name)
        before, target = orbit(view), view.camera().target.copy()
        drag(view, button)
        assert orbit(view) != before, name
        assert np.allclose(view.camera().target, target), name
        before = orbit(view)
        drag(view, RIGHT if button != RIGHT else MIDDLE)
        assert orbit(view) == before, name
        assert not np.allclose(view.camera().target, target), name


@pytest.mark.window
def test_the_left_button_draws_a_box_where_another_turns(
    window: Any, dialog: PreferencesDialog, seated_file: Path
) -> None:
    window.open_file(seated_file)
    choose(dialog, "turn_with", "middle")
    view, before = window.bench.viewport, orbit(window.bench.viewport)
    drag(view, LEFT, QPoint(view.width() - 60, view.height() - 60))
    assert orbit(view) == before
    assert len(window.bench.document.chosen) > 10
    at = view.pixel_of("segments/head").toPoint()
    QTest.mouseClick(view, LEFT, pos=at)
    assert window.bench.document.chosen == ("segments/head",)


@pytest.mark.window
def test_the_wheel_goes_the_chosen_way(
    window: Any, dialog: PreferencesDialog, seated_file: Path
) -> None:
    window.open_file(seated_file)
    view = window.bench.viewport

    def turn_wheel() -> float:
        before = view.camera().distance
        at = QPointF(100, 100)
        none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
        event = QWheelEvent(
            at, at, QPoint(), QPoint(0, 120), *none, Qt.ScrollPhase.NoScrollPhase, False
        )
        QApplication.sendEvent(view, event)
        return float(view.camera().distance / before)

    assert turn_wheel() < 0.95
    choose(dialog, "wheel_ahead", "away")
    assert turn_wheel() > 1.05


@pytest.mark.window
def test_quality_says_whether_edges_are_smooth_at_rest(
    window: Any, dialog: PreferencesDialog, seated_file: Path, qtbot: Any
) -> None:
    window.open_file(seated_file)
    view, colours = window.bench.viewport, {}
    for name in ("quick", "balanced"):
        choose(dialog, "quality", name)
        view.grab()
        qtbot.waitUntil(lambda: view.picture.is_fine, timeout=20_000)
        data = np.frombuffer(view.grab().toImage().constBits(), np.uint8)
        colours[name] = len(np.unique(data.view(np.uint32)))
    # smooth edges mix the colours on both sides of them
    assert colours["balanced"] > 1.1 * colours["quick"]


@pytest.mark.window
def test_quality_says_how_coarse_a_moving_picture_may_be(
    window: Any, seated_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open_file(seated_file)
    monkeypatch.setattr("app.scene.screen.coarser", lambda now, _, most: coarser(now, 1.0, most))
    view = window.bench.viewport
    for name, coarsest in (("quick", 3.0), ("balanced", 2.0), ("fine", 1.0)):
        window.application.choose("quality", name)
        widths = []
        QTest.mousePress(view, LEFT, pos=QPoint(30, 30))
        for n in range(1, 25):
            QTest.mouseMove(view, QPoint(30 + 4 * n, 30 + n))
            view.grab()
            widths.append(view.picture._image.width())
        wide = view.width() * view.devicePixelRatioF()
        assert min(widths) == round(wide / coarsest), name
        QTest.mouseRelease(view, LEFT)
        view.grab()
        assert view.picture._image.width() == round(wide), "whole at once when it is let go"


@pytest.mark.window
def test_a_quick_picture_is_drawn_whole_once_it_rests(
    window: Any, seated_file: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open_file(seated_file)
    window.application.choose("quality", "quick")
    monkeypatch.setattr("app.scene.screen.coarser", lambda now, _, most: coarser(now, 1.0, most))
    view = window.bench.viewport
    drag(view, LEFT)
    view.grab()
    wide = round(view.width() * view.devicePixelRatioF())
    qtbot.waitUntil(lambda: view.picture.is_fine, timeout=20_000)
    assert view.picture._image.width() == wide
    drawn = view.picture.drawn
    until_still(view)
    assert view.picture.drawn == drawn


@pytest.mark.window
@pytest.mark.skipif(os.sys.platform != "linux", reason="asks Mesa")  # type: ignore[attr-defined]
def test_the_scene_is_drawn_anew_without_the_graphics_card(
    window: Any, dialog: PreferencesDialog, seated_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LIBGL_ALWAYS_SOFTWARE", raising=False)
    window.open_file(seated_file)
    view = window.bench.viewport
    view.look("side")
    view.settle()
    before = view.grab().toImage()
    drawing = view.picture._exposure._window

    def redrawn() -> Any:
        view.settle()
        return view.grab().toImage()

    QTest.mouseClick(dialog.fields["by_processor"], LEFT)
    assert os.environ["LIBGL_ALWAYS_SOFTWARE"] == "1"
    assert view.picture._exposure._window is not drawing
    assert view.picture.drawn_by() in dialog.driver.text()
    assert redrawn() == before
    QTest.mouseClick(dialog.fields["by_processor"], LEFT)
    assert "LIBGL_ALWAYS_SOFTWARE" not in os.environ
    assert redrawn() == before


def test_what_the_environment_says_of_graphics_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LIBGL_ALWAYS_SOFTWARE", "0")
    monkeypatch.setenv("__GLX_VENDOR_LIBRARY_NAME", "other")
    for on in (True, False):
        draw_by_processor(on)
        assert os.environ["LIBGL_ALWAYS_SOFTWARE"] == "0"
        assert os.environ["__GLX_VENDOR_LIBRARY_NAME"] == "other"


@pytest.mark.own_window
@pytest.mark.window
def test_unsaved_work_is_kept_as_often_as_chosen(window: Any, dialog: PreferencesDialog) -> None:
    field = dialog.fields["keep_every_s"]
    assert (field.minimum(), field.maximum()) == (1, 8)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "2")
    assert window.features["files"].recovery._timer.interval() == 2000
    assert Settings().value("keep_every_s") == 2


@pytest.mark.own_window
@pytest.mark.window
def test_so_many_recent_files_are_listed_and_the_rest_is_forgotten(
    window: Any, dialog: PreferencesDialog, tmp_path: Path
) -> None:
    settings = window.application.settings
    for number in range(4):
        file = tmp_path / f"{number}.json"
        file.write_text("{}", encoding="utf-8")
        settings.add_recent(file)
    field = dialog.fields["recent_files"]
    field.setValue(2)
    assert [file.name for file in settings.recent] == ["3.json", "2.json"]
    assert window.panels["welcome"].recent.count() == 3
    field.setValue(0)
    assert window.panels["welcome"].recent.count() == 0
    field.setValue(10)
    assert settings.recent == []


@pytest.mark.own_window
@pytest.mark.window
def test_restoring_the_defaults_takes_all_back_at_once(
    window: Any, dialog: PreferencesDialog
) -> None:
    choose(dialog, "scheme", "dark")
    choose(dialog, "units", "si")
    choose(dialog, "turn_with", "right")
    dialog.fields["recent_files"].setValue(3)
    QTest.mouseClick(dialog.restore, LEFT)
    assert all(Settings().value(one.name) == one.usual for one in PREFERENCES)
    assert window.bench.viewport.turn_button == LEFT
    assert dialog.fields["scheme"].currentData() == "system"
    assert dialog.fields["recent_files"].value() == 10


@pytest.mark.window
def test_the_page_is_opened_once(window: Any, dialog: PreferencesDialog) -> None:
    window.menus.run("edit.preferences")
    assert len(window.findChildren(PreferencesDialog)) == 1


# how colours look to people who see them differently: Machado and others, 2009, at full strength
SIGHT = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "all": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}  # fmt: skip


def linear(colour: str) -> np.ndarray[Any, Any]:
    part = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Turn linear light into CIE L*a*b*, in which distances are as the eye sees them."""
    to_xyz = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.072175), (0.0193339, 0.119192, 0.9503041))  # fmt: skip
    xyz = np.array(to_xyz) @ np.clip(light, 0.0, 1.0) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def nearest(colours: tuple[str, ...], sight: str) -> float:
    seen = [lab(np.array(SIGHT[sight]) @ linear(one)) for one in colours]
    return min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2))


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", [LIGHT_SAFE, DARK_SAFE], ids=["light", "dark"])
def test_safe_colours_can_be_told_apart_by_everyone(theme: Theme, sight: str) -> None:
    assert nearest((theme.error, theme.warning, theme.good, theme.note), sight) > 24.0
    assert nearest(theme.axes, sight) > 24.0


def test_the_usual_colours_cannot() -> None:
    kinds = (LIGHT.error, LIGHT.warning, LIGHT.good, LIGHT.note)
    assert min(nearest(kinds, sight) for sight in SIGHT) < 10.0


def contrast(one: str, other: str) -> float:
    """Give the ratio of two colours as WCAG 2.1 defines it."""
    a, b = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) + 0.05 for c in (one, other))
    return b / a


@pytest.mark.parametrize("theme", [LIGHT, LIGHT_SAFE, LIGHT_STRONG, DARK, DARK_SAFE, DARK_STRONG])
def test_words_in_every_colour_can_be_read(theme: Theme) -> None:
    """Hold words to WCAG's 4.5, in high contrast to its 7, there also on what is chosen, and edges to 4.5."""
    least = 7.0 if theme.strong else 4.5
    for colour in (theme.text, theme.muted, theme.error, theme.warning, theme.good, theme.note):
        assert contrast(colour, theme.panel) > least, colour
    if theme.strong:
        assert contrast(theme.text, theme.accent_soft) > least
        assert contrast(theme.panel, theme.accent) > least
        assert min(contrast(theme.line, one) for one in (theme.panel, theme.raised)) > 4.5
    for state in STATES:
        ground = colour_of(state, theme)
        assert contrast(read_on(ground), ground) > 4.5, state


@pytest.mark.window
def test_the_chosen_word_of_a_list_is_read_on_its_ground(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    window.panels.open("plots")
    box = window.panels["plots"].filter
    for scheme in (Qt.ColorScheme.Light, Qt.ColorScheme.Dark):
        window.application.set_scheme(scheme)
        box.showPopup()
        view = box.view()
        until(view.isVisible)
        turns()
        row = view.visualRect(view.currentIndex())
        image = view.viewport().grab(row).toImage()
        tones = [
            QColor(image.pixel(x, y)).lightness()
            for x in range(4, image.width() - 4)
            for y in range(4, image.height() - 4)
        ]
        ground = max(set(tones), key=tones.count)
        assert max(abs(tone - ground) for tone in tones) > 110, "letters as on any other ground"
        box.hidePopup()
