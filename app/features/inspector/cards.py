"""Above the form: where what is selected is at the start, and what can be done with a person."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import texts
from app.document import Document
from app.editing.grips import Coordinate, Grip, coordinates, grips
from app.editing.moving import CannotMove, moved
from app.elements import element_label, find, name_of
from app.forms.choices import Choice, Number
from app.forms.form import Form
from app.forms.form_commands import FormCommands
from app.forms.lines import NumberLine
from app.guard import guard
from app.look import Theme
from app.with_properties import with_properties
from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.editing.persons import Person
from solver.project import Project, ProjectError
from solver.project.posing import PoseError, with_joint
from solver.scene.placing import placeable, pose_at_start

_FAR = {"rad": 7.0, "m": 100.0}
"""So far a coordinate may be typed, in SI."""
_DIGITS, _STEP = {"°": 3, "rad": 5, "mm": 2, "m": 5, "in": 4}, {"°": 1.0, "mm": 1.0, "in": 0.1}
_LABEL_PX = 104


class Trimmed(Number):
    """Write no zeros behind the last digit that says something."""

    @guard
    def textFromValue(self, value: float) -> str:
        """Write a number."""
        written = super().textFromValue(value)
        point = self.locale().decimalPoint()
        return written.rstrip("0").rstrip(point) if point in written else written


class StartCard(QWidget):
    """Show place and turn of a root, or the coordinates of a joint: one angle of a pin."""

    def __init__(self, document: Document, commands: FormCommands) -> None:
        super().__init__()
        self._document, self._commands = document, commands
        self.heading = with_properties(QLabel(tr("At the start")), objectName="section")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 8)
        self._column.setSpacing(2)
        self._column.addWidget(self.heading)
        self.forms: list[Form] = []
        self.holder = QWidget()
        self._grid = QGridLayout(self.holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self._column.addWidget(self.holder)
        self.fields: list[Number] = []
        self._labels: list[QLabel] = []
        self._joint: Any = None
        self._system, self._theme_of = "", None
        self.hide()

    def show_start(self, path: str, theme: Theme) -> None:
        """Show where a segment, or what a joint carries, is at the start; nothing of other elements."""
        project = self._document.project
        joint = _carrier(project, path)
        rows = coordinates(project, joint) if joint is not None else ()
        starts = _starts(project, path) if joint is None else []
        self._joint = joint
        self._show_forms(starts, theme)
        self._show_rows(rows)
        self.setVisible(bool(rows or starts))

    def _show_forms(self, starts: list[tuple[str, Any]], theme: Theme) -> None:
        """Show forms of start and attitude; they are built again only where they do not fit."""
        key: Any = (self._commands.units.system, theme)
        fits = key == self._theme_of and [f.path for f in self.forms] == [p for p, _ in starts]
        if fits and all(
            f.is_true_for(p, one) for f, (p, one) in zip(self.forms, starts, strict=True)
        ):
            for form in self.forms:
                form.refresh()
            return
        for form in self.forms:
            form.hide()
            form.deleteLater()
        self.forms, self._theme_of = [], key
        for path, one in starts:
            form = Form(self._commands, theme)
            form.show_part(path, one, {"segment"}, ())
            self._column.insertWidget(1 + len(self.forms), form)
            self.forms.append(form)

    def _show_rows(self, rows: tuple[Coordinate, ...]) -> None:
        while len(self.fields) < len(rows):
            self._add()
        system = self._commands.units.system
        for number, (label, field) in enumerate(zip(self._labels, self.fields, strict=True)):
            there = number < len(rows)
            label.setVisible(there)
            field.setVisible(there)
            if not there:
                continue
            row = rows[number]
            unit = display_unit(row.unit, system)
            far = convert(_FAR[row.unit], row.unit, unit)
            sign = pretty(unit)
            label.setText(row.title)
            with QSignalBlocker(field):
                field.setDecimals(_DIGITS.get(sign, 4))
                field.setSingleStep(_STEP.get(sign, 0.01))
                field.setRange(-far, far)
                field.setSuffix(sign if sign == "°" else f" {sign}")
                field.setValue(convert(row.value, row.unit, unit))
            field.setProperty("unit", row.unit)
            words = tr("{coordinate} of {joint}", coordinate=row.title, joint=name_of(self._joint))
            field.setAccessibleName(words)
            field.setToolTip(tr("{what} at the start", what=words))
        self.holder.setVisible(bool(rows))

    def _add(self) -> None:
        number = len(self.fields)
        label = with_properties(QLabel(), objectName="muted")
        label.setMinimumWidth(_LABEL_PX)
        field = Trimmed(-1.0, 1.0, 1.0, 2)
        field.setKeyboardTracking(False)
        field.valueChanged.connect(lambda value: self._on_typed(number, value))
        label.setBuddy(field)
        self._grid.addWidget(label, number, 0, Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(field, number, 1)
        self._labels.append(label)
        self.fields.append(field)

    def _on_typed(self, number: int, value: float) -> None:
        """Set the joint to what is typed; the check tells where a stop is passed."""
        project, joint = self._document.project, self._joint
        if joint is None:
            return
        rows = coordinates(project, joint)
        wanted = [row.value for row in rows]
        unit = rows[number].unit
        shown = display_unit(unit, self._commands.units.system)
        wanted[number] = round(float(convert(value, shown, unit)), 9)
        try:
            done = with_joint(project, joint.id, wanted)
        except PoseError as failure:
            self._document.said.emit(str(failure))
            self._show_rows(rows)
            return
        self._document.replace(done, tr(texts.scene.POSED, name=name_of(joint)))


def _carrier(project: Project, path: str) -> Any:
    """The joint that is selected, or that carries the selected segment."""
    if len(placeable(project).joints) != len(project.joints):
        return None
    list_name, _, id_ = path.partition("/")
    if list_name == "joints":
        return find(project, path)
    return next((j for j in project.joints if list_name == "segments" and j.child == id_), None)


def _starts(project: Project, path: str) -> list[tuple[str, Any]]:
    """What says where a root starts, and how it is turned, with their paths."""
    list_name, _, id_ = path.partition("/")
    if list_name != "segments":
        return []
    start = project.initial
    found: list[tuple[str, Any]] = []
    for name in ("roots", "attitudes"):
        for number, one in enumerate(getattr(start, name)):
            if one.segment == id_:
                found.append((f"initial/{name}/{number}", one))
    return found


class PlaceCard(QWidget):
    """Show where an element is at the start in ground axes, or one of its points, and take another place for it."""

    def __init__(self, document: Document, commands: FormCommands) -> None:
        super().__init__()
        self._document, self._commands = document, commands
        self.path = ""
        self._grips: tuple[Grip, ...] = ()
        self.heading = with_properties(QLabel(tr("Where it is")), objectName="section")
        self.point = Choice()
        self.point.setAccessibleName(tr("Point of the element"))
        self.point.setToolTip(tr("Whose place is shown and typed"))
        self.point.activated.connect(lambda _: self._fill())
        self.lines = [
            NumberLine(partial(self._take, axis), commands.units, "m") for axis in range(3)
        ]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(2)
        column.addWidget(self.heading)
        column.addWidget(self.point)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for axis, line in zip("xyz", self.lines, strict=True):
            words = tr("Place along {axis} of the ground", axis=axis)
            line.setAccessibleName(words)
            line.setToolTip(words)
            line.refused.connect(document.said)
            row.addWidget(with_properties(QLabel(axis), objectName="muted"))
            row.addWidget(line, 1)
        column.addLayout(row)
        self.hide()

    def show_place(self, path: str) -> None:
        """Show an element's place; nothing where its form or the joint that carries it says it already."""
        project = self._document.project
        told = not path or (path.startswith("segments/") and _is_told(project, path))
        found = () if told else grips(project, pose_at_start(project), path)
        found = tuple(one for one in found if one.moves and not one.slides)
        titles = [one.title for one in found]
        if path != self.path or titles != [self.point.itemText(n) for n in range(self.point.count())]:  # fmt: skip
            self.point.clear()
            self.point.addItems(titles)
        self.path, self._grips = path, found
        self.point.setVisible(len(found) > 1)
        self.setVisible(bool(found))
        self._fill()

    def _fill(self) -> None:
        units = self._commands.units
        number = self.point.currentIndex()
        if 0 <= number < len(self._grips):
            for line, value in zip(self.lines, self._grips[number].p_W, strict=True):
                line.units = units
                line.show_value(round(float(value), 9) + 0.0)

    def _take(self, axis: int, value: float, step: bool) -> bool:
        """Move what is shown along one axis of the ground."""
        grip, document = self._grips[self.point.currentIndex()], self._document
        by = np.zeros(3)
        by[axis] = value - grip.p_W[axis]
        try:
            done = moved(document.project, self.path, grip.path, by)
        except (CannotMove, ProjectError) as failure:
            problem = failure.problems[0].sentence if isinstance(failure, ProjectError) else ""
            document.said.emit(problem or str(failure))
            return False
        name = element_label(document.project, self.path)
        text = tr("Move {name}", name=name)
        document.replace(done, text, f"place/{self.path}/{grip.path}" if step else None)
        return True


