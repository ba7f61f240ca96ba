"""Long edit: random edits by hand, undo all, redo all: the same file to the byte."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.editing.making import MAKERS
from app.elements import elements
from app.forms.lines import NumberLine
from solver.project import to_json
from tests.exploring import SEED
from tests.window.playing import CTRL, SHIFT, Play
from tests.window.waiting import turns

pytestmark = pytest.mark.window
EDITS = 80 if SEED else 36
INSERTS = [f"insert.{maker.id}" for maker in MAKERS]


class Hands:
    """Do something at random, as a person might; each way tells whether the model changed."""

    def __init__(self, play: Play, seed: int) -> None:
        self.play, self.window, self.chance = play, play.window, random.Random(SEED + seed)

    def edit(self) -> str:
        """Do one thing; give its name."""
        ways = (
            self.step_a_number, self.type_a_number, self.insert, self.drag, self.nudge,
            self.duplicate, self.delete, self.rename, self.copy_and_paste,
        )  # fmt: skip
        way = self.chance.choice(ways)
        way()
        return way.__name__

    def pick(self, *lists: str) -> str:
        paths = [path for path, _ in elements(self.window.bench.document.project)]
        wanted = [path for path in paths if not lists or path.split("/")[0] in lists] or paths
        path = self.chance.choice(wanted)
        self.window.bench.document.select(path)
        return path

    def field(self) -> NumberLine | None:
        """Give the keyboard to some number of the selected element."""
        form = self.window.panels["inspector"].form
        lines = [
            one for one in form.findChildren(NumberLine) if one.isVisible() and one.isEnabled()
        ]
        if not lines:
            return None
        line = self.chance.choice(lines)
        line.setFocus()
        return line

    def step_a_number(self) -> None:
        self.pick()
        line = self.field()
        if line is not None:
            QTest.keyClick(line, self.chance.choice((Qt.Key.Key_Up, Qt.Key.Key_Down)))
            self.window.bench.document.end_gesture()

    def type_a_number(self) -> None:
        self.pick("segments", "joints", "planes", "belts", "runs")
        line = self.field()
        if line is not None:
            line.selectAll()
            QTest.keyClicks(line, f"{self.chance.uniform(0.1, 9.0):.3g}")
            QTest.keyClick(line, Qt.Key.Key_Return)

    def insert(self) -> None:
        self.window.menus.run(self.chance.choice(INSERTS))

    def drag(self) -> None:
        self.pick("segments", "planes", "belts", "harnesses", "airbags")
        view, hands = self.window.bench.viewport, self.window.features["placing"].move
        if hands.grip is None:
            return
        at = QPointF(*view.lens.pixel(self.chance.choice(hands.grips).p_W))
        by = QPointF(self.chance.randint(-40, 40), self.chance.randint(-40, 40))
        if view.rect().contains(at.toPoint()):
            self.play.drag(view, at, at + by)

    def nudge(self) -> None:
        """Move by keys: G, an axis, a number, Enter."""
        self.pick("segments", "planes", "belts", "harnesses")
        self.window.bench.viewport.setFocus()
        for key in (Qt.Key.Key_G, self.chance.choice((Qt.Key.Key_X, Qt.Key.Key_Y, Qt.Key.Key_Z))):
            self.play.key(key)
        self.play.type(str(self.chance.randint(-30, 30)))
        self.play.key(Qt.Key.Key_Return)

    def duplicate(self) -> None:
        self.pick("segments", "planes", "belts", "functions", "contacts")
        self.window.panels["outline"].tree.setFocus()
        self.play.key(Qt.Key.Key_D, CTRL)

    def delete(self) -> None:
        self.pick("planes", "contacts", "outputs", "springs", "functions", "runs", "winds", "loads")
        self.window.panels["outline"].tree.setFocus()
        self.play.key(Qt.Key.Key_Delete)

    def copy_and_paste(self) -> None:
        self.pick("belts", "contacts", "planes", "contact_laws")
        self.window.panels["outline"].tree.setFocus()
        self.play.key(Qt.Key.Key_C, CTRL)
        self.play.key(Qt.Key.Key_V, CTRL)

    def rename(self) -> None:
        self.pick()
        self.window.panels["outline"].tree.setFocus()
        self.play.key(Qt.Key.Key_F2)
        if isinstance(self.play.focus, QLineEdit):
            self.play.type(f"thing {self.chance.randint(0, 10**6)}")
            self.play.key(Qt.Key.Key_Return)
            turns()


@pytest.mark.seeded
def test_many_edits_there_and_back(
    window: Any, qtbot: Any, seated_file: Path, tmp_path: Path
) -> None:
    play = Play(window, qtbot, "long_edit")
    window.open_file(seated_file)
    document = window.bench.document
    first = to_json(document.project)
    hands, ways = Hands(play, 5), Counter[str]()
    for _ in range(3 * EDITS):
        if document.history.count() >= EDITS:
            break
        before = document.history.count()
        way = hands.edit()
        ways[way] += document.history.count() > before
    assert document.history.count() >= EDITS, ways
    assert len(ways) == 9, ways
    assert all(ways.values()), ways
    texts = [document.history.text(i) for i in range(document.history.count())]
    assert all(texts)
    play.step("edited")
    document.save(tmp_path / "edited.json")
    edited = (tmp_path / "edited.json").read_bytes()

    window.panels["outline"].tree.setFocus()
    for _ in texts:
        assert document.history.canUndo()
        play.key(Qt.Key.Key_Z, CTRL)
    assert not document.history.canUndo()
    assert to_json(document.project) == first
    play.step("undone")
    for _ in texts:
        play.key(Qt.Key.Key_Z, CTRL | SHIFT)
    document.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == edited
    play.step("done_again")
