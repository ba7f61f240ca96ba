"""Several pages of plots as tabs: each keeps what its plots show and how they stand."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QTabBar, QToolButton, QWidget

from app.features.plots.row import Arrangement, PlotRow, columns_of
from app.features.plots.templates import Page
from app.guard import guard
from app.having import having
from solver.base.words import tr


@dataclass(slots=True)
class Sheet:
    """Hold a page while another one is seen."""

    title: str
    page: Page = ()
    stands: Arrangement = "beside"


class Sheets(QWidget):
    """Show tabs, and a button for one more; with one page alone nothing is seen.

    `shown` tells that the plots are those of another page.
    """

    shown = Signal()

    def __init__(self, row: PlotRow) -> None:
        super().__init__()
        self._plots = row
        self.tabs = having(QTabBar(), tabsClosable=True, expanding=False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setAccessibleName(tr("Pages of plots"))
        self.tabs.setToolTip(tr("Pages of plots; a double click renames one"))
        self.more = having(QToolButton(), text="+", toolTip=tr("Another page of plots"))
        self.more.setAccessibleName(tr("Another page of plots"))
        self.more.clicked.connect(lambda: self.add())
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 2, 8, 0)
        line.setSpacing(2)
        line.addWidget(self.tabs)
        line.addWidget(self.more)
        line.addStretch(1)
        self.sheets: list[Sheet] = [Sheet(tr("Page {n}", n=1))]
        self._now = self.sheets[0]
        self._count = 1
        self.tabs.addTab(self._now.title)
        self.tabs.currentChanged.connect(self._on_changed)
        self.tabs.tabCloseRequested.connect(self.close_sheet)
        self.tabs.tabBarDoubleClicked.connect(self.rename)
        self._name: QLineEdit | None = None
        self._see()

    @property
    def current(self) -> Sheet:
        """Give the page that is seen."""
        return self._now

    def add(self, title: str = "") -> Sheet:
        """Add an empty page, and show it."""
        self._count += 1
        sheet = Sheet(title or tr("Page {n}", n=self._count))
        self.sheets.append(sheet)
        self.tabs.addTab(sheet.title)
        self._see()
        self.tabs.setCurrentIndex(len(self.sheets) - 1)
        return sheet

    def close_sheet(self, at: int) -> None:
        """Close a page; the last one stays."""
        if len(self.sheets) < 2 or not 0 <= at < len(self.sheets):
            return
        # what is left is not kept: it is gone
        del self.sheets[at]
        self.tabs.removeTab(at)
        self._see()

    def all(self) -> list[tuple[Sheet, int]]:
        """Give all pages as they are now, each with its columns."""
        self._keep()
        return [(one, columns_of(one.stands, len(one.page))) for one in self.sheets]

    def go(self, way: int) -> None:
        """Show the next page, or the one before; behind the last comes the first."""
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + way) % len(self.sheets))

    def name(self, title: str) -> None:
        """Call the page that is seen otherwise."""
        self._now.title = title
        self.tabs.setTabText(self.sheets.index(self._now), title)

    def start_anew(self) -> None:
        """Leave all pages but one, which is empty: another project was opened."""
        while len(self.sheets) > 1:
            self.close_sheet(len(self.sheets) - 1)
        self._count = 1
        self._plots.arrange("beside")
        self.name(tr("Page {n}", n=1))

    def rename(self, at: int) -> None:
        """Let people write another title into a tab."""
        if not 0 <= at < len(self.sheets):
            return
        self.tabs.setCurrentIndex(at)
        field = self._name = QLineEdit(self._now.title, self.tabs)
        field.setAccessibleName(tr("Title of the page"))
        field.setGeometry(self.tabs.tabRect(at))
        field.selectAll()
        field.editingFinished.connect(self._on_named)
        field.installEventFilter(self)
        field.show()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    @guard
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the old title by Esc."""
        is_esc = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if watched is self._name and is_esc:
            if event.type() == QEvent.Type.KeyPress:
                self._end_naming()
            return True
        return False

    def _on_named(self) -> None:
        if self._name is not None:
            title = self._name.text().strip()
            self._end_naming()
            if title:
                self.name(title)

    def _end_naming(self) -> None:
        field, self._name = self._name, None
        if field is not None:
            field.hide()
            field.deleteLater()

    def _on_changed(self, at: int) -> None:
        if not 0 <= at < len(self.sheets) or self.sheets[at] is self._now:
            return
        self._end_naming()
        plots = self._plots
        self._keep()
        self._now = self.sheets[at]
        plots.empty()
        plots.arrange(self._now.stands)
        plots.open(self._now.page)
        if not plots.plots:
            plots.add()
        self.shown.emit()

    def _keep(self) -> None:
        """Keep what the page that is seen shows."""
        self._now.page, self._now.stands = tuple(self._plots.specs()), self._plots.stands

    def _see(self) -> None:
        for at in range(self.tabs.count()):
            button = self.tabs.tabButton(at, QTabBar.ButtonPosition.RightSide)
            if button is not None:
                button.setAccessibleName(tr("Close this page"))
                button.setToolTip(tr("Close this page"))
        self.setVisible(len(self.sheets) > 1)
