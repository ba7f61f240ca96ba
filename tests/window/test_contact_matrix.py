"""The matrix of contacts, with a real mouse: allow, forbid, laws, all of a body, filter."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.editing.examples import patterns, with_pattern
from solver.base.places import samples
from solver.bodies.library.inserting import pair_of
from solver.project import load_project
from solver.project.checks import check
from solver.project.contact import PlaneContact
from tests.window.waiting import offered

pytestmark = [pytest.mark.window, pytest.mark.one_window]


@pytest.fixture
def matrix(window: Any, qtbot: Any) -> Any:
    window.open_file(samples() / "sled.json")
    first = next(c for c in window.bench.document.project.contacts if isinstance(c, PlaneContact))
    window.bench.document.select(f"contacts/{first.id}")
    window.panels.docks.set_below_height(500)
    QApplication.processEvents()
    found = window.panels["editor"].current
    qtbot.waitUntil(lambda: not found._missing.is_busy, timeout=20_000)
    return found


def test_what_is_missing_is_added_by_one_click(window: Any, matrix: Any, qtbot: Any) -> None:
    """The sled's floor is that of the library, which bears the whole body: one pair by its cell, then all by the button."""
    document, model = window.bench.document, matrix.model
    before = document.project
    index = at(matrix, "Head", "Floor")
    assert model.data(index, Qt.ItemDataRole.DisplayRole) == "+"
    assert "of the library presses on" in model.data(index, Qt.ItemDataRole.ToolTipRole)
    assert matrix.missing.text() == "Add 12 missing contacts…"
    click(matrix, index)
    (new,) = set(document.project.contacts) - set(before.contacts)
    assert (new.surface.segment, new.plane, new.law) == ("head", "floor", "limbs_on_vehicle")
    qtbot.waitUntil(lambda: matrix.missing.text() == "Add 11 missing contacts…", timeout=20_000)
    QTest.mouseClick(matrix.missing, Qt.MouseButton.LeftButton)
    sheet = matrix.sheet
    assert sheet.tree.topLevelItemCount() == 11
    assert len(document.project.contacts) == len(before.contacts) + 1, "one looks first"
    last = sheet.tree.topLevelItem(10)
    assert (last.text(1), last.text(2)) == ("Floor", model.law_names["limbs_on_vehicle"])
    assert "of the library presses on" in last.text(3)
    assert sheet.why.text() == str(sheet.found[0].why), "the first is the current one"
    sheet.tree.setCurrentItem(last)
    assert sheet.why.text() == last.text(3)
    header, metrics = sheet.tree.header(), sheet.tree.fontMetrics()
    for column in range(3):
        words = max((sheet.tree.topLevelItem(n).text(column) for n in range(11)), key=len)
        assert header.sectionSize(column) > metrics.horizontalAdvance(words) + 8, words
    assert model.suggestion(matrix.table.currentIndex()) is sheet.found[10]
    left = sheet.found[10].pair
    last.setCheckState(0, Qt.CheckState.Unchecked)
    assert sheet.add.text() == "Add 10 contacts"
    QTest.mouseClick(sheet.add, Qt.MouseButton.LeftButton)
    assert len(document.project.contacts) == len(before.contacts) + 11
    qtbot.waitUntil(lambda: matrix.missing.text() == "Add 1 missing contact…", timeout=20_000)
    QTest.mouseClick(matrix.missing, Qt.MouseButton.LeftButton)
    assert [one.pair for one in matrix.sheet.found] == [left]
    window.menus.run("edit.undo")
    qtbot.waitUntil(lambda: matrix.sheet is None, timeout=20_000)
    assert len(document.project.contacts) == len(before.contacts) + 1, (
        "what was listed for another model is let go"
    )
    window.menus.run("edit.undo")
    assert document.project == before


def at(matrix: Any, row: str, column: str) -> Any:
    model = matrix.model
    i = next(i for i, h in enumerate(model.rows) if h.name == row)
    k = next(k for k, h in enumerate(model.columns) if h.name == column)
    return model.index(i, k)


def click(matrix: Any, index: Any, keys: Any = Qt.KeyboardModifier.NoModifier) -> None:
    matrix.table.scrollTo(index)
    spot = matrix.table.visualRect(index).center()
    QTest.mouseClick(matrix.table.viewport(), Qt.MouseButton.LeftButton, keys, spot)


def free(matrix: Any) -> Any:
    model = matrix.model
    return next(
        model.index(i, k)
        for i in range(model.rowCount())
        for k in range(model.columnCount())
        if not model.contacts(model.index(i, k))
        and "may not touch" in model.data(model.index(i, k), Qt.ItemDataRole.ToolTipRole)
    )


def test_the_selected_contact_is_the_current_cell(window: Any, matrix: Any) -> None:
    project = window.bench.document.project
    first = next(c for c in project.contacts if isinstance(c, PlaneContact))
    cell = matrix.model.cell(matrix.table.currentIndex())
    assert (cell.surface, cell.other) == (first.surface, first.plane)
    assert matrix.law.currentData() == first.law
    count = sum(
        len(matrix.model.contacts(matrix.model.index(i, k)))
        for i in range(matrix.model.rowCount())
        for k in range(matrix.model.columnCount())
    )
    assert count == sum(isinstance(c, PlaneContact) for c in project.contacts)


