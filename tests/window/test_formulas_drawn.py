"""Draw a curve that a formula makes of others; runs have their names in the legend; rounding has no axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.curves.curves import Curve, Wanted
from app.curves.plot import Plot
from solver.base.places import samples

pytestmark = [pytest.mark.window, pytest.mark.one_window]

T = np.linspace(0.0, 100.0, 101)


def line(value: Any, name: str = "a", run: str = "") -> Curve:
    return Curve(Wanted(name), name, "m", T, value, run=run)


@pytest.mark.usefixtures("stored_runs")
def test_a_formula_is_written_by_clicks_and_drawn(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "double_pendulum.json")
    qtbot.waitUntil(lambda: window.bench.run_view.runs.current is not None, timeout=60_000)
    window.bench.panels.open("plots")
    panel = window.panels["plots"]
    panel.add("segments/upper/velocity/x")
    dialog = panel.calculate(panel.plots[-1].wanted[-1])
    assert dialog.formula.text() == "{segments/upper/velocity/x}"
    assert dialog.do.isEnabled()
    assert dialog.said.text() == "It gives a curve in m/s."
    QTest.keyClicks(dialog.formula, " +")
    assert not dialog.do.isEnabled()
    items = [dialog.list.item(n) for n in range(dialog.list.count())]
    row = [one.data(Qt.ItemDataRole.UserRole) for one in items].index("segments/upper/velocity/x")
    dialog.list.itemClicked.emit(dialog.list.item(row))
    QTest.keyClicks(dialog.title, "Twice")
    assert dialog.do.isEnabled()
    QTest.keyClick(dialog.formula, Qt.Key.Key_Return)
    plot = next(one for one in panel.plots if any("Twice" in w.name for w in one.wanted))
    assert plot.wanted[-1].name.count("velocity") == 2
    drawn = {curve.label: curve for curve in plot.curves}
    assert "Twice" in " ".join(drawn)
    twice = next(curve for label, curve in drawn.items() if label.startswith("Twice"))
    once = next(c for c in drawn.values() if c.wanted.name == "segments/upper/velocity/x")
    assert twice.value == pytest.approx(2.0 * once.value)


def test_each_run_has_its_name_and_its_dashes(qtbot: Any) -> None:
    plot = Plot()
    qtbot.addWidget(plot)
    first, second, third = (line(n * T, run=f"Run {n}") for n in (1, 2, 3))
    plot.show_curves([first], [(second, None), (third, None)])
    plot.set_time(0.05)
    words = plot.readout.text().replace("&nbsp;", " ")
    assert all(f"Run {n}" in words for n in (1, 2, 3))
    assert "100" in words, "the second run's value at 50 ms"
    assert "150" in words
    styles = {item.opts["pen"].style() for _, item in plot._lines}
    assert len(styles) == 3
    plot.show_curves([line(T)])
    assert "Run" not in plot.readout.text()


def test_rounding_is_no_mountain(qtbot: Any) -> None:
    plot = Plot()
    qtbot.addWidget(plot)
    plot.resize(400, 300)
    plot.show_curves([line(1e-15 * np.sin(T))])
    low, high = plot.view.getPlotItem().vb.viewRange()[1]
    assert high > 0.9
    assert low < -0.9
    plot.show_curves([line(1e-4 * np.sin(T))])
    plot.view.getPlotItem().vb.updateAutoRange()
    low, high = plot.view.getPlotItem().vb.viewRange()[1]
    assert high < 1e-3
