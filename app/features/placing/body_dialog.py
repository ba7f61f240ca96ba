"""Ask for a person, who it is, how it sits and where, and show it in the scene while one chooses."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QLabel, QPushButton

from app import texts
from app.elements import element_label
from app.features.placing.carrying import Carrying, Load
from app.forms.choices import Choice, Number
from app.forms.figures import FigureFields, in_units
from app.scene.drawn import STILL
from app.widgets.sheet import Fields, Sheet, Tall, in_row, keep_in_sight
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.units import convert, display_unit
from solver.base.words import capital, tr, within
from solver.bodies import BodyError, poses
from solver.editing.persons import body_text, person_of
from solver.editing.seating import Person, body_of, first_place, inserted, placed
from solver.engine.maths.rotation import Array
from solver.project import Project, ProjectError
from solver.project.segments import GROUND
from solver.scene.placing import pose_at_start

_REST_MS = 60
_WIDTH_EM = 37.0


class BodyDialog(Sheet):
    """Choose sex, size, age, pose and place; the scene shows the body before it is there."""

    def __init__(self, bench: Workbench, system: str) -> None:
        self.fields = BodyFields(bench.document.project, system)
        super().__init__(
            bench.window, tr("Insert a body"), "bodies", form=self.fields, width_em=_WIDTH_EM
        )
        self._bench = bench
        self._base = bench.document.project
        self.person = first_place(self._base)
        self._guess = self.person.place_m
        self.problem = ""
        self.is_over = False
        self._was_put = False
        """Whether hands have put the body somewhere: then another pose leaves it there."""
        self.figures = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.insert = with_properties(
            QPushButton(tr(texts.scene.INSERT)),
            objectName="primary",
            default=True,
            toolTip=tr("Add the body as one step that can be undone (Enter)"),
        )
        self.insert.clicked.connect(self.accept)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._show)
        self._new: frozenset[str] = frozenset()
        """Paths of the body's segments in the preview."""
        self.carrying = Carrying(
            bench.viewport, self._load, self._new_has, self._carry, self.fields.place_text
        )
        bench.viewport.tools.insert(0, self.carrying)
        self._lay_out()
        self.fields.show_person(self.person)
        self.fields.follow()
        self.fields.changed.connect(self._read)
        self.fields.chosen_anew.connect(self._place_again)
        self.fields.put.connect(self._on_put)
        self.finished.connect(self._on_finished)
        bench.document.changed.connect(self._on_changed)
        bench.document.opened.connect(self.reject)
        self._show()

    def _lay_out(self) -> None:
        close = with_properties(
            QPushButton(tr(texts.scene.CANCEL)), toolTip=tr(texts.scene.CANCEL_TIP)
        )
        close.clicked.connect(self.reject)
        self.column.addWidget(Tall(self.fields), 1)
        self.column.addWidget(self.figures)
        self.column.addWidget(
            with_properties(
                QLabel(
                    tr(
                        "Drag the body, its arrows or its ring in the scene, or type its place here."
                    )
                ),
                objectName="muted",
                wordWrap=True,
            )
        )
        self.add_buttons(close, self.insert)

    def _read(self) -> None:
        """Take over what the fields say."""
        self.person = self.fields.read(self.person)
        self.fields.show_rows(self.person)
        self._rest.start()

    def _on_put(self) -> None:
        self._was_put = self._was_put or self.fields.place_m() != self._guess

    def _place_again(self) -> None:
        """Put the body where its pose belongs, unless hands have put it somewhere."""
        if self._was_put:
            return
        person = placed(self._base, self.person)
        self._guess = person.place_m
        self.fields.show_place(person.place_m, anchor=person.anchor)
        self._read()

    def preview(self) -> None:
        """Show the body in the scene as it would be, or say why it cannot be."""
        try:
            project, _ = inserted(self._base, self.person)
            self.problem = ""
            before = {segment.id for segment in self._base.segments}
            self._new = frozenset(
                f"segments/{s.id}" for s in project.segments if s.id not in before
            )
            self.figures.setText(body_text(body_of(self.person)))
            self._bench.viewport.preview_project(project)
        except (BodyError, ProjectError) as failure:
            self.problem = str(failure)
            self.figures.setText(self.problem)
        self.insert.setEnabled(not self.problem)

    def _show(self) -> None:
        """Show the body as the fields say, all of it."""
        self.preview()
        keep_in_sight(self._bench.viewport, self, self._new)

    def _load(self) -> Load:
        """Where the body is now, in ground axes."""
        at = pose_at_start(self._base).get(self.person.on, STILL)
        place = at.p_W + at.R_WS @ np.array(self.person.place_m)
        return Load(place, at.R_WS, self.person.facing_rad)

    def _new_has(self, element: str) -> bool:
        return element in self._new

    def _carry(self, place_W: Array, facing: float) -> None:
        """Put the body where it was carried to; the fields follow."""
        at = pose_at_start(self._base).get(self.person.on, STILL)
        own = at.R_WS.T @ (place_W - at.p_W)
        self.fields.show_place(own.tolist(), facing_rad=facing)
        self._was_put = True
        self._read()
        self._rest.stop()
        self.preview()

    def _on_changed(self, *_: object) -> None:
        """Go on from what the model has become meanwhile."""
        if self.is_over:
            return
        self._base = self._bench.document.project
        self.fields.keep_carriers({GROUND, *(segment.id for segment in self._base.segments)})
        self._read()

    def _on_finished(self, result: int) -> None:
        document = self._bench.document
        self._rest.stop()
        self.is_over = True
        self._bench.viewport.tools.remove(self.carrying)
        if result == QDialog.DialogCode.Accepted:
            project, path = inserted(self._base, self.person)
            title = within(self.fields.who.currentText())
            document.replace(
                project, tr("Insert body: {who}", who=title), select=_person_parts(project, path)
            )
            self._bench.viewport.fit()
            self._bench.say(tr("Inserted the body. Settle finds how it rests on its seat."))
        else:
            self._bench.viewport.update_project(document.project)


