"""People as things: one row in the outline, selected, replaced, copied, renamed and deleted as a whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize, Qt

import manikin as mk
from app.features.placing.replace_dialog import ReplaceDialog
from solver.base.places import samples
from solver.bodies.library.seating import hips_of
from solver.editing.persons import people, person_of
from solver.project import load_project
from solver.project.checks import check
from solver.project.pose import start_pose
from tests.window.playing import Play

pytestmark = pytest.mark.window
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def errors(window: Any) -> list[str]:
    return [p.sentence for p in check(window.bench.document.project) if p.severity == "error"]


def test_a_driver_is_one_thing(window: Any, qtbot: Any) -> None:
    """Select the driver by a click, replace it by the small woman, copy, rename, delete, and take all of it back."""
    play = Play(window, qtbot, "people", QSize(1280, 800))
    document = window.bench.document
    document.adopt(mk.sample("frontal").project)
    play.until_checked()
    first = document.project
    (driver,) = people(first)
    tree = window.panels["outline"].tree
    row = tree.visualItemRect(window.panels["outline"].item(driver.path))
    play.click(tree.viewport(), QPointF(row.center()))
    assert set(document.chosen) == set(driver.paths)
    assert document.selection == f"segments/{driver.root}", "handles stand where the body begins"
    card = window.panels["inspector"].person
    assert card.isVisible()
    assert "77.7 kg" in card.figures.text()
    play.step("selected")

    play.click(card.buttons["place.replace"])
    dialog = play.dialog(ReplaceDialog)
    dialog.fields.who.setFocus()
    dialog.fields.who.setCurrentIndex(dialog.fields.who.findData("hybrid_iii_5f"))
    play.until(lambda: dialog.shown is not None and "49.0 kg" in dialog.figures.text(), 60.0)
    play.step("preview")
    play.click(dialog.replace)
    play.until(lambda: document.project is not first, 120.0)
    play.come_back()
    small = document.project
    (woman,) = people(small)
    assert woman.mass_kg == pytest.approx(49.0, abs=0.1)
    assert set(document.chosen) == set(woman.paths)
    hips = [hips_of(p, start_pose(p), "driver_") for p in (first, small)]
    assert float(np.abs(hips[0] - hips[1]).max()) < 0.1, "she sits where he sat"
    assert not errors(window)
    play.step("replaced")

    play.key(Qt.Key.Key_K, CTRL | SHIFT)
    both = people(document.project)
    assert [one.name for one in both] == ["Driver", "Passenger"]
    assert not errors(window)
    own, other = (h.straps[0].points for h in document.project.harnesses)
    assert [p.segment for p in (own[0], other[0])] == ["vehicle", "vehicle"]
    for here, there in zip(own, other, strict=True):
        assert there.position_m[1] == pytest.approx(-here.position_m[1], abs=1e-9), "buckle inboard"
        assert (there.position_m[0], there.position_m[2]) == (
            here.position_m[0],
            here.position_m[2],
        )
    shoulders = [
        [p.surface.segment for p in one if p.kind == "surface"][-1] for one in (own, other)
    ]
    assert shoulders == ["driver_left_shoulder", "passenger_right_shoulder"]
    play.step("two")

    window.panels["outline"].renamed.emit(both[1].path, "My guest")
    assert [one.prefix for one in people(document.project)] == ["driver", "my_guest"]
    assert not errors(window)
    window.menus.run("edit.delete")
    assert [one.prefix for one in people(document.project)] == ["driver"]
    assert len(document.project.harnesses) == 1
    assert not errors(window)
    document.select_all(people(document.project)[0].paths)
    window.menus.run("edit.delete")
    laws = [law.id for law in (*document.project.contact_laws, *document.project.functions)]
    assert not [id_ for id_ in laws if id_.startswith("driver_")], "the belt's laws went with it"
    while document.history.canUndo():
        window.menus.run("edit.undo")
    assert document.project == first


def test_what_the_new_body_cannot_be_asked_is_said_before_and_after(
    window: Any, qtbot: Any
) -> None:
    """A dummy without ribs at its sides takes the place of a man who has some."""
    play = Play(window, qtbot, "people", QSize(1280, 800))
    document = window.bench.document
    document.adopt(mk.sample("side_impact").project)
    play.until_checked()
    first = document.project
    (driver,) = people(first)
    document.select(driver.path)
    window.menus.run("place.replace")
    dialog = play.dialog(ReplaceDialog)
    dialog.fields.who.setCurrentIndex(dialog.fields.who.findData("hybrid_iii_5f"))
    play.until(lambda: "49.0 kg" in dialog.figures.text(), 60.0)
    assert "'Left ribs, deflection'" in dialog.figures.text()
    play.click(dialog.replace)
    play.until(lambda: document.project is not first, 120.0)
    assert window.notice.isVisible()
    assert "'Left ribs, deflection'" in window.notice.words.text()


def test_a_person_has_segments_and_the_joints_that_carry_them() -> None:
    project = load_project(samples() / "frontal.json")
    (driver,) = people(project)
    segment, id_ = f"segments/{driver.root}", driver.root
    joint = next(j.id for j in project.joints if j.child in driver.segments)
    found = {path: person_of(project, path) for path in (segment, f"joints/{joint}")}
    assert set(found.values()) == {driver}
    for path in (f"springs/{joint}", f"joints/{id_}", "joints/none", f"springs/{id_}"):
        assert person_of(project, path) is None, path
