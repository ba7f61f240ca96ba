"""The panel of tracks: what was read, which instant, how far each marker is off, and what to do with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSlider,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.fonts import Shortened, wide
from app.forms.choices import Choice, Number
from app.forms.units import Units
from app.look import LINES
from app.scene.tool import Tool, paint_label
from app.with_properties import with_properties
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.segments import GROUND
from solver.scene.placing import Pose

if TYPE_CHECKING:
    from app.scene.viewport import Viewport
    from solver.analysis.tracking import Tracks
AXES = ("x y z", "x -z y", "z x y", "y z x", "-x -y z", "x -y -z")
"""Turns from the file's axes that laboratories need most."""
UNITS = ("", "m", "cm", "mm", "in")
_EMPTY = msgid(
    "Open the tracks of a test (CSV, TRC or C3D): its markers stand beside those of the model, at the time of the run or "
    "at the one that is chosen here."
)


class TracksPanel(QWidget):
    """Show how tracks and model agree at an instant."""

    open_asked = Signal()
    pose_asked = Signal()
    drivers_asked = Signal()
    motion_asked = Signal()
    stop_asked = Signal()
    read_again = Signal()
    """Axes or unit are others."""
    moved = Signal(int)
    """An instant of the tracks was chosen, by its number."""
    chosen = Signal(str)
    begin_changed = Signal()
    ticked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.units = Units("metric")
        self.open = _button(tr("Open tracks…"), tr("Read tracks of markers from a CSV, TRC or C3D file"))  # fmt: skip
        self.open.setObjectName("main")
        self.axes, self.unit = Choice(), Choice()
        for axes in AXES:
            self.axes.addItem(axes, axes)
        for unit in UNITS:
            self.unit.addItem(unit or tr("of the file"), unit)
        _named(self.axes, tr("Axes of the file that are the ground's x, y and z"))
        _named(self.unit, tr("Unit of lengths, in place of what the file says"))
        self.words = Shortened(60)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        _named(
            self.slider, tr("Instant of the tracks; while a run is shown, the run goes there too")
        )
        self.time = with_properties(QLabel(), objectName="muted")
        self.begin = Number(-1e4, 1e4, 0.01, 4, " s")
        _named(self.begin, tr("Time of the tracks at which runs begin"))
        self.fill, self.low_pass = Number(0.0, 1e6, 10.0, 0, " ms"), Number(0.0, 1e5, 5.0, 0, " Hz")
        _named(self.fill, tr("Gaps up to so long are filled by straight lines for drivers"))
        _named(
            self.low_pass, tr("What is faster than this is taken out for drivers; 0: nothing is")
        )
        self.pose = _button(tr("Pose the model"), tr("Let the model start where its markers lie nearest to those seen now, as one step back"))  # fmt: skip
        self.drivers = _button(tr("Make drivers"), tr("Follow the tracks from instant to instant, and let drivers and motions lead the model along them, as one step back"))  # fmt: skip
        self.motion = _button(tr("Save motion…"), tr("Follow the tracks from instant to instant, and write the coordinates as a table of OpenSim (.mot), angles in degrees"))  # fmt: skip
        self.stop = _button(tr("Stop"), tr("Give up following the tracks"))
        self.found = with_properties(QLabel(), objectName="muted", wordWrap=True)
        self.found.setContentsMargins(8, 0, 8, 2)
        self.tree = with_properties(QTreeWidget(), rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setAccessibleName(tr("Markers; those that are not ticked do not count"))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.hint = with_properties(QLabel(tr(_EMPTY)), objectName="muted", wordWrap=True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._connect()
        self._lay_out()
        self.show_tracks(None)

    def _connect(self) -> None:
        self.open.clicked.connect(self.open_asked)
        self.pose.clicked.connect(self.pose_asked)
        self.drivers.clicked.connect(self.drivers_asked)
        self.motion.clicked.connect(self.motion_asked)
        self.stop.clicked.connect(self.stop_asked)
        for choice in (self.axes, self.unit):
            choice.currentIndexChanged.connect(lambda _: self.read_again.emit())
        self.slider.valueChanged.connect(self.moved)
        self.begin.valueChanged.connect(lambda _: self.begin_changed.emit())
        self.tree.itemChanged.connect(lambda _, column: self.ticked.emit() if column == 0 else None)
        self.tree.currentItemChanged.connect(lambda item, _: self.chosen.emit(item.text(0) if item else ""))  # fmt: skip

    def _lay_out(self) -> None:
        first = _row(self.open, (tr("Axes"), self.axes), (tr("Unit"), self.unit))
        first.addWidget(self.words, 1)
        second = _row()
        second.addWidget(self.slider, 1)
        second.addWidget(self.time)
        _add(second, tr("Runs begin at"), self.begin)
        second.addWidget(self.pose)
        _add(second, tr("Fill"), self.fill)
        _add(second, tr("Low pass"), self.low_pass)
        second.addWidget(self.drivers)
        second.addWidget(self.motion)
        second.addWidget(self.stop)
        self._second = QWidget()
        self._second.setLayout(second)
        for field in (self.begin, self.fill, self.low_pass):
            field.setFixedWidth(wide(84))
        self.time.setMinimumWidth(wide(72))
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self.hint)
        self._stack.addWidget(self.tree)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(first)
        layout.addWidget(self._second)
        layout.addWidget(self.found)
        layout.addWidget(holder, 1)

    def show_tracks(self, tracks: Tracks | None) -> None:
        """Show which tracks there are; None for none."""
        there = tracks is not None
        self._second.setVisible(there)
        self._stack.setCurrentIndex(int(there))
        self.tree.clear()
        self.tell("")
        self.slider.blockSignals(True)
        self.slider.setRange(0, 0 if tracks is None else len(tracks.time) - 1)
        self.slider.setValue(0)
        self.slider.blockSignals(False)
        if tracks is not None:
            self.begin.setValue(float(tracks.time[0]))

    def show_instant(self, time: float, number: int) -> None:
        """Show the time of the tracks (s) that the scene shows."""
        self.time.setText(f"{time:.4g} s")
        self.slider.blockSignals(True)
        self.slider.setValue(number)
        self.slider.blockSignals(False)

    def show_gaps(self, found: list[Gap]) -> None:
        """Write how far each marker is off."""
        self.tree.blockSignals(True)
        self._fill(found)
        self.tree.blockSignals(False)
        unit = self.units.name("m")
        idle = self.weights()
        off = rms([one for one in found if one.name not in idle])
        if math.isfinite(off):
            shown = float(self.units.shown_all(off, "m"))
            self.words.say(tr("root mean square {off:.4g} {unit} off", off=shown, unit=unit))
        else:
            self.words.say(tr("no marker of the model is seen here"))

    def _fill(self, found: list[Gap]) -> None:
        unit = self.units.name("m")
        self.tree.setHeaderLabels([
            tr("Marker"), tr("Off ({unit})", unit=unit), *(f"{axis} ({unit})" for axis in "xyz"), "",
        ])  # fmt: skip
        items = {item.text(0): item for item in self._items()}
        if list(items) != [one.name for one in found]:
            self.tree.clear()
            items = {one.name: self._made(one) for one in found}
        for one in found:
            item = items[one.name]
            numbers = [one.size, *(one.way if one.way is not None else [math.nan] * 3)]
            for n, value in enumerate(numbers):
                shown = float(self.units.shown_all(value, "m"))
                item.setText(n + 1, f"{shown:.4g}" if math.isfinite(value) else "–")
                item.setTextAlignment(n + 1, Qt.AlignmentFlag.AlignRight)
            item.setText(5, _remark(one))

    def choose(self, name: str) -> None:
        """Mark a marker in the list."""
        for item in self._items():
            if item.text(0) == name:
                self.tree.setCurrentItem(item)

    def weights(self) -> dict[str, float]:
        """The markers that do not count, with no weight."""
        ticks = [(i.text(0), i.data(0, Qt.ItemDataRole.CheckStateRole)) for i in self._items()]
        return {n: 0.0 for n, tick in ticks if tick is not None and not _is_ticked(tick)}

    def tell(self, words: str, busy: bool = False) -> None:
        """Say what was found, or how far it is."""
        self.found.setText(words)
        self.found.setVisible(bool(words))
        self.stop.setEnabled(busy)
        for button in (self.open, self.pose, self.drivers, self.motion, self.axes, self.unit):
            button.setEnabled(not busy)

    def _items(self) -> list[QTreeWidgetItem]:
        there = (self.tree.topLevelItem(n) for n in range(self.tree.topLevelItemCount()))
        return [item for item in there if item is not None]

    def _made(self, one: Gap) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self.tree, [one.name])
        if one.own is not None:
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0, Qt.CheckState.Checked)
        return item


