"""Choose a ready part of the library and see it in the scene before it is there."""

from __future__ import annotations

import html
import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QPushButton,
)

from app import texts
from app.editing.from_library import (
    Pick,
    at_origin,
    dropped_pick,
    first_pick,
    has_place,
    inserted,
    is_carried,
    is_for_someone,
    key_of,
    too_short,
)
from app.editing.naming import counted
from app.elements import element_label
from app.features.placing.carrying import Carrying, Dropping, Load
from app.features.placing.library_tree import LibraryTree
from app.forms.choices import Choice, LengthBox, Number
from app.scene.drawn import STILL
from app.widgets.sheet import Sheet, fit_beside, in_row, keep_in_sight
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.base.words import msgid, tr
from solver.bodies.library import Entry, LibraryError, entry
from solver.bodies.library.occupants import occupants
from solver.editing.by_hand import by_hand
from solver.engine.maths.rotation import Array
from solver.project import ProjectError
from solver.project.names import read_as_words
from solver.project.segments import GROUND
from solver.scene.placing import pose_at_start

_BASES: dict[str, str] = {
    "published": msgid("Published"),
    "derived": msgid("Derived"),
    "assumed": msgid("Assumed"),
}
_BASIS_TIPS: dict[str, str] = {
    "published": msgid("The figures stand in the source."),
    "derived": msgid("Worked out from figures in the source."),
    "assumed": msgid("A place to start from, never a figure to sign for: replace it by your own."),
}
_MOVES_WITH = msgid("Moves with")

_REST_MS = 60
_WIDTH_EM, _TOLD_PX = 37.0, 96
_SEEN = ("segments", "planes")
_SHORT = 260
"""Notes are told up to so many letters; all of it stands in the tip."""


