"""The first five minutes: a card leads through a first run, follows what is done, and never blocks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.tour.feature import Card, Tour
from app.features.tour.steps import STEPS, WORDS
from solver.base.places import samples
from tests.window.playing import CTRL, Play
from tests.window.test_story_first_five_minutes import BELT, UPPER
from tests.window.test_window import press
from tests.window.waiting import until_fired

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def play(window: Any, qtbot: Any) -> Play:
    return Play(window, qtbot, "tour")


@pytest.fixture
def tour(window: Any, play: Play) -> Iterator[Tour]:
    window.menus.run("help.tour")
    found: Tour = window.features["tour"]
    assert found.is_on
    yield found
    found.leave()


def reached(play: Play, tour: Tour, id_: str, seconds: float = 20.0) -> None:
    """Wait until the card has come to a step, and hold it beside what it speaks of."""
    play.until(lambda: tour.step.id == id_, seconds)
    assert tour.card.isVisible()
    assert tour.card.title.text() == WORDS[id_][0]
    target = tour.step.target(play.window.bench)
    assert target is not None
    assert tour.halo.isVisible()
    assert tour.halo.geometry().intersects(target)
    assert play.window.rect().contains(tour.card.geometry())
    if target.width() < 400:
        assert not tour.card.geometry().intersects(target)


@pytest.mark.own_window
def test_each_step_goes_on_by_itself_once_it_is_done(window: Any, play: Play, tour: Tour) -> None:
    reached(play, tour, "open")
    play.click(window.panels["welcome"].cards[0])
    reached(play, tour, "look")
    # less than half of it is long enough to be watched
    (run,) = window.bench.document.project.runs
    window.bench.document.edit(f"runs/{run.id}/duration_s", 0.06, "Shorten")
    play.drag(window.bench.viewport, QPointF(60, 60), QPointF(120, 70))
    reached(play, tour, "run")
    play.key(Qt.Key.Key_F5)
    # the first run of a machine compiles the solver, which leaves the window little time
    reached(play, tour, "watch", 240.0)
    play.until_solved()
    play.until(
        lambda: window.bench.run_view.player.is_playing and window.bench.run_view.player.time > 0.0
    )
    play.key(Qt.Key.Key_Space)
    reached(play, tour, "injury")
    tabs, place = window.panels.tab("injury")
    play.click(tabs, QPointF(place.center()))
    reached(play, tour, "figure")
    tree = window.panels["injury"].tree
    play.click(tree.viewport(), QPointF(tree.visualItemRect(tree.topLevelItem(0)).center()))
    reached(play, tour, "live")
    play.click(window.panels["run_control"].live)
    reached(play, tour, "model")
    play.key(Qt.Key.Key_F7)
    reached(play, tour, "belt")
    press(window, BELT)
    reached(play, tour, "drag")
    grip = next(g for g in window.features["placing"].move.grips if g.path == UPPER)
    at = QPointF(*window.bench.viewport.lens.pixel(grip.p_W))
    assert tour.halo.geometry().contains(window.bench.viewport.mapTo(window, at.toPoint()))
    play.drag(window.bench.viewport, at, at + QPointF(0.0, 12.0))
    reached(play, tour, "result")
    play.until(lambda: tour.card.state.text() == "✓ Done", 60.0)
    play.step("result")
    until_fired(tour._look)
    assert not tour._praise.isActive(), "one has to have the time to read"
    assert tour.step.id == "result"
    play.click(tour.card.next)
    reached(play, tour, "export")
    assert tour.card.next.text() == "Finish"
    play.click(tour.card.next)
    assert not tour.is_on
    assert not tour.card.isVisible()
    assert not tour.halo.isVisible()


def test_one_goes_on_and_back_without_doing_anything(window: Any, play: Play, tour: Tour) -> None:
    seen_ = [tour.step.id]
    while tour.step.id != "export":
        play.click(tour.card.next)
        assert window.rect().contains(tour.card.geometry())
        seen_.append(tour.step.id)
    assert seen_ == [step.id for step in STEPS if step.id != "model"], "the model is shown anyway"
    for _ in range(3):
        play.click(tour.card.back)
    assert tour.step.id == "belt"
    assert tour.card.back.isEnabled()


def test_going_back_to_what_is_done_stays_there(
    window: Any, play: Play, tour: Tour, seated_file: Path
) -> None:
    window.open_file(seated_file)
    play.until(lambda: tour.step.id == "look")
    play.click(tour.card.back)
    until_fired(tour._look)
    assert not tour._praise.isActive()
    assert tour.step.id == "open"
    play.click(tour.card.next)
    assert tour.step.id == "look"


def test_in_an_open_project_it_begins_with_looking_around(
    window: Any, play: Play, seated_file: Path
) -> None:
    window.open_file(seated_file)
    window.features["tour"].begin()
    assert window.features["tour"].step.id == "look"
    window.features["tour"].leave()


def test_esc_leaves_but_not_before_a_tool_and_a_field_have_had_it(
    window: Any, play: Play, tour: Tour, seated_file: Path
) -> None:
    window.open_file(seated_file)
    window.bench.document.select("segments/head")
    mass = window.panels["inspector"].form.rows["segments/head/mass_kg"].editor
    mass.setFocus()
    play.type("99")
    play.key(Qt.Key.Key_Escape)
    assert tour.is_on
    assert mass.text() == "4.5 kg"
    window.bench.viewport.setFocus()
    play.key(Qt.Key.Key_G)
    assert window.features["placing"].move.operation is not None
    play.key(Qt.Key.Key_Escape)
    assert window.features["placing"].move.operation is None
    assert tour.is_on
    play.key(Qt.Key.Key_Escape)
    assert not tour.is_on


def test_the_window_is_used_as_ever_while_the_card_is_there(
    window: Any, play: Play, tour: Tour, seated_file: Path
) -> None:
    window.open_file(seated_file)
    assert QApplication.activeModalWidget() is None
    under = tour.halo.geometry().center()
    assert window.childAt(under) is not tour.halo
    play.choose("insert plane")
    assert window.bench.document.selection.startswith("planes/")
    assert tour.is_on
    for name in ("runs", "plots"):
        window.panels.open(name)
    window.features["files"].show_welcome()
    play.until(lambda: window.rect().contains(tour.card.geometry()))
    window.resize(900, 600)
    play.until(lambda: window.rect().contains(tour.card.geometry()))
    window.bench.document.history.setClean()
    window.features["files"].new("empty")
    play.until(lambda: tour.card.isVisible())


def test_what_is_not_seen_is_not_pointed_at(window: Any, play: Play, tour: Tour) -> None:
    play.click(tour.card.next)
    assert tour.step.id == "look"
    assert not window.bench.viewport.isVisible()
    assert not tour.halo.isVisible()
    corner = tour.card.geometry().bottomRight()
    assert (window.rect().bottomRight() - corner).manhattanLength() < 80


def test_the_welcome_offers_it(window: Any, play: Play) -> None:
    QTest.mouseClick(window.panels["welcome"].tour, LEFT, pos=QPoint(40, 10))
    assert window.features["tour"].is_on
    play.key(Qt.Key.Key_F5, CTRL)
    assert window.features["tour"].is_on
    window.features["tour"].card.leave.click()
    assert not window.features["tour"].is_on


def test_the_card_stands_beside_what_it_speaks_of(window: Any) -> None:
    card = Card(window)
    window.resize(1366, 768)
    for target in (
        QRect(10, 40, 300, 260), QRect(1200, 10, 90, 30), QRect(20, 500, 80, 30),
        QRect(600, 300, 44, 44), QRect(1300, 700, 44, 44), QRect(0, 0, 44, 44),
    ):  # fmt: skip
        for step in STEPS:
            card.say(step.id, 1, 2)
            card.stand_by(target)
            assert window.rect().contains(card.geometry())
            assert not card.geometry().intersects(target)
    card.deleteLater()


@pytest.mark.own_window
def test_it_ends_with_the_window(window: Any, play: Play, tour: Tour) -> None:
    window.open_file(samples() / "lap_belt.json")
    window.close()
    assert not tour.is_on
