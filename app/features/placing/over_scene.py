"""What lies over the scene: sliders of the selected joint, and what could be there while nothing is."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.document import Document
from app.editing.driving import drive, driver_of
from app.editing.grips import Coordinate, coordinates
from app.elements import find, name_of
from app.features.placing.limbs import carrier
from app.guard import guard
from app.icons import icon
from app.look import LIGHT, Theme
from app.scene.framing import meet
from app.scene.viewport import Viewport
from app.with_properties import with_properties
from app.workbench import Commands
from solver.base.units import convert, display_unit, pretty
from solver.base.words import tr
from solver.editing.bench import Bench
from solver.project import Project
from solver.project.joint_table import driven_axes
from solver.project.posing import PoseError, with_joint, within_stops
from solver.scene.placing import placeable

_STEPS_RAD, _STEPS_M = math.radians(0.5), 0.001


class JointPanel(QFrame):
    """Show one slider for each coordinate; a drag is one step of the history."""

    def __init__(self, document: Document, over: Viewport, theme: Theme = LIGHT) -> None:
        super().__init__(over)
        self._theme = theme
        with_properties(self, objectName="floating")
        self._document = document
        self._over = over
        self.system = "metric"
        self.is_on = True
        self.title = with_properties(QLabel(), objectName="section")
        self.rows = QGridLayout(self)
        self.rows.setContentsMargins(12, 8, 12, 10)
        self.rows.setHorizontalSpacing(10)
        self.rows.setVerticalSpacing(4)
        self.rows.addWidget(self.title, 0, 0, 1, 4)
        self.sliders: list[QSlider] = []
        self.motors: list[QToolButton] = []
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._joint: Any = None
        self.hide()

    def look(self, project: Project | None = None) -> None:
        """Show the joint of what is selected now, as it is in a project that may become the document's."""
        shown = project or self._document.project
        joint = self._found() if self.is_on else None
        rows = coordinates(shown, joint) if joint is not None else ()
        self._joint = joint
        self.setVisible(bool(rows))
        if not rows:
            return
        self.title.setText(name_of(joint))
        while len(self.sliders) < len(rows):
            self._add()
        for k, (slider, labels) in enumerate(zip(self.sliders, self._labels, strict=True)):
            for widget in (slider, *labels, self.motors[k]):
                widget.setVisible(k < len(rows))
            if k < len(rows):
                self._fill(slider, labels, rows[k])
                self._fill_motor(k, shown, rows[k])
        self.adjustSize()
        self.place()

    def place(self) -> None:
        """Stand in a corner of the scene where the one who is selected is not, at the lower right where all are free."""
        view, at = self._over, self._corners()[0]
        lens = view.lens if self.isVisible() else None
        if lens is not None:
            seen = lens.pixels(view.stage.people_now(self._document.selection))
            boxes = [(x, y, x + self.width(), y + self.height()) for x, y in self._corners()]
            free = (
                at for at, box in zip(self._corners(), boxes, strict=True) if not meet(seen, (box,))
            )
            at = next(free, at)
        self.move(*at)

    def _corners(self) -> list[tuple[int, int]]:
        """At the lower right above the bar of a length, below the cube, above the axes, at the upper left."""
        over = self._over.rect()
        right, low = over.right() - self.width() - 12, over.bottom() - self.height() - 40
        return [(right, low), (right, 116), (12, low - 48), (12, 12)]

    def _found(self) -> Any:
        document = self._document
        if len(placeable(document.project).joints) != len(document.project.joints):
            return None
        if document.selection.startswith("joints/"):
            return find(document.project, document.selection)
        if document.selection.startswith("drivers/"):
            driver: Any = find(document.project, document.selection)
            return None if driver is None else find(document.project, f"joints/{driver.joint}")
        if document.selection.startswith("segments/"):
            return carrier(document.project, document.selection)
        return None

    def _add(self) -> None:
        number = len(self.sliders)
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setMinimumWidth(150)
        slider.valueChanged.connect(lambda value, k=number: self._on_moved(k, value))
        slider.sliderReleased.connect(self._document.end_gesture)
        labels = with_properties(QLabel(), objectName="muted"), QLabel()
        labels[1].setMinimumWidth(58)
        labels[1].setAlignment(Qt.AlignmentFlag.AlignRight)
        for column, widget in enumerate((labels[0], slider, labels[1])):
            self.rows.addWidget(widget, number + 1, column)
        motor = QToolButton()
        motor.setAutoRaise(True)
        motor.setCheckable(True)
        motor.clicked.connect(lambda _=False, k=number: self._on_motor(k))
        self.rows.addWidget(motor, number + 1, 3)
        self.sliders.append(slider)
        self.motors.append(motor)
        self._labels.append(labels)

    def _fill(self, slider: QSlider, labels: tuple[QLabel, QLabel], row: Coordinate) -> None:
        step = _step(row.unit)
        with QSignalBlocker(slider):
            slider.setRange(math.ceil(row.low / step), math.floor(row.high / step))
            slider.setValue(round(row.value / step))
        slider.setProperty("unit", row.unit)
        slider.setAccessibleName(
            tr("{coordinate} of {joint}", coordinate=row.title, joint=self.title.text())
        )
        labels[0].setText(row.title)
        unit = display_unit(row.unit, self.system)
        # rounding may leave a minus before nothing
        value = round(convert(row.value, row.unit, unit), 1) + 0.0
        shown = f"{value:.1f} {pretty(unit)}"
        labels[1].setText(shown.replace(" °", "°"))

    def _fill_motor(self, number: int, project: Project, row: Coordinate) -> None:
        """Say what drives an axis; where it says how the axis starts, the slider shows that only."""
        motor, joint = self.motors[number], self._joint
        driver = driver_of(project, joint.id, row.name)
        motor.setVisible(row.name in driven_axes(joint))
        motor.setChecked(driver is not None)
        colour = self._theme.accent if driver is not None else self._theme.muted
        motor.setIcon(icon("drivers", colour))
        words = (
            tr(
                "Drive this axis: {coordinate} of {joint}",
                coordinate=row.title,
                joint=name_of(joint),
            )
            if driver is None
            else tr("Go to {driver}, which drives this axis", driver=name_of(driver))
        )
        motor.setAccessibleName(words)
        motor.setToolTip(words)
        self.sliders[number].setEnabled(driver is None or not driver.gives_start)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self.look()

    def _on_motor(self, number: int) -> None:
        """Select what drives an axis; it is made where there is none."""
        joint, document = self._joint, self._document
        if joint is None:
            return
        row = coordinates(document.project, joint)[number]
        driver = driver_of(document.project, joint.id, row.name)
        if driver is not None:
            document.select(f"drivers/{driver.id}")
            return
        bench = Bench(document.project)
        path = f"drivers/{drive(bench, joint.id, row.name)}"
        text = tr("Drive {coordinate} of {joint}", coordinate=row.title, joint=name_of(joint))
        document.replace(bench.project, text, select=[path])

    def _on_moved(self, number: int, value: int) -> None:
        """Set the joint, within its stops."""
        joint, project = self._joint, self._document.project
        if joint is None:
            return
        rows = coordinates(project, joint)
        wanted = [row.value for row in rows]
        wanted[number] = value * _step(rows[number].unit)
        try:
            kept = within_stops(project, joint.id, wanted)
            done = with_joint(project, joint.id, [round(v, 7) for v in kept])
        except PoseError:
            return
        self._document.replace(done, tr(texts.scene.POSED, name=name_of(joint)), f"pose/{joint.id}")