class LibraryDialog(Sheet):
    """Offer seats, interiors, belts, airbags, pulses and laws; hands and fields say where."""

    previewed = Signal()
    """The scene shows the entry as it would be, or that it cannot be."""

    def __init__(self, bench: Workbench, system: str) -> None:
        super().__init__(bench.window, tr("Insert from the library"), "library", width_em=_WIDTH_EM)
        self._bench = bench
        self._base = bench.document.project
        self.pick: Pick | None = None
        self.problem, self.is_over = "", False
        self._new: tuple[str, ...] = ()
        self.entries = LibraryTree(bench.theme)
        self.entries.chosen.connect(self.show_entry)
        self.told = with_properties(
            QLabel(tr("Choose a seat, an interior, a belt, an airbag, a pulse or a law.")),
            objectName="muted",
            wordWrap=True,
            textFormat=Qt.TextFormat.RichText,
        )
        self.told.setMinimumHeight(_TOLD_PX)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.remark = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.carrier, self.on = Choice(), Choice()
        self.place = [LengthBox(system) for _ in range(3)]
        self.facing = Number(-180.0, 180.0, 5.0, 1, "°")
        self.insert = with_properties(
            QPushButton(tr(texts.scene.INSERT)),
            objectName="primary",
            default=True,
            toolTip=tr("Add the part with its source, as one step that can be undone (Enter)"),
            enabled=False,
        )
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self.preview)
        self.carrying = Carrying(
            bench.viewport, self._load, self._new_has, self._carry, self._place_text
        )
        self.dropping = Dropping(
            bench.viewport, self._new_has, self._show_dropped, self._drop, self._leave
        )
        self._fill()
        self._lay_out()
        self._connect()
        bench.document.changed.connect(self._on_changed)
        bench.document.opened.connect(self.reject)
        self._show_rows(None)
        self.entries.search.setFocus()

    def _fill(self) -> None:
        """List what can carry, and who sits there."""
        self.carrier.addItem(tr(texts.elements.GROUND), GROUND)
        for segment in self._base.segments:
            self.carrier.addItem(element_label(self._base, f"segments/{segment.id}"), segment.id)
        self.on.addItem(tr("nobody yet"), None)
        for who in occupants(self._base):
            name = read_as_words(who.prefix) or tr("the body")
            self.on.addItem(name, who.prefix)
        for who in by_hand(self._base):
            self.on.addItem(tr("{name} and what it carries", name=element_label(self._base, f"segments/{key_of(who)}")), key_of(who))  # fmt: skip

    def _lay_out(self) -> None:
        for field, axis in zip(self.place, "xyz", strict=True):
            field.setAccessibleName(tr(texts.scene.PLACE_ALONG, axis=axis))
        self._three = in_row(*self.place, alike=True)
        for label, widget in (
            (tr(_MOVES_WITH), self.carrier),
            (tr("For"), self.on),
            ("x, y, z", self._three),
            (tr("Faces"), self.facing),
        ):
            self.form.add(label, widget)
        close = with_properties(
            QPushButton(tr(texts.scene.CANCEL)), toolTip=tr(texts.scene.CANCEL_TIP)
        )
        close.clicked.connect(self.reject)
        self.insert.clicked.connect(self.accept)
        self.column.addWidget(self.entries, 1)
        self.column.addWidget(self.told)
        self.column.addLayout(self.form)
        self.column.addWidget(self.remark)
        self.add_buttons(close, self.insert)

    def _connect(self) -> None:
        self.carrier.activated.connect(self._on_other)
        self.on.activated.connect(self._on_other)
        for field in (*self.place, self.facing):
            field.valueChanged.connect(self._read)
        self.finished.connect(self._on_finished)

    def show_entry(self, id_: str) -> None:
        """Show another entry where it belongs."""
        is_first = self.pick is None
        self.pick = first_pick(self._base, id_)
        self._show_rows(entry(id_))
        self._show_pick()
        self.preview()
        if is_first:
            fit_beside(self)
        seen = [path for path in self._new if path.partition("/")[0] in _SEEN]
        keep_in_sight(self._bench.viewport, self, seen)

    def _show_rows(self, one: Entry | None) -> None:
        """Ask only what matters for an entry, and tell what it is."""
        placed = one is not None and has_place(one)
        self.form.setRowVisible(self.carrier, one is not None and is_carried(one))
        self.form.setRowVisible(self.on, one is not None and is_for_someone(one))
        self.form.setRowVisible(self._three, placed)
        self.form.setRowVisible(self.facing, placed)
        if one is None:
            return
        words = tr(_MOVES_WITH) if not one.fragment.motions else tr("Moves")
        label = self.form.labelForField(self.carrier)
        if isinstance(label, QLabel):
            label.setText(words)
        note = " ".join(filter(None, (tr(one.note), one.source)))
        short = note if len(note) <= _SHORT else f"{note[:_SHORT].rsplit(' ', 1)[0]} …"
        basis = html.escape(tr(_BASES[one.basis]))
        self.told.setText(
            f"<b>{html.escape(tr(one.name))}</b><br><b>{basis}.</b> {html.escape(short)}"
        )
        self.told.setToolTip(f"{tr(_BASIS_TIPS[one.basis])}\n{note}")

    def _show_pick(self) -> None:
        pick = self.pick
        if pick is None:
            return
        for box, value in ((self.carrier, pick.carrier), (self.on, pick.on)):
            box.setCurrentIndex(max(0, box.findData(value)))
        for field, metres in zip(self.place, pick.place_m, strict=True):
            field.show_metres(metres)
        was = self.facing.blockSignals(True)
        self.facing.setValue(math.degrees(pick.facing_rad))
        self.facing.blockSignals(was)

    def _on_other(self, *_: object) -> None:
        """Put the entry where it belongs with another carrier, or for another occupant."""
        if self.pick is None:
            return
        pick = replace(self.pick, carrier=self.carrier.currentData(), on=self.on.currentData())
        self.pick = at_origin(self._base, pick)
        self._show_pick()
        self.preview()

    def _read(self, *_: object) -> None:
        if self.pick is None:
            return
        place = (self.place[0].metres, self.place[1].metres, self.place[2].metres)
        self.pick = replace(self.pick, place_m=place, facing_rad=math.radians(self.facing.value()))
        self._rest.start()

    def preview(self) -> None:
        """Show the entry in the scene as it would be, or say why it cannot be."""
        if self.pick is None:
            return
        bench, one = self._bench, entry(self.pick.entry)
        self.problem = ""
        try:
            if one.straps and self.pick.on is None:
                raise LibraryError("It lies over an occupant: insert a body first, and seat it.")
            project, self._new = inserted(self._base, self.pick)
            bench.viewport.preview_project(project)
        except (LibraryError, ProjectError) as failure:
            self.problem, self._new = str(failure), ()
            bench.viewport.update_project(self._base)
        self.remark.setText(
            self.problem
            or (
                tr(
                    "The scene shows it before it is there. Drag it by its arrows or its ring, or type its place."
                )
                if has_place(one)
                else ""
            )
        )
        self.remark.setVisible(bool(self.remark.text()))
        self.insert.setEnabled(not self.problem)
        tools = bench.viewport.tools
        if has_place(one) and not self.problem and self.carrying not in tools:
            tools.insert(0, self.carrying)
        elif (self.problem or not has_place(one)) and self.carrying in tools:
            tools.remove(self.carrying)
        self.previewed.emit()
        bench.viewport.update()

    def _show_dropped(self, id_: str, element: str, place_W: Array) -> None:
        """Show an entry where the mouse is that carries it."""
        if self.pick is None or self.pick.entry != id_:
            self.entries.choose(id_)
        self.pick = dropped_pick(self._base, id_, element, place_W)
        self._show_pick()
        self.preview()

    def _drop(self, id_: str, element: str, place_W: Array) -> None:
        """Insert an entry where it is let go; what cannot be says so and stays asked."""
        self._show_dropped(id_, element, place_W)
        if not self.problem:
            self.accept()

    def _leave(self) -> None:
        """Show the model alone again: what is carried has left the scene."""
        self._new = ()
        self._bench.viewport.update_project(self._base)

    def _load(self) -> Load:
        pick = self.pick or Pick("")
        at = pose_at_start(self._base).get(pick.carrier, STILL)
        return Load(at.p_W + at.R_WS @ np.array(pick.place_m), at.R_WS, pick.facing_rad)

    def _new_has(self, element: str) -> bool:
        return element in self._new

    def _carry(self, place_W: Array, facing: float) -> None:
        """Put the entry where it was carried to; the fields follow."""
        if self.pick is None:
            return
        at = pose_at_start(self._base).get(self.pick.carrier, STILL)
        x, y, z = (round(float(v), 4) + 0.0 for v in at.R_WS.T @ (place_W - at.p_W))
        turned = math.remainder(facing, 2.0 * math.pi)
        self.pick = replace(self.pick, place_m=(x, y, z), facing_rad=turned)
        self._show_pick()
        self.preview()

    def _place_text(self) -> str:
        text = "   ".join(f"{a} {f.text()}" for a, f in zip("xyz", self.place, strict=True))
        return tr("{place}   faces {facing}", place=text, facing=self.facing.text())

    def _on_changed(self, *_: object) -> None:
        """Go on from what the model has become meanwhile."""
        if not self.is_over:
            self._base = self._bench.document.project
            self.preview()

    def _on_finished(self, result: int) -> None:
        bench, document = self._bench, self._bench.document
        self._rest.stop()
        self.is_over = True
        self.dropping.end()
        if self.carrying in bench.viewport.tools:
            bench.viewport.tools.remove(self.carrying)
        if result == QDialog.DialogCode.Accepted and self.pick is not None:
            name = tr(entry(self.pick.entry).name)
            project, new = inserted(self._base, self.pick)
            text = tr("Insert {name} from the library", name=name)
            document.replace(project, text, select=list(new[:1]))
            label = tr("Inserted {name}: {what}.", name=name, what=counted(new))
            bench.say(f"{label} {too_short(project, self.pick.on)}".strip())
        else:
            bench.viewport.update_project(document.project)
