"""What lies over a view: the cube that turns it, its name, a bar of a round length, the key of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from app.paint_cache import PaintCache
from app.rate_limit import RateLimit
from app.scene.framing import box_of, meet
from app.scene.key import (
    WIDTH,
    Area,
    Box,
    Key,
    Ramp,
    Sheet,
    Surroundings,
    Tag,
    Words,
    flat_sheet,
    line_to,
    sheet,
    tag_boxes,
)
from app.scene.lens import Lens, OrbitCamera, View
from app.scene.tool import Tool, paint_edged
from app.scene.viewport import Viewport
from app.with_properties import with_properties
from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array

_SIDES_WORDS: dict[str, str] = {
    "front": msgid("Front"),
    "back": msgid("Rear"),
    "side": msgid("Right"),
    "left": msgid("Left"),
    "top": msgid("Top"),
    "bottom": msgid("Below"),
}
"""Written on the cube of views."""

_HALF_PX, _FROM_EDGE_PX, _ROOM_PX = 25.0, 56.0, 112
_SIDES: tuple[tuple[View, tuple[int, int, int]], ...] = (
    ("front", (1, 0, 0)),
    ("back", (-1, 0, 0)),
    ("side", (0, 1, 0)),
    ("left", (0, -1, 0)),
    ("top", (0, 0, 1)),
    ("bottom", (0, 0, -1)),
)
"""View, and direction along ahead, right-hand side and up."""


class Cube(Tool):
    """Draw six sides; those that face the eye can be clicked."""

    def __init__(self, view: Viewport) -> None:
        self._view = view
        self._hot: View | None = None
        self._kept = PaintCache(view)

    def pressed(self, event: QMouseEvent) -> bool:
        """Look from the side that is clicked."""
        at = event.position()
        found = self.side_at(at.x(), at.y())
        if found is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        self._view.look(found)
        return True

    def moved(self, event: QMouseEvent) -> bool:
        """Light up the side under the mouse."""
        at = event.position()
        before, self._hot = self._hot, self.side_at(at.x(), at.y())
        if before != self._hot:
            self._view.update()
        return self._hot is not None

    def side_at(self, x: float, y: float) -> View | None:
        """Name the side at a pixel; None beside the cube."""
        for view, _, corners in self._seen():
            if QPolygonF(corners).containsPoint(QPointF(x, y), Qt.FillRule.OddEvenFill):
                return view
        return None

    def paint(self, painter: QPainter) -> None:
        """Draw the cube as it is seen from where one looks; a run does not turn it."""
        lens = self._view.lens
        if lens is None:
            return
        eye = tuple(way.tobytes() for way in (*lens.camera.axes(), lens.camera.ahead))
        room = QRect(self._view.width() - _ROOM_PX, 0, _ROOM_PX, _ROOM_PX)
        self._kept.paint(painter, (eye, self._view.theme, self._hot), self._paint_sides, room)

    def covers(self) -> dict[str, QRectF]:
        """Its room in the upper right corner."""
        reach = _HALF_PX * math.sqrt(3.0)
        return {
            "cube": QRectF(
                self._view.width() - _FROM_EDGE_PX - reach,
                _FROM_EDGE_PX - reach,
                2.0 * reach,
                2.0 * reach,
            )
        }

    def _paint_sides(self, painter: QPainter) -> None:
        """Draw the sides that face the eye, with their words lying on them."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._view.theme
        for view, word, corners in self._seen():
            fill = QColor(theme.accent_soft if view == self._hot else theme.raised)
            fill.setAlpha(235)
            painter.setBrush(fill)
            painter.setPen(QPen(QColor(theme.line), 1.2))
            painter.drawPolygon(QPolygonF(corners))
            flat = QPolygonF([QPointF(x, y) for x, y in ((0, 0), (60, 0), (60, 60), (0, 60))])
            lying = QTransform.quadToQuad(flat, QPolygonF(corners))
            if isinstance(lying, QTransform):
                painter.save()
                painter.setTransform(lying, True)
                painter.setPen(QColor(theme.text))
                painter.drawText(0, 0, 60, 60, Qt.AlignmentFlag.AlignCenter, word)
                painter.restore()

    def _seen(self) -> list[tuple[View, str, list[QPointF]]]:
        lens = self._view.lens
        if lens is None:
            return []
        camera = lens.camera
        middle = np.array([self._view.width() - _FROM_EDGE_PX, _FROM_EDGE_PX])
        out = []
        for view, way in _SIDES:
            ways = _frame(camera.ahead.tobytes(), camera.up.tobytes(), way)
            towards = camera.axes()[2]
            if float(ways[2] @ towards) > 0.08:
                out.append((view, tr(_SIDES_WORDS[view]), _corners(camera, ways, middle)))
        return out


