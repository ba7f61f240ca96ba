"""Tours by load case: each is played by mouse and keys, and points at what is to be clicked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt

from app.features.tour.cases import CASE_WORDS, CASES, dialog_of
from app.features.tour.feature import Tour
from app.features.tour.steps import WORDS
from solver.analysis.crash.build import crash
from tests.window.playing import Play

pytestmark = [pytest.mark.window, pytest.mark.one_window]

ON_PAGE = {"why", "limiter", "pushed", "strikes", "curve", "slower", "row_met"}


@pytest.fixture
def play(window: Any, qtbot: Any) -> Play:
    return Play(window, qtbot, "tours")


@pytest.fixture
def tour(window: Any) -> Iterator[Tour]:
    found: Tour = window.features["tour"]
    yield found
    found.leave()


def reached(play: Play, tour: Tour, id_: str, seconds: float = 240.0) -> None:
    """Wait until the card has come to a step, and the ring lies around what it speaks of; keep a picture."""
    play.until(lambda: tour.step.id == id_, seconds)
    play.until(lambda: tour.halo.isVisible(), seconds)
    assert tour.card.isVisible()
    assert play.window.rect().contains(tour.card.geometry())
    target = tour.step.target(play.window.bench)
    assert target is not None
    play.step(f"{tour._way.sample or 'new'}_{id_}")


def click_ring(play: Play, tour: Tour) -> None:
    """Click what the ring surrounds, once it stands there."""
    bench = play.window.bench
    if tour.step.id in ON_PAGE:
        play.until(lambda: tour.step.inside(bench) is not None and not tour._scrolls)

    where = list[Any]()

    def rests() -> bool:
        where.append(tour.step.target(bench))
        tour._place()
        return len(where) > 3 and where[-1] is not None and where[-1] == where[-3]

    play.until(rests)
    over = tour.halo.parentWidget()
    at = tour.halo.geometry().center()
    hit = over.childAt(at)
    assert hit is not None
    play.click(hit, QPointF(hit.mapFrom(over, at)))


def shorten(window: Any, duration_s: float) -> None:
    """Let the run end early: what is solved again need not be long."""
    (run,) = window.bench.document.project.runs
    window.bench.document.edit(f"runs/{run.id}/duration_s", duration_s, "Shorten")


def begun(window: Any, play: Play, case: str) -> Any:
    """Begin a tour, and wait for the run that comes with its sample."""
    window.menus.run(f"help.tour_{case}")
    play.until(lambda: window.bench.run_view.replay is not None, 240.0)
    return window.bench.document


def moved_by_keys(window: Any, play: Play, tour: Tour, number: str) -> None:
    """Move what is selected along x, as the card says."""
    before = window.bench.document.project
    window.bench.viewport.setFocus()
    for key in (Qt.Key.Key_G, Qt.Key.Key_X):
        play.key(key)
    play.type(number)
    play.key(Qt.Key.Key_Return)
    play.until(lambda: window.bench.document.project is not before)


def in_front(play: Play, name: str) -> bool:
    panels = play.window.panels
    return bool(panels.is_front(name)) and bool(panels.is_open())


@pytest.mark.usefixtures("stored_runs")
def test_frontal(window: Any, play: Play, tour: Tour) -> None:
    document = begun(window, play, "frontal")
    reached(play, tour, "play")
    play.until(window.panels["timeline"].play.isEnabled)
    click_ring(play, tour)
    play.until(lambda: window.bench.run_view.player.time > 0.01)
    click_ring(play, tour)
    reached(play, tour, "why")
    click_ring(play, tour)
    play.until(lambda: in_front(play, "acting"))
    reached(play, tour, "limiter")
    before = document.project
    click_ring(play, tour)
    assert document.project is not before
    assert "belt" in document.history.undoText().lower()
    reached(play, tour, "outcome")
    window.bench.run_view.cancel()
    play.until_solved()


@pytest.mark.usefixtures("stored_runs")
def test_rear(window: Any, play: Play, tour: Tour) -> None:
    document = begun(window, play, "rear")
    reached(play, tour, "pushed")
    click_ring(play, tour)
    assert "upper_torso" in document.selection
    reached(play, tour, "build")
    click_ring(play, tour)
    reached(play, tour, "restraint")
    # the head may stand before it: the card names the other way, by the outline
    document.select("planes/seat_head_restraint_pad")
    reached(play, tour, "nearer")
    (before,) = (p for p in document.project.planes if "head_restraint" in p.id)
    moved_by_keys(window, play, tour, "30")
    (after,) = (p for p in document.project.planes if "head_restraint" in p.id)
    assert after.placement.p1_m[0] - before.placement.p1_m[0] == pytest.approx(0.03)
    shorten(window, 0.03)
    reached(play, tour, "again")
    click_ring(play, tour)
    play.until_solved()
    reached(play, tour, "before")
    click_ring(play, tour)
    play.until(lambda: in_front(play, "injury"))
    assert tour.card.next.text() == "Finish"


@pytest.mark.usefixtures("stored_runs")
def test_aircraft(window: Any, play: Play, tour: Tour) -> None:
    document = begun(window, play, "aircraft")
    reached(play, tour, "row_met")
    click_ring(play, tour)
    assert "row" in document.selection
    reached(play, tour, "build")
    play.key(Qt.Key.Key_F7)
    reached(play, tour, "row")
    click_ring(play, tour)
    assert document.selection == "planes/row_in_front"
    reached(play, tour, "farther")
    moved_by_keys(window, play, tour, "150")
    reached(play, tour, "again")


@pytest.mark.usefixtures("stored_runs")
def test_pedestrian(window: Any, play: Play, tour: Tour) -> None:
    document = begun(window, play, "pedestrian")
    reached(play, tour, "play")
    play.click(tour.card.next)
    reached(play, tour, "strikes")
    click_ring(play, tour)
    assert "head" in document.selection
    reached(play, tour, "curve")
    click_ring(play, tour)
    play.until(lambda: in_front(play, "plots"))
    reached(play, tour, "slower")
    before = document.project
    click_ring(play, tour)
    assert document.project.motions != before.motions
    window.bench.run_view.cancel()
    reached(play, tour, "outcome")


@pytest.mark.parametrize("case", ["side", "child"])
def test_new_ones(case: str, window: Any, play: Play, tour: Tour, monkeypatch: Any) -> None:
    """Those that begin with a new crash lead through its dialog."""
    from app.features.crash import dialog as made_by

    monkeypatch.setattr(made_by, "crash", lambda choices, **_: crash(choices, rest=False))
    window.menus.run(f"help.tour_{case}")
    reached(play, tour, "new")
    click_ring(play, tour)
    reached(play, tour, case)
    dialog = dialog_of(window.bench)
    assert dialog is not None
    assert tour.halo.parentWidget() is dialog
    fields = dialog.fields
    choose(fields.case, {"side": "side", "child": "booster"}[case])
    reached(play, tour, {"side": "bare", "child": "age"}[case])
    choose(*{"side": (fields.bag, ""), "child": (fields.who, "child")}[case])
    fields.duration.setValue(40.0)
    reached(play, tour, "make")
    play.until(lambda: not dialog.trying.is_busy and not dialog._rest.isActive())
    if case == "child":
        # what follows is the same
        assert dialog.create_and_run.isEnabled()
        dialog.reject()
        return
    click_ring(play, tour)
    reached(play, tour, "curve")
    play.come_back()
    click_ring(play, tour)
    play.until(lambda: in_front(play, "plots"))
    reached(play, tour, "end")
    assert tour.card.next.text() == "Finish"


def choose(box: Any, key: str) -> None:
    """Choose in a list."""
    box.setCurrentIndex(box.findData(key))


def test_each_case_is_offered_and_has_its_words(window: Any, play: Play, tour: Tour) -> None:
    for case, way in CASES.items():
        assert window.menus.find(f"help.tour_{case}").tip == way.tip
        assert all(step.id in WORDS | CASE_WORDS for step in way.steps)
    said = {step.id for way in CASES.values() for step in way.steps}
    assert said == set(CASE_WORDS), "no words without a step"
    assert not set(WORDS) & set(CASE_WORDS)
    play.click(window.panels["welcome"].tours)
    play.until(tour.menu.isVisible)
    assert len(tour.menu.actions()) == 1 + len(CASES)
    play.key(Qt.Key.Key_Escape)
    tour.menu.close()


def test_unsaved_work_stays_in_its_window(window: Any, play: Play, tour: Tour, monkeypatch: Any) -> None:  # fmt: skip
    asked = list[str]()
    other = type("Other", (), {"commands": type("C", (), {"run": staticmethod(asked.append)})})
    monkeypatch.setattr(window.bench, "another", lambda: other)
    window.features["files"].new("pendulum")
    window.bench.document.edit("title", "Mine", "Rename")
    window.menus.run("help.tour_rear")
    assert asked == ["help.tour_rear"]
    assert not tour.is_on
    assert window.bench.document.project.title == "Mine"
