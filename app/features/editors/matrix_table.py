"""Draw the matrix of contacts: small cells, and names of columns that are read upwards."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app import texts
from app.guard import guard
from app.look import Theme
from app.widgets.own_keys import PassedOn
from solver.base.words import tr

_HEAD_PX, _CELL_PX = 116, 30


class SlantedHeads(QHeaderView):
    """Write the names of columns upwards, so that many columns stay in sight."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(_CELL_PX)
        self.setDefaultSectionSize(_CELL_PX)

    @guard
    def sizeHint(self) -> QSize:
        """Take the height of a long name."""
        return QSize(super().sizeHint().width(), _HEAD_PX)

    @guard
    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Write one name from below upwards."""
        name = str(self.model().headerData(section, Qt.Orientation.Horizontal, 0) or "")
        painter.save()
        painter.translate(rect.left(), rect.bottom())
        painter.rotate(-90)
        text = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, rect.height() - 8)
        painter.setPen(self.palette().text().color())
        painter.drawText(
            QRect(4, 0, rect.height() - 6, rect.width()), int(Qt.AlignmentFlag.AlignVCenter), text
        )
        painter.restore()


class MatrixTable(PassedOn, QTableView):
    """Show cells; Space and Del reach the matrix around them."""

    own_keys = ("Space", "Del")

    def __init__(self) -> None:
        super().__init__()
        self.setHorizontalHeader(SlantedHeads(self))
        rows = self.verticalHeader()
        rows.setDefaultSectionSize(22)
        rows.setSectionsClickable(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setAccessibleName(tr(texts.words.MATRIX))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.setStyleSheet(
            f"QTableView {{ background: {theme.panel}; gridline-color: {theme.line}; }}"
            f"QTableCornerButton::section {{ background: {theme.panel}; border: none; }}"
        )
