"""Several elements at once: what differs is shown as mixed, and what is set is set in all."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app import texts
from app.document import Document
from app.editing.copying import duplicated
from app.features.editors.element_table import ElementTable
from app.features.inspector.panel import Inspector
from app.forms.form_commands import FormCommands
from app.forms.units import Units
from solver.project import Project
from solver.project.changes import value_at
from tests.window.test_inspector import line, write

LEFT = Qt.MouseButton.LeftButton
LIMBS = ["segments/thigh_r", "segments/shank_r", "segments/thigh_l"]
MASS = "segments/thigh_l/mass_kg"
HEAD_FIRST = ["joints/waist", "joints/neck_top"]


def values(document: Document, paths: list[str], field: str) -> list[Any]:
    return [value_at(document.project, f"{path}/{field}") for path in paths]


def test_numbers_that_differ_are_a_dash_and_one_number_is_set_in_all(
    document: Document, inspector: Inspector
) -> None:
    before = document.project
    document.select_all(LIMBS)
    mass = line(inspector, MASS)
    assert (mass.text(), mass.placeholderText()) == ("", texts.words.MIXED)
    assert "all 3 segments" in inspector.note.text()
    mass.setFocus()
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Return):
        QTest.keyClick(mass, key)
    assert document.project is before
    write(inspector, MASS, "5 kg")
    assert values(document, LIMBS, "mass_kg") == [5.0, 5.0, 5.0]
    assert (mass.text(), mass.placeholderText()) == ("5 kg", "")
    assert document.history.undoText() == "Change mass of 3 segments"
    assert document.history.count() == 1
    document.undo()
    assert document.project == before
    assert (mass.text(), mass.placeholderText()) == ("", texts.words.MIXED)


def test_what_is_the_same_is_shown_and_steps_all(document: Document, inspector: Inspector) -> None:
    both = ["segments/thigh_r", "segments/thigh_l"]
    document.select_all(both)
    mass = line(inspector, MASS)
    assert mass.text() == "9 kg"
    mass.setFocus()
    QTest.keyClick(mass, Qt.Key.Key_Up)
    first, second = values(document, both, "mass_kg")
    assert first == second > 9.0


def test_each_part_of_a_vector_is_mixed_by_itself(document: Document, inspector: Inspector) -> None:
    document.select_all(["joints/neck_base", "joints/neck_top"])
    inspector.form.sections["joints/neck_top/parent_frame"].open()
    where = "joints/neck_top/parent_frame/position_m"
    x, _, z = line(inspector, where).lines
    assert (x.text(), z.text(), z.placeholderText()) == ("0", "", texts.words.MIXED)
    write(inspector, where, "-100 mm", part=2)
    found = values(document, list(document.chosen), "parent_frame/position_m")
    assert found == [(0.0, 0.0, -0.1)] * 2
    assert z.text() == "-100"


def test_choices_switches_and_references_that_differ(
    document: Document, inspector: Inspector
) -> None:
    done = duplicated(document.project, ["contacts/pelvis_seat"])
    document.replace(done.project, "again")
    other, first = done.paths[0], "contacts/pelvis_seat"
    for field, value in (("edge", "sharp"), ("holds_when_behind", True), ("law", "webbing")):
        assert not document.edit(f"{first}/{field}", value, "differ")
    document.select_all([first, other])
    edge, flag = line(inspector, f"{other}/edge"), line(inspector, f"{other}/holds_when_behind")
    law, plane = line(inspector, f"{other}/law"), line(inspector, f"{other}/plane")
    assert (edge.currentIndex(), edge.placeholderText()) == (-1, texts.words.MIXED)
    assert flag.checkState() == Qt.CheckState.PartiallyChecked
    assert flag.text() == texts.words.MIXED
    finder = law.finder.lineEdit()
    assert (finder.text(), finder.placeholderText()) == ("", texts.words.MIXED)
    assert not law.leads.isEnabled()
    assert plane.finder.currentText() == "Seat cushion"
    steps = document.history.count()
    QTest.mouseClick(flag, LEFT, pos=QPoint(8, flag.height() // 2))
    assert values(document, [first, other], "holds_when_behind") == [True, True]
    assert flag.checkState() == Qt.CheckState.Checked
    edge.setFocus()
    QTest.keyClick(edge, Qt.Key.Key_Down)
    one, two = values(document, [first, other], "edge")
    assert one == two == edge.currentData()
    law.finder.setFocus()
    law.finder.lineEdit().selectAll()
    QTest.keyClicks(law.finder.lineEdit(), "seat f")
    QTest.keyClick(law.finder.lineEdit(), Qt.Key.Key_Return)
    assert values(document, [first, other], "law") == ["seat_foam", "seat_foam"]
    assert document.history.count() == steps + 3


def test_kinds_parts_and_entries_change_in_all_as_one_step(
    document: Document, inspector: Inspector
) -> None:
    document.select_all(HEAD_FIRST)
    commands = inspector.commands
    kind = line(inspector, "joints/neck_top/kind")
    assert kind.currentData() == "ball"
    before = document.project
    kind.setCurrentIndex(kind.findData("universal"))
    kind.activated.emit(kind.currentIndex())
    assert values(document, HEAD_FIRST, "kind") == ["universal", "universal"]
    assert document.history.undoText().startswith("Change kind of 2 joints")
    document.undo()
    assert document.project == before
    document.select_all(["segments/neck", "segments/head"])
    section = inspector.form.sections["segments/head/surfaces"]
    adds = [
        b for b in section.findChildren(type(section.head)) if b.menu() and "Add" in b.toolTip()
    ]
    adds[0].menu().actions()[0].trigger()
    assert [len(s.surfaces) for s in document.project.segments if s.id in ("neck", "head")] == [
        2,
        2,
    ]
    assert not commands.remove_entry("segments/head/surfaces", 1, "surface")
    assert document.project.segments == before.segments


def test_other_kinds_of_elements_are_left_alone_and_said_so(
    document: Document, inspector: Inspector
) -> None:
    document.select_all(["joints/waist", "segments/neck", "segments/head"])
    assert "Head" in inspector.note.text()
    assert "all 2 segments" in inspector.note.text()
    document.select_all(["joints/waist", "segments/head"])
    assert (
        inspector.note.text()
        == "These are the fields of {name}, and a value set here is set in it alone.".format(
            name="Head"
        )
    )
    assert line(inspector, "segments/head/mass_kg").text() == "4.5 kg"


def test_an_id_is_of_one_element_only(document: Document, inspector: Inspector) -> None:
    document.select_all(LIMBS)
    inspector.form.sections["segments/thigh_l/#names"].open()
    before, where = document.project, "segments/thigh_l/id"
    assert line(inspector, where).placeholderText() == texts.words.MIXED
    write(inspector, where, "thigh")
    assert (
        inspector.form.rows[where].said()
        == "An id belongs to one element alone: select it by itself to change its id."
    )
    assert document.project is before


def hold_to_differing(project: Project, form: Any) -> None:
    """Hold every editor of a form to showing that values differ, and to showing one again."""
    for at, editor in form._shown:
        value = value_at(project, at.path)
        other = tuple(x + 1.0 for x in value) if _is_vector(value) else object()
        form._show(at, editor, (value, other))
        form._show(at, editor, (value,))
    for row in form.rows.values():
        assert texts.words.MIXED not in (_shown(row.editor),)


def _is_vector(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and isinstance(value[0], float)


def _shown(editor: Any) -> str:
    return str(editor.text()) if hasattr(editor, "text") else ""


@pytest.mark.parametrize("count", [60])
def test_sixty_elements_are_set_without_waiting(
    document: Document, inspector: Inspector, count: int
) -> None:
    ball = document.project.segments[0]
    more = [ball.model_copy(update={"id": f"s{n}", "mass_kg": 1.0 + n}) for n in range(count)]
    project: Project = document.project.model_copy(update={"segments": tuple(more)})
    document.replace(project, "many")
    document.select_all([f"segments/s{n}" for n in range(count)])
    write(inspector, f"segments/s{count - 1}/mass_kg", "3 kg")
    assert {s.mass_kg for s in document.project.segments} == {3.0}


def test_a_table_takes_cells_of_a_spreadsheet_as_one_step(document: Document, qtbot: Any) -> None:
    """Copied with headings and pasted again nothing changes; what is no number, or out of range, is told and left."""
    table = ElementTable(FormCommands(document, Units("metric")))
    qtbot.addWidget(table)
    table.show_element("segments/head")
    model = table.model
    assert table.list_name == "segments"
    titles = [model.heading(one) for one in model.columns]
    assert titles[:2] == ["Name", "Mass (kg)"]
    assert "Surfaces 1 › Semi-axes z (mm)" in titles
    before = document.project
    table.table.selectAll()
    table.copy_cells()
    rows = QApplication.clipboard().text().split("\n")
    assert len(rows) == 1 + len(before.segments)
    table.table.setCurrentIndex(model.index(0, 0))
    table.paste_cells()
    assert document.project == before
    assert document.history.count() == 0

    table.table.setCurrentIndex(model.index(0, 1))
    moments = titles.index("Moments of inertia x (kg·m²)") - 1
    wide = ["12.5", *[""] * (moments - 1), "0.2"]
    lines = ["\t".join(wide), "heavy", "-3", "6.25 lb"]
    QApplication.clipboard().setText("\r\n".join(lines) + "\r\n")
    table.paste_cells()
    masses = [s.mass_kg for s in document.project.segments[:4]]
    assert masses[0] == 12.5
    assert document.project.segments[0].inertia_kgm2[0] == 0.2
    assert masses[1:3] == [s.mass_kg for s in before.segments[1:3]]
    assert masses[3] == pytest.approx(2.83495)
    told = table.bar.hint.toolTip().split("\n")
    assert len(told) == 2
    assert all(words in one for words, one in zip(("Abdomen, Mass", "Thorax, Mass"), told, strict=True))  # fmt: skip
    assert document.history.count() == 1
    document.undo()
    assert document.project == before

    # typed in place, and beyond the last row
    table.refresh()
    assert model.setData(model.index(1, 1), "7 kg")
    assert document.project.segments[1].mass_kg == 7.0
    document.undo()
    table.table.setCurrentIndex(model.index(len(before.segments) - 1, 1))
    QApplication.clipboard().setText("3\n4\n5")
    table.paste_cells()
    assert document.project.segments[-1].mass_kg == 3.0
    assert "2 rows lie below the last element." in table.bar.hint.toolTip()
