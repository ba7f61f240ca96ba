"""Ask for a person and show it in the scene while one chooses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QLabel, QPushButton

from app import texts
from app.editing.figures import said
from app.editing.persons import person_of
from app.features.placing.body_fields import BodyFields
from app.features.placing.carrying import Carrying, Load
from app.features.placing.person import body_of, first_place, inserted, placed
from app.having import having
from app.scene.drawn import STILL
from app.widgets.beside import keep_in_sight
from app.widgets.sheet import Sheet
from app.widgets.tall import Tall
from app.workbench import Workbench
from solver.base.words import tr
from solver.bodies import BodyError
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
        self.figures = having(QLabel(), objectName="muted", wordWrap=True)
        self.insert = having(
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
            bench.viewport, self._load, self._new_has, self._carry, self.fields.said_place
        )
        bench.viewport.tools.insert(0, self.carrying)
        self._lay_out()
        self.fields.show_person(self.person)
        self.fields.follow()
        self.fields.changed.connect(self._read)
        self.fields.chosen_anew.connect(self._place_anew)
        self.fields.put.connect(self._on_put)
        self.finished.connect(self._on_finished)
        bench.document.changed.connect(self._on_changed)
        bench.document.opened.connect(self.reject)
        self._show()

    def _lay_out(self) -> None:
        close = having(QPushButton(tr(texts.scene.CANCEL)), toolTip=tr(texts.scene.CANCEL_TIP))
        close.clicked.connect(self.reject)
        self.column.addWidget(Tall(self.fields), 1)
        self.column.addWidget(self.figures)
        self.column.addWidget(
            having(
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

    def _place_anew(self) -> None:
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
            self.figures.setText(said(body_of(self.person)))
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
            title = self.fields.who.currentText().lower()
            document.replace(
                project, tr("Insert body: {who}", who=title), select=_whole(project, path)
            )
            self._bench.viewport.fit()
            self._bench.say(tr("Inserted the body. Settle finds how it rests on its seat."))
        else:
            self._bench.viewport.update_project(document.project)


def _whole(project: Project, path: str) -> Sequence[str]:
    """Give all of the person whose part an element is: it is one thing."""
    one = person_of(project, path)
    return [path] if one is None else one.paths
