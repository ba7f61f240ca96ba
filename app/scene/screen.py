"""Decide how finely a picture of the stage is drawn, and when: quickly in motion, finely at rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRect, QRectF, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from app.scene.exposure import Exposure, Pixels
from app.scene.key import NO_KEY, Key

if TYPE_CHECKING:
    from app.scene.canvas import Canvas
    from app.scene.stage import Stage

REST_MS = 80
"""After this time without a change a picture is at rest; it has all its pixels a picture later."""
_FRAME_S = 1.0 / 60.0
_ROWS = 90
"""Rows that are made larger at once."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Whether edges are smooth at rest, how much smaller a moving picture may be, and whether it shows less of what is seen through."""

    smooth: bool
    coarsest: float
    is_draft: bool = False


QUALITIES = {
    "quick": Quality(False, 3.0, True),
    "balanced": Quality(True, 2.0),
    "fine": Quality(True, 1.0),
}


def coarser(now: float, took_s: float, coarsest: float = 2.0) -> float:
    """By how much the next moving picture is smaller, after one that took some time (s)."""
    if took_s > _FRAME_S:
        return min(coarsest, now * 1.25)
    return max(1.0, now / 1.1) if took_s < 0.5 * _FRAME_S else now


class Screen(QObject):
    """Keep the picture of a stage for a widget.

    However often it is asked to refresh, it draws once when the widget is painted. Once nothing has
    changed for a while it draws the same again finely, one of the pictures that this takes in each
    turn of the event loop, so that nobody waits for it.
    """

    def __init__(self, stage: Stage, view: QWidget, canvas: Canvas | None = None) -> None:
        super().__init__(view)
        self._view, self._stage = view, stage
        self._exposure = Exposure(stage, canvas)
        self._image = QImage()
        self._is_stale = True
        self.is_fine = False
        """Whether the picture is as good as it gets."""
        self._moves = False
        self.is_followed = False
        """Whether more is to come all the time, as of a run that goes on: finer can wait."""
        self._flows, self._began = False, 0.0
        self.key = self._next_key = NO_KEY
        """What the key of the picture says, and that of the next one where it is begun."""
        self.instant = self.seen = self._begun = 0.0
        """The instant (s) that the stage shows, that of the picture, and that of the next one where it is begun."""
        self._quality = QUALITIES["balanced"]
        self.coarseness = 1.0
        """By how much a picture is smaller while things move, so that it keeps up with the hand."""
        self.at_rest: Callable[[], bool] = lambda: False
        """Called once things rest, before they are drawn finely; tells whether it changed them."""
        self.waits: Callable[[], bool] = lambda: False
        """Tells whether something is under way that will ask for another picture."""
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._on_rest)
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._refine)

    @property
    def drawn(self) -> int:
        """How many pictures have been drawn so far."""
        return self._exposure.count

    @property
    def is_whole(self) -> bool:
        """Whether the picture has all the pixels of the widget."""
        height = round(self._view.height() * self._view.devicePixelRatioF())
        return not self._is_stale and self._image.height() >= height

    def set_quality(self, quality: Quality) -> None:
        """Choose between speed and smoothness."""
        self._quality, self.coarseness = quality, 1.0
        self._stage.crowd.is_draft = quality.is_draft
        self.refresh()

    def redraw(self) -> None:
        """Draw in another window, as after another driver was asked for."""
        self._exposure.renew()
        self.refresh()

    def drawn_by(self) -> str:
        """Name what draws."""
        return self._exposure.drawn_by()

    def refresh(self) -> None:
        """Draw again when the widget is painted."""
        self._moves = False
        self._renew()

    def refresh_quickly(self) -> None:
        """Draw again, in fewer pixels where the machine is slow: more is to come."""
        self._moves = True
        self._renew()

    def settle(self) -> None:
        """Draw finely here and now, as for a picture that is kept."""
        self._stop()
        self.at_rest()
        self._moves, self._is_stale = False, False
        self._take(self._exposure.fine(*self._size()), self._stage.overlays.key, is_fine=True)

    def lay_ahead(self) -> None:
        """Lay out what the next picture shows, before it is drawn."""
        if self._is_stale:
            self._exposure.lay(*self._size(), quick=self._moves)

    def draw_ahead(self) -> None:
        """Draw the next picture before the widget is painted."""
        if self._is_stale:
            self._draw()

    def paint(self, painter: QPainter) -> None:
        """Paint the picture all over the widget."""
        if self._is_stale:
            self._draw()
        view = self._view
        if self._image.height() == round(view.height() * view.devicePixelRatioF()):
            painter.drawImage(QRectF(view.rect()), self._image)
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        # Qt gives more rows to threads of its own, which would wait for those that draw the next picture
        for top in range(0, view.height(), _ROWS):
            painter.setClipRect(QRect(0, top, view.width(), _ROWS))
            painter.drawImage(QRectF(view.rect()), self._image)
        painter.restore()

    def close(self) -> None:
        """Give the graphics memory back."""
        self._stop()
        self._exposure.close()

    def _renew(self) -> None:
        self._stop()
        self._is_stale, self.is_fine = True, False
        self._view.update()

    def _stop(self) -> None:
        self._rest.stop()
        self._turn.stop()
        self._exposure.forget()

    def flow(self, on: bool) -> None:
        """Show each quick picture while the next one is drawn, as pictures come one after the other; or no longer."""
        self._flows = on
        if not on and self._exposure.is_turning:
            # nothing more comes by itself: all pixels at once
            self.refresh()

    @property
    def is_in_flow(self) -> bool:
        """Whether pictures come one after the other by themselves."""
        return self._flows and self._moves

    @property
    def coming(self) -> float:
        """The instant (s) of the picture that is painted next: pictures in turn come one later than the stage."""
        if not self._is_in_turn:
            return self.instant
        return self._begun if self._exposure.is_turning else self.seen

    @property
    def _is_in_turn(self) -> bool:
        return self._flows and self._moves and not self._image.isNull()

    def _draw(self) -> None:
        self._is_stale = False
        if self._is_in_turn:
            self._draw_in_turn()
        else:
            began = time.perf_counter()
            picture = self._exposure.snap(*self._size(), quick=self._moves)
            if self._moves:
                self._pace(time.perf_counter() - began)
            self.seen = self.instant
            self._take(picture, self._stage.overlays.key)
        self._rest.start(REST_MS)

    def _draw_in_turn(self) -> None:
        before, self._began = self._began, time.perf_counter()
        if self._exposure.is_turning:
            self._pace(self._began - before)
        picture = self._exposure.turn(*self._size())
        key, self._next_key = self._next_key, self._stage.overlays.key
        begun, self._begun = self._begun, self.instant
        if picture is not None:
            self.seen = begun
            self._take(picture, key)

    def _pace(self, took_s: float) -> None:
        """Draw the next moving picture smaller or larger, after one that took some time (s)."""
        self.coarseness = coarser(self.coarseness, took_s, self._quality.coarsest)

    def follow(self, on: bool) -> None:
        """Leave finer pictures until nothing more is to come."""
        self.is_followed = on
        if not on and not self.is_fine:
            self._rest.start(REST_MS)

    def _on_rest(self) -> None:
        if self.is_followed or self.waits():
            return
        moved, self._moves = self._moves, False
        # what is coarse is drawn in all its pixels first: the fine one takes as long as eight
        is_coarse = not self.is_whole
        if self.at_rest() or (moved and (is_coarse or not self._quality.smooth)):
            self._renew()
        elif self._quality.smooth:
            self._turn.start()
        else:
            self.is_fine = True

    def _refine(self) -> None:
        if self._is_stale or not self._view.isVisible():
            return
        fine = self._exposure.add(*self._size())
        if fine is None:
            self._turn.start()
        else:
            self._take(fine, self._stage.overlays.key, is_fine=True)
            self._view.update()

    def _size(self) -> tuple[int, int]:
        ratio = self._view.devicePixelRatioF() / (self.coarseness if self._moves else 1.0)
        width, height = self._view.width() * ratio, self._view.height() * ratio
        return max(1, round(width)), max(1, round(height))

    def _take(self, picture: Pixels, key: Key, is_fine: bool = False) -> None:
        # the next picture is drawn into the same memory, perhaps in another size; Qt begins above
        pixels = picture[::-1].copy()
        height, width, _ = picture.shape
        drawn = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBX8888)
        # Qt paints no other pixels as fast, above all where they are made larger
        self._image = drawn.convertToFormat(QImage.Format.Format_RGB32)
        self.key, self.is_fine = key, is_fine