@lru_cache(maxsize=64)
def _frame(ahead_: bytes, up_: bytes, way: tuple[int, int, int]) -> tuple[Array, Array, Array]:
    """Give right and up on a side, as its word is written, and the way out of it."""
    ahead, up = np.frombuffer(ahead_), np.frombuffer(up_)
    side = np.cross(ahead, up)
    out: Array = way[0] * ahead + way[1] * side + way[2] * up
    upright = up
    if way[2]:
        upright = side if way[2] < 0 else -side
    return np.cross(upright, out), upright, out


def _corners(camera: OrbitCamera, ways: tuple[Array, Array, Array], middle: Array) -> list[QPointF]:
    right, upright, out = ways
    eye_right, eye_up, _ = camera.axes()
    corners: list[Any] = []
    for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
        place = out + a * right + b * upright
        x, y = float(place @ eye_right), -float(place @ eye_up)
        corners.append(QPointF(middle[0] + _HALF_PX * x, middle[1] + _HALF_PX * y))
    return corners


_CLOSE_VIEW = msgid("Close this view (Esc)")

_FROM_CORNER = 12
_LONGEST_NAME_PX = 260
_BUTTON, _HEIGHT = 20, 28


class NamePlate(QFrame):
    """Show a name, a remark beside it, and for a view that can be closed the button that does it."""

    closed = Signal()

    def __init__(self, over: QWidget, closes: bool = False) -> None:
        super().__init__(over)
        with_properties(self, objectName="floating")
        self.name, self.remark = (
            with_properties(QLabel(), objectName="key"),
            with_properties(QLabel(), objectName="muted"),
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 4 if closes else 10, 0)
        row.setSpacing(8)
        row.addWidget(self.name)
        row.addWidget(self.remark)
        if closes:
            self.button = with_properties(
                QToolButton(), text="✕", objectName="quiet", toolTip=tr(_CLOSE_VIEW)
            )
            self.button.setAccessibleName(tr(_CLOSE_VIEW))
            self.button.setFixedSize(_BUTTON, _BUTTON)
            self.button.clicked.connect(self.closed)
            row.addWidget(self.button)
        self.setFixedHeight(_HEIGHT)
        self.move(_FROM_CORNER, _FROM_CORNER)

    def say(self, name: str, remark: str = "") -> None:
        """Write a name, shortened where it is long, and a remark."""
        if (name, remark) == (self.name.toolTip(), self.remark.text()):
            return
        self.name.setToolTip(name)
        metrics = self.name.fontMetrics()
        self.name.setText(metrics.elidedText(name, Qt.TextElideMode.ElideRight, _LONGEST_NAME_PX))
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
        self.adjustSize()


_LONGEST_PX, _FROM_RIGHT, _FROM_BOTTOM = 120.0, 24.0, 22.0


class ScaleBar(Tool):
    """Draw the bar in the units that are shown."""

    def __init__(self, view: Viewport) -> None:
        self._view = view
        self.system = "metric"

    def length(self, metres_per_pixel: float) -> tuple[float, str]:
        """The longest round length that fits, in pixels, and its words."""
        unit = display_unit("m", self.system)
        longest = convert(_LONGEST_PX * metres_per_pixel, "m", unit)
        power = 10.0 ** math.floor(math.log10(longest))
        round_ = max(step * power for step in (1.0, 2.0, 5.0) if step * power <= longest)
        pixels = convert(round_, unit, "m") / metres_per_pixel
        return pixels, f"{round_:g} {pretty(unit)}"

    def paint(self, painter: QPainter) -> None:
        """Draw the bar with its length."""
        lens = self._view.lens
        if lens is None:
            return
        pixels, words = self.length(lens.metres_per_pixel(lens.camera.target))
        theme = self._view.theme
        right, bottom = self._view.width() - _FROM_RIGHT, self._view.height() - _FROM_BOTTOM

        def draw(edge: QColor | None) -> None:
            painter.setPen(QPen(edge or QColor(theme.muted), 1.4))
            painter.drawLine(QPointF(right - pixels, bottom), QPointF(right, bottom))
            for x in (right - pixels, right):
                painter.drawLine(QPointF(x, bottom - 4.0), QPointF(x, bottom + 4.0))
            box = QRectF(right - pixels - 20.0, bottom - 22.0, pixels + 40.0, 18.0)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

        paint_edged(painter, theme, draw)

    def covers(self) -> dict[str, QRectF]:
        """The longest bar with its words."""
        width, height = _LONGEST_PX, _FROM_BOTTOM + 26.0
        left = self._view.width() - _FROM_RIGHT - width
        return {"scale": QRectF(left, self._view.height() - height, width + _FROM_RIGHT, height)}


