"""A person seen from ahead, each region marked by the worst figure that was found there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.features.result.told import region_words
from app.fonts import em
from app.guard import guard
from app.look import LIGHT, Theme, mix_hex
from app.paint_cache import PaintCache
from app.style import TEXT_PX
from solver.base.words import tr
from solver.injury import Figure
from solver.injury.figures import figure_name
from solver.report.injury_table import REGIONS

HIGH, WIDE, MIDDLE = 306.0, 122.0, 60.0
"""Height and width of the drawing, and where its middle lies, in pixels of letters of the usual size."""

Points = tuple[tuple[float, float], ...]
_OUTLINES: Mapping[str, tuple[Points, ...]] = {
    "neck": (((55, 46), (65, 46), (66, 55), (54, 55)),),
    "chest": (((50, 63), (70, 63), (84, 67), (89, 76), (83, 110), (37, 110), (31, 76), (36, 67)),),
    "belly": (((38, 120), (82, 120), (79, 139), (41, 139)),),
    "pelvis": (((40, 149), (80, 149), (86, 166), (62, 176), (58, 176), (34, 166)),),
    "thighs": (((34, 177), (54, 186), (52, 234), (40, 234)),),
    "legs": (((40, 244), (51, 244), (48, 288), (49, 298), (37, 300), (42, 288)),),
    "arms": (((24, 70), (21, 96), (17, 130), (12, 162), (7, 160), (10, 126), (14, 92), (18, 74)),),
}
"""Corners of regions; of arms and legs those of one side."""
_BOTH = ("thighs", "legs", "arms")
_HEAD = (MIDDLE, 21.0, 13.0, 17.0)
_AT = {"head": 20, "neck": 50, "chest": 86, "belly": 128, "pelvis": 158, "thighs": 206, "legs": 266}
_EDGE = {"head": 76, "neck": 69, "chest": 90, "belly": 85, "pelvis": 88, "thighs": 88, "legs": 84}
"""Where the line to what stands beside a region begins."""


@cache
def _path(region: str) -> QPainterPath:
    """The outline of a region with round corners."""
    pen = QPainterPathStroker()
    pen.setWidth(_ROUND)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    sharp = _corners(region)
    return sharp.united(pen.createStroke(sharp)).simplified()


_ROUND = 6.0


def _corners(region: str) -> QPainterPath:
    path = QPainterPath()
    if region == "head":
        x, y, across, above = _HEAD
        path.addEllipse(QPointF(x, y), across, above)
        return path
    for corners in _OUTLINES[region]:
        for mirrored in (False, True) if region in _BOTH else (False,):
            points = [QPointF(2 * MIDDLE - x if mirrored else x, y) for x, y in corners]
            path.moveTo(points[0])
            for point in points[1:]:
                path.lineTo(point)
            path.closeSubpath()
    return path


class BodyFigure(QWidget):
    """Draw the person; a click on a region, or Enter where the arrow keys have gone, asks about its figure.

    Screen readers hear the region to which the arrows go as the name, and all regions as the description.
    """

    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT
        self.regions: Mapping[str, Figure] = {}
        self._kept = PaintCache(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._at = 0

    def show_regions(self, regions: Mapping[str, Figure]) -> None:
        """Mark regions by these figures."""
        self.regions = {name: regions[name] for name in REGIONS if name in regions}
        self._at = 0
        lines = [self._line(name) for name in self.regions]
        self.setAccessibleName(tr("Worst figure of each region"))
        self.setAccessibleDescription("; ".join(lines))
        self.setToolTip("\n".join([*lines, tr("A click on a region says why its figure is so.")]))
        self.update()

    def _line(self, name: str) -> str:
        """A region in words: 'Head: 0.8 of the limit, HIC15'."""
        one = self.regions[name]
        return f"{tr(REGIONS[name])}: {region_words(one)}, {figure_name(one, whose=False)}"

    @guard
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from region to region by the arrow keys; Enter asks about the figure."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        names, key = list(self.regions), Qt.Key(event.key())
        if names and key in steps:
            self._at = (self._at + steps[key]) % len(names)
            self.setAccessibleName(self._line(names[self._at]))
            self.update()
        elif names and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.asked.emit(self.regions[names[self._at]])
        else:
            super().keyPressEvent(event)

    @property
    def _scale(self) -> float:
        return em() / TEXT_PX

    @guard
    def sizeHint(self) -> QSize:
        """As high as the drawing."""
        return QSize(round(330 * self._scale), round(HIGH * self._scale))

    @guard
    def minimumSizeHint(self) -> QSize:
        """As high as the drawing, with room for words."""
        return QSize(round(205 * self._scale), round(HIGH * self._scale))

    def region_at(self, x: float, y: float) -> str:
        """The region with a figure at a place, or at the words beside it; empty for none."""
        place = QPointF(x, y) / self._scale
        for name in self.regions:
            beside = place.x() > WIDE and abs(place.y() - _AT[name]) < 15
            if beside or _path(name).contains(place):
                return name
        return ""

    @guard
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point where a click does something."""
        over = self.region_at(event.position().x(), event.position().y())
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.setCursor(hand if over else arrow)

    @guard
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask about the figure of a region."""
        over = self.region_at(event.position().x(), event.position().y())
        if over:
            self.asked.emit(self.regions[over])

    @guard
    def paintEvent(self, _: QPaintEvent) -> None:
        """Paint the regions, and beside each what it is marked for."""
        shows = (tuple(self.regions.items()), self.theme, self._scale)
        with QPainter(self) as painter:
            self._kept.paint(painter, shows, self._paint_all)
            if self.hasFocus() and self.regions:
                middle = self._scale * _AT[list(self.regions)[self._at]]
                high = 1.1 * painter.fontMetrics().height()
                painter.setPen(QPen(QColor(self.theme.accent), 1.5))
                left = self._scale * (WIDE + 10)
                painter.drawRoundedRect(QRectF(left, middle - high, self.width() - left - 1, 2.0 * high), 3.0, 3.0)  # fmt: skip

    def _paint_all(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.scale(self._scale, self._scale)
        for name in ("arms", *REGIONS):
            self._paint_region(painter, name)
        painter.restore()
        for name in REGIONS:
            if name in self.regions:
                self._paint_words(painter, name)

    def tone(self, one: Figure | None) -> str:
        """The colour of a region; the words beside it say the same."""
        t = self.theme
        if one is None or one.share is None:
            return mix_hex(t.line, t.panel, 0.4)
        return {"bad": t.error, "near": t.warning, "good": t.good}.get(one.verdict, t.note)

    def _paint_region(self, painter: QPainter, name: str) -> None:
        one, path = self.regions.get(name), _path(name)
        edge = QColor(self.theme.muted if one is not None else self.theme.line)
        painter.setPen(QPen(edge, 1.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))  # fmt: skip
        colour = QColor(self.tone(one))
        if one is not None and one.verdict == "good":
            colour = QColor(mix_hex(self.theme.panel, self.theme.good, 0.45))
        painter.setBrush(colour)
        painter.drawPath(path)
        if one is not None and one.verdict in ("", "open", "bad"):
            # not by colour alone
            lines = QColor(self.theme.panel if one.verdict == "bad" else self.theme.muted)
            lines.setAlpha(170 if one.verdict == "bad" else 90)
            painter.setBrush(QBrush(lines, Qt.BrushStyle.BDiagPattern))
            painter.drawPath(path)

    def _paint_words(self, painter: QPainter, name: str) -> None:
        one, s = self.regions[name], self._scale
        y, left = s * _AT[name], s * (WIDE + 14)
        painter.setPen(QPen(QColor(self.theme.line), 1.0))
        painter.drawLine(QPointF(s * (_EDGE[name] + 2), y), QPointF(left - 5, y))
        high = painter.fontMetrics().height()
        room = QRectF(left, y - high, self.width() - left, high)
        font = painter.font()
        bold = one.share is not None
        font.setBold(bold)
        painter.setFont(font)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.TextElideMode.ElideRight
        is_bad = one.verdict == "bad"
        painter.setPen(QColor(self.theme.error if is_bad else self.theme.text if bold else self.theme.muted))  # fmt: skip
        # where there is little room the name gives way, not what it is marked for
        said, metrics = f"  {region_words(one)}", painter.fontMetrics()
        title = f"{tr(REGIONS[name])[:1].upper()}{tr(REGIONS[name])[1:]}"
        title = metrics.elidedText(title, right, int(room.width()) - metrics.horizontalAdvance(said))  # fmt: skip
        painter.drawText(room, flags, f"{title}{said}")
        font.setBold(False)
        painter.setFont(font)
        painter.setPen(QColor(self.theme.muted))
        below = figure_name(one, whose=False)
        words = painter.fontMetrics().elidedText(below, right, int(room.width()))
        painter.drawText(room.translated(0.0, high - 1), flags, words)
