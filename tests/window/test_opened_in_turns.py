"""A project is opened in several turns of the event loop, none of them long, and seen at once and whole; no times, only turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any
from weakref import ref

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from app.features.outline.panel import Outline
from app.jobs.turns import Transition, Turns
from app.look import LIGHT
from app.run_view.marks import _LAPS
from app.scene.canvas import Canvas
from app.scene.exposure import Exposure
from app.scene.screen import Screen
from app.scene.stage import Stage
from solver.base.places import samples
from solver.project import Project, load_project
from solver.running.outputs.submarining import FAULTS
from tests.window.waiting import LONG_S, turns, until, until_still

pytestmark = pytest.mark.window
FIRST, SECOND = samples() / "frontal.json", samples() / "pendulum.json"


class Noted(QObject):
    """Note in which turn of the event loop what happens."""

    def __init__(self, window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.turn, self.done = 0, list[tuple[str, int]]()
        self.window, self.page = window, window.panels.pages
        for owner, name in (
            (Outline, "_list"),
            (Stage, "show"),
            (Screen, "lay_ahead"),
            (Screen, "_draw"),
        ):
            monkeypatch.setattr(owner, name, self._noting(owner, name))
        window.bench.viewport.installEventFilter(self)

    def _noting(self, owner: type, name: str) -> Callable[..., Any]:
        method = getattr(owner, name)

        def noting(*given: Any) -> Any:
            self.done.append((name, self.turn))
            return method(*given)

        return noting

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.done.append(("paint", self.turn))
        return False

    def go_on(self, until: Callable[[], bool]) -> None:
        """Let turns go by."""
        end = time.monotonic() + LONG_S
        while not until():
            assert time.monotonic() < end, "it never came"
            self.turn += 1
            QApplication.processEvents()
            # what is made beside needs time
            time.sleep(1e-3)

    def is_seen(self) -> bool:
        """Tell whether the project has been painted."""
        return "paint" in self.names()

    def names(self) -> list[str]:
        """Give what happened, in its order."""
        return [name for name, _ in self.done]


@pytest.fixture
def noted(window: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Noted]:
    window.bench.viewport.make()
    turns(10)
    made = Noted(window, monkeypatch)
    yield made
    window.bench.viewport.removeEventFilter(made)


def listed(window: Any) -> set[str]:
    """Name the elements whose rows are there just now, without asking for more."""
    return {path.rpartition("/")[2] for path in window.panels["outline"]._items if "/" in path}


def test_what_a_project_takes_is_done_in_turns_before_it_is_seen(noted: Noted) -> None:
    """List, scene and picture each have a turn; then everything is painted, and the scene is not drawn again for it."""
    noted.window.open_file(FIRST)
    assert noted.window.bench.has_project()
    assert noted.done == [], "nothing of it where the file is opened"
    noted.go_on(noted.is_seen)
    assert noted.names()[-3:] == ["lay_ahead", "_draw", "paint"]
    assert sorted(noted.names()[:-3]) == ["_list", "show"]
    turns = [turn for _, turn in noted.done]
    assert sorted(set(turns)) == turns, "no two in one turn"


def test_the_project_that_is_opened_last_is_seen_whatever_waited(noted: Noted) -> None:
    """Wherever the first one was, nothing of it is seen, and what was left of it is not done."""
    window = noted.window
    for stop in (0, 1, 2, 3, 4):
        noted.done.clear()
        window.open_file(FIRST)
        noted.go_on(lambda stop=stop: len(noted.done) >= stop)
        before = len(noted.done)
        window.open_file(SECOND)
        noted.go_on(noted.is_seen)
        expected = ["_list", "show", "lay_ahead", "_draw", "paint"]
        assert sorted(noted.names()[before:]) == sorted(expected), stop
        project = window.bench.document.project
        assert listed(window) >= {one.id for one in project.segments}
        assert "driver_head" not in listed(window)
        assert window.bench.viewport.project is project
        assert {i.shape.element for i in window.bench.viewport.stage.items} >= {
            f"segments/{one.id}" for one in project.segments
        }
        assert window.panels.pages.updatesEnabled()


def test_a_window_that_is_closed_stops_the_rest(noted: Noted) -> None:
    window = noted.window
    window.open_file(FIRST)
    window.close()
    done, pages = list(noted.done), window.panels.pages
    for _ in range(50):
        QApplication.processEvents()
    assert noted.done == done
    assert not pages.isVisible()


def test_who_asks_for_the_list_has_it_at_once(noted: Noted) -> None:
    """A key, a command or another panel may come before its turn; it is then made, and only once."""
    window = noted.window
    outline = window.panels["outline"]
    window.open_file(FIRST)
    assert not listed(window)
    window.bench.document.select("segments/driver_head")
    assert outline.selected() == "segments/driver_head"
    assert noted.names().count("_list") == 1
    noted.go_on(noted.is_seen)
    assert noted.names().count("_list") == 1
    assert outline.selected() == "segments/driver_head"
    window.open_file(SECOND)
    assert "driver_head" not in listed(window), "no row of what is gone can be clicked"
    outline.search.setText("no such thing")
    noted.go_on(lambda: bool(listed(window)))
    assert outline.visible_paths() == []


def test_what_was_changed_is_painted_between_two_pieces_of_work(qapp: Any) -> None:
    """Work that waits comes in its order, with a turn for other things before each."""
    done, turns, turn = list[tuple[str, int]](), Turns(), 0
    for name in "abc":
        turns.add(lambda name=name: done.append((name, turn)))
    while len(done) < 3:
        turn += 1
        QApplication.processEvents()
    at = [turn for _, turn in done]
    assert [name for name, _ in done] == list("abc")
    assert all(later > earlier + 1 for earlier, later in pairwise(at))


def drawn(exposure: Exposure, stage: Stage, project: Project) -> np.ndarray[Any, Any]:
    stage.show(project)
    stage.look("iso", 1.5)
    return exposure.fine(240, 160).copy()


def test_one_canvas_shows_one_stage_after_the_other_as_one_of_its_own(qapp: Any) -> None:
    """What the welcome has drawn, and lays down in the middle of a picture, is not seen in the scene."""
    first, second = load_project(FIRST), load_project(SECOND)
    alone = Stage(LIGHT)
    own = Exposure(alone)
    expected = [drawn(own, alone, project) for project in (first, second)]
    own.close()
    canvas = Canvas()
    while canvas.begin():
        pass
    stages = [Stage(LIGHT), Stage(LIGHT)]
    exposures = [Exposure(stage, canvas) for stage in stages]
    for turn in range(4):
        here, other = turn % 2, 1 - turn % 2
        exposures[other].snap(240, 160)
        exposures[here].lay(240, 160)
        exposures[other].snap(240, 160)
        picture = drawn(exposures[here], stages[here], (first, second)[here])
        assert np.array_equal(picture[..., :3], expected[here][..., :3]), turn
    exposures[0].close()
    picture = drawn(exposures[1], stages[1], second)
    assert np.array_equal(picture[..., :3], expected[1][..., :3]), (
        "what one gives back is not the other's"
    )
    canvas.renew()
    picture = drawn(exposures[1], stages[1], second)
    assert np.array_equal(picture[..., :3], expected[1][..., :3])
    window = ref(canvas.window)
    canvas.close()
    canvas.close()
    assert window() is None, "it ends here, not when garbage is looked for"


def test_the_scene_is_made_in_turns_before_it_is_wanted(window: Any) -> None:
    """Window, stage, driver and first picture each in a turn; who needs it before has it at once."""
    view = window.bench.viewport
    seen = []
    view.make_ahead()
    while not seen or view._ahead.isActive():
        seen.append((view._canvas is not None, view._made is not None))
        turns(1)
    seen.append((view._canvas is not None, view._made is not None))
    until_still(view)
    assert [state for n, state in enumerate(seen) if state not in seen[:n]] == [
        (True, False),
        (True, True),
    ]
    assert view.canvas() is view._canvas
    assert view.picture.drawn == 0, "what is seen is still to be drawn"


def test_the_marks_of_lap_belts_are_those_that_the_engine_tells() -> None:
    """The window has its own list, so that a stored run is shown without the engine."""
    assert set(_LAPS) == set(FAULTS)


def test_a_step_that_fails_is_seen(qtbot: Any) -> None:
    """Whatever cannot be laid out, the screen is painted again, and the failure told."""
    held: list[bool] = []
    turns = Turns()
    transition = Transition(held.append, turns)

    def fails() -> None:
        raise ValueError("no stage")

    with qtbot.captureExceptions() as told:
        transition.fall()
        transition.rise_after(fails)
        until(lambda: held == [True, False])
    assert [str(one[1]) for one in told] == ["no stage"]
