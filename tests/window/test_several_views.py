"""Several views of one run or model: a camera for each, one instant for all, kept with workspaces."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from app.features.several_views import side_of
from tests.window.solving import CATCH, solved
from tests.window.waiting import turns, until_active

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def sides(window: Any) -> list[str]:
    """From where the views look that were opened."""
    return [side_of(view.camera()) for view in window.bench.views.others]


def plates(window: Any) -> list[str]:
    return [one.button.text() for one in window.features["views"]._plates]


def test_each_turns_alone_and_all_show_one_instant(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    run_view, views = window.bench.run_view, window.bench.views
    run_view.player.pause()
    run_view.go(0.05)
    assert not window.panels["timeline"].isHidden()
    before = views.first.camera()
    window.menus.run("view.views_four")
    assert sides(window) == ["front", "side", "top"]
    assert plates(window)[1:] == ["Front", "Right", "Top"]
    assert len({id(view.camera()) for view in views.all}) == 4
    table = record.trajectory.table("segments")
    for t in (0.02, 0.07):
        run_view.go(t)
        row = int(np.abs(record.trajectory.time - t).argmin())
        head = table["position"][row, table.ids.index("head")]
        for view in views.all:
            assert view.stage.pose["head"].p_W == pytest.approx(head, abs=2e-3)
    run_view.player.play()
    assert not views.first.picture._flows, "one would be a picture behind the others"
    run_view.player.pause()
    # a hand turns one of them, keys turn that which has the keyboard
    front = views.others[0]
    front.turn_by(30.0, 0.0)
    assert plates(window)[1] == "Turned"
    assert views.first.camera() is before
    assert sides(window) == ["", "side", "top"]
    until_active(window)
    front.setFocus()
    window.menus.run("view.back")
    assert sides(window) == ["back", "side", "top"]
    views.first.setFocus()
    window.menus.run("view.left")
    assert (side_of(before), sides(window)) == ("left", ["back", "side", "top"])
    # the cross closes one; what is left stays as it looks
    window.features["views"]._plates[2].cross.click()
    assert sides(window) == ["back", "top"]
    window.menus.run("view.views_two")
    assert sides(window) == ["front"]
    window.menus.run("view.views_two")
    assert views.all == (views.first,)
    assert not plates(window)


def test_a_view_follows_a_segment_and_keys_of_cameras_lead_the_first_alone(window: Any, qtbot: Any) -> None:  # fmt: skip
    solved(window, qtbot)
    bench = window.bench
    bench.run_view.player.pause()
    bench.run_view.go(0.0)
    window.menus.run("view.views_two")
    first, other = bench.views.all
    until_active(window)
    bench.document.select("segments/head")
    other.setFocus()
    angle = window.features["views"].angles[1]
    window.features["views"].follow(angle)
    assert plates(window)[1] == "Follows Head and chest"
    apart = other.camera().target - other.stage.pose["head"].p_W
    window.menus.run("run.key_camera")
    for t in (0.03, 0.08):
        bench.run_view.go(t)
        assert other.camera().target - other.stage.pose["head"].p_W == pytest.approx(apart, abs=1e-9)  # fmt: skip
    stood = other.camera().azimuth
    first.turn_by(40.0, 0.0)
    window.menus.run("run.key_camera")
    bench.run_view.go(0.0)
    assert other.camera().azimuth == stood
    window.menus.run("run.unkey_camera")
    bench.run_view.go(0.08)
    window.menus.run("run.unkey_camera")
    window.menus.run("view.views_two")


def test_the_model_is_seen_in_all_as_it_is_changed_hidden_and_opened_again(window: Any, qtbot: Any) -> None:  # fmt: skip
    window.open_file(CATCH)
    turns(10)
    bench = window.bench
    assert window.panels["timeline"].isHidden(), "one builds, and sees no run"
    window.menus.run("view.views_two")
    other = bench.views.others[0]
    bench.document.select("segments/head")
    window.menus.run("view.hide")
    assert other.looks().hidden == {"segments/head"}
    window.menus.run("view.unhide")
    bench.document.edit("segments/head/mass_kg", 9.0, "Heavier")
    assert other.project is bench.document.project
    bench.document.history.undo()
    assert other.project is bench.document.project
    bench.document.history.setClean()
    window.open_file(CATCH)
    qtbot.waitUntil(lambda: other.project is bench.document.project, timeout=20_000)
    assert sides(window) == ["front"]
    # runs side by side take the place
    bench.views.looks_asked.emit(("", "top", "follow:nobody"))
    assert sides(window) == ["top", "iso"]
    bench.views.looks_asked.emit(())
    assert not bench.views.others


def test_a_workspace_keeps_them(window: Any, qtbot: Any, monkeypatch: Any) -> None:
    window.open_file(CATCH)
    turns(10)
    settings = window.application.settings
    asked: list[Any] = []
    monkeypatch.setattr("app.shell.commands.ask_for_item", lambda *args, own: asked.append(args[5]))
    window.menus.run("view.views_two")
    window.bench.views.others[0].look("top")
    window.menus.run("view.workspace_save")
    asked.pop()("two")
    assert settings.views("two") == (side_of(window.bench.viewport.camera()), "top")
    window.menus.run("view.views_two")
    window.menus.run("view.workspace_choose")
    asked.pop()("two")
    assert sides(window) == ["top"]
    window.menus.run("view.workspace_delete")
    asked.pop()("two")
    assert settings.views("two") == ()
    window.menus.run("view.views_two")
    assert not math.isnan(window.bench.viewport.camera().distance)
