"""Ask for a person and show it in the scene while one chooses."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.elements import spoken
from app.guide.asking import help_by_key
from app.panels.tall import GUTTER_PX, Tall
from app.placing.beside import keep_in_sight
from app.placing.carrying import Carrying, Load
from app.placing.person import WHO, body_of, first_place, inserted, placed, said
from app.scene.drawn import STILL
from app.scene.placing import pose_at_start
from solver.bodies import BodyError, poses
from solver.maths.rotation import Array
from solver.project import ProjectError
from solver.project.segments import GROUND
from solver.units import convert, display_unit, pretty

if TYPE_CHECKING:
    from app.window import MainWindow

_REST_MS = 60
_WIDTH, _PLACE_PX = 436, 64


class BodyDialog(QDialog):
    """Choose sex, size, age, pose and place; the scene shows the body before it is there."""

    def __init__(self, window: MainWindow, system: str) -> None:
        super().__init__(window)
        self.setWindowTitle(texts.scene.BODY_TITLE)
        self._window, self._system = window, system
        self._base = window.document.project
        self.person = first_place(self._base)
        self._guess = self.person.place_m
        self.problem = ""
        self.is_over = False
        self.who, self.pose, self.anchor, self.on = (QComboBox() for _ in range(4))
        for key in WHO:
            self.who.addItem(texts.scene.WHO[key], key)
        for name, entry in poses().items():
            self.pose.addItem(entry.title.capitalize(), name)
        self.anchor.addItem(texts.scene.HIPS_AT, "hips")
        self.anchor.addItem(texts.scene.LOWEST_AT, "lowest")
        self.on.addItem(texts.elements.GROUND, GROUND)
        for segment in self._base.segments:
            self.on.addItem(spoken(self._base, f"segments/{segment.id}"), segment.id)
        self.size = QComboBox()
        self.size.addItem(texts.scene.BY_PERCENTILE, False)
        self.size.addItem(texts.scene.BY_SIZE, True)
        self.percentile = _number(1.0, 99.0, 1.0, 0, texts.scene.TH_PERCENTILE)
        self.height = self._in_units("m", 1.2, 2.2)
        self.weight = self._in_units("kg", 30.0, 180.0)
        self.age = _number(2.0, 20.0, 0.5, 1, texts.scene.YEARS)
        self.place = [self._in_units("m", -100.0, 100.0) for _ in range(3)]
        for field in self.place:
            field.setButtonSymbols(QDoubleSpinBox.ButtonSymbols.NoButtons)
            field.setMinimumWidth(_PLACE_PX)
        self.facing = _number(-180.0, 180.0, 5.0, 1, "°")
        self.hands = QCheckBox(texts.scene.OWN_HANDS)
        self.sensors = QCheckBox(texts.scene.SENSORS)
        self.rests = QCheckBox(texts.scene.RESTS, toolTip=texts.scene.RESTS_TIP)
        self._was_put = False
        """Whether hands have put the body somewhere: then another pose leaves it there."""
        self.figures = QLabel(objectName="muted", wordWrap=True)
        self.insert = QPushButton(
            texts.scene.INSERT, objectName="primary", default=True, toolTip=texts.scene.INSERT_TIP
        )
        self.insert.clicked.connect(self.accept)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._show)
        self._new: frozenset[str] = frozenset()
        """Paths of the body's segments in the preview."""
        self.carrying = Carrying(
            window.viewport, self._load, self._new_has, self._carry, self._said_place
        )
        window.viewport.tools.insert(0, self.carrying)
        window.empty.hide()
        self._lay_out()
        help_by_key(self, "body")
        self._show_person()
        self._connect()
        self.finished.connect(self._on_finished)
        window.document.changed.connect(self._on_changed)
        window.document.opened.connect(self.reject)
        self._show()

    def _lay_out(self) -> None:
        self.form = QFormLayout()
        self._rows: dict[str, QWidget] = {}
        three = _row(*self.place)
        for field, axis in zip(self.place, "xyz", strict=True):
            field.setAccessibleName(texts.scene.PLACE_ALONG.format(axis=axis))
        self.hands.setToolTip(texts.scene.OWN_HANDS_TIP)
        self.sensors.setToolTip(texts.scene.SENSORS_TIP)
        for label, field in (
            (texts.scene.PERSON, self.who),
            (texts.scene.SIZE_BY, self.size),
            (texts.scene.SIZE, self.percentile),
            (texts.scene.HEIGHT, self.height),
            (texts.scene.WEIGHT, self.weight),
            (texts.scene.AGE, self.age),
            (texts.scene.POSE, self.pose),
            (texts.scene.PLACE, self.anchor),
            ("x, y, z", three),
            (texts.scene.FACES, self.facing),
            (texts.scene.SITS_ON, self.on),
            ("", self.hands),
            ("", self.sensors),
            ("", self.rests),
        ):
            self.form.addRow(label, field)
            field.setAccessibleName(label)
        close = QPushButton(texts.scene.CANCEL, toolTip=texts.scene.CANCEL_TIP)
        close.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0, GUTTER_PX, 0)
        buttons.addStretch()
        buttons.addWidget(close)
        buttons.addWidget(self.insert)
        self.setFixedWidth(_WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20 - GUTTER_PX, 16)
        layout.setSpacing(12)
        layout.addWidget(Tall(self.form), 1)
        layout.addWidget(self.figures)
        layout.addWidget(QLabel(texts.scene.BODY_HINT, objectName="muted", wordWrap=True))
        layout.addLayout(buttons)

    def _show_person(self) -> None:
        person = self.person
        for box, value in (
            (self.who, person.who),
            (self.size, person.by_size),
            (self.pose, person.pose),
            (self.anchor, person.anchor),
            (self.on, person.on),
        ):
            box.setCurrentIndex(max(0, box.findData(value)))
        self.percentile.setValue(person.percentile)
        self.age.setValue(person.age_years)
        self.facing.setValue(math.degrees(person.facing_rad))
        self.height.setValue(self._shown(person.height_m, "m"))
        self.weight.setValue(self._shown(person.weight_kg, "kg"))
        for field, value in zip(self.place, person.place_m, strict=True):
            field.setValue(self._shown(value, "m"))
        self.hands.setChecked(person.hands)
        self.sensors.setChecked(person.sensors)
        self.rests.setChecked(person.rests)
        self._show_rows()

    def _connect(self) -> None:
        for box in (self.who, self.size, self.pose, self.anchor, self.on):
            box.currentIndexChanged.connect(self._read)
        numbers = (self.percentile, self.height, self.weight, self.age, self.facing, *self.place)
        for field in numbers:
            field.valueChanged.connect(self._read)
        for check in (self.hands, self.sensors, self.rests):
            check.toggled.connect(self._read)
        for box in (self.pose, self.on):
            box.activated.connect(self._place_anew)
        for field in self.place:
            field.editingFinished.connect(self._on_put)

    def _read(self, *_: object) -> None:
        """Take over what the fields say; another carrier keeps the body where it is."""
        before = self.person
        place = tuple(self._typed(field, "m") for field in self.place)
        self.person = replace(
            before,
            who=self.who.currentData(),
            by_size=self.size.currentData(),
            percentile=self.percentile.value(),
            height_m=self._typed(self.height, "m"),
            weight_kg=self._typed(self.weight, "kg"),
            age_years=self.age.value(),
            pose=self.pose.currentData(),
            anchor=self.anchor.currentData(),
            place_m=place,
            facing_rad=math.radians(self.facing.value()),
            on=self.on.currentData(),
            hands=self.hands.isChecked(),
            sensors=self.sensors.isChecked(),
            rests=self.rests.isChecked(),
        )
        self._show_rows()
        self._rest.start()

    def _on_put(self) -> None:
        shown = tuple(self._typed(field, "m") for field in self.place)
        self._was_put = self._was_put or shown != self._guess

    def _place_anew(self, *_: object) -> None:
        """Put the body where its pose belongs, unless hands have put it somewhere."""
        if self._was_put:
            return
        person = placed(self._base, self.person)
        self._guess = person.place_m
        with QSignalBlocker(self.anchor):
            self.anchor.setCurrentIndex(self.anchor.findData(person.anchor))
        for field, value in zip(self.place, person.place_m, strict=True):
            with QSignalBlocker(field):
                field.setValue(self._shown(value, "m"))
        self._read()

    def _show_rows(self) -> None:
        person = self.person
        for field, visible in (
            (self.size, person.is_adult),
            (self.percentile, person.is_adult and not person.by_size),
            (self.height, person.is_adult and person.by_size),
            (self.weight, person.is_adult and person.by_size),
            (self.age, person.who == "child"),
        ):
            self.form.setRowVisible(field, visible)

    def preview(self) -> None:
        """Show the body in the scene as it would be, or say why it cannot be."""
        try:
            project, _ = inserted(self._base, self.person)
            self.problem = ""
            before = {segment.id for segment in self._base.segments}
            self._new = frozenset(
                f"segments/{s.id}" for s in project.segments if s.id not in before
            )
            self.figures.setText(said(body_of(self.person)))
            self._window.viewport.preview_project(project)
        except (BodyError, ProjectError) as failure:
            self.problem = str(failure)
            self.figures.setText(self.problem)
        self.insert.setEnabled(not self.problem)

    def _show(self) -> None:
        """Show the body as the fields say, all of it."""
        self.preview()
        keep_in_sight(self._window.viewport, self, self._new)

    def _load(self) -> Load:
        """Give where the body is now, in ground axes."""
        at = pose_at_start(self._base).get(self.person.on, STILL)
        place = at.p_W + at.R_WS @ np.array(self.person.place_m)
        return Load(place, at.R_WS, self.person.facing_rad)

    def _new_has(self, element: str) -> bool:
        return element in self._new

    def _carry(self, place_W: Array, facing: float) -> None:
        """Put the body where it was carried to; the fields follow."""
        at = pose_at_start(self._base).get(self.person.on, STILL)
        own = at.R_WS.T @ (place_W - at.p_W)
        degrees = math.remainder(math.degrees(facing), 360.0)
        values = [(f, self._shown(float(v), "m")) for f, v in zip(self.place, own, strict=True)]
        for field, value in (*values, (self.facing, degrees)):
            with QSignalBlocker(field):
                field.setValue(value)
        self._was_put = True
        self._read()
        self._rest.stop()
        self.preview()

    def _said_place(self) -> str:
        """Say where the body is, as the fields have it."""
        told = "   ".join(f"{a} {f.text()}" for a, f in zip("xyz", self.place, strict=True))
        return texts.scene.BODY_AT.format(place=told, facing=self.facing.text())

    def _on_changed(self, *_: object) -> None:
        """Go on from what the model has become meanwhile."""
        if self.is_over:
            return
        self._base = self._window.document.project
        with QSignalBlocker(self.on):
            known = {segment.id for segment in self._base.segments} | {GROUND}
            for index in reversed(range(self.on.count())):
                if self.on.itemData(index) not in known:
                    self.on.removeItem(index)
        self._read()

    def _on_finished(self, result: int) -> None:
        document = self._window.document
        self._rest.stop()
        self.is_over = True
        self._window.viewport.tools.remove(self.carrying)
        if result == QDialog.DialogCode.Accepted:
            project, path = inserted(self._base, self.person)
            title = self.who.currentText().lower()
            document.replace(project, texts.scene.BODY_INSERTED.format(who=title), select=[path])
            self._window.viewport.fit()
            self._window.say(texts.scene.BODY_INSERTED_NOW)
        else:
            self._window.viewport.update_project(document.project)
            self._window.empty.show_project(document.project)
        self._window.placing.look()
        self._window.viewport.setFocus()
        self.deleteLater()

    def _in_units(self, si_unit: str, low: float, high: float) -> QDoubleSpinBox:
        unit = display_unit(si_unit, self._system)
        digits = {"mm": 0, "m": 3, "in": 2, "kg": 1, "lb": 1}.get(unit, 2)
        step = {"mm": 10.0, "m": 0.01, "in": 0.5}.get(unit, 1.0)
        return _number(
            convert(low, si_unit, unit), convert(high, si_unit, unit), step, digits, pretty(unit)
        )

    def _shown(self, value: float, si_unit: str) -> float:
        return convert(value, si_unit, display_unit(si_unit, self._system))

    def _typed(self, field: QDoubleSpinBox, si_unit: str) -> float:
        value: float = convert(field.value(), display_unit(si_unit, self._system), si_unit)
        return round(value, 6) + 0.0


def _number(low: float, high: float, step: float, digits: int, unit: str) -> QDoubleSpinBox:
    field = QDoubleSpinBox(minimum=low, maximum=high, singleStep=step, decimals=digits)
    field.setSuffix(unit if unit in ("°", texts.scene.TH_PERCENTILE) else f" {unit}")
    return field


def _row(*fields: Any) -> QWidget:
    box = QWidget()
    layout = QHBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    for field in fields:
        layout.addWidget(field)
    return box
