"""The window stays quick by what it does not do again: counts, no times."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from app.features.outline.panel import _reads_alike, _rows
from app.features.plots.sheets import PlotRow
from app.forms.lines import NumberLine
from app.forms.units import Units
from app.shell.window import MainWindow
from solver.base.places import samples
from solver.injury import parts
from solver.project import LISTS, load_project
from solver.project.changes import with_value
from solver.project.contact import PlaneContact
from solver.project.geometry import SurfaceRef
from solver.project.names import called, name_of
from solver.scene import shapes, webbing
from solver.scene.people import build, skin
from solver.scene.people.skin import tears_of
from solver.scene.placing import pose_at_start
from tests.window.waiting import until
from tools.display import open_display


@pytest.mark.window
def test_time_that_stops_is_seen_with_all_pixels_in_one_picture(lasting_window: Any) -> None:
    view = opened(lasting_window).bench.viewport
    screen = view.picture
    screen.coarseness = 2.0
    view.flow(True)
    for _ in range(2):
        view._refresh_quickly()
        view.repaint()
        screen.coarseness = 2.0
    assert not screen.is_whole
    before = screen.drawn
    view.flow(False)
    view.repaint()
    assert screen.is_whole
    assert screen.drawn == before + 1, "no coarse picture between"


@pytest.mark.window
def test_a_scene_that_the_hand_lets_go_is_seen_with_all_pixels(lasting_window: Any) -> None:
    view = opened(lasting_window).bench.viewport
    screen = view.picture
    start = view.rect().center()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    screen.coarseness = 2.0
    QTest.mouseMove(view, (QPointF(start) + QPointF(40.0, 10.0)).toPoint())
    view.repaint()
    assert not screen.is_whole, "while it is turned fewer pixels are drawn"
    before = screen.drawn
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start)
    view.repaint()
    assert screen.is_whole
    assert screen.drawn == before + 1


@pytest.mark.window
def test_a_new_list_of_elements_comes_into_the_outline_at_once(lasting_window: Any) -> None:
    window = opened(lasting_window)
    outline, told = window.panels["outline"], list[str]()
    model = outline.tree.model()
    model.rowsInserted.connect(lambda *_: told.append("rows"))
    model.dataChanged.connect(lambda *_: told.append("words"))
    outline.show_project(window.bench.document.project)
    assert len(outline.visible_paths()) > 100
    assert told.count("rows") <= 1
    assert told.count("words") == 0, "each would be looked at by the tree"
    assert outline.tree.topLevelItem(0).text(0) == window.bench.document.project.title
    group = outline.item("segments/driver_head").parent()
    assert group is not None


@pytest.mark.window
def test_another_project_finds_the_plot_that_is_there(
    lasting_window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(lasting_window)
    panel = window.panels["plots"]
    panel.row.start_over()
    panel.row.active_or_new()
    (plot,) = panel.row.plots
    plot.wanted = [object()]
    laid: list[object] = []
    monkeypatch.setattr(PlotRow, "_lay", lambda self: laid.append(self))
    opened(window)
    assert panel.row.plots == [plot]
    assert panel.row.active is plot
    assert plot.wanted == []
    assert not laid


@pytest.mark.window
def test_a_number_that_has_room_is_written_once(
    qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = NumberLine(lambda *_: True, Units("metric"), "m")
    qtbot.addWidget(line)
    line.resize(200, 24)
    written: list[int] = []
    short = Units.short

    def noted(self: Units, value: float, unit: str, count: int = 4) -> str:
        written.append(count)
        return short(self, value, unit, count)

    monkeypatch.setattr(Units, "short", noted)
    line.show_value(0.123456)
    assert written == [4]
    line.resize(64, 24)
    line.show_value(0.123456)
    assert written[1:3] == [4, 3], "fewer digits only where there is no room"


def test_another_mass_lets_nothing_be_found_out_anew() -> None:
    one = load_project(samples() / "frontal.json")
    found, pose = build.people(one), pose_at_start(one)
    shapes.shapes(one, pose)
    tears = [tears_of(skin.skin_of(person.figure)) for person in found]
    makers = (parts._part, build._is_whole, webbing.lain_on, tears_of)
    before = [make.cache_info().misses for make in makers]
    other = with_value(one, "segments/driver_head/mass_kg", 4.321)
    again = build.people(other)
    assert again == found
    shapes.shapes(other, pose)
    assert [tears_of(skin.skin_of(person.figure)) for person in again] == tears
    assert [make.cache_info().misses for make in makers] == before
    assert len(tears) > 0
    renamed = with_value(one, "segments/driver_head/name", "Skull")
    contact = next(
        c
        for c in one.contacts
        if isinstance(c, PlaneContact) and c.surface.segment == "driver_head"
    )
    bare = contact.model_copy(update={"name": ""})
    assert called(one, bare) == called(other, bare)
    assert called(renamed, bare).startswith("Skull")
    many = next(s for s in reversed(one.segments) if len(s.surfaces) > 1)
    on = SurfaceRef(segment=many.id, surface=many.surfaces[-1].id)
    words = called(one, bare.model_copy(update={"surface": on}))
    assert f"› {name_of(many.surfaces[-1])} " in words
    assert build.people(renamed) == found


def test_a_display_that_does_not_start_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = tmp_path / "Xvfb"
    server.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    server.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    before = os.environ.get("DISPLAY")
    with pytest.raises(OSError, match="ended with 3"):
        open_display(always=True)
    assert os.environ.get("DISPLAY") == before


def opened(window: MainWindow) -> MainWindow:
    """Show the default sample in a window."""
    window.bench.document.history.setClean()
    window.open_file(samples() / "frontal.json")
    view = window.bench.viewport
    until(view.updatesEnabled)
    view.repaint()
    assert isinstance(view.grab().toImage(), QImage)
    return window


def test_what_is_listed_alike_has_the_same_rows() -> None:
    project = load_project(samples() / "frontal.json")
    spared = 0
    for name in LISTS:
        items = getattr(project, name)
        for change in ({"name": "Another"}, {"group": "Elsewhere"}, {"note": "Another"}, {"mass_kg": 3.3}):  # fmt: skip
            if items and set(change) <= set(type(items[0]).model_fields):
                other = project.model_copy(
                    update={name: (items[0].model_copy(update=change), *items[1:])}
                )
                alike = _reads_alike(project, other)
                spared += alike
                assert not alike or _rows(project) == _rows(other), (name, change)
    assert spared > 4
    assert not _reads_alike(project, project.model_copy(update={"contacts": project.contacts[1:]}))
