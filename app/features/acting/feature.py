"""What acts on the selected segment: a table, stacked curves, and arrows with names in the scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.command import Command
from app.features.acting.panel import ActingPanel
from app.features.feature import Feature
from app.forms.units import brief
from app.look import ACTING_TONES
from app.panel import Panel
from app.scene.key import LENGTH_M
from app.scene.tool import Tool
from app.workbench import Workbench
from solver.analysis.acting import (
    Account,
    account,
    asked_of,
    greatest,
    slide_of,
    with_own_parts,
)
from solver.analysis.acting.messages import named
from solver.base.units import convert, display_unit, pretty
from solver.base.words import tr
from solver.engine.maths.rotation import Array
from solver.injury import Figure
from solver.injury.figures import figure_segment

if TYPE_CHECKING:
    from app.scene.viewport import Viewport
_NAMED = 24
"""Letters of a name beside an arrow at most; the table has all of it."""


class Acting(Feature):
    """Follow selection, run and instant while the panel is in front."""

    name = "acting"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        panel = self.panel = ActingPanel()
        self._of: tuple[object, ...] = ()
        """Whose account is shown: the run's motion, the segments, the figure of a slide, and how many frames it had."""
        self._asked: Figure | None = None
        """The figure of something that slides of which it is asked what presses it."""
        self._segments: tuple[str, ...] = ()
        bench.panels.add(
            Panel(
                "acting",
                panel,
                "below",
                tr("What acts"),
                tr("What acts on the selected segment, source by source, up to its acceleration"),
                go_to=(
                    tr("What acts on the &part"),
                    tr("Go to what acts on the selected segment."),
                ),
                topic="guide#what-acts",
                moods=("understand",),
                stops=panel.tree,
            )
        )
        bench.commands.add(
            Command(
                "run.acts",
                tr("What &acts on it"),
                tr("Show what acts on the selected segment at this instant, source by source."),
                self.open,
                "Shift+W",
                bench.has_project,
                in_scene=True,
            )
        )
        self.arrows = Arrows(bench.viewport, self._arrows)
        bench.viewport.tools.append(self.arrows)
        panel.chosen.connect(bench.document.select)
        bench.why_asked.connect(self.tell_why)
        panel.time_asked.connect(bench.run_view.go)
        panel.way_changed.connect(self._on_moved)
        panel.parts_changed.connect(self._on_parts)
        bench.theme_changed.connect(panel.set_theme)
        bench.units_changed.connect(self._on_units)
        bench.document.selected.connect(lambda _: self._look())
        bench.run_view.run_shown.connect(self._look)
        bench.run_view.switched.connect(lambda _: self._look())
        bench.run_view.player.moved.connect(lambda *_: self._on_moved())

    def open(self) -> None:
        """Bring the panel to the front, and the run into the scene."""
        bench = self.bench
        bench.panels.open("acting")
        bench.run_view.switch(True)
        self._look()
        if self.panel.account is None:
            bench.say(tr("Select a segment of a run: what acts on it is then told."))

    def tell_why(self, figure: Figure) -> None:
        """Show what acts on the part of an injury figure at its instant: where it is accelerated most in its window, or along the way it is pressed in."""
        run_view, replay = self.bench.run_view, self.bench.run_view.replay
        if replay is None:
            return
        segment = figure_segment(replay.project, figure)
        if not segment:
            self.bench.say(
                tr("This figure is of no single part, so that nothing acts on it alone.")
            )
            return
        parts = with_own_parts(replay.project, segment)
        slides = slide_of(replay.project, figure) is not None
        self.panel.together.setChecked(len(parts) > 1 and not slides)
        self.panel.ways.setCurrentIndex(0)
        self._asked, self._segments = figure if slides else None, (segment,)
        self.bench.document.select(f"segments/{segment}")
        self.open()
        found = self.panel.account
        if found is None:
            return
        if slides:
            self.panel.ways.setCurrentIndex(self.panel.ways.findData("slide"))
        run_view.go(greatest(found, figure.t1, figure.t2))
        self.panel.say_why(figure)
        # the table of figures, in which the keyboard was, is behind this one now
        self.panel.tree.setFocus()

    def _is_seen(self) -> bool:
        return self.bench.panels.is_front("acting")

    def _on_parts(self) -> None:
        self._asked = None
        self._look()

    def _look(self) -> None:
        """Find what acts on the segment that is selected; another kind of element leaves the last one."""
        bench = self.bench
        chosen = [
            one.split("/")[1] for one in bench.document.elements if one.startswith("segments/")
        ]
        if tuple(chosen) not in ((), self._segments):
            self._asked = None
        self._segments = tuple(chosen) or self._segments
        replay = bench.run_view.replay
        if not self._is_seen() or replay is None or not self._segments:
            if replay is None:
                self._of = ()
                self.panel.show_account(bench.document.project, None)
            return
        segments = self._segments
        if self.panel.together.isChecked():
            parts = (with_own_parts(replay.project, one) for one in segments)
            segments = tuple(dict.fromkeys(one for each in parts for one in each))
        now = (replay.motion, segments, self._asked, len(replay.motion.time))
        if now != self._of:
            self._of = now
            motion = replay.motion
            ask = (replay.project, motion.time, motion.loads.table)
            found = account(*ask, segments) if self._asked is None else asked_of(*ask, self._asked)
            self.panel.show_account(replay.project, found)
        self._show_instant()

    def _on_moved(self) -> None:
        if not self._is_seen():
            return
        if self.panel.account is None and self._segments and self.bench.run_view.replay is not None:
            self._look()
        else:
            self._show_instant()

    def _show_instant(self) -> None:
        self.panel.show_instant(self.bench.run_view.player.time)
        self.bench.viewport.update()

    def _on_units(self, system: str) -> None:
        self.panel.set_units(system)
        self._on_moved()

    def _arrows(self) -> list[Arrow]:
        """The arrows of the instant that is shown, the largest first; none while nobody looks."""
        run_view = self.bench.run_view
        found: Account | None = self.panel.account
        if found is None or run_view.replay is None or not run_view.is_on or not self._is_seen():
            return []
        carried, middle = run_view.replay.now, self.panel.place_at(run_view.player.time)
        unit = display_unit("N", self.panel.system)
        out = []
        rows = [row for each in self.panel.rows_at(run_view.player.time).values() for row in each]
        for row in sorted(rows, key=lambda row: -row.size):
            point = middle if row.point is None else row.point
            name = named(run_view.replay.project, row)
            if len(name) > _NAMED:
                name = f"{name[: _NAMED - 1].rstrip(' ,')}…"
            words = f"{name}  {brief(convert(row.size, 'N', unit))} {pretty(unit)}"
            at = carried.R_WS @ point + carried.p_W
            out.append(Arrow(row.source, at, carried.R_WS @ row.force, words))
        return out


