"""A newcomer builds three ellipsoids with seat, belt, pulse and bag from nothing: by what is in sight, in few actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QTreeWidget, QWidget

from app.features.placing.library_dialog import LibraryDialog
from solver.engine.maths.rotation import angle_between, matrices
from solver.project import Project, to_json
from solver.project.pose import panel_of
from tests.window.playing import ON, Play, in_sight, plain, said
from tests.window.waiting import turns

pytestmark = pytest.mark.window
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Newcomer(Play):
    """Click only what can be seen and read, and count what was done."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.done: list[str] = []

    def press(self, words: str) -> None:
        """Click a button by what stands on it."""
        found = [one for one in _seen(QAbstractButton) if plain(one.text()) == said(words)]
        assert found, (
            f"no button says '{words}': {sorted(plain(o.text()) for o in _seen(QAbstractButton))}"
        )
        self.count(words)
        self.click(found[0])

    def menu(self, *words: str) -> None:
        """Click a title in the menu bar, and entries in the menus that it opens."""
        bar = self.window.menuBar()
        holder: Any = bar
        for one in map(said, words):
            there = {plain(a.text()): a for a in holder.actions() if a.isVisible()}
            assert one in there, f"no entry '{one}' in {sorted(there)}"
            action = there[one]
            assert action.isEnabled(), f"'{one}' is greyed out"
            self.count(one)
            self._click_entry(holder, action)
            holder = action.menu() or holder
        turns(1)

    def _click_entry(self, holder: Any, action: QAction) -> None:
        """Click an entry, again where a bar whose menu has closed just now has taken no click."""
        at, within = holder.actionGeometry(action).center(), action.menu()

        def opens() -> bool:
            QTest.mouseClick(holder, LEFT, Qt.KeyboardModifier.NoModifier, at)
            turns(5)
            return within is None or within.isVisible()

        self.until(opens)

    def row(self, tree: QTreeWidget, words: str) -> None:
        """Click a row of a list by its words."""
        (item,) = tree.findItems(words, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
        tree.scrollToItem(item)
        turns(1)
        at = tree.visualItemRect(item).center()
        assert tree.viewport().rect().contains(at)
        self.count(words)
        QTest.mouseClick(tree.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, at)
        turns(1)

    def into(self, name: str) -> None:
        """Click into a field by its name."""
        for scrolled in range(12):
            found = [one for one in _seen(QLineEdit) if one.accessibleName() == said(name)]
            if found:
                break
            if not scrolled:
                self.count("scroll down")
            self._wheel()
        assert found, f"no field '{name}' in {[o.accessibleName() for o in _seen(QLineEdit)]}"
        self.count(name)
        self.click(found[0])

    def _wheel(self) -> None:
        area = self.window.features["fields"].panel.area
        at = QPointF(area.viewport().rect().center())
        there = area.viewport().mapToGlobal(at)
        QApplication.sendEvent(area.viewport(), QWheelEvent(at, there, QPoint(), QPoint(0, -240), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False))  # fmt: skip
        turns(1)

    def number(self, text: str) -> None:
        """Type into the field that has the keyboard, and go on to the next."""
        self.count(text)
        self.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.type(text)
        self.key(Qt.Key.Key_Tab)

    def press_key(self, key: Qt.Key) -> None:
        """Press a key that stands in a menu."""
        self.count(key.name)
        self.key(key)

    def text(self, words: str) -> None:
        """Type a name, and press Enter."""
        self.count(words)
        self.type(words)
        self.key(Qt.Key.Key_Return)

    def place(self, at: QPointF) -> None:
        """Click a place in the scene."""
        self.count("a place in the scene")
        self.click(self.window.bench.viewport, at)

    def count(self, what: str) -> None:
        self.done.append(what)


def _seen(kind: type) -> list[Any]:
    """What of a kind could be clicked."""
    tops: list[QWidget] = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
    found = [one for top in tops for one in top.findChildren(kind) if one.isEnabled()]
    return [one for one in found if in_sight(one, one.rect().center())]


def test_three_ellipsoids(window: Any, qtbot: Any) -> None:
    play = Newcomer(window, qtbot, "by_hand")
    document, view = window.bench.document, window.bench.viewport
    play.press("New: empty")
    empty = document.project
    play.press("Segment")

    def name(new: str) -> None:
        play.press_key(Qt.Key.Key_F2)
        play.text(new)

    def sized(*axes: str) -> None:
        play.into("Semi-axes 1")
        for one in axes:
            play.number(one)

    name("Lower trunk")
    sized("120", "170", "180")
    play.menu("Insert", "Segment")
    name("Upper trunk")
    play.menu("Insert", "Joints", "Ball joint")
    play.menu("Insert", "Segment")
    name("Head")
    sized("100", "80", "120")
    play.menu("Insert", "Joints", "Ball joint")
    play.step("body")
    play.menu("Insert", "Part of the library…")
    library = play.dialog(LibraryDialog)
    play.row(library.entries.tree, "Car front seat")
    play.until(lambda: library.insert.isEnabled())
    play.step("seat")
    play.press("Insert")
    play.come_back()
    play.step("seated")
    play.menu("Place", "Strap by two clicks")
    for y in (0.25, -0.25):
        play.place(QPointF(*view.lens.pixel(np.array((-0.15, y, 0.15)))))
    play.step("belted")
    play.menu("Insert", "Crash pulse or motion")
    play.step("pulse")
    play.menu("Insert", "Airbag")
    play.step("bag")
    play.press("▶  Run")
    record = play.until_solved()
    play.step("run")
    window.bench.run_view.go(0.1)
    play.step("at_100_ms")
    found = figures(record.trajectory, document.project)
    if ON is None:
        # on a small screen some fields are scrolled to
        assert len(play.done) <= 40, play.done
    assert record.status == "completed"
    assert 20.0 < found["bag kPa"] < 80.0
    assert found["aside mm"] < 150.0, "its middle is before the panel, which is 600 mm wide"
    assert found["clear of the panel mm"] < 1.0
    assert found["head turns"] < 90.0
    while document.history.canUndo():
        window.menus.run("edit.undo")
    assert to_json(document.project) == to_json(empty)


def figures(run: Any, project: Project) -> dict[str, float]:
    """What the bag holds at 100 ms, how far its middle is from the panel's front, and how far the head turns against the trunk."""
    bag = project.airbags[0]
    at = int(np.argmin(np.abs(np.asarray(run.time) - 0.1)))
    panel = panel_of(bag, project)
    assert panel is not None
    R = {name: matrices(run.segment(name).quaternion_wxyz) for name in run.segment_ids}
    table = run.table("airbags").row(bag.id)
    foot = run.segment(panel.segment).position[at] + R[panel.segment][at] @ panel.of(
        bag.deployment_point_m
    )
    off = R[panel.segment][at].T @ (table["position"][at] - foot)

    def turned(one: str, other: str) -> float:
        return float(max(angle_between(a, b) for a, b in zip(R[one], R[other], strict=True)))

    return {
        "bag kPa": float(table["pressure"][at]) / 1e3,
        "aside mm": 1e3 * float(np.hypot(off[1], off[2])),
        "clear of the panel mm": 1e3 * float(-off[0] - table["semi_axes"][at][0]),
        "head turns": np.degrees(turned("head", "upper_trunk")),
        "head turns in the vehicle": np.degrees(turned("head", "vehicle")),
    }
