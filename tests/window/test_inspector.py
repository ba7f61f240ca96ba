"""The inspector: every field of the schema has an editor, in any units, and refuses in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.document import Document
from app.editing.parts import as_kind, new_part, with_entry
from app.editing.shape import field_of, fields_of
from app.features.inspector.panel import Inspector
from app.forms.lines import RowsLine, ValueLine
from app.forms.units import SYSTEMS, Units, known, unit_at, units_of_curve
from solver.base.places import samples
from solver.editing.bench import Bench
from solver.project import LISTS, Project, validated
from solver.project.changes import value_at
from solver.project.coordinate_forces import (
    PlasticHinge,
)
from solver.project.fields import Part
from solver.project.schema import kind_words, models
from tests.checks_model import base as whole
from tests.everything import everything
from tests.rows import rows
from tests.window.seated import seated
from tests.window.waiting import turns, until_active

CTRL = Qt.KeyboardModifier.ControlModifier


def line(inspector: Inspector, path: str) -> Any:
    return inspector.form.rows[path].editor


def write(inspector: Inspector, path: str, text: str, part: int | None = None) -> None:
    """Type a text into a field and press Enter."""
    field = line(inspector, path) if part is None else line(inspector, path).lines[part]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


@rows("model", models(), ids=lambda m: m.__name__)
def test_every_field_of_the_schema_has_an_editor(model: type[Part]) -> None:
    shapes = fields_of(model)
    assert [shape.name for shape in shapes] == list(model.model_fields)
    assert all(shape.label and shape.editor for shape in shapes)


def hold_to_fields(form: Any, path: str, item: Part) -> None:
    """Hold a form whose sections are open to the fields of its element."""
    shown = {*form.rows, *form.sections}
    for shape in fields_of(type(item)):
        at = f"{path}/{shape.name}"
        single = shape.name == "kind" and not any(p == at for p in shown)
        assert single or any(p == at or p.startswith(f"{at}/") for p in shown), at


def test_no_entry_of_a_choice_is_empty(document: Document, inspector: Inspector) -> None:
    document.adopt(validated(everything()))
    document.select("")
    let_go()
    field = line(inspector, "load_case")
    assert (field.itemText(0), field.itemData(0)) == ("none", "")
    assert all(field.itemText(n) for n in range(field.count()))


def test_a_number_is_shown_short_and_typed_in_any_unit(
    document: Document, inspector: Inspector
) -> None:
    document.edit("segments/head/mass_kg", 4.536237, "mass")
    document.select("segments/head")
    mass = line(inspector, "segments/head/mass_kg")
    assert mass.text() == "4.536 kg"
    mass.setFocus()
    assert mass.text() == "4.536237 kg"
    write(inspector, "segments/head/mass_kg", "10 lb")
    assert value_at(document.project, "segments/head/mass_kg") == pytest.approx(4.5359237)
    assert document.history.undoText() == "Change mass of Head"
    write(inspector, "segments/head/surfaces/head/semi_axes_m", "3*25.4", part=1)
    assert value_at(document.project, "segments/head/surfaces/head/semi_axes_m/1") == pytest.approx(0.0762)  # fmt: skip


def test_leaving_a_field_without_typing_changes_nothing(
    document: Document, inspector: Inspector
) -> None:
    document.edit("segments/head/mass_kg", 1.0 / 3.0, "mass")
    document.history.clear()
    document.select("segments/head")
    mass, other = line(inspector, "segments/head/mass_kg"), inspector.form.sections
    mass.setFocus()
    QTest.keyClick(mass, Qt.Key.Key_Return)
    next(iter(other.values())).head.setFocus()
    assert document.history.count() == 0
    mass.setFocus()
    QTest.keyClicks(mass, "99")
    QTest.keyClick(mass, Qt.Key.Key_Escape)
    assert document.history.count() == 0
    assert mass.text().startswith("0.333333")


@pytest.mark.usefixtures("inspector")
def test_points_are_typed_row_by_row() -> None:
    taken: list[Any] = []
    line = RowsLine(lambda value, _: bool(taken.append(value)) or True, Units("metric"), "m")
    line.show_value(((0.0, 0.0, 0.0), (1.0, 0.0, 0.25)))
    assert line.text() == "0, 0, 0; 1000, 0, 250"
    assert "2 rows" in line.toolTip()
    line.setText("0 0 0; 1 m, 2, -3.5;")
    line.take_over()
    assert taken == [((0.0, 0.0, 0.0), (1.0, 0.002, -0.0035))]


@pytest.mark.parametrize(
    ("text", "said"),
    [("-1", "at least 0"), ("5 mm", "mass"), ("five", ""), ("1/0", "zero"), ("", "")],
)
def test_what_does_not_fit_is_said_below_the_field(
    document: Document, inspector: Inspector, text: str, said: str
) -> None:
    document.select("segments/head")
    before = document.project
    mass = line(inspector, "segments/head/mass_kg")
    mass.setFocus()
    mass.selectAll()
    QTest.keyClick(mass, Qt.Key.Key_Delete)
    QTest.keyClicks(mass, text)
    QTest.keyClick(mass, Qt.Key.Key_Return)
    row = inspector.form.rows["segments/head/mass_kg"]
    assert said in row.said()
    assert row.said()
    assert document.project is before
    QTest.keyClick(mass, Qt.Key.Key_Escape)
    assert not row.said()


def test_arrow_keys_step_and_are_one_undo(document: Document, inspector: Inspector) -> None:
    document.select("segments/head")
    mass = line(inspector, "segments/head/mass_kg")
    mass.setFocus()
    for _ in range(5):
        QTest.keyClick(mass, Qt.Key.Key_Up)
    assert value_at(document.project, "segments/head/mass_kg") == pytest.approx(5.0)
    assert document.history.count() == 1


def test_units_can_be_switched_at_any_time(document: Document, inspector: Inspector) -> None:
    document.select("segments/head")
    before = document.project
    texts = []
    for system in SYSTEMS:
        inspector.set_units(system)
        texts.append(line(inspector, "segments/head/mass_kg").text())
    assert texts == ["4.5 kg", "4.5 kg", "9.921 lb"]
    assert document.project is before
    assert Units("inch_pound").read("9.921", "kg") == pytest.approx(4.5, rel=1e-4)


def test_shown_numbers_are_read_back_as_they_are() -> None:
    units_ = {shape.unit for model in models() for shape in fields_of(model)}
    for system in SYSTEMS:
        units = Units(system)
        for unit in units_:
            for value in (0.0, 1.0, -0.0254, 12345.678, 1.0 / 3.0, 1e-7):
                text = units.with_unit(units.full(value, unit), unit)
                assert units.read(text, unit) == pytest.approx(
                    value, rel=1e-12, abs=1e-9 * (unit == "K")
                ), text
    assert [known(unit) for unit in ("kg*m2", "N/m^n", "m|rad", "1")] == [True, False, False, False]


def test_a_function_lends_its_units_to_its_values(document: Document) -> None:
    project = document.project
    assert unit_at(project, "functions/foam/form/x", "") == "m"
    assert unit_at(project, "functions/foam/form/y", "") == "N"
    assert unit_at(project, "motions/pulse/components/0/pulse/amplitude", "") == "m/s2"
    assert unit_at(project, "motions/pulse/components/0/start_value", "") == "m"


def test_a_coordinate_says_which_form_of_a_unit_is_meant() -> None:
    project = validated(whole())
    for name, law, unit in (
        ("catch", "laws/1/damping", "N*s/m"),
        ("bracket", "laws/0/stiffness", "N*m/rad"),
    ):
        path = f"coordinate_forces/{name}/{law}"
        assert (
            unit_at(project, path, "N*s/m|N*m*s/rad" if name == "catch" else "N/m|N*m/rad") == unit
        )
    shape = next(s for s in fields_of(PlasticHinge) if s.name == "limit")
    path = "coordinate_forces/bracket/laws/0/limit"
    assert units_of_curve(project, path, shape) == ("rad", "N*m")


def test_a_reference_is_chosen_by_name_and_leads_there(
    document: Document, inspector: Inspector
) -> None:
    document.select("joints/neck_top")
    child = line(inspector, "joints/neck_top/child")
    assert child.finder.currentText() == "Head"
    child.finder.setFocus()
    child.finder.lineEdit().selectAll()
    QTest.keyClicks(child.finder.lineEdit(), "Thorax")
    QTest.keyClick(child.finder.lineEdit(), Qt.Key.Key_Return)
    assert document.project.joints[3].child == "thorax"
    document.undo()
    inspector.chosen.connect(document.select)
    QTest.mouseClick(line(inspector, "joints/neck_top/parent").leads, Qt.MouseButton.LeftButton)
    assert document.selection == "segments/neck"


def test_only_functions_that_fit_are_offered(document: Document, inspector: Inspector) -> None:
    document.select("contact_laws/seat_foam")
    base = line(inspector, "contact_laws/seat_foam/base").finder
    base.fill()
    names = [base.itemText(i) for i in range(base.count())]
    assert names == ["Seat foam", "＋ Make a new one"]
    base._on_chosen(1)
    assert document.project.contact_laws[1].base not in ("foam", "\0new")
    assert document.project.functions[-1].x_unit == "m"


def test_a_joint_becomes_another_kind_and_keeps_what_fits(
    document: Document, inspector: Inspector
) -> None:
    document.select("joints/neck_top")
    kind = line(inspector, "joints/neck_top/kind")
    assert {kind.itemData(i) for i in range(kind.count())} >= {"ball", "pin", "slip", "free"}
    kind.activated.emit(kind.findData("pin"))
    joint = next(j for j in document.project.joints if j.id == "neck_top")
    assert joint.kind == "pin"
    assert joint.child_frame.position_m == (-0.01, 0.0, 0.11)
    assert document.history.undoText() == "Change kind of Neck top to pin"
    assert line(inspector, "joints/neck_top/kind").currentText() == "Pin"


def test_entries_are_added_moved_and_removed(document: Document, inspector: Inspector) -> None:
    document.select("segments/head")
    commands = inspector.commands
    kind = field_of(type(document.project.segments[0]), "surfaces").models[0]
    assert commands.add_entry("segments/head/surfaces", kind, "surface") == ""
    surfaces = value_at(document.project, "segments/head/surfaces")
    assert len(surfaces) == 2
    assert f"segments/head/surfaces/{surfaces[1].id}" in inspector.form.sections
    commands.move_entry("segments/head/surfaces", 1, -1, "surface")
    assert value_at(document.project, "segments/head/surfaces")[0] is surfaces[1]
    commands.copy_entry("segments/head/surfaces", 0, "surface")
    ids = [s.id for s in value_at(document.project, "segments/head/surfaces")]
    assert len(set(ids)) == 3
    commands.remove_entry("segments/head/surfaces", 0, "surface")
    assert len(value_at(document.project, "segments/head/surfaces")) == 2
    while document.history.canUndo():
        document.undo()
    assert document.project == validated(seated())


def test_the_form_of_one_element_becomes_that_of_another(
    document: Document, inspector: Inspector
) -> None:
    document.select("segments/head")
    form, mass = inspector.form, line(inspector, "segments/head/mass_kg")
    widgets = set(form.findChildren(QWidget))
    document.select("segments/neck")
    assert inspector.form is form
    assert line(inspector, "segments/neck/mass_kg") is mass
    assert set(form.findChildren(QWidget)) == widgets, "nothing was built"
    assert mass.text() == "1.2 kg"
    assert not any(path.startswith("segments/head") for path in (*form.rows, *form.sections))
    assert form.sections["segments/neck/surfaces/neck"].head.text() == "neck"
    write(inspector, "segments/neck/mass_kg", "2")
    write(inspector, "segments/neck/surfaces/neck/semi_axes_m", "70", part=0)
    by_id = {segment.id: segment for segment in document.project.segments}
    assert (by_id["head"].mass_kg, by_id["neck"].mass_kg) == (4.5, 2.0)
    assert by_id["neck"].surfaces[0].semi_axes_m[0] == pytest.approx(0.07)
    document.select("joints/neck_top")
    assert inspector.form is not form
    document.select("segments/head")
    assert inspector.form is form, "it was kept"
    assert mass.text() == "4.5 kg"


def test_every_element_is_shown_as_in_a_form_of_its_own(
    document: Document, inspector: Inspector
) -> None:
    document.adopt(validated(everything()))
    turned: dict[str, Any] = {}
    for path in a_few_of_each_type(document.project):
        before = inspector.form
        document.select(path)
        let_go()
        if inspector.form is before:
            turned[path] = shown(before)
    assert len(turned) > 5
    for path, seen in turned.items():
        for kept in (inspector.form, *inspector._kept):
            kept._model = None  # it fits nothing: one of its own is built
        before = inspector.form
        document.select(path)
        let_go()
        assert inspector.form is not before
        assert seen == shown(inspector.form), path


def a_few_of_each_type(project: Project, few: int = 2) -> list[str]:
    """Name some elements of each type, variants among them."""
    counts = Counter[str]()
    paths = []
    for name in LISTS:
        for item in getattr(project, name):
            kind = f"{name} {getattr(item, 'kind', '')}"
            counts[kind] += 1
            if counts[kind] <= few:
                paths.append(f"{name}/{item.id}")
    return paths


def let_go() -> None:
    """Destroy the forms that are no longer kept, as happens whenever a person does nothing."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def shown(form: Any) -> dict[str, Any]:
    """Give all that is read in a form, by path."""
    out: dict[str, Any] = {}
    for path, section in form.sections.items():
        out[path] = (section.head.text(), section.aside.text(), section.head.isChecked())
    for path, row in form.rows.items():
        lines = row.editor.findChildren(QLineEdit) or [row.editor]
        out[f"{path}:"] = (row.label.text(), [one.text() for one in lines if hasattr(one, "text")])
    return out


