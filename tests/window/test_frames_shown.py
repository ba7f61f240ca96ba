"""Own frames and units in the window: places are shown and typed in a frame, numbers in any system of units."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document import Document
from app.features.inspector.panel import Inspector
from app.forms.units import Units
from app.preferences import BY_NAME
from solver.project import validated
from tests.checks_model import base as whole


def typed(inspector: Inspector, path: str, part: int, text: str) -> None:
    field = inspector.form.rows[path].editor.lines[part]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_places_are_shown_and_typed_in_a_frame(document: Document, inspector: Inspector) -> None:
    data = whole()
    data["frames"] = [{"id": "brim", "segment": "head", "position_m": [0.1, 0.0, 0.0], "orientation": {"angles_rad": [math.pi / 2, 0, 0]}, "reversed": "z"}]  # fmt: skip
    document.adopt(validated(data))
    document.select("markers/brow")
    path = "markers/brow/point_m"
    assert not inspector.frames.isHidden()
    inspector.frame.setCurrentIndex(inspector.frame.findData("brim"))
    inspector.frame.activated.emit(inspector.frame.currentIndex())
    typed(inspector, path, 0, "30 mm")
    typed(inspector, path, 2, "-5")
    assert document.project.markers[0].point_m == pytest.approx((0.1, 0.03, 0.005), abs=1e-12)
    shown = [line._value for line in inspector.form.rows[path].editor.lines]
    assert shown == pytest.approx([0.03, 0.0, -0.005], abs=1e-12)
    # the frame moves: the same place has other numbers, and the file is as it was
    document.edit("frames/brim/position_m", (0.0, 0.0, 0.0), "move")
    shown = [line._value for line in inspector.form.rows[path].editor.lines]
    assert shown == pytest.approx([0.03, -0.1, -0.005], abs=1e-12)
    document.select("markers/brow")
    inspector.show_in("")
    assert inspector.form.rows[path].editor.lines[1]._value == pytest.approx(0.03, abs=1e-12)


def test_numbers_in_own_units_are_read_back() -> None:
    for system in ("mm,t,s", "in,lbf,s,deg", "25.4*mm,lbf,s"):
        units = Units(system)
        for si_unit in ("m", "kg", "N", "N*m/rad", "kg*m2", "m/s2", "1/s", "Pa", "rad"):
            text = units.with_unit(units.full(12.5, si_unit), si_unit)
            assert units.read(text, si_unit) == pytest.approx(12.5, rel=1e-12), (system, text)
            assert units.read("3", si_unit) == pytest.approx(units.from_shown(3.0, si_unit))
    assert Units("mm,t,s").read("2 in", "m") == pytest.approx(0.0508)


def test_only_systems_that_can_be_read_are_remembered() -> None:
    units = BY_NAME["units"]
    assert units.fits("mm,t,s")
    assert units.read("in,lbf,s") == "in,lbf,s"
    assert not units.fits("mm,in")
    assert units.read("mm,furlong") == "metric"
