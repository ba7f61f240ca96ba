"""Build, run, understand: what each mood shows, and what leads from one to the next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QInputDialog, QLabel

from app.panel import MOODS
from app.run_view.record import RunRecord
from app.settings import workspace
from solver.base.places import samples
from tests.window.solving import CATCH
from tests.window.waiting import turns

pytestmark = [pytest.mark.window, pytest.mark.one_window]


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """Write a sample with a run of few steps."""
    project = json.loads(CATCH.read_text(encoding="utf-8"))
    project["runs"][0]["duration_s"] = 0.02
    file = tmp_path / "short.json"
    file.write_text(json.dumps(project), encoding="utf-8")
    return file


@pytest.fixture
def ended(window: Any, qtbot: Any, short: Path) -> Iterator[Any]:
    """Give what solves the model and waits for the end."""
    window.open_file(short)

    def solve() -> RunRecord:
        window.menus.run("run.run")
        qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
        record: RunRecord = window.bench.run_view.runs.current
        return record

    yield solve
    window.bench.live.switch(False)


def tabs(window: Any) -> list[str]:
    """Name the panels below the scene."""
    return [one.panel.name for one in window.panels.docks.below()]


def look(window: Any) -> list[object]:
    """Note where everything is, and from where the scene is seen."""
    docks, camera = window.panels.docks, window.bench.viewport.camera()
    docks.layout().activate()
    seen = [(n, one.geometry().getRect()) for n, one in docks.docks.items() if docks.is_front(one)]
    eye = camera.azimuth, camera.elevation, camera.distance, tuple(camera.target)
    return [window.panels.scene.geometry().getRect(), docks.is_folded, seen, eye]


def test_each_mood_has_four_tabs_at_most_and_each_panel_its_mood(window: Any, short: Path) -> None:
    for file in (short, samples() / "pendulum.json", samples() / "frontal.json"):
        window.open_file(file)
        for mood in MOODS:
            window.panels.show_mood(mood)
            assert 2 <= len(tabs(window)) <= 4, (file.name, mood)
    sides = window.panels.all("left", "right", "below")
    assert {one.name for one in sides} == set(window.panels.docks.docks)
    for mood in MOODS:
        for panel in sides:
            window.panels.show_mood(mood)
            window.menus.run(f"view.go_{panel.name}")
            assert window.panels.is_front(panel.name)
            here = MOODS.index(mood)
            near = min(panel.moods or (mood,), key=lambda one: abs(MOODS.index(one) - here))
            assert window.panels.mood == (mood if panel.is_in(mood) else near)
            assert len(tabs(window)) <= 4, panel.name
    assert not {"modes", "tracks", "cards"} <= set(tabs(window)), "the oldest has given way"
    window.open_file(short)
    assert window.panels.mood == "build"
    assert tabs(window) == ["problems", "editor"], "what another project needed is gone"


def test_nothing_moves_by_switching_there_and_back(window: Any, short: Path) -> None:
    window.open_file(short)
    docks = window.panels.docks
    heights = {"build": 250, "run": 200, "understand": 320}
    for mood, front in zip(MOODS, ("editor", "whatif", "plots"), strict=True):
        window.panels.open(front)
        docks.set_below_height(heights[mood])
    window.bench.viewport.turn_by(40.0, 10.0)
    before = {}
    for mood in MOODS:
        window.panels.show_mood(mood)
        before[mood] = look(window)
        assert docks.below_height() == heights[mood]
    for mood in (*reversed(MOODS), *MOODS):
        window.panels.show_mood(mood)
        turns(1)
        assert look(window) == before[mood], mood


def test_a_run_leads_from_build_to_run_to_understand(window: Any, ended: Any) -> None:
    seen: list[str] = []
    window.bench.mood_changed.connect(seen.append)
    assert window.panels.mood == "build"
    assert ended().status == "completed"
    assert seen == ["run", "understand"]
    assert window.bench.run_view.is_on
    window.menus.run("run.model")
    assert not window.bench.run_view.is_on
    window.menus.run("run.play")
    assert window.panels.mood == "understand", "a run that is played is looked at"
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    turns(2)
    assert window.panels.mood == "build", "what is changed is the model"
    # who looks at a run stays where it is while the next is solved
    window.menus.run("run.study")
    seen.clear()
    ended()
    assert seen == []
    window.bench.mood_changed.disconnect(seen.append)


def test_a_failed_run_is_looked_at_and_who_has_gone_elsewhere_stays(
    window: Any, ended: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = RunRecord.status.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(
        RunRecord,
        "status",
        property(lambda one: "failed" if status(one) == "completed" else status(one)),
    )
    ended()
    assert window.panels.mood == "understand"
    window.menus.run("run.model")
    began = window.bench.run_view.began

    def leave() -> None:
        window.menus.run("run.model")

    began.connect(leave)
    ended()
    assert window.panels.mood == "build", "somebody has gone elsewhere meanwhile"
    began.disconnect(leave)


def test_sliders_and_live_stay_in_run(window: Any, ended: Any, qtbot: Any) -> None:
    window.panels.open("whatif")
    ended()
    assert window.panels.mood == "run"
    window.panels.fold(True)
    window.bench.live.switch(True)
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    qtbot.waitUntil(lambda: not window.bench.live.is_pending, timeout=240_000)
    turns(2)
    assert window.panels.mood == "run"
    window.menus.run("run.study")
    window.bench.document.edit("segments/head/mass_kg", 4.0, "Change the mass")
    qtbot.waitUntil(lambda: not window.bench.live.is_pending, timeout=240_000)
    turns(2)
    assert window.panels.mood == "understand"
    assert window.bench.run_view.is_on, "the answer is seen where one looked at a run"


def test_understand_without_a_run_is_no_dead_end(window: Any, short: Path) -> None:
    window.open_file(short)
    button = window.panels["run_control"].moods["understand"]
    button.click()
    assert window.panels.mood == "understand"
    assert button.isChecked()
    window.panels.open("injury")
    assert "F5" in " ".join(one.text() for one in window.panels["injury"].findChildren(QLabel))


def test_what_is_selected_opens_no_other_mood(window: Any, seated_file: Path) -> None:
    window.open_file(seated_file)
    window.menus.run("run.study")
    window.bench.document.select("functions/foam")
    assert window.panels.mood == "understand"
    window.panels.toggle("editor")
    assert window.panels.mood == "understand", "put here by hand, it stays here"
    assert "editor" in tabs(window)
    window.panels.show_mood("build")
    window.panels.show_mood("understand")
    assert "editor" in tabs(window)


def test_a_window_of_its_own_stays_in_each_mood(window: Any, short: Path) -> None:
    window.open_file(short)
    window.panels.open("plots")
    window.panels.move_panel("plots", "window")
    for mood in MOODS:
        window.panels.show_mood(mood)
        assert window.panels["plots"].isVisible()
        assert "plots" not in tabs(window)
    window.panels.arrange()
    assert tabs(window)[0] == "injury"


def test_workspaces_are_kept_by_name_chosen_and_deleted(
    window: Any, short: Path, qtbot: Any
) -> None:
    window.open_file(short)
    docks, settings = window.panels.docks, window.application.settings
    assert not window.menus.entries["view.workspace_choose"].isEnabled()
    window.panels.open("injury")
    window.panels.move_panel("plots", "right")
    docks.set_below_height(300)
    wanted = {mood: (window.panels.show_mood(mood), look(window)[:3])[1] for mood in MOODS}

    def ask(command: str, name: str) -> None:
        window.menus.run(f"view.workspace_{command}")
        dialog = window.findChild(QInputDialog)
        dialog.setTextValue(name)
        dialog.accept()
        turns(2)

    ask("save", "Two screens / left")
    assert settings.workspaces == ["Two screens / left"]
    for mood in MOODS:
        window.panels.show_mood(mood)
        window.panels.arrange()
    window.panels.show_mood("run")
    assert docks.place(docks.docks["plots"]) == ""
    ask("choose", "Two screens / left")
    assert window.panels.mood == "run"
    for mood in ("understand", "build"):
        window.panels.show_mood(mood)
        window.panels.fold(bool(wanted[mood][1]))
        assert look(window)[:3] == wanted[mood], mood
    assert docks.place(docks.docks["plots"]) == ""
    torn = bytearray(settings.layout(workspace("Two screens / left")).data())
    torn[-30] ^= 0xFF
    settings.keep_layout(workspace("Two screens / left"), QByteArray(bytes(torn)))
    ask("choose", "Two screens / left")
    assert "does not fit" in window.status.words.text()
    ask("delete", "Two screens / left")
    assert settings.workspaces == []


def test_a_mood_begins_with_its_own_panels(window: Any, short: Path) -> None:
    window.open_file(short)
    window.panels.show_mood("run")
    assert tabs(window) == ["runs", "whatif", "studies"]
    assert window.panels.is_front("runs")
    window.panels.open("editor")
    docks = window.panels.docks
    places = {one.panel.name: docks.strip(one)[1] for one in docks.below()}
    assert sorted(places, key=lambda name: places[name]) == ["runs", "whatif", "studies", "editor"]
    window.open_file(short)
    window.panels.show_mood("run")
    assert tabs(window) == ["runs", "whatif", "studies"], "it goes with its project"