_LEFT, _ABOVE_AXES, _LINE = 16.0, 96.0, 18.0
_VEIL = 214
_NARROW_PX = 480
_MOST = 0.22
"""A key that would cover more of the view is left out: what it explains would not be seen."""
_BELOW_PLATE = (12.0, 46.0)
_CHIP = (48.0, 24.0)
"""Size of what stands for a key that has no room beside people."""
_PLACED_MS = 400.0
"""How often words are placed again while a run plays; in between they go with their places."""
_PAD = (7.0, 3.0)
"""Room about words at a place."""
_ROOM = QRect(0, 0, 4000, 4000)
"""In which words at a place are measured."""


class KeyBoard(Tool):
    """Show what colours and arrows mean in a corner where nobody comes, and values beside what they are of."""

    def __init__(self, view: Viewport) -> None:
        self._view = view
        self.only_tags = False
        """Whether the key itself stands elsewhere."""
        self._says: object = None
        self._made = Sheet((), 0.0, 0.0)
        self._area: QRectF | None = None
        self._corner, self._is_folded, self._is_open = 0, False, False
        self._found: dict[tuple[float, float], tuple[Array, QRectF | None]] = {}
        """The free corner for each size, as long as people are seen at the same pixels."""
        self._boxes: list[QRectF] = []
        self._stood: list[tuple[Tag, Array, Box]] = []
        self._again = RateLimit(_PLACED_MS)
        self._kept = PaintCache(view)

    def paint(self, painter: QPainter) -> None:
        """Paint the key, and the words at their places."""
        lens, picture = self._view.lens, self._view.picture
        if lens is None or picture is None:
            return
        key = picture.key
        if not self.only_tags:
            self._sheet(painter, key)
        self._tags(painter, lens, key)

    def covers(self) -> dict[str, QRectF]:
        """The key, and the words at places, as they were painted last."""
        tags = {f"words {n}": box for n, box in enumerate(self._boxes)}
        return tags if self._area is None else {"key": self._area, **tags}

    def options(self) -> list[QRectF]:
        """The corners in which the key may stand."""
        view = self._view
        made = (
            None
            if self.only_tags or view.stage is None
            else self._laid_out(view.stage.overlays.key)
        )
        return [] if made is None else self._corners(made.width, made.height)

    def moved(self, event: QMouseEvent) -> bool:
        """Open a key that is folded while the mouse is over it."""
        was, area = self._is_open, self._area
        self._is_open = self._is_folded and area is not None and area.contains(event.position())
        if was != self._is_open:
            self._view.update()
        return self._is_open

    def _laid_out(self, key: Key) -> Sheet | None:
        """Lay out the key; None where there is none, or no room for it."""
        view = self._view
        is_narrow = view.width() < _NARROW_PX
        says = (key.scales, key.signs, key.note, is_narrow)
        if says != self._says:
            self._says, self._made = says, flat_sheet(key) if is_narrow else sheet(key)
        made = self._made
        is_large = made.width * made.height > _MOST * view.width() * view.height()
        return None if is_large or not made.parts else made

    def _corners(self, width: float, height: float) -> list[QRectF]:
        """Above the axes, below the plate with a name, below the cube, above the bar of a length, and what lies over the lower edge; of a narrow view only at its top."""
        view = self._view
        right = view.width() - _LEFT - width
        low, high = max(8.0, view.height() - _ABOVE_AXES - height), _BELOW_PLATE[1]
        if view.width() < _NARROW_PX:
            return [QRectF(*_BELOW_PLATE, width, height)]
        places = ((_LEFT, low), (_LEFT, high), (right, float(_ROOM_PX)), (right, low))
        end = view.height() - view.covered_px
        return [
            QRectF(left, top, width, height)
            for left, top in places
            if top + height < end and not (left > _LEFT and top < _ROOM_PX)
        ]

    def _free(self, width: float, height: float, seen: Array) -> QRectF | None:
        """The first corner in which nobody comes over the run, the present one before others."""
        size = (width, height)
        if size not in self._found or self._found[size][0] is not seen:
            self._found[size] = seen, self._look_for(width, height, seen)
        return self._found[size][1]

    def _look_for(self, width: float, height: float, seen: Array) -> QRectF | None:
        corners = self._corners(width, height)
        if self._corner < len(corners):
            corners.insert(0, corners[self._corner])
        for box in corners:
            if not meet(seen, (box_of(box),)):
                self._corner = corners[1:].index(box) if box in corners[1:] else 0
                return box
        return None

    def _sheet(self, painter: QPainter, key: Key) -> None:
        view, self._area = self._view, None
        made = self._laid_out(key)
        if made is None:
            return
        seen = view.in_course()
        free = self._free(made.width, made.height, seen)
        self._is_folded = free is None
        if free is None:
            chip = self._free(*_CHIP, seen) or self._corners(*_CHIP)[0]
            if not (self._is_open or view.has_keyboard_mark):
                self._area = chip
                self._paint_chip(painter, chip)
                return
            free = QRectF(chip.left(), chip.top(), made.width, made.height)
            free.moveRight(min(free.right(), view.width() - _LEFT))
            free.moveBottom(min(free.bottom(), view.height() - _ABOVE_AXES))
        self._area = free
        area = free.toAlignedRect()
        self._kept.paint(painter, (self._says, area.topLeft(), view.theme), partial(self._paint_sheet, area), area)  # fmt: skip

    def _paint_chip(self, painter: QPainter, chip: QRectF) -> None:
        self._veil(painter, chip, 6.0)
        painter.setPen(QColor(self._view.theme.muted))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, tr("Key"))

    def _paint_sheet(self, area: QRect, painter: QPainter) -> None:
        made, theme = self._made, self._view.theme
        painter.translate(area.topLeft())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._veil(painter, QRectF(0.0, 0.0, made.width, made.height), 6.0)
        for part in made.parts:
            if isinstance(part, Words):
                painter.setPen(QColor(theme.muted if part.muted else theme.text))
                box = QRectF(part.x - (WIDTH if part.from_right else 0.0), part.y, WIDTH, _LINE)
                side = (
                    Qt.AlignmentFlag.AlignRight if part.from_right else Qt.AlignmentFlag.AlignLeft
                )
                painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, part.text)
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            if isinstance(part, Area):
                painter.setBrush(QColor(part.tone))
                painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in part.corners]))
            else:
                self._ramp(painter, part)

    def _ramp(self, painter: QPainter, ramp: Ramp) -> None:
        colours = QLinearGradient(ramp.x, 0.0, ramp.x + ramp.width, 0.0)
        for place, tone in zip(np.linspace(0.0, 1.0, len(ramp.tones)), ramp.tones, strict=True):
            colours.setColorAt(float(place), QColor(tone))
        painter.setPen(QColor(self._view.theme.line))
        painter.setBrush(colours)
        painter.drawRoundedRect(QRectF(ramp.x, ramp.y, ramp.width, ramp.height), 2.0, 2.0)

    def _tags(self, painter: QPainter, lens: Lens, key: Key) -> None:
        metrics = painter.fontMetrics()

        def size(tag: Tag) -> tuple[float, float]:
            words = metrics.boundingRect(_ROOM, _side(tag), tag.words)
            return words.width() + 2.0 * _PAD[0], words.height() + 2.0 * _PAD[1]

        placed = self._kept_beside(key.tags, lens)
        if placed is None:
            covered = {**self._view.covered(), "key": self._area}
            boxes = [b for name, b in covered.items() if b is not None and not name.startswith("words")]  # fmt: skip
            now = lens.pixels(self._view.stage.people_now())
            around = Surroundings(self._view.in_course(), now, tuple(map(box_of, boxes)))
            placed = tag_boxes(key.tags, lens, size, around=around)
            self._stood = [(tag, lens.pixel(np.array(tag.place)), box) for tag, box in placed]
        self._boxes = []
        for tag, (left, top, width, height) in placed:
            leader = line_to(tag, (left, top, width, height), lens)
            if leader is not None:
                painter.setPen(QPen(QColor(self._view.theme.muted), 1.2))
                painter.drawLine(QPointF(*leader[0]), QPointF(*leader[1]))
        for tag, (left, top, width, height) in placed:
            box = QRectF(left, top, width, height)
            self._boxes.append(box)
            self._veil(painter, box, 4.0)
            painter.setPen(QColor(self._view.theme.text))
            inside = box.adjusted(_PAD[0], _PAD[1], -_PAD[0], -_PAD[1])
            painter.drawText(inside, _side(tag), tag.words)

    def _kept_beside(self, tags: Sequence[Tag], lens: Lens) -> list[tuple[Tag, Box]] | None:
        """Let words go with their places as they stood before, where a run plays; None where they are to be placed again."""
        picture = self._view.picture
        is_same = len(tags) == len(self._stood) and not any(tag.other for tag in tags)
        if picture is None or not picture.is_in_flow or not is_same or self._again.is_due():
            return None
        moved = []
        for tag, (_, at, (left, top, width, height)) in zip(tags, self._stood, strict=True):
            x, y = lens.pixel(np.array(tag.place)) - at
            moved.append((tag, (left + float(x), top + float(y), width, height)))
        return moved

    def _veil(self, painter: QPainter, box: QRectF, round_: float) -> None:
        fill = QColor(self._view.theme.raised)
        fill.setAlpha(_VEIL)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(box, round_, round_)


def _side(tag: Tag) -> int:
    """How the words of a tag stand in their box."""
    flags = Qt.AlignmentFlag.AlignLeft if tag.other else Qt.AlignmentFlag.AlignHCenter
    return int(flags | Qt.AlignmentFlag.AlignVCenter)
