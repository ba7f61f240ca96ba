"""What acts on the selected part, in the window: rows that add up, curves, arrows with names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.acting.panel import ActingPanel
from solver.analysis.acting.account import Account, Share
from solver.base.places import samples
from solver.project import Project
from tests.window.test_window import pixels

pytestmark = pytest.mark.window

LEFT = Qt.MouseButton.LeftButton


def part(item: Any) -> float:
    """Give what a row says of its part in the direction."""
    return float(item.text(1))


def test_why_the_pelvis_slows_down_is_told_in_three_clicks(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "lap_belt.json")
    bench = window.bench
    acting = window.features["acting"]
    window.panels.open("acting")
    assert acting.panel.account is None
    bench.run_view.run()
    qtbot.waitUntil(lambda: bench.run_view.runs.running() is None, timeout=240_000)
    segment = bench.document.project.belts[0].surface.segment
    bench.document.select(f"segments/{segment}")
    bench.run_view.go(0.06)
    account, tree = acting.panel.account, acting.panel.tree
    assert account is not None
    assert account.segments == (segment,)
    tops = [tree.topLevelItem(n) for n in range(tree.topLevelItemCount())]
    assert tops[-1].text(0) == "Mass × acceleration"
    assert "Belts" in [top.text(0) for top in tops]
    sums = sum(part(top) for top in tops[:-1])
    assert sums == pytest.approx(part(tops[-1]), rel=0.01, abs=0.01)
    for top in tops[:-1]:
        if top.childCount():
            children = sum(part(top.child(n)) for n in range(top.childCount()))
            assert children == pytest.approx(part(top), rel=0.01, abs=0.01)
    frame = int(np.abs(account.time - 0.06).argmin())
    size = account.mass_kg * np.linalg.norm(account.acceleration[frame])
    assert part(tops[-1]) == pytest.approx(1e-3 * size, rel=1e-3)
    # arrows in the scene, each with its name
    before = pixels(bench.viewport)
    assert any(words.startswith("belt") for words in acting.arrows.painted)
    window.panels.open("plots")
    assert (pixels(bench.viewport) != before).any(axis=-1).sum() > 200
    assert acting.arrows.painted == []
    # along an axis that lies across the motion the parts are others
    window.panels.open("acting")
    acting.panel.ways.setCurrentIndex(acting.panel.ways.findData("y"))
    across = tree.topLevelItem(tree.topLevelItemCount() - 1)
    assert abs(part(across)) < 0.2 * 1e-3 * size
    # a click on a row selects the element
    acting.panel.ways.setCurrentIndex(0)
    belts = next(tree.topLevelItem(n) for n in range(9) if tree.topLevelItem(n).text(0) == "Belts")
    belts.setExpanded(True)
    tree.scrollToItem(belts.child(0))
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualItemRect(belts.child(0)).center())
    assert bench.document.selection.startswith("belts/")
    assert acting.panel.account is account, "another kind of element leaves what is told"
    # an instant is gone to from the curves
    acting.panel.time_asked.emit(0.03)
    assert bench.run_view.player.time == pytest.approx(0.03)
    assert "at 30.0 ms" in acting.panel.words.text()


def pushed(*forces: float) -> Account:
    """Give a part of 0.5 kg on which forces act along x (N)."""
    one = [Share("belts", f"belts/{n}", np.array([[force, 0.0, 0.0]])) for n, force in enumerate(forces)]  # fmt: skip
    whole = np.array([[sum(forces) / 0.5, 0.0, 0.0]])
    return Account(("ribs",), 0.5, np.zeros(1), whole, np.zeros((1, 3)), tuple(one))


def test_forces_that_nearly_cancel_have_no_shares_and_it_is_said_why(qtbot: Any) -> None:
    """A chest that is squeezed: thousands of newtons on both sides, and little that is left over."""
    panel = ActingPanel()
    qtbot.addWidget(panel)
    project = Project(belts=())
    for forces, shares, is_said in (
        ((2470.0, -2270.0), "–", True),
        ((-2470.0, 2270.0), "–", True),
        ((300.0, -100.0), "150", False),
    ):
        panel.show_account(project, pushed(*forces))
        panel.show_instant(0.0)
        (top, last) = (panel.tree.topLevelItem(n) for n in range(2))
        assert top.child(0).text(2) == shares
        assert (last.text(2), top.text(2)) == (("–", "–") if is_said else ("100", "100"))
        assert top.child(0).text(1) != "–", "the force itself stands there"
        assert ("cancel" in panel.words.text()) is is_said
        assert bool(panel.tree.headerItem().toolTip(2)) is is_said
    panel.show_account(project, pushed(2470.0, -2270.0))
    panel.set_units("si")
    panel.show_instant(0.0)
    assert "2470 N" in panel.why.text()
    # what slides is told of along its way: both sides in forces, with what the part's own mass bears
    panel.show_account(project, replace(pushed(2470.0, -2270.0), slide=np.array([[1.0, 0.0, 0.0]])))
    panel.ways.setCurrentIndex(panel.ways.findData("slide"))
    panel.show_instant(0.0)
    assert "2470 N; against it: " in panel.why.text()
    assert "2270 N, its inertia 200 N" in panel.why.text()
    assert panel.tree.topLevelItem(0).child(0).text(2) == "–"
    panel.show_account(project, pushed(300.0, -100.0))
    assert (panel.way, panel.ways.findData("slide")) == ("along", -1)
