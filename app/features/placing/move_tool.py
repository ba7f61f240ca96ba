"""The tool that moves and turns what is selected: by handles, or by the keys G and R."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from app import texts
from app.document import Document
from app.editing.grips import Grip
from app.editing.moving import CannotMove, moved, moved_along, turned
from app.editing.naming import counted
from app.elements import element_label
from app.features.placing.holding import Holding, Targets
from app.features.placing.scene_tools import measure
from app.scene.handles import Drag, Part, Way, about
from app.scene.lens import Lens
from app.scene.tool import Tool, paint_label
from app.scene.viewport import Viewport
from solver.base.units import UnitError, display_unit, parse, show
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.project import Project, ProjectError

_NUMBER = set("0123456789.,-+*/() ")
_AXES = {Qt.Key.Key_X: 0, Qt.Key.Key_Y: 1, Qt.Key.Key_Z: 2}


class MoveTool(Tool):
    """Show grips of the selected element and change the document by them, one step for each drag."""

    def __init__(self, document: Document, view: Viewport, say: Callable[[str], None]) -> None:
        self._document, self._view, self._say = document, view, say
        self.system = "metric"
        self.holding = Holding()
        self.operation: Operation | None = None
        self._targets: Targets | None = None
        self._by_key = False
        self._preview: Project | None = None
        self._snap: Snap = ""

    # what can be taken

    @property
    def is_busy(self) -> bool:  # type: ignore[override]
        """Whether something is being moved."""
        return self.operation is not None or self.holding.is_hot

    @property
    def hint(self) -> str:  # type: ignore[override]
        """Say how one goes on with what is moved, or what the handle under the mouse does."""
        if self.operation is not None:
            moves = self.operation.kind == "move"
            if self._by_key and moves:
                return tr("X, Y, Z keep to an axis; type a number; Alt puts it onto what is under the mouse; Enter or click takes it, Esc leaves it.")  # fmt: skip
            if self._by_key:
                return tr("X, Y, Z keep to an axis; type a number; Enter or click takes it, Esc leaves it.")  # fmt: skip
            if moves:
                return tr("Ctrl keeps to round steps, Alt puts it onto what is under the mouse; let go to take it.")  # fmt: skip
            return tr("Ctrl keeps to round steps; let go to take it.")
        hot = self.holding.hot
        if hot is not None:
            return tr(texts.scene.HANDLES[hot.way], axis="xyz"[hot.axis])
        return (
            tr("Drag this point, or click it to give it the handles.")
            if self.holding.hot_grip >= 0
            else ""
        )

    def takes_tab(self, ahead: bool) -> bool:
        """Whether there is another grip to go to."""
        there = self.holding.active + (1 if ahead else -1)
        return self.operation is None and 0 <= there < len(self.grips)

    def entered(self, ahead: bool) -> None:
        """Begin with the first grip, or with the last."""
        if self.operation is None and self.grips:
            self.holding.active = 0 if ahead else len(self.grips) - 1
            self._view.update()

    @property
    def grips(self) -> tuple[Grip, ...]:
        """What can be taken now."""
        return self.holding.grips

    @property
    def grip(self) -> Grip | None:
        """The grip that carries the handles."""
        return self.holding.grip

    def look(self) -> None:
        """Find the grips of what is selected now."""
        if self.operation is not None:
            self.cancel()
        document, holding = self._document, self.holding
        path = holding.grip.path if holding.grip else None
        holding.find(document.project, document.selection)
        field = document.field.removeprefix(f"{document.selection}/") if document.field else ""
        holding.choose(holding.path_of(field) or path)
        holding.cool()
        self._view.update()

    def next_grip(self, step: int = 1) -> None:
        """Put the handles on the next grip of the element."""
        if self.grips and self.operation is None:
            self.holding.active = (self.holding.active + step) % len(self.grips)
            self._say(
                tr(
                    "{grip}: drag it, or press G to move, R to turn.",
                    grip=self.grips[self.holding.active].title,
                )
            )
            self._view.update()

    # by key

    def begin(self, kind: Literal["move", "turn"]) -> None:
        """Move or turn the active grip with the mouse, without a button, until Enter or a click."""
        grip, lens = self.grip, self._view.lens
        if grip is None or lens is None:
            self._say(tr("Select something that has a place first: a segment, a plane, a belt."))
            return
        if not (grip.moves if kind == "move" else grip.turns):
            words = (
                msgid("{grip} cannot be moved.")
                if kind == "move"
                else msgid("{grip} cannot be turned.")
            )
            self._say(tr(words, grip=grip.title))
            return
        if self.operation is not None:
            self.cancel()
        place = grip.p_W if grip.pivot_W is None or kind == "move" else grip.pivot_W
        mouse = self._view.mouse
        drag = Drag(Part("free"), place, np.eye(3), mouse.x(), mouse.y())
        self.operation = Operation(kind, grip, drag, self.system)
        self._by_key = True
        self._view.setFocus()
        self._view.update()

    def wants(self, event: QKeyEvent) -> bool:
        """Keep letters and digits while something is moved, and Tab while there are grips."""
        if self.operation is not None:
            return not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        key = event.key()
        is_tab = key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        return is_tab and self.takes_tab(key == Qt.Key.Key_Tab)

    def typed(self, event: QKeyEvent) -> bool:
        """Lock an axis, build a number, take it over or leave it."""
        key, op = Qt.Key(event.key()), self.operation
        if op is None:
            if self.wants(event):
                self.next_grip(1 if key == Qt.Key.Key_Tab else -1)
                return True
            return False
        if key == Qt.Key.Key_Escape:
            self.cancel()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finish()
        elif key in _AXES:
            self.operation = op.locked(_AXES[key])
        elif key == Qt.Key.Key_Backspace:
            self.operation = op.with_typed(op.number[:-1])
        elif event.text() and event.text() in _NUMBER:
            self.operation = op.with_typed(op.number + event.text().replace(",", "."))
        elif key == Qt.Key.Key_Control:
            self._snap = "grid" if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else "step"
        else:
            return True
        self._follow()
        return True

    # by mouse

    def pressed(self, event: QMouseEvent) -> bool:
        """Take a handle or a grip's dot; a click ends what a key has begun, the right button leaves it."""
        at, lens = event.position(), self._view.lens
        if self.operation is not None:
            if event.button() == Qt.MouseButton.LeftButton:
                self.finish()
            else:
                self.cancel()
            return True
        if event.button() != Qt.MouseButton.LeftButton or lens is None:
            return False
        if event.modifiers() & (
            Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
        ):
            return False
        part = self.holding.take(lens, at.x(), at.y())
        if part is None:
            return False
        handles, grip = self.holding.handles(), self.grip
        assert handles is not None and grip is not None  # noqa: PT018
        axes = handles.axes
        if part.way == "free" and grip.path.startswith("corner/"):
            part, axes = Part("plane", 2), grip.R_W
        kind: Literal["move", "turn"] = "turn" if part.way == "turn" else "move"
        drag = Drag(part, handles.p_W, axes, at.x(), at.y())
        own = self.holding.own_axes and part.way in ("axis", "turn")
        lock = tr("own {axis}", axis="xyz"[part.axis]) if own else ""
        self.operation = Operation(kind, grip, drag, self.system, lock=lock)
        self._by_key = False
        return True

    def moved(self, event: QMouseEvent) -> bool:
        """Follow the mouse; without a drag, light up the handle under it."""
        self._snap = _snap_of(event)
        if self.operation is not None:
            self._aim(bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
            self._follow()
            return True
        lens = self._view.lens
        if lens is None or event.buttons() != Qt.MouseButton.NoButton:
            return False
        if self.holding.light(lens, event.position().x(), event.position().y()):
            self._view.update()
        return self.holding.is_hot

    def _aim(self, onto: bool) -> None:
        """Let what is moved go onto what is under the mouse, or follow the mouse alone."""
        op, lens, document = self.operation, self._view.lens, self._document
        if op is None or lens is None:
            return
        found = None
        if onto and op.kind == "move":
            if self._targets is None:
                along = moved_along(document.project, document.selection, op.grip.path)
                moving = {document.selection, *(f"segments/{one}" for one in along)}
                held = {path.partition("/")[2] for path in moving if path.startswith("segments/")}
                joints = (j for j in document.project.joints if j.child in held or j.parent in held)
                self._targets = Targets(document.project, {*moving, *(f"joints/{j.id}" for j in joints)})  # fmt: skip
            found = self._targets.at(self._view.stage, lens, self._view.mouse.x(), self._view.mouse.y())  # fmt: skip
        place, words = found or (None, "")
        self.operation = replace(op, target=place, onto=words)

    def released(self, event: QMouseEvent) -> None:
        """Take over what a drag has made."""
        if self.operation is not None and not self._by_key:
            self._snap = _snap_of(event)
            self.finish()

    # what comes of it

    def result(self) -> Project | None:
        """The project as the operation would leave it; None where it cannot be."""
        op, lens = self.operation, self._view.lens
        if op is None or lens is None:
            return None
        project, element = self._document.project, self._document.selection
        at = self._view.mouse
        try:
            if op.kind == "move":
                by = op.shift(lens, at.x(), at.y(), self._snap)
                if not np.any(np.abs(by) > 1e-9):
                    return project
                return moved(project, element, op.grip.path, by)
            angle = op.angle(lens, at.x(), at.y(), self._snap)
            if abs(angle) < 1e-9:
                return project
            R = op.turn(lens, at.x(), at.y(), self._snap)
            return turned(project, element, op.grip.path, R)
        except UnitError:
            return None
        except CannotMove as reason:
            self._say(str(reason))
        except ProjectError as failure:
            self._say(failure.problems[0].sentence)
        return None

    def finish(self) -> None:
        """Make what is shown one step of the history."""
        op, lens, document = self.operation, self._view.lens, self._document
        if op is None or lens is None:
            return
        result = self.result()
        if result is None and not op.number:
            # the hand has gone too far: what was possible last is what is seen
            result = self._preview
        place = self._place_of(op, lens)
        self.operation = self._preview = self._targets = None
        element = element_label(document.project, document.selection)
        whole = tr("{grip} of {name}", grip=op.grip.title, name=element)
        name = element if op.grip.title == element else whole
        before = document.project
        if result is not None:
            words = msgid("Move {name}") if op.kind == "move" else msgid("Turn {name}")
            document.replace(result, tr(words, name=name))
        if document.project is before:
            self._view.update_project(before)
        self._find(document.project, place)
        self._view.update()

    def cancel(self) -> None:
        """Leave everything as it was."""
        op = self.operation
        if op is None:
            return
        self.operation = self._preview = self._targets = None
        self._view.update_project(self._document.project)
        self._find(self._document.project, op.grip.p_W)
        self._say(tr("Left as it was."))
        self._view.update()

    def _follow(self) -> None:
        op, lens = self.operation, self._view.lens
        if op is None or lens is None:
            return
        result = self.result()
        if result is not None:
            self._preview = result
            self._view.preview_project(result)
            self._find(result, self._place_of(op, lens))
        self._view.update()

    def _place_of(self, op: Operation, lens: Lens) -> Array:
        """Where the grip that is moved has come to."""
        at = self._view.mouse
        try:
            by = op.shift(lens, at.x(), at.y(), self._snap) if op.kind == "move" else np.zeros(3)
        except UnitError:
            by = np.zeros(3)
        place: Array = op.grip.p_W + by
        return place

    def _find(self, project: Project, place: Array) -> None:
        """Look for the grips again; where there are others than before, the handles go with the place."""
        before = len(self.grips)
        self.holding.find(project, self._document.selection)
        if len(self.grips) != before:
            self.holding.follow(place)

    def paint(self, painter: QPainter) -> None:
        """Paint dots, handles, and the numbers of what goes on."""
        lens, op = self._view.lens, self.operation
        if lens is None or self.grip is None:
            return
        theme, at = self._view.theme, self._view.mouse
        self.holding.paint(painter, lens, theme, op.drag.part if op else None)
        if op is not None:
            paint_label(painter, self._words(op, lens), at, self._view.rect(), theme)
        elif self.holding.hot_grip >= 0:
            title = self.grips[self.holding.hot_grip].title
            paint_label(painter, title, at, self._view.rect(), theme)

    def _words(self, op: Operation, lens: Lens) -> str:
        at, project = self._view.mouse, self._document.project
        text = op.words(lens, at.x(), at.y(), self._snap)
        if op.onto:
            text = tr("{moved}   onto {what}", moved=text, what=op.onto)
        shown = self._preview or project
        more = measure(shown, self._document.selection, self.system, op.grip.path, project)
        along = moved_along(project, self._document.selection, op.grip.path)
        if op.kind == "move" and along:
            more = tr(
                "with {what} joined to it", what=counted([f"segments/{one}" for one in along])
            )
        return f"{text}   {more}" if more else text


_STEPS_M = {"inch_pound": 0.0254 / 2.0}
_STEP_M, _STEP_RAD = 0.01, math.radians(5.0)


Snap = Literal["", "step", "grid"]
"""Whether a way is of whole steps, or ends on the grid of the ground."""


def _snap_of(event: QMouseEvent) -> Snap:
    keys = event.modifiers()
    if not keys & Qt.KeyboardModifier.ControlModifier:
        return ""
    return "grid" if keys & Qt.KeyboardModifier.ShiftModifier else "step"


@dataclass(frozen=True)
class Operation:
    """What is moved or turned, from where, along what, and the number that is typed."""

    kind: Literal["move", "turn"]
    grip: Grip
    drag: Drag
    system: str = "metric"
    number: str = ""
    lock: str = ""
    """'', or 'x', 'y', 'z' of the ground, or 'own x' and so on."""
    target: Array | None = None
    """The place (m, ground axes) onto which it goes, and what that is; along an axis as far as level with it."""
    onto: str = ""

    def locked(self, axis: int) -> Operation:
        """Keep to an axis of the ground; the same again: of the element; once more: none."""
        name = "xyz"[axis]
        after = {"": name, name: f"own {name}", f"own {name}": ""}
        lock = after.get(self.lock, name)
        axes = self.grip.R_W if lock.startswith("own") else np.eye(3)
        way: Way = "axis" if self.kind == "move" else "turn"
        part = Part(way, axis) if lock else Part("free")
        return replace(self, lock=lock, drag=replace(self.drag, part=part, axes=axes))

    def with_typed(self, text: str) -> Operation:
        """Go on with another typed number; a move without an axis then goes along x."""
        op = replace(self, number=text)
        if text and self.kind == "move" and op.drag.part.way != "axis":
            op = op.locked(0)
        return op

    def shift(self, lens: Lens, x: float, y: float, snap: Snap) -> Array:
        """The shift in ground axes (m)."""
        part = self.drag.part
        if self.number and part.way == "axis":
            return self._typed("m") * self.drag.axes[:, part.axis]
        if self.target is not None:
            return self._onto_target(self.target)
        found = self.drag.shift(lens, x, y)
        if not snap:
            return found
        step = _STEPS_M.get(self.system, _STEP_M)
        axes = self.drag.axes if part.way in ("axis", "plane") else np.eye(3)
        way, start = axes.T @ found, axes.T @ self.grip.p_W if snap == "grid" else np.zeros(3)
        rounded = step * np.round((start + way) / step) - start
        # along what it is not moved it stays, whether that lies on the grid or not
        snapped: Array = axes @ np.where(self._free(), rounded, 0.0)
        return snapped

    def _free(self) -> NDArray[np.bool_]:
        """Along which of its axes it moves."""
        part, k = self.drag.part, np.arange(3)
        return k == part.axis if part.way == "axis" else k != part.axis if part.way == "plane" else k >= 0  # fmt: skip

    def _onto_target(self, place: Array) -> Array:
        axes = self.drag.axes
        whole: Array = axes @ np.where(self._free(), axes.T @ (place - self.grip.p_W), 0.0)
        return whole

    def angle(self, lens: Lens, x: float, y: float, snap: Snap) -> float:
        """The turn (rad)."""
        if self.number:
            return self._typed("rad")
        found = self.drag.angle(lens, x, y)
        return _STEP_RAD * round(found / _STEP_RAD) if snap else found

    def turn(self, lens: Lens, x: float, y: float, snap: Snap) -> Array:
        """The turn in ground axes."""
        return about(self.drag.axis(lens), self.angle(lens, x, y, snap))

    def words(self, lens: Lens, x: float, y: float, snap: Snap) -> str:
        """Say what is moved, along what and how far."""
        part, title = self.drag.part, self.grip.title
        axis = self.lock or ("xyz"[part.axis] if part.way in ("axis", "turn") else "")
        if self.number:
            try:
                self._typed("m" if self.kind == "move" else "rad")
            except UnitError:
                return f"{title}   {axis}  {self.number} ?"
        if self.kind == "turn":
            text = _value_text(self.angle(lens, x, y, snap), "rad", self.system)
            return f"{title}   {axis or tr('about the view')}  {self.number + ' = ' if self.number else ''}{text}"
        if self.grip.slides and not self.number:
            return title
        shift = self.shift(lens, x, y, snap)
        if axis:
            along = float(self.drag.axes[:, part.axis] @ shift)
            typed = f"{self.number} = " if self.number else ""
            return f"{title}   {axis}  {typed}{_value_text(along, 'm', self.system)}"
        three = (f"{'xyz'[k]} {_value_text(float(shift[k]), 'm', self.system)}" for k in range(3))
        return f"{title}   {'   '.join(three)}"

    def _typed(self, si_unit: str) -> float:
        if self.number in ("-", "+", ".", "-."):
            return 0.0
        return parse(self.number, si_unit, display_unit(si_unit, self.system))


def _value_text(value: float, si_unit: str, system: str) -> str:
    """Write a length to a tenth of a millimetre, an angle to a tenth of a degree, with its sign."""
    finest = 1e-4 if si_unit == "m" else math.radians(0.1)
    rounded = finest * round(value / finest)
    text = show(rounded, si_unit, display_unit(si_unit, system), digits=5).replace(" °", "°")
    return f"+{text}" if rounded > 0.0 else text
