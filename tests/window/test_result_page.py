"""The page that says what happened: verdict, pictures, why, what to try next; told as soon as a run has ended."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.features.result.body_figure import BodyFigure
from app.features.result.page import Line, ResultPage, Section
from app.features.result.told import (
    PICTURES,
    PersonTold,
    Told,
    _with_missing,
    people_of,
    region_words,
    steps_of,
    told,
    verdict_words,
    with_story,
)
from app.run_view.record import RunRecord
from solver.base.places import samples
from solver.base.words import Sentence, tr
from solver.injury import Assessment, assess
from solver.injury.figures import figure_segment
from solver.project import load_project, to_json
from solver.report.explaining import happenings
from solver.report.gather import Subject
from solver.report.injury_table import REGIONS, region_of
from solver.results import ResultsError
from tests.solved import trajectory
from tests.window.waiting import turns

pytestmark = [pytest.mark.window, pytest.mark.one_window]
SLED = samples() / "sled.json"


@cache
def record() -> RunRecord:
    return RunRecord("Run 1", load_project(SLED), opened=trajectory("sled"))


@cache
def assessment() -> Assessment:
    return assess(trajectory("sled"), record().project)


@cache
def page_of() -> Told:
    return with_story(told(record(), ()), record(), (), "metric")


def words_in(widget: Any) -> str:
    return "\n".join(one.text() for one in widget.findChildren(QLabel))


def click(button: Any) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_each_region_has_its_worst_figure_and_the_worst_come_first() -> None:
    (person,) = page_of().people
    for region, figure in person.regions.items():
        there = [f for f in assessment().figures if region_of(f) == region]
        assert figure.share == max((f.share for f in there if f.share is not None), default=None)
    shares = [one.share for one in person.worst]
    assert shares == sorted(shares, reverse=True)
    assert person.worst[0].name == "chest_3ms"
    assert len({(one.value, one.unit) for one in person.worst}) == len(person.worst)
    assert verdict_words(person).endswith("limits, 1 near them.")


def test_several_people_have_a_verdict_each() -> None:
    one = assessment()
    other = tuple(replace(f, body="guest", name=f"guest.{f.name}") for f in one.figures)
    bodies = (*one.bodies, *(replace(body, name="guest") for body in one.bodies))
    found = people_of(replace(one, figures=(*one.figures, *other), bodies=bodies))
    assert [person.name for person in found] == ["", "guest"]
    assert found[0].regions.keys() == found[1].regions.keys()
    assert all(f.body == "guest" for f in found[1].worst)


def test_what_is_beyond_open_or_not_judged_is_said_in_words() -> None:
    chest = assessment()["chest_3ms"]
    assert region_words(chest) == "87 %"
    assert region_words(replace(chest, value=2.0 * chest.value)).endswith(", beyond")
    assert region_words(replace(chest, until=0.05)).endswith(", open")
    assert region_words(replace(chest, limits=())) == "no limit"


def test_the_story_has_five_instants_of_what_is_explained() -> None:
    steps = page_of().steps
    assert 2 <= len(steps) <= PICTURES
    sentences = [one.words for one in happenings(Subject(trajectory("sled")))]
    more = [line.partition(" ms: ")[2] for step in steps for line in step.more]
    assert sorted([*(step.words for step in steps), *more]) == sorted(sentences)
    abouts = {step.about.split("/")[0] for step in steps}
    assert abouts <= {"segments", "contacts", "harnesses", "belts", "airbags", "joints"}
    # the part of the worst figure is among them, whatever happens beside it
    assert "segments/upper_torso" in {step.about for step in steps}
    for worst in ("head", "lower_torso"):
        steps = steps_of(Subject(trajectory("sled")), "metric", worst)
        assert f"segments/{worst}" in {step.about for step in steps}
    assert page_of().energy.startswith("Energy")


def test_a_run_without_people_is_told_too() -> None:
    sample = load_project(samples() / "pendulum.json")
    swings = RunRecord("Run", sample, opened=trajectory("pendulum"))
    made = with_story(told(swings, ()), swings, (), "metric")
    assert made.people == ()
    assert any("is fastest" in step.words for step in made.steps)
    assert made.steps[0].time == 0.0
    assert made.failed == ""


def test_a_person_is_drawn_with_a_mark_for_each_region(qtbot: Any) -> None:
    body = BodyFigure()
    qtbot.addWidget(body)
    body.resize(body.sizeHint())
    plain = body.grab().toImage()
    (person,) = page_of().people
    body.show_regions(person.regions)
    assert body.grab().toImage() != plain
    assert "chest: 87 %, Chest 3 ms" in body.accessibleDescription()
    asked: list[Any] = []
    body.asked.connect(asked.append)
    found = {
        body.region_at(x, y) for x in range(0, body.width(), 4) for y in range(0, body.height(), 4)
    }
    assert found - {""} == set(person.regions) <= set(REGIONS)
    place = next(QPoint(x, y) for y in range(body.height()) for x in (60,) if body.region_at(x, y) == "chest")  # fmt: skip
    QTest.mouseClick(body, Qt.MouseButton.LeftButton, pos=place)
    assert asked == [person.regions["chest"]]
    # by keys, as a screen reader hears it: from region to region, and Enter asks
    asked.clear()
    names = list(body.regions)
    QTest.keyClick(body, Qt.Key.Key_Down)
    assert body.accessibleName().lower().startswith(tr(REGIONS[names[1]]).lower())
    QTest.keyClick(body, Qt.Key.Key_Up)
    QTest.keyClick(body, Qt.Key.Key_Up)
    QTest.keyClick(body, Qt.Key.Key_Return)
    assert asked == [person.regions[names[-1]]]


def test_from_nothing_to_why_is_two_clicks(window: Any, qtbot: Any) -> None:
    """Without a run the page says what would fill it; Run fills it, one more click says why, another tries what is suggested."""
    bench, feature = window.bench, window.features["result"]
    page = feature.page
    window.open_file(SLED)
    window.panels.show_mood("understand")
    assert page.run.isVisible()
    assert page.report.isHidden()
    click(page.run)
    qtbot.waitUntil(lambda: bool(page.figures), timeout=240_000)
    qtbot.waitUntil(lambda: bool(page.tries), timeout=60_000)
    record = bench.run_view.runs.current
    assert page.title.text() == "Run 1, 80 ms"
    assert page.run.isHidden()
    assert page.empty.isHidden()
    first = page.figures[0]
    assert first.figure.name == "chest_3ms"
    assert "87 % of the limit 55* g" in words_in(first)

    # pictures come one after the other, in many parts, and lead to their instant
    qtbot.waitUntil(lambda: not any(r.picture.icon().isNull() for r in page.rows), timeout=60_000)
    row = page.rows[-1]
    click(row.picture)
    assert bench.run_view.player.time == pytest.approx(row.step.time)
    assert bench.document.selection == row.step.about
    assert row.picture.accessibleName().startswith(f"At {1e3 * row.step.time:.0f} ms")

    asked: list[Any] = []
    window.bench.decides_asked.connect(asked.append)
    click(first.decides)
    assert asked == [first.figure]
    click(first.why)
    assert window.panels.is_front("acting")
    segment = figure_segment(record.project, first.figure)
    assert bench.document.selection == f"segments/{segment}"

    # one step of the history, which is told of and can be taken back to the byte
    before, steps = to_json(bench.document.project), bench.document.history.count()
    title = feature.suggestions[0].title
    click(page.tries[0])
    qtbot.waitUntil(lambda: len(bench.run_view.runs.records) == 2, timeout=240_000)
    qtbot.waitUntil(lambda: page.outcome.isVisible(), timeout=240_000)
    assert bench.document.history.count() == steps + 1
    assert bench.document.history.undoText() == title
    said = words_in(page.outcome.body)
    assert title in said
    assert "Chest 3 ms: 47.8 g before" in said
    assert "became worse" in said or "Worse for it" in said
    assert bench.document.project is bench.run_view.runs.current.project
    feature.take_back()
    assert to_json(bench.document.project) == before
    assert bench.run_view.runs.current is record
    assert len(bench.run_view.runs.records) == 2

    # a model that has changed is solved first
    bench.document.edit("segments/head/mass_kg", 4.0, "Change the mass")
    bench.run_view.switch(True)
    qtbot.waitUntil(lambda: "The model has changed" in words_in(page.next.body), timeout=20_000)
    assert page.tries == []


def test_what_stands_on_the_page_neither_moves_nor_is_squeezed(qtbot: Any) -> None:
    """Each part is as high as it needs before anything is painted, and comes below what stands there already."""
    page, found = ResultPage(), page_of()
    qtbot.addWidget(page)
    page.resize(330, 500)
    page.show()
    turns()
    at: dict[Section, QRect] = {}
    for show in (
        lambda: page.show_verdict("Run 1", found),
        lambda: page.show_story(found),
        lambda: page.show_assumed("Four numbers of this model are assumed within ranges. " * 3, {}, ("Compute", True)),
        lambda: page.show_next("", [("A belt that is much softer than this one is. " * 3, "It acts on the chest. " * 4, None)]),
        lambda: page.show_notes(replace(found, warnings=("A contact went beyond its curve. " * 4,), notes=("One", "Two"))),
    ):  # fmt: skip
        show()
        before = {one: one.geometry() for one in page.sections if one.isVisible()}
        assert {one: before[one] for one in at} == at
        at = before
        lines = [one for one in page.findChildren(Line) if one.isVisible()]
        assert lines
        assert [one.text() for one in lines if one.height() < one.heightForWidth(one.width())] == []
        turns()
        assert {one: one.geometry() for one in at} == at
    assert len(at) == 5


def test_a_failed_run_says_why_and_what_to_do() -> None:
    class Failed:
        stage, status, message = "ended", "failed", "The step has become too small."
        trajectory = None

    made = told(RunRecord("Run 1", record().project, solving=Failed()), ())  # type: ignore[arg-type]
    assert "The step has become too small." in made.failed
    assert "smaller steps" in made.failed


def test_what_is_not_computed_stands_with_the_verdict_once_for_each_reason() -> None:
    """Forty figures that were not recorded are one line of whom they are; of nobody, a note."""
    lost = [Sentence("The run did not record '{name}'.", name=f"sensor_{n}") for n in range(6)]
    few = Sentence("Too few samples.")
    missing = [*((f"left.F{n}", why) for n, why in enumerate(lost)), ("right.HIC", few)]
    people, notes = _with_missing((PersonTold("left", ""), PersonTold("right", "")), missing)
    assert [one.unjudged for one in people] == [
        ("Not computed: left.F0, left.F1, left.F2, left.F3 and 2 more. The run did not record 'sensor_0'.",),
        ("Not computed: right.HIC. Too few samples.",),
    ]  # fmt: skip
    assert notes == ()
    assert _with_missing((), [("HIC", few)]) == ((), ("Not computed: HIC. Too few samples.",))
    (alone,), _ = _with_missing((PersonTold("", "", unjudged=("a",)),), [("HIC", few)])
    assert alone.unjudged == ("a", "Not computed: HIC. Too few samples.")


def test_pictures_are_drawn_in_parts(window: Any) -> None:
    """No turn of the event loop draws more than one plain picture."""
    pictures = window.features["result"].pictures
    pictures.begin(record(), [0.0, 0.05], window.bench.theme, None)
    parts, found = 0, []
    more = True
    while more:
        more, made = pictures.part()
        parts += 1
        if made is not None:
            found.append(made)
    assert [number for number, _ in found] == [0, 1]
    assert parts >= 2 * 3
    assert found[0][1] != found[1][1]


def test_what_fails_of_a_run_that_was_closed_is_not_told(
    window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another project was opened while suggestions were looked for: the file of the run is gone."""
    feature, run_view = window.features["result"], window.bench.run_view
    told_of: list[Exception] = []
    monkeypatch.setattr(feature.bench, "tell_failed", told_of.append)
    gone, here, failure = record(), replace(record(), name="Run 2"), ResultsError("It is closed.")
    monkeypatch.setattr(run_view.runs, "current", here)
    feature._on_failed(gone, failure)
    assert told_of == []
    feature._on_failed(here, failure)
    assert told_of == [failure]
