"""A car on four wheels from a few numbers, put on a road of the model or on a new one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from app import texts
from app.command import Command
from app.elements import element_label
from app.features.feature import Feature
from app.forms.choices import Choice, Number
from app.widgets.sheet import Sheet, Tall, fit_beside
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import Refusal, tr
from solver.bodies.vehicles import Car
from solver.editing.cars import ASKED, AXLES, Asked, asked_car, car_into
from solver.project import Project, ProjectError

_WIDTH_EM = 40.0


class NewCar(Feature):
    """Ask for the numbers of a car."""

    name = "car"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "insert.car",
                tr("Ca&r…"),
                tr("Put a car on four wheels into the model, from its mass, wheelbase, springs and brakes."),
                self.ask,
                enabled=bench.has_project,
            )
        )  # fmt: skip

    def ask(self) -> CarDialog:
        """Open the form."""
        dialog = CarDialog(self.bench)
        dialog.adjustSize()
        fit_beside(dialog)
        dialog.show()
        return dialog


class CarDialog(Sheet):
    """Numbers of a car, and the road that it is set down on."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window, tr("New car"), "vehicles", width_em=_WIDTH_EM)
        self._bench = bench
        project = bench.document.project
        usual = Car()
        taken = {one.id for one in project.segments}
        self.id = QLineEdit(next(n for n in _names() if n not in taken))
        self.id.setToolTip(tr("Its parts are named after it"))
        self.form.add(tr("Name"), self.id)
        self.road = Choice()
        self.road.setToolTip(tr("The plane that its wheels stand on"))
        for plane in project.planes:
            self.road.addItem(element_label(project, f"planes/{plane.id}"), plane.id)
        self.road.addItem(tr("A new road, level and endless"), None)
        if "road" not in {one.id for one in project.planes}:
            self.road.setCurrentIndex(self.road.count() - 1)
        self.form.add(tr("Road"), self.road)
        self.place = [Number(-1e4, 1e4, 0.5, 3, " m") for _ in range(2)]
        for field, words in zip(self.place, (tr("Front axle at x"), tr("Front axle at y")), strict=True):  # fmt: skip
            field.setToolTip(tr("Of the ground, where its front axle starts"))
            self.form.add(words, field)
        self.numbers: dict[str, Number] = {}
        for name, asked in ASKED.items():
            scale, unit = _shown(asked)
            digits = asked.digits if scale == 1.0 else 2
            field = Number(
                scale * asked.least, scale * asked.most, scale * asked.step, digits, unit
            )
            field.setValue(scale * float(getattr(usual, name)))
            field.setToolTip(tr(asked.words))
            self.numbers[name] = field
            self.form.add(tr(asked.words), field)
        self.axles = [Choice(), Choice()]
        for choice, words in zip(self.axles, (tr("Front wheels on"), tr("Rear wheels on")), strict=True):  # fmt: skip
            for key, text in AXLES.items():
                choice.addItem(tr(text), key)
            choice.setToolTip(tr("How the wheels of this axle are led"))
            self.form.add(words, choice)
        self.said = with_properties(QLabel(), objectName="muted", wordWrap=True)
        close = with_properties(
            QPushButton(tr(texts.scene.CANCEL)), toolTip=tr(texts.scene.CANCEL_TIP)
        )
        take = with_properties(
            QPushButton(tr("Create")), objectName="primary", default=True,
            toolTip=tr("Put the car into the model, as one step that can be undone"),
        )  # fmt: skip
        close.clicked.connect(self.reject)
        take.clicked.connect(self.take)
        self.column.addWidget(Tall(self.form), 1)
        self.column.addWidget(self.said)
        self.add_buttons(close, take)
        bench.document.opened.connect(self.reject)

    def made(self) -> Project:
        """The model with this car in it; raises VehicleError."""
        usual, given = Car(), dict[str, float]()
        for name, field in self.numbers.items():
            asked, (scale, _) = ASKED[name], _shown(ASKED[name])
            first = scale * float(getattr(usual, name))
            # what nobody has changed stays as it is, to the last digit
            if abs(field.value() - first) > 0.5 * 10.0 ** -field.decimals():
                given[name] = min(max(field.value() / scale, asked.least), asked.most)
        front, rear = (choice.currentData() for choice in self.axles)
        at = self.place[0].value(), self.place[1].value()
        shape = replace(asked_car(given, front, rear), at_m=at)
        road = self.road.currentData()
        return car_into(
            self._bench.document.project, shape, self.id.text(), road, own_road=road is None
        )

    def take(self) -> None:
        """Put the car into the model."""
        name = self.id.text()
        try:
            project = self.made()
        except (Refusal, ProjectError) as failure:
            problem = failure.problems[0].sentence if isinstance(failure, ProjectError) else failure
            self.said.setText(str(problem))
            return
        self._bench.document.replace(project, tr("New car"), select=[f"segments/{name}"])
        self._bench.viewport.fit()
        self.accept()


def _shown(asked: Asked) -> tuple[float, str]:
    """How many of the unit that is shown make one of its own, and that unit behind a number: angles are in degrees."""
    if asked.unit == "rad":
        return math.degrees(1.0), "°"
    return 1.0, f" {asked.unit}" if asked.unit else ""


def _names() -> Iterator[str]:
    yield "car"
    yield from (f"car_{n}" for n in itertools.count(2))
