"""Ask for a row of copies, or for a mirror image about a plane, and show what would come of it."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from PySide6.QtWidgets import QLabel, QPushButton

from app import texts
from app.command import Command
from app.editing.naming import counted, named
from app.features.feature import Feature
from app.forms.choices import Choice, LengthBox, Whole
from app.widgets.sheet import Sheet, fit_beside, in_row
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.editing.copies import arrayed
from solver.editing.mirroring import CannotMirror, mirrored_about
from solver.project import Project, ProjectError
from solver.project.segments import GROUND

_SYSTEMS = {"inch": "inch_pound"}
_WIDTH_EM, _MOST, _STEP_M = 34.0, 100, 0.5
_ACROSS = (msgid("x: ahead and behind"), msgid("y: left and right"), msgid("z: above and below"))


class Copies(Feature):
    """Rows and mirror images of what is selected."""

    name = "copies"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            Command(
                "place.array",
                tr("&Array…"),
                tr("Repeat what is selected in a row: seats, posts, rollers."),
                self.ask_for_array,
                enabled=bench.has_elements,
            ),
            Command(
                "place.mirror_plane",
                tr("Mirror about a plan&e…"),
                tr("Make the mirror image of what is selected about a plane across x, y or z: a door, a seat."),
                self.ask_for_mirror,
                enabled=bench.has_elements,
            ),
        )  # fmt: skip

    def ask_for_array(self) -> ArrayDialog:
        """Ask for a row of what is selected."""
        dialog = ArrayDialog(self.bench)
        dialog.open_beside()
        return dialog

    def ask_for_mirror(self) -> MirrorDialog:
        """Ask for the plane in which what is selected is mirrored."""
        dialog = MirrorDialog(self.bench)
        dialog.open_beside()
        return dialog


class CopiesDialog(Sheet):
    """Fields that say what shall be made of the selected elements; the scene shows it before it is there."""

    def __init__(self, bench: Workbench, title: str) -> None:
        super().__init__(bench.window, title, "guide#building-a-model", width_em=_WIDTH_EM)
        bench.run_view.switch(False)
        self.setStyleSheet(bench.window.styleSheet())
        self._bench = bench
        self.system = _SYSTEMS.get(bench.settings.units, bench.settings.units)
        self.paths = tuple(bench.document.elements)
        self._base = bench.document.project
        self._asked = with_properties(QLabel(named(self._base, self.paths)), wordWrap=True)
        self.form.add(tr("Of"), self._asked)
        self.said = with_properties(QLabel(), objectName="muted", wordWrap=True)
        close = with_properties(
            QPushButton(tr(texts.scene.CANCEL)), toolTip=tr(texts.scene.CANCEL_TIP)
        )
        self.take = with_properties(
            QPushButton(tr("Create")), objectName="primary", default=True,
            toolTip=tr("Put the copies into the model, as one step that can be undone"),
        )  # fmt: skip
        close.clicked.connect(self.reject)
        self.take.clicked.connect(self.accept)
        self.column.addLayout(self.form)
        self.column.addWidget(self.said)
        self.add_buttons(close, self.take)
        self.finished.connect(self._on_finished)
        bench.document.opened.connect(self.reject)

    @abstractmethod
    def made(self) -> tuple[Project, tuple[str, ...], str]:
        """The project with the copies, their paths, and the step's text; raises CannotMirror or ProjectError."""

    def show_made(self, *_: object) -> None:
        """Show what would come of the fields, or say why nothing can."""
        try:
            project, paths, _text = self.made()
        except (CannotMirror, ProjectError) as failure:
            problem = failure.problems[0] if isinstance(failure, ProjectError) else None
            self.said.setText(str(failure) if problem is None else problem.sentence)
            self.take.setEnabled(False)
            self._bench.viewport.update_project(self._base)
            return
        self.said.setText(tr("New: {what}.", what=counted(paths)))
        self.take.setEnabled(True)
        self._bench.viewport.preview_project(project)

    def open_beside(self) -> None:
        """Stand over the inspector, so that the scene stays free."""
        self.adjustSize()
        fit_beside(self)
        self.show()
        self.show_made()

    def _on_finished(self, result: int) -> None:
        document = self._bench.document
        self._bench.viewport.update_project(document.project)
        if result and document.project is self._base:
            project, paths, text = self.made()
            document.replace(project, text, select=paths)
            self._bench.say(tr("New: {what}.", what=counted(paths)))


class ArrayDialog(CopiesDialog):
    """How many, and how far apart along x, y and z."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench, tr("Array"))
        self.count = Whole(2, _MOST, 2)
        self.count.setToolTip(tr("With the one that is there"))
        self.form.add(tr("How many"), self.count)
        self.step = [LengthBox(self.system) for _ in range(3)]
        for axis, field in zip("xyz", self.step, strict=True):
            words = tr("Step along {axis}", axis=axis)
            field.setAccessibleName(words)
            field.setToolTip(tr("How far one is from the next, along the ground's {axis}", axis=axis))  # fmt: skip
            field.valueChanged.connect(self.show_made)
        self.step[1].show_metres(_STEP_M)
        self.form.add(tr("Step x, y, z"), in_row(*self.step, alike=True))
        self.count.valueChanged.connect(self.show_made)

    def made(self) -> tuple[Project, tuple[str, ...], str]:
        """The project with the row in it."""
        step = np.array([field.metres for field in self.step])
        done = arrayed(self._base, self.paths, self.count.value(), step)
        first = {path.partition("/")[0] for path in self.paths}
        paths = tuple(path for path in done.paths if path.partition("/")[0] in first)
        return done.project, paths, tr("Array of {name}", name=named(self._base, self.paths))


class MirrorDialog(CopiesDialog):
    """Across which axis, and where along it the plane is."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench, tr("Mirror about a plane"))
        self.axis = Choice()
        for words in _ACROSS:
            self.axis.addItem(tr(words))
        self.axis.setCurrentIndex(1)
        self.axis.setToolTip(tr("The plane stands across this axis"))
        self.form.add(tr("Across"), self.axis)
        self.place = LengthBox(self.system)
        self.place.setToolTip(tr("Where the plane stands along that axis"))
        self.form.add(tr("Plane at"), self.place)
        self.axis.currentIndexChanged.connect(self.show_made)
        self.place.valueChanged.connect(self.show_made)

    def made(self) -> tuple[Project, tuple[str, ...], str]:
        """The project with the mirror image in it."""
        at, axis = self.place.metres, self.axis.currentIndex()
        done = mirrored_about(self._base, self.paths, axis, at, GROUND)
        paths = done.paths[: len(self.paths)]
        return done.project, paths, tr("Mirror {name}", name=named(self._base, self.paths))