def _is_ticked(tick: object) -> bool:
    return tick in (Qt.CheckState.Checked, Qt.CheckState.Checked.value)


def _remark(one: Gap) -> str:
    if one.own is None:
        return tr("not in the model")
    return tr("not seen") if one.seen is None else ""


def _button(words: str, tip: str) -> QPushButton:
    return with_properties(QPushButton(words), toolTip=tip)


def _named(widget: QWidget, words: str) -> None:
    widget.setAccessibleName(words)
    widget.setToolTip(words)


def _row(*things: QWidget | tuple[str, QWidget]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(8, 4, 8, 2)
    row.setSpacing(8)
    for one in things:
        if isinstance(one, tuple):
            _add(row, *one)
        else:
            row.addWidget(one)
    return row


def _add(row: QBoxLayout, words: str, widget: QWidget) -> None:
    row.addWidget(with_properties(QLabel(words), objectName="muted"))
    row.addWidget(widget)


_DOT_PX, _OWN_PX = 3.5, 3.0
_NEAR_PX = 9.0
_SEEN = LINES[1]
"""Colour of what was seen."""


class Dots(Tool):
    """Paint markers; a click on one, or the mouse over it, names it."""

    def __init__(
        self, view: Viewport, gaps: Callable[[], list[Gap]], chosen: Callable[[str], object]
    ) -> None:
        self._view, self._gaps, self._chosen = view, gaps, chosen
        self.selected = ""
        self.hovered = ""
        self.pixels: dict[str, QPointF] = {}
        """Where what was seen was painted last."""

    def moved(self, event: QMouseEvent) -> bool:
        """Name the marker under the mouse."""
        over = self._at(event.position()) if not event.buttons() else ""
        if over != self.hovered:
            self.hovered = over
            self._view.update()
        return False

    def clicked(self, event: QMouseEvent) -> bool:
        """Choose the marker under the mouse."""
        over = self._at(event.position())
        if over:
            self._chosen(over)
        return bool(over)

    def paint(self, painter: QPainter) -> None:
        """Paint lines, the model's points, what was seen, and names."""
        lens, self.pixels = self._view.lens, {}
        found = self._gaps() if lens is not None else []
        if lens is None or not found:
            return
        theme = self._view.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        own = dict[str, QPointF]()
        for one in found:
            if one.seen is not None and lens.is_ahead(one.seen):
                self.pixels[one.name] = QPointF(*lens.pixel(one.seen))
            if one.own is not None and lens.is_ahead(one.own):
                own[one.name] = QPointF(*lens.pixel(one.own))
        painter.setPen(QPen(QColor(_SEEN), 1.8))
        for name, at in self.pixels.items():
            if name in own:
                painter.drawLine(own[name], at)
        painter.setPen(QPen(QColor(theme.text), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for at in own.values():
            painter.drawEllipse(at, _OWN_PX, _OWN_PX)
        painter.setBrush(QColor(_SEEN))
        for name, at in self.pixels.items():
            wide = _DOT_PX + 2.0 * (name in (self.selected, self.hovered))
            painter.setPen(QPen(QColor(theme.panel), 1.0))
            painter.drawEllipse(at, wide, wide)
        for name in dict.fromkeys((self.selected, self.hovered)):
            if name in self.pixels:
                paint_label(painter, name, self.pixels[name], self._view.rect(), theme)

    def _at(self, place: QPointF) -> str:
        near = {n: float(np.hypot(at.x() - place.x(), at.y() - place.y())) for n, at in self.pixels.items()}  # fmt: skip
        name = min(near, key=lambda n: near[n], default="")
        return name if name and near[name] <= _NEAR_PX else ""


@dataclass(frozen=True, slots=True)
class Gap:
    """One marker at an instant, in the axes of the scene: where it was seen, and where the model has it."""

    name: str
    seen: Array | None
    own: Array | None
    way: Array | None
    """From the model's point to where it was seen (m), in ground axes."""

    @property
    def size(self) -> float:
        """The distance (m); not a number where one of both is missing."""
        return float("nan") if self.way is None else float(np.linalg.norm(self.way))


def gaps(project: Project, pose: Pose, seen: Mapping[str, Array], names: tuple[str, ...]) -> list[Gap]:  # fmt: skip
    """Compare a pose as the scene shows it with markers that were seen (m, ground); the model's markers first.

    A camera that rides on a segment moves the ground: what was seen moves with it.
    """
    ground = pose.get(GROUND)
    R = np.eye(3) if ground is None else ground.R_WS
    p = np.zeros(3) if ground is None else ground.p_W
    own = {
        one.id: pose[one.segment].R_WS @ np.array(one.point_m) + pose[one.segment].p_W
        for one in project.markers
        if one.segment in pose
    }
    out = list[Gap]()
    for name in dict.fromkeys((*own, *names)):
        there = R @ seen[name] + p if name in seen else None
        here = own.get(name)
        way = None if there is None or here is None else R.T @ (there - here)
        out.append(Gap(name, there, here, way))
    return out


def rms(found: list[Gap]) -> float:
    """The root mean square of all distances that there are (m); not a number where there is none."""
    sizes = np.array([one.size for one in found if one.way is not None])
    return float(np.sqrt(np.mean(sizes**2))) if len(sizes) else float("nan")
