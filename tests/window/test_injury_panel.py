"""Read injury figures in the window: all of them, their windows, and beside those of another run."""

from __future__ import annotations

from typing import Any

import pytest

from app.panels.injury import _change
from app.plots.curves import measured
from solver.injury import assess
from tests.window.test_study import solved

pytestmark = pytest.mark.window


def rows(window: Any) -> list[list[str]]:
    tree = window.injury.tree
    items = [tree.topLevelItem(i) for i in range(tree.topLevelItemCount())]
    return [[item.text(c) for c in range(tree.columnCount())] for item in items]


def test_all_figures_of_the_run_are_listed(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    figures = assess(record.trajectory, record.project).figures
    shown = rows(window)
    assert len(shown) == len(figures) > 0
    by_title = {row[0]: row for row in shown}
    for figure in figures:
        row = by_title[f"{figure.name}: {figure.title}"]
        assert row[1].startswith(f"{figure.value:.4g}")
    assert "Head injury criterion, windows up to 15 ms" in shown[0][0]


def test_a_click_shows_the_window_on_the_curve(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    panel = window.injury
    item = panel.tree.topLevelItem(0)
    panel._on_click(item)
    figure = panel._figures[id(item)]
    assert window.study.player.time == pytest.approx(figure.t1)
    plot = window.plots.active
    assert plot.window.getRegion() == pytest.approx((1e3 * figure.t1, 1e3 * figure.t2))
    drawn = plot.curves[0]
    assert drawn.wanted.name in measured(figure.channels[0], record.trajectory.channel_names)


def test_a_changed_model_stands_beside_the_run_before(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    assert window.injury.tree.isColumnHidden(2)
    window.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    window.study.run()
    qtbot.waitUntil(lambda: window.study.runs.running() is None, timeout=60_000)
    assert not window.injury.tree.isColumnHidden(2)
    assert window.injury.tree.headerItem().text(2) == "Run 1"
    assert "%)" in rows(window)[0][2]


def test_before_any_run_the_panel_says_what_to_do(window: Any) -> None:
    assert "F5" in window.injury.hint.text()


def test_changes_are_written_with_their_sign() -> None:
    class One:
        def __init__(self, value: float) -> None:
            self.value = value

    assert _change(One(110.0), One(100.0)) == "100  (+10.0 %)"  # type: ignore[arg-type]
    assert _change(One(1.0), One(0.0)) == "0"  # type: ignore[arg-type]
    assert _change(One(1.0), None) == ""  # type: ignore[arg-type]


def test_channels_of_a_figure_are_found() -> None:
    names = {"head_x", "head_y", "head_z"}
    assert measured("head_x, _y, _z", names) == ["head_x", "head_y", "head_z"]
    assert measured("head_x, _y, _z", names | {"head_resultant"}) == ["head_resultant"]
    assert measured("neck", {"neck"}) == ["neck"]
