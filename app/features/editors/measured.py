"""Numbers of laws and joints from what was measured: stiffness after Hertz, and a stop contour of digitised points."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtWidgets import QFileDialog, QLabel, QPlainTextEdit, QPushButton

from app.elements import name_of
from app.forms.choices import Choice
from app.forms.lines import NumberLine
from app.forms.units import Units
from app.widgets.sheet import Fields, Sheet, fit_beside
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.analysis.tracking import joint_sinus, with_sinus
from solver.base.atomic import read_most
from solver.base.units import convert
from solver.base.words import Refusal, msgid, tr
from solver.engine.maths.rotation import Array
from solver.project import Project, ProjectError
from solver.project.contact import HuntCrossleyLaw, LankaraniLaw
from solver.project.hertz import HertzError, Sphere, hertz_stiffness, with_hertz
from solver.project.joint_table import contour_of

_WIDTH_EM, _FIELD_EM, _POINTS_PX = 34.0, 15.0, 150
_GIGA = 1e9
_TERMS = 10
_LARGEST = 5_000_000
"""Bytes of a file of points."""


def laws_of(project: Project) -> list[Any]:
    """The laws that take a stiffness after Hertz."""
    return [one for one in project.contact_laws if isinstance(one, HuntCrossleyLaw | LankaraniLaw)]


def joints_of(project: Project) -> list[Any]:
    """The joints that can have a stop contour."""
    return [one for one in project.joints if "globographic" in type(one).model_fields]


class _Taking(Sheet):
    """What both have in common: fields, what follows from them, and one button that takes it over."""

    def __init__(self, bench: Workbench, title: str, tip: str) -> None:
        super().__init__(
            bench.window, title, "guide#editors", form=Fields(_FIELD_EM, _FIELD_EM), width_em=_WIDTH_EM
        )  # fmt: skip
        self._bench = bench
        self.said = QLabel(wordWrap=True)
        self.take = with_properties(
            QPushButton(tr("Take it over")),
            objectName="primary",
            enabled=False,
            autoDefault=False,
            toolTip=tip,
        )
        self.take.clicked.connect(self.take_over)
        self._close = with_properties(
            QPushButton(tr("Close")),
            autoDefault=False,
            toolTip=tr("Leave everything as it is (Esc)"),
        )
        self._close.clicked.connect(self.reject)
        bench.document.opened.connect(self.reject)

    def take_over(self) -> None:
        """Change the project, as one step that can be undone."""
        raise NotImplementedError

    def _choice(self, items: list[Any], path: str, words: str) -> Choice:
        made = Choice()
        for one in items:
            made.addItem(name_of(one), one.id)
        at = made.findData(path.split("/")[1]) if "/" in path else -1
        made.setCurrentIndex(max(at, 0))
        self.form.add(words, made)
        return made

    def _do(self, make: Callable[[], Project], step: str, path: str) -> None:
        try:
            done = make()
        except (Refusal, ProjectError) as failure:
            self.said.setText(str(failure))
            return
        self._bench.document.replace(done, step, select=[path])
        self.accept()


_SURFACES = (msgid("First surface"), msgid("Second surface"))


class HertzDialog(_Taking):
    """Give the stiffness of two elastic balls, or of one on a plane, and put it into a law."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench, tr("Stiffness after Hertz"), tr("Give the law this stiffness and the exponent 1.5"))  # fmt: skip
        self.units = Units(bench.settings.units)
        self._numbers: list[list[float | None]] = [[0.05, 210.0, 0.3], [None, 210.0, 0.3]]
        self.lines: list[list[NumberLine]] = []
        for n, surface in enumerate(_SURFACES):
            heading = with_properties(QLabel(tr(surface)), objectName="key")
            self.form.addRow(heading)
            self.lines.append([self._line(n, k) for k in range(3)])
        self.law = self._choice(
            laws_of(bench.document.project), bench.document.selection, tr("Law")
        )
        self.law.setToolTip(
            tr("A law of Hunt and Crossley, or of Lankarani and Nikravesh, that takes it")
        )
        self.column.addLayout(self.form)
        self.column.addWidget(self.said)
        self.add_buttons(self._close, self.take)
        self._look()
        fit_beside(self)

    def _line(self, n: int, k: int) -> NumberLine:
        words, unit, hint = (
            (tr("Radius"), "m", tr("Empty: a plane. Below zero: a hollow.")),
            (tr("Young's modulus (GPa)"), "1", ""),
            (tr("Poisson's ratio"), "1", ""),
        )[k]

        def commit(value: float | None, _: bool) -> bool:
            self._numbers[n][k] = value
            made.show_value(value)
            return self._look()

        made = NumberLine(commit, self.units, unit, optional=k == 0)
        if k == 0:
            made.setPlaceholderText(tr("plane"))
        made.show_value(self._numbers[n][k])
        self.form.add(words, made, hint if n == 0 else "")
        made.setAccessibleName(f"{tr(_SURFACES[n])}: {words}")
        return made

    def spheres(self) -> tuple[Sphere, Sphere]:
        """What the fields say."""
        first, second = (
            Sphere(math.inf if r is None else r, (e or 0.0) * _GIGA, nu or 0.0)
            for r, e, nu in self._numbers
        )
        return first, second

    def _look(self) -> bool:
        """Say what follows from the fields; tells whether they make sense."""
        try:
            value = hertz_stiffness(*self.spheres())
        except HertzError as failure:
            self.said.setText(str(failure))
            self.take.setEnabled(False)
            return True
        at_1_mm = value * 0.001**1.5
        words = tr(
            "Force = {stiffness:.4g} N/m^1.5 × depth^1.5: {force} at a depth of 1 mm.",
            stiffness=value,
            force=self.units.with_unit(self.units.short(at_1_mm, "N"), "N"),
        )
        if not self.law.count():
            words += " " + tr(
                "No law of this model takes it: add one of Hunt and Crossley, or of Lankarani and Nikravesh."
            )
        self.said.setText(words)
        self.take.setEnabled(self.law.count() > 0)
        return True

    def take_over(self) -> None:
        """Put the stiffness into the law that is chosen."""
        law, first_second = self.law.currentData(), self.spheres()
        project = self._bench.document.project
        self._do(lambda: with_hertz(project, law, *first_second), tr("Stiffness after Hertz"), f"contact_laws/{law}")  # fmt: skip


