"""Lines over a plot: what happened when, by name, and a second cursor from which differences are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from app.look import Theme

_LETTERS, _LETTER_PX = 26, 6.6
"""So many letters of a name stand at a line at most, and what one takes; all of it stands in the timeline."""
_SHARE, _LEAST_PX = 0.55, 120.0
"""Names take so much of a plot's height at most; lower plots show lines alone."""
_ALPHA = 150
_APART_PX = 13.0
"""Lines that are nearer to each other have one name."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Hold an instant (ms) and what happened there."""

    time_ms: float
    words: str


class EventLines:
    """Draw instants as lines with names along them; names that would lie on each other are left out."""

    def __init__(self, view: Any) -> None:
        self._view = view
        self.lines: list[Any] = []
        view.getPlotItem().vb.sigRangeChanged.connect(lambda *_: self._thin())
        view.getPlotItem().vb.sigResized.connect(lambda *_: self._thin())

    def show(self, events: Sequence[Happening], theme: Theme) -> None:
        """Show other instants; the same ones stay as they are."""
        told = [(event.time_ms, event.words, theme.muted) for event in events]
        if told == [line.told for line in self.lines]:
            return
        for line in self.lines:
            self._view.removeItem(line)
        self.lines = []
        for time_ms, words, tone in told:
            faint = QColor(tone)
            faint.setAlpha(_ALPHA)
            line = pg.InfiniteLine(
                time_ms,
                angle=90,
                pen=pg.mkPen(faint, width=1, style=Qt.PenStyle.DotLine),
                label="",
                labelOpts={"position": 0.98, "color": faint, "rotateAxis": (1, 0), "anchors": [(1.0, 0.0), (1.0, 0.0)]},
            )  # fmt: skip
            line.told = (time_ms, words, tone)
            line.setToolTip(f"{words}: {time_ms:.1f} ms")
            line.setZValue(-1)
            self._view.addItem(line, ignoreBounds=True)
            self.lines.append(line)
        self._thin()

    @property
    def named(self) -> list[str]:
        """Give the names that are seen."""
        return [line.told[1] for line in self.lines if line.label.isVisible()]

    def _thin(self) -> None:
        box = self._view.getPlotItem().vb
        low, high = box.viewRange()[0]
        scale, last = box.width() / max(high - low, 1e-12), -1e9
        letters = int(min(_LETTERS, _SHARE * box.height() / _LETTER_PX))
        for line in sorted(self.lines, key=lambda one: one.value()):
            at = line.value() * scale
            is_seen = at - last >= _APART_PX and low <= line.value() <= high and box.height() >= _LEAST_PX  # fmt: skip
            words = line.told[1].replace("{", "(").replace("}", ")")
            short = words if len(words) <= letters else f"{words[: letters - 1].rstrip()}…"
            if is_seen and line.label.format != short:
                line.label.setFormat(short)
            line.label.setVisible(is_seen)
            last = at if is_seen else last


class SecondCursor:
    """Show an instant to which differences are counted; a drag moves it."""

    def __init__(self, view: Any, moved: Callable[[float], None]) -> None:
        self.time: float | None = None
        self.line = pg.InfiniteLine(angle=90, movable=True)
        self.line.sigDragged.connect(lambda line: moved(1e-3 * line.value()))
        self.line.hide()
        view.addItem(self.line, ignoreBounds=True)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.line.setPen(pg.mkPen(theme.warning, width=1, style=Qt.PenStyle.DashLine))
        self.line.setHoverPen(pg.mkPen(theme.warning, width=3))

    def put(self, time: float | None) -> None:
        """Put it on an instant (s); None takes it away."""
        self.time = time
        self.line.setVisible(time is not None)
        if time is not None:
            self.line.blockSignals(True)
            self.line.setValue(1e3 * time)
            self.line.blockSignals(False)
