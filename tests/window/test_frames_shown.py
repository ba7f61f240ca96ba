"""Own frames and units in the window: places are shown and typed in a frame, numbers in any system of units."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document import Document
from app.features.inspector.panel import Inspector
from app.forms.units import Units
from app.preferences import BY_NAME
from solver.project import validated
from solver.project.pose import start_pose
from solver.scene.shapes import shapes
from tests.checks_model import base as whole
from tests.exchange.test_meshes import ball


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


def test_a_mesh_of_a_file_is_seen_and_gets_a_surface(window: Any, tmp_path: Path) -> None:
    """A box of a file, too coarse to be fitted, is refused; a finer one is not."""
    mesh = ball(8)
    lines = [f"v {90 * x:.6f} {140 * y:.6f} {210 * z:.6f}" for x, y, z in mesh.points]
    file = tmp_path / "head.obj"
    file.write_text("\n".join(lines + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.faces]))
    bench = window.bench
    bench.document.adopt(validated(whole()))
    meshes = window.features["meshes"]
    bench.document.select("segments/head")
    meshes.take(file, "mm")
    assert bench.document.selection == "meshes/head"
    project = bench.document.project
    drawn = [one for one in shapes(project, start_pose(project)) if one.element == "meshes/head"]
    assert drawn[0].segment == "head"
    assert np.abs(drawn[0].mesh.points).max(axis=0) == pytest.approx([0.09, 0.14, 0.21], rel=0.03)
    bench.commands.find("place.fit_ellipsoid").do()
    made = next(s.surfaces[-1] for s in bench.document.project.segments if s.id == "head")
    assert made.semi_axes_m == pytest.approx((0.09, 0.14, 0.21), rel=1e-5)
    assert bench.document.selection == "segments/head"
    bench.document.select("meshes/scan")
    before = bench.document.project
    bench.commands.find("place.fit_hyperellipsoid").do()
    assert bench.document.project is before
