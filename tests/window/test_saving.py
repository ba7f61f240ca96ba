"""Saving does not write over what somebody else has saved: it asks, and nothing is lost by any answer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from app.document import Document
from app.recovery import Recovery, left_behind, recover
from app.shell.window import new_window
from solver.project import load_project
from solver.project.changes import value_at
from tests.window.solving import CATCH
from tests.window.waiting import once

pytestmark = [pytest.mark.window, pytest.mark.one_window]

MASS = "segments/head/mass_kg"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Path(shutil.copy(CATCH, tmp_path / "model.json"))


def written_by_others(file: Path, mass: float = 99.0) -> bytes:
    """Save as another program does, in other words: with its own line ends and order."""
    data = json.loads(file.read_text(encoding="utf-8"))
    next(one for one in data["segments"] if one["id"] == "head")["mass_kg"] = mass
    file.write_text(json.dumps(data), encoding="utf-8")
    return file.read_bytes()


def mass_in(file: Path) -> float:
    return value_at(load_project(file), MASS)


class Answering:
    """Answer the question that comes: click a button by the mouse, or press Enter, which takes the default."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def click(self, button: str = "") -> None:
        def boxes() -> QMessageBox | None:
            found = (w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox))
            return next(found, None)

        def told(box: QMessageBox) -> None:
            self.told.append(f"{box.text()}\n{box.informativeText()}")
            if not button:
                QTest.keyClick(box, Qt.Key.Key_Return)
                return
            found = next(b for b in box.buttons() if b.text().startswith(button))
            QTest.mouseClick(found, Qt.MouseButton.LeftButton)

        once(boxes, told)


@pytest.fixture
def answer() -> Answering:
    return Answering()


@pytest.fixture
def changed(window: Any, file: Path) -> Any:
    """Open a file, change it here, and let another program write it meanwhile."""
    window.open_file(file)
    window.bench.document.edit(MASS, 3.0, "Change the mass")
    written_by_others(file)
    return window


def test_what_another_program_wrote_stays_unless_that_is_wanted(
    changed: Any, file: Path, answer: Answering
) -> None:
    files, document, there = changed.features["files"], changed.bench.document, file.read_bytes()
    answer.click("Cancel")
    assert not files.save()
    assert file.read_bytes() == there
    assert document.has_unsaved_work
    assert "model.json is another one than when it was opened" in answer.told[0]
    assert "Mass: 99 kg there, 3 kg here" in answer.told[0]
    answer.click("Save mine")
    assert files.save()
    assert mass_in(file) == 3.0
    backup = file.with_name("model.before.json")
    assert backup.read_bytes() == there
    assert "model.before.json" in changed.status.words.text()
    # what was written here is known: nobody is asked again
    document.edit(MASS, 4.0, "Change the mass")
    assert files.save()
    assert mass_in(file) == 4.0
    assert len(answer.told) == 2


def test_whoever_presses_enter_writes_over_nothing(
    changed: Any, file: Path, answer: Answering
) -> None:
    there = file.read_bytes()
    answer.click()
    assert not changed.features["files"].save()
    assert file.read_bytes() == there
    assert value_at(changed.bench.document.project, MASS) == 3.0
    assert len(changed.application.windows) == 1


def test_theirs_is_taken_as_a_step_that_can_be_undone(
    changed: Any, file: Path, answer: Answering
) -> None:
    files, document = changed.features["files"], changed.bench.document
    answer.click("Take theirs")
    assert files.save()
    assert value_at(document.project, MASS) == 99.0
    assert not document.has_unsaved_work
    document.undo()
    assert value_at(document.project, MASS) == 3.0
    assert document.has_unsaved_work
    assert files.save(), "theirs has been seen"
    assert mass_in(file) == 3.0


def test_a_copy_leaves_what_stands_there(
    changed: Any, file: Path, answer: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, offered = file.read_bytes(), []

    def choose(*asked: Any, **_: Any) -> tuple[str, str]:
        offered.append(asked[2])
        return asked[2], asked[3]

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    answer.click("Save a copy")
    assert changed.features["files"].save()
    assert file.read_bytes() == there
    assert Path(offered[0]).name == "model-mine.json"
    assert mass_in(Path(offered[0])) == 3.0
    assert changed.bench.document.path == Path(offered[0])


def test_both_stand_in_two_windows(changed: Any, file: Path, answer: Answering) -> None:
    answer.click("See both")
    assert not changed.features["files"].save()
    other = next(one for one in changed.application.windows if one is not changed)
    assert value_at(other.bench.document.project, MASS) == 99.0
    assert value_at(changed.bench.document.project, MASS) == 3.0
    other.close()


def test_a_second_window_asks_too(window: Any, file: Path, answer: Answering) -> None:
    window.open_file(file)
    other = new_window(window.application)
    other.open_file(file)
    for one, mass in ((window, 3.0), (other, 5.0)):
        one.bench.document.edit(MASS, mass, "Change the mass")
    assert window.features["files"].save()
    answer.click("Cancel")
    assert not other.features["files"].save()
    assert mass_in(file) == 3.0
    # who saves the same loses nothing of anybody
    other.bench.document.edit(MASS, 3.0, "Change the mass")
    assert other.features["files"].save()
    assert len(answer.told) == 1
    other.close()


def test_a_file_that_is_no_project_any_more_is_kept_all_the_same(
    changed: Any, file: Path, answer: Answering
) -> None:
    file.write_bytes(b"Dear all, the meeting is at ten.")
    answer.click("Save mine")
    assert changed.features["files"].save()
    assert "It cannot be read as a project." in answer.told[0]
    assert file.with_name("model.before.json").read_bytes().startswith(b"Dear all")


def test_save_as_and_a_copy_onto_the_same_file_ask_too(
    changed: Any, file: Path, answer: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anyone who confirms that a file is replaced does not know that it is another one."""
    there = file.read_bytes()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **_: (str(file), a[3]))
    answer.click("Cancel")
    assert not changed.features["files"].save_as()
    answer.click("Cancel")
    changed.features["files"].save_copy()
    assert file.read_bytes() == there
    assert len(answer.told) == 2


def test_recovered_work_knows_what_it_was_made_from(
    file: Path, remembered: Path, qapp: Any
) -> None:
    document = Document()
    document.open(file)
    recovery = Recovery(document, every_ms=10**6)
    document.edit(MASS, 3.0, "Change the mass")
    recovery.keep()
    recovery._pool.shutdown(wait=True)
    recovery._lock.unlock()
    (left,) = left_behind()
    again = Document()
    recover(left, again)
    assert not again.is_written_by_others(file)
    written_by_others(file)
    assert again.is_written_by_others(file)
    again.close()
    document.close()