def test_a_click_allows_and_another_forbids(window: Any, matrix: Any) -> None:
    index = free(matrix)
    before = len(window.bench.document.project.contacts)
    matrix.law.show_data("limbs_on_vehicle")
    click(matrix, index)
    made = window.bench.document.project.contacts[-1]
    assert len(window.bench.document.project.contacts) == before + 1
    assert made.law == "limbs_on_vehicle"
    assert matrix.model.data(index) == str(matrix.model.number("limbs_on_vehicle"))
    # another law, then none
    matrix.law.show_data("limb_on_body")
    click(matrix, index)
    assert window.bench.document.project.contacts[-1].law == "limb_on_body"
    click(matrix, index)
    assert len(window.bench.document.project.contacts) == before
    for _ in range(3):
        window.bench.document.undo()
    assert len(window.bench.document.project.contacts) == before
    assert not window.bench.document.history.canUndo()


def test_all_of_the_body_against_a_plane_is_one_step(window: Any, matrix: Any) -> None:
    index = free(matrix)
    group = matrix.model.rows[index.row()].group
    before = len(window.bench.document.project.contacts)
    actions = {a.text(): a for a in matrix.menu(index).actions()}
    found = next(a for text, a in actions.items() if text.startswith("Let all of"))
    found.trigger()
    members = [h for h in matrix.model.rows if h.group == group]
    column = matrix.model.columns[index.column()].side
    touching = {
        c.surface.segment
        for c in window.bench.document.project.contacts
        if isinstance(c, PlaneContact) and c.plane == column
    }
    assert {h.side.segment for h in members} <= touching
    assert len(window.bench.document.project.contacts) > before + 1
    ids = [c.id for c in window.bench.document.project.contacts]
    assert len(ids) == len(set(ids))
    assert not [p for p in check(window.bench.document.project) if p.severity == "error"]
    window.bench.document.undo()
    assert len(window.bench.document.project.contacts) == before


def test_several_cells_by_keys(window: Any, matrix: Any) -> None:
    index = free(matrix)
    matrix.table.clearSelection()
    other = matrix.model.index((index.row() + 1) % matrix.model.rowCount(), index.column())
    matrix.table.selectionModel().select(index, matrix.table.selectionModel().SelectionFlag.Select)
    matrix.table.selectionModel().select(other, matrix.table.selectionModel().SelectionFlag.Select)
    QTest.keyClick(matrix.table, Qt.Key.Key_Space)
    assert matrix.model.contacts(index)
    assert matrix.model.contacts(other)
    QTest.keyClick(matrix.table, Qt.Key.Key_Delete)
    assert not matrix.model.contacts(index)
    assert not matrix.model.contacts(other)


@pytest.mark.own_window
def test_pairs_of_surfaces_stand_in_both_orders(window: Any, matrix: Any) -> None:
    matrix.against.show_data("surfaces")
    matrix.refresh()
    model = matrix.model
    assert len(model.columns) == len(model.rows)
    for i in range(model.rowCount()):
        for k in range(model.columnCount()):
            one, other = model.contacts(model.index(i, k)), model.contacts(model.index(k, i))
            assert [c.id for c in one] == [c.id for c in other]
    before = window.bench.document.project
    click(matrix, model.index(0, 0))
    assert window.bench.document.project is before
    assert "itself" in matrix.bar.hint.text()


def test_a_filter_leaves_what_has_the_name(window: Any, matrix: Any) -> None:
    QTest.keyClicks(matrix.search, "floor")
    assert [h.name for h in matrix.model.columns] == ["Floor"]
    assert len(matrix.model.rows) > 5
    matrix.search.clear()
    QTest.keyClicks(matrix.search, "head")
    assert all("head" in h.name.lower() for h in matrix.model.rows)
    matrix.search.clear()
    QTest.keyClicks(matrix.search, "zzz")
    assert "Nothing" in matrix.bar.hint.text()


@pytest.mark.parametrize("name", ["lap_belt", "fall"])
def test_the_pattern_of_a_sample_gives_it_its_own_contacts_back(name: str) -> None:
    """Take all contacts away, and lay the sample's own pattern on what is left: who touched what by which law touches it again."""
    whole = load_project(samples() / f"{name}.json")
    bare = whole.model_copy(update={"contacts": ()})
    own = next(one for one in patterns(bare) if one.key == name)
    made = with_pattern(bare, own.what)
    again, before = ({pair_of(c): c.law for c in p.contacts} for p in (made, whole))
    assert again == before
    assert made.contact_laws == whole.contact_laws, "its laws are there"
    assert [one for one in check(made) if one.severity == "error"] == []


def test_a_pattern_of_a_sample_is_looked_at_and_taken_with_its_laws(
    window: Any, matrix: Any
) -> None:
    document, model = window.bench.document, matrix.model
    before, missing = document.project, model.missing
    actions = offered(matrix.examples)
    assert actions[0].toolTip().split()[0].isdigit()
    actions[0].hover()
    pattern = matrix.examples.seen.what
    assert model.missing == pattern.contacts
    assert document.project is before
    matrix.examples.menu().aboutToHide.emit()
    assert model.missing is missing
    actions[0].trigger()
    made = document.project
    assert len(made.contacts) == len(before.contacts) + len(pattern.contacts)
    assert {one.law for one in made.contacts} <= {law.id for law in made.contact_laws}
    assert [one for one in check(made) if one.severity == "error"] == []
    document.undo()
    assert document.project == before
