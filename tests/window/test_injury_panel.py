"""Read injury figures in the window: all of them, their windows, and beside those of another run."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.curves.curves import measured
from app.features.injury import _BAR, _DECIDED, _change
from app.features.studies.going import Going
from app.widgets.share import OPEN, SHARE
from solver.base.places import samples
from solver.base.words import Sentence
from solver.injury import Figure, Limit, assess
from solver.injury.figures import channels_text, figure_text, value_text
from solver.project import validated
from solver.project.studies import AssumedNumber
from solver.studies import run_band
from tests.window.seated import seated
from tests.window.solving import solved

pytestmark = [pytest.mark.window, pytest.mark.one_window]


@pytest.fixture(autouse=True)
def front(window: Any) -> None:
    """Bring the figures to the front: a panel that nobody sees lists nothing."""
    window.panels.open("injury")


def rows(window: Any) -> list[list[str]]:
    # a run that is solved from the mood of building ends in that of understanding, with its last panel
    window.panels.open("injury")
    tree = window.panels["injury"].tree
    items = [tree.topLevelItem(i) for i in range(tree.topLevelItemCount())]
    return [[item.text(c) for c in range(tree.columnCount())] for item in items]


def test_all_figures_of_the_run_are_listed(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    figures = assess(record.trajectory, record.project).figures
    shown = rows(window)
    assert len(shown) == len(figures) > 0
    by_title = {row[0]: row for row in shown}
    for figure in figures:
        row = by_title[figure_text(figure)]
        assert row[1] == value_text(figure.value, figure.unit)
        assert "e+" not in row[1]
    assert "Head injury criterion, windows up to 15 ms" in shown[0][0]
    assert shown[0][-3:-1] == ["Head acceleration", "Why?"]


def test_a_band_stands_behind_each_figure_with_what_decides(window: Any, qtbot: Any, monkeypatch: Any) -> None:  # fmt: skip
    panel, bands = window.panels["injury"], window.features["studies"].bands
    record = solved(window, qtbot)
    mass = next(s for s in record.project.segments if s.mass_kg > 0.0)
    qtbot.waitUntil(lambda: bool(rows(window)), timeout=60_000)
    assert not panel.band.isEnabled()
    path = f"segments/{mass.id}/mass_kg"
    one = AssumedNumber(id="mass", name="mass of it", path=path, low=0.9 * mass.mass_kg, high=1.1 * mass.mass_kg, source="assumed range")  # fmt: skip
    window.bench.document.replace(
        window.bench.document.project.model_copy(update={"assumed": (one,)}), "assume"
    )
    # the run stays that of the model: no run depends on ranges
    assert not window.bench.run_view.is_outdated(record)
    QTest.mouseClick(window.panels["run_control"].run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    record = window.bench.run_view.runs.current
    window.panels.open("injury")
    qtbot.waitUntil(panel.band.isEnabled, timeout=240_000)
    started = list[Any]()
    monkeypatch.setattr(Going, "start", lambda going: started.append(going))
    panel.band.click()
    assert started == [bands.going]
    assert panel.band.text().startswith("Cancel")
    found = run_band(record.project, runs=2, workers=0)
    bands.going.ended.emit(found.study)
    assert panel.band.text() == "Band"
    figure = assess(record.trajectory, record.project).figures[0]
    row = next(row for row in rows(window) if row[0] == figure_text(figure))
    about = found.figures[figure.name]
    assert row[1] == f"{value_text(figure.value, figure.unit)} ({about.text})"
    assert row[-1] == about.decided_beside(figure.value)
    assert not panel.tree.isColumnHidden(_DECIDED)
    assert all(
        panel.tree.columnWidth(column) >= panel.tree.sizeHintForColumn(column)
        for column in (1, _DECIDED)
    )
    assert bands.finished() == [found.study]
    # of another model it is none
    window.bench.document.replace(window.bench.document.project.model_copy(update={"gravity_m_per_s2": (0.0, 0.0, 9.0)}), "lighter")  # fmt: skip
    assert bands.finished() == []


@pytest.mark.parametrize("early", [True, False])
def test_of_a_run_that_ended_early_no_figure_is_judged(
    window: Any, qtbot: Any, early: bool
) -> None:
    """No bar is drawn, green or other: it says until when it is known. What is exceeded is, whatever comes."""
    record = solved(window, qtbot)
    found = assess(record.trajectory, record.project, status="failed" if early else None)
    one, other, *_ = found.figures
    kept, beyond = (
        replace(f, limits=(Limit(f.criterion, f.value / part, "a man", (), "a standard"),))
        for f, part in ((one, 0.4), (other, 2.0))
    )
    panel = window.panels["injury"]
    panel._shown = (record, None, False)
    panel._list(replace(found, figures=(kept, beyond)), None, None)
    items = {panel._figures[id(i)].name: i for i in map(panel.tree.topLevelItem, range(2))}
    ms = 1e3 * record.trajectory.time[-1]
    assert items[kept.name].data(_BAR, SHARE) == pytest.approx(0.4)
    assert items[kept.name].data(_BAR, OPEN) == (f"40 % until {ms:.0f} ms" if early else "")
    assert items[beyond.name].data(_BAR, OPEN) == ""
    assert items[beyond.name].foreground(1).color().name() == panel.theme.error.lower()


def test_what_went_through_something_is_not_judged(window: Any, qtbot: Any) -> None:
    """It keeps its value and its place, has no bar, and says what it went through."""
    record = solved(window, qtbot)
    found = assess(record.trajectory, record.project)
    why = Sentence("Head went 90 mm through the rim")
    first, other, *_ = found.figures
    limits = (Limit(first.criterion, 2.0 * first.value, "a man", (), "a paragraph"),)
    gone = replace(first, spoilt=why, limits=(), refused=(("a standard", why),))
    panel = window.panels["injury"]
    panel._shown = (record, None, False)
    panel._list(replace(found, figures=(replace(other, limits=()), gone)), None, None)
    item = panel.tree.topLevelItem(0)
    assert panel._figures[id(item)].name == first.name
    assert item.text(1) == value_text(first.value, first.unit)
    assert item.text(3) == "no verdict"
    assert item.text(5) == "not judged: Head went 90 mm through the rim"
    assert item.data(_BAR, SHARE) is None
    assert item.data(_BAR, OPEN) == "not judged"
    panel.tree.grab()
    panel._list(replace(found, figures=(replace(first, limits=limits),)), None, None)
    assert panel.tree.topLevelItem(0).data(_BAR, OPEN) == ""


def test_a_click_shows_the_window_on_the_curve(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    panel = window.panels["injury"]
    item = panel.tree.topLevelItem(0)
    panel._on_click(item)
    figure = panel._figures[id(item)]
    assert window.bench.run_view.player.time == pytest.approx(figure.t1)
    plot = window.panels["plots"].active
    assert plot.shaded.getRegion() == pytest.approx((1e3 * figure.t1, 1e3 * figure.t2))
    drawn = plot.curves[0]
    assert drawn.wanted.name in measured(figure.channels[0], record.trajectory.channel_names)


@pytest.mark.own_window
def test_figures_that_nobody_knows_yet_are_worked_out_in_a_thread(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = solved(window, qtbot)
    panel = window.panels["injury"]
    listed = rows(window)
    threads: list[threading.Thread] = []

    def noted(*given: Any) -> Any:
        threads.append(threading.current_thread())
        return assess(*given)

    monkeypatch.setattr("app.run_view.record.assess", noted)
    record.solving.assessment = record._assessed = panel._shown = None
    panel.tree.clear()
    panel._on_run()
    qtbot.waitUntil(lambda: rows(window) == listed, timeout=20_000)
    assert threads
    assert threading.main_thread() not in threads
    # what ended early says so before all else
    assert "until then" not in panel.whom.toolTip()
    with monkeypatch.context() as patch:
        patch.setattr(type(record), "status", property(lambda _: "cancelled"))
        panel._list(record.assess(), None, None)
    ms = 1e3 * record.trajectory.time[-1]
    assert panel.whom.toolTip().startswith(f"Run 1 is cancelled, at {ms:.0f} ms: figures are of")
    # what nobody sees lists nothing, and asks for nothing
    window.panels.open("plots")
    qtbot.waitUntil(lambda: not panel.isVisible(), timeout=20_000)
    panel._list = lambda *_: pytest.fail("listed unseen")
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")


def test_a_changed_model_stands_beside_the_run_before(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    assert rows(window)
    assert window.panels["injury"].tree.isColumnHidden(2)
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    assert not window.panels["injury"].tree.isColumnHidden(2)
    assert window.panels["injury"].tree.headerItem().text(2) == "Run 1"
    assert "%)" in rows(window)[0][2]


@pytest.mark.parametrize("assumed", [False, True])
def test_an_assumed_limit_has_a_star_and_a_note(window: Any, qtbot: Any, assumed: bool) -> None:
    record = solved(window, qtbot)
    found = record.assess()
    limit = Limit("HIC15", 570.0, "a child", (), "a standard", unchecked=assumed)
    first, *others = (replace(figure, limits=()) for figure in found.figures)
    figures = [replace(first, limits=(limit,)), *others]
    window.panels["injury"]._shown = (record, None, False)
    window.panels["injury"]._list(replace(found, figures=figures), None, None)
    tree, notes = window.panels["injury"].tree, window.panels["injury"].notes.text()
    items = [tree.topLevelItem(i) for i in range(tree.topLevelItemCount())]
    (item,) = [one for one in items if one.text(3)[:1].isdigit()]
    assert item.text(5) == "a standard"
    assert item.text(3).startswith("570*" if assumed else "570")
    assert ("*" in item.text(3)) == ("Assumed" in notes) == assumed
    assert ("assumed" in item.toolTip(0)) == assumed


@pytest.mark.own_window
def test_the_table_alone_scrolls_and_what_has_no_room_stands_in_the_tip(
    window: Any, qtbot: Any
) -> None:
    """A second bar beside that of the table would move the headings away."""
    solved(window, qtbot)
    panel = window.panels["injury"]
    window.resize(1024, 700)
    window.panels.open("injury")
    qtbot.waitUntil(panel.isVisible, timeout=20_000)
    place = panel.parentWidget()
    qtbot.waitUntil(lambda: 0 < panel.height() <= place.height(), timeout=20_000)
    panel._said = ["a long sentence " * 20]
    panel._fit()
    assert panel.whom.text().endswith("…")
    assert panel.whom.toolTip()


def test_a_standard_is_chosen_and_the_panel_says_whom_it_judges(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    panel = window.panels["injury"]
    (body,) = record.assess().bodies
    # a panel that nobody sees is filled once it is seen
    window.panels.open("injury")
    qtbot.waitUntil(lambda: panel.whom.text() == str(body.said), timeout=20_000)
    # what fits neither body nor push says why where the limit's source would stand
    refused = [row for row in rows(window) if row[3] == "no verdict"]
    assert refused
    assert all("limit" in row[5] or "risk" in row[5] for row in refused)
    panel.standard.setCurrentIndex(panel.standard.findData("un_r95"))
    assert window.bench.run_view.judges.standards == ("un_r95",)
    assert not any(row[3][:1].isdigit() for row in rows(window))
    assert "UN R95: no limit for these bodies and pushes" in panel.whom.toolTip()
    panel.standard.setCurrentIndex(0)
    assert window.bench.run_view.judges.standards == ()


def test_before_any_run_the_panel_says_what_to_do(window: Any) -> None:
    assert "F5" in window.panels["injury"].hint.text()


def test_while_a_run_goes_on_the_panel_says_when_figures_come(window: Any, qtbot: Any) -> None:
    window.open_file(samples() / "rear_impact.json")
    QTest.mouseClick(window.panels["run_control"].run, Qt.MouseButton.LeftButton)
    runs = window.bench.run_view.runs
    qtbot.waitUntil(lambda: runs.running() is not None and runs.current is runs.running(), timeout=240_000)  # fmt: skip
    window.panels.open("injury")
    assert "once it has ended" in window.panels["injury"].hint.text()
    runs.running().solving.cancel()
    qtbot.waitUntil(lambda: runs.running() is None, timeout=240_000)
    assert "once it has ended" not in window.panels["injury"].hint.text()


def test_changes_are_written_with_their_sign() -> None:
    class One:
        def __init__(self, value: float, unit: str = "1") -> None:
            self.value, self.unit = value, unit

    assert _change(One(110.0), One(100.0)) == "100  (+10.0 %)"  # type: ignore[arg-type]
    # as people say it: deflections in mm
    assert _change(One(0.03, "m"), One(0.02, "m")) == "20  (+50.0 %)"  # type: ignore[arg-type]
    assert _change(One(1.0), One(0.0)) == "0"  # type: ignore[arg-type]
    assert _change(One(1.0), None) == ""  # type: ignore[arg-type]


def test_channels_of_a_figure_are_found() -> None:
    names = {"head_x", "head_y", "head_z"}
    assert measured("head_x, _y, _z", names) == ["head_x", "head_y", "head_z"]
    assert measured("head_x, _y, _z", names | {"head_resultant"}) == ["head_resultant"]
    assert measured("neck", {"neck"}) == ["neck"]


@pytest.mark.parametrize(
    ("name", "criterion", "body", "said"),
    [
        ("HIC15", "HIC15", "", "HIC15: Title"),
        ("HIC", "HIC36", "", "HIC36: Title"),
        ("head.HIC", "HIC", "", "HIC: Title"),
        ("driver.HIC15", "HIC15", "driver", "HIC15, Driver: Title"),
        ("seat_DRI", "DRI", "", "DRI, seat: Title"),
        ("head_3ms", "3ms", "", "Head: Title"),
        ("tibia_index_upper_left", "tibia_index", "", "Title, upper left"),
        ("neck_tension", "neck_tension", "", "Title"),
    ],
)
def test_figures_are_named_in_words(name: str, criterion: str, body: str, said: str) -> None:
    figure = Figure(name, criterion, "Title", 1.0, "1", 0.0, 0.1, (), (1000,), body, "head")
    assert figure_text(figure) == said


def test_channels_are_named_after_segments_and_joints() -> None:
    project = validated(seated())
    said = channels_text(project, ("head.acceleration_x, _y, _z", "head.angular_velocity_x"))
    assert said == "Head: acceleration, angular velocity"
    assert channels_text(project, ("neck_top.force_x, _y, _z",)) == "Neck top: force"
    at = "head.acceleration_at_neck_top_x, _y, _z"
    assert channels_text(project, (at, "pedal")) == "Head: acceleration at neck top; pedal"
