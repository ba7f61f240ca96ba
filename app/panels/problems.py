"""List what is wrong with the project; a click leads to the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QIcon, QPainter, QPixmap, QPolygonF
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.elements import place
from app.look import LIGHT, Theme
from solver.project import Problem, Project
from solver.project.problems import Severity

if TYPE_CHECKING:
    from app.editing.mending import Mend

_PATH = Qt.ItemDataRole.UserRole
_SEVERITY = Qt.ItemDataRole.UserRole + 1
_ORDER: tuple[Severity, ...] = ("error", "warning", "note")
_SENTENCE, _MEND = 2, 3


class Problems(QWidget):
    """Show severity, place, sentence and mend of every problem."""

    chosen = Signal(str)
    mend_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.summary = QLabel(objectName="section")
        self.tree = QTreeWidget(
            headerHidden=True, rootIsDecorated=False, columnCount=4, uniformRowHeights=True
        )
        self.tree.setAccessibleName(texts.panels.PROBLEMS)
        header = self.tree.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_SENTENCE, QHeaderView.ResizeMode.Stretch)
        for column, width in ((0, 96), (1, 250), (_MEND, 190)):
            self.tree.setColumnWidth(column, width)
        self.tree.currentItemChanged.connect(lambda item, _: self._on_click(item))
        self.tree.itemClicked.connect(lambda item, _: self._on_click(item))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.summary)
        layout.addWidget(self.tree)
        self._theme = LIGHT

    def show_problems(
        self,
        project: Project,
        problems: Sequence[Problem],
        mends: Mapping[Problem, Mend] | None = None,
    ) -> None:
        """List problems, the gravest first, with a button where one click can mend."""
        self.tree.blockSignals(True)
        self.tree.clear()
        self.summary.setText(summary(problems))
        self.tree.setVisible(bool(problems))
        for problem in sorted(problems, key=lambda p: _ORDER.index(p.severity)):
            where = place(project, problem.path)
            kind = texts.panels.SEVERITY[problem.severity]
            words = [kind, where, f"{problem.sentence} {problem.hint}".rstrip()]
            item = QTreeWidgetItem(self.tree, words)
            item.setData(0, _PATH, problem.path)
            item.setData(0, _SEVERITY, problem.severity)
            for column, text in enumerate(words):
                item.setToolTip(column, text)
            if mends is not None and problem in mends:
                button = QPushButton(mends[problem].words, objectName="mend")
                button.setToolTip(texts.window.MEND_TIP)
                button.clicked.connect(lambda _=False, p=problem: self.mend_asked.emit(p))
                self.tree.setItemWidget(item, _MEND, button)
        self.tree.setCurrentItem(None)
        self.tree.blockSignals(False)
        self._paint()

    def set_theme(self, theme: Theme) -> None:
        """Colour the marks anew."""
        self._theme = theme
        self._paint()

    def _paint(self) -> None:
        t = self._theme
        colours = {"error": t.error, "warning": t.warning, "note": t.note}
        for i in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(i)
            severity = item.data(0, _SEVERITY)
            item.setIcon(0, severity_icon(severity, colours[severity]))
            item.setForeground(0, QBrush(QColor(colours[severity])))
            item.setForeground(1, QBrush(QColor(t.muted)))

    def _on_click(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(str(item.data(0, _PATH)))


def summary(problems: Sequence[Problem]) -> str:
    """Count problems by severity: 'Problems: 1 error, 2 notes'."""
    counts = []
    for severity in _ORDER:
        count = sum(p.severity == severity for p in problems)
        if count:
            words = texts.panels.ONE_OF_SEVERITY if count == 1 else texts.panels.SEVERITIES
            counts.append(f"{count} {words[severity]}")
    if not counts:
        return texts.panels.NO_PROBLEMS
    return texts.panels.PROBLEM_COUNT.format(counts=", ".join(counts))


def severity_icon(severity: Severity, colour: str) -> QIcon:
    """Draw a mark whose form says the same as its colour: square, triangle, dot."""
    pixmap = QPixmap(32, 32)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        if severity == "error":
            painter.drawRoundedRect(6, 6, 20, 20, 4, 4)
        elif severity == "warning":
            triangle = QPolygonF([QPointF(16, 5), QPointF(28, 26), QPointF(4, 26)])
            painter.drawPolygon(triangle)
        else:
            painter.drawEllipse(9, 9, 14, 14)
    return QIcon(pixmap)
