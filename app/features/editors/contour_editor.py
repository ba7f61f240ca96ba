"""Show a joint's stop contour on a sphere and unrolled, with where the joint points now."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QRadialGradient,
)
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import texts
from app.curves.canvas import Canvas
from app.curves.points import moved, with_point, without
from app.editing.examples import contours
from app.editing.naming import free_id, taken
from app.editing.shape import word_label
from app.elements import find, name_of
from app.features.editors.bar import Bar, LibraryButton, button
from app.features.editors.contour_course import angle_to_stop, direction, on_sphere, polar, stop_of
from app.forms.choices import Choice
from app.forms.form_commands import FormCommands
from app.guard import guard
from app.look import LIGHT, LINES, Theme, mix_hex
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.project import ProjectError
from solver.project.angles import TURN, stop_angles
from solver.project.azimuths import FunctionContour, LibraryContour, library
from solver.project.changes import with_value
from solver.project.functions import Function, Table
from solver.scene.placing import Pose, pose_at_start

_ROUND = np.linspace(0.0, TURN, 181)
_POINTS = 24


class ContourEditor(QWidget):
    """Choose a contour of the library, or make points of it and drag them."""

    def __init__(self, commands: FormCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.commands, self._theme, self.path = commands, LIGHT, ""
        self.pose: Callable[[], Pose | None] = lambda: None
        """Gives the pose that is shown, where that is an instant of a run."""
        self.way: Callable[[Any], Array] = lambda _: np.zeros((0, 3))
        """Gives where the joint's axis pointed in the run that is shown."""
        self.choice = Choice()
        self.choice.setAccessibleName(tr("Stop contour"))
        self.choice.setToolTip(tr("Measured contours of human joints; another one may be dragged"))
        self.choice.setMinimumContentsLength(16)
        self.choice.activated.connect(lambda _: self._choose())
        self.make = button(
            tr("Make points"),
            tr("Put a curve with points in place of this contour, to drag them"),
            self.make_points,
        )
        self.ask: Callable[[str], object] = str
        """Runs a command."""
        self.measured = button(
            tr("From points…"),
            tr("Fit the contour to digitised points at which the joint came to its limits"),
            lambda: self.ask("edit.sinus"),
        )
        self.library = LibraryButton(
            tr(texts.words.LIBRARY), lambda _: contours(), lambda offer: self._take(offer.key)
        )
        self.library.setToolTip(
            tr("Look at the measured contours of human joints beside this one, and take one")
        )
        self.library.looked_at.connect(self.refresh)
        self.bar = Bar(self.choice, self.library, self.make, self.measured)
        self.sphere = Sphere()
        self.canvas = Canvas()
        self.canvas.dragged.connect(self._on_dragged)
        self.canvas.released.connect(commands.document.end_gesture)
        self.canvas.added.connect(self._on_added)
        self.canvas.removed.connect(self._on_removed)
        row = QHBoxLayout()
        row.setContentsMargins(4, 0, 4, 4)
        row.addWidget(self.sphere, 2)
        row.addWidget(self.canvas, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addLayout(row, 1)

    def show_element(self, path: str) -> None:
        """Show a joint's contour."""
        if path != self.path:
            self.path = path
            self.canvas.fit()
        self.refresh()

    def refresh(self) -> None:
        """Show the present version."""
        joint = self._joint()
        if joint is None:
            return
        contour = stop_of(joint).contour
        self.bar.heading.setText(name_of(joint))
        self._list_choices(contour)
        self.make.setVisible(not isinstance(contour, FunctionContour))
        angles = stop_angles(self.commands.project, contour, _ROUND)
        units = self.commands.units
        self.canvas.name_axes("azimuth", tr("stop angle"), units.name("rad"), units.name("rad"))
        lines: list[Any] = []
        if len(angles):
            shown = [[units.shown(v, "rad") for v in one] for one in (_ROUND, angles)]
            lines.append((*shown, 1, "solid"))
        seen = self.library.seen
        beside = np.zeros(0)
        if seen is not None:
            other = LibraryContour(kind="library", name=seen.key)
            beside = stop_angles(self.commands.project, other, _ROUND)
            lines.append(([units.shown(v, "rad") for v in _ROUND], [units.shown(v, "rad") for v in beside], 3, "beside"))  # fmt: skip
        self.sphere.beside = on_sphere(beside, _ROUND) if len(beside) else np.zeros((0, 3))
        table = self._table()
        points = [] if table is None else [
            (units.shown(x, "rad"), units.shown(y, "rad")) for x, y in zip(table.x, table.y, strict=False)
        ]  # fmt: skip
        now = self.direction()
        if now is not None:
            angle, azimuth = polar(now)
            cross = units.shown(azimuth, "rad"), units.shown(angle, "rad")
            lines.append(([cross[0]] * 2, [0.0, cross[1]], 0, "faint"))
        self.canvas.show_lines(lines, points)
        self._show_now(joint, angles, now)

    def show_time(self) -> None:
        """Follow the instant of a run that is shown."""
        if self.isVisible():
            self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self.canvas.set_theme(theme)
        self.sphere.set_theme(theme)

    def direction(self) -> Array | None:
        """Where the joint's axis points now, in the parent's joint axes."""
        joint = self._joint()
        try:
            return direction(joint, self.pose() or pose_at_start(self.commands.project))
        except KeyError:
            # a segment that the joint names is missing
            return None

    def _show_now(self, joint: Any, angles: Array, now: Array | None) -> None:
        contour = on_sphere(angles, _ROUND) if len(angles) else np.zeros((0, 3))
        left = angle_to_stop(self.commands.project, joint, now) if now is not None else None
        self.sphere.show_contour(contour, self.way(joint), now, left is not None and left < 0.0)
        if now is None or left is None:
            self.bar.say(
                tr("The contour names a function that is missing or has no points; see Problems.")
            )
            return
        angle, azimuth = (math.degrees(v) for v in polar(now))
        sentence = (
            msgid("Bent by {angle}° towards {azimuth}°: {left}° left before the stop.")
            if left >= 0.0
            else msgid("Bent by {angle}° towards {azimuth}°: {left}° beyond where the stop begins.")
        )
        self.bar.say(
            tr(sentence, angle=f"{angle:.1f}", azimuth=f"{azimuth:.0f}",
                            left=f"{abs(math.degrees(left)):.1f}")
        )  # fmt: skip

    def _joint(self) -> Any:
        found = find(self.commands.project, self.path)
        return found if stop_of(found) is not None else None

    def _list_choices(self, contour: Any) -> None:
        own = "" if isinstance(contour, LibraryContour) else word_label(contour.kind)
        wanted = [*library(), *([contour.kind] if own else [])]
        if wanted != [self.choice.itemData(i) for i in range(self.choice.count())]:
            self.choice.clear()
            for name in library():
                self.choice.addItem(word_label(name).capitalize(), name)
            if own:
                self.choice.addItem(tr("own: {kind}", kind=own), contour.kind)
        self.choice.show_data(contour.kind if own else contour.name)

    # changing

    def _table(self) -> Table | None:
        """The table of the contour, where its points can be dragged."""
        function = self._function()
        form = function.form if function is not None else None
        return form if isinstance(form, Table) and form.csv is None else None

    def _function(self) -> Function | None:
        joint = self._joint()
        contour = stop_of(joint).contour if joint is not None else None
        if not isinstance(contour, FunctionContour):
            return None
        found = find(self.commands.project, f"functions/{contour.angle}")
        return found if isinstance(found, Function) else None

    def _choose(self) -> None:
        self._take(self.choice.currentData())

    def _take(self, name: Any) -> None:
        """Put a contour of the library in place of what is there."""
        joint = self._joint()
        if joint is None or name not in library():
            return
        text = tr("Choose the contour of {name}", name=name_of(joint))
        made = LibraryContour(kind="library", name=name)
        self.commands.document.edit(f"{self.path}/globographic/contour", made, text)

    def make_points(self) -> None:
        """Put a function with points in place of the contour; the course stays as near as it can."""
        joint = self._joint()
        if joint is None:
            return
        project = self.commands.project
        x = np.linspace(0.0, TURN, _POINTS + 1)
        y = stop_angles(project, stop_of(joint).contour, x)
        id_ = free_id(f"{joint.id}_contour", taken(project, "functions"))
        # at corners between straight lines the depth beyond the contour would jump
        table = Table(kind="table", x=tuple(x.tolist()), y=tuple(y.tolist()), between="spline")
        name = tr("Contour of {name}", name=name_of(joint))
        made = Function(id=id_, name=name, x_unit="rad", y_unit="rad", form=table)
        project = project.model_copy(update={"functions": (*project.functions, made)})
        contour = FunctionContour(kind="function", angle=id_)
        try:
            project = with_value(project, f"{self.path}/globographic/contour", contour)
        except ProjectError as refusal:
            self.bar.say(refusal.problems[0].sentence)
            return
        self.commands.document.replace(
            project, tr("Make points of the contour of {name}", name=name_of(joint))
        )

    def _put(self, points: Any, key: str | None = None) -> None:
        function, joint = self._function(), self._joint()
        if function is None or joint is None:
            return
        x, y = points
        between = getattr(function.form, "between", "lines")
        table = Table(kind="table", x=x, y=y, between=between)
        text = tr("Shape the contour of {name}", name=name_of(joint))
        refusal = self.commands.document.edit(f"functions/{function.id}/form", table, text, key)
        if refusal:
            self.bar.say(refusal[0].sentence)

    def _on_dragged(self, number: int, x: float, y: float) -> None:
        table = self._table()
        if table is None:
            return
        of = self.commands.units.from_shown
        at, value = of(x, "rad"), min(max(of(y, "rad"), 0.0), math.pi)
        last = len(table.x) - 1
        if number in (0, last) and table.x[0] == 0.0 and abs(table.x[last] - TURN) < 1e-6:
            # the ends are one place: they keep together, and where they are
            new = list(table.y)
            new[0] = new[last] = value
            self._put((table.x, tuple(new)), f"contour/{self.path}")
            return
        self._put(moved(table.x, table.y, number, at, value), f"contour/{self.path}")

    def _on_added(self, x: float, y: float) -> None:
        table, of = self._table(), self.commands.units.from_shown
        if table is None:
            self.bar.say(
                tr("Make points of this contour first; then they can be added and dragged.")
            )
            return
        points, at = with_point(table.x, table.y, of(x, "rad"), max(of(y, "rad"), 0.0))
        self.canvas.current = at
        self._put(points)

    def _on_removed(self, number: int) -> None:
        table = self._table()
        if table is not None and len(table.x) > 3 and 0 < number < len(table.x) - 1:
            self._put(without(table.x, table.y, [number]))


Flags = NDArray[np.bool_]

_TILT, _SPIN = math.radians(35.0), math.radians(-30.0)
_STEP = math.radians(30.0)


class Sphere(QWidget):
    """Show a contour about the pole, the way that was gone, and the present direction."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(140, 120)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self._theme = LIGHT
        self.tilt, self.spin = _TILT, _SPIN
        self.contour = self.way = np.zeros((0, 3))
        self.beside = np.zeros((0, 3))
        """A contour that is looked at beside one's own."""
        self.direction: Array | None = None
        self.beyond = False
        self._from: QPointF | None = None
        circle = np.linspace(0.0, 2.0 * math.pi, 73)
        self._net = [on_sphere(np.full(73, k * _STEP), circle) for k in range(1, 6)]
        self._net += [
            on_sphere(np.linspace(0.0, math.pi, 37), np.full(37, k * _STEP)) for k in range(12)
        ]

    @guard
    def sizeHint(self) -> QSize:
        """Ask for a square."""
        return QSize(260, 220)

    def show_contour(
        self, contour: Array, way: Array, direction: Array | None, beyond: bool
    ) -> None:
        """Show a closed contour, a way and a direction, all on the unit sphere."""
        self.contour, self.way, self.direction, self.beyond = contour, way, direction, beyond
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self._theme = theme
        self.update()

    def seen(self, points: Array) -> tuple[Array, Flags]:
        """Where points are seen (pixels from the left top), and whether they lie in front."""
        c, s = math.cos(self.spin), math.sin(self.spin)
        a, b = math.cos(self.tilt), math.sin(self.tilt)
        x = c * points[:, 0] - s * points[:, 1]
        y = s * points[:, 0] + c * points[:, 1]
        # seen from above: the pole is tilted upwards from the middle
        across, height, depth = x, a * y + b * points[:, 2], a * points[:, 2] - b * y
        r = self._radius()
        place = np.column_stack([0.5 * self.width() + r * across, 0.5 * self.height() - r * height])
        is_near: Flags = depth >= 0.0
        return place, is_near

    def _radius(self) -> float:
        return 0.5 * min(self.width(), self.height()) - 14.0

    @guard
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to turn the sphere."""
        self._from = event.position()

    @guard
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn the sphere."""
        if self._from is None:
            return
        by = event.position() - self._from
        self._from = event.position()
        self.spin += by.x() / self._radius()
        self.tilt = min(max(self.tilt + by.y() / self._radius(), 0.0), math.pi)
        self.update()

    @guard
    def mouseReleaseEvent(self, _: QMouseEvent) -> None:
        """Leave it so."""
        self._from = None

    @guard
    def mouseDoubleClickEvent(self, _: QMouseEvent) -> None:
        """Turn it back to where it was at first."""
        self.tilt, self.spin = _TILT, _SPIN
        self.update()

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint ball, net, contour, way and direction, the back first."""
        t = self._theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle, r = QPointF(0.5 * self.width(), 0.5 * self.height()), self._radius()
            light = QRadialGradient(middle - QPointF(0.35 * r, 0.4 * r), 1.6 * r)
            light.setColorAt(0.0, QColor(t.raised))
            light.setColorAt(1.0, QColor(mix_hex(t.panel, t.muted, 0.35)))
            painter.setPen(QPen(QColor(t.muted), 1.0))
            painter.setBrush(light)
            painter.drawEllipse(middle, r, r)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for line in self._net:
                self._draw(painter, line, QColor(mix_hex(t.panel, t.muted, 0.45)), 0.6, back=False)
            self._fill(painter)
            self._draw(painter, self.beside, QColor(LINES[3]), 1.2, back=True)
            self._draw(painter, self.contour, QColor(LINES[1]), 2.2, back=True)
            self._draw(painter, self.way, QColor(LINES[2]), 1.6, back=True)
            pole, front = self.seen(np.array([[0.0, 0.0, 1.0]]))
            if front[0]:
                painter.setPen(QColor(t.muted))
                painter.drawText(QPointF(*pole[0]) + QPointF(5, -4), "z")
                painter.setBrush(QColor(t.muted))
                painter.drawEllipse(QPointF(*pole[0]), 2.5, 2.5)
            for axis, name in zip(np.eye(3)[:2], "xy", strict=True):
                place, front = self.seen(axis[None])
                if front[0]:
                    painter.setPen(QColor(t.muted))
                    painter.drawText(QPointF(*place[0]) + QPointF(4, 4), name)
            self._mark(painter, middle)

    def _fill(self, painter: QPainter) -> None:
        """Tint what lies within the contour, where all of it is in front."""
        if not len(self.contour):
            return
        place, front = self.seen(self.contour)
        if front.all():
            tone = QColor(LINES[1])
            tone.setAlpha(36)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tone)
            painter.drawPolygon(QPolygonF([QPointF(*p) for p in place]))
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def _draw(
        self, painter: QPainter, points: Array, colour: QColor, width: float, *, back: bool
    ) -> None:
        """Draw a line; its part behind the sphere dashed and faint, or not at all."""
        if len(points) < 2:
            return
        place, front = self.seen(points)
        faint = QColor(colour)
        faint.setAlpha(90)
        for wanted in (False, True) if back else (True,):
            pen = QPen(colour if wanted else faint, width)
            if not wanted:
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            run: list[QPointF] = []
            for p, is_front in zip(place, front, strict=True):
                if is_front == wanted:
                    run.append(QPointF(*p))
                    continue
                if len(run) > 1:
                    painter.drawPolyline(QPolygonF(run))
                run = []
            if len(run) > 1:
                painter.drawPolyline(QPolygonF(run))

    def _mark(self, painter: QPainter, middle: QPointF) -> None:
        """Draw the present direction as an arrow from the middle; red and square beyond the stop."""
        if self.direction is None:
            return
        place, front = self.seen(self.direction[None])
        colour = QColor(self._theme.error if self.beyond else LINES[0])
        if not front[0]:
            colour.setAlpha(120)
        painter.setPen(QPen(colour, 1.6))
        tip = QPointF(*place[0])
        painter.drawLine(middle, tip)
        painter.setBrush(colour)
        if self.beyond:
            painter.drawRect(int(tip.x()) - 5, int(tip.y()) - 5, 10, 10)
        else:
            painter.drawEllipse(tip, 5.0, 5.0)