def test_what_was_typed_belongs_to_the_element_that_it_was_typed_for(
    document: Document, inspector: Inspector
) -> None:
    document.select("segments/head")
    mass = line(inspector, "segments/head/mass_kg")
    mass.setFocus()
    mass.selectAll()
    QTest.keyClicks(mass, "9")
    document.select("segments/neck")
    masses = {segment.id: segment.mass_kg for segment in document.project.segments}
    assert (masses["head"], masses["neck"]) == (9.0, 1.2)
    assert mass.text() == "1.2 kg"


def test_a_refusal_stays_with_its_element(document: Document, inspector: Inspector) -> None:
    document.select("segments/head")
    write(inspector, "segments/head/mass_kg", "five")
    assert inspector.form.rows["segments/head/mass_kg"].said()
    document.select("segments/neck")
    assert not inspector.form.rows["segments/neck/mass_kg"].said()


def test_an_edit_shows_one_field_anew(
    document: Document, inspector: Inspector, monkeypatch: pytest.MonkeyPatch
) -> None:
    document.select("segments/head")
    told: list[object] = []
    real = ValueLine.rest_with

    def rest_with(self: ValueLine, resting: str, focused: str | None = None) -> None:
        told.append(self)
        real(self, resting, focused)

    monkeypatch.setattr(ValueLine, "rest_with", rest_with)
    form = inspector.form
    document.edit("segments/head/mass_kg", 5.0, "mass")
    assert told == [line(inspector, "segments/head/mass_kg")]
    assert inspector.form is form


