"""A run goes on from the one that is shown: after it was cancelled, and once it is to last longer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.base.places import samples

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def solved(window: Any, qtbot: Any) -> Any:
    run_view = window.bench.run_view
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    return run_view.runs.current


def test_a_longer_run_goes_on_from_the_shown_one(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "double_pendulum.json")
    document = window.bench.document
    run = document.project.runs[0]
    assert not window.menus.commands["run.go_on"].enabled()
    document.edit(f"runs/{run.id}/duration_s", 0.2, "shorter")
    window.menus.run("run.run")
    first = solved(window, qtbot)
    document.edit(f"runs/{run.id}/duration_s", 0.4, "longer")
    window.menus.run("run.go_on")
    on = solved(window, qtbot)
    assert on is not first
    window.menus.run("run.run")
    whole = solved(window, qtbot)
    assert on.trajectory.time[-1] == pytest.approx(0.4)
    for name in ("position", "velocity"):
        one, other = (r.trajectory.table("segments")[name] for r in (on, whole))
        assert np.array_equal(one, other)
    assert any("taken up again" in line for line in on.trajectory.log)
    assert on.solving.steps == whole.solving.steps


def test_a_changed_model_says_why_it_does_not_go_on(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "pendulum.json")
    document, run_view = window.bench.document, window.bench.run_view
    window.menus.run("run.run")
    solved(window, qtbot)
    said: list[str] = []
    run_view.spoke.connect(said.append)
    window.menus.run("run.go_on")
    assert "has come to its end" in said[0]
    document.edit(f"segments/{document.project.segments[0].id}/mass_kg", 3.0, "heavier")
    window.menus.run("run.go_on")
    assert "of another model" in said[-1]
    assert len(run_view.runs.records) == 1
