"""The drawer at the bottom: one panel at a time, by tabs."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QLabel, QTabWidget, QWidget

from app import texts


class Drawer(QTabWidget):
    """Hold panels by their names."""

    def __init__(self, panels: Mapping[str, QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent, documentMode=True)
        self._panels = dict(panels)
        for name, panel in self._panels.items():
            number = self.addTab(panel, texts.panels.DRAWER[name])
            self.setTabToolTip(number, texts.panels.DRAWER_TIPS[name])

        self.tabBar().setAccessibleName(texts.panels.PANELS)
        self._remark = QLabel(objectName="remark")
        self.setCornerWidget(self._remark)

    @property
    def panels(self) -> tuple[QWidget, ...]:
        """Give the panels in the order of their tabs."""
        return tuple(self._panels.values())

    def open(self, name: str) -> None:
        """Bring a panel to the front."""
        self.setCurrentWidget(self._panels[name])

    def count(self, name: str, number: int) -> None:
        """Write on a panel's tab how many things are in it; nothing for none."""
        title = texts.panels.DRAWER[name]
        words = texts.panels.DRAWER_COUNT.format(title=title, number=number) if number else title
        self.setTabText(self.indexOf(self._panels[name]), words)

    def remark(self, sentence: str) -> None:
        """Say something about what the panels show, beside their tabs; nothing for nothing."""
        self._remark.setText(sentence)
        self._remark.setVisible(bool(sentence))