def test_several_elements_are_changed_in_one_step(document: Document, inspector: Inspector) -> None:
    document.select_all(["segments/neck", "joints/waist", "segments/head"])
    write(inspector, "segments/head/mass_kg", "3")
    masses = {s.id: s.mass_kg for s in document.project.segments}
    assert (masses["head"], masses["neck"], masses["thorax"]) == (3.0, 3.0, 22.0)
    assert document.history.count() == 1


def test_a_problem_is_said_at_its_field(
    document: Document, inspector: Inspector, qtbot: Any
) -> None:
    document.select("belts/lap")
    with qtbot.waitSignal(document.checked, timeout=20_000):
        document.edit("belts/lap/law", "webing", "webbing")
    row = inspector.form.rows["belts/lap/law"]
    assert "Did you mean ‘Webbing’" in row.said()
    with qtbot.waitSignal(document.checked, timeout=20_000):
        document.undo()
    assert not row.said()
    document.select("belts/lap/anchor_a/position_m")
    qtbot.waitUntil(lambda: inspector.area.focusWidget() is not None, timeout=20_000)


def holders() -> Iterator[tuple[type[Part], Any]]:
    for model in models():
        for shape in fields_of(model):
            if shape.editor in ("union", "parts", "part") and model is not Project:
                yield model, shape


