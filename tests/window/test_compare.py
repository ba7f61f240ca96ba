"""Set two runs beside each other: table of differences, scene, curves, report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from app import texts
from app.comparing.fields import changed_by, differing
from app.forms.units import Units
from app.run_view.record import RunRecord
from solver.base.places import samples
from solver.base.words import Sentence
from solver.injury import Limit
from solver.project import load_project
from solver.project.changes import with_value
from tests.window.solving import CATCH, solved

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def two_runs(window: Any, qtbot: Any) -> tuple[Any, Any]:
    first = solved(window, qtbot)
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    return first, window.bench.run_view.runs.current


def choose_both(window: Any) -> None:
    """Click one run in the list, and the other with Ctrl."""
    window.panels.open("runs")
    tree = window.panels["runs"].tree
    keys = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier)
    for n, key in enumerate(keys):
        at = tree.visualItemRect(tree.topLevelItem(n)).center()
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, key, at)


def compared(window: Any, qtbot: Any) -> dict[str, list[list[str]]]:
    """Wait for the table, and give its rows by section."""
    panel = window.panels["compare"]
    qtbot.waitUntil(lambda: panel.tree.topLevelItemCount() == 3, timeout=20_000)
    out = {}
    for n in range(3):
        top = panel.tree.topLevelItem(n)
        items = [top.child(k) for k in range(top.childCount())]
        columns = range(panel.tree.columnCount())
        out[top.text(0)] = [[item.text(c) for c in columns] for item in items]
    return out


def test_the_table_follows_the_standard_that_is_chosen(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = two_runs(window, qtbot)
    limit = Limit("HIC15", 570.0, "a child", (), "a source", standard="fmvss_208")
    found = records[0].assess()
    first, *others = (replace(figure, limits=()) for figure in found.figures)
    judged = replace(found, figures=(replace(first, limits=(limit,)), *others))
    monkeypatch.setattr(RunRecord, "assess", lambda _: judged)
    window.panels.open("compare")
    window.bench.run_view.compare(records)
    panel = window.panels["compare"]
    compared(window, qtbot)

    def shares() -> list[float | None]:
        found = panel.comparison
        return [cell.share for line in found.figures for cell in line.cells]

    assert any(share is not None for share in shares())
    window.bench.run_view.judges.choose(("un_r95",))
    compared(window, qtbot)
    assert not any(share is not None for share in shares())
    assert "Limits of UN R95 alone" in panel.heading.text()
    window.bench.run_view.judges.choose(())
    compared(window, qtbot)
    assert any(share is not None for share in shares())
    assert "Limits of" not in panel.heading.text()


def test_what_has_no_verdict_does_not_look_like_what_is_within_its_limit(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside one run beyond its limit, a worse one of a body without limits is pale and says why."""
    first, second = two_runs(window, qtbot)
    limit = Limit("HIC15", 1.0, "a child", (), "a source", standard="fmvss_208")
    found = first.assess()
    beyond = replace(found.figures[0], limits=(limit,))
    unlimited = replace(beyond, limits=(), why_not=Sentence("its limits are for others"))
    known = {id(first): beyond, id(second): unlimited}
    monkeypatch.setattr(
        RunRecord, "assess", lambda record: replace(found, figures=(known[id(record)],))
    )
    window.panels.open("compare")
    window.bench.run_view.compare((first, second))
    compared(window, qtbot)
    panel = window.panels["compare"]
    row = panel.tree.topLevelItem(0).child(0)
    assert row.foreground(1).color().name() == panel._theme.error
    assert row.foreground(2).color().name() == panel._theme.muted
    assert "its limits are for others" in row.toolTip(2)


def test_two_chosen_runs_are_compared(window: Any, qtbot: Any) -> None:
    first, second = two_runs(window, qtbot)
    assert (
        not window.menus.entries["run.compare"].isEnabled() or window.bench.run_view.compared == ()
    )
    choose_both(window)
    assert window.panels["runs"].chosen() == [first, second]
    QTest.mouseClick(window.panels["runs"].compare, Qt.MouseButton.LeftButton)
    run_view = window.bench.run_view
    assert (run_view.ghost, run_view.runs.current) == (first, second)
    assert run_view.playback.beside is not None, "the scene shows both"
    assert window.panels.front().widget is window.panels["compare"]
    found = compared(window, qtbot)
    mass = found["What differs in the models"]
    assert [row[0] for row in mass] == ["Head and chest › Mass"]
    assert mass[0][1].endswith(" kg")
    assert (mass[0][2], mass[0][3][-1]) == ("3 kg", "%")
    figures = {row[0].split(":")[0]: row for row in found["Injury figures"]}
    old = {f.name: f for f in first.assess().figures}["HIC"].value
    new = {f.name: f for f in second.assess().figures}["HIC"].value
    assert old != new
    assert figures["HIC15"][1:] == [f"{old:.4g}", f"{new:.4g}", changed_by(old, new)]
    peaks = found["Peaks"]
    assert any("ms" in row[1] for row in peaks)
    window.panels.open("plots")
    plot = window.panels["plots"].plots[0]
    qtbot.waitUntil(lambda: bool(plot.curves), timeout=60_000)
    assert len(plot._lines) == 2 * len(plot.curves) > 0


