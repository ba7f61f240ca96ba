"""Present a run: the scene fills the screen, the run plays slowly, and what happens is written in large letters."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app import texts
from app.command import Command
from app.features.feature import Feature
from app.run_view.marks import Mark
from app.run_view.run_view import RunView
from app.scene.tool import Tool
from app.scene.viewport import Viewport
from app.workbench import Workbench
from solver.base.words import tr

_ALONE = "view.scene_alone"


class Present(Feature):
    """Begin and end it; the window is afterwards as it was."""

    name = "present"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.caption = Caption(bench.run_view, bench.viewport)
        bench.viewport.tools.append(self.caption)
        self._was_full = self._was_alone = False
        bench.document.opened.connect(self.leave)
        bench.run_view.run_shown.connect(self._look)
        bench.run_view.switched.connect(lambda on: None if on else self.leave())
        bench.commands.add(
            Command(
                "view.present",
                tr("&Present the run"),
                tr(
                    "Let the scene fill the screen, and play the run slowly with what happens in large letters; Esc ends it."
                ),
                self.toggle,
                "Shift+F11",
                lambda: bench.has_project() and bench.run_view.replay is not None,
                is_on=lambda: self.caption.is_on,
            )
        )

    def toggle(self) -> None:
        """Begin, or end."""
        if self.caption.is_on:
            self.leave()
        else:
            self.begin()

    def begin(self) -> None:
        """Fill the screen and play from the start."""
        bench, window = self.bench, self.bench.viewport.window()
        bench.run_view.switch(True)
        self.caption.is_on = True
        self._look()
        self._was_full, self._was_alone = window.isFullScreen(), self._is_alone()
        if not self._was_alone:
            bench.commands.run(_ALONE)
        window.showFullScreen()
        bench.run_view.player.pause()
        bench.run_view.player.go(0.0)
        bench.run_view.player.play()
        bench.commands.refresh()

    def leave(self) -> None:
        """Bring the window back as it was; the run stays at its instant."""
        if not self.caption.is_on:
            return
        bench, window = self.bench, self.bench.viewport.window()
        self.caption.is_on = False
        bench.run_view.player.pause()
        if self._is_alone() and not self._was_alone:
            bench.commands.run(_ALONE)
        if not self._was_full:
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowFullScreen)
        bench.viewport.update()
        bench.commands.refresh()

    def escape(self) -> bool:
        """End it by Esc."""
        was_on = self.caption.is_on
        self.leave()
        return was_on

    def _is_alone(self) -> bool:
        is_on = self.bench.commands.find(_ALONE).is_on
        return is_on is not None and is_on()

    def _look(self) -> None:
        if self.caption.is_on:
            self.caption.marks = self.bench.run_view.marks()


_LETTER = 0.034
"""Height of the instant's letters, as a part of the view's; what happens has letters of two thirds."""
_LEAST_PX, _SMALLER, _TOP_PX, _VEIL = 15.0, 0.66, 14.0, 214
_STAYS_S, _SPAN = 1.6, 3
"""So long (s, of the one who looks) what has happened stays written, and so many things at most."""


class Caption(Tool):
    """Paint it while a run is presented."""

    def __init__(self, run_view: RunView, view: Viewport) -> None:
        self._run_view, self._view = run_view, view
        self.is_on = False
        self.marks: list[Mark] = []

    def told(self, t: float) -> list[str]:
        """Say what happens at an instant (s), or happened so shortly before that one still reads it."""
        since = t - _STAYS_S * self._run_view.player.speed
        now = [m for m in self.marks if since <= m.time <= t or m.time <= t <= (m.until or m.time)]
        return list(dict.fromkeys(mark.words for mark in now))[-_SPAN:]

    def paint(self, painter: QPainter) -> None:
        """Write the instant at the top, what happens below it."""
        if not (self.is_on and self._run_view.is_on):
            return
        t = self._run_view.player.time
        if self._run_view.player.is_playing and self._view.picture is not None:
            t = self._view.picture.seen
        size = max(_LEAST_PX, _LETTER * self._view.height())
        lines = [(tr(texts.words.INSTANT, ms=1e3 * t), size)]
        lines += [(words, _SMALLER * size) for words in self.told(t)]
        top = _TOP_PX
        for words, letters in lines:
            font = QFont(painter.font())
            font.setPixelSize(round(letters))
            metrics = QFontMetricsF(font)
            box = QRectF(0.0, top, metrics.horizontalAdvance(words) + letters, 1.5 * letters)
            box.moveCenter(QPointF(0.5 * self._view.width(), box.center().y()))
            veil = QColor(self._view.theme.raised)
            veil.setAlpha(_VEIL)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(veil)
            painter.drawRoundedRect(box, 5.0, 5.0)
            painter.setFont(font)
            painter.setPen(QColor(self._view.theme.text))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
            top = box.bottom() + 4.0