@rows("case", list(holders()), ids=lambda c: f"{c[0].__name__}.{c[1].name}")
def test_every_part_inside_elements_can_be_made(case: tuple[type[Part], Any]) -> None:
    bench = Bench(validated(seated()))
    bench.add("outputs", "PointOutput", "head", segment="head")
    for model in case[1].models:
        part = new_part(bench, model)
        assert model.model_validate(part.model_dump()) == part


def test_every_kind_can_become_every_other() -> None:
    project = validated(seated())
    joint = type(project).model_fields["joints"]
    assert joint is not None
    shapes = {shape.name: shape for shape in fields_of(Project)}
    for name in ("joints", "contact_laws", "contacts", "functions"):
        item = getattr(project, name)[0]
        for model in shapes[name].models:
            for kind in kind_words(model):
                after = as_kind(project, f"{name}/{item.id}", shapes[name].models, kind)
                assert value_at(after, f"{name}/{item.id}").kind == kind


def test_a_strap_gets_its_new_point_between_its_ends() -> None:
    project = validated(seated())
    path = "harnesses/shoulder/straps/diagonal/points"
    points = value_at(project, path)
    after, at = with_entry(project, path, type(points[1]), "surface")
    assert at == len(points) - 1
    assert value_at(after, path)[-1] is points[-1]


