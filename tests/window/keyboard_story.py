"""Small screen, big letters, no mouse: run by `test_story_no_mouse.py` in a process of its own.

The scale of letters is fixed when Qt begins; so this is a program. It ends with 0, or with what failed.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from app.scene import exposure
from tests.window.playing import CTRL, Play, set_the_stage
from tests.window.waiting import until

ALT = Qt.KeyboardModifier.AltModifier
RING = "straps/0/points/18"


class Patience:
    """Wait as pytest-qt does."""

    def waitUntil(self, holds: Callable[[], bool], timeout: int) -> None:
        until(holds, 1e-3 * timeout)


def all_is_seen(window: QWidget) -> None:
    """Hold the window to the screen, and its parts to the window."""
    screen = QApplication.primaryScreen().availableGeometry()
    assert screen.contains(window.frameGeometry()), (screen, window.frameGeometry())
    for part in (
        window.menuBar(),
        window.panels["run_control"],
        window.panels.tab("injury")[0],
        window.status,
        window.panels["timeline"],
    ):
        if part.isVisible():
            place = QRect(part.mapTo(window, part.rect().topLeft()), part.size())
            assert window.rect().contains(place), (part, place, window.rect())


def stops(play: Play) -> list[QWidget]:
    """Press Tab until it has gone round; every stop shows that it has the keyboard."""
    found: list[QWidget] = []
    for _ in range(80):
        here = play.focus
        if len(found) > 3 and here is found[0]:
            return found
        found.append(here)
        with_focus = here.grab().toImage()
        play.key(Qt.Key.Key_Tab)
        seen = here.grab().toImage() != with_focus
        assert seen or play.focus is here, f"nobody sees that {here} has the keyboard"
    raise AssertionError(f"Tab is caught among {found[-5:]}")


def main(folder: Path) -> None:
    # the screen is large: fine pictures of eight take most of the time
    exposure.SHIFTS = exposure.SHIFTS[:2]
    app = QApplication(["manikin"])
    app.setStyle("Fusion")
    from app.application import Application
    from app.shell.window import new_window

    set_the_stage()
    application = Application()
    application.set_scheme(Qt.ColorScheme.Light)
    failures: list[str] = []

    def fail(kind: type[BaseException], why: BaseException, where: TracebackType | None) -> None:
        traceback.print_exception(kind, why, where)
        failures.append(f"{kind.__name__}: {why}")

    sys.excepthook = fail
    QFileDialog.getSaveFileName = lambda *a, **_: (str(folder / a[2]), "")  # type: ignore[method-assign]
    window = new_window(application)
    play = Play(window, Patience(), "no_mouse", size=None)
    assert window.devicePixelRatioF() == float(os.environ["QT_SCALE_FACTOR"])
    all_is_seen(window)
    cards = window.panels["welcome"].cards
    play.until(lambda: all(not card.picture.pixmap().isNull() for card in cards[:4]))
    play.step("welcome")
    for _ in range(12):
        if play.focus is cards[0]:
            break
        play.key(Qt.Key.Key_Tab)
    play.step("a_sample_is_reached")
    play.key(Qt.Key.Key_Space)
    play.until_checked()
    all_is_seen(window)
    assert play.focus is window.bench.viewport
    play.looks("model")
    azimuth = window.bench.viewport.camera().azimuth
    play.key(Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert window.bench.viewport.camera().azimuth != azimuth
    play.key(Qt.Key.Key_0)

    play.key(Qt.Key.Key_F5)
    record = play.until_solved()
    run_view = window.bench.run_view
    play.until(lambda: run_view.player.is_playing)
    play.key(Qt.Key.Key_Space)
    at = run_view.player.time
    for _ in range(3):
        play.key(Qt.Key.Key_Right)
    assert np.isclose(run_view.player.time - at, 3.0 * run_view.player.frame)
    all_is_seen(window)
    # the first page that fits is opened once nothing else waits
    play.until(lambda: any(window.panels["plots"].wanted))
    play.key(Qt.Key.Key_4, ALT)
    assert play.focus is window.panels["injury"].tree
    play.key(Qt.Key.Key_Home)
    play.key(Qt.Key.Key_Return)
    figure = record.trajectory.injury["HIC15"]
    assert np.isclose(run_view.player.time, figure.t1)
    play.looks("injury")
    before = window.panels["injury"].tree.topLevelItem(0).text(1)
    play.key(Qt.Key.Key_F12)
    assert not window.panels.scene.isVisible()
    play.step("tables_alone")
    play.key(Qt.Key.Key_F12)
    play.key(Qt.Key.Key_F11)
    assert not window.panels.docks.below()
    play.step("scene_alone")
    play.key(Qt.Key.Key_F11)

    play.key(Qt.Key.Key_L, CTRL)
    play.key(Qt.Key.Key_F7)
    play.choose("three-point belt")
    assert window.bench.document.selection.startswith("harnesses/")
    play.key(Qt.Key.Key_0, ALT)
    tool = window.features["placing"].move
    while tool.grip.path != RING:
        play.key(Qt.Key.Key_Tab)
        assert play.focus is window.bench.viewport
    for key in (Qt.Key.Key_G, Qt.Key.Key_Z):
        play.key(key)
    play.type("50")
    play.step("moved_by_a_number")
    play.key(Qt.Key.Key_Return)
    ends = [
        p.harnesses[0].straps[0].points[18].position_m
        for p in (record.project, window.bench.document.project)
    ]
    assert np.allclose(np.subtract(ends[1], ends[0]), (0.0, 0.0, 0.05)), ends
    play.until(lambda: run_view.runs.current is not record, 60.0)
    # figures are listed where they are looked at
    play.key(Qt.Key.Key_4, ALT)
    play.until(lambda: window.panels["injury"].tree.topLevelItem(0).text(1) != before)
    play.step("live")

    play.key(Qt.Key.Key_9, ALT)
    assert window.panels["inspector"].isAncestorOf(play.focus)
    play.key(Qt.Key.Key_8, ALT)
    assert play.focus is window.panels["outline"].tree
    play.choose("select nothing")
    reached = stops(play)
    for pane in (
        window.bench.viewport,
        window.panels["timeline"],
        window.panels["inspector"],
        window.panels["outline"],
        window.panels.tab("injury")[0],
        window.panels["run_control"],
    ):
        assert any(pane is one or pane.isAncestorOf(one) for one in reached), pane
    unnamed = [w for w in reached if not (w.accessibleName() or getattr(w, "text", str)())]
    assert unnamed == []
    play.key(Qt.Key.Key_R, CTRL)
    play.until(lambda: (folder / "report.html").exists(), 60.0)
    play.choose("insert a body")
    from app.features.placing.body_dialog import BodyDialog

    body = play.dialog(BodyDialog)
    assert QApplication.primaryScreen().availableGeometry().contains(body.frameGeometry())
    play.looks("body")
    play.key(Qt.Key.Key_Escape)
    play.come_back()
    assert failures == [], failures
    window.bench.document.history.setClean()
    window.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
