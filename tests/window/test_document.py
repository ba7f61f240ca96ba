"""The document: every change can be undone, drags merge, files keep what they hold."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from app.document import Document
from app.editing.copying import duplicated
from app.editing.making import MAKERS, CannotMake, add
from app.history import Change
from solver.project import LISTS, Project, ProjectError, to_json, validated
from solver.project.changes import value_at
from tests.exploring import SEED
from tests.window.seated import seated


@pytest.fixture
def document(qapp: QApplication) -> Iterator[Document]:
    made = Document()
    made.adopt(validated(seated()))
    yield made
    made.close()


def test_an_edit_is_one_step_with_a_text(document: Document) -> None:
    seen: list[Change] = []
    document.changed.connect(seen.append)
    before = document.project
    assert document.edit("segments/head/mass_kg", 5.0, "Change mass of Head") == ()
    assert value_at(document.project, "segments/head/mass_kg") == 5.0
    assert document.history.undoText() == "Change mass of Head"
    assert document.has_unsaved_work
    assert seen[-1].elements == {"segments/head"}
    assert seen[-1].lists == {"segments"}
    document.undo()
    assert document.project is before
    assert not document.has_unsaved_work
    document.redo()
    assert value_at(document.project, "segments/head/mass_kg") == 5.0


def test_what_does_not_fit_is_refused_and_changes_nothing(document: Document) -> None:
    before = document.project
    problems = document.edit("segments/head/mass_kg", -1.0, "no")
    assert problems[0].code == "field-range"
    assert problems[0].path == "segments/head/mass_kg"
    assert document.edit("segments/nobody/mass_kg", 1.0, "no")
    assert document.project is before
    assert not document.history.canUndo()


def test_a_drag_is_one_step_and_the_next_another(document: Document) -> None:
    for k in range(20):
        document.edit("segments/head/mass_kg", 5.0 + 0.1 * k, "Drag", merge_key="mass")
    document.end_gesture()
    document.edit("segments/head/mass_kg", 9.0, "Drag", merge_key="mass")
    assert document.history.count() == 2
    document.undo()
    assert value_at(document.project, "segments/head/mass_kg") == pytest.approx(6.9)
    document.undo()
    assert value_at(document.project, "segments/head/mass_kg") == 4.5


def test_a_drag_back_to_where_it_began_is_no_step(document: Document) -> None:
    document.edit("segments/head/mass_kg", 5.0, "Drag", merge_key="mass")
    document.edit("segments/head/mass_kg", 4.5, "Drag", merge_key="mass")
    assert document.history.count() == 0
    assert not document.has_unsaved_work


def test_a_new_id_keeps_the_selection_and_the_references(document: Document) -> None:
    document.select("segments/pelvis")
    assert document.edit("segments/pelvis/id", "hips", "") == ()
    assert document.selection == "segments/hips"
    assert document.project.belts[0].surface.segment == "hips"
    assert document.history.undoText() == "Rename pelvis to hips"
    assert document.edit("segments/hips/id", "head", "")[0].code == "id-twice"
    document.undo()
    assert document.selection == "segments/pelvis"


def test_deleting_says_what_went_and_can_be_undone(document: Document, qtbot: Any) -> None:
    before = document.project
    document.select("segments/head")
    with qtbot.waitSignal(document.said, timeout=20_000) as said:
        document.delete(["segments/head"])
    assert said.args[0].startswith("Deleted Head; without it")
    assert "1 joint" in said.args[0]
    assert document.history.count() == 1
    assert document.selection.startswith("segments/")
    document.undo()
    assert document.project is before
    assert document.selection == "segments/head"


def test_problems_follow_every_change(document: Document, qtbot: Any) -> None:
    qtbot.waitUntil(lambda: not document._checker.is_busy(), timeout=20_000)
    with qtbot.waitSignal(document.checked, timeout=20_000):
        document.edit("belts/lap/law", "nothing", "Change webbing")
    assert [p.path for p in document.problems if p.code == "unknown-law"] == ["belts/lap/law"]
    with qtbot.waitSignal(document.checked, timeout=20_000):
        document.undo()
    assert not [p for p in document.problems if p.code == "unknown-law"]


def test_an_answer_about_an_earlier_version_is_left_out(document: Document) -> None:
    earlier = document.project
    document.edit("belts/lap/law", "nothing", "Change webbing")
    now = document.problems_now()
    assert "unknown-law" in {p.code for p in now}
    document._checker.answered.emit(earlier, (), {})
    assert document.problems == now


def test_several_can_be_selected(document: Document) -> None:
    document.select("segments/head")
    document.select("segments/neck", add=True)
    assert document.chosen == ("segments/head", "segments/neck")
    assert document.selection == "segments/neck"
    document.select("segments/neck", add=True)
    assert document.chosen == ("segments/head",)
    document.select("segments/head/mass_kg")
    assert document.field == "segments/head/mass_kg"
    document.select("nowhere/at/all")
    assert document.chosen == ("",)


def step(document: Document, dice: random.Random) -> None:
    """Do one of the things that people do."""
    project = document.project
    paths = [f"{n}/{i.id}" for n in LISTS for i in getattr(project, n)]
    what = dice.randrange(6)
    if what == 0 or not paths:
        try:
            made = add(project, dice.choice(MAKERS), dice.sample(paths, min(2, len(paths))))
        except CannotMake:
            return
        document.replace(made.project, "add", select=[made.path])
    elif what == 1:
        document.delete([dice.choice(paths)])
    elif what == 2:
        done = duplicated(project, [dice.choice(paths)])
        document.replace(done.project, "duplicate", select=done.paths)
    elif what == 3:
        path = dice.choice(paths)
        document.rename(path, f"renamed_{dice.randrange(10**6)}")
    elif what == 4 and project.segments:
        path = f"segments/{dice.choice(project.segments).id}/mass_kg"
        document.edit(path, dice.uniform(0.1, 50.0), "mass", merge_key=dice.choice([None, "m"]))
    else:
        document.edit(f"{dice.choice(paths)}/name", f"N{dice.randrange(99)}", "name")


@pytest.mark.seeded
def test_two_hundred_edits_undone_and_done_again_give_the_same_bytes(document: Document) -> None:
    dice = random.Random(SEED + 6)
    start = to_json(document.project)
    for _ in range(200):
        step(document, dice)
        if dice.random() < 0.1:
            document.undo()
    end, steps = to_json(document.project), document.history.index()
    assert validated(json.loads(end)) == document.project
    assert end != start
    while document.history.canUndo():
        document.undo()
    assert to_json(document.project) == start
    for _ in range(steps):
        document.redo()
    assert to_json(document.project) == end


def test_saving_clears_the_star_and_a_copy_does_not(document: Document, tmp_path: Path) -> None:
    document.edit("segments/head/mass_kg", 5.0, "mass")
    document.save(tmp_path / "copy.json", copy=True)
    assert document.has_unsaved_work
    assert document.path is None
    document.save(tmp_path / "model.json")
    assert not document.has_unsaved_work
    assert document.path == tmp_path / "model.json"
    assert (tmp_path / "model.json").read_bytes() == (tmp_path / "copy.json").read_bytes()
    document.undo()
    assert document.has_unsaved_work
    with pytest.raises(ProjectError):
        document.save(tmp_path)


def test_a_refused_file_leaves_the_open_project(document: Document, tmp_path: Path) -> None:
    before = document.project
    torn = tmp_path / "torn.json"
    torn.write_text("{", encoding="utf-8")
    with pytest.raises(ProjectError):
        document.open(torn)
    assert document.project is before
    assert document.project != Project()