def test_undo_is_the_documents_while_a_field_has_nothing_of_its_own_to_undo(
    window: Any, seated_file: Path
) -> None:
    window.open_file(seated_file)
    window.activateWindow()
    until_active(window)
    document = window.bench.document
    document.select("segments/head")
    before = value_at(document.project, "segments/head/mass_kg")
    field = window.panels["inspector"].form.rows["segments/head/mass_kg"].editor
    for key in (Qt.Key.Key_Z, Qt.Key.Key_Y):
        QTest.keyClick(field, key, CTRL)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert value_at(document.project, "segments/head/mass_kg") == 7.5
    assert field.hasFocus()
    QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
    assert value_at(document.project, "segments/head/mass_kg") == before
    QTest.keyClick(field, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert value_at(document.project, "segments/head/mass_kg") == 7.5
    # what is being typed is the field's own
    field.selectAll()
    QTest.keyClicks(field, "9")
    QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
    assert value_at(document.project, "segments/head/mass_kg") == 7.5
    assert field.text() != "9"
    window.bench.document.history.setClean()


def test_no_form_is_wider_than_the_inspector(window: Any) -> None:
    window.open_file(samples() / "frontal.json")
    inspector = window.panels["inspector"]
    for size in ("usual", "huge"):
        window.application.choose("text_size", size)
        for path in (
            "harnesses/driver_three_point_belt", "segments/driver_head", "airbags/driver_bag"
        ):  # fmt: skip
            window.bench.document.select(path)
            for _ in range(4):
                for section in list(inspector.form.sections.values()):
                    section.open()
            turns()
            room = inspector.area.viewport().width()
            assert inspector.form.minimumSizeHint().width() <= room, (path, size)
    window.application.choose("text_size", "usual")


def test_numbers_are_shortened_not_cut(document: Document, inspector: Inspector) -> None:
    document.edit("segments/head/surfaces/0/centre_m", [-3.8943e-11, 0.123456, -12345.678], "Odd")
    document.select("segments/head")
    inspector.form.sections["segments/head/surfaces"].open()
    at = next(p for p in inspector.form.rows if p.endswith("centre_m"))
    inspector.form.reveal(at)
    inspector.setFocus()
    for wide in (384, 320, 600):
        inspector.resize(wide, 700)
        turns()
        lines = inspector.form.rows[at].editor.lines
        for line in lines:
            assert not line.hasFocus()
            room = line.width() - 8
            assert line.fontMetrics().horizontalAdvance(line.text()) <= room, line.text()
    assert lines[1].text() == "123.5"
    assert lines[0].text().startswith("-3.89")


def test_a_long_name_makes_the_inspector_no_wider(document: Document, inspector: Inspector) -> None:
    document.select("segments/head")
    document.edit("segments/head/name", "x" * 200, "Name")
    turns()
    assert "x" * 200 in inspector.heading.text()
    assert inspector.minimumSizeHint().width() < 400