def test_a_click_leads_to_the_field_the_window_and_the_curve(window: Any, qtbot: Any) -> None:
    two_runs(window, qtbot)
    window.menus.entries["run.compare"].trigger()
    compared(window, qtbot)
    tree = window.panels["compare"].tree

    def click(section: int) -> None:
        window.panels.open("compare")
        item = tree.topLevelItem(section).child(0)
        tree.scrollToItem(item)
        at = tree.visualItemRect(item).center()
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=at)

    click(0)
    figure = window.panels["compare"].comparison.figures[0].figure
    assert window.bench.run_view.player.time == pytest.approx(figure.t1)
    click(1)
    assert window.bench.document.selection == "segments/head"
    click(2)
    assert window.panels.front().widget is window.panels["plots"]
    quantity = window.panels["compare"].comparison.peaks[0].quantity
    assert quantity in [
        w.name
        for w in window.panels["plots"].wanted[
            window.panels["plots"].plots.index(window.panels["plots"].active)
        ]
    ]


def test_a_table_without_rows_gives_way_to_the_next_project(window: Any, qtbot: Any) -> None:
    window.open_file(CATCH)
    window.panels.open("compare")
    window.open_file(CATCH)
    assert window.panels.front().name == "problems"
    # what a person looks at in every project stays
    window.panels.open("injury")
    window.open_file(CATCH)
    assert window.panels.front().name == "problems"
    window.menus.run("run.study")
    assert window.panels.front().name == "injury"


def test_the_comparison_can_be_turned_copied_and_ended(window: Any, qtbot: Any) -> None:
    first, second = two_runs(window, qtbot)
    window.panels["compare"].compare_last()
    compared(window, qtbot)
    QTest.mouseClick(window.panels["compare"].copy, Qt.MouseButton.LeftButton)
    text = QApplication.clipboard().text()
    assert text.splitlines()[0] == "\t".join(["What", "Run 1", "Run 2", "Change"])
    assert "Head and chest › Mass" in text
    QTest.mouseClick(window.panels["compare"].swap, Qt.MouseButton.LeftButton)
    assert window.bench.run_view.compared == (second, first)
    found = compared(window, qtbot)
    assert found["What differs in the models"][0][1] == "3 kg"
    window.bench.run_view.runs.remove(first)
    assert window.bench.run_view.compared == ()
    assert window.bench.run_view.ghost is None
    assert not window.panels["compare"].tree.isVisible()


def test_a_report_of_both_takes_one_click(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_runs(window, qtbot)
    choose_both(window)
    file = tmp_path / "both.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(file), ""))
    QTest.mouseClick(window.panels["runs"].report, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(file.exists, timeout=240_000)
    assert "Run 1" in file.read_text()
    assert "Run 2" in file.read_text()


def test_a_movie_holds_both_faintly_or_side_by_side(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    first, _ = two_runs(window, qtbot)
    window.panels["compare"].compare_last()
    pictures = []
    for way in ("faintly in the same scene", "side by side", ""):
        dialog = window.features["movie"].film()
        assert dialog.other.currentData() is first, "what is compared is offered"
        if way:
            dialog.way.setCurrentText(way)
        else:
            dialog.other.setCurrentIndex(0)
        dialog.start.setValue(100.0)
        dialog.end.setValue(101.0)
        dialog.size_.setCurrentIndex(2)
        with qtbot.waitSignal(dialog.written, timeout=240_000):
            dialog.write(tmp_path / f"{len(pictures)}.gif")
        with Image.open(tmp_path / f"{len(pictures)}.gif") as image:
            pictures.append(np.asarray(image.convert("RGB")).astype(int))
    over, beside, alone = pictures
    assert over.shape == beside.shape == alone.shape == (540, 960, 3)
    for a, b in ((over, alone), (beside, alone), (over, beside)):
        assert np.mean(np.abs(a - b).max(axis=2) > 12) > 0.005, "faintly is faint"


def test_every_kind_of_difference_is_said_in_words() -> None:
    before = load_project(samples() / "sled.json")
    after = before
    for path, value in (
        ("gravity_m_per_s2", (0.0, 0.0, 9.0)),
        ("runs/sled/duration_s", 0.3),
        ("runs/sled/body_sensors", not before.runs[0].body_sensors),
        ("runs/sled/integrator/relative_tolerance", 1.00001e-4),
        ("functions/segment_stiffness/form/y", tuple(2.0 * y for y in before.functions[0].form.y)),
    ):
        after = with_value(after, path, value)
    found = {one.path: one for one in differing(before, after, Units("metric"))}
    assert found["runs/sled/duration_s"].where.endswith(" › Duration")
    assert found["runs/sled/duration_s"].after.endswith(" ms")
    assert {found["runs/sled/body_sensors"].before, found["runs/sled/body_sensors"].after} == {
        "yes",
        "no",
    }
    tolerance = found["runs/sled/integrator/relative_tolerance"]
    assert tolerance.before != tolerance.after, "what differs is seen to differ"
    assert found["gravity_m_per_s2"].after.startswith("0, 0, ")
    course = found["functions/segment_stiffness/form/y"]
    assert course.change.startswith("at most +")
    # of several numbers the farthest is told, also where it falls
    moved = with_value(before, "gravity_m_per_s2", (0.5, 0.0, before.gravity_m_per_s2[2] - 4.0))
    (one,) = differing(before, moved, Units("si"))
    assert one.change.startswith("at most -4 ")


def test_percentages_are_left_out_where_they_say_nothing() -> None:
    assert changed_by(2.0, 2.0) == texts.words.SAME
    assert changed_by(0.0, 2.0) == ""
    assert changed_by(-1.0, 2.0) == ""
    assert changed_by(-2.0, -3.0) == "+50.0 %"
    assert changed_by(1000.0, 999.9) == changed_by(1000.0, 1000.1) == "< 0.1 %", (
        "nothing has no sign"
    )
    assert changed_by(1000.0, 999.0) == "-0.1 %"
