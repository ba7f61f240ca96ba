"""The drawer at the bottom: one panel at a time, by tabs."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QTabWidget, QWidget


class Drawer(QTabWidget):
    """Hold panels by their titles."""

    def __init__(self, panels: Mapping[str, QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent, documentMode=True)
        self._panels = dict(panels)
        for title, panel in self._panels.items():
            self.addTab(panel, title)

    @property
    def panels(self) -> tuple[QWidget, ...]:
        """Give the panels in the order of their tabs."""
        return tuple(self._panels.values())

    def open(self, title: str) -> None:
        """Bring a panel to the front."""
        self.setCurrentWidget(self._panels[title])

    def name(self, title: str, words: str) -> None:
        """Write something else on a panel's tab."""
        self.setTabText(self.indexOf(self._panels[title]), words)
