"""The fields that say who a body is, how it sits and where: what is asked for as a Person."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox

from app import texts
from app.elements import spoken
from app.features.placing.person import Person
from app.forms.choices import Choice
from app.forms.figures import FigureFields, in_units
from app.forms.numbers import Number
from app.having import having
from app.widgets.sheet import Fields, in_row
from solver.base.units import convert, display_unit
from solver.base.words import tr
from solver.bodies import poses
from solver.project import Project
from solver.project.segments import GROUND


class BodyFields(Fields):
    """Show a person in the chosen units, and read one from what people enter."""

    changed = Signal()
    chosen_anew = Signal()
    """Hands have chosen another pose or carrier."""
    put = Signal()
    """Hands have entered a place."""

    def __init__(self, project: Project, system: str) -> None:
        super().__init__()
        self._system = system
        self.figure = FigureFields(system)
        self.who = self.figure.who
        self.pose, self.anchor, self.on = (Choice() for _ in range(3))
        for name, entry in poses().items():
            self.pose.addItem(entry.title.capitalize(), name)
        self.anchor.addItem(tr("Middle of the hips at"), "hips")
        self.anchor.addItem(tr("Lowest point at"), "lowest")
        self.on.addItem(tr(texts.elements.GROUND), GROUND)
        for segment in project.segments:
            self.on.addItem(spoken(project, f"segments/{segment.id}"), segment.id)
        self.place = [in_units(system, "m", -100.0, 100.0) for _ in range(3)]
        self.place_row = in_row(*self.place, alike=True)
        self.facing = Number(-180.0, 180.0, 5.0, 1, "°")
        self.spine = having(
            QCheckBox(tr("Flexible spine, chest and neck")),
            toolTip=tr(
                "Three lumbar, two thoracic and four cervical joints, ribs, clavicles, hands, and tone that holds the posture; otherwise 15 segments"
            ),
        )
        self.compressing = having(
            QCheckBox(tr("Lumbar discs that shorten")),
            toolTip=tr("Discs give way along the spine too; a run may take half as long again"),
        )
        self.hands = having(
            QCheckBox(tr("Hands of their own")),
            toolTip=tr("Hands as segments with wrists, instead of one piece with the forearms"),
        )
        self.sensors = having(
            QCheckBox(tr("Sensors in head, chest and pelvis")),
            toolTip=tr("Outputs from which the injury figures are computed"),
        )
        self.rests = having(
            QCheckBox(tr("Rests on seat, back and floor")),
            toolTip=tr(
                "Lets trunk, legs and feet press on the planes that move with it; the laws come from the library."
            ),
        )
        self._lay_out()

    def _lay_out(self) -> None:
        for number, axis in zip(self.place, "xyz", strict=True):
            number.setAccessibleName(tr(texts.scene.PLACE_ALONG, axis=axis))
        self.figure.add_to(self)
        for label, field in (
            (tr("Pose"), self.pose),
            (tr("Place"), self.anchor),
            ("x, y, z", self.place_row),
            (tr("Faces"), self.facing),
            (tr("Sits on, moves with"), self.on),
        ):
            self.add(label, field)
        for box in (self.spine, self.compressing, self.hands, self.sensors, self.rests):
            self.addRow("", box)

    def follow(self) -> None:
        """Tell from now on of what people enter."""
        self.figure.follow(self.changed.emit)
        for box in (self.pose, self.anchor, self.on):
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
        for field in (self.facing, *self.place):
            field.valueChanged.connect(lambda _: self.changed.emit())
        for check in (self.spine, self.compressing, self.hands, self.sensors, self.rests):
            check.toggled.connect(lambda _: self.changed.emit())
        for box in (self.pose, self.on):
            box.activated.connect(lambda _: self.chosen_anew.emit())
        for field in self.place:
            field.editingFinished.connect(self.put)

    def show_person(self, person: Person) -> None:
        """Fill all fields."""
        self.figure.show(person)
        for box, value in (
            (self.pose, person.pose),
            (self.anchor, person.anchor),
            (self.on, person.on),
        ):
            box.setCurrentIndex(max(0, box.findData(value)))
        self.facing.setValue(math.degrees(person.facing_rad))
        for field, metres in zip(self.place, person.place_m, strict=True):
            field.setValue(self._shown(metres, "m"))
        self.spine.setChecked(person.spine)
        self.compressing.setChecked(person.compressing)
        self.hands.setChecked(person.hands)
        self.sensors.setChecked(person.sensors)
        self.rests.setChecked(person.rests)
        self.show_rows(person)

    def show_rows(self, person: Person) -> None:
        """Show the fields that concern a person."""
        self.figure.show_rows(self, person)
        for field, visible in (
            (self.spine, person.is_generated),
            (self.compressing, person.is_generated and person.spine),
            (self.hands, not person.has_hands),
        ):
            self.setRowVisible(field, visible)

    def read(self, before: Person) -> Person:
        """Give the person with what the fields say."""
        return replace(
            self.figure.read(before),
            pose=self.pose.currentData(),
            anchor=self.anchor.currentData(),
            place_m=self.place_m(),
            facing_rad=math.radians(self.facing.value()),
            on=self.on.currentData(),
            spine=self.spine.isChecked(),
            compressing=self.compressing.isChecked(),
            hands=self.hands.isChecked(),
            sensors=self.sensors.isChecked(),
            rests=self.rests.isChecked(),
        )

    def place_m(self) -> tuple[float, float, float]:
        """Give the place that is entered."""
        x, y, z = (self._typed(field, "m") for field in self.place)
        return x, y, z

    def said_place(self) -> str:
        """Say where the body is, as the fields have it."""
        told = "   ".join(f"{a} {f.text()}" for a, f in zip("xyz", self.place, strict=True))
        return tr("{place}   faces {facing}", place=told, facing=self.facing.text())

    def show_place(
        self, place_m: Sequence[float], *, facing_rad: float | None = None, anchor: str = ""
    ) -> None:
        """Show another place, direction or anchor, and tell nobody."""
        if anchor:
            with QSignalBlocker(self.anchor):
                self.anchor.setCurrentIndex(self.anchor.findData(anchor))
        for field, value in zip(self.place, place_m, strict=True):
            with QSignalBlocker(field):
                field.setValue(self._shown(float(value), "m"))
        if facing_rad is not None:
            with QSignalBlocker(self.facing):
                self.facing.setValue(math.remainder(math.degrees(facing_rad), 360.0))

    def keep_carriers(self, known: Collection[str]) -> None:
        """Offer no segment that is there no more, and tell nobody."""
        with QSignalBlocker(self.on):
            for index in reversed(range(self.on.count())):
                if self.on.itemData(index) not in known:
                    self.on.removeItem(index)

    def _shown(self, value: float, si_unit: str) -> float:
        return float(convert(value, si_unit, display_unit(si_unit, self._system)))

    def _typed(self, field: Number, si_unit: str) -> float:
        value: float = convert(field.value(), display_unit(si_unit, self._system), si_unit)
        return round(value, 6) + 0.0