_HEAD_PX, _WIDE_PX = 11.0, 4.5
_ARROWS_NAMED, _FEW, _EACH_PX = 0.08, 3, 75
"""Smaller parts of the largest force have no name, nor more than a few, or one for so much height of the view: it would hide what it is about."""
_MOST = 8
"""So many arrows are named; more would hide what they point at."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A force (N) at a place (m) as the scene shows it, and what stands beside it."""

    source: str
    point: Array
    force: Array
    words: str


class Arrows(Tool):
    """Paint the arrows that are given, the largest first."""

    def __init__(self, view: Viewport, given: Callable[[], list[Arrow]]) -> None:
        self._view, self._given = view, given
        self.painted: list[str] = []
        """What was written last."""

    def paint(self, painter: QPainter) -> None:
        """Paint an arrow whose tip lies where the force acts, and its words at the other end."""
        lens, self.painted = self._view.lens, []
        if lens is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        taken: list[QRectF] = []
        given = self._given()[:_MOST]
        sizes = [float(np.linalg.norm(arrow.force)) for arrow in given]
        least = _ARROWS_NAMED * max(sizes, default=0.0)
        names = max(_FEW, self._view.height() // _EACH_PX)
        for arrow, size in zip(given, sizes, strict=True):
            long = LENGTH_M * np.sqrt(1e-3 * size)
            foot = arrow.point - long * arrow.force / size
            if not (lens.is_ahead(foot) and lens.is_ahead(arrow.point)):
                continue
            tip, start = QPointF(*lens.pixel(arrow.point)), QPointF(*lens.pixel(foot))
            tone = QColor(ACTING_TONES[arrow.source])
            _paint(painter, start, tip, tone)
            if size >= least and len(taken) < names:
                self._name(painter, arrow.words, start, tip, taken)

    def _name(
        self, painter: QPainter, words: str, start: QPointF, tip: QPointF, taken: list[QRectF]
    ) -> None:
        """Write beside the foot of an arrow, lower where something is written already."""
        theme = self._view.theme
        box = QRectF(painter.fontMetrics().boundingRect(words)).adjusted(-6.0, -2.0, 6.0, 2.0)
        box.moveCenter(start + QPointF(0.0, -12.0 if start.y() <= tip.y() else 12.0))
        room = QRectF(self._view.rect()).adjusted(4.0, 4.0, -4.0, -4.0)
        box.moveLeft(min(max(box.left(), room.left()), room.right() - box.width()))
        while any(box.intersects(other) for other in taken):
            box.translate(0.0, box.height() + 1.0)
        if not room.contains(box):
            return
        taken.append(box)
        self.painted.append(words)
        ground = QColor(theme.raised)
        ground.setAlpha(225)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, 4.0, 4.0)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _paint(painter: QPainter, start: QPointF, tip: QPointF, tone: QColor) -> None:
    way = tip - start
    long = float(np.hypot(way.x(), way.y()))
    if long < 1.0:
        return
    w = way / long
    side = QPointF(-w.y(), w.x())
    head = min(_HEAD_PX, 0.6 * long)
    neck = tip - w * head
    for colour, width in ((QColor(255, 255, 255, 170), 5.5), (tone, 3.2)):
        painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(start, neck)
    painter.setPen(QPen(QColor(255, 255, 255, 170), 1.0))
    painter.setBrush(tone)
    painter.drawPolygon(QPolygonF([tip, neck + side * _WIDE_PX, neck - side * _WIDE_PX]))