def _person_parts(project: Project, path: str) -> Sequence[str]:
    """All of the person whose part an element is: it is one thing."""
    one = person_of(project, path)
    return [path] if one is None else one.paths


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
            self.pose.addItem(capital(tr(entry.title)), name)
        self.anchor.addItem(tr("Middle of the hips at"), "hips")
        self.anchor.addItem(tr("Lowest point at"), "lowest")
        self.on.addItem(tr(texts.elements.GROUND), GROUND)
        for segment in project.segments:
            self.on.addItem(element_label(project, f"segments/{segment.id}"), segment.id)
        self.place = [in_units(system, "m", -100.0, 100.0) for _ in range(3)]
        self.place_row = in_row(*self.place, alike=True)
        self.facing = Number(-180.0, 180.0, 5.0, 1, "°")
        self.spine = with_properties(
            QCheckBox(tr("Flexible spine, chest and neck")),
            toolTip=tr(
                "Three lumbar, two thoracic and four cervical joints, ribs, clavicles, hands, and tone that holds the posture; otherwise 15 segments"
            ),
        )
        self.compressing = with_properties(
            QCheckBox(tr("Lumbar discs that shorten")),
            toolTip=tr("Discs give way along the spine too; a run may take half as long again"),
        )
        self.breaking_bones = with_properties(
            QCheckBox(tr("Bones that bend and break")),
            toolTip=tr(
                "Bones of arms and legs bend until they break, with flesh apart from them; otherwise shins alone break, and do not bend before"
            ),
        )
        self.extensors = with_properties(
            QCheckBox(tr("Extensors of the neck")),
            toolTip=tr(
                "Muscles from chest and neck to neck and head, at rest until their laws say how active they are; otherwise springs of a braced neck"
            ),
        )
        self.hands = with_properties(
            QCheckBox(tr("Hands of their own")),
            toolTip=tr("Hands as segments with wrists, instead of one piece with the forearms"),
        )
        self.sensors = with_properties(
            QCheckBox(tr("Sensors in head, chest and pelvis")),
            toolTip=tr("Outputs from which the injury figures are computed"),
        )
        self.rests = with_properties(
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
        for box in self._boxes():
            self.addRow("", box)

    def _boxes(self) -> tuple[QCheckBox, ...]:
        return (
            self.spine, self.compressing, self.breaking_bones, self.extensors, self.hands, self.sensors, self.rests
        )  # fmt: skip

    def follow(self) -> None:
        """Tell from now on of what people enter."""
        self.figure.follow(self.changed.emit)
        for box in (self.pose, self.anchor, self.on):
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
        for field in (self.facing, *self.place):
            field.valueChanged.connect(lambda _: self.changed.emit())
        for check in self._boxes():
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
        self.breaking_bones.setChecked(person.breaking_bones)
        self.extensors.setChecked(person.extensors)
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
            (self.breaking_bones, person.is_generated and person.spine),
            (self.extensors, person.is_generated and person.spine),
            (self.hands, not person.has_hands),
        ):
            self.setRowVisible(field, visible)

    def read(self, before: Person) -> Person:
        """The person with what the fields say."""
        return replace(
            self.figure.read(before),
            pose=self.pose.currentData(),
            anchor=self.anchor.currentData(),
            place_m=self.place_m(),
            facing_rad=math.radians(self.facing.value()),
            on=self.on.currentData(),
            spine=self.spine.isChecked(),
            compressing=self.compressing.isChecked(),
            breaking_bones=self.breaking_bones.isChecked(),
            extensors=self.extensors.isChecked(),
            hands=self.hands.isChecked(),
            sensors=self.sensors.isChecked(),
            rests=self.rests.isChecked(),
        )

    def place_m(self) -> tuple[float, float, float]:
        """The place that is entered."""
        x, y, z = (self._typed(field, "m") for field in self.place)
        return x, y, z

    def place_text(self) -> str:
        """Say where the body is, as the fields have it."""
        text = "   ".join(f"{a} {f.text()}" for a, f in zip("xyz", self.place, strict=True))
        return tr("{place}   faces {facing}", place=text, facing=self.facing.text())

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
