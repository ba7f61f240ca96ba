"""The figures of the run before and of the present one, side by side and small."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QShowEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.comparing.runs import Line, as_far_as, in_brief
from app.features.whatif.so_far import Measuring
from app.fonts import wide
from app.guard import guard
from app.having import having
from app.look import LIGHT, Theme
from app.study.live import Live
from app.study.study import Study
from solver.base.words import tr
from solver.injury.saying import short_figure

_WIDTHS = (140, 124, 84, 76)


class Figures(QWidget):
    """Follow the study: what its ghost gave, what its current run gives, or one that is coming so far."""

    def __init__(self, study: Study, live: Live, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.study, self.live, self._theme, self.system = study, live, LIGHT, "metric"
        self.state = having(QLabel(), objectName="muted", wordWrap=True)
        self.tree = having(QTreeWidget(), rootIsDecorated=False, uniformRowHeights=True)
        self.tree.setAccessibleName(tr("Figures before and now"))
        self.tree.setHeaderLabels([tr("Figure"), tr("Before"), tr("Now"), tr("Change")])
        self.tree.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for column, width in enumerate(_WIDTHS):
            self.tree.setColumnWidth(column, wide(width))
        # 'not judged' stands behind some: it is never cut
        self.tree.header().setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 4)
        layout.setSpacing(4)
        layout.addWidget(self.state)
        layout.addWidget(self.tree, 1)
        self.lines: list[Line] = []
        study.run_shown.connect(self._look)
        study.runs.ended.connect(lambda _: self._look())
        study.document.changed.connect(lambda _: self._look())
        study.grown.connect(self._look)
        live.switched.connect(lambda _: self._look())
        self.measuring = Measuring(self)
        self.measuring.found.connect(self._look)
        self._shown: object = None

    def set_theme(self, theme: Theme) -> None:
        """Colour the words anew."""
        self._theme, self._shown = theme, None
        self._look()

    def set_units(self, system: str) -> None:
        """Write the figures in other units."""
        self.system, self._shown = system, None
        self._look()

    @guard
    def showEvent(self, event: QShowEvent) -> None:
        """Write what came while nobody looked."""
        super().showEvent(event)
        self._look()

    def _look(self) -> None:
        if not self.isVisible():
            return
        coming = self.study.coming
        names = [line.figure.name for line in self.lines if line.figure is not None]
        self.measuring.follow(coming if coming is not None and coming.is_running else None, names)
        so_far = self.measuring.so_far
        self._say_state()
        current, ghost = self.study.runs.current, self.study.ghost
        before = ghost if ghost is not None and ghost.has_ended else None
        if ghost is current and so_far is None:
            before = None
        is_old = (
            current is not None and self.study.is_outdated(current) and not self.live.is_pending
        )
        key = (before, current, current is not None and current.has_ended, so_far, is_old)
        if key == self._shown:
            return
        self._shown = key
        beside = (before, current) if so_far is None else (before,)
        records = [r for r in beside if r is not None and r.has_ended]
        self.lines = in_brief(records, self.system) if records else []
        if so_far is not None:
            self.lines = as_far_as(so_far.found, self.lines)
        was = "" if before is None else tr("Before: {name}", name=before.name)
        now = tr("Now") if so_far is None else tr("So far")
        if is_old and so_far is None and current is not None:
            now = current.name
        for column, words in ((1, was or tr("Before")), (2, now)):
            self.tree.headerItem().setText(column, words)
            self.tree.headerItem().setToolTip(column, words)
        self.tree.clear()
        for line in self.lines:
            self._add(line, before is not None)

    def _add(self, line: Line, has_before: bool) -> None:
        before = line.cells[0].words if has_before else ""
        now = line.cells[-1]
        current = self.study.runs.current
        project = None if current is None else current.project
        short = line.title if line.figure is None else short_figure(line.figure.name, project)
        item = QTreeWidgetItem(self.tree, [short, before, now.words, now.change])
        for column, words in enumerate((line.title, before, now.words, now.change)):
            item.setToolTip(column, words)
        font = item.font(2)
        font.setBold(self.measuring.so_far is None)
        font.setItalic(self.measuring.so_far is not None)
        item.setFont(2, font)
        item.setForeground(1, QBrush(QColor(self._theme.muted)))
        if now.share is not None and now.share > 1.0:
            item.setForeground(2, QBrush(QColor(self._theme.error)))

    def _say_state(self) -> None:
        current = self.study.runs.current
        running = self.study.runs.running()
        if running is not None and running.solving is not None:
            done, so_far = running.solving.fraction, self.measuring.so_far
            words = (
                tr("Solving … {percent:.0f} %", percent=100.0 * done)
                if done > 0.0
                else tr("Solving …")
            )
            if so_far is not None:
                words = tr(
                    "{solving}: figures of its first {ms:.0f} ms, not the last word.",
                    solving=words,
                    ms=1e3 * so_far.until_s,
                )
        elif current is not None and self.study.is_outdated(current):
            words = tr("These figures are of another model: {name}. The first drag solves this one, as it is and as it becomes.", name=current.name)  # fmt: skip
        elif current is None or not self.live.is_on:
            words = tr("The first drag solves the model; what was there before stays beside it.")
        else:
            words = tr("These are the figures of the model as it is.")
        self.state.setText(words)
