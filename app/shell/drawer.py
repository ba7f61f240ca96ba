"""The drawer at the bottom: one panel at a time, by tabs; or the tabs alone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QTabWidget, QWidget

from app.having import having
from app.panel import Panel
from app.widgets.help_button import HelpButton, ask_for_help
from solver.words import tr

_NO_LIMIT = 16777215
"""Height (px) that no widget has."""


class Drawer(QTabWidget):
    """Hold panels by their names."""

    def __init__(self, panels: Sequence[Panel], parent: QWidget | None = None) -> None:
        super().__init__(parent, documentMode=True)
        self._panels = {panel.name: panel for panel in panels}
        for panel in panels:
            self.setTabToolTip(self.addTab(panel.widget, panel.title), panel.tip)
        self.tabBar().setAccessibleName(tr("Panels"))
        self.is_folded = False
        self._sizes: list[int] = []
        self._usual: int | None = None
        """The height to go back to from the half of all."""
        self.tabBarClicked.connect(self._click)
        self.currentChanged.connect(lambda: self.fold(False))
        self._remark = having(QLabel(), objectName="remark")
        self.ask = HelpButton()
        self.ask.clicked.connect(lambda: ask_for_help(self.currentWidget()))
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 8, 0)
        row.addWidget(self._remark)
        row.addWidget(self.ask)
        self.setCornerWidget(corner)

    def open(self, name: str) -> None:
        """Bring a panel to the front."""
        self.setCurrentWidget(self._panels[name].widget)
        self.fold(False)

    def fold(self, away: bool) -> None:
        """Leave the tabs alone, so that the scene has the room; or show the panel in front again."""
        if away == self.is_folded:
            return
        self.is_folded, holder = away, self.parentWidget()
        assert isinstance(holder, QSplitter)
        tabs = self.tabBar().sizeHint().height()
        self.setMaximumHeight(tabs if away else _NO_LIMIT)
        if away:
            self._sizes = holder.sizes()
        # at once: what is about to be clicked in the scene must not move later
        holder.refresh()
        holder.setSizes([sum(self._sizes) - tabs, tabs] if away else self._sizes)

    def give_half(self, wanted: bool) -> None:
        """Give a table of many rows half of the height, and take it back; a hand may change that."""
        holder = self.parentWidget()
        assert isinstance(holder, QSplitter)
        now, half = holder.sizes(), sum(holder.sizes()) // 2
        if wanted and self._usual is None and 0 < now[1] < half and now[0]:
            self._usual = now[1]
            holder.setSizes([sum(now) - half, half])
        elif not wanted and self._usual is not None:
            usual, self._usual = self._usual, None
            if now[1] == half:
                holder.setSizes([sum(now) - usual, usual])

    def tell_count(self, name: str, number: int) -> None:
        """Write on a panel's tab how many things are in it; nothing for none."""
        panel = self._panels[name]
        words = f"{panel.title}  {number}" if number else panel.title
        self.setTabText(self.indexOf(panel.widget), words)

    def remark(self, sentence: str) -> None:
        """Say something about what the panels show, beside their tabs; nothing for nothing."""
        self._remark.setText(sentence)
        self._remark.setVisible(bool(sentence))

    def _click(self, number: int) -> None:
        """Fold by a click on the tab in front, and unfold by one on any."""
        if number == self.currentIndex():
            self.fold(not self.is_folded)