def _step(unit: str) -> float:
    return _STEPS_RAD if unit == "rad" else _STEPS_M


_LOW_PX = 240
"""In a lower scene there is no room for the second sentence."""


class EmptyScene(QWidget):
    """Offer a body, a plane and a segment in the middle of the scene, until there is something."""

    def __init__(self, view: QWidget, commands: Commands) -> None:
        super().__init__(view)
        self._view = view
        words = with_properties(QLabel(tr("Nothing is here yet")), objectName="heading")
        self._more = more = with_properties(
            QLabel(
                tr(
                    "Begin with a person, a seat or a floor. Insert has everything that can be added."
                )
            ),
            objectName="muted",
            wordWrap=True,
        )
        self._grid = row = QGridLayout()
        row.setSpacing(8)
        self.buttons: dict[str, QPushButton] = {}
        for id_ in ("place.body", "place.library", "insert.planes", "insert.segments"):
            command = commands.find(id_)
            button = with_properties(QPushButton(command.plain), toolTip=command.full_tip)
            button.clicked.connect(lambda _=False, id_=id_: self._begin(commands, id_))
            row.addWidget(button)
            self.buttons[id_] = button
        self.buttons["place.body"].setObjectName("primary")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(12)
        for label in (words, more):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            layout.addWidget(label)
        layout.addLayout(row)
        view.installEventFilter(self)
        self.hide()

    def show_project(self, project: Project) -> None:
        """Stand there as long as the project has nothing."""
        is_empty = not project.planes and not project.segments
        self.setVisible(is_empty)
        self._place()

    def _begin(self, commands: Commands, id_: str) -> None:
        # a button that is hidden would hand the keyboard to whatever comes next
        self._view.setFocus()
        commands.run(id_)

    def _place(self) -> None:
        self._more.setVisible(self._view.height() >= _LOW_PX)
        # two and two where the view has not the room for all beside each other
        needs = sum(one.sizeHint().width() + self._grid.spacing() for one in self.buttons.values())
        across = 2 if needs + 16 > self._view.width() else len(self.buttons)
        for n, button in enumerate(self.buttons.values()):
            self._grid.addWidget(button, n // across, n % across)
        self._more.setMaximumWidth(max(self._view.width() - 16, 1))
        self._grid.invalidate()
        self.adjustSize()
        self.resize(min(self.width(), self._view.width()), self.height())
        self.move(
            (self._view.width() - self.width()) // 2, (self._view.height() - self.height()) // 2
        )

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the middle."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)
