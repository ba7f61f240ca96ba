"""An exception anywhere becomes a readable report; the program and the model go on."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import app
from app.features.placing.move_tool import MoveTool
from app.widgets.own_keys import OwnKeys

LEFT = Qt.MouseButton.LeftButton
NOT_CALLED_BY_QT = {"find", "count", "setAccessibleName"}
"""Methods that hide one of Qt's which Qt itself never calls."""

COMPARED_BY_QT = {"__lt__", "__eq__"}
"""Operators that Qt calls, as for sorting."""


def overrides() -> Iterator[tuple[str, Any]]:
    """List the methods of the program's classes that stand in for methods of Qt's."""
    for module in pkgutil.walk_packages(app.__path__, "app."):
        for owner in vars(importlib.import_module(module.name)).values():
            if not inspect.isclass(owner) or owner.__module__ != module.name:
                continue
            over = [QWidget] if owner is OwnKeys else owner.__mro__
            qt = [base for base in over if base.__module__.startswith("PySide6")]
            for name, method in vars(owner).items():
                if not inspect.isfunction(method) or (
                    name.startswith("__") and name not in COMPARED_BY_QT
                ):
                    continue
                if name not in NOT_CALLED_BY_QT and any(name in vars(base) for base in qt):
                    yield f"{module.name}.{owner.__name__}.{name}", method


def test_whatever_qt_calls_back_tells_of_its_exceptions() -> None:
    found = dict(overrides())
    assert len(found) > 60
    silent = [name for name, method in found.items() if not hasattr(method, "is_guarded")]
    assert silent == [], "these need @guard, or an exception in them may end the program"


@pytest.mark.window
def test_an_exception_under_the_mouse_is_told_and_copied(
    window: Any, seated_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", window.application.tell_failure)
    window.open_file(seated_file)
    window.bench.document.select("belts/lap")
    before = window.bench.document.project
    # raised by Python itself, without an object: PySide would die of it while an event is handed on
    monkeypatch.setattr(MoveTool, "moved", lambda *_: [][3])
    QTest.mouseMove(window.bench.viewport, QPoint(200, 200))
    assert window.notice.isVisible()
    assert "Your model is as it was" in window.notice.words.text()
    QTest.mouseClick(window.notice.buttons[0], LEFT)
    details = QApplication.clipboard().text()
    assert "IndexError: list index out of range" in details
    assert "viewport.py" in details
    monkeypatch.undo()
    assert window.bench.document.project is before
    QTest.mouseClick(
        window.bench.viewport, LEFT, pos=window.bench.viewport.pixel_of("segments/head").toPoint()
    )
    assert window.bench.document.selection == "segments/head"


@pytest.mark.window
def test_an_exception_in_a_thread_is_told_in_the_window_s_own(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner in (sys, threading):
        monkeypatch.setattr(owner, "excepthook", owner.excepthook)
    window.application.catch_failures()
    told_in: list[threading.Thread] = []
    explain = window.explain

    def explained(*given: Any) -> None:
        told_in.append(threading.current_thread())
        explain(*given)

    monkeypatch.setattr(window, "explain", explained)

    def fall() -> None:
        raise ZeroDivisionError("in the background")

    thread = threading.Thread(target=fall)
    thread.start()
    thread.join()
    assert not window.notice.isVisible(), "the window waits for its own thread"
    qtbot.waitUntil(window.notice.isVisible, timeout=20_000)
    assert told_in == [threading.main_thread()]
    assert "ZeroDivisionError: in the background" in window.notice.words.text()
    QTest.mouseClick(window.notice.buttons[0], LEFT)
    assert "in fall" in QApplication.clipboard().text()
