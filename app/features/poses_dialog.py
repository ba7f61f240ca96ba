"""All poses of a limb in which its end is at a place: listed, shown in the scene by a click, taken over."""

from __future__ import annotations

import threading
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
)

from app.elements import element_label, with_names
from app.fonts import em
from app.forms.lines import NumberLine
from app.forms.units import Units
from app.jobs.task import Task
from app.widgets.sheet import Sheet, fit_beside, in_row
from app.with_properties import with_properties
from app.workbench import Workbench
from solver.analysis.linkages import (
    Goal,
    InversePoses,
    LinkageError,
    inverse_poses,
    limb_of,
    tip_of,
)
from solver.base.words import Refusal, msgid, tr
from solver.project import Project, ProjectError
from solver.project.angles import angles_from
from solver.project.fields import Vec3
from solver.project.geometry import Orientation, PointRef
from solver.project.pose import start_pose
from solver.project.segments import GROUND

_COLUMNS = (msgid("Pose"), msgid("Joints"))
_WIDTH_EM, _NAMES_EM, _TABLE_PX, _JOINTS_PX, _RIM_PX = 38.0, 6.0, 150, 120, 4
_ID = Qt.ItemDataRole.UserRole
_STARTS = 256
_TURNS = ("angle", "first", "second", "precession", "nutation", "spin", "yaw", "pitch", "roll")


class Given(Exception):
    """Say that the poses are not wanted any more."""


def point_of(project: Project, selection: str) -> PointRef | None:
    """What is to be at a place: a marker that is selected, or the end of a segment; none for anything else."""
    list_, _, rest = selection.partition("/")
    id_ = rest.split("/")[0]
    if list_ == "markers":
        marker = next((one for one in project.markers if one.id == id_), None)
        if marker is None or marker.segment == GROUND:
            return None
        point = PointRef(segment=marker.segment, position_m=marker.point_m)
    elif list_ == "segments" and any(one.child == id_ for one in project.joints):
        point = tip_of(project, id_)
    else:
        return None
    try:
        limb_of(project, point)
    except LinkageError:
        return None
    return point


