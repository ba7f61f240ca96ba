"""The fields that say who a body is, how it sits and where: what is asked for as a Person."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox

from app import texts
from app.elements import spoken
from app.features.placing.person import WHO, Person
from app.forms.choices import Choice
from app.forms.numbers import Number
from app.having import having
from app.widgets.sheet import Fields, in_row
from solver.bodies import poses
from solver.bodies.dimensions import ADULT_YEARS
from solver.project import Project
from solver.project.segments import GROUND
from solver.units import convert, display_unit, pretty
from solver.words import msgid, tr

_WHO: dict[str, str] = {
    "man": msgid("Man"),
    "woman": msgid("Woman"),
    "child": msgid("Child"),
    **texts.elements.DUMMIES,
    "male-50": msgid("50th-percentile man, as printed"),
    "male-95": msgid("95th-percentile man, as printed"),
}
_TH_PERCENTILE = msgid("th percentile")


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
        self.who, self.pose, self.anchor, self.on = (Choice() for _ in range(4))
        for key in WHO:
            self.who.addItem(tr(_WHO[key]), key)
        for name, entry in poses().items():
            self.pose.addItem(entry.title.capitalize(), name)
        self.anchor.addItem(tr("Middle of the hips at"), "hips")
        self.anchor.addItem(tr("Lowest point at"), "lowest")
        self.on.addItem(tr(texts.elements.GROUND), GROUND)
        for segment in project.segments:
            self.on.addItem(spoken(project, f"segments/{segment.id}"), segment.id)
        self.size = Choice()
        self.size.addItem(tr("Percentile"), False)
        self.size.addItem(tr("Height and weight"), True)
        self.percentile = _number(1.0, 99.0, 1.0, 0, tr(_TH_PERCENTILE))
        self.height = self._in_units("m", 1.2, 2.2)
        self.weight = self._in_units("kg", 30.0, 180.0)
        self.age = _number(2.0, 20.0, 0.5, 1, tr("years"))
        self.grown = having(
            _number(*ADULT_YEARS, 1.0, 0, tr("years")),
            toolTip=tr(
                "How far joints go, by age and sex; nothing else follows from an adult's age"
            ),
        )
        self.place = [self._in_units("m", -100.0, 100.0) for _ in range(3)]
        self.place_row = in_row(*self.place, alike=True)
        self.facing = _number(-180.0, 180.0, 5.0, 1, "°")
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
        for label, field in (
            (tr("Person"), self.who),
            (tr("Size by"), self.size),
            (tr("Size"), self.percentile),
            (tr("Height"), self.height),
            (tr("Weight"), self.weight),
            (tr("Age"), self.age),
            (tr("Age"), self.grown),
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
        for box in (self.who, self.size, self.pose, self.anchor, self.on):
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
        numbers = (
            self.percentile,
            self.height,
            self.weight,
            self.age,
            self.grown,
            self.facing,
            *self.place,
        )
        for field in numbers:
            field.valueChanged.connect(lambda _: self.changed.emit())
        for check in (self.spine, self.compressing, self.hands, self.sensors, self.rests):
            check.toggled.connect(lambda _: self.changed.emit())
        for box in (self.pose, self.on):
            box.activated.connect(lambda _: self.chosen_anew.emit())
        for field in self.place:
            field.editingFinished.connect(self.put)

    def show_person(self, person: Person) -> None:
        """Fill all fields."""
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
        self.grown.setValue(person.grown_years)
        self.facing.setValue(math.degrees(person.facing_rad))
        self.height.setValue(self._shown(person.height_m, "m"))
        self.weight.setValue(self._shown(person.weight_kg, "kg"))
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
        for field, visible in (
            (self.size, person.is_adult),
            (self.percentile, person.is_adult and not person.by_size),
            (self.height, person.is_adult and person.by_size),
            (self.weight, person.is_adult and person.by_size),
            (self.age, person.who == "child"),
            (self.grown, person.is_adult and person.spine),
            (self.spine, person.is_generated),
            (self.compressing, person.is_generated and person.spine),
            (self.hands, not person.has_hands),
        ):
            self.setRowVisible(field, visible)

    def read(self, before: Person) -> Person:
        """Give the person with what the fields say."""
        return replace(
            before,
            who=self.who.currentData(),
            by_size=self.size.currentData(),
            percentile=self.percentile.value(),
            height_m=self._typed(self.height, "m"),
            weight_kg=self._typed(self.weight, "kg"),
            age_years=self.age.value(),
            grown_years=self.grown.value(),
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

    def _in_units(self, si_unit: str, low: float, high: float) -> Number:
        unit = display_unit(si_unit, self._system)
        digits = {"mm": 0, "m": 3, "in": 2, "kg": 1, "lb": 1}.get(unit, 2)
        step = {"mm": 10.0, "m": 0.01, "in": 0.5}.get(unit, 1.0)
        return _number(
            convert(low, si_unit, unit), convert(high, si_unit, unit), step, digits, pretty(unit)
        )

    def _shown(self, value: float, si_unit: str) -> float:
        return float(convert(value, si_unit, display_unit(si_unit, self._system)))

    def _typed(self, field: Number, si_unit: str) -> float:
        value: float = convert(field.value(), display_unit(si_unit, self._system), si_unit)
        return round(value, 6) + 0.0


def _number(low: float, high: float, step: float, digits: int, unit: str) -> Number:
    behind = unit if unit in ("°", tr(_TH_PERCENTILE)) else f" {unit}"
    return Number(low, high, step, digits, behind)
