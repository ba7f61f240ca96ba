"""Editors of curves, laws, pulses, contacts, contours and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from app.command import Command
from app.document import Document
from app.elements import find
from app.features.editors.bar import button
from app.features.editors.contour_course import direction, stop_of
from app.features.feature import Feature
from app.forms.form_commands import FormCommands
from app.forms.units import Units
from app.guard import guard
from app.history import Change
from app.look import LIGHT, Theme
from app.panel import Panel
from app.run_view.record import RunRecord
from app.run_view.run_view import RunView
from app.widgets.sheet import fit_beside
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.scene.placing import Pose

if TYPE_CHECKING:
    from app.features.editors.contact_matrix import ContactMatrix
    from app.features.editors.contour_editor import ContourEditor
    from app.features.editors.coordinate_editor import CoordinateEditor
    from app.features.editors.element_table import ElementTable
    from app.features.editors.function_editor import FunctionEditor
    from app.features.editors.law_editor import LawEditor
    from app.features.editors.outputs_table import OutputsTable
    from app.features.editors.pulse_editor import PulseEditor

    Editor = (
        FunctionEditor | LawEditor | PulseEditor | ContactMatrix | ContourEditor | OutputsTable | CoordinateEditor
        | ElementTable
    )  # fmt: skip

_TABLES = {
    "contacts": (
        msgid("Who may touch what…"),
        msgid("A matrix of surfaces, planes and laws."),
    ),
    "outputs": (msgid("What a run writes…"), msgid("A table of outputs.")),
    "table": (
        msgid("&Table of elements…"),
        msgid(
            "All elements of a list as rows with their numbers; cells of a spreadsheet can be pasted."
        ),
    ),
}


class Editors(Feature):
    """Bring the editor that fits the selection to the front."""

    name = "editors"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        bench.commands.add(
            *(
                Command(
                    f"edit.{name}",
                    tr(title),
                    tr(tip),
                    partial(self.open, name),
                    enabled=bench.has_project,
                )
                for name, (title, tip) in _TABLES.items()
            )
        )
        bench.commands.add(
            Command(
                "edit.hertz",
                tr("Stiffness after &Hertz…"),
                tr("Find the stiffness of two elastic balls from radii, moduli and Poisson's ratios, and put it into a law."),
                lambda: self.measure("HertzDialog"),
                enabled=bench.has_project,
            ),
            Command(
                "edit.sinus",
                tr("Stop contour of measured points…"),
                tr("Fit the stop contour of a joint to digitised points at which it came to its limits."),
                lambda: self.measure("SinusDialog"),
                enabled=bench.has_project,
            ),
        )  # fmt: skip
        bench.commands.add(
            Command(
                "insert.pulse_file",
                tr("Measured pulse from a f&ile…"),
                tr("Move the chosen vehicle or sled by a measured acceleration: ISO-MME, NHTSA, a table."),
                self.ask_for_pulse,
                enabled=lambda: bool(bench.document.project.segments),
            )
        )  # fmt: skip
        panel = self.panel = EditorPanel(bench.document, _TABLES, bench.settings.units)
        bench.panels.add(
            Panel(
                "editor",
                panel,
                "below",
                tr("Editor"),
                tr("Curves, laws, pulses, contacts, contours and outputs, drawn and as tables"),
                go_to=(tr("&Editor"), tr("Go to the editor of what is selected.")),
                topic="guide#editors",
                asked=lambda: bench.document.selection,
                moods=("build", "run"),
                asked_in=("run",),
            )
        )
        panel.ask = bench.commands.run
        panel.follow(bench.run_view)
        bench.document.changed.connect(panel.update_project)
        bench.document.selected.connect(self._on_selected)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(panel.set_units)

    def open(self, name: str) -> None:
        """Show the editor of a list of the document, whatever is selected."""
        self.bench.panels.open("editor")
        self.panel.open(name)
        self.bench.panels.give_half(self.panel.is_matrix)

    def ask_for_pulse(self) -> None:
        """Ask for the file of a measured pulse, and show what it does before it is taken."""
        from app.features.editors.pulse_dialog import ask_for_pulse

        ask_for_pulse(self.bench)

    def measure(self, name: str) -> QDialog:
        """Open a dialog that finds numbers of a law or a joint from what was measured."""
        from app.features.editors import measured

        dialog: QDialog = getattr(measured, name)(self.bench)
        dialog.setStyleSheet(self.bench.window.styleSheet())
        fit_beside(dialog)
        dialog.show()
        return dialog

    def _on_selected(self, path: str) -> None:
        panels = self.bench.panels
        self.panel.show_element()
        if (
            self.panel.fits(path)
            and panels.is_shown("editor")
            and not panels.has_keyboard("problems")
        ):
            panels.open("editor")
        if not self.panel.is_matrix:
            panels.give_half(False)


LISTS = (
    "functions", "contact_laws", "motions", "drivers", "frame_drivers", "contacts", "joints", "outputs", "runs",
    "coordinate_forces", "table",
)  # fmt: skip
"""Lists of the document that have an editor, and the table of any of them."""


def editors() -> dict[str, type[Editor]]:
    """The editors by lists; they are imported when first needed, so that the window opens sooner."""
    from app.features.editors.contact_matrix import ContactMatrix
    from app.features.editors.contour_editor import ContourEditor
    from app.features.editors.coordinate_editor import CoordinateEditor
    from app.features.editors.element_table import ElementTable
    from app.features.editors.function_editor import FunctionEditor
    from app.features.editors.law_editor import LawEditor
    from app.features.editors.outputs_table import OutputsTable
    from app.features.editors.pulse_editor import PulseEditor

    made = (
        FunctionEditor, LawEditor, PulseEditor, PulseEditor, PulseEditor, ContactMatrix, ContourEditor,
        OutputsTable, OutputsTable, CoordinateEditor, ElementTable,
    )  # fmt: skip
    return dict(zip(LISTS, made, strict=True))


class EditorPanel(QWidget):
    """Choose the editor that fits the selection; each is made when it is first needed."""

    def __init__(
        self, document: Document, tables: Mapping[str, tuple[str, str]], system: str = "metric"
    ) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.document, self._theme = document, LIGHT
        self.commands = FormCommands(document, Units(system))
        self._run_view: RunView | None = None
        self.ask: Callable[[str], object] = str
        """Runs a command."""
        self._made: dict[str, Editor] = {}
        self.current: Editor | None = None
        self.empty = QWidget()
        hint = with_properties(
            QLabel(
                tr(
                    "Select a function, a law, a motion, a driver, a joint with a contour, a contact, a force on a coordinate, an output or a run to edit it here."
                )
            ),
            objectName="muted",
            wordWrap=True,
        )
        hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        offers = QHBoxLayout()
        offers.addStretch(1)
        self.offers = {
            name: button(tr(title), tr(tip), partial(self.open, name))
            for name, (title, tip) in tables.items()
        }
        for one in self.offers.values():
            offers.addWidget(one)
        offers.addStretch(1)
        inside = QVBoxLayout(self.empty)
        inside.addStretch(1)
        inside.addWidget(hint)
        inside.addLayout(offers)
        inside.addStretch(1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.stack, 1)
        self._stale = True
        self._asked = ""
        self.show_element()

    @property
    def is_matrix(self) -> bool:
        """Whether the matrix of contacts is shown, which has many rows."""
        return self.current is not None and self.current is self._made.get("contacts")

    def fits(self, path: str) -> bool:
        """Whether there is an editor for an element."""
        return bool(self._name(path))

    def open(self, list_name: str) -> None:
        """Show the editor of a list, whatever is selected, until something else is."""
        self._asked = list_name
        self._show(list_name)

    def show_element(self) -> None:
        """Show what is selected now."""
        self._asked = ""
        self._show(self._name(self.document.selection))

    def _show(self, name: str) -> None:
        path = self.document.selection
        self.current = self._editor(name) if name else None
        self._stale = not self.isVisible()
        if self.current is None:
            self.stack.setCurrentWidget(self.empty)
            return
        self.stack.setCurrentWidget(self.current)
        if not self._stale:
            self.current.show_element(path)

    def update_project(self, change: Change) -> None:
        """Show another version of the same project."""
        if self.current is None:
            if self.fits(self.document.selection):
                self.show_element()
            return
        if not self.isVisible():
            self._stale = True
            return
        if not self._asked and not self.fits(self.document.selection):
            self.show_element()
            return
        self.current.refresh()

    def follow(self, run_view: RunView) -> None:
        """Let a joint's sphere, and the laws of a coordinate, show the instant of a run that is seen in the scene."""
        self._run_view = run_view
        run_view.player.moved.connect(lambda _: self._on_time())
        run_view.switched.connect(lambda _: self._on_time())
        run_view.runs.ended.connect(lambda _: self._on_run())
        run_view.runs.shown.connect(lambda _: self._on_run())

    def set_units(self, system: str) -> None:
        """Show numbers in other units."""
        self.commands.units = Units(system)
        if self.current is not None:
            self.current.show_element(self.document.selection)
            canvas = getattr(self.current, "canvas", None)
            if canvas is not None:
                canvas.fit()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        for one in self._made.values():
            one.set_theme(theme)

    @guard
    def showEvent(self, _: object) -> None:
        """Show what was selected or changed while the panel was hidden."""
        if self._stale:
            self._show(self._asked or self._name(self.document.selection))

    def _on_time(self) -> None:
        for name in ("joints", "coordinate_forces"):
            if self.current is not None and self.current is self._made.get(name):
                self.current.show_time()  # type: ignore[union-attr]

    def _pose(self) -> Pose | None:
        run_view = self._run_view
        if run_view is None or not run_view.is_on or run_view.replay is None:
            return None
        return run_view.replay.motion.pose(run_view.player.time)

    def _working(self, id_: str) -> tuple[float, float] | None:
        """Give value and resistance of a force on a coordinate at the instant of the run that is seen."""
        run_view = self._run_view
        if run_view is None or not run_view.is_on or run_view.replay is None:
            return None
        motion = run_view.replay.motion
        table = motion.loads.table("coordinate_forces")
        if id_ not in table.ids or len(motion.time) == 0:
            return None
        row, t = table.ids.index(id_), run_view.player.time
        # of angles and of ways one pair is zero
        way, force = (
            float(
                sum(
                    np.interp(t, motion.time, table[name][: len(motion.time), row])
                    for name in names
                )
            )
            for names in (("angle", "way"), ("torque", "force"))
        )
        return way, force

    def _current_run(self) -> RunRecord | None:
        return None if self._run_view is None else self._run_view.runs.current

    def _on_run(self) -> None:
        """Look for missing contacts again once another run is shown, or has ended."""
        if self.current is not None and self.is_matrix and self.isVisible():
            self.current.refresh()

    def _way(self, joint: Any) -> Array:
        """Where a joint's axis pointed at each frame of the run that is seen."""
        run_view = self._run_view
        if run_view is None or not run_view.is_on or run_view.replay is None:
            return np.zeros((0, 3))
        motion = run_view.replay.motion
        if joint.child not in motion.names or len(motion.time) < 2:
            return np.zeros((0, 3))
        every = max(1, len(motion.time) // 200)
        return np.array([direction(joint, motion.pose(float(t))) for t in motion.time[::every]])

    def _name(self, path: str) -> str:
        """Name the editor for an element; empty for none."""
        name = path.split("/", 1)[0]
        if name == "joints" and stop_of(find(self.document.project, path)) is None:
            return ""
        return name if name in LISTS else ""

    def _editor(self, name: str) -> Editor:
        if name not in self._made:
            made = editors()[name](self.commands)
            made.set_theme(self._theme)
            if name in ("contact_laws", "joints"):
                made.ask = self.ask  # type: ignore[union-attr]
            if name == "joints":
                made.pose, made.way = self._pose, self._way  # type: ignore[union-attr]
            if name == "contacts":
                made.current_run = self._current_run  # type: ignore[union-attr]
            if name == "coordinate_forces":
                made.working = self._working  # type: ignore[union-attr]
            self._made[name] = made
            self.stack.addWidget(made)
        return self._made[name]