class PosesDialog(Sheet):
    """Ask where the end of a limb is to be, and list the poses that are found."""

    def __init__(self, bench: Workbench, point: PointRef) -> None:
        super().__init__(bench.window, tr("All poses"), "synthesis", width_em=_WIDTH_EM)
        self._bench, self._point = bench, point
        self._base: Project = bench.document.project
        self.found: InversePoses | None = None
        self._task: Task | None = None
        self._given = threading.Event()
        self._is_previewed = False
        placed = start_pose(self._base)[point.segment]
        x, y, z = (float(v) for v in placed.of(point.position_m))
        self._place: Vec3 = (x, y, z)
        yaw, pitch, roll = (float(a) for a in angles_from(placed.R_WS, "zyx"))
        self._attitude = Orientation(angles_rad=(yaw, pitch, roll))
        name = element_label(self._base, bench.document.selection)
        what = tr(
            "{name}, moved by the joints of its limb alone; everything else stays.", name=name
        )
        units = Units(bench.settings.units)
        self.lines = [NumberLine(partial(self._set, k), units, "m") for k in range(3)]
        for line, axis, value in zip(self.lines, "xyz", self._place, strict=True):
            line.show_value(value)
            line.setAccessibleName(tr("To be at {axis}", axis=axis))
        self.turned = QCheckBox(tr("Turned as it is now"))
        self.turned.setToolTip(tr("Keep the segment's attitude to the ground; else any will do"))
        self.form.add(tr("To be at x, y, z"), in_row(*self.lines, alike=True))
        self.form.addRow("", self.turned)
        self.joints = QListWidget()
        self.joints.setToolTip(tr("Joints without a tick stay as they start"))
        for joint in limb_of(self._base, point):
            item = QListWidgetItem(element_label(self._base, f"joints/{joint}"), self.joints)
            item.setData(_ID, joint)
            item.setCheckState(Qt.CheckState.Checked)
        tall = self.joints.sizeHintForRow(0) * self.joints.count() + 2 * _RIM_PX
        self.joints.setFixedHeight(min(tall, _JOINTS_PX))
        self.form.add(tr("Joints that move"), self.joints)
        self.table = with_properties(QTreeWidget(), columnCount=2, rootIsDecorated=False)
        self.table.setHeaderLabels([tr(words) for words in _COLUMNS])
        self.table.setColumnWidth(0, round(_NAMES_EM * em()))
        self.table.setAccessibleName(tr("Poses that were found"))
        self.table.setMinimumHeight(_TABLE_PX)
        self.table.currentItemChanged.connect(lambda *_: self._preview())
        self.said = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.find_button = with_properties(
            QPushButton(tr("Find poses")), objectName="primary", default=True,
            toolTip=tr("Look for all poses in which it is there; the window can be used meanwhile"),
        )  # fmt: skip
        self.apply_button = with_properties(
            QPushButton(tr("Take it over")), enabled=False, autoDefault=False,
            toolTip=tr("Let the model start in the pose that is selected, as one step that can be undone"),
        )  # fmt: skip
        close = with_properties(
            QPushButton(tr("Close")),
            autoDefault=False,
            toolTip=tr("Leave the model as it was (Esc)"),
        )
        self.find_button.clicked.connect(self.look)
        self.apply_button.clicked.connect(self.take_over)
        close.clicked.connect(self.reject)
        self.column.addWidget(QLabel(what, wordWrap=True))
        self.column.addLayout(self.form)
        self.column.addWidget(self.table, 1)
        self.column.addWidget(self.said)
        self.add_buttons(close, self.apply_button, self.find_button)
        self.finished.connect(self._on_finished)
        bench.document.opened.connect(self.reject)
        bench.document.changed.connect(self._on_changed)

    @property
    def is_busy(self) -> bool:
        """Whether poses are being looked for."""
        return self._task is not None

    def moving(self) -> set[str]:
        """The joints of the limb that may move."""
        rows = (self.joints.item(n) for n in range(self.joints.count()))
        return {row.data(_ID) for row in rows if row.checkState() == Qt.CheckState.Checked}

    def look(self) -> None:
        """Look for the poses, in a thread of its own."""
        if self.is_busy:
            return
        goal = Goal(self._point, self._place, self._attitude if self.turned.isChecked() else None)
        self._task = Task(
            partial(_found, self._base, goal, self.moving(), self._given), self._bench
        )
        self._task.done.connect(self._on_found)
        self._task.failed.connect(self._on_failed)
        self.said.setText(tr("Looking for poses…"))
        self._task.start()

    def take_over(self) -> None:
        """Let the model start in the pose that is selected."""
        project = self._chosen()
        if project is not None:
            self._is_previewed = False
            self._given.set()
            self._bench.document.replace(project, tr("Take a pose"))
            self.accept()

    def _set(self, k: int, value: float, _: bool) -> bool:
        x, y, z = (value if n == k else old for n, old in enumerate(self._place))
        self._place = x, y, z
        self.lines[k].show_value(value)
        return True

    def _on_found(self, found: InversePoses) -> None:
        self._task = None
        if self._given.is_set():
            return
        self.found = found
        self.table.clear()
        limb = self.moving()
        units = Units(self._bench.settings.units)
        for n, one in enumerate(found.poses, 1):
            words = []
            for label, value in one.coordinates.items():
                joint, _, axis = label.rpartition(".")
                if joint in limb:
                    si = "rad" if axis in _TURNS else "m"
                    name = element_label(self._base, f"joints/{joint}")
                    words.append(f"{name} {units.with_unit(units.short(value, si, 3), si)}")
            row = QTreeWidgetItem([str(n), ", ".join(words)])
            row.setToolTip(1, "\n".join(words))
            self.table.addTopLevelItem(row)
        told = tr(
            "{count} poses, to which {met} of {starts} random starts led. One that is missing draws less than {part:.2g} % of them (95 %). Stops and contacts are not looked at.",
            count=len(found.poses), met=found.met, starts=found.starts, part=100.0 * found.unseen,
        )  # fmt: skip
        self.said.setText(told)
        first = self.table.topLevelItem(0)
        if first is not None:
            self.table.setCurrentItem(first)
        fit_beside(self)

    def _on_failed(self, failure: Exception) -> None:
        self._task = None
        if self._given.is_set():
            return
        if isinstance(failure, ProjectError):
            self.said.setText(failure.problems[0].sentence)
        elif isinstance(failure, Refusal):
            self.said.setText(with_names(self._base, str(failure)))
        else:
            self.said.setText(tr("This cannot be worked out: {kind}: {failure}", kind=type(failure).__name__, failure=failure))  # fmt: skip
        fit_beside(self)

    def _chosen(self) -> Project | None:
        item = self.table.currentItem()
        if item is None or self.found is None:
            return None
        return self.found.poses[self.table.indexOfTopLevelItem(item)].project

    def _preview(self) -> None:
        project = self._chosen()
        self.apply_button.setEnabled(project is not None)
        if project is not None:
            self._bench.viewport.preview_project(project)
            self._is_previewed = True

    def _on_changed(self, *_: object) -> None:
        """Leave: the model is another now."""
        if not self._given.is_set():
            self.reject()

    def _on_finished(self, _: int) -> None:
        self._given.set()
        if self._is_previewed:
            self._bench.viewport.update_project(self._bench.document.project)
        self._bench.viewport.setFocus()


def _found(project: Project, goal: Goal, moving: set[str], given: threading.Event) -> InversePoses:
    """Find the poses by some joints; roots and all other joints are held."""

    def watch(_: float) -> None:
        if given.is_set():
            raise Given

    carried = {one.child for one in project.joints}
    hold = [one.id for one in project.joints if one.id not in moving]
    hold += [one.id for one in project.segments if one.id not in carried]
    return inverse_poses(project, [goal], hold, starts=_STARTS, watch=watch)