_LENGTHS = ("mm", "m", "cm", "in")


class SinusDialog(_Taking):
    """Fit the stop contour of a joint to digitised points at which it came to its limits."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(
            bench, tr("Stop contour of measured points"), tr("Give the joint this contour")
        )
        project = bench.document.project
        self.joint = self._choice(joints_of(project), bench.document.selection, tr("Joint"))
        self.torque = self._choice(
            [one for one in project.functions if (one.x_unit, one.y_unit) == ("rad", "N*m")], "", tr("Torque beyond it")
        )  # fmt: skip
        self.torque.setToolTip(tr("Function of the torque by the angle beyond the contour"))
        self.unit = Choice()
        self.unit.addItems(list(_LENGTHS))
        self.form.add(tr("Unit of the points"), self.unit)
        self.centre = Choice()
        self.centre.addItem(tr("of the nearest sphere"), None)
        self.centre.addItem(tr("the origin of the points"), (0.0, 0.0, 0.0))
        self.form.add(tr("Centre of the joint"), self.centre)
        self.points = with_properties(QPlainTextEdit(), tabChangesFocus=True)
        self.points.setPlaceholderText("12.5, 0.0, 30.1\n11.0, 6.2, 29.4\n…")
        self.points.setAccessibleName(tr("Points"))
        self.points.setMinimumHeight(_POINTS_PX)
        words = tr("Points x, y, z of the outer segment, a line each, in the axes of the joint's frame in its parent; ten at least, all the way round z.")  # fmt: skip
        self.file = with_properties(
            QPushButton(tr("Read a file…")),
            autoDefault=False,
            toolTip=tr("Read the points of a file of numbers (CSV)"),
        )
        self.file.clicked.connect(self.read_file)
        self.points.textChanged.connect(self._look)
        for choice in (self.joint, self.torque, self.unit, self.centre):
            choice.activated.connect(self._look)
        self.joint.activated.connect(self._offer_torque)
        self._offer_torque()
        self.column.addLayout(self.form)
        self.column.addWidget(QLabel(words, wordWrap=True))
        self.column.addWidget(self.points, 1)
        self.column.addWidget(self.said)
        self.add_buttons(self._close, self.take, left=self.file)
        self._look()
        fit_beside(self)

    def read_file(self) -> None:
        """Put the lines of a file into the field."""
        name, _ = QFileDialog.getOpenFileName(self, tr("Read a file…"), "", "CSV (*.csv *.txt);;*")
        if not name:
            return
        try:
            self.points.setPlainText(read_most(Path(name), _LARGEST).decode("utf-8", "replace"))
        except (OSError, ValueError) as failure:
            self.said.setText(tr("'{name}' cannot be read: {reason}.", name=name, reason=str(failure)))  # fmt: skip

    def _offer_torque(self, *_: object) -> None:
        """Begin with the torque that the joint has now."""
        id_ = self.joint.currentData()
        joint = next((one for one in self._bench.document.project.joints if one.id == id_), None)
        contour = None if joint is None else contour_of(joint)
        if contour is not None:
            self.torque.setCurrentIndex(max(self.torque.findData(contour.torque), 0))

    def _read(self) -> Array:
        rows = []
        for n, line in enumerate(self.points.toPlainText().splitlines(), 1):
            words = line.split("#")[0].replace(",", " ").replace(";", " ").split()
            if not words:
                continue
            try:
                row = [float(word) for word in words]
            except ValueError:
                row = []
            if len(row) != 3 or not all(map(math.isfinite, row)):
                raise Refusal("Line {n} does not hold three numbers.", n=n)
            rows.append(row)
        made: Array = convert(1.0, self.unit.currentText(), "m") * np.array(rows).reshape(-1, 3)
        return made

    def _look(self, *_: object) -> None:
        self.found = None
        try:
            points = self._read()
            if len(points):
                self.found = joint_sinus(points, _TERMS, self.centre.currentData())
        except Refusal as failure:
            self.said.setText(str(failure))
            self.take.setEnabled(False)
            return
        has = bool(self.joint.count() and self.torque.count())
        self.take.setEnabled(self.found is not None and has)
        if not has:
            self.said.setText(tr("It takes a ball or Euler joint, and a function of torque by angle: add what is missing."))  # fmt: skip
        elif self.found is None:
            self.said.setText("")
        else:
            units = Units(self._bench.settings.units)
            self.said.setText(
                tr(
                    "{count} points; the contour misses them by {degrees:.2g}° (root mean square). They lie on a sphere of {radius} within {off}.",
                    count=len(points), degrees=math.degrees(self.found.rms_rad),
                    radius=units.with_unit(units.short(self.found.radius_m, "m"), "m"),
                    off=units.with_unit(units.short(self.found.rms_m, "m", 2), "m"),
                )
            )  # fmt: skip

    def take_over(self) -> None:
        """Give the joint its contour."""
        joint, torque, found = self.joint.currentData(), self.torque.currentData(), self.found
        project = self._bench.document.project
        if found is not None:
            self._do(lambda: with_sinus(project, joint, found, torque), tr("Stop contour of measured points"), f"joints/{joint}")  # fmt: skip