def _is_told(project: Project, path: str) -> bool:
    """Whether what stands above a segment's form says where it is."""
    return _carrier(project, path) is not None or any(
        one.segment == path.partition("/")[2] for one in project.initial.roots
    )


_DEEDS = (
    ("place.replace", msgid("Replace by another body…"), msgid("Another size or kind; belts are laid again, and it comes to rest")),
    ("run.sizes", msgid("Three sizes compared"), msgid("Run the same crash with the small woman, the mid-size man and the large man")),
    ("place.next_seat", msgid("Copy to the next seat"), msgid("Another one beside, with seat and belt")),
    ("place.settle", msgid("Settle…"), msgid("Let it come to rest on seat, floor and belts")),
    ("edit.rename", msgid("Rename"), msgid("Call it otherwise")),
    ("edit.delete", msgid("Delete"), msgid("Take it away with the belts over it")),
)  # fmt: skip


class PersonCard(QWidget):
    """Say who it is, and offer what can be done with it."""

    asked = Signal(str)
    """The id of a command."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(6)
        self.figures = with_properties(QLabel(), wordWrap=True)
        column.addWidget(self.figures)
        self.buttons: dict[str, QPushButton] = {}
        for id_, words, tip in _DEEDS:
            button = with_properties(QPushButton(tr(words)), toolTip=tr(tip))
            button.clicked.connect(lambda _=False, asked=id_: self.asked.emit(asked))
            self.buttons[id_] = button
            column.addWidget(button)
        self.hint = with_properties(
            QLabel(
                tr(
                    "G moves it, R turns it; a click on a segment selects that alone, P the person again."
                )
            ),
            objectName="muted",
            wordWrap=True,
        )
        column.addWidget(self.hint)
        self.hide()

    def show_person(self, one: Person | None) -> None:
        """Show a person, or nothing where none is selected as a whole."""
        self.setVisible(one is not None)
        if one is None:
            return
        self.figures.setText(
            tr("{kg:.1f} kg in {number} segments", kg=one.mass_kg, number=len(one.segments))
        )
        for id_ in ("place.replace", "run.sizes", "place.next_seat"):
            self.buttons[id_].setVisible(one.is_ours)
