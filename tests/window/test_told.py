"""An exception anywhere becomes a readable report; the program and the model go on."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import app
from app.editors.own_keys import OwnKeys
from app.placing.hands import Hands

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
    silent = [name for name, method in found.items() if not hasattr(method, "is_told")]
    assert silent == [], "these need @told, or an exception in them may end the program"


@pytest.mark.window
def test_an_exception_under_the_mouse_is_told_and_copied(
    window: Any, seated_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", window.studio.tell_failure)
    window.open_file(seated_file)
    window.document.select("belts/lap")
    before = window.document.project
    # raised by Python itself, without an object: PySide would die of it while an event is handed on
    monkeypatch.setattr(Hands, "moved", lambda *_: [][3])
    QTest.mouseMove(window.viewport, QPoint(200, 200))
    assert window.notice.isVisible()
    assert "Your model is as it was" in window.notice.words.text()
    QTest.mouseClick(window.notice.buttons[0], LEFT)
    details = QApplication.clipboard().text()
    assert "IndexError: list index out of range" in details
    assert "viewport.py" in details
    monkeypatch.undo()
    assert window.document.project is before
    QTest.mouseClick(window.viewport, LEFT, pos=window.viewport.pixel_of("segments/head").toPoint())
    assert window.document.selection == "segments/head"
